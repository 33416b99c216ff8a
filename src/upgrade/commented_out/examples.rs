//! What a new default has commented out beside a live key of the same name.
//!
//! A line of the user's that says the same is that example, and not the key, which the user may have taken out. A block that
//! starts alike and has more in common with the live key is that, commented out.

use foldhash::{HashMap, HashSet};

use super::as_comment::as_comment;
use super::paths::{Step, path, said};
use crate::yaml::commented_out::Found;
use crate::yaml::commented_out::gaps::{Between, Numbered};
use crate::yaml::commented_out::recognise::{CommentedOut, Owner, end_of_block};
use crate::yaml::tree::Line;

/// The first line of an example, and the path of the live key.
#[derive(Debug)]
pub(super) struct Example {
    pub(super) path: Vec<Option<String>>,
    pub(super) text: String,
}

/// What a commented-out key says with all that is commented out inside of it, and the number of its map.
struct Block<'n> {
    map: usize,
    lines: Vec<&'n str>,
}

/// Blocks by the paths of their keys and their first lines.
type Blocks<'n> = HashMap<(Vec<Step<'n>>, &'n str), Vec<Block<'n>>>;

impl Example {
    /// Those of a new default, but for those that start like a key which the user commented out.
    pub(super) fn all(new: &Found<'_, '_>, own: &Found<'_, '_>) -> Vec<Self> {
        if new.live_too.is_empty() {
            return Vec::new();
        }
        let own = blocks(own, |key| !own.live_too.contains(&key));
        let owned = |step: Step<'_>| step.map(str::to_owned);
        let example = |((path, text), examples): ((Vec<Step<'_>>, &str), Vec<Block<'_>>)| {
            let others = own.get(&(path.clone(), text)).map_or(&[][..], Vec::as_slice);
            let is_key = |other: &Block<'_>| other.lines.len() > 1 && is_more_like_live(other, &examples, new);
            let example = || Self { path: path.into_iter().map(owned).collect(), text: text.to_owned() };
            (!others.iter().any(is_key)).then(example)
        };
        blocks(new, |key| new.live_too.contains(&key)).into_iter().filter_map(example).collect()
    }

    pub(super) fn key(&self) -> (Vec<Step<'_>>, &str) {
        (self.path.iter().map(|step| step.as_deref()).collect(), &self.text)
    }
}

/// Whether a block has more lines in common with the live key of the new default than with any of the examples of that.
fn is_more_like_live(block: &Block<'_>, examples: &[Block<'_>], new: &Found<'_, '_>) -> bool {
    let said: HashSet<_> = block.lines.iter().copied().collect();
    let in_example = |example: &Block<'_>| example.lines.iter().filter(|line| said.contains(*line)).count();
    let Some(map) = examples.first().map(|example| example.map) else { return false };
    let is_live = |key: &&Numbered<'_, '_>| key.parent() == map && said.contains(&*format!("{}:", key.node.name));
    let Some(key) = new.gaps.nodes.iter().skip(1).find(is_live) else { return false };
    let live = as_comment(key.node);
    let in_key = live.iter().filter(|line| said.contains(line.said())).count();
    examples.iter().map(in_example).all(|in_example| in_example < in_key)
}

/// The commented-out keys of live maps that are asked for.
fn blocks<'n, 'a: 'n>(found: &Found<'n, 'a>, is_asked: impl Fn((usize, &'n str)) -> bool) -> Blocks<'n> {
    let mut blocks = Blocks::default();
    for (between, options) in found.gaps.all().zip(found.by_gap()) {
        for (at, option) in options.iter().enumerate() {
            let (Owner::Live(map), Some(name)) = (option.parent, option.name) else { continue };
            if is_asked((map, name)) {
                let key = (path(&found.gaps, map, name), said(option.text));
                let lines = lines_of(&between, options, at);
                blocks.entry(key).or_default().push(Block { map, lines });
            }
        }
    }
    blocks
}

/// What a commented-out key says, and all that is commented out inside of it.
fn lines_of<'n>(between: &Between<'_, 'n, '_>, options: &[CommentedOut<'_>], at: usize) -> Vec<&'n str> {
    let (start, end) = (options[at].start, end_of_block(options, at));
    let lines = between.holders.iter().flat_map(|holder| holder.lines).skip(start).take(end - start);
    lines.filter(|line| line.has_words()).map(Line::said).collect()
}
