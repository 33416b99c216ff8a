//! The header of a document, over what comes first in it.

use super::old::OldMap;
use crate::comments::{self, has_comment};
use crate::yaml::tree::{Line, Node};

/// Adds to the header of each document what stands in it over the first of its nodes: what was first is a comment, or left
/// out. Of the update that is the first which the result has, too; unless the user has a comment there above a key that
/// is not the first, or the old default tells that it is no header.
pub(super) fn extend_headers<'a>(
    (current, own): (&mut Node<'a>, &mut [Box<Node<'a>>]),
    (update, theirs, left_out): (&Node<'a>, &mut [Box<Node<'a>>], usize),
    old: &OldMap<'_, 'a>,
) {
    let indent = current.indent;
    let Some(header) = current.header_mut() else { return };
    let first = own.first_mut().filter(|first| old.is_known || !goes_with_example(first, theirs));
    header.extend(first.into_iter().flat_map(|first| cut_header(&mut first.above, indent)));
    let stands_behind_first = |node: &Node<'_>| {
        let mut others = own.iter().skip(1);
        others.any(|own| own.name == node.name && has_comment(&own.above))
    };
    let has_header = |node: &Node<'_>| old.has_header(&node.name).unwrap_or_else(|| !stands_behind_first(node));
    for node in theirs.iter_mut().take(left_out + 1).filter(|node| has_header(node)) {
        let header = cut_header(&mut node.above, update.indent);
        if !header.is_empty() {
            current.update_comments.get_or_insert_default().header.extend(header);
        }
    }
}

/// Whether what stands above the user's first key starts with another value for it, and goes with it behind the first key of
/// the update.
fn goes_with_example(first: &Node<'_>, theirs: &[Box<Node<'_>>]) -> bool {
    let comment = first.above.iter().find(|line| line.is_comment());
    comment.is_some_and(|line| line.comments_out(&first.name))
        && theirs.first().is_some_and(|new| new.name != first.name)
}

/// Cuts off what is the header of a document over its first node: the lines up to the last blank one, if there are words
/// among them. A rule of dashes alone is no header, and goes with what was above it.
pub(super) fn cut_header<'a>(above: &mut Vec<Line<'a>>, indent: i32) -> Vec<Line<'a>> {
    let end = comments::header_length(above);
    let end = if above[..end].iter().any(Line::has_words) { end } else { 0 };
    above.drain(..end).map(|line| line.moved(indent)).collect()
}
