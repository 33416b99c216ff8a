//! Collections in brackets that were changed.

use super::write::Writing;
use super::{Content, Value};
use crate::text::piece::Piece;
use crate::text::scan;
use crate::text::source::End;
use crate::yaml::flow;
use crate::yaml::limits::is_too_long;
use crate::yaml::reference;
use crate::yaml::tree::{Line, Node, Offset, Opener, Seldom, Shape};

/// Up to how many characters a collection stays on its line.
const WIDTH: usize = 100;

/// A collection with these children in brackets; nothing where that would take too long a line or key, or lose a comment.
pub(super) fn text<'a>(writing: &mut Writing<'a>, value: &Value<'a>, children: &[Value<'a>]) -> Option<String> {
    let text = collection(writing, value, children)?;
    (text.chars().count() <= WIDTH).then_some(text)
}

fn collection<'a>(writing: &mut Writing<'a>, value: &Value<'a>, children: &[Value<'a>]) -> Option<String> {
    if !last_comments(&value.shell).is_empty() || starts_below(&value.shell) {
        return None;
    }
    let properties = properties(&value.shell);
    let parts = children.iter().map(|child| entry(writing, child)).collect::<Option<Vec<_>>>()?.join(", ");
    Some(if value.is_map() { format!("{properties}{{{parts}}}") } else { format!("{properties}[{parts}]") })
}

/// Whether the bracket of a collection stands below the line of its key or dash, where an anchor or a tag may be before it.
fn starts_below(node: &Node<'_>) -> bool {
    let text = flow::Text::of(node);
    !node.continuation.is_empty() && text.value().is_some_and(|start| text.place(start).0 > 0)
}

/// Anchor and tag before a value, with a blank behind.
pub(super) fn properties(node: &Node<'_>) -> String {
    let at = scan::value_start(&node.value_text).1;
    let properties = node.value_text[..at].trim_ascii();
    if properties.is_empty() { String::new() } else { format!("{properties} ") }
}

fn entry<'a>(writing: &mut Writing<'a>, child: &Value<'a>) -> Option<String> {
    if child.shell.above.iter().any(Line::is_comment) || !flow::inline(&child.shell).is_empty() {
        return None;
    }
    let value = inner(writing, child)?;
    match &child.shell.opener {
        Opener::Key(key) => {
            let key = key.trim_ascii();
            let key =
                if key.starts_with(['"', '\'', '*', '&', '!', '[', '{']) { key.to_owned() } else { flow::scalar(key) };
            if is_too_long(&key) {
                return None;
            }
            let key = flow::before_colon(&key);
            Some(if value.is_empty() { format!("{key}:") } else { format!("{key}: {value}") })
        }
        Opener::Item { .. } if value.is_empty() => Some("null".to_owned()),
        Opener::Item { .. } => Some(value),
        _ => None,
    }
}

fn inner<'a>(writing: &mut Writing<'a>, value: &Value<'a>) -> Option<String> {
    let one_line = value.shell.continuation.is_empty();
    let alias = value.links.as_ref().and_then(|links| links.alias.as_ref());
    if let Some(alias) = alias.filter(|alias| value.is_intact() && writing.holds(alias)) {
        return Some(format!("*{}", alias.name));
    }
    let Content::Scalar(scalar) = &value.content else {
        let flow = matches!(value.shell.shape, Shape::Flow { .. }) || value.children().is_empty();
        let verbatim = flow && one_line && value.is_intact() && writing.links_hold(value);
        return match verbatim {
            true if !value.shell.value_text.trim_ascii().is_empty() => {
                Some(value.shell.value_text.trim_ascii().to_owned())
            }
            _ if flow && alias.is_none() => {
                writing.define(value);
                let children = writing.children(value);
                collection(writing, value, &children)
            }
            _ => None,
        };
    };
    let as_written = one_line && alias.is_none();
    writing.define(value);
    match value.shell.shape {
        Shape::Open => Some(value.shell.value_text.trim_ascii().to_owned()).filter(|_| as_written),
        Shape::Quoted if as_written => Some(value.shell.value_text.trim_ascii().to_owned()),
        Shape::Plain if as_written && reference::is_plain_in_flow(&scalar.text) => {
            Some(value.shell.value_text.trim_ascii().to_owned())
        }
        Shape::Quoted | Shape::Plain if !scalar.text.contains('\n') => {
            let (text, _, _) = scalar.written();
            Some(text.trim_ascii().to_owned()).filter(|text| text.starts_with('"') || reference::is_plain_in_flow(text))
        }
        _ => None,
    }
}

/// Gives a node a collection on its line, with the comment that stands behind the one that it had.
pub(super) fn put(node: &mut Node<'_>, text: &str) {
    let comment = comment(node);
    node.value_text = format!(" {text}{comment}").into();
    node.continuation = Seldom::default();
    node.shape = Shape::Flow { empty: false };
    if let Opener::Item { joined } = &mut node.opener {
        *joined = false;
    }
}

/// Takes the brackets away: what is inside gets lines of its own. Anchor, tag and comments stay before it.
pub(super) fn open(node: &mut Node<'_>) {
    let comments = last_comments(node);
    node.below.vec().splice(0..0, comments);
    let comment = comment(node);
    let text = flow::Text::of(node);
    let (line, at) = text.place(text.value().unwrap_or_default());
    let properties = text.line(line).get(..at).unwrap_or_default().trim_ascii();
    let blank = if properties.is_empty() { "" } else { " " };
    let stays = format!("{blank}{properties}{comment}");
    node.continuation.vec().truncate(line.saturating_sub(1));
    if line == 0 {
        node.value_text = Piece::Borrowed("");
    }
    // A document that has no marker has no line of its own.
    let has_line = node.document().is_none_or(|document| document.marker.is_some());
    let column = if node.document().is_some() { 1 } else { 2 };
    node.put_header_below_properties();
    match stays.as_str() {
        "" => {}
        _ if has_line && node.continuation.is_empty() && scan::comment_start(&node.value_text).is_none() => {
            node.value_text.to_mut().push_str(&stays);
        }
        _ => {
            let line = Line::Text(Offset::Beside(column), stays.trim_ascii().to_owned().into(), End::Common);
            let is_comment = line.is_comment();
            match node.header_mut().filter(|_| is_comment) {
                Some(header) => header.push(line),
                None => node.continuation.push(line),
            }
        }
    }
    node.shape = Shape::Open;
}

/// The comments on lines of their own before the closing bracket, behind all that is in it.
fn last_comments<'a>(node: &Node<'a>) -> Vec<Line<'a>> {
    let Some((_, before)) = node.continuation.split_last().filter(|(last, _)| last.trimmed().starts_with([']', '}']))
    else {
        return Vec::new();
    };
    let text = flow::Text::of(node);
    let head = text.line_of(text.value().unwrap_or_default());
    let from = before.iter().rposition(|line| !line.is_comment()).map_or(0, |at| at + 1).max(head);
    before.get(from..).unwrap_or_default().iter().map(|line| line.clone().beside()).collect()
}

/// The comment behind a collection, with the blanks before it: on its line, or behind its closing bracket.
pub(super) fn comment(node: &Node<'_>) -> String {
    if node.continuation.is_empty() {
        return flow::inline(node);
    }
    let text = flow::Text::of_lines(&node.value_text, &node.continuation).all;
    scan::flow_end(&text).map_or_else(String::new, |end| text[end..].trim_ascii_end().to_owned())
}
