//! Which of the user's lines have moved: each is paired, one to one, with a line of the update that says the same and comes
//! in elsewhere.
//!
//! What a place of both files has in common never gets here. So a second run pairs nothing: it finds the update's lines
//! where they came in, and the user has them there.

use foldhash::HashMap;

use crate::text::piece::Piece;
use crate::yaml::tree::Line;

/// The lines of the update that come in and are no counterpart yet, by what they say.
#[derive(Debug, Default)]
pub(super) struct Arrivals<'a> {
    /// How many lines come in that say the same.
    open: HashMap<Piece<'a>, usize>,
}

impl<'a> Arrivals<'a> {
    /// Lines of the update come in. Blank lines and those without words are no counterpart of any.
    pub(super) fn come(&mut self, lines: &[Line<'a>]) {
        lines.iter().filter_map(Line::shared_words).for_each(|words| self.come_saying(words));
    }

    /// Lines come in at a place where the user has said some of them already: those are no news.
    pub(super) fn come_besides(&mut self, mut said: HashMap<Piece<'a>, usize>, lines: &[Line<'a>]) {
        for words in lines.iter().filter_map(Line::shared_words) {
            if !take(&mut said, &words) {
                self.come_saying(words);
            }
        }
    }

    fn come_saying(&mut self, words: Piece<'a>) {
        *self.open.entry(words).or_default() += 1;
    }

    /// Whether a line that says this comes in and is no counterpart yet.
    pub(super) fn has(&self, words: &str) -> bool {
        self.open.get(words).is_some_and(|number| *number > 0)
    }

    /// Pairs each of some lines of the user's, if all have a counterpart; whether they have.
    pub(super) fn pair<'t>(&mut self, texts: impl Iterator<Item = &'t str> + Clone) -> bool {
        if self.open.is_empty() {
            return false;
        }
        let mut wanted: HashMap<&str, usize> = HashMap::default();
        texts.clone().for_each(|text| *wanted.entry(text).or_default() += 1);
        let open = |text: &str| self.open.get(text).copied().unwrap_or(0);
        let all = wanted.iter().all(|(text, number)| open(text) >= *number);
        for text in texts.filter(|_| all) {
            self.open.get_mut(text).into_iter().for_each(|open| *open -= 1);
        }
        all
    }
}

/// Takes one of some counted lines that says this, if there is one left.
pub(super) fn take(counted: &mut HashMap<Piece<'_>, usize>, words: &str) -> bool {
    let left = counted.get_mut(words).filter(|number| **number > 0);
    left.map(|number| *number -= 1).is_some()
}

/// How often lines say what they say.
pub(super) fn counted<'a>(lines: &[Line<'a>]) -> HashMap<Piece<'a>, usize> {
    let mut said = HashMap::default();
    lines.iter().filter_map(Line::shared_words).for_each(|words| *said.entry(words).or_default() += 1);
    said
}
