//! A file as a tree of lines: one [`Node`] per line that opens something.
//!
//! Columns are *relative*: a node knows how far its children stand to its right, and each comment or continuation line
//! keeps its distance from its node. So a subtree that moves re-indents nothing, and siblings at different columns
//! cannot even be said. What a value means is not here: `row` points into the [`Outline`](crate::yaml::outline::Outline)
//! that the reference parser made of the same text.
//!
//! Which comment belongs to whom:
//!
//! ```yaml
//! # the header of the file: set off by a blank line           Document::header
//!
//! # above its key, blank lines included                     a: above
//! a:
//!   b: 1
//!
//!   # ends the block: deeper than the next key              a: below
//! # so this is above the next key again                     c: above
//! c: {}
//!   # deeper than its key and than the next                 c: below
//! d: 1
//! # after the last node: the end of the file                Document::below
//! ```

mod document;
mod line;
mod seldom;

pub(crate) use self::document::Document;
pub(crate) use self::line::{BehindHash, Line, Offset, follow_block};
pub(crate) use self::seldom::Seldom;

use crate::text::piece::Piece;
use crate::text::scan::{self, Chomping, Unbroken};
use crate::text::source::End;
use crate::yaml::row::RowId;

/// What the line of a node opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Opener<'a> {
    /// The file.
    Stream,
    /// A document.
    Document(Box<Document<'a>>),
    /// A key as written, up to its colon.
    Key(Piece<'a>),
    /// An item of a block list; `joined` where its first child shares its line.
    Item { joined: bool },
    /// A key behind `?`, with its value behind `:` on a line of its own (YAML 1.2.2 §8.2.2).
    Explicit(Box<Explicit<'a>>),
    /// A key that is commented out, with its lines verbatim in its `continuation`; only while two files are merged. As one of several of
    /// its name in a map it may be an example.
    CommentedOut { is_one_of_several: bool },
}

/// A key that says that it is one, and so may be anything: text over several lines, a list, a map. What it is made of is
/// carried as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Explicit<'a> {
    /// From its `?` up to the line of its value.
    pub(crate) lines: Vec<Line<'a>>,
    pub(crate) value: ExplicitValue,
    /// The header of a text in it that ends the file without a line break.
    pub(crate) unbroken: Option<Unbroken>,
}

/// Where the value of an explicit key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExplicitValue {
    /// There is no `:`.
    Missing,
    /// Behind `:`, or below.
    Own,
    /// The first child shares the line of the `:`.
    Joined,
}

/// How a value is written, as far as its first characters tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Nothing behind the opener but a comment, an anchor or a tag: a block below, or no value at all.
    Open,
    /// A plain scalar, or an alias.
    Plain,
    /// A quoted scalar.
    Quoted,
    /// A literal or folded block scalar; `indent` is how far its content stands right of the node. `unbroken` is what its
    /// header says in a file that it ends without a line break: see [`chomping`](crate::yaml::chomping).
    Block { indent: i32, keep: bool, unbroken: Option<Chomping> },
    /// A flow collection; `empty` for `{}` and `[]`.
    Flow { empty: bool },
}

/// Which file a node came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) enum Origin {
    #[default]
    Current,
    Update,
}

/// The comments of a node in the base.
#[derive(Debug, Clone, Default)]
pub(crate) struct BaseComments<'a> {
    pub(crate) above: Vec<Line<'a>>,
    /// The header of a document.
    pub(crate) header: Vec<Line<'a>>,
    pub(crate) below: Vec<Line<'a>>,
}

impl<'a> BaseComments<'a> {
    pub(crate) fn of(node: &Node<'a>) -> Self {
        Self { above: node.above.clone(), header: node.header().to_vec(), below: node.below.to_vec() }
    }
}

/// The update's comments of a node that both files have, until it is decided whose stay.
#[derive(Debug, Clone, Default)]
pub(crate) struct UpdateComments<'a> {
    pub(crate) above: Vec<Line<'a>>,
    /// The header of a document.
    pub(crate) header: Vec<Line<'a>>,
    pub(crate) below: Vec<Line<'a>>,
    /// How far right `below` stands.
    pub(crate) indent: i32,
    /// Whether `below` is commented out in a key without a value, where the user has a list.
    pub(crate) is_in_empty_key: bool,
    /// Whether one of the files has the node commented out, and the other live.
    pub(crate) is_in_other_state: bool,
    /// What the base has around it, where there is a base that has the node.
    pub(crate) base: Option<Box<BaseComments<'a>>>,
}

