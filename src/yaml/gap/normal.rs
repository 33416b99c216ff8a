//! Chunks as they may stand in a gap: rooms, the normal form, and the way into it.
//!
//! Only the laws ask this so far. The pass that decides whose comments stay will: it brings the chunks of both files into
//! the normal form of the gap that the result has, where they are compared, chosen and joined.

use std::ops::Range;

use super::{Chunk, GapLine, Neighbourhood, Owner, split};
use crate::text::source::End;

/// A text directly before a gap that goes on while lines look like more of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextBefore {
    /// A block scalar.
    Scalar {
        /// The column of its text: a longer line of spaces would be more of it.
        content: isize,
        /// The leftmost column at which a comment would be more of it.
        cap: isize,
        /// Whether blank lines behind it are its own.
        keeps_blanks: bool,
    },
    /// A key behind `?` without a value, at a column: it has all blank lines behind it, and all that stands right of it.
    Key { column: isize },
}

impl TextBefore {
    fn cap(self) -> isize {
        match self {
            Self::Scalar { cap, .. } => cap,
            Self::Key { column } => column + 1,
        }
    }
}

/// A place for chunks: a gap that is still empty.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'n> {
    pub(super) around: Neighbourhood<'n>,
    pub(super) text: Option<TextBefore>,
}

/// The lines of one owner, changed or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lines<'a> {
    pub(super) owner: Owner,
    pub(super) lines: Vec<GapLine<'a>>,
}

impl<'a> From<Chunk<'_, 'a>> for Lines<'a> {
    fn from(chunk: Chunk<'_, 'a>) -> Self {
        Self { owner: chunk.owner, lines: chunk.lines.to_vec() }
    }
}

/// Chunks in the normal form of a gap, and the lines that can stand nowhere in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Normal<'a> {
    pub(super) chunks: Vec<Lines<'a>>,
    pub(super) left_out: Vec<GapLine<'a>>,
}

/// The gap that chunks in normal form make.
pub(super) fn join<'a>(chunks: &[Lines<'a>]) -> Vec<GapLine<'a>> {
    chunks.iter().flat_map(|chunk| chunk.lines.iter().copied()).collect()
}

/// The normal form of any chunks, of another file for example: what has no room here is handed on to the next owner that
/// has, columns step outward as far as they must, and what then stands there is read as it will be.
pub(super) fn normalise<'a>(chunks: &[Lines<'a>], place: &Place<'_>) -> Normal<'a> {
    let mut chunks = place.all_chunks(chunks);
    let (whole, place) = (place, &place.behind(&chunks));
    let left_out = place.hand_on(&mut chunks);
    for chunk in &mut chunks {
        place.clamp(chunk);
        if chunk.owner == Owner::Header && chunk.lines.last().is_some_and(|line| !line.is_blank()) {
            chunk.lines.push(blank());
        }
    }
    let gap = whole.separated(&join(&chunks));
    let chunks = split(&gap, &place.around).map(Lines::from).collect();
    Normal { chunks, left_out }
}

