//! What two files mean differently: comments, order of keys, quotes and indentation are no difference.
//!
//! Keys are compared by their names and documents by what they are. Items of a list are the same where they are equal, and
//! else by the rules that an upgrade pairs them by ([`matching`](crate::upgrade::matching)); the order of items is meaning.
//!
//! Left out: how differences are printed ([`report`](crate::report)).

mod meaning;
mod reasons;

use foldhash::HashMap;
use std::collections::VecDeque;

pub(crate) use self::meaning::meaning;
pub(crate) use self::reasons::{with_reasons, with_reasons_of_result};
use crate::report::line_diff::LineDiff;
use crate::report::shown::shown_at_length;
use crate::report::{Difference, DifferenceKind};
use crate::text::error::Error;
use crate::text::named::NamedText;
use crate::text::source::Source;
use crate::upgrade::Named;
use crate::upgrade::documents::pairing;
use crate::upgrade::matching::{self, Match, Pairing};
use crate::yaml::check::{self, Checked};
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::path::Step;
use crate::yaml::pattern::{Pattern, Word};
use crate::yaml::row::RowId;
use crate::yaml::value::{Value, ValueKind};

/// Finds what two texts mean differently, in the order of the new one; what is gone stands where it was.
///
/// # Errors
/// A text that is not valid YAML.
///
/// ```
/// let found = yamlift::differences("a: 1\nb: 2\n", "b: '2'\na: 1  # one\n")?;
/// assert_eq!((found.len(), found[0].path.as_str()), (1, "b"));
/// # Ok::<(), yamlift::Error>(())
/// ```
pub fn differences<'t>(old: impl Into<NamedText<'t>>, new: impl Into<NamedText<'t>>) -> Result<Vec<Difference>, Error> {
    by_meaning(old.into().or("old"), new.into().or("new")).map(|compared| compared.differences)
}

/// All that differs between two files.
pub(crate) struct Comparison {
    pub(crate) differences: Vec<Difference>,
    pub(crate) lines: LineDiff,
}

/// Whether two nulls that are written in other ways are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nulls {
    Alike,
    AsWritten,
}

/// Compares two files by what they mean and by their lines. One null is any other, however it is written.
pub(crate) fn by_meaning(old: Named<'_>, new: Named<'_>) -> Result<Comparison, Error> {
    compare_by(old, new, Nulls::Alike)
}

/// The same for an upgrade: where only a null is written in another way, it says that it changed that.
pub(crate) fn compare(old: Named<'_>, new: Named<'_>) -> Result<Comparison, Error> {
    compare_by(old, new, Nulls::AsWritten)
}

fn compare_by(old: Named<'_>, new: Named<'_>, nulls: Nulls) -> Result<Comparison, Error> {
    let texts = [old.1, new.1];
    let (old, new) = (Source::new(old.0, old.1)?, Source::new(new.0, new.1)?);
    let (old, new) = check::both(old.text.len(), || check::read(&old), || check::read(&new));
    let (old, new) = (old?, new?);
    let lines = LineDiff::between((texts[0], &old.outline), (texts[1], &new.outline));
    Ok(Comparison { differences: between(&old, &new, nulls), lines })
}

/// The same for files that were read.
fn between(old: &Checked<'_>, new: &Checked<'_>, nulls: Nulls) -> Vec<Difference> {
    let mut walk = Walk { old: &old.outline, new: &new.outline, nulls, found: Vec::new() };
    let pairs = pairing::pair(&old.stream.children, &old.outline, &new.stream.children, &new.outline);
    let mut befores: HashMap<_, _> = HashMap::default();
    for (document, pair) in old.stream.children.iter().zip(pairs) {
        let Some(row) = document.row else { continue };
        match pair.and_then(|at| new.stream.children[at].row) {
            Some(other) => _ = befores.insert(other, row),
            None if is_nothing(&old.outline, &new.outline) => {}
            None => walk.removed(row, &Trail::root(&old.outline, row)),
        }
    }
    for row in new.stream.children.iter().filter_map(|document| document.row) {
        let trail = Trail::root(&new.outline, row);
        match befores.get(&row) {
            Some(&before) => walk.values(before, row, &trail),
            None if is_nothing(&new.outline, &old.outline) => {}
            None => walk.added(row, &trail),
        }
    }
    walk.found
}

/// Whether a file has nothing but a document without a value, and the other one nothing: comments alone are read as either.
fn is_nothing(file: &Outline<'_>, other: &Outline<'_>) -> bool {
    other.documents.is_empty() && matches!(file.documents[..], [root] if file[root].is_null())
}

/// The way to a value; it becomes a path only where something is told about the value.
#[derive(Debug, Clone, Copy)]
enum Trail<'t> {
    /// A document; `Some` where its file has several.
    Document(Option<usize>),
    Key(&'t Trail<'t>, &'t str),
    Item(&'t Trail<'t>, usize),
    /// An item by what it is called: the key and its value.
    Named(&'t Trail<'t>, &'t str, &'t str),
}

