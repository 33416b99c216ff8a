//! Whether each alias of a result stands for what it stood for in the file that it came from.
//!
//! An alias may have become the value that it stood for, where that is written for the first time; and what it stood for
//! may be, at the same path, a value of the other file.

use foldhash::HashSet;

use saphyr_parser::ScalarStyle;

use crate::yaml::outline::{Anchored, Outline, RowKind, Target, is_text};
use crate::yaml::row::RowId;

/// Where the rows of a file are in the result.
pub(super) struct Places {
    rows: Vec<Option<RowId>>,
    /// The aliases of the file, with where each of them is.
    aliases: Vec<(RowId, RowId)>,
    /// What is written in the place of an alias, row by row, and where.
    written: HashSet<(Target, RowId)>,
}

impl Places {
    pub(super) fn of(outline: &Outline<'_>) -> Self {
        Self { rows: vec![None; outline.rows.len()], aliases: Vec::new(), written: HashSet::default() }
    }

    /// A row is in the result.
    pub(super) fn arrived(&mut self, outline: &Outline<'_>, result: &Outline<'_>, row: RowId, place: RowId) {
        self.rows[row.index()] = Some(place);
        self.look(outline, result, row, place);
    }

    /// A row is written at another place than its own.
    pub(super) fn copied(&mut self, outline: &Outline<'_>, result: &Outline<'_>, row: RowId, place: RowId) {
        self.written.insert((Target { row, part: Anchored::Value }, place));
        self.look(outline, result, row, place);
    }

    fn look(&mut self, outline: &Outline<'_>, result: &Outline<'_>, row: RowId, place: RowId) {
        match (outline[row].kind, result[place].kind) {
            (RowKind::Alias(_), RowKind::Alias(_)) => self.aliases.push((row, place)),
            (RowKind::Alias(target), _) => _ = self.written.insert((target, place)),
            _ => {}
        }
    }

    /// A row of the other file is where this one was.
    pub(super) fn merged(&mut self, row: RowId, place: RowId) {
        self.rows[row.index()] = Some(place);
    }

    /// The first alias that stands for something else than what its target became.
    pub(super) fn wrong(&self, outline: &Outline<'_>, result: &Outline<'_>) -> Option<RowId> {
        let wrong = self.aliases.iter().filter(|&&(row, place)| {
            let (RowKind::Alias(target), RowKind::Alias(meant)) = (outline[row].kind, result[place].kind) else {
                return true;
            };
            let is_written = meant.value().is_some_and(|meant| self.written.contains(&(target, meant)));
            let mut became = self.became(target, outline, result).into_iter();
            !is_written && !became.any(|place| place.row == meant.row && place.is_alike(meant))
        });
        wrong.map(|&(_, place)| place).min()
    }

    /// What a value or key became, an alias followed: its place, or all that is at its path. Which item is which is not
    /// known.
    fn became(&self, target: Target, outline: &Outline<'_>, result: &Outline<'_>) -> Vec<Target> {
        let at_path = self.at_path(target.row, outline, result).into_iter();
        let followed = |place: RowId| match result[place].kind {
            RowKind::Alias(meant) if target.value().is_some() => meant,
            _ => Target { row: place, ..target },
        };
        at_path.map(followed).collect()
    }

    fn at_path(&self, row: RowId, outline: &Outline<'_>, result: &Outline<'_>) -> Vec<RowId> {
        if let Some(place) = self.rows[row.index()] {
            return vec![place];
        }
        let depth = outline[row].depth;
        let mut above = RowId::FIRST.up_to(row).rev();
        let Some(parent) = above.find(|&above| outline[above].depth < depth) else { return Vec::new() };
        let parents = self.at_path(parent, outline, result);
        match outline[row].name.as_deref() {
            Some(name) => parents.into_iter().filter_map(|parent| result.get(parent, name)).collect(),
            None => parents.into_iter().flat_map(|parent| result.children(parent)).collect(),
        }
    }
}

/// Whether a value of a file is in the result just like this, and then which row is where. An alias may have another
/// name, or be what it stands for, and text may have got the quotes that it needs in brackets.
pub(super) fn alike(
    outline: &Outline<'_>,
    row: RowId,
    result: &Outline<'_>,
    place: RowId,
) -> Option<Vec<(RowId, RowId)>> {
    let mut comparison = Comparison { outline, result, found: Vec::new() };
    (length_fits(outline, row, result, place) && comparison.holds(row, place)).then_some(comparison.found)
}

/// Whether what came with a key has it still. It may have got the quotes that JSON wants, and lost none that it needs.
pub(super) fn keeps_key(outline: &Outline<'_>, row: RowId, result: &Outline<'_>, place: RowId) -> bool {
    let same_name = outline[row].name == result[place].name;
    same_name && (!outline.has_quoted_key(row) || result.has_quoted_key(place))
}

/// Whether two values can be alike: without aliases they have the same number of rows.
fn length_fits(outline: &Outline<'_>, row: RowId, result: &Outline<'_>, place: RowId) -> bool {
    outline.aliases > 0 || outline[row].end - row == result[place].end - place
}

/// Whether a scalar of the result is the key that an alias stood for.
pub(super) fn is_key(outline: &Outline<'_>, target: Target, result: &Outline<'_>, place: RowId) -> bool {
    let (key, value) = (&outline[target.row], &result[place]);
    let (Anchored::Key(Some(style)), RowKind::Scalar(written)) = (target.part, value.kind) else { return false };
    let is_plain = |style| style == ScalarStyle::Plain;
    let same_style = is_plain(style) == is_plain(written) || is_text(&value.text);
    !value.tagged && key.name.as_deref() == Some(&*value.text) && same_style
}

/// A value of a file beside one of the result.
struct Comparison<'c, 'a, 'r> {
    outline: &'c Outline<'a>,
    result: &'c Outline<'r>,
    /// Which row is where.
    found: Vec<(RowId, RowId)>,
}

impl Comparison<'_, '_, '_> {
    fn holds(&mut self, row: RowId, place: RowId) -> bool {
        let (outline, result) = (self.outline, self.result);
        self.found.push((row, place));
        match (outline[row].kind, result[place].kind) {
            (RowKind::Alias(_), RowKind::Alias(_)) => return true,
            (RowKind::Alias(target), _) => match target.value() {
                Some(meant) => return self.holds(meant, place),
                None => return is_key(outline, target, result, place),
            },
            _ if !outline.same_meaning(row, result, place) => return false,
            _ => {}
        }
        let (mut rows, mut places) = (outline.children(row), result.children(place));
        loop {
            match (rows.next(), places.next()) {
                (None, None) => return true,
                (Some(row), Some(place)) if keeps_key(outline, row, result, place) => {
                    if !self.holds(row, place) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }
}
