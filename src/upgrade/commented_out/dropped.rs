//! Keys that the user made live, or wrote, where the old default has them commented out, and that the new default has no more
//! in any form: they stay, and it is told that the release dropped them.
//!
//! Of a key that is told those inside of it are not.

use super::KeysBefore;
use crate::upgrade::three_way::Plan;
use crate::yaml::outline::Outline;
use crate::yaml::row::RowId;

/// These keys, by their rows in the user's file.
pub(crate) fn dropped(known: &KeysBefore, plan: &Plan<'_, '_>, [current, update]: [&Outline<'_>; 2]) -> Vec<RowId> {
    let mut finder = Finder { known, plan, current, update, dropped: Vec::new() };
    if known.lost_any() {
        current.documents.iter().for_each(|&document| finder.inside(document, None));
    }
    finder.dropped
}

/// Where a value of the user's would stand in the old default.
struct PlaceInOld<'f> {
    /// The value there that it is, or that it would stand in; none in a document without a value.
    holder: Option<RowId>,
    /// The names on the way from there.
    names: Vec<&'f str>,
    /// Whether neither default has it live.
    is_own: bool,
}

struct Finder<'f, 'a> {
    known: &'f KeysBefore,
    plan: &'f Plan<'f, 'a>,
    current: &'f Outline<'a>,
    update: &'f Outline<'a>,
    dropped: Vec<RowId>,
}

impl<'f> Finder<'f, '_> {
    /// Looks at all that is inside of a value, which may have no counterpart in the old default but a place.
    fn inside(&mut self, value: RowId, place: Option<&PlaceInOld<'f>>) {
        let counterpart = self.plan.base(value);
        let counterpart = counterpart.map(|old| PlaceInOld { holder: old.row, names: Vec::new(), is_own: false });
        let place = counterpart.as_ref().or(place);
        let current = self.current;
        for child in current.children(value) {
            let name = current[child].name.as_deref();
            let place = place.zip(name).map(|(around, name)| self.place(child, name, around));
            if place.as_ref().is_some_and(|place| self.is_dropped(value, place)) {
                self.dropped.push(child);
            } else {
                self.inside(child, place.as_ref());
            }
        }
    }

    fn place(&self, key: RowId, name: &'f str, around: &PlaceInOld<'f>) -> PlaceInOld<'f> {
        let names = around.names.iter().copied().chain([name]).collect();
        let is_own = around.is_own || self.plan.map_of_own_key(Some(key)).is_some();
        PlaceInOld { holder: around.holder, names, is_own }
    }

    /// Whether the old default has a key of a map commented out, and the update has it no more.
    fn is_dropped(&self, map: RowId, PlaceInOld { holder, names, is_own }: &PlaceInOld<'_>) -> bool {
        let Some(name) = names.last().filter(|_| *is_own) else { return false };
        let is_live = || self.plan.row_in_update(map).is_some_and(|map| self.update.get(map, name).is_some());
        !self.known.offers(name) && self.known.has_in_old(*holder, names) && !is_live()
    }
}
