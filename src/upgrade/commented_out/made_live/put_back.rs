//! Keys that were taken out, back in the tree in the places of their commented-out lines.

use foldhash::{HashMap, HashSet};
use std::collections::BTreeMap;

use super::places::{Places, Stands, fits, follows, is_inside};
use super::{MadeLive, Place};
use crate::upgrade::commented_out::edits::{Edits, Inserted};
use crate::yaml::commented_out::gaps::{Between, Gaps};
use crate::yaml::commented_out::{Found, Known};
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node, Origin};

/// Puts keys back into a tree in which nothing moves any more. One whose line has no place in its map stands at the end of
/// that.
pub(crate) fn put_back<'a>(stream: &mut Node<'a>, mut keys: Vec<MadeLive<'a>>) {
    for document in &mut stream.children {
        if keys.is_empty() {
            return;
        }
        let mut edits = Edits::default();
        let found = Found::knowing(document, &Known::of_names(names_of_lines(&keys)));
        let of_user =
            found.gaps.nodes.iter().enumerate().filter(|(_, numbered)| numbered.node.origin == Origin::Current);
        let maps: HashMap<_, _> =
            of_user.rev().filter_map(|(number, numbered)| Some((numbered.node.row?, number))).collect();
        let (own, others) = keys.into_iter().partition(|key| maps.contains_key(&key.map));
        keys = others;
        put_into(&found, own, &maps, &mut edits);
        drop(found);
        edits.apply(document, &mut 0);
    }
}

/// The names that the lines of keys have: what stands below such a line now does not make prose of it.
fn names_of_lines<'k>(keys: &'k [MadeLive<'_>]) -> HashSet<&'k str> {
    let name = |place: &'k Place| match place {
        Place::Key(path) => path.last()?.as_deref(),
        Place::Words(_) => None,
    };
    keys.iter().flat_map(|key| &key.places).filter_map(name).collect()
}

/// A key with the lines of a gap that it takes the place of.
struct Placed<'a> {
    key: MadeLive<'a>,
    /// The number of its map.
    map: usize,
    start: usize,
    end: usize,
}

fn put_into<'a>(found: &Found<'_, 'a>, keys: Vec<MadeLive<'a>>, maps: &HashMap<RowId, usize>, edits: &mut Edits<'a>) {
    let places = Places::of(found, keys.iter().flat_map(|key| &key.places));
    let mut by_gap: BTreeMap<usize, Vec<Placed<'a>>> = BTreeMap::new();
    let mut homeless = Vec::new();
    for key in keys {
        let map = maps.get(&key.map).copied().unwrap_or_default();
        let line = |place| places.line(found, place).filter(|stands| fits(found, stands, map));
        match key.places.iter().find_map(line) {
            Some(stands) => by_gap.entry(stands.gap).or_default().push(placed(found, key, (map, stands))),
            None => homeless.push((key, map)),
        }
    }
    for (gap, keys) in by_gap {
        let Some(between) = found.gaps.get(gap) else { continue };
        let (keys, others) = outward(&found.gaps, keys);
        homeless.extend(others.into_iter().map(|Placed { key, map, .. }| (key, map)));
        let above = Gap { gaps: &found.gaps, between, keys: &keys }.part(edits);
        for (Placed { key, map, .. }, above) in keys.into_iter().zip(above) {
            let at = found.gaps.position(&between, map);
            insert(&found.gaps, (key, map), (above, at), edits);
        }
    }
    for (key, map) in homeless {
        let at = found.gaps.nodes.get(map).map_or(0, |map| map.node.children.len());
        insert(&found.gaps, (key, map), (Vec::new(), at), edits);
    }
}

