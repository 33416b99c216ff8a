//! Comments of the update as a reader of the result will find them.
//!
//! What the update has at the end of a block need not have room there with the user's value: behind a list at the column
//! of its key, or a text block without any indentation, no column says that a comment still belongs to it. And what stands
//! above the first key of an item that shares the line of its dash comes to stand above the dash. Decided where they
//! stood, such comments would be decided again, as something else, by the next run.

use super::{has_comment, has_head, head_length, open};
use crate::yaml::tree::{Line, Node, Offset, Opener, Origin};

/// Moves the update's comments inside of a node to where they will be read. Each of its nodes that has what it will have is
/// `settled`, but for itself and what is inside of new ones.
pub(super) fn settle<'a>(node: &mut Node<'a>, settled: &mut impl FnMut(&Node<'a>)) {
    for child in node.children.iter_mut().filter(|child| child.origin == Origin::Current) {
        settle(child, settled);
    }
    hoist(node);
    above_first(node);
    behind_head(node);
    for at in 0..node.children.len() {
        if node.children[at].merged && !has_base(&node.children[at]) && !has_room(&node.children[at]) {
            pass_on(node, at);
        }
    }
    if node.origin == Origin::Current {
        node.children.iter().for_each(settled);
    }
}

/// Comments above a child that shares the line of its dash are the item's.
fn hoist(node: &mut Node<'_>) {
    if node.opener != (Opener::Item { joined: true }) {
        return;
    }
    let Some(first) = node.children.first_mut().filter(|first| !has_base(first)) else { return };
    let above = std::mem::take(&mut first.above);
    let theirs = first.theirs.as_mut().map(|theirs| std::mem::take(&mut theirs.above));
    let (mine, theirs) = match first.origin {
        Origin::Current => (above, theirs.unwrap_or_default()),
        Origin::Update => (Vec::new(), above),
    };
    node.above.extend(beside_dash(mine, node.indent));
    if !theirs.is_empty() {
        let theirs = beside_dash(theirs, node.indent);
        node.update_above().extend(theirs);
    }
}

/// Comments beside a dash that stood beside the key so far right of it, at the same column.
fn beside_dash(lines: Vec<Line<'_>>, indent: isize) -> impl Iterator<Item = Line<'_>> {
    lines.into_iter().filter(Line::is_comment).map(move |line| line.moved(indent))
}

/// What the update has above a node that has come to be the first of a document is read as its head, up to the last
/// blank line. Where the user has such a comment above it, too, they are decided on together.
fn above_first(node: &mut Node<'_>) {
    let is_document = has_head(node) && !has_base(node);
    let Some(first) = node.children.first_mut().filter(|_| is_document) else { return };
    if first.origin == Origin::Current && first.above.iter().any(|line| !line.is_comment()) {
        return;
    }
    let lines = match (first.origin, first.theirs.as_mut()) {
        (Origin::Update, _) => &mut first.above,
        (Origin::Current, Some(theirs)) => &mut theirs.above,
        (Origin::Current, None) => return,
    };
    let end = head_length(lines);
    if has_comment(&lines[..end]) {
        let head = lines.drain(..end).collect::<Vec<_>>();
        node.theirs.get_or_insert_default().head.extend(head);
    }
}

/// What ends a document without any value is its head.
fn behind_head(node: &mut Node<'_>) {
    let is_bare = has_head(node) && node.children.is_empty() && !has_base(node);
    if let Some(theirs) = node.theirs.as_mut().filter(|_| is_bare) {
        let end = open(&theirs.below).len();
        let indent = theirs.indent;
        theirs.head.extend(theirs.below.drain(..end).map(|line| line.moved(indent)));
    }
}

/// Hands what the update has at the end of a child to its next node, or to the end of the block around.
fn pass_on(node: &mut Node<'_>, at: usize) {
    let child = &mut node.children[at];
    let lines = child.theirs.as_mut().map(|theirs| std::mem::take(&mut theirs.below)).unwrap_or_default();
    let lines = lines.into_iter().map(|line| match line {
        Line::Text(Offset::Beside(_), text, end) => Line::Text(Offset::Beside(0), text, end),
        line => line,
    });
    let next = node.children[at + 1..].iter_mut().find(|child| child.merged || child.origin == Origin::Update);
    let place = match next {
        Some(next) => next.update_above(),
        None => &mut node.theirs.get_or_insert_default().below,
    };
    place.splice(0..0, lines);
    if has_comment(place) && !node.children[at].below.iter().any(Line::has_words) {
        node.children[at].below.clear();
    }
}

/// With the lines of a base there is nothing to be guessed: they say what is whose.
fn has_base(node: &Node<'_>) -> bool {
    node.theirs.as_ref().is_some_and(|theirs| theirs.base.is_some())
}

/// Whether there is a column at which a comment behind a node is read as the end of its block.
fn has_room(node: &Node<'_>) -> bool {
    let behind_child = node.children.last().map(|last| node.indent + last.block_column(!last.children.is_empty()) - 1);
    let most = behind_child.unwrap_or(isize::MAX).min(before_text(node));
    most >= node.block_column(!node.children.is_empty())
}

/// How far right of a node a comment behind it can stand without being text of a block scalar.
fn before_text(node: &Node<'_>) -> isize {
    match node.children.last() {
        Some(last) if has_comment(&last.below) => isize::MAX,
        Some(last) => before_text(last).saturating_add(node.indent),
        None => node.most_behind_text(),
    }
}
