//! Two lists become one: by what their items mean, by their names, or by the names that short forms have in them.

use std::collections::{HashMap, HashSet};

use super::{Known, Lists, Notation, append, replace};
use crate::layers::values::{Content, Schema, Value, meaning, same};

/// Adds the items that mean something else than all that are there.
pub(super) fn unique<'a>(old: &mut Value<'a>, new: Value<'a>) {
    old.gain_comments(&new);
    let mut known = Known::default();
    for (at, item) in old.children().iter().enumerate() {
        known.add(meaning(item), at);
    }
    for mut item in new.into_children() {
        let hash = meaning(&item);
        if known.find(hash, |at| old.children().get(at).is_some_and(|other| same(other, &item))).is_none() {
            known.add(hash, old.children().len());
            item.by("lists: unique");
            old.push(item);
        }
    }
}

/// The new items, behind them those that were there and mean something else; each once.
pub(super) fn unique_first<'a>(old: &mut Value<'a>, mut new: Value<'a>) {
    old.gain_comments(&new);
    let before = old.clone().into_children();
    old.retain(|_, _| false);
    let after = new.clone().into_children();
    new.retain(|_, _| false);
    let mut known = Known::default();
    let mut kept: Vec<Value<'a>> = Vec::new();
    let (new_ones, all) = (after.len(), after.into_iter().chain(before));
    for (at, mut item) in all.enumerate() {
        let hash = meaning(&item);
        if known.find(hash, |at| kept.get(at).is_some_and(|other| same(other, &item))).is_none() {
            known.add(hash, kept.len());
            if at < new_ones {
                item.by("lists: unique first");
            }
            kept.push(item);
        }
    }
    old.prepend(kept);
}

/// Of one name the last item counts, in the place of the first; items without a name come in at the end.
pub(super) fn latest<'a>(old: &mut Value<'a>, new: Value<'a>, notation: Notation) {
    let rule = notation.rule();
    old.gain_comments(&new);
    let (mut places, mut twice) = (HashMap::new(), HashSet::new());
    let names: Vec<_> = old.children().iter().map(|item| notation.name(item)).collect();
    for (at, name) in names.into_iter().enumerate().filter_map(|(at, name)| Some((at, name?))) {
        let first = *places.entry(name).or_insert(at);
        let item = if first == at { None } else { old.children().get(at).cloned() };
        if let Some((item, there)) = item.zip(old.child_mut(first)) {
            replace(there, item, rule);
            twice.insert(at);
        }
    }
    for mut item in new.into_children() {
        item.by(rule);
        let name = notation.name(&item);
        let there = name.as_ref().and_then(|name| places.get(name)).and_then(|&at| old.child_mut(at));
        if let Some(there) = there {
            replace(there, item, rule);
        } else {
            places.extend(name.map(|name| (name, old.children().len())));
            old.push(item);
        }
    }
    old.retain(|at, _| !twice.contains(&at));
}

/// A list of `NAME=VALUE` in the form of the map that it is to meet, or such a map in the form of a list. What has no such
/// form stays as it is.
pub(super) fn pairs_like<'a>(old: &Value<'a>, new: Value<'a>) -> Value<'a> {
    let made = match (old.content(), new.content()) {
        (Content::List(_), Content::Map(entries)) => {
            entries.iter().map(item_of_entry).collect::<Option<Vec<_>>>().map(|items| (Value::list(), items))
        }
        (Content::Map(_), Content::List(items)) => {
            items.iter().map(entry_of_item).collect::<Option<Vec<_>>>().map(|entries| (Value::map(), entries))
        }
        _ => None,
    };
    let Some((mut made, children)) = made else { return new };
    for child in children {
        made.push(child);
    }
    made.origin.clone_from(&new.origin);
    let mut new = new;
    new.becomes(made);
    new
}

fn item_of_entry<'a>(entry: &Value<'a>) -> Option<Value<'a>> {
    let value = entry.scalar()?;
    let text = if entry.is_null() { entry.name().to_owned() } else { format!("{}={}", entry.name(), value.text) };
    Some(rewritten(entry, text).item())
}

fn entry_of_item<'a>(item: &Value<'a>) -> Option<Value<'a>> {
    let text = item.as_text(Schema::Core)?;
    let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
    let mut made = item.clone();
    if let Some(value) = value {
        made.replace(item.with_text(value.to_owned()));
    } else {
        let mut null = Value::null();
        null.origin.clone_from(&item.origin);
        made.becomes(null);
    }
    Some(made.under(name.to_owned()))
}

/// Another text under the comments of a value.
fn rewritten<'a>(value: &Value<'a>, text: String) -> Value<'a> {
    let mut made = value.clone();
    made.replace(value.with_text(text));
    made
}

/// A list of both values; a list goes on. Each comes in once where that is how lists are merged.
pub(super) fn both<'a>(old: &mut Value<'a>, new: Value<'a>, lists: &Lists, rule: &str) {
    let as_list = |value: Value<'a>| {
        if value.is_list() {
            return value;
        }
        let (mut list, mut outer) = (Value::list(), value.clone());
        list.origin.clone_from(&value.origin);
        list.push(value.bare().item());
        outer.becomes(list);
        outer
    };
    *old = as_list(old.clone());
    let new = as_list(new);
    match lists {
        Lists::Latest(notation) => latest(old, new, *notation),
        Lists::Unique | Lists::UniqueFirst => unique(old, new),
        _ => append(old, new, rule),
    }
}
