//! The order of the keys of a merged map: the update's, with the user's own keys in their places.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::names::Names;
use crate::option_lines;
use crate::tree::{Line, Node};

/// The children of a map on their way into their new order.
pub(super) struct Layout<'a> {
    /// The user's nodes in their order; each is taken once.
    own: Vec<Option<Node<'a>>>,
    names: Names<Cow<'a, str>, usize>,
    /// Which of them only the user has.
    only: Vec<bool>,
    /// Those that the update has as commented-out options.
    pub(super) options: HashMap<String, usize>,
    /// Which of them these are.
    placed: Vec<bool>,
    pub(super) out: Vec<Node<'a>>,
}

impl<'a> Layout<'a> {
    pub(super) fn new(own: Vec<Node<'a>>, update: &[Node<'a>]) -> Self {
        let theirs: Names<&str, ()> = update.iter().map(|node| (node.name.as_ref(), ())).collect();
        let only: Vec<_> = own.iter().map(|node| theirs.get(&node.name).is_none()).collect();
        let placed = vec![false; own.len()];
        let names = own.iter().enumerate().map(|(at, node)| (node.name.clone(), at)).collect();
        let out = Vec::with_capacity(own.len().max(update.len()));
        Self { own: own.into_iter().map(Some).collect(), names, only, options: HashMap::new(), placed, out }
    }

    /// Remembers which of the user's own keys stand commented out in the update's lines.
    pub(super) fn find_options<'l>(&mut self, blocks: impl Iterator<Item = &'l Vec<Line<'a>>>)
    where
        'a: 'l,
    {
        if !self.only.contains(&true) {
            return;
        }
        for name in blocks.flat_map(|lines| option_lines::names(lines)) {
            if let Some(&at) = self.names.get(name).filter(|at| self.only[**at]) {
                self.placed[at] = true;
                self.options.insert(name.to_owned(), at);
            }
        }
    }

    pub(super) fn take(&mut self, name: &str) -> Option<(usize, Node<'a>)> {
        let first = *self.names.get(name)?;
        // Only an empty key can stand there twice.
        let is_named = |node: &Option<Node<'_>>| node.as_ref().is_some_and(|node| node.name == name);
        let at = if self.own[first].is_some() { first } else { self.own.iter().position(is_named)? };
        Some((at, self.own[at].take()?))
    }

    pub(super) fn take_option(&mut self, name: &str) -> Option<(usize, Node<'a>)> {
        let at = self.options.remove(name)?;
        Some((at, self.own[at].take()?))
    }

    /// Puts a node that was the user's `at`-th, and behind it those that followed it and that only the user has.
    pub(super) fn put(&mut self, node: Node<'a>, at: usize) {
        self.out.push(node);
        self.put_chain(at + 1);
    }

    pub(super) fn put_chain(&mut self, mut at: usize) {
        while self.only.get(at) == Some(&true) && !self.placed[at] {
            self.out.extend(self.own[at].take());
            at += 1;
        }
    }
}
