//! What becomes of a commented-out entry, by what the other files have at its path.

use std::cell::OnceCell;

use super::super::wanted::Wanted;
use crate::yaml::commented_out::gaps::{Between, Gaps, has_empty_braces, is_list_at_own_column};
use crate::yaml::commented_out::recognise::{CommentedOut, Owner, end_of_block, inside};
use crate::yaml::commented_out::{Found, Keys};
use crate::yaml::tree::{Line, Node, Shape};

#[derive(Debug, Clone, Copy)]
pub(super) enum Becomes<'n> {
    /// A node of this name.
    Option(&'n str),
    /// More lines of the node of this name, which stands right above: another value for the same key.
    Alternative(&'n str),
    /// Lines above the live key of this name, which stands elsewhere.
    Example(&'n str),
    /// Lines that end the block of its parent.
    Below,
    /// It is left out, with the words right above it where they are about nothing else.
    LeftOut,
    /// The same with these words in any case: the other file has its own.
    Explained,
}

impl Becomes<'_> {
    /// What becomes of an item that the other file has live.
    fn left_out(live: &Node<'_>) -> Self {
        if live.above.iter().any(Line::has_words) { Self::Explained } else { Self::LeftOut }
    }
}

/// The entries of a gap.
pub(super) struct OfGap<'g, 'n, 'a, 'o, 'b> {
    pub(super) wanted: &'g Wanted<'g, 'o, 'b>,
    pub(super) found: &'g Found<'n, 'a>,
    pub(super) between: Between<'g, 'n, 'a>,
    pub(super) options: &'g [CommentedOut<'n>],
    /// How many of them, from the first on, are a value for one key each, and how many follow each other without prose.
    values: usize,
    unbroken: usize,
    /// Its lines, where somebody asks for those of an entry.
    lines: OnceCell<Vec<&'n Line<'a>>>,
}

