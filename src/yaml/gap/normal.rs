//! Chunks as they may stand in a gap: rooms, the normal form, and the way into it.

use std::ops::Range;

use super::{Chunk, GapLine, Neighbourhood, Owner, split};
use crate::text::source::End;
use crate::yaml::tree::{ExplicitValue, Line, Node, Opener, Shape};

/// A text directly before a gap that goes on while lines look like more of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextBefore {
    /// A block scalar.
    Scalar {
        /// The column of its text: a longer line of spaces would be more of it.
        content: i32,
        /// The leftmost column at which a comment would be more of it.
        cap: i32,
        /// Whether blank lines behind it are its own.
        keeps_blanks: bool,
        /// Whether it has no text.
        is_empty: bool,
    },
    /// A key behind `?` without a value, at a column: it has all blank lines behind it, and all that stands right of it.
    Key { column: i32 },
}

impl TextBefore {
    /// What a node at a column ends with, where nothing is inside of it.
    pub(crate) fn of(node: &Node<'_>, column: i32) -> Option<Self> {
        let cap = column.saturating_add(node.most_behind_text()).saturating_add(1);
        match (&node.opener, node.shape) {
            (Opener::Explicit(key), _) if key.value == ExplicitValue::Missing => Some(Self::Key { column }),
            (_, Shape::Block { indent, keep, .. }) => {
                let is_empty = !node.continuation.iter().any(|line| matches!(line, Line::Text(..)));
                Some(Self::Scalar { content: column + indent, cap, keeps_blanks: keep, is_empty })
            }
            _ => None,
        }
    }

    fn is_empty(self) -> bool {
        matches!(self, Self::Scalar { is_empty: true, .. })
    }

    fn cap(self) -> i32 {
        match self {
            Self::Scalar { cap, .. } => cap,
            Self::Key { column } => column + 1,
        }
    }
}

/// A place for chunks: a gap that is still empty.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'n> {
    pub(crate) around: Neighbourhood<'n>,
    pub(crate) text: Option<TextBefore>,
    /// Owners that the lines in question cannot have: what stands there is of another file alone.
    pub(crate) barred: &'n [Owner],
}

/// The lines of one owner, changed or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lines<L> {
    pub(crate) owner: Owner,
    pub(crate) lines: Vec<L>,
}

/// Chunks in the normal form of a gap, and the lines that can stand nowhere in it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Normal<L> {
    pub(crate) chunks: Vec<Lines<L>>,
    pub(crate) left_out: Vec<L>,
}

/// A line of a gap as it is carried about.
pub(crate) trait Carried: Clone {
    /// A blank line that was nowhere before.
    fn blank() -> Self;

    fn line(&self) -> GapLine<'_>;

    /// Moves a comment to a column.
    fn stand_at(&mut self, column: i32);

    /// Leaves so many bytes of a blank line.
    fn cut(&mut self, most: usize);
}

/// The gap that chunks in normal form make.
pub(crate) fn join<L>(chunks: impl IntoIterator<Item = Lines<L>>) -> Vec<L> {
    chunks.into_iter().flat_map(|chunk| chunk.lines).collect()
}

/// The normal form of any chunks, of another file for example: what has no room here is handed on to the next owner that
/// has, columns step outward as far as they must, and what then stands there is read as it will be.
pub(crate) fn normalise<L: Carried>(chunks: Vec<Lines<L>>, place: &Place<'_>) -> Normal<L> {
    let mut chunks = place.all_chunks(chunks);
    let (whole, place) = (place, &place.behind(&chunks));
    let left_out = place.hand_on(&mut chunks);
    for chunk in &mut chunks {
        place.clamp(chunk);
        if chunk.owner == Owner::Header && chunk.lines.last().is_some_and(|line| !is_blank(line)) {
            chunk.lines.push(L::blank());
        }
    }
    Normal { chunks: cut(whole.separated(join(chunks)), &place.around), left_out }
}

/// What [`split`] says of lines that are carried.
pub(crate) fn cut<L: Carried>(gap: Vec<L>, around: &Neighbourhood<'_>) -> Vec<Lines<L>> {
    let lines: Vec<_> = gap.iter().map(Carried::line).collect();
    let lengths: Vec<_> = split(&lines, around).map(|Chunk { owner, lines }| (owner, lines.len())).collect();
    drop(lines);
    let mut gap = gap.into_iter();
    lengths.into_iter().map(|(owner, length)| Lines { owner, lines: gap.by_ref().take(length).collect() }).collect()
}

