//! Two values become one by mergers: the type of the *old* value says which of them does it.
//!
//! What no merger was named for stays as it is, and so does what is neither map, list nor text. A merger for maps or lists
//! hands values inside of its own on where it was told to, again by the type of the old one: so a new list can meet the
//! merger for texts, and what becomes of that is decided there.

use std::collections::{HashMap, HashSet};

use super::keys::{self, Key};
use super::mergers::{Deletes, Dict, Inside, List, Mergers, Method};
use super::part::Fault;
use crate::layers::reading::Reading;
use crate::layers::values::{Content, Schema, Type, Value};
use crate::text::error::visible;

/// A merge of one part into what came before.
pub(super) struct Walk<'w> {
    pub(super) mergers: &'w Mergers,
    /// The part that is merged in.
    pub(super) part: &'w str,
    /// Follow cloud-init where it stumbles in silence, and not its document.
    pub(super) reading: Reading,
    /// What was passed over.
    pub(super) told: Vec<Fault>,
}

/// The types that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Map,
    List,
    Text,
    Other,
}

impl Sort {
    fn of(value: &Value<'_>) -> Self {
        match value.content() {
            Content::Map(_) => Self::Map,
            Content::List(_) => Self::List,
            Content::Scalar(scalar) if scalar.kind(Schema::Yaml11) == Type::Text => Self::Text,
            Content::Scalar(_) => Self::Other,
        }
    }
}

