//! All keys of a file with the paths that lead to them, for questions about a file as a whole.

use std::hash::BuildHasher as _;

use foldhash::quality::FixedState;

use crate::yaml::outline::Outline;
use crate::yaml::path::Step;
use crate::yaml::row::RowId;

/// Visits every value of a file, in its order, with the steps to it inside of its document.
pub(crate) fn visit(outline: &Outline<'_>, visit: &mut dyn FnMut(&[Step], RowId)) {
    for &root in &outline.documents {
        below(outline, root, &mut Vec::new(), visit);
    }
}

fn below(outline: &Outline<'_>, row: RowId, steps: &mut Vec<Step>, visit: &mut dyn FnMut(&[Step], RowId)) {
    for (at, child) in outline.children(row).enumerate() {
        let name = outline[child].name.as_deref();
        steps.push(name.map_or(Step::Item(at), |name| Step::Key(name.to_owned())));
        visit(steps, child);
        below(outline, child, steps, visit);
        steps.pop();
    }
}

/// The number of a path inside of a document. Paths that differ only in the numbers of items have one number.
pub(crate) fn number(steps: &[Step]) -> u64 {
    steps.iter().fold(ROOT, |outer, step| match step {
        Step::Key(name) => below_path(outer, Some(name)),
        Step::Item(_) | Step::Document(_) => below_path(outer, None),
    })
}

/// The number of the path without any step.
pub(crate) const ROOT: u64 = 0;

/// The number of the path that goes one step on from another; for an item there is no name.
fn below_path(outer: u64, name: Option<&str>) -> u64 {
    FixedState::with_seed(outer).hash_one(name)
}

/// A key of a file.
pub(crate) struct Key<'k> {
    /// The row of its value.
    pub(crate) row: RowId,
    pub(crate) name: &'k str,
    /// The number of the path of the map that it is in.
    pub(crate) map: u64,
    /// How many keys lead to it, itself included.
    pub(crate) depth: usize,
}

impl Key<'_> {
    /// The number of its path.
    pub(crate) fn path(&self) -> u64 {
        below_path(self.map, Some(self.name))
    }
}

/// Visits every key of a file, in its order, with the number of its map, which takes no room for the path itself.
pub(crate) fn visit_keys<'k>(outline: &'k Outline<'_>, visit: &mut dyn FnMut(Key<'k>)) {
    for &root in &outline.documents {
        keys_below(outline, root, (ROOT, 0), visit);
    }
}

fn keys_below<'k>(
    outline: &'k Outline<'_>,
    collection: RowId,
    (map, depth): (u64, usize),
    visit: &mut dyn FnMut(Key<'k>),
) {
    for row in outline.children(collection) {
        let name = outline[row].name.as_deref();
        let depth = depth + usize::from(name.is_some());
        if let Some(name) = name {
            visit(Key { row, name, map, depth });
        }
        if outline[row].end > row.next() {
            keys_below(outline, row, (below_path(map, name), depth), visit);
        }
    }
}
