//! A configuration held to a JSON Schema, such as the one that cloud-init has for its own. Nothing that it refers to outside of
//! itself is fetched or read.

use jsonschema::Draft;
use serde_json::Value as Json;

use super::part::{Fault, Part};
use crate::layers::schema::{Failure, JsonSchema};
use crate::layers::values::{Layer, Schema, Value};
use crate::text::error::{Error, Place, visible};
use crate::yaml::path::{Path, Step};

/// What a schema says against a configuration, each at the place of its value.
///
/// # Errors
/// What is no schema.
pub(super) fn check(schema: &Layer, value: &Value<'_>, parts: &[Part]) -> Result<Vec<Error>, Error> {
    let failures = read(schema)?.check(&value.json(Schema::Yaml11));
    let told = failures.into_iter().map(|Failure { path, message }| {
        let found = found(value, &path);
        let shown = if path.is_empty() { "the configuration".to_owned() } else { format!("`{}`", Path(path)) };
        let what = format!("{shown} is not as the schema has it: {}", visible(&message));
        let fault = Fault::new(what, found.line()).word(found.name()).help(format!("{} has it so", schema.name));
        match found.origin.layer.and_then(|at| parts.get(at)) {
            Some(part) => part.error(&fault),
            None => Error::input(fault.what).help(fault.help),
        }
    });
    Ok(told.collect())
}

fn read(schema: &Layer) -> Result<JsonSchema, Error> {
    let json: Json = serde_json::from_str(&schema.text).map_err(|error| {
        let place = Place { line: error.line().max(1), column: error.column().max(1) };
        let wrong = Error::input("the schema is not JSON").at(place, &schema.text).in_file(&schema.name);
        wrong.help("cloud-init has its schema in `config/schemas`")
    })?;
    JsonSchema::read(&json, Draft::default().detect(&json)).map_err(|Failure { path, message }| {
        let at = if path.is_empty() { String::new() } else { format!(" at `{}`", Path(path)) };
        let what = format!("is no JSON Schema that can be used{at}: {}", visible(&message));
        let help = "a schema has to hold all that it refers to: nothing is fetched";
        Error::input(what).in_file(&schema.name).help(help)
    })
}

/// The value at a path, or the nearest one above it.
fn found<'v, 'a>(root: &'v Value<'a>, path: &[Step]) -> &'v Value<'a> {
    path.iter().fold(root, |value, step| {
        let child = match step {
            Step::Key(name) => value.get(name),
            Step::Item(item) => value.children().get(*item),
            Step::Document(_) => None,
        };
        child.unwrap_or(value)
    })
}
