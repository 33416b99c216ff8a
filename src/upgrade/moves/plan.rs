//! What a step of a migration means for one file: decided before anything of the file is changed.
//!
//! All old paths are looked up in the file as it is, so that two keys can change their names and indices count as
//! before. A new path is set where something stands there that does not leave.

mod reach;

use foldhash::{HashMap, HashSet};
use std::collections::{BTreeMap, BTreeSet};

use self::reach::Reach;
use super::files::{Files, Gap, GivesWay, Way, gaps};
use super::{PreparedChange, What};
use crate::text::error::Error;
use crate::upgrade::edit;
use crate::upgrade::migration::{Move, Release};
use crate::yaml::fields::Words;
use crate::yaml::outline::{Outline, Row, RowKind};
use crate::yaml::path::{Path, Step};
use crate::yaml::pattern::{Pattern, Word};
use crate::yaml::place::Place as Value;
use crate::yaml::row::RowId;
use crate::yaml::tree::Kind;

/// A value that goes to another place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Take {
    pub(super) from: Way,
    /// What is there already of its new place.
    pub(super) base: Way,
    /// The keys from there on; the last one is its own.
    pub(super) keys: Vec<String>,
}

/// What is to be done.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Keys that get another name where they stand.
    pub(super) renames: BTreeMap<Way, String>,
    pub(super) takes: Vec<Take>,
    /// The defaults that give way to values that move, by the old places of these.
    pub(super) replaced: BTreeMap<Way, Way>,
    /// All that leaves its place for good, with what would be left empty.
    pub(super) going: BTreeSet<Way>,
    /// The outermost of these.
    pub(super) removed: Vec<Way>,
    /// Where these were.
    pub(super) gaps: Vec<Gap>,
    /// Those that are left empty: what is said about them goes on with the first value that was moved out of them.
    pub(super) emptied: Vec<Way>,
    /// Old and new paths, as before and as after.
    pub(super) moved: Vec<(Path, Path)>,
    pub(super) changes: Vec<PreparedChange>,
    pub(super) warnings: Vec<String>,
    /// Paths that name nothing.
    pub(super) unknown: Vec<String>,
    /// What is deleted only while merging.
    pub(super) deferred: Vec<String>,
}

impl Plan {
    pub(super) fn is_empty(&self) -> bool {
        self.renames.is_empty() && self.takes.is_empty() && self.removed.is_empty()
    }
}

/// Decides what the moves and deletions of a step mean.
pub(super) fn plan(files: &Files<'_, '_>, release: &Release) -> Result<Plan, Error> {
    let mut planner = Planner {
        files,
        wanted: BTreeMap::new(),
        leaving: BTreeSet::new(),
        going: BTreeSet::new(),
        dropped: BTreeSet::new(),
        targets: HashMap::default(),
        plan: Plan::default(),
    };
    let wanted = planner.wanted(&release.moves)?;
    planner.wanted = wanted.iter().cloned().collect();
    planner.gone(&release.delete, &release.reset)?;
    planner.leaving.extend(planner.wanted.keys().cloned());
    for (from, to) in wanted {
        planner.one(&from, &to);
    }
    planner.finish();
    Ok(planner.plan)
}

pub(super) struct Planner<'p, 'f, 'a> {
    pub(super) files: &'p Files<'f, 'a>,
    /// The old and the new path of each value that is to move.
    pub(super) wanted: BTreeMap<Way, Pattern>,
    /// What leaves its place: all old paths, and all that is deleted.
    pub(super) leaving: BTreeSet<Way>,
    /// What of that is really taken out.
    going: BTreeSet<Way>,
    /// What has a value at its new path already.
    dropped: BTreeSet<Way>,
    /// New places that are taken: what is there of them, the keys from there on, and what comes there.
    targets: HashMap<(Way, Vec<String>), Way>,
    plan: Plan,
}

