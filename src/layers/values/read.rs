//! A file as values: both parsers read it, and what they agree on is put together, aliases and merge keys followed.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use saphyr_parser::ScalarStyle;

use super::copies::of_content;
use super::{Content, Label, Links, Origin, Scalar, Style, Value};
use crate::text::budget::Budget;
use crate::text::error::{Error, Place, visible};
use crate::text::source::Source;
use crate::yaml::check::{self, Checked};
use crate::yaml::document::is_document;
use crate::yaml::flow;
use crate::yaml::outline::{Outline, RowKind, Target};
use crate::yaml::reference::Duplicates;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node, Opener};

/// A file that is merged with others.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layer {
    /// How errors and explanations name it.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// What a file holds.
#[derive(Debug)]
pub(crate) struct Read<'a> {
    /// Its documents that hold anything.
    pub(crate) documents: Vec<Value<'a>>,
    /// Keys that a map has twice, where the last of them counts.
    pub(crate) warnings: Vec<String>,
    /// What stands behind the last document.
    pub(crate) below: Vec<Line<'a>>,
}

impl Layer {
    /// How the text that is made of this layer and others is to be written.
    ///
    /// # Errors
    /// Characters that no YAML file has.
    pub(crate) fn style(&self) -> Result<Style, Error> {
        let source = Source::new(&self.name, &self.text)?;
        Ok(Style { bom: source.bom, common: source.common_end() })
    }

    /// Reads the documents of the layer with this number. With [`Duplicates::LastCounts`] a key that appears twice is no
    /// error, but a warning.
    ///
    /// # Errors
    /// Refuses what is not valid YAML, and aliases that stand for more than a [`Budget`] has.
    pub(crate) fn read(&self, number: usize, duplicates: Duplicates) -> Result<Read<'_>, Error> {
        self.read_below(number, duplicates, 0)
    }

    /// The same for a text that stands in a file, with so many lines of that file before it: they count for the lines of
    /// values and warnings. Those of errors are the text's own.
    ///
    /// # Errors
    /// The same.
    pub(crate) fn read_below(&self, number: usize, duplicates: Duplicates, above: usize) -> Result<Read<'_>, Error> {
        let source = Source::new(&self.name, &self.text)?;
        let Checked { stream, outline } = check::read_with(&source, duplicates)?;
        if outline.has_twin_empty_keys && duplicates == Duplicates::Refused {
            return Err(check::twin_empty_keys(&source));
        }
        let mut reading = Reading {
            source: &source,
            outline: &outline,
            layer: number,
            document: 0,
            above,
            known: HashMap::new(),
            last: HashMap::new(),
            budget: Budget::of(self.text.len()),
            warnings: Vec::new(),
        };
        let Node { children, below: last, .. } = stream;
        let (mut documents, mut comments) = (Vec::new(), Vec::new());
        for mut document in children {
            self.refuse_handles(number, &document)?;
            if let Some(row) = document.row.filter(|_| is_document(&document)) {
                document.above.splice(0..0, comments.drain(..));
                reading.document = documents.len();
                documents.push(reading.value(*document, row)?);
            } else {
                // Comments alone are none: they stand over the next one.
                comments.extend_from_slice(&document.above);
                comments.extend_from_slice(document.header());
                comments.extend(document.document().and_then(|document| document.end.clone()));
            }
        }
        comments.extend(last);
        Ok(Read { documents, warnings: reading.warnings, below: comments })
    }

    /// A tag by a handle of its own means nothing under the first layer's directives (YAML 1.2.2 §6.8.2).
    fn refuse_handles(&self, number: usize, document: &Node<'_>) -> Result<(), Error> {
        let directive = document.above.iter().find(|line| line.trimmed().starts_with("%TAG")).filter(|_| number > 0);
        let Some(directive) = directive else { return Ok(()) };
        let line = self.text.lines().position(|line| line.trim_ascii() == directive.trimmed()).map_or(1, |at| at + 1);
        let what = "a handle for tags holds in its own file only, and this one is merged into another";
        Err(self.error(what, line).help("write the tags out: !<tag:example.org,2026:name>"))
    }

    /// An error at a line of this layer.
    pub(crate) fn error(&self, what: impl Into<String>, line: usize) -> Error {
        self.error_about(what, line, "")
    }

    /// An error about a word on a line of this layer; at the start of the line where it is not there as it is.
    pub(crate) fn error_about(&self, what: impl Into<String>, line: usize, word: &str) -> Error {
        let text = self.text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        let start = text.len() - text.trim_ascii_start().len();
        let bounded = |at: &usize| !text[..*at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word);
        let found = text.match_indices(word).map(|(at, _)| at).find(bounded).filter(|_| !word.is_empty());
        let column = text[..found.unwrap_or(start)].chars().count() + 1;
        Error::input(what).at(Place { line: line.max(1), column }, &self.text).in_file(&self.name)
    }
}

