//! The text as the reference parser gets to see it.
//!
//! saphyr-parser is stricter than what real configs hold in two places: how deep lines inside of brackets
//! stand, and a tab behind the colon of a key. The view puts spaces there, where white space never
//! means anything, and changes nothing else: lines stay lines, and everything that is not white space stays as it is.

use std::borrow::Cow;
use std::ops::Range;

use crate::error::Place;
use crate::source::Source;

/// What a line looks like in the view.
#[derive(Debug)]
enum Edit {
    /// Its text stands at this column.
    Indent(usize),
    /// These bytes are spaces.
    Spaces(Range<usize>),
}

/// The lines that look different in the view; numbers from 0, ascending.
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
        for (at, (text, end)) in source.lines.iter().enumerate() {
            match edits.next_if(|(line, _)| *line == at) {
                Some((_, Edit::Indent(column))) => {
                    out.extend(std::iter::repeat_n(' ', *column));
                    out.push_str(text.trim_start_matches([' ', '\t']));
                }
                Some((_, Edit::Spaces(blanks))) => {
                    out.push_str(&text[..blanks.start]);
                    out.extend(blanks.clone().map(|_| ' '));
                    out.push_str(&text[blanks.end..]);
                }
                None => out.push_str(text),
            }
            out.push_str(end.text(""));
        }
        Cow::Owned(out)
    }

    /// Where a place in the view stands in the file.
    pub(crate) fn place(&self, source: &Source<'_>, place: Place) -> Place {
        let edit = self.edits.binary_search_by_key(&place.line, |(line, _)| line + 1).ok().map(|at| &self.edits[at]);
        let Some((line, Edit::Indent(column))) = edit else { return place };
        let text = source.lines[*line].0;
        let stands = text.len() - text.trim_start_matches([' ', '\t']).len();
        Place { column: (place.column + stands).saturating_sub(*column).max(1), ..place }
    }
}
