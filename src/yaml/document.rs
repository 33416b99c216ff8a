//! Questions about the node of a document, and what becomes of the anchor and the tag that stand over its value.
//!
//! Left out: which document of one file is which of another.

use crate::text::scan;
use crate::text::source::End;
use crate::yaml::tree::{ExplicitValue, Line, Node, Offset, Opener, Shape};

/// Whether a document is one for other programs too: one without a value is none unless `---` makes it one.
pub(crate) fn is_document(document: &Node<'_>) -> bool {
    !is_empty(document) || has_marker(document)
}

/// Whether a document has no value: comments alone, nothing behind `---`, or everything in it was deleted.
pub(crate) fn is_empty(document: &Node<'_>) -> bool {
    let is_bare = |text: &str| text.trim().is_empty() || text.trim_start().starts_with('#');
    let says_nothing = is_bare(&document.value_text) && document.continuation.is_empty();
    document.row.is_none()
        || (document.shape == Shape::Open && document.live_children().next().is_none() && says_nothing)
}

/// Comments alone are no document to YAML (1.2.2 §9.2), but a node to us where there is nothing else.
pub(crate) fn is_comments_alone(document: &Node<'_>) -> bool {
    document.document().is_some_and(|document| document.marker.is_none())
        && document.children.is_empty()
        && document.shape == Shape::Open
        && document.continuation.is_empty()
}

/// Whether a node ends with a block scalar, of which a comment behind it could be more, or with a key behind `?` that may
/// end with one.
pub(crate) fn ends_with_text(node: &Node<'_>) -> bool {
    let is_last = !node.below.iter().any(Line::is_comment);
    let may_go_on = match &node.opener {
        Opener::Explicit(key) if key.value == ExplicitValue::Missing => true,
        _ => matches!(node.shape, Shape::Block { .. }),
    };
    is_last && node.children.last().map_or(may_go_on, |last| ends_with_text(last))
}

/// Whether a `...` ends a document.
pub(crate) fn is_ended(document: &Node<'_>) -> bool {
    document.document().is_some_and(|document| document.end.is_some())
}

/// Ends a document with a `...`.
pub(crate) fn end_document(document: &mut Node<'_>) {
    if let Some(document) = document.document_mut() {
        document.end = Some(Line::Text(Offset::Margin, "...".into(), End::Common));
    }
}

/// Whether a document has a `---`.
pub(crate) fn has_marker(document: &Node<'_>) -> bool {
    document.marker().is_some()
}

/// Whether a `...` stands over a document that has no `---`.
pub(crate) fn starts_behind_end(document: &Node<'_>) -> bool {
    !has_marker(document) && document.above.iter().any(Line::ends_document)
}

/// Lays what stands over the `---` of a document below it, as a file has it that has no `---`.
pub(crate) fn lay_below_marker(document: &mut Node<'_>) {
    // Directives need a `---`, and a `...` would end the document before it starts.
    document.above.retain(Line::is_comment_or_blank);
    let above = std::mem::take(&mut document.above);
    if let Some(document) = document.document_mut() {
        document.header.splice(0..0, above);
    }
}

/// Whether a directive such as `%YAML 1.2` stands over a document.
pub(crate) fn has_directive(document: &Node<'_>) -> bool {
    document.above.iter().any(|line| line.trimmed().starts_with('%'))
}

/// The anchor and the tag of a document go with the last of what was in it.
pub(crate) fn drop_properties(document: &mut Node<'_>) {
    if document.document().is_none() || document.shape != Shape::Open || document.live_children().next().is_some() {
        return;
    }
    let behind = |text: &str| text[scan::value_start(text).1..].trim_end().to_owned();
    let comment = behind(&document.value_text);
    document.value_text = if comment.is_empty() { comment.into() } else { format!(" {comment}").into() };
    let mut comments = document.continuation.take();
    comments.retain_mut(|line| {
        let is_comment = line.is_comment_or_blank();
        if let Line::Text(_, text, _) = line
            && !is_comment
        {
            *text = behind(text).into();
        }
        is_comment || !line.trimmed().is_empty()
    });
    if let Some(header) = document.header_mut() {
        header.splice(0..0, comments);
    }
}
