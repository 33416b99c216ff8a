//! Settling a merged tree, one document after the other, one trouble after the other.

use std::collections::{HashMap, HashSet};

use super::mark::{Id, Way, marked};
use super::order::Order;
use super::room::Room;
use super::sites::{Site, sites};
use super::{Anchors, Settled, at, at_mut, write_out};
use crate::documents;
use crate::merge::{Merge, Note, Noted};
use crate::outline::{Anchored, Outline};
use crate::path::{Path, Step};
use crate::tree::{ExplicitValue, Node, Opener, Origin};

/// What settling has come to.
pub(super) struct Done {
    /// The names that definitions have in the end.
    pub(super) names: HashMap<Id, String>,
    pub(super) notes: Vec<Note>,
    /// Aliases that were written out in flow: the path of the node, the alias, and the value.
    pub(super) in_flow: Vec<(Path, String, String)>,
    pub(super) refused: Option<Refused>,
}

/// Why a tree cannot be settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The row of a value that was deleted although an alias needs it.
    Lost(usize),
    /// The value at this row of one of the files would be written out, after too much that was.
    TooLong(Origin, usize),
}

/// Settles all documents.
pub(super) fn settle<'a>(anchors: &Anchors<'a>, stream: &mut Node<'a>, merge: &Merge<'_, 'a>) -> Done {
    let mut settler = Settler {
        anchors,
        merge,
        twins: merge.twins.iter().map(|&(current, update)| (update, current)).collect(),
        merged: merge.twins.iter().map(|&(current, _)| current).collect(),
        stands_for: HashMap::new(),
        restored: HashSet::new(),
        names: anchors.original_names(),
        notes: Vec::new(),
        put: Vec::new(),
        in_flow: Vec::new(),
        room: Room::of(merge),
        refused: None,
    };
    for document in 0..stream.children.len() {
        settler.document(stream, document);
    }
    settler.finish()
}

impl Anchors<'_> {
    fn original_names(&self) -> HashMap<Id, String> {
        let named = |file, at: usize, name: &str| (Id { file, at }, name.to_owned());
        let mine = self.current.iter().enumerate().map(|(at, own)| named(Origin::Current, at, &own.name));
        let theirs = self.update.iter().enumerate().map(|(at, own)| named(Origin::Update, at, &own.name));
        mine.chain(theirs).collect()
    }
}

pub(super) struct Settler<'s, 'a> {
    pub(super) anchors: &'s Anchors<'a>,
    pub(super) merge: &'s Merge<'s, 'a>,
    /// For rows of the update those of the current file that they were merged with.
    twins: HashMap<usize, usize>,
    /// Which rows of the current file were merged with one of the update.
    pub(super) merged: HashSet<usize>,
    /// Definitions that another one stands for.
    stands_for: HashMap<Id, Id>,
    /// The rows of maps whose keys of the user's are in his order again.
    pub(super) restored: HashSet<usize>,
    pub(super) names: HashMap<Id, String>,
    pub(super) notes: Vec<Note>,
    /// What is told with the name that a definition has in the end.
    pub(super) put: Vec<Put>,
    /// Aliases that were written out in flow: the path of the node, the alias, and the value.
    pub(super) in_flow: Vec<(Path, String, String)>,
    room: Room,
    refused: Option<Refused>,
}

/// What is told with the name that a definition has in the end.
type Put = (Path, Id, fn(String) -> Settled);

/// What keeps an alias from meaning what it meant.
enum Trouble {
    /// There is no anchor for it.
    Lost(Site),
    /// Its anchor stands behind it, or around it.
    Early(Site, Site),
}