fn placed<'a>(found: &Found<'_, 'a>, key: MadeLive<'a>, (map, stands): (usize, Stands)) -> Placed<'a> {
    let Stands { gap, line: start, end, end_of_block } = stands;
    let now = || found.gaps.get(gap).into_iter().flat_map(|between| between.lines()).skip(start);
    let mut at_start = now();
    let is_as_it_was = key.commented_out.iter().all(|was| at_start.next().is_some_and(|now| now.said() == was.said()));
    let end = match key.key.children.is_empty() {
        _ if is_as_it_was => start + key.commented_out.len(),
        true => end,
        false => {
            let behind: HashSet<_> = key.behind.iter().filter(|line| line.has_words()).map(Line::said).collect();
            let rest =
                now().take(end_of_block.saturating_sub(start)).skip(1).position(|line| behind.contains(line.said()));
            rest.map_or(end_of_block, |rest| start + 1 + rest)
        }
    };
    Placed { key, map, start, end }
}

/// Those keys of a gap that can stand there one behind the other, in their order, and the others: none is deeper than the
/// one before it.
fn outward<'a>(gaps: &Gaps<'_, '_>, mut keys: Vec<Placed<'a>>) -> (Vec<Placed<'a>>, Vec<Placed<'a>>) {
    keys.sort_by_key(|key| key.start);
    let mut last = None;
    keys.into_iter().partition(|key| {
        let fits = last.is_none_or(|(end, map)| key.start >= end && is_inside(gaps, map, key.map));
        if fits {
            last = Some((key.end, key.map));
        }
        fits
    })
}

/// Puts a key with the lines above it into a map, before the child at a place.
fn insert<'a>(
    gaps: &Gaps<'_, 'a>,
    (key, map): (MadeLive<'a>, usize),
    (above, at): (Vec<Line<'a>>, usize),
    edits: &mut Edits<'a>,
) {
    let edits = edits.at(map);
    if gaps.nodes.get(map).is_some_and(|map| map.node.children.is_empty()) {
        edits.indent.get_or_insert(key.indent);
    }
    edits.options.push(Inserted { option: Box::new(Node { above, ..key.key }), at });
}

/// A gap in which keys take the places of lines.
struct Gap<'g, 'n, 'a> {
    gaps: &'g Gaps<'n, 'a>,
    between: Between<'g, 'n, 'a>,
    keys: &'g [Placed<'a>],
}

impl<'a> Gap<'_, '_, 'a> {
    /// Leaves the lines to their holders that stand on the right side of the keys; for each key the lines above it.
    fn part(&self, edits: &mut Edits<'a>) -> Vec<Vec<Line<'a>>> {
        let mut above = vec![Vec::new(); self.keys.len()];
        let mut kept = vec![Vec::new(); self.between.holders.len()];
        let held = self.between.holders.iter().enumerate();
        let lines = held.flat_map(|(at, holder)| holder.lines.iter().map(move |line| (at, holder, line)));
        for (place, (at, holder, line)) in lines.enumerate() {
            let next = self.keys.partition_point(|key| key.start <= place);
            let before = next.checked_sub(1).and_then(|before| self.keys.get(before));
            if before.is_some_and(|key| place < key.end) {
                continue;
            }
            let is_behind = before.is_none_or(|key| follows(self.gaps, holder, key.map));
            match self.keys.get(next).filter(|key| !is_behind || follows(self.gaps, holder, key.map)) {
                Some(key) => above[next].push(line.clone().moved(holder.column - self.column(key))),
                None if is_behind => kept[at].push(line.clone()),
                None => self.keep_in_last(line.clone().moved(holder.column), &mut kept),
            }
        }
        for (holder, lines) in self.between.holders.iter().zip(kept) {
            edits.at(holder.node).keep(holder.part, lines);
        }
        above
    }

    fn keep_in_last(&self, line: Line<'a>, kept: &mut [Vec<Line<'a>>]) {
        if let Some((holder, lines)) = self.between.holders.last().zip(kept.last_mut()) {
            lines.push(line.moved(-holder.column));
        }
    }

    /// The column at which a key will stand.
    fn column(&self, key: &Placed<'_>) -> i32 {
        let map = self.gaps.nodes.get(key.map);
        map.map_or(0, |map| map.column + if map.node.children.is_empty() { key.key.indent } else { map.node.indent })
    }
}
