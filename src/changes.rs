//! From the merged tree and the merge's notes to the entries of a report.

use std::collections::{HashMap, HashSet};

use crate::anchors::Settled;
use crate::documents;
use crate::edit::{Removed, first_line};
use crate::merge::{Note, Noted};
use crate::outline::Outline;
use crate::path::{Path, Trail};
use crate::report::{Change, ChangeKind};
use crate::source::End;
use crate::tree::{Node, Opener, Origin};

/// A node that came in: where, on which line of the result, and its first line.
#[derive(Debug)]
pub(crate) struct Added {
    path: Path,
    line: usize,
    text: String,
}

/// The outermost nodes that came from the update; `lines` says where the writer put them, in the same order.
pub(crate) fn added(stream: &Node<'_>, lines: &[usize]) -> Vec<Added> {
    let mut found = Vec::with_capacity(lines.len());
    let several = stream.children.iter().filter(|document| documents::counts(document)).count() > 1;
    let counted = stream.children.iter().filter(|document| documents::counts(document));
    for (at, document) in counted.enumerate() {
        find_added(document, &Trail::Document(several.then_some(at)), &mut found);
    }
    found.into_iter().zip(lines).map(|((path, text), &line)| Added { path, line, text }).collect()
}

fn find_added(node: &Node<'_>, trail: &Trail<'_>, found: &mut Vec<(Path, String)>) {
    if node.origin == Origin::Update {
        found.push((trail.path(), first_line(node)));
        return;
    }
    for (at, child) in node.children.iter().enumerate() {
        let trail = match child.opener {
            Opener::Item { .. } => Trail::Item(trail, at),
            _ => Trail::Key(trail, &child.name),
        };
        find_added(child, &trail, found);
    }
}

/// What was done besides adding.
pub(crate) struct Told<'t, 'a> {
    /// The lines of the current file.
    pub(crate) lines: &'t [(&'a str, End)],
    pub(crate) removed: &'t [Removed],
    pub(crate) notes: &'t [Note],
}

impl<'t> Told<'t, '_> {
    /// The paths of everything that came in.
    pub(crate) fn added_paths(&self, added: &'t [Added]) -> HashSet<&'t Path> {
        let in_flow = self.notes.iter().filter(|note| matches!(note.what, Noted::AddedInFlow(_)));
        added.iter().map(|added| &added.path).chain(in_flow.map(|note| &note.path)).collect()
    }

    /// The maps that did not get all that the update has.
    pub(crate) fn left_out(&self) -> HashSet<Path> {
        self.notes.iter().filter(|note| note.what == Noted::NotInFlow).map(|note| note.path.clone()).collect()
    }

    /// On which lines of the current file each comment line stands; asked only where some were replaced.
    fn places_of_comments(&self) -> HashMap<&str, Vec<usize>> {
        let replaced = self.notes.iter().filter_map(|note| match &note.what {
            Noted::CommentReplaced { comment, .. } => comment.first(),
            _ => None,
        });
        let mut places: HashMap<_, Vec<_>> = replaced.map(|comment| (comment.as_str(), Vec::new())).collect();
        if !places.is_empty() {
            let comments = self.lines.iter().enumerate().filter(|(_, (text, _))| text.trim_start().starts_with('#'));
            for (at, (text, _)) in comments {
                if let Some(found) = places.get_mut(text.trim()) {
                    found.push(at + 1);
                }
            }
        }
        places
    }

    /// All entries of the report, in its order; `result` tells the lines.
    pub(crate) fn changes(&self, added: Vec<Added>, result: &Outline<'_>) -> Vec<Change> {
        let removed = self.removed.iter();
        let removed = removed.map(|gone| change(ChangeKind::Removed, &gone.path, gone.line, gone.text.clone()));
        let added = added.into_iter().map(|Added { path, line, text }| change(ChangeKind::Added, &path, line, text));
        let places = self.places_of_comments();
        let noted = self.notes.iter().map(|note| noted(note, result, &places));
        let mut changes: Vec<_> = removed.chain(added).chain(noted).collect();
        changes.sort_by_key(|change| (change.kind, change.line));
        changes
    }
}

fn change(kind: ChangeKind, path: &Path, line: usize, text: String) -> Change {
    Change { kind, path: path.to_string(), line, text }
}

fn noted(note: &Note, result: &Outline<'_>, comments: &HashMap<&str, Vec<usize>>) -> Change {
    let line = || note.path.row(result).map_or(1, |row| result.rows[row].line);
    let told = |kind, line, text| change(kind, &note.path, line, text);
    match &note.what {
        Noted::AddedInFlow(entry) => told(ChangeKind::Added, line(), entry.clone()),
        Noted::NotInFlow => told(ChangeKind::NotAdded, line(), "write it as a block to get them".to_owned()),
        Noted::KindDiffers { update } => told(ChangeKind::KindDiffers, line(), format!("the new file has {update}")),
        Noted::ItemLeft { candidates: 0 | 1 } => {
            told(ChangeKind::ItemLeftAlone, line(), "another item of yours is just as like the new one".to_owned())
        }
        Noted::ItemLeft { candidates } => {
            told(ChangeKind::ItemLeftAlone, line(), format!("{candidates} items of the new file are equally like it"))
        }
        Noted::Settled(settled) => told(ChangeKind::Alias, line(), words(settled)),
        Noted::CommentReplaced { line, comment } => {
            let places = comment.first().and_then(|first| comments.get(first.as_str()));
            let nearest = places.and_then(|lines| lines.iter().min_by_key(|found| found.abs_diff(*line)));
            told(ChangeKind::CommentReplaced, *nearest.unwrap_or(line), comment.join("\n"))
        }
    }
}

/// What was done so that an alias keeps its meaning, in words.
fn words(settled: &Settled) -> String {
    match settled {
        Settled::Put(name) => format!("&{name} put here, for an alias refers to it"),
        Settled::Renamed { from, to } => format!("&{to}, which was &{from}: both files have an anchor of that name"),
        Settled::Called { from, to } => format!("*{to}, which the new file calls *{from}"),
        Settled::Written(name) => format!("&{name} written here, where it is used first"),
        Settled::Before(other) => format!("stays before `{other}`, which refers to it"),
        Settled::Behind(other) => format!("stays behind `{other}`, which it refers to"),
    }
}
