//! What the old default has in a map that both files have.

use super::{cut_header, names};
use crate::upgrade::commented_out;
use crate::upgrade::merge::part::part;
use crate::yaml::names::Names;
use crate::yaml::tree::{BaseComments, Line, Node};

/// What the old default has in a map.
#[derive(Default)]
pub(super) struct OldMap<'o, 'a> {
    keys: Vec<OldKey<'o, 'a>>,
    /// Where each of them is.
    names: Names<&'o str, usize>,
    pub(super) header: Vec<Line<'a>>,
    pub(super) below: Vec<Line<'a>>,
    /// Whether there is an old default, and a map of its in this place.
    pub(super) is_known: bool,
}

/// A key that the old default has in a map.
struct OldKey<'o, 'a> {
    node: &'o Node<'a>,
    /// What stands above it, with the options over it that are nothing but comments here; nothing where it is one of these.
    above: Option<Vec<Line<'a>>>,
}

impl<'o, 'a> OldMap<'o, 'a> {
    /// A map with its children. `stands` says which of them stand in the map of the current file, or could.
    pub(super) fn of((base, children): (&Node<'a>, Vec<&'o Node<'a>>), stands: impl Fn(&Node<'_>) -> bool) -> Self {
        let BaseComments { mut header, below, .. } = BaseComments::of(base);
        let first = children.iter().position(|child| stands(child));
        let names = children.iter().enumerate().rev().map(|(at, child)| (&*child.name, at)).collect();
        let mut lines = Vec::new();
        let key = |node: &'o Node<'a>| {
            let mut above = None;
            if stands(node) {
                lines.extend_from_slice(&node.above);
                above = Some(std::mem::take(&mut lines));
            } else if node.is_commented_out() {
                lines.extend(commented_out::lines_with_comment(node.clone()));
            }
            OldKey { node, above }
        };
        let mut keys: Vec<_> = children.into_iter().map(key).collect();
        let first = first.filter(|_| base.document().is_some()).and_then(|first| keys.get_mut(first)?.above.as_mut());
        header.extend(first.into_iter().flat_map(|first| cut_header(first, base.indent)));
        lines.extend(below);
        Self { keys, names, header, below: lines, is_known: true }
    }

    /// Whether a key is there, live or commented out.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.get(name).is_some()
    }

    /// What is commented out under a name.
    pub(super) fn option(&self, name: &str) -> Option<&'o Node<'a>> {
        let key = self.keys.get(*self.names.get(name)?)?;
        Some(key.node).filter(|node| node.is_commented_out())
    }

    /// Whether the keys that all three files have stand in another order in the user's file, and only there.
    pub(super) fn is_reordered(&self, own: &[Box<Node<'_>>], update: &[Box<Node<'_>>]) -> bool {
        let is_as_here = |nodes: &[Box<Node<'_>>], others: &Names<&str, ()>| {
            let both = nodes.iter().filter(|node| others.get(&node.name).is_some());
            both.filter_map(|node| self.names.get(&node.name)).is_sorted()
        };
        let places = own.iter().filter_map(|node| self.names.get(&node.name));
        !places.is_sorted() && !is_as_here(own, &names(update)) && is_as_here(update, &names(own))
    }

    /// Cuts off what stands above a key.
    pub(super) fn take_above(&mut self, name: &str) -> Option<Vec<Line<'a>>> {
        self.keys.get_mut(*self.names.get(name)?)?.above.take()
    }

    /// Parts the words above keys of the update where the user made a key live out of an example in them; the places of
    /// these keys.
    pub(super) fn part_words(&mut self, own: &mut [Box<Node<'a>>], update: &mut [Box<Node<'a>>]) -> Vec<usize> {
        let is_own = |node: &Node<'_>| !node.is_commented_out() && self.names.get(&node.name).is_none();
        let has_words = |node: &Node<'_>| node.above.iter().any(Line::has_words);
        let mut parted: Vec<_> = (0..own.len()).filter(|&at| is_own(&own[at]) && has_words(&own[at])).collect();
        if !self.is_known || parted.is_empty() {
            return Vec::new();
        }
        let places: Names<_, usize> = update.iter().enumerate().map(|(at, node)| (node.name.clone(), at)).collect();
        parted.retain(|&at| {
            let is_in_update = places.get(&own[at].name).is_some();
            let next = own.get(at + 1).filter(|_| !is_in_update);
            let next = next.and_then(|next| update.get_mut(*places.get(&next.name)?));
            next.is_some_and(|next| self.part_above(next, &mut own[at]).is_some())
        });
        parted
    }

    fn part_above(&mut self, next: &mut Node<'a>, own: &mut Node<'a>) -> Option<()> {
        let base = self.keys.get_mut(*self.names.get(&next.name)?)?.above.as_mut()?;
        part(own, base, &mut next.above)
    }

    /// What the old default has around a key.
    pub(super) fn around(&mut self, name: &str) -> Option<Box<BaseComments<'a>>> {
        let above = self.take_above(name)?;
        Some(Box::new(BaseComments { above, ..BaseComments::default() }))
    }
}
