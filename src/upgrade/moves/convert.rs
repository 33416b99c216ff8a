//! Values in their new form: `split`, `map` and `as` of a migration file.
//!
//! Only what is one value is converted. One that has the new form already stays: the second run of a migration changes
//! nothing.

use foldhash::HashMap;

use super::files::{Files, Way};
use super::{PreparedChange, What};
use crate::text::error::Error;
use crate::text::source::End;
use crate::upgrade::migration::Form;
use crate::yaml::fields::Words;
use crate::yaml::find;
use crate::yaml::flow;
use crate::yaml::outline::{Row, RowKind};
use crate::yaml::path::Path;
use crate::yaml::place::Place as Value;
use crate::yaml::tree::{Kind, Node, Opener, Shape};

/// What is to be written.
#[derive(Debug)]
pub(super) struct Conversion {
    pub(super) way: Way,
    pub(super) path: Path,
    new: New,
}

#[derive(Debug)]
enum New {
    Value(String),
    /// The items of a list, and how far they stand to the right of their key where the update has them on lines.
    List(Vec<String>, Option<i32>),
}

impl New {
    /// In flow style.
    fn text(&self) -> String {
        match self {
            Self::Value(text) => text.clone(),
            Self::List(items, _) => format!("[{}]", items.join(", ")),
        }
    }
}

/// What the conversions mean for a file, and what is told about them.
pub(super) fn plan(
    files: &Files<'_, '_>,
    wanted: &[(Words, Form)],
) -> Result<(Vec<Conversion>, Vec<PreparedChange>), Error> {
    let (mut planned, mut changes): (Vec<Conversion>, Vec<PreparedChange>) = (Vec::new(), Vec::new());
    for (path, form) in wanted {
        for (way, _) in files.find(&path.text)? {
            let Some(value) = files.stream().follow(&way) else { continue };
            let row = &files.current.outline[value.row()];
            let (line, at) = (files.line(&way), files.path(&way, &[]));
            let what = match convert(row, form, || block(files, &path.text)) {
                Err(why) => What::NotConverted { why },
                Ok(new) => {
                    let what = What::Converted { before: row.text.to_string(), after: new.text() };
                    planned.push(Conversion { way, path: at.clone(), new });
                    what
                }
            };
            changes.push(PreparedChange { path: files.shown(&at), line, what });
        }
    }
    Ok((planned, changes))
}

/// A value in the place of a scalar or of a collection in flow style; nothing where something else stands there.
pub(super) fn to_value(files: &Files<'_, '_>, way: Way, text: &str) -> Option<Conversion> {
    let value = files.stream().follow(&way)?;
    let row = &files.current.outline[value.row()];
    let has_room = match row.kind {
        RowKind::Scalar(_) => !row.is_null() || !row.text.is_empty(),
        RowKind::Map | RowKind::List => value.node().is_none_or(flow::is_flow),
        RowKind::Alias(_) => false,
    };
    let path = files.path(&way, &[]);
    (has_room && !row.tagged).then(|| Conversion { way, path, new: New::Value(text.to_owned()) })
}

/// How far the update's list at a path stands to the right of its key, where it is one on lines.
fn block(files: &Files<'_, '_>, text: &str) -> Option<i32> {
    let update = files.update;
    let way = find::find(&update.stream, &update.outline, text).ok()??;
    let node = Value::of(&update.stream, &update.outline).follow(&way)?.node()?;
    (node.kind() == Kind::List).then_some(node.indent)
}

/// A value in its new form, or why it stays.
fn convert(row: &Row<'_>, form: &Form, block: impl Fn() -> Option<i32>) -> Result<New, String> {
    match row.kind {
        RowKind::Map => return Err("it is a map".to_owned()),
        RowKind::List => return Err("it is a list".to_owned()),
        RowKind::Alias(_) => return Err("it is an alias".to_owned()),
        RowKind::Scalar(_) if row.is_null() => return Err("it has no value".to_owned()),
        RowKind::Scalar(_) if row.tagged => return Err("it has a tag".to_owned()),
        RowKind::Scalar(_) => {}
    }
    match form {
        Form::Split(by) => {
            let parts = row.text.split(by.as_str()).map(str::trim).filter(|part| !part.is_empty());
            let items: Vec<_> = parts.map(scalar).collect();
            let indent = if items.is_empty() { None } else { block() };
            Ok(New::List(items, indent))
        }
        Form::Map(map) => match map.iter().find(|(old, _)| row.text == *old) {
            Some((_, new)) => Ok(New::Value(new.clone())),
            None => Err(format!("`{}` is not among the values that change", row.text)),
        },
        Form::As(template) => match template.split_once("{}") {
            Some((before, behind)) if fits(&row.text, before, behind) => {
                Err(format!("it reads like `{template}` already"))
            }
            _ => Ok(New::Value(scalar(&template.replace("{}", &row.text)))),
        },
    }
}

fn fits(text: &str, before: &str, behind: &str) -> bool {
    text.strip_prefix(before).is_some_and(|rest| rest.ends_with(behind)) && !(before.is_empty() && behind.is_empty())
}

/// A text as a value: without quotes, unless it would be something else then. A number may be one.
fn scalar(text: &str) -> String {
    let words = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "~"];
    let is_word = words.iter().any(|word| text.eq_ignore_ascii_case(word));
    if is_word { format!("\"{text}\"") } else { flow::scalar(text) }
}

/// Writes the new values; each with its text in flow style.
pub(super) fn apply(stream: &mut Node<'_>, planned: Vec<Conversion>) -> Option<HashMap<Path, String>> {
    let mut rewritten = HashMap::default();
    for Conversion { way, path, new } in planned {
        let (holder, below) = flow::holder_mut(stream, &way)?;
        rewritten.insert(path, new.text());
        match new {
            New::List(items, Some(indent)) if below.is_empty() && matches!(holder.opener, Opener::Key(_)) => {
                flow::replace(holder, &[], "")?;
                holder.shape = Shape::Open;
                holder.indent = indent;
                holder.children = items.into_iter().map(|text| Box::new(item(&text))).collect();
            }
            new => flow::replace(holder, below, &new.text())?,
        }
    }
    Some(rewritten)
}

fn item<'a>(text: &str) -> Node<'a> {
    let mut item = Node::new(0, Opener::Item { joined: false }, "", End::Common);
    item.value_text = format!(" {text}").into();
    item.shape = Shape::Plain;
    item
}
