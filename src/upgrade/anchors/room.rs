//! How much may be written out in the place of aliases.
//!
//! A value is written once for each of its anchors, so anchors inside of anchors repeat their text as often as they are
//! nested. What comes of it must stay in proportion to the files.

use crate::text::error::{Error, Place};
use crate::text::source::Source;
use crate::upgrade::merge::Merge;
use crate::yaml::outline::{Outline, Row, Target};
use crate::yaml::row::RowId;

/// How often an alias may become a value in one result. Each time the whole document is looked at again.
const MOST_TIMES: usize = 1_000;
/// How many bytes may come of it, besides as much as is in the files.
const MOST_BYTES: usize = 64 << 10;

/// What may still be written out.
#[derive(Debug)]
pub(super) struct Room {
    times: usize,
    bytes: usize,
}

impl Room {
    pub(super) fn of(merge: &Merge<'_, '_>) -> Self {
        let all = |outline: &Outline<'_>| size(&outline.rows);
        let bytes = MOST_BYTES + all(merge.current) + all(merge.update);
        Self { times: MOST_TIMES, bytes }
    }

    /// Takes the room for what an anchor stands before; whether there was enough.
    pub(super) fn takes(&mut self, outline: &Outline<'_>, target: Target) -> bool {
        let value = outline.subtree(target.row);
        let rows = if target.value().is_some() { value } else { &value[..1] };
        let left = self.times.checked_sub(1).zip(self.bytes.checked_sub(size(rows)));
        let Some((times, bytes)) = left else { return false };
        *self = Self { times, bytes };
        true
    }
}

/// About how many bytes rows have when they are written.
fn size(rows: &[Row<'_>]) -> usize {
    let one = |row: &Row<'_>| row.text.len() + row.name.as_ref().map_or(0, |name| name.len()) + 2;
    rows.iter().map(one).sum()
}

/// The error for a result that would become too long by what is written out.
pub(crate) fn too_long(source: &Source<'_>, outline: &Outline<'_>, row: RowId) -> Error {
    let place = Place { line: outline[row].line, column: 1 };
    source
        .error("aliases would have to be written out more often than a configuration needs, first that of this value", place)
        .help("the anchors that aliases of one file refer to are missing in the result: keep them, or write the values out")
}
