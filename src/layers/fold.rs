//! Two values become one by a policy: the common terms of all rules for layers.
//!
//! A [`Policy`] says for each kind of value what becomes of two that meet. It can be another one at each path, so a
//! caller hands over a function. What cannot be said so is no case here but a walk of its own, beside the notation that
//! needs it.

mod lists;
mod notation;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use self::lists::{both, latest, pairs_like, unique, unique_first};
pub(crate) use self::notation::Notation;
use crate::layers::values::{Content, Schema, Type, Value, meaning, same};
use crate::yaml::path::{Path, Step};

/// What becomes of two values of the same kind of which neither is taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whole {
    Keep,
    Replace,
}

/// What becomes of two maps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Maps {
    Keep,
    Replace,
    /// One map with the keys of both; of a key that both have the values meet in turn.
    Join,
    /// The same, unless both have this key with different values: then the new map alone.
    JoinWhereSame(String),
}

/// What becomes of two lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lists {
    Keep,
    Replace,
    /// The old items, behind them the new ones.
    Append,
    /// The new items, behind them the old ones.
    Prepend,
    /// The old items, behind them the new ones that are not there yet.
    Unique,
    /// The new items, behind them the old ones that are not among them; each once.
    UniqueFirst,
    /// Items with a name in them: of one name the new one counts.
    Latest(Notation),
    /// Items at the same position meet; what the longer list has behind them stays.
    Index,
    /// Items with the same value under this key meet; new ones come in at the end. Without the key they are as in `Unique`.
    Union(String),
    /// The same with the first of [`NAMES`] that tells the new items apart.
    UnionByName,
}

/// What becomes of two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Texts {
    Keep,
    Replace,
    /// The old text, directly behind it the new one.
    Append,
    /// A list of both.
    List,
}

/// What becomes of a value that meets one of another kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clash {
    Keep,
    Replace,
    Refuse,
    /// A list of both; what is a list goes on.
    List,
    /// A number, a boolean or a date replaces anything, and a map or list what is empty, zero, false or null; a map without
    /// entries changes nothing. All else is refused.
    RefuseFull,
}

/// What a new null does to a key that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Null {
    /// It is a value like any other.
    Value,
    /// It takes the key away.
    Deletes,
    /// The same, but where the key is not there it is a value like any other.
    DeletesThere,
    /// Nothing, also where the key is not there.
    Ignored,
    /// Nothing; where the key is not there it is a value, which gives way to any other.
    Yields,
}

/// What becomes of two values that meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Policy {
    pub(crate) maps: Maps,
    pub(crate) lists: Lists,
    pub(crate) texts: Texts,
    /// Numbers, booleans, dates and null.
    pub(crate) others: Whole,
    pub(crate) clash: Clash,
    pub(crate) null: Null,
}

/// How two values are folded.
pub(crate) struct Fold<'p> {
    /// Which plain scalars are text.
    pub(crate) schema: Schema,
    /// The policy for a path from where the fold starts.
    pub(crate) policy: &'p dyn Fn(&[Step]) -> Policy,
}

/// Two values of different kinds that were not to meet.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) path: Path,
    /// The kinds in words, with an article.
    pub(crate) old: &'static str,
    pub(crate) new: &'static str,
    /// Where the new one was read.
    pub(crate) layer: Option<usize>,
    pub(crate) line: usize,
}

/// The kinds of values that policies tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Map,
    List,
    Text,
    Other,
}

