//! Aliases in the walk: what they stand for may have moved, or be about to go.

use super::Planner;
use crate::outline::RowKind;
use crate::three_way::{Decision, Row, Slot, Taken};

impl<'b: 'p, 'p> Planner<'b, 'p, '_> {
    /// Whether an alias of two values that are the same otherwise stands for a value at another path.
    pub(super) fn aliases_moved(&self, base: usize, update: usize) -> bool {
        let rows = self.base.rows[base..self.base.rows[base].end].iter().zip(&self.update.rows[update..]);
        let targets = rows.filter_map(|(old, new)| match (old.kind, new.kind) {
            (RowKind::Alias(old), RowKind::Alias(new)) => Some((old, new)),
            _ => None,
        });
        self.base.aliases > 0 && targets.into_iter().any(|(old, new)| self.base.path(old) != self.update.path(new))
    }

    /// An alias that stays needs what it stands for. Where the release dropped that, the alias becomes the update's, or
    /// else what it needs stays.
    pub(super) fn keep_what_aliases_need(&mut self) {
        if self.plan.goes.is_empty() || self.current.aliases == 0 {
            return;
        }
        let rows = &self.current.rows;
        let mut leaves = vec![None; rows.len()];
        for &row in self.plan.goes.iter().chain(self.plan.taken.keys()) {
            leaves[row..rows[row].end].fill(Some(row));
        }
        let aliases = rows.iter().enumerate().filter(|(at, _)| leaves[*at].is_none());
        let needs = aliases.filter_map(|(at, row)| match row.kind {
            RowKind::Alias(target) => Some((at, leaves[target].filter(|row| self.plan.goes.contains(row))?)),
            _ => None,
        });
        for (alias, needed) in needs.collect::<Vec<_>>() {
            let new = self.plan.known.get(&alias).copied();
            match new.filter(|&new| matches!(self.update.rows[new].kind, RowKind::Alias(_))) {
                Some(update) => {
                    self.plan.take(alias, Taken { update, other: true });
                    let decision = Decision { row: Row::DefaultChanged, current: Some(alias), base: None, update: new };
                    self.plan.decisions.push(decision);
                }
                None => self.keep(needed),
            }
        }
    }

    /// A list that a rule replaces stays where an alias that stays stands for something in it.
    pub(super) fn keep_lists_that_aliases_need(&mut self) {
        while let Some(needed) = self.needed_list() {
            if let Some(taken) = self.plan.taken.remove(&needed) {
                self.plan.images.remove(&taken.update);
            }
            let told = self.plan.decisions.iter_mut().filter(|decision| decision.current == Some(needed));
            told.for_each(|decision| decision.row = Row::BothAdded);
        }
    }

    fn needed_list(&self) -> Option<usize> {
        let rows = &self.current.rows;
        let ruled = self.plan.decisions.iter().filter(|decision| decision.row == Row::Ruled);
        let ruled: Vec<_> = ruled.filter_map(|decision| decision.current).collect();
        if ruled.is_empty() || self.current.aliases == 0 {
            return None;
        }
        let mut leaves = vec![false; rows.len()];
        self.plan.taken.keys().for_each(|&row| leaves[row..rows[row].end].fill(true));
        let staying = rows.iter().zip(leaves).filter(|(_, leaves)| !leaves);
        let targets = staying.filter_map(|(row, _)| match row.kind {
            RowKind::Alias(target) => Some(target),
            _ => None,
        });
        targets
            .into_iter()
            .find_map(|target| ruled.iter().copied().find(|&list| (list..rows[list].end).contains(&target)))
    }

    /// Takes back that a value goes.
    fn keep(&mut self, row: usize) {
        if !self.plan.goes.remove(&row) {
            return;
        }
        let told = self.plan.decisions.iter_mut().filter(|decision| decision.current == Some(row));
        told.for_each(|decision| decision.row = Row::Needed);
        let list = self.plan.lists.iter_mut().find(|(list, _)| self.current.children(**list).any(|item| item == row));
        if let Some((_, slots)) = list {
            let before = |slot: &Slot| matches!(slot, Slot::Own { current, .. } if *current < row);
            let at = slots.iter().rposition(before).map_or(0, |at| at + 1);
            slots.insert(at, Slot::Own { current: row, update: None });
        }
    }
}
