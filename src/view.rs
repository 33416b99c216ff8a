//! The text as the reference parser gets to see it.
//!
//! saphyr-parser is stricter than YAML (and than what real configs hold) about how deep the further lines of a flow
//! collection or a quoted scalar stand. The view puts white space before such lines, where it never means anything,
//! and changes nothing else: lines stay lines, and everything that is not leading white space stays as it is.

use std::borrow::Cow;

use crate::error::Place;
use crate::source::Source;

/// Which lines stand at another column in the view than in the file; line numbers from 0, ascending.
#[derive(Debug, Default)]
pub(crate) struct View {
    indents: Vec<(usize, usize)>,
}

impl View {
    /// Puts the text of a line at `column`.
    pub(crate) fn indent(&mut self, line: usize, column: usize) {
        self.indents.push((line, column));
    }

    /// Whether the text can be given to the reference parser as it is.
    pub(crate) fn is_plain(&self) -> bool {
        self.indents.is_empty()
    }

    /// The text to give to the reference parser.
    pub(crate) fn text<'a>(&self, source: &Source<'a>) -> Cow<'a, str> {
        if self.is_plain() {
            return Cow::Borrowed(source.text);
        }
        let mut out = String::with_capacity(source.text.len() + self.indents.len() * 8);
        let mut indents = self.indents.iter().peekable();
        for (at, (text, end)) in source.lines.iter().enumerate() {
            if let Some((_, column)) = indents.next_if(|(line, _)| *line == at) {
                out.extend(std::iter::repeat_n(' ', *column));
                out.push_str(text.trim_start_matches([' ', '\t']));
            } else {
                out.push_str(text);
            }
            out.push_str(end.text(""));
        }
        Cow::Owned(out)
    }

    /// Where a place in the view stands in the file.
    pub(crate) fn place(&self, source: &Source<'_>, place: Place) -> Place {
        let moved = self.indents.iter().find(|(line, _)| line + 1 == place.line);
        let Some((line, column)) = moved else { return place };
        let text = source.lines[*line].0;
        let stands = text.len() - text.trim_start_matches([' ', '\t']).len();
        Place { column: (place.column + stands).saturating_sub(*column).max(1), ..place }
    }
}
