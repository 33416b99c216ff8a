//! The commented-out keys and items of a document, each with its line, for those who show a file.
//!
//! Left out: examples, which are keys in no state. These are keys that are live in the same map, and those that are
//! commented out in one map several times.

use foldhash::HashSet;

use super::gaps::{Between, Gaps};
use super::recognise::{CommentedOut, Owner};
use super::{Found, Keys};
use crate::yaml::path::{Path, Step};
use crate::yaml::tree::{ExplicitValue, Node, Opener, Shape};

/// A commented-out key or item that is no example.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listed<'n, 'a> {
    /// Nothing for an item.
    pub(crate) name: Option<&'n str>,
    /// The key on the line of an item: `- name: x`.
    pub(crate) first_key: Option<&'n str>,
    /// The line on which it stands.
    pub(crate) line: usize,
    /// The live node that it would stand in, and how many levels below it.
    pub(crate) holder: &'n Node<'a>,
    pub(crate) depth: usize,
    /// The live node behind it; nothing at the end of the document.
    pub(crate) next: Option<&'n Node<'a>>,
}

/// So many commented-out keys inside of each other are known by their names: work grows with the text.
const DEEPEST: usize = 32;

/// A commented-out key by its place.
#[derive(Debug)]
pub(crate) struct Key<'n> {
    /// The number of the live node that it would stand in.
    pub(crate) holder: usize,
    /// The names of the commented-out keys on the way to it, and its own.
    pub(crate) names: Vec<&'n str>,
    /// Whether it is an example, or stands inside of one.
    pub(crate) is_example: bool,
    /// In which gap it stands, and on which line of that.
    place_in_gap: (usize, usize),
}

impl<'n, 'a> Found<'n, 'a> {
    /// The commented-out keys and items of the document, in their order.
    pub(crate) fn listed(&self) -> Vec<Listed<'n, 'a>> {
        let gaps = self.gaps.all().zip(self.by_gap()).filter(|(_, found)| !found.is_empty());
        gaps.flat_map(|(between, found)| self.listed_between(&between, found)).collect()
    }

    fn listed_between(&self, between: &Between<'_, 'n, 'a>, found: &[CommentedOut<'n>]) -> Vec<Listed<'n, 'a>> {
        let (first, next) = (first_line(&self.gaps, between), between.next.map(|next| self.gaps.nodes[next].node));
        let several = several(found);
        let mut places: Vec<Option<(usize, usize)>> = Vec::with_capacity(found.len());
        let mut listed = Vec::with_capacity(found.len());
        for entry in found {
            let place = match entry.parent {
                Owner::Live(holder) => Some((holder, 1)),
                Owner::CommentedOut(at) => places[at].map(|(holder, depth)| (holder, depth + 1)),
            };
            let place = place.filter(|_| !self.is_example(entry, &several));
            places.push(place);
            listed.extend(place.map(|(holder, depth)| Listed {
                name: entry.name,
                first_key: entry.first_key,
                line: first + entry.start,
                holder: self.gaps.nodes[holder].node,
                depth,
                next,
            }));
        }
        listed
    }

    /// The commented-out keys of the document, examples among them. What stands inside of commented-out items is left out,
    /// for these have no numbers, and so is what nobody would nest so deeply.
    pub(crate) fn keys(&self) -> Vec<Key<'n>> {
        let mut keys: Vec<Key<'n>> = Vec::new();
        // Of each entry of a gap whether it is an example, and where its key is.
        let mut entries: Vec<(bool, Option<usize>)> = Vec::new();
        for (gap, found) in self.by_gap().enumerate().filter(|(_, found)| !found.is_empty()) {
            let several = several(found);
            entries.clear();
            for entry in found {
                let (is_inside, above) = match entry.parent {
                    Owner::Live(holder) => (false, Some((holder, &[][..]))),
                    Owner::CommentedOut(at) => {
                        let (is_example, key) = entries[at];
                        (is_example, key.map(|key| (keys[key].holder, &keys[key].names[..])))
                    }
                };
                let above = above.filter(|(_, names)| names.len() < DEEPEST).zip(entry.name);
                let place = above.map(|((holder, names), name)| (holder, [names, &[name]].concat()));
                let is_example = is_inside || self.is_example(entry, &several);
                let place_in_gap = (gap, entry.start);
                entries.push((is_example, place.as_ref().map(|_| keys.len())));
                keys.extend(place.map(|(holder, names)| Key { holder, names, is_example, place_in_gap }));
            }
        }
        keys
    }

    /// The line of a key in the file as it was read.
    pub(crate) fn line(&self, key: &Key<'_>) -> Option<usize> {
        let (gap, start) = key.place_in_gap;
        Some(first_line(&self.gaps, &self.gaps.get(gap)?) + start)
    }

    /// The path of a key; `document` is the number of its document, where a file has several.
    pub(crate) fn path(&self, document: Option<usize>, key: &Key<'_>) -> Path {
        let names = key.names.iter().map(|name| Step::Key((*name).to_owned()));
        Path(document.map(Step::Document).into_iter().chain(self.gaps.steps(key.holder)).chain(names).collect())
    }

    /// Whether a key is live in the map in which it is commented out, or commented out there several times: also as one of
    /// several in a gap.
    fn is_example(&self, entry: &CommentedOut<'n>, several: &HashSet<(Owner, &'n str)>) -> bool {
        let Some(name) = entry.name else { return false };
        let among = |keys: &Keys<'_>| matches!(entry.parent, Owner::Live(map) if keys.contains(&(map, name)));
        several.contains(&(entry.parent, name)) || among(&self.several) || among(&self.live_too)
    }
}

/// The keys that stand in a commented-out block more than once.
fn several<'n>(found: &[CommentedOut<'n>]) -> HashSet<(Owner, &'n str)> {
    if found.len() < 2 {
        return HashSet::default();
    }
    let mut once = HashSet::default();
    let keys = found.iter().filter_map(|entry| Some((entry.parent, entry.name?)));
    keys.filter(|key| !once.insert(*key)).collect()
}

/// The line of the file on which a gap starts.
fn first_line(gaps: &Gaps<'_, '_>, between: &Between<'_, '_, '_>) -> usize {
    let length: usize = between.holders.iter().map(|holder| holder.lines.len()).sum();
    match between.next {
        Some(next) => gaps.nodes[next].node.line() - length,
        None => line_behind(gaps.nodes[between.before].node),
    }
}

/// The line behind the last one of a node that nothing follows in its document.
fn line_behind(node: &Node<'_>) -> usize {
    let continued = node.line() + node.continuation.len();
    match &node.opener {
        // Where nothing has a line of its own, the document is found when its lines are over.
        Opener::Document(document) if document.marker.is_none() && node.shape == Shape::Open => {
            node.line() - document.header.len()
        }
        Opener::Document(document) if document.marker.is_none() => continued,
        // Its comments are its header.
        Opener::Document(_) if node.shape == Shape::Open => node.line() + 1,
        Opener::Document(document) => continued + document.header.len() + 1,
        Opener::Explicit(key) if key.value == ExplicitValue::Missing => continued + key.lines.len(),
        Opener::Explicit(key) => continued + key.lines.len() + 1,
        _ => continued + 1,
    }
}
