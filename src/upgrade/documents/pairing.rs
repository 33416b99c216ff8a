//! Which document of one file is which of the other.

use foldhash::{HashMap, HashSet};
use std::collections::VecDeque;

use crate::upgrade::three_way::{ItemSource, Plan};
use crate::yaml::outline::Outline;
use crate::yaml::row::RowId;
use crate::yaml::tree::Node;

/// Which document of the update each of the current file is, by the rows of their values. It is known before anything is
/// merged, so it stays when documents go.
#[derive(Debug)]
pub(crate) struct Counterparts(HashMap<Option<RowId>, Option<RowId>>);

impl Counterparts {
    /// As an old default tells it, or else the two files alone.
    pub(crate) fn of(
        plan: &Plan<'_, '_>,
        (current, mine): (&Node<'_>, &Outline<'_>),
        (update, theirs): (&Node<'_>, &Outline<'_>),
    ) -> Self {
        if let Some(slots) = plan.documents() {
            let row = |slot: &ItemSource| match *slot {
                ItemSource::Own { current, update } => Some((Some(current), Some(update?))),
                ItemSource::New { .. } => None,
            };
            return Self(slots.iter().filter_map(row).collect());
        }
        let pairs = pair(&current.children, mine, &update.children, theirs);
        let rows = current.children.iter().map(|document| document.row);
        Self(rows.zip(pairs).filter_map(|(row, pair)| Some((row, update.children[pair?].row))).collect())
    }

    /// For each of these documents its counterpart among the others. Of several without a value the first has one.
    pub(crate) fn among(&self, documents: &[Box<Node<'_>>], others: &[Box<Node<'_>>]) -> Vec<Option<usize>> {
        let places: HashMap<_, _> = others.iter().enumerate().rev().map(|(at, other)| (other.row, at)).collect();
        let mut left = self.0.clone();
        let mut place = |row| places.get(&left.remove(&row)?).copied();
        documents.iter().map(|document| place(document.row)).collect()
    }
}

