//! Data held to a JSON Schema: what of them it refuses, and where.
//!
//! A schema comes with the data and is trusted as little. Nothing is fetched: each `$ref` leads to another place of the
//! schema itself. A pattern may go back so often and no oftener. And before data are looked at, the steps that this takes
//! are counted: schemas that ask twice what asks twice again would take for ever.

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::{Map, Value as Json};

use crate::yaml::path::Step;

/// What a schema refuses, or what is wrong with the schema itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The way to the value that it is about.
    pub(crate) path: Vec<Step>,
    /// What is wrong with it, in words that do not show it.
    pub(crate) message: String,
}

/// A schema that was read.
#[derive(Debug)]
pub(crate) struct JsonSchema {
    schema: Json,
    validator: Validator,
}

/// So many failures of one text are told.
const TOLD: usize = 20;

/// How often a pattern may go back in one text.
const BACKTRACKS: usize = 20_000;
/// How large a compiled pattern may be.
const PATTERN_BYTES: usize = 1 << 20;

/// How many steps a schema may take over one text, at a microsecond each.
const STEPS: usize = 1_000_000;
/// How deep in each other they may be.
const DEPTH: usize = 400;

impl JsonSchema {
    /// Reads a schema of this draft, whatever it says of itself.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn read(schema: &Json, draft: Draft) -> Result<Self, Failure> {
        let mut path = Vec::new();
        let schema = without_names(schema, &mut path).map_err(|message| Failure { path, message })?;
        let patterns = PatternOptions::fancy_regex().backtrack_limit(BACKTRACKS).size_limit(PATTERN_BYTES);
        let options = jsonschema::options().with_draft(draft).should_validate_formats(false);
        let validator = options.with_pattern_options(patterns).build(&schema);
        match validator {
            Ok(validator) => Ok(Self { schema, validator }),
            Err(error) => {
                Err(Failure { path: steps(&schema, error.instance_path().as_str()), message: message(&error) })
            }
        }
    }

    /// What of some data is refused, the first of it.
    pub(crate) fn check(&self, data: &Json) -> Vec<Failure> {
        let mut steps = Steps { root: &self.schema, left: STEPS };
        if let Err(TooMuch) = steps.take(&self.schema, data, 0) {
            let message = "the schema takes more steps over these data than can be done".to_owned();
            return vec![Failure { path: Vec::new(), message }];
        }
        let failure = |error: jsonschema::ValidationError<'_>| {
            let path = self::steps(data, error.instance_path().as_str());
            Failure { path, message: message(&error) }
        };
        self.validator.iter_errors(data).take(TOLD).map(failure).collect()
    }
}

/// What an error says, without the value.
fn message(error: &jsonschema::ValidationError<'_>) -> String {
    error.masked_with("this value").to_string()
}

/// The steps of a JSON pointer into some data.
fn steps(data: &Json, pointer: &str) -> Vec<Step> {
    let (mut here, mut path) = (Some(data), Vec::new());
    for word in pointer.split('/').skip(1).map(|word| word.replace("~1", "/").replace("~0", "~")) {
        let item = here.filter(|here| here.is_array()).and_then(|_| word.parse().ok());
        here = here.and_then(|here| here.get(&word).or_else(|| here.get(item?)));
        path.push(item.map_or(Step::Key(word), Step::Item));
    }
    path
}

/// What in a schema holds values and no schemas.
const VALUES: [&str; 5] = ["enum", "const", "default", "example", "examples"];

/// A schema without what gives it and its parts names of their own: each reference leads to a place of it.
///
/// # Errors
/// A reference that leads elsewhere; `path` is where that is.
fn without_names(schema: &Json, path: &mut Vec<Step>) -> Result<Json, String> {
    match schema {
        Json::Array(items) => {
            let one = |(at, item): (usize, &Json)| {
                path.push(Step::Item(at));
                let item = without_names(item, path)?;
                path.pop();
                Ok(item)
            };
            items.iter().enumerate().map(one).collect::<Result<_, String>>().map(Json::Array)
        }
        Json::Object(entries) => {
            let mut kept = Map::new();
            for (key, value) in entries {
                path.push(Step::Key(key.clone()));
                match (key.as_str(), value.as_str()) {
                    ("$ref", Some(to)) if to != "#" && !to.starts_with("#/") => {
                        return Err("this reference leads out of the schema, and nothing is fetched".to_owned());
                    }
                    ("$schema" | "id" | "$id" | "$anchor", Some(_)) => {}
                    _ if VALUES.contains(&key.as_str()) => drop(kept.insert(key.clone(), value.clone())),
                    _ => drop(kept.insert(key.clone(), without_names(value, path)?)),
                }
                path.pop();
            }
            Ok(Json::Object(kept))
        }
        other => Ok(other.clone()),
    }
}

/// A schema that takes too many steps, or goes round.
struct TooMuch;

/// Counts what a schema asks of data, rather too much than too little.
struct Steps<'s> {
    root: &'s Json,
    left: usize,
}

