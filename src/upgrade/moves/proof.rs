//! The prepared text says the same as the text before, but for what was to change.
//!
//! This knows nothing of how the text came about. Every value of the text before is at its path, or at its new one; what
//! was taken out is not there; and nothing else is, but for the maps that a new path needs.

use foldhash::{HashMap, HashSet};

use crate::text::error::{Error, Place};
use crate::text::source::Source;
use crate::yaml::check;
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::path::{Path, Step};
use crate::yaml::row::RowId;

/// What is to be different.
#[derive(Debug, Default)]
pub(super) struct Promise {
    /// Old and new paths.
    pub(super) moved: HashMap<Path, Path>,
    pub(super) gone: HashSet<Path>,
    /// Values that are written anew, in flow style.
    pub(super) rewritten: HashMap<Path, String>,
}

impl Promise {
    /// The paths that new ones lead through.
    fn ways(&self) -> HashSet<Path> {
        let above = |to: &Path| (0..to.0.len()).map(|length| Path(to.0[..length].to_vec())).collect::<Vec<_>>();
        self.moved.values().flat_map(above).collect()
    }

    fn is_rewritten(&self, path: &Path) -> bool {
        (1..=path.0.len()).any(|length| self.rewritten.contains_key(&Path(path.0[..length].to_vec())))
    }
}

/// Holds the text after against the text before.
pub(super) fn check(before: &Outline<'_>, after: &Outline<'_>, promise: &Promise) -> Result<(), Error> {
    let (expected, found) = (Places::of(before, promise), Places::of(after, &Promise::default()));
    let proof = Proof { before, after, promise, ways: promise.ways(), expected, found };
    for (path, &row) in &proof.found.rows {
        if !proof.is_right(path, row)? {
            return Err(broken(path, after[row].line));
        }
    }
    let is_lost = |path: &Path| !proof.found.rows.contains_key(path) && !promise.is_rewritten(path);
    let lost = proof.expected.rows.iter().find(|(path, _)| is_lost(path));
    lost.map_or(Ok(()), |(path, &row)| Err(broken(path, before[row].line)))
}

fn broken(path: &Path, line: usize) -> Error {
    let what = format!("after the moves, {path} is not what it was");
    Error::verification(what).placed(Place { line, column: 1 })
}

struct Proof<'p, 'a, 'b> {
    before: &'p Outline<'a>,
    after: &'p Outline<'b>,
    promise: &'p Promise,
    /// The paths that new ones lead through.
    ways: HashSet<Path>,
    expected: Places,
    found: Places,
}

impl Proof<'_, '_, '_> {
    fn is_right(&self, path: &Path, row: RowId) -> Result<bool, Error> {
        if let Some(text) = self.promise.rewritten.get(path) {
            return self.reads_as(text, row);
        }
        let is_way = self.ways.contains(path);
        Ok(match self.expected.rows.get(path) {
            _ if self.promise.is_rewritten(path) => true,
            Some(&old) if is_way && self.before[old].is_null() => true,
            Some(&old) if !self.same_alias(old, row) => return Err(super::alias()),
            Some(&old) => self.before.same_value(old, self.after, row),
            None if path.0.len() == 1 => is_way || self.after[row].is_null(),
            None => is_way && self.after[row].kind == RowKind::Map,
        })
    }

    /// Whether a value is what its text alone is.
    fn reads_as(&self, text: &str, row: RowId) -> Result<bool, Error> {
        let text = format!("value: {text}\n");
        let source = Source::new("migration", &text)?;
        let read = check::read(&source)?;
        let wanted = read.outline.documents.first().and_then(|&map| read.outline.get(map, "value"));
        Ok(wanted.is_some_and(|wanted| self.after.same(row, &read.outline, wanted)))
    }

    fn same_alias(&self, old: RowId, new: RowId) -> bool {
        match (self.before[old].kind, self.after[new].kind) {
            (RowKind::Alias(mine), RowKind::Alias(theirs)) => {
                mine.is_alike(theirs) && self.expected.path(mine.row) == self.found.path(theirs.row)
            }
            _ => true,
        }
    }
}

/// The values of a text by the path that each is to have.
#[derive(Default)]
struct Places {
    rows: HashMap<Path, RowId>,
    paths: HashMap<RowId, Path>,
}

impl Places {
    fn of(outline: &Outline<'_>, promise: &Promise) -> Self {
        let (mut placing, ways) = (Placing { outline, promise, places: Self::default() }, promise.ways());
        for (at, &row) in outline.documents.iter().enumerate() {
            let path = Path(vec![Step::Document(at)]);
            let stays = placing.inside(row, &path, Some(&path));
            if stays || outline[row].end == row.next() || ways.contains(&path) {
                placing.places.add(path, row);
            }
        }
        placing.places
    }

    fn path(&self, row: RowId) -> Option<&Path> {
        self.paths.get(&row)
    }

    fn add(&mut self, path: Path, row: RowId) {
        self.paths.insert(row, path.clone());
        self.rows.insert(path, row);
    }
}

/// Finds the places of all values of a text.
struct Placing<'p, 'a> {
    outline: &'p Outline<'a>,
    promise: &'p Promise,
    places: Places,
}

impl Placing<'_, '_> {
    /// Adds all inside of a value; `new` is nothing for one that goes. Whether anything of it stays.
    fn inside(&mut self, row: RowId, old: &Path, new: Option<&Path>) -> bool {
        let (outline, promise) = (self.outline, self.promise);
        let mut left = 0;
        for (at, child) in outline.children(row).enumerate() {
            let name = outline[child].name.as_deref();
            let step = |at| name.map_or(Step::Item(at), |name| Step::Key(name.to_owned()));
            let old = Path([&old.0[..], &[step(at)]].concat());
            let moved = promise.moved.get(&old);
            let stays = moved.is_none() && !promise.gone.contains(&old);
            let below = new.filter(|_| stays).map(|new| Path([&new.0[..], &[step(left)]].concat()));
            left += usize::from(stays);
            let new = moved.cloned().or(below);
            self.inside(child, &old, new.as_ref());
            if let Some(new) = new {
                self.places.add(new, child);
            }
        }
        left > 0
    }
}
