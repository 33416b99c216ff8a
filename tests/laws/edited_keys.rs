//! Files of users with one key edited, with all that is below it. One that was commented out in an editor stays so, run after
//! run; one that was removed stays away with the old default, and another value stays.
//!
//! Editors and people comment a key out in four ways, and in files that other people wrote. So this is tried on the files of
//! `testdata` and not on generated ones, which have commented-out keys in places of their own.

use yamlift::{Base, Options};

use crate::oracle;
use crate::pairs::Pair;
use crate::tree::{Path, Step, Tree};

/// What becomes of the lines of a key; of the first four, where the `#` goes.
#[derive(Debug, Clone, Copy)]
enum Edit {
    /// At the margin, whatever stands behind it: `#  port: 80`.
    Margin,
    /// At the column of the key.
    Column,
    /// At the column of the key, with a blank: what most editors do.
    ColumnAndBlank,
    /// Before the first character of each line.
    Text,
    /// No `#` at all: the lines are removed.
    Removed,
    /// No `#` either: another value is all that the key has.
    Replaced,
}

const COMMENTED_OUT: [Edit; 4] = [Edit::Margin, Edit::Column, Edit::ColumnAndBlank, Edit::Text];

/// A user's file with one key edited.
pub(crate) struct EditedKey {
    pub(crate) pair: Pair,
    /// The file before.
    pub(crate) before: String,
    /// The way to the key, where there is one document.
    path: Option<Path>,
}

/// Files with a key of which nobody can tell what it is once it is commented out.
const AMBIGUOUS: [&str; 4] = [
    // An empty text at the margin has the comment below it.
    "upgrade/comments/comment-at-the-margin-before-a-deeper-one",
    // Three columns are no indentation that the rest of the file has.
    "upgrade/layout/indent-mixed-in-one-file",
    // Between two ``` it is the example that it was.
    "upgrade/base-comments/example-in-the-words-of-a-key-that-i-made-live",
    // Nothing is left of the file, and all that comes in stands in braces.
    "upgrade/anchors/an-anchor-on-a-key-that-its-own-value-refers-to",
];

/// A live key stands among the lines of a commented-out one. Commented out it is one of these and stays so; a release that
/// changed nothing writes it below them.
const AMONG_COMMENTED_OUT: &str = "upgrade/base-comments/live-key-among-commented-out-ones-stays-at-its-column";

/// Whether the pair is one of the user's files.
pub(crate) fn is_users(pair: &Pair) -> bool {
    let is_ambiguous = || AMBIGUOUS.iter().any(|name| pair.name.starts_with(name));
    pair.name.starts_with("upgrade/") && pair.name.ends_with("/current.yml") && !is_ambiguous()
}

/// Each live key of the current file commented out, in each way.
pub(crate) fn commented_out(pair: &Pair) -> Vec<EditedKey> {
    edited_as(pair, &COMMENTED_OUT)
}

/// The same, but for a live key among commented-out ones.
pub(crate) fn commented_out_in_own_place(pair: &Pair) -> Vec<EditedKey> {
    if pair.name.starts_with(AMONG_COMMENTED_OUT) { Vec::new() } else { commented_out(pair) }
}

/// Each live key of the current file removed. Where it was the only one in a key, that has no value then.
pub(crate) fn removed(pair: &Pair) -> Vec<EditedKey> {
    let is_left = |edit: &EditedKey| match (&edit.path, Tree::read(&edit.pair.current)) {
        (Some(path), Some(tree)) => {
            let inside = path.split_last().and_then(|(_, way)| tree.documents.first()?.find(way));
            inside.is_some_and(|map| !map.children().is_empty())
        }
        _ => false,
    };
    edited_as(pair, &[Edit::Removed]).into_iter().filter(is_left).collect()
}

/// Each live key of the current file with another value, a scalar.
pub(crate) fn replaced(pair: &Pair) -> Vec<EditedKey> {
    edited_as(pair, &[Edit::Replaced])
}

