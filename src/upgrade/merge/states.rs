//! The keys of two maps in three states: live, commented out, absent (`docs/rules.md` rule 3a).
//!
//! Two files cannot tell why a key is commented out in one of them, so the user's state stays. With an old default the
//! state is decided like a value: who did not touch it follows the release.

mod beside_hash;
mod handed_on;
mod header;
mod left_out;
mod old;
mod trailing;
mod unpaired;
mod words_behind;

use foldhash::HashSet;

use log::debug;

use self::beside_hash::{follow_hash, keep_hashes, share_column};
use self::header::extend_headers;
use self::left_out::leave_out_words;
use self::old::{OldMap, Standing};
use self::trailing::TrailingWords;
pub(crate) use self::trailing::{AllOwnTrailing, bring_back};
use self::unpaired::{renew_examples, without_examples, without_said_values, without_unpaired};
use super::layout::Layout;
use super::{Merge, Noted};
use crate::comments::{self, lines};
use crate::upgrade::commented_out::{self, Holder};
use crate::yaml::flow;
use crate::yaml::names::Names;
use crate::yaml::path::Trail;
use crate::yaml::row::RowId;
use crate::yaml::tree::{BaseComments, Line, Node, UpdateComments};

/// The keys that one file has live and the other commented out, where that stays so.
#[derive(Debug, Default)]
pub(crate) struct SwitchedOff {
    /// Rows of the user's live keys that the update has commented out.
    pub(crate) by_release: HashSet<RowId>,
    /// Rows of the update's keys that the user has commented out, and the old default has live.
    pub(crate) by_user: HashSet<RowId>,
}

impl<'o, 'a> Merge<'o, 'a> {
    /// The children of two maps in the order of the update. A key that only the user has goes right behind the one that
    /// preceded it. One that the user gets through `<<` counts as present (`docs/rules.md` rule 9): written out it
    /// would hide the user's value.
    pub(super) fn children(&mut self, current: &mut Node<'a>, update: &mut Node<'a>, trail: &Trail<'_>) {
        self.keep_places_of_removed(current, update);
        let mut theirs = self.their_children(current, update);
        self.close_unpaired(current, &theirs);
        let mut old =
            self.base_of(current).map_or_else(OldMap::default, |base| self.old(base, current, (&theirs, update.row)));
        let mut own = std::mem::take(&mut current.children);
        renew_examples(&mut own, &mut theirs, &old);
        words_behind::give_back((current, &mut own), (update, &theirs), &old);
        if !old.is_known {
            self.leave_out_of_examples(current.row, &own, &mut theirs);
            words_behind::keep_below(&own, &mut theirs);
        }
        let left_out = self.left_out_at_start(current, &own, &theirs, &old);
        extend_headers((current, &mut own), (update, &mut theirs, left_out), &old);
        let before = old.part_words(&mut own, &mut theirs);
        let is_order_of_user = old.is_reordered(&own, &theirs, |node| self.comes_in(node, current, &old));
        let trailing = TrailingWords::of(&own, &theirs);
        let mut laid = Layout::new(own, &theirs, &before);
        for node in theirs {
            match laid.take(&node.name) {
                // The user has the value through `<<`.
                Some((at, mine)) if is_live_for_option(&mine, &node) && self.inherits(current, &node) => {
                    laid.put(mine, at);
                }
                Some((at, mine)) => {
                    let name = mine.name.clone();
                    let paired = self.paired_keys(mine, node, &mut old, &Trail::Key(trail, &name));
                    laid.put(paired, at);
                }
                None if self.comes_in(&node, current, &old) => laid.put_new(node),
                None => {}
            }
        }
        current.children = if is_order_of_user { laid.in_order_of_user() } else { laid.in_order_of_update() };
        trailing.keep(current, &mut self.own_trailing);
        if old.is_known {
            current.set_base(|lines| (lines.header, lines.below) = (old.header, old.below));
        }
    }

