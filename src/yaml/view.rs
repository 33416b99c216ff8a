//! The text as the reference parser gets to see it.
//!
//! saphyr-parser is stricter than what real configs hold in two places: how deep lines inside of brackets stand, and a
//! tab behind a colon, a comma or a question mark. And it takes blanks at the end of the file for a line of the block
//! scalar before them. The view has other blanks there, where they never mean anything, and changes nothing else: lines
//! stay lines, and everything that is not white space stays as it is.

use std::borrow::Cow;
use std::ops::Range;

use crate::text::error::Place;
use crate::text::scan;
use crate::text::source::Source;

/// What a line looks like in the view.
#[derive(Debug)]
enum Edit {
    /// Its text stands at this column.
    Indent(usize),
    /// These bytes are spaces.
    Spaces(Range<usize>),
}

impl Edit {
    /// Writes the text of a line from `done` on up to where this edit ends, and says where that is.
    fn write(&self, text: &str, done: usize, out: &mut String) -> usize {
        match self {
            Self::Indent(column) => {
                out.extend(std::iter::repeat_n(' ', *column));
                scan::after_blanks(text, 0)
            }
            Self::Spaces(blanks) => {
                out.push_str(&text[done..blanks.start]);
                out.extend(blanks.clone().map(|_| ' '));
                blanks.end
            }
        }
    }
}

/// What looks different in the view, by line (from 0) and in each line from left to right.
#[derive(Debug, Default)]
pub(crate) struct View {
    edits: Vec<(usize, Edit)>,
}

impl View {
    /// Puts the text of a line at `column`.
    pub(crate) fn indent(&mut self, line: usize, column: usize) {
        self.edits.push((line, Edit::Indent(column)));
    }

    /// Makes the blanks at these bytes of a line spaces.
    pub(crate) fn spaces(&mut self, line: usize, blanks: Range<usize>) {
        self.edits.push((line, Edit::Spaces(blanks)));
    }

    /// Whether a line, from 0, is the last that looks different.
    pub(crate) fn ends_at(&self, line: usize) -> bool {
        self.edits.last().is_some_and(|(last, _)| *last == line)
    }

    /// Whether the text can be given to the reference parser as it is.
    pub(crate) fn is_plain(&self) -> bool {
        self.edits.is_empty()
    }

    /// The text to give to the reference parser.
    pub(crate) fn text<'a>(&self, source: &Source<'a>) -> Cow<'a, str> {
        if self.is_plain() {
            return Cow::Borrowed(source.text);
        }
        let mut out = String::with_capacity(source.text.len() + self.edits.len() * 8);
        let mut edits = self.edits.iter().peekable();
        for (at, (text, end)) in source.lines.all().enumerate() {
            let mut done = 0;
            while let Some((_, edit)) = edits.next_if(|(line, _)| *line == at) {
                done = edit.write(text, done, &mut out);
            }
            out.push_str(&text[done..]);
            out.push_str(end.text(""));
        }
        Cow::Owned(out)
    }

    /// Where a place in the view stands in the file.
    pub(crate) fn place(&self, source: &Source<'_>, place: Place) -> Place {
        if self.is_plain() {
            return place;
        }
        let first = self.edits.partition_point(|(line, _)| line + 1 < place.line);
        let edit = self.edits.get(first).filter(|(line, _)| line + 1 == place.line);
        let Some((line, Edit::Indent(column))) = edit else { return place };
        let stands = scan::after_blanks(source.lines.at(*line).0, 0);
        Place { column: (place.column + stands).saturating_sub(*column).max(1), ..place }
    }
}
