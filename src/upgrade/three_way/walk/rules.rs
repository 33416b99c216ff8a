//! Where the rules decide in the walk, and not the old default: lists with a mode, and what is the user's alone.

use super::{Planner, is_in_flow};
use crate::upgrade::rules::ListMerge;
use crate::upgrade::three_way::apply::can_be_in_flow;
use crate::upgrade::three_way::items::{self, By, Fates, List};
use crate::upgrade::three_way::{Decision, ItemSource, Replacement, Row};
use crate::yaml::outline::Outline;
use crate::yaml::place::Place;
use crate::yaml::row::RowId;
use crate::yaml::tree::Kind;

impl<'b: 'p, 'p, 'a> Planner<'b, 'p, 'a> {
    /// Whether a value is the user's alone. What the update has there is told once, where it has other keys.
    pub(super) fn own(&mut self, current: Place<'p, 'a>, update: Place<'p, 'a>) -> bool {
        let row = current.row();
        if !self.rules.own.contains(&row) {
            return false;
        }
        self.plan.own.insert(row);
        self.plan.kept.insert(row);
        if self.current.lacks(row, self.update, update.row()) {
            self.decide(Row::NotYours, None, None, Some(update));
        }
        true
    }

    /// Whether two lists are merged as a rule has it; then it is noted how.
    pub(super) fn ruled_lists(
        &mut self,
        base: Option<Place<'b, 'a>>,
        current: Place<'p, 'a>,
        update: Place<'p, 'a>,
    ) -> bool {
        let lists = (current.kind(), update.kind()) == (Kind::List, Kind::List);
        let Some(&merge) = self.rules.lists.get(&current.row()).filter(|_| lists && !self.options.sparse) else {
            return false;
        };
        match merge {
            ListMerge::Keep => _ = self.plan.kept.insert(current.row()),
            ListMerge::Replace => self.replace(base, current, update),
            // There is no item that others could stand beside.
            _ if current.children().is_empty() => self.replace(base, current, update),
            _ => {
                let sources = self.ruled_items(merge, base, current, update);
                self.plan.lists.insert(current.row(), sources);
            }
        }
        true
    }

    fn replace(&mut self, base: Option<Place<'b, 'a>>, current: Place<'p, 'a>, update: Place<'p, 'a>) {
        // In brackets text may have got quotes that it needs only there.
        let is_same = if current.node().is_some() { Outline::same } else { Outline::means };
        if is_same(self.current, current.row(), self.update, update.row()) {
            return;
        }
        self.plan.take(current.row(), Replacement { update: update.row(), other: true });
        self.plan.decisions.push(Decision::of(Row::Ruled, Some(current), base, Some(update)));
    }

    /// The items of a list as a rule has them. Those that are paired are merged as ever.
    fn ruled_items(
        &mut self,
        merge: ListMerge,
        base: Option<Place<'b, 'a>>,
        current: Place<'p, 'a>,
        update: Place<'p, 'a>,
    ) -> Vec<ItemSource> {
        let (old, mine, new) = (base.map_or_else(Vec::new, Place::children), current.children(), update.children());
        let [old_list, own_list, new_list] = [(&old, self.base), (&mine, self.current), (&new, self.update)]
            .map(|(items, outline)| List { items: items.as_slice(), outline });
        let by = By { pairing: self.options.pairing, named: self.named(current) };
        let pairs = items::pair_by_rule(merge, own_list, new_list, by);
        let known = items::pair_by_rule(merge, own_list, old_list, by);
        for ((item, pair), was) in mine.iter().zip(&pairs).zip(known) {
            match (was.map(|was| old[was]), pair.map(|pair| new[pair])) {
                (Some(was), Some(other)) => self.value(was, *item, other),
                (None, Some(other)) => self.both_added(*item, other),
                (_, None) => {}
            }
        }
        let mut fates = Fates {
            own: mine.iter().zip(&pairs).map(|(item, pair)| (item.row(), *pair, None)).collect(),
            update: items::new_by_rule(merge, own_list, new_list, &pairs),
        };
        if merge == ListMerge::Index && is_in_flow(current) {
            self.end_at_what_flow_cannot_say(&mut fates.update);
        }
        match merge {
            ListMerge::Append | ListMerge::Unique => fates.new_behind(),
            ListMerge::Prepend => fates.new_before(),
            _ => fates.in_order_of_user(),
        }
    }

    /// Items that are paired by position have to stand at it: behind one that stays away from brackets none comes in.
    fn end_at_what_flow_cannot_say(&self, items: &mut [(RowId, bool)]) {
        let stays_away = |&(row, comes): &(RowId, bool)| comes && !can_be_in_flow(row, self.update);
        let end = items.iter().position(stays_away).unwrap_or(items.len());
        items[end..].iter_mut().for_each(|(_, comes)| *comes = false);
    }
}
