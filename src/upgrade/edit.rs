//! What is taken out of the current file before the merge: `--delete`.
//!
//! All paths are looked up in the file as it is, so that indices count as before any deletion. What becomes empty goes
//! too (`docs/rules.md` rule 7). An alias that meant something in there is repaired after the
//! merge: it means what the update brings in its place, and where there is nothing the deletion is refused.

use foldhash::{HashMap, HashSet};
use std::collections::BTreeSet;
use std::ops::Range;

use crate::text::error::{Error, Place};
use crate::text::source::Source;
use crate::yaml::document::is_document;
use crate::yaml::find;
use crate::yaml::flow;
use crate::yaml::nearest::did_you_mean;
use crate::yaml::outline::{Outline, Row, RowKind};
use crate::yaml::path::{Path, Step};
use crate::yaml::place::Place as Value;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Kind, Line, Node, Opener};

/// A node that was taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Removed {
    pub(crate) path: Path,
    /// Its line in the current file.
    pub(crate) line: usize,
    /// Its first line, as written.
    pub(crate) text: String,
    /// Its rows in the outline of the current file.
    pub(crate) rows: Range<RowId>,
}

/// What deletion did.
#[derive(Debug, Default)]
pub(crate) struct Deleted {
    pub(crate) removed: Vec<Removed>,
    /// Paths that name nothing, in backticks, each with the path that it may stand for.
    pub(crate) unknown: Vec<String>,
}

/// Takes out what the paths name, each with the comment above it.
pub(crate) fn delete(
    source: &Source<'_>,
    stream: &mut Node<'_>,
    outline: &mut Outline<'_>,
    paths: &[String],
) -> Result<Deleted, Error> {
    let mut deleted = Deleted::default();
    let mut named = BTreeSet::new();
    for path in paths {
        match find::find(stream, outline, path)? {
            Some(way) => _ = named.insert(way),
            None => deleted.unknown.push(format!("`{path}`{}", did_you_mean(path, &[outline]))),
        }
    }
    let ways = outermost(Value::of(stream, outline), &named);
    let removed = |way: &Vec<usize>| removed(stream, outline, way).ok_or_else(|| not_understood(source));
    deleted.removed = ways.iter().map(removed).collect::<Result<_, _>>()?;
    for way in ways.iter().rev() {
        take(stream, way).ok_or_else(|| not_understood(source))?;
    }
    for removed in &deleted.removed {
        outline.take_out(removed.rows.start);
    }
    Ok(deleted)
}

/// What goes when these go, without what stands inside of something that goes as well.
fn outermost(stream: Value<'_, '_>, ways: &BTreeSet<Vec<usize>>) -> Vec<Vec<usize>> {
    let empty = emptied(stream, ways);
    let all: BTreeSet<_> = ways.iter().map(|way| with_empty_parents(way, &empty)).collect();
    all.iter().filter(|way| !(1..way.len()).any(|length| all.contains(&way[..length]))).cloned().collect()
}

/// The collections in which nothing is left when these go. Each of what goes is counted once where it stands.
pub(crate) fn emptied(stream: Value<'_, '_>, going: &BTreeSet<Vec<usize>>) -> HashSet<Vec<usize>> {
    let (mut left, mut empty) = (HashMap::default(), HashSet::default());
    let mut open: Vec<_> = going.iter().cloned().collect();
    while let Some(way) = open.pop() {
        let Some((_, parent)) = way.split_last() else { continue };
        let children = || stream.follow(parent).map_or(0, |value| value.children().len());
        let left = left.entry(parent.to_vec()).or_insert_with(children);
        *left = left.saturating_sub(1);
        if *left == 0 && empty.insert(parent.to_vec()) && !going.contains(parent) {
            open.push(parent.to_vec());
        }
    }
    empty
}

/// The way to what goes with a value: the outermost collection in which nothing is left.
pub(crate) fn with_empty_parents(way: &[usize], empty: &HashSet<Vec<usize>>) -> Vec<usize> {
    let lengths = (2..way.len()).rev().take_while(|length| empty.contains(&way[..*length]));
    way[..lengths.last().unwrap_or(way.len())].to_vec()
}

pub(crate) fn removed(stream: &Node<'_>, outline: &Outline<'_>, way: &[usize]) -> Option<Removed> {
    let (path, row) = found(stream, outline, way)?;
    let rows = row..outline[row].end;
    let (line, text) = match Value::of(stream, outline).follow(way)?.node() {
        Some(node) => (node.line(), first_line(node)),
        None => (outline[row].line, first_line_in_flow(stream, way)?),
    };
    Some(Removed { path, line, text, rows })
}

