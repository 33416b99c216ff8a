//! `--values`: what expressions and encrypted texts come to, for who knows it.
//!
//! A file with the expressions as keys, as they are written in the layers. Below the name of a node stand those that have
//! another value there.

use std::collections::HashMap;

use super::expression::{handled, is_encrypted, is_handled};
use crate::layers::values::{Layer, Origin, Value};
use crate::text::budget::Budget;
use crate::text::error::{Error, near, visible};
use crate::yaml::reference::Duplicates;

/// Values by the expressions that they are of.
type Known<'a> = HashMap<String, Value<'a>>;

/// The values of a file; the default has none.
#[derive(Debug, Default)]
pub(crate) struct Supplied<'a> {
    name: &'a str,
    everywhere: Known<'a>,
    /// By the names of nodes, in small letters.
    at_nodes: HashMap<String, Known<'a>>,
}

impl<'a> Supplied<'a> {
    /// Reads a file; `nodes` are the names of all nodes.
    ///
    /// # Errors
    /// What is not valid YAML, and a key that is neither an expression nor a node.
    pub(crate) fn read(file: &'a Layer, nodes: &[&str]) -> Result<Self, Error> {
        let mut supplied = Self { name: &file.name, ..Self::default() };
        let document = file.read(0, Duplicates::Refused)?.documents.into_iter().next();
        for entry in document.map(Value::into_children).unwrap_or_default() {
            if is_supplied(entry.name()) {
                supplied.everywhere.insert(entry.name().trim().to_owned(), entry);
                continue;
            }
            let name = entry.name().to_owned();
            if !nodes.iter().any(|node| node.eq_ignore_ascii_case(&name)) {
                return Err(unknown(file, &entry, nodes));
            }
            let node = supplied.at_nodes.entry(name.to_lowercase()).or_default();
            for entry in entry.into_children() {
                if !is_supplied(entry.name()) {
                    return Err(unknown(file, &entry, &[]));
                }
                node.insert(entry.name().trim().to_owned(), entry);
            }
        }
        Ok(supplied)
    }

    /// What an expression comes to at a node.
    pub(super) fn of(&self, node: &str, expression: &str) -> Option<&Value<'a>> {
        let expression = expression.trim();
        let there = self.at_nodes.get(&node.to_lowercase()).and_then(|known| known.get(expression));
        there.or_else(|| self.everywhere.get(expression))
    }

    /// Puts what expressions come to in their place. The comments around them stay.
    ///
    /// # Errors
    /// More would be put in than the budget has, in words.
    pub(super) fn fill(&self, value: &mut Value<'a>, node: &str, budget: &Budget) -> Result<(), String> {
        if self.everywhere.is_empty() && self.at_nodes.is_empty() {
            return Ok(());
        }
        if let Some(text) = handled(value) {
            if let Some(known) = self.of(node, text).cloned() {
                known.count_copy(budget)?;
                let mut origin = value.origin.clone();
                origin.is_secret |= is_encrypted(text);
                origin.rule = Some(format!("its value is that of {}:{}", self.name, known.line()).into());
                value.becomes(known);
                comes_from(value, &origin);
            }
            return Ok(());
        }
        for at in 0..value.children().len() {
            let concerned = value.children().get(at).is_some_and(|child| self.concerns(child, node));
            if let Some(child) = value.child_mut(at).filter(|_| concerned) {
                self.fill(child, node, budget)?;
            }
        }
        Ok(())
    }

    /// Whether a value, or anything inside of it, has a value in the file.
    pub(super) fn concerns(&self, value: &Value<'_>, node: &str) -> bool {
        handled(value).is_some_and(|text| self.of(node, text).is_some())
            || value.children().iter().any(|child| self.concerns(child, node))
    }

    /// The texts of what was encrypted.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let all = self.everywhere.iter().chain(self.at_nodes.values().flatten());
        let secret = all.filter(|(expression, _)| is_encrypted(expression));
        secret.flat_map(|(_, value)| value.leaves(Vec::new())).map(|leaf| leaf.text()).collect()
    }
}

/// Whether a key is an expression of a layer or of a path.
fn is_supplied(key: &str) -> bool {
    is_handled(key) || key.trim_start().starts_with("$(")
}

fn unknown(file: &Layer, entry: &Value<'_>, nodes: &[&str]) -> Error {
    let name = entry.name();
    let what = format!("`{}` is neither an expression nor a node", visible(name));
    let help = near(name, nodes).map_or_else(
        || {
            "a key is an expression as it is written in a layer, such as '[x= Get-Site =]', or the name of a node"
                .to_owned()
        },
        |node| format!("did you mean the node `{}`?", visible(node)),
    );
    file.error_about(what, entry.line(), name).help(help)
}

/// Lets a value and all that is inside of it come from where its expression is.
fn comes_from(value: &mut Value<'_>, origin: &Origin) {
    value.origin = origin.clone();
    for at in 0..value.children().len() {
        if let Some(child) = value.child_mut(at) {
            comes_from(child, origin);
        }
    }
}
