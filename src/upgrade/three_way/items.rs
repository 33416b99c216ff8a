//! Which items of three lists are the same, and the order that those of the result stand in.
//!
//! Items that are equal are the same, the first with the first; maps that differ are found again like those of two files
//! ([`crate::upgrade::matching`]). A single map that is left between the same neighbours in both lists was changed where it is.
//!
//! The order is the update's, with what only the user has behind the neighbour that it followed; where the user changed
//! the order of the base, it is the user's (`docs/rules.md` rule 10).

use foldhash::{HashMap, HashSet};
use std::collections::VecDeque;

use saphyr_parser::ScalarStyle;

use crate::upgrade::matching::{self, Match, Pairing};
use crate::upgrade::rules::ListMerge;
use crate::yaml::outline::{Outline, RowKind, is_text};
use crate::yaml::place::Place;
use crate::yaml::tree::Kind;
use crate::yaml::value::Value;

/// An item of a list of the result, by its row in the file that it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemSource {
    /// The user's, and what the update has for it.
    Own { current: usize, update: Option<usize> },
    /// A new one of the update's.
    New { update: usize },
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

/// For each item of the first list which one of the second it is.
pub(super) fn pair(first: List<'_, '_, '_>, second: List<'_, '_, '_>, by: By<'_>) -> Vec<Option<usize>> {
    let mut pairs = alike(vec![None; first.items.len()], first, second);
    let taken: HashSet<_> = pairs.iter().flatten().copied().collect();
    let mine: Vec<_> = (0..first.items.len()).filter(|&at| pairs[at].is_none()).collect();
    let theirs: Vec<_> = (0..second.items.len()).filter(|at| !taken.contains(at)).collect();
    let (own, other) = (first.values(&mine), second.values(&theirs));
    for (&at, found) in mine.iter().zip(matching::pair_values(&own, &other, by.pairing, by.named)) {
        if let Match::Pair(other) = found {
            pairs[at] = Some(theirs[other]);
        }
    }
    if by.named.is_none() && !matching::have_names(&own, &other) {
        changed_in_place(&mut pairs, first, second);
    }
    pairs
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
) -> Vec<(usize, bool)> {
    let prints = |list: List<'_, '_, '_>, at: usize| {
        let row = list.items[at].row();
        [fingerprint(list.outline, row), meaning(list.outline, row)]
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

/// Pairs what has no pair yet and is equal as it is written, or else by what its aliases stand for: in another file they
/// may stand for something else, or have got another name.
fn alike(pairs: Vec<Option<usize>>, first: List<'_, '_, '_>, second: List<'_, '_, '_>) -> Vec<Option<usize>> {
    let pairs = equal_among(pairs, first, second, fingerprint);
    equal_among(pairs, first, second, meaning)
}

/// Pairs what has no pair yet and is equal, the first with the first; `print` tells what is equal.
fn equal_among(
    pairs: Vec<Option<usize>>,
    first: List<'_, '_, '_>,
    second: List<'_, '_, '_>,
    print: impl Fn(&Outline<'_>, usize) -> String,
) -> Vec<Option<usize>> {
    let taken: HashSet<_> = pairs.iter().flatten().copied().collect();
    let mut places: HashMap<String, VecDeque<usize>> = HashMap::default();
    for (at, item) in second.items.iter().enumerate().filter(|(at, _)| !taken.contains(at)) {
        places.entry(print(second.outline, item.row())).or_default().push_back(at);
    }
    let mut find = |row| places.get_mut(&print(first.outline, row))?.pop_front();
    first.items.iter().zip(pairs).map(|(item, pair)| pair.or_else(|| find(item.row()))).collect()
}

/// All that a value is, in one string. The order of the keys of a map says nothing.
fn fingerprint(outline: &Outline<'_>, row: usize) -> String {
    print(outline, row, Aliases::ByName)
}

/// The same with what aliases stand for, whatever they are called: an anchor that comes in may get another name. Inside of
/// what they stand for their names have to do, or a small file could become a very long string.
fn meaning(outline: &Outline<'_>, row: usize) -> String {
    print(outline, row, Aliases::Followed)
}

/// What an alias is when values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aliases {
    ByName,
    Followed,
}

fn print(outline: &Outline<'_>, row: usize, aliases: Aliases) -> String {
    let value = &outline.rows[row];
    if let RowKind::Alias(target) = value.kind
        && let Some(meant) = target.value().filter(|_| aliases == Aliases::Followed)
    {
        return print(outline, meant, Aliases::ByName);
    }
    let inner =
        outline.children(row).map(|child| (outline.rows[child].name.as_deref(), print(outline, child, aliases)));
    let mut inner: Vec<_> = inner.collect();
    let kind = match value.kind {
        RowKind::Map => {
            inner.sort();
            "map"
        }
        RowKind::List => "list",
        RowKind::Scalar(ScalarStyle::Plain) if !is_text(&value.text) => "plain",
        RowKind::Scalar(_) => "text",
        RowKind::Alias(_) => "alias",
    };
    let mut print = format!("{kind} {} {} {:?}(", value.text.len(), value.text, value.tag);
    for (name, child) in inner {
        let name = name.unwrap_or_default();
        print.extend([&name.len().to_string(), " ", name, " ", &child]);
    }
    print + ")"
}

/// Pairs a map that is the only one left between two neighbours with the only one that is left there in the other list.
fn changed_in_place(pairs: &mut [Option<usize>], first: List<'_, '_, '_>, second: List<'_, '_, '_>) {
    let taken: HashSet<_> = pairs.iter().flatten().copied().collect();
    let alone: Vec<_> = (0..pairs.len()).filter(|&at| pairs[at].is_none()).collect();
    for at in alone {
        let before = pairs[..at].last().copied().flatten();
        let behind = pairs.get(at + 1).copied().flatten();
        let edges = (at == 0 || before.is_some()) && (at + 1 == pairs.len() || behind.is_some());
        let start = before.map_or(0, |before| before + 1);
        let end = behind.unwrap_or(second.items.len());
        if !edges || start + 1 != end || taken.contains(&start) {
            continue;
        }
        if is_like(first.items[at], first.outline, second.items[start], second.outline) {
            pairs[at] = Some(start);
        }
    }
}

/// Whether two maps have the same keys, or a value in common.
fn is_like(mine: Place<'_, '_>, outline: &Outline<'_>, other: Place<'_, '_>, theirs: &Outline<'_>) -> bool {
    let maps = (mine.kind(), other.kind()) == (Kind::Map, Kind::Map);
    let (own, new) = (mine.children(), other.children());
    let find = |child: &Place<'_, '_>| new.iter().find(|other| other.name() == child.name());
    let equal = |child| find(child).is_some_and(|found| outline.same(child.row(), theirs, found.row()));
    let all = own.len() == new.len() && own.iter().all(|child| find(child).is_some());
    maps && (all || own.iter().any(equal))
}

/// What becomes of the items of the current list and of the update's.
pub(super) struct Fates {
    /// For each item of the user's that stays: its row, what it is in the update, and what it was in the base.
    pub(super) own: Vec<(usize, Option<usize>, Option<usize>)>,
    /// For each item of the update: its row, and whether it comes in although the user has it not.
    pub(super) update: Vec<(usize, bool)>,
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
