//! What is taken out of the current file before the merge: `--delete`.
//!
//! All paths are looked up in the file as it is, so that indices count as before any deletion. What becomes empty goes
//! too (`upgrade.md` rule 7). An alias that meant something in there is settled after the
//! merge: it means what the update brings in its place, and where there is nothing the deletion is refused.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::documents;
use crate::error::{Error, Place};
use crate::outline::{Outline, Row, RowKind};
use crate::path::{self, Path, Step};
use crate::source::Source;
use crate::tree::{Line, Node, Opener};

/// A node that was taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Removed {
    pub(crate) path: Path,
    /// Its line in the current file.
    pub(crate) line: usize,
    /// Its first line, as written.
    pub(crate) text: String,
    /// Its rows in the outline of the current file.
    pub(crate) rows: Range<usize>,
}

/// What deletion did.
#[derive(Debug, Default)]
pub(crate) struct Deleted {
    pub(crate) removed: Vec<Removed>,
    /// Paths that name nothing.
    pub(crate) unknown: Vec<String>,
}

/// Takes out what the paths name, each with the comment above it.
pub(crate) fn delete(stream: &mut Node<'_>, outline: &Outline<'_>, paths: &[String]) -> Result<Deleted, Error> {
    let mut deleted = Deleted::default();
    let mut ways = BTreeSet::new();
    for path in paths {
        match path::find(stream, outline, path)? {
            Some(way) => _ = ways.insert(with_empty_parents(stream, way, &ways)),
            None => deleted.unknown.push(path.clone()),
        }
    }
    let ways = outermost(stream, &ways);
    deleted.removed = ways.iter().map(|way| removed(stream, outline, way)).collect();
    for way in ways.iter().rev() {
        take(stream, way);
    }
    Ok(deleted)
}

/// The way to what goes with a node: the outermost collection in which nothing would be left.
fn with_empty_parents(stream: &Node<'_>, mut way: Vec<usize>, gone: &BTreeSet<Vec<usize>>) -> Vec<usize> {
    while way.len() > 2 {
        let parent = &way[..way.len() - 1];
        let node = at(stream, parent);
        let all_gone = (0..node.children.len()).all(|child| {
            let child = [parent, &[child]].concat();
            child == way || gone.contains(&child)
        });
        if !all_gone {
            break;
        }
        way.pop();
    }
    way
}

/// Leaves out what stands inside of something that goes as well.
fn outermost(stream: &Node<'_>, ways: &BTreeSet<Vec<usize>>) -> Vec<Vec<usize>> {
    let all: BTreeSet<_> = ways.iter().map(|way| with_empty_parents(stream, way.clone(), ways)).collect();
    all.iter().filter(|way| !(1..way.len()).any(|length| all.contains(&way[..length]))).cloned().collect()
}

fn at<'n, 'a>(stream: &'n Node<'a>, way: &[usize]) -> &'n Node<'a> {
    way.iter().fold(stream, |node, &at| &node.children[at])
}

fn removed(stream: &Node<'_>, outline: &Outline<'_>, way: &[usize]) -> Removed {
    let mut steps = Vec::new();
    let mut node = stream;
    for (depth, &at) in way.iter().enumerate() {
        node = &node.children[at];
        match &node.opener {
            Opener::Item { .. } => steps.push(Step::Item(at)),
            _ if depth > 0 => steps.push(Step::Key(node.name.to_string())),
            _ => steps.extend(document(stream, at).map(Step::Document)),
        }
    }
    let rows = node.row..outline.rows[node.row].end;
    Removed { path: Path(steps), line: node.line, text: first_line(node), rows }
}

/// Which document the one at `at` is, where the file has several.
fn document(stream: &Node<'_>, at: usize) -> Option<usize> {
    let counted = |documents: &[Node<'_>]| documents.iter().filter(|document| documents::counts(document)).count();
    (counted(&stream.children) > 1).then(|| counted(&stream.children[..at]))
}

/// The first line of a node as it reads in a report: opener and value, `- ` and its first key.
pub(crate) fn first_line(node: &Node<'_>) -> String {
    let line = match &node.opener {
        Opener::Key(text) => format!("{text}:{}", node.rest),
        Opener::Item { joined: true } => {
            let gap = " ".repeat(usize::try_from(node.indent - 1).unwrap_or(1));
            format!("-{gap}{}", node.children.first().map_or_else(String::new, first_line))
        }
        Opener::Item { joined: false } => format!("-{}", node.rest),
        Opener::Document { marker: Some(_) } => format!("---{}", node.rest),
        Opener::Document { marker: None } => node.children.first().map_or_else(String::new, first_line),
        Opener::Explicit(key) => key.lines.first().map_or("", Line::trimmed).to_owned(),
        Opener::Stream => node.rest.to_string(),
    };
    line.trim().to_owned()
}

/// An alias stays whose value, at `target`, is deleted; nothing new comes in its place.
pub(crate) fn lost_anchor(source: &Source<'_>, outline: &Outline<'_>, removed: &[Removed], target: usize) -> Error {
    let gone = |row: usize| removed.iter().find(|removed| removed.rows.contains(&row));
    let needs = |&(at, row): &(usize, &Row<'_>)| row.kind == RowKind::Alias(target) && gone(at).is_none();
    let path = gone(target).map_or_else(String::new, |removed| removed.path.to_string());
    let what = format!("this alias needs what `--delete {path}` would remove");
    let Some((_, row)) = outline.rows.iter().enumerate().find(needs) else {
        return Error::input(&what).in_file(source.name);
    };
    let line = source.lines.get(row.line - 1).map_or("", |line| line.0);
    let column = line.find(&*row.text).map_or(1, |start| line[..start].chars().count() + 1);
    source.error(&what, Place { line: row.line, column }).help("delete the alias too, or write its value out")
}

fn take(stream: &mut Node<'_>, way: &[usize]) {
    if let Some((&last, parents)) = way.split_last() {
        let parent = parents.iter().fold(stream, |node, &at| &mut node.children[at]);
        parent.children.remove(last);
    }
}
