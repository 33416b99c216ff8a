//! Values as a report shows them.

use std::fmt::Write as _;

use saphyr_parser::ScalarStyle;

use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::row::RowId;

/// A file that values are from, by its name and outline.
pub(crate) type File<'f, 'a> = (&'f str, &'f Outline<'a>);

/// A value on one line, shortened where it is long.
pub(crate) fn shown(outline: &Outline<'_>, row: RowId) -> String {
    let count = |what: &str| match outline.children(row).count() {
        1 => format!("a {what} with one entry"),
        entries => format!("a {what} with {entries} entries"),
    };
    let mut whole = String::new();
    in_flow(outline, row, LONGEST, &mut whole);
    match outline[row].kind {
        _ if whole.is_empty() => "nothing".to_owned(),
        _ if !is_longer(&whole, LONGEST) => whole,
        RowKind::Map if outline[row].name.is_none() => start_of_item(outline, row).unwrap_or_else(|| count("map")),
        RowKind::Map => count("map"),
        RowKind::List => count("list"),
        _ => whole.chars().take(LONGEST).chain(['…']).collect(),
    }
}

/// A map that is too long to be shown, by as many of its first entries as fit: an item has no name that tells which it is.
/// Nothing where the first one does not fit.
fn start_of_item(outline: &Outline<'_>, row: RowId) -> Option<String> {
    let mut start = "{".to_owned();
    for child in outline.children(row) {
        let mut entry = outline[child].name.as_deref().map_or_else(String::new, |name| format!("{name}: "));
        in_flow(outline, child, LONGEST, &mut entry);
        if is_longer(&format!("{start}{entry}, …}}"), LONGEST) {
            break;
        }
        start.extend([&entry, ", "]);
    }
    (start.len() > 1).then(|| start + "…}")
}

/// A value on one line, of a long one the start: more than is told of a value that is one of many.
pub(crate) fn shown_at_length(outline: &Outline<'_>, row: RowId) -> String {
    let mut text = String::new();
    in_flow(outline, row, AT_LENGTH, &mut text);
    match text.char_indices().nth(AT_LENGTH) {
        _ if text.is_empty() => "nothing".to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A value on one line, however long it is.
pub(crate) fn shown_whole(outline: &Outline<'_>, row: RowId) -> String {
    let mut text = String::new();
    in_flow(outline, row, usize::MAX, &mut text);
    if text.is_empty() { "nothing".to_owned() } else { text }
}

/// Writes a value in flow style, with neither anchors nor tags; of a collection that is too long to be shown only the start.
fn in_flow(outline: &Outline<'_>, row: RowId, most: usize, out: &mut String) {
    let value = &outline[row];
    let (opening, closing) = match value.kind {
        RowKind::Map => ('{', '}'),
        RowKind::List => ('[', ']'),
        RowKind::Alias(_) | RowKind::Scalar(ScalarStyle::Plain) => return out.push_str(&value.text),
        RowKind::Scalar(_) => return write!(out, "{:?}", value.text).unwrap_or_default(),
    };
    out.push(opening);
    for (at, child) in outline.children(row).enumerate() {
        if is_longer(out, most) {
            return;
        }
        out.push_str(if at > 0 { ", " } else { "" });
        if let Some(name) = outline[child].name.as_deref() {
            out.extend([name, ": "]);
        }
        in_flow(outline, child, most, out);
    }
    out.push(closing);
}

/// A longer value is only told by its start.
const LONGEST: usize = 60;

/// So much of a value is told where it is all that a line tells.
const AT_LENGTH: usize = 300;

fn is_longer(text: &str, most: usize) -> bool {
    text.len() > most && text.chars().nth(most).is_some()
}