impl Fold<'_> {
    /// Folds `new` into `old`.
    ///
    /// # Errors
    /// Two values of different kinds where the policy refuses them; `old` is half done then.
    pub(crate) fn fold<'a>(&self, old: &mut Value<'a>, new: Value<'a>) -> Result<(), Refused> {
        self.meet(old, new, &mut Vec::new())
    }

    fn meet<'a>(&self, old: &mut Value<'a>, new: Value<'a>, way: &mut Vec<Step>) -> Result<(), Refused> {
        let policy = (self.policy)(way);
        let is_pairs = policy.lists == Lists::Latest(Notation::Pairs);
        let new = if is_pairs { pairs_like(old, new) } else { new };
        match (self.kind(old), self.kind(&new)) {
            (Kind::Map, Kind::Map) => self.maps(old, new, &policy.maps, way)?,
            (Kind::List, Kind::List) => self.lists(old, new, &policy.lists, way)?,
            (Kind::Text, Kind::Text) => texts(old, new, &policy),
            _ if policy.null == Null::Yields && old.is_null() => replace(old, new, "nulls: yield"),
            (Kind::Other, Kind::Other) => match policy.others {
                Whole::Keep => old.by("scalars: keep"),
                Whole::Replace => replace(old, new, "scalars: replace"),
            },
            _ => self.clash(old, new, &policy, way)?,
        }
        Ok(())
    }

    fn maps<'a>(&self, old: &mut Value<'a>, new: Value<'a>, maps: &Maps, way: &mut Vec<Step>) -> Result<(), Refused> {
        let differs = |key: &str| old.get(key).zip(new.get(key)).is_some_and(|(old, new)| !same(old, new));
        match maps {
            Maps::JoinWhereSame(key) if differs(key) => replace(old, new, "maps: replace, as they differ in their key"),
            Maps::Join | Maps::JoinWhereSame(_) => self.join(old, new, way)?,
            Maps::Keep => old.by("maps: keep"),
            Maps::Replace => replace(old, new, "maps: replace"),
        }
        Ok(())
    }

    /// Values of different kinds meet.
    fn clash<'a>(&self, old: &mut Value<'a>, new: Value<'a>, policy: &Policy, way: &[Step]) -> Result<(), Refused> {
        match policy.clash {
            Clash::Keep => old.by("other kind: keep"),
            Clash::Replace => replace(old, new, "other kind: replace"),
            Clash::List if !old.is_map() && !new.is_map() => both(old, new, &policy.lists, "other kind: list"),
            Clash::RefuseFull if self.kind(&new) == Kind::Other => replace(old, new, "scalars: replace"),
            Clash::RefuseFull if self.kind(&new) != Kind::Text && is_empty(old, self.schema) => {
                replace(old, new, "other kind: replace what is empty");
            }
            Clash::RefuseFull if new.is_map() && new.children().is_empty() => {}
            Clash::List | Clash::Refuse | Clash::RefuseFull => return Err(self.refused(old, &new, way)),
        }
        Ok(())
    }

    fn kind(&self, value: &Value<'_>) -> Kind {
        match value.content() {
            Content::Map(_) => Kind::Map,
            Content::List(_) => Kind::List,
            Content::Scalar(scalar) if scalar.kind(self.schema) == Type::Text => Kind::Text,
            Content::Scalar(_) => Kind::Other,
        }
    }

    fn refused(&self, old: &Value<'_>, new: &Value<'_>, way: &[Step]) -> Refused {
        let (layer, line) = (new.origin.layer, new.origin.line);
        let (old, new) = (old.kind_name(self.schema), new.kind_name(self.schema));
        Refused { path: Path(way.to_vec()), old, new, layer, line }
    }

    fn join<'a>(&self, old: &mut Value<'a>, new: Value<'a>, way: &mut Vec<Step>) -> Result<(), Refused> {
        old.gain_comments(&new);
        let mut places: HashMap<String, usize> =
            old.children().iter().enumerate().map(|(at, entry)| (entry.name().to_owned(), at)).collect();
        let mut gone: HashSet<usize> = HashSet::new();
        for entry in new.into_children() {
            way.push(Step::Key(entry.name().to_owned()));
            let null = if entry.is_null() { (self.policy)(way).null } else { Null::Value };
            match (places.get(entry.name()), null) {
                (_, Null::Ignored) | (Some(_), Null::Yields) => {}
                (at, Null::Deletes) | (at @ Some(_), Null::DeletesThere) => gone.extend(at),
                (Some(&at), Null::Value) => {
                    if let Some(child) = old.child_mut(at) {
                        self.meet(child, entry, way)?;
                    }
                }
                (None, _) => {
                    places.insert(entry.name().to_owned(), old.children().len());
                    old.push(entry);
                }
            }
            way.pop();
        }
        old.retain(|at, _| !gone.contains(&at));
        Ok(())
    }

    fn lists<'a>(
        &self,
        old: &mut Value<'a>,
        new: Value<'a>,
        lists: &Lists,
        way: &mut Vec<Step>,
    ) -> Result<(), Refused> {
        match lists {
            Lists::Keep => old.by("lists: keep"),
            Lists::Replace => replace(old, new, "lists: replace"),
            Lists::Append => append(old, new, "lists: append"),
            Lists::Unique => unique(old, new),
            Lists::UniqueFirst => unique_first(old, new),
            Lists::Latest(notation) => latest(old, new, *notation),
            Lists::Prepend => {
                old.gain_comments(&new);
                let mut items = new.into_children();
                for item in &mut items {
                    item.by("lists: prepend");
                }
                old.prepend(items);
            }
            Lists::Index => {
                old.gain_comments(&new);
                for (at, item) in new.into_children().into_iter().enumerate() {
                    self.meet_item(old, Some(at), item, way)?;
                }
            }
            Lists::Union(key) => self.union(old, new, key, way)?,
            Lists::UnionByName => match name_of(old, &new) {
                Some(key) => self.union(old, new, key, way)?,
                None => unique(old, new),
            },
        }
        Ok(())
    }

    /// Items with the same value under a key meet.
    fn union<'a>(&self, old: &mut Value<'a>, new: Value<'a>, key: &str, way: &mut Vec<Step>) -> Result<(), Refused> {
        old.gain_comments(&new);
        let mut known = Known::default();
        for (at, item) in old.children().iter().enumerate() {
            known.add(meaning(item.get(key).unwrap_or(item)), at);
        }
        for item in new.into_children() {
            let name = meaning(item.get(key).unwrap_or(&item));
            let is_it = |at: usize| old.children().get(at).is_some_and(|other| is_same_item(other, &item, key));
            let at = known.find(name, is_it);
            if at.is_some() && item.get(key).is_none() {
                continue;
            }
            if at.is_none() {
                known.add(name, old.children().len());
            }
            self.meet_item(old, at, item, way)?;
        }
        Ok(())
    }

    /// An item meets the one at a position, or comes in at the end.
    fn meet_item<'a>(
        &self,
        old: &mut Value<'a>,
        at: Option<usize>,
        item: Value<'a>,
        way: &mut Vec<Step>,
    ) -> Result<(), Refused> {
        let Some((at, child)) = at.and_then(|at| Some((at, old.child_mut(at)?))) else {
            old.push(item);
            return Ok(());
        };
        way.push(Step::Item(at));
        let met = self.meet(child, item, way);
        way.pop();
        met
    }
}

