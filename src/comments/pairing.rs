//! Which of the user's lines have moved: each is paired, one to one, with a line of the update that says the same and comes
//! in elsewhere.
//!
//! What a place of both files has in common never gets here. So a second run pairs nothing: it finds the update's lines
//! where they came in, and the user has them there.

use foldhash::HashMap;
use std::borrow::Cow;

use super::place::Place;
use crate::yaml::tree::Line;

/// The lines of the update that come in and are no counterpart yet, by what they say.
#[derive(Debug, Default)]
pub(super) struct Arrivals<'a>(HashMap<Cow<'a, str>, Open>);

/// How many lines come in that say the same.
#[derive(Debug, Default, Clone, Copy)]
struct Open {
    /// Above a key.
    keys: usize,
    /// Elsewhere.
    edges: usize,
}

/// Where a line of the user's can have moved to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counterparts {
    /// Not to a place above a key: the same words may well be true of two keys.
    Edges,
    All,
}

impl Open {
    fn number(self, counterparts: Counterparts) -> usize {
        match counterparts {
            Counterparts::Edges => self.edges,
            Counterparts::All => self.edges + self.keys,
        }
    }

    fn take(&mut self) {
        *(if self.edges > 0 { &mut self.edges } else { &mut self.keys }) -= 1;
    }
}

impl<'a> Arrivals<'a> {
    /// A line of the update comes in. Blank lines and those without words are no counterpart of any.
    pub(super) fn come(&mut self, line: &Line<'a>, place: Place) {
        if let Some(text) = line.shared_words() {
            let open = self.0.entry(text).or_default();
            *(if place.is_above() { &mut open.keys } else { &mut open.edges }) += 1;
        }
    }

    /// Pairs each of some lines of the user's, if all have a counterpart; whether they have.
    pub(super) fn pair<'t>(
        &mut self,
        texts: impl Iterator<Item = &'t str> + Clone,
        counterparts: Counterparts,
    ) -> bool {
        let mut wanted: HashMap<&str, usize> = HashMap::default();
        texts.clone().for_each(|text| *wanted.entry(text).or_default() += 1);
        let open = |text: &str| self.0.get(text).map_or(0, |open| open.number(counterparts));
        let all = wanted.iter().all(|(text, number)| open(text) >= *number);
        for text in texts.filter(|_| all) {
            self.0.get_mut(text).into_iter().for_each(Open::take);
        }
        all
    }
}
