//! Values of the outline as text in flow style.

use std::fmt::Write as _;

use saphyr_parser::ScalarStyle;

use crate::text::scan::{self, Start};
use crate::text::source::is_printable;
use crate::yaml::limits::is_too_long;
use crate::yaml::outline::{Anchored, CORE, Outline, RowKind, Target, is_text};
use crate::yaml::reference;
use crate::yaml::row::RowId;
use crate::yaml::strict;

/// An entry as it is written; with `json` its keys are quoted, so that JSON stays JSON. Nothing where the key may be an
/// alias or a collection: quotes would make it another key; nor where it is too long. In JSON every key is text.
pub(crate) fn entry(row: RowId, outline: &Outline<'_>, json: bool) -> Option<String> {
    Form { outline, json, all_anchors: true }.entry(row)
}

/// Whether a key is a scalar for certain: an alias or a collection is known by its text.
pub(crate) fn is_scalar_key(name: &str) -> bool {
    !name.starts_with(['*', '[', '{'])
}

/// A value in flow style; nothing for one with an anchor whose name is not known, and for what is no text and cannot stand
/// there without quotes.
pub(crate) fn value(row: RowId, outline: &Outline<'_>) -> Option<String> {
    Form { outline, json: false, all_anchors: true }.value(row)
}

/// The same without the anchors whose names are not known, which nothing refers to.
pub(crate) fn without_anchors(row: RowId, outline: &Outline<'_>) -> Option<String> {
    Form { outline, json: false, all_anchors: outline.aliases > 0 }.value(row)
}

/// How values are written.
struct Form<'f, 'a> {
    outline: &'f Outline<'a>,
    json: bool,
    /// Whether no anchor may be left out.
    all_anchors: bool,
}

impl Form<'_, '_> {
    fn entry(&self, row: RowId) -> Option<String> {
        let name = self.outline[row].name.as_deref().filter(|name| !name.is_empty() && is_scalar_key(name))?;
        let value = self.value(row)?;
        let key = if self.json { quote(name) } else { key_of(row, self.outline)? };
        if is_too_long(&key) {
            return None;
        }
        Some(if value.is_empty() { format!("{key}:") } else { format!("{key}: {value}") })
    }

    fn value(&self, row: RowId) -> Option<String> {
        let outline = self.outline;
        let value = &outline[row];
        let tag = outline.tag(row).map_or_else(|| Some(String::new()), tag)?;
        let anchor = match outline.anchor(Target { row, part: Anchored::Value }).filter(|_| value.anchored) {
            Some(name) => format!("&{name} "),
            None if value.anchored && self.all_anchors => return None,
            None => String::new(),
        };
        let text = match value.kind {
            RowKind::Alias(target) => {
                outline.anchor(target).map_or_else(|| value.text.to_string(), |name| format!("*{name}"))
            }
            RowKind::Scalar(ScalarStyle::Plain) if value.text.is_empty() || is_plain(&value.text) => {
                value.text.to_string()
            }
            // In quotes it would be a text, which it need not be.
            RowKind::Scalar(ScalarStyle::Plain) if !is_text(&value.text) => return None,
            RowKind::Scalar(ScalarStyle::SingleQuoted) if !self.json => single_quote(&value.text),
            RowKind::Scalar(_) => quote(&value.text),
            RowKind::List => {
                // Nothing between two commas is no item in flow.
                let items = outline.children(row).map(|row| self.value(row).filter(|item| !item.is_empty()));
                format!("[{}]", items.collect::<Option<Vec<_>>>()?.join(", "))
            }
            RowKind::Map => {
                let entries = outline.children(row).map(|row| self.entry(row));
                format!("{{{}}}", entries.collect::<Option<Vec<_>>>()?.join(", "))
            }
        };
        Some(format!("{anchor}{tag}{text}"))
    }
}

/// A tag by its full name; what the directives of a document say of it is looked at in the end ([`crate::upgrade::anchors`]). None
/// with characters that were escaped, for tags are compared as they are written (YAML 1.2.2 §5.6).
fn tag(name: &str) -> Option<String> {
    let all = |text: &str, signs: &[u8]| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || signs.contains(&byte));
    let (handle, suffix) = match (name.strip_prefix(CORE), name.strip_prefix('!')) {
        (Some(own), _) => ("!!", own),
        (None, Some(local)) => ("!", local),
        (None, None) => return all(name, b"-#;/?:@&=+$_.~*'(),!").then(|| format!("!<{name}> ")),
    };
    all(suffix, b"-#;/?:@&=+$_.~*'()").then(|| format!("{handle}{suffix} "))
}

/// A key as it may stand in flow.
pub(crate) fn key(name: &str) -> String {
    if is_plain(name) { name.to_owned() } else { quote(name) }
}

/// The key of a value as it may stand in flow. One that is text for its quotes alone has them.
pub(crate) fn key_of(row: RowId, outline: &Outline<'_>) -> Option<String> {
    let name = outline[row].name.as_deref()?;
    Some(if outline.has_quoted_key(row) { quote(name) } else { key(name) })
}

/// A key as it stands before its colon: a blank keeps that from being more of an alias, an anchor or a tag.
pub(crate) fn before_colon(key: &str) -> String {
    let ends_in_name = key.starts_with('*') || scan::value_start(key).0 == Start::Nothing;
    if ends_in_name && !key.is_empty() && !key.ends_with(' ') { format!("{key} ") } else { key.to_owned() }
}

/// Printable, and neither a line break, be it to YAML 1.1 alone, nor a byte-order mark, nor a tab, which some parsers refuse
/// there.
fn is_plain_character(c: char) -> bool {
    is_printable(c) && !matches!(c, '\t' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}')
}

fn is_plain(text: &str) -> bool {
    text.chars().all(is_plain_character) && strict::may_be_plain(text) && reference::is_plain_in_flow(text)
}

/// A text in single quotes (YAML 1.2.2 §7.3.2), in double ones where it needs an escape.
pub(super) fn single_quote(text: &str) -> String {
    if text.chars().all(is_plain_character) { format!("'{}'", text.replace('\'', "''")) } else { quote(text) }
}

/// A text in double quotes (YAML 1.2.2 §7.3.1): JSON's escapes are YAML's, but JSON escapes less.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    for c in serde_json::Value::from(text).to_string().chars() {
        if is_plain_character(c) {
            out.push(c);
        } else {
            // All of these have four digits at most.
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        }
    }
    out
}
