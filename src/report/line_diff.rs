//! How two files differ line by line, without the lines that only moved or were indented otherwise.
//!
//! A line is known by its words and by the keys that it stands below, so `enabled: true` of one section is never taken for
//! that of another. Comments are known by their words alone.

mod side_by_side;

use foldhash::HashMap;
use std::fmt::{self, Write as _};
use std::hash::{BuildHasher, Hash};

use serde::Serialize;
use similar::{Algorithm, ChangeTag, DiffOp, DiffTag, TextDiff};

pub(crate) use self::side_by_side::{LineState, Row, Side};
use crate::text::diff::diff;
use crate::text::source;
use crate::yaml::outline::Outline;

/// How many lines differ in nothing that a program reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Layout {
    /// Lines that stand elsewhere or are indented otherwise, and nothing else.
    pub(crate) lines: usize,
    /// Comment lines that came in.
    pub(crate) comments_added: usize,
    /// Comment lines that went.
    pub(crate) comments_removed: usize,
}

impl fmt::Display for Layout {
    /// One line, or none where there is nothing to say.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = |count: usize| if count == 1 { "1 line".to_owned() } else { format!("{count} lines") };
        let counts = [
            (self.lines, "only moved or indented otherwise"),
            (self.comments_added, "of comments came in"),
            (self.comments_removed, "of comments gone"),
        ];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<_> = counts.map(|(count, what)| format!("{} {what}", lines(count))).collect();
        if counts.is_empty() { Ok(()) } else { writeln!(f, "Layout: {}.", counts.join(", ")) }
    }
}

/// A line of the result of a comparison: what it is in each file, by its number from 0.
#[derive(Debug, Clone, Copy)]
struct Entry {
    sign: char,
    old: Option<usize>,
    new: Option<usize>,
}

/// How the lines of two files differ.
#[derive(Debug)]
pub(crate) struct LineDiff {
    entries: Vec<Entry>,
    /// What the path of each line of the old and of the new text is known by; 0 where it has none.
    places: [Vec<u64>; 2],
    pub(crate) layout: Layout,
}

/// How changed lines are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// As a line that went and one that came.
    Lines,
    /// The words that went and came, inside of their line.
    Words,
}

impl LineDiff {
    /// Compares two texts, each with its outline.
    pub(crate) fn between((old, before): (&str, &Outline<'_>), (new, after): (&str, &Outline<'_>)) -> Self {
        let hasher = foldhash::fast::FixedState::default();
        let (old, new) = (keys(old, before, &hasher), keys(new, after, &hasher));
        let ops = diff(Algorithm::Myers, &old, &new);
        let places = [&old, &new].map(|keys| keys.iter().map(|key| key.place).collect());
        let mut diff = Self { entries: Vec::new(), places, layout: Layout::default() };
        let mut moved = moved(&ops, &old, &new);
        for op in ops {
            diff.add(op, (&old, &new), &mut moved);
        }
        diff
    }

