//! What is known while a merged tree is repaired: what each alias and anchor means, and what its node has become.
//!
//! Left out: what is done about an alias that does not mean what it meant.

use foldhash::{HashMap, HashSet};

use super::images::Images;
use super::mark::Id;
use super::room::Room;
use super::sites::{Site, sites};
use super::{Anchors, at};
use crate::report::note::{Note, Repair};
use crate::upgrade::edit::Removed;
use crate::upgrade::merge::Merge;
use crate::yaml::document::is_document;
use crate::yaml::outline::Outline;
use crate::yaml::path::{Path, Step};
use crate::yaml::row::RowId;
use crate::yaml::tree::{Node, Opener, Origin};

/// Why a tree cannot be repaired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The row of a value that was deleted although an alias needs it.
    Lost(RowId),
    /// The value at this row of one of the files would be written out, after too much that was.
    TooLong(Origin, RowId),
}

pub(super) struct Repairs<'s, 'a> {
    pub(super) anchors: &'s Anchors<'a>,
    pub(super) merge: &'s Merge<'s, 'a>,
    /// What `--delete` took out of the current file.
    pub(super) deleted: &'s [Removed],
    /// For rows of the update those of the current file that they were merged with.
    pub(super) twins: HashMap<RowId, RowId>,
    /// Which rows of the current file were merged with one of the update.
    pub(super) merged: HashSet<RowId>,
    /// Definitions that another one stands for.
    pub(super) stands_for: HashMap<Id, Id>,
    /// The rows of maps whose keys of the user's are in his order again.
    pub(super) restored: HashSet<RowId>,
    pub(super) names: HashMap<Id, String>,
    pub(super) notes: Vec<Note>,
    /// What is told with the name that a definition has in the end.
    pub(super) put: Vec<Put>,
    /// Aliases that were written out in flow: the path of the node, the alias, and the value.
    pub(super) in_flow: Vec<(Path, String, String)>,
    pub(super) room: Room,
    pub(super) refused: Option<Refused>,
}

/// What is told with the name that a definition has in the end.
pub(super) type Put = (Path, Id, fn(String) -> Repair);

impl<'a> Repairs<'_, 'a> {
    pub(super) fn sites(&self, stream: &Node<'a>, document: usize) -> Vec<Site> {
        let mut all = sites(&stream.children[document], &mut vec![document], self.anchors.sign);
        for site in &mut all {
            site.id = self.meant(site.id);
        }
        all
    }

    pub(super) fn meant(&self, id: Id) -> Id {
        self.stands_for.get(&id).map_or(id, |&other| self.meant(other))
    }

    pub(super) fn outline(&self, file: Origin) -> &Outline<'a> {
        match file {
            Origin::Current => self.merge.current,
            Origin::Update => self.merge.update,
        }
    }

    /// The node that what an anchor stood before has become.
    pub(super) fn image(&self, images: &Images<'_, 'a>, id: Id, document: usize) -> Option<Vec<usize>> {
        let definition = self.anchors.definition(id).filter(|definition| !definition.inside)?;
        let mut node = &*images.stream.children[document];
        let mut way = vec![document];
        let rows = |row| self.rows_here(id.file, row);
        if !rows(definition.document).contains(&Some((node.origin, node.row))) {
            return None;
        }
        for step in &definition.way {
            let next = images.step((node, &way), step, rows)?;
            node = &node.children[next];
            way.push(next);
        }
        Some(way)
    }

    /// Of which files and rows a node is that was at a row of a file, or was merged with what was there.
    fn rows_here(&self, file: Origin, row: Option<RowId>) -> [Option<(Origin, Option<RowId>)>; 2] {
        let twin = row.filter(|_| file == Origin::Update).and_then(|row| self.twins.get(&row));
        [Some((file, row)), twin.map(|twin| (Origin::Current, Some(*twin)))]
    }

    /// The row of what an anchor stood before, where the user wants to have that deleted.
    pub(super) fn deleted_row(&self, id: Id) -> Option<RowId> {
        let row = self.anchors.definition(id).filter(|_| id.file == Origin::Current)?.target.row;
        self.deleted.iter().any(|removed| removed.rows.contains(&row)).then_some(row)
    }

    pub(super) fn name(&self, id: Id) -> &str {
        self.names.get(&id).map_or("", String::as_str)
    }
}

/// The path of a node as the report has it.
pub(super) fn path(stream: &Node<'_>, way: &[usize]) -> Path {
    let counted = |documents: &[Box<Node<'_>>]| documents.iter().filter(|document| is_document(document)).count();
    let mut path = Path::default();
    if counted(&stream.children) > 1 {
        path.0.push(Step::Document(counted(&stream.children[..way[0]])));
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
