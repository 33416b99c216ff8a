//! Keys that a user has live in one place of a map and commented out in another, where the old default has them commented out
//! once.
//!
//! The live ones are the user's own. What is commented out is another key, which follows the release: it takes part under its
//! name with a colon, in all files.

use foldhash::{HashMap, HashSet};

use super::paths::{KeyPaths, path};
use crate::yaml::commented_out::Found;
use crate::yaml::commented_out::gaps::{Between, Gaps};
use crate::yaml::commented_out::recognise::CommentedOut;

/// Such keys of a user's document.
#[derive(Debug, Default)]
pub(super) struct Overridden<'n> {
    keys: KeyPaths<'n>,
    /// What the commented-out key is called, by the name of the live one.
    names: HashMap<&'n str, String>,
    /// All that are live and commented out in the same map, next to each other or not.
    in_both_states: KeyPaths<'n>,
}

impl<'n> Overridden<'n> {
    /// Those of a user's document, as an old default tells; none without that.
    pub(super) fn of<'a: 'n>(found: &Found<'n, 'a>, old: Option<&Found<'n, 'a>>) -> Self {
        let Some(old) = old.filter(|_| !found.live_too.is_empty()) else { return Self::default() };
        let gaps = found.gaps.all().zip(found.by_gap());
        let options = gaps.flat_map(|(between, options)| options.iter().map(move |option| (between, options, option)));
        let key = |(between, options, option): (Between<'_, '_, '_>, &[CommentedOut<'_>], &CommentedOut<'n>)| {
            let key = option.key()?;
            let is_overridden = found.live_too.contains(&key)
                && !found.several.contains(&key)
                && found.gaps.are_live_beside(&between, options, option) == [false; 2];
            is_overridden.then(|| (path(&found.gaps, key.0, key.1), key.1))
        };
        let keys: Vec<_> = options.filter_map(key).collect();
        let names: HashSet<_> = keys.iter().map(|(_, name)| *name).collect();
        let once = old
            .all()
            .iter()
            .filter_map(CommentedOut::key)
            .filter(|key| names.contains(key.1) && !old.several.contains(key));
        let once: HashSet<_> = once.map(|(map, name)| path(&old.gaps, map, name)).collect();
        let keys: Vec<_> = keys.into_iter().filter(|(path, _)| once.contains(path)).collect();
        let names = keys.iter().map(|(_, name)| (*name, format!("{name}:"))).collect();
        let in_both_states = found.live_too.iter().map(|(map, name)| path(&found.gaps, *map, name)).collect();
        Self { keys: keys.into_iter().map(|(path, _)| path).collect(), names, in_both_states }
    }

    /// Whether the user has a key commented out in a map in which it is live.
    pub(super) fn is_commented_out_too(&self, gaps: &Gaps<'_, '_>, key: (usize, &str)) -> bool {
        self.in_both_states.has(gaps, key)
    }

    /// What the commented-out one of a key is called, if it is one of these.
    pub(super) fn name(&self, gaps: &Gaps<'_, '_>, key: (usize, &str)) -> Option<&str> {
        if self.keys.has(gaps, key) { self.names.get(key.1).map(String::as_str) } else { None }
    }
}
