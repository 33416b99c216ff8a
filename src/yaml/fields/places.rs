//! Where the keys and values of a migration file stand, to the column.
//!
//! The outline knows lines. What stands on a line is found by going over the text once, row by row: each key and each
//! value is the next occurrence of its text behind the one before.

use crate::text::error::Place;
use crate::text::scan;
use crate::text::source::Source;
use crate::yaml::outline::{Outline, RowKind};

/// The places of a row: of its key, where it has one, and of its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stands {
    pub(super) key: Place,
    pub(super) value: Place,
    /// The offset of the value in its line.
    pub(super) offset: usize,
}

/// Where each row of an outline stands.
pub(super) fn places(source: &Source<'_>, outline: &Outline<'_>) -> Vec<Stands> {
    let mut cursor = Cursor { source, line: 1, offset: 0 };
    let rows = outline.rows.iter().map(|row| {
        cursor.skip_to(row.line);
        let key = row.name.as_deref().map(|name| cursor.next(name));
        let (value, offset) = match row.kind {
            RowKind::Scalar(_) | RowKind::Alias(_) => {
                (cursor.next(&row.text), cursor.offset.saturating_sub(row.text.len()))
            }
            RowKind::Map | RowKind::List => (cursor.ahead(), cursor.offset),
        };
        Stands { key: key.unwrap_or(value), value, offset }
    });
    rows.collect()
}

struct Cursor<'s, 'a> {
    source: &'s Source<'a>,
    line: usize,
    /// The offset behind what was found last.
    offset: usize,
}

impl Cursor<'_, '_> {
    fn skip_to(&mut self, line: usize) {
        if line > self.line {
            (self.line, self.offset) = (line, 0);
        }
    }

    fn text(&self, line: usize) -> &str {
        self.source.lines.numbered(line)
    }

    /// The place of the next occurrence of a word; where it is written with escapes, of what comes next.
    fn next(&mut self, word: &str) -> Place {
        let lines = self.line..=self.source.lines.len();
        let found = lines.clone().find_map(|line| {
            let from = if line == self.line { self.offset } else { 0 };
            Some((line, from + self.text(line).get(from..)?.find(word)?))
        });
        let Some((line, at)) = found.filter(|_| !word.is_empty()) else { return self.place(self.offset) };
        (self.line, self.offset) = (line, at + word.len());
        self.place(at)
    }

    /// The place of what comes next on the line.
    fn ahead(&self) -> Place {
        self.place(scan::after_blanks(self.text(self.line), self.offset))
    }

    fn place(&self, offset: usize) -> Place {
        let before = self.text(self.line).get(..offset).unwrap_or_default();
        Place { line: self.line, column: before.chars().count() + 1 }
    }
}
