//! What a new default has commented out beside a live key of the same name.
//!
//! A line of the user's that says the same is that example, and not the key, which the user may have taken out. A block that
//! starts alike is the example only if it has more in common with that than with the live key: what a user has commented
//! out is not switched on.

use foldhash::{HashMap, HashSet};

use super::as_comment::as_comment;
use super::paths::{Step, path, said};
use crate::yaml::commented_out::Found;
use crate::yaml::commented_out::gaps::Between;
use crate::yaml::commented_out::recognise::{CommentedOut, end_of_block};
use crate::yaml::tree::{Line, Node};

/// The first line of an example, and the path of the live key.
#[derive(Debug)]
pub(super) struct Example {
    pub(super) path: Vec<Option<String>>,
    pub(super) text: String,
}

/// What is commented out inside of a commented-out key, and the number of its map.
struct Block<'n> {
    map: usize,
    lines: Vec<&'n str>,
}

impl Block<'_> {
    /// Whether a block has as many lines in common with the live key of the new default as with any of the examples of that.
    fn is_as_like(&self, key: &Node<'_>, examples: &[Block<'_>]) -> bool {
        let key = as_comment(key);
        let in_key = self.shared(key.iter().skip(1).map(Line::said));
        examples.iter().all(|example| self.shared(example.lines.iter().copied()) <= in_key)
    }

    /// How many of these lines a block has, too.
    fn shared<'l>(&self, lines: impl Iterator<Item = &'l str>) -> usize {
        let said: HashSet<_> = self.lines.iter().copied().collect();
        lines.filter(|line| said.contains(line)).count()
    }
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
        let keys = new.gaps.nodes.iter().skip(1).map(|key| ((key.parent(), &*key.node.name), key.node));
        let live: HashMap<_, _> = keys.filter(|(key, _)| !own.is_empty() && new.live_too.contains(key)).collect();
        let owned = |step: Step<'_>| step.map(str::to_owned);
        let example = |((path, text), examples): ((Vec<Step<'_>>, &str), Vec<Block<'_>>)| {
            let others = own.get(&(path.clone(), text)).map_or(&[][..], Vec::as_slice);
            let name = path.last().copied().flatten().unwrap_or_default();
            let live = examples.first().and_then(|example| live.get(&(example.map, name)).copied());
            let is_key =
                |other: &Block<'_>| !other.lines.is_empty() && live.is_some_and(|key| other.is_as_like(key, &examples));
            let example = || Self { path: path.iter().map(|step| owned(*step)).collect(), text: text.to_owned() };
            (!others.iter().any(is_key)).then(example)
        };
        blocks(new, |key| new.live_too.contains(&key)).into_iter().filter_map(example).collect()
    }

    pub(super) fn key(&self) -> (Vec<Step<'_>>, &str) {
        (self.path.iter().map(|step| step.as_deref()).collect(), &self.text)
    }
}

/// The commented-out keys of live maps that are asked for.
fn blocks<'n, 'a: 'n>(found: &Found<'n, 'a>, is_asked: impl Fn((usize, &'n str)) -> bool) -> Blocks<'n> {
    let mut blocks = Blocks::default();
    for (between, options) in found.gaps.all().zip(found.by_gap()) {
        for (at, option) in options.iter().enumerate() {
            let Some((map, name)) = option.key() else { continue };
            if is_asked((map, name)) {
                let key = (path(&found.gaps, map, name), said(option.text));
                let lines = lines_of(&between, options, at);
                blocks.entry(key).or_default().push(Block { map, lines });
            }
        }
    }
    blocks
}

/// What is commented out inside of a commented-out key.
fn lines_of<'n>(between: &Between<'_, 'n, '_>, options: &[CommentedOut<'_>], at: usize) -> Vec<&'n str> {
    let (start, end) = (options[at].start + 1, end_of_block(options, at));
    let lines = between.lines().skip(start).take(end - start);
    lines.filter(|line| line.has_words()).map(Line::said).collect()
}
