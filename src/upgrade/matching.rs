//! Which items of two lists are the same thing.
//!
//! First by identity: a key that every item has, with values that are unique in both lists. Failing such a key, by
//! overlap: the number of equal scalar values, where one different value under a key of both is a veto. A tie is no
//! pair, and each item serves once: a wrong pair is worse than no pair (`docs/rules.md` rule 6).

use foldhash::{HashMap, HashSet};

use crate::text::piece::Piece;
use crate::yaml::outline::Outline;
use crate::yaml::tree::Node;
use crate::yaml::value::{Value, ValueKind};

mod index;
mod overlap;
mod shapes;
#[cfg(test)]
mod tests;

use overlap::by_overlap;

/// Whether items may be paired by an identifying key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Pairing {
    /// By identity where a list has an identifying key, else by overlap.
    #[default]
    Identity,
    /// By overlap alone.
    Overlap,
}

/// What became of an item of the current list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Match {
    /// It is this item of the update's list.
    Pair(usize),
    /// It is none of them; `candidates` of them have something in common with it.
    Alone { candidates: usize },
}

/// Keys that tell items apart: one, or several together.
type Keys<'k> = &'k [&'k str];

/// Keys that identify an item, the best first.
const IDENTITIES: [Keys<'static>; 7] = [&["name"], &["id"], &["key"], &["uid"], &["host"], &["path"], &["url"]];

/// Further ones, which count less than the first key of all items. Names of things that schemes in wide use give no other
/// name; not such as `title`, `address` or `target`, which are values that users change.
const FURTHER: [Keys<'static>; 11] = [
    &["job_name"],
    &["username"],
    &["login"],
    &["slug"],
    &["hostname"],
    &["mountPath"],
    &["containerPort"],
    &["alert"],
    &["record"],
    &["name", "port"],
    &["kind", "name"],
];

/// One side of a comparison: the items of a list, and the outline of the file they are in.
#[derive(Clone, Copy)]
pub(crate) struct Side<'n, 'a> {
    pub(crate) items: &'n [Box<Node<'a>>],
    pub(crate) outline: &'n Outline<'a>,
}

/// Finds for each item of the current list what it is in the update's. `named` is the key that the caller's rules name.
pub(crate) fn pair(current: Side<'_, '_>, update: Side<'_, '_>, pairing: Pairing, named: Option<&str>) -> Vec<Match> {
    if !current.has_maps() || !update.has_maps() {
        return vec![Match::Alone { candidates: 0 }; current.items.len()];
    }
    pair_values(&current.values(), &update.values(), pairing, named)
}

/// The same for items wherever they are known from.
pub(crate) fn pair_values(
    current: &[Value<'_, '_>],
    update: &[Value<'_, '_>],
    pairing: Pairing,
    named: Option<&str>,
) -> Vec<Match> {
    let mut found = vec![Match::Alone { candidates: 0 }; current.len()];
    let (mine, theirs) = (objects(current), objects(update));
    if mine.is_empty() || theirs.is_empty() {
        return found;
    }
    let pairs = match (named, pairing) {
        (Some(key), _) => by_identity(&mine, &theirs, &[key]),
        (None, Pairing::Identity) => {
            let first = first_key(&mine).filter(|key| first_key(&theirs).as_ref() == Some(key));
            match identity(&mine, &theirs, first.as_deref()) {
                Some(keys) => by_identity(&mine, &theirs, &keys),
                None => by_overlap(&mine, &theirs),
            }
        }
        (None, Pairing::Overlap) => by_overlap(&mine, &theirs),
    };
    let by_names = named.is_none() && pairing == Pairing::Identity;
    let pairs = if by_names { completed(&mine, &theirs, pairs) } else { pairs };
    for (item, pair) in mine.iter().zip(pairs) {
        found[item.0] = match pair {
            Match::Pair(at) => Match::Pair(theirs[at].0),
            alone @ Match::Alone { .. } => alone,
        };
    }
    found
}

/// Pairs by names alone, for lists that become one: each map is looked up by the first identifying key of the other list
/// that it has. So a pair is found again when maps gained keys, and when what had no pair came in.
pub(crate) fn pair_by_names(
    current: &[Value<'_, '_>],
    update: &[Value<'_, '_>],
    pairing: Pairing,
    named: Option<&str>,
) -> Vec<Option<usize>> {
    let (mine, theirs) = (objects(current), objects(update));
    let first = first_key(&theirs);
    let keys: Vec<_> = match (named, pairing) {
        (Some(key), _) => vec![vec![key]],
        (None, Pairing::Identity) => names(&theirs, first.as_deref()),
        (None, Pairing::Overlap) => Vec::new(),
    };
    let mut free: HashMap<_, _> = HashMap::default();
    for keys in &keys {
        for (at, item) in theirs.iter().rev() {
            name(item, keys).map(|name| free.insert((keys, name), *at));
        }
    }
    let (mut pairs, mut taken) = (vec![None; current.len()], HashSet::default());
    for (at, item) in mine {
        let name = keys.iter().find_map(|keys| Some((keys, name(&item, keys)?)));
        pairs[at] = name.and_then(|name| free.get(&name).copied()).filter(|other| taken.insert(*other));
    }
    pairs
}

/// Pairs by one well-known name what has it, with a value that no other has, though some items have no such name; `None` for
/// what has no such pair.
pub(crate) fn pair_where_named(current: &[Value<'_, '_>], update: &[Value<'_, '_>]) -> Vec<Option<usize>> {
    let mut pairs = vec![None; current.len()];
    let (mine, theirs) = (objects(current), objects(update));
    for keys in IDENTITIES.iter().chain(&FURTHER) {
        let (own, other) = (unique_names(&mine, keys), unique_names(&theirs, keys));
        for (name, at) in own {
            pairs[at] = other.get(&name).copied();
        }
        if pairs.iter().any(Option::is_some) {
            break;
        }
    }
    pairs
}

/// The names by these keys that one item alone has, with its position.
fn unique_names<'n>(items: &Items<'n, '_>, keys: &[&str]) -> HashMap<Vec<&'n str>, usize> {
    let mut found: HashMap<_, Vec<_>> = HashMap::default();
    for (at, item) in items {
        if let Some(name) = name(item, keys) {
            found.entry(name).or_default().push(*at);
        }
    }
    found.into_iter().filter_map(|(name, at)| Some((name, *at.first().filter(|_| at.len() == 1)?))).collect()
}

/// What items may be told apart by, in groups, the best first; `first` is the first key of all of them.
fn candidates(first: Option<&str>) -> [Vec<Vec<&str>>; 3] {
    let known = |all: &[Keys<'static>]| all.iter().map(|keys| keys.to_vec()).collect();
    [known(&IDENTITIES), first.map(|key| vec![key]).into_iter().collect(), known(&FURTHER)]
}

/// The keys that tell the items of a list apart: those of one group.
fn names<'k>(items: &Items<'_, '_>, first: Option<&'k str>) -> Vec<Vec<&'k str>> {
    let identifying = candidates(first).map(|mut all| {
        all.retain(|keys| identifies(items, keys));
        all
    });
    identifying.into_iter().find(|all| !all.is_empty()).unwrap_or_default()
}

