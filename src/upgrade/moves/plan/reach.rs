//! How far a new path leads in a file, through all that stays.

use super::Planner;
use crate::upgrade::moves::files::Way;
use crate::yaml::document::is_document;
use crate::yaml::outline::Row;
use crate::yaml::path::Step;
use crate::yaml::pattern::{Pattern, Word};
use crate::yaml::place::Place as Value;
use crate::yaml::tree::Kind;

/// How far a new path leads.
pub(super) enum Reach {
    /// Something stands there.
    Found(Way),
    /// These keys are missing below this map.
    Missing(Way, Vec<String>),
    /// The path goes on below this with a step that is not there and cannot be made.
    Blocked(Way, Word),
}

impl Planner<'_, '_, '_> {
    /// The new name of a value that goes along with the map that it stands in: `b -> w` and `b/c -> w/d`.
    pub(super) fn name_below(&self, from: &Way, to: &Pattern) -> Option<String> {
        let (parent, (last, above)) = (&from[..from.len() - 1], to.0.split_last()?);
        let name = key(last)?;
        let (map, image) = (2..=parent.len()).rev().find_map(|length| self.wanted.get_key_value(&from[..length]))?;
        let steps = self.files.path(parent, &[]).0.into_iter().skip(map.len()).map(Word::Step);
        if !image.0.iter().cloned().chain(steps).eq(above.iter().cloned()) {
            return None;
        }
        let (document, words) = self.document(from, &image.0);
        let value = self.stream().follow(parent)?;
        let mut others = value.children().into_iter().enumerate().filter(|(_, child)| child.name() == Some(&name));
        let is_free = others.all(|(at, _)| self.leaving.contains(&[parent, &[at]].concat()));
        (is_free && matches!(self.reach(vec![document], words), Reach::Missing(..))).then_some(name)
    }

    /// The document that a value moves in, and the steps inside of it: its own where the new path names none.
    pub(super) fn document<'w>(&self, from: &Way, words: &'w [Word]) -> (usize, &'w [Word]) {
        let stream = &self.files.current.stream.children;
        match words.split_first() {
            Some((Word::Step(Step::Document(number)), rest)) => {
                let mut counted = stream.iter().enumerate().filter(|(_, document)| is_document(document));
                (counted.nth(*number).map_or(from[0], |(at, _)| at), rest)
            }
            _ => (from[0], words),
        }
    }

    /// Follows a new path through all that stays.
    pub(super) fn reach(&self, mut way: Way, words: &[Word]) -> Reach {
        for (at, word) in words.iter().enumerate() {
            let Some(value) = self.stream().follow(&way) else { return Reach::Blocked(way, word.clone()) };
            let row = self.files.current.outline.row(value.row());
            let is_null = row.is_none_or(Row::is_null);
            // At the end something has to stay, before it at least a map that the path leads through.
            let stays = |way: &Way| if at + 1 == words.len() { !self.is_gone(way) } else { !self.leaves(way) };
            let next = first_below(value, word);
            match next.map(|below| [&way[..], &below].concat()).filter(stays) {
                Some(next) => way = next,
                None if value.kind() == Kind::Map || is_null => {
                    let keys: Option<Vec<_>> = words[at..].iter().map(key).collect();
                    let blocked = Reach::Blocked(way.clone(), word.clone());
                    return keys.map_or(blocked, |keys| Reach::Missing(way, keys));
                }
                None => return Reach::Blocked(way, word.clone()),
            }
        }
        Reach::Found(way)
    }

    /// Whether a value leaves its place, or one that it is in.
    fn leaves(&self, way: &[usize]) -> bool {
        (1..=way.len()).any(|length| self.leaving.contains(&way[..length]))
    }

    /// Whether nothing of a value stays in its place.
    fn is_gone(&self, way: &[usize]) -> bool {
        if self.leaves(way) {
            return true;
        }
        let children = self.stream().follow(way).map_or(0, |value| value.children().len());
        children > 0 && (0..children).all(|at| self.is_gone(&[way, &[at]].concat()))
    }
}

/// The way to the first of what a word names below a value. Nearly all words are keys, and there are very many to look at.
fn first_below(value: Value<'_, '_>, word: &Word) -> Option<Way> {
    match word {
        Word::Step(Step::Key(_)) if value.kind() != Kind::Map => None,
        Word::Step(Step::Key(name)) => {
            let at = value.children().iter().position(|child| child.name() == Some(name))?;
            Some(vec![at])
        }
        _ => Pattern(vec![word.clone()]).places(value).into_iter().map(|(below, _)| below).next(),
    }
}

/// The key that a word names.
fn key(word: &Word) -> Option<String> {
    match word {
        Word::Step(Step::Key(name)) => Some(name.clone()),
        _ => None,
    }
}
