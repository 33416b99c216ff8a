//! Which keys of the user's are lines of the old default's comments, made live.
//!
//! Of a key that neither default has live, the line is looked for between the nearest lines above and below it that the old
//! default has, too, once each. There has to be one such line, and it has to be gone.

use foldhash::{HashMap, HashSet};
use std::ops::Range;

use super::ToTakeOut;
use super::defaults::{OldDefault, with_places};
use super::lines::{Part, among, commented_out_keys, parts, unique_words};
use crate::text::{diff, scan};
use crate::upgrade::three_way::Plan;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node, Opener};

/// Finds the keys of a document of the user's; the old default and the update have it, too.
pub(in crate::upgrade::commented_out) fn find<'a>(
    current: &Node<'a>,
    base: &Node<'a>,
    update: &Node<'a>,
    plan: &Plan<'_, 'a>,
) -> Vec<ToTakeOut<'a>> {
    if !plan.has_own_keys() {
        return Vec::new();
    }
    let own = parts(current);
    let keys: Vec<_> = (0..own.len()).filter_map(|at| OwnKey::at(&own, at, plan)).collect();
    if keys.is_empty() {
        return Vec::new();
    }
    let names: HashSet<_> = keys.iter().map(|key| &*key.node.name).collect();
    let old = parts(base);
    let lines = commented_out_keys(&old, |name| names.contains(name));
    if lines.is_empty() {
        return Vec::new();
    }
    let blocks =
        keys.iter().filter_map(|key| Some((std::ptr::from_ref(plan.base(key.map)?), &*key.node.name))).collect();
    let made_live = Alignment::of(&own, &old, plan).made_live(keys, &lines);
    if made_live.is_empty() {
        return Vec::new();
    }
    let found = with_places(made_live, &OldDefault::of(&old, base, (plan, blocks)), (&own, update));
    let has_old_key = current.children.iter().any(|child| plan.base(child.row).is_some());
    let is_kept = |key: &OwnKey<'_, '_>| Some(key.map) != current.row || has_old_key;
    found.into_iter().filter(|(key, _)| is_kept(key)).map(|(_, found)| found).collect()
}

/// A live key that neither default has live in the same map.
#[derive(Debug, Clone)]
pub(super) struct OwnKey<'n, 'a> {
    pub(super) node: &'n Node<'a>,
    /// The row of its map.
    pub(super) map: RowId,
    /// Where it and all inside of it stand among the parts of the document, without the comments that end it.
    at: Range<usize>,
}

impl<'n, 'a> OwnKey<'n, 'a> {
    fn at(own: &[Part<'n, 'a>], at: usize, plan: &Plan<'_, 'a>) -> Option<Self> {
        let node = own.get(at)?.node()?;
        let map = plan.map_of_own_key(node.row).filter(|_| matches!(node.opener, Opener::Key(_)) && is_plain(node))?;
        let before = at.checked_sub(1).and_then(|before| own.get(before)?.node());
        let is_joined =
            before.is_some_and(|item| item.row == Some(map) && item.opener == Opener::Item { joined: true });
        (!is_joined).then(|| Self { node, map, at: at..at + length(node) })
    }

    /// How many lines it is long.
    fn lines(&self, own: &[Part<'_, '_>]) -> usize {
        let parts = own.get(self.at.clone()).unwrap_or_default();
        let continued: usize = parts.iter().filter_map(|part| part.node()).map(|node| node.continuation.len()).sum();
        let is_joined =
            |part: &Part<'_, '_>| part.node().is_some_and(|node| node.opener == Opener::Item { joined: true });
        parts.len() + continued - parts.iter().filter(|part| is_joined(part)).count()
    }
}

/// How many parts a node and all inside of it are, up to the last node.
fn length(node: &Node<'_>) -> usize {
    let Some((last, others)) = node.children.split_last() else { return 1 };
    let whole = |child: &Node<'_>| child.above.len() + all(child);
    1 + others.iter().map(|child| whole(child)).sum::<usize>() + last.above.len() + length(last)
}

/// How many parts a node and all inside of it are, with the comments that end it.
fn all(node: &Node<'_>) -> usize {
    1 + node.children.iter().map(|child| child.above.len() + all(child)).sum::<usize>() + node.below.len()
}

/// Whether nothing inside of a node has an anchor, an alias or a tag.
fn is_plain(node: &Node<'_>) -> bool {
    let marks = ['&', '*', '!'];
    let value = &node.value_text[scan::value_start(&node.value_text).1..];
    let has_marks = node.value_text.trim_ascii_start().starts_with(marks)
        || (value.starts_with(['[', '{']) && value.contains(marks))
        || matches!(&node.opener, Opener::Key(key) if key.starts_with(marks) || key == "<<");
    !has_marks && node.children.iter().all(|child| is_plain(child))
}

/// Which lines of the user's file are which of the old default's.
struct Alignment<'l, 'n, 'a> {
    own: &'l [Part<'n, 'a>],
    old: &'l [Part<'n, 'a>],
    /// For each part of the user's file the nearest one above it, or itself, that the old default has, too.
    above: Vec<Option<(usize, usize)>>,
    /// The same below it.
    below: Vec<Option<(usize, usize)>>,
}

/// A key with the lines of the old default that it took the place of.
pub(super) type MadeLive<'n, 'a> = (OwnKey<'n, 'a>, Range<usize>);

