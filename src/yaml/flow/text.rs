//! The text of a value over its lines, and how it is edited by position: what no edit touches stays as it is.

use std::ops::Range;

use super::parse::Collection;
use crate::text::piece::Piece;
use crate::text::scan;
use crate::text::source::End;
use crate::yaml::tree::{Line, Node, Offset};

/// The rest of a node's line and the further lines of its value.
pub(crate) struct Text<'a> {
    /// All lines from their first character, a line feed between them whatever they end with.
    pub(crate) all: String,
    /// Where each line starts.
    starts: Vec<usize>,
    lines: Vec<Laid<'a>>,
}

/// How a line stands in the file.
#[derive(Clone, Copy)]
struct Laid<'a> {
    /// Nothing for the line of the node itself.
    stands: Option<Offset>,
    /// The white space of a line that has nothing else.
    blank: &'a str,
    end: End,
}

/// Something to be written in the place of a part of a text.
#[derive(Debug, Default)]
pub(crate) struct Edit {
    pub(crate) range: Range<usize>,
    /// What comes there, on the line on which the range starts.
    pub(crate) text: String,
    /// Further lines. What stood behind the range goes on behind the last one.
    pub(crate) lines: Vec<(Offset, String)>,
}

impl Edit {
    pub(crate) fn remove(range: Range<usize>) -> Self {
        Self { range, ..Self::default() }
    }

    pub(crate) fn insert(at: usize, text: impl Into<String>) -> Self {
        Self { range: at..at, text: text.into(), lines: Vec::new() }
    }
}

impl<'a> Text<'a> {
    pub(crate) fn of(node: &Node<'a>) -> Self {
        let mut text = Self::of_lines(&node.value_text, &node.continuation);
        text.lines[0].end = node.end;
        text
    }

