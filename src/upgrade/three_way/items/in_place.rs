//! Maps that were changed where they are: as many are left between the same neighbours in both lists.
//!
//! A single one that is left there has to be like the other, and of two that were added, each in its file, to have a value
//! in common with it. Of several each has to have more in common with the one at its
//! place than with any other, and any other with that; so a list that was put into another order is none of these.
//!
//! Where more are left in one list, or some have nothing in common with the one at their place, those are paired that are
//! evidently the same: they start with the same, more of what both have is equal than not, and neither has as much in common
//! with another. They have to stand in one order. An item that was added at the end is no reason to lose the one before.
//!
//! Left out: long runs, for all of one are compared with all of the other.

use foldhash::{HashMap, HashSet};
use std::ops::Range;

use super::{List, Part};
use crate::yaml::names::Names;
use crate::yaml::place::Place;
use crate::yaml::tree::Kind;

/// How many neighbours are compared with each other.
const LONGEST_RUN: usize = 32;

/// What a single map has to have in common with the one that is left in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::upgrade::three_way) enum Single {
    /// The same keys, or a value.
    IsLike,
    /// A value.
    HasValue,
}

/// Pairs the maps that are left between two neighbours with those that are left there in the other list.
pub(super) fn changed_in_place(
    pairs: &mut [Option<usize>],
    (first, mine): Part<'_, '_, '_>,
    (second, theirs): Part<'_, '_, '_>,
    if_single: Single,
) {
    let places: HashMap<_, _> = theirs.iter().enumerate().map(|(place, &at)| (at, place)).collect();
    let taken: HashSet<_> = pairs.iter().flatten().copied().collect();
    let place = |pair: Option<usize>| pair.and_then(|pair| places.get(&pair).copied());
    for run in runs_without_pair(pairs, mine) {
        let before = mine[..run.start].last().map(|&before| place(pairs[before]));
        let behind = mine.get(run.end).map(|&behind| place(pairs[behind]));
        let is_between = before != Some(None) && behind != Some(None);
        let start = before.flatten().map_or(0, |before| before + 1);
        let end = behind.flatten().unwrap_or(theirs.len());
        let Some(others) = theirs.get(start..end).filter(|_| is_between) else { continue };
        let own = &mine[run];
        let is_long = own.len().max(others.len()) > LONGEST_RUN;
        if is_long || others.iter().any(|other| taken.contains(other)) {
            continue;
        }
        if others.len() == own.len() && are_alike((first, own), (second, others), if_single) {
            own.iter().zip(others).for_each(|(&own, &other)| pairs[own] = Some(other));
        } else if if_single == Single::IsLike {
            for (own, other) in evident_pairs((first, own), (second, others)) {
                pairs[own] = Some(other);
            }
        }
    }
}

/// The items next to each other that have no pair, by their places.
fn runs_without_pair(pairs: &[Option<usize>], mine: &[usize]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in (0..mine.len()).filter(|&at| pairs[mine[at]].is_none()) {
        match runs.last_mut().filter(|run| run.end == at) {
            Some(run) => run.end += 1,
            None => runs.push(at..at + 1),
        }
    }
    runs
}

/// Whether the items at the same places of two runs of one length are the same.
fn are_alike((first, mine): Part<'_, '_, '_>, (second, theirs): Part<'_, '_, '_>, if_single: Single) -> bool {
    let common = |own: usize, other: usize| in_common((first, mine[own]), (second, theirs[other]));
    if let ([own], [other]) = (mine, theirs) {
        let have_keys = || if_single == Single::IsLike && have_same_keys(first.items[*own], second.items[*other]);
        return common(0, 0) > 0 || have_keys();
    }
    let is_likest = |at: usize| {
        let most = common(at, at);
        let others = (0..mine.len()).filter(|other| *other != at);
        most > 0 && others.into_iter().all(|other| common(at, other) < most && common(other, at) < most)
    };
    (0..mine.len()).all(is_likest)
}