impl<'a> Settler<'_, 'a> {
    fn document(&mut self, stream: &mut Node<'a>, document: usize) {
        let mut order = Order::default();
        loop {
            let all = self.sites(stream, document);
            let settled = match Self::trouble(&all) {
                None => break,
                Some(Trouble::Lost(alias)) => self.find(stream, &alias, &all),
                Some(Trouble::Early(alias, anchor)) => {
                    let moved = !anchor.holds(&alias) && self.order(stream, &alias, &anchor, &mut order, &all);
                    moved || self.write_out(stream, &alias)
                }
            };
            if !settled {
                break;
            }
        }
        self.rename(stream, document);
    }

    pub(super) fn sites(&self, stream: &Node<'a>, document: usize) -> Vec<Site> {
        let mut all = sites(&stream.children[document], &mut vec![document], self.anchors.sign);
        for site in &mut all {
            site.id = self.meant(site.id);
        }
        all
    }

    fn meant(&self, id: Id) -> Id {
        self.stands_for.get(&id).map_or(id, |&other| self.meant(other))
    }

    /// The first alias that has no anchor before it.
    fn trouble(all: &[Site]) -> Option<Trouble> {
        let mut open: HashMap<Id, Vec<&Site>> = HashMap::new();
        for site in all {
            let before = open.entry(site.id).or_default();
            if site.is_anchor() {
                before.push(site);
            } else if before.iter().all(|anchor| anchor.holds(site)) {
                let other = all.iter().find(|other| other.is_anchor() && other.id == site.id);
                return Some(match other {
                    Some(anchor) => Trouble::Early(site.clone(), anchor.clone()),
                    None => Trouble::Lost(site.clone()),
                });
            }
        }
        None
    }

    /// Puts the anchor of an alias before the node that its value was merged with; failing that, writes the value out. What
    /// the user wants to have deleted is not written out again.
    fn find(&mut self, stream: &mut Node<'a>, alias: &Site, all: &[Site]) -> bool {
        let fits = |way: &Vec<usize>| !alias.way.starts_with(way) && self.can_merge(stream, alias, way);
        let image = self.image(stream, alias.id, alias.way[0]).filter(fits);
        if image.is_none() && alias.meant.file == Origin::Current {
            self.refused = self.anchors.definition(alias.meant).map(|lost| Refused::Lost(lost.target.row));
            return false;
        }
        image.is_some_and(|way| self.put_anchor(stream, alias, &way, all))
            || self.find_alike(alias, all)
            || self.write_out(stream, alias)
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
        let is_map = |file: Origin, row: usize| self.outline(file).kind_name(row) == "a map";
        let node = at(stream, way);
        at(stream, &alias.way).name != "<<"
            || is_map(node.origin, node.row)
            || self.anchors.definition(alias.id).is_none_or(|definition| !is_map(alias.id.file, definition.target.row))
    }

    pub(super) fn outline(&self, file: Origin) -> &Outline<'a> {
        match file {
            Origin::Current => self.merge.current,
            Origin::Update => self.merge.update,
        }
    }

    /// The node that what an anchor stood before has become.
    pub(super) fn image(&self, stream: &Node<'a>, id: Id, document: usize) -> Option<Vec<usize>> {
        let definition = self.anchors.definition(id).filter(|definition| !definition.inside)?;
        let mut node = &stream.children[document];
        let mut way = vec![document];
        if !self.is_row(node, id.file, definition.document) {
            return None;
        }
        for step in &definition.way {
            let next = node.children.iter().position(|child| match step {
                Way::Key(name) => !matches!(child.opener, Opener::Item { .. }) && child.name == *name,
                Way::Item(row) => self.is_row(child, id.file, *row),
            })?;
            node = &node.children[next];
            way.push(next);
        }
        Some(way)
    }

    /// Whether a node is what stood at a row of a file, or what that was merged with.
    fn is_row(&self, node: &Node<'a>, file: Origin, row: usize) -> bool {
        let twin = || file == Origin::Update && self.twins.get(&row) == Some(&node.row);
        if node.origin == file { node.row == row } else { twin() }
    }

    /// Gives a node the anchor of an alias, or lets the alias mean what the node has already.
    fn put_anchor(&mut self, stream: &mut Node<'a>, alias: &Site, way: &[usize], all: &[Site]) -> bool {
        let part = self.anchors.definition(alias.id).map_or(Anchored::Value, |definition| definition.target.part);
        let on_key = part != Anchored::Value;
        let here =
            |site: &&Site| site.way == way && if on_key { self.is_in_key(site, alias, part) } else { site.is_value() };
        if let Some(other) = all.iter().find(here) {
            let target = all.iter().find(|site| site.is_anchor() && site.id == other.id);
            let fits = target.is_some_and(|target| !target.holds(alias)) && other.id != alias.id;
            if fits {
                self.note_called(stream, alias.id, other.id, all);
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
        self.put.push((path(stream, way), alias.id, Settled::Put));
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
    fn note_called(&mut self, stream: &Node<'a>, id: Id, other: Id, all: &[Site]) {
        let (from, to) = (self.name(id).to_owned(), self.name(other).to_owned());
        if from == to {
            return;
        }
        for alias in all.iter().filter(|site| !site.is_anchor() && site.id == id) {
            let what = Noted::Settled(Settled::Called { from: from.clone(), to: to.clone() });
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
            self.put.push((path, alias.id, Settled::Written));
        }
        written
    }

    pub(super) fn name(&self, id: Id) -> &str {
        self.names.get(&id).map_or("", String::as_str)
    }

    fn finish(mut self) -> Done {
        for (path, id, told) in std::mem::take(&mut self.put) {
            let name = self.name(self.meant(id)).to_owned();
            self.notes.push(Note { path, what: Noted::Settled(told(name)) });
        }
        let names = self.names.keys().map(|&id| (id, self.name(self.meant(id)).to_owned())).collect();
        Done { names, notes: self.notes, in_flow: self.in_flow, refused: self.refused }
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

/// The path of a node as the report has it.
pub(super) fn path(stream: &Node<'_>, way: &[usize]) -> Path {
    let counted = |document: &&Node<'_>| documents::counts(document);
    let mut path = Path::default();
    if stream.children.iter().filter(counted).count() > 1 {
        path.0.push(Step::Document(stream.children[..way[0]].iter().filter(counted).count()));
    }
    for length in 1..way.len() {
        let node = at(stream, &way[..=length]);
        path.0.push(match node.opener {
            Opener::Item { .. } => Step::Item(way[length]),
            _ => Step::Key(node.name.to_string()),
        });
    }
    path
}

/// Puts an anchor before the value of a node; what shared the line of its dash or colon gets one of its own.
fn put_before_value(node: &mut Node<'_>, name: &str) {
    node.rest.to_mut().insert_str(0, &format!(" &{name}"));
    match &mut node.opener {
        Opener::Item { joined } => *joined = false,
        Opener::Explicit(key) => key.value = ExplicitValue::Own,
        _ => {}
    }
}