/// What an alias means, in the order of the file: a value by its row, or the key before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Meant {
    row: RowId,
    part: Part,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Part {
    Key,
    Value,
}

struct Reading<'r, 'a> {
    source: &'r Source<'a>,
    outline: &'r Outline<'a>,
    layer: usize,
    document: usize,
    /// How many lines of its file stand before its text.
    above: usize,
    /// What anchors stand before, by the anchors' names, and what a copy of it takes.
    known: HashMap<(Meant, String), (Content<'a>, usize)>,
    /// What the last anchor of each name stands before.
    last: HashMap<String, Meant>,
    budget: Budget,
    warnings: Vec<String>,
}

fn alias_name(text: &str) -> String {
    text.trim_start_matches('*').to_owned()
}

impl<'a> Reading<'_, 'a> {
    fn value(&mut self, mut node: Node<'a>, at: RowId) -> Result<Value<'a>, Error> {
        let moved = self.key(&mut node);
        let mut links = self.links(&node, at);
        let mut merge_key = None;
        let content = match self.outline[at].kind {
            RowKind::Scalar(style) => self.scalar(at, style),
            RowKind::Alias(target) => self.alias(&node, at, target)?,
            RowKind::Map => {
                let entries = self.children(&mut node)?;
                let entries = self.duplicates(entries);
                let (entries, merged) = merge_keys(entries);
                merge_key = merged.map(Arc::new);
                Content::Map(Arc::new(entries))
            }
            RowKind::List => Content::List(Arc::new(self.children(&mut node)?)),
        };
        if let Some(tag) = self.tag_of_meant(at).filter(|_| !matches!(content, Content::Scalar(_))) {
            links.get_or_insert_default().tag = Some(tag);
        }
        let origin = Origin { layer: Some(self.layer), line: self.above + node.line(), ..Origin::default() };
        let anchor = links.as_ref().and_then(|links| links.anchor.as_ref());
        if let Some(name) = anchor.map(|label| label.name.clone().into_owned()) {
            self.know(Meant { row: at, part: Part::Value }, name, content.clone());
        }
        let links = links.map(Box::new);
        Ok(Value { shell: node.into(), content, links, merge_key, touched: false, moved, origin })
    }

    /// The anchors before a value and its key, and the alias that the value is.
    fn links(&mut self, node: &Node<'a>, at: RowId) -> Option<Links<'a>> {
        let row = &self.outline[at];
        let key_anchor = self.key_anchor(node, at);
        let anchor = anchor_of(node).filter(|_| row.anchored).map(|name| self.label(name, at));
        let alias = match row.kind {
            RowKind::Alias(target) => Some(self.label(alias_name(&row.text), target.row)),
            _ => None,
        };
        let any = key_anchor.is_some() || anchor.is_some() || alias.is_some();
        any.then(|| Links { key_anchor, anchor, alias, ..Links::default() })
    }

    fn scalar(&self, at: RowId, style: ScalarStyle) -> Content<'a> {
        let row = &self.outline[at];
        let plain = style == ScalarStyle::Plain;
        Content::Scalar(Scalar { text: row.text.clone(), plain, tag: self.outline.tag(at).map(Box::from) })
    }

    /// What an alias stands for.
    fn alias(&mut self, node: &Node<'a>, at: RowId, target: Target) -> Result<Content<'a>, Error> {
        let part = target.value().map_or(Part::Key, |_| Part::Value);
        self.stands_for(node, &(Meant { row: target.row, part }, alias_name(&self.outline[at].text)))
    }

    /// The tag of a value; of an alias that of what it stands for.
    fn tag_of_meant(&self, at: RowId) -> Option<Box<str>> {
        let meant = if let RowKind::Alias(target) = self.outline[at].kind { target.value() } else { None };
        self.outline.tag(meant.unwrap_or(at)).map(Box::from)
    }

    fn label(&self, name: String, row: RowId) -> Label<'a> {
        Label { name: name.into(), layer: self.layer, document: self.document, row }
    }

    fn know(&mut self, meant: Meant, name: String, content: Content<'a>) {
        let last = self.last.entry(name.clone()).or_insert(meant);
        *last = meant.max(*last);
        let size = of_content(&content, usize::MAX);
        self.known.insert((meant, name), (content, size));
    }

    /// Knows the anchor before a key.
    fn key_anchor(&mut self, node: &Node<'a>, row: RowId) -> Option<Label<'a>> {
        let key = key_text(&node.opener)?;
        let name = anchor_in(key)?;
        if is_scalar_key(node, key) {
            let scalar = Scalar { text: node.name.clone(), plain: has_plain_key(node), tag: None };
            self.know(Meant { row, part: Part::Key }, name.clone(), Content::Scalar(scalar));
        }
        Some(self.label(name, row))
    }

    /// Writes a key out that is an alias: whether it was.
    fn key(&mut self, node: &mut Node<'a>) -> bool {
        let Opener::Key(key) = &node.opener else { return false };
        let key = key.trim_ascii().to_owned();
        let Some(name) = key.strip_prefix('*') else { return false };
        let target = self.last.get(name).and_then(|&meant| self.known.get(&(meant, name.to_owned())));
        let Some((Content::Scalar(scalar), _)) = target else { return false };
        let (written, ..) = scalar.written();
        node.name.clone_from(&scalar.text);
        node.opener = Opener::Key(written.trim_ascii().to_owned().into());
        true
    }

    fn children(&mut self, node: &mut Node<'a>) -> Result<Vec<Value<'a>>, Error> {
        let inside = if flow::is_flow(node) && node.children.is_empty() {
            flow::inside(node, self.outline)
        } else {
            std::mem::take(&mut node.children)
        };
        node.children = Vec::new();
        let with_rows = inside.into_iter().filter_map(|child| Some((child.row?, child)));
        with_rows.map(|(row, child)| self.value(*child, row)).collect()
    }

    fn stands_for(&mut self, node: &Node<'a>, target: &(Meant, String)) -> Result<Content<'a>, Error> {
        let Some((content, size)) = self.known.get(target) else {
            let place = Place { line: node.line(), column: 1 };
            let what = format!("what the alias *{} stands for cannot be told here", visible(&target.1));
            return Err(self.source.error(&what, place).help("write the value out"));
        };
        self.budget.take(*size).map_err(|why| {
            let place = Place { line: node.line(), column: 1 };
            self.source
                .error(&format!("aliases stand for too much: {why}"), place)
                .help("no configuration needs that much")
        })?;
        Ok(content.clone())
    }

    /// The last of the entries with the same key counts, in the place of the first.
    fn duplicates(&mut self, entries: Vec<Value<'a>>) -> Vec<Value<'a>> {
        let mut places = HashMap::new();
        let mut kept: Vec<Value<'a>> = Vec::with_capacity(entries.len());
        for entry in entries {
            let place = *places.entry(entry.shell.name.clone()).or_insert(kept.len());
            match kept.get_mut(place) {
                None => kept.push(entry),
                Some(first) => {
                    let (name, file) = (visible(entry.name()), self.source.name);
                    let warning = format!("{file}:{}: key `{name}` appears twice, the last one counts", entry.line());
                    self.warnings.push(warning);
                    *first = entry;
                    first.moved = true;
                }
            }
        }
        kept
    }
}

/// Adds what a map has through its merge key `<<` (<https://yaml.org/type/merge.html>); the entry itself apart, with its
/// place.
fn merge_keys<'a>(mut entries: Vec<Value<'a>>) -> (Vec<Value<'a>>, Option<(usize, Value<'a>)>) {
    let merge = |entry: &Value<'_>| matches!(&entry.shell.opener, Opener::Key(key) if key.trim_ascii_end() == "<<");
    let Some(at) = entries.iter().position(merge) else { return (entries, None) };
    let sources: Vec<Value<'a>> = match &entries[at].content {
        Content::Map(_) => vec![entries[at].clone()],
        Content::List(items) if items.iter().all(Value::is_map) => items.to_vec(),
        _ => return (entries, None),
    };
    let merge_key = entries.remove(at);
    let mut known: HashSet<_> = entries.iter().map(|entry| entry.shell.name.clone()).collect();
    for mut entry in sources.into_iter().flat_map(Value::into_children) {
        if known.insert(entry.shell.name.clone()) {
            entry.links.get_or_insert_default().inherited = true;
            entries.push(entry);
        }
    }
    (entries, Some((at, merge_key)))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// A key as written; of one behind `?` its first line.
fn key_text<'n>(opener: &'n Opener<'_>) -> Option<&'n str> {
    match opener {
        Opener::Key(key) => Some(key),
        Opener::Explicit(key) => match key.lines.first()? {
            Line::Text(_, text, _) => text.strip_prefix('?'),
            Line::Blank(..) => None,
        },
        _ => None,
    }
}

/// Whether a key is no collection; one behind `?` is looked into as far as it is written on one line.
fn is_scalar_key(node: &Node<'_>, key: &str) -> bool {
    let Opener::Explicit(explicit) = &node.opener else { return matches!(node.opener, Opener::Key(_)) };
    let bare = &key[crate::text::scan::value_start(key).1..];
    let bare = bare[..crate::text::scan::comment_start(bare).unwrap_or(bare.len())].trim_ascii();
    let is_quoted = bare.starts_with(['"', '\'']) && crate::text::scan::quote_end(bare) == Some(bare.len());
    explicit.lines.len() == 1 && (is_quoted || node.name == bare)
}

impl Value<'_> {
    /// Whether its key is a map or a list, as far as the first line of that tells.
    pub(crate) fn has_collection_as_key(&self) -> bool {
        let Some(key) = key_text(&self.shell.opener) else { return false };
        let bare = key[crate::text::scan::value_start(key).1..].trim_ascii_start();
        bare.starts_with(['{', '[']) || bare.starts_with("- ")
    }
}

/// Whether a key is a scalar without quotes.
pub(super) fn has_plain_key(node: &Node<'_>) -> bool {
    let Some(key) = key_text(&node.opener).filter(|key| is_scalar_key(node, key)) else { return false };
    !key[crate::text::scan::value_start(key).1..].starts_with(['"', '\''])
}

/// The name of the anchor before the value of a node.
fn anchor_of(node: &Node<'_>) -> Option<String> {
    let mut lines = std::iter::once(&*node.value_text).chain(node.continuation.iter().map(Line::trimmed));
    lines.find_map(anchor_in)
}

/// The name of the anchor that a text starts with, before a tag or behind it.
fn anchor_in(text: &str) -> Option<String> {
    let properties = &text[..crate::text::scan::value_start(text).1];
    properties.split_ascii_whitespace().find_map(|word| word.strip_prefix('&')).map(str::to_owned)
}
