//! Which commented-out keys of a file become nodes, by what the other file has at their paths.

use super::old::OldOptions;
use super::paths::{KeyPaths, Paths};
use crate::yaml::commented_out::Keys;
use crate::yaml::commented_out::gaps::Gaps;

/// Which options become nodes.
pub(super) enum Wanted<'p, 'n, 'a> {
    /// All that are no examples of the user's, whose keys are known where somebody asks for them.
    AllBut { examples: &'p KeyPaths<'n>, own: Option<&'p Paths<'n, 'a>> },
    /// Those of a user's file that the new default has, too, as far as an old default does not know them for something else.
    PairedWith { others: &'p Paths<'n, 'a>, old: &'p OldOptions<'n> },
    /// Those of an old default that the new one has, too. The user's keys are known where somebody asks for them.
    Old { others: &'p Paths<'n, 'a>, own: Option<&'p Paths<'n, 'a>> },
}

impl Wanted<'_, '_, '_> {
    /// Whether a commented-out key becomes a node, by its first line.
    pub(super) fn has(&self, gaps: &Gaps<'_, '_>, key: (usize, &str), text: &str, several: &Keys<'_>) -> bool {
        let is_one_of_several = several.contains(&key);
        if let Self::AllBut { own: Some(own), .. } | Self::Old { own: Some(own), .. } = self
            && own.can_hold_keys(gaps, key.0) == Some(false)
        {
            return false;
        }
        match self {
            Self::AllBut { examples, own, .. } => {
                // One of several takes part only where the user has chosen one.
                let is_chosen = || own.is_none_or(|own| own.is_live(gaps, key, text) == Some(true));
                !examples.has(gaps, key.0, key.1) && (!is_one_of_several || is_chosen())
            }
            Self::PairedWith { others, .. } | Self::Old { others, .. } => match others.is_live(gaps, key, text) {
                Some(is_live) => is_live || !is_one_of_several,
                None => others.is_commented_out(gaps, key.0) && self.is_inside_of_old(gaps, key),
            },
        }
    }

    fn is_inside_of_old(&self, gaps: &Gaps<'_, '_>, key: (usize, &str)) -> bool {
        matches!(self, Self::PairedWith { old, .. } if old.has_inside(gaps, key))
    }

    /// Whether a line is the example of an old default beside a key that is live in the other file.
    pub(super) fn is_old_example(&self, gaps: &Gaps<'_, '_>, key: (usize, &str), text: &str) -> bool {
        matches!(self, Self::PairedWith { old, .. } if old.is_example(gaps, key, text))
            && self.is_choice(gaps, key, text)
    }

    /// Whether all that is commented out under a name in a map is one key, which is live in the other file.
    pub(super) fn is_choice(&self, gaps: &Gaps<'_, '_>, key: (usize, &str), text: &str) -> bool {
        match self {
            Self::AllBut { .. } => false,
            Self::PairedWith { others, .. } | Self::Old { others, .. } => others.is_live(gaps, key, text) == Some(true),
        }
    }

    /// Whether what is commented out below a key belongs to that: in the other file it has nothing live below it either.
    pub(super) fn has_below(&self, gaps: &Gaps<'_, '_>, key: usize) -> bool {
        let is_users_leaf = |own: Option<&Paths<'_, '_>>| own.and_then(|own| own.is_leaf(gaps, key)).unwrap_or(true);
        match self {
            Self::AllBut { own, .. } => is_users_leaf(*own),
            Self::PairedWith { others, .. } => others.is_leaf(gaps, key) == Some(true),
            Self::Old { others, own } => others.is_leaf(gaps, key) == Some(true) && is_users_leaf(*own),
        }
    }
}
