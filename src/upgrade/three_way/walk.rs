//! The walk over three trees that decides, leaf by leaf.

mod aliases;
mod commented_out;
mod conflicts;
mod documents;
mod lists;
mod own_comments;
mod rules;

use foldhash::{HashMap, HashSet};

use self::commented_out::CommentedOutMaps;
use self::own_comments::OldComments;
use super::{Decision, Fate, Plan, Replacement, Row, State, suggest, writing};
use crate::upgrade::answers::Answers;
use crate::upgrade::options::Options;
use crate::upgrade::rules::{Found, Rules};
use crate::yaml::check::Checked;
use crate::yaml::flow;
use crate::yaml::names::Names;
use crate::yaml::outline::Outline;
use crate::yaml::place::Place;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Kind, Node};

/// Finds what is to be done. An empty base knows nothing: every key of the update that the user has not is new.
pub(crate) fn plan<'b, 'a>(
    current: &Checked<'a>,
    base: &'b Checked<'a>,
    update: &Checked<'a>,
    (options, rules): (&Options, &Rules),
) -> Plan<'b, 'a> {
    let found = rules.found(current, update);
    let mut plan = documents::decided(current, base, update, (options, &found));
    plan.own.extend(found.own);
    plan.end = (!base.outline.documents.is_empty() && !options.sparse).then_some(&*base.stream.below);
    plan.suggestions = suggest(&plan, &current.outline, base, update);
    plan
}

struct Planner<'b, 'p, 'a> {
    current: &'p Outline<'a>,
    /// The maps of the current file all of which is commented out, and those of the update.
    current_commented_out: CommentedOutMaps<'p, 'a>,
    update_commented_out: CommentedOutMaps<'p, 'a>,
    base: &'b Outline<'a>,
    update: &'p Outline<'a>,
    comments: OldComments<'p, 'a>,
    /// Whether what an alias stands for means the same in the base and in the current file, once it was asked.
    same_targets: HashMap<(RowId, RowId), bool>,
    /// Those of which that is so of all that they lead to, too.
    same_throughout: HashSet<(RowId, RowId)>,
    options: &'p Options,
    answers: Answers<'p>,
    rules: &'p Found,
    plan: Plan<'b, 'a>,
}

/// The keys of a map with their values.
fn fields<'b, 'a>(map: Option<Place<'b, 'a>>) -> Names<&'b str, Place<'b, 'a>> {
    let all = map.into_iter().flat_map(Place::children);
    all.filter_map(|child| Some((child.name()?, child))).collect()
}