impl<'l, 'n, 'a> Alignment<'l, 'n, 'a> {
    fn of(own: &'l [Part<'n, 'a>], old: &'l [Part<'n, 'a>], plan: &Plan<'_, 'a>) -> Self {
        let rows: HashMap<_, _> = nodes(old).map(|(at, node)| (std::ptr::from_ref(node), at)).collect();
        let (mine, theirs) = (unique_words(own), unique_words(old));
        let in_old = |part: &Part<'_, '_>| match part {
            Part::Node(node) => rows.get(&std::ptr::from_ref(plan.base(node.row)?)).copied(),
            Part::Line(..) => {
                part.words().filter(|words| mine.contains_key(words)).and_then(|words| theirs.get(words).copied())
            }
        };
        // A key that the user put elsewhere says nothing of the lines around it.
        let places: Vec<_> = own.iter().enumerate().filter_map(|(at, part)| Some([at, in_old(part)?])).collect();
        let mut both = vec![None; own.len()];
        for [at, old] in diff::in_order(&places) {
            both[at] = Some((at, old));
        }
        let nearest = |last: &mut Option<(usize, usize)>, place: &Option<(usize, usize)>| {
            *last = place.or(*last);
            Some(*last)
        };
        let above = both.iter().scan(None, nearest).collect();
        let mut below: Vec<_> = both.iter().rev().scan(None, nearest).collect();
        below.reverse();
        Self { own, old, above, below }
    }

    /// Those of the user's keys that are commented out in the old default, where its `lines` say their names.
    fn made_live(&self, keys: Vec<OwnKey<'n, 'a>>, lines: &HashMap<&str, Vec<usize>>) -> Vec<MadeLive<'n, 'a>> {
        let kept = commented_out_keys(self.own, |name| lines.contains_key(name));
        let range = |key: OwnKey<'n, 'a>| {
            let name = &*key.node.name;
            let [own, old] = self.around(&key);
            let (kept, all) = (kept.get(name).map_or(&[][..], |kept| among(kept, &own)), among(lines.get(name)?, &old));
            let before = kept.partition_point(|at| *at < key.at.start);
            let line = all.get(before).filter(|_| all.len() == kept.len() + 1)?;
            let section = self.section(*line, old.start).and_then(|at| self.old.get(at)?.words());
            let is_there = |said: &str| {
                self.own.get(own.clone()).is_some_and(|own| own.iter().any(|part| part.words() == Some(said)))
            };
            if !section.is_none_or(is_there) {
                return None;
            }
            Some((self.lines(&key, *line..old.end), key)).map(|(lines, key)| (key, lines))
        };
        let made_live: Vec<_> = keys.into_iter().filter_map(range).collect();
        // Who put them into another order has moved the lines.
        if made_live.is_sorted_by_key(|(_, lines)| lines.start) { made_live } else { Vec::new() }
    }

    /// The parts of the user's file and of the old default between the nearest that both have above and below a key.
    fn around(&self, key: &OwnKey<'_, '_>) -> [Range<usize>; 2] {
        let above = key.at.start.checked_sub(1).and_then(|above| *self.above.get(above)?);
        let below = self.below.get(key.at.end).copied().flatten();
        let (start, old_start) = above.map_or((0, 0), |(own, old)| (own + 1, old + 1));
        let (end, old_end) = below.unwrap_or((self.own.len(), self.old.len()));
        [start..end, old_start..old_end.max(old_start)]
    }

    /// Where the old default starts the commented-out section that a line stands in, if it does so behind a first line.
    fn section(&self, line: usize, first: usize) -> Option<usize> {
        let column = self.old.get(line)?.column_of_words()?;
        let above = (first..line).rev().take_while(|at| self.old.get(*at).is_some_and(|part| part.words().is_some()));
        let mut outer = above.filter(|at| self.old.get(*at).and_then(|part| part.column_of_words()) < Some(column));
        outer.next().filter(|at| self.old.get(*at).is_some_and(|part| part.opens_block()))
    }

    /// The first of some lines of the old default that the user still has in the comment right behind a key: that one the key did
    /// not take the place of.
    fn first_kept(&self, key: &OwnKey<'_, '_>, mut lines: Range<usize>) -> Option<usize> {
        let behind = self.own.get(key.at.end..)?.iter().map_while(|part| part.line());
        let kept: HashSet<_> = behind.filter(|line| line.has_words()).map(Line::said).collect();
        lines.find(|at| self.old.get(*at).and_then(|part| part.words()).is_some_and(|said| kept.contains(said)))
    }

    /// Which lines of the old default from the first one on a key took the place of: those before the one that follows the
    /// key now.
    fn lines(&self, key: &OwnKey<'_, '_>, from: Range<usize>) -> Range<usize> {
        let end = from.end.min(self.old.len()) + 1;
        let is_line = |at: &usize| self.old.get(*at).is_some_and(|part| part.line().is_some());
        let end = (from.start..end).find(|at| !is_line(at)).unwrap_or(end);
        let next = self.own.get(key.at.end).and_then(|part| part.line());
        let says = |at: &usize| {
            self.old.get(*at).and_then(|part| part.line()).zip(next).is_some_and(|(old, own)| old.said() == own.said())
        };
        let length = key.lines(self.own);
        let behind = from.start + length;
        let found = (behind..end).find(says).or_else(|| (from.start + 1..end).find(says));
        let found = found.or_else(|| self.first_kept(key, from.start + 1..behind.min(end)));
        from.start..found.unwrap_or(behind.min(end))
    }
}

fn nodes<'l, 'n: 'l, 'a: 'n>(parts: &'l [Part<'n, 'a>]) -> impl Iterator<Item = (usize, &'n Node<'a>)> + 'l {
    parts.iter().enumerate().filter_map(|(at, part)| Some((at, part.node()?)))
}
