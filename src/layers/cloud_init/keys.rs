//! Keys and tags as cloud-init's parser has them: YAML 1.1 in Python, where `yes`, `true` and `1` are the same key.

use std::collections::HashMap;

use super::part::Fault;
use crate::layers::values::{Scalar, Schema, Type, Value};
use crate::text::error::visible;
use crate::text::piece::Piece;
use crate::yaml::reference::Duplicates;

/// What a key is compared by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key<'a> {
    Null,
    /// Booleans are 0 and 1.
    Number(i128),
    /// Anything else that is not text, by how it is written.
    Other(Piece<'a>),
    Text(Piece<'a>),
}

impl<'a> Key<'a> {
    pub(super) fn of(entry: &Value<'a>) -> Self {
        Self::of_scalar(entry.key())
    }

    fn of_scalar(scalar: Scalar<'a>) -> Self {
        match scalar.kind(Schema::Yaml11) {
            Type::Null => Self::Null,
            Type::Bool(yes) => Self::Number(i128::from(yes)),
            Type::Int(number) => Self::Number(number),
            Type::Text => Self::Text(scalar.text),
            Type::Float(_) | Type::Timestamp | Type::Tagged => Self::Other(scalar.text),
        }
    }
}

/// The key with the same characters that is text where this one is not, or the other way round: `1` and `"1"`. A file
/// that has both is refused by many readers, and by this one.
pub(super) fn twin<'a>(entry: &Value<'a>) -> Key<'a> {
    match Key::of(entry) {
        Key::Text(text) => Key::of_scalar(Scalar::plain(text)),
        _ => Key::Text(entry.key().text),
    }
}

/// Lets the last of the keys count that are the same to cloud-init, in the place of the first, and says which they are.
///
/// # Errors
/// Such keys where they are to be refused, and tags that cloud-init cannot read.
pub(super) fn settle(value: &mut Value<'_>, duplicates: Duplicates) -> Result<Vec<Fault>, Fault> {
    let mut told = Vec::new();
    inside(value, duplicates, &mut told)?;
    Ok(told)
}

fn inside(value: &mut Value<'_>, duplicates: Duplicates, told: &mut Vec<Fault>) -> Result<(), Fault> {
    if value.kind(Schema::Yaml11) == Some(Type::Tagged) {
        let what = "cloud-init does not know the tag of this value";
        return Err(Fault::new(what, value.line()).word("!").help("take the tag away"));
    }
    if value.is_map() {
        same_keys(value, duplicates, told)?;
    }
    for at in 0..value.children().len() {
        if let Some(child) = value.child_mut(at) {
            inside(child, duplicates, told)?;
        }
    }
    Ok(())
}

/// Refuses keys that Python cannot look up. `{{ v1.name }}` is a map whose key is one where no template is said to be.
pub(super) fn refuse_collections(value: &Value<'_>) -> Result<(), Fault> {
    if value.has_collection_as_key() {
        let fault = Fault::new("a map or a list cannot be a key to cloud-init", value.line()).word("{");
        return Err(
            fault.help("is this a template? then its first line is `## template: jinja`; else write it in quotes")
        );
    }
    value.children().iter().try_for_each(refuse_collections)
}

/// The entries of a map whose keys are the same, though they are written in different ways.
fn same_keys(map: &mut Value<'_>, duplicates: Duplicates, told: &mut Vec<Fault>) -> Result<(), Fault> {
    let mut places = HashMap::new();
    let mut again = Vec::new();
    for (at, entry) in map.children().iter().enumerate() {
        let first = *places.entry(Key::of(entry)).or_insert(at);
        if first == at {
            continue;
        }
        let name = |at: usize| map.children().get(at).map_or("", |entry| entry.name());
        let (one, other) = (visible(name(first)), visible(name(at)));
        let fault = Fault::new(format!("key `{other}` is the same as `{one}` to cloud-init"), entry.line());
        if duplicates == Duplicates::Refused {
            return Err(fault.word(name(at)).help("write the key in quotes, or take one of them away"));
        }
        told.push(Fault { what: format!("{}, the last one counts", fault.what), ..fault });
        again.push((first, at));
    }
    for (first, at) in again.into_iter().rev() {
        if let (Some(entry), Some(first)) = (map.remove(at), map.child_mut(first)) {
            first.replace(entry);
        }
    }
    Ok(())
}
