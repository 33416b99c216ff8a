//! Whose a comment is.
//!
//! A *gap* is the run of blank lines and comments between two neighbouring lines that open something: a key, an item, a
//! value on a line of its own, a directive, `---`, `...`, or the start or end of the file. Who owns its lines follows from
//! what stands around it ([`Neighbourhood`]) and from their columns alone, so it can be asked of a file that was read and of
//! one that is about to be written alike. Nothing here knows merges or files, and of a tree only what a node ends with.
//!
//! ```yaml
//! # the head of the file, up to a blank line         Header
//!
//! # right above its key                               Lead
//! a:
//!
//!                                                     Separator: the blank lines before any comment
//!   b: 1
//!   # deeper than the next key: ends the block of a   End
//!
//! # not deeper, so it is about the next key           Lead
//! c: 1
//! # behind the last key                               Footer
//! ```
//!
//! Each owner has one *chunk*, in the order of [`Owner`], and the chunks one after the other are the gap again: `join` only
//! concatenates. The *normal form* of chunks says what a chunk may look like whatever the others are, so that chunks of two
//! files can stand together and are read back as they were put there:
//!
//! * A separator is blank lines. Any other chunk is empty or starts with a comment; blank lines belong to the chunk above.
//! * The first comment of a chunk stands in the *room* of its owner: for the end of a block at its leftmost column or
//!   deeper, and left of those of all deeper blocks that close; left of a text directly before the gap. Later comments stand
//!   at that leftmost column or deeper. An owner without room has no chunk.
//! * A header ends with a blank line, and behind it the lead of the first node has none.
//!
//! Corners, found out by the laws in `gap/tests`:
//!
//! * A block scalar directly before the gap limits the columns of first comments alone; a key behind `?` that has no value
//!   limits those of all comments, for whatever stands right of it, even below other comments, is more of the key. All blank
//!   lines directly behind such a key are its own.
//! * A blank line with a tab left of its text ends a block scalar: behind a separator with one, no column is limited.
//! * Behind a text that keeps blank lines one can still stand: without an end, as the last line of the file. It is the
//!   whole gap then. In this and in the rule before, what a chunk may be depends on the separator, and nowhere else.
//! * Ends of lines never say whose a line is. Where a last line without one comes to stand before another, the writer adds
//!   it; so it does where a lone `\r` and a `\n` would become one end.
//! * A byte-order mark before a comment, as can stand between documents, is a part of its text.
//! * Only a text that starts at column 0 (`--- |`) leaves nobody room. Else the last owner always has some, so chunks are
//!   only ever handed on downwards.
//! * An anchor or a tag on a line of its own below a `---` is of the marker: a header can stand below it.
//!
//! Left out: which comments are commented-out options, and what moves from one gap to another, as the prefix of a document
//! that loses its marker does.

pub(crate) mod normal;
#[cfg(test)]
mod tests;

use crate::text::scan::{self, split_indent};
use crate::text::source::End;

/// A blank line or a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GapLine<'a> {
    /// Where a comment stands; nothing for a blank line.
    pub(crate) column: Option<i32>,
    /// A comment from there on; a blank line whole.
    pub(crate) text: &'a str,
    pub(crate) end: End,
}

impl<'a> GapLine<'a> {
    /// A line of a file. A tab before a comment is part of its text (YAML 1.2.2 §6.6).
    pub(crate) fn new((line, end): (&'a str, End)) -> Self {
        match split_indent(line) {
            (column, text) if scan::is_comment(text) => Self { column: Some(column), text, end },
            _ => Self { column: None, text: line, end },
        }
    }

    fn is_blank(&self) -> bool {
        self.column.is_none()
    }
}

/// What a gap stands behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    FileStart,
    Directive,
    /// A `---` with no value on its line, also with an anchor or a tag, and a line of nothing but those.
    DocumentStart,
    /// A node, or a value.
    Content,
    /// A `...`.
    DocumentEnd,
}

/// What a gap stands before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// A `---`, or a directive over it.
    DocumentStart,
    /// A key or an item.
    Node,
    /// A value, an anchor or a tag on a line of its own.
    Value,
    /// A `...`.
    DocumentEnd,
    FileEnd,
}

