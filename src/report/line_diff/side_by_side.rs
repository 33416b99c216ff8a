//! Two texts side by side: every line of both, those that belong together in one row.

use foldhash::HashMap;
use std::collections::VecDeque;
use std::ops::Range;

use super::LineDiff;
use crate::text::source;

/// A line of the old text, of the new one, or of both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) old: Option<Side>,
    pub(crate) new: Option<Side>,
}

/// A line in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Side {
    /// Its number, from 1.
    pub(crate) line: usize,
    pub(crate) text: String,
    pub(crate) state: LineState,
}

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineState {
    /// Both texts have it here, be it indented otherwise; or it is blank.
    Same,
    /// The other text has it at another place.
    Moved,
    /// The other text does not have it.
    Changed,
}

/// The numbers of two lines, from 0, that stand in one row.
type Pair = [Option<usize>; 2];

impl LineDiff {
    /// All lines of both texts, as they may be shown, in rows.
    pub(crate) fn side_by_side(&self, texts: [&str; 2]) -> Vec<Row> {
        let [old, new] = texts.map(|text| source::lines(text).collect::<Vec<_>>());
        let [gone, came] = [self.states('-', old.len()), self.states('+', new.len())];
        let side = |lines: &[&str], states: &[LineState], at: Option<usize>| {
            let (at, text) = at.and_then(|at| Some((at, *lines.get(at)?)))?;
            let state = states.get(at).filter(|_| !text.trim().is_empty()).copied().unwrap_or(LineState::Same);
            Some(Side { line: at + 1, text: text.to_owned(), state })
        };
        let pairs = self.pairs([old.len(), new.len()]).into_iter();
        pairs.map(|[one, other]| Row { old: side(&old, &gone, one), new: side(&new, &came, other) }).collect()
    }

    /// What became of each line of one text, of which lines that the other one does not have bear this sign.
    fn states(&self, sign: char, lines: usize) -> Vec<LineState> {
        let mut states = vec![LineState::Moved; lines];
        for entry in &self.entries {
            let at = if sign == '-' { entry.old } else { entry.new };
            if let Some(state) = at.and_then(|at| states.get_mut(at)) {
                *state = match (entry.old, entry.new) {
                    (Some(_), Some(_)) => LineState::Same,
                    _ if entry.sign == sign => LineState::Changed,
                    _ => LineState::Moved,
                };
            }
        }
        states
    }

    /// The rows: between lines that are the same stand those that differ.
    fn pairs(&self, lengths: [usize; 2]) -> Vec<Pair> {
        let same = self.entries.iter().filter_map(|entry| Some((entry.old?, entry.new?)));
        let (mut pairs, mut old_from, mut new_from) = (Vec::new(), 0, 0);
        for (old, new) in same {
            self.differing([old_from..old, new_from..new], &mut pairs);
            pairs.push([Some(old), Some(new)]);
            (old_from, new_from) = (old + 1, new + 1);
        }
        self.differing([old_from..lengths[0], new_from..lengths[1]], &mut pairs);
        pairs
    }

    /// Lines that differ: two of the same path stand in one row.
    fn differing(&self, [old, new]: [Range<usize>; 2], pairs: &mut Vec<Pair>) {
        let mut known: HashMap<u64, VecDeque<usize>> = HashMap::default();
        for at in new.clone() {
            self.place(1, at).into_iter().for_each(|place| known.entry(place).or_default().push_back(at));
        }
        let (mut old_from, mut new_from) = (old.start, new.start);
        for at in old.clone() {
            let Some(like) = self.place(0, at).and_then(|place| known.get_mut(&place)) else { continue };
            while like.front().is_some_and(|&other| other < new_from) {
                like.pop_front();
            }
            if let Some(other) = like.pop_front() {
                self.unlike([old_from..at, new_from..other], pairs);
                pairs.push([Some(at), Some(other)]);
                (old_from, new_from) = (at + 1, other + 1);
            }
        }
        self.unlike([old_from..old.end, new_from..new.end], pairs);
    }

    /// Lines without a partner: one below the other, but for comments, which face each other.
    fn unlike(&self, [old, new]: [Range<usize>; 2], pairs: &mut Vec<Pair>) {
        let mut both = 0;
        while both < old.len().min(new.len())
            && self.place(0, old.start + both).is_none()
            && self.place(1, new.start + both).is_none()
        {
            pairs.push([Some(old.start + both), Some(new.start + both)]);
            both += 1;
        }
        pairs.extend((old.start + both..old.end).map(|at| [Some(at), None]));
        pairs.extend((new.start + both..new.end).map(|at| [None, Some(at)]));
    }

    /// A number for the path of a line; none of comments and of what continues a value.
    fn place(&self, side: usize, at: usize) -> Option<u64> {
        self.places.get(side)?.get(at).copied().filter(|place| *place != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::source::Source;
    use crate::yaml::check;

    fn rows(old: &str, new: &str) -> Vec<String> {
        let [one, other] = [old, new].map(|text| Source::new("test", text).unwrap());
        let (before, after) = (check::read(&one).unwrap().outline, check::read(&other).unwrap().outline);
        let side = |side: Option<Side>| {
            side.map_or_else(String::new, |Side { line, text, state }| format!("{line} {text} {state:?}"))
        };
        let rows = LineDiff::between((old, &before), (new, &after)).side_by_side([old, new]);
        rows.into_iter().map(|row| format!("{} | {}", side(row.old), side(row.new))).collect()
    }

    #[test]
    fn lines_of_one_path_face_each_other() {
        let expected = ["1 a: 1 Same | 1 a: 1 Same", " | 2 x: 0 Changed", "2 b: 2 Changed | 3 b: 3 Changed"];
        assert_eq!(rows("a: 1\nb: 2\n", "a: 1\nx: 0\nb: 3\n"), expected);
        assert_eq!(rows("c: 1\n", "d: 1\n"), ["1 c: 1 Changed | ", " | 1 d: 1 Changed"]);
    }

    #[test]
    fn every_line_of_both_stands_in_a_row() {
        let found = rows("# old\na: 1\n\nb: 2\nc: 3\n", "# new\nc: 3\na: 1\nb: 2\n");
        let count = |side: usize| found.iter().filter(|row| !row.split(" | ").nth(side).unwrap().is_empty()).count();
        assert_eq!((count(0), count(1)), (5, 4), "{found:#?}");
        assert_eq!(found[0], "1 # old Changed | 1 # new Changed");
        assert!(found.iter().any(|row| row.contains("c: 3 Moved")), "{found:#?}");
    }
}