/// One line that opens something, with all that belongs to it.
#[derive(Debug, Clone)]
pub(crate) struct Node<'a> {
    /// The line it was read from, from 1, in 32 bits: see [`Self::line`].
    pub(crate) line: u32,
    /// Blank and comment lines over it.
    pub(crate) above: Vec<Line<'a>>,
    pub(crate) opener: Opener<'a>,
    /// What follows the opener on its line, verbatim: value, anchor, tag, inline comment.
    pub(crate) value_text: Piece<'a>,
    /// How its line ends.
    pub(crate) end: End,
    /// Further lines of its value.
    pub(crate) continuation: Seldom<Line<'a>>,
    pub(crate) shape: Shape,
    /// How far all its children stand to its right; a document stands at column -1.
    pub(crate) indent: i32,
    pub(crate) children: Vec<Box<Node<'a>>>,
    /// Comments that end its block, beside its children.
    pub(crate) below: Seldom<Line<'a>>,
    /// What the update has around a node that both files have, where that is anything.
    pub(crate) update_comments: Option<Box<UpdateComments<'a>>>,
    /// What the reference parser calls it: a key's name with quotes and escapes resolved.
    pub(crate) name: Piece<'a>,
    /// The row of its value in the outline of its file. The stream has none, a document that holds nothing but comments, a
    /// key that is commented out, and what was not read from a file.
    pub(crate) row: Option<RowId>,
    pub(crate) origin: Origin,
    /// Whether both files have it.
    pub(crate) merged: bool,
}

/// A large file has many nodes, so what few of them have takes one word.
const _: () = assert!(size_of::<Node<'_>>() <= 152);

impl Opener<'_> {
    /// Whether two nodes of one name are opened alike; the quotes of a key do not count.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Key(mine), Self::Key(theirs)) => mine == theirs || !(has_property(mine) || has_property(theirs)),
            (mine, theirs) => mine == theirs,
        }
    }
}

/// Whether an anchor, a tag or an alias starts the text of a key.
pub(crate) fn has_property(key: &str) -> bool {
    key.starts_with(['&', '!', '*'])
}

impl<'a> Node<'a> {
    pub(crate) fn new(line: usize, opener: Opener<'a>, value_text: &'a str, end: End) -> Self {
        Self {
            line: line_number(line),
            above: Vec::new(),
            opener,
            value_text: Piece::Borrowed(value_text),
            end,
            continuation: Seldom::default(),
            shape: Shape::Open,
            indent: 2,
            children: Vec::new(),
            below: Seldom::default(),
            update_comments: None,
            name: Piece::Borrowed(""),
            row: None,
            origin: Origin::Current,
            merged: false,
        }
    }

    /// The line it was read from, from 1.
    pub(crate) fn line(&self) -> usize {
        self.line as usize
    }

    pub(crate) fn set_line(&mut self, line: usize) {
        self.line = line_number(line);
    }

    /// The row of its value, for who knows that it has one; otherwise the first row of its file.
    pub(crate) fn row_or_first(&self) -> RowId {
        self.row.unwrap_or(RowId::FIRST)
    }

    /// What its children make it.
    pub(crate) fn kind(&self) -> Kind {
        match self.live_children().next().map(|child| &child.opener) {
            Some(Opener::Key(_) | Opener::Explicit(_)) => Kind::Map,
            Some(Opener::Item { .. }) => Kind::List,
            Some(_) | None => Kind::Leaf,
        }
    }

    /// Its children without the options that are commented out.
    pub(crate) fn live_children(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().map(AsRef::as_ref).filter(|child: &&Self| !child.is_commented_out())
    }

    /// Whether it is a map, if only one of commented-out options.
    pub(crate) fn is_map(&self) -> bool {
        match self.kind() {
            Kind::Map => true,
            Kind::List => false,
            Kind::Leaf => self.shape == Shape::Open && !self.children.is_empty(),
        }
    }

    /// The child that shares the line of its dash.
    pub(crate) fn joined_child(&self) -> Option<&Self> {
        let is_joined = matches!(self.opener, Opener::Item { joined: true });
        self.children.first().filter(|_| is_joined).map(AsRef::as_ref)
    }

    pub(crate) fn is_commented_out(&self) -> bool {
        matches!(self.opener, Opener::CommentedOut { .. })
    }

    /// How far right of it comments start to belong to its block: anywhere right of a key, and of an item as deep as its
    /// keys. Further left they are the list's, or the next item's.
    pub(crate) fn block_column(&self, has_children: bool) -> i32 {
        let is_item = matches!(self.opener, Opener::Item { .. });
        if is_item && has_children { self.indent.max(1) } else { 1 }
    }

