//! A map that has grown too long for its line gets one entry a line.

use foldhash::HashSet;

use super::parse::{Collection, Entry};
use super::text::{Edit, Text};
use crate::yaml::tree::{Node, Offset, Opener};

/// Where a node stands, and how far blocks of its file are indented.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Indentation {
    pub(crate) column: i32,
    pub(crate) step: i32,
}

/// A map stays on its line up to this many columns.
const WIDTH: usize = 120;

/// Breaks the maps on lines that have become too long, the outermost first. `whole` holds what stays on its line however
/// long: lines that are the user's as they were, and entries that came in.
pub(crate) fn fit(node: &mut Node<'_>, whole: &HashSet<String>, indentation: Indentation) {
    loop {
        let text = Text::of(node);
        let Some(root) = text.collection() else { return };
        let are_whole = text.lines().map(|line| whole.contains(line)).collect();
        let mut fitting =
            Fitting { text: &text, opener: opener(node), whole, are_whole, indentation, edits: Vec::new() };
        fitting.find(&root);
        let edits = fitting.edits;
        if edits.is_empty() {
            return;
        }
        text.write(edits, node);
    }
}

/// The lines of a value, as they are now.
pub(crate) fn lines(node: &Node<'_>) -> HashSet<String> {
    Text::of(node).all.lines().map(str::to_owned).collect()
}

/// How many columns a node takes before its value starts, and how far right of it a value that starts on its line is laid
/// out: below the key, or beside the dash.
fn opener(node: &Node<'_>) -> (usize, i32) {
    let blanks = node.value_text.len() - node.value_text.trim_start_matches(' ').len();
    match &node.opener {
        Opener::Key(key) => (key.chars().count() + 1, 0),
        Opener::Item { .. } | Opener::Explicit(_) => (1, 1 + i32::try_from(blanks).unwrap_or(0)),
        Opener::Document(document) if document.marker.is_some() => (4, 1),
        _ => (0, 1),
    }
}

struct Fitting<'f, 'a> {
    text: &'f Text<'a>,
    /// How many columns the node takes before its value, and how far right of it that is laid out.
    opener: (usize, i32),
    whole: &'f HashSet<String>,
    /// For each line whether it is one of those.
    are_whole: Vec<bool>,
    indentation: Indentation,
    edits: Vec<Edit>,
}

impl Fitting<'_, '_> {
    fn find(&mut self, collection: &Collection) {
        let line = self.text.line_of(collection.start);
        let one_line = line == self.text.line_of(collection.end);
        if collection.map && one_line && !collection.entries.is_empty() && self.is_too_wide(line, collection.end) {
            return self.break_lines(collection, line);
        }
        let old = |entry: &&Entry| !self.whole.contains(&self.text.all[entry.start..entry.end]);
        for inner in collection.entries.iter().filter(old).filter_map(|entry| entry.value.as_ref()).collect::<Vec<_>>()
        {
            self.find(inner);
        }
    }

    fn is_too_wide(&self, line: usize, end: usize) -> bool {
        let width = self.text.all[self.text.line_start(line)..end].chars().take(WIDTH + 1).count();
        let stands = match self.text.stands(line) {
            None => self.indentation.column + i32::try_from(self.opener.0).unwrap_or(i32::MAX),
            Some(Offset::Beside(by)) => self.indentation.column + by,
            Some(Offset::Margin | Offset::CommentedOut(_)) => 0,
        };
        usize::try_from(stands).unwrap_or(0) + width > WIDTH && !self.are_whole[line]
    }

    /// Only white space changes: a line for each entry, and one for the closing bracket below the start of the first.
    fn break_lines(&mut self, collection: &Collection, line: usize) {
        let base = match self.text.stands(line) {
            None => self.opener.1,
            Some(Offset::Beside(by)) => by,
            Some(Offset::Margin | Offset::CommentedOut(_)) => -self.indentation.column,
        };
        let inner = Offset::Beside(base + self.indentation.step);
        let mut behind = collection.start + 1;
        for entry in &collection.entries {
            self.break_line(behind, entry.start, inner);
            behind = entry.own_end();
        }
        self.break_line(behind, collection.end - 1, Offset::Beside(base));
    }

    fn break_line(&mut self, start: usize, end: usize, offset: Offset) {
        self.edits.push(Edit { range: start..end, text: String::new(), lines: vec![(offset, String::new())] });
    }
}