    pub(crate) fn of_lines(first: &str, more: &[Line<'a>]) -> Self {
        let laid = Laid { stands: None, blank: "", end: End::Missing };
        let mut text = Self { all: first.to_owned(), starts: vec![0], lines: vec![laid] };
        for line in more {
            text.all.push('\n');
            text.starts.push(text.all.len());
            text.lines.push(match line {
                Line::Text(offset, line, end) => {
                    text.all.push_str(line);
                    Laid { stands: Some(*offset), blank: "", end: *end }
                }
                Line::Blank(blank, end) => Laid { stands: Some(Offset::Margin), blank, end: *end },
            });
        }
        text
    }

    /// The collection that this is the text of, behind its anchor and tag: on the node's line or on one of its own.
    pub(crate) fn collection(&self) -> Option<Collection> {
        Collection::read(&self.all, self.value()?)
    }

    /// Where the value starts, behind its anchor and tag: on the node's line or on one of its own.
    pub(crate) fn value(&self) -> Option<usize> {
        let lines =
            self.starts.iter().map(|&start| (start, scan::value_start(self.all[start..].lines().next().unwrap_or(""))));
        let mut values = lines.filter(|(_, (value, _))| *value != scan::Start::Nothing);
        let (start, (_, at)) = values.next()?;
        Some(start + at)
    }

    /// The number of the line on which an offset stands, from 0.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// On which line an offset is, 0 for the node's own, and where in it.
    pub(crate) fn place(&self, offset: usize) -> (usize, usize) {
        let line = self.line_of(offset);
        (line, offset - self.line_start(line))
    }

    pub(crate) fn line_start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.all.len())
    }

    /// The offset behind the last character of a line.
    pub(crate) fn line_end(&self, line: usize) -> usize {
        self.starts.get(line + 1).map_or(self.all.len(), |next| next - 1)
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> {
        (0..self.starts.len()).map(|line| self.line(line))
    }

    pub(crate) fn line(&self, line: usize) -> &str {
        &self.all[self.line_start(line)..self.line_end(line)]
    }

    /// How far right of its node a line stands; nothing for the line of the node itself.
    pub(crate) fn stands(&self, line: usize) -> Option<Offset> {
        self.lines[line].stands
    }

    /// Whether only blanks stand before an offset on its line, and that is not the node's.
    pub(crate) fn starts_line(&self, offset: usize) -> bool {
        let line = self.line_of(offset);
        line > 0 && is_blank(&self.all[self.line_start(line)..offset])
    }

    /// Whether only blanks or a comment stand behind an offset on its line.
    pub(crate) fn ends_line(&self, offset: usize) -> bool {
        let tail = &self.all[offset..self.line_end(self.line_of(offset))];
        is_blank(tail) || (tail.starts_with([' ', '\t']) && tail.trim_ascii_start().starts_with('#'))
    }

    /// The offset where the blanks before an offset start, on the same line.
    pub(crate) fn before_blanks(&self, offset: usize) -> usize {
        let start = self.line_start(self.line_of(offset));
        start + self.all[start..offset].trim_end_matches([' ', '\t']).len()
    }

    /// The same text with edits, which must be in ascending order, given to its node.
    pub(crate) fn write(&self, mut edits: Vec<Edit>, node: &mut Node<'a>) {
        // What is put before a value comes before what takes its place.
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let mut copy = Copy { text: self, line: 0, out: String::new(), laid: self.lines[0], done: Vec::new() };
        let mut at = 0;
        for edit in edits {
            copy.through(at..edit.range.start);
            copy.out.push_str(&edit.text);
            for (offset, line) in edit.lines {
                copy.break_line(offset);
                copy.out.push_str(&line);
            }
            copy.skip_to(edit.range.end);
            at = edit.range.end;
        }
        copy.through(at..self.all.len());
        copy.finish(node);
    }
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// A text on its way into its new lines.
struct Copy<'t, 'a> {
    text: &'t Text<'a>,
    /// The line of the old text that is read.
    line: usize,
    /// The new line so far.
    out: String,
    laid: Laid<'a>,
    done: Vec<(Laid<'a>, String)>,
}

impl Copy<'_, '_> {
    /// Takes a part of the old text as it is.
    fn through(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while self.text.line_end(self.line) < range.end {
            self.out.push_str(&self.text.all[at..self.text.line_end(self.line)]);
            self.close(self.text.lines[self.line].end);
            self.line += 1;
            self.laid = self.text.lines[self.line];
            at = self.text.line_start(self.line);
        }
        self.out.push_str(&self.text.all[at..range.end]);
    }

    /// Leaves out the old text up to an offset. A line of which nothing is left gives its place to the one there.
    fn skip_to(&mut self, offset: usize) {
        let line = self.text.line_of(offset);
        let whole = offset == self.text.line_start(line);
        if line != self.line && whole && self.out.is_empty() && self.laid.stands.is_some() {
            self.laid = self.text.lines[line];
        }
        self.line = line;
    }

    fn break_line(&mut self, offset: Offset) {
        let end = match self.text.lines[self.line].end {
            End::Missing => End::Common,
            end => end,
        };
        let trimmed = self.out.trim_end_matches([' ', '\t']).len();
        self.out.truncate(trimmed);
        self.close(end);
        self.laid = Laid { stands: Some(offset), blank: "", end };
    }

    fn close(&mut self, end: End) {
        self.done.push((Laid { end, ..self.laid }, std::mem::take(&mut self.out)));
    }
}

impl<'a> Copy<'_, 'a> {
    fn finish(mut self, node: &mut Node<'a>) {
        self.close(self.text.lines[self.line].end);
        node.continuation.vec().clear();
        for (laid, text) in self.done {
            match laid.stands {
                None => (node.value_text, node.end) = (Piece::from(text), laid.end),
                Some(_) if text.is_empty() => node.continuation.push(Line::Blank(laid.blank, laid.end)),
                Some(offset) => node.continuation.push(Line::Text(offset, Piece::from(text), laid.end)),
            }
        }
    }
}
