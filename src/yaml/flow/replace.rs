//! A value or a key is written anew, and all around it stays: in brackets, or where a node has its value.

use std::ops::Range;

use super::parse::Collection;
use super::remarks::{Remark, remarks};
use super::text::{Edit, Text};
use super::write;
use crate::text::scan::{self, Start};
use crate::yaml::limits::is_too_long;
use crate::yaml::outline::Outline;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node, Shape};

/// An entry of a flow collection as it stands there.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub(crate) key: String,
    /// With anchor and tag; lines behind the first from their first character.
    pub(crate) value: String,
    /// The comment lines over it.
    pub(crate) above: Vec<String>,
    /// The comment behind it, with the blanks before.
    pub(crate) inline: String,
}

/// The entry at the end of a way of child indices, which has a row in the outline.
pub(crate) fn written(node: &Node<'_>, outline: &Outline<'_>, way: &[usize], row: RowId) -> Option<Written> {
    let text = Text::of(node);
    let root = text.collection()?;
    let (collection, at) = root.find(way)?;
    let entry = &collection.entries[at];
    let Remark { above, inline } = remarks(node, outline).remove(&row).unwrap_or_default();
    let key = if entry.pair || collection.map { text.all[entry.key.clone()].to_owned() } else { String::new() };
    let value = if entry.pair || !collection.map { text.all[entry.holds.clone()].to_owned() } else { String::new() };
    Some(Written { key, value, above, inline })
}

/// Gives the entry at the end of a way another key, in quotes where the old one was, and behind `?` where it is too long.
pub(crate) fn rename(node: &mut Node<'_>, way: &[usize], name: &str) -> Option<()> {
    let text = Text::of(node);
    let root = text.collection()?;
    let (collection, at) = root.find(way)?;
    let entry = &collection.entries[at];
    let (range, old) = (entry.key.clone(), &text.all[entry.key.clone()]);
    let key = format!("{}{}", &old[..scan::value_start(old).1.min(old.len())], rewritten(old, name));
    let is_explicit = text.all[entry.start..range.start].starts_with('?');
    let mark = if is_too_long(&key) && !is_explicit { "? " } else { "" };
    text.write(vec![Edit { range, text: format!("{mark}{key}"), lines: Vec::new() }], node);
    Some(())
}

/// A name as the key that another one was, in its kind of quotes.
pub(crate) fn rewritten(key: &str, name: &str) -> String {
    let bare = &key[scan::value_start(key).1.min(key.len())..];
    match bare.chars().next() {
        Some('"') => write::quote(name),
        Some('\'') => write::single_quote(name),
        _ => write::key(name),
    }
}

/// Writes another value at the end of a way, behind the anchor and tag that are there; the node's own for an empty way.
/// Without any text the node is left without a value.
pub(crate) fn replace(node: &mut Node<'_>, way: &[usize], value: &str) -> Option<()> {
    let text = Text::of(node);
    if !way.is_empty() {
        let root = text.collection()?;
        let (collection, at) = root.find(way)?;
        let holds = collection.entries[at].holds.clone();
        let bare = holds.start + scan::value_start(&text.all[holds.clone()]).1;
        let edit = Edit { range: bare.min(holds.end)..holds.end, text: value.to_owned(), lines: Vec::new() };
        text.write(vec![edit], node);
        return Some(());
    }
    let Range { start, end } = own(&text, node.shape)?;
    let start = if value.is_empty() { text.before_blanks(start) } else { start };
    let content = Edit::remove(text.line_end(text.line_of(end))..text.all.len());
    text.write(vec![Edit { range: start..end, text: value.to_owned(), lines: Vec::new() }, content], node);
    node.shape = match scan::value_start(value).0 {
        Start::Nothing => Shape::Open,
        Start::Flow => Shape::Flow { empty: false },
        Start::Quoted => Shape::Quoted,
        Start::Plain | Start::Block(_) => Shape::Plain,
    };
    node.continuation.vec().retain(|line| !line.trimmed().is_empty());
    Some(())
}

/// Where the value of a node stands in its text, without anchor and tag; of a block scalar its header.
fn own(text: &Text<'_>, shape: Shape) -> Option<Range<usize>> {
    let start = text.value()?;
    let end = match shape {
        Shape::Quoted => start + scan::quote_end(&text.all[start..])?,
        Shape::Flow { .. } => Collection::read(&text.all, start)?.end,
        Shape::Plain => plain_end(text, start),
        Shape::Block { .. } => start + text.all[start..].find([' ', '\t', '\n']).unwrap_or(text.all.len() - start),
        Shape::Open => return None,
    };
    Some(start..end)
}

/// A plain scalar ends before the comment of its last line.
fn plain_end(text: &Text<'_>, start: usize) -> usize {
    let last = text.line_start(text.line_of(text.all.len())).max(start);
    let tail = &text.all[last..];
    let end = scan::comment_start(tail).unwrap_or(tail.len());
    last + tail[..end].trim_ascii_end().len()
}

/// A value from brackets as the rest of the line of a node and its further lines.
pub(crate) fn as_lines<'a>(value: &str, end: crate::text::source::End) -> (String, Vec<Line<'a>>) {
    let mut lines = value.split('\n');
    let first = lines.next().unwrap_or_default().to_owned();
    let more = |line: &str| match line.trim_ascii() {
        "" => Line::Blank("", end),
        text => Line::Text(crate::yaml::tree::Offset::Beside(2), text.to_owned().into(), end),
    };
    (first, lines.map(more).collect())
}
