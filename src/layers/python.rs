//! What Python makes of values, where the rules of a system are Python's: when two are equal, and how one is text.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::layers::values::{Content, Scalar, Schema, Type, Value};

/// A scalar as Python compares it: `1`, `1.0` and `true` are equal, `1` and `"1"` are not.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Plain(String);

impl Plain {
    /// Nothing for a list or a map, which Python cannot look up.
    pub(super) fn of(value: &Value<'_>) -> Option<Self> {
        value.scalar().map(Self::of_scalar)
    }

    fn of_scalar(scalar: &Scalar<'_>) -> Self {
        Self(match scalar.kind(Schema::Yaml11) {
            Type::Null => "~null".to_owned(),
            Type::Bool(yes) => format!("#{}", u8::from(yes)),
            Type::Int(number) => format!("#{number}"),
            Type::Float(number) => format!("#{number}"),
            Type::Text => format!("'{}", scalar.text),
            Type::Timestamp => format!("@{}", scalar.text),
            Type::Tagged => format!("!{}", scalar.text),
        })
    }

    /// As it is shown.
    pub(super) fn text(&self) -> &str {
        self.0.get(1..).unwrap_or_default()
    }
}

/// Whether Python says that two values are equal.
pub(super) fn equal(a: &Value<'_>, b: &Value<'_>) -> bool {
    let (inside, other) = (a.children(), b.children());
    match (a.content(), b.content()) {
        (Content::Scalar(a), Content::Scalar(b)) => Plain::of_scalar(a) == Plain::of_scalar(b),
        (Content::List(_), Content::List(_)) => {
            inside.len() == other.len() && inside.iter().zip(other).all(|(a, b)| equal(a, b))
        }
        (Content::Map(_), Content::Map(_)) => {
            let key = |entry: &Value<'_>| Plain::of_scalar(&entry.key());
            let twins: HashMap<_, _> = other.iter().map(|entry| (key(entry), entry)).collect();
            let same = |entry: &Value<'_>| twins.get(&key(entry)).is_some_and(|twin| equal(entry, twin));
            inside.len() == other.len() && inside.iter().all(same)
        }
        _ => false,
    }
}

/// `str(value)`.
pub(super) fn text(value: &Value<'_>) -> String {
    match value.scalar() {
        Some(scalar) if matches!(scalar.kind(Schema::Yaml11), Type::Text | Type::Timestamp | Type::Tagged) => {
            scalar.text.to_string()
        }
        _ => repr(value),
    }
}

fn repr(value: &Value<'_>) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match value.content() {
        Content::Scalar(scalar) => repr_of_scalar(scalar),
        Content::List(items) => format!("[{}]", joined(items.iter().map(repr).collect())),
        Content::Map(entries) => {
            let entry = |entry: &Value<'_>| format!("{}: {}", repr_of_scalar(&entry.key()), repr(entry));
            format!("{{{}}}", joined(entries.iter().map(entry).collect()))
        }
    }
}

fn repr_of_scalar(scalar: &Scalar<'_>) -> String {
    match scalar.kind(Schema::Yaml11) {
        Type::Null => "None".to_owned(),
        Type::Bool(yes) => if yes { "True" } else { "False" }.to_owned(),
        Type::Int(number) => number.to_string(),
        Type::Float(number) => float(number),
        Type::Text | Type::Timestamp | Type::Tagged => repr_of_text(&scalar.text),
    }
}

/// The shortest digits that give the number again; from 1e16 on and below 1e-4 with an exponent of two digits.
pub(super) fn float(number: f64) -> String {
    let size = number.abs();
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    if size == 0.0 || (1e-4..1e16).contains(&size) {
        return format!("{number:?}");
    }
    let text = format!("{number:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    format!("{digits}e{sign}{exponent:0>2}")
}

/// `repr(text)`.
pub(super) fn repr_of_text(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            c if u32::from(c) < 0x20 || u32::from(c) == 0x7f => {
                let _ = write!(out, "\\x{:02x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::values::Layer;
    use crate::yaml::reference::Duplicates;

    fn of(yaml: &str, check: impl Fn(&Value<'_>)) {
        let layer = Layer { name: "x".to_owned(), text: yaml.to_owned() };
        layer.read(0, Duplicates::Refused).unwrap().documents.iter().for_each(check);
    }

    #[test]
    fn values_are_text_as_in_python() {
        of("{a: [1, yes, null, 1.0, 1e3, 1.0e+20, 0.00001], 2: \"it's\", b: 'a\n\n  b'}\n", |value| {
            let python = r#"{'a': [1, True, None, 1.0, '1e3', 1e+20, 1e-05], 2: "it's", 'b': 'a\nb'}"#;
            assert_eq!(text(value), python);
        });
        of("yes\n", |value| assert_eq!(text(value), "True"));
        of("0777\n", |value| assert_eq!(text(value), "511"));
    }

    #[test]
    fn numbers_and_booleans_are_equal_as_in_python() {
        of("[{a: 1, b: [x]}, {b: ['x'], a: true}, {a: '1', b: [x]}]\n", |value| {
            let [a, b, c] = value.children() else { panic!() };
            assert!(equal(a, b));
            assert!(!equal(a, c));
        });
    }
}
