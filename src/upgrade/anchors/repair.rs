//! Settling a merged tree, one document after the other, one trouble after the other.

use foldhash::{HashMap, HashSet};

use super::images::Images;
use super::mark::{Id, Way, marked};
use super::order::{Early, Order, tell_last_moves};
use super::repairs::{Refused, Repairs, path};
use super::room::Room;
use super::sites::{Site, Sites};
use super::{Anchors, at, at_mut, write_out};
use crate::report::note::{Note, Noted, Repair};
use crate::upgrade::edit::Removed;
use crate::upgrade::merge::Merge;
use crate::yaml::outline::Anchored;
use crate::yaml::path::Path;
use crate::yaml::row::RowId;
use crate::yaml::tree::{ExplicitValue, Node, Opener, Origin};

/// What settling has come to.
pub(super) struct Done {
    /// The names that definitions have in the end.
    pub(super) names: HashMap<Id, String>,
    pub(super) notes: Vec<Note>,
    /// Aliases that were written out in flow: the path of the node, the alias, and the value.
    pub(super) in_flow: Vec<(Path, String, String)>,
    pub(super) refused: Option<Refused>,
}

/// Settles all documents.
pub(super) fn repair<'a>(
    anchors: &Anchors<'a>,
    stream: &mut Node<'a>,
    merge: &Merge<'_, 'a>,
    deleted: &[Removed],
) -> Done {
    let mut repairs = Repairs {
        anchors,
        merge,
        deleted,
        twins: merge.twins.iter().map(|&(current, update)| (update, current)).collect(),
        merged: merge.twins.iter().map(|&(current, _)| current).collect(),
        stands_for: HashMap::default(),
        restored: HashSet::default(),
        names: anchors.original_names(),
        notes: Vec::new(),
        put: Vec::new(),
        in_flow: Vec::new(),
        room: Room::of(merge),
        refused: None,
    };
    for document in 0..stream.children.len() {
        repairs.document(stream, document);
    }
    repairs.finish()
}

impl Anchors<'_> {
    fn original_names(&self) -> HashMap<Id, String> {
        let named = |file, at: usize, name: &str| (Id { file, at }, name.to_owned());
        let mine = self.current.iter().enumerate().map(|(at, own)| named(Origin::Current, at, &own.name));
        let theirs = self.update.iter().enumerate().map(|(at, own)| named(Origin::Update, at, &own.name));
        mine.chain(theirs).collect()
    }
}