/// What an item is called by some keys; nothing where it lacks one of them.
fn name<'n>(item: &Value<'n, '_>, keys: &[&str]) -> Option<Vec<&'n str>> {
    keys.iter().map(|key| item.scalar(key)).collect()
}

/// The items that are maps, with their positions.
fn objects<'n, 'a>(items: &[Value<'n, 'a>]) -> Vec<(usize, Value<'n, 'a>)> {
    items.iter().copied().enumerate().filter(|(_, value)| value.kind() == ValueKind::Map).collect()
}

impl<'n, 'a> Side<'n, 'a> {
    fn values(self) -> Vec<Value<'n, 'a>> {
        self.items.iter().map(|item| Value::of(item, self.outline)).collect()
    }

    fn has_maps(self) -> bool {
        self.items.iter().any(|item| Value::of(item, self.outline).kind() == ValueKind::Map)
    }
}

/// Whether the items of both lists have one of the well-known keys that tell them apart.
pub(crate) fn have_names(current: &[Value<'_, '_>], update: &[Value<'_, '_>]) -> bool {
    let (mine, theirs) = (objects(current), objects(update));
    IDENTITIES.iter().chain(&FURTHER).any(|keys| identifies(&mine, keys) && identifies(&theirs, keys))
}

/// The one well-known key that tells the maps of both lists apart; nothing where it takes two, or there is none.
pub(crate) fn name_key(current: &[Value<'_, '_>], update: &[Value<'_, '_>]) -> Option<&'static str> {
    let (mine, theirs) = (objects(current), objects(update));
    let tells = |items: &Items<'_, '_>, keys| items.is_empty() || identifies(items, keys);
    let single = IDENTITIES.iter().chain(&FURTHER).filter(|keys| keys.len() == 1);
    let mut known = single.filter(|keys| tells(&mine, keys) && tells(&theirs, keys));
    known.next().and_then(|keys| keys.first().copied())
}

