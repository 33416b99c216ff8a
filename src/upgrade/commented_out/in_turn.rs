//! Which of several examples of a key the user made live.
//!
//! A default may have a key commented out more than once in a map, as a choice of examples. Who made the second of them live
//! still has the first one commented out above it. So examples are paired in their order, and the live key takes its turn:
//! it follows the last example above it that both files have. Where they have none in the same words, the examples above it
//! are counted.
//!
//! Left out: which item of a list is which in another file. Of keys in items, the first item that has such a key tells.

use foldhash::{HashMap, HashSet};

use super::paths::{Step, path, said};
use crate::yaml::commented_out::recognise::CommentedOut;
use crate::yaml::commented_out::{Found, Keys};

/// What the user has commented out above a live key under its name, with the number of the map, by the path of the key.
#[derive(Debug, Default)]
pub(super) struct ExamplesAbove<'n>(HashMap<Vec<Step<'n>>, (usize, Vec<&'n str>)>);

/// The first lines of commented-out keys, by their addresses.
pub(super) type Lines = HashSet<*const u8>;

impl<'n> ExamplesAbove<'n> {
    pub(super) fn of<'a: 'n>(found: &Found<'n, 'a>) -> Self {
        let mut above = Self::default();
        if found.live_too.is_empty() {
            return above;
        }
        let maps: HashSet<_> = found.live_too.iter().map(|(map, _)| *map).collect();
        let keys = found.gaps.nodes.iter().enumerate().filter(|(_, key)| maps.contains(&key.parent()));
        let live: HashMap<_, _> = keys.map(|(number, key)| ((key.parent(), &*key.node.name), number)).collect();
        for (between, options) in found.gaps.all().zip(found.by_gap()) {
            for (key, text) in options.iter().filter_map(|option| example_of(option, &found.live_too)) {
                if live.get(&key).is_some_and(|number| between.before < *number) {
                    let (map, texts) = above.0.entry(path(&found.gaps, key.0, key.1)).or_insert((key.0, Vec::new()));
                    texts.extend((*map == key.0).then_some(text));
                }
            }
        }
        above
    }

    /// Those of several examples in a default that are not the one which the user's live key takes the place of: they stand
    /// above it. Where the user has all of them above it, it takes the place of the last one.
    pub(super) fn passed_over<'d, 'a: 'd>(&self, default: &Found<'d, 'a>) -> Lines {
        if self.0.is_empty() {
            return Lines::default();
        }
        let mut examples: HashMap<_, Vec<_>> = HashMap::default();
        for option in default.all() {
            if let Some((key, text)) = example_of(option, &default.several) {
                examples.entry(key).or_default().push(text);
            }
        }
        let passed_over = |((map, name), examples): ((usize, &'d str), Vec<&'d str>)| {
            let above = self.0.get(&path(&default.gaps, map, name));
            let turn = above.map_or(0, |(_, above)| turn(above, &examples));
            examples.into_iter().take(turn).map(str::as_ptr)
        };
        examples.into_iter().flat_map(passed_over).collect()
    }
}

/// How many of several examples stand above a live key that has these above it in another file.
fn turn(above: &[&str], examples: &[&str]) -> usize {
    let mut places: HashMap<_, Vec<_>> = HashMap::default();
    for (at, example) in examples.iter().enumerate() {
        places.entry(said(example)).or_default().push(at);
    }
    let behind = above.iter().fold(0, |behind, text| {
        let places = places.get(said(text)).map_or(&[][..], Vec::as_slice);
        let next = places.partition_point(|at| *at < behind);
        places.get(next).map_or(behind, |at| at + 1)
    });
    let turn = if behind == 0 { above.len() } else { behind };
    turn.min(examples.len() - 1)
}

/// The key that is commented out in a map, if it is one of these, and its first line.
fn example_of<'l>(option: &CommentedOut<'l>, keys: &Keys<'_>) -> Option<((usize, &'l str), &'l str)> {
    let key = option.key().filter(|key| keys.contains(key))?;
    Some((key, option.text))
}
