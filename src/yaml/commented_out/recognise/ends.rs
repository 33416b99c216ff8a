//! Where the value of a commented-out entry ends.

use super::Recogniser;
use crate::yaml::commented_out::line::{Continues, Entry, Said, blanks_of_text};

impl Recogniser<'_, '_> {
    /// The line behind a scalar that stands below its key: all that is deeper there, if it holds no entry.
    pub(super) fn end_of_scalar(&self, at: usize, (hash, said): (i32, Said<'_>)) -> usize {
        let is_deeper = |comment: &&str| blanks_of_text(comment).is_some_and(|blanks| blanks > said.blanks);
        let below = self.lines.iter().skip(at + 1).map_while(|line| line.filter(|line| line.0 == hash));
        let lines = below.map(|(_, comment)| comment).take_while(is_deeper);
        let holds_entry = |comment: &str| {
            let text = comment.strip_prefix('#').unwrap_or_default().trim();
            text.starts_with('#') || Entry::of(text, self.known.names_in(comment)).is_some()
        };
        if lines.clone().any(holds_entry) { at + 1 } else { at + 1 + lines.count() }
    }

    /// The line behind the value of an entry.
    pub(super) fn end_of(&self, at: usize, (hash, said): (i32, Said<'_>), entry: &Entry<'_>) -> usize {
        let below = self.lines.iter().enumerate().skip(at + 1);
        let mut below = below.map_while(|(at, line)| Some((at, line.filter(|(column, _)| *column >= hash)?)));
        let last = match entry.continues() {
            Continues::No => None,
            Continues::Deeper => {
                // The first line of a text tells where all stand (YAML 1.2.2 §8.1.1.1).
                let mut first = None;
                let is_text = |&(_, (column, text)): &(usize, (i32, &str))| {
                    let Some(blanks) = blanks_of_text(text) else { return true };
                    let stands = (column, if column == hash { blanks } else { 0 });
                    stands > (hash, said.blanks) && stands >= *first.get_or_insert(stands)
                };
                below.take_while(is_text).last()
            }
            Continues::Until(close) => below.find(|(_, (_, text))| text.trim_end().ends_with(close)),
        };
        last.map_or(at, |(last, _)| last) + 1
    }
}
