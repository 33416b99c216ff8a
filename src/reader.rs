//! Text → tree, line by line.
//!
//! The reader looks at how a line starts and how far it is indented, keeps the rest as text, and never judges: what is
//! wrong YAML is refused by the reference parser, and what this reader misunderstands is found when both trees are
//! compared. It keeps a stack of the nodes that are still open; a line closes those that stand as far right as it does.
//!
//! Left out on purpose: the inside of flow collections and of `? complex keys`, which are carried as text.

use crate::error::{Error, Place};
use crate::scan::{self, Brackets, Start};
use crate::source::{End, Source};
use crate::tree::{Line, Node, Offset, Opener, Shape};
use crate::view::View;

/// How deep nodes may stand inside of each other. Everything that recurses over a tree relies on this.
pub(crate) const MAX_DEPTH: usize = 200;

/// A file as the reader understood it.
#[derive(Debug)]
pub(crate) struct Reading<'a> {
    /// The stream node; its children are the documents.
    pub(crate) stream: Node<'a>,
    /// Where the text has to look different for the reference parser to read it.
    pub(crate) view: View,
}

/// Reads a whole file.
pub(crate) fn read<'a>(source: &Source<'a>) -> Result<Reading<'a>, Error> {
    let mut reader = Reader { source, at: 0, pending: 0, open: Vec::new(), view: View::default() };
    reader.push(-2, Node::new(1, Opener::Stream, "", End::Missing))?;
    while reader.at < source.lines.len() {
        reader.line()?;
    }
    reader.finish()
}

struct Reader<'a, 's> {
    source: &'s Source<'a>,
    /// The line to read next, from 0.
    at: usize,
    /// The first of the blank and comment lines that belong to nobody yet; they reach up to `at`.
    pending: usize,
    /// The nodes that are still open, outermost first, with their columns.
    open: Vec<(isize, Node<'a>)>,
    view: View,
}

impl<'a> Reader<'a, '_> {
    fn line(&mut self) -> Result<(), Error> {
        let text = self.text(self.at);
        let (column, content) = split_indent(text);
        if is_blank(content) || comment_column(text).is_some() || self.is_directive(text) {
            self.at += 1;
            Ok(())
        } else if let Some(marker) = document_marker(text) {
            self.marker(&marker)
        } else {
            self.content(column, content)
        }
    }

    /// Whether a `%` at column 0 starts a directive: only where no document is open. It stays with the lines over `---`.
    fn is_directive(&self, text: &str) -> bool {
        text.starts_with('%') && self.open.len() == 1
    }

    fn content(&mut self, column: isize, content: &'a str) -> Result<(), Error> {
        let opens = opener(content);
        if opens.is_none() && content.starts_with('\t') && opener(content.trim_start_matches('\t')).is_some() {
            return Err(self.tab(column));
        }
        self.document()?;
        self.close(column, matches!(opens, Some(Open::Item { .. })));
        match opens {
            Some(open) => self.open_all(column, open),
            None => {
                self.value_line(content);
                Ok(())
            }
        }
    }

    fn tab(&self, column: isize) -> Error {
        let place = Place { line: self.at + 1, column: column.unsigned_abs() + 1 };
        self.source.error("tab used for indentation", place).help("indent with spaces: YAML allows no tabs there")
    }

    /// Opens the nodes of one line: `- - key: value` opens three.
    fn open_all(&mut self, mut column: isize, mut open: Open<'a>) -> Result<(), Error> {
        let mut above = self.take_above(column);
        loop {
            let (opener, rest, inner) = open.parts();
            let mut node = Node::new(self.at + 1, opener, rest, self.source.lines[self.at].1);
            node.above = std::mem::take(&mut above);
            self.push(column, node)?;
            let Some((gap, next)) = inner else {
                self.at += 1;
                self.rest_lines(rest);
                self.pending = self.at;
                return Ok(());
            };
            column += 1 + gap;
            open = next;
        }
    }

