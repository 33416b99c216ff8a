//! A configuration held to a JSON Schema, such as the one that cloud-init has for its own. Nothing that it refers to outside of
//! itself is fetched or read.

use jsonschema::{PatternOptions, Validator};
use serde_json::Value as Json;

use super::part::{Fault, Part};
use crate::layers::values::{Content, Layer, Schema, Type, Value};
use crate::text::error::{Error, Place};

/// How many errors are told.
const MOST: usize = 50;

/// All that a schema says against a configuration, each at the place of its value.
///
/// # Errors
/// What is no schema.
pub(super) fn check(schema: &Layer, value: &Value<'_>, parts: &[Part]) -> Result<Vec<Error>, Error> {
    let validator = validator(schema)?;
    let json = json(value);
    let told = validator.iter_errors(&json).take(MOST).map(|error| {
        let path = error.instance_path().as_str().to_owned();
        let found = found(value, &path);
        let shown = if path.is_empty() {
            "the configuration".to_owned()
        } else {
            format!("`{}`", path.trim_start_matches('/'))
        };
        let fault = Fault::new(format!("{shown} is not as the schema has it: {}", error.masked()), found.line());
        let fault = fault.word(found.name()).help(format!("{} has it so", schema.name));
        match found.origin.layer.and_then(|at| parts.get(at)) {
            Some(part) => part.error(&fault),
            None => Error::input(fault.what).help(fault.help),
        }
    });
    Ok(told.collect())
}

fn validator(schema: &Layer) -> Result<Validator, Error> {
    let json: Json = serde_json::from_str(&schema.text).map_err(|error| {
        let place = Place { line: error.line().max(1), column: error.column().max(1) };
        let wrong = Error::input("the schema is not JSON").at(place, &schema.text).in_file(&schema.name);
        wrong.help("cloud-init has its schema in `config/schemas`")
    })?;
    // Patterns of this engine take linear time, whatever they are matched with.
    let options = jsonschema::options().with_pattern_options(PatternOptions::regex());
    options.build(&json).map_err(|error| {
        let what = format!("is no JSON Schema that can be used: {error}");
        let help = "a schema has to hold all that it refers to: nothing is fetched";
        Error::input(what).in_file(&schema.name).help(help)
    })
}

/// The value at a JSON pointer, or the nearest one above it.
fn found<'v, 'a>(root: &'v Value<'a>, pointer: &str) -> &'v Value<'a> {
    pointer.split('/').skip(1).fold(root, |value, token| {
        let name = token.replace("~1", "/").replace("~0", "~");
        let at = if value.is_map() { value.position(&name) } else { name.parse().ok() };
        at.and_then(|at| value.children().get(at)).unwrap_or(value)
    })
}

/// A value as a reader of YAML 1.1 has it.
fn json(value: &Value<'_>) -> Json {
    let scalar = match value.content() {
        Content::Map(entries) => return entries.iter().map(|entry| (entry.name().to_owned(), json(entry))).collect(),
        Content::List(items) => return items.iter().map(json).collect(),
        Content::Scalar(scalar) => scalar,
    };
    match scalar.kind(Schema::Yaml11) {
        Type::Null => Json::Null,
        Type::Bool(yes) => Json::from(yes),
        Type::Int(number) => i64::try_from(number).map_or_else(|_| Json::from(scalar.text.as_ref()), Json::from),
        Type::Float(number) => Json::from(number),
        Type::Text | Type::Timestamp | Type::Tagged => Json::from(scalar.text.as_ref()),
    }
}
