//! Which lines continue a value: block scalars, folded plain and quoted text, flow collections.

use super::Reader;
use super::lines::{comment_column, continuation, document_marker};
use crate::text::error::Error;
use crate::text::scan::{self, Brackets, Chomping, Header, Start, Unbroken, is_blank, split_indent};
use crate::text::source::End;
use crate::yaml::chomping;
use crate::yaml::tree::{Line, Offset, Shape};

impl<'a> Reader<'a, '_> {
    /// Takes the lines that continue the value which `text` starts.
    pub(super) fn value(&mut self, text: &'a str) -> Result<(), Error> {
        let (start, at) = scan::value_start(text);
        let value = &text[at..];
        let shape = match start {
            Start::Nothing => Shape::Open,
            Start::Plain => {
                self.plain_lines(value);
                Shape::Plain
            }
            Start::Quoted => {
                self.quoted_lines(value);
                Shape::Quoted
            }
            Start::Flow => self.flow_lines(value)?,
            Start::Block(header) => self.block(header, value),
        };
        self.top_mut().node.shape = shape;
        Ok(())
    }

    /// A plain scalar goes on while lines stand deeper than its node, up to a comment (YAML 1.2.2 §7.3.3).
    fn plain_lines(&mut self, first: &str) {
        let column = self.top().column;
        let mut last = self.at;
        let mut commented = scan::comment_start(first).is_some();
        for at in self.at..self.source.lines.len() {
            let text = self.text(at);
            let (stands, content) = split_indent(text);
            if is_blank(content) {
                continue;
            }
            let ends = commented || stands <= column || scan::is_comment(content);
            if ends || document_marker(text).is_some() || text.starts_with('\u{feff}') {
                break;
            }
            commented = scan::comment_start(content).is_some();
            last = at + 1;
        }
        self.take_more(self.at, last);
    }

    fn quoted_lines(&mut self, first: &str) {
        self.take_more(self.at, self.end_of_quoted(first, self.at));
    }

    /// The line behind a quoted scalar that starts with `first` on the line before `next`.
    pub(super) fn end_of_quoted(&self, first: &str, next: usize) -> usize {
        if scan::quote_end(first).is_some() {
            return next;
        }
        let closes =
            |at: &usize| first.bytes().next().and_then(|quote| scan::close_quote(self.text(*at), quote)).is_some();
        (next..self.source.lines.len()).find(closes).map_or(self.source.lines.len(), |at| at + 1)
    }

    /// The line behind a flow collection that starts with `first` on the line before `next`.
    pub(super) fn end_of_flow(&self, first: &str, next: usize) -> usize {
        let mut brackets = Brackets::default();
        if brackets.close(first).is_some() {
            return next;
        }
        let closes = |at: &usize| brackets.close(self.text(*at)).is_some();
        (next..self.source.lines.len()).find(closes).map_or(self.source.lines.len(), |at| at + 1)
    }

    fn flow_lines(&mut self, first: &str) -> Result<Shape, Error> {
        let mut brackets = Brackets::default();
        let mut close = brackets.close(first);
        let empty = close.is_some_and(|end| first[1..end - 1].trim().is_empty());
        let start = self.text(self.at - 1).len() - first.len();
        self.view_tabs_in_flow(self.at - 1, start, &mut brackets);
        let mut last = self.at;
        while close.is_none() && last < self.source.lines.len() {
            close = brackets.close(self.text(last));
            self.view_line(last)?;
            self.view_tabs_in_flow(last, 0, &mut brackets);
            last += 1;
        }
        self.take_more(self.at, last);
        Ok(Shape::Flow { empty })
    }

    /// A tab separates in brackets as a space does (YAML 1.2.2 §6.2), but not for the reference parser.
    fn view_tabs_in_flow(&mut self, line: usize, start: usize, brackets: &mut Brackets) {
        for tab in brackets.take_tabs() {
            self.view.spaces(line, start + tab..start + tab + 1);
        }
    }

    /// Lines in brackets at the column of their key, or left of it, are what real configs hold and other parsers read, but
    /// too far left for the reference parser (and for YAML 1.2.2 §7.4): white space before them never matters, so the view
    /// adds some. At column 0, where the public test suite wants them refused (9C9N), only closing brackets pass. A tab
    /// indents nothing (§6.1), which the reference parser says of most of them.
    fn view_line(&mut self, at: usize) -> Result<(), Error> {
        let column = self.top().column;
        let (stands, content) = split_indent(self.text(at));
        if column >= 0 && stands == 0 && content.starts_with('\t') && comment_column(content.trim_start()).is_none() {
            return if is_blank(content) { Ok(()) } else { Err(self.tab(at, 0)) };
        }
        let passes = !is_blank(content) && (stands > 0 || content.starts_with([']', '}']));
        if stands <= column && passes {
            self.view.indent(at, column.unsigned_abs() as usize + 1);
        }
        Ok(())
    }

    /// A block scalar whose header starts `first`.
    fn block(&mut self, header: Header, first: &str) -> Shape {
        let line = self.at - 1;
        let at = self.text(line).len() - first.len();
        let indent = self.block_lines(header);
        let keep = header.chomping == Chomping::Keep;
        let ends_file = self.at > line + 1 && self.source.lines.at(self.at - 1).1 == End::Missing;
        if !ends_file || header.chomping == Chomping::Strip {
            return Shape::Block { indent, keep, unbroken: None };
        }
        self.unbroken = Some(Unbroken { line, at, chomping: header.chomping });
        chomping::strip_header(&mut self.top_mut().node);
        Shape::Block { indent, keep: false, unbroken: Some(header.chomping) }
    }

    /// The content of a block scalar: all lines that stand as deep as its first (YAML 1.2.2 §8.1). Blanks at the end of
    /// the file are no line of it, which the reference parser has to be told: an empty line ends with a break (§8.1.1.2).
    fn block_lines(&mut self, header: Header) -> i32 {
        let column = self.top().column;
        let given = header.indent.map(|indent| column.max(0) + i32::from(indent));
        let found = || self.first_text_column().filter(|&first| first > column);
        let indent = given.or_else(found).unwrap_or_else(|| self.most_blanks().max(column + 1));
        let mut last = self.at;
        for at in self.at..self.source.lines.len() {
            let text = self.text(at);
            let (stands, content) = split_indent(text);
            let blank = content.is_empty() && stands <= indent;
            let ends = stands < indent || document_marker(text).is_some() || text.starts_with('\u{feff}');
            if !blank && ends {
                break;
            }
            if blank && self.source.lines.at(at).1 == End::Missing {
                self.view.indent(at, 0);
            } else if !blank || header.chomping == Chomping::Keep {
                last = at + 1;
            }
        }
        self.take_block(last, indent);
        indent - column
    }

    /// The column of the next line that is not only spaces.
    fn first_text_column(&self) -> Option<i32> {
        (self.at..self.source.lines.len())
            .map(|at| split_indent(self.text(at)))
            .find(|(_, content)| !content.is_empty())
            .map(|(column, _)| column)
    }

    /// How long the lines of spaces are that come next: where no text follows, they are as deep as the longest of them.
    fn most_blanks(&self) -> i32 {
        let next = (self.at..self.source.lines.len()).map(|at| split_indent(self.text(at)));
        next.take_while(|(_, content)| content.is_empty()).map(|(column, _)| column).max().unwrap_or(0)
    }

    /// Lines of a block scalar; one of blanks only, but longer than the indentation, is text.
    fn take_block(&mut self, last: usize, indent: i32) {
        let column = self.top().column;
        let line = |(text, end)| {
            let (stands, content) = split_indent(text);
            if content.is_empty() && stands <= indent {
                return Line::Blank(text, end);
            }
            let deep = usize::try_from(indent.min(stands)).unwrap_or(0);
            Line::Text(Offset::Beside(indent.min(stands) - column), text[deep..].into(), end)
        };
        let lines = self.source.lines.within(self.at..last).map(line).collect();
        self.top_mut().node.continuation.append(lines);
        self.at = last;
    }

    pub(super) fn take_more(&mut self, first: usize, last: usize) {
        let column = self.top().column;
        let lines = self.source.lines.within(first..last).map(|line| continuation(line, column)).collect();
        self.top_mut().node.continuation.append(lines);
        self.at = last;
    }
}
