//! Which comments of a file are commented-out keys and items, and where each of them would stand if its `#` went
//! (`docs/rules.md` rule 3a).
//!
//! [`gaps`] says which lines stand between two nodes, [`recognise`](mod@recognise) which of these are keys and items, by
//! what [`line`](mod@line) says of one of them, and [`listing`] on which line of the file each of them is.
//!
//! Left out: a second file. What becomes of such a key in an upgrade is decided there
//! ([`upgrade::commented_out`](crate::upgrade::commented_out)).

pub(crate) mod gaps;
mod line;
pub(crate) mod listing;
pub(crate) mod recognise;

use foldhash::HashSet;

use self::gaps::Gaps;
pub(crate) use self::line::{KeyOfMap, Known, Said, key_in, key_said};
use self::recognise::{CommentedOut, Gap, Owner, recognise};
use crate::yaml::names::Names;
use crate::yaml::row::RowId;
use crate::yaml::tree::Node;

/// Keys by the number of their map.
pub(crate) type Keys<'l> = HashSet<(usize, &'l str)>;

/// What stands commented out in a document.
#[derive(Debug, Default)]
pub(crate) struct Found<'n, 'a> {
    pub(crate) gaps: Gaps<'n, 'a>,
    /// What is commented out, gap by gap.
    all: Vec<CommentedOut<'n>>,
    /// For each gap the end of what is commented out in it.
    ends: Vec<usize>,
    /// The names that are commented out more than once in a map.
    pub(crate) several: Keys<'n>,
    /// The names that are commented out where they are live.
    pub(crate) live_too: Keys<'n>,
    /// The comments that look like keys and are none, each with the number of its gap.
    prose: Vec<(usize, &'n str)>,
    /// The names of comments that could be keys of several maps, each with the number of its gap.
    unsure: Vec<(usize, &'n str)>,
}

impl<'n, 'a> Found<'n, 'a> {
    pub(crate) fn in_document(document: &'n Node<'a>) -> Self {
        Self::knowing(document, &Known::default())
    }

    /// The same where another version of the file is known.
    pub(crate) fn knowing(document: &'n Node<'a>, known: &Known<'_>) -> Self {
        let (mut found, mut gap) = (Self::default(), Gap::default());
        found.gaps = Gaps::of(document, &mut |gaps, number| {
            found.look_at(gaps, number, known, &mut gap);
        });
        found.with_examples()
    }

    /// The same where more is known, which some names tell of: only gaps with prose that starts with one of these, or with one
    /// of these that could be a key of several maps, can say something else.
    pub(crate) fn knowing_more(self, known: &Known<'_>, names: &HashSet<&str>) -> Self {
        let has_name = |comment| line::name_in(comment).is_some_and(|(name, _)| names.contains(name));
        let (mut found, mut gap) = (Self::default(), Gap::default());
        let (mut prose, mut unsure) = (&self.prose[..], &self.unsure[..]);
        for number in 0..self.ends.len() {
            let (comments, keys) = (of_gap(&mut prose, number), of_gap(&mut unsure, number));
            if comments.iter().any(|(_, comment)| has_name(comment)) || keys.iter().any(|(_, key)| names.contains(key))
            {
                found.look_at(&self.gaps, number, known, &mut gap);
            } else {
                found.prose.extend(comments);
                found.unsure.extend(keys);
                found.all.extend(self.in_gap(number).unwrap_or_default());
                found.ends.push(found.all.len());
            }
        }
        Self { gaps: self.gaps, ..found }.with_examples()
    }

    /// Adds what is commented out in the next gap.
    fn look_at(&mut self, gaps: &Gaps<'n, 'a>, number: usize, known: &Known<'_>, gap: &mut Gap<'n>) {
        gaps.fill(gap, number);
        recognise(gap, known);
        self.all.append(&mut gap.found);
        self.ends.push(self.all.len());
        self.prose.extend(gap.prose.drain(..).map(|comment| (number, comment)));
        self.unsure.extend(gap.unsure.drain(..).map(|name| (number, name)));
    }

    /// The same, knowing which of all that was found are examples: what is commented out in a map in which it is live, and all
    /// but the first of several.
    fn with_examples(mut self) -> Self {
        let mut keys: Vec<_> = self.all.iter().filter_map(CommentedOut::key).collect();
        keys.sort_by_key(|(map, _)| *map);
        for keys in keys.chunk_by(|one, next| one.0 == next.0) {
            let first: Names<_, _> = keys.iter().zip(0..).map(|((_, name), at)| (*name, at)).collect();
            let later = keys.iter().zip(0..).filter(|((_, name), at)| first.get(name) != Some(at));
            self.several.extend(later.map(|(key, _)| *key));
            let map = keys[0].0;
            let live = self.gaps.nodes[map].node.children.iter().map(|child| (map, &*child.name));
            self.live_too.extend(live.filter(|(_, name)| first.get(name).is_some()));
        }
        self
    }

    /// All that is commented out, in its order.
    pub(crate) fn all(&self) -> &[CommentedOut<'n>] {
        &self.all
    }

    /// What is commented out in each gap.
    pub(crate) fn by_gap(&self) -> impl Iterator<Item = &[CommentedOut<'n>]> {
        (0..self.ends.len()).filter_map(|gap| self.in_gap(gap))
    }

    /// What is commented out in a gap, by its number.
    pub(crate) fn in_gap(&self, gap: usize) -> Option<&[CommentedOut<'n>]> {
        let start = gap.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.all.get(start..*self.ends.get(gap)?)
    }

    /// The names of the keys, those on the lines of items among them.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'n str> {
        self.all.iter().filter_map(|option| option.name.or(option.first_key))
    }

    /// The comments that look like keys and are none.
    pub(crate) fn prose(&self) -> impl Iterator<Item = &'n str> {
        self.prose.iter().map(|(_, comment)| *comment)
    }

