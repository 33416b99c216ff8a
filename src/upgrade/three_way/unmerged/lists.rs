//! Which items of four lists are the same, and whether the two sides agree on which there are.
//!
//! What both sides add is no conflict, wherever it is. What both took away or changed is one, unless they put the same into
//! its place; and so is an item that one side changed and the other removed, and an order that both changed.

use foldhash::{HashMap, HashSet};
use std::collections::VecDeque;
use std::ops::Range;

use similar::Algorithm;

use super::{Four, print};
use crate::text::diff::diff;
use crate::upgrade::documents::pairing;
use crate::upgrade::matching::Pairing;
use crate::upgrade::three_way::items::{self, By, List};
use crate::yaml::check::Checked;
use crate::yaml::place::Place;

/// For each item of one list which of another it is.
type Pairs = Vec<Option<usize>>;

/// The items of four lists, and a number for each of two of them: those of the base are numbered from 0, and who has the same
/// number is the same item.
pub(super) struct Lists<'n, 'a> {
    base: Vec<Place<'n, 'a>>,
    ours: Vec<Place<'n, 'a>>,
    theirs: Vec<Place<'n, 'a>>,
    result: Vec<Place<'n, 'a>>,
    our_numbers: Vec<usize>,
    their_numbers: Vec<usize>,
    /// Which items of the result those of ours and theirs are, as far as two files tell.
    our_results: Pairs,
    their_results: Pairs,
}

/// The documents of a file that have a value.
pub(super) fn documents<'n, 'a>(file: &'n Checked<'a>) -> Vec<Place<'n, 'a>> {
    let all = file.stream.children.iter().filter(|document| document.row.is_some());
    all.map(|document| Place::of(document, &file.outline)).collect()
}

