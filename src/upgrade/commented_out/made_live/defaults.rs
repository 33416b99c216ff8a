//! What the lines of keys are in the old default that the user made live, and where they stand in the update.

use foldhash::{HashMap, HashSet};

use super::find::{MadeLive, OwnKey};
use super::lines::{Part, parts, unique_words};
use super::places::{Places, Stands, fits, key_path};
use super::{Place, ToTakeOut, Words};
use crate::comments::has_comment;
use crate::upgrade::three_way::Plan;
use crate::yaml::commented_out::Found;
use crate::yaml::commented_out::recognise::{CommentedOut, Owner};
use crate::yaml::tree::{Kind, Line, Node};

/// A document of the old default.
pub(super) struct OldDefault<'l, 'n, 'a> {
    parts: &'l [Part<'n, 'a>],
    found: Found<'n, 'a>,
    /// The commented-out keys by the texts of their first lines: with their gaps, and their places there.
    options: HashMap<*const u8, (usize, usize)>,
    plan: &'l Plan<'l, 'a>,
    /// The keys that the user has live and neither default has: by the maps of the old default that they stand in.
    live: LiveKeys<'n, 'a>,
}

pub(super) type LiveKeys<'n, 'a> = HashSet<(*const Node<'a>, &'n str)>;

impl<'l, 'n, 'a> OldDefault<'l, 'n, 'a> {
    pub(super) fn of(
        parts: &'l [Part<'n, 'a>],
        document: &'n Node<'a>,
        (plan, live): (&'l Plan<'_, 'a>, LiveKeys<'n, 'a>),
    ) -> Self {
        let found = Found::in_document(document);
        let all = found.by_gap().enumerate();
        let keys = all.flat_map(|(gap, options)| options.iter().enumerate().map(move |(at, option)| (gap, at, option)));
        let keys = keys.filter(|(.., option)| option.name.is_some());
        let options = keys.map(|(gap, at, option)| (option.text.as_ptr(), (gap, at))).collect();
        Self { parts, found, options, plan, live }
    }

    /// By what the line of a key may be found in another file, the surest first; nothing where the key is paired by its name
    /// anyway. `anchors` are the lines that both files have once.
    fn places(&self, key: &OwnKey<'_, '_>, first: usize, anchors: &[usize]) -> Option<Vec<Place>> {
        let words = Place::Words(self.words(first, anchors)?);
        let Line::Text(_, text, _) = self.parts.get(first)?.line()? else { return None };
        let Some(&(gap, at)) = self.options.get(&text.as_ptr()) else { return Some(vec![words]) };
        let options = self.found.in_gap(gap)?;
        if self.is_paired_by_name(options.get(at)?, key) || self.is_in_live_block(options, at) {
            return None;
        }
        let owned = |path: Vec<Option<&str>>| path.into_iter().map(|step| step.map(str::to_owned)).collect();
        let path = key_path(&self.found.gaps, options, at).map(|path| Place::Key(owned(path)));
        Some(path.into_iter().chain([words]).collect())
    }

    fn words(&self, first: usize, anchors: &[usize]) -> Option<Words> {
        let words = |at: usize| self.parts.get(at).and_then(|part| part.words()).map(str::to_owned);
        let behind = anchors.partition_point(|at| *at <= first);
        let before = anchors.partition_point(|at| *at < first).checked_sub(1);
        let above = before.and_then(|before| words(*anchors.get(before)?));
        let below = anchors.get(behind).and_then(|at| words(*at));
        Some(Words { said: words(first)?, above, below })
    }

    /// Whether a commented-out key is inside of a block of which the user made the key live: all of that is paired with it.
    fn is_in_live_block(&self, options: &[CommentedOut<'n>], at: usize) -> bool {
        let mut outer = options.get(at);
        let mut is_inner = false;
        while let Some(Owner::CommentedOut(around)) = outer.map(|option| option.parent) {
            outer = options.get(around);
            is_inner = true;
        }
        let Some((Owner::Live(holder), Some(name))) = outer.map(|option| (option.parent, option.name)) else {
            return false;
        };
        let holder = self.found.gaps.nodes.get(holder).map(|numbered| std::ptr::from_ref(numbered.node));
        is_inner && holder.is_some_and(|holder| self.live.contains(&(holder, name)))
    }

    /// Whether a commented-out key stands in the same map as the live one, and either alone or with more of it commented out
    /// in the user's file, too. A list takes part with its lines alone.
    fn is_paired_by_name(&self, option: &CommentedOut<'_>, key: &OwnKey<'_, '_>) -> bool {
        let (Owner::Live(holder), Some(name)) = (option.parent, option.name) else { return false };
        let holder_node = self.found.gaps.nodes.get(holder).map(|numbered| numbered.node);
        let is_same_map =
            self.plan.base(key.map).zip(holder_node).is_some_and(|(map, holder)| std::ptr::eq(map, holder));
        let is_whole_example = || self.found.several.contains(&(holder, name)) && !has_comments_inside(key.node);
        is_same_map && key.node.kind() != Kind::List && !is_whole_example()
    }
}

/// The keys whose lines stand in the update, too: once, in a map in which the key is not live.
pub(super) fn with_places<'n, 'a>(
    made_live: Vec<MadeLive<'n, 'a>>,
    old: &OldDefault<'_, '_, 'a>,
    (own, update): (&[Part<'_, 'a>], &Node<'a>),
) -> Vec<(OwnKey<'n, 'a>, ToTakeOut<'a>)> {
    let again = made_live.iter().flat_map(|(_, lines)| lines.clone()).collect();
    let anchors = anchors(old.parts, [own, &parts(update)], &again);
    let candidates =
        made_live.into_iter().filter_map(|(key, lines)| Some((old.places(&key, lines.start, &anchors)?, key, lines)));
    let candidates: Vec<_> = candidates.collect();
    let new = Found::in_document(update);
    let places = Places::of(&new, candidates.iter().flat_map(|(places, ..)| places));
    let maps = new.gaps.nodes.iter().enumerate().rev();
    let maps: HashMap<_, _> = maps.filter_map(|(number, map)| Some((map.node.row?, (number, map.node)))).collect();
    let in_update = |(candidates, key, lines): (Vec<Place>, OwnKey<'n, 'a>, std::ops::Range<usize>)| {
        let (number, map) = *maps.get(&old.plan.row_in_update(key.map)?)?;
        let is_live = map.live_children().any(|child| child.name == key.node.name);
        let stands_there = |place: &Place| {
            let stands = places.line(&new, place).filter(|stands| fits(&new, stands, number));
            stands.is_some_and(|stands| !is_option_of(&new, &stands, number) || key.node.kind() == Kind::List)
        };
        let first = candidates.iter().position(stands_there).filter(|_| !is_live)?;
        let places = candidates.into_iter().skip(first).collect();
        let commented_out = old.parts.get(lines)?.iter().filter_map(line_with_column).collect();
        let row = key.node.row?;
        Some((key, ToTakeOut { row, places, commented_out }))
    };
    candidates.into_iter().filter_map(in_update).collect()
}

/// Whether the first commented-out key at a place of the update is one of a map: the user's key is paired with it by its name.
fn is_option_of(new: &Found<'_, '_>, stands: &Stands, map: usize) -> bool {
    let options = new.in_gap(stands.gap).unwrap_or_default();
    let option = options.iter().find(|option| option.start == stands.line);
    option.is_some_and(|option| {
        let name = option.name.filter(|_| option.parent == Owner::Live(map));
        name.is_some_and(|name| !new.several.contains(&(map, name)))
    })
}

/// Where those lines of the old default stand that all files have, and each of them once. The user's file will have those
/// `again` that are commented out again.
fn anchors(old: &[Part<'_, '_>], [own, new]: [&[Part<'_, '_>]; 2], again: &HashSet<usize>) -> Vec<usize> {
    let [own, new] = [own, new].map(unique_words);
    let is_in_all =
        |words: &str, at: &usize| new.contains_key(words) && (own.contains_key(words) || again.contains(at));
    let anchors = unique_words(old).into_iter().filter(|(words, at)| is_in_all(words, at));
    let mut anchors: Vec<_> = anchors.map(|(_, at)| at).collect();
    anchors.sort_unstable();
    anchors
}

/// Whether comments stand among the keys and items inside of a node.
fn has_comments_inside(node: &Node<'_>) -> bool {
    node.children.iter().any(|child| has_comment(&child.above) || has_comments_inside(child))
}

/// A line with its column as its offset, as it comes into the user's file.
fn line_with_column<'a>(part: &Part<'_, 'a>) -> Option<Line<'a>> {
    let Part::Line(line, column) = part else { return None };
    let mut line = (*line).clone().moved(*column);
    line.end_as_common();
    Some(line)
}
