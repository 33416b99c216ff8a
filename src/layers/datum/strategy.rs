//! What becomes of two values at a path: the words of Datum's options.

use std::borrow::Cow;
use std::rc::Rc;

use regex::Regex;

/// What becomes of two maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hash {
    MostSpecific,
    /// One map with the keys of both; of a key that both have the most specific value.
    Top,
    /// The same, and what is a map in both is joined in turn.
    Deep,
}

/// What becomes of two lists that are no lists of maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BaseTypes {
    MostSpecific,
    /// Nothing is said: the most specific one.
    Unsaid,
    Unique,
    Sum,
}

/// What becomes of two lists of maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HashArrays {
    MostSpecific,
    /// Nothing is said: the most specific one.
    Unsaid,
    Sum,
    /// Of items with the same values under the tuple keys the first.
    UniqueTuples,
    /// Items with the same values under the tuple keys are joined.
    DeepTuples,
}

/// The words for one setting, each with what it says.
pub(super) type Words<T> = [(&'static str, T)];

pub(super) const HASH: &Words<Hash> = &[
    ("MostSpecific", Hash::MostSpecific),
    ("First", Hash::MostSpecific),
    ("hash", Hash::Top),
    ("MergeTopKeys", Hash::Top),
    ("deep", Hash::Deep),
];

/// What as shipped counts by how a word begins; any other word for maps means their keys at the top.
pub(super) const HASH_BEGINNINGS: &Words<Hash> = &[("First", Hash::MostSpecific)];

pub(super) const BASE_TYPES: &Words<BaseTypes> = &[
    ("MostSpecific", BaseTypes::MostSpecific),
    ("First", BaseTypes::MostSpecific),
    ("Unique", BaseTypes::Unique),
    ("Sum", BaseTypes::Sum),
    ("Add", BaseTypes::Sum),
];

pub(super) const HASH_ARRAYS: &Words<HashArrays> = &[
    ("MostSpecific", HashArrays::MostSpecific),
    ("First", HashArrays::MostSpecific),
    ("UniqueKeyValTuples", HashArrays::UniqueTuples),
    ("DeepTuple", HashArrays::DeepTuples),
    ("DeepItemMergeByTuples", HashArrays::DeepTuples),
    ("Sum", HashArrays::Sum),
];

/// A whole strategy in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Preset {
    MostSpecific,
    Hash,
    Deep,
    /// Only the document knows it: lists without duplicates, the most specific value of all else.
    Unique,
}

pub(super) const PRESETS: &Words<Preset> = &[
    ("MostSpecific", Preset::MostSpecific),
    ("First", Preset::MostSpecific),
    ("hash", Preset::Hash),
    ("MergeTopKeys", Preset::Hash),
    ("deep", Preset::Deep),
    ("MergeRecursively", Preset::Deep),
    ("Unique", Preset::Unique),
];

/// What a word says, in whatever case it is written.
pub(super) fn meaning<T: Copy>(words: &Words<T>, word: &str) -> Option<T> {
    words.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, meaning)| *meaning)
}

/// What Datum as shipped takes a word for: it looks at how the word begins.
pub(super) fn beginning<T: Copy>(words: &Words<T>, word: &str) -> Option<T> {
    let begins = |name: &str| word.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    words.iter().find(|(name, _)| begins(name)).map(|(_, meaning)| *meaning)
}

/// The prefix of what is to be knocked out.
#[derive(Debug, Clone)]
pub(super) struct Prefix {
    text: String,
    /// The same as an expression, at the beginning and anywhere: as shipped it is no plain text everywhere.
    pattern: Option<(Regex, Regex)>,
}

impl Prefix {
    /// The prefix where none is named.
    pub(super) const DEFAULT: &str = "--";

    pub(super) fn plain(text: &str) -> Self {
        Self { text: text.to_owned(), pattern: None }
    }

    pub(super) fn pattern(text: &str, at_start: Regex, anywhere: Regex) -> Self {
        Self { text: text.to_owned(), pattern: Some((at_start, anywhere)) }
    }

    /// What a key or the value of a tuple key knocks out.
    pub(super) fn of_key<'k>(&self, key: &'k str) -> Option<&'k str> {
        let start = key.get(..self.text.len())?;
        start.eq_ignore_ascii_case(&self.text).then(|| &key[start.len()..])
    }

    /// What an item of a list knocks out.
    pub(super) fn of_item<'k>(&self, item: &'k str) -> Option<Cow<'k, str>> {
        match &self.pattern {
            None => self.of_key(item).map(Cow::Borrowed),
            Some((at_start, _)) => at_start.is_match(item).then(|| at_start.replace(item, "")),
        }
    }

    /// Whether a key does not stay in the end.
    pub(super) fn is_in_key(&self, key: &str) -> bool {
        match &self.pattern {
            None => self.of_key(key).is_some(),
            Some((_, anywhere)) => anywhere.is_match(key),
        }
    }
}

/// How the values at a path are merged.
#[derive(Debug, Clone)]
pub(super) struct Strategy {
    pub(super) hash: Hash,
    pub(super) base_types: BaseTypes,
    pub(super) hash_arrays: HashArrays,
    /// What knocks out keys while maps are joined.
    pub(super) of_keys: Option<Prefix>,
    /// What knocks out items, and what is removed in the end.
    pub(super) knockout: Option<Prefix>,
    /// Whether the options name the prefix.
    pub(super) prefix_named: bool,
    pub(super) tuple_keys: Vec<String>,
    /// Whether the first value that is found is taken as it is.
    pub(super) first: bool,
    /// Who says so, for people.
    pub(super) says: Rc<str>,
    /// The line of the options that does.
    pub(super) line: usize,
}

impl Strategy {
    /// What a word for a whole strategy says.
    pub(super) fn of(preset: Preset, says: &str, line: usize) -> Self {
        let most_specific = Self {
            hash: Hash::MostSpecific,
            base_types: BaseTypes::MostSpecific,
            hash_arrays: HashArrays::MostSpecific,
            of_keys: Some(Prefix::plain(Prefix::DEFAULT)),
            knockout: Some(Prefix::plain(Prefix::DEFAULT)),
            prefix_named: false,
            tuple_keys: Vec::new(),
            first: false,
            says: says.into(),
            line,
        };
        match preset {
            Preset::MostSpecific => Self { first: true, knockout: None, ..most_specific },
            Preset::Hash => Self { hash: Hash::Top, ..most_specific },
            Preset::Deep => Self {
                hash: Hash::Deep,
                base_types: BaseTypes::Unique,
                hash_arrays: HashArrays::DeepTuples,
                tuple_keys: vec!["Name".to_owned(), "Version".to_owned()],
                ..most_specific
            },
            Preset::Unique => Self { base_types: BaseTypes::Unique, ..most_specific },
        }
    }

    /// What a map of settings says that has none. One that does not speak of maps has their keys joined.
    pub(super) fn unsaid(says: &str, line: usize) -> Self {
        let (base_types, hash_arrays) = (BaseTypes::Unsaid, HashArrays::Unsaid);
        Self { base_types, hash_arrays, ..Self::of(Preset::Hash, says, line) }
    }

    /// The same for the items of a list: the document has them joined with all that is inside of them.
    pub(super) fn of_items(&self) -> Self {
        Self { hash: Hash::Deep, ..self.clone() }
    }

    /// The rule that a value is where it is by, for people.
    pub(super) fn rule(&self, what: &str) -> String {
        format!("{what}, by {}", self.says)
    }
}