    fn rest_lines(&mut self, rest: &'a str) {
        if self.top().1.opener == Opener::Opaque { self.opaque_lines() } else { self.value(rest) }
    }

    /// A line that opens nothing continues the node above it: a value on its own line.
    fn value_line(&mut self, content: &'a str) {
        self.take_more(self.pending, self.at + 1);
        self.value(content);
        self.pending = self.at;
    }

    /// Takes the lines that continue the value which `text` starts.
    fn value(&mut self, text: &'a str) {
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
            Start::Flow => self.flow_lines(value),
            Start::Block(header) => {
                let indent = self.block_lines(header);
                Shape::Block { indent, keep: header.keep }
            }
        };
        self.top_mut().1.shape = shape;
    }

    /// A plain scalar goes on while lines stand deeper than its node, up to a comment (YAML 1.2.2 §7.3.3).
    fn plain_lines(&mut self, first: &str) {
        let column = self.top().0;
        let mut last = self.at;
        let mut commented = scan::comment_start(first).is_some();
        for at in self.at..self.source.lines.len() {
            let text = self.text(at);
            let (stands, content) = split_indent(text);
            if is_blank(content) {
                continue;
            }
            let ends = commented || stands <= column || comment_column(text).is_some();
            if ends || document_marker(text).is_some() {
                break;
            }
            commented = scan::comment_start(content).is_some();
            last = at + 1;
        }
        self.take_more(self.at, last);
    }

    fn quoted_lines(&mut self, first: &str) {
        if scan::quote_end(first).is_some() {
            return;
        }
        let quote = first.as_bytes()[0];
        let closes = |at: &usize| scan::close_quote(self.text(*at), quote).is_some();
        let last = (self.at..self.source.lines.len()).find(closes).map_or(self.source.lines.len(), |at| at + 1);
        self.take_more(self.at, last);
    }

    fn flow_lines(&mut self, first: &str) -> Shape {
        let mut brackets = Brackets::default();
        let mut close = brackets.close(first);
        let empty = close.is_some_and(|end| first[1..end - 1].trim().is_empty());
        let mut last = self.at;
        while close.is_none() && last < self.source.lines.len() {
            close = brackets.close(self.text(last));
            last += 1;
        }
        self.view_closing_brackets(last);
        self.take_more(self.at, last);
        Shape::Flow { empty }
    }

    /// A bracket that closes at the column of its key is what real configs hold, but too far left for the reference
    /// parser (and for YAML 1.2.2 §7.4): white space before it never matters, so the view adds some.
    fn view_closing_brackets(&mut self, last: usize) {
        let column = self.top().0;
        for at in self.at..last {
            let (stands, content) = split_indent(self.text(at));
            if stands == column && content.starts_with([']', '}']) {
                self.view.indent(at, column.unsigned_abs() + 1);
            }
        }
    }

    /// The content of a block scalar: all lines that stand as deep as its first (YAML 1.2.2 §8.1).
    fn block_lines(&mut self, header: scan::Header) -> isize {
        let column = self.top().0;
        let given = header.indent.map(|indent| column.max(0) + isize::from(indent));
        let indent = given.unwrap_or_else(|| self.first_text_column().filter(|&first| first > column).unwrap_or(column + 1));
        let mut last = self.at;
        for at in self.at..self.source.lines.len() {
            let text = self.text(at);
            let (stands, content) = split_indent(text);
            let blank = content.is_empty() && stands <= indent;
            if !blank && (stands < indent || document_marker(text).is_some()) {
                break;
            }
            if !blank || header.keep {
                last = at + 1;
            }
        }
        self.take_block(last, indent);
        indent - column
    }

    /// The column of the next line that is not only spaces.
    fn first_text_column(&self) -> Option<isize> {
        (self.at..self.source.lines.len())
            .map(|at| split_indent(self.text(at)))
            .find(|(_, content)| !content.is_empty())
            .map(|(column, _)| column)
    }

    /// Lines of a block scalar; one of blanks only, but longer than the indentation, is text.
    fn take_block(&mut self, last: usize, indent: isize) {
        let column = self.top().0;
        for at in self.at..last {
            let (text, end) = self.source.lines[at];
            let (stands, content) = split_indent(text);
            let line = if content.is_empty() && stands <= indent {
                Line::Blank(text, end)
            } else {
                let deep = usize::try_from(indent.min(stands)).unwrap_or(0);
                Line::Text(Offset::Beside(indent.min(stands) - column), text[deep..].into(), end)
            };
            self.top_mut().1.more.push(line);
        }
        self.at = last;
    }

    /// A `? key` with its value: everything deeper, and the `:` lines at its own column.
    fn opaque_lines(&mut self) {
        let column = self.top().0;
        let mut last = self.at;
        let mut valued = false;
        for at in self.at..self.source.lines.len() {
            let text = self.text(at);
            let (stands, content) = split_indent(text);
            if is_blank(content) || comment_column(text).is_some() {
                continue;
            }
            let value = stands == column && opens_with(content, b':') && !valued;
            let goes_on = stands > column || value || (stands == column && is_item(content));
            if !goes_on || document_marker(text).is_some() {
                break;
            }
            valued |= value;
            last = at + 1;
        }
        self.take_more(self.at, last);
    }

    fn take_more(&mut self, first: usize, last: usize) {
        let column = self.top().0;
        let lines = self.source.lines[first..last].iter().map(|&line| continuation(line, column));
        self.top_mut().1.more.extend(lines);
        self.at = last;
    }

    /// `---` opens a document, `...` closes one.
    fn marker(&mut self, marker: &Marker<'a>) -> Result<(), Error> {
        let end = self.source.lines[self.at].1;
        if let Marker::Start(rest) = *marker {
            self.close(0, false);
            let above = self.lines_beside(self.pending, self.at, -1);
            self.pop_to(1);
            let mut node = Node::new(self.at + 1, Opener::Document { marker: true }, rest, end);
            (node.above, node.indent) = (above, 1);
            self.push(-1, node)?;
            self.at += 1;
            self.value(rest);
        } else {
            self.document()?;
            self.close(0, false);
            self.at += 1;
            self.end_document();
            self.pop_to(1);
        }
        self.pending = self.at;
        Ok(())
    }

    /// The lines behind the last node of a document are its own.
    fn end_document(&mut self) {
        let (column, node) = self.top();
        let bare = node.children.is_empty() && node.shape == Shape::Open && node.opener != Opener::Stream;
        let beside = if bare { *column } else { column + node.indent };
        let lines = self.lines_beside(self.pending, self.at, beside);
        let node = &mut self.top_mut().1;
        if bare { node.more.extend(lines) } else { node.below.extend(lines) }
    }

    /// Opens a document where the text starts without `---`.
    fn document(&mut self) -> Result<(), Error> {
        if self.open.len() > 1 {
            return Ok(());
        }
        let mut node = Node::new(self.at + 1, Opener::Document { marker: false }, "", End::Missing);
        node.indent = 1;
        self.push(-1, node)
    }

    fn push(&mut self, column: isize, node: Node<'a>) -> Result<(), Error> {
        if self.open.len() > MAX_DEPTH + 1 {
            let place = Place { line: node.line, column: column.unsigned_abs() + 1 };
            let what = format!("nested more than {MAX_DEPTH} levels deep");
            let help = "no configuration needs that much; is this file what it should be?";
            return Err(self.source.error(&what, place).help(help));
        }
        if let Some((parent, above)) = self.open.last_mut() {
            above.indent = column - *parent;
        }
        self.open.push((column, node));
        Ok(())
    }

    /// Closes every node that cannot hold a line at `column`, and gives them the comments that end their blocks.
    ///
    /// An item may stand at the column of the key that holds it (YAML 1.2.2 §8.2.2).
    fn close(&mut self, column: isize, item: bool) {
        let holds = |at: isize, node: &Node| at < column || (item && at == column && matches!(node.opener, Opener::Key(_)));
        let first = self.open.iter().rposition(|(at, node)| holds(*at, node)).map_or(1, |at| at + 1);
        self.end_blocks(first, column);
        self.pop_to(first);
    }

    fn pop_to(&mut self, length: usize) {
        while self.open.len() > length.max(1) {
            if let Some((_, node)) = self.open.pop() {
                self.top_mut().1.children.push(node);
            }
        }
    }

    /// Hands pending comments that stand deeper than `column` to the blocks that end here, innermost first. The first
    /// comment that is not deeper, and all behind it, belong to what follows.
    fn end_blocks(&mut self, first: usize, column: isize) {
        let comment = |at: usize| comment_column(self.source.lines[at].0);
        let deeper = (self.pending..self.at).take_while(|&at| comment(at).is_none_or(|stands| stands > column));
        let found: Vec<_> = deeper.filter_map(|at| Some((at, comment(at)?))).collect();
        let mut owner = self.open.len();
        for (at, stands) in found {
            let Some(block) = self.block_for(stands, first, owner) else { return };
            owner = block + 1;
            self.give_below(block, at + 1, stands);
        }
    }

    /// The innermost open node below `owner` whose block a comment at column `stands` can end; else the outermost.
    fn block_for(&self, stands: isize, first: usize, owner: usize) -> Option<usize> {
        let blocks = || (first..owner).rev().filter(|&at| self.has_block(at));
        blocks().find(|&at| self.block_column(at) <= stands).or_else(|| blocks().last())
    }

    /// Whether deeper comments can belong to a node: everything but what is carried whole.
    fn has_block(&self, at: usize) -> bool {
        self.open[at].1.opener != Opener::Opaque
    }

    /// Where comments start to belong to the block of a node: at its children, but always right of itself.
    fn block_column(&self, at: usize) -> isize {
        let (column, node) = &self.open[at];
        let has_children = at + 1 < self.open.len() || !node.children.is_empty();
        if has_children { (column + node.indent).max(column + 1) } else { column + 1 }
    }

    fn give_below(&mut self, owner: usize, end: usize, stands: isize) {
        let leaf = owner + 1 == self.open.len() && self.open[owner].1.children.is_empty();
        let (column, node) = &mut self.open[owner];
        if leaf && node.below.is_empty() {
            node.indent = stands - *column;
        }
        let base = *column + node.indent;
        let lines = self.lines_beside(self.pending, end, base);
        self.open[owner].1.below.extend(lines);
        self.pending = end;
    }

    /// The pending lines, as comments above a node at `column`. The head of a document, up to the last blank line
    /// before its first node, is the document's.
    fn take_above(&mut self, column: isize) -> Vec<Line<'a>> {
        let starts_document = matches!(self.top().1.opener, Opener::Document { .. }) && self.top().1.children.is_empty();
        if starts_document && self.top().1.shape == Shape::Open {
            let blank = (self.pending..self.at).rev().find(|&at| self.text(at).trim().is_empty());
            let head = blank.map_or(self.pending, |at| at + 1);
            let lines = self.lines_beside(self.pending, head, self.top().0);
            self.top_mut().1.more.extend(lines);
            self.pending = head;
        }
        let lines = self.lines_beside(self.pending, self.at, column);
        self.pending = self.at;
        lines
    }

    fn finish(mut self) -> Result<Reading<'a>, Error> {
        if self.pending < self.at && self.open[0].1.children.is_empty() {
            self.document()?;
        }
        self.close(0, false);
        self.end_document();
        self.pop_to(1);
        let stream = self.open.swap_remove(0).1;
        Ok(Reading { stream, view: self.view })
    }

    fn lines_beside(&self, from: usize, to: usize, column: isize) -> Vec<Line<'a>> {
        self.source.lines[from..to].iter().map(|&line| comment(line, column)).collect()
    }

    fn text(&self, at: usize) -> &'a str {
        self.source.lines[at].0
    }

    fn top(&self) -> &(isize, Node<'a>) {
        &self.open[self.open.len() - 1]
    }

    fn top_mut(&mut self) -> &mut (isize, Node<'a>) {
        let last = self.open.len() - 1;
        &mut self.open[last]
    }
}