impl<'t> Trail<'t> {
    fn root(outline: &Outline<'_>, row: RowId) -> Self {
        let several = outline.documents.len() > 1;
        Self::Document(outline.documents.iter().position(|&document| document == row).filter(|_| several))
    }

    /// The way to an item of a list, by what it is called where that can be written in a path.
    fn item(&'t self, item: Value<'t, '_>, at: usize, key: Option<&'t str>) -> Self {
        let name = key.and_then(|key| Some((key, item.scalar(key)?)));
        match name.filter(|(_, name)| !name.contains([']', '[', '\n'])) {
            Some((key, name)) => Self::Named(self, key, name),
            None => Self::Item(self, at),
        }
    }

    fn path(&self) -> Pattern {
        let mut words = Vec::new();
        let mut trail = self;
        loop {
            let (above, word) = match *trail {
                Self::Document(at) => {
                    words.extend(at.map(|at| Word::Step(Step::Document(at))));
                    words.reverse();
                    return Pattern(words);
                }
                Self::Key(above, name) => (above, Word::Step(Step::Key(name.to_owned()))),
                Self::Item(above, at) => (above, Word::Step(Step::Item(at))),
                Self::Named(above, key, name) => (above, Word::Named(key.to_owned(), name.to_owned())),
            };
            words.push(word);
            trail = above;
        }
    }
}

struct Walk<'w, 'a> {
    old: &'w Outline<'a>,
    new: &'w Outline<'a>,
    nulls: Nulls,
    found: Vec<Difference>,
}

impl Walk<'_, '_> {
    fn values(&mut self, old: RowId, new: RowId, trail: &Trail<'_>) {
        match (self.old[old].kind, self.new[new].kind) {
            (RowKind::Map, RowKind::Map) if self.has_same_tag(old, new) => self.maps(old, new, trail),
            (RowKind::List, RowKind::List) if self.has_same_tag(old, new) => self.lists(old, new, trail),
            _ if self.means_the_same(old, new) => {}
            _ => self.changed(old, new, trail),
        }
    }

    fn has_same_tag(&self, old: RowId, new: RowId) -> bool {
        self.old.has_same_tag(old, self.new, new)
    }

    /// An alias is what it stands for. What an alias of the same name stands for is compared where that is written.
    fn means_the_same(&self, old: RowId, new: RowId) -> bool {
        let (old, new) = (Value::at(old, self.old), Value::at(new, self.new));
        let is_same_alias = old.alias().is_some() && old.alias() == new.alias();
        is_same_alias
            || match self.nulls {
                Nulls::Alike => self.old.means_as_value(old.row(), self.new, new.row()),
                Nulls::AsWritten => self.old.means(old.row(), self.new, new.row()),
            }
    }

    fn maps(&mut self, old: RowId, new: RowId, trail: &Trail<'_>) {
        let mut gone: HashMap<_, Vec<_>> = HashMap::default();
        let mut behind = None;
        for row in self.old.children(old) {
            match self.new.get(new, name(self.old, row)) {
                Some(other) => behind = Some(other),
                None => gone.entry(behind).or_default().push(row),
            }
        }
        let mut removed = |walk: &mut Self, behind: Option<RowId>| {
            for row in gone.remove(&behind).unwrap_or_default() {
                walk.removed(row, &Trail::Key(trail, name(walk.old, row)));
            }
        };
        removed(self, None);
        for row in self.new.children(new) {
            let trail = Trail::Key(trail, name(self.new, row));
            match self.old.get(old, name(self.new, row)) {
                Some(before) => self.values(before, row, &trail),
                None => self.added(row, &trail),
            }
            removed(self, Some(row));
        }
    }

    fn lists(&mut self, old: RowId, new: RowId, trail: &Trail<'_>) {
        let (mine, theirs) = (Items::of(self.old, old), Items::of(self.new, new));
        let pairs = self.pairs(&mine, &theirs);
        let key = matching::name_key(&mine.values, &theirs.values);
        let mut kept = vec![false; mine.rows.len()];
        let (mut gained, mut lost) = (Vec::new(), Vec::new());
        for (at, (&item, pair)) in theirs.values.iter().zip(&pairs).enumerate() {
            match *pair {
                Some(before) => {
                    kept[before] = true;
                    self.values(mine.rows[before], theirs.rows[at], &trail.item(item, at, key));
                }
                None if item.kind() == ValueKind::Map => self.added(theirs.rows[at], &trail.item(item, at, key)),
                None => gained.push(shown_at_length(self.new, theirs.rows[at])),
            }
        }
        for (at, &item) in mine.values.iter().enumerate().filter(|(at, _)| !kept[*at]) {
            match item.kind() {
                ValueKind::Map => self.removed(mine.rows[at], &trail.item(item, at, key)),
                _ => lost.push(shown_at_length(self.old, mine.rows[at])),
            }
        }
        if gained.len() + lost.len() > 0 {
            self.changed(old, new, trail);
            if let Some(difference) = self.found.last_mut() {
                (difference.gained, difference.lost) = (gained, lost);
            }
        }
        let places: Vec<_> = pairs.into_iter().flatten().collect();
        if !places.is_sorted() {
            self.push(DifferenceKind::Reordered, new, trail);
        }
    }