    fn add<'t>(&mut self, op: DiffOp, (old, new): (&[Key<'t>], &[Key<'t>]), moved: &mut Moved<'t>) {
        if op.tag() == DiffTag::Equal {
            for (before, after) in op.old_range().zip(op.new_range()) {
                self.layout.lines += usize::from(old[before].whole != new[after].whole);
                self.entries.push(Entry { sign: ' ', old: Some(before), new: Some(after) });
            }
            return;
        }
        for at in op.old_range().filter(|&at| !old[at].is_blank()) {
            if !take(&mut moved.gone, old[at]) {
                self.layout.comments_removed += usize::from(old[at].is_comment());
                self.entries.push(Entry { sign: '-', old: Some(at), new: None });
            }
        }
        for at in op.new_range() {
            let is_moved = take(&mut moved.came, new[at]);
            self.layout.lines += usize::from(is_moved);
            let sign = if is_moved || new[at].is_blank() { ' ' } else { '+' };
            self.layout.comments_added += usize::from(sign == '+' && new[at].is_comment());
            self.entries.push(Entry { sign, old: None, new: Some(at) });
        }
    }

    /// How many lines the comparison shows.
    pub(crate) fn shown(&self) -> usize {
        self.groups().iter().map(|group| group.len()).sum()
    }

    /// What differs, as a diff that is headed by these two names, from the lines of both texts as they may be shown.
    pub(crate) fn text(&self, names: [&str; 2], texts: [&str; 2], detail: Detail) -> String {
        let [old, new] = texts.map(|text| source::lines(text).collect::<Vec<_>>());
        let line = |entry: &Entry| match (entry.old, entry.new) {
            (_, Some(at)) => new.get(at).copied().unwrap_or_default(),
            (Some(at), None) => old.get(at).copied().unwrap_or_default(),
            (None, None) => "",
        };
        let groups = self.groups();
        let mut out = if groups.is_empty() { String::new() } else { format!("--- {}\n+++ {}\n", names[0], names[1]) };
        for group in groups {
            out.push_str(&header(group));
            match detail {
                Detail::Lines => group.iter().for_each(|entry| _ = writeln!(out, "{}{}", entry.sign, line(entry))),
                Detail::Words => in_words(group, &line, &mut out),
            }
        }
        out
    }

    /// What differs, with up to three lines around it.
    fn groups(&self) -> Vec<&[Entry]> {
        let differing = (0..self.entries.len()).filter(|&at| self.entries[at].sign != ' ');
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for at in differing {
            let (start, end) = (at.saturating_sub(CONTEXT), (at + CONTEXT + 1).min(self.entries.len()));
            match ranges.last_mut() {
                Some((_, last)) if start <= *last => *last = end,
                _ => ranges.push((start, end)),
            }
        }
        ranges.into_iter().filter_map(|(start, end)| self.entries.get(start..end)).collect()
    }
}

/// How many lines are shown around what differs.
const CONTEXT: usize = 3;

/// Which lines a group is of, as a unified diff says it; lines that only moved are counted.
fn header(group: &[Entry]) -> String {
    let range = |of: fn(&Entry) -> Option<usize>| {
        let (first, last) = (group.iter().find_map(of), group.iter().rev().find_map(of));
        first.zip(last).map_or_else(|| "0,0".to_owned(), |(first, last)| format!("{},{}", first + 1, last + 1 - first))
    };
    format!("@@ -{} +{} @@\n", range(|entry| entry.old), range(|entry| entry.new))
}

/// Lines that were replaced by as many others are told by their words.
fn in_words<'t>(group: &[Entry], line: &impl Fn(&Entry) -> &'t str, out: &mut String) {
    let mut rest = group;
    while let Some(first) = rest.first() {
        let run = |sign: char, of: &[Entry]| of.iter().take_while(|entry| entry.sign == sign).count();
        let gone = run('-', rest);
        let came = run('+', &rest[gone..]);
        if gone > 0 && gone == came {
            let (old, new) = rest[..gone + came].split_at(gone);
            for (old, new) in old.iter().zip(new) {
                let _ = writeln!(out, "~{}", words(line(old), line(new)));
            }
            rest = &rest[gone + came..];
        } else {
            let _ = writeln!(out, "{}{}", first.sign, line(first));
            rest = &rest[1..];
        }
    }
}

/// A line with the words that went and came: `port: [-80-]{+8080+}`.
fn words(old: &str, new: &str) -> String {
    let diff = TextDiff::from_words(old, new);
    let mut out = String::new();
    let mut open = ChangeTag::Equal;
    for change in diff.iter_all_changes() {
        if change.tag() != open {
            out.push_str(mark(open)[1]);
            out.push_str(mark(change.tag())[0]);
            open = change.tag();
        }
        out.push_str(change.value());
    }
    out + mark(open)[1]
}

/// What stands before and behind words that went or came.
fn mark(tag: ChangeTag) -> [&'static str; 2] {
    match tag {
        ChangeTag::Equal => ["", ""],
        ChangeTag::Delete => ["[-", "-]"],
        ChangeTag::Insert => ["{+", "+}"],
    }
}

/// What a line is known by.
#[derive(Debug, Clone, Copy)]
struct Key<'t> {
    /// A number for the keys that it stands below.
    place: u64,
    text: &'t str,
    whole: &'t str,
}

impl Key<'_> {
    fn is_blank(&self) -> bool {
        self.text.is_empty()
    }

    fn is_comment(&self) -> bool {
        self.text.starts_with('#')
    }
}

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.place, self.text) == (other.place, other.text)
    }
}

