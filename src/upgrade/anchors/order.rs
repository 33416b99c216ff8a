//! The order of keys, where an alias would stand before its anchor.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use foldhash::{HashMap, HashSet};

use super::repairs::{Repairs, path};
use super::sites::Site;
use super::{at, at_mut};
use crate::report::note::{Note, Noted, Repair};
use crate::yaml::path::Step;
use crate::yaml::tree::{Kind, Line, Node, Origin};

/// The order of a document's keys, while it can be changed.
#[derive(Default)]
pub(super) struct Order<'a> {
    /// How often keys have changed places.
    moves: usize,
    /// The document before the first time, and how much had been told.
    before: Option<(Node<'a>, [usize; 3])>,
    /// Whether the update's aliases have to do with the order that the user's need: together they ask for a circle.
    users: bool,
}

/// An alias that stands before its anchor, or inside of it.
#[derive(Clone, Copy)]
pub(super) struct Early<'s> {
    pub(super) alias: &'s Site,
    pub(super) anchor: &'s Site,
}

/// Two keys of a map, by their indices, of which the first has an alias in it, and the second its anchor.
#[derive(Clone, Copy)]
struct Pair<'s> {
    map: &'s [usize],
    first: usize,
    second: usize,
}

impl<'s> Early<'s> {
    fn pair(&self) -> Option<Pair<'s>> {
        let [alias, anchor] = [&self.alias.way, &self.anchor.way];
        let common = alias.iter().zip(anchor).take_while(|(a, b)| a == b).count();
        Some(Pair { map: &alias[..common], first: *alias.get(common)?, second: *anchor.get(common)? })
    }
}

