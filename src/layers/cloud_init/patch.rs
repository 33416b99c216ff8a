//! `#cloud-config-jsonp`: a JSON Patch (RFC 6902) is applied to what came before.
//!
//! The operations are read as JSON, as cloud-init does; they are done to values with their writing, so comments stay. What
//! an operation brings in has none, and is written as YAML.

use std::cmp::Ordering;

use json_patch::PatchOperation;
use json_patch::jsonptr::Pointer;
use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::explode::PATCH_MARKERS;
use super::keys::Key;
use super::part::{Fault, Part};
use crate::layers::values::{Content, Origin, Scalar, Schema, Type, Value};
use crate::text::budget::Budget;
use crate::text::error::{Error, Place, visible};
use crate::yaml::limits::MAX_DEPTH;

/// Applies the patch that a part is, whose layer has this number.
///
/// # Errors
/// What is no JSON Patch, and an operation that cannot be done; some may have been done then.
pub(super) fn apply(part: &Part, number: usize, root: &mut Value<'_>, budget: &Budget) -> Result<(), Error> {
    for (line, operation) in operations(part)? {
        let origin = Origin { layer: Some(number), line, rule: Some("JSON Patch".into()), ..Origin::default() };
        let help = "an operation names what is there: /key/0 for the first item of the list `key`";
        done(root, operation, &origin, budget).map_err(|what| part.error(&Fault::new(what, line).help(help)))?;
    }
    Ok(())
}

/// The operations, each with the line on which it starts.
fn operations(part: &Part) -> Result<Vec<(usize, PatchOperation)>, Error> {
    let text = part.layer.text.as_str();
    let json = behind_markers(text);
    let wrong = |error: &serde_json::Error, before: &str| {
        let (lines, last) = (before.matches('\n').count(), before.rsplit('\n').next().unwrap_or_default());
        let column = if error.line() <= 1 { last.chars().count() } else { 0 } + error.column();
        let place = Place { line: lines + error.line().max(1), column: column.max(1) };
        let error = Error::input(format!("no JSON Patch: {}", message(error))).at(place, text);
        part.moved(error.in_file(part.name()).help("a patch is a list of operations in JSON, without comments"))
    };
    let before = &text[..text.len() - json.len()];
    let raws: Vec<&RawValue> = serde_json::from_str(json).map_err(|error| wrong(&error, before))?;
    let (mut line, mut seen) = (part.above() + 1, 0);
    raws.into_iter()
        .map(|raw| {
            let at = raw.get().as_ptr().addr() - text.as_ptr().addr();
            line += text[seen..at].matches('\n').count();
            seen = at;
            let operation = serde_json::from_str(raw.get()).map_err(|error| wrong(&error, &text[..at]))?;
            Ok((line, operation))
        })
        .collect()
}

/// What is wrong, without the place in the text that it is about.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(what, _)| what.to_owned())
}

fn behind_markers(text: &str) -> &str {
    PATCH_MARKERS.iter().fold(text.trim_start_matches('\u{feff}'), |text, marker| {
        let text = text.trim_start();
        let there = text.get(..marker.len()).is_some_and(|start| start.eq_ignore_ascii_case(marker));
        if there { &text[marker.len()..] } else { text }
    })
}

fn done(root: &mut Value<'_>, operation: PatchOperation, origin: &Origin, budget: &Budget) -> Result<(), String> {
    match operation {
        PatchOperation::Add(add) => put(root, &add.path, made(&add.value, origin)),
        PatchOperation::Remove(remove) => taken(root, &remove.path).map(drop),
        PatchOperation::Replace(replace) => {
            let old = find(root, &replace.path).ok_or_else(|| nothing(&replace.path))?;
            old.replace(made(&replace.value, origin));
            Ok(())
        }
        PatchOperation::Move(from) if from.from == from.path => {
            find(root, &from.path).map(drop).ok_or_else(|| nothing(&from.path))
        }
        PatchOperation::Move(from) => {
            let inside = from.path.as_str().strip_prefix(from.from.as_str()).is_some_and(|rest| rest.starts_with('/'));
            if inside {
                return Err(format!("`{}` cannot be moved into itself", visible(from.from.as_str())));
            }
            let value = taken(root, &from.from)?;
            if from.path.count() > from.from.count() {
                value.count_copy(budget)?;
            }
            put(root, &from.path, ruled(value, origin))
        }
        PatchOperation::Copy(copy) => {
            let value = find(root, &copy.from).ok_or_else(|| nothing(&copy.from))?.clone();
            value.count_copy(budget)?;
            put(root, &copy.path, ruled(value, origin))
        }
        PatchOperation::Test(test) => {
            let found = find(root, &test.path).ok_or_else(|| nothing(&test.path))?;
            let what = || format!("`{}` is not what the patch expects", visible(test.path.as_str()));
            equals(found, &test.value).then_some(()).ok_or_else(what)
        }
    }
}