    /// How far right of it a comment directly behind its value can stand: left of the text of a block scalar (YAML 1.2.2
    /// §8.1.1.2), and where that has none no deeper than the node itself, or the reference parser takes it for text.
    pub(crate) fn most_behind_text(&self) -> i32 {
        match (&self.opener, self.shape) {
            (Opener::Explicit(key), _) if key.value == ExplicitValue::Missing => 0,
            (_, Shape::Block { indent, .. }) if self.continuation.iter().any(|line| matches!(line, Line::Text(..))) => {
                indent - 1
            }
            (_, Shape::Block { .. }) => 0,
            _ => i32::MAX,
        }
    }

    /// How many lines its opener has before the one on which its value can start.
    pub(crate) fn lines_of_key(&self) -> usize {
        match &self.opener {
            Opener::Explicit(key) => key.lines.len(),
            _ => 0,
        }
    }

    /// Whether only the update has this. What has a value of the update's in the place of the user's is in both files.
    pub(crate) fn is_new(&self) -> bool {
        self.origin == Origin::Update && !self.merged
    }

    /// Remembers that both files have this, and what the update has around it.
    pub(crate) fn merged_with(&mut self, theirs: UpdateComments<'a>) {
        self.merged = true;
        let bare = theirs.above.is_empty() && theirs.header.is_empty() && theirs.below.is_empty();
        let bare = bare && !theirs.is_in_other_state && theirs.base.is_none();
        self.update_comments = (!bare).then(|| Box::new(theirs));
    }

    /// How far the blocks inside of it are indented: as far as the first map inside of another.
    pub(crate) fn step(&self) -> i32 {
        fn first(node: &Node<'_>) -> Option<i32> {
            let own = matches!(node.opener, Opener::Key(_)) && node.kind() == Kind::Map;
            if own { Some(node.indent) } else { node.children.iter().find_map(|child| first(child)) }
        }
        first(self).unwrap_or(2)
    }

    /// Lays its children out so far right of it. What ends its block stays right of it, also where the block becomes less
    /// deep; further left it would belong to what follows. Commented-out items stay beside those of a list.
    pub(crate) fn set_indent(&mut self, indent: i32) {
        follow_block(&mut self.below, [self.indent, indent]);
        self.indent = indent;
    }

    /// Changes what the base has around it, where that is known.
    pub(crate) fn set_base(&mut self, change: impl FnOnce(&mut BaseComments<'a>)) {
        if let Some(base) = self.update_comments.as_mut().and_then(|theirs| theirs.base.as_mut()) {
            change(base);
        }
    }

    /// Writes an empty map or list in the place of a block of which nothing is left, behind its anchor and tag.
    pub(crate) fn set_empty(&mut self, kind: Kind) {
        match &mut self.opener {
            Opener::Item { joined } => *joined = false,
            Opener::Explicit(key) => key.value = ExplicitValue::Own,
            Opener::Document(document) => document.marker = Some("---"),
            Opener::Key(_) | Opener::Stream | Opener::CommentedOut { .. } => {}
        }
        let brackets = if kind == Kind::List { "[]" } else { "{}" };
        let comment =
            scan::comment_behind(&self.value_text).map_or(String::new(), |at| format!("  {}", &self.value_text[at..]));
        let properties = self.value_text[..scan::value_start(&self.value_text).1].trim_ascii();
        let space = if properties.is_empty() { "" } else { " " };
        self.value_text = Piece::from(format!(" {properties}{space}{brackets}{comment}"));
        self.shape = Shape::Flow { empty: true };
    }

    /// Says which file a subtree is from, and lets its lines end as most of the result do.
    pub(crate) fn adopt(&mut self, origin: Origin) {
        self.origin = origin;
        self.end = End::Common;
        match &mut self.opener {
            Opener::Explicit(key) => key.lines.iter_mut().for_each(Line::end_as_common),
            Opener::Document(document) => {
                document.header.iter_mut().chain(&mut document.end).for_each(Line::end_as_common);
            }
            _ => {}
        }
        self.above.iter_mut().chain(&mut self.continuation).chain(&mut self.below).for_each(Line::end_as_common);
        self.children.iter_mut().for_each(|child| child.adopt(origin));
    }
}

/// No text has so many lines that 32 bits would not do to count them.
fn line_number(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

/// What the block below a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Map,
    List,
    /// A scalar, an alias, a flow collection, or nothing.
    Leaf,
}
