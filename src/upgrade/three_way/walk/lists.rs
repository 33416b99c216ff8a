//! Lists in the walk: which items go, stay and come in.

use foldhash::HashSet;

use super::{Planner, is_in_flow};
use crate::upgrade::matching::{self, Match};
use crate::upgrade::three_way::items::{self, By, Copies, Fates, Known, List, Single};
use crate::yaml::place::Place;
use crate::yaml::tree::Kind;

impl<'b: 'p, 'p, 'a> Planner<'b, 'p, 'a> {
    /// The key that the items of a list are to be found again by.
    pub(super) fn named(&self, list: Place<'p, 'a>) -> Option<&'p str> {
        self.options.list_key(|| self.current.path(list.row()))
    }

    pub(super) fn list(&mut self, base: Place<'b, 'a>, current: Place<'p, 'a>, update: Place<'p, 'a>) {
        let (old, mine, new) = (base.children(), current.children(), update.children());
        let [old_list, own_list, new_list] = [(&old, self.base), (&mine, self.current), (&new, self.update)]
            .map(|(items, outline)| List { items: items.as_slice(), outline });
        let by = By { pairing: self.options.pairing, named: self.named(current) };
        let Pairs { known, others, was } = Pairs::of([old_list, own_list, new_list], by);
        let decided = self.plan.decisions.len();
        let mut fates = Fates { own: Vec::new(), update: new.iter().map(|new| (new.row(), false)).collect() };
        for (at, item) in mine.iter().enumerate() {
            if !self.item(*item, known[at].map(|was| old[was]), others[at].map(|other| new[other])) {
                fates.own.push((item.row(), others[at], known[at]));
            }
        }
        if fates.own.is_empty() && !mine.is_empty() && is_in_flow(current) {
            let has_known = set(&known);
            let brings_back = was.iter().flatten().any(|was| !has_known.contains(was));
            let comes = was.iter().any(Option::is_none);
            let all = mine.iter().zip(&known).map(|(item, was)| (*item, was.map(|was| old[was]))).collect();
            if !brings_back {
                self.forget(decided);
                return self.take(base, current, update);
            } else if !comes {
                self.forget(decided);
                self.keep_dropped(all);
                fates.own = mine.iter().zip(&known).map(|(item, was)| (item.row(), None, *was)).collect();
            }
        }
        let has = set(&others);
        let comes = new.iter().enumerate().filter(|(at, _)| !has.contains(at) && was[*at].is_none());
        if would_mix_kinds(&fates, &mine, comes.map(|(_, item)| *item)) {
            self.forget(decided);
            return self.leaf(base, current, update);
        }
        for (at, item) in new.iter().enumerate().filter(|(at, _)| !has.contains(at)) {
            self.absent(was[at].map(|was| old[was]), *item);
            fates.update[at].1 = !self.plan.left_out.contains(&item.row());
        }
        let sources = if is_in_flow(current) { fates.sources_in_flow() } else { fates.sources() };
        self.plan.lists.insert(current.row(), sources);
    }

    /// Decides on an item of the user's; whether it goes.
    fn item(&mut self, current: Place<'p, 'a>, base: Option<Place<'b, 'a>>, update: Option<Place<'p, 'a>>) -> bool {
        match (base, update) {
            (Some(base), Some(update)) => self.value(base, current, update),
            (Some(base), None) => return self.dropped_item(base, current),
            (None, Some(update)) => self.both_added(current, update),
            (None, None) => {}
        }
        false
    }

    /// Decides on the items of two lists that the base has not; whether these are lists of maps. Which items are the same
    /// two files can tell.
    pub(super) fn both_added_items(&mut self, current: Place<'p, 'a>, update: Place<'p, 'a>) -> bool {
        let (mine, new) = (current.children(), update.children());
        let [own, other] = [&mine, &new].map(|items| items.iter().map(|item| item.value()).collect::<Vec<_>>());
        let pairs = matching::pair_values(&own, &other, self.options.pairing, self.named(current));
        for (at, (item, pair)) in mine.iter().zip(pairs).enumerate() {
            let pair = match pair {
                Match::Pair(pair) => Some(pair),
                Match::Alone { .. } => (item.kind() == Kind::List).then_some(at),
            };
            if let Some(&other) = pair.and_then(|pair| new.get(pair)).filter(|other| other.kind() == item.kind()) {
                self.both_added(*item, other);
            }
        }
        mine.iter().any(|item| item.kind() == Kind::Map)
    }
}

/// Whether a list that has only items of the user's would get others, none of which is of a kind that the user has there:
/// texts and maps in one list. A program that reads one of the two cannot read both.
fn would_mix_kinds<'p, 'a: 'p>(
    fates: &Fates,
    mine: &[Place<'_, '_>],
    comes: impl Iterator<Item = Place<'p, 'a>>,
) -> bool {
    let is_own = !fates.own.is_empty() && fates.own.iter().all(|(_, other, _)| other.is_none());
    let mut comes = comes.peekable();
    is_own && comes.peek().is_some() && comes.all(|item| mine.iter().all(|own| own.kind() != item.kind()))
}

/// The items that are in some pair.
fn set(pairs: &[Option<usize>]) -> HashSet<usize> {
    pairs.iter().flatten().copied().collect()
}

/// Which items of three lists are the same.
struct Pairs {
    /// For each item of the user's the one of the base.
    known: Vec<Option<usize>>,
    /// For each item of the user's the one of the update, which that of the base became, or which both sides added.
    others: Vec<Option<usize>>,
    /// For each item of the update the one of the base, or one like it that the user removed.
    was: Vec<Option<usize>>,
}

impl Pairs {
    fn of([old, mine, new]: [List<'_, '_, '_>; 3], by: By<'_>) -> Self {
        let moved_on = items::pair(old, new, by);
        let equal = items::known(mine, [old, new], &moved_on);
        let mut known: Vec<_> = equal.iter().map(|equal| equal.and_then(Known::in_base)).collect();
        let mut others: Vec<_> = equal.iter().map(|equal| equal.and_then(Known::in_update)).collect();
        let not_new: Vec<_> = (0..others.len()).filter(|&at| others[at].is_none()).collect();
        let all: Vec<_> = (0..old.items.len()).collect();
        items::complete(&mut known, (mine, &not_new), (old, &all), (by, Single::IsLike));
        let own: Vec<_> = (0..known.len()).filter(|&at| known[at].is_none()).collect();
        let moved_to = set(&moved_on);
        let other: Vec<_> = (0..new.items.len()).filter(|at| !moved_to.contains(at)).collect();
        items::complete(&mut others, (mine, &own), (new, &other), (by, Single::HasValue));
        Self { known, others, was: vec![None; new.items.len()] }.with_bases(&moved_on, [old, mine, new])
    }

    /// Adds what the items of the base became, and what copies of one the user has more of, or fewer.
    fn with_bases(mut self, moved_on: &[Option<usize>], [old, mine, new]: [List<'_, '_, '_>; 3]) -> Self {
        let copies = Copies::of(mine, old);
        for (at, (was, other)) in self.known.iter_mut().zip(&mut self.others).enumerate() {
            was.take_if(|was| moved_on[*was].is_none() && copies.are_more(mine, at));
            *other = was.map_or(*other, |was| moved_on[was]);
        }
        for (was, other) in moved_on.iter().enumerate() {
            other.map(|other| self.was[other] = Some(was));
        }
        for (at, was) in self.was.iter_mut().enumerate().filter(|(_, was)| was.is_none()) {
            *was = copies.fewer(new, at);
        }
        self
    }
}