fn nothing(path: &Pointer) -> String {
    format!("there is nothing at `{}`", visible(path.as_str()))
}

fn ruled<'a>(mut value: Value<'a>, origin: &Origin) -> Value<'a> {
    value.origin.rule.clone_from(&origin.rule);
    value
}

fn find<'v, 'a>(root: &'v mut Value<'a>, path: &Pointer) -> Option<&'v mut Value<'a>> {
    path.tokens().try_fold(root, |value, token| {
        let at = place(value, &token.decoded())?;
        value.child_mut(at)
    })
}

/// Where a step of a path leads in a map or list; the keys of a patch are texts.
fn place(value: &Value<'_>, token: &str) -> Option<usize> {
    if value.is_map() {
        let is = |entry: &Value<'_>| entry.name() == token && matches!(Key::of(entry), Key::Text(_));
        return value.children().iter().position(is);
    }
    number(token).filter(|&at| at < value.children().len())
}

/// RFC 6901 §4: digits without a leading zero.
fn number(token: &str) -> Option<usize> {
    let plain = token == "0" || !token.starts_with(['0', '+']);
    plain.then(|| token.parse().ok())?
}

fn put<'a>(root: &mut Value<'a>, path: &Pointer, value: Value<'a>) -> Result<(), String> {
    let Some((parent, token)) = path.split_back() else {
        root.replace(value);
        return Ok(());
    };
    if path.count() > MAX_DEPTH {
        return Err(format!("a path of more than {MAX_DEPTH} steps"));
    }
    let parent = find(root, parent).ok_or_else(|| nothing(parent))?;
    let token = token.decoded();
    if parent.is_map() {
        let at = place(parent, &token);
        if at.is_none() && parent.position(&token).is_some() {
            return Err(format!("`{}` would be a second key like that, which is no text", visible(path.as_str())));
        }
        match at.and_then(|at| parent.child_mut(at)) {
            Some(old) => old.replace(value),
            None => parent.push(value.under(token.into_owned())),
        }
        return Ok(());
    }
    let length = parent.children().len();
    let at = if token == "-" { Some(length) } else { number(&token) };
    let at = at
        .filter(|&at| parent.is_list() && at <= length)
        .ok_or_else(|| format!("there is no place at `{}`", visible(path.as_str())))?;
    parent.insert(at, value.item());
    Ok(())
}

fn taken<'a>(root: &mut Value<'a>, path: &Pointer) -> Result<Value<'a>, String> {
    let (parent, token) = path.split_back().ok_or("the whole configuration cannot be taken away")?;
    let parent = find(root, parent).ok_or_else(|| nothing(path))?;
    let at = place(parent, &token.decoded());
    at.and_then(|at| parent.remove(at)).ok_or_else(|| nothing(path))
}

/// What JSON says as a value that is written as YAML.
fn made<'a>(json: &Json, origin: &Origin) -> Value<'a> {
    let mut value = match json {
        Json::Null => Value::null(),
        Json::Bool(yes) => Value::new(Content::Scalar(Scalar::plain(yes.to_string()))),
        Json::Number(number) => Value::new(Content::Scalar(Scalar::plain(written(&number.to_string())))),
        Json::String(text) => Value::null().with_text(text.clone()),
        Json::Array(items) => {
            let mut list = Value::list();
            for item in items {
                list.push(made(item, origin));
            }
            list
        }
        Json::Object(entries) => {
            let mut map = Value::map();
            for (name, value) in entries {
                map.push(made(value, origin).under(name.clone()));
            }
            map
        }
    };
    value.origin = origin.clone();
    value
}

