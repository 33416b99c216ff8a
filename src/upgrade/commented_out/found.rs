//! What stands commented out in a file, before anybody says what becomes of it.

use std::collections::HashSet;

use super::gaps::Gaps;
use super::recognise::{CommentedOut, Owner, recognise};
use crate::yaml::tree::Node;

/// What stands commented out in a document.
pub(super) struct Found<'n, 'a> {
    pub(super) gaps: Gaps<'n, 'a>,
    /// For each gap.
    pub(super) by_gap: Vec<Vec<CommentedOut<'n>>>,
    /// The names that are commented out more than once in a map.
    pub(super) several: Keys<'n>,
    /// The names that are commented out where they are live.
    pub(super) live_too: Keys<'n>,
}

impl<'n, 'a> Found<'n, 'a> {
    pub(super) fn in_document(document: &'n Node<'a>) -> Self {
        let gaps = Gaps::of(document);
        let by_gap: Vec<Vec<CommentedOut<'_>>> = gaps.all.iter().map(|between| recognise(gaps.gap(between))).collect();
        let mut once = Keys::new();
        let keys = by_gap.iter().flatten().filter_map(|option| match (option.parent, option.name) {
            (Owner::Live(map), Some(name)) => Some((map, name)),
            _ => None,
        });
        let several = keys.filter(|key| !once.insert(*key)).collect();
        let live_too = live_keys(&gaps, &once).filter(|key| once.contains(key)).collect();
        Self { gaps, by_gap, several, live_too }
    }

    /// Whether the keys of the other file tell what becomes of some: of what is commented out more than once in a map, and
    /// of what belongs below a key and is no option.
    pub(super) fn asks_for_keys(&self) -> bool {
        let is_below = |option: &CommentedOut<'_>| matches!(option.parent, Owner::Live(map) if map > 0);
        !self.several.is_empty() || self.by_gap.iter().flatten().any(is_below)
    }
}

/// Keys by the number of their map.
pub(super) type Keys<'l> = HashSet<(usize, &'l str)>;

/// The keys that are live in the maps of these keys: a commented-out one in the same map is an example, and so are all but
/// the first of several.
fn live_keys<'l>(gaps: &Gaps<'l, '_>, keys: &Keys<'_>) -> impl Iterator<Item = (usize, &'l str)> {
    let maps: HashSet<_> = keys.iter().map(|(map, _)| *map).collect();
    let children = |map: usize| gaps.nodes[map].node.children.iter().map(move |child| (map, &*child.name));
    maps.into_iter().flat_map(children)
}