/// What keeps an alias from meaning what it meant.
enum Trouble<'s> {
    /// There is no anchor for it, nor for these others.
    Lost(Vec<&'s Site>),
    /// Its anchor stands behind it, or around it, as those of these others do.
    Early(Vec<Early<'s>>),
}

impl<'a> Repairs<'_, 'a> {
    fn document(&mut self, stream: &mut Node<'a>, document: usize) {
        let mut order = Order::default();
        loop {
            let all = self.sites(stream, document);
            let repaired = match trouble(&all) {
                None => break,
                Some(Trouble::Lost(aliases)) => self.find(stream, &aliases, &all),
                Some(Trouble::Early(early)) => {
                    let Early { alias, anchor } = early[0];
                    let moved = !anchor.holds(alias) && self.order(stream, &early, &mut order, &all);
                    moved || self.write_out(stream, alias)
                }
            };
            if !repaired {
                break;
            }
        }
        self.rename(stream, document);
    }

    /// Puts the anchor of the first of these aliases before the node that its value was merged with, and those of the others
    /// where nothing else has to do with that: a document is looked at again after each time. Failing that, writes the value
    /// out. What the user wants to have deleted is not written out again.
    fn find(&mut self, stream: &mut Node<'a>, aliases: &[&Site], all: &[Site]) -> bool {
        let (alias, sites) = (aliases[0], Sites::of(all));
        let image = self.image_for(&Images::of(stream), alias);
        if image.is_none()
            && let Some(row) = self.deleted_row(alias.meant)
        {
            self.refused = Some(Refused::Lost(row));
            return false;
        }
        if image.is_some_and(|way| self.put_anchor(stream, alias, &way, &sites)) {
            self.put_anchors(stream, aliases, &sites);
            return true;
        }
        self.find_alike(alias, all) || self.write_out(stream, alias)
    }

    /// Puts the anchors of these aliases but the first before nodes that got none here, or lets them mean what these have.
    fn put_anchors(&mut self, stream: &mut Node<'a>, aliases: &[&Site], sites: &Sites<'_>) {
        let images = Images::of(stream);
        let mut done = HashSet::default();
        let others = aliases.iter().filter(|alias| done.insert(alias.id));
        let mut found: Vec<_> = others.map(|alias| (*alias, self.image_for(&images, alias))).collect();
        let mut taken: HashSet<_> = found.remove(0).1.into_iter().collect();
        for (alias, way) in found {
            if let Some(way) = way.filter(|way| taken.insert(way.clone())) {
                self.put_anchor(stream, alias, &way, sites);
            }
        }
    }

    /// The node that the value of an alias was merged with, if the alias can mean it.
    fn image_for(&self, images: &Images<'_, 'a>, alias: &Site) -> Option<Vec<usize>> {
        let fits = |way: &Vec<usize>| !alias.way.starts_with(way) && self.can_merge(images.stream, alias, way);
        self.image(images, alias.id, alias.way[0]).filter(fits)
    }

    /// Lets an alias mean an equal item of the same list with an anchor of the same name, which stands before it: items of
    /// a list of scalars are not paired, and may well be what they were.
    fn find_alike(&mut self, alias: &Site, all: &[Site]) -> bool {
        let Some(lost) = self.anchors.definition(alias.id) else { return false };
        let before = all.iter().take_while(|site| *site != alias);
        let mut anchors = before.filter(|site| site.is_anchor() && site.id.file != alias.id.file && !site.holds(alias));
        let alike = anchors.find(|site| {
            let other = self.anchors.definition(site.id).filter(|other| other.name == lost.name);
            other.is_some_and(|other| {
                in_same_list(&lost.way, &other.way)
                    && self.outline(alias.id.file).same(lost.target.row, self.outline(site.id.file), other.target.row)
            })
        });
        let Some(other) = alike.map(|site| site.id) else { return false };
        self.stands_for.insert(alias.id, other);
        true
    }

    /// Whether a node can stand where an alias does: under `<<` only a map can take the place of one.
    fn can_merge(&self, stream: &Node<'a>, alias: &Site, way: &[usize]) -> bool {
        let is_map = |file: Origin, row: RowId| self.outline(file).kind_name(row) == "a map";
        let node = at(stream, way);
        at(stream, &alias.way).name != "<<"
            || node.row.is_some_and(|row| is_map(node.origin, row))
            || self.anchors.definition(alias.id).is_none_or(|definition| !is_map(alias.id.file, definition.target.row))
    }

    /// Gives a node the anchor of an alias, or lets the alias mean what the node has already.
    fn put_anchor(&mut self, stream: &mut Node<'a>, alias: &Site, way: &[usize], sites: &Sites<'_>) -> bool {
        let part = self.anchors.definition(alias.id).map_or(Anchored::Value, |definition| definition.target.part);
        let on_key = part != Anchored::Value;
        let here = |site: &&&Site| if on_key { self.is_in_key(site, alias, part) } else { site.is_value() };
        if let Some(other) = sites.at(way).iter().find(here) {
            let target = sites.meaning(other.id).iter().find(|site| site.is_anchor());
            // By another name an alias would be another key.
            let stays = !alias.found.part.is_key() || self.name(alias.id) == self.name(other.id);
            let fits = stays && target.is_some_and(|target| !target.holds(alias)) && other.id != alias.id;
            if fits {
                self.note_called(stream, [alias.id, other.id], sites);
                self.stands_for.insert(alias.id, other.id);
            }
            return fits;
        }
        if part == Anchored::InKey {
            return false;
        }
        let name = marked(self.name(alias.id), self.anchors.sign, alias.id);
        let node = at_mut(stream, way);
        match (&mut node.opener, on_key) {
            (Opener::Key(key), true) => key.to_mut().insert_str(0, &format!("&{name} ")),
            (_, true) => return false,
            (_, false) => put_before_value(node, &name),
        }
        self.put.push((path(stream, way), alias.id, Repair::Put));
        true
    }

    /// Whether an anchor or alias of a key is what an alias can mean whose anchor stood in that place: before the key, or
    /// under its name in a key that is a collection.
    fn is_in_key(&self, site: &Site, alias: &Site, part: Anchored) -> bool {
        let inside = |id: Id| {
            let definition = self.anchors.definition(id).filter(|definition| definition.target.part == Anchored::InKey);
            definition.map(|definition| &definition.name)
        };
        let there = inside(site.id).filter(|_| site.is_anchor());
        site.found.part.is_key() && if part == Anchored::InKey { there == inside(alias.id) } else { there.is_none() }
    }

    /// Notes the aliases that get another name, since their anchor has one in the user's file.
    fn note_called(&mut self, stream: &Node<'a>, [id, other]: [Id; 2], sites: &Sites<'_>) {
        let (from, to) = (self.name(id).to_owned(), self.name(other).to_owned());
        if from == to {
            return;
        }
        for alias in sites.meaning(id).iter().filter(|site| !site.is_anchor()) {
            let what = Noted::AliasRepaired(Repair::Called { from: from.clone(), to: to.clone() });
            self.notes.push(Note { path: path(stream, &alias.way), what });
        }
    }

    fn write_out(&mut self, stream: &mut Node<'a>, alias: &Site) -> bool {
        let Some(target) = self.anchors.definition(alias.meant).map(|definition| definition.target) else {
            return false;
        };
        let outline = match alias.meant.file {
            Origin::Current => self.merge.current,
            Origin::Update => self.merge.update,
        };
        if !self.room.takes(outline, target) {
            self.refused = Some(Refused::TooLong(alias.meant.file, target.row));
            return false;
        }
        let written = write_out::write_out(self, stream, alias);
        if written {
            let path = path(stream, &alias.way);
            self.put.push((path, alias.id, Repair::Written));
        }
        written
    }

    fn finish(mut self) -> Done {
        tell_last_moves(&mut self.notes);
        for (path, id, told) in std::mem::take(&mut self.put) {
            let name = self.name(self.meant(id)).to_owned();
            self.notes.push(Note { path, what: Noted::AliasRepaired(told(name)) });
        }
        let names = self.names.keys().map(|&id| (id, self.name(self.meant(id)).to_owned())).collect();
        Done { names, notes: self.notes, in_flow: self.in_flow, refused: self.refused }
    }
}