type Items<'n, 'a> = [(usize, Value<'n, 'a>)];

/// The keys by which the items of both lists can be told apart; `first` is the first key of all of them.
fn identity<'k>(mine: &Items<'_, '_>, theirs: &Items<'_, '_>, first: Option<&'k str>) -> Option<Vec<&'k str>> {
    candidates(first).into_iter().flatten().find(|keys| identifies(mine, keys) && identifies(theirs, keys))
}

/// The key that is the first one of every item.
fn first_key(items: &Items<'_, '_>) -> Option<String> {
    let mut firsts = items.iter().map(|(_, item)| item.fields().next().map(|(name, _)| name));
    let first = firsts.next()??;
    firsts.all(|other| other.as_ref() == Some(&first)).then(|| first.into_owned())
}

/// Whether every item has a name by these keys, none like another's.
fn identifies(items: &Items<'_, '_>, keys: &[&str]) -> bool {
    let Some(mut names) = items.iter().map(|(_, item)| name(item, keys)).collect::<Option<Vec<_>>>() else {
        return false;
    };
    names.sort_unstable();
    !names.is_empty() && names.windows(2).all(|pair| pair[0] != pair[1])
}

fn by_identity(mine: &Items<'_, '_>, theirs: &Items<'_, '_>, keys: &[&str]) -> Vec<Match> {
    let named = theirs.iter().enumerate().filter_map(|(at, (_, item))| Some((name(item, keys)?, at)));
    let (places, mut free): (HashMap<_, usize>, _) = (named.collect(), vec![true; theirs.len()]);
    let mut take = |item: &Value<'_, '_>| {
        let at = *places.get(&name(item, keys)?)?;
        std::mem::take(&mut free[at]).then_some(at)
    };
    mine.iter().map(|(_, item)| take(item).map_or(Match::Alone { candidates: 0 }, Match::Pair)).collect()
}

/// What an item lacks it gets from its pair. Where all items can then be told apart by a key, the next run would pair by
/// it those that have no pair; so this one does.
fn completed(mine: &Items<'_, '_>, theirs: &Items<'_, '_>, mut pairs: Vec<Match>) -> Vec<Match> {
    let to_be = || mine.iter().zip(&pairs).map(|((_, item), pair)| Gained::new(*item, *pair, theirs));
    let first = first_key(theirs).filter(|key| to_be().all(|item| item.first_key().as_deref() == Some(key.as_str())));
    let keys = candidates(first.as_deref()).into_iter().flatten().filter(|keys| identifies(theirs, keys));
    let mut told_apart = keys.filter_map(|keys| {
        let names = to_be().map(|item| item.name(&keys)).collect::<Option<Vec<_>>>()?;
        let different: HashSet<_> = names.iter().collect();
        (different.len() == names.len()).then_some((keys, names))
    });
    let Some((keys, names)) = told_apart.next() else { return pairs };
    let taken: HashSet<_> =
        pairs.iter().filter_map(|pair| if let Match::Pair(at) = pair { Some(*at) } else { None }).collect();
    let places: HashMap<_, _> =
        theirs.iter().enumerate().filter_map(|(at, (_, item))| Some((name(item, &keys)?, at))).collect();
    for (pair, own) in pairs.iter_mut().zip(names).filter(|(pair, _)| matches!(pair, Match::Alone { .. })) {
        if let Some(&at) = places.get(&own).filter(|at| !taken.contains(at)) {
            *pair = Match::Pair(at);
        }
    }
    pairs
}

/// An item with what it gains from its pair.
struct Gained<'n, 'a> {
    own: Value<'n, 'a>,
    pair: Option<Value<'n, 'a>>,
}

impl<'n, 'a> Gained<'n, 'a> {
    fn new(own: Value<'n, 'a>, pair: Match, theirs: &Items<'n, 'a>) -> Self {
        let pair = if let Match::Pair(at) = pair { Some(theirs[at].1) } else { None };
        Self { own, pair }
    }

    fn name(&self, keys: &[&str]) -> Option<Vec<&'n str>> {
        keys.iter().map(|key| self.scalar(key)).collect()
    }

    fn scalar(&self, key: &str) -> Option<&'n str> {
        if self.own.field(key).is_some() { self.own.scalar(key) } else { self.pair?.scalar(key) }
    }

    /// The update's order counts, but what only the user has stays before it.
    fn first_key(&self) -> Option<Piece<'a>> {
        let (own, _) = self.own.fields().next()?;
        match self.pair {
            Some(pair) if pair.field(&own).is_some() => pair.fields().next().map(|(name, _)| name),
            _ => Some(own),
        }
    }
}
