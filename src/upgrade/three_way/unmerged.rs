//! What a merge of two branches must not decide in silence.
//!
//! A user who upgrades wins over the release (`docs/rules.md` rule 10); of two branches none wins. So the result of an
//! upgrade with the other branch for a release is held against the three files, value by value: where one side changed a
//! value it has to be that side's, and where both did and do not agree somebody has to decide. Maps are looked at key by key,
//! [`lists`] item by item. That knows nothing of the plan by which the result was made.
//!
//! Left out: the order of keys, and comments that have lines of their own, of which nothing gets lost.

mod lists;

use std::cell::LazyCell;

use self::lists::Lists;
use super::items::{Print, fingerprint, meaning};
use crate::text::scan;
use crate::yaml::check::Checked;
use crate::yaml::flow;
use crate::yaml::names::Names;
use crate::yaml::place::Place;
use crate::yaml::tree::Kind;

/// A value on which the sides do not agree, or of which a change got lost: its lines, from 1.
#[derive(Debug, Clone)]
pub(crate) struct Unmerged {
    pub(crate) base: Option<usize>,
    pub(crate) ours: Option<usize>,
    pub(crate) theirs: Option<usize>,
    pub(crate) spot: Spot,
    /// What happened, in words.
    pub(crate) words: String,
}

/// Where a value stands in the result, by lines from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spot {
    At(usize),
    /// It is not there, and would stand behind what starts on this line.
    Behind(usize),
    /// It is not there, and would stand before this line.
    Before(usize),
    /// There is no line that is its own.
    Nowhere,
}

