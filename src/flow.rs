//! The inside of a flow collection, read on demand and edited in place.
//!
//! The tree carries `{a: 1, b: 2}` as text. Where a rule has to look inside, its entries are found here by position, so
//! that a map gains a key without any other character of it changing. What comes in is written from the outline: what
//! was a block in the update becomes flow, what was flow becomes the lines of a block.

use std::borrow::Cow;

use saphyr_parser::ScalarStyle;

use crate::outline::{Outline, RowKind};
use crate::path::Step;
use crate::reference;
use crate::scan;
use crate::source::End;
use crate::tree::{Kind, Line, Node, Opener, Shape};

/// Whether a node is a map in flow style.
pub(crate) fn is_map(node: &Node<'_>, outline: &Outline<'_>) -> bool {
    node.kind() == Kind::Leaf && matches!(node.shape, Shape::Flow { .. }) && outline.rows[node.row].kind == RowKind::Map
}

/// The entries of a flow map as the children of a block map.
pub(crate) fn as_block<'a>(node: &Node<'a>, outline: &Outline<'a>) -> Option<Vec<Node<'a>>> {
    let entries = outline.children(node.row).map(|row| {
        let name = outline.rows[row].name.clone()?;
        let value = render(row, outline, false)?;
        let mut entry = Node::new(node.line, Opener::Key(Cow::Owned(scalar(&name))), "", End::Common);
        entry.rest = Cow::Owned(if value.is_empty() { value } else { format!(" {value}") });
        (entry.name, entry.row, entry.origin, entry.shape) = (name, row, node.origin, shape(row, outline));
        Some(entry)
    });
    entries.collect()
}

fn shape(row: usize, outline: &Outline<'_>) -> Shape {
    match outline.rows[row].kind {
        RowKind::Map | RowKind::List => Shape::Flow { empty: outline.rows[row].end == row + 1 },
        RowKind::Scalar(ScalarStyle::Plain) if outline.rows[row].text.is_empty() => Shape::Open,
        RowKind::Scalar(ScalarStyle::Plain) | RowKind::Alias(_) => Shape::Plain,
        RowKind::Scalar(_) => Shape::Quoted,
    }
}

/// A key that a flow map gained: the way to it from that map, and the entry as written.
pub(crate) type Gained = (Vec<Step>, String);

