//! Where in a merged tree a node of one of the files is, found by its way in that file.

use std::cell::RefCell;

use foldhash::HashMap;

use super::mark::Way;
use crate::yaml::names::FEW;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Node, Opener, Origin};

/// A merged tree whose nodes are looked for. Where one has many children they are found by name or row.
pub(super) struct Images<'n, 'a> {
    pub(super) stream: &'n Node<'a>,
    /// By the indices that lead to the nodes.
    children: RefCell<HashMap<Vec<usize>, Children<'n>>>,
}

/// The places of the children of a node; of those that are alike the first.
struct Children<'n> {
    keys: HashMap<&'n str, usize>,
    items: HashMap<(Origin, Option<RowId>), usize>,
}

impl<'n> Children<'n> {
    fn of(node: &'n Node<'_>) -> Self {
        let all = || node.children.iter().enumerate().rev();
        Self {
            keys: all().filter(|(_, child)| is_key(child)).map(|(at, child)| (&*child.name, at)).collect(),
            items: all().map(|(at, child)| ((child.origin, child.row), at)).collect(),
        }
    }
}

impl<'n, 'a> Images<'n, 'a> {
    pub(super) fn of(stream: &'n Node<'a>) -> Self {
        Self { stream, children: RefCell::default() }
    }

    /// Which child of a node, which is at a way of indices, a step leads to. `rows` says of which files and rows an item is here
    /// that was at a row of its own file.
    pub(super) fn step(
        &self,
        (node, way): (&'n Node<'a>, &[usize]),
        step: &Way,
        rows: impl Fn(Option<RowId>) -> [Option<(Origin, Option<RowId>)>; 2],
    ) -> Option<usize> {
        let is_it = |child: &Node<'_>| match step {
            Way::Key(name) => is_key(child) && child.name == *name,
            Way::Item(row) => rows(*row).contains(&Some((child.origin, child.row))),
        };
        if node.children.len() <= FEW {
            return node.children.iter().position(|child| is_it(child));
        }
        let mut known = self.children.borrow_mut();
        if !known.contains_key(way) {
            known.insert(way.to_vec(), Children::of(node));
        }
        let children = known.get(way)?;
        match step {
            Way::Key(name) => children.keys.get(name.as_str()).copied(),
            Way::Item(row) => {
                rows(*row).into_iter().flatten().filter_map(|row| children.items.get(&row)).min().copied()
            }
        }
    }
}

/// Whether a node is a live key.
fn is_key(node: &Node<'_>) -> bool {
    matches!(node.opener, Opener::Key(_) | Opener::Explicit(_))
}