/// A rule that a caller has noted on the new value says more than the policy does.
fn replace<'a>(old: &mut Value<'a>, mut new: Value<'a>, rule: &str) {
    if new.origin.rule.is_none() {
        new.by(rule);
    }
    old.replace(new);
}

fn append<'a>(old: &mut Value<'a>, new: Value<'a>, rule: &str) {
    old.gain_comments(&new);
    for mut item in new.into_children() {
        item.by(rule);
        old.push(item);
    }
}

/// Whether two items have the same name, or mean the same without one.
fn is_same_item(a: &Value<'_>, b: &Value<'_>, key: &str) -> bool {
    match (a.get(key), b.get(key)) {
        (Some(a), Some(b)) => same(a, b),
        (None, None) => same(a, b),
        _ => false,
    }
}

/// The keys that name an item, most likely first (`docs/rules.md` rule 6).
const NAMES: [&str; 7] = ["name", "id", "key", "uid", "host", "path", "url"];

/// The first key that some old item has and by which the new ones can be told apart.
fn name_of(old: &Value<'_>, new: &Value<'_>) -> Option<&'static str> {
    let tells_apart = |key: &&str| {
        let mut seen = HashSet::new();
        let mut named = new.children().iter().map(|item| item.get(key));
        named.all(|name| name.is_some_and(|name| name.scalar().is_some() && seen.insert(meaning(name))))
    };
    let known = |key: &&str| old.children().iter().any(|item| item.get(key).is_some());
    NAMES.into_iter().filter(known).find(tells_apart)
}

/// The items of a list by what they, or their names, mean.
#[derive(Default)]
struct Known(HashMap<u64, Vec<usize>>);

impl Known {
    fn add(&mut self, meaning: u64, at: usize) {
        self.0.entry(meaning).or_default().push(at);
    }

    /// The first that may be it and is.
    fn find(&self, meaning: u64, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        self.0.get(&meaning)?.iter().copied().find(|&at| is_it(at))
    }
}

/// Whether a value is nothing much: no entry, no text, zero, false or null.
pub(crate) fn is_empty(value: &Value<'_>, schema: Schema) -> bool {
    match value.content() {
        Content::Map(children) | Content::List(children) => children.is_empty(),
        Content::Scalar(scalar) => match scalar.kind(schema) {
            Type::Null | Type::Bool(false) | Type::Int(0) => true,
            Type::Float(number) => number == 0.0,
            Type::Text => scalar.text.is_empty(),
            _ => false,
        },
    }
}

fn texts<'a>(old: &mut Value<'a>, new: Value<'a>, policy: &Policy) {
    match policy.texts {
        Texts::Keep => old.by("texts: keep"),
        Texts::Replace => replace(old, new, "texts: replace"),
        Texts::List => both(old, new, &policy.lists, "texts: list"),
        Texts::Append => {
            let text = |value: &Value<'a>| value.scalar().map_or_else(String::new, |scalar| scalar.text.to_string());
            let joined = text(old) + &text(&new);
            old.gain_comments(&new);
            replace(old, old.with_text(joined), "texts: append");
        }
    }
}
