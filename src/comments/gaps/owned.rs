//! The lines of one owner, outside of their tree.

use super::Side;
use crate::text::source::End;
use crate::yaml::gap::GapLine;
use crate::yaml::gap::normal::Carried;
use crate::yaml::tree::{Line, Node, Offset, Origin, Shape};

/// Where a node keeps lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Above,
    /// The header of a document.
    Header,
    Below,
}

impl Part {
    /// Where a node keeps lines, in the order in which they are taken.
    pub(super) const OF_NODE: [Self; 2] = [Self::Above, Self::Below];
    const OF_DOCUMENT: [Self; 3] = [Self::Above, Self::Header, Self::Below];

    /// The lines of a side; nothing where it has none.
    fn of<'n, 'a>(self, node: &'n mut Node<'a>, side: Side) -> Option<&'n mut Vec<Line<'a>>> {
        match (side, node.origin) {
            (Side::User, Origin::Update) => None,
            (Side::User | Side::Result, _) | (Side::Update, Origin::Update) => match self {
                Self::Above => Some(&mut node.above),
                Self::Header => node.header_mut(),
                Self::Below => Some(&mut node.below),
            },
            (Side::Update, Origin::Current) => {
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
}

/// The lines of one owner.
pub(super) struct OwnedLines<'a> {
    pub(super) lines: Vec<Line<'a>>,
    /// The column that they stand beside.
    column: isize,
    /// The leftmost column right of the node.
    inside: isize,
    /// Whether the side in question has the node.
    pub(super) is_of_side: bool,
    /// Whether keys can be commented out in the node.
    holds_options: bool,
}

impl<'a> OwnedLines<'a> {
    /// Takes what a node keeps. What ends its block stands beside its children, at `column`; anything else
    /// beside the node.
    pub(super) fn take(node: &mut Node<'a>, part: Part, side: Side, column: isize) -> Self {
        let is_of_side = match side {
            Side::User => node.origin == Origin::Current,
            Side::Update => node.merged || node.origin == Origin::Update,
            Side::Base => node.update_comments.as_ref().is_some_and(|theirs| theirs.base.is_some()),
            Side::Result => true,
        };
        let inside = column - node.indent + 1;
        let column = match (side, part, node.update_comments.as_deref()) {
            (Side::Update, Part::Below, Some(theirs)) if node.children.is_empty() => inside - 1 + theirs.indent,
            _ => column,
        };
        let lines = part.of(node, side).map_or_else(Vec::new, std::mem::take);
        let holds_options = matches!(node.shape, Shape::Open | Shape::Flow { .. });
        Self { lines, column, inside, is_of_side, holds_options }
    }

    /// Where the first comment stands.
    pub(super) fn first_column(&self) -> Option<isize> {
        self.lines.iter().find(|line| line.is_comment()).map(|line| column(line, self.column))
    }

    pub(super) fn take_lines(&mut self) -> Vec<Line<'a>> {
        std::mem::take(&mut self.lines)
    }

    /// Takes all lines, with their columns.
    pub(super) fn placed(&mut self) -> impl Iterator<Item = Placed<'a>> + use<'a> {
        let beside = self.column;
        self.take_lines().into_iter().map(move |line| Placed::of(line, beside))
    }

    /// Whether a comment stands left of a block that starts at a column, and not right of the node either.
    pub(super) fn has_lines_outside(&self, leftmost: isize) -> bool {
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
fn column(line: &Line<'_>, beside: isize) -> isize {
    match line {
        Line::Text(Offset::Beside(by), ..) => beside + by,
        Line::Text(Offset::Margin | Offset::CommentedOut(_), ..) | Line::Blank(..) => 0,
    }
}

/// A line, and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Placed<'a> {
    column: isize,
    pub(super) line: Line<'a>,
}

impl<'a> Placed<'a> {
    /// A line that is kept beside a column.
    fn of(line: Line<'a>, beside: isize) -> Self {
        Self { column: column(&line, beside), line: line.moved(beside) }
    }

    fn beside(self, column: isize) -> Line<'a> {
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

    fn stand_at(&mut self, column: isize) {
        self.column = column;
    }

    fn cut(&mut self, most: usize) {
        if let Line::Blank(text, _) = &mut self.line {
            *text = text.get(..most).unwrap_or(text);
        }
    }
}

/// Gives the nodes of a tree the lines that were taken from them, in the order in which they were taken.
pub(super) fn put_back<'a>(node: &mut Node<'a>, side: Side, all: &mut impl Iterator<Item = OwnedLines<'a>>) {
    let parts = if node.document().is_some() { &Part::OF_DOCUMENT[..] } else { &Part::OF_NODE };
    for part in parts {
        let Some(owned) = all.next().filter(|owned| !owned.lines.is_empty()) else { continue };
        if side == Side::Update && node.origin == Origin::Current {
            node.update_comments.get_or_insert_default();
        }
        if let Some(lines) = part.of(node, side) {
            *lines = owned.lines;
        }
    }
    node.children.iter_mut().for_each(|child| put_back(child, side, all));
}
