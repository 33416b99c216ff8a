//! `## template: jinja`: a part that the data of an instance fill in.
//!
//! cloud-init has Python's Jinja and this has one of Rust. What both have is printed as Python prints it; what only Python has is
//! refused with its place. A template may be made to do work without end, so there is a limit on what it does and makes.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::ValueKind;
use minijinja::{Environment, Error as Failure, ErrorKind, Output, State, UndefinedBehavior, Value};
use minijinja_contrib::pycompat::unknown_method_callback;

use super::instance::{Instance, MISSING, Missing};
use crate::layers::python::repr_of_text;

/// How much one template may do: about so many steps, or 64 bytes made for each.
const FUEL: u64 = 250_000;
/// How deep collections may be that are printed.
const DEEPEST: usize = 64;

/// A template that was filled in.
pub(super) struct Filled {
    pub(super) text: String,
    /// The names that the data do not have, and that stand in the text.
    pub(super) missing: Vec<String>,
}

/// Why a template cannot be filled in.
pub(super) struct Unfilled {
    pub(super) what: String,
    /// Its line in the template with the marker, from 1.
    pub(super) line: usize,
    /// Whether cloud-init stumbles over it, too, and passes the template over.
    pub(super) is_passed_over: bool,
}

/// Fills in a template, whose first line says that it is one and is left out.
///
/// # Errors
/// What is no template, does too much, or needs what is not there.
pub(super) fn fill(template: &str, instance: &Instance) -> Result<Filled, Unfilled> {
    let (_, body) = template.split_once('\n').unwrap_or((template, ""));
    let unfilled = |failure: Failure| Unfilled {
        what: message(&failure),
        line: failure.line().unwrap_or(1) + 1,
        is_passed_over: failure.kind() == ErrorKind::UndefinedError,
    };
    let mut text = environment().and_then(|env| env.render_str(body, instance.root.clone())).map_err(unfilled)?;
    if body.ends_with('\n') {
        text.push('\n');
    }
    let words = text.split_ascii_whitespace();
    let missing: BTreeSet<_> = words.filter_map(|word| Some(word.split_once(MISSING)?.1.to_owned())).collect();
    Ok(Filled { text, missing: missing.into_iter().collect() })
}

fn message(failure: &Failure) -> String {
    match (failure.kind(), failure.detail()) {
        (ErrorKind::OutOfFuel, _) => "the template does more than a configuration needs".to_owned(),
        (ErrorKind::UndefinedError, _) => {
            "the template needs something inside of what the instance data do not have".to_owned()
        }
        (kind, Some(detail)) => format!("the template cannot be filled in: {kind}: {detail}"),
        (kind, None) => format!("the template cannot be filled in: {kind}"),
    }
}

fn environment() -> Result<Environment<'static>, Failure> {
    let mut env = Environment::new();
    env.set_syntax(SyntaxConfig::builder().trim_blocks(true).build()?);
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_fuel(Some(FUEL));
    env.set_unknown_method_callback(unknown_method_callback);
    env.set_formatter(print);
    env.add_filter("default", or_default);
    env.add_filter("d", or_default);
    env.add_test("defined", |value: &Value| !is_missing(value));
    env.add_test("undefined", is_missing);
    Ok(env)
}

fn is_missing(value: &Value) -> bool {
    value.is_undefined() || value.downcast_object_ref::<Missing>().is_some()
}

fn or_default(value: Value, other: Option<Value>, takes_false: Option<bool>) -> Value {
    if is_missing(&value) || takes_false == Some(true) && !value.is_true() {
        other.unwrap_or_else(|| Value::from(""))
    } else {
        value
    }
}

/// Prints a value as Python does.
fn print(out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value) -> Result<(), Failure> {
    if value.is_undefined() {
        return Err(Failure::from(ErrorKind::UndefinedError));
    }
    let mut text = String::new();
    match value.as_str() {
        Some(plain) => text.push_str(plain),
        None => python(value, &mut text, 0)?,
    }
    out.write_str(&text).map_err(Failure::from)
}

fn python(value: &Value, out: &mut String, depth: usize) -> Result<(), Failure> {
    if depth > DEEPEST {
        return Err(Failure::new(ErrorKind::InvalidOperation, "collections too deep in each other to be printed"));
    }
    match value.kind() {
        ValueKind::None => out.push_str("None"),
        ValueKind::Bool => out.push_str(if value.is_true() { "True" } else { "False" }),
        ValueKind::String => out.push_str(&repr_of_text(value.as_str().unwrap_or_default())),
        ValueKind::Seq => {
            out.push('[');
            for (at, item) in value.try_iter()?.enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                python(&item, out, depth + 1)?;
            }
            out.push(']');
        }
        ValueKind::Map => {
            out.push('{');
            for (at, key) in value.try_iter()?.enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                python(&key, out, depth + 1)?;
                out.push_str(": ");
                python(&value.get_item(&key)?, out, depth + 1)?;
            }
            out.push('}');
        }
        _ => {
            let _ = write!(out, "{value}");
        }
    }
    Ok(())
}
