//! Comments of the user's own: who wrote one on a key or an item has touched it (`docs/rules.md` rule 10).

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;

use crate::text::scan;
use crate::yaml::tree::{Line, Node};

/// The comments of the old default, to know by them which are the user's own.
pub(super) struct OldComments<'b, 'a> {
    documents: &'b [Node<'a>],
    /// Only asked for where a node has other comments than it had.
    all: OnceCell<HashSet<Cow<'b, str>>>,
}

impl<'b, 'a> OldComments<'b, 'a> {
    pub(super) fn of(documents: &'b [Node<'a>]) -> Self {
        Self { documents, all: OnceCell::new() }
    }

    /// Whether the user says something on a node, or on one inside of it.
    pub(super) fn know_not(&self, node: &Node<'_>, old: &Node<'_>) -> bool {
        let mut known = HashSet::new();
        collect(old, &mut known);
        any(node, &|comment| self.is_own(comment, &known))
    }

    /// The same for what stands on the node alone, and not on those inside of it.
    pub(super) fn know_not_on(&self, node: &Node<'_>, old: &Node<'_>) -> bool {
        let known: HashSet<_> = on(old).map(Cow::Borrowed).collect();
        on(node).any(|comment| self.is_own(comment, &known))
    }

    fn is_own(&self, comment: &str, known: &HashSet<Cow<'_, str>>) -> bool {
        !known.contains(comment) && !self.all().contains(comment)
    }

    fn all(&self) -> &HashSet<Cow<'b, str>> {
        self.all.get_or_init(|| {
            let mut all = HashSet::new();
            self.documents.iter().for_each(|document| collect(document, &mut all));
            all
        })
    }
}

/// The comments above a node, behind it and at the end of its block.
fn on<'n>(node: &'n Node<'_>) -> impl Iterator<Item = &'n str> {
    let lines =
        node.above.iter().chain(&node.more).chain(&node.below).filter(|line| line.has_words()).map(Line::trimmed);
    lines.chain(scan::comment_behind(&node.rest).map(|start| node.rest[start..].trim_ascii()))
}

fn collect<'n>(node: &'n Node<'_>, comments: &mut HashSet<Cow<'n, str>>) {
    comments.extend(on(node).map(Cow::Borrowed));
    node.children.iter().for_each(|child| collect(child, comments));
}

fn any(node: &Node<'_>, is_own: &impl Fn(&str) -> bool) -> bool {
    on(node).any(is_own) || node.children.iter().any(|child| any(child, is_own))
}