impl<'g, 'n, 'a, 'o, 'b> OfGap<'g, 'n, 'a, 'o, 'b> {
    pub(super) fn of(
        wanted: &'g Wanted<'g, 'o, 'b>,
        found: &'g Found<'n, 'a>,
        (between, options): (Between<'g, 'n, 'a>, &'g [CommentedOut<'n>]),
    ) -> Self {
        let (values, unbroken) = (next_values(options), unbroken(options));
        Self { wanted, found, between, options, values, unbroken, lines: OnceCell::new() }
    }
}

impl<'g, 'n, 'a> OfGap<'g, 'n, 'a, '_, '_> {
    /// What becomes of the entry at a place of the gap, which stands directly inside of a node. Keys that have become nodes are
    /// known, and so are those that are live beside it.
    pub(super) fn becomes(&self, (map, at): (usize, usize), known: &mut Keys<'n>) -> Option<Becomes<'g>> {
        let (wanted, gaps, option) = (self.wanted, &self.found.gaps, &self.options[at]);
        if option.name.is_none()
            && let Some(item) = wanted.live_item(gaps, map, self.lines_of(at))
        {
            return Some(Becomes::left_out(item));
        }
        let node = gaps.nodes[map].node;
        if self.between.holder(option.start).is_some_and(|holder| wanted.goes_without(gaps, map, holder.node)) {
            return None;
        }
        if wanted.is_remnant(node) {
            return Some(option.name.map_or(Becomes::Below, Becomes::Option));
        }
        let is_behind = || gaps.parent_of_next(&self.between) != map && at < self.unbroken;
        let Some(name) = option.name.filter(|_| node.shape == Shape::Open || has_empty_braces(node)) else {
            let is_below = || is_end(gaps, self.between, map) && wanted.has_below(gaps, map);
            return (is_below() || (is_behind() && wanted.has_block(gaps, map))).then_some(Becomes::Below);
        };
        let key = (map, name);
        if !self.found.several.contains(&key)
            && let Some(own_name) = wanted.overridden(gaps, key, option.text)
        {
            Some(Becomes::Option(own_name))
        } else if wanted.is_old_example(gaps, key, option.text) && !self.is_next_to_live(at) {
            None
        } else if self.found.live_too.contains(&key) {
            self.of_example(at)
        } else if known.contains(&key) {
            wanted.is_choice(gaps, key, option.text).then_some(Becomes::Alternative(name))
        } else {
            let name = wanted.name_of(gaps, key, option.text, &self.found.several);
            let option = name.filter(|_| known.insert(key)).map(Becomes::Option);
            option.or_else(|| (is_behind() && wanted.is_end_of_map(gaps, key)).then_some(Becomes::Below))
        }
    }

    /// What becomes of an example beside the live key of its name, for which the new default has one commented out: right
    /// below the key it stays there, a node by itself with its whole text as its name, and from elsewhere it goes above the
    /// key. Another value for the key on the line below it stays there in any case. What the new default says in a comment,
    /// too, has its place with that, unless it is in the same place there.
    fn of_example(&self, at: usize) -> Option<Becomes<'g>> {
        let (wanted, gaps, option) = (self.wanted, &self.found.gaps, &self.options[at]);
        let key = option.key()?;
        let is_example = wanted.is_example_of_live(gaps, key, keys_inside(self.options, at));
        let (becomes, name): (fn(&'g str) -> _, _) = match gaps.are_live_beside(&self.between, self.options, option) {
            _ if self.is_next_to_live(at) && at > 0 => (Becomes::Alternative, name_beside(&self.options[0])),
            _ if self.is_next_to_live(at) => (Becomes::Option, name_beside(option)),
            [true, _] if is_example => (Becomes::Option, option.text),
            [false, false] if is_example && wanted.follows_live() => return Some(Becomes::Example(key.1)),
            _ => return None,
        };
        (wanted.has_beside(gaps, (key.0, name)) || !wanted.is_said(option.text)).then(|| becomes(name))
    }

    /// The lines of an entry, with all that is inside of it.
    fn lines_of(&self, at: usize) -> impl Iterator<Item = &'n Line<'a>> {
        let (start, end) = (self.options[at].start, end_of_block(self.options, at));
        self.lines.get_or_init(|| self.between.lines().collect()).get(start..end).unwrap_or_default().iter().copied()
    }

    /// Whether an entry is another value for the live key right above the gap, or below others of that kind.
    fn is_next_to_live(&self, at: usize) -> bool {
        let is_live_above = || self.found.gaps.are_live_beside(&self.between, self.options, &self.options[0])[0];
        at < self.values && is_live_above()
    }
}

/// The name of the node that other values right below a live key become, by the first of them: that of the key with its colon, for
/// it stands beside the key.
fn name_beside<'n>(first: &CommentedOut<'n>) -> &'n str {
    let with_colon = |name: &str| {
        let start = first.text.find(name)?;
        first.text.get(start..=start + name.len()).filter(|name| name.ends_with(':'))
    };
    first.name.and_then(with_colon).unwrap_or(first.text)
}

/// How many entries at the start of a gap are one line with its value each, below each other and for the same key.
fn next_values(found: &[CommentedOut<'_>]) -> usize {
    let is_value = |(at, option): &(usize, &CommentedOut<'_>)| {
        let is_of_key = (option.parent, option.name) == (found[0].parent, found[0].name);
        is_of_key && option.start == *at && option.end == at + 1 && !option.text.ends_with(':')
    };
    found.iter().enumerate().take_while(is_value).count()
}

/// The keys directly inside of a commented-out one.
fn keys_inside<'f>(found: &'f [CommentedOut<'_>], at: usize) -> impl Iterator<Item = &'f str> {
    let keys = inside(found, at).filter(move |(_, option)| option.parent == Owner::CommentedOut(at));
    keys.filter_map(|(_, option)| option.name)
}

/// Whether a gap ends the block of a node. Within a list, what is commented out stays before the item that it stands above.
fn is_end(gaps: &Gaps<'_, '_>, between: Between<'_, '_, '_>, map: usize) -> bool {
    let node = gaps.nodes[map].node;
    node.children.is_empty() || (is_list_at_own_column(node) && gaps.parent_of_next(&between) != map)
}

/// How many entries at the start of a gap have nothing but other entries above them: no prose parts them from the block that
/// it ends.
fn unbroken(found: &[CommentedOut<'_>]) -> usize {
    let mut end = 0;
    let follows = |entry: &&CommentedOut<'_>| {
        let follows = entry.start <= end;
        end = end.max(entry.end);
        follows
    };
    found.iter().take_while(follows).count()
}