/// A value of another kind in the update: the way to it, and what it is.
pub(crate) type Differing = (Vec<Step>, &'static str);

/// What a flow map gained, and what it did not.
pub(crate) struct Gain {
    pub(crate) gained: Vec<Gained>,
    pub(crate) differing: Vec<Differing>,
}

/// Adds to the flow map of `current` the keys that only the update's map at `update` has; nothing where one of them
/// cannot be said in flow. An empty `{}` is the user's value and gains nothing (`upgrade.md` rule 1).
pub(crate) fn gain(current: &mut Node<'_>, mine: &Outline<'_>, update: usize, outline: &Outline<'_>) -> Option<Gain> {
    let text = Text::of(current);
    let map = Parser { text: &text.all, at: text.value_start() }.collection()?;
    let mut additions = Vec::new();
    let mine = Mine { outline: mine, row: current.row };
    let mut differing = Vec::new();
    collect(&map, mine, update, outline, &mut Vec::new(), &mut additions, &mut differing)?;
    additions.sort_by_key(|addition| std::cmp::Reverse(addition.behind));
    for addition in &additions {
        text.insert(current, addition);
    }
    let gained = additions.into_iter().rev().flat_map(|addition| addition.gained).collect();
    Some(Gain { gained, differing })
}

/// Remembers a value of the update that is of another kind than the user's under the same key.
fn differ(mine: Mine<'_, '_>, row: usize, outline: &Outline<'_>, way: &[Step], differing: &mut Vec<Differing>) {
    let name = outline.rows[row].name.as_deref().unwrap_or_default();
    let Some(own) = mine.outline.get(mine.row, name) else { return };
    let (own, other) = (mine.outline.kind_name(own), outline.kind_name(row));
    if own != other && !outline.rows[row].is_null() {
        differing.push((way.to_vec(), other));
    }
}

/// The user's map, as the reference parser knows it.
#[derive(Clone, Copy)]
struct Mine<'o, 'a> {
    outline: &'o Outline<'a>,
    row: usize,
}

/// Entries to write into one collection.
struct Addition {
    gained: Vec<Gained>,
    /// The offset of the end of the entry that they come behind.
    behind: usize,
    /// The offset of the start of that entry.
    beside: usize,
    /// Whether a comma stands behind that entry already.
    comma: bool,
    /// The offset behind the closing bracket.
    end: usize,
}

/// Finds what `map`, and every map inside of it, lacks of the update's map at `row`.
fn collect(
    map: &Collection,
    mine: Mine<'_, '_>,
    row: usize,
    outline: &Outline<'_>,
    way: &mut Vec<Step>,
    additions: &mut Vec<Addition>,
    differing: &mut Vec<Differing>,
) -> Option<()> {
    let Some(last) = map.entries.last() else { return Some(()) };
    if map.entries.iter().any(|entry| entry.name.is_none()) {
        return None;
    }
    let json = map.entries.iter().all(|entry| entry.quoted);
    let mut gained = Vec::new();
    for row in outline.children(row) {
        let name = outline.rows[row].name.as_deref()?;
        let entry_of_mine = map.entries.iter().find(|entry| entry.name.as_deref() == Some(name));
        way.push(Step::Key(name.to_owned()));
        match entry_of_mine.map(|entry| &entry.value) {
            Some(Some(inner)) if inner.map && outline.rows[row].kind == RowKind::Map => {
                let row_below = mine.outline.get(mine.row, name)?;
                collect(inner, Mine { row: row_below, ..mine }, row, outline, way, additions, differing)?;
            }
            Some(_) => differ(mine, row, outline, way, differing),
            None if mine.outline.inherits(mine.row, name) => {}
            None => gained.push((way.clone(), entry(name, row, outline, json)?)),
        }
        way.pop();
    }
    if !gained.is_empty() {
        let (behind, beside) = (last.end, last.start);
        additions.push(Addition { gained, behind, beside, comma: map.trailing_comma, end: map.end });
    }
    Some(())
}

/// An entry as it is written; with `json` its keys are quoted, so that JSON stays JSON.
fn entry(name: &str, row: usize, outline: &Outline<'_>, json: bool) -> Option<String> {
    let value = render(row, outline, json)?;
    let key = if json { quote(name) } else { scalar(name) };
    Some(if value.is_empty() { format!("{key}:") } else { format!("{key}: {value}") })
}

/// A value in flow style; nothing for one with an anchor whose name is not known.
pub(crate) fn render(row: usize, outline: &Outline<'_>, json: bool) -> Option<String> {
    let value = &outline.rows[row];
    let tag = match &value.tag {
        Some(tag) if tag.starts_with('!') => format!("{tag} "),
        Some(_) => return None,
        None => String::new(),
    };
    let inside = || outline.children(row);
    let anchor = if value.anchored { format!("&{} ", outline.anchor(row)?) } else { String::new() };
    let text = match value.kind {
        RowKind::Alias(target) => {
            outline.anchor(target).map_or_else(|| value.text.to_string(), |name| format!("*{name}"))
        }
        RowKind::Scalar(ScalarStyle::Plain) if value.text.is_empty() || reference::is_plain_in_flow(&value.text) => {
            value.text.to_string()
        }
        RowKind::Scalar(_) => quote(&value.text),
        RowKind::List => {
            // Nothing between two commas is no item in flow.
            let items = inside().map(|row| render(row, outline, json).filter(|item| !item.is_empty()));
            let items = items.collect::<Option<Vec<_>>>()?;
            format!("[{}]", items.join(", "))
        }
        RowKind::Map => {
            let entries = inside().map(|row| entry(outline.rows[row].name.as_deref()?, row, outline, json));
            format!("{{{}}}", entries.collect::<Option<Vec<_>>>()?.join(", "))
        }
    };
    Some(format!("{anchor}{tag}{text}"))
}

/// A key as it may stand in flow.
pub(crate) fn scalar(name: &str) -> String {
    if reference::is_plain_in_flow(name) { name.to_owned() } else { quote(name) }
}

/// A double-quoted scalar (YAML 1.2.2 §7.3.1): JSON's escapes are YAML's.
fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A value's lines as one text: the rest of the node's line and its further lines, each from its first character.
pub(crate) struct Text {
    pub(crate) all: String,
    /// Where each line starts.
    starts: Vec<usize>,
}

impl Text {
    fn of(node: &Node<'_>) -> Self {
        Self::of_lines(&node.rest, &node.more)
    }

    pub(crate) fn of_lines(first: &str, more: &[Line<'_>]) -> Self {
        let mut text = Self { all: first.to_owned(), starts: vec![0] };
        for line in more {
            text.all.push('\n');
            text.starts.push(text.all.len());
            if let Line::Text(_, line, _) = line {
                text.all.push_str(line);
            }
        }
        text
    }

    fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// On which line an offset is, 0 for the node's own, and where in it.
    pub(crate) fn place(&self, offset: usize) -> (usize, usize) {
        let line = self.line_of(offset);
        (line, offset - self.starts[line])
    }

    /// Where the value starts, behind its anchor and tag: on the node's line or on one of its own.
    fn value_start(&self) -> usize {
        let lines =
            self.starts.iter().map(|&start| (start, scan::value_start(self.all[start..].lines().next().unwrap_or(""))));
        let mut values = lines.filter(|(_, (value, _))| *value != scan::Start::Nothing);
        values.next().map_or(0, |(start, (_, at))| start + at)
    }

    /// Writes entries behind another one: on lines of their own where that stands on its own line, else beside it.
    fn insert(&self, node: &mut Node<'_>, addition: &Addition) {
        let line = self.line_of(addition.behind.saturating_sub(1));
        let at = addition.behind - self.starts[line];
        let entries: Vec<_> = addition.gained.iter().map(|(_, entry)| entry.as_str()).collect();
        let closed = self.line_of(addition.end - 1) == line;
        if line > 0 && self.starts[line] == addition.beside && !closed {
            insert_lines(&mut node.more, line - 1, at, &entries, addition.comma);
            return;
        }
        let written = format!(", {}", entries.join(", "));
        match line.checked_sub(1).and_then(|line| node.more.get_mut(line)) {
            Some(Line::Text(_, text, _)) => text.to_mut().insert_str(at, &written),
            _ => node.rest.to_mut().insert_str(at, &written),
        }
    }
}

/// Writes entries on lines of their own behind the entry that ends at `at` of a line.
fn insert_lines(lines: &mut Vec<Line<'_>>, line: usize, at: usize, entries: &[&str], comma: bool) {
    let Some(Line::Text(offset, text, end)) = lines.get_mut(line) else { return };
    if !comma {
        text.to_mut().insert(at, ',');
    }
    let (offset, end, last) = (*offset, *end, entries.len());
    let added = entries.iter().enumerate().map(|(at, entry)| {
        let comma = if comma || at + 1 < last { "," } else { "" };
        Line::Text(offset, Cow::Owned(format!("{entry}{comma}")), end)
    });
    lines.splice(line + 1..=line, added);
}

/// A flow collection by position.
#[derive(Debug)]
struct Collection {
    map: bool,
    entries: Vec<Entry>,
    trailing_comma: bool,
    /// The offset behind its closing bracket.
    end: usize,
}

#[derive(Debug)]
struct Entry {
    start: usize,
    /// The offset behind its last character.
    end: usize,
    name: Option<String>,
    /// Whether its key is double-quoted, as in JSON.
    quoted: bool,
    /// What it holds, where that is a collection again.
    value: Option<Collection>,
}

fn name(written: &str) -> Option<String> {
    if written.trim().is_empty() { Some(String::new()) } else { reference::scalar(written) }
}

/// Reads a flow collection that both parsers have accepted; nothing where it holds what is not looked into (`? key`).
struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl Parser<'_> {
    /// The collection whose opening bracket stands at the current offset.
    fn collection(&mut self) -> Option<Collection> {
        let map = self.byte()? == b'{';
        self.at += 1;
        let (mut entries, mut trailing_comma) = (Vec::new(), false);
        loop {
            self.skip_blanks();
            match self.byte()? {
                b']' | b'}' => {
                    self.at += 1;
                    return Some(Collection { map, entries, trailing_comma, end: self.at });
                }
                b',' => {
                    trailing_comma = true;
                    self.at += 1;
                }
                _ => {
                    trailing_comma = false;
                    entries.push(self.entry()?);
                }
            }
        }
    }

    fn entry(&mut self) -> Option<Entry> {
        let start = self.at;
        let (key, key_end) = self.node()?;
        self.skip_blanks();
        let name = name(&self.text[start..key_end]);
        let quoted = self.text[start..].starts_with('"');
        if self.byte()? != b':' {
            return Some(Entry { start, end: key_end, name, quoted, value: key });
        }
        self.at += 1;
        let colon = self.at;
        self.skip_blanks();
        let (value, end) = if matches!(self.byte()?, b',' | b']' | b'}') { (None, colon) } else { self.node()? };
        Some(Entry { start, end, name, quoted, value })
    }

    /// A scalar or collection with its properties, and the offset behind it.
    fn node(&mut self) -> Option<(Option<Collection>, usize)> {
        self.at += scan::value_start(&self.text[self.at..]).1;
        match self.byte()? {
            b'[' | b'{' => {
                let collection = self.collection()?;
                let end = collection.end;
                Some((Some(collection), end))
            }
            b'"' | b'\'' => {
                self.at += scan::quote_end(&self.text[self.at..])?;
                Some((None, self.at))
            }
            b'?' => None,
            _ => Some((None, self.plain())),
        }
    }

    /// A plain scalar in flow ends before `, [ ] { }`, a colon that ends a key, or a comment (YAML 1.2.2 §7.3.3).
    fn plain(&mut self) -> usize {
        let bytes = self.text.as_bytes();
        let mut end = self.at;
        while let Some(&byte) = bytes.get(self.at) {
            let next = bytes.get(self.at + 1);
            let colon = byte == b':' && next.is_none_or(|next| b" \t\n,[]{}".contains(next));
            let comment = byte == b'#' && self.at > 0 && b" \t\n".contains(&bytes[self.at - 1]);
            if colon || comment || b",[]{}".contains(&byte) {
                break;
            }
            self.at += 1;
            if !b" \t\n".contains(&byte) {
                end = self.at;
            }
        }
        self.at = end;
        end
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips white space, line ends and comments.
    fn skip_blanks(&mut self) {
        while let Some(byte) = self.byte() {
            match byte {
                b' ' | b'\t' | b'\n' => self.at += 1,
                b'#' => self.at += self.text[self.at..].find('\n').unwrap_or(self.text.len() - self.at),
                _ => return,
            }
        }
    }
}