impl<'b: 'p, 'p, 'a> Planner<'b, 'p, 'a> {
    fn remember(&mut self, current: &Node<'_>, base: &'b Node<'a>) {
        self.plan.bases.entry(current.row).or_insert(base);
        let tags = (current.row.map(|row| self.current.tag(row)), base.row.map(|row| self.base.tag(row)));
        let same_tag = tags.0 == tags.1;
        if current.value_text == base.value_text && current.opener.is_alike(&base.opener) && same_tag {
            self.plan.untouched.insert(current.row);
        }
    }

    /// A value that all three files have.
    fn value(&mut self, base: Place<'b, 'a>, current: Place<'p, 'a>, update: Place<'p, 'a>) {
        if self.own(current, update) {
            return;
        }
        self.plan.known.insert(current.row(), update.row());
        let nodes = current.node().zip(base.node());
        if let Some((mine, old)) = nodes {
            self.remember(mine, old);
        }
        if self.ruled_lists(Some(base), current, update) {
            return;
        }
        let new_is_atomic = || update.node().is_some_and(is_atomic);
        let whole = |(mine, old): (&Node<'_>, &Node<'_>)| {
            (is_atomic(mine) || new_is_atomic()) && writing::is_untouched(mine, old)
        };
        // What is written alike is the same, unless a directive says otherwise of a tag.
        if nodes.is_some_and(whole) && self.base.means(base.row(), self.current, current.row()) {
            return self.follow(base, current, update);
        }
        match (base.kind(), current.kind(), update.kind()) {
            _ if self.are_maps(base, current, update) => self.map(Some(base), current, update),
            (Kind::List, Kind::List, Kind::List) if self.options.sparse => {}
            (Kind::List, Kind::List, Kind::List) if base.children().is_empty() && holds_scalars(current, update) => {
                self.leaf(base, current, update);
            }
            (Kind::List, Kind::List, Kind::List) => self.list(base, current, update),
            _ => self.leaf(base, current, update),
        }
    }

    /// Whether a value is decided on key by key.
    fn are_maps(&self, base: Place<'b, 'a>, current: Place<'p, 'a>, update: Place<'p, 'a>) -> bool {
        match (base.kind(), current.kind(), update.kind()) {
            // Braces with nothing in them, however wide, are a value like any other.
            (Kind::Map, Kind::Map, Kind::Map) => !base.children().is_empty() || !current.children().is_empty(),
            // A key without a value, or a file of comments alone, is an empty map to those who put keys into it.
            (Kind::Leaf, Kind::Map, Kind::Map) => self.base[base.row()].is_null(),
            (Kind::Map, Kind::Leaf, Kind::Map) => self.current_commented_out.has(current),
            (Kind::Map, Kind::Map, Kind::Leaf) => self.update_commented_out.has(update),
            _ => false,
        }
    }

    fn leaf(&mut self, base: Place<'b, 'a>, current: Place<'p, 'a>, update: Place<'p, 'a>) {
        if current.kind() == Kind::Map && self.base[base.row()].is_null() {
            let keys = current.children().into_iter().map(|child| (child.row(), current.row()));
            self.plan.own_keys.extend(keys);
        }
        let decision = Decision::of(Row::BothChanged, Some(current), Some(base), Some(update));
        let same = self.base.means(base.row(), self.update, update.row());
        let follows = same && !self.aliases_moved(base.row(), update.row());
        if self.base.means_however_written(base.row(), self.current, current.row()) {
            if !follows {
                self.follow(base, current, update);
            }
        } else if !follows && !self.current.means_however_written(current.row(), self.update, update.row()) {
            self.conflict(decision);
        }
    }

    /// The user never touched a value: it is the update's, in writing too.
    fn follow(&mut self, base: Place<'b, 'a>, current: Place<'p, 'a>, update: Place<'p, 'a>) {
        if self.options.sparse {
            return;
        }
        let same = self.base.means(base.row(), self.update, update.row());
        let other = !same || self.aliases_moved(base.row(), update.row());
        let is_written_alike = |(mine, new)| writing::is_alike(mine, new);
        if other && self.is_changed_through_alias(base.row(), current.row(), update.row()) {
            if !self.is_as_it_meant(base.row(), update.row()) {
                self.conflict(Decision::of(Row::BothChanged, Some(current), Some(base), Some(update)));
            }
        } else if other && (self.is_answered_to_stay(base, update) || self.is_spoken_of_inside(base, current)) {
            self.conflict(Decision::of(Row::BothChanged, Some(current), Some(base), Some(update)));
        } else if other && !self.options.keep_defaults {
            self.take(base, current, update);
        } else if !other && !current.node().zip(update.node()).is_some_and(is_written_alike) {
            self.plan.take(current.row(), Replacement { update: update.row(), other });
        }
    }

    fn take(&mut self, base: Place<'b, 'a>, current: Place<'p, 'a>, update: Place<'p, 'a>) {
        self.plan.take(current.row(), Replacement { update: update.row(), other: true });
        if self.is_spoken_of(base, current) {
            self.plan.commented_on.insert(current.row());
        }
        self.decide(Row::DefaultChanged, Some(current), Some(base), Some(update));
    }

    fn decide(
        &mut self,
        row: Row,
        current: Option<Place<'p, 'a>>,
        base: Option<Place<'b, 'a>>,
        update: Option<Place<'p, 'a>>,
    ) {
        self.plan.decisions.push(Decision::of(row, current, base, update));
    }

    fn map(&mut self, base: Option<Place<'b, 'a>>, current: Place<'p, 'a>, update: Place<'p, 'a>) {
        let (old, mine, new) = (fields(base), fields(Some(current)), fields(Some(update)));
        let decided = self.plan.decisions.len();
        let mut gone = 0;
        let children = current.children();
        for &child in &children {
            let name = child.name().unwrap_or_default();
            let others = (old.get(name).copied(), new.get(name).copied());
            gone += usize::from(self.goes_from_map(child, others, (base, current, update)));
        }
        let all_go = gone > 0 && gone == children.len() && (is_in_flow(current) || is_in_flow(update));
        if let Some(base) = base.filter(|_| all_go) {
            let is_back = |name| old.get(name).is_some() && mine.get(name).is_none();
            let brings_back = update.children().into_iter().filter_map(Place::name).any(is_back);
            let was = |child: &Place<'p, 'a>| child.name().and_then(|name| old.get(name)).copied();
            let all = children.into_iter().map(|child| (child, was(&child))).collect();
            self.forget(decided);
            let is_untouched = !brings_back && self.has_same_tag(base, current);
            if is_untouched && !self.says_other_values_inside(base, current) {
                return self.take(base, current, update);
            }
            self.keep_dropped(all);
        }
        for child in update.children() {
            let name = child.name().unwrap_or_default();
            if mine.get(name).is_some() {
                continue;
            }
            if let Some(inherited) = self.current.inherited(current.row(), name) {
                if let Some(base) = base.filter(|_| old.get(name).is_none()) {
                    self.inherited(base, (current, inherited), child);
                }
                continue;
            }
            self.absent(old.get(name).copied(), child);
        }
    }

    /// A value of a map, by what both defaults have at its key; whether it goes.
    fn goes_from_map(
        &mut self,
        child: Place<'p, 'a>,
        others: (Option<Place<'b, 'a>>, Option<Place<'p, 'a>>),
        (base, current, update): (Option<Place<'b, 'a>>, Place<'p, 'a>, Place<'p, 'a>),
    ) -> bool {
        match others {
            (Some(old), Some(new)) => self.value(old, child, new),
            (Some(old), None) if child.name() == Some("<<") && self.is_written_out(base, current, update) => {
                self.keep_dropped(vec![(child, Some(old))]);
            }
            (Some(old), None) => return self.dropped(old, child),
            (None, Some(new)) => self.both_added(child, new),
            (None, None) => _ = self.plan.own_keys.insert(child.row(), current.row()),
        }
        false
    }

    /// A value that the release dropped; whether it goes. Of a map that was touched each value is decided on its own, and
    /// one that only holds what goes, goes.
    fn dropped(&mut self, base: Place<'b, 'a>, current: Place<'p, 'a>) -> bool {
        if self.dropped_item(base, current) {
            return true;
        }
        let are_maps = (base.kind(), current.kind()) == (Kind::Map, Kind::Map);
        let is_spoken_of = self.is_spoken_of(base, current);
        let is_whole = is_spoken_of && !self.options.prunes;
        if self.keeps_dropped() || !are_maps || is_whole || !self.has_same_tag(base, current) {
            return false;
        }
        let decided = self.plan.decisions.len() - 1;
        self.plan.decisions.truncate(decided);
        let old = fields(Some(base));
        let children = current.children();
        let goes = |child: &Place<'p, 'a>| {
            let old = child.name().and_then(|name| old.get(name));
            old.is_some_and(|&old| self.dropped(old, *child))
        };
        let gone = children.iter().map(goes).filter(|goes| *goes).count();
        if gone < children.len() || gone == 0 {
            self.plan.remnants.insert(current.row());
            return false;
        }
        self.forget(decided);
        if is_spoken_of || self.says_other_values_inside(base, current) {
            self.remember_inside(base, current);
            self.decide(Row::KeptDropped, Some(current), Some(base), None);
            return false;
        }
        self.goes(base, current)
    }

    /// Whether a value has the tag that it had in the base. One that the user gave it goes with nothing.
    fn has_same_tag(&self, base: Place<'b, 'a>, current: Place<'p, 'a>) -> bool {
        self.base.has_same_tag(base.row(), self.current, current.row())
    }

    /// All of a collection stays although it would go: braces that lose their last entry are no value, and the update's in
    /// their place would bring back what the user removed, or take away a tag of theirs.
    fn keep_dropped(&mut self, all: Vec<(Place<'p, 'a>, Option<Place<'b, 'a>>)>) {
        for (child, was) in all {
            self.decide(Row::KeptDropped, Some(child), was, None);
        }
    }

    /// Takes back what was decided since so many decisions.
    fn forget(&mut self, first: usize) {
        for decision in self.plan.decisions.split_off(first) {
            if let Some(row) = decision.current.filter(|row| self.plan.goes(*row)) {
                self.plan.fates.remove(&row);
                self.plan.bases.remove(&Some(row));
            }
        }
    }

    /// The same for what is only decided on as a whole: an item of a list, a document.
    fn dropped_item(&mut self, base: Place<'b, 'a>, current: Place<'p, 'a>) -> bool {
        let has_own_comment =
            || current.node().zip(base.node()).is_some_and(|(own, old)| self.comments.know_not(own, old));
        let means_the_same = || self.base.means_however_written(base.row(), self.current, current.row());
        if !self.keeps_dropped() && means_the_same() && !has_own_comment() {
            return self.goes(base, current);
        }
        self.remember_inside(base, current);
        self.decide(Row::KeptDropped, Some(current), Some(base), None);
        false
    }

    /// Remembers what the old default has in the places of a value that stays: the release may have it commented out, with
    /// comments on what is inside.
    fn remember_inside(&mut self, base: Place<'b, 'a>, current: Place<'p, 'a>) {
        if let Some((mine, old)) = current.node().zip(base.node()) {
            self.plan.bases.entry(mine.row).or_insert(old);
        }
        let old = fields(Some(base));
        for child in current.children() {
            if let Some(&old) = child.name().and_then(|name| old.get(name)) {
                self.remember_inside(old, child);
            }
        }
    }

    /// Whether all that the release dropped stays. What a file holds on purpose was written on purpose.
    fn keeps_dropped(&self) -> bool {
        self.options.keep_obsolete || self.options.sparse
    }

    fn goes(&mut self, base: Place<'b, 'a>, current: Place<'p, 'a>) -> bool {
        self.plan.fates.insert(current.row(), Fate::Goes);
        self.plan.bases.extend(base.node().map(|node| (Some(current.row()), node)));
        self.decide(Row::NoLongerUsed, Some(current), Some(base), None);
        true
    }

    /// A value that the user has not.
    fn absent(&mut self, base: Option<Place<'b, 'a>>, update: Place<'p, 'a>) {
        let row = match base {
            Some(base) if self.base.means(base.row(), self.update, update.row()) => Row::LeftOut,
            Some(_) => Row::LeftOutChanged,
            None if self.rules.theirs.contains(&update.row()) => Row::NotYours,
            None => Row::NotBrought,
        };
        if base.is_none() {
            self.plan.new.push(update.row());
        }
        let wanted = !self.options.sparse && (base.is_none() || self.options.restore_deleted);
        let comes = wanted && !self.rules.theirs.contains(&update.row());
        if !comes {
            self.plan.left_out.insert(update.row());
            // Of a file that holds little on purpose that is most of the default.
            if row != Row::LeftOut || !self.options.sparse {
                self.decide(row, None, base, Some(update));
            }
        }
    }

    /// A value that the base has not. Which items of two lists are the same two files can tell.
    fn both_added(&mut self, current: Place<'p, 'a>, update: Place<'p, 'a>) {
        if self.own(current, update) || self.ruled_lists(None, current, update) {
            return;
        }
        if current.kind() == Kind::Map && self.update_commented_out.is_map(update) {
            return self.map(None, current, update);
        }
        let lists = (current.kind(), update.kind()) == (Kind::List, Kind::List);
        if lists && self.both_added_items(current, update) {
            return;
        }
        if !self.current.means_however_written(current.row(), self.update, update.row()) {
            self.conflict(Decision::of(Row::BothAdded, Some(current), None, Some(update)));
        }
    }
}

/// Whether a collection is written in flow style.
fn is_in_flow(place: Place<'_, '_>) -> bool {
    place.node().is_none_or(flow::is_flow)
}

/// Whether one of two lists holds scalars alone. Who filled such a list that was empty said all that is to be in it, and
/// added nothing to what the release put there since.
fn holds_scalars(current: Place<'_, '_>, update: Place<'_, '_>) -> bool {
    [current, update].iter().any(|list| list.children().iter().all(|item| item.kind() == Kind::Leaf))
}

/// Whether a value is only replaced as a whole: a scalar, a collection in flow style, a list of these.
fn is_atomic(node: &Node<'_>) -> bool {
    match node.kind() {
        Kind::Leaf => true,
        Kind::List => node.children.iter().all(|item| item.kind() == Kind::Leaf),
        Kind::Map => false,
    }
}

impl Decision {
    fn of(
        row: Row,
        current: Option<Place<'_, '_>>,
        base: Option<Place<'_, '_>>,
        update: Option<Place<'_, '_>>,
    ) -> Self {
        let [current, base, update] = [current, base, update].map(|place| place.map(Place::row));
        Self { row, current, base, update, through: None, answer: State::Open }
    }
}
