//! Documents without a value, which take the whole content of the update's.

use crate::comments::{self, Comments, has_comment, lines};
use crate::report::note::{Note, Noted};
use crate::upgrade::merge::Merge;
use crate::upgrade::three_way;
use crate::upgrade::verify::Origins;
use crate::yaml::document::{has_directive, has_marker, is_document};
use crate::yaml::flow;
use crate::yaml::path::{Path, Step};
use crate::yaml::tree::{Line, Node, Origin, UpdateComments};

/// An empty document takes the whole content of the update's, under the comments that are the user's own.
pub(super) fn fill<'a>(merge: &Merge<'_, 'a>, mut document: Box<Node<'a>>, mut other: Box<Node<'a>>) -> Box<Node<'a>> {
    forget_default(merge, &mut document);
    if has_directive(&document) {
        // A directive of the user's stands for the update's: there can be one only.
        other.above.clear();
    }
    let [above, mut below] = comments::own_lines(&document, &other);
    let paragraph = comments::header_length(&below);
    if !below[paragraph..].iter().any(Line::has_words) {
        // Ornaments would be the first node's.
        below.truncate(paragraph);
    }
    if let (Some(own), Some(new)) = (document.document(), other.document_mut()) {
        new.end = new.end.take().or_else(|| own.end.clone());
    }
    if has_marker(&document) {
        if !has_marker(&other) && has_comment(&above) {
            other.above = other.header_mut().map_or_else(Vec::new, std::mem::take);
        }
        keep_marker(&document, &mut other);
    }
    make_users(&mut other);
    if has_marker(&document) {
        // Comments behind a marker that the value stands beside would be inside of that.
        if let Some(header) = other.header_mut() {
            put_over(below, header);
        } else {
            put_over(below, &mut other.above);
        }
        put_over(above, &mut other.above);
    } else if has_marker(&other) {
        put_over(below, &mut other.above);
    } else if let Some(header) = other.header_mut() {
        put_over(below, header);
    }
    other
}

/// Writes the `---` of a document as the user has it, with the comment on its line.
fn keep_marker<'a>(document: &Node<'a>, other: &mut Node<'a>) {
    if !has_marker(other) || other.value_text.trim().is_empty() {
        other.set_marker(document.marker());
        (other.value_text, other.end) = (document.value_text.clone(), document.end);
    } else if !document.value_text.trim().is_empty() {
        three_way::set_comment(other, &document.value_text);
    }
}

/// Makes a document of the update's the user's own, with the comments that the update has in the same places: they came in
/// with it, and none of them has moved.
pub(super) fn make_users(document: &mut Node<'_>) {
    document.merged_with(UpdateComments {
        above: document.above.clone(),
        header: document.header().to_vec(),
        below: document.below.to_vec(),
        indent: document.indent,
        ..UpdateComments::default()
    });
    document.origin = Origin::Current;
}

/// Takes from a document what the old default has in it: who did not touch that follows the release.
fn forget_default<'a>(merge: &Merge<'_, 'a>, document: &mut Node<'a>) {
    let Some(base) = merge.base(document.row) else { return };
    if merge.options.comments != Comments::User {
        document.above = lines::merge(&base.above, std::mem::take(&mut document.above), &[]);
        document.below = lines::merge(&base.below, document.below.take(), &[]).into();
        if let Some(header) = document.header_mut() {
            *header = lines::merge(base.header(), std::mem::take(header), &[]);
        }
    }
    let is_own = base.marker() != document.marker() || base.value_text.trim() != document.value_text.trim();
    if !is_own && !has_directive(document) {
        let above = std::mem::take(&mut document.above);
        document.set_marker(None);
        document.value_text = "".into();
        if let Some(header) = document.header_mut() {
            header.splice(0..0, above);
        }
    }
}

/// Puts the user's lines over those of the update, unless they say nothing that has not been said.
fn put_over<'a>(own: Vec<Line<'a>>, header: &mut Vec<Line<'a>>) {
    let says_something = own.iter().any(|line| !line.is_ornament() && !line.trimmed().is_empty());
    if says_something || (header.is_empty() && !has_comment(&own)) {
        header.splice(0..0, own);
    }
}

/// What came into an empty document inside of brackets is told entry by entry, as lines are.
pub(super) fn tell_filled(merge: &mut Merge<'_, '_>, stream: &Node<'_>, origins: &[Origins]) {
    for (at, (document, origin)) in
        stream.children.iter().filter(|document| is_document(document)).zip(origins).enumerate()
    {
        if matches!(origin, Origins::Filled { .. }) && flow::is_flow(document) {
            let document_step = (origins.len() > 1).then_some(Step::Document(at));
            for (step, entry) in flow::entries(document, merge.update) {
                let path = Path(document_step.iter().cloned().chain([step]).collect());
                merge.notes.push(Note { path, what: Noted::AddedInFlow(entry) });
            }
        }
    }
}