impl Walk<'_> {
    /// Merges a new value into the old one.
    ///
    /// # Errors
    /// Two values that the merger cannot join; `old` is half done then.
    pub(super) fn merge<'a>(&mut self, old: &mut Value<'a>, new: Value<'a>) -> Result<(), Fault> {
        let mergers = self.mergers;
        match (Sort::of(old), &mergers.dict, &mergers.list, mergers.text) {
            (Sort::Map, Some(dict), _, _) => self.maps(old, new, dict),
            (Sort::List, _, Some(list), _) => self.lists(old, new, list),
            (Sort::Text, _, _, Some(true)) => self.append_text(old, &new),
            (Sort::Text, _, _, Some(false)) => {
                self.replace(old, new, "str()");
                Ok(())
            }
            _ => {
                self.decided(old, "no merger for this type");
                Ok(())
            }
        }
    }

    fn decided(&self, value: &mut Value<'_>, rule: &str) {
        value.by(&format!("{rule}, {}", self.mergers.by));
    }

    fn replace<'a>(&self, old: &mut Value<'a>, mut new: Value<'a>, rule: &str) {
        self.decided(&mut new, rule);
        old.replace(new);
    }

    fn maps<'a>(&mut self, old: &mut Value<'a>, new: Value<'a>, dict: &Dict) -> Result<(), Fault> {
        if !new.is_map() {
            self.decided(old, "dict: only a map is merged into a map");
            return Ok(());
        }
        old.gain_comments(&new);
        let places: HashMap<Key<'_>, usize> =
            old.children().iter().enumerate().map(|(at, entry)| (Key::of(entry), at)).collect();
        let mut gone = HashSet::new();
        let mut met = HashSet::new();
        for entry in new.into_children() {
            let Some(&at) = places.get(&Key::of(&entry)) else {
                refuse_twin(old, &entry, &places)?;
                old.push(entry);
                continue;
            };
            met.insert(at);
            if entry.is_null() && dict.deletes != Deletes::Nothing {
                gone.insert(at);
            } else if let Some(child) = old.child_mut(at) {
                self.same_key(child, entry, dict)?;
            }
        }
        if dict.deletes == Deletes::NullsAndMissing {
            gone.extend((0..places.len()).filter(|at| !met.contains(at)));
        }
        old.retain(|at, _| !gone.contains(&at));
        Ok(())
    }

    fn same_key<'a>(&mut self, old: &mut Value<'a>, new: Value<'a>, dict: &Dict) -> Result<(), Fault> {
        if dict.replace {
            self.replace(old, new, "dict(replace)");
            Ok(())
        } else if goes_inside(&new, &dict.inside) {
            self.merge(old, new)
        } else {
            self.decided(old, "dict(no_replace)");
            Ok(())
        }
    }

    fn lists<'a>(&mut self, old: &mut Value<'a>, new: Value<'a>, list: &List) -> Result<(), Fault> {
        match list.method {
            Method::Append => {
                old.gain_comments(&new);
                let items = self.items(new, "list(append)")?;
                for item in items {
                    old.push(item);
                }
            }
            Method::Prepend => {
                old.gain_comments(&new);
                let items = self.items(new, "list(prepend)")?;
                old.prepend(items);
            }
            Method::Replace if !new.is_list() => self.replace(old, new, "list(replace)"),
            Method::Replace | Method::NoReplace if new.is_list() => return self.by_index(old, new, list),
            _ => return self.not_a_list(old, &new),
        }
        Ok(())
    }

    /// The items of a new value. To cloud-init a text has characters and a map keys, and these are appended.
    fn items<'a>(&self, new: Value<'a>, rule: &str) -> Result<Vec<Value<'a>>, Fault> {
        let origin = new.origin.clone();
        let mut items = match (new.content(), new.as_text(Schema::Yaml11)) {
            (Content::List(_), _) => new.into_children(),
            (Content::Map(entries), _) if self.reading.is_shipped() => {
                entries.iter().map(|entry| Value::new(Content::Scalar(entry.key()))).collect()
            }
            (_, Some(text)) if self.reading.is_shipped() => text.chars().map(|c| Value::text(c.to_string())).collect(),
            _ => {
                let what = format!("{} cannot be joined with a list by {rule}", new.kind_name(Schema::Yaml11));
                return Err(Fault::new(what, new.line()).help("make it a list, or merge this part in another way"));
            }
        };
        for item in &mut items {
            if item.origin.layer.is_none() {
                item.origin = origin.clone();
            }
            self.decided(item, rule);
        }
        Ok(items)
    }

    /// `no_replace` keeps the old items, whatever meets them; cloud-init asks that for its length first, and for its items by
    /// number.
    fn not_a_list<'a>(&self, old: &mut Value<'a>, new: &Value<'a>) -> Result<(), Fault> {
        let common = old.children().len().min(new.children().len());
        let has = |at: usize| {
            let number = i128::try_from(at).ok().map(Key::Number);
            new.children().iter().any(|entry| Some(Key::of(entry)) == number)
        };
        let has_no_length = Sort::of(new) == Sort::Other;
        if self.reading.is_shipped() && (has_no_length || new.is_map() && !(0..common).all(has)) {
            let what = format!("{} cannot be merged with a list by list(no_replace)", new.kind_name(Schema::Yaml11));
            return Err(Fault::new(what, new.line()));
        }
        self.decided(old, "list(no_replace)");
        Ok(())
    }

    /// Items at the same position meet. The list stays as long as it is.
    fn by_index<'a>(&mut self, old: &mut Value<'a>, new: Value<'a>, list: &List) -> Result<(), Fault> {
        old.gain_comments(&new);
        let length = old.children().len();
        let replace = list.method == Method::Replace;
        let rule = if replace { "list(replace)" } else { "list(no_replace)" };
        for (at, item) in new.into_children().into_iter().enumerate() {
            let Some(child) = old.child_mut(at) else {
                let plural = if length == 1 { "item" } else { "items" };
                let what = format!(
                    "from here on new items are left out: {rule} goes by position, and the list has {length} {plural}"
                );
                self.told.push(Fault::new(what, item.line()));
                break;
            };
            if goes_inside(&item, &list.inside) && (replace || self.reading.is_documented()) {
                self.merge(child, item)?;
            } else if replace {
                self.replace(child, item, rule);
            } else {
                self.decided(child, rule);
            }
        }
        Ok(())
    }

    fn append_text<'a>(&mut self, old: &mut Value<'a>, new: &Value<'a>) -> Result<(), Fault> {
        if Sort::of(new) != Sort::Text {
            let what = format!("{} cannot be joined with a text by str(append)", new.kind_name(Schema::Yaml11));
            return Err(Fault::new(what, new.line()).help("make it a text, or merge this part in another way"));
        }
        let rule = format!("str(append) with {}:{}", self.part, new.line());
        old.append_text(new);
        self.decided(old, &rule);
        Ok(())
    }
}

fn refuse_twin<'a>(old: &Value<'a>, new: &Value<'a>, places: &HashMap<Key<'a>, usize>) -> Result<(), Fault> {
    let twin = places.get(&keys::twin(new)).and_then(|&at| old.children().get(at));
    if twin.is_none_or(|twin| twin.name() != new.name()) {
        return Ok(());
    }
    let name = visible(new.name());
    let what = format!("key `{name}` is text in one part and none in another: cloud-init takes them for two keys");
    Err(Fault::new(what, new.line()).word(new.name()).help("write the key in quotes in both, or in none"))
}

/// Whether a new value is merged with the old one that it meets.
fn goes_inside(new: &Value<'_>, inside: &Inside) -> bool {
    match Sort::of(new) {
        Sort::Map => inside.maps,
        Sort::List => inside.lists,
        Sort::Text => inside.texts,
        Sort::Other => false,
    }
}
