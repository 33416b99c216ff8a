//! The comments over a document, and its `---`: those of the update and of the base are laid beside the user's, so that
//! it can be decided whose stay.

use super::has_marker;
use crate::comments::{self, has_comment, has_head};
use crate::text::source::End;
use crate::upgrade::merge::Merge;
use crate::yaml::document::forget_properties;
use crate::yaml::tree::{Kind, Line, Lines, Node, Shape};

/// Lays the comments of the update over a document beside the user's, or at its end; those of the base likewise.
pub(super) fn beside<'a>(
    merge: &Merge<'_, 'a>,
    document: &mut Node<'a>,
    other: &mut Node<'a>,
    moves: bool,
) -> Option<Lines<'a>> {
    if moves {
        let ending = ending(document, other);
        other.below.splice(0..0, ending);
    }
    let follows = follows_marker(merge, document, other);
    if !follows {
        heads(document, other);
    }
    let base = merge.base(document.row).filter(|_| moves || !follows);
    base.map(|base| old_lines(document, base, other, moves))
}

/// The marker of a document is the update's where the user has it as the old default had it.
fn follows_marker<'a>(merge: &Merge<'_, '_>, document: &mut Node<'a>, other: &Node<'a>) -> bool {
    let base = merge.base(document.row).filter(|base| base.opener == document.opener);
    // Directives need a `---`, and with nothing below that is a document of its own.
    let own = document.above.iter().any(|line| is_directive(line) && !base.is_some_and(|base| has_line(base, line)));
    let needed = own && document.children.is_empty() && other.children.is_empty();
    let follows = base.is_some() && !needed && (document.shape, other.shape) == (Shape::Open, Shape::Open);
    if follows {
        document.opener = other.opener.clone();
    }
    follows
}

fn is_directive(line: &Line<'_>) -> bool {
    line.trimmed().starts_with('%')
}

fn has_line(document: &Node<'_>, line: &Line<'_>) -> bool {
    document.above.iter().any(|other| other.trimmed() == line.trimmed())
}

/// What ends a document without a value, as the end of the user's: all of its comments, with the options that stand in them.
fn ending<'a>(document: &Node<'a>, other: &mut Node<'a>) -> Vec<Line<'a>> {
    let head = if other.shape == Shape::Open { std::mem::take(&mut other.more) } else { Vec::new() };
    let mut comments = [std::mem::take(&mut other.above), head].concat();
    // Directives are of the document that they stand over.
    comments.retain(Line::is_comment_or_blank);
    comments::new_lines(document, comments).into_iter().map(|line| line.moved(-document.indent)).collect()
}

/// Over a `---` with nothing but options behind it stands the head of what the user has.
pub(super) fn head_of_options(document: &Node<'_>, other: &mut Node<'_>) {
    let is_bare = other.kind() == Kind::Leaf && other.is_map() && !has_comment(&other.more) && !has_marker(document);
    if is_bare && other.above.iter().all(Line::is_comment_or_blank) {
        other.more.splice(0..0, std::mem::take(&mut other.above));
    }
}

/// Lays the update's head comments beside the user's: over `---`, and behind it up to the first blank line before a
/// node. Where only one of the files has a `---`, all of its lines are one head.
fn heads(document: &Node<'_>, other: &mut Node<'_>) {
    if document.shape != Shape::Open || other.shape != Shape::Open {
        let over_value = &document.more[..document.lines_above_value()];
        if document.shape != Shape::Open && !has_marker(document) && has_comment(over_value) {
            // The head of such a document is carried with its value.
            other.above.clear();
        }
        return;
    }
    let closed = |document: &Node<'_>| !has_marker(document) && document.above.iter().any(Line::ends_document);
    if closed(document) && closed(other) {
        return;
    }
    if !has_marker(document) {
        // Directives need a `---`, and a `...` would end the document before it starts.
        other.above.retain(Line::is_comment_or_blank);
        other.more.splice(0..0, std::mem::take(&mut other.above));
        set_off(document, &mut other.more);
    } else if !has_marker(other) && (has_comment(&document.above) || !has_comment(&document.more)) {
        other.above = std::mem::take(&mut other.more);
    }
}

/// Where the value of the update's document shares the line of its `---`, what stands over that is a head, too.
pub(super) fn head_above_value<'a>(document: &Node<'_>, other: &mut Node<'a>) -> Vec<Line<'a>> {
    let is_head = has_head(document) && !has_marker(document) && has_marker(other) && !has_head(other);
    let mut head = if is_head { std::mem::take(&mut other.above) } else { Vec::new() };
    head.retain(Line::is_comment_or_blank);
    head
}

/// Lays such a head beside the user's; where the document has got the update's value with its `---`, it stays over that.
pub(super) fn put_head<'a>(document: &mut Node<'a>, mut head: Vec<Line<'a>>) {
    if head.is_empty() {
        return;
    }
    if has_head(document) {
        set_off(document, &mut head);
        document.theirs.get_or_insert_default().head = head;
    } else {
        document.theirs.get_or_insert_default().above = head;
    }
}

/// The comments of the base laid beside the user's like those of the update. Where a `---` came in over its head the update
/// tells on which side that stands now.
fn old_lines<'a>(document: &Node<'a>, base: &Node<'a>, update: &Node<'_>, moves: bool) -> Lines<'a> {
    let mut old = Node::new(base.line, base.opener.clone(), "", End::Common);
    (old.above, old.more, old.shape) = (base.above.clone(), base.more.clone(), base.shape);
    if moves {
        return Lines { below: ending(document, &mut old), ..Lines::default() };
    }
    let is_behind_marker = has_marker(document) && !has_marker(&old) && shares_lines(&update.more, &old.more);
    if !is_behind_marker {
        heads(document, &mut old);
    }
    forget_properties(document, &mut old.more);
    let head = if base.shape == Shape::Open { old.more } else { Vec::new() };
    Lines { above: old.above, head, below: Vec::new() }
}

fn shares_lines(lines: &[Line<'_>], others: &[Line<'_>]) -> bool {
    lines.iter().any(|line| others.iter().any(|other| line.trimmed() == other.trimmed()))
}

/// What stood over a `---` is set off by it; over the first node of a document without one only a blank line does that.
fn set_off(document: &Node<'_>, head: &mut Vec<Line<'_>>) {
    if !document.children.is_empty() && head.last().is_some_and(Line::is_comment) {
        head.push(Line::Blank("", End::Common));
    }
}