/// The first alias that has no anchor before it.
fn trouble(all: &[Site]) -> Option<Trouble<'_>> {
    let mut anchors: HashMap<Id, &Site> = HashMap::default();
    for anchor in all.iter().filter(|site| site.is_anchor()) {
        anchors.entry(anchor.id).or_insert(anchor);
    }
    let mut open: HashMap<Id, Vec<&Site>> = HashMap::default();
    let (mut lost, mut early) = (Vec::new(), Vec::new());
    for site in all {
        let before = open.entry(site.id).or_default();
        if site.is_anchor() {
            before.push(site);
        } else if before.iter().all(|anchor| anchor.holds(site)) {
            match anchors.get(&site.id) {
                Some(anchor) if lost.is_empty() => early.push(Early { alias: site, anchor }),
                None if early.is_empty() => lost.push(site),
                _ => {}
            }
        }
    }
    match (early.is_empty(), lost.is_empty()) {
        (false, _) => Some(Trouble::Early(early)),
        (_, false) => Some(Trouble::Lost(lost)),
        _ => None,
    }
}

/// Whether two ways lead to items of the list at the same keys.
fn in_same_list(way: &[Way], other: &[Way]) -> bool {
    let alike = |(step, other): (&Way, &Way)| match (step, other) {
        (Way::Key(name), Way::Key(other)) => name == other,
        (Way::Item(_), Way::Item(_)) => true,
        _ => false,
    };
    way.len() == other.len() && matches!(way.last(), Some(Way::Item(_))) && way.iter().zip(other).all(alike)
}

/// Puts an anchor before the value of a node; what shared the line of its dash or colon gets one of its own.
fn put_before_value(node: &mut Node<'_>, name: &str) {
    node.value_text.to_mut().insert_str(0, &format!(" &{name}"));
    match &mut node.opener {
        Opener::Item { joined } => *joined = false,
        Opener::Explicit(key) => key.value = ExplicitValue::Own,
        _ => {}
    }
}
