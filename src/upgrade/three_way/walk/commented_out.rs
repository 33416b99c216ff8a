//! Maps all of which is commented out. A program reads no value there, and yet they are maps (`docs/rules.md` rule 1).

use foldhash::HashSet;
use std::cell::OnceCell;

use crate::yaml::check::Checked;
use crate::yaml::commented_out::gaps::has_no_value;
use crate::yaml::commented_out::rows_with_keys;
use crate::yaml::outline::Outline;
use crate::yaml::place::Place;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Kind, Node};

/// Those of a file.
pub(super) struct CommentedOutMaps<'p, 'a> {
    outline: &'p Outline<'a>,
    documents: &'p [Box<Node<'a>>],
    /// The rows of the values that keys stand commented out in, once somebody asked.
    rows: OnceCell<HashSet<RowId>>,
}

impl<'p, 'a> CommentedOutMaps<'p, 'a> {
    pub(super) fn of(file: &'p Checked<'a>) -> Self {
        Self { outline: &file.outline, documents: &file.stream.children, rows: OnceCell::new() }
    }

    /// Whether a value is a map, be it one all of which is commented out.
    pub(super) fn is_map(&self, place: Place<'p, 'a>) -> bool {
        place.kind() == Kind::Map || self.has(place)
    }

    /// Whether a value is a map all of which is commented out.
    pub(super) fn has(&self, place: Place<'p, 'a>) -> bool {
        let has_none = self.outline[place.row()].is_null() && place.node().is_some_and(has_no_value);
        let with_keys = || self.documents.iter().flat_map(|document| rows_with_keys(document)).collect();
        has_none && self.rows.get_or_init(with_keys).contains(&place.row())
    }
}
