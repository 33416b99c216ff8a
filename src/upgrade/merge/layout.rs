//! The order of the keys of a merged map: the update's, with the user's own keys in their places, or the user's, where an
//! old default tells that only the user changed it.

use crate::text::piece::Piece;
use crate::yaml::names::Names;
use crate::yaml::tree::Node;

/// Where a node of the user's comes to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Only {
    /// The update has it, too, and has its place.
    Paired,
    /// Behind the one before it.
    Behind,
    /// Before the one behind it.
    Before,
}

/// The children of a map on their way into their new order.
pub(super) struct Layout<'a> {
    /// The user's nodes in their order; each is taken once.
    own: Vec<Option<Box<Node<'a>>>>,
    names: Names<Piece<'a>, usize>,
    /// Which of them only the user has, and whether such a one belongs to the next.
    only: Vec<Only>,
    /// All so far in the update's order, the user's with their places among the user's.
    out: Vec<(Option<usize>, Box<Node<'a>>)>,
    /// Where the last of those stands that both files have.
    last_paired: usize,
}

impl<'a> Layout<'a> {
    /// The nodes of both files; `before` are those that only the user has and that belong to the next one, in their order.
    pub(super) fn new(own: Vec<Box<Node<'a>>>, update: &[Box<Node<'a>>], before: &[usize]) -> Self {
        let theirs: Names<&str, ()> = update.iter().map(|node| (node.name.as_ref(), ())).collect();
        let place = |(at, name): (usize, &str)| match theirs.get(name) {
            Some(()) => Only::Paired,
            None if before.binary_search(&at).is_ok() => Only::Before,
            None => Only::Behind,
        };
        let only: Vec<_> = own.iter().map(|node| node.name.as_ref()).enumerate().map(place).collect();
        let names = own.iter().enumerate().map(|(at, node)| (node.name.clone(), at)).collect();
        let out = Vec::with_capacity(own.len().max(update.len()));
        let mut laid = Self { own: own.into_iter().map(Some).collect(), names, only, out, last_paired: 0 };
        laid.put_chain(0);
        laid
    }

    pub(super) fn take(&mut self, name: &str) -> Option<(usize, Box<Node<'a>>)> {
        let first = *self.names.get(name)?;
        // Only an empty key can stand there twice.
        let is_named = |node: &Option<Box<Node<'_>>>| node.as_ref().is_some_and(|node| node.name == name);
        let at = if self.own[first].is_some() { first } else { self.own.iter().position(is_named)? };
        Some((at, self.own[at].take()?))
    }

    /// Puts a node that was the user's `at`-th, and with it those beside it that only the user has.
    pub(super) fn put(&mut self, node: Box<Node<'a>>, at: usize) {
        let before = self.only.iter().take(at).rev().take_while(|only| **only == Only::Before).count();
        for place in at - before..at {
            self.put_own(place);
        }
        self.last_paired = self.out.len();
        self.out.push((Some(at), node));
        self.put_chain(at + 1);
    }

    /// Puts a node that only the update has. Another value for the key before it stays right below that: what only the user
    /// has stands behind both.
    pub(super) fn put_new(&mut self, node: Box<Node<'a>>) {
        let last = self.out.get(self.last_paired);
        let is_value_of = |(_, key): &(_, Box<Node<'_>>)| node.name.strip_suffix(':') == Some(&*key.name);
        if node.is_commented_out() && last.is_some_and(is_value_of) {
            self.out.insert(self.last_paired + 1, (self.out[self.last_paired].0, node));
        } else {
            self.out.push((None, node));
        }
    }

    fn put_own(&mut self, at: usize) {
        let own = self.own.get_mut(at).and_then(Option::take);
        self.out.extend(own.map(|node| (Some(at), node)));
    }

    /// Puts what only the user has from a place on.
    fn put_chain(&mut self, mut at: usize) {
        while self.only.get(at) == Some(&Only::Behind) {
            self.put_own(at);
            at += 1;
        }
    }

    /// All nodes in the order of the update.
    pub(super) fn in_order_of_update(self) -> Vec<Box<Node<'a>>> {
        self.out.into_iter().map(|(_, node)| node).collect()
    }

    /// All nodes in the order of the user. New ones stand behind the one that they follow in the update, and those that end
    /// it at the end.
    pub(super) fn in_order_of_user(mut self) -> Vec<Box<Node<'a>>> {
        let last = self.out.iter().rposition(|(place, _)| place.is_some()).map_or(0, |last| last + 1);
        let end = self.out.split_off(last);
        let mut follows = None;
        let mut placed: Vec<_> = Vec::with_capacity(self.out.len());
        for (place, node) in self.out {
            follows = place.or(follows);
            placed.push((follows, node));
        }
        placed.sort_by_key(|(place, _)| *place);
        placed.into_iter().chain(end).map(|(_, node)| node).collect()
    }
}
