//! The commented-out keys of both files as they were before the merge, so that it can be told which of those in the result
//! are new.

use foldhash::HashSet;

use crate::yaml::commented_out::{Found, Known};
use crate::yaml::document::is_document;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Node, Origin};

/// What a commented-out key would stand in.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Holder {
    /// A value of the user's file, by its row.
    Value(RowId),
    /// A document in which the user had no value.
    EmptyDocument,
}

/// Which keys were commented out before the merge.
#[derive(Debug, Default)]
pub(crate) struct KeysBefore {
    /// Those of the user's file: the row of the live value that they would stand in, and their names on the way from there.
    own: HashSet<(RowId, String)>,
    /// The rows of the user's values that these would stand in.
    holders: HashSet<RowId>,
    /// Those that would stand at the root of one of the user's documents.
    roots: HashSet<String>,
    /// Those of the old default, in the same form by its own rows; a document without a value has none.
    old: HashSet<(Option<RowId>, String)>,
    /// The names of the update's.
    offered: HashSet<String>,
    /// Those of both files that could be keys of several maps, each behind the key of the one that counts.
    of_maps: HashSet<(Option<String>, String)>,
}

impl KeysBefore {
    /// Adds the keys of one document in the update, in the user's file and in the old default, where there is one.
    pub(super) fn add_all(&mut self, update: &Found<'_, '_>, own: &Found<'_, '_>, old: Option<&Found<'_, '_>>) {
        self.add_offered(update);
        self.add_own(own);
        self.add_old(old);
        let of_maps = [update, own].into_iter().flat_map(Found::unsure_keys_of_maps);
        self.of_maps.extend(of_maps.map(|(map, key)| (map.map(str::to_owned), key.to_owned())));
    }

    /// What is known of comments that could be keys of several maps.
    pub(crate) fn known(&self) -> Known<'_> {
        Known::of_maps(self.of_maps.iter().map(|(map, key)| (map.as_deref(), &**key)))
    }

    /// Adds the keys of a document of the update.
    pub(super) fn add_offered(&mut self, found: &Found<'_, '_>) {
        self.offered.extend(found.keys().iter().filter_map(|key| Some((*key.names.last()?).to_owned())));
    }

    /// Adds the keys of one of the user's documents.
    pub(super) fn add_own(&mut self, found: &Found<'_, '_>) {
        for key in found.keys() {
            let names = joined(&key.names);
            self.roots.extend((key.holder == 0).then(|| names.clone()));
            let row = found.gaps.nodes.get(key.holder).and_then(|holder| holder.node.row);
            self.holders.extend(row);
            self.own.extend(row.map(|row| (row, names)));
        }
    }

    /// Adds the keys of a document of the old default, where there is one.
    fn add_old(&mut self, found: Option<&Found<'_, '_>>) {
        let Some(found) = found else { return };
        let row = |holder: usize| found.gaps.nodes.get(holder).and_then(|holder| holder.node.row);
        let keys = found.keys().into_iter().map(|key| (key.holder, row(key.holder), joined(&key.names)));
        self.old
            .extend(keys.filter(|(holder, row, _)| *holder == 0 || row.is_some()).map(|(_, row, names)| (row, names)));
    }

    /// Whether the update has any of the old default's no more, by their names.
    pub(super) fn lost_any(&self) -> bool {
        self.old.iter().any(|(_, names)| names.rsplit('\n').next().is_some_and(|name| !self.offers(name)))
    }

    /// Whether the update has no commented-out key at all.
    pub(crate) fn offers_nothing(&self) -> bool {
        self.offered.is_empty()
    }

    /// Whether the update has a commented-out key of a name.
    pub(crate) fn offers(&self, name: &str) -> bool {
        self.offered.contains(name)
    }

    /// Whether the old default has these names commented out in one of its values, or in its document without a value.
    pub(crate) fn has_in_old(&self, holder: Option<RowId>, names: &[&str]) -> bool {
        self.old.contains(&(holder, joined(names)))
    }

    /// Whether the user's file has keys commented out in a value.
    pub(crate) fn has_any(&self, row: Option<RowId>) -> bool {
        row.is_some_and(|row| self.holders.contains(&row))
    }

    /// Whether the user's file has these names commented out in a value. Of documents without a value it is not known
    /// which is which, so any will do.
    pub(crate) fn has(&self, holder: Holder, names: &[&str]) -> bool {
        let names = joined(names);
        match holder {
            Holder::Value(row) => self.own.contains(&(row, names)),
            Holder::EmptyDocument => self.roots.contains(&names),
        }
    }
}

/// Names as one text: no name has a line break in it.
fn joined(names: &[&str]) -> String {
    names.join("\n")
}

/// For each document of a merged tree its nodes as they will be written, by their rows in the user's file; nothing for the
/// update's.
pub(crate) fn own_rows(stream: &Node<'_>) -> Vec<Vec<Option<RowId>>> {
    let documents = stream.children.iter().filter(|document| is_document(document));
    documents
        .map(|document| {
            let mut rows = Vec::new();
            collect(document, &mut rows);
            rows
        })
        .collect()
}

fn collect(node: &Node<'_>, rows: &mut Vec<Option<RowId>>) {
    rows.push(node.row.filter(|_| node.origin == Origin::Current));
    node.live_children().for_each(|child| collect(child, rows));
}
