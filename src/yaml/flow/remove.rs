//! Takes an entry out of a flow collection, with its comma and its comment, and leaves all else as it is.

use std::ops::Range;

use super::parse::{Collection, Entry};
use super::text::{Edit, Text};
use crate::text::scan;
use crate::yaml::tree::{Node, Shape};

/// The first line of the entry at the end of a way of child indices, as written.
pub(crate) fn entry(node: &Node<'_>, way: &[usize]) -> Option<String> {
    let text = Text::of(node);
    let root = text.collection()?;
    let (collection, at) = root.find(way)?;
    let entry = &collection.entries[at];
    text.all[entry.start..entry.end].lines().next().map(str::to_owned)
}

/// Takes out the entry at the end of a way of child indices. With the last one of all the collection itself goes, and
/// leaves a node without a value.
pub(crate) fn remove(node: &mut Node<'_>, way: &[usize]) -> Option<()> {
    let text = Text::of(node);
    let root = text.collection()?;
    let (collection, at) = root.find(way)?;
    if root.entries.len() == 1 && way.len() == 1 {
        text.write(vec![Edit::remove(whole(&text, &root))], node);
        node.shape = Shape::Open;
        return Some(());
    }
    let edits = Removal { text: &text, collection, at }.edits();
    text.write(edits, node);
    Some(())
}

/// A collection with what stands before it on its line; the comment behind it stays.
fn whole(text: &Text<'_>, root: &Collection) -> Range<usize> {
    let start = text.line_start(text.line_of(root.start));
    let end = text.line_end(text.line_of(root.end));
    let alone = text.all[root.end..end].trim_ascii().is_empty();
    if alone { start.saturating_sub(1)..end } else { start..root.end }
}

/// Takes the entry at a place out of a collection.
pub(super) struct Removal<'r, 'a> {
    pub(super) text: &'r Text<'a>,
    pub(super) collection: &'r Collection,
    pub(super) at: usize,
}

impl Removal<'_, '_> {
    pub(super) fn edits(&self) -> Vec<Edit> {
        let last = self.at + 1 == self.collection.entries.len();
        if let Some(lines) = self.own_lines() {
            let without_comma = last && self.entry().comma.is_none() && !self.leads();
            let comma = without_comma.then(|| self.comma_before()).flatten();
            return comma.into_iter().chain([Edit::remove(lines)]).collect();
        }
        if last { self.last() } else { vec![Edit::remove(self.among_others())] }
    }

    /// What goes with an entry before another, whatever goes behind it: its lines, or what stands up to the next one on its line.
    /// Nothing where that cannot be said.
    pub(super) fn whatever_goes_behind(&self) -> Option<Range<usize>> {
        let ends_line = || self.text.ends_line(self.entry().own_end());
        self.own_lines().or_else(|| (!ends_line()).then(|| self.among_others()))
    }

    /// Whether commas start the line of the entry or of the next one: then what goes of one is on the lines of the other.
    pub(super) fn is_beside_leading_comma(&self) -> bool {
        let entry = self.entry();
        let is_below = |comma| self.text.line_of(comma) != self.text.line_of(entry.end);
        self.leads() || entry.comma.is_some_and(is_below)
    }

    fn entry(&self) -> &Entry {
        &self.collection.entries[self.at]
    }

    fn before(&self) -> Option<&Entry> {
        self.collection.entries.get(self.at.checked_sub(1)?)
    }

    /// The offset behind what stands before the entry: a comma, or the opening bracket.
    fn start_of_gap(&self) -> usize {
        self.before().map_or(self.collection.start + 1, Entry::own_end)
    }

    /// Whether the comma before the entry starts its line: `, b: 2`.
    fn leads(&self) -> bool {
        let comma = self.before().and_then(|entry| entry.comma);
        let same_line = |comma: &usize| self.text.line_of(*comma) == self.text.line_of(self.entry().start);
        comma.filter(same_line).is_some_and(|comma| self.text.starts_line(comma))
    }

    /// The entry's lines with the comment above it, where it has lines of its own.
    fn own_lines(&self) -> Option<Range<usize>> {
        let (text, entry) = (self.text, self.entry());
        let leads = self.leads();
        let end = if leads { entry.end } else { entry.own_end() };
        let alone = (leads || text.starts_line(entry.start)) && text.ends_line(end);
        if !alone {
            return None;
        }
        let gap = if leads { self.before()?.end } else { self.start_of_gap() };
        let first = text.line_start(text.line_of(gap) + 1);
        Some(first..text.line_start(text.line_of(end) + 1))
    }

    /// The last entry of a map without a trailing comma leaves none behind.
    fn comma_before(&self) -> Option<Edit> {
        let before = self.before()?;
        let comma = before.comma?;
        let start = self.text.before_blanks(comma).max(before.end.min(comma));
        Some(Edit::remove(start..comma + 1))
    }

    fn has_comment(&self, range: Range<usize>) -> bool {
        self.text.all[range].lines().any(|line| scan::comment_start(line).is_some())
    }

    fn last(&self) -> Vec<Edit> {
        let (text, entry) = (self.text, self.entry());
        let trailing = entry.comma.is_some();
        let start = match self.before() {
            Some(before) if !trailing => before.end,
            _ => self.start_of_gap(),
        };
        if !self.has_comment(start..entry.start) {
            return vec![Edit::remove(start..entry.own_end())];
        }
        let comma = if trailing { None } else { self.comma_before() };
        let end = entry.own_end();
        let blanks = text.all[end..].len() - text.all[end..].trim_start_matches([' ', '\t']).len();
        comma.into_iter().chain([Edit::remove(entry.start..end + blanks)]).collect()
    }

    /// An entry behind which another one stands.
    fn among_others(&self) -> Range<usize> {
        let (text, entry) = (self.text, self.entry());
        let end = entry.own_end();
        let next = self.collection.entries[self.at + 1].start;
        if !text.ends_line(end) || text.starts_line(entry.start) {
            let line_end = text.line_end(text.line_of(end));
            let blanks = text.all[end..].len() - text.all[end..].trim_start_matches([' ', '\t']).len();
            return entry.start..(end + blanks).min(line_end);
        }
        let behind_bracket = self.at == 0 && text.line_of(self.collection.start) == text.line_of(entry.start);
        match () {
            () if behind_bracket && !self.has_comment(end..next) => entry.start..next,
            () if behind_bracket => self.collection.start + 1..text.line_end(text.line_of(end)),
            () => text.before_blanks(entry.start)..end,
        }
    }
}
