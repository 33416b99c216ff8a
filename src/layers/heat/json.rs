//! Values of parameters of type json: written as JSON text, or gone through JSON and back.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use super::SCHEMA;
use crate::layers::values::{Content, Scalar, Type, Value};

/// Reads a JSON text.
///
/// # Errors
/// What is not JSON, in words.
pub(super) fn read<'a>(text: &str) -> Result<Value<'a>, String> {
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| error.to_string())?;
    value(raw).map_err(|error| error.to_string())
}

fn value<'a>(raw: &RawValue) -> Result<Value<'a>, serde_json::Error> {
    let text = raw.get();
    match text.as_bytes().first() {
        Some(b'{') => {
            let mut map = Value::map();
            let Entries(entries) = serde_json::from_str(text)?;
            for (name, raw) in entries {
                map.push(value(raw)?.under(name));
            }
            Ok(map)
        }
        Some(b'[') => {
            let mut list = Value::list();
            for raw in serde_json::from_str::<Vec<&RawValue>>(text)? {
                list.push(value(raw)?);
            }
            Ok(list)
        }
        Some(b'"') => Ok(Value::text(serde_json::from_str::<String>(text)?)),
        _ => Ok(Value::new(Content::Scalar(Scalar::plain(plain(text))))),
    }
}

/// A number as YAML 1.1 reads it: `1e5` would be a text there.
fn plain(text: &str) -> String {
    match Scalar::plain(text).kind(SCHEMA) {
        Type::Text => text.parse::<f64>().map_or_else(|_| text.to_owned(), |number| format!("{number:?}")),
        _ => text.to_owned(),
    }
}

/// The entries of a JSON object, in their order; of a name that appears twice the last one counts.
struct Entries<'t>(Vec<(String, &'t RawValue)>);

impl<'de: 't, 't> Deserialize<'de> for Entries<'t> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(Read)
    }
}

struct Read;

impl<'de> Visitor<'de> for Read {
    type Value = Entries<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries: Vec<(String, &RawValue)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
            match places.entry(name.clone()) {
                Entry::Occupied(place) => entries[*place.get()].1 = value,
                Entry::Vacant(place) => {
                    place.insert(entries.len());
                    entries.push((name, value));
                }
            }
        }
        Ok(Entries(entries))
    }
}

/// What a text stands for, in its place: under its key, from its line.
pub(super) fn in_place_of<'a>(mut value: Value<'a>, text: &Value<'a>) -> Value<'a> {
    from(&mut value, text);
    let mut there = text.clone();
    there.becomes(value);
    there
}

fn from<'a>(value: &mut Value<'a>, text: &Value<'a>) {
    value.origin = text.origin.clone();
    for at in 0..value.children().len() {
        if let Some(child) = value.child_mut(at) {
            from(child, text);
        }
    }
}

/// JSON has texts as keys only.
pub(super) fn with_text_keys(mut value: Value<'_>) -> Value<'_> {
    let is_map = value.is_map();
    for at in 0..value.children().len() {
        let Some(child) = value.child_mut(at) else { continue };
        let name = if is_map { text_for(&child.key()) } else { None };
        let inside = with_text_keys(std::mem::replace(child, Value::null()));
        *child = match name {
            Some(name) => inside.under(name),
            None => inside,
        };
    }
    value
}

/// What JSON makes of a key that is no text.
fn text_for(key: &Scalar<'_>) -> Option<String> {
    match key.kind(SCHEMA) {
        Type::Bool(yes) => Some(yes.to_string()),
        Type::Int(number) => Some(number.to_string()),
        Type::Float(number) => Some(format!("{number:?}")),
        Type::Null => Some("null".to_owned()),
        Type::Timestamp | Type::Text | Type::Tagged => None,
    }
}
