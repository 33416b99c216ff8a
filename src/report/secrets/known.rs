//! Secrets that were seen in any of the files, and are masked wherever they stand: in the first line of a new section, in
//! a map in braces, in a text that a value was put into.

use std::cell::OnceCell;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use foldhash::HashSet;

use super::MASK;
use crate::yaml::outline::is_text;

/// From so many characters on a text is masked wherever it stands.
const LONG: usize = 6;

/// Words that stand as values below names of secrets and everywhere else, too.
const WORDS: [&str; 15] = [
    "changeme",
    "credentials",
    "default",
    "disable",
    "disabled",
    "enable",
    "enabled",
    "example",
    "generate",
    "optional",
    "passphrase",
    "password",
    "required",
    "secret",
    "string",
];

/// What was seen, and how it is found again in one pass, however many there are.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    /// What is searched for, and what stands in its place.
    pairs: Vec<(String, String)>,
    /// The keys and values that these are made of.
    learned: HashSet<(String, String)>,
    finder: OnceCell<Option<AhoCorasick>>,
}

impl Known {
    /// Learns the value of a key, as it may be written on one line. A short one may be part of any word, and is only masked
    /// behind its key.
    pub(super) fn learn(&mut self, name: &str, value: &str) {
        let name = if is_masked_anywhere(value) { "" } else { name };
        if value.is_empty()
            || value == MASK
            || is_word(value)
            || !self.learned.insert((name.to_owned(), value.to_owned()))
        {
            return;
        }
        let escaped = format!("{value:?}");
        let escaped = escaped.trim_matches('"');
        for value in [value, escaped].into_iter().take(1 + usize::from(escaped != value)) {
            if is_masked_anywhere(value) {
                self.pairs.push((value.to_owned(), MASK.to_owned()));
            } else if !name.is_empty() {
                let quoted = ["", "\"", "'"].map(|quote| format!("{quote}{value}{quote}"));
                self.pairs.extend(quoted.map(|text| (format!("{name}: {text}"), format!("{name}: {MASK}"))));
            }
        }
        self.finder.take();
    }

    /// Whether a text is the whole value of a secret, however short.
    pub(super) fn is_value(&self, text: &str) -> bool {
        self.learned.iter().any(|(_, value)| value == text)
    }

    /// A text with all that is known masked.
    pub(super) fn mask(&self, text: &str) -> String {
        let Some(finder) = self.finder.get_or_init(|| self.finder()) else { return text.to_owned() };
        let (mut masked, mut done) = (String::new(), 0);
        for found in finder.find_iter(text) {
            let with = self.pairs.get(found.pattern().as_usize()).map_or(MASK, |(_, with)| with);
            let around = if with == MASK { with_quotes(text, found.range()) } else { found.range() };
            masked.push_str(text.get(done..around.start).unwrap_or_default());
            masked.push_str(with);
            done = around.end;
        }
        masked + text.get(done..).unwrap_or_default()
    }

    fn finder(&self) -> Option<AhoCorasick> {
        let texts = self.pairs.iter().map(|(text, _)| text);
        // The other kinds take time with the square of a text that repeats itself, as `aaaa` does.
        AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .match_kind(MatchKind::LeftmostLongest)
            .build(texts)
            .ok()
            .filter(|_| !self.pairs.is_empty())
    }
}

/// A part of a text, with the quotes around it where there are any.
fn with_quotes(text: &str, part: Range<usize>) -> Range<usize> {
    let quote = text[..part.start].chars().next_back().filter(|quote| matches!(quote, '"' | '\''));
    match quote {
        Some(quote) if text[part.end..].starts_with(quote) => part.start - 1..part.end + 1,
        _ => part,
    }
}

/// What a line holds where the same line with its secrets masked has masks.
pub(super) fn hidden<'l>(line: &'l str, masked: &'l str) -> impl Iterator<Item = &'l str> {
    let mut shown = masked.split(MASK);
    let mut rest = shown.next().and_then(|start| line.strip_prefix(start));
    shown.map_while(move |next| {
        let end = if next.is_empty() { rest?.len() } else { rest?.find(next)? };
        let (secret, behind) = rest?.split_at_checked(end)?;
        rest = behind.strip_prefix(next);
        Some(secret.trim().trim_matches(['"', '\'']))
    })
}

/// Whether a value is `true`, `null` or the like: where such a word is a secret's value, it is none anywhere else.
fn is_word(value: &str) -> bool {
    value.starts_with(|first: char| first.is_ascii_alphabetic()) && !is_text(value)
}

/// Whether a secret is masked wherever it stands, and not only behind its key.
fn is_masked_anywhere(value: &str) -> bool {
    value.chars().count() >= LONG && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(value))
}
