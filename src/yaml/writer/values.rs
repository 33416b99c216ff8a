//! Values of several lines, and keys behind `?`: texts whose last line break is a part of what they say.

use super::{Scalar, Writer, Written};
use crate::text::scan::{self, Chomping, Start};
use crate::text::source::{End, Ends};
use crate::yaml::chomping;
use crate::yaml::tree::{Explicit, Line, Node, Offset, Shape};

/// A text as a block scalar, or a key behind `?` that may end with one.
#[derive(Clone, Copy)]
pub(super) struct Text {
    /// Where its header starts.
    pub(super) header: usize,
    /// What that said where the text ended its file without a line break.
    pub(super) unbroken: Option<Chomping>,
}

impl Writer {
    /// The lines of a key behind `?`; where the header starts of a text that ended its file without a line break.
    pub(super) fn key_lines(&mut self, key: &Explicit<'_>, column: i32) -> usize {
        let mut header = 0;
        for (at, line) in key.lines[..end_of_key(key, column)].iter().enumerate() {
            match line {
                Line::Text(_, text, end) if at == 0 => {
                    self.out.push_str(text);
                    self.end(*end);
                }
                Line::Blank(text, end) => self.raw(text, *end),
                Line::Text(offset, text, end) => self.text(*offset, column, text, *end),
            }
            if let (Line::Text(_, text, _), Some(own)) = (line, key.unbroken.filter(|own| own.line == at)) {
                header = self.start_of(text) + own.at;
            }
        }
        header
    }

    /// Where a text starts that the last line ends with.
    fn start_of(&self, text: &str) -> usize {
        self.out.trim_end_matches(['\n', '\r']).len().saturating_sub(text.len())
    }

    pub(super) fn value(&mut self, node: &Node<'_>, column: i32) {
        let Shape::Block { indent, keep, unbroken } = node.shape else {
            return self.continuation(&node.continuation, node.shape, column);
        };
        let (above, text) = node.continuation.split_at(chomping::header_line(node).map_or(0, |at| at + 1));
        self.continuation(above, Shape::Open, column);
        let header = match above.last() {
            Some(Line::Text(_, text, _)) => text,
            _ => &node.value_text,
        };
        let (start, at) = scan::value_start(header);
        let header = self.start_of(header) + at;
        let scalar = Scalar { column: column + indent, keep, key: false, bare: false };
        self.scalar = Some(Scalar { keep: false, ..scalar });
        for line in text {
            match line {
                Line::Blank(text, end) => self.blank(text, *end),
                Line::Text(offset, text, end) => self.text(*offset, column, text, *end),
            }
        }
        let has_break = matches!(start, Start::Block(header) if header.chomping != Chomping::Strip);
        self.text = (!text.is_empty() && (has_break || unbroken.is_some())).then_some(Text { header, unbroken });
        let has_text = text.iter().any(|line| matches!(line, Line::Text(..)));
        let bare = text.is_empty() || (keep && !has_text);
        self.scalar = Some(Scalar { bare, ..scalar });
    }

    /// Further lines of a value. One in brackets that comes to stand at column 0 would not be read there, unless it is a
    /// comment or starts with a bracket that closes. A quote may close at the column of its key at the margin only:
    /// `a: "x\⏎"`.
    fn continuation(&mut self, lines: &[Line<'_>], shape: Shape, column: i32) {
        let least = match shape {
            Shape::Flow { .. } if column >= 0 => Some(1 - column),
            Shape::Quoted if column > 0 => Some(1),
            _ => None,
        };
        let may_stay =
            |line: &Line<'_>, text: &str| shape != Shape::Quoted && (line.is_comment() || text.starts_with([']', '}']));
        for line in lines {
            match (line, least) {
                (Line::Blank(text, end), _) => self.raw(text, *end),
                (Line::Text(Offset::Beside(by), text, end), Some(least)) if !may_stay(line, text) => {
                    self.text(Offset::Beside((*by).max(least)), column, text, *end);
                }
                (Line::Text(offset, text, end), _) => self.text(*offset, column, text, *end),
            }
        }
    }

    /// A text that ends the file without a line break, as it did in its own, has the header that it had there.
    pub(super) fn finish(mut self) -> Written {
        if let Some(Text { header, unbroken: Some(chomping) }) = self.text.filter(|_| self.missing) {
            chomping::restore(&mut self.out, header, chomping);
            self.text = Some(Text { header, unbroken: None });
        }
        Written { text: self.out, added: self.added, ends_in: self.text }
    }
}

impl Written {
    /// Ends the last line as the file does that decides on it; that of a text only where this keeps its value.
    pub(crate) fn finish(&mut self, ends: Ends<'_>) {
        let unbroken = self.ends_in.map(|text| text.unbroken.map(|chomping| (text.header, chomping)));
        match (ends.last_end(&self.text), unbroken) {
            (Some(End::Missing), None) => self.cut(),
            (Some(End::Missing), Some(Some((header, chomping)))) => {
                self.cut();
                chomping::restore(&mut self.text, header, chomping);
            }
            (Some(_), None) => self.text.push_str(ends.common),
            (Some(_), Some(_)) | (None, _) => {}
        }
    }

    fn cut(&mut self) {
        let end = if self.text.ends_with("\r\n") { 2 } else { 1 };
        self.text.truncate(self.text.len().saturating_sub(end));
    }
}

/// Behind which of its lines a key ends at a column: a tab below an empty text stands nowhere but right of the margin, and
/// the blank lines below that would be text without it.
fn end_of_key(key: &Explicit<'_>, column: i32) -> usize {
    let all = key.lines.len();
    if column > 0 || !key.ends_with_empty_text() {
        return all;
    }
    let blank = key.lines.iter().rposition(|line| !line.is_comment_or_blank()).map_or(all, |last| last + 1);
    let is_tab = |line: &Line<'_>| matches!(line, Line::Text(Offset::Beside(0), text, _) if text.starts_with('\t'));
    key.lines[blank..].iter().position(is_tab).map_or(all, |tab| blank + tab)
}