/// Each live key of the current file edited in these ways; keys in braces have no line of their own.
fn edited_as(pair: &Pair, edits: &[Edit]) -> Vec<EditedKey> {
    let Some(tree) = Tree::read(&pair.current) else { return Vec::new() };
    let lines: Vec<_> = pair.current.split('\n').collect();
    let mut found: Vec<EditedKey> = Vec::new();
    for (_, path, node) in tree.nodes() {
        let Some(block) = block(&lines, node.line, path.last()) else { continue };
        for &edit in edits {
            let current = edit.apply(&lines, block.clone());
            if found.iter().all(|other| other.pair.current != current) {
                let name = format!("{} line {} {edit:?}", pair.name, node.line);
                let path = Some(path.clone()).filter(|_| tree.documents.len() == 1);
                found.push(EditedKey {
                    before: pair.current.clone(),
                    pair: Pair { name, current, ..pair.clone() },
                    path,
                });
            }
        }
    }
    found
}

/// The lines of a key that starts its line, by their numbers from 0. What is commented out at the margin between them is one.
fn block(lines: &[&str], line: usize, key: Option<&Step>) -> Option<std::ops::Range<usize>> {
    let Some(Step::Key(name)) = key else { return None };
    let start = line - 1;
    let first = lines.get(start)?;
    if !first.trim_start_matches(' ').strip_prefix(name)?.trim_start().starts_with(':') {
        return None;
    }
    let column = indent(first);
    let is_comment = |line: &str| line.trim_start_matches(' ').starts_with('#');
    let is_inside =
        |line: &&str| line.trim().is_empty() || is_comment(line) || indent(line) > column || is_item(line, column);
    let may_be_outside = |line: &&&str| line.trim().is_empty() || (is_comment(line) && indent(line) <= column);
    let inside = lines[start + 1..].iter().take_while(|line| is_inside(line)).count();
    let outside = lines[start + 1..start + 1 + inside].iter().rev().take_while(may_be_outside).count();
    Some(start..start + 1 + inside - outside)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn is_item(line: &str, column: usize) -> bool {
    indent(line) == column && line[column..].starts_with("- ")
}

impl Edit {
    fn apply(self, lines: &[&str], block: std::ops::Range<usize>) -> String {
        let column = indent(lines[block.start]);
        let edit_line = |(at, line): (usize, &&str)| {
            if !block.contains(&at) || (line.trim().is_empty() && !matches!(self, Self::Removed | Self::Replaced)) {
                return Some((*line).to_owned());
            }
            let (at, hash) = match self {
                Self::Removed => return None,
                Self::Replaced => {
                    let key = line.find(": ").map_or(line.trim_end_matches(':'), |at| &line[..at]);
                    return (at == block.start).then(|| format!("{key}: another"));
                }
                Self::Margin => (0, "#"),
                Self::Column => (column, "#"),
                Self::ColumnAndBlank => (column, "# "),
                Self::Text => (indent(line), "# "),
            };
            Some(format!("{}{hash}{}", &line[..at], &line[at..]))
        };
        lines.iter().enumerate().filter_map(edit_line).collect::<Vec<_>>().join("\n")
    }
}

/// Law 3, and that the key is not switched on. What is no valid file any more is refused and no business of this law.
pub(crate) fn stays(edit: &EditedKey) -> Result<(), String> {
    let Ok(upgrade) = yamlift::upgrade(&edit.pair.current, &edit.pair.update, &Options::default()) else {
        return Ok(());
    };
    oracle::a_second_run_changes_nothing(&edit.pair)?;
    let is_live = |text: &str, path: &Path| {
        Tree::read(text).is_some_and(|tree| tree.documents.first().is_some_and(|root| root.find(path).is_some()))
    };
    match &edit.path {
        Some(path) if is_live(upgrade.text(), path) && !is_live(&edit.pair.current, path) => {
            Err(format!("{path:?} is switched on\n{}", upgrade.text()))
        }
        _ => Ok(()),
    }
}

/// A release that changed nothing changes nothing in a file with such an edit, byte for byte.
pub(crate) fn is_left_alone(edit: &EditedKey) -> Result<(), String> {
    let mut options = Options::default();
    options.base = Some(Base::from(edit.before.as_str()));
    match yamlift::upgrade(&edit.pair.current, &edit.before, &options) {
        Ok(upgrade) if upgrade.text() != edit.pair.current => {
            Err(format!("changed\n---- current\n{}\n---- result\n{}", edit.pair.current, upgrade.text()))
        }
        _ => Ok(()),
    }
}