impl<'n, 'a> Lists<'n, 'a> {
    pub(super) fn of(four: Four<'n, 'a>) -> Self {
        let lists = [four.base, four.ours, four.theirs, four.result];
        let items = lists.map(|list| list.map(Place::children).unwrap_or_default());
        let by = By { pairing: Pairing::default(), named: None };
        let pair = |one: usize, other: usize| {
            let list = |at: usize| Some(List { items: &items[at], outline: lists[at]?.outline() });
            let pairs = list(one).zip(list(other)).map(|(one, other)| items::pair(one, other, by));
            pairs.unwrap_or_else(|| vec![None; items[one].len()])
        };
        let pairs = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)].map(|(one, other)| pair(one, other));
        Self::numbered(items, pairs)
    }

    pub(super) fn of_documents(files: [&'n Checked<'a>; 4]) -> Self {
        let valued = files.map(|file| {
            let all = file.stream.children.iter().enumerate();
            all.filter(|(_, document)| document.row.is_some()).map(|(at, _)| at).collect::<Vec<_>>()
        });
        let pair = |one: usize, other: usize| -> Pairs {
            let (mine, theirs) = (files[one], files[other]);
            let (own, new) = (&mine.stream.children, &theirs.stream.children);
            let all = pairing::pair(own, &mine.outline, new, &theirs.outline);
            let place = |at: usize| valued[other].iter().position(|&valued| valued == at);
            valued[one].iter().map(|&at| all[at].and_then(place)).collect()
        };
        let pairs = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)].map(|(one, other)| pair(one, other));
        Self::numbered(files.map(documents), pairs)
    }

    /// The pairs are those of base and ours, base and theirs, ours and theirs, and both of these and the result.
    fn numbered([base, ours, theirs, result]: [Vec<Place<'n, 'a>>; 4], pairs: [Pairs; 5]) -> Self {
        let [in_ours, in_theirs, shared, our_results, their_results] = pairs;
        let mut our_numbers: Vec<_> = (0..ours.len()).map(|at| base.len() + at).collect();
        let behind = base.len() + ours.len();
        let mut their_numbers: Vec<_> = (0..theirs.len()).map(|at| behind + at).collect();
        for (at, own) in shared.iter().enumerate().filter_map(|(at, their)| Some((at, (*their)?))) {
            their_numbers[own] = our_numbers[at];
        }
        let known = |pairs: Pairs| pairs.into_iter().enumerate().filter_map(|(was, at)| Some((was, at?)));
        known(in_ours).for_each(|(was, at)| our_numbers[at] = was);
        known(in_theirs).for_each(|(was, at)| their_numbers[at] = was);
        Self { base, ours, theirs, result, our_numbers, their_numbers, our_results, their_results }
    }

    /// Whether both sides have something else for the same item, or another order.
    pub(super) fn is_torn(&self) -> bool {
        let (ours, theirs) = (self.order(&self.our_numbers), self.order(&self.their_numbers));
        let is_moved = !ours.is_sorted() && !theirs.is_sorted() && ours != theirs;
        is_moved || self.is_changed_and_removed() || self.is_replaced_twice()
    }

    /// The items that all have, in the order of a side.
    fn order(&self, numbers: &[usize]) -> Vec<usize> {
        let both: HashSet<_> = self.our_numbers.iter().copied().collect();
        let others: HashSet<_> = self.their_numbers.iter().copied().collect();
        let is_common = |at: &usize| *at < self.base.len() && both.contains(at) && others.contains(at);
        numbers.iter().copied().filter(is_common).collect()
    }

    fn is_changed_and_removed(&self) -> bool {
        let sides = [
            (&self.our_numbers, &self.ours, &self.their_numbers),
            (&self.their_numbers, &self.theirs, &self.our_numbers),
        ];
        sides.into_iter().any(|(numbers, items, others)| {
            let others: HashSet<_> = others.iter().copied().collect();
            let was = |at: usize| self.base.get(at).map(|was| print(*was));
            let mut items = numbers.iter().zip(items).filter(|(at, _)| !others.contains(at));
            items.any(|(at, item)| was(*at).is_some_and(|was| was != print(*item)))
        })
    }

    /// Whether both sides took away an item, and put different ones into its place.
    fn is_replaced_twice(&self) -> bool {
        let (ours, theirs) = (self.replaced(&self.our_numbers), self.replaced(&self.their_numbers));
        let both = ours.iter().filter_map(|(at, now)| Some((now, theirs.get(at)?)));
        let places: HashSet<_> = both.collect();
        let new = |numbers: &[usize], now: &Range<usize>| -> Vec<usize> {
            numbers[now.clone()].iter().copied().filter(|at| *at >= self.base.len()).collect()
        };
        places.into_iter().any(|(own, other)| new(&self.our_numbers, own) != new(&self.their_numbers, other))
    }

    /// The items of the base that a side took away, with the places of those that it has instead.
    fn replaced(&self, numbers: &[usize]) -> HashMap<usize, Range<usize>> {
        let old: Vec<_> = (0..self.base.len()).collect();
        let has: HashSet<_> = numbers.iter().copied().collect();
        let places = diff(Algorithm::Myers, &old, numbers).into_iter().flat_map(|change| {
            let (_, was, now) = change.as_tag_tuple();
            was.map(move |at| (at, now.clone()))
        });
        places.filter(|(at, _)| !has.contains(at)).collect()
    }

    /// The items that a merge has, each with what it is in the result; nothing where the result has others, or in an order
    /// that is that of neither side.
    pub(super) fn merged(&self) -> Option<Vec<Four<'n, 'a>>> {
        let mut free: HashMap<_, VecDeque<usize>> = HashMap::default();
        for (at, item) in self.result.iter().enumerate() {
            free.entry(print(*item)).or_default().push_back(at);
        }
        let (items, common) = self.expected();
        let mut places = Vec::with_capacity(items.len());
        for item in &items {
            let agreed = item.four.agreed().and_then(|agreed| agreed.0).map(print);
            places.push(agreed.and_then(|print| free.get_mut(&print)?.pop_front()));
        }
        let mut taken: HashSet<_> = places.iter().flatten().copied().collect();
        for (place, item) in places.iter_mut().zip(&items).filter(|(place, _)| place.is_none()) {
            let known = item.our_place.and_then(|at| self.our_results[at]);
            let known = known.or_else(|| self.their_results[item.their_place?]);
            *place = Some(known.filter(|at| taken.insert(*at))?);
        }
        let is_whole = places.len() == self.result.len() && places[..common].is_sorted();
        let fours =
            items.iter().zip(places).map(|(item, at)| Four { result: at.map(|at| self.result[at]), ..item.four });
        is_whole.then(|| fours.collect())
    }

    /// The items that a merge has to have, first those that all have, in their order, and how many these are.
    fn expected(&self) -> (Vec<Item<'n, 'a>>, usize) {
        let places = |numbers: &[usize]| -> HashMap<usize, usize> {
            numbers.iter().enumerate().map(|(place, at)| (*at, place)).collect()
        };
        let (ours, theirs) = (places(&self.our_numbers), places(&self.their_numbers));
        let own = self.order(&self.our_numbers);
        let common = if own.is_sorted() { self.order(&self.their_numbers) } else { own };
        let count = common.len();
        let new = |at: &usize| *at >= self.base.len();
        let added = self.our_numbers.iter().copied().filter(new);
        let their_own = |at: &usize| new(at) && !ours.contains_key(at);
        let all = common.into_iter().chain(added).chain(self.their_numbers.iter().copied().filter(their_own));
        let item = |at: usize| {
            let (our_place, their_place) = (ours.get(&at).copied(), theirs.get(&at).copied());
            let base = self.base.get(at).copied();
            let (ours, theirs) = (our_place.map(|at| self.ours[at]), their_place.map(|at| self.theirs[at]));
            Item { four: Four { base, ours, theirs, result: None }, our_place, their_place }
        };
        (all.map(item).collect(), count)
    }
}

/// An item that a merge has to have, and where the sides have it.
struct Item<'n, 'a> {
    four: Four<'n, 'a>,
    our_place: Option<usize>,
    their_place: Option<usize>,
}
