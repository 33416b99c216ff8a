//! How a value is written in three files: whether the user touched it, and whose comment stands behind it.

use crate::comments::lines;
use crate::text::piece::Piece;
use crate::text::scan;
use crate::yaml::flow::Text;
use crate::yaml::tree::{Line, Node, Offset, Opener, Shape};

/// Whether the user left a value as it was written in the base, comments behind and above it aside; those inside of it
/// are part of the writing.
pub(super) fn is_untouched(current: &Node<'_>, base: &Node<'_>) -> bool {
    current.shape == base.shape
        && (has_same_text(current, base) || value_and_comment(current).0 == value_and_comment(base).0)
        && (!matches!(current.shape, Shape::Block { .. }) || offsets(current).eq(offsets(base)))
        && current.children.len() == base.children.len()
        && current.children.iter().zip(&base.children).all(|(mine, old)| is_same(mine, old))
}

/// Whether two values are written alike to the blank, comments behind and above them aside.
pub(super) fn is_alike(value: &Node<'_>, other: &Node<'_>) -> bool {
    let offsets = |(mine, other): (&Node<'_>, &Node<'_>)| offsets(mine).eq(offsets(other));
    let alike = is_untouched(value, other) && offsets((value, other));
    let comments = |mine: &Node<'_>, other: &Node<'_>| {
        lines::is_written_alike(&mine.above, &other.above) && lines::is_written_alike(&mine.below, &other.below)
    };
    let inside = value.children.iter().zip(&other.children);
    alike && inside.into_iter().all(|(mine, other)| comments(mine, other) && is_alike(mine, other))
}

/// Whether two nodes are written alike with all that belongs to them.
fn is_same(current: &Node<'_>, base: &Node<'_>) -> bool {
    current.opener == base.opener
        && lines::same(&current.above, &base.above)
        && lines::same(&current.below, &base.below)
        && (has_same_text(current, base) || value_and_comment(current).1 == value_and_comment(base).1)
        && is_untouched(current, base)
}

/// Whether two values have the same text, comments behind it among that.
fn has_same_text(node: &Node<'_>, other: &Node<'_>) -> bool {
    node.shape == other.shape && node.value_text == other.value_text && node.continuation == other.continuation
}

/// The comment that is to stand behind a value, with the blanks before it, decided on like a value of its own: one that
/// the user never touched is the update's. Nothing where both have the same.
pub(crate) fn comment(current: &Node<'_>, base: &Node<'_>, update: &Node<'_>) -> Option<String> {
    if has_same_text(current, update) {
        return None;
    }
    let [mine, old, new] = [current, base, update].map(|node| value_and_comment(node).1);
    let follows = mine == old || (mine.trim_ascii() == old.trim_ascii() && mine.trim_ascii() != new.trim_ascii());
    Some(if follows { new } else { mine })
}

/// Puts a comment behind a value.
pub(crate) fn set_comment(node: &mut Node<'_>, comment: &str) {
    if node.opener == (Opener::Item { joined: true }) {
        return;
    }
    let (text, end) = text_and_end(node);
    if text.all[end..text.line_end(text.line_of(end))] == *comment {
        return;
    }
    let (line, at) = text.place(end);
    let replace = |old: &str| format!("{}{comment}", old[..at.min(old.len())].trim_end_matches([' ', '\t']));
    match line.checked_sub(1) {
        None => node.value_text = Piece::from(replace(&node.value_text)),
        Some(line) => {
            if let Some(Line::Text(_, text, _)) = node.continuation.get_mut(line) {
                *text = Piece::from(replace(text));
            }
        }
    }
}

/// Puts the update's blanks between a key and its value, where the user left those of the base.
pub(crate) fn follow_blanks(current: &mut Node<'_>, base: &Node<'_>, update: &Node<'_>) {
    let (Some(mine), Some(old), Some(new)) = (blanks_of(current), blanks_of(base), blanks_of(update)) else { return };
    if mine == old && mine != new {
        current.value_text = Piece::from(format!("{new}{}", &current.value_text[mine.len()..]));
    }
}

/// The blanks between a key and the value on its line.
fn blanks_of<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    let value = node.value_text.trim_start_matches([' ', '\t']);
    let has_value = matches!(node.opener, Opener::Key(_)) && !value.is_empty() && !value.starts_with('#');
    has_value.then(|| &node.value_text[..node.value_text.len() - value.len()])
}

/// The text of a value, its lines without what they are indented by, and the comment behind it with the blanks before.
fn value_and_comment(node: &Node<'_>) -> (String, String) {
    let (text, end) = text_and_end(node);
    let line_end = text.line_end(text.line_of(end));
    let (value, content) = (&text.all[..end], &text.all[line_end..]);
    (format!("{value}{content}"), text.all[end..line_end].to_owned())
}

/// How far right of its node each line of a block scalar stands, for the blanks before its text are text; a blank line as it
/// is written.
fn offsets<'n>(node: &'n Node<'_>) -> impl Iterator<Item = (Option<Offset>, &'n str)> {
    node.continuation.iter().map(|line| match line {
        Line::Text(offset, ..) => (Some(*offset), ""),
        Line::Blank(text, _) => (None, *text),
    })
}

fn text_and_end<'a>(node: &Node<'a>) -> (Text<'a>, usize) {
    let text = Text::of_lines(&node.value_text, &node.continuation);
    let end = end_of_value(node, &text);
    (text, end)
}

/// Where a value ends in its text; the header of a block scalar, whose comment stands behind it, for all of that.
fn end_of_value(node: &Node<'_>, text: &Text<'_>) -> usize {
    let last = text.all.rfind('\n').map_or(0, |end| end + 1);
    let before_comment = |from: usize| {
        let line = text.all[from..].lines().next().unwrap_or_default();
        from + line[..scan::comment_start(line).unwrap_or(line.len())].trim_end_matches([' ', '\t']).len()
    };
    let behind = |found: Option<usize>| found.unwrap_or_else(|| before_comment(last));
    match node.shape {
        Shape::Open | Shape::Block { .. } => before_comment(0),
        // What starts below its key is plain to who only looks at the line of the key.
        Shape::Plain | Shape::Quoted => behind(quotes_end(text).filter(|end| *end >= last)),
        Shape::Flow { .. } => behind(scan::flow_end(&text.all)),
    }
}

/// Where the quotes close that a value starts with, if it does.
fn quotes_end(text: &Text<'_>) -> Option<usize> {
    let start = text.value()?;
    let is_quoted = text.all[start..].starts_with(['"', '\'']);
    is_quoted.then(|| scan::quote_end(&text.all[start..]).map(|end| start + end))?
}