/// For each document of the current file its counterpart.
pub(crate) fn pair(
    mine: &[Box<Node<'_>>],
    current: &Outline<'_>,
    theirs: &[Box<Node<'_>>],
    update: &Outline<'_>,
) -> Vec<Option<usize>> {
    let (own, others) = (places(mine), places(theirs));
    let by_name = || {
        let known: Vec<_> = others.iter().map(|&at| Identity::of(&theirs[at], update)).collect();
        let ids: Vec<_> = own.iter().map(|&at| Identity::of(&mine[at], current)).collect();
        let are_whole = known.iter().all(Identity::is_whole);
        let by_whole = (are_whole && are_different(known.iter())).then(|| by_identity(&ids, &known));
        by_whole.or_else(|| by_common_parts(&ids, &known))
    };
    let by_profile = || {
        let profiles: Vec<_> = others.iter().map(|&at| profile(&theirs[at], update)).collect();
        by_profile(own.iter().map(|&at| profile(&mine[at], current)), &profiles)
    };
    let found = (own.len().max(others.len()) > 1).then(|| by_name().or_else(by_profile)).flatten();
    let found = found.unwrap_or_else(|| (0..own.len()).map(|at| (at < others.len()).then_some(at)).collect());
    let mut pairs = vec![None; mine.len()];
    for (at, other) in own.into_iter().zip(found) {
        pairs[at] = other.map(|other| others[other]);
    }
    pairs
}

/// Where the documents are, one of which everything was deleted included; comments alone are one only where there is no
/// other.
fn places(documents: &[Box<Node<'_>>]) -> Vec<usize> {
    let all = documents.iter().enumerate();
    let counted: Vec<_> = all.filter(|(_, document)| document.row.is_some()).map(|(at, _)| at).collect();
    if counted.is_empty() { (0..documents.len().min(1)).collect() } else { counted }
}

/// Pairs what is the same thing. A document that lacks a part of its identity gets it from the first of the update's that
/// it can be, so the next run finds the same pairs by what they have become.
fn by_identity(mine: &[Identity], theirs: &[Identity]) -> Vec<Option<usize>> {
    let places: HashMap<_, _> = theirs.iter().enumerate().map(|(at, id)| (id, at)).collect();
    let mut free = vec![true; theirs.len()];
    let mut take = |at: usize| std::mem::take(&mut free[at]).then_some(at);
    let mut pairs: Vec<_> = mine.iter().map(|id| take(*places.get(id)?)).collect();
    let mut in_part: HashMap<_, HashMap<_, VecDeque<_>>> = HashMap::default();
    for (id, pair) in mine.iter().zip(&mut pairs).filter(|(id, pair)| pair.is_none() && !id.is_whole()) {
        let by_known = in_part.entry(id.known()).or_insert_with(|| {
            let mut places: HashMap<_, VecDeque<_>> = HashMap::default();
            let parts = theirs.iter().map(|other| other.only(id.known())).enumerate();
            parts.for_each(|(at, part)| places.entry(part).or_default().push_back(at));
            places
        });
        *pair = by_known.get_mut(id).and_then(|left| std::iter::from_fn(|| left.pop_front()).find_map(&mut take));
    }
    pairs
}

/// Pairs what has the same in all parts that each of the update's documents has, if their kinds are among these and no two of
/// them have the same.
fn by_common_parts(mine: &[Identity], theirs: &[Identity]) -> Option<Vec<Option<usize>>> {
    let both = |common: [bool; 3], id: &Identity| std::array::from_fn(|part| common[part] && id.known()[part]);
    let parts = theirs.iter().fold([true; 3], both);
    let known: Vec<_> = theirs.iter().map(|id| id.only(parts)).collect();
    let mine: Vec<_> = mine.iter().map(|id| id.only(parts)).collect();
    (parts[0] && are_different(known.iter())).then(|| by_identity(&mine, &known))
}

fn are_different<'i>(mut ids: impl Iterator<Item = &'i Identity>) -> bool {
    let mut different = HashSet::default();
    ids.all(|id| different.insert(id))
}

/// Pairs documents for the same profile, and the one for all of them, if the update's are told apart by these.
fn by_profile(mine: impl Iterator<Item = Option<String>>, theirs: &[Option<String>]) -> Option<Vec<Option<usize>>> {
    let mut places = HashMap::default();
    let mut is_new = |(at, profile)| places.insert(profile, at).is_none();
    let are_told_apart = theirs.iter().any(Option::is_some) && theirs.iter().enumerate().all(&mut is_new);
    are_told_apart.then(|| mine.map(|profile| places.remove(&profile)).collect())
}

/// The profile that a document of a Spring application is for.
fn profile(document: &Node<'_>, outline: &Outline<'_>) -> Option<String> {
    const PLACES: [&[&str]; 2] = [&["spring", "config", "activate", "on-profile"], &["spring", "profiles"]];
    let value = PLACES.iter().find_map(|path| at_dotted(outline, document.row?, path))?;
    Some(outline[value].text.to_string()).filter(|text| !text.is_empty())
}

/// What stands at a path of which several steps may be one key, with dots between them.
fn at_dotted(outline: &Outline<'_>, map: RowId, path: &[&str]) -> Option<RowId> {
    if path.is_empty() {
        return Some(map);
    }
    let below = |steps: usize| at_dotted(outline, outline.get(map, &path[..steps].join("."))?, &path[steps..]);
    (1..=path.len()).find_map(below)
}

/// What tells a document from others.
#[derive(PartialEq, Eq, Hash)]
struct Identity {
    kind: Option<String>,
    namespace: Option<String>,
    name: Option<String>,
}

impl Identity {
    fn of(document: &Node<'_>, outline: &Outline<'_>) -> Self {
        let text = |row: RowId| Some(outline[row].text.to_string()).filter(|text| !text.is_empty());
        let root = document.row;
        let metadata = root.and_then(|row| outline.get(row, "metadata"));
        let inside = |name: &str| outline.get(metadata?, name).and_then(text);
        let kind = root.and_then(|row| outline.get(row, "kind")).and_then(text);
        Self { kind, namespace: inside("namespace"), name: inside("name") }
    }

    /// Whether it has all that is needed; a namespace is not.
    fn is_whole(&self) -> bool {
        self.kind.is_some() && self.name.is_some()
    }

    /// Which of its parts are known.
    fn known(&self) -> [bool; 3] {
        [self.kind.is_some(), self.namespace.is_some(), self.name.is_some()]
    }

    /// As much of it as is known of another.
    fn only(&self, [kind, namespace, name]: [bool; 3]) -> Self {
        let part = |known: bool, part: &Option<String>| part.clone().filter(|_| known);
        Self { kind: part(kind, &self.kind), namespace: part(namespace, &self.namespace), name: part(name, &self.name) }
    }
}
