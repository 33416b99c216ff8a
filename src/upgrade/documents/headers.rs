//! The comments over a document, its `---` and its `...`: those of the update and of the base are laid beside the user's, so
//! that it can be decided whose stay.

use foldhash::HashSet;

use crate::comments::{self, has_comment};
use crate::text::source::End;
use crate::upgrade::merge::Merge;
use crate::yaml::document::{has_marker, lay_below_marker, starts_behind_end};
use crate::yaml::tree::{BaseComments, Kind, Line, Node, Shape};

/// The `...` of a document is the update's where the user has it, or has it not, as the old default.
pub(super) fn follow_end<'a>(merge: &Merge<'_, 'a>, document: &mut Node<'a>, other: &Node<'a>) {
    let old = merge.base(document.row).and_then(Node::document);
    if let (Some(old), Some(own), Some(new)) = (old, document.document_mut(), other.document()) {
        let text = |end: &Option<Line<'_>>| end.as_ref().map(|line| line.trimmed().to_owned());
        if text(&own.end) == text(&old.end) {
            own.end.clone_from(&new.end);
        }
    }
}

/// Lays the comments of the update over a document beside the user's, or at its end; those of the base likewise.
pub(super) fn beside<'a>(
    merge: &Merge<'_, 'a>,
    document: &mut Node<'a>,
    other: &mut Node<'a>,
    moves: bool,
) -> Option<BaseComments<'a>> {
    if moves {
        let ending = ending(document, other);
        other.set_indent(document.indent);
        other.below.vec().splice(0..0, ending);
    }
    let follows = follows_marker(merge, document, other);
    if !follows {
        headers(document, other);
    }
    let base = merge.base(document.row).filter(|_| moves || !follows);
    base.map(|base| old_lines(document, base, other, moves))
}

/// The marker of a document is the update's where the user has it as the old default had it.
fn follows_marker<'a>(merge: &Merge<'_, '_>, document: &mut Node<'a>, other: &Node<'a>) -> bool {
    let base = merge.base(document.row).filter(|base| base.marker() == document.marker());
    // Directives need a `---`, and with nothing below that is a document of its own.
    let own = document.above.iter().any(|line| is_directive(line) && !base.is_some_and(|base| has_line(base, line)));
    let needed = own && document.children.is_empty() && other.children.is_empty();
    let follows = base.is_some() && !needed && (document.shape, other.shape) == (Shape::Open, Shape::Open);
    if follows {
        document.set_marker(other.marker());
    }
    follows
}

fn is_directive(line: &Line<'_>) -> bool {
    line.trimmed().starts_with('%')
}

fn has_line(document: &Node<'_>, line: &Line<'_>) -> bool {
    document.above.iter().any(|other| other.trimmed() == line.trimmed())
}

/// Comments alone become a document as the update's is one, by its `---`. What stands over that there, with all before it,
/// stands over it here.
pub(super) fn take_marker<'a>(document: &mut Node<'a>, other: &Node<'a>) {
    let above: HashSet<_> = other.above.iter().map(Line::trimmed).collect();
    let is_above = |line: &Line<'_>| line.is_comment() && above.contains(line.trimmed());
    if let Some(header) = document.header_mut() {
        let above = header.iter().rposition(is_above).map_or(0, |last| last + 1);
        let above: Vec<_> = header.drain(..above).collect();
        document.above.extend(above);
    }
    document.set_marker(other.marker());
    (document.value_text, document.end) = (other.value_text.clone(), End::Common);
}

/// What ends a document without a value, as the end of the user's: all of its comments, with the options that stand in them.
fn ending<'a>(document: &Node<'a>, other: &mut Node<'a>) -> Vec<Line<'a>> {
    let mut comments = [std::mem::take(&mut other.above), take_header(other)].concat();
    // Directives are of the document that they stand over.
    comments.retain(Line::is_comment_or_blank);
    comments::new_lines(document, comments).into_iter().map(|line| line.moved(-document.indent)).collect()
}

/// Over a `---` with nothing but options behind it stands the header of what the user has.
pub(super) fn header_of_options(document: &Node<'_>, other: &mut Node<'_>) {
    let is_bare = other.kind() == Kind::Leaf && other.is_map() && !has_comment(other.header()) && !has_marker(document);
    if is_bare && other.above.iter().all(Line::is_comment_or_blank) {
        let above = std::mem::take(&mut other.above);
        if let Some(header) = other.header_mut() {
            header.splice(0..0, above);
        }
    }
}

/// Lays what the update has over its document beside what the user has there: above the `---`, and the header. Where only
/// one of the files has a `---`, or a value on the line of it, all of its lines are one.
fn headers(document: &Node<'_>, other: &mut Node<'_>) {
    if starts_behind_end(document) && starts_behind_end(other) {
        return;
    }
    if !document.can_have_header() {
        let header = take_header(other);
        other.above.extend(header);
    } else if !has_marker(document) {
        lay_below_marker(other);
    } else if !has_marker(other) && (has_comment(&document.above) || !has_comment(document.header())) {
        other.above = take_header(other);
    }
}

fn take_header<'a>(document: &mut Node<'a>) -> Vec<Line<'a>> {
    document.header_mut().map_or_else(Vec::new, std::mem::take)
}

/// What stands over the user's document since that has a value on the line of its `---`: the update's, or nothing any more.
pub(super) fn put_header(document: &mut Node<'_>) {
    if document.can_have_header() {
        return;
    }
    let header = document.document_mut().map_or_else(Vec::new, |document| std::mem::take(&mut document.header));
    document.above.extend(header);
    if let Some(theirs) = &mut document.update_comments {
        theirs.above.append(&mut theirs.header);
        if let Some(base) = &mut theirs.base {
            base.above.append(&mut base.header);
        }
    }
}

/// The comments of the base laid beside the user's like those of the update. Where a `---` came in over its header the update
/// tells on which side that stands now.
fn old_lines<'a>(document: &Node<'a>, base: &Node<'a>, update: &Node<'_>, moves: bool) -> BaseComments<'a> {
    let mut old =
        Node { value_text: base.value_text.clone(), ..Node::new(base.line(), base.opener.clone(), "", End::Common) };
    (old.above, old.shape) = (base.above.clone(), base.shape);
    if moves {
        return BaseComments { below: ending(document, &mut old), ..BaseComments::default() };
    }
    let is_behind_marker = has_marker(document) && !has_marker(&old) && shares_lines(update.header(), old.header());
    if !is_behind_marker {
        headers(document, &mut old);
    }
    let header = old.document_mut().map_or_else(Vec::new, |old| std::mem::take(&mut old.header));
    BaseComments { above: old.above, header, below: Vec::new() }
}

fn shares_lines(lines: &[Line<'_>], others: &[Line<'_>]) -> bool {
    let others: HashSet<_> = others.iter().map(Line::trimmed).collect();
    lines.iter().any(|line| others.contains(line.trimmed()))
}
