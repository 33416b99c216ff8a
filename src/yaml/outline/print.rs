//! An outline as lines to be read.

use std::fmt::Write as _;
use std::ops::Range;

use saphyr_parser::ScalarStyle;

use super::{CORE, Outline, RowKind};
use crate::text::error::visible;
use crate::yaml::row::RowId;

impl Outline<'_> {
    /// Prints a range of rows, one a line: line number, indentation, name and value.
    pub(crate) fn print(&self, rows: Range<RowId>) -> String {
        let lines = rows.start.up_to(rows.end).filter_map(|at| self.line_as(at, &|_, text| text)).collect::<Vec<_>>();
        numbered(&lines, self.rows.last().map_or(1, |row| row.line))
    }

    /// How a row is printed, with the text of its scalar as it may be shown; nothing for the root of the only document.
    pub(crate) fn line_as(&self, at: RowId, shown: &dyn Fn(RowId, String) -> String) -> Option<Printed> {
        let row = &self[at];
        let is_root = row.depth == 0 && at.next() < row.end && !row.tagged;
        if is_root && self.documents.len() < 2 {
            return None;
        }
        let text = if is_root { "---".to_owned() } else { self.label(at, shown) };
        Some(Printed { line: row.line, depth: row.depth.into(), text })
    }

    /// How a row reads: `name: value`, or `- value` for an item.
    fn label(&self, at: RowId, shown: &dyn Fn(RowId, String) -> String) -> String {
        let row = &self[at];
        let name = match &row.name {
            Some(name) => format!("{}: ", visible(name)),
            None if row.depth > 0 => "- ".to_owned(),
            None => String::new(),
        };
        let tag = self.tag(at).map_or_else(String::new, |tag| format!("{} ", visible(&shorthand(tag))));
        let value = match row.kind {
            RowKind::Map if row.end == at.next() => "{}".to_owned(),
            RowKind::List if row.end == at.next() => "[]".to_owned(),
            RowKind::Map | RowKind::List => String::new(),
            RowKind::Scalar(ScalarStyle::Plain) => shown(at, visible(&row.text)),
            RowKind::Scalar(_) => shown(at, format!("{:?}", row.text)),
            RowKind::Alias(target) => format!("{} (line {})", visible(&row.text), self[target.row].line),
        };
        format!("{name}{tag}{value}")
    }
}

/// A line of a printed outline.
#[derive(Debug, serde::Serialize)]
pub(crate) struct Printed {
    /// The line of the file that it tells of.
    pub(crate) line: usize,
    /// How many collections it stands in.
    pub(crate) depth: usize,
    pub(crate) text: String,
}

/// Lines of an outline with their numbers, which are as wide as that of the last line.
pub(crate) fn numbered(lines: &[Printed], last: usize) -> String {
    let width = last.to_string().len();
    let mut out = String::new();
    for Printed { line, depth, text } in lines {
        let line = format!("{line:>width$}| {}{text}", "  ".repeat(depth.saturating_sub(1)));
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// A tag as it is usually written: `!!str` for the full name of YAML's own types.
fn shorthand(tag: &str) -> String {
    match tag.strip_prefix(CORE) {
        Some(name) => format!("!!{name}"),
        None if tag.starts_with('!') => tag.to_owned(),
        None => format!("!<{tag}>"),
    }
}

/// Two outlines beside each other, for the place where they part.
pub(crate) fn side_by_side(left: (&str, &str), right: (&str, &str)) -> String {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (mine, theirs) = (lines(left.1), lines(right.1));
    let width = mine.iter().map(|line| line.chars().count()).chain([left.0.len()]).max().unwrap_or(0);
    let mut out = format!("   {:width$}   {}", left.0, right.0);
    for at in 0..mine.len().max(theirs.len()) {
        let (a, b) = (mine.get(at).map_or("", String::as_str), theirs.get(at).map_or("", String::as_str));
        let mark = if a == b { ' ' } else { '>' };
        let _ = write!(out, "\n {mark} {a:width$}   {b}");
    }
    out
}
