//! The keys of a file by their paths, live and commented out. An item of a list is as good as any other: which is which in
//! another file only the merge knows.

use std::collections::{HashMap, HashSet};

use super::cut::Found;
use super::gaps::has_no_value;
use crate::yaml::tree::{Node, Opener};

/// The keys of a file, each under the number of the map that holds it.
#[derive(Debug, Default)]
pub(crate) struct Paths<'n> {
    keys: HashMap<(usize, Step<'n>), Key>,
    /// The live ones among them that stand in their map commented out, too.
    with_example: HashSet<usize>,
}

/// A key, or any item.
type Step<'n> = Option<&'n str>;

/// The number of what a file has at a path; that of a document is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key {
    number: usize,
    is_live: bool,
    /// Whether it has no value, or an empty collection.
    is_leaf: bool,
}

impl<'n> Paths<'n> {
    /// All keys of a file whose options are nodes, but for those live ones that it has as examples, too.
    pub(super) fn of(stream: &'n Node<'_>, examples: &[Example]) -> Self {
        let mut paths = Self::default();
        stream.children.iter().for_each(|document| paths.inside(0, document));
        let with_example = examples.iter().filter_map(|example| paths.number_of(example)).collect();
        Self { with_example, ..paths }
    }

    fn number_of(&self, example: &Example) -> Option<usize> {
        let number = |map, step: &Option<String>| Some(self.keys.get(&(map, step.as_deref()))?.number);
        example.path.iter().try_fold(0, number)
    }

    /// The options that stand in one map more than once, and never live: a choice of examples.
    pub(super) fn examples<'a: 'n>(documents: &[Found<'n, 'a>]) -> Self {
        let mut paths = Self::default();
        for Found { gaps, several, live_too, .. } in documents {
            for &(map, name) in several.difference(live_too) {
                let map = gaps.path(map).into_iter().fold(0, |map, node| paths.add(map, node));
                paths.insert(map, Some(name), Key { number: 0, is_live: false, is_leaf: true });
            }
        }
        paths
    }

    fn inside(&mut self, map: usize, node: &'n Node<'_>) {
        for child in &node.children {
            let number = self.add(map, child);
            self.inside(number, child);
        }
    }

    fn add(&mut self, map: usize, child: &'n Node<'_>) -> usize {
        let is_leaf = child.live_children().next().is_none() && has_no_value(child);
        self.insert(map, step(child), Key { number: 0, is_live: !child.is_commented_out(), is_leaf })
    }

    fn insert(&mut self, map: usize, step: Step<'n>, key: Key) -> usize {
        let number = self.keys.len() + 1;
        self.keys.entry((map, step)).or_insert(Key { number, ..key }).number
    }

    /// Whether what is at the path of a node has no value, or an empty collection; nothing where there is no such path.
    pub(super) fn is_leaf(&self, path: &[&Node<'_>]) -> Option<bool> {
        let (last, around) = path.split_last()?;
        Some(self.keys.get(&(self.number(around)?, step(last)))?.is_leaf)
    }

    /// The number of what stands at the path of a node; nothing where there is nothing.
    pub(super) fn number(&self, path: &[&Node<'_>]) -> Option<usize> {
        path.iter().try_fold(0, |map, node| Some(self.keys.get(&(map, step(node)))?.number))
    }

    /// Whether a map has a key, and whether that is live. One that it has in both states is none: what is commented out in
    /// another file is the example.
    pub(super) fn is_live(&self, map: usize, name: &str) -> Option<bool> {
        let key = self.keys.get(&(map, Some(name)))?;
        (!self.with_example.contains(&key.number)).then_some(key.is_live)
    }
}

/// The path of a key that a file has live and commented out.
#[derive(Debug)]
pub(super) struct Example {
    path: Vec<Option<String>>,
}

impl Example {
    pub(super) fn all(Found { gaps, live_too, .. }: &Found<'_, '_>) -> impl Iterator<Item = Self> {
        live_too.iter().map(|&(map, name)| {
            let path = gaps.path(map).into_iter().map(|node| step(node).map(str::to_owned));
            Self { path: path.chain([Some(name.to_owned())]).collect() }
        })
    }
}

fn step<'n>(node: &'n Node<'_>) -> Step<'n> {
    (!matches!(node.opener, Opener::Item { .. })).then_some(&*node.name)
}
