//! When two items are the same.
//!
//! PowerShell converts one of two values to the type of the other before it compares them: `1` is `'1'`. What it also
//! takes for the same, any text for `true` and all maps for one another, is no duplicate to anybody else, so that is
//! so as shipped only.

use std::collections::HashMap;

use crate::layers::reading::Reading;
use crate::layers::values::{Content, Scalar, Schema, Type, Value};

/// Items that are known, each with a number.
pub(super) struct Known {
    reading: Reading,
    places: HashMap<String, usize>,
}

impl Known {
    pub(super) fn new(reading: Reading) -> Self {
        Self { reading, places: HashMap::new() }
    }

    pub(super) fn insert(&mut self, item: &Value<'_>, at: usize) {
        let keys = if self.reading.is_shipped() { converted(item) } else { vec![canonical(item)] };
        for key in keys {
            self.places.entry(key).or_insert(at);
        }
    }

    /// Adds a text.
    pub(super) fn insert_text(&mut self, text: &str) {
        self.insert(&Value::text(text.to_owned()), 0);
    }

    /// The first item that is the same as this one.
    pub(super) fn place(&self, item: &Value<'_>) -> Option<usize> {
        let key = if self.reading.is_shipped() { own(item) } else { canonical(item) };
        self.places.get(&key).copied()
    }

    pub(super) fn has(&self, item: &Value<'_>) -> bool {
        self.place(item).is_some()
    }
}

/// A scalar as text, as .NET writes it; nothing for null and collections.
pub(super) fn text_of(value: &Value<'_>) -> Option<String> {
    let scalar = value.scalar()?;
    match scalar.kind(Schema::Core) {
        Type::Null => None,
        Type::Bool(true) => Some("True".to_owned()),
        Type::Bool(false) => Some("False".to_owned()),
        Type::Int(number) => Some(number.to_string()),
        Type::Float(number) => Some(number.to_string()),
        Type::Text | Type::Tagged | Type::Timestamp => Some(scalar.text.to_string()),
    }
}

/// A scalar as a number, written in one way; nothing for what PowerShell cannot convert.
pub(super) fn number_of(value: &Value<'_>) -> Option<String> {
    let scalar = value.scalar()?;
    match scalar.kind(Schema::Core) {
        Type::Null => None,
        Type::Bool(truth) => Some(u8::from(truth).to_string()),
        Type::Int(number) => Some(number.to_string()),
        Type::Float(number) => Some(number.to_string()),
        Type::Text | Type::Tagged | Type::Timestamp => match scalar.text.trim() {
            "" => Some("0".to_owned()),
            text => match Scalar::plain(text).kind(Schema::Core) {
                Type::Int(number) => Some(number.to_string()),
                Type::Float(number) => Some(number.to_string()),
                _ => None,
            },
        },
    }
}

/// Whether a scalar is true as PowerShell sees it.
pub(super) fn truth_of(value: &Value<'_>) -> Option<bool> {
    let scalar = value.scalar()?;
    match scalar.kind(Schema::Core) {
        Type::Null => None,
        Type::Bool(truth) => Some(truth),
        Type::Int(number) => Some(number != 0),
        Type::Float(number) => Some(number != 0.0),
        Type::Text | Type::Tagged | Type::Timestamp => Some(!scalar.text.is_empty()),
    }
}

/// All that a known item can be the same as: itself as text, as a number and as a boolean.
fn converted(item: &Value<'_>) -> Vec<String> {
    if item.scalar().is_none() || item.is_null() {
        return vec![own(item)];
    }
    let text = text_of(item).map(|text| format!("text {text}"));
    let number = number_of(item).map(|number| format!("number {number}"));
    let truth = truth_of(item).map(|truth| format!("bool {truth}"));
    [text, number, truth].into_iter().flatten().collect()
}

/// An item as what it is itself.
fn own(item: &Value<'_>) -> String {
    match item.kind(Schema::Core) {
        None if item.is_map() => "map".to_owned(),
        Some(Type::Bool(truth)) => format!("bool {truth}"),
        Some(Type::Int(_) | Type::Float(_)) => format!("number {}", number_of(item).unwrap_or_default()),
        Some(Type::Text | Type::Tagged | Type::Timestamp) => format!("text {}", text_of(item).unwrap_or_default()),
        None | Some(Type::Null) => canonical(item),
    }
}

/// A value written in one way, whatever the order of its keys: two values are the same where this is. A number is the
/// same as its text.
pub(super) fn canonical(value: &Value<'_>) -> String {
    let inside = |child: &Value<'_>| canonical(child);
    match value.content() {
        Content::Scalar(_) => match value.kind(Schema::Core) {
            None | Some(Type::Null) => "null".to_owned(),
            Some(Type::Bool(truth)) => format!("bool {truth}"),
            Some(_) => format!("{:?}", text_of(value).unwrap_or_default()),
        },
        Content::List(items) => format!("[{}]", items.iter().map(inside).collect::<Vec<_>>().join(",")),
        Content::Map(entries) => {
            let entry = |entry: &Value<'_>| format!("{:?}:{}", entry.name().to_lowercase(), canonical(entry));
            let mut entries: Vec<_> = entries.iter().map(entry).collect();
            entries.sort_unstable();
            format!("{{{}}}", entries.join(","))
        }
    }
}
