//! Which items of two lists of maps are the same thing: those with the same values under the tuple keys.
//!
//! Items are found by what they have there and not one by one, so long lists are no slower than short ones.

use std::collections::{HashMap, HashSet};

use super::equal::{canonical, number_of, text_of, truth_of};
use super::lookup::child;
use super::strategy::Prefix;
use crate::layers::reading::Reading;
use crate::layers::values::{Schema, Type, Value};

/// What the value of another item is converted to before it is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum To {
    Text,
    Number,
    Bool,
    /// Nothing: it has to be the same as it is.
    Same,
    /// Neither item has the key.
    Absent,
    /// A map, which as shipped is the same as anything.
    Any,
}

/// The values of an item under the tuple keys, each with what others are converted to.
type Tuple = Vec<(To, String)>;

/// Items of a list by their values under the tuple keys.
pub(super) struct Tuples<'k> {
    keys: &'k [String],
    reading: Reading,
    groups: HashMap<Vec<To>, HashMap<Vec<String>, Vec<usize>>>,
    all: Vec<(usize, Tuple)>,
}

impl<'k> Tuples<'k> {
    pub(super) fn new(keys: &'k [String], reading: Reading) -> Self {
        Self { keys, reading, groups: HashMap::new(), all: Vec::new() }
    }

    pub(super) fn insert(&mut self, item: &Value<'_>, at: usize) {
        if let Some(tuple) = self.tuple(item) {
            let (to, values) = tuple.iter().cloned().unzip();
            self.groups.entry(to).or_default().entry(values).or_default().push(at);
            self.all.push((at, tuple));
        }
    }

    /// The items that are the same as this one, in their order.
    pub(super) fn same(&self, item: &Value<'_>) -> Vec<usize> {
        if self.reading.is_shipped() && self.keys.iter().any(|key| self.value(item, key).is_some_and(is_any)) {
            return self.one_by_one(item);
        }
        let mut found: Vec<_> = self
            .groups
            .iter()
            .filter_map(|(to, group)| {
                let values = self.keys.iter().zip(to).map(|(key, to)| self.converted(item, key, *to));
                group.get(&values.collect::<Option<Vec<_>>>()?)
            })
            .flatten()
            .copied()
            .collect();
        found.sort_unstable();
        found
    }

    fn one_by_one(&self, item: &Value<'_>) -> Vec<usize> {
        let fits = |key: &String, (to, value): &(To, String)| match self.value(item, key) {
            Some(other) if is_any(other) => true,
            _ => self.converted(item, key, *to).is_some_and(|other| other == *value),
        };
        let same = |tuple: &Tuple| self.keys.iter().zip(tuple).all(|(key, value)| fits(key, value));
        self.all.iter().filter(|(_, tuple)| same(tuple)).map(|(at, _)| *at).collect()
    }

    /// What other items have to have. A key that an item lacks parts it from all others; where the document counts, only
    /// from those that have it, for the presets name `Version`, which few items have.
    fn tuple(&self, item: &Value<'_>) -> Option<Tuple> {
        let value = |key: &String| {
            let Some(value) = self.value(item, key) else {
                return (self.reading.is_documented()).then(|| (To::Absent, String::new()));
            };
            let to = self.to(value)?;
            Some((to, self.converted(item, key, to)?))
        };
        let tuple = self.keys.iter().map(value).collect::<Option<Tuple>>()?;
        tuple.iter().any(|(to, _)| *to != To::Absent).then_some(tuple)
    }

    fn to(&self, value: &Value<'_>) -> Option<To> {
        Some(match value.kind(Schema::Core) {
            Some(Type::Text | Type::Tagged | Type::Timestamp) => To::Text,
            Some(Type::Int(_) | Type::Float(_)) => To::Number,
            Some(Type::Bool(_)) => To::Bool,
            None if self.reading.is_shipped() && is_any(value) => To::Any,
            None if self.reading.is_shipped() => return None,
            Some(Type::Null) | None => To::Same,
        })
    }

    fn converted(&self, item: &Value<'_>, key: &str, to: To) -> Option<String> {
        let Some(value) = self.value(item, key) else {
            return (to == To::Absent).then(String::new);
        };
        match to {
            To::Text => text_of(value).map(|text| text.to_lowercase()),
            To::Number => number_of(value),
            To::Bool => truth_of(value).map(|truth| truth.to_string()),
            To::Same => Some(canonical(value)),
            To::Any => Some(String::new()),
            To::Absent => None,
        }
    }

    fn value<'v, 'a>(&self, item: &'v Value<'a>, key: &str) -> Option<&'v Value<'a>> {
        value_of(item, key, self.reading)
    }
}

/// What an item has under a tuple key. As shipped the case of the key matters, here alone.
fn value_of<'v, 'a>(item: &'v Value<'a>, key: &str, reading: Reading) -> Option<&'v Value<'a>> {
    if reading.is_shipped() { item.get(key) } else { child(item, key) }
}

/// As shipped maps are the same as anything.
fn is_any(value: &Value<'_>) -> bool {
    value.is_map() || value.is_list() && !value.children().is_empty() && value.children().iter().all(Value::is_map)
}

/// What an item knocks out: those of its tuple keys that have the prefix before their value, with what is behind it.
pub(super) fn knocked_out(
    item: &Value<'_>,
    keys: &[String],
    prefix: &Prefix,
    reading: Reading,
) -> Vec<(String, String)> {
    let marked = |key: &String| {
        let text = value_of(item, key, reading)?.as_text(Schema::Core)?;
        Some((key.clone(), prefix.of_key(text)?.to_lowercase()))
    };
    keys.iter().filter_map(marked).collect()
}

/// Items that knock out others.
pub(super) struct Knockouts {
    reading: Reading,
    /// For the tuple keys that are marked, their values.
    groups: HashMap<Vec<String>, HashSet<Vec<String>>>,
}

impl Knockouts {
    pub(super) fn of(items: &[Value<'_>], keys: &[String], prefix: Option<&Prefix>, reading: Reading) -> Self {
        let mut groups: HashMap<_, HashSet<_>> = HashMap::new();
        for item in items {
            let marked = prefix.map_or_else(Vec::new, |prefix| knocked_out(item, keys, prefix, reading));
            if !marked.is_empty() {
                let (keys, values): (Vec<_>, Vec<_>) = marked.into_iter().unzip();
                groups.entry(keys).or_default().insert(values);
            }
        }
        Self { reading, groups }
    }

    /// Whether an item goes: it has the values of all keys that one of them marks.
    pub(super) fn hit(&self, item: &Value<'_>) -> bool {
        self.groups.iter().any(|(keys, known)| {
            let text = |key: &String| Some(text_of(value_of(item, key, self.reading)?)?.to_lowercase());
            keys.iter().map(text).collect::<Option<Vec<_>>>().is_some_and(|values| known.contains(&values))
        })
    }
}