/// The items of two runs that are evidently the same; none where these stand in another order.
fn evident_pairs((first, mine): Part<'_, '_, '_>, (second, theirs): Part<'_, '_, '_>) -> Vec<(usize, usize)> {
    let pairs = (0..mine.len()).flat_map(|own| (0..theirs.len()).map(move |other| (own, other)));
    let compared: HashMap<_, _> = pairs
        .map(|(own, other)| ((own, other), Likeness::of(first.items[mine[own]], second.items[theirs[other]])))
        .collect();
    let is_evident = |own: usize, other: usize| {
        let like = compared[&(own, other)];
        let others = (0..theirs.len()).filter(|two| *two != other).map(|two| (own, two));
        let mut rivals = others.chain((0..mine.len()).filter(|one| *one != own).map(|one| (one, other)));
        like.equal > like.different
            && rivals.all(|rival| compared[&rival].equal < like.equal)
            && start_alike(first.items[mine[own]], second.items[theirs[other]])
    };
    let found = |own: usize| (0..theirs.len()).find(|&other| is_evident(own, other)).map(|other| (own, other));
    let evident: Vec<_> = (0..mine.len()).filter_map(found).collect();
    if !evident.is_sorted_by_key(|(_, other)| other) {
        return Vec::new();
    }
    evident.into_iter().map(|(own, other)| (mine[own], theirs[other])).collect()
}

/// How many values of the keys that two maps both have are equal and how many are not, with those of the maps inside.
#[derive(Debug, Clone, Copy, Default)]
struct Likeness {
    equal: usize,
    different: usize,
}

impl Likeness {
    fn of(mine: Place<'_, '_>, other: Place<'_, '_>) -> Self {
        let (own, new) = (mine.children(), other.children());
        let names: Names<_, _> = new.into_iter().filter_map(|child| Some((child.name()?, child))).collect();
        let both = own.into_iter().filter_map(|child| Some((child, *names.get(child.name()?)?)));
        both.fold(Self::default(), |Self { equal, different }, (own, new)| {
            let inside = match (own.kind(), new.kind()) {
                (Kind::Map, Kind::Map) => Self::of(own, new),
                _ if is_same(own, new) => Self { equal: 1, different: 0 },
                _ => Self { equal: 0, different: 1 },
            };
            Self { equal: equal + inside.equal, different: different + inside.different }
        })
    }
}

/// Whether two maps have the same first key with the same value.
fn start_alike(mine: Place<'_, '_>, other: Place<'_, '_>) -> bool {
    let [own, new] = [mine, other].map(|item| item.child(0).filter(|_| item.kind() == Kind::Map));
    own.zip(new).is_some_and(|(own, new)| own.name() == new.name() && is_same(own, new))
}

fn is_same(mine: Place<'_, '_>, other: Place<'_, '_>) -> bool {
    mine.outline().same(mine.row(), other.outline(), other.row())
}

/// Whether two maps have the same keys.
fn have_same_keys(mine: Place<'_, '_>, other: Place<'_, '_>) -> bool {
    let maps = (mine.kind(), other.kind()) == (Kind::Map, Kind::Map);
    let (own, new) = (mine.children(), other.children());
    let names: Names<_, ()> = new.iter().filter_map(|child| Some((child.name()?, ()))).collect();
    let has = |child: &Place<'_, '_>| child.name().is_some_and(|name| names.get(name).is_some());
    maps && own.len() == new.len() && own.iter().all(has)
}

/// How many values two maps have in common.
fn in_common((first, own): (List<'_, '_, '_>, usize), (second, other): (List<'_, '_, '_>, usize)) -> usize {
    let (own, other) = (first.items[own].children(), second.items[other].children());
    let rows: Names<_, _> = other.iter().filter_map(|child| Some((child.name()?, child.row()))).collect();
    let is_in_both = |child: &&Place<'_, '_>| {
        let found = child.name().and_then(|name| rows.get(name));
        found.is_some_and(|found| first.outline.same(child.row(), second.outline, *found))
    };
    own.iter().filter(is_in_both).count()
}