    /// The children that the update has for a map, those that are left out among them.
    fn their_children(&mut self, current: &Node<'a>, update: &mut Node<'a>) -> Vec<Box<Node<'a>>> {
        let (mut theirs, rest) = without_examples(std::mem::take(&mut update.children), current);
        commented_out::end_block(update, rest);
        self.hand_on_headers(&mut theirs, update.row, current);
        self.with_left_out(theirs, update.row, current)
    }

    /// An empty `{}` is the user's value and gains no key (`docs/rules.md` rule 1). What is commented out below it has its
    /// states as in any other map, but what the release has live stays commented out as the user has it.
    pub(super) fn empty_map(&mut self, current: &mut Node<'a>, mut update: Box<Node<'a>>, trail: &Trail<'_>) {
        let own: Names<&str, &Node<'a>> = current.children.iter().map(|child| (&*child.name, &**child)).collect();
        update.children.retain_mut(|child| {
            if child.is_commented_out() {
                return true;
            }
            let Some(&mine) = own.get(&child.name) else { return false };
            if let Some(update) = child.row {
                self.note(&Trail::Key(trail, &mine.name), Noted::CommentedOut { update });
            }
            child.as_mut().clone_from(mine);
            true
        });
        drop(own);
        self.maps(current, &mut update, trail);
    }

    /// Makes comments of the commented-out keys of a map that have no counterpart. They are none when the old default is held
    /// against it: what stands above its first key is counted with them.
    fn close_unpaired(&self, current: &mut Node<'a>, theirs: &[Box<Node<'a>>]) {
        let base = self.base_of(current);
        let is_old =
            |name: &str| base.is_some_and(|base| self.opened.children(base).iter().any(|old| old.name == name));
        let (own, rest) = without_unpaired(std::mem::take(&mut current.children), theirs, is_old);
        commented_out::end_block(current, rest);
        current.children = own;
    }

    /// Whether a key that only the update has comes into a map.
    fn comes_in(&self, node: &Node<'_>, current: &Node<'_>, old: &OldMap<'_, '_>) -> bool {
        if !node.is_commented_out() {
            return !self.inherits(current, node);
        }
        let is_known = old.has(&node.name) && self.plan.dropped(current.row, &node.name).is_none();
        !is_known || self.options.restore_deleted
    }

    /// How many keys at the start of a document of the update are not in the result.
    fn left_out_at_start(
        &self,
        current: &Node<'_>,
        own: &[Box<Node<'_>>],
        theirs: &[Box<Node<'_>>],
        old: &OldMap<'_, '_>,
    ) -> usize {
        if current.document().is_none() {
            return 0;
        }
        let own = by_name(own);
        let is_left_out = |node: &Node<'_>| own.get(&node.name).is_none() && !self.comes_in(node, current, old);
        theirs.iter().take_while(|node| is_left_out(node)).count()
    }

    /// What the old default has in the place of a map, which is about to become one of these children.
    fn old(
        &self,
        base: &'o Node<'a>,
        current: &Node<'a>,
        (theirs, update): (&[Box<Node<'a>>], Option<RowId>),
    ) -> OldMap<'o, 'a> {
        let (own, others) = (by_name(&current.children), by_name(theirs));
        let left: HashSet<_> = self.plan.left_keys(update).iter().map(|left| &left.key.name).collect();
        let is_in_one =
            |node: &Node<'_>| left.contains(&node.name) || self.plan.dropped(current.row, &node.name).is_some();
        let comes_back = self.options.restore_deleted;
        let left_words = |node: &Node<'_>| self.plan.is_apart_from_words(current.row, &node.name);
        let standing = |node: &Node<'_>| {
            let [own, other] = [&own, &others].map(|file| file.get(&node.name).copied());
            match (own, other, node.is_commented_out()) {
                (Some(own), Some(_), _) | (Some(own), None, false) => Standing::Current(&own.above),
                (Some(own), None, true) if !own.is_commented_out() => Standing::Current(&own.above),
                (None, Some(other), true) if other.is_commented_out() && !comes_back => Standing::Update(&other.above),
                (None, Some(_), true) => Standing::Current(&[]),
                (None, None, false) if !is_in_one(node) || left_words(node) => Standing::Removed,
                (None, _, false) | (_, None, true) => Standing::Nowhere,
            }
        };
        let (node, mut children) = (self.opened.node(base), self.opened.children(base));
        if node.is_commented_out() {
            children = without_said_values(children, current);
        }
        OldMap::of((node, children), current, standing)
    }

    /// Leaves out of the blocks that the update has commented out what the user has so, too, as an example beside the live
    /// key of that name: nobody lacks what stands right above. An old default tells what somebody lacks.
    fn leave_out_of_examples(&self, map: Option<RowId>, own: &[Box<Node<'a>>], theirs: &mut [Box<Node<'a>>]) {
        let Some(holder) = map.map(Holder::Value) else { return };
        let blocks = theirs.iter_mut().filter(|node| node.is_commented_out() && !node.children.is_empty());
        for block in blocks {
            let Node { name, children, .. } = &mut **block;
            let is_example = self.before.has(holder, &[&*name]);
            if is_example && own.iter().any(|own| own.name == *name && !own.is_commented_out()) {
                children.retain(|key| !self.before.has(holder, &[name, &key.name]));
            }
        }
    }

    fn paired_keys(
        &mut self,
        mine: Box<Node<'a>>,
        node: Box<Node<'a>>,
        old: &mut OldMap<'o, 'a>,
        trail: &Trail<'_>,
    ) -> Box<Node<'a>> {
        match (mine.is_commented_out(), node.is_commented_out()) {
            (false, false) => {
                let name = mine.name.clone();
                let mut merged = self.node(mine, node, trail);
                if old.option(&name).is_some() && merged.merged {
                    merged.update_comments.get_or_insert_default().base = old.around(&name);
                } else if old.is_known {
                    merged.set_base(|lines| lines.above = old.take_above(&name).unwrap_or_default());
                }
                merged
            }
            (false, true) => self.live_for_option(mine, node, old, trail),
            (true, true) => Self::options(mine, *node, old),
            (true, false) => self.option_for_live(mine, node, old, trail),
        }
    }

    /// A key of the user's that the update has commented out takes the place of that, and what the user lacks of its block
    /// comes in commented out.
    fn live_for_option(
        &mut self,
        mut mine: Box<Node<'a>>,
        mut node: Box<Node<'a>>,
        old: &mut OldMap<'o, 'a>,
        trail: &Trail<'_>,
    ) -> Box<Node<'a>> {
        debug!("{}: takes the place of its commented-out line", trail.path());
        self.switched_off.by_release.extend(mine.row);
        let mut base = old.around(&mine.name).or_else(|| old.is_known.then(Box::default));
        if !mine.above.iter().any(commented_out::is_doubled) {
            say_as_of_live(&mine, (&mut node, base.as_deref_mut()), old);
        }
        let is_map = mine.is_map() || flow::is_map(&mine, self.current);
        let is_another_kind = !is_map && !node.children.is_empty();
        let mut above = std::mem::take(&mut node.above);
        if is_another_kind {
            // What the release says of a block that it has commented out is not about the user's one value; the blank lines of an
            // old default tell whose these are.
            above = blanks_above(if old.is_known { above } else { mine.above.clone() });
            base = base.map(|base| BaseComments { above: blanks_above(base.above), ..BaseComments::default() }.into());
        }
        let (below, indent) = words_behind::of_both(&mine, &mut node);
        let is_in_other_state = true;
        mine.merged_with(UpdateComments { above, below, indent, is_in_other_state, base, ..UpdateComments::default() });
        if let Some(base) = old.option(&mine.name) {
            self.option_bases.extend(mine.row.map(|row| (row, base)));
        }
        let merges = mine.is_map() && !node.children.is_empty() && !self.plan.keeps(mine.row);
        if merges {
            if !old.is_known {
                words_behind::leave_out_ornaments(&mut node);
            }
            node.children = without_said_values(std::mem::take(&mut node.children), &mine);
            say_inside_as_of_live(&mine, &mut node, old);
            share_column(&mine, &mut node);
            self.maps(&mut mine, &mut node, trail);
        }
        mine
    }

    /// An option of both files. Whose lines it has is decided as of a comment.
    fn options(mut mine: Box<Node<'a>>, mut node: Node<'a>, old: &mut OldMap<'o, 'a>) -> Box<Node<'a>> {
        let above = std::mem::take(&mut node.above);
        let was = old.in_comments(&mine.name);
        let mut base = old.around(&mine.name).map(|base| Box::new(BaseComments { header: was, ..*base }));
        if let Some(base) = &mut base {
            leave_out_words(&mine, &mut base.above);
        }
        let new = commented_out::lines(node);
        mine.continuation = commented_out::take_lines(&mut mine).into();
        follow_hash(&mut mine, &new);
        // A line that both added is the user's, as a value would be.
        let is_both_added = old.is_known && !old.has(&mine.name) && [mine.continuation.len(), new.len()] == [1, 1];
        let is_mine = new.is_empty() || (is_both_added && !lines::same(&mine.continuation, &new));
        let header = if is_mine { mine.continuation.to_vec() } else { new };
        mine.merged_with(UpdateComments { above, header, base, ..UpdateComments::default() });
        mine
    }

    /// A key that the user has commented out stays so, but where an old default tells that this was its state.
    fn option_for_live(
        &mut self,
        mut mine: Box<Node<'a>>,
        mut node: Box<Node<'a>>,
        old: &mut OldMap<'o, 'a>,
        trail: &Trail<'_>,
    ) -> Box<Node<'a>> {
        if old.has_untouched(&mine) {
            let above = old.take_above(&mine.name).unwrap_or_default();
            node.above = lines::merge(&above, mine.above, &node.above);
            return node;
        }
        if self.options.restore_deleted {
            let above = std::mem::replace(&mut node.above, mine.above);
            let base = old.around(&mine.name);
            node.merged_with(UpdateComments { above, base, ..UpdateComments::default() });
            return node;
        }
        if let Some(update) = node.row {
            self.note(trail, Noted::CommentedOut { update });
        }
        if !old.is_known && lines::share_words(&mine.above, &node.above) {
            // What both say over it has not moved, whatever else the release says it about.
            let (above, header) = (std::mem::take(&mut node.above), commented_out::take_lines(&mut mine));
            mine.continuation = header.clone().into();
            let is_in_other_state = true;
            mine.merged_with(UpdateComments { above, header, is_in_other_state, ..UpdateComments::default() });
        }
        mine
    }

    /// Whether the user gets a key through `<<`.
    fn inherits(&self, current: &Node<'_>, node: &Node<'_>) -> bool {
        let map = current.row.filter(|&row| self.current.row(row).is_some());
        map.is_some_and(|map| !self.plan.is_written_out(node.row) && self.current.inherits(map, &node.name))
    }

    /// What the old default has in the place of a node, as it was read.
    pub(super) fn base_of(&self, node: &Node<'_>) -> Option<&'o Node<'a>> {
        self.plan.base(node.row).or_else(|| self.option_bases.get(&node.row?).copied())
    }
}