/// Finds what a merge must not decide in silence. The files are the base, ours, theirs and the result.
pub(crate) fn unmerged(files: [&Checked<'_>; 4]) -> Vec<Unmerged> {
    let documents = files.map(lists::documents);
    if documents.iter().any(|documents| documents.len() > 1) {
        return several(files);
    }
    let [base, ours, theirs, result] = documents.map(|documents| documents.first().copied());
    Four { base, ours, theirs, result }.inside()
}

fn several(files: [&Checked<'_>; 4]) -> Vec<Unmerged> {
    let words = || "documents: changed by both".to_owned();
    let whole = || Unmerged { base: None, ours: None, theirs: None, spot: Spot::Nowhere, words: words() };
    items(&Lists::of_documents(files)).unwrap_or_else(|| vec![whole()])
}

/// What is unmerged inside of items; nothing where the sides do not agree on which items there are.
fn items(lists: &Lists<'_, '_>) -> Option<Vec<Unmerged>> {
    if lists.is_torn() {
        return None;
    }
    Some(lists.merged()?.iter().flat_map(Four::inside).collect())
}

/// A value as the four files have it.
#[derive(Clone, Copy)]
struct Four<'n, 'a> {
    base: Option<Place<'n, 'a>>,
    ours: Option<Place<'n, 'a>>,
    theirs: Option<Place<'n, 'a>>,
    result: Option<Place<'n, 'a>>,
}

/// What a merge has to come to; nothing where the value is to be gone.
struct Agreed<'n, 'a>(Option<Place<'n, 'a>>);

impl<'n, 'a> Four<'n, 'a> {
    /// What is unmerged in it.
    fn inside(&self) -> Vec<Unmerged> {
        let is_torn = !agree([self.base, self.ours, self.theirs].map(comment));
        if is_torn && self.ours.is_some() && self.theirs.is_some() {
            return vec![self.unmerged()];
        }
        match self.kind() {
            Some(Kind::Map) => self.whole_or(self.in_map()),
            Some(Kind::List) => self.whole_or(items(&Lists::of(*self)).unwrap_or_else(|| vec![self.unmerged()])),
            _ if self.is_merged() => Vec::new(),
            _ => vec![self.unmerged()],
        }
    }

    fn in_map(&self) -> Vec<Unmerged> {
        let files = [self.theirs, self.ours, self.base, self.result];
        let maps = files.map(fields);
        let neighbours = LazyCell::new(|| [self.theirs, self.ours].map(|map| neighbours(map, &maps[3])));
        let mut found = Vec::new();
        for (at, file) in files.iter().enumerate() {
            let names = file.iter().flat_map(|map| map.children()).filter_map(Place::name);
            for name in names.filter(|name| maps[..at].iter().all(|map| map.get(name).is_none())) {
                let [theirs, ours, base, result] = maps.each_ref().map(|map| map.get(name).copied());
                let mut inner = Four { base, ours, theirs, result }.inside();
                let is_away = inner.iter_mut().filter(|unmerged| unmerged.spot == Spot::Nowhere);
                is_away.for_each(|unmerged| unmerged.spot = self.spot(name, &neighbours));
                found.extend(inner);
            }
        }
        found
    }

    /// The value that the sides agree on: what one of them changed, or both in the same way.
    fn agreed(&self) -> Option<Agreed<'n, 'a>> {
        let [base, ours, theirs] = [self.base, self.ours, self.theirs].map(|place| place.map(print));
        if ours == theirs || base == theirs {
            Some(Agreed(self.ours))
        } else {
            (base == ours).then_some(Agreed(self.theirs))
        }
    }

    fn is_merged(&self) -> bool {
        let meant = |place: Option<Place<'n, 'a>>| place.map(|place| meaning(place.outline(), place.row()));
        let is_there = |Agreed(place): Agreed<'n, 'a>| {
            place.map(print) == self.result.map(print) || meant(place) == meant(self.result)
        };
        self.agreed().is_some_and(is_there)
    }

    /// What all of it is that is there. No value at all is an empty map where others have one, and so is none in the base;
    /// what was added by both has been an empty list.
    fn kind(&self) -> Option<Kind> {
        let now = [self.ours, self.theirs, self.result].into_iter().collect::<Option<Vec<_>>>()?;
        let is_empty = |place: &Place<'_, '_>| place.outline()[place.row()].is_null();
        let all = |kind, may_be_empty: bool| {
            let is_one = |place: &Place<'_, '_>| place.kind() == kind || (may_be_empty && is_empty(place));
            let was_one = self.base.is_none_or(|base| base.kind() == kind || is_empty(&base));
            was_one && now.iter().all(is_one) && now.iter().any(|place| place.kind() == kind)
        };
        let tags = [self.base, self.ours, self.theirs].map(|place| place.and_then(|at| at.outline().tag(at.row())));
        let kinds = [(Kind::Map, true), (Kind::List, false)].into_iter().filter(|_| agree(tags));
        kinds.into_iter().find(|&(kind, may_be_empty)| all(kind, may_be_empty)).map(|(kind, _)| kind)
    }

    /// The value itself as one that is unmerged.
    fn unmerged(&self) -> Unmerged {
        let [base, ours, theirs] = [self.base, self.ours, self.theirs].map(|place| place.map(line));
        let inside = self.result.filter(|place| place.outline()[place.row()].depth > 0);
        let spot = inside.map_or(Spot::Nowhere, |place| Spot::At(line(place)));
        Unmerged { base, ours, theirs, spot, words: self.words() }
    }

    /// What happened to it.
    fn words(&self) -> String {
        let what = match (self.base, self.ours, self.theirs) {
            (Some(_), None, Some(_)) => "removed by us, changed by them",
            (Some(_), Some(_), None) => "changed by us, removed by them",
            (None, Some(_), Some(_)) => "added by both",
            _ => "changed by both",
        };
        let place = self.ours.or(self.theirs).or(self.base).or(self.result);
        let path = place.map(|place| place.outline().path(place.row()).to_string()).unwrap_or_default();
        format!("{}: {what}", if path.is_empty() { "(file)" } else { &path })
    }

    /// Where a key that the map of the result has not would stand: behind the neighbour that it has on the side that has it.
    fn spot(&self, name: &str, [theirs, ours]: &[Neighbours<'n, 'a>; 2]) -> Spot {
        let first = || self.result.and_then(|map| map.child(0));
        match theirs.get(name).or_else(|| ours.get(name)).copied().flatten() {
            Some(neighbour) => Spot::Behind(line(neighbour)),
            None => first().map_or(Spot::Nowhere, |first| Spot::Before(line(first))),
        }
    }

    /// What is unmerged inside of a collection, or all of it where what is inside has no lines of its own: on the line of a
    /// dash or of braces, or where a side of what stands in braces has nothing to put a comma behind.
    fn whole_or(&self, found: Vec<Unmerged>) -> Vec<Unmerged> {
        let files = [self.base, self.ours, self.theirs, self.result];
        let is_in_flow = files.iter().flatten().any(|place| place.node().is_none_or(flow::is_flow));
        let starts = files.map(|place| place.filter(|place| place.outline()[place.row()].depth > 0).map(line));
        let has_no_line = |inner: &Unmerged| {
            let spot = match inner.spot {
                Spot::At(line) | Spot::Behind(line) | Spot::Before(line) => Some(line),
                Spot::Nowhere => return true,
            };
            let lines = [inner.base, inner.ours, inner.theirs, spot];
            lines.iter().zip(starts).any(|(line, start)| line.is_some() && *line == start)
        };
        let is_on_one_side = |inner: &Unmerged| inner.ours.is_none() || inner.theirs.is_none();
        let whole = found.iter().any(|inner| (is_in_flow && is_on_one_side(inner)) || has_no_line(inner));
        let Some(first) = found.first().filter(|_| whole) else { return found };
        vec![Unmerged { words: first.words.clone(), ..self.unmerged() }]
    }
}

/// By each key of a map the value in the result of the nearest key before it that is there, too.
type Neighbours<'n, 'a> = Names<&'n str, Option<Place<'n, 'a>>>;

fn neighbours<'n, 'a>(map: Option<Place<'n, 'a>>, result: &Names<&'n str, Place<'n, 'a>>) -> Neighbours<'n, 'a> {
    let mut before = None;
    let names = map.into_iter().flat_map(Place::children).filter_map(Place::name);
    let with_neighbour = |name| {
        let neighbour = before;
        before = result.get(name).copied().or(before);
        (name, neighbour)
    };
    names.map(with_neighbour).collect()
}

/// The keys of a map with their values.
fn fields<'n, 'a>(map: Option<Place<'n, 'a>>) -> Names<&'n str, Place<'n, 'a>> {
    let all = map.into_iter().flat_map(Place::children);
    all.filter_map(|child| Some((child.name()?, child))).collect()
}

/// Whether at most one side changed something, or both in the same way.
fn agree<T: PartialEq>([base, ours, theirs]: [T; 3]) -> bool {
    ours == theirs || base == ours || base == theirs
}

fn line(place: Place<'_, '_>) -> usize {
    place.outline()[place.row()].line
}

fn print(place: Place<'_, '_>) -> Print {
    fingerprint(place.outline(), place.row())
}

/// The words behind a value; how far they are from their `#` does not matter.
fn comment<'n>(place: Option<Place<'n, '_>>) -> Option<&'n str> {
    let text = &*place?.node()?.value_text;
    Some(text[scan::comment_behind(text)?..].trim_start_matches('#').trim())
}
