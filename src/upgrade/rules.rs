//! Rules for merging, as data: what becomes of the lists at some paths, and what is the user's alone (`docs/rules.md`
//! rule 11).
//!
//! Where they come from does not matter here: a migration file, the command line, the words of another system. What they
//! mean is decided where the values of two files meet ([`three_way`](crate::upgrade::three_way)).

use foldhash::{HashMap, HashSet};

use crate::yaml::check::Checked;
use crate::yaml::document::is_document;
use crate::yaml::path::Step;
use crate::yaml::pattern::{Pattern, Word};
use crate::yaml::place::Place;
use crate::yaml::row::RowId;

/// What becomes of a list of the user's that meets a list of the update's. With each of them a second run changes nothing.
///
/// ```
/// use yamlift::{ListMerge, Options};
/// let mut options = Options::default();
/// options.list_modes.push(("**/tags".to_owned(), ListMerge::Append));
/// let upgrade = yamlift::upgrade("tags: [mine]\n", "tags: [new]\n", &options)?;
/// assert_eq!(upgrade.text(), "tags: [mine, new]\n");
/// # Ok::<(), yamlift::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ListMerge {
    /// The user's list as it is, with nothing merged inside of it.
    Keep,
    /// The update's list.
    Replace,
    /// The user's items, behind them those of the update that the user has not.
    Append,
    /// The same with the update's before them.
    Prepend,
    /// Like `Append`, where what the update has several times comes in once.
    Unique,
    /// Items with the same key are merged, those that only the update has come in behind the one that they follow there.
    Union,
    /// The items at the same position are merged, what the update has behind them comes in.
    Index,
}

impl ListMerge {
    const ALL: [Self; 7] =
        [Self::Keep, Self::Replace, Self::Append, Self::Prepend, Self::Unique, Self::Union, Self::Index];
    pub(crate) const NAMES: [&str; 7] = ["keep", "replace", "append", "prepend", "unique", "union", "index"];

    pub(crate) fn named(word: &str) -> Option<Self> {
        Self::NAMES.iter().zip(Self::ALL).find(|(name, _)| **name == word).map(|(_, merge)| merge)
    }
}

/// How the lists at a path are merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListRule {
    pub(crate) path: Pattern,
    /// The key that tells the items apart.
    pub(crate) key: Option<String>,
    pub(crate) merge: Option<ListMerge>,
}

/// What is to be done otherwise than usual. Of two rules for a path the first counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rules {
    pub(crate) lists: Vec<ListRule>,
    /// What is the user's alone.
    pub(crate) own: Vec<Pattern>,
}

impl Rules {
    /// Whether they say anything besides what items are told apart by.
    pub(crate) fn is_empty(&self) -> bool {
        self.own.is_empty() && self.lists.iter().all(|rule| rule.merge.is_none())
    }

    /// The values that they name in two files.
    pub(crate) fn found(&self, current: &Checked<'_>, update: &Checked<'_>) -> Found {
        let mut lists = HashMap::default();
        for rule in &self.lists {
            let Some(merge) = rule.merge else { continue };
            for row in rows(&rule.path, current) {
                lists.entry(row).or_insert(merge);
            }
        }
        let own = |file| self.own.iter().flat_map(|pattern| rows(pattern, file)).collect();
        Found { lists, own: own(current), theirs: own(update) }
    }
}

/// The values that rules name, by their rows.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// In the current file, like the next.
    pub(crate) lists: HashMap<RowId, ListMerge>,
    pub(crate) own: HashSet<RowId>,
    /// What is the user's alone, where it stands in the update.
    pub(crate) theirs: HashSet<RowId>,
}

/// The rows of all that a pattern names in a file; without a document at its start, in each of them.
fn rows(pattern: &Pattern, file: &Checked<'_>) -> Vec<RowId> {
    let documents = file.stream.children.iter().filter(|document| is_document(document));
    let rows = documents.enumerate().filter_map(|(at, document)| {
        let inside = match pattern.0.split_first() {
            Some((Word::Step(Step::Document(number)), rest)) => (*number == at).then(|| Pattern(rest.to_vec()))?,
            _ => pattern.clone(),
        };
        let root = Place::of(document, &file.outline);
        let found = inside.places(root).into_iter();
        Some(found.filter_map(|(way, _)| root.follow(&way).map(Place::row)).collect::<Vec<_>>())
    });
    rows.flatten().collect()
}
