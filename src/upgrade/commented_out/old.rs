//! What an old default has commented out that tells what the same lines are in the file of a user.
//!
//! Left out: whose lines stay. That is decided as of all comments.

use foldhash::HashSet;

use super::paths::{Step, path};
use crate::yaml::commented_out::Found;
use crate::yaml::commented_out::gaps::Gaps;
use crate::yaml::commented_out::recognise::{CommentedOut, Owner};

/// The commented-out keys of an old default whose meaning their place alone does not tell.
#[derive(Debug, Default)]
pub(super) struct OldOptions<'n> {
    /// The lines that stand beside a live key of the same name, each with the path of that key. They are examples, also
    /// where the user took the key out.
    examples: HashSet<(Vec<Step<'n>>, &'n str)>,
    /// The paths of what stands inside of a block that is commented out as a whole.
    inner: HashSet<Vec<Step<'n>>>,
}

impl<'n> OldOptions<'n> {
    pub(super) fn of<'a: 'n>(found: &Found<'n, 'a>) -> Self {
        let mut old = Self::default();
        found.by_gap().for_each(|options| old.add(found, options));
        old
    }

    fn add<'a: 'n>(&mut self, found: &Found<'n, 'a>, options: &[CommentedOut<'n>]) {
        for (at, option) in options.iter().enumerate() {
            match (option.parent, option.name) {
                (Owner::Live(map), Some(name)) if found.live_too.contains(&(map, name)) => {
                    self.examples.insert((path(&found.gaps, map, name), option.text));
                }
                (Owner::CommentedOut(_), Some(_)) => self.inner.extend(inner_path(&found.gaps, options, at)),
                _ => {}
            }
        }
    }

    /// Whether a line is the old default's example of a key that is live there.
    pub(super) fn is_example(&self, gaps: &Gaps<'_, '_>, (map, name): (usize, &str), text: &str) -> bool {
        !self.examples.is_empty() && self.examples.contains(&(path(gaps, map, name), text))
    }

    /// Whether the old default has a key inside of a block that is commented out.
    pub(super) fn has_inside(&self, gaps: &Gaps<'_, '_>, (map, name): (usize, &str)) -> bool {
        !self.inner.is_empty() && self.inner.contains(&path(gaps, map, name))
    }
}

/// The path of an option that stands inside of others.
fn inner_path<'n>(gaps: &Gaps<'n, '_>, options: &[CommentedOut<'n>], at: usize) -> Option<Vec<Step<'n>>> {
    let mut names = Vec::new();
    let mut option = options.get(at)?;
    while let Owner::CommentedOut(parent) = option.parent {
        names.push(option.name);
        option = options.get(parent)?;
    }
    let (map, name) = option.key()?;
    let mut path = path(gaps, map, name);
    path.extend(names.into_iter().rev());
    Some(path)
}
