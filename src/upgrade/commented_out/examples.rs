//! What a new default has commented out beside a live key of the same name.
//!
//! A line of the user's that says the same is that example, and not the key, which the user may have taken out. What only
//! starts alike is the key itself, commented out with the block that the user has in it.

use foldhash::{HashMap, HashMapExt};

use super::paths::{Step, path, said};
use crate::yaml::commented_out::gaps::Between;
use crate::yaml::commented_out::recognise::{CommentedOut, Owner, end_of_block};
use crate::yaml::commented_out::{Found, Keys};
use crate::yaml::tree::Line;

/// The first line of an example, and the path of the live key.
#[derive(Debug)]
pub(super) struct Example {
    pub(super) path: Vec<Option<String>>,
    pub(super) text: String,
}

/// What blocks say, by the paths of their keys and their first lines.
type Blocks<'n> = HashMap<(Vec<Step<'n>>, &'n str), Vec<Vec<&'n str>>>;

impl Example {
    /// Those of a new default that no block of the user's only starts like.
    pub(super) fn all(new: &Found<'_, '_>, own: &Found<'_, '_>) -> Vec<Self> {
        if new.live_too.is_empty() {
            return Vec::new();
        }
        let own = blocks(own, |option, map| option.name.is_some_and(|name| !own.live_too.contains(&(map, name))));
        let owned = |step: Step<'_>| step.map(str::to_owned);
        let example = |((path, text), blocks): ((Vec<Step<'_>>, &str), Vec<Vec<&str>>)| {
            let others = own.get(&(path.clone(), text));
            let is_own = others.is_none_or(|others| others.iter().all(|other| blocks.contains(other)));
            is_own.then(|| Self { path: path.into_iter().map(owned).collect(), text: text.to_owned() })
        };
        blocks(new, |option, map| is_beside_live(option, map, &new.live_too)).into_iter().filter_map(example).collect()
    }

    pub(super) fn key(&self) -> (Vec<Step<'_>>, &str) {
        (self.path.iter().map(|step| step.as_deref()).collect(), &self.text)
    }
}

fn is_beside_live(option: &CommentedOut<'_>, map: usize, live_too: &Keys<'_>) -> bool {
    option.name.is_some_and(|name| live_too.contains(&(map, name)))
}

/// The commented-out keys of live maps that are asked for.
fn blocks<'n, 'a: 'n>(found: &Found<'n, 'a>, is_asked: impl Fn(&CommentedOut<'n>, usize) -> bool) -> Blocks<'n> {
    let mut blocks = Blocks::new();
    for (between, options) in found.gaps.all().zip(found.by_gap()) {
        for (at, option) in options.iter().enumerate() {
            let (Owner::Live(map), Some(name)) = (option.parent, option.name) else { continue };
            if is_asked(option, map) {
                let key = (path(&found.gaps, map, name), said(option.text));
                blocks.entry(key).or_default().push(block(&between, options, at));
            }
        }
    }
    blocks
}

/// What a commented-out key says, and all that is commented out inside of it.
fn block<'n>(between: &Between<'_, 'n, '_>, options: &[CommentedOut<'_>], at: usize) -> Vec<&'n str> {
    let (start, end) = (options[at].start, end_of_block(options, at));
    let lines = between.holders.iter().flat_map(|holder| holder.lines).skip(start).take(end - start);
    lines.filter(|line| line.has_words()).map(Line::said).collect()
}
