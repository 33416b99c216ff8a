//! One line: what it opens, how far it is indented, whether it is a comment, blank, or a document marker.

use crate::text::scan::{self, is_blank, split_indent};
use crate::text::source::End;
use crate::yaml::tree::{Explicit, ExplicitValue, Line, Offset, Opener};

/// What a line opens.
pub(super) enum Open<'a> {
    Key(&'a str, &'a str),
    /// What follows the dash, and how far behind it a child opens on the same line.
    Item {
        rest: &'a str,
        child: Option<usize>,
    },
    /// All of the line that starts with `?`.
    Explicit,
}

impl<'a> Open<'a> {
    /// The opener, the rest of the line that is its own, and the child on the same line with its distance.
    pub(super) fn parts(self) -> (Opener<'a>, &'a str, Option<(i32, Open<'a>)>) {
        match self {
            Open::Key(key, rest) => (Opener::Key(key.into()), rest, None),
            Open::Explicit => {
                let key = Explicit { lines: Vec::new(), value: ExplicitValue::Missing, unbroken: None };
                (Opener::Explicit(Box::new(key)), "", None)
            }
            Open::Item { rest, child: None } => (Opener::Item { joined: false }, rest, None),
            Open::Item { rest, child: Some(gap) } => {
                let child = opener(&rest[gap..]).map(|child| (i32::try_from(gap).unwrap_or(0), child));
                (Opener::Item { joined: child.is_some() }, if child.is_some() { "" } else { rest }, child)
            }
        }
    }
}

pub(super) fn opener(content: &str) -> Option<Open<'_>> {
    if is_item(content) {
        let rest = &content[1..];
        let inner = rest.trim_start_matches(' ');
        return Some(Open::Item { rest, child: opens(inner).then(|| rest.len() - inner.len()) });
    }
    if opens_with(content, b'?') {
        return Some(Open::Explicit);
    }
    scan::key_and_rest(content).filter(|(key, _)| !key.starts_with('\t')).map(|(key, rest)| Open::Key(key, rest))
}

/// Whether a text that follows an indicator on its line opens a node itself.
pub(super) fn opens(text: &str) -> bool {
    is_item(text) || opens_with(text, b'?') || scan::key_and_rest(text).is_some()
}

pub(super) fn is_item(content: &str) -> bool {
    opens_with(content, b'-')
}

/// Whether `content` starts with an indicator that white space or the end of the line follows.
pub(super) fn opens_with(content: &str, indicator: u8) -> bool {
    let bytes = content.as_bytes();
    bytes.first() == Some(&indicator) && matches!(bytes.get(1), None | Some(b' ' | b'\t'))
}

pub(super) enum Marker<'a> {
    /// `---`, with a byte-order mark before it or not, and what follows it.
    Start(&'static str, &'a str),
    End,
}

/// `---` or `...` at the start of a line, white space or its end behind (YAML 1.2.2 §9.1.2).
pub(super) fn document_marker(text: &str) -> Option<Marker<'_>> {
    if !text.starts_with(['-', '.', '\u{feff}']) {
        return None;
    }
    let start = |marker| Some(Marker::Start(marker, scan::behind_marker(text, marker)?));
    let end = || scan::behind_marker(text, "...").map(|_| Marker::End);
    start("---").or_else(|| start("\u{feff}---")).or_else(end)
}

/// The column of a line that is a comment. A tab may stand before it (YAML 1.2.2 §6.6).
pub(super) fn comment_column(text: &str) -> Option<i32> {
    let (column, content) = split_indent(text);
    scan::is_comment(content).then_some(column)
}

/// A line between nodes, beside a node at `column`.
pub(super) fn comment((text, end): (&str, End), column: i32) -> Line<'_> {
    match split_indent(text) {
        (_, content) if is_blank(content) => Line::Blank(text, end),
        (0, content) if column > 0 => Line::Text(Offset::Margin, content.into(), end),
        (stands, content) => Line::Text(Offset::Beside(stands - column), content.into(), end),
    }
}

/// A further line of the value of a node at `column`.
pub(super) fn continuation((text, end): (&str, End), column: i32) -> Line<'_> {
    match split_indent(text) {
        (_, content) if is_blank(content) => Line::Blank(text, end),
        (stands, content) => Line::Text(Offset::Beside(stands - column), content.into(), end),
    }
}

/// A further line of something that is carried whole. Blanks may be the text of a block scalar in there, so they move
/// along like all else.
pub(super) fn carried((text, end): (&str, End), column: i32) -> Line<'_> {
    match split_indent(text) {
        (0, "") => Line::Blank(text, end),
        (stands, content) => Line::Text(Offset::Beside(stands - column), content.into(), end),
    }
}
