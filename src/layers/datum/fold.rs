//! Two values at a path become one. `specific` is what the more specific layers came to, `general` the next layer's.
//!
//! What is joined is laid out as the less specific layer has it, with the more specific keys first.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::expression::handled;
use super::lookup::refill;
use super::options::{By, Lookups};
use super::strategy::{BaseTypes, Hash, HashArrays, Prefix, Strategy};
use crate::layers::reading::Reading;
use crate::layers::values::{Content, Layer, Value, same};
use crate::text::budget::Budget;
use crate::text::error::{Error, visible};

/// A merge under way.
pub(super) struct Merging<'m> {
    pub(super) lookups: &'m Lookups,
    /// The least specific first, as values number them.
    pub(super) layers: &'m [Layer],
    pub(super) reading: Reading,
    /// What may still be copied.
    pub(super) budget: &'m Budget,
    pub(super) warnings: Vec<String>,
}

/// The kinds of values that Datum tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Scalar,
    Hash,
    BaseTypes,
    HashArray,
}

impl Kind {
    pub(super) fn of(value: &Value<'_>) -> Self {
        match value.content() {
            Content::Scalar(_) => Self::Scalar,
            Content::Map(_) => Self::Hash,
            Content::List(items) if !items.is_empty() && items.iter().all(Value::is_map) => Self::HashArray,
            Content::List(_) => Self::BaseTypes,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Scalar => "a scalar",
            Self::Hash => "a map",
            Self::BaseTypes => "a list",
            Self::HashArray => "a list of maps",
        }
    }
}

impl Merging<'_> {
    /// What a lookup of a path comes to, of what the layers have there, the most specific one first.
    ///
    /// # Errors
    /// A strategy that does not say what it needs to.
    pub(super) fn folded<'a>(&mut self, path: &str, found: Vec<Value<'a>>) -> Result<Option<Value<'a>>, Error> {
        let (strategy, _) = self.lookups.of(path);
        let mut found = found.into_iter().filter(|value| !value.is_null());
        let Some(mut result) = found.next() else { return Ok(None) };
        if strategy.first {
            let rule = strategy.rule("MostSpecific");
            return Ok(Some(found.fold(result, |specific, general| most_specific(specific, general, &rule))));
        }
        for general in found {
            result = self.fold(result, general, path, &strategy)?;
        }
        self.clean(&mut result, path, &strategy);
        Ok(Some(result))
    }

    fn fold<'a>(
        &mut self,
        specific: Value<'a>,
        general: Value<'a>,
        path: &str,
        strategy: &Rc<Strategy>,
    ) -> Result<Value<'a>, Error> {
        let kinds = self.kinds(&specific, &general);
        Ok(match kinds {
            (Kind::Hash, Kind::Hash) if strategy.hash != Hash::MostSpecific => {
                let word = if strategy.hash == Hash::Deep { "deep" } else { "hash" };
                let mut joined = self.join(specific, general, path, strategy)?;
                joined.by(&strategy.rule(&format!("merge_hash: {word}")));
                joined
            }
            (Kind::BaseTypes, Kind::BaseTypes) => self.base_types(specific, general, strategy),
            (Kind::HashArray, Kind::HashArray) => self.hash_arrays(specific, general, path, strategy)?,
            (a, b) => {
                if a != b && (self.reading.is_shipped() || wants(strategy, a) || wants(strategy, b)) {
                    self.clash(&specific, &general, path, kinds);
                }
                most_specific(specific, general, &strategy.rule("most specific value"))
            }
        })
    }

    /// As shipped an empty list is none of maps; else it is of the kind of the other.
    fn kinds(&self, specific: &Value<'_>, general: &Value<'_>) -> (Kind, Kind) {
        let empty = |value: &Value<'_>| value.is_list() && value.children().is_empty() && self.reading.is_documented();
        match (Kind::of(specific), Kind::of(general)) {
            (Kind::BaseTypes, Kind::HashArray) if empty(specific) => (Kind::HashArray, Kind::HashArray),
            (Kind::HashArray, Kind::BaseTypes) if empty(general) => (Kind::HashArray, Kind::HashArray),
            kinds => kinds,
        }
    }

    fn clash(&mut self, specific: &Value<'_>, general: &Value<'_>, path: &str, (a, b): (Kind, Kind)) {
        if specific.is_null() || general.is_null() {
            return;
        }
        let (path, a, b) = (visible(path), a.name(), b.name());
        let (here, there) = (self.place(specific), self.place(general));
        let unknown = [specific, general].into_iter().any(|value| handled(value).is_some());
        let unknown = if unknown { ", and what the expression comes to only Datum knows" } else { "" };
        self.warnings.push(format!("{here}: `{path}` is {a} here and {b} at {there}: this one stays{unknown}"));
    }

    pub(super) fn place(&self, value: &Value<'_>) -> String {
        let layer = value.origin.layer.and_then(|at| self.layers.get(at));
        layer.map_or_else(String::new, |layer| format!("{}:{}", layer.name, value.line()))
    }

    /// One map of two: the more specific keys, behind them what only the other has. A key with the prefix keeps out the
    /// one that it names, in this layer and in all that are less specific.
    pub(super) fn join<'a>(
        &mut self,
        specific: Value<'a>,
        general: Value<'a>,
        path: &str,
        strategy: &Rc<Strategy>,
    ) -> Result<Value<'a>, Error> {
        let mut result = around(&specific, &general);
        refill(&mut result, Vec::new());
        let keys = Keys::of(specific.children(), strategy.of_keys.as_ref());
        let stay = general.into_children().into_iter().filter(|entry| !keys.knock_out(entry));
        let mut theirs: Vec<_> = stay.map(Some).collect();
        let name = |entry: &Option<Value<'a>>| entry.as_ref().map(|entry| entry.name().to_lowercase());
        let places: HashMap<_, _> = theirs.iter().enumerate().map(|(at, entry)| (name(entry), at)).collect();
        for entry in specific.into_children() {
            let place = places.get(&Some(entry.name().to_lowercase()));
            let other = place.and_then(|&at| theirs.get_mut(at)?.take());
            result.push(match other {
                Some(other) => self.entry(entry, other, path, strategy)?,
                None => entry,
            });
        }
        if let Some(entries) = result.children_mut() {
            entries.extend(theirs.into_iter().flatten().map(|entry| keys.added(entry)));
        }
        Ok(result)
    }

    /// The values of a key that both maps have.
    fn entry<'a>(
        &mut self,
        specific: Value<'a>,
        general: Value<'a>,
        path: &str,
        strategy: &Rc<Strategy>,
    ) -> Result<Value<'a>, Error> {
        let path = format!("{path}\\{}", specific.name());
        let below = match specific.content() {
            Content::Scalar(_) => None,
            Content::Map(_) | Content::List(_) => self.below(strategy, &path, &specific),
        };
        match below {
            Some(strategy) => self.fold(specific, general, &path, &strategy),
            None => Ok(most_specific(specific, general, &strategy.rule("most specific value of the key"))),
        }
    }

    /// The strategy for what is inside of a map; nothing where the most specific value is taken as a whole.
    ///
    /// As shipped only `deep` looks into maps, and hands itself on where nothing else is for them, while lists have the
    /// strategy of their own path in any case. The document has `deep` merge the lists, too, and `hash` take the most
    /// specific value but for what the options name by its path.
    pub(super) fn below(&self, strategy: &Rc<Strategy>, path: &str, value: &Value<'_>) -> Option<Rc<Strategy>> {
        let is_map = value.is_map();
        let (own, by) = self.lookups.of(path);
        let deep = strategy.hash == Hash::Deep;
        if self.reading.is_shipped() {
            return match (is_map, by) {
                (false, _) => Some(own),
                (true, By::Default) => deep.then(|| Rc::clone(strategy)),
                (true, By::Name | By::Pattern | By::All) => deep.then_some(own),
            };
        }
        match by {
            By::Name => Some(own),
            By::Pattern => (deep || !is_map).then_some(own),
            By::All if !deep => (!is_map).then_some(own),
            By::All | By::Default => deep.then(|| Rc::clone(strategy)),
        }
    }
}