    /// The names of comments that could be keys of several maps.
    pub(crate) fn unsure(&self) -> impl Iterator<Item = &'n str> {
        self.unsure.iter().map(|(_, name)| *name)
    }

    /// The keys, each behind that of its map.
    pub(crate) fn keys_of_maps(&self) -> impl Iterator<Item = KeyOfMap<'n>> {
        self.by_gap().flat_map(|found| {
            found.iter().filter_map(|entry| {
                let owner = match entry.parent {
                    Owner::Live(map) => self.gaps.key(map),
                    Owner::CommentedOut(at) => found[at].name,
                };
                Some((owner, entry.name?))
            })
        })
    }

    /// Those that could be keys of several maps.
    pub(crate) fn unsure_keys_of_maps(&self) -> impl Iterator<Item = KeyOfMap<'n>> {
        let names: HashSet<_> = self.unsure().collect();
        self.keys_of_maps().filter(move |(_, name)| names.contains(name))
    }

    /// What would be the names of keys in these.
    pub(crate) fn names_in_prose(&self) -> HashSet<&'n str> {
        self.prose().filter_map(line::name_in).map(|(name, _)| name).collect()
    }

    /// The same for those without a value.
    pub(crate) fn open_names_in_prose(&self) -> impl Iterator<Item = &'n str> {
        self.prose().filter_map(line::name_in).filter(|(_, rest)| rest.is_empty()).map(|(name, _)| name)
    }

    /// Whether the keys of the other file tell what becomes of some: of what is commented out more than once in a map, and
    /// of what belongs below a key and is no option.
    pub(crate) fn asks_for_keys(&self) -> bool {
        let is_below = |option: &CommentedOut<'_>| matches!(option.parent, Owner::Live(map) if map > 0);
        !self.several.is_empty() || self.all.iter().any(is_below)
    }
}

/// Cuts off the first of what is numbered by gaps, as far as it is of one.
fn of_gap<'f, 'n>(rest: &mut &'f [(usize, &'n str)], gap: usize) -> &'f [(usize, &'n str)] {
    let end = rest.partition_point(|(number, _)| *number <= gap);
    rest.split_off(..end).unwrap_or_default()
}

/// The rows of the values in a document that keys stand commented out in.
pub(crate) fn rows_with_keys(document: &Node<'_>) -> HashSet<RowId> {
    let found = Found::in_document(document);
    let keys = found.all().iter().filter(|option| option.name.is_some());
    let rows = keys.filter_map(|key| match key.parent {
        Owner::Live(node) => found.gaps.nodes[node].node.row,
        Owner::CommentedOut(_) => None,
    });
    rows.collect()
}

#[cfg(test)]
mod tests;
