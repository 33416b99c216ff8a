//! Which of several commented-out keys of one name, in the file of a user or an old default, is the one that the new default has.
//!
//! A user may have a key commented out twice in a map where the new default has it once: an empty `# cache:` above another key,
//! say, and the block where the default has it. Those whose first line says what the default's does are compared by all of
//! their lines, and where the default has the key live, by what is inside of it there. Where they are alike the one that follows
//! the same key as there counts, else the first. The others are the user's own.

use foldhash::{HashMap, HashSet};

use super::in_turn::Lines;
use super::paths::{Paths, first_said, said};
use crate::yaml::commented_out::Found;
use crate::yaml::commented_out::gaps::Between;
use crate::yaml::commented_out::recognise::{CommentedOut, end_of_block, inside};
use crate::yaml::tree::{Line, Node};

/// How like a key is to that of the new default: by the lines that both have, and by the key above it.
type Likeness = (usize, bool);

/// The first lines of those keys that stand above one which is more alike.
pub(super) fn less_alike(found: &Found<'_, '_>, update: &Paths<'_, '_>) -> Lines {
    if found.several.is_empty() {
        return Lines::default();
    }
    let mut candidates: HashMap<(usize, &str), Vec<(Likeness, *const u8)>> = HashMap::default();
    let mut in_live = HashMap::default();
    for (between, options) in found.gaps.all().zip(found.by_gap()) {
        for (at, option) in options.iter().enumerate() {
            let Some(key) = option.key().filter(|key| found.several.contains(key)) else {
                continue;
            };
            let shared = match update.only_option(&found.gaps, key) {
                Some(theirs) if first_said(theirs) == Some(said(option.text)) => shared(&between, options, at, theirs),
                None if update.is_live(&found.gaps, key, option.text) == Some(true) => {
                    let inner = inside(options, at).map(|(_, option)| option.text);
                    let live = in_live.entry(key).or_insert_with(|| update.says_inside(&found.gaps, key));
                    inner.filter(|line| live.contains(said(line))).count()
                }
                _ => continue,
            };
            let likeness = (shared, is_in_place(found, &between, key, update));
            candidates.entry(key).or_default().push((likeness, option.text.as_ptr()));
        }
    }
    candidates.into_values().flat_map(above_the_best).collect()
}

/// Those of some keys, in their order, that stand above the first of the best.
fn above_the_best(keys: Vec<(Likeness, *const u8)>) -> impl Iterator<Item = *const u8> {
    let best = keys.iter().map(|(likeness, _)| *likeness).max();
    let is_worse = move |key: &(Likeness, _)| Some(key.0) != best;
    keys.into_iter().take_while(is_worse).map(|(_, first)| first)
}

/// How many lines of a commented-out key, and of the words right below it, another one has, too.
fn shared(between: &Between<'_, '_, '_>, options: &[CommentedOut<'_>], at: usize, other: &Node<'_>) -> usize {
    let other = super::lines(other.clone());
    let other: HashSet<_> = other.iter().map(Line::said).collect();
    let (start, end) = (options[at].start, end_of_block(options, at));
    let next = options[at + 1..].iter().map(|option| option.start).find(|&start| start >= end);
    let lines = between.lines().take(next.unwrap_or(usize::MAX));
    let own = lines.skip(start).take_while(|line| line.is_comment());
    own.filter(|line| line.has_words() && other.contains(line.said())).count()
}

/// Whether a commented-out key of a map stands behind the live key that it follows in the new default.
fn is_in_place(
    found: &Found<'_, '_>,
    between: &Between<'_, '_, '_>,
    key: (usize, &str),
    update: &Paths<'_, '_>,
) -> bool {
    update.follows(&found.gaps, key, found.gaps.position(between, key.0))
}
