//! Which items of three lists are the same, and the order that those of the result stand in.
//!
//! Items that are equal are the same, the first with the first; maps that differ are found again like those of two files
//! ([`crate::upgrade::matching`]). Maps that are left between the same neighbours in both lists were changed where they are
//! ([`in_place`]).
//!
//! The order is the update's, with what only the user has behind the neighbour that it followed; where the user changed
//! the order of the base, it is the user's (`docs/rules.md` rule 10).

mod equal;
mod in_place;

use foldhash::{HashMap, HashSet};

pub(super) use self::equal::{Copies, Known, Print, fingerprint, known, meaning};
use self::equal::{alike, placed};
pub(super) use self::in_place::Single;
use self::in_place::changed_in_place;
use crate::upgrade::matching::{self, Match, Pairing};
use crate::upgrade::rules::ListMerge;
use crate::yaml::outline::Outline;
use crate::yaml::place::Place;
use crate::yaml::row::RowId;
use crate::yaml::value::Value;

/// An item of a list of the result, by its row in the file that it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemSource {
    /// The user's, and what the update has for it.
    Own { current: RowId, update: Option<RowId> },
    /// A new one of the update's.
    New { update: RowId },
}

/// The items of a list and the outline that they are in.
#[derive(Clone, Copy)]
pub(super) struct List<'l, 'n, 'a> {
    pub(super) items: &'l [Place<'n, 'a>],
    pub(super) outline: &'n Outline<'a>,
}

impl<'n, 'a> List<'_, 'n, 'a> {
    fn values(&self, items: &[usize]) -> Vec<Value<'n, 'a>> {
        items.iter().map(|&at| self.items[at].value()).collect()
    }
}

/// What the items of a list are told apart by.
#[derive(Clone, Copy)]
pub(super) struct By<'n> {
    pub(super) pairing: Pairing,
    /// The key that somebody named.
    pub(super) named: Option<&'n str>,
}

/// Some items of a list, by their positions.
type Part<'l, 'n, 'a> = (List<'l, 'n, 'a>, &'l [usize]);

/// For each item of the first list which one of the second it is.
pub(super) fn pair(first: List<'_, '_, '_>, second: List<'_, '_, '_>, by: By<'_>) -> Vec<Option<usize>> {
    let mut pairs = alike(vec![None; first.items.len()], first, second);
    let [mine, theirs] = [first, second].map(|list| (0..list.items.len()).collect::<Vec<_>>());
    complete(&mut pairs, (first, &mine), (second, &theirs), (by, Single::IsLike));
    pairs
}

/// Finds pairs for what has none yet, and is equal to nothing, of some items of two lists.
pub(super) fn complete(
    pairs: &mut [Option<usize>],
    (first, mine): Part<'_, '_, '_>,
    (second, theirs): Part<'_, '_, '_>,
    (by, if_single): (By<'_>, Single),
) {
    let (own, other) = unpaired(pairs, mine, theirs);
    let are_named = by.named.is_some() || matching::have_names(&first.values(&own), &second.values(&other));
    if !are_named && by.pairing == Pairing::Identity {
        let found = matching::pair_where_named(&first.values(&own), &second.values(&other));
        own.iter().zip(found).for_each(|(&at, found)| pairs[at] = found.map(|found| other[found]));
    }
    let (own, other) = unpaired(pairs, mine, theirs);
    let found = matching::pair_values(&first.values(&own), &second.values(&other), by.pairing, by.named);
    for (&at, found) in own.iter().zip(found) {
        if let Match::Pair(found) = found {
            pairs[at] = Some(other[found]);
        }
    }
    if !are_named {
        changed_in_place(pairs, (first, mine), (second, theirs), if_single);
    }
}

/// Which items of both lists have no pair yet.
fn unpaired(pairs: &[Option<usize>], mine: &[usize], theirs: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let taken: HashSet<_> = pairs.iter().flatten().copied().collect();
    let own = mine.iter().copied().filter(|&at| pairs[at].is_none()).collect();
    (own, theirs.iter().copied().filter(|at| !taken.contains(at)).collect())
}

/// The same where a rule says how the lists are merged. Pairs have to be found again when the new items have come in, so
/// they follow from the items themselves, and never from how many others are like them.
pub(super) fn pair_by_rule(
    merge: ListMerge,
    first: List<'_, '_, '_>,
    second: List<'_, '_, '_>,
    by: By<'_>,
) -> Vec<Option<usize>> {
    let (count, others) = (first.items.len(), second.items.len());
    match merge {
        ListMerge::Index => (0..count).map(|at| (at < others).then_some(at)).collect(),
        ListMerge::Union => {
            let all = |list: List<'_, '_, '_>| (0..list.items.len()).collect::<Vec<_>>();
            let (own, other) = (first.values(&all(first)), second.values(&all(second)));
            let found = matching::pair_by_names(&own, &other, by.pairing, by.named);
            alike(found, first, second)
        }
        _ => alike(vec![None; count], first, second),
    }
}

/// Which items of the update come in by a rule, with their rows: not those that are equal to one of the user's.
pub(super) fn new_by_rule(
    merge: ListMerge,
    mine: List<'_, '_, '_>,
    new: List<'_, '_, '_>,
    pairs: &[Option<usize>],
) -> Vec<(RowId, bool)> {
    let prints = |list: List<'_, '_, '_>, at: usize| {
        let row = list.items[at].row();
        [fingerprint, meaning, placed].map(|print| print(list.outline, row))
    };
    let mut has: HashSet<_> = (0..mine.items.len()).flat_map(|at| prints(mine, at)).collect();
    let comes = |at: usize| {
        let prints = prints(new, at);
        let is_new = match merge {
            ListMerge::Index => return !pairs.contains(&Some(at)),
            ListMerge::Union => !pairs.contains(&Some(at)) && !prints.iter().any(|print| has.contains(print)),
            _ => !prints.iter().any(|print| has.contains(print)),
        };
        if is_new && matches!(merge, ListMerge::Union | ListMerge::Unique) {
            has.extend(prints);
        }
        is_new
    };
    let rows = new.items.iter().map(|item| item.row());
    rows.zip((0..new.items.len()).map(comes)).collect()
}

