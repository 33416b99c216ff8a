//! Where the lines of some keys stand in a document.

use foldhash::{HashMap, HashSet};

use super::lines::{UniqueWords, parts, unique_words};
use super::{Place, Words};
use crate::upgrade::commented_out::paths::{Step, path};
use crate::yaml::commented_out::Found;
use crate::yaml::commented_out::gaps::{Gaps, Holder, Numbered, Part};
use crate::yaml::commented_out::recognise::{CommentedOut, Owner};

/// So many commented-out keys inside of each other are looked at: work grows with the text.
const DEEPEST: usize = 32;

/// The lines of a document at some places.
#[derive(Debug, Default)]
pub(super) struct Places<'n> {
    /// Commented-out keys by their paths, each with its gap and its place there; nothing for several of a path.
    keys: HashMap<Vec<Step<'n>>, Option<(usize, usize)>>,
    unique: UniqueWords<'n>,
    /// Where words are said among the parts of the document, with the gap and the line there.
    said: HashMap<&'n str, Vec<SaidAt>>,
}

/// Where a line stands among the parts of a document, and in which gap and on which line of that.
type SaidAt = (usize, (usize, usize));

/// Where a line stands: in which gap, on which line of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stands {
    pub(super) gap: usize,
    pub(super) line: usize,
    /// The line behind the key's own value.
    pub(super) end: usize,
    /// The one behind all that is inside of it.
    pub(super) end_of_block: usize,
}

impl<'n> Places<'n> {
    pub(super) fn of<'p>(found: &Found<'n, '_>, wanted: impl Iterator<Item = &'p Place>) -> Self {
        let (mut names, mut words) = (HashSet::default(), HashSet::default());
        for place in wanted {
            match place {
                Place::Key(path) => _ = names.insert(path.last().and_then(Option::as_deref)),
                Place::Words(Words { said, .. }) => _ = words.insert(&**said),
            }
        }
        let mut places = Self::default();
        if !names.is_empty() {
            places.add_keys(found, &names);
        }
        if !words.is_empty() {
            places.add_words(found, &words);
        }
        places
    }

    fn add_keys(&mut self, found: &Found<'n, '_>, names: &HashSet<Option<&str>>) {
        for (gap, options) in found.by_gap().enumerate() {
            for (at, option) in options.iter().enumerate() {
                let is_wanted = option.name.is_some() && names.contains(&option.name);
                if let Some(path) = is_wanted.then(|| key_path(&found.gaps, options, at)).flatten() {
                    self.keys.entry(path).and_modify(|place| *place = None).or_insert(Some((gap, at)));
                }
            }
        }
    }

    fn add_words(&mut self, found: &Found<'n, '_>, words: &HashSet<&str>) {
        let gaps = found.gaps.all().enumerate();
        let all = gaps.flat_map(|(gap, between)| between.lines().enumerate().map(move |(at, line)| (line, (gap, at))));
        let wanted = all.filter(|(line, _)| words.contains(line.said()));
        let places: HashMap<_, _> = wanted.map(|(line, place)| (std::ptr::from_ref(line), place)).collect();
        let parts = found.gaps.nodes.first().map_or_else(Vec::new, |document| parts(document.node));
        for (at, part) in parts.iter().enumerate() {
            if let Some((line, place)) =
                part.line().and_then(|line| Some((line, places.get(&std::ptr::from_ref(line))?)))
            {
                self.said.entry(line.said()).or_default().push((at, *place));
            }
        }
        self.unique = unique_words(&parts);
    }

    /// The only line that stands at a place.
    pub(super) fn line(&self, found: &Found<'_, '_>, place: &Place) -> Option<Stands> {
        match place {
            Place::Key(path) => {
                let path: Vec<_> = path.iter().map(Option::as_deref).collect();
                let (gap, at) = (*self.keys.get(&path)?)?;
                let options = found.in_gap(gap)?;
                let CommentedOut { start: line, end, .. } = *options.get(at)?;
                Some(Stands { gap, line, end, end_of_block: end_of_block(options, at).max(end) })
            }
            Place::Words(words) => {
                let (gap, line) = self.line_of_words(words)?;
                Some(Stands { gap, line, end: line + 1, end_of_block: line + 1 })
            }
        }
    }

    /// The only line that says some words between the lines around it, as far as these stand in this file once.
    fn line_of_words(&self, Words { said, above, below }: &Words) -> Option<(usize, usize)> {
        let place = |words: &Option<String>| words.as_ref().and_then(|words| self.unique.get(&**words)).copied();
        let (start, end) = (place(above).map_or(0, |above| above + 1), place(below).unwrap_or(usize::MAX));
        let mut between = self.said.get(&**said)?.iter().filter(|(at, _)| (start..end).contains(at));
        let (_, place) = between.next()?;
        between.next().is_none().then_some(*place)
    }
}

/// The path of a commented-out key; nothing inside of a commented-out item, for these have no numbers.
pub(super) fn key_path<'n>(gaps: &Gaps<'n, '_>, options: &[CommentedOut<'n>], at: usize) -> Option<Vec<Step<'n>>> {
    let mut names = Vec::new();
    let mut option = options.get(at)?;
    while let Owner::CommentedOut(parent) = option.parent {
        names.push(Some(option.name?));
        option = options.get(parent).filter(|_| names.len() < DEEPEST)?;
    }
    let (map, name) = option.key()?;
    let mut path = path(gaps, map, name);
    path.extend(names.into_iter().rev());
    Some(path)
}

/// The line behind all that is inside of a commented-out key.
fn end_of_block(options: &[CommentedOut<'_>], at: usize) -> usize {
    let is_inside = |option: &&CommentedOut<'_>| matches!(option.parent, Owner::CommentedOut(parent) if parent >= at);
    options.iter().skip(at + 1).take_while(is_inside).last().map_or(0, |last| last.end)
}

/// Whether a key of a map can stand where a line stands: the map is open there, and nothing deeper goes on behind it.
pub(super) fn fits(found: &Found<'_, '_>, stands: &Stands, map: usize) -> bool {
    let Some(between) = found.gaps.get(stands.gap) else { return false };
    let holder = between.holder(stands.line);
    let parent = found.gaps.parent_of_next(&between);
    let is_first = between.before == map;
    let is_held =
        holder.is_some_and(|holder| is_first && holder.part == Part::Header || follows(&found.gaps, holder, map));
    is_held && is_inside(&found.gaps, between.before, map) && is_inside(&found.gaps, map, parent)
}

/// Whether a node is another, or inside of it.
pub(super) fn is_inside(gaps: &Gaps<'_, '_>, node: usize, other: usize) -> bool {
    let mut at = node;
    while at > other {
        at = gaps.nodes.get(at).map_or(0, Numbered::parent);
    }
    at == other
}

/// Whether the lines of a holder stand behind the last key of a map.
pub(super) fn follows(gaps: &Gaps<'_, '_>, holder: &Holder<'_, '_>, map: usize) -> bool {
    match holder.part {
        Part::Header => false,
        Part::Above => true,
        Part::Below => is_inside(gaps, map, holder.node),
    }
}
