//! The words that hide placeholders from the reference parser.
//!
//! A word is as long as its placeholder, so that every place in the hidden text is the same place in the file. It has
//! only letters, so it is plain text wherever it stands, and none that could complete an escape in a quoted scalar.

use foldhash::HashSet;
use std::collections::BTreeMap;

use super::Placeholder;
use super::writing::{Edit, splice};

/// The shortest placeholder, `#{x}`: this much of a word tells it from all others.
const STEM: usize = 4;

/// The words of a text, by their stems, and what they stand for.
pub(super) struct Tokens<'a> {
    words: BTreeMap<String, (String, &'a str)>,
    names: BTreeMap<&'a str, String>,
}

impl<'a> Tokens<'a> {
    /// Finds a word for each name that does not occur in `text`. None if there are more names than words.
    pub(super) fn new(text: &str, known: &[Placeholder<'a>]) -> Option<Self> {
        let mut tokens = Self { words: BTreeMap::new(), names: BTreeMap::new() };
        let taken: HashSet<_> = text.match_indices('Z').filter_map(|(at, _)| text.get(at..at + STEM)).collect();
        let mut free = stems().filter(|stem| !taken.contains(stem.as_str()));
        for it in known {
            if !tokens.names.contains_key(it.name) {
                let stem = free.next()?;
                let word = format!("{stem}{}", "Q".repeat(it.at.len().saturating_sub(STEM)));
                tokens.names.insert(it.name, word.clone());
                tokens.words.insert(stem, (word, it.value));
            }
        }
        Some(tokens)
    }

    /// The text with a word in place of each placeholder.
    pub(super) fn hide(&self, text: &str, known: &[Placeholder<'_>]) -> String {
        let edit = |it: &Placeholder<'_>| Some(Edit { at: it.at.clone(), text: self.names.get(it.name)?.clone() });
        splice(text, 0..text.len(), &known.iter().filter_map(edit).collect::<Vec<_>>())
    }

    /// The text with values in place of the words. What a value brings in is not looked at again.
    pub(super) fn expand(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, from)) = rest.find('Z').map(|at| rest.split_at(at)) {
            out.push_str(before);
            if let Some((after, value)) = self.word_at_start(from) {
                out.push_str(value);
                rest = after;
            } else {
                out.push('Z');
                rest = from.get(1..).unwrap_or_default();
            }
        }
        out.push_str(rest);
        out
    }

    fn word_at_start<'t>(&self, text: &'t str) -> Option<(&'t str, &'a str)> {
        let (word, value) = self.words.get(text.get(..STEM)?)?;
        Some((text.strip_prefix(word.as_str())?, value))
    }
}

/// All stems. Each has its only `Z` at its start, so that no two words overlap, wherever they meet; and `Z` completes no
/// escape (YAML 1.2.2 §5.7), nor do letters from `g` on continue a hexadecimal one.
fn stems() -> impl Iterator<Item = String> {
    let letters = || ('g'..='z').chain('G'..='Y');
    letters().flat_map(move |a| letters().flat_map(move |b| letters().map(move |c| format!("Z{a}{b}{c}"))))
}