impl Eq for Key<'_> {}

impl PartialOrd for Key<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.place, self.text).cmp(&(other.place, other.text))
    }
}

impl Hash for Key<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.place, self.text).hash(state);
    }
}

fn keys<'t>(text: &'t str, outline: &Outline<'_>, hasher: &impl BuildHasher) -> Vec<Key<'t>> {
    let mut places: HashMap<usize, u64> = HashMap::default();
    let mut above = Vec::new();
    for row in &outline.rows {
        above.truncate(row.depth.into());
        let place = hasher.hash_one((above.last(), row.name.as_deref()));
        above.push(place);
        if row.depth > 0 {
            places.entry(row.line).or_insert(place);
        }
    }
    let key = |(at, whole): (usize, &'t str)| {
        let text = whole.trim();
        let place = if text.starts_with('#') { None } else { places.get(&(at + 1)) };
        Key { place: place.copied().unwrap_or_default(), text, whole }
    };
    source::lines(text).enumerate().map(key).collect()
}

/// How many of the lines that went from one place came in at another.
struct Moved<'t> {
    gone: HashMap<Key<'t>, usize>,
    came: HashMap<Key<'t>, usize>,
}

fn moved<'t>(ops: &[DiffOp], old: &[Key<'t>], new: &[Key<'t>]) -> Moved<'t> {
    let count = |lines: &mut dyn Iterator<Item = Key<'t>>| {
        let mut counts: HashMap<_, usize> = HashMap::default();
        lines.filter(|key| !key.is_blank()).for_each(|key| *counts.entry(key).or_default() += 1);
        counts
    };
    let changed = || ops.iter().filter(|op| op.tag() != DiffTag::Equal);
    let gone = count(&mut changed().flat_map(DiffOp::old_range).map(|at| old[at]));
    let came = count(&mut changed().flat_map(DiffOp::new_range).map(|at| new[at]));
    let both: HashMap<_, _> =
        gone.iter().filter_map(|(key, &count)| Some((*key, count.min(*came.get(key)?)))).collect();
    Moved { gone: both.clone(), came: both }
}

/// Whether a line is one of those that moved, which are counted down.
fn take<'t>(left: &mut HashMap<Key<'t>, usize>, key: Key<'t>) -> bool {
    let Some(count) = left.get_mut(&key).filter(|count| **count > 0) else { return false };
    *count -= 1;
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::source::Source;
    use crate::yaml::check;

    fn diff(old: &str, new: &str, detail: Detail) -> (Layout, String) {
        let [one, other] = [old, new].map(|text| Source::new("test", text).unwrap());
        let (before, after) = (check::read(&one).unwrap().outline, check::read(&other).unwrap().outline);
        let diff = LineDiff::between((old, &before), (new, &after));
        (diff.layout, diff.text(["a", "b"], [old, new], detail))
    }

    #[test]
    fn what_only_moved_or_was_indented_otherwise_is_counted() {
        let (layout, text) = diff("a:\n  b: 1\n  c: 2\nd: 3\n", "d: 3\na:\n    b: 1\n    c: 4\n", Detail::Lines);
        assert_eq!((layout.lines, layout.comments_added), (2, 0), "{text}");
        assert_eq!(text, "--- a\n+++ b\n@@ -1,3 +1,4 @@\n d: 3\n a:\n     b: 1\n-  c: 2\n+    c: 4\n");
    }

    #[test]
    fn a_line_of_one_section_is_not_that_of_another() {
        let (layout, text) = diff("a:\n  on: 1\nb: {}\n", "a: {}\nb:\n  on: 1\n", Detail::Lines);
        assert_eq!(layout.lines, 0);
        assert!(text.contains("-  on: 1\n") && text.contains("+  on: 1\n"), "{text}");
    }

    #[test]
    fn words_stand_inside_of_their_line() {
        let (_, text) = diff("port: 80  # web\n", "port: 8080  # web\n", Detail::Words);
        assert_eq!(text, "--- a\n+++ b\n@@ -1,1 +1,1 @@\n~port: [-80-]{+8080+}  # web\n");
    }
}
