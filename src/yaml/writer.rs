//! Tree → text: adds the columns up and puts the lines out again.
//!
//! Two things are looked after here because only the order of lines shows them: a blank line behind a block scalar must
//! not look like more of its content, and a line that had no end gets one when another follows. Where comments have room
//! was settled before ([`normalise`](crate::yaml::gap::normal::normalise)).

mod values;

use self::values::Text;
use crate::text::scan::behind_marker;
use crate::text::source::End;
use crate::yaml::limits::is_too_long;
use crate::yaml::tree::{Explicit, ExplicitValue, Line, Node, Offset, Opener, Origin, Shape};

/// A tree as text.
pub(crate) struct Written {
    pub(crate) text: String,
    /// The lines of the outermost nodes that came from the update, in their order, from 1.
    pub(crate) added: Vec<usize>,
    /// The text that the last line is of: its line break is a part of a value.
    ends_in: Option<Text>,
}

/// Writes the stream node of a file. `common` is how new lines end.
pub(crate) fn write(stream: &Node<'_>, bom: bool, common: &'static str) -> Written {
    write_into(String::new(), stream, bom, common)
}

/// The same for a text of about this length.
pub(crate) fn write_long(stream: &Node<'_>, length: usize, bom: bool, common: &'static str) -> Written {
    write_into(String::with_capacity(length), stream, bom, common)
}

fn write_into(out: String, stream: &Node<'_>, bom: bool, common: &'static str) -> Written {
    let mut writer = Writer {
        out,
        common,
        missing: false,
        no_line: None,
        text: None,
        scalar: None,
        is_behind_empty_key: false,
        line: 1,
        added: Vec::new(),
        inside: false,
    };
    if bom {
        writer.out.push('\u{feff}');
    }
    for document in &stream.children {
        writer.document(document);
    }
    writer.lines(&stream.below, -1);
    writer.finish()
}

/// The block scalar that the last line written belongs to.
#[derive(Clone, Copy)]
struct Scalar {
    /// The column of its content: what stands as deep would be more of it.
    column: i32,
    /// Whether it keeps the blank lines behind it as its own.
    keep: bool,
    /// Whether it is a key behind `?`, which has all blank lines behind it, also those that no scalar in it can have.
    key: bool,
    /// Whether nothing stands behind its header yet, and of a text that keeps blank lines nothing but these: the reference
    /// parser takes a tab there for indentation.
    bare: bool,
}

struct Writer {
    out: String,
    common: &'static str,
    /// Whether the last line written had no end.
    missing: bool,
    /// Where blanks without an end start that are behind a scalar which would take them for a line if they had one.
    no_line: Option<usize>,
    scalar: Option<Scalar>,
    /// Whether the last node written is a `?` alone, behind which a tab is taken for indentation by all parsers.
    is_behind_empty_key: bool,
    /// The text that the last line written is of.
    text: Option<Text>,
    /// The line that is written to, from 1.
    line: usize,
    added: Vec<usize>,
    /// Whether what is written is inside of a node that was added.
    inside: bool,
}

impl Writer {
    fn document(&mut self, node: &Node<'_>) {
        self.is_behind_empty_key = false;
        self.lines(&node.above, -1);
        let mut outermost = node.marker().is_some_and(|marker| self.marker(marker, node));
        let is_open = node.shape == Shape::Open;
        if is_open {
            // An anchor or a tag on a line of its own.
            self.value(node, -1);
        }
        self.lines(node.header(), -1);
        if node.marker().is_none() && (!is_open || !node.children.is_empty()) {
            outermost = self.enter_below(node, node.children.first().map_or(0, |first| first.above.len()));
        }
        if !is_open {
            self.value(node, -1);
        }
        self.children(node, if has_marker_at_margin(node) { 0 } else { -1 });
        self.lines(node.document().map_or(&[], |document| document.end.as_slice()), -1);
        self.inside &= !outermost;
    }

    /// The `---` of a document, with what stands on its line; whether the document is not inside of a node that was added.
    fn marker(&mut self, marker: &str, node: &Node<'_>) -> bool {
        self.scalar = None;
        self.start(0);
        let outermost = self.enter(node);
        // At the start of a file its own byte-order mark is that of the marker, too.
        let starts_file = self.out == "\u{feff}";
        self.out.push_str(if starts_file { marker.trim_start_matches('\u{feff}') } else { marker });
        self.out.push_str(&node.value_text);
        self.end(node.end);
        outermost
    }

