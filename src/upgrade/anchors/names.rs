//! The names of anchors, where another one of the same name stands between an anchor and its alias.

use foldhash::{HashMap, HashSet};

use super::mark::Id;
use super::repairs::{Repairs, path};
use super::sites::Site;
use crate::report::note::{Note, Noted, Repair};
use crate::yaml::tree::{Node, Origin};

impl<'a> Repairs<'_, 'a> {
    /// Gives a definition another name where its own is taken by another one between it and an alias.
    pub(super) fn rename(&mut self, stream: &Node<'a>, document: usize) {
        let all = self.sites(stream, document);
        for _ in 0..=all.len() {
            let Some((id, hidden)) = self.hidden(&all) else { return };
            let is_name =
                |id: Id| all.iter().any(|site| !site.is_anchor() && site.id == id && site.found.part.is_key());
            let wanted = if hidden.file == Origin::Update && id.file == Origin::Current { hidden } else { id };
            let gives_way = if is_name(wanted) { if wanted == id { hidden } else { id } } else { wanted };
            let to = self.new_name(self.name(gives_way));
            let from = self.names.insert(gives_way, to.clone()).unwrap_or_default();
            if let Some(site) = all.iter().find(|site| site.is_anchor() && site.id == gives_way) {
                let path = path(stream, &site.way);
                self.notes.push(Note { path, what: Noted::AliasRepaired(Repair::Renamed { from, to }) });
            }
        }
    }

    /// The first definition that an alias means but does not reach, and the one that it reaches.
    fn hidden(&self, all: &[Site]) -> Option<(Id, Id)> {
        let mut last: HashMap<&str, Id> = HashMap::default();
        for site in all {
            let name = self.name(site.id);
            if site.is_anchor() {
                last.insert(name, site.id);
            } else if let Some(&other) = last.get(name).filter(|other| **other != site.id) {
                return Some((site.id, other));
            }
        }
        None
    }

    fn new_name(&self, name: &str) -> String {
        let taken: HashSet<&str> = self.names.values().map(String::as_str).chain(self.anchors.names()).collect();
        let names = (2..=taken.len() + 2).map(|number| format!("{name}-{number}"));
        names.into_iter().find(|name| !taken.contains(&**name)).unwrap_or_default()
    }
}
