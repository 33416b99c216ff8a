//! The order of keys, where an alias would stand before its anchor.

use std::ops::Range;

use super::at_mut;
use super::repairs::{Repairs, path};
use super::sites::Site;
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
pub(super) struct Early {
    pub(super) alias: Site,
    pub(super) anchor: Site,
}

/// Whose order the keys of a map are to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    /// That of the user's file, for the others go round in a circle.
    OfTheUser,
    OfTheAlias,
}

impl<'a> Repairs<'_, 'a> {
    /// Puts an anchor before its alias by the order of keys. Where that goes round in a circle, it starts again for the
    /// user's aliases alone; those can always be had, in the order of his file.
    pub(super) fn order(&mut self, stream: &mut Node<'a>, early: &Early, order: &mut Order<'a>, all: &[Site]) -> bool {
        let alias = &early.alias;
        if order.users && alias.meant.file == Origin::Update {
            return false;
        }
        let document = &mut stream.children[alias.way[0]];
        let lengths = [self.notes.len(), self.put.len(), self.in_flow.len()];
        let (before, lengths) = order.before.get_or_insert_with(|| ((**document).clone(), lengths));
        order.moves += 1;
        let circle = order.moves > 2 * all.len() + 8;
        if circle && !order.users {
            **document = before.clone();
            self.notes.truncate(lengths[0]);
            self.put.truncate(lengths[1]);
            self.in_flow.truncate(lengths[2]);
            (order.moves, order.users) = (0, true);
            return true;
        }
        self.reorder(stream, early, if circle { Wish::OfTheUser } else { Wish::OfTheAlias }, all)
    }

    /// Whether the user's keys of a map are in his order again.
    fn is_restored(&self, map: &Node<'_>) -> bool {
        map.row.is_some_and(|row| self.restored.contains(&row))
    }

    /// Lets two keys of a map change places, so that the anchor comes first. The one that moves is the anchor's, unless
    /// the alias is in a key that only the user has: the order of the others is the update's. Where both are the user's
    /// alone, the anchor's moves if it refers to nothing that stands further below itself.
    fn reorder(&mut self, stream: &mut Node<'a>, early: &Early, wish: Wish, all: &[Site]) -> bool {
        let Early { alias, anchor } = early;
        let restore = wish == Wish::OfTheUser;
        let common = alias.way.iter().zip(&anchor.way).take_while(|(a, b)| a == b).count();
        let (Some(&first), Some(&second)) = (alias.way.get(common), anchor.way.get(common)) else { return false };
        let place = &alias.way[..common];
        let map = at_mut(stream, place);
        if map.kind() != Kind::Map || map.origin == Origin::Update {
            return false;
        }
        if restore && !self.is_restored(map) && map.children[first].origin == Origin::Current {
            restore_order(map);
            return map.row.is_some_and(|row| self.restored.insert(row));
        } else if restore || self.is_restored(map) {
            return false;
        }
        let own =
            |node: &Node<'_>| node.origin == Origin::Current && !node.row.is_some_and(|row| self.merged.contains(&row));
        let waits = || waits(&anchor.way[..=common], first, all);
        let delayed = own(&map.children[first]) && (!own(&map.children[second]) || waits());
        let moves = &map.children[if delayed { first } else { second }];
        let name = moves.name.to_string();
        let other = map.children[if delayed { second } else { first }].name.to_string();
        if delayed {
            let along = map.children[first + 1..second].iter().take_while(|node| own(node)).count();
            move_behind(map, first..first + 1 + along, second);
        } else {
            let mut node = map.children.remove(second);
            if first == 0 {
                give_blanks(&mut node, Some(&mut map.children[first]));
            }
            map.children.insert(first, node);
        }
        let mut path = path(stream, place);
        path.0.push(Step::Key(name));
        let what = Noted::AliasRepaired(if delayed { Repair::Behind(other) } else { Repair::Before(other) });
        self.notes.retain(|note| note.path != path || !matches!(&note.what, Noted::AliasRepaired(Repair::Before(_))));
        self.notes.push(Note { path, what });
        true
    }
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
