//! Which row of an outline a value has.

/// A row of an outline, by its place there.
pub(crate) type RowId = usize;

/// The first row of an outline.
pub(crate) const FIRST: RowId = 0;
