//! Text → tree, line by line.
//!
//! The reader looks at how a line starts and how far it is indented, keeps the rest as text, and never judges: what is
//! wrong YAML is refused by the reference parser, and what this reader misunderstands is found when both trees are
//! compared. It keeps a stack of the nodes that are still open; a line closes those that stand as far right as it does.
//!
//! Left out on purpose: the inside of flow collections and of `? explicit keys`, which are carried as text.

mod explicit;
mod gaps;
mod lines;
mod values;

use self::lines::{Marker, Open, comment, document_marker, opener, opens};
use crate::text::error::{Error, Place};
use crate::text::scan::{self, Unbroken, is_blank, split_indent};
use crate::text::source::{End, Source};
use crate::yaml::document::is_comments_alone;
use crate::yaml::gap::{After, GapLine, Owner};
use crate::yaml::limits::MAX_DEPTH;
use crate::yaml::mistakes::{self, TAB};
use crate::yaml::tree::{Line, Node, Opener, Shape};
use crate::yaml::view::View;

/// A file as the reader understood it.
#[derive(Debug)]
pub(crate) struct Reading<'a> {
    /// The stream node; its children are the documents.
    pub(crate) stream: Node<'a>,
    /// Where the text has to look different for the reference parser to read it.
    pub(crate) view: View,
    /// The header of a text that ends the file without a line break.
    pub(crate) unbroken: Option<Unbroken>,
}

/// Reads a whole file.
pub(crate) fn read<'a>(source: &Source<'a>) -> Result<Reading<'a>, Error> {
    read_inside(source, 0)
}

/// Reads a file, or the key of one that stands in so many keys.
fn read_inside<'a>(source: &Source<'a>, keys: usize) -> Result<Reading<'a>, Error> {
    let mut reader = Reader {
        source,
        at: 0,
        pending: 0,
        behind_directives: 0,
        open: Vec::new(),
        closed: Vec::new(),
        gap: Vec::new(),
        closing: Vec::new(),
        view: View::default(),
        unbroken: None,
        keys,
    };
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
    /// The line behind the last directive.
    behind_directives: usize,
    /// The nodes that are still open, outermost first.
    open: Vec<Opened<'a>>,
    /// Those that are closed and whose parents are not. A node gets its children when it closes, all at once, so that
    /// no room is left over for more.
    closed: Vec<Box<Node<'a>>>,
    /// Room for the lines of one gap, and for the columns of the blocks that close in it.
    gap: Vec<GapLine<'a>>,
    closing: Vec<i32>,
    view: View,
    unbroken: Option<Unbroken>,
    /// How many keys behind `?` this text is inside of.
    keys: usize,
}

/// A node that is still open.
struct Opened<'a> {
    column: i32,
    /// In a box from the start: nodes lie in memory in the order in which they are written, and are later read.
    node: Box<Node<'a>>,
    /// Where its children start among the closed nodes.
    first: usize,
}