    /// A node with what stands above it.
    fn node(&mut self, node: &Node<'_>, column: i32) {
        self.lines(&node.above, column);
        self.scalar = None;
        self.is_behind_empty_key = false;
        self.start(column);
        self.opened(node, column);
    }

    /// Everything of a node from its opener on; its column is reached already.
    fn opened(&mut self, node: &Node<'_>, column: i32) {
        let outermost = self.enter(node);
        self.whole(node, column);
        self.inside &= !outermost;
    }

    /// Remembers the line of a node that came from the update, unless it is inside of one; whether it is not.
    fn enter(&mut self, node: &Node<'_>) -> bool {
        self.enter_below(node, 0)
    }

    /// The same for a node that is told by a line further below.
    fn enter_below(&mut self, node: &Node<'_>, lines: usize) -> bool {
        let outermost = node.origin == Origin::Update && !self.inside;
        if outermost {
            self.added.push(self.line + usize::from(self.missing) + lines);
            self.inside = true;
        }
        outermost
    }

    fn whole(&mut self, node: &Node<'_>, column: i32) {
        match &node.opener {
            Opener::Key(text) => self.key(text, column),
            Opener::Item { joined: true } if !node.children.is_empty() => return self.joined('-', node, column),
            Opener::Item { .. } => self.out.push('-'),
            Opener::Explicit(key) => return self.explicit(key, node, column),
            Opener::Document(_) | Opener::Stream | Opener::CommentedOut { .. } => {}
        }
        self.out.push_str(&node.value_text);
        self.end(node.end);
        self.value(node, column);
        self.children(node, column);
    }

    /// A key up to its colon. Where that is too far away for programs to find it, the key stands behind `?`.
    fn key(&mut self, key: &str, column: i32) {
        if is_too_long(key) {
            self.out.push_str("? ");
            self.out.push_str(key);
            self.end(End::Common);
            self.start(column);
        } else {
            self.out.push_str(key);
        }
        self.out.push(':');
    }

    /// A key behind `?`, and its value where it has one. A first child that needs lines of its own above it, or more
    /// room than there is, does not share the line of the `:`.
    fn explicit(&mut self, key: &Explicit<'_>, node: &Node<'_>, column: i32) {
        let header = self.key_lines(key, column);
        if has_no_colon(node) {
            self.is_behind_empty_key = key.is_bare();
            self.text =
                (key.lines.len() > 1).then_some(Text { header, unbroken: key.unbroken.map(|key| key.chomping) });
            // The key may end with a block scalar, and has all blank lines that can be that one's.
            let inner = column.saturating_add(key.most_blanks());
            self.scalar = Some(Scalar { column: inner, keep: true, key: true, bare: key.ends_with_empty_text() });
            return self.lines(&node.below, column + node.indent);
        }
        self.start(column);
        let joins = key.value == ExplicitValue::Joined && node.indent > 1;
        if joins && node.children.first().is_some_and(|child| child.above.is_empty()) {
            return self.joined(':', node, column);
        }
        self.out.push(':');
        self.out.push_str(&node.value_text);
        self.end(node.end);
        self.value(node, column);
        self.children(node, column);
    }

    fn joined(&mut self, indicator: char, node: &Node<'_>, column: i32) {
        self.out.push(indicator);
        self.indent(node.indent - 1);
        let inner = column + node.indent;
        for (at, child) in node.children.iter().enumerate() {
            if at == 0 { self.opened(child, inner) } else { self.node(child, inner) }
        }
        self.below(node, inner);
    }

    fn children(&mut self, node: &Node<'_>, column: i32) {
        for (at, child) in node.children.iter().enumerate() {
            self.node(child, column + node.indent);
            if has_no_colon(child)
                && node.children.get(at + 1).is_some_and(|next| next.opener == Opener::Key("".into()))
            {
                // The colon of an empty key would be that of this one.
                self.text(Offset::Beside(0), column + node.indent, ":", End::Common);
            }
        }
        self.below(node, column + node.indent);
    }

