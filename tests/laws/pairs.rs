//! Pairs of a user's file and a new default, to try the laws on.

use proptest::prelude::*;

use crate::model::File;
use crate::mutate::mutate;
use crate::render::render;
use crate::tape::Tape;

/// A user's file and a new default.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) name: String,
    pub(crate) current: String,
    pub(crate) update: String,
}

/// Two versions that descend from the same file.
pub(crate) fn pairs() -> impl Strategy<Value = Pair> {
    tapes().prop_map(|(file, current, update)| Pair::descend(&file, &current, &update))
}

/// The same for streams: one to three documents, with `...`, byte-order marks, and comments between them.
pub(crate) fn streams() -> impl Strategy<Value = Pair> {
    tapes().prop_map(|(file, current, update)| Pair::of_stream(&file, &current, &update))
}

/// What a file is made of, and what became of it twice.
pub(crate) fn tapes() -> impl Strategy<Value = (Vec<u8>, Vec<u8>, Vec<u8>)> {
    let tape = |length| proptest::collection::vec(any::<u8>(), 0..length);
    (tape(600), tape(200), tape(200))
}

impl Pair {
    /// Makes a file of one tape, and of each other tape what became of it.
    pub(crate) fn descend(file: &[u8], current: &[u8], update: &[u8]) -> Self {
        Self::of(&File::draw(&mut Tape::new(file)), current, update)
    }

    /// The same with a stream of documents.
    pub(crate) fn of_stream(file: &[u8], current: &[u8], update: &[u8]) -> Self {
        Self::of(&File::draw_stream(&mut Tape::new(file)), current, update)
    }

    fn of(ancestor: &File, current: &[u8], update: &[u8]) -> Self {
        let version = |tape: &[u8]| render(&mutate(ancestor, &mut Tape::new(tape)));
        Self { name: "generated".to_owned(), current: version(current), update: version(update) }
    }
}

/// A pair of which one file has been damaged.
pub(crate) fn garbled() -> impl Strategy<Value = Pair> {
    (pairs(), proptest::collection::vec(any::<u8>(), 1..30)).prop_map(|(pair, tape)| pair.garble(&tape))
}

const GARBAGE: [&str; 28] = [
    " ", "  ", "\t", "\n", "\r", ":", ": ", "-", "- ", "#", " #", "\"", "'", "[", "]", "{", "}", ",", "|", ">", "&x",
    "*x", "!", "? ", "---\n", "...\n", "%", "\u{1}",
];

impl Pair {
    /// Puts in, takes out and doubles characters and lines of the current file.
    pub(crate) fn garble(mut self, tape: &[u8]) -> Self {
        let mut tape = Tape::new(tape);
        for _ in 0..=tape.below(3) {
            let mut text: Vec<char> = self.current.chars().collect();
            let at = (tape.below(256) * 256 + tape.below(256)) % (text.len() + 1);
            let end = (at + 1 + tape.below(12)).min(text.len());
            match tape.below(4) {
                0 | 1 => drop(text.splice(at..at, tape.pick(&GARBAGE).chars())),
                2 => drop(text.drain(at..end)),
                _ => text.extend_from_within(at..end),
            }
            self.current = text.into_iter().collect();
        }
        Self { name: "garbled".to_owned(), ..self }
    }
}

/// Shown so that it can be pasted into the files of a case.
impl std::fmt::Debug for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let exact =
            |text: &str| text.contains(['\r', '\t', '\u{feff}']) || !text.ends_with('\n') || text.contains(" \n");
        writeln!(f, "{}", self.name)?;
        for (name, text) in [("current.yml", &self.current), ("update.yml", &self.update)] {
            writeln!(f, "---- {name}\n{text}")?;
            if exact(text) {
                writeln!(f, "---- {name}, exactly\n{text:?}")?;
            }
        }
        f.write_str("----")
    }
}