impl<'a> Reader<'a, '_> {
    fn line(&mut self) -> Result<(), Error> {
        let (text, end) = self.source.lines.at(self.at);
        let (column, content) = split_indent(text);
        if self.at == 0 && text.starts_with('\u{feff}') {
            // The file's own is not part of the line: this is a second one, which other parsers take for text.
            Err(self.inner_mark())
        } else if is_blank(content) || scan::is_comment(content) {
            self.at += 1;
            Ok(())
        } else if self.is_directive(text) {
            self.at += 1;
            self.behind_directives = self.at;
            Ok(())
        } else if let Some(marker) = document_marker(text) {
            self.marker(&marker)
        } else if content.trim_start_matches('\t').starts_with('\u{feff}') {
            Err(self.inner_mark())
        } else {
            self.content(column, (content, end))
        }
    }

    /// Whether a `%` at column 0 starts a directive: only where no document is open. It stays with the lines over `---`.
    fn is_directive(&self, text: &str) -> bool {
        text.starts_with('%') && self.open.len() == 1
    }

    fn content(&mut self, column: i32, (content, end): (&'a str, End)) -> Result<(), Error> {
        let opens = opener(content);
        let by_tab = opens.is_none() && content.starts_with('\t');
        if by_tab && (opener(content.trim_start_matches('\t')).is_some() || self.waits_at(column)) {
            return Err(self.tab(self.at, column));
        }
        self.document()?;
        if opens.is_some() && !self.has_children() {
            self.top_mut().node.put_header_below_properties();
        }
        let first = match opens {
            Some(Open::Item { .. }) => self.first_closed_by_item(column),
            _ => self.first_closed(column),
        };
        self.close(first, if opens.is_some() { After::Node } else { After::Value });
        match opens {
            Some(open) => self.open_all(column, open, end),
            None => self.value_line(content),
        }
    }

    /// Whether the innermost node has no value yet, and a line at `column` is not deep enough to be it.
    fn waits_at(&self, column: i32) -> bool {
        self.top().column >= column && self.top().node.shape == Shape::Open && !self.has_children()
    }

    /// A block cannot start on the line of a key (YAML 1.2.2 §8.2.2); where there is no key the reference parser lets it.
    fn no_key(&self, column: i32) -> Error {
        let place = Place { line: self.at + 1, column: column.unsigned_abs() as usize + 1 };
        self.source.error("a colon that does not belong here", place).help("is there a key missing before it?")
    }

    fn inner_mark(&self) -> Error {
        let before = self.text(self.at).chars().take_while(|c| *c != '\u{feff}').count();
        let place = Place { line: self.at + 1, column: before + 1 };
        let what = "a byte-order mark inside of the file";
        self.source.error(what, place).help("take it out, or put `---` behind it: it is left where files were joined")
    }

    fn tab(&self, at: usize, column: i32) -> Error {
        let place = Place { line: at + 1, column: column.unsigned_abs() as usize + 1 };
        self.source.error(TAB.0, place).help(TAB.1)
    }

    /// Opens the nodes of one line: `- - key: value` opens three.
    fn open_all(&mut self, mut column: i32, mut open: Open<'a>, end: End) -> Result<(), Error> {
        let mut above = self.take_pending(column);
        loop {
            let (opener, rest, inner) = open.parts();
            if matches!(&opener, Opener::Key(key) if key.is_empty()) && opens(rest.trim_start()) {
                return Err(self.no_key(column));
            }
            let mut node = Node::new(self.at + 1, opener, rest, end);
            node.above = std::mem::take(&mut above);
            self.push(column, node)?;
            self.view_tabs(self.at, rest);
            let Some((gap, next)) = inner else {
                self.at += 1;
                if matches!(self.top().node.opener, Opener::Explicit(_)) {
                    return self.explicit();
                }
                self.value(rest)?;
                self.pending = self.at;
                return Ok(());
            };
            column += 1 + gap;
            open = next;
        }
    }

    /// A tab may stand between an indicator and what follows it (YAML 1.2.2 §6.1), but not for the reference parser.
    fn view_tabs(&mut self, line: usize, rest: &str) {
        let blanks = rest.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if rest.as_bytes()[..blanks].contains(&b'\t')
            && matches!(self.top().node.opener, Opener::Key(_) | Opener::Explicit(_))
        {
            let start = self.text(line).len() - rest.len();
            self.view.spaces(line, start..start + blanks);
        }
    }

    /// A line that opens nothing continues the node above it: a value on its own line.
    fn value_line(&mut self, content: &'a str) -> Result<(), Error> {
        if self.top().node.can_have_header() && self.top().node.continuation.is_empty() {
            self.give_header(self.at);
        }
        self.take_more(self.pending, self.at + 1);
        self.value(content)?;
        self.pending = self.at;
        Ok(())
    }

    /// `---` opens a document, `...` closes one.
    fn marker(&mut self, marker: &Marker<'a>) -> Result<(), Error> {
        let end = self.source.lines.at(self.at).1;
        if let Marker::Start(marker, rest) = *marker {
            let above = if self.close_all(After::DocumentStart) == Owner::Prefix {
                self.take_pending(-1)
            } else {
                self.end_document();
                Vec::new()
            };
            self.pop_to(1);
            let mut node = Node::new(self.at + 1, Opener::document(Some(marker)), rest, end);
            (node.above, node.indent) = (above, 1);
            self.push(-1, node)?;
            self.at += 1;
            self.value(rest)?;
        } else {
            self.document()?;
            self.close_all(After::DocumentEnd);
            self.end_document();
            let end_marker = comment(self.source.lines.at(self.at), -1);
            if let Some(document) = self.top_mut().node.document_mut() {
                document.end = Some(end_marker);
            }
            self.at += 1;
            self.pop_to(1);
        }
        self.pending = self.at;
        Ok(())
    }

    /// Opens a document where the text starts without `---`.
    fn document(&mut self) -> Result<(), Error> {
        if self.open.len() > 1 {
            return Ok(());
        }
        let mut node = Node::new(self.at + 1, Opener::document(None), "", End::Missing);
        node.indent = 1;
        self.push(-1, node)
    }

    fn push(&mut self, column: i32, node: Node<'a>) -> Result<(), Error> {
        if self.open.len() > MAX_DEPTH + 1 {
            let place = Place { line: node.line(), column: column.unsigned_abs() as usize + 1 };
            return Err(mistakes::too_deep(self.source, place));
        }
        if let Some(parent) = self.open.last_mut() {
            parent.node.indent = column - parent.column;
        }
        self.open.push(Opened { column, node: Box::new(node), first: self.closed.len() });
        Ok(())
    }

    /// The first open node that cannot hold an item at `column`.
    ///
    /// An item may stand at the column of the key that holds it (YAML 1.2.2 §8.2.2).
    fn first_closed_by_item(&self, column: i32) -> usize {
        let is_key = |node: &Node<'_>| matches!(node.opener, Opener::Key(_) | Opener::Explicit(_));
        self.first_not(|open| open.column < column || (open.column == column && is_key(&open.node)))
    }

    /// The first open node that cannot hold a line at `column` that is no item.
    fn first_closed(&self, column: i32) -> usize {
        self.first_not(|open| open.column < column)
    }

    /// The open node behind the last one that holds what comes next.
    fn first_not(&self, holds: impl Fn(&Opened<'_>) -> bool) -> usize {
        self.open.iter().rposition(holds).map_or(1, |at| at + 1)
    }

    /// Closes the nodes from `first` on, and gives the lines before what comes next to their owners; the last of these.
    fn close(&mut self, first: usize, after: After) -> Owner {
        let last = self.give(first, after);
        self.pop_to(first);
        last
    }

    /// Closes all nodes of a document.
    fn close_all(&mut self, after: After) -> Owner {
        self.close(self.first_closed(0), after)
    }

    fn pop_to(&mut self, length: usize) {
        while self.open.len() > length.max(1) {
            if let Some(Opened { mut node, first, .. }) = self.open.pop() {
                node.children = self.closed.split_off(first);
                self.closed.push(node);
            }
        }
    }

    /// The pending lines, as lines above a node at `column`.
    fn take_pending(&mut self, column: i32) -> Vec<Line<'a>> {
        let lines = self.lines_beside(self.pending, self.at, column);
        self.pending = self.at;
        lines
    }

    fn finish(mut self) -> Result<Reading<'a>, Error> {
        if self.pending < self.at && self.closed.is_empty() {
            self.document()?;
        }
        self.close_all(After::FileEnd);
        self.end_document();
        self.pop_to(1);
        let mut stream = Node { children: self.closed, ..*self.open.swap_remove(0).node };
        fold_comments(&mut stream);
        Ok(Reading { stream, view: self.view, unbroken: self.unbroken })
    }

    fn lines_beside(&self, from: usize, to: usize, column: i32) -> Vec<Line<'a>> {
        self.source.lines.within(from..to).map(|line| comment(line, column)).collect()
    }

    fn text(&self, at: usize) -> &'a str {
        self.source.lines.at(at).0
    }

    /// Whether the innermost open node has a child.
    fn has_children(&self) -> bool {
        self.closed.len() > self.top().first
    }

    fn top(&self) -> &Opened<'a> {
        &self.open[self.open.len() - 1]
    }

    fn top_mut(&mut self) -> &mut Opened<'a> {
        let last = self.open.len() - 1;
        &mut self.open[last]
    }
}

/// Comments that `...` closes stand over the document behind them, or else end the file; where there is no document, they are one.
fn fold_comments(stream: &mut Node<'_>) {
    if stream.children.iter().all(|document| is_comments_alone(document)) {
        return;
    }
    let mut before = Vec::new();
    for mut document in std::mem::take(&mut stream.children) {
        if is_comments_alone(&document) {
            before.append(&mut document.above);
            if let Some(document) = document.document_mut() {
                before.append(&mut document.header);
                before.extend(document.end.take());
            }
        } else {
            document.above.splice(0..0, before.drain(..));
            stream.children.push(document);
        }
    }
    stream.below.change(|below| drop(below.splice(0..0, before)));
}
