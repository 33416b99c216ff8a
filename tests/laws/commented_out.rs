//! Commented-out keys that came in: what is told of them is what the outlines of both files show.
//!
//! Items are not told apart here, so a key that came into one of several is looked at only where none of them had it.

use std::collections::HashSet;

use yamlift::{Change, ChangeKind, Report};

use crate::lines::cut;
use crate::oracle::Seen;

/// A line of an outline: the line of the file, the labels on the way to it, and whether it is commented out.
struct Entry {
    line: usize,
    path: Vec<String>,
    is_commented_out: bool,
}

/// A commented-out item. What stands inside of one is told by nobody: it has no number.
const ITEM: &str = "# -";

/// The lines of an outline; those of items are all alike.
fn entries(text: &str) -> Vec<Entry> {
    let outline = yamlift::outline(text).unwrap_or_default();
    let (mut path, mut entries) = (Vec::new(), Vec::new());
    for line in outline.lines() {
        let Some((number, row)) = line.split_once('|') else { continue };
        let row = row.strip_prefix(' ').unwrap_or(row);
        let label = row.trim_start_matches(' ');
        let name = label.strip_prefix("# ").and_then(|label| label.strip_suffix(": commented out"));
        let own = name.or_else(|| label.strip_suffix(':')).or_else(|| label.split(": ").next()).unwrap_or(label);
        path.truncate((row.len() - label.len()) / 2);
        path.push(
            if label.starts_with('-') {
                "-"
            } else if label.starts_with(ITEM) {
                ITEM
            } else {
                own
            }
            .to_owned(),
        );
        let line = number.trim().parse().unwrap_or(0);
        entries.push(Entry { line, path: path.clone(), is_commented_out: name.is_some() });
    }
    entries
}

fn is_told(change: &Change) -> bool {
    matches!(change.kind, ChangeKind::AddedCommentedOut | ChangeKind::NowCommentedOut)
}

/// Law 6: each commented-out key that came into something that the user had is told, and none that was there.
pub(crate) fn what_came_in_is_told(seen: &Seen<'_>) -> Result<(), String> {
    let documents = seen.current.documents.len().max(seen.update.documents.len());
    let told: HashSet<_> =
        seen.upgrade.report().changes().iter().filter(|change| is_told(change)).map(|change| change.line).collect();
    let before = entries(&seen.pair.current);
    let had: HashSet<_> = before.iter().map(|entry| &entry.path[..]).collect();
    let had_live: HashSet<_> =
        before.iter().filter(|entry| !entry.is_commented_out).map(|entry| &entry.path[..]).collect();
    // A comment that is no key in the update may come to stand where it could be one, and of two examples one may go.
    let (lines, result) = (cut(&seen.pair.current), cut(seen.upgrade.text()));
    let comments: HashSet<_> = lines.iter().map(|line| line.trim()).collect();
    let update = entries(&seen.pair.update);
    let offered: HashSet<_> = update.iter().map(|entry| &entry.path[..]).collect();
    let after = entries(seen.upgrade.text());
    let is_live: HashSet<_> =
        after.iter().filter(|entry| !entry.is_commented_out).map(|entry| &entry.path[..]).collect();
    let added: HashSet<_> = added_lines(seen.upgrade.report());
    for (at, entry) in after.iter().enumerate().filter(|(_, entry)| entry.is_commented_out) {
        let (_, above) = entry.path.split_last().unwrap_or((&entry.path[0], &[]));
        // What stands in a key that is live now came with that key.
        let had_above = if is_live.contains(above) { had_live.contains(above) } else { had.contains(above) };
        let is_new = !had.contains(&entry.path[..]) && (above.is_empty() || had_above);
        let came = offered.contains(&entry.path[..]) && !comments.contains(result[entry.line - 1].trim());
        let name = entry.path.last().map(|name| format!("{name}:")).unwrap_or_default();
        let is_example = comments.iter().any(|line| line.trim_start_matches(['#', ' ']).starts_with(&name));
        let is_in_item = entry.path.iter().any(|label| label == ITEM);
        // One of several items may have got it with a key that another one had.
        let is_new_key = |line| added.contains(line) || told.contains(line);
        let came_with_key = around(&after[..at], entry).any(|above| is_new_key(&above.line));
        let is_told = came_with_key || told.contains(&entry.line);
        if is_new && came && !is_in_item && !is_example && documents < 2 && !is_told {
            return Err(format!("nothing is told of the commented-out key {:?} on line {}", entry.path, entry.line));
        }
    }
    Ok(())
}

/// The lines of keys that were added.
fn added_lines(report: &Report) -> HashSet<usize> {
    report.changes().iter().filter(|change| change.kind == ChangeKind::Added).map(|change| change.line).collect()
}

/// The entries that one stands in, of those before it.
fn around<'e>(before: &'e [Entry], entry: &'e Entry) -> impl Iterator<Item = &'e Entry> {
    let mut depth = entry.path.len();
    before.iter().rev().filter(move |above| {
        let is_around = above.path.len() < depth && entry.path.starts_with(&above.path);
        if is_around {
            depth = above.path.len();
        }
        is_around
    })
}

/// The line that is told of is the comment that the report shows, and what is told as new is not live in the current file.
pub(crate) fn is_there(seen: &Seen<'_>, change: &Change) -> Result<(), String> {
    let lines = cut(seen.upgrade.text());
    let line = change.line.checked_sub(1).and_then(|at| lines.get(at)).map_or("", |line| line.trim());
    if !line.starts_with('#') || !change.text.starts_with(line) {
        return Err(format!("the report shows another line\n{change:?}\n{line:?}"));
    }
    let is_shown = |entry: &Entry| entry.line == change.line && entry.is_commented_out;
    if entries(seen.upgrade.text()).iter().any(is_shown) {
        Ok(())
    } else {
        Err(format!("no commented-out key is there\n{change:?}"))
    }
}
