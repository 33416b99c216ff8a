//! A plan put into action: what goes and what stays away is taken out of both trees.

use foldhash::HashSet;
use std::ops::Range;

use super::gone::GoneWords;
use super::{Fate, ItemSource, LeftKey, Plan};
use crate::comments::{has_comment, lines};
use crate::text::piece::Piece;
use crate::yaml::document::drop_properties;
use crate::yaml::flow::{self, Revision};
use crate::yaml::outline::Outline;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node, Origin};

impl<'b, 'a> Plan<'b, 'a> {
    /// Takes out of both trees what the result is not to have. Commented-out keys are nodes in both; `opened` is a node of
    /// the base in that state.
    pub(crate) fn apply<'o>(
        &mut self,
        (current, mine): (&mut Node<'a>, &mut Outline<'a>),
        (update, theirs): (&mut Node<'a>, &mut Outline<'a>),
        opened: &dyn Fn(&'b Node<'a>) -> &'o Node<'a>,
    ) where
        'a: 'o,
    {
        self.settle_deleted(mine, theirs);
        self.revise(current, mine, theirs);
        let fates = self.fates.iter().filter(|(_, fate)| **fate == Fate::Goes);
        let goes: HashSet<_> = fates.map(|(row, _)| *row).collect();
        let left_out = std::mem::take(&mut self.left_out);
        if !self.remnants.is_empty() {
            self.thin_comments(current, opened);
        }
        if !goes.is_empty() {
            self.retain(current, &goes, opened);
        }
        if !left_out.is_empty() {
            self.retain(update, &left_out, opened);
        }
        for &row in &goes {
            mine.take_out(row);
        }
        for &row in &left_out {
            theirs.take_out(row);
        }
        self.left_out = left_out;
    }

    /// Nothing is decided over what was taken out on request. In the place of an item comes what the update has there, and in
    /// that of a collection all that the update has in it.
    fn settle_deleted(&mut self, current: &Outline<'_>, update: &Outline<'_>) {
        let gone = self.known.iter().filter(|(row, _)| current[**row].gone);
        let in_update: Vec<_> = gone.flat_map(|(_, &row)| row.up_to(update[row].end)).collect();
        let comes_in: HashSet<_> = in_update.into_iter().filter(|row| self.left_out.remove(row)).collect();
        self.decisions.retain(|decision| decision.update.is_none_or(|row| !comes_in.contains(&row)));
        self.decisions.retain(|decision| decision.current.is_none_or(|row| !current[row].gone));
        self.fates.retain(|&row, fate| *fate == Fate::Goes || !current[row].gone);
        self.taken_by.retain(|_, row| !current[*row].gone);
        let repaired = |source: &ItemSource| match *source {
            ItemSource::Own { current: row, update } if current[row].gone => {
                update.map(|update| ItemSource::New { update })
            }
            source => Some(source),
        };
        for sources in self.lists.values_mut() {
            *sources = sources.iter().filter_map(repaired).collect();
        }
    }

    /// What cannot be said in flow style stays away from a flow collection.
    fn leave_what_flow_cannot_say(&mut self, rows: Range<RowId>, update: &Outline<'a>) {
        let cannot = |row: RowId| !can_be_in_flow(row, update);
        for row in rows.start.up_to(rows.end) {
            if self.taken(row).is_some_and(|taken| cannot(taken.update)) {
                self.fates.remove(&row);
                self.decisions.retain(|decision| decision.current != Some(row));
            }
            if let Some(sources) = self.lists.get_mut(&row) {
                sources.retain(|source| !matches!(*source, ItemSource::New { update } if cannot(update)));
            }
        }
    }

    /// Does inside of flow collections what the merge does with nodes.
    fn revise(&mut self, node: &mut Node<'a>, current: &Outline<'a>, update: &Outline<'a>) {
        if let Some(row) = node.row.filter(|row| flow::is_flow(node) && self.taken(*row).is_none()) {
            self.leave_what_flow_cannot_say(row..current[row].end, update);
            let revision = self.revision(row, current, update);
            if !revision.is_empty() {
                // What is not understood is left as it is, and does not pass the verification.
                let _ = flow::revise(node, current, &revision);
            }
        }
        node.children.iter_mut().for_each(|child| self.revise(child, current, update));
    }

    fn revision(&self, row: RowId, current: &Outline<'a>, update: &Outline<'a>) -> Revision {
        let mut revision = Revision::default();
        for inner in row.next().up_to(current[row].end) {
            let taken = self.taken(inner).and_then(|taken| flow::render(taken.update, update));
            revision.replaced.extend(taken.map(|text| (inner, text)));
            revision.gone.extend(Some(inner).filter(|&inner| self.goes(inner)));
        }
        for list in row.up_to(current[row].end) {
            let mut behind = None;
            for source in self.list(list).unwrap_or_default() {
                match *source {
                    ItemSource::Own { current, .. } => behind = Some(current),
                    ItemSource::New { update: item } => {
                        let text = flow::render(item, update).map(|text| (behind, text));
                        revision.inserted.entry(list).or_default().extend(text);
                    }
                }
            }
            revision.keep_brackets(list, current);
        }
        revision
    }

    /// Keeps a key of the user's for who asks what went from a map; documents nobody asks for.
    fn drop_key(&mut self, map: Option<RowId>, name: Piece<'a>, row: RowId) {
        if let Some(map) = map {
            self.dropped_keys.entry(map).or_default().insert(name, row);
        }
    }

    /// Keeps a key of the update for who asks what stays away from a map; documents nobody asks for.
    fn leave(&mut self, map: Option<RowId>, key: LeftKey<'a>) {
        if let Some(map) = map {
            self.left_keys.entry(map).or_default().push(key);
        }
    }

    /// Takes out of the maps that the release dropped what they have commented out or say at their end, and what the user
    /// did not touch.
    fn thin_comments<'o>(&self, node: &mut Node<'a>, opened: &dyn Fn(&'b Node<'a>) -> &'o Node<'a>)
    where
        'a: 'o,
    {
        let base = node.row.filter(|row| self.remnants.contains(row)).and_then(|row| self.base(row));
        if let Some(base) = base {
            node.below = lines::merge(&base.below, node.below.take(), &[]).into();
        }
        for child in &mut node.children {
            if let Some(old) = base.and(self.base(child.row)) {
                child.above = lines::merge(&old.above, std::mem::take(&mut child.above), &opened(old).above);
            }
            self.thin_comments(child, opened);
        }
    }

    /// Cuts off what is the user's own above a node at a row that goes, and remembers what else the user says there, or no
    /// longer does.
    fn cut_own_lines(
        &mut self,
        node: &mut Node<'a>,
        row: RowId,
        (base, opened): (&Node<'a>, &Node<'a>),
    ) -> Vec<Line<'a>> {
        let own = cut_own_lines(node, opened).collect();
        self.gone_words.extend(GoneWords::inside(node, base));
        if has_comment(&opened.above) && !lines::share_words(&node.above, &opened.above) {
            self.moved_from_words.insert(row);
        }
        own
    }

    /// Takes a key or an item at a row out of a block of the user's; the lines above it that stay.
    fn take_out<'o>(
        &mut self,
        block: Option<RowId>,
        (mut child, row): (Node<'a>, RowId),
        opened: &dyn Fn(&'b Node<'a>) -> &'o Node<'a>,
    ) -> Vec<Line<'a>>
    where
        'a: 'o,
    {
        let base = self.base(row);
        let own = base.map(|base| self.cut_own_lines(&mut child, row, (base, opened(base))));
        self.drop_key(block, child.name, row);
        own.unwrap_or_default()
    }

    fn retain<'o>(&mut self, node: &mut Node<'a>, gone: &HashSet<RowId>, opened: &dyn Fn(&'b Node<'a>) -> &'o Node<'a>)
    where
        'a: 'o,
    {
        let (kind, before) = (node.kind(), node.children.len());
        let was_first = first_right_below(node);
        let mut own_lines = Vec::new();
        for mut child in std::mem::take(&mut node.children) {
            match (child.row.filter(|row| gone.contains(row)), node.origin) {
                (None, _) => {
                    child.above.splice(0..0, own_lines.drain(..));
                    node.children.push(child);
                }
                (Some(row), Origin::Current) => {
                    own_lines.extend(self.take_out(node.row, (*child, row), opened));
                }
                (Some(_), Origin::Update) => {
                    let before = node.children.len();
                    self.leave(node.row, LeftKey { key: *child, before });
                }
            }
        }
        if has_comment(&own_lines) {
            node.below.vec().splice(0..0, own_lines);
        }
        match node.origin {
            Origin::Current if kind != node.kind() => {
                self.emptied.extend(node.row.map(|row| (row, kind)));
                drop_properties(node);
            }
            Origin::Update if before != node.children.len() => self.thinned.extend(node.row),
            _ => {}
        }
        if was_first.is_some_and(|row| gone.contains(&row)) {
            self.first_now.extend(node.children.first().and_then(|first| first.row));
        }
        node.children.iter_mut().for_each(|child| self.retain(child, gone, opened));
    }
}