impl<'n> Place<'n> {
    /// All owners that the gap can have, in their order.
    pub(crate) fn owners(&self) -> impl Iterator<Item = Owner> + use<'n> {
        let header = self.around.starts_document().then_some(Owner::Header);
        let ends = (0..self.around.closed.len()).map(Owner::End);
        let inner = std::iter::once(Owner::Separator).chain(ends).chain(header);
        inner.chain([self.around.last_owner()])
    }

    /// The columns at which the first comment of a chunk can stand. It is empty where none can.
    pub(super) fn room(&self, owner: Owner) -> Range<i32> {
        let (leftmost, deeper) = match owner {
            _ if self.barred.contains(&owner) => return 0..0,
            Owner::Separator => (0, &self.around.closed[..0]),
            Owner::End(block) => (self.leftmost(owner), self.around.closed.get(..block).unwrap_or_default()),
            _ => (0, self.around.closed),
        };
        let cap = self.text.map_or(i32::MAX, TextBefore::cap);
        leftmost..deeper.iter().copied().fold(cap, i32::min)
    }

    pub(super) fn leftmost(&self, owner: Owner) -> i32 {
        match owner {
            Owner::End(block) => self.around.closed.get(block).copied().unwrap_or(0),
            _ => 0,
        }
    }

    /// The rightmost column for the comments below the first of a chunk.
    pub(super) fn rightmost(&self) -> i32 {
        match self.text {
            Some(TextBefore::Key { column }) => column,
            _ => i32::MAX,
        }
    }

    /// The place behind its separator, which may end the text before it; but where that has no text yet, no tab is written.
    pub(super) fn behind<L: Carried>(&self, chunks: &[Lines<L>]) -> Self {
        let mut separators =
            chunks.iter().filter(|chunk| chunk.owner == Owner::Separator).flat_map(|chunk| &chunk.lines);
        let mut ends = |text: &TextBefore| separators.any(|line| text.ends_at_tab(line.line().text));
        Self { text: self.text.filter(|text| text.is_empty() || !ends(text)), ..*self }
    }

    /// A chunk for each owner, with what is given for it.
    fn all_chunks<L>(&self, chunks: Vec<Lines<L>>) -> Vec<Lines<L>> {
        let mut all: Vec<_> = self.owners().map(|owner| Lines { owner, lines: Vec::new() }).collect();
        for mut chunk in chunks {
            if let Some(own) = all.iter_mut().find(|all| all.owner == chunk.owner) {
                own.lines.append(&mut chunk.lines);
            }
        }
        all
    }

    /// Hands lines without room on to the next owner that has room; those that nobody has room for.
    pub(crate) fn hand_on<L: Carried>(&self, chunks: &mut [Lines<L>]) -> Vec<L> {
        let mut homeless = Vec::new();
        for chunk in chunks.iter_mut().filter(|chunk| chunk.owner != Owner::Separator) {
            let host = std::mem::take(&mut chunk.lines);
            let lines = apart(std::mem::take(&mut homeless), host);
            let place = if self.room(chunk.owner).is_empty() { &mut homeless } else { &mut chunk.lines };
            *place = lines;
        }
        homeless
    }

    /// Lets comments step outward to where their owner has room.
    fn clamp<L: Carried>(&self, chunk: &mut Lines<L>) {
        let room = self.room(chunk.owner);
        let mut most = room.end.saturating_sub(1);
        for line in &mut chunk.lines {
            if let Some(column) = line.line().column {
                line.stand_at(column.min(most).max(room.start));
                most = self.rightmost();
            }
        }
    }

    /// A gap without those blank lines at its start that would be more of the text before it.
    pub(super) fn separated<L: Carried>(&self, gap: Vec<L>) -> Vec<L> {
        let (length, mut text, mut is_start) = (gap.len(), self.text, true);
        let as_separator = |(at, mut line): (usize, L)| {
            is_start &= is_blank(&line);
            let is_last = at + 1 == length && line.line().end == End::Missing;
            text = text.filter(|text| is_start && !text.ends_at_tab(line.line().text));
            if let Some(text) = text {
                line.cut(text.most_blanks_behind(is_last)?);
            }
            Some(line)
        };
        gap.into_iter().enumerate().filter_map(as_separator).collect()
    }
}

impl TextBefore {
    /// Whether a blank line has a tab left of a block scalar, which is its end.
    fn ends_at_tab(self, blank: &str) -> bool {
        let tab = blank.bytes().position(|byte| byte == b'\t').and_then(|tab| i32::try_from(tab).ok());
        matches!(self, Self::Scalar { content, .. } if tab.is_some_and(|tab| tab < content))
    }

    /// How much of a blank line can stand behind this; nothing where it would be more of it.
    fn most_blanks_behind(self, is_last: bool) -> Option<usize> {
        match self {
            Self::Scalar { keeps_blanks: true, .. } | Self::Key { .. } if !is_last => None,
            Self::Scalar { content, .. } => Some(usize::try_from(content).unwrap_or(0)),
            Self::Key { .. } => Some(usize::MAX),
        }
    }
}

fn is_blank<L: Carried>(line: &L) -> bool {
    line.line().is_blank()
}

/// Lines one below the other as two paragraphs.
fn apart<L: Carried>(guest: Vec<L>, host: Vec<L>) -> Vec<L> {
    let touch = guest.last().is_some_and(|line| !is_blank(line)) && host.first().is_some_and(|line| !is_blank(line));
    guest.into_iter().chain(touch.then(L::blank)).chain(host).collect()
}
