//! Takes many entries out of a flow collection.
//!
//! What goes whatever else goes is taken out at once: an entry on lines of its own, one before another on its line, and the last
//! one behind another that stays. What is left is at the ends of lines and of collections, where it matters what stands there
//! then, and goes one by one, the last one first.

use foldhash::HashSet;

use super::parse::Collection;
use super::remove::{Removal, remove};
use super::text::{Edit, Text};
use crate::yaml::outline::Outline;
use crate::yaml::row::RowId;
use crate::yaml::tree::Node;

/// Takes the entries of some rows out of the collection of a node; nothing where it is not understood.
pub(super) fn take_out(node: &mut Node<'_>, outline: &Outline<'_>, gone: &HashSet<RowId>) -> Option<()> {
    if gone.is_empty() {
        return Some(());
    }
    let row = node.row?;
    let text = Text::of(node);
    let root = text.collection()?;
    let mut at_once = AtOnce { text: &text, outline, gone, edits: Vec::new(), done: HashSet::default() };
    at_once.collection(&root, row)?;
    let AtOnce { edits, done, .. } = at_once;
    text.write(edits, node);
    let mut rest = Rest { outline, gone, done: &done, way: Vec::new(), found: Vec::new() };
    rest.collect(row);
    rest.found.iter().rev().try_for_each(|way| remove(node, way))
}

/// What goes at once.
struct AtOnce<'r, 'a> {
    text: &'r Text<'a>,
    outline: &'r Outline<'a>,
    gone: &'r HashSet<RowId>,
    edits: Vec<Edit>,
    done: HashSet<RowId>,
}

impl AtOnce<'_, '_> {
    fn collection(&mut self, collection: &Collection, row: RowId) -> Option<()> {
        let rows: Vec<_> = self.outline.children(row).collect();
        if rows.len() != collection.entries.len() {
            return None;
        }
        for (at, (entry, &row)) in collection.entries.iter().zip(&rows).enumerate() {
            if !self.gone.contains(&row) {
                let Some(inner) = &entry.value else { continue };
                let is_map = entry.pair && !collection.map;
                self.collection(inner, if is_map { self.outline.children(row).next()? } else { row })?;
            } else if let Some(edits) = self.whatever_else_goes((collection, &rows), at) {
                self.edits.extend(edits);
                self.done.insert(row);
            }
        }
        Some(())
    }

    /// What takes an entry out that goes, whatever else goes; nothing where that matters.
    fn whatever_else_goes(&self, (collection, rows): (&Collection, &[RowId]), at: usize) -> Option<Vec<Edit>> {
        let removal = Removal { text: self.text, collection, at };
        if removal.is_beside_leading_comma() {
            return None;
        }
        if at + 1 < rows.len() {
            return removal.whatever_goes_behind().map(|range| vec![Edit::remove(range)]);
        }
        let before = at.checked_sub(1).map(|before| rows[before]);
        before.filter(|before| !self.gone.contains(before)).map(|_| removal.edits())
    }
}

/// The ways of child indices to what is left to go, in the order of the text.
struct Rest<'g, 'a> {
    outline: &'g Outline<'a>,
    gone: &'g HashSet<RowId>,
    done: &'g HashSet<RowId>,
    way: Vec<usize>,
    found: Vec<Vec<usize>>,
}

impl Rest<'_, '_> {
    fn collect(&mut self, row: RowId) {
        let (outline, done) = (self.outline, self.done);
        for (at, child) in outline.children(row).filter(|child| !done.contains(child)).enumerate() {
            self.way.push(at);
            if self.gone.contains(&child) {
                self.found.push(self.way.clone());
            } else {
                self.collect(child);
            }
            self.way.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::source::Source;
    use crate::yaml::check;

    /// What is left of a collection in a file without some of its entries, taken out at once or one by one.
    fn left(text: &str, going: &[usize], at_once: bool) -> String {
        let source = Source::new("file", text).unwrap();
        let mut checked = check::read(&source).unwrap();
        let node = &mut checked.stream.children[0].children[0];
        let outline = &checked.outline;
        let rows: Vec<_> = outline.children(node.row.unwrap()).collect();
        if at_once {
            take_out(node, outline, &going.iter().map(|&at| rows[at]).collect()).unwrap();
        } else {
            going.iter().rev().for_each(|&at| remove(node, &[at]).unwrap());
        }
        let lines = node.continuation.iter().map(|line| format!("\n{}", line.trimmed()));
        format!("{}{}", node.value_text, lines.collect::<String>())
    }

    /// The entries of a collection without their layout and comments.
    fn entries(text: &str) -> String {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        lines.filter_map(|line| line.split("  #").next()).flat_map(|line| line.split(' ')).collect()
    }

    #[test]
    fn what_goes_at_once_leaves_the_entries_that_are_left_one_by_one() {
        let between = [", ", ",\n  ", ",  # of it\n  ", ",\n  # above\n  ", "\n  , "];
        for (start, end) in [("[", "]"), ("[\n  ", "\n  ]"), ("[ ", ", ]"), ("[\n  # first\n  ", ",  # last\n  ]")] {
            for choice in 0..between.len().pow(3) {
                let gaps = [0, 1, 2].map(|gap| between[choice / between.len().pow(gap) % between.len()]);
                let text = format!("l: {start}a{}b{}c{}d{end}\n", gaps[0], gaps[1], gaps[2]);
                for set in 1..16_usize {
                    let going: Vec<_> = (0..4).filter(|at| set & (1 << at) != 0).collect();
                    let [at_once, one_by_one] = [true, false].map(|at_once| entries(&left(&text, &going, at_once)));
                    assert_eq!(at_once, one_by_one, "{going:?} of {text}");
                }
            }
        }
    }

    #[test]
    fn comments_and_line_breaks_of_what_goes_at_once_go_with_it() {
        let table = [
            ("[a, b, c, d]", &[1, 2][..], "[a, d]"),
            ("[a,\n  # above\n  b,\n  c, d]", &[1, 2, 3], "[a]"),
            ("[a,\n  b,  # of it\n  c, d]", &[1, 2, 3], "[a]"),
            ("[\n  a,\n  b,\n  c,\n  d\n  ]", &[1, 2], "[\na,\nd\n]"),
        ];
        for (list, going, expected) in table {
            assert_eq!(left(&format!("l: {list}\n"), going, true).trim_start(), expected);
        }
    }
}
