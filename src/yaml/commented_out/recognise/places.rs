//! Where a commented-out entry has a place among the open blocks.

use foldhash::HashSet;

use super::{Block, BlockKind, Last, Opening, Owner, Recogniser};
use crate::yaml::commented_out::line::{Entry, EntryKind, KeyOfMap};

/// Where an entry has a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'l> {
    pub(super) column: i32,
    /// How many blocks are still open.
    pub(super) open: usize,
    /// The entry that the block belongs to which it opens.
    pub(super) below: Option<Last<'l>>,
    /// How many of the entries that were found are none after all: they are a list in the prose of a key that has keys.
    pub(super) found: usize,
}

impl<'l> Recogniser<'_, 'l> {
    /// The place of an entry at a column.
    pub(super) fn place(&self, column: i32, entry: &Entry<'l>) -> Option<Place<'l>> {
        let open = self.blocks.len();
        let last = self.blocks.last().and_then(|top| top.last);
        let below = last.filter(|last| column > last.column || (entry.is_item() && column == last.column));
        if below.is_some() {
            return Some(Place { column, open, below, found: self.found.len() });
        }
        let kind = if entry.is_item() { BlockKind::List } else { BlockKind::Map };
        let fits = |block: &Block<'_>| block.column == column && (block.kind == kind || block.kind == BlockKind::Empty);
        let sibling = (self.floor..open).rev().find(|&at| fits(&self.blocks[at]));
        sibling.map(|at| Place { column, open: at + 1, below: None, found: self.found.len() })
    }

    /// The place of an entry that counts: the one where other versions have such a key, otherwise the first. What stands like
    /// the line above has no other.
    pub(super) fn likeliest(&mut self, places: [Option<Place<'l>>; 4], entry: &Entry<'l>) -> Option<Place<'l>> {
        let first = places.into_iter().flatten().next()?;
        let EntryKind::Key(name) = entry.kind else { return Some(first) };
        let owner = |place: &Place<'l>| self.owner(*place);
        if places.iter().flatten().all(|place| owner(place) == owner(&first)) {
            return Some(first);
        }
        let is_among = |keys: &HashSet<KeyOfMap<'_>>, place: &Place<'l>| {
            owner(place).is_some_and(|(_, key)| keys.contains(&(key, name)))
        };
        let in_other = [&self.known.commented_out_there, &self.known.live_there_alone]
            .into_iter()
            .find_map(|keys| places.into_iter().flatten().find(|place| is_among(keys, place)));
        self.unsure.push(name);
        Some(places[0].or(in_other).unwrap_or(first))
    }

    /// Where an entry stands that opens a block: where its `#` stands left of that, indented as the blocks of the file are, or as
    /// a `#` further below tells. In a commented-out block it may stand right at that column, too.
    pub(super) fn indented(&self, place: Place<'l>, hash: i32, columns: [Option<i32>; 4]) -> i32 {
        let [alike, others @ ..] = columns;
        let below = place.below.filter(|_| alike != Some(place.column));
        let usual = below.map(|key| (key, key.column + self.step)).filter(|(key, usual)| {
            hash <= key.column || (hash + 1 == *usual && matches!(key.owner, Owner::CommentedOut(_)))
        });
        let (Some((key, usual)), others) = (usual, others.into_iter().flatten()) else { return place.column };
        let has_hash = |column: &i32| *column > key.column && self.lines.iter().flatten().any(|(at, _)| at == column);
        let told = others.clone().find(|column| *column == usual).or_else(|| others.clone().find(has_hash));
        told.unwrap_or(place.column)
    }

    /// The place of a key that stands left of the list of the key above both: those items are words about it.
    pub(super) fn place_of_list(&self, column: i32) -> Option<Place<'l>> {
        let lists =
            self.blocks.iter().enumerate().skip(self.floor).rev().filter(|(_, block)| block.kind == BlockKind::List);
        lists.filter(|(_, block)| column < block.column).find_map(|(open, block)| {
            let Opening { below, found } = block.opened.filter(|opened| opened.below < column)?;
            let below = Some(Last { owner: block.owner, column: below, key: block.key });
            Some(Place { column, open, below, found })
        })
    }
}
