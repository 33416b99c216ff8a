//! The anchors and aliases of a merged document, in their order.

use foldhash::HashMap;

use super::mark::{Found, Id, found, part, unmarked};
use crate::yaml::tree::{Line, Node, Opener};

/// An anchor or alias by its place in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Site {
    /// The indices of the children to follow from the stream down.
    pub(super) way: Vec<usize>,
    pub(super) found: Found,
    /// What it means, which may be another definition than the one in its own file.
    pub(super) id: Id,
    /// What it means in its own file.
    pub(super) meant: Id,
}

impl Site {
    pub(super) fn is_anchor(&self) -> bool {
        self.found.token.is_anchor()
    }

    /// Whether it stands before or instead of the whole value of its node.
    pub(super) fn is_value(&self) -> bool {
        !self.found.part.is_key() && !self.found.inside
    }

    /// Whether this anchor's value has `other` in it.
    pub(super) fn holds(&self, other: &Self) -> bool {
        let below = other.way.starts_with(&self.way) && (other.way != self.way || !other.found.part.is_key());
        self.is_anchor() && self.is_value() && below
    }
}

/// The anchors and aliases of a document, found by their nodes and by what they mean.
pub(super) struct Sites<'s> {
    by_way: HashMap<&'s [usize], Vec<&'s Site>>,
    by_id: HashMap<Id, Vec<&'s Site>>,
}

impl<'s> Sites<'s> {
    pub(super) fn of(all: &'s [Site]) -> Self {
        let mut sites = Self { by_way: HashMap::default(), by_id: HashMap::default() };
        for site in all {
            sites.by_way.entry(&*site.way).or_default().push(site);
            sites.by_id.entry(site.id).or_default().push(site);
        }
        sites
    }

    /// Those of a node.
    pub(super) fn at(&self, way: &[usize]) -> &[&'s Site] {
        self.by_way.get(way).map_or(&[], Vec::as_slice)
    }

    /// Those that mean a definition.
    pub(super) fn meaning(&self, id: Id) -> &[&'s Site] {
        self.by_id.get(&id).map_or(&[], Vec::as_slice)
    }
}

/// All anchors and aliases below a node.
pub(super) fn sites(node: &Node<'_>, way: &mut Vec<usize>, sign: char) -> Vec<Site> {
    let mut all = Vec::new();
    collect(node, way, sign, &mut all);
    all
}

fn collect(node: &Node<'_>, way: &mut Vec<usize>, sign: char, all: &mut Vec<Site>) {
    if has_sign(node, sign) {
        for found in found(node) {
            let token = &part(node, found.part)[found.token.start..found.token.end];
            if let Some((_, id)) = unmarked(token, sign) {
                all.push(Site { way: way.clone(), found, id, meant: id });
            }
        }
    }
    for (at, child) in node.children.iter().enumerate() {
        way.push(at);
        collect(child, way, sign, all);
        way.pop();
    }
}

fn has_sign(node: &Node<'_>, sign: char) -> bool {
    let in_line = |line: &Line<'_>| matches!(line, Line::Text(_, text, _) if text.contains(sign));
    node.value_text.contains(sign)
        || match &node.opener {
            Opener::Key(key) => key.contains(sign),
            Opener::Explicit(key) => key.lines.iter().any(in_line),
            _ => false,
        }
        || node.continuation.iter().any(in_line)
}