/// The keys of the more specific of two maps, and which keys of the other they knock out; in small letters.
struct Keys<'k> {
    all: HashSet<String>,
    knocked: HashSet<String>,
    prefix: Option<&'k Prefix>,
}

impl<'k> Keys<'k> {
    fn of(entries: &[Value<'_>], prefix: Option<&'k Prefix>) -> Self {
        let names = || entries.iter().map(|entry| entry.name().to_lowercase());
        let knocked = names().filter_map(|name| Some(prefix?.of_key(&name)?.to_owned())).collect();
        Self { all: names().collect(), knocked, prefix }
    }

    fn knock_out(&self, entry: &Value<'_>) -> bool {
        self.knocked.contains(&entry.name().to_lowercase())
    }

    /// An entry that only the less specific map has. One that knocks out a key that is in neither has no value: it is
    /// there for the layers that are yet to come.
    fn added<'a>(&self, mut entry: Value<'a>) -> Value<'a> {
        let name = entry.name().to_lowercase();
        let named = self.prefix.and_then(|prefix| prefix.of_key(&name));
        if named.is_some_and(|named| !self.all.contains(named)) && !entry.is_null() {
            entry.replace(Value::null());
        }
        entry
    }
}

/// Whether a strategy says anything but to take the most specific value of a kind.
fn wants(strategy: &Strategy, kind: Kind) -> bool {
    match kind {
        Kind::Scalar => false,
        Kind::Hash => strategy.hash != Hash::MostSpecific,
        Kind::BaseTypes => matches!(strategy.base_types, BaseTypes::Unique | BaseTypes::Sum),
        Kind::HashArray => !matches!(strategy.hash_arrays, HashArrays::MostSpecific | HashArrays::Unsaid),
    }
}

/// The more specific value in the place of the other, under its own key. Where both are the same the other's comments
/// stay if this one has none.
pub(super) fn most_specific<'a>(mut specific: Value<'a>, mut general: Value<'a>, rule: &str) -> Value<'a> {
    let name = specific.name().to_owned();
    specific.by(rule);
    if same(&specific, &general) {
        specific.gain_inline(&general);
    }
    general.replace(specific);
    under(general, name)
}

/// What two maps or lists become is laid out as the less specific one, where that holds anything.
pub(super) fn around<'a>(specific: &Value<'a>, general: &Value<'a>) -> Value<'a> {
    if general.children().is_empty() {
        let mut result = specific.clone();
        result.gain_comments(general);
        return result;
    }
    let mut result = general.clone();
    result.gain_comments(specific);
    under(result, specific.name().to_owned())
}

/// Keys are the same in upper and lower case, and the more specific one is written.
fn under(value: Value<'_>, name: String) -> Value<'_> {
    if value.name() == name || name.is_empty() { value } else { value.under(name) }
}