/// A number that is one to YAML 1.1, too: a float has a dot, and its exponent a sign.
fn written(number: &str) -> String {
    let Some((digits, exponent)) = number.split_once(['e', 'E']) else { return number.to_owned() };
    let dot = if digits.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with(['-', '+']) { "" } else { "+" };
    format!("{digits}{dot}e{sign}{exponent}")
}

/// Whether a value is what JSON says. Of a boolean and a number cloud-init does not see the difference.
fn equals(value: &Value<'_>, json: &Json) -> bool {
    let all = |items: &[Json]| value.children().iter().zip(items).all(|(value, json)| equals(value, json));
    match (value.content(), json) {
        (Content::Map(entries), Json::Object(other)) => {
            let same = |entry: &Value<'_>| {
                let is_text = matches!(Key::of(entry), Key::Text(_));
                is_text && other.get(entry.name()).is_some_and(|json| equals(entry, json))
            };
            entries.len() == other.len() && entries.iter().all(same)
        }
        (Content::List(items), Json::Array(other)) => items.len() == other.len() && all(other),
        (Content::Scalar(scalar), json) => match (scalar.kind(Schema::Yaml11), json) {
            (Type::Null, Json::Null) => true,
            (Type::Text, Json::String(text)) => *scalar.text == **text,
            (Type::Bool(one), Json::Bool(other)) => one == *other,
            (kind, Json::Bool(other)) => same_number(&kind, f64::from(u8::from(*other)), None),
            (Type::Bool(one), Json::Number(other)) => other.as_f64() == Some(f64::from(u8::from(one))),
            (kind, Json::Number(other)) => {
                other.as_f64().is_some_and(|number| same_number(&kind, number, other.as_i128()))
            }
            _ => false,
        },
        _ => false,
    }
}

fn same_number(kind: &Type, float: f64, whole: Option<i128>) -> bool {
    let number = match (kind, whole) {
        (Type::Int(number), Some(whole)) => return *number == whole,
        (Type::Int(number), None) => i32::try_from(*number).ok().map(f64::from),
        (Type::Float(number), _) => Some(*number),
        _ => None,
    };
    number.and_then(|number| number.partial_cmp(&float)) == Some(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::values::Layer;
    use crate::yaml::reference::Duplicates;

    fn is(yaml: &str, json: &str) -> bool {
        let layer = Layer { name: "layer".to_owned(), text: yaml.to_owned() };
        let read = layer.read(0, Duplicates::Refused).unwrap();
        equals(&read.documents[0], &serde_json::from_str(json).unwrap())
    }

    #[test]
    fn a_test_compares_as_python_does() {
        let same = [
            ("{a: [1, x], b: ~}", r#"{"b": null, "a": [1, "x"]}"#),
            ("yes", "true"),
            ("yes", "1"),
            ("1", "true"),
            ("0x10", "16"),
            ("1.0", "1"),
            ("1", "1.0"),
            ("'1'", "\"1\""),
        ];
        assert!(same.into_iter().all(|(yaml, json)| is(yaml, json)), "{same:?}");
        let other = [
            ("{a: 1}", "{}"),
            ("[1]", "[1, 2]"),
            ("'yes'", "true"),
            ("1", "\"1\""),
            ("{1: a}", r#"{"1": "a"}"#),
            ("~", "false"),
            ("a", "[]"),
        ];
        assert!(!other.into_iter().any(|(yaml, json)| is(yaml, json)), "{other:?}");
    }

    #[test]
    fn numbers_stay_numbers_for_yaml_1_1() {
        for (json, yaml) in
            [("7", "7"), ("1.5", "1.5"), ("1e+20", "1.0e+20"), ("1.5e20", "1.5e+20"), ("1e-7", "1.0e-7")]
        {
            assert_eq!(written(json), yaml);
            let scalar = Scalar::plain(written(json));
            assert!(matches!(scalar.kind(Schema::Yaml11), Type::Int(_) | Type::Float(_)), "{yaml}");
        }
    }
}