/// The row of what comes first in a block of the user's, where no blank line sets it off.
fn first_right_below(block: &Node<'_>) -> Option<RowId> {
    let first = block.children.first().filter(|_| block.origin == Origin::Current)?;
    first.row.filter(|_| first.above.first().is_none_or(Line::is_comment))
}

/// Whether a value can be said in flow style: nothing at all is one there, but no item.
pub(super) fn can_be_in_flow(row: RowId, outline: &Outline<'_>) -> bool {
    flow::render(row, outline).is_some_and(|text| !text.is_empty() || outline[row].name.is_some())
}

/// Cuts off the lines that the user has over what the base has above a node that goes. What the user says about the node
/// would have kept it, so they are those of a key that the user removed above it, or commented out. The directives of a
/// document go with it.
fn cut_own_lines<'n, 'a>(node: &'n mut Node<'a>, base: &Node<'a>) -> impl Iterator<Item = Line<'a>> + use<'n, 'a> {
    let own = node.above.len().saturating_sub(base.above.len());
    // Where the base has none, blank lines set the node off from a neighbour of the user's.
    let sets_off = !has_comment(&node.above[..own]) && base.above.first().is_none_or(Line::is_comment);
    let is_own = !sets_off && lines::same(&node.above[own..], &base.above);
    node.above.drain(..if is_own { own } else { 0 }).filter(Line::is_comment_or_blank)
}
