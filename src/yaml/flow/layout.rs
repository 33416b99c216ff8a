//! New entries of a flow collection in the layout that it has: beside each other, or one a line with their comments.
//!
//! Left out: which entries come in, and behind which.

use std::cell::OnceCell;

use foldhash::HashMap;

use super::parse::{Collection, Entry};
use super::remarks::Remark;
use super::text::{Edit, Text};
use crate::yaml::row::RowId;
use crate::yaml::tree::Offset;

/// An entry to be written: its text, and what is said about it.
pub(crate) struct Fresh {
    pub(crate) text: String,
    pub(crate) row: RowId,
}

/// How the entries of a map are laid out.
pub(crate) struct Layout<'l, 'a> {
    text: &'l Text<'a>,
    map: &'l Collection,
    /// See [`Self::column`], which looks at all entries.
    column: OnceCell<Option<(Offset, &'l str)>>,
}

impl<'l, 'a> Layout<'l, 'a> {
    pub(crate) fn of(text: &'l Text<'a>, map: &'l Collection) -> Self {
        Self { text, map, column: OnceCell::new() }
    }

    fn last(&self) -> usize {
        self.map.entries.len() - 1
    }

    /// The start of the line of each entry, where the last one has a line of its own: entries of a map beside each other
    /// on other lines do not matter then, unless the bracket closes behind it.
    fn column(&self) -> Option<(Offset, &'l str)> {
        *self.column.get_or_init(|| self.find_column())
    }

    fn find_column(&self) -> Option<(Offset, &'l str)> {
        let last = &self.map.entries[self.last()];
        let starts = |entry: &Entry| self.text.starts_line(entry.start);
        let closed = !self.text.ends_line(last.own_end());
        let behind_first = &self.map.entries[1..];
        let each = !behind_first.is_empty() && behind_first.iter().all(starts);
        let filled = !self.map.map && !behind_first.is_empty();
        if !starts(last) || (closed || filled) && !each {
            return None;
        }
        let line = self.text.line_of(last.start);
        Some((self.text.stands(line)?, &self.text.all[self.text.line_start(line)..last.start]))
    }

    /// Behind which entry a new one comes: where lines are full, behind the last of a map. The order of a list says
    /// something.
    pub(crate) fn place(&self, behind: Option<usize>) -> Option<usize> {
        if !self.map.map {
            return behind;
        }
        let fits = |at: usize| at == self.last() || self.text.ends_line(self.map.entries[at].own_end());
        match behind {
            Some(at) if self.column().is_some() && !fits(at) => Some(self.last()),
            _ => behind,
        }
    }

    pub(crate) fn insert(
        &self,
        behind: Option<usize>,
        fresh: &[Fresh],
        remarks: &HashMap<RowId, Remark>,
        edits: &mut Vec<Edit>,
    ) {
        let texts = || fresh.iter().map(|fresh| fresh.text.as_str()).collect::<Vec<_>>().join(", ");
        let Some(first) = self.map.entries.first() else {
            return edits.push(Edit::insert(self.map.start + 1, texts()));
        };
        match (behind, self.column()) {
            (Some(at), None) => {
                let entry = &self.map.entries[at];
                edits.push(Edit::insert(entry.end, format!("{} {}", self.comma(entry), texts())));
            }
            (None, None) => edits.push(Edit::insert(first.start, format!("{}, ", texts()))),
            (Some(at), Some(column)) => {
                let entry = &self.map.entries[at];
                let comma = if at < self.last() || entry.comma.is_some() { "," } else { "" };
                self.insert_lines(entry, lines(fresh, remarks, column, comma), edits);
            }
            (None, Some(column)) => edits.push(self.lines_before(first, fresh, remarks, column)),
        }
    }

    /// Lines behind an entry, the last of them with the last new entry.
    fn insert_lines(&self, entry: &Entry, mut lines: Vec<NewLine>, edits: &mut Vec<Edit>) {
        let at = self.behind(entry);
        if let (false, Some(last)) = (self.text.ends_line(at), lines.last_mut()) {
            // The closing bracket follows, and would be part of a comment.
            last.text.truncate(last.end_of_entry);
        }
        if entry.comma.is_none() {
            edits.push(Edit::insert(entry.end, self.comma(entry)));
        }
        edits.push(Edit { range: at..at, text: String::new(), lines: written(lines) });
    }

    /// Lines before the first entry, which keeps its own.
    fn lines_before(
        &self,
        first: &Entry,
        fresh: &[Fresh],
        remarks: &HashMap<RowId, Remark>,
        column: (Offset, &str),
    ) -> Edit {
        if self.text.starts_line(first.start) && self.text.ends_line(self.map.start + 1) {
            let at = self.text.line_end(self.text.line_of(self.map.start));
            let lines = written(lines(fresh, remarks, column, ","));
            return Edit { range: at..at, text: String::new(), lines };
        }
        let mut lines = written(lines(fresh, &HashMap::default(), column, ","));
        let text = lines.remove(0).1;
        lines.push((column.0, column.1.to_owned()));
        Edit { range: first.start..first.start, text, lines }
    }

    /// A comma to stand behind an entry. Right behind a last word `-` or `?` the reference parser would not read it.
    fn comma(&self, entry: &Entry) -> &'static str {
        let text = &self.text.all[entry.start..entry.end];
        let last = text.rsplit([' ', '\t', '\n']).next().unwrap_or(text);
        if matches!(last, "-" | "?") { " ," } else { "," }
    }

    /// Behind an entry with its comma and the comment on its line; before a bracket that closes there.
    fn behind(&self, entry: &Entry) -> usize {
        let end = entry.own_end();
        if self.text.ends_line(end) { self.text.line_end(self.text.line_of(end)) } else { end }
    }
}

/// A line of a new entry, or of a comment over it.
struct NewLine {
    offset: Offset,
    text: String,
    /// Where the entry with its comma ends, and the comment behind it starts.
    end_of_entry: usize,
}

fn written(lines: Vec<NewLine>) -> Vec<(Offset, String)> {
    lines.into_iter().map(|line| (line.offset, line.text)).collect()
}

/// New entries, each with its comments; `behind_last` is the comma behind the last, where there is one.
fn lines(
    fresh: &[Fresh],
    remarks: &HashMap<RowId, Remark>,
    (offset, blanks): (Offset, &str),
    behind_last: &str,
) -> Vec<NewLine> {
    let mut lines = Vec::new();
    for (at, fresh_entry) in fresh.iter().enumerate() {
        let comma = if at + 1 < fresh.len() { "," } else { behind_last };
        let remark = remarks.get(&fresh_entry.row);
        let above = remark.map_or(&[][..], |remark| &remark.above);
        lines.extend(above.iter().map(|comment| {
            let text = format!("{blanks}{comment}");
            NewLine { offset, end_of_entry: text.len(), text }
        }));
        let entry = format!("{blanks}{}{comma}", fresh_entry.text);
        let inline = remark.map_or("", |remark| &remark.inline);
        lines.push(NewLine { offset, end_of_entry: entry.len(), text: entry + inline });
    }
    lines
}
