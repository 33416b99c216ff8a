//! Where values stand in what they are in, found without counting from its start.

use foldhash::HashMap;

use super::{Row, RowKind};
use crate::yaml::names::FEW;
use crate::yaml::row::RowId;

/// The places of the rows of a file as it was read.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    /// For each row the collection that it is in and its number there; for the root of a document itself.
    above: Vec<(RowId, u32)>,
    /// The items of long lists.
    items: HashMap<RowId, Vec<RowId>>,
}

impl Places {
    pub(super) fn of(rows: &[Row<'_>]) -> Self {
        let all = || RowId::FIRST.up_to(RowId::at(rows.len()));
        let mut places = Self { above: all().map(|row| (row, 0)).collect(), items: HashMap::default() };
        for (at, row) in all().zip(rows) {
            let next = |child: &RowId| rows.get(child.index()).map(|row| row.end);
            let inside = || std::iter::successors(Some(at.next()), next).take_while(|child| *child < row.end);
            (0..).zip(inside()).for_each(|(number, child)| places.above[child.index()] = (at, number));
            if row.kind == RowKind::List && inside().nth(FEW).is_some() {
                places.items.insert(at, inside().collect());
            }
        }
        places
    }

    /// A row and all that it is in but the root, each with its number.
    pub(super) fn way(&self, row: RowId) -> impl Iterator<Item = (RowId, u32)> {
        let mut at = row;
        std::iter::from_fn(move || {
            let (above, number) = *self.above.get(at.index())?;
            let row = std::mem::replace(&mut at, above);
            (above != row).then_some((row, number))
        })
    }

    /// An item of a long list, by its number.
    pub(super) fn item(&self, list: RowId, number: usize) -> Option<RowId> {
        self.items.get(&list)?.get(number).copied()
    }
}
