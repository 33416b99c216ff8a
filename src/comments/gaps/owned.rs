//! The lines of one owner, outside of their tree.

use super::Side;
use crate::text::source::End;
use crate::yaml::gap::GapLine;
use crate::yaml::gap::normal::Carried;
use crate::yaml::tree::{Line, Node, Offset, Shape};

/// Where a node keeps lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::comments) enum Part {
    Above,
    /// The header of a document.
    Header,
    Below,
}

impl Part {
    /// The lines of a side; nothing where it has none.
    fn of<'n, 'a>(self, node: &'n mut Node<'a>, side: Side) -> Option<&'n mut Vec<Line<'a>>> {
        match (side, node.is_new()) {
            (Side::User, true) => None,
            (Side::User | Side::Result, _) | (Side::Update, true) => match self {
                Self::Above => Some(&mut node.above),
                Self::Header => node.header_mut(),
                Self::Below => Some(node.below.vec()),
            },
            (Side::Update, false) => {
                let theirs = node.update_comments.as_mut()?;
                Some(match self {
                    Self::Above => &mut theirs.above,
                    Self::Header => &mut theirs.header,
                    Self::Below => &mut theirs.below,
                })
            }
            (Side::Base, _) => {
                let base = node.update_comments.as_mut()?.base.as_mut()?;
                Some(match self {
                    Self::Above => &mut base.above,
                    Self::Header => &mut base.header,
                    Self::Below => &mut base.below,
                })
            }
        }
    }

    /// The same, to look at.
    pub(super) fn lines<'n, 'a>(self, node: &'n Node<'a>, side: Side) -> &'n [Line<'a>] {
        let theirs = || node.update_comments.as_deref();
        let [above, header, below] = match (side, node.is_new()) {
            (Side::User, true) => return &[],
            (Side::User | Side::Result, _) | (Side::Update, true) => [&node.above[..], node.header(), &node.below],
            (Side::Update, false) => {
                theirs().map_or([&[][..]; 3], |theirs| [&theirs.above, &theirs.header, &theirs.below])
            }
            (Side::Base, _) => {
                let base = theirs().and_then(|theirs| theirs.base.as_deref());
                base.map_or([&[][..]; 3], |base| [&base.above, &base.header, &base.below])
            }
        };
        match self {
            Self::Above => above,
            Self::Header => header,
            Self::Below => below,
        }
    }

    /// Whether the first comment, of lines that are kept beside a column, stands where there is room. Where there is room for
    /// all lines no text needs to be looked at.
    pub(super) fn has_room(self, node: &Node<'_>, side: Side, (beside, has_room): (i32, impl Fn(i32) -> bool)) -> bool {
        let has_room = |line: &Line<'_>| has_room(column(line, beside));
        let lines = self.lines(node, side);
        lines.iter().all(|line| matches!(line, Line::Blank(..)) || has_room(line))
            || lines.iter().find(|line| line.is_comment()).is_none_or(has_room)
    }
}

impl Side {
    /// Whether it has a node.
    pub(super) fn has(self, node: &Node<'_>) -> bool {
        match self {
            Self::User => !node.is_new(),
            Self::Update => node.merged || node.is_new(),
            Self::Base => node.update_comments.as_ref().is_some_and(|theirs| theirs.base.is_some()),
            Self::Result => true,
        }
    }
}

/// The lines of one owner.
pub(super) struct OwnedLines<'a> {
    pub(super) lines: Vec<Line<'a>>,
    /// The column that they stand beside.
    pub(super) column: i32,
    /// The leftmost column right of the node.
    inside: i32,
    /// Whether the side in question has the node.
    pub(super) is_of_side: bool,
    /// Whether keys can be commented out in the node.
    holds_options: bool,
}

