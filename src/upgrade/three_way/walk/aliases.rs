//! Aliases in the walk: what they stand for may have moved, or be about to go.

use foldhash::HashSet;

use super::{Planner, State};
use crate::upgrade::three_way::{Decision, Fate, ItemSource, Replacement, Row};
use crate::yaml::outline::{self, RowKind, Target};
use crate::yaml::place::Place;
use crate::yaml::row::RowId;

/// An alias of the user's in the update.
struct Image {
    /// The row of the value that it stands in, or is.
    row: RowId,
    /// That of the same value in the update.
    update: RowId,
    /// What it stood for in the base.
    was: Option<RowId>,
    /// What it stands for in the update.
    new: RowId,
}

impl<'b: 'p, 'p, 'a> Planner<'b, 'p, 'a> {
    /// A key that the release writes out, and that the user gets through `<<`, as in the base or since.
    pub(super) fn inherited(
        &mut self,
        base: Place<'b, 'a>,
        (map, inherited): (Place<'p, 'a>, RowId),
        update: Place<'p, 'a>,
    ) {
        let name = update.name().unwrap_or_default();
        let was = self.base.inherited(base.row(), name);
        if was.is_some_and(|was| self.base.means(was, self.current, inherited)) {
            self.plan.written_out.insert(update.row());
            return self.absent(None, update);
        }
        let is_no_conflict = self.current.means(inherited, self.update, update.row())
            || was.is_some_and(|was| self.base.means(was, self.update, update.row()));
        if !is_no_conflict {
            let row = if was.is_some() { Row::BothChanged } else { Row::BothAdded };
            let (current, update, through) = (Some(inherited), Some(update.row()), self.current.get(map.row(), "<<"));
            self.conflict(Decision { row, current, base: was, update, through, answer: State::Open });
        }
    }

    /// Whether the release writes out a key whose value the user gets through `<<`, and changed where that leads.
    pub(super) fn is_written_out(
        &self,
        base: Option<Place<'b, 'a>>,
        current: Place<'p, 'a>,
        update: Place<'p, 'a>,
    ) -> bool {
        let (current, base) = (current.row(), base.map(Place::row));
        let is_not_written = |name: &&str| self.current.get(current, name).is_none();
        let is_changed = |name: &str| {
            let was = base.and_then(|base| self.base.inherited(base, name));
            let is_as_it_was = |inherited| was.is_some_and(|was| self.base.means(was, self.current, inherited));
            self.current.inherited(current, name).is_some_and(|inherited| !is_as_it_was(inherited))
        };
        update.children().into_iter().filter_map(Place::name).filter(is_not_written).any(is_changed)
    }

    /// Whether an alias of two values that are the same otherwise stands for a value at another path.
    pub(super) fn aliases_moved(&self, base: RowId, update: RowId) -> bool {
        let rows = self.base.subtree(base).iter().zip(&self.update.rows[update.index()..]);
        let targets = rows.filter_map(|(old, new)| match (old.kind, new.kind) {
            (RowKind::Alias(old), RowKind::Alias(new)) => Some((old, new)),
            _ => None,
        });
        let moved =
            |(old, new): (Target, Target)| !old.is_alike(new) || self.base.path(old.row) != self.update.path(new.row);
        self.base.aliases > 0 && targets.into_iter().any(moved)
    }

    /// Whether the user changed what an alias stands for in a value that is written as in the base, and would lose it there:
    /// the value of the update does not lead to it.
    pub(super) fn is_changed_through_alias(&mut self, base: RowId, current: RowId, update: RowId) -> bool {
        if self.base.aliases == 0 || self.current.aliases == 0 {
            return false;
        }
        let (old, mine) = (self.base, self.current);
        let (mut open, mut seen) = (self.targets_in(base, current), HashSet::default());
        let mut are_same = true;
        while let Some((base, current)) = open.pop() {
            if self.same_throughout.contains(&(base, current)) || !seen.insert((base, current)) {
                continue;
            }
            let means_the_same = || old.means_however_written(base, mine, current);
            let is_same = *self.same_targets.entry((base, current)).or_insert_with(means_the_same);
            let leads_there = || self.plan.known.get(&current).is_some_and(|to| self.update.leads_to(update, *to));
            if !is_same && !leads_there() {
                return true;
            }
            are_same &= is_same;
            open.extend(self.targets_in(base, current));
        }
        if are_same {
            self.same_throughout.extend(seen);
        }
        false
    }

    /// What the aliases in a value stand for, in the base and in the current file.
    fn targets_in(&self, base: RowId, current: RowId) -> Vec<(RowId, RowId)> {
        let rows = self.base.subtree(base).iter().zip(&self.current.rows[current.index()..]);
        let targets = rows.filter_map(|(old, mine)| match (old.kind, mine.kind) {
            (RowKind::Alias(old), RowKind::Alias(mine)) => old.value().zip(mine.value()),
            _ => None,
        });
        targets.collect()
    }

    /// Whether the release left what a value means as it was, though it may write out what an alias stood for.
    pub(super) fn is_as_it_meant(&self, base: RowId, update: RowId) -> bool {
        let (base, update) = (self.base.behind_alias(base), self.update.behind_alias(update));
        self.base.means_however_written(base, self.update, update)
    }

    /// An alias that stays needs what it stands for. Where the release dropped or changed that, the alias becomes the
    /// update's where there is one. Failing that what changed stays, and the definition of a key that goes moves to the alias.
    pub(super) fn keep_meaning_of_aliases(&mut self) {
        if self.current.aliases == 0 {
            return;
        }
        let current = self.current;
        let mut leaves = vec![None; current.rows.len()];
        // What comes in the place of a value takes all that went in it along.
        let of = |goes| self.plan.fates.iter().filter(move |(_, fate)| (**fate == Fate::Goes) == goes);
        for (&row, _) in of(true).chain(of(false)) {
            leaves[row.index()..current[row].end.index()].fill(Some(row));
        }
        let staying = current.all().filter(|(at, _)| leaves[at.index()].is_none());
        let aliases = staying.filter_map(|(at, row)| match row.kind {
            RowKind::Alias(target) => Some((at, target.row)),
            _ => None,
        });
        let follows = !self.options.sparse && !self.options.keep_defaults;
        for (alias, target) in aliases.collect::<Vec<_>>() {
            let needed = leaves[target.index()].filter(|&row| self.is_lost(row, target));
            match (self.image(alias), needed) {
                (Some(image), Some(_)) => self.take_image(&image),
                (Some(image), None) if follows && self.means_other(&image, target) => self.take_image(&image),
                (None, Some(needed)) if !self.takes_definition(alias, needed) => self.keep(needed),
                _ => {}
            }
        }
    }

    /// Whether nothing is left of what an alias stands for where a value goes or the update's comes in its place. A key
    /// whose value changes is found again.
    fn is_lost(&self, leaves: RowId, target: RowId) -> bool {
        self.plan.goes(leaves) || leaves != target || self.current[target].name.is_none()
    }

    /// Whether what an alias needs is written in its place: the value of a key that goes. An item stays in its list, and
    /// so stays a map that `<<` merges in: in the place of the alias its keys would read like those of the map itself.
    fn takes_definition(&self, alias: RowId, needed: RowId) -> bool {
        let name = |row: RowId| self.current[row].name.as_deref();
        self.plan.goes(needed) && name(needed).is_some() && name(alias) != Some("<<")
    }

    /// The alias of the update that stands where one of the user's does: on its own, or in a value that is the same in all
    /// three files.
    fn image(&self, alias: RowId) -> Option<Image> {
        let holds = |row: &RowId| self.current[*row].end > alias && self.plan.known.contains_key(row);
        let row = RowId::FIRST.up_to(alias.next()).rev().find(holds)?;
        let (update, by) = (*self.plan.known.get(&row)?, alias - row);
        let base = self.plan.base(row).and_then(|node| node.row);
        let untouched = base.is_some_and(|base| self.base.means(base, self.current, row));
        let same = by == 0 || (untouched && self.current.means(row, self.update, update));
        let stands_for = |row: Option<&outline::Row<'_>>| match row?.kind {
            RowKind::Alias(target) => Some(target.row),
            _ => None,
        };
        let new = stands_for(self.update.row(update + by)).filter(|_| same)?;
        Some(Image { row, update, was: base.and_then(|base| stands_for(self.base.row(base + by))), new })
    }

    /// Whether an alias stands for what it stood for in the base, and the one of the update for something else.
    fn means_other(&self, image: &Image, target: RowId) -> bool {
        let base = self.plan.base(target).and_then(|node| node.row).filter(|base| Some(*base) == image.was);
        let is_as_it_was = |base| self.base.means_however_written(base, self.current, target);
        base.is_some_and(is_as_it_was) && self.plan.known.get(&target).is_some_and(|&new| new != image.new)
    }

    fn take_image(&mut self, image: &Image) {
        let &Image { row, update, .. } = image;
        self.plan.take(row, Replacement { update, other: true });
        let decision = Decision {
            row: Row::DefaultChanged,
            current: Some(row),
            base: None,
            update: Some(update),
            through: None,
            answer: State::Open,
        };
        self.plan.decisions.push(decision);
    }

    /// Takes back that a value goes, or that the update's comes in its place.
    fn keep(&mut self, row: RowId) {
        let Some(fate) = self.plan.fates.remove(&row) else { return };
        if let Fate::Taken(taken) = fate {
            self.plan.taken_by.remove(&taken.update);
        }
        let decisions = self.plan.decisions.iter_mut().filter(|decision| decision.current == Some(row));
        decisions.for_each(|decision| decision.row = Row::Needed);
        if fate != Fate::Goes {
            return;
        }
        let list = self.plan.lists.iter_mut().find(|(list, _)| self.current.children(**list).any(|item| item == row));
        if let Some((_, sources)) = list {
            let before = |source: &ItemSource| matches!(source, ItemSource::Own { current, .. } if *current < row);
            let at = sources.iter().rposition(before).map_or(0, |at| at + 1);
            sources.insert(at, ItemSource::Own { current: row, update: None });
        }
    }
}
