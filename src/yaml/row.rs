//! Which row of an outline a value has.
//!
//! Left out: what a row says, see [`outline`](crate::yaml::outline).

use std::num::NonZeroU32;
use std::ops::{Add, Sub};

/// A row of an outline, by its place there. There are fewer rows than bytes, and no text is so long that 32 bits would not
/// do to count them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RowId(NonZeroU32);

impl RowId {
    /// The first row of an outline.
    pub(crate) const FIRST: Self = Self(NonZeroU32::MIN);

    /// The row with so many before it.
    pub(crate) fn at(before: usize) -> Self {
        Self(NonZeroU32::MIN.saturating_add(u32::try_from(before).unwrap_or(u32::MAX)))
    }

    /// How many rows there are before it.
    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The row behind it.
    pub(crate) fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// This row and all behind it that are before another.
    pub(crate) fn up_to(self, end: Self) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (self.index()..end.index()).map(Self::at)
    }
}

/// The row so many behind one.
impl Add<usize> for RowId {
    type Output = Self;

    fn add(self, rows: usize) -> Self {
        Self(self.0.saturating_add(u32::try_from(rows).unwrap_or(u32::MAX)))
    }
}

/// How many rows one is behind another that stands before it.
impl Sub for RowId {
    type Output = usize;

    fn sub(self, before: Self) -> usize {
        (self.0.get() - before.0.get()) as usize
    }
}
