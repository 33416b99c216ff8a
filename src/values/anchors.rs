//! Anchors of several layers in one text.
//!
//! YAML lets a name be an anchor several times (1.2.2 §7.1), but `PyYAML`, which many programs read layers with, does
//! not. So of anchors with one name from several layers the first stays; those behind it are taken away, and what are their
//! aliases is written out. A layer that has a name twice itself is left as it is.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Label, Value};
use crate::scan;
use crate::tree::Line;

/// The anchors of a document that stay, by their names.
type Known<'a> = HashMap<Cow<'a, str>, Label<'a>>;

/// The same documents, with each name an anchor in one layer only.
pub(super) fn once<'a, 'd>(documents: &'d [Value<'a>]) -> Cow<'d, [Value<'a>]> {
    if documents.iter().all(|document| are_distinct(document, &mut Known::new())) {
        return Cow::Borrowed(documents);
    }
    let mut documents = documents.to_vec();
    for document in &mut documents {
        take_away(document, &mut Known::new());
    }
    Cow::Owned(documents)
}

fn are_distinct<'a>(value: &Value<'a>, known: &mut Known<'a>) -> bool {
    let own = stays(value, known);
    own && (!is_written(value) || value.children().iter().all(|child| are_distinct(child, known)))
}

fn take_away<'a>(value: &mut Value<'a>, known: &mut Known<'a>) {
    if !stays(value, known) {
        drop_anchor(value);
    }
    for at in 0..value.children().len() {
        if is_written(value)
            && let Some(child) = value.child_mut(at)
        {
            take_away(child, known);
        }
    }
}

/// Whether what is inside is written here, and not where its anchor is.
fn is_written(value: &Value<'_>) -> bool {
    value.links.as_ref().is_none_or(|links| links.alias.is_none() && !links.inherited)
}

/// Whether its anchor, if it has one, can stay; it is known then.
fn stays<'a>(value: &Value<'a>, known: &mut Known<'a>) -> bool {
    let links = value.links.as_ref().filter(|links| !links.inherited);
    let Some(label) = links.and_then(|links| links.anchor.as_ref()) else { return true };
    if known.get(&label.name).is_some_and(|first| first == label || first.layer != label.layer) {
        return false;
    }
    known.insert(label.name.clone(), label.clone());
    true
}

fn drop_anchor(value: &mut Value<'_>) {
    if let Some(links) = &mut value.links {
        links.anchor = None;
    }
    value.touched = true;
    if let Some(rest) = without_anchor(&value.shell.rest) {
        value.shell.rest = rest.into();
        return;
    }
    for line in &mut value.shell.more {
        if let Line::Text(_, text, _) = line
            && let Some(rest) = without_anchor(text)
        {
            *text = rest.trim_start().to_owned().into();
            return;
        }
    }
}

/// A text without the anchor before its value.
fn without_anchor(text: &str) -> Option<String> {
    let (properties, value) = text.split_at(scan::value_start(text).1);
    let anchor = properties.split_whitespace().find(|word| word.starts_with('&'))?;
    let (before, behind) = properties.split_once(anchor)?;
    Some(format!("{before}{}{value}", behind.trim_start()))
}