impl Steps<'_> {
    fn take(&mut self, schema: &Json, data: &Json, depth: usize) -> Result<(), TooMuch> {
        self.left = self.left.checked_sub(1).filter(|_| depth <= DEPTH).ok_or(TooMuch)?;
        let Some(entries) = schema.as_object() else { return Ok(()) };
        entries.iter().try_for_each(|(key, value)| self.keyword(key, value, data, depth + 1))
    }

    fn keyword(&mut self, key: &str, value: &Json, data: &Json, depth: usize) -> Result<(), TooMuch> {
        match key {
            "$ref" => {
                let place = value.as_str().and_then(|to| self.root.pointer(&pointer(to)));
                place.map_or(Ok(()), |place| self.take(place, data, depth))
            }
            "allOf" | "anyOf" | "oneOf" | "not" | "if" | "then" | "else" => {
                one_or_all(value).try_for_each(|part| self.take(part, data, depth))
            }
            "dependencies" | "dependentSchemas" => {
                children(value).try_for_each(|(_, part)| self.take(part, data, depth))
            }
            "properties" => children(value)
                .try_for_each(|(name, part)| data.get(name).map_or(Ok(()), |entry| self.take(part, entry, depth))),
            "patternProperties" => children(value).try_for_each(|(_, part)| self.inside(part, data, depth)),
            "items" | "prefixItems" if value.is_array() => {
                let pairs = one_or_all(value).enumerate();
                pairs
                    .into_iter()
                    .try_for_each(|(at, part)| data.get(at).map_or(Ok(()), |item| self.take(part, item, depth)))
            }
            "items"
            | "additionalItems"
            | "additionalProperties"
            | "contains"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "propertyNames" => self.inside(value, data, depth),
            "enum" => {
                self.left = self.left.checked_sub(one_or_all(value).count()).ok_or(TooMuch)?;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// What a schema asks of all that is in a list or a map.
    fn inside(&mut self, schema: &Json, data: &Json, depth: usize) -> Result<(), TooMuch> {
        match data {
            Json::Array(items) => items.iter().try_for_each(|item| self.take(schema, item, depth)),
            Json::Object(entries) => entries.values().try_for_each(|entry| self.take(schema, entry, depth)),
            _ => Ok(()),
        }
    }
}

fn one_or_all(value: &Json) -> std::slice::Iter<'_, Json> {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice).iter()
}

fn children(value: &Json) -> impl Iterator<Item = (&String, &Json)> {
    value.as_object().into_iter().flatten()
}

/// The pointer of a reference, without its `#` and what stands for characters that no address has.
fn pointer(reference: &str) -> String {
    let text = reference.strip_prefix('#').unwrap_or(reference);
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend([b"%", part.as_bytes()].concat()),
        }
        bytes.extend(part.get(2..).unwrap_or_default().as_bytes());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(schema: &Json) -> Result<JsonSchema, Failure> {
        JsonSchema::read(schema, Draft::Draft4)
    }

    fn checked(schema: &Json, data: &Json) -> Vec<(String, String)> {
        let failures = read(schema).unwrap().check(data);
        let path = |failure: &Failure| format!("{:?}", failure.path);
        failures.iter().map(|failure| (path(failure), failure.message.clone())).collect()
    }

    #[test]
    fn failures_have_their_way_and_do_not_show_the_value() {
        let schema = json!({"$schema": "http://json-schema.org/schema#", "properties": {"a/b": {"items": {"type": "integer"}}}, "required": ["c"]});
        let failures = checked(&schema, &json!({"a/b": [1, "hunter2"]}));
        assert_eq!(failures.len(), 2);
        assert!(failures.iter().any(|(path, _)| path == r#"[Key("a/b"), Item(1)]"#), "{failures:?}");
        assert!(!failures.iter().any(|(_, message)| message.contains("hunter2")), "{failures:?}");
        assert!(
            failures.iter().any(|(path, message)| path == "[]" && message.contains("\"c\" is a required property"))
        );
    }

    #[test]
    fn a_schema_that_is_wrong_says_where() {
        let wrong = read(&json!({"properties": {"a": {"type": "txt"}}})).unwrap_err();
        assert_eq!(
            wrong.path,
            [Step::Key("properties".to_owned()), Step::Key("a".to_owned()), Step::Key("type".to_owned())]
        );
        let away = read(&json!({"items": [{"$ref": "http://192.0.2.1/schema"}]})).unwrap_err();
        assert_eq!(away.path, [Step::Key("items".to_owned()), Step::Item(0), Step::Key("$ref".to_owned())]);
        for elsewhere in ["file:///etc/passwd", "other.json", "#name"] {
            assert!(read(&json!({"$ref": elsewhere})).is_err(), "{elsewhere}");
        }
    }

    #[test]
    fn what_would_take_for_ever_is_refused() {
        let twice = |to: &str| json!({"allOf": [{"$ref": to}, {"$ref": to}]});
        let parts: Map<String, Json> =
            (0..40).map(|at| (format!("p{at}"), twice(&format!("#/definitions/p{}", at + 1)))).collect();
        let chain = json!({"definitions": parts, "$ref": "#/definitions/p0"});
        let below = json!({"anyOf": [{"properties": {"a": {"$ref": "#"}}}, {"properties": {"a": {"$ref": "#"}}}]});
        let round = json!({"allOf": [{"$ref": "#"}]});
        let mut deep = json!(1);
        for _ in 0..60 {
            deep = json!({"a": deep});
        }
        for schema in [chain, below, round] {
            let Ok(schema) = read(&schema) else { continue };
            assert!(schema.check(&deep)[0].message.contains("more steps"), "{schema:?}");
        }
        let pattern = json!({"pattern": "^(a|a)*(?=b)c$"});
        assert!(!checked(&pattern, &json!("a".repeat(30))).is_empty());
    }

    #[test]
    fn names_of_parts_do_not_lead_astray() {
        let schema = json!({"id": "http://x.example/", "properties": {"id": {"enum": [{"id": "kept"}]}, "n": {"id": "y", "$ref": "#/definitions/n%20m"}}, "definitions": {"n m": {"type": "null"}}});
        assert_eq!(checked(&schema, &json!({"id": {"id": "kept"}, "n": null})), []);
        assert_eq!(checked(&schema, &json!({"id": 1, "n": 1})).len(), 2);
    }
}
