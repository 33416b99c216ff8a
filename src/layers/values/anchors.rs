//! Anchors of several documents in one.
//!
//! YAML lets a name be an anchor several times (1.2.2 §7.1), but `PyYAML`, which many programs read layers with, does
//! not within a document. So of anchors with one name from several documents, of one layer or of several, the first stays;
//! those behind it are taken away, and what are their aliases is written out. What is written in the place of an alias has
//! no anchors: those of the value that it stands for are where that value is. A document that has a name twice itself is
//! left as it is.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::{Label, Value};
use crate::text::piece::Piece;
use crate::text::scan;
use crate::yaml::tree::{Line, Opener};

/// The anchors of a document that stay, by their names.
type Known<'a> = HashMap<Piece<'a>, Label<'a>>;

/// The same documents, with each name an anchor of what is from one document only.
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

/// A value as it is written in the place of an alias or a merge key: without anchors.
pub(super) fn copy_of<'a>(value: &Value<'a>) -> Value<'a> {
    let mut copy = value.clone();
    each_written(&mut copy, &mut |part| {
        if key_label(part).is_some() {
            drop_key_anchor(part);
        }
        if own_label(part).is_some() {
            drop_anchor(part);
        }
    });
    copy
}

/// The same for what is inside of a value that an alias stands for.
pub(super) fn copies_inside(value: &mut Value<'_>) {
    for at in 0..value.children().len() {
        let copy = value.children().get(at).filter(|child| has_anchor(child)).map(copy_of);
        if let (Some(copy), Some(child)) = (copy, value.child_mut(at)) {
            *child = copy;
        }
    }
}

fn has_anchor(value: &Value<'_>) -> bool {
    let own = key_label(value).is_some() || own_label(value).is_some();
    own || written_inside(value).any(has_anchor)
}

fn are_distinct<'a>(value: &Value<'a>, known: &mut Known<'a>) -> bool {
    let own = key_stays(value, known) && stays(value, known);
    own && written_inside(value).all(|child| are_distinct(child, known))
}

fn take_away<'a>(value: &mut Value<'a>, known: &mut Known<'a>) {
    each_written(value, &mut |part| {
        if !key_stays(part, known) {
            drop_key_anchor(part);
        }
        if !stays(part, known) {
            drop_anchor(part);
        }
    });
}

/// What is written inside of a value: nothing of what its alias stands for or its merge key gives.
fn written_inside<'v, 'a>(value: &'v Value<'a>) -> impl Iterator<Item = &'v Value<'a>> {
    let merge_key = value.merge_key.iter().map(|merge| &merge.1);
    let inside = merge_key.chain(value.children().iter().filter(|child| !is_inherited(child)));
    inside.filter(|_| !is_alias(value))
}

/// Does the same to a value and to all that is written inside of it.
fn each_written<'a>(value: &mut Value<'a>, change: &mut dyn FnMut(&mut Value<'a>)) {
    change(value);
    if is_alias(value) {
        return;
    }
    if let Some(merge) = &mut value.merge_key {
        each_written(&mut Arc::make_mut(merge).1, change);
    }
    for at in 0..value.children().len() {
        if let Some(child) = value.child_mut(at).filter(|child| !is_inherited(child)) {
            each_written(child, change);
        }
    }
}

fn is_alias(value: &Value<'_>) -> bool {
    value.links.as_ref().is_some_and(|links| links.alias.is_some())
}

fn is_inherited(value: &Value<'_>) -> bool {
    value.links.as_ref().is_some_and(|links| links.inherited)
}

/// The anchor before its value.
fn own_label<'v, 'a>(value: &'v Value<'a>) -> Option<&'v Label<'a>> {
    value.links.as_ref().and_then(|links| links.anchor.as_ref())
}

/// The anchor before its key.
fn key_label<'v, 'a>(value: &'v Value<'a>) -> Option<&'v Label<'a>> {
    value.links.as_ref().and_then(|links| links.key_anchor.as_ref())
}

/// Whether its anchor, if it has one, can stay; it is known then.
fn stays<'a>(value: &Value<'a>, known: &mut Known<'a>) -> bool {
    own_label(value).is_none_or(|label| is_first(label, known))
}

/// Whether the anchor before its key, if it has one, can stay. Where the value has one of the same name, aliases mean that.
fn key_stays<'a>(value: &Value<'a>, known: &mut Known<'a>) -> bool {
    let hidden = |label: &Label<'a>| own_label(value).is_some_and(|own| own.name == label.name);
    key_label(value).is_none_or(|label| !hidden(label) && is_first(label, known))
}

fn is_first<'a>(label: &Label<'a>, known: &mut Known<'a>) -> bool {
    let own = |first: &Label<'a>| (first.layer, first.document) == (label.layer, label.document);
    if known.get(&label.name).is_some_and(|first| first == label || !own(first)) {
        return false;
    }
    known.insert(label.name.clone(), label.clone());
    true
}

fn drop_key_anchor(value: &mut Value<'_>) {
    match &mut value.shell.opener {
        Opener::Key(key) => {
            if let Some(without) = without_anchor(key) {
                *key = without.into();
            }
        }
        Opener::Explicit(key) => {
            if let Some(Line::Text(_, text, _)) = key.lines.first_mut()
                && let Some(without) = text.strip_prefix('?').and_then(without_anchor)
            {
                *text = format!("?{without}").into();
            }
        }
        _ => {}
    }
    value.moved = true;
    if let Some(links) = &mut value.links {
        links.key_anchor = None;
    }
}

fn drop_anchor(value: &mut Value<'_>) {
    if let Some(links) = &mut value.links {
        links.anchor = None;
    }
    value.touched = true;
    if let Some(rest) = without_anchor(&value.shell.value_text) {
        value.shell.value_text = rest.into();
        return;
    }
    for line in &mut value.shell.continuation {
        if let Line::Text(_, text, _) = line
            && let Some(rest) = without_anchor(text)
        {
            *text = rest.trim_ascii_start().to_owned().into();
            return;
        }
    }
}

/// A text without the anchor before its value.
fn without_anchor(text: &str) -> Option<String> {
    let (properties, value) = text.split_at(scan::value_start(text).1);
    let anchor = properties.split_ascii_whitespace().find(|word| word.starts_with('&'))?;
    let (before, behind) = properties.split_once(anchor)?;
    let without = format!("{before}{}{value}", behind.trim_ascii_start());
    Some(if value.is_empty() { without.trim_ascii_end().to_owned() } else { without })
}