impl<'f, 'a> Planner<'_, 'f, 'a> {
    pub(super) fn stream(&self) -> Value<'f, 'a> {
        self.files.stream()
    }

    /// The old and new path of each value that moves.
    fn wanted(&mut self, moves: &[Move]) -> Result<Vec<(Way, Pattern)>, Error> {
        let (mut wanted, mut seen) = (Vec::new(), BTreeSet::new());
        for Move { from, to, .. } in moves {
            let found = self.files.find(&from.text)?;
            let target = self.files.target(&to.text)?;
            if found.is_empty() {
                self.plan.unknown.push(from.text.clone());
            }
            let into_itself = target.0.starts_with(&self.files.target(&from.text)?.0);
            for (way, stars) in found {
                let to = target.filled(&stars);
                let is_done = into_itself && self.is_inside(&to, &way)?;
                if seen.insert(way.clone()) && !is_done {
                    wanted.push((way, to));
                }
            }
        }
        Ok(wanted)
    }

    /// Whether something stands at a new path inside of what is to move there: an earlier run has done that.
    fn is_inside(&self, to: &Pattern, way: &Way) -> Result<bool, Error> {
        Ok(self.files.find(&to.to_string())?.iter().any(|(at, _)| at.len() > way.len() && at.starts_with(way)))
    }

    /// What is deleted or reset. What moves away is not there to be deleted. Where the new default has nothing in the place of
    /// what is reset, that is told. An old default has no more of it than the user's file: so nobody took it out, and it comes in.
    fn gone(&mut self, delete: &[Words], reset: &[Words]) -> Result<(), Error> {
        let deleted = delete.iter().map(|path| (path, false));
        for (path, is_reset) in deleted.chain(reset.iter().map(|path| (path, true))) {
            for (way, _) in self.files.find(&path.text)? {
                let is_users = matches!(self.files.gives_way, GivesWay::Defaults(_));
                let is_default = || is_reset && is_users && self.is_as_in(&self.files.update.outline, &way);
                if self.wanted.contains_key(&way) || is_default() {
                    continue;
                }
                if self.is_needed(&way) {
                    self.plan.deferred.push(self.path(&way).to_string());
                } else {
                    self.leaving.insert(way.clone());
                    self.going.insert(way);
                }
            }
        }
        let update = Files { current: self.files.update, ..*self.files };
        for path in reset {
            let gone = !self.files.find(&path.text)?.is_empty();
            if gone && update.find(&path.text)?.is_empty() {
                self.plan
                    .warnings
                    .push(format!("`{}` was to be reset, but the new default does not have it: it is gone", path.text));
            }
        }
        Ok(())
    }

    /// Whether a value is what a default has there.
    fn is_as_in(&self, default: &Outline<'_>, way: &[usize]) -> bool {
        let found = self.stream().follow(way).map(Value::row).zip(default.row_at(&self.path(way)));
        found.is_some_and(|(row, other)| self.files.current.outline.means_however_written(row, default, other))
    }

    /// Whether a value gives way to one that moves there.
    fn gives_way(&self, way: &[usize]) -> bool {
        match self.files.gives_way {
            GivesWay::Defaults(base) => {
                base.is_some_and(|base| self.is_as_in(base, way)) || self.is_as_in(&self.files.update.outline, way)
            }
            GivesWay::At(paths) => paths.contains(&self.path(way)),
        }
    }

    /// Whether an alias elsewhere means something inside of a value. Only the merge knows what it means without that.
    fn is_needed(&self, way: &[usize]) -> bool {
        let outline = &self.files.current.outline;
        let Some(value) = self.stream().follow(way) else { return false };
        let inside = value.row()..outline.row(value.row()).map_or(value.row(), |row| row.end);
        let needs = |(at, row): (RowId, &Row<'_>)| match row.kind {
            RowKind::Alias(target) => inside.contains(&target.row) && !inside.contains(&at),
            _ => false,
        };
        outline.aliases > 0 && outline.all().any(needs)
    }

    /// A path as it is shown.
    fn path(&self, way: &[usize]) -> Path {
        self.files.shown(&self.files.path(way, &[]))
    }

    fn one(&mut self, from: &Way, to: &Pattern) {
        if let Some(name) = self.name_below(from, to) {
            self.plan.renames.insert(from.clone(), name);
            return;
        }
        let (document, words) = self.document(from, &to.0);
        match self.reach(vec![document], words) {
            Reach::Found(way) if way == *from => _ = self.leaving.remove(from),
            Reach::Found(way) => self.both(from, &way, to),
            Reach::Blocked(way, word) => {
                let is_value = self.stream().follow(&way).is_some_and(|value| value.kind() == Kind::Leaf);
                let at = self.path(&way);
                let why = if is_value {
                    format!("`{at}` holds a value")
                } else {
                    format!("there is no `{}` at `{at}`", Pattern(vec![word]))
                };
                self.tell(from, What::NotMoved { to: to.clone(), why });
            }
            Reach::Missing(base, keys) => self.take(from, base, keys),
        }
    }

    /// Something moves to a place of its own: under another name where it stands, or elsewhere.
    fn take(&mut self, from: &Way, base: Way, keys: Vec<String>) {
        if let Some(other) = self.targets.get(&(base.clone(), keys.clone())).cloned() {
            return self.both_come(from, &other, &base, &keys);
        }
        self.targets.insert((base.clone(), keys.clone()), from.clone());
        let old = self.files.stream().follow(from).and_then(Value::name);
        if let ([name], Some((_, parent))) = (&keys[..], from.split_last())
            && base == parent
            && let Some(old) = old
        {
            if old != name {
                self.plan.renames.insert(from.clone(), name.clone());
            }
            return;
        }
        self.going.insert(from.clone());
        self.plan.takes.push(Take { from: from.clone(), base, keys });
    }

    /// Old and new path are both set. What is the same goes, maps are put together key by key, a default at the new path
    /// gives way, and else the value there stays.
    fn both(&mut self, from: &Way, to: &Way, target: &Pattern) {
        let (Some(mine), Some(theirs)) = (self.stream().follow(from), self.stream().follow(to)) else { return };
        let keys: Option<Vec<_>> = mine.children().iter().map(|child| child.name().map(str::to_owned)).collect();
        if let (Kind::Map, Kind::Map, Some(keys)) = (mine.kind(), theirs.kind(), keys.filter(|keys| !keys.is_empty())) {
            for (at, name) in keys.into_iter().enumerate() {
                let below = [&target.0[..], &[Word::Step(Step::Key(name))]].concat();
                let child = [&from[..], &[at]].concat();
                if !self.leaving.contains(&child) {
                    self.one(&child, &Pattern(below));
                }
            }
            self.leaving.insert(from.clone());
            return;
        }
        if self.same(mine, theirs) {
            return self.drop_same(from);
        }
        match (to.split_last(), theirs.name()) {
            (Some((_, parent)), Some(name)) if self.gives_way(to) => {
                self.replace(from, to, (parent.to_vec(), vec![name.to_owned()]));
            }
            _ => self.drop_other(from, &self.files.path(to, &[])),
        }
    }

    /// A default at the new path gives way to the first value that moves there.
    fn replace(&mut self, from: &Way, to: &Way, target: (Way, Vec<String>)) {
        if let Some(other) = self.targets.get(&target).cloned() {
            return self.both_come(from, &other, &target.0, &target.1);
        }
        self.drop(to);
        self.plan.replaced.insert(from.clone(), to.clone());
        self.take(from, target.0, target.1);
    }

    fn same(&self, mine: Value<'_, '_>, theirs: Value<'_, '_>) -> bool {
        let outline = &self.files.current.outline;
        match outline[mine.row()].kind {
            RowKind::Scalar(_) => outline.same_meaning(mine.row(), outline, theirs.row()),
            _ => outline.same(mine.row(), outline, theirs.row()),
        }
    }

    /// Two values move to one place: the first comes.
    fn both_come(&mut self, from: &Way, other: &Way, base: &Way, keys: &[String]) {
        let (Some(mine), Some(theirs)) = (self.stream().follow(from), self.stream().follow(other)) else { return };
        let mut new = self.files.path(base, &[]);
        new.0.extend(keys.iter().cloned().map(Step::Key));
        if self.same(mine, theirs) { self.drop_same(from) } else { self.drop_other(from, &new) }
    }

    /// A value goes, for the same is at its new path.
    fn drop_same(&mut self, from: &Way) {
        let text = self.drop(from);
        self.tell(from, What::Removed { text });
    }

    /// A value goes, for there is another at its new path.
    fn drop_other(&mut self, from: &Way, new: &Path) {
        let text = self.drop(from);
        let what = What::BothSet { from: self.path(from), text };
        self.plan.changes.push(PreparedChange { path: self.files.shown(new), line: self.files.line(from), what });
    }

    /// Takes out a value that does not move; its first line.
    fn drop(&mut self, from: &Way) -> String {
        self.going.insert(from.clone());
        self.dropped.insert(from.clone());
        let gone = edit::removed(&self.files.current.stream, &self.files.current.outline, from);
        gone.map_or_else(String::new, |gone| gone.text)
    }

    fn tell(&mut self, way: &Way, what: What) {
        let change = PreparedChange { path: self.path(way), line: self.files.line(way), what };
        self.plan.changes.push(change);
    }

    /// Adds what would be left empty, tells what went, and writes down the new path of everything.
    fn finish(&mut self) {
        self.drop_empty_renames();
        let bases = self.plan.takes.iter().map(|take| &take.base);
        let stay: BTreeSet<_> = bases.chain(self.plan.renames.keys()).cloned().collect();
        let mut empty = edit::emptied(self.stream(), &self.going);
        empty.retain(|way| stay.range(way.clone()..).next().is_none_or(|next| !next.starts_with(way)));
        let all: BTreeSet<Way> = self.going.iter().map(|way| edit::with_empty_parents(way, &empty)).collect();
        let outermost = all.iter().filter(|way| !(1..way.len()).any(|length| all.contains(&way[..length])));
        self.plan.removed = outermost.cloned().collect();
        self.plan.gaps = gaps(&self.plan.removed);
        self.plan.emptied = all.iter().filter(|way| !self.going.contains(*way)).cloned().collect();
        self.plan.going = all;
        let taken: HashSet<_> = self.plan.takes.iter().map(|take| &take.from).collect();
        let moved = |way: &Way| taken.contains(way) || self.wanted.contains_key(way) || self.dropped.contains(way);
        for way in self.plan.removed.iter().filter(|way| !moved(way)).cloned().collect::<Vec<_>>() {
            if let Some(gone) = edit::removed(&self.files.current.stream, &self.files.current.outline, &way) {
                self.tell(&way, What::Removed { text: gone.text });
            }
        }
        self.plan.moved = self.moved();
    }

    /// A map of which all goes elsewhere gets no other name, unless something comes there.
    fn drop_empty_renames(&mut self) {
        let empty = edit::emptied(self.stream(), &self.going);
        let coming = self.plan.takes.iter().filter_map(|take| Some((&take.base[..], take.keys.first()?)));
        let coming: HashSet<_> = coming.collect();
        let comes = |way: &Way, name: &String| coming.contains(&(&way[..way.len() - 1], name));
        let renames = std::mem::take(&mut self.plan.renames).into_iter();
        let (empty, rest): (BTreeMap<_, _>, _) =
            renames.partition(|(way, name)| empty.contains(way) && !comes(way, name));
        self.plan.renames = rest;
        self.going.extend(empty.into_keys());
    }

    /// The path of each value that moves, before and after.
    fn moved(&self) -> Vec<(Path, Path)> {
        let takes = self.plan.takes.iter();
        let by_way = takes.clone().rev().map(|take| (&take.from[..], take)).collect();
        let all = self.plan.renames.keys().chain(takes.map(|take| &take.from));
        all.map(|way| (self.files.path(way, &[]), self.after(way, &by_way))).collect()
    }

    /// The path of what is at a way now, when all is done. What goes elsewhere is known by its old way.
    fn after(&self, way: &[usize], by_way: &HashMap<&[usize], &Take>) -> Path {
        let Plan { renames, gaps, .. } = &self.plan;
        if let Some(take) = by_way.get(way) {
            let keys = take.keys.iter().cloned().map(Step::Key);
            return Path(self.files.path(&take.base, gaps).0.into_iter().chain(keys).collect());
        }
        let own = self.files.path(way, gaps);
        let (Some((_, parent)), Some(last)) = (way.split_last().filter(|(_, parent)| !parent.is_empty()), own.0.last())
        else {
            return own;
        };
        let step = renames.get(way).map_or_else(|| last.clone(), |name| Step::Key(name.clone()));
        Path(self.after(parent, by_way).0.into_iter().chain([step]).collect())
    }
}
