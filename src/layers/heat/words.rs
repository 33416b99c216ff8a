//! The words for strategies: those that Heat knows, and those that were proposed for it.

use crate::layers::reading::Reading;
use crate::layers::values::{Layer, Value};
use crate::text::error::{Error, nearest, visible};

/// What becomes of a parameter that two files set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strategy {
    Overwrite,
    Merge,
    DeepMerge,
}

/// What Heat knows.
pub(super) const SHIPPED: &[&str] = &["overwrite", "merge", "deep_merge"];
/// The same, and what was proposed.
pub(super) const ALL: &[&str] = &["overwrite", "merge", "deep_merge", "extend", "append"];

/// A word for a strategy, as a file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) name: String,
    /// Nothing for a word that nobody knows.
    pub(super) strategy: Option<Strategy>,
    /// The file and line that say so; nothing for what holds where none does.
    pub(super) said: Option<(usize, usize)>,
}

/// What a file may say: which words are known there, and how it is read.
#[derive(Clone, Copy)]
pub(super) struct Vocabulary<'v> {
    pub(super) layer: &'v Layer,
    pub(super) known: &'v [&'v str],
    pub(super) reading: Reading,
}

impl Vocabulary<'_> {
    /// Reads the word of an entry; one that is not among those known is refused, or passed over with a warning.
    pub(super) fn read(self, entry: &Value<'_>, warnings: &mut Vec<String>) -> Result<Word, Error> {
        let Self { layer, known, reading } = self;
        let text = entry.scalar().map_or(entry.kind_name(super::SCHEMA), |scalar| &*scalar.text);
        let strategy = Word::named(text).filter(|_| known.contains(&text));
        let said = entry.origin.layer.map(|layer| (layer, entry.line()));
        if strategy.is_none() {
            let what = format!("`{}` is no merge strategy here", visible(text));
            if reading.is_documented() {
                return Err(layer.error_about(what, entry.line(), text).help(nearest(text, known)));
            }
            warnings.push(format!("{}:{}: {what}: {}", layer.name, entry.line(), nearest(text, known)));
        }
        Ok(Word { name: text.to_owned(), strategy, said })
    }
}

impl Word {
    /// What holds where no file says anything.
    pub(super) fn built_in() -> Self {
        Self { name: "overwrite".to_owned(), strategy: Some(Strategy::Overwrite), said: None }
    }

    fn named(text: &str) -> Option<Strategy> {
        match text {
            "overwrite" => Some(Strategy::Overwrite),
            "merge" | "extend" | "append" => Some(Strategy::Merge),
            "deep_merge" => Some(Strategy::DeepMerge),
            _ => None,
        }
    }

    /// Whether both come to the same; of words that nobody knows only the same one does.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        self.strategy == other.strategy && (self.strategy.is_some() || self.name == other.name)
    }

    /// The word and where it stands.
    pub(super) fn told(&self, layers: &[&Layer]) -> String {
        let name = visible(&self.name);
        match self.said.and_then(|(layer, line)| Some((layers.get(layer)?, line))) {
            Some((layer, line)) => format!("`{name}` in {}:{line}", layer.name),
            None => format!("`{name}`, which holds where no file says otherwise"),
        }
    }
}