/// What becomes of the items of the current list and of the update's.
pub(super) struct Fates {
    /// For each item of the user's that stays: its row, what it is in the update, and what it was in the base.
    pub(super) own: Vec<(RowId, Option<usize>, Option<usize>)>,
    /// For each item of the update: its row, and whether it comes in although the user has it not.
    pub(super) update: Vec<(RowId, bool)>,
}

impl Fates {
    /// The items of the result in their order.
    pub(super) fn sources(&self) -> Vec<ItemSource> {
        let bases: Vec<_> = self.own.iter().filter_map(|(_, _, base)| *base).collect();
        if bases.is_sorted() { self.in_order_of_update() } else { self.in_order_of_user() }
    }

    /// The same for a list in brackets, in which no item moves.
    pub(super) fn sources_in_flow(&self) -> Vec<ItemSource> {
        let sources = self.sources();
        let own = sources.iter().filter_map(|source| match *source {
            ItemSource::Own { current, .. } => Some(current),
            ItemSource::New { .. } => None,
        });
        if own.is_sorted() { sources } else { self.in_order_of_user() }
    }

    /// The user's items, and behind them what comes in.
    pub(super) fn new_behind(&self) -> Vec<ItemSource> {
        let own = (0..self.own.len()).map(|at| self.own(at));
        own.chain(self.coming()).collect()
    }

    /// What comes in, and behind it the user's items.
    pub(super) fn new_before(&self) -> Vec<ItemSource> {
        let own = (0..self.own.len()).map(|at| self.own(at));
        self.coming().chain(own).collect()
    }

    fn coming(&self) -> impl Iterator<Item = ItemSource> {
        self.update.iter().filter(|(_, comes)| *comes).map(|&(update, _)| ItemSource::New { update })
    }

    fn own(&self, at: usize) -> ItemSource {
        let (current, update, _) = self.own[at];
        ItemSource::Own { current, update: update.map(|update| self.update[update].0) }
    }

    fn in_order_of_update(&self) -> Vec<ItemSource> {
        let places = self.places();
        let mut sources = Vec::new();
        let own = |sources: &mut Vec<ItemSource>, first: usize| {
            let only = |&at: &usize| self.own.get(at).is_some_and(|(_, update, _)| update.is_none());
            sources.extend((first..).take_while(only).map(|at| self.own(at)));
        };
        own(&mut sources, 0);
        for (at, &(row, comes)) in self.update.iter().enumerate() {
            if let Some(&place) = places.get(&at) {
                sources.push(self.own(place));
                own(&mut sources, place + 1);
            } else if comes {
                sources.push(ItemSource::New { update: row });
            }
        }
        sources
    }

    /// New items stand behind the one that they follow in the update.
    pub(super) fn in_order_of_user(&self) -> Vec<ItemSource> {
        let places = self.places();
        let mut new: Vec<Vec<_>> = vec![Vec::new(); self.own.len() + 1];
        let mut behind = 0;
        for (at, &(row, comes)) in self.update.iter().enumerate() {
            if let Some(&place) = places.get(&at) {
                behind = place + 1;
            } else if comes {
                new[behind].push(ItemSource::New { update: row });
            }
        }
        let own = (0..self.own.len()).map(|at| self.own(at));
        let (first, rest) = new.split_at_mut(1);
        let behind = own.zip(rest).flat_map(|(own, new)| std::iter::once(own).chain(std::mem::take(new)));
        first.iter().flatten().copied().chain(behind).collect()
    }

    /// Where the user's items stand, by what they are in the update.
    fn places(&self) -> HashMap<usize, usize> {
        self.own.iter().enumerate().filter_map(|(at, (_, update, _))| Some(((*update)?, at))).collect()
    }
}
