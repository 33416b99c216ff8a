//! Two values become one by a policy: the common terms of all rules for layers.
//!
//! A [`Policy`] says for each kind of value what becomes of two that meet. It can be another one at each path, so a
//! caller hands over a function. What cannot be said so is no case here but a walk of its own, beside the notation that
//! needs it.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use crate::path::{Path, Step};
use crate::values::{Content, Schema, Type, Value, same};

/// What becomes of two values of the same kind of which neither is taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whole {
    Keep,
    Replace,
}

/// What becomes of two maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Maps {
    Keep,
    Replace,
    /// One map with the keys of both; of a key that both have the values meet in turn.
    Join,
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
    /// Items at the same position meet; what the longer list has behind them stays.
    Index,
    /// Items with the same value under this key meet; new ones come in at the end.
    Union(String),
}

/// What becomes of two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Texts {
    Keep,
    Replace,
    /// The old text, directly behind it the new one.
    Append,
}

/// What becomes of a value that meets one of another kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clash {
    Keep,
    Replace,
    Refuse,
}

/// What a new null does to a key that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Null {
    /// It is a value like any other.
    Value,
    /// It takes the key away.
    Deletes,
    /// Nothing, also where the key is not there.
    Ignored,
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
        match (self.kind(old), self.kind(&new)) {
            (Kind::Map, Kind::Map) => match policy.maps {
                Maps::Join => self.join(old, new, way)?,
                Maps::Keep => old.by("maps: keep"),
                Maps::Replace => replace(old, new, "maps: replace"),
            },
            (Kind::List, Kind::List) => self.lists(old, new, &policy.lists, way)?,
            (Kind::Text, Kind::Text) => texts(old, new, policy.texts),
            (Kind::Other, Kind::Other) => match policy.others {
                Whole::Keep => old.by("scalars: keep"),
                Whole::Replace => replace(old, new, "scalars: replace"),
            },
            _ => match policy.clash {
                Clash::Keep => old.by("other kind: keep"),
                Clash::Replace => replace(old, new, "other kind: replace"),
                Clash::Refuse => return Err(self.refused(old, &new, way)),
            },
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
        let mut gone = Vec::new();
        for entry in new.into_children() {
            way.push(Step::Key(entry.name().to_owned()));
            let null = if entry.is_null() { (self.policy)(way).null } else { Null::Value };
            match (places.get(entry.name()), null) {
                (_, Null::Ignored) => {}
                (Some(&at), Null::Deletes) => gone.push(at),
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
        gone.sort_unstable();
        for at in gone.into_iter().rev() {
            old.remove(at);
        }
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
            Lists::Append => append(old, new, "lists: append", |_, _| true),
            Lists::Unique => append(old, new, "lists: unique", |old, item| !old.iter().any(|known| same(known, item))),
            Lists::Prepend => {
                old.gain_comments(&new);
                for (at, mut item) in new.into_children().into_iter().enumerate() {
                    item.by("lists: prepend");
                    old.insert(at, item);
                }
            }
            Lists::Index => {
                old.gain_comments(&new);
                for (at, item) in new.into_children().into_iter().enumerate() {
                    self.meet_item(old, Some(at), item, way)?;
                }
            }
            Lists::Union(key) => {
                old.gain_comments(&new);
                for item in new.into_children() {
                    let named = |other: &Value<'_>| Some(same(other.get(key)?, item.get(key)?));
                    let at = old.children().iter().position(|other| named(other) == Some(true));
                    self.meet_item(old, at, item, way)?;
                }
            }
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

fn replace<'a>(old: &mut Value<'a>, mut new: Value<'a>, rule: &str) {
    new.by(rule);
    old.replace(new);
}

fn append<'a>(old: &mut Value<'a>, new: Value<'a>, rule: &str, wanted: impl Fn(&[Value<'a>], &Value<'a>) -> bool) {
    old.gain_comments(&new);
    for mut item in new.into_children() {
        if wanted(old.children(), &item) {
            item.by(rule);
            old.push(item);
        }
    }
}

fn texts<'a>(old: &mut Value<'a>, new: Value<'a>, texts: Texts) {
    match texts {
        Texts::Keep => old.by("texts: keep"),
        Texts::Replace => replace(old, new, "texts: replace"),
        Texts::Append => {
            let text = |value: &Value<'a>| value.scalar().map_or_else(String::new, |scalar| scalar.text.to_string());
            let joined = text(old) + &text(&new);
            replace(old, old.with_text(joined), "texts: append");
        }
    }
}