impl<'a> Repairs<'_, 'a> {
    /// Puts anchors before their aliases by the order of keys: that of the first of these, and of the others what does
    /// not hang on it. Whether the first could be had. Where that goes round in a circle, it starts again for the user's
    /// aliases alone; those can always be had, in the order of his file.
    pub(super) fn order(
        &mut self,
        stream: &mut Node<'a>,
        early: &[Early<'_>],
        order: &mut Order<'a>,
        all: &[Site],
    ) -> bool {
        let counts = |early: &&Early<'_>| !order.users || early.alias.meant.file == Origin::Current;
        let Some(pair) = early.first().filter(counts).and_then(Early::pair) else { return false };
        let others = early[1..].iter().filter(counts).filter_map(Early::pair).collect::<Vec<_>>();
        let document = &mut stream.children[early[0].alias.way[0]];
        let lengths = [self.notes.len(), self.put.len(), self.in_flow.len()];
        let (before, lengths) = order.before.get_or_insert_with(|| ((**document).clone(), lengths));
        let circle = order.moves > 2 * all.len() + 8;
        if circle && !order.users {
            **document = before.clone();
            let told = self.notes.split_off(lengths[0]);
            self.notes.extend(told.into_iter().filter(is_name));
            self.put.truncate(lengths[1]);
            self.in_flow.truncate(lengths[2]);
            (order.moves, order.users) = (0, true);
            return true;
        }
        order.moves += 1;
        let map = at(stream, pair.map);
        if !can_be_ordered(map) {
            false
        } else if circle {
            self.restore_order(stream, pair)
        } else if self.is_restored(map) {
            false
        } else if self.is_delayed(map, pair, all) {
            self.put_behind(stream, pair);
            true
        } else {
            order.moves += self.put_before(stream, pair, &others);
            true
        }
    }

    /// Whether the user's keys of a map are in his order again.
    fn is_restored(&self, map: &Node<'_>) -> bool {
        map.row.is_some_and(|row| self.restored.contains(&row))
    }

    /// Puts the user's keys of a map in his order, if they are not and the alias's key is one of them.
    fn restore_order(&mut self, stream: &mut Node<'a>, pair: Pair<'_>) -> bool {
        let path = path(stream, pair.map);
        let map = at_mut(stream, pair.map);
        if self.is_restored(map) || map.children[pair.first].origin != Origin::Current {
            return false;
        }
        restore_order(map);
        self.notes.retain(|note| !is_move(note) || note.path.0[..note.path.0.len() - 1] != path.0);
        map.row.is_some_and(|row| self.restored.insert(row))
    }

    /// Whether only the user has this key.
    fn is_own(&self, key: &Node<'_>) -> bool {
        key.origin == Origin::Current && !key.row.is_some_and(|row| self.merged.contains(&row))
    }

    /// Whether the alias's key of two moves, which is so where only the user has it: the order of the others is the
    /// update's. Where both are the user's alone, the anchor's moves if it refers to nothing that stands further below
    /// itself.
    fn is_delayed(&self, map: &Node<'_>, pair: Pair<'_>, all: &[Site]) -> bool {
        let waits = || waits(&[pair.map, &[pair.second]].concat(), pair.first, all);
        self.is_own(&map.children[pair.first]) && (!self.is_own(&map.children[pair.second]) || waits())
    }

    /// Puts a key behind the one that has its anchor.
    fn put_behind(&mut self, stream: &mut Node<'a>, pair: Pair<'_>) {
        let Pair { first, second, .. } = pair;
        self.note_moved(stream, pair.map, [first, second], Repair::Behind);
        let map = at_mut(stream, pair.map);
        let along = map.children[first + 1..second].iter().take_while(|node| self.is_own(node)).count();
        move_behind(map, first..first + 1 + along, second);
    }

    /// Puts the anchor's key of a pair right before the other, and with it those of the next pairs, up to one whose alias is
    /// in a key of the user's own: a document is looked at again after each time. How many those were.
    fn put_before(&mut self, stream: &mut Node<'a>, pair: Pair<'_>, others: &[Pair<'_>]) -> usize {
        let is_free = |other: &Pair<'_>| {
            let map = at(stream, other.map);
            can_be_ordered(map) && !self.is_restored(map) && !self.is_own(&map.children[other.first])
        };
        let mut moved: BTreeMap<&[usize], Moved> = BTreeMap::new();
        let mut count = 0;
        let free: Vec<_> = others.iter().copied().take_while(is_free).collect();
        for pair in [pair].into_iter().chain(free) {
            let moved = moved.entry(pair.map).or_default();
            if moved.all.insert(pair.second) {
                moved.before.entry(pair.first).or_default().push_back(pair.second);
                self.note_moved(stream, pair.map, [pair.second, pair.first], Repair::Before);
                count += 1;
            }
        }
        // What stands behind and further in first, so that the indices of the others stay.
        for (map, moved) in moved.into_iter().rev() {
            put_before(at_mut(stream, map), moved);
        }
        count - 1
    }

    fn note_moved(&mut self, stream: &Node<'a>, map: &[usize], [moved, other]: [usize; 2], told: fn(String) -> Repair) {
        let keys = &at(stream, map).children;
        let mut path = path(stream, map);
        path.0.push(Step::Key(keys[moved].name.to_string()));
        self.notes.push(Note { path, what: Noted::AliasRepaired(told(keys[other].name.to_string())) });
    }
}

/// Leaves of what is told about moved keys what was so in the end.
pub(super) fn tell_last_moves(notes: &mut Vec<Note>) {
    let mut told = HashSet::default();
    let mut last: Vec<_> = std::mem::take(notes).into_iter().rev().collect();
    last.retain(|note| !is_move(note) || told.insert(note.path.clone()));
    last.reverse();
    *notes = last;
}

fn is_move(note: &Note) -> bool {
    matches!(note.what, Noted::AliasRepaired(Repair::Before(_) | Repair::Behind(_)))
}

/// Whether another name is told, which an alias keeps whatever the order is.
fn is_name(note: &Note) -> bool {
    matches!(note.what, Noted::AliasRepaired(Repair::Called { .. }))
}

/// The order of keys that come in from the update is the update's, which is right for its aliases.
fn can_be_ordered(map: &Node<'_>) -> bool {
    map.kind() == Kind::Map && map.origin != Origin::Update
}