impl<'a> OwnedLines<'a> {
    /// Takes what a node keeps. What ends its block stands beside its children, at `column`; anything else
    /// beside the node.
    pub(super) fn take(node: &mut Node<'a>, part: Part, side: Side, column: i32) -> Self {
        let inside = column - node.indent + 1;
        let column = match (side, part, node.update_comments.as_deref()) {
            (Side::Update, Part::Below, Some(theirs)) if node.children.is_empty() => inside - 1 + theirs.indent,
            _ => column,
        };
        let is_empty = part.lines(node, side).is_empty();
        let lines = if is_empty { None } else { part.of(node, side) };
        let lines = lines.map_or_else(Vec::new, std::mem::take);
        let holds_options = matches!(node.shape, Shape::Open | Shape::Flow { .. });
        Self { lines, column, inside, is_of_side: side.has(node), holds_options }
    }

    /// Gives a node the lines that were taken from it, as they are by now.
    pub(super) fn give_back(self, node: &mut Node<'a>, part: Part, side: Side) {
        if self.lines.is_empty() {
            return;
        }
        if side == Side::Update && !node.is_new() {
            node.update_comments.get_or_insert_default();
        }
        if let Some(lines) = part.of(node, side) {
            *lines = self.lines;
        }
    }

    /// Lets all lines stand with the first comment at a column.
    pub(super) fn stand_at(&mut self, at: i32) {
        if let Some(first) = self.lines.iter().find(|line| line.is_comment()) {
            self.column += at - column(first, self.column);
        }
    }

    /// Takes all lines, with their columns.
    pub(super) fn placed(&mut self) -> impl Iterator<Item = Placed<'a>> + use<'a> {
        let beside = self.column;
        std::mem::take(&mut self.lines).into_iter().map(move |line| Placed::of(line, beside))
    }

    /// Whether a comment stands left of a block that starts at a column, and not right of the node either.
    pub(super) fn has_lines_outside(&self, leftmost: i32) -> bool {
        let comments = self.lines.iter().filter(|line| line.is_comment());
        let mut columns = comments.map(|line| column(line, self.column));
        self.holds_options && columns.any(|column| column < leftmost && column < self.inside)
    }

    pub(super) fn put(&mut self, lines: Vec<Placed<'a>>) {
        let beside = self.column;
        self.lines.extend(lines.into_iter().map(|line| line.beside(beside)));
    }
}

/// Where a line stands that is kept beside a column.
fn column(line: &Line<'_>, beside: i32) -> i32 {
    match line {
        Line::Text(Offset::Beside(by), ..) => beside + by,
        Line::Text(Offset::Margin | Offset::CommentedOut(_), ..) | Line::Blank(..) => 0,
    }
}

/// A line, and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Placed<'a> {
    column: i32,
    pub(super) line: Line<'a>,
}

impl<'a> Placed<'a> {
    /// A line that is kept beside a column.
    fn of(line: Line<'a>, beside: i32) -> Self {
        Self { column: column(&line, beside), line: line.moved(beside) }
    }

    fn beside(self, column: i32) -> Line<'a> {
        match self.line {
            line @ Line::Text(Offset::Margin | Offset::CommentedOut(_), ..) if self.column == 0 => line.moved(-column),
            Line::Text(_, text, end) => Line::Text(Offset::Beside(self.column - column), text, end),
            blank @ Line::Blank(..) => blank,
        }
    }
}

impl Carried for Placed<'_> {
    fn blank() -> Self {
        Self { column: 0, line: Line::Blank("", End::Common) }
    }

    fn line(&self) -> GapLine<'_> {
        match &self.line {
            Line::Blank(text, end) => GapLine { column: None, text, end: *end },
            Line::Text(_, text, end) => GapLine { column: Some(self.column), text, end: *end },
        }
    }

    fn stand_at(&mut self, column: i32) {
        self.column = column;
    }

    fn cut(&mut self, most: usize) {
        if let Line::Blank(text, _) = &mut self.line {
            *text = text.get(..most).unwrap_or(text);
        }
    }
}