/// What stands around a gap, as far as it says whose its lines are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Neighbourhood<'n> {
    pub(crate) before: Before,
    pub(crate) after: After,
    /// The blocks that close in the gap, the deepest first, by the leftmost column at which a comment is read as the end of
    /// each. These columns never grow.
    pub(crate) closed: &'n [i32],
}

/// Whose lines of a gap are, in the order in which they stand in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// Nobody's: the blank lines before the first comment.
    Separator,
    /// The end of a block that closes, by its place in [`Neighbourhood::closed`].
    End(usize),
    /// The document that starts here: what is set off from its first node by a blank line.
    Header,
    /// The node or value below.
    Lead,
    /// The document that ends here.
    Footer,
    /// The document that starts below, with its directives and its `---`.
    Prefix,
    /// The file: what stands behind its last `...`.
    Tail,
}

/// The lines of one owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chunk<'g, 'a> {
    pub(crate) owner: Owner,
    pub(crate) lines: &'g [GapLine<'a>],
}

impl Chunk<'_, '_> {
    /// How many blank lines it ends with.
    pub(crate) fn blanks_below(&self) -> usize {
        self.lines.iter().rev().take_while(|line| line.is_blank()).count()
    }

    /// Where its first comment stands.
    pub(crate) fn column(&self) -> Option<i32> {
        self.lines.iter().find_map(|line| line.column)
    }
}

impl Neighbourhood<'_> {
    /// Whether the first node of a document stands below, so that a header can stand above it.
    pub(crate) fn starts_document(&self) -> bool {
        self.after == After::Node && self.before != Before::Content
    }

    /// Who owns what no block that closes and no header does.
    pub(crate) fn last_owner(&self) -> Owner {
        match (self.before, self.after) {
            (_, After::Node | After::Value) => Owner::Lead,
            (Before::FileStart | Before::Directive | Before::DocumentEnd, After::DocumentStart) => Owner::Prefix,
            (Before::DocumentEnd, After::FileEnd) => Owner::Tail,
            _ => Owner::Footer,
        }
    }

    /// Whose block a comment ends, from the block on that the comment above it ended; behind all blocks for none.
    pub(crate) fn block_at(&self, column: i32, from: usize) -> usize {
        let open = self.closed.iter().skip(from);
        from + open.take_while(|leftmost| column < **leftmost).count()
    }

    fn owner_at(&self, block: usize) -> Owner {
        if block < self.closed.len() { Owner::End(block) } else { self.last_owner() }
    }
}

/// Says whose the lines of a gap are: the chunks that are not empty, in their order.
pub(crate) fn split<'g, 'a>(
    gap: &'g [GapLine<'a>],
    around: &Neighbourhood<'g>,
) -> impl Iterator<Item = Chunk<'g, 'a>> + use<'g, 'a> {
    let first = gap.iter().take_while(|line| line.is_blank()).count();
    let (separator, comments) = gap.split_at(first);
    let is_header = |line: &GapLine<'_>| line.is_blank() && around.starts_document();
    let (header, comments) = comments.split_at(comments.iter().rposition(is_header).map_or(0, |blank| blank + 1));
    let chunks = [(Owner::Separator, separator), (Owner::Header, header)];
    let chunks = chunks.into_iter().map(|(owner, lines)| Chunk { owner, lines });
    let around = if around.starts_document() { Neighbourhood { closed: &[], ..*around } } else { *around };
    chunks.filter(|chunk| !chunk.lines.is_empty()).chain(split_by_column(comments, around))
}

/// Gives each comment to the innermost block that it can end, never to a deeper one than the comment above it.
fn split_by_column<'g, 'a>(
    mut comments: &'g [GapLine<'a>],
    around: Neighbourhood<'g>,
) -> impl Iterator<Item = Chunk<'g, 'a>> {
    let mut block = 0;
    std::iter::from_fn(move || {
        block = around.block_at(comments.first()?.column?, block);
        let leaves = |line: &GapLine<'_>| line.column.is_some_and(|column| around.block_at(column, block) != block);
        let (lines, below) = comments.split_at(comments.iter().position(leaves).unwrap_or(comments.len()));
        comments = below;
        Some(Chunk { owner: around.owner_at(block), lines })
    })
}