/// Whether a key refers to one of its neighbours that stands behind the `first`.
fn waits(key: &[usize], first: usize, all: &[Site]) -> bool {
    let (Some(&own), Some(map)) = (key.last(), key.get(..key.len() - 1)) else { return false };
    let stands_below = |anchor: &Site| {
        let neighbour = anchor.way.get(map.len()).filter(|_| anchor.is_anchor() && anchor.way.starts_with(map));
        neighbour.is_some_and(|&at| at > first && at != own)
    };
    let mut aliases = all.iter().filter(|site| !site.is_anchor() && site.way.starts_with(key));
    aliases.any(|alias| all.iter().any(|anchor| anchor.id == alias.id && stands_below(anchor)))
}

/// Puts the user's keys of a map in his order, each in the place of one of them.
fn restore_order(map: &mut Node<'_>) {
    let own = |node: &Node<'_>| node.origin == Origin::Current;
    let (mut mine, theirs): (Vec<_>, Vec<_>) =
        std::mem::take(&mut map.children).into_iter().enumerate().partition(|(_, node)| own(node));
    let places: Vec<_> = mine.iter().map(|(at, _)| *at).collect();
    mine.sort_by_key(|(_, node)| (node.row.is_none(), node.row));
    let mut all: Vec<_> = places.into_iter().zip(mine.into_iter().map(|(_, node)| node)).chain(theirs).collect();
    all.sort_by_key(|(at, _)| *at);
    map.children = all.into_iter().map(|(_, node)| node).collect();
}

/// Which keys of a map move before which others, by their indices.
#[derive(Default)]
struct Moved {
    before: HashMap<usize, VecDeque<usize>>,
    all: HashSet<usize>,
}

/// Moves keys before others. A key that moves takes along what moves before it.
fn put_before(map: &mut Node<'_>, mut moved: Moved) {
    let mut keys: Vec<_> = std::mem::take(&mut map.children).into_iter().map(Some).collect();
    for key in (0..keys.len()).filter(|key| !moved.all.contains(key)) {
        let mut waiting = vec![key];
        while let Some(&last) = waiting.last() {
            if let Some(next) = moved.before.get_mut(&last).and_then(VecDeque::pop_front) {
                if map.children.is_empty()
                    && let Ok([Some(other), Some(first)]) = keys.get_disjoint_mut([last, next])
                {
                    give_blanks(first, Some(other));
                }
                waiting.push(next);
            } else {
                waiting.pop();
                map.children.extend(keys[last].take());
            }
        }
    }
}

/// Moves a key behind another. The user's own keys behind it go with it, as a second run has them there.
fn move_behind(map: &mut Node<'_>, keys: Range<usize>, other: usize) {
    let (first, behind) = (keys.start == 0, other + 1 - keys.len());
    let moving: Vec<_> = map.children.drain(keys).collect();
    map.children.splice(behind..behind, moving);
    if let Some(next) = map.children.first_mut().filter(|_| first) {
        give_blanks(next, None);
    }
}

/// What a key that comes to stand first in its map has in blank lines over it, the user's and the update's, goes to the
/// one behind it that stood there, if it has none.
fn give_blanks<'a>(node: &mut Node<'a>, mut other: Option<&mut Node<'a>>) {
    give_lines(&mut node.above, other.as_mut().map(|other| &mut other.above));
    if let Some(theirs) = node.update_comments.as_mut() {
        let other = other.and_then(|other| other.update_comments.as_mut());
        give_lines(&mut theirs.above, other.map(|other| &mut other.above));
    }
}

fn give_lines<'a>(lines: &mut Vec<Line<'a>>, other: Option<&mut Vec<Line<'a>>>) {
    let is_blank = |line: &Line<'_>| line.trimmed().is_empty();
    if other.as_ref().is_some_and(|other| other.first().is_some_and(is_blank)) {
        return;
    }
    let blanks = lines.iter().take_while(|line| is_blank(line)).count();
    let blanks = lines.drain(..blanks);
    if let Some(other) = other {
        other.splice(0..0, blanks);
    }
}