/// What a line opens.
enum Open<'a> {
    Key(&'a str, &'a str),
    /// What follows the dash, and how far behind it a child opens on the same line.
    Item { rest: &'a str, child: Option<usize> },
    Opaque(&'a str),
}

impl<'a> Open<'a> {
    /// The opener, the rest of the line that is its own, and the child on the same line with its distance.
    fn parts(self) -> (Opener<'a>, &'a str, Option<(isize, Open<'a>)>) {
        match self {
            Open::Key(key, rest) => (Opener::Key(key.into()), rest, None),
            Open::Opaque(text) => (Opener::Opaque, text, None),
            Open::Item { rest, child: None } => (Opener::Item { joined: false }, rest, None),
            Open::Item { rest, child: Some(gap) } => {
                let child = opener(&rest[gap..]).map(|child| (isize::try_from(gap).unwrap_or(0), child));
                (Opener::Item { joined: child.is_some() }, if child.is_some() { "" } else { rest }, child)
            }
        }
    }
}

fn opener(content: &str) -> Option<Open<'_>> {
    if is_item(content) {
        let rest = &content[1..];
        let inner = rest.trim_start_matches(' ');
        let opens = is_item(inner) || opens_with(inner, b'?') || scan::key_and_rest(inner).is_some();
        return Some(Open::Item { rest, child: opens.then(|| rest.len() - inner.len()) });
    }
    if opens_with(content, b'?') {
        return Some(Open::Opaque(content));
    }
    scan::key_and_rest(content).filter(|(key, _)| !key.starts_with('\t')).map(|(key, rest)| Open::Key(key, rest))
}

fn is_item(content: &str) -> bool {
    opens_with(content, b'-')
}

/// Whether `content` starts with an indicator that white space or the end of the line follows.
fn opens_with(content: &str, indicator: u8) -> bool {
    let bytes = content.as_bytes();
    bytes.first() == Some(&indicator) && matches!(bytes.get(1), None | Some(b' ' | b'\t'))
}

enum Marker<'a> {
    /// `---` and what follows it.
    Start(&'a str),
    End,
}

/// `---` or `...` at the start of a line, white space or its end behind (YAML 1.2.2 §9.1.2).
fn document_marker(text: &str) -> Option<Marker<'_>> {
    let rest = text.get(3..).filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))?;
    match &text[..3] {
        "---" => Some(Marker::Start(rest)),
        "..." => Some(Marker::End),
        _ => None,
    }
}

/// The column of the first character that is not a space, and the text from there.
fn split_indent(text: &str) -> (isize, &str) {
    let content = text.trim_start_matches(' ');
    (isize::try_from(text.len() - content.len()).unwrap_or(isize::MAX), content)
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// The column of a line that is a comment. A tab may stand before it (YAML 1.2.2 §6.6).
fn comment_column(text: &str) -> Option<isize> {
    let (column, content) = split_indent(text);
    content.trim_start_matches([' ', '\t']).starts_with('#').then_some(column)
}

/// A line between nodes, beside a node at `column`.
fn comment((text, end): (&str, End), column: isize) -> Line<'_> {
    match split_indent(text) {
        (_, content) if is_blank(content) => Line::Blank(text, end),
        (0, content) if column > 0 => Line::Text(Offset::Margin, content.into(), end),
        (stands, content) => Line::Text(Offset::Beside(stands - column), content.into(), end),
    }
}

/// A further line of the value of a node at `column`.
fn continuation((text, end): (&str, End), column: isize) -> Line<'_> {
    match split_indent(text) {
        (_, content) if is_blank(content) => Line::Blank(text, end),
        (stands, content) => Line::Text(Offset::Beside(stands - column), content.into(), end),
    }
}
