//! Documents without their secrets, as Deckhand's own redaction has them: the SHA-256 of the data stands for the data.
//!
//! Deckhand hides the data of documents with `storagePolicy: encrypted`, and takes one for encrypted that substitutes a
//! value of such a document. Here a document is hidden, too, that inherited such a value, and one whose kind holds secrets
//! whatever its policy says. The paths of the substitutions of what is hidden become hashes as well: they say how a secret
//! is made up.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use super::Set;
use super::documents::at;
use crate::layers::python;
use crate::layers::values::{Content, Scalar, Schema, Type, Value};

impl Set<'_> {
    /// These documents without what is secret in those that are rendered.
    pub(crate) fn redacted(mut self) -> Self {
        for at in 0..self.documents.len() {
            let data = self.filled(at);
            if self.documents[at].is_encrypted() || data.hides() {
                let document = &mut self.documents[at].value;
                // No comment inside of it or behind it stays either.
                match document.get_mut("data") {
                    Some(own) => *own = hash(&data).under("data"),
                    None => document.push(hash(&data).under("data")),
                }
                self.data[at] = None;
                redact_metadata(document);
            }
        }
        self
    }
}

fn redact_metadata(document: &mut Value<'_>) {
    let Some(metadata) = document.get_mut("metadata") else { return };
    let is_encrypted =
        at(metadata, &["storagePolicy"]).and_then(Value::scalar).is_some_and(|it| it.text == "encrypted");
    if !is_encrypted {
        metadata.set("storagePolicy", Value::text("encrypted"));
    }
    let Some(substitutions) = metadata.get_mut("substitutions") else { return };
    for at in 0..substitutions.children().len() {
        let Some(substitution) = substitutions.child_mut(at) else { continue };
        for key in ["src", "dest"] {
            if let Some(end) = substitution.get_mut(key) {
                redact_paths(end);
            }
        }
    }
}

/// Of one place, or of each place of a list.
fn redact_paths(end: &mut Value<'_>) {
    if let Some(path) = end.get_mut("path") {
        let hash = hash(path);
        path.replace(hash);
    } else if end.is_list() {
        for at in 0..end.children().len() {
            end.child_mut(at).into_iter().for_each(redact_paths);
        }
    }
}

/// The hash of what Python writes as JSON, in hexadecimal digits.
fn hash<'a>(value: &Value<'_>) -> Value<'a> {
    let mut text = String::new();
    write_json(value, &mut text);
    let digest = Sha256::digest(text.as_bytes());
    Value::text(digest.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

/// As `json.dumps` writes it: with a blank behind `,` and `:`, and nothing but ASCII.
fn write_json(value: &Value<'_>, out: &mut String) {
    let (open, close) = match value.content() {
        Content::Scalar(scalar) => return write_scalar(scalar, out),
        Content::Map(_) => ('{', '}'),
        Content::List(_) => ('[', ']'),
    };
    out.push(open);
    for (at, child) in value.children().iter().enumerate() {
        out.push_str(if at > 0 { ", " } else { "" });
        if value.is_map() {
            write_key(&child.key(), out);
            out.push_str(": ");
        }
        write_json(child, out);
    }
    out.push(close);
}

/// Keys that are no text are written as one.
fn write_key(key: &Scalar<'_>, out: &mut String) {
    let mut text = String::new();
    write_scalar(key, &mut text);
    if text.starts_with('"') { out.push_str(&text) } else { write_text(&text, out) }
}

fn write_scalar(scalar: &Scalar<'_>, out: &mut String) {
    match scalar.kind(Schema::Yaml11) {
        Type::Null => out.push_str("null"),
        Type::Bool(yes) => out.push_str(if yes { "true" } else { "false" }),
        Type::Int(number) => out.push_str(&number.to_string()),
        Type::Float(number) if number.is_nan() => out.push_str("NaN"),
        Type::Float(number) if number.is_infinite() => {
            out.push_str(if number > 0.0 { "Infinity" } else { "-Infinity" });
        }
        Type::Float(number) => out.push_str(&python::float(number)),
        Type::Text | Type::Timestamp | Type::Tagged => write_text(&scalar.text, out),
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='\u{7f}' => out.push(c),
            _ => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                let _ = write!(out, "\\u{unit:04x}");
            }),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::values::Layer;
    use crate::yaml::reference::Duplicates;

    #[test]
    fn values_are_written_and_hashed_as_python_does() {
        let text = "{a: [1, yes, null, 1.5, 1.0e+20, \"q\\\" \\\\ \\n é 😀\"], 2: {}, true: x}\n";
        let layer = Layer { name: "x".to_owned(), text: text.to_owned() };
        let value = layer.read(0, Duplicates::Refused).unwrap().documents.remove(0);
        let mut json = String::new();
        write_json(&value, &mut json);
        let python = r#"{"a": [1, true, null, 1.5, 1e+20, "q\" \\ \n \u00e9 \ud83d\ude00"], "2": {}, "true": "x"}"#;
        assert_eq!(json, python);
        // hashlib.sha256(json.dumps("salt").encode()).hexdigest()
        let expected = "9a345730c3b0fe82554948e91b277aa27c01d851c59ce63640bae9151c33af85";
        assert_eq!(hash(&Value::text("salt")).scalar().unwrap().text, expected);
    }
}