/// The path of what a way leads to, and its row.
pub(crate) fn found(stream: &Node<'_>, outline: &Outline<'_>, way: &[usize]) -> Option<(Path, RowId)> {
    let mut steps = Vec::new();
    let mut value = Value::of(stream, outline);
    for (depth, &at) in way.iter().enumerate() {
        let in_list = value.kind() == Kind::List;
        value = value.child(at)?;
        match value.name() {
            _ if depth == 0 => steps.extend(document(stream, at).map(Step::Document)),
            _ if in_list => steps.push(Step::Item(at)),
            name => steps.push(Step::Key(name.unwrap_or_default().to_owned())),
        }
    }
    Some((Path(steps), value.row()))
}

/// An entry of a flow collection as it is written.
fn first_line_in_flow(stream: &Node<'_>, way: &[usize]) -> Option<String> {
    let (node, below) = flow::holder(stream, way)?;
    flow::entry(node, below)
}

/// Which document the one at `at` is, where the file has several.
fn document(stream: &Node<'_>, at: usize) -> Option<usize> {
    let counted = |documents: &[Box<Node<'_>>]| documents.iter().filter(|document| is_document(document)).count();
    (counted(&stream.children) > 1).then(|| counted(&stream.children[..at]))
}

/// The first line of a node as it reads in a report: opener and value, `- ` and its first key.
pub(crate) fn first_line(node: &Node<'_>) -> String {
    let line = match &node.opener {
        Opener::Key(text) => format!("{text}:{}", node.value_text),
        Opener::Item { joined: true } => {
            let gap = " ".repeat(usize::try_from(node.indent - 1).unwrap_or(1));
            format!("-{gap}{}", node.children.first().map_or_else(String::new, |child| first_line(child)))
        }
        Opener::Item { joined: false } => format!("-{}", node.value_text),
        Opener::Document(document) if document.marker.is_some() => format!("---{}", node.value_text),
        Opener::Document(_) => match node.children.first() {
            Some(child) => first_line(child),
            None => node.continuation.first().map_or("", Line::trimmed).to_owned(),
        },
        Opener::Explicit(key) => key.lines.first().map_or("", Line::trimmed).to_owned(),
        Opener::CommentedOut { .. } => node.continuation.first().map_or("", Line::trimmed).to_owned(),
        Opener::Stream => node.value_text.to_string(),
    };
    line.trim_ascii().to_owned()
}

/// An alias stays whose value, at `target`, is deleted; nothing new comes in its place.
pub(crate) fn lost_anchor(source: &Source<'_>, outline: &Outline<'_>, removed: &[Removed], target: RowId) -> Error {
    let gone = |row: RowId| removed.iter().find(|removed| removed.rows.contains(&row));
    let needs_it = |kind| matches!(kind, RowKind::Alias(meant) if meant.row == target);
    let needs = |&(at, row): &(RowId, &Row<'_>)| needs_it(row.kind) && gone(at).is_none();
    let path = gone(target).map_or_else(String::new, |removed| removed.path.to_string());
    let what = format!("this alias needs what `--delete {path}` would remove");
    let Some((_, row)) = outline.all().find(needs) else {
        return Error::input(&what).in_file(source.name);
    };
    let line = source.lines.numbered(row.line);
    let column = line.find(&*row.text).map_or(1, |start| line[..start].chars().count() + 1);
    source.error(&what, Place { line: row.line, column }).help("delete the alias too, or write its value out")
}

/// Takes out what a way leads to. Nothing where that is inside of a flow collection that is not understood.
pub(crate) fn take(node: &mut Node<'_>, way: &[usize]) -> Option<()> {
    let (&at, below) = way.split_first()?;
    if flow::is_flow(node) {
        return flow::remove(node, way);
    }
    if below.is_empty() {
        node.children.remove(at);
        return Some(());
    }
    take(node.children.get_mut(at)?, below)
}

/// A flow collection was read otherwise than the reference parser read it: a bug of ours, and nothing is guessed.
fn not_understood(source: &Source<'_>) -> Error {
    Error::input("a path of `--delete` leads into a flow collection that yamlift does not understand")
        .in_file(source.name)
        .help("name the key that holds the collection, or write that as a block")
}
