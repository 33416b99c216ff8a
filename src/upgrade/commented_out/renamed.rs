//! Which commented-out keys a release writes otherwise, seen without an old default: `log-level` is `log_level` now.
//!
//! Such a key is in each file under a name that the other file does not know, in the same map, and the names differ in
//! nothing but case, dashes and underscores.
//!
//! Left out: live keys, and other names. The report suggests where one may have gone, and nobody guesses.

use foldhash::{HashMap, HashSet};

use super::paths::{Step, path};
use crate::yaml::commented_out::Found;
use crate::yaml::commented_out::recognise::CommentedOut;

/// The new names of a user's commented-out keys, by the number of the map, and by their own names there.
#[derive(Debug, Default)]
pub(super) struct Renamed<'n>(HashMap<usize, HashMap<&'n str, String>>);

/// Commented-out keys of a file that another one has not commented out, by the paths of their maps with their names as
/// [`bare`] has them. Each with the number of its map; nothing where several keys are alike.
type Unknown<'n> = HashMap<(Vec<Step<'n>>, String), Option<(usize, &'n str)>>;

impl<'n> Renamed<'n> {
    /// Those of a user's document that the new default has under another name.
    pub(super) fn of<'a: 'n>(user: &Found<'n, 'a>, update: &Found<'_, '_>) -> Self {
        let own = unknown(user, update);
        let new = if own.is_empty() { Unknown::default() } else { unknown(update, user) };
        let pair = |(key, own): (_, Option<(usize, &'n str)>)| Some((own?, (*new.get(&key)?)?.1));
        let pairs: Vec<_> = own.into_iter().filter_map(pair).collect();
        let mut renamed = Self::default();
        if pairs.is_empty() {
            return renamed;
        }
        let (mine, theirs) = (live_names(user), live_names(update));
        for ((map, name), new_name) in pairs {
            if !theirs.contains(name) && !mine.contains(new_name) {
                renamed.0.entry(map).or_default().insert(name, new_name.to_owned());
            }
        }
        renamed
    }

    /// The new name of a commented-out key.
    pub(super) fn get(&self, (map, name): (usize, &str)) -> Option<&str> {
        self.0.get(&map)?.get(name).map(String::as_str)
    }
}

fn unknown<'n, 'a: 'n>(found: &Found<'n, 'a>, other: &Found<'_, '_>) -> Unknown<'n> {
    let known: HashSet<_> = other.names().collect();
    let keys = found.all().iter().filter_map(CommentedOut::key);
    let mut unknown = Unknown::default();
    for (map, name) in keys.filter(|(_, name)| !known.contains(name)) {
        let mut path = path(&found.gaps, map, name);
        path.pop();
        let alike = unknown.entry((path, bare(name)));
        alike.and_modify(|key| *key = None).or_insert(Some((map, name)));
    }
    unknown
}

fn live_names<'f>(found: &'f Found<'_, '_>) -> HashSet<&'f str> {
    found.gaps.nodes.iter().map(|key| &*key.node.name).collect()
}

/// A name without what says how it is written.
fn bare(name: &str) -> String {
    name.chars().filter(|letter| !matches!(letter, '-' | '_')).flat_map(char::to_lowercase).collect()
}