impl<'n> Place<'n> {
    /// All owners that the gap can have, in their order.
    pub(super) fn owners(&self) -> impl Iterator<Item = Owner> + use<'n> {
        let header = self.around.starts_document().then_some(Owner::Header);
        let ends = (0..self.around.closed.len()).map(Owner::End);
        let inner = std::iter::once(Owner::Separator).chain(ends).chain(header);
        inner.chain([self.around.last_owner()])
    }

    /// The columns at which the first comment of a chunk can stand. It is empty where none can.
    pub(super) fn room(&self, owner: Owner) -> Range<isize> {
        let (leftmost, deeper) = match owner {
            Owner::Separator => (0, &self.around.closed[..0]),
            Owner::End(block) => (self.leftmost(owner), self.around.closed.get(..block).unwrap_or_default()),
            _ => (0, self.around.closed),
        };
        let cap = self.text.map_or(isize::MAX, TextBefore::cap);
        leftmost..deeper.iter().copied().fold(cap, isize::min)
    }

    fn leftmost(&self, owner: Owner) -> isize {
        match owner {
            Owner::End(block) => self.around.closed.get(block).copied().unwrap_or(0),
            _ => 0,
        }
    }

    /// The rightmost column for the comments below the first of a chunk.
    fn rightmost(&self) -> isize {
        match self.text {
            Some(TextBefore::Key { column }) => column,
            _ => isize::MAX,
        }
    }

    /// Whether chunks are of the normal form: each for itself, whatever the others are.
    pub(super) fn is_normal(&self, chunks: &[Lines<'_>]) -> bool {
        let place = self.behind(chunks);
        chunks.iter().all(|chunk| match chunk.owner {
            Owner::Separator => chunk.lines.iter().all(GapLine::is_blank),
            owner => place.has_room(chunk) && place.keeps_blanks_apart(owner, &chunk.lines),
        })
    }

    /// The place behind its separator, which may end the text before it.
    fn behind(&self, chunks: &[Lines<'_>]) -> Self {
        let mut separators =
            chunks.iter().filter(|chunk| chunk.owner == Owner::Separator).flat_map(|chunk| &chunk.lines);
        let ends = self.text.is_some_and(|text| separators.any(|line| text.ends_at_tab(line.text)));
        Self { text: self.text.filter(|_| !ends), ..*self }
    }

    fn has_room(&self, chunk: &Lines<'_>) -> bool {
        let first = chunk.lines.first().and_then(|line| line.column);
        let later = chunk.lines.iter().skip(1).filter_map(|line| line.column);
        let within = self.leftmost(chunk.owner)..=self.rightmost();
        first.is_some_and(|column| self.room(chunk.owner).contains(&column))
            && later.into_iter().all(|column| within.contains(&column))
    }

    fn keeps_blanks_apart(&self, owner: Owner, lines: &[GapLine<'_>]) -> bool {
        match owner {
            Owner::Header => lines.last().is_some_and(GapLine::is_blank),
            Owner::Lead if self.around.starts_document() => !lines.iter().any(GapLine::is_blank),
            _ => true,
        }
    }

    /// A chunk for each owner, with what is given for it.
    fn all_chunks<'a>(&self, chunks: &[Lines<'a>]) -> Vec<Lines<'a>> {
        let of = |owner| chunks.iter().filter(move |chunk| chunk.owner == owner);
        self.owners().map(|owner| Lines { owner, lines: join(&of(owner).cloned().collect::<Vec<_>>()) }).collect()
    }

    /// Hands lines without room on to the next owner that has room; those that nobody has room for.
    fn hand_on<'a>(&self, chunks: &mut [Lines<'a>]) -> Vec<GapLine<'a>> {
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
    fn clamp(&self, chunk: &mut Lines<'_>) {
        let room = self.room(chunk.owner);
        let mut most = room.end.saturating_sub(1);
        for column in chunk.lines.iter_mut().filter_map(|line| line.column.as_mut()) {
            *column = (*column).min(most).max(room.start);
            most = self.rightmost();
        }
    }

    /// A gap without those blank lines at its start that would be more of the text before it.
    pub(super) fn separated<'a>(&self, gap: &[GapLine<'a>]) -> Vec<GapLine<'a>> {
        let first = gap.iter().take_while(|line| line.is_blank()).count();
        let (blanks, comments) = gap.split_at(first);
        let mut text = self.text;
        let mut kept = Vec::new();
        for (at, line) in blanks.iter().enumerate() {
            let is_last = at + 1 == gap.len() && line.end == End::Missing;
            text = text.filter(|text| !text.ends_at_tab(line.text));
            kept.extend(text.map_or(Some(*line), |text| text.blank_behind(*line, is_last)));
        }
        kept.extend_from_slice(comments);
        kept
    }
}

impl TextBefore {
    /// Whether a blank line has a tab left of a block scalar, which is its end.
    fn ends_at_tab(self, blank: &str) -> bool {
        let tab = blank.bytes().position(|byte| byte == b'\t').and_then(|tab| isize::try_from(tab).ok());
        matches!(self, Self::Scalar { content, .. } if tab.is_some_and(|tab| tab < content))
    }

    /// A blank line as it can stand behind this; nothing where it would be more of it.
    fn blank_behind(self, line: GapLine<'_>, is_last: bool) -> Option<GapLine<'_>> {
        let most = match self {
            Self::Scalar { keeps_blanks: true, .. } | Self::Key { .. } if !is_last => return None,
            Self::Scalar { content, .. } => usize::try_from(content).unwrap_or(0),
            Self::Key { .. } => usize::MAX,
        };
        Some(GapLine { text: line.text.get(..most).unwrap_or(line.text), ..line })
    }
}

/// Lines one below the other as two paragraphs.
fn apart<'a>(guest: Vec<GapLine<'a>>, host: Vec<GapLine<'a>>) -> Vec<GapLine<'a>> {
    let touch = guest.last().is_some_and(|line| !line.is_blank()) && host.first().is_some_and(|line| !line.is_blank());
    guest.into_iter().chain(touch.then(blank)).chain(host).collect()
}

fn blank<'a>() -> GapLine<'a> {
    GapLine { column: None, text: "", end: End::Common }
}