/// Leaves of what the update, and the base, say above a commented-out key what they would say of the live one.
fn say_as_of_live<'a>(
    mine: &Node<'a>,
    (node, base): (&mut Node<'a>, Option<&mut BaseComments<'a>>),
    old: &OldMap<'_, 'a>,
) {
    let words = commented_out::words_when_live(node.above.clone(), node);
    if old.is_known || lines::hold_words(&mine.above, &words) {
        node.above = words;
    }
    if let Some((base, was)) = base.zip(old.option(&mine.name)) {
        base.above = commented_out::words_when_live(std::mem::take(&mut base.above), was);
    }
}

/// The same for what the update says inside of the block: above its keys, where the user has some of that so and none with the
/// `#` of the block, and at its end.
fn say_inside_as_of_live<'a>(mine: &Node<'a>, node: &mut Node<'a>, old: &OldMap<'_, 'a>) {
    let words = commented_out::words_at_end_when_live(node.below.to_vec(), node.children.last().map(AsRef::as_ref));
    if old.is_known || lines::share_words(&mine.below, &words) {
        node.below = words.into();
    }
    let said: Vec<_> = mine.children.iter().flat_map(|child| &child.above).cloned().collect();
    for child in &mut node.children {
        let doubled: Vec<_> = child.above.iter().filter(|line| commented_out::is_doubled(line)).cloned().collect();
        if doubled.is_empty() || lines::share_words(&said, &doubled) {
            continue;
        }
        let words = commented_out::words_when_live(child.above.clone(), child);
        if lines::share_words(&said, &words) {
            child.above = words;
        }
    }
    if !old.is_known {
        keep_hashes(mine, node);
    }
}

/// The blank lines that set a comment off from what is above it.
fn blanks_above(mut lines: Vec<Line<'_>>) -> Vec<Line<'_>> {
    lines.truncate(comments::leading_blanks(&lines).len());
    lines
}

fn by_name<'n, 'a>(nodes: &'n [Box<Node<'a>>]) -> Names<&'n str, &'n Node<'a>> {
    nodes.iter().map(|node| (&*node.name, &**node)).collect()
}

fn is_live_for_option(mine: &Node<'_>, node: &Node<'_>) -> bool {
    mine.is_commented_out() && !node.is_commented_out()
}