    /// The comments that end a block whose children stand at `column`.
    fn below(&mut self, node: &Node<'_>, column: i32) {
        self.lines(&node.below, column);
    }

    /// Lines between nodes.
    fn lines(&mut self, lines: &[Line<'_>], column: i32) {
        for line in lines {
            self.line(line, column);
        }
    }

    fn line(&mut self, line: &Line<'_>, column: i32) {
        match line {
            Line::Blank(text, end) => self.blank(text, *end),
            Line::Text(offset, text, end) => self.comment(*offset, column, text, *end),
        }
    }

    /// A blank line. Behind a scalar that keeps such lines it would be text, and so would one that is too long.
    fn blank(&mut self, text: &str, end: End) {
        if self.is_behind_empty_key && text.contains('\t') {
            return self.raw("", end);
        }
        let Some(scalar) = &mut self.scalar else { return self.raw(text, end) };
        let Scalar { column, keep, key, bare, .. } = *scalar;
        let column = length(column);
        let has_tab = text.bytes().position(|byte| byte == b'\t').is_some_and(|tab| tab < column);
        if has_tab && !key && !(bare && keep) {
            // Left of the text a tab ends it. Where there is none yet it would be that.
            if bare {
                return self.raw("", end);
            }
            self.scalar = None;
            return self.raw(text, end);
        }
        if keep && (end != End::Missing || has_tab) {
            return;
        }
        scalar.bare = false;
        let start = self.out.len();
        self.raw(&text[..text.len().min(column)], end);
        if keep {
            self.no_line = Some(start);
        }
    }

    /// A comment, which ends a block scalar above it.
    fn comment(&mut self, offset: Offset, column: i32, text: &str, end: End) {
        let is_bare = self.scalar.take().is_some_and(|scalar| scalar.bare);
        let text = if is_bare || self.is_behind_empty_key { text.trim_start_matches('\t') } else { text };
        self.text(offset, column, text, end);
    }

    fn text(&mut self, offset: Offset, column: i32, text: &str, end: End) {
        self.start(match offset {
            Offset::Beside(by) => column + by,
            Offset::Margin | Offset::CommentedOut(_) => 0,
        });
        self.out.push_str(text);
        self.end(end);
    }

    fn raw(&mut self, text: &str, end: End) {
        self.start(0);
        self.out.push_str(text);
        self.end(end);
    }

    fn start(&mut self, column: i32) {
        self.text = None;
        if let Some(start) = self.no_line.take() {
            self.out.truncate(start);
            self.missing = false;
        }
        if std::mem::take(&mut self.missing) {
            self.out.push_str(self.common);
            self.line += 1;
        }
        self.indent(column);
    }

    fn indent(&mut self, columns: i32) {
        const BLANKS: &str = "                                ";
        let columns = length(columns);
        self.out.extend(std::iter::repeat_n(BLANKS, columns / BLANKS.len()));
        self.out.push_str(BLANKS.get(..columns % BLANKS.len()).unwrap_or_default());
    }

    fn end(&mut self, end: End) {
        self.missing = end == End::Missing;
        if !self.missing {
            self.line += 1;
            let text = end.text(self.common);
            // With the end of the line before, that of an empty line would make one end.
            self.out.push_str(if text == "\n" && self.out.ends_with('\r') { "\r" } else { text });
        }
    }
}

/// Whether a key of a document would be read as a marker where it stands: `--- a: 1` is a key one column further right.
fn has_marker_at_margin(document: &Node<'_>) -> bool {
    let is_marker =
        |key: &str| ["---", "..."].iter().any(|marker| key.len() > 3 && behind_marker(key, marker).is_some());
    let is_key = |child: &Node<'_>| matches!(&child.opener, Opener::Key(key) if is_marker(key));
    document.indent == 1 && document.children.iter().any(|child| is_key(child))
}

/// Whether a node is a key behind `?` without a value, so that there is no `:`.
fn has_no_colon(node: &Node<'_>) -> bool {
    let missing = |key: &Explicit<'_>| key.value == ExplicitValue::Missing && node.children.is_empty();
    matches!(&node.opener, Opener::Explicit(key) if missing(key))
}

fn length(column: i32) -> usize {
    usize::try_from(column).unwrap_or(0)
}

#[cfg(test)]
mod tests;
