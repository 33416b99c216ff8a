//! What a machine knows of itself, for the templates of its user-data: `instance-data.json`.
//!
//! Names are found as cloud-init gives them: each also with `_` for what is an operator to a template (`local-hostname`), and
//! what is below `v1` at the top as well. A name that is not there is printed as `CI_MISSING_JINJA_VAR/name`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use mail_parser::decoders::base64::base64_decode;
use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr};
use serde_json::Value as Json;

use crate::layers::values::Layer;
use crate::text::error::{Error, Place};

/// What the text of a name starts with that nobody knows.
pub(super) const MISSING: &str = "CI_MISSING_JINJA_VAR/";
/// How many values the data may have with all their names; those inside of each other multiply.
const MOST_VALUES: u64 = 200_000;
/// Functions that every template has.
const FUNCTIONS: [&str; 3] = ["range", "dict", "namespace"];
/// What is an operator to a template, the longest first.
const OPERATORS: [&str; 26] = [
    "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]", "(", ")", "{", "}", ">", "<", "=", ".",
    ":", "|", ",", ";",
];

/// The data of an instance, as templates see them.
#[derive(Debug, Clone)]
pub(crate) struct Instance {
    pub(super) root: Value,
}

impl Instance {
    /// Reads `instance-data.json`.
    ///
    /// # Errors
    /// What is no JSON, or no map.
    pub(crate) fn read(file: &Layer) -> Result<Self, Error> {
        let json: Json = serde_json::from_str(&file.text).map_err(|error| {
            let place = Place { line: error.line().max(1), column: error.column().max(1) };
            let what = "the instance data are not JSON";
            Error::input(what).at(place, &file.text).in_file(&file.name).help("`cloud-init query --all` prints them")
        })?;
        let Json::Object(data) = json else {
            let error = Error::input("the instance data have to be a map").in_file(&file.name);
            return Err(error.help("`cloud-init query --all` prints them"));
        };
        let encoded = data.get("base64-encoded-keys").or_else(|| data.get("base64_encoded_keys"));
        let encoded = encoded.and_then(Json::as_array).into_iter().flatten();
        let encoded: Vec<_> = encoded.filter_map(Json::as_str).map(|path| path.replace('-', "_")).collect();
        let (entries, values) = converted(&data, "", &encoded);
        if values > MOST_VALUES {
            let what = format!("with all their names the instance data are more than {MOST_VALUES} values");
            return Err(Error::input(what).in_file(&file.name).help("leave out what no template needs"));
        }
        Ok(Self { root: Value::from_object(Known { entries, is_root: true }) })
    }
}

/// A map with the other names of its keys, and how many values that are, inside of each other. Keys that are named as `v1` is give their values to the map that they are in.
fn converted(data: &serde_json::Map<String, Json>, above: &str, encoded: &[String]) -> (BTreeMap<String, Value>, u64) {
    let sorted: BTreeMap<_, _> = data.iter().collect();
    let (mut entries, mut values) = (BTreeMap::new(), 0_u64);
    for (key, json) in sorted {
        let path = if above.is_empty() { key.clone() } else { format!("{above}/{key}") };
        let mut inside = 1;
        let value = match json {
            Json::Object(inner) => {
                let (inner, below) = converted(inner, &path, encoded);
                inside += below;
                if is_version(key) {
                    values = values.saturating_add(below);
                    entries.extend(inner.clone());
                }
                Value::from_object(Known { entries: inner, is_root: false })
            }
            Json::String(text) if encoded.contains(&path) => {
                let decoded = base64_decode(text.as_bytes()).and_then(|bytes| String::from_utf8(bytes).ok());
                Value::from(decoded.unwrap_or_else(|| text.clone()))
            }
            json => plain(json),
        };
        entries.insert(key.clone(), value.clone());
        let alias = alias(key);
        values = values.saturating_add(inside);
        if alias != *key {
            values = values.saturating_add(inside);
            entries.insert(alias, value);
        }
    }
    (entries, values)
}

fn is_version(key: &str) -> bool {
    key.strip_prefix('v').is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A key with `_` for each operator.
fn alias(key: &str) -> String {
    OPERATORS.iter().fold(key.to_owned(), |key, operator| key.replace(operator, "_"))
}

/// A value that has no names of its own. Maps inside of lists have no other names in cloud-init either.
fn plain(json: &Json) -> Value {
    match json {
        Json::Array(items) => Value::from(items.iter().map(plain).collect::<Vec<_>>()),
        Json::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| (key.clone(), plain(value))).collect();
            Value::from_object(Known { entries, is_root: false })
        }
        Json::String(text) => Value::from(text.as_str()),
        Json::Bool(yes) => Value::from(*yes),
        Json::Null => Value::from(()),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::from(whole),
            None => number.as_u64().map_or_else(|| Value::from(number.as_f64()), Value::from),
        },
    }
}

/// A map. What is asked for as its attribute and is not there is [`Missing`]; as a key it is undefined.
#[derive(Debug)]
struct Known {
    entries: BTreeMap<String, Value>,
    is_root: bool,
}

impl Object for Known {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.entries.get(key.as_str()?).cloned()
    }

    fn get_value_by_str(self: &Arc<Self>, key: &str) -> Option<Value> {
        let is_function = self.is_root && FUNCTIONS.contains(&key);
        let missing = || (!is_function).then(|| Value::from_object(Missing(key.to_owned())));
        self.entries.get(key).cloned().or_else(missing)
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Values(self.entries.keys().cloned().map(Value::from).collect())
    }
}

/// A name that is not there: nothing where it is tested or gone through, and told where it is printed.
#[derive(Debug)]
pub(super) struct Missing(String);

impl Object for Missing {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Iterable
    }

    fn is_true(self: &Arc<Self>) -> bool {
        false
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{MISSING}{}", self.0)
    }
}