    fn changed(&mut self, old: RowId, new: RowId, trail: &Trail<'_>) {
        let mut before = shown_at_length(self.old, old);
        self.push(DifferenceKind::Changed, new, trail);
        let Some(difference) = self.found.last_mut() else { return };
        if let Some(after) = difference.after.as_mut().filter(|after| **after == before) {
            let tagged = |tag: Option<&str>, text: &str| format!("{} {text}", tag.unwrap_or("no tag:"));
            *after = tagged(self.new.tag(new), after);
            before = tagged(self.old.tag(old), &before);
        }
        difference.before = Some(before);
    }

    fn added(&mut self, row: RowId, trail: &Trail<'_>) {
        self.push(DifferenceKind::Added, row, trail);
    }

    fn push(&mut self, kind: DifferenceKind, row: RowId, trail: &Trail<'_>) {
        let found =
            Difference { after: Some(shown_at_length(self.new, row)), ..difference(kind, self.new, row, trail) };
        self.found.push(found);
    }

    fn removed(&mut self, row: RowId, trail: &Trail<'_>) {
        let found = difference(DifferenceKind::Removed, self.old, row, trail);
        self.found.push(Difference { before: Some(shown_at_length(self.old, row)), ..found });
    }
}

fn difference(kind: DifferenceKind, outline: &Outline<'_>, row: RowId, trail: &Trail<'_>) -> Difference {
    Difference {
        kind,
        path: trail.path().to_string(),
        line: outline[row].line,
        before: None,
        after: None,
        gained: Vec::new(),
        lost: Vec::new(),
        why: None,
        place: outline.path(row),
    }
}

fn name<'o>(outline: &'o Outline<'_>, row: RowId) -> &'o str {
    outline[row].name.as_deref().unwrap_or_default()
}

/// The items of a list, by their rows and as what they are.
struct Items<'o, 'a> {
    rows: Vec<RowId>,
    values: Vec<Value<'o, 'a>>,
}

impl<'o, 'a> Items<'o, 'a> {
    fn of(outline: &'o Outline<'a>, list: RowId) -> Self {
        let rows: Vec<_> = outline.children(list).collect();
        let values = rows.iter().map(|&row| Value::at(row, outline)).collect();
        Self { rows, values }
    }

    /// What an item has in common with those that it is equal to. An alias is known by its name.
    fn digest(&self, at: usize) -> Digest<'o> {
        let value = self.values[at];
        value.alias().map_or_else(|| Digest::Value(value.digest()), Digest::Alias)
    }
}

#[derive(PartialEq, Eq, Hash)]
enum Digest<'o> {
    Alias(&'o str),
    Value(u64),
}

impl Walk<'_, '_> {
    /// For each item of the new list the one of the old list that it was: one that is equal, or else by their names.
    fn pairs(&self, mine: &Items<'_, '_>, theirs: &Items<'_, '_>) -> Vec<Option<usize>> {
        let mut pairs = self.equal(mine, theirs);
        let mut is_free = vec![true; mine.rows.len()];
        pairs.iter().flatten().for_each(|&at| is_free[at] = false);
        let old: Vec<_> = (0..mine.rows.len()).filter(|&at| is_free[at]).collect();
        let new: Vec<_> = (0..theirs.rows.len()).filter(|&at| pairs[at].is_none()).collect();
        let left: Vec<_> = old.iter().map(|&at| mine.values[at]).collect();
        let came: Vec<_> = new.iter().map(|&at| theirs.values[at]).collect();
        let matches = matching::pair_values(&left, &came, Pairing::Identity, None);
        for (at, found) in old.into_iter().zip(matches) {
            if let Match::Pair(other) = found {
                pairs[new[other]] = Some(at);
            }
        }
        pairs
    }

    fn equal(&self, mine: &Items<'_, '_>, theirs: &Items<'_, '_>) -> Vec<Option<usize>> {
        let mut known: HashMap<_, VecDeque<_>> = HashMap::default();
        for at in 0..mine.rows.len() {
            known.entry(mine.digest(at)).or_default().push_back(at);
        }
        let mut take = |at: usize| {
            let like = known.get_mut(&theirs.digest(at))?;
            let found = like.iter().position(|&other| self.means_the_same(mine.rows[other], theirs.rows[at]))?;
            like.remove(found)
        };
        (0..theirs.rows.len()).map(&mut take).collect()
    }
}
