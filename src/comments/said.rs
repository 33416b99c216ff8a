//! What comments say, and comments without what is said elsewhere.

use foldhash::HashSet;

use super::place::Place;
use super::{Words, comments, paragraphs};
use crate::text::piece::Piece;
use crate::yaml::tree::{Line, Node, UpdateComments};

/// Takes out of some words what the update says at a node and inside of it.
pub(super) fn without_new<'a>(node: &Node<'a>, words: &mut Words<'a>) {
    let lines: [&[Line<'_>]; 3] = match (node.is_new(), node.update_comments.as_deref()) {
        (true, _) => comments(node).map(|(_, lines)| lines),
        (false, Some(UpdateComments { above, header, below, .. })) => [above, header, below],
        (false, None) => [&[], &[], &[]],
    };
    for line in lines.into_iter().flatten() {
        words.remove(line.said());
    }
    node.children.iter().for_each(|child| without_new(child, words));
}

/// The comments of an update without any value that the document has not, but at its end where they come to stand.
pub(crate) fn new_lines<'a>(document: &Node<'a>, update: Vec<Line<'a>>) -> Vec<Line<'a>> {
    let mut mine: HashSet<_> = document.above.iter().chain(document.header()).filter_map(Line::shared_words).collect();
    document.children.iter().for_each(|child| add_words(child, &mut mine));
    without(update, Place::Key, &mine)
}

/// A comment without the lines that others say; nothing where no words are left.
pub(crate) fn not_said<'a>(lines: Vec<Line<'a>>, others: &[Line<'a>]) -> Vec<Line<'a>> {
    let said = others.iter().filter_map(Line::shared_words).collect();
    let left = without(lines, Place::Key, &said);
    if left.iter().any(Line::has_words) { left } else { Vec::new() }
}

/// A comment without the lines that have been said.
fn without<'a>(lines: Vec<Line<'a>>, place: Place, said: &Words<'_>) -> Vec<Line<'a>> {
    let worded = lines.iter().filter(|line| line.has_words());
    let goes: Vec<_> = worded.map(|line| said.contains(line.said())).collect();
    paragraphs::without(lines, place, &goes)
}

/// What the comments of a node and of all inside of it say.
pub(crate) fn words<'a>(node: &Node<'a>) -> Words<'a> {
    let mut found = Words::default();
    add_words(node, &mut found);
    found
}

/// Adds what the comments of a node and of all inside of it say.
pub(crate) fn add_words<'a>(node: &Node<'a>, found: &mut Words<'a>) {
    each_said(node, &mut |words| _ = found.insert(words));
}

/// Shows what each line of the comments of a node and of all inside of it says.
pub(super) fn each_said<'a>(node: &Node<'a>, show: &mut dyn FnMut(Piece<'a>)) {
    for (_, lines) in comments(node) {
        lines.iter().filter_map(Line::shared_words).for_each(&mut *show);
    }
    if let Some(UpdateComments { above, header, below, .. }) = node.update_comments.as_deref() {
        above.iter().chain(header).chain(below).filter_map(Line::shared_words).for_each(&mut *show);
    }
    node.children.iter().for_each(|child| each_said(child, show));
}

/// Takes the comments out of the copy of a value that the document has already, where that value stands or was merged.
pub(crate) fn say_once<'a>(copy: &mut Node<'a>, document: &Node<'a>) {
    let mut said = HashSet::default();
    add_words(document, &mut said);
    copy.children.iter_mut().for_each(|child| leave_out(child, &said));
    copy.below = without(copy.below.take(), Place::End, &said).into();
}

fn leave_out(node: &mut Node<'_>, said: &Words<'_>) {
    node.above = without(std::mem::take(&mut node.above), Place::Key, said);
    node.below = without(node.below.take(), Place::End, said).into();
    node.children.iter_mut().for_each(|child| leave_out(child, said));
}
