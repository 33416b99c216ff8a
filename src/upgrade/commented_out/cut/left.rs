//! Whose the lines of a gap are that stay when commented-out keys were cut out of it.

use std::ops::Range;

use super::becomes::Becomes;
use super::{Cutter, Edits};
use crate::yaml::commented_out::gaps::{Holder, Part, gap_line};
use crate::yaml::gap::{After, Before, Neighbourhood};
use crate::yaml::tree::Line;

impl<'a> Cutter<'_, '_, 'a> {
    /// What is left stays where it is, but for what the options had taken from its owner; and what follows the last option in
    /// the header of a document is no header.
    pub(super) fn keep(&self, behind: usize, edits: &mut Edits<'a>) {
        let mut no_head: Vec<usize> = Vec::new();
        let owners = self.owners();
        for (at, holder) in self.between.holders.iter().enumerate() {
            let [start, end] = [at, at + 1].map(|at| owners.partition_point(|&owner| owner < at));
            let mut kept: Vec<_> = std::mem::take(&mut no_head);
            kept.extend((start..end).filter(|&line| self.cut[line].is_none()));
            if holder.part == Part::Header {
                no_head = kept.split_off(kept.partition_point(|&line| line < behind));
            }
            let lines = kept.into_iter().map(|line| self.kept(line, holder.column)).collect();
            edits.at(holder.node).keep(holder.part, lines);
        }
    }

    /// A line that is left beside a column. What is commented out at the margin there follows it behind its `#`.
    fn kept(&self, line: usize, column: i32) -> Line<'a> {
        let entry = self.entry_with(line).map(|entry| self.outermost(entry)).filter(|_| self.stays_at_margin);
        match entry.filter(|&entry| self.found[entry].column == column) {
            Some(entry) => self.line_of(entry, line, column),
            None => self.line_beside(line, column),
        }
    }

    /// The holder of each line when the options are no lines any more. Comments only step outward: behind `#  port: 80` at the
    /// margin nothing can end the block of that key, or of one around it. Without it, a comment ends the innermost block again
    /// that it can.
    fn owners(&self) -> Vec<usize> {
        // The blocks that close are the first holders.
        let closed: Vec<_> = self.between.holders.iter().map_while(|holder| self.leftmost(holder)).collect();
        let around = Neighbourhood { before: Before::Content, after: After::Node, closed: &closed };
        let mut owners: Vec<_> = self.lines.iter().map(|(holder, _)| *holder).collect();
        let mut from = usize::MAX;
        for (line, owner) in owners.iter_mut().enumerate() {
            let column = gap_line(self.line(line), self.between.holders[*owner].column).map(|(column, _)| column);
            if let Some(first) = self.cut[line] {
                from = first;
            } else if let Some(column) = column.filter(|_| from < *owner) {
                from = around.block_at(column, from).min(*owner);
                *owner = from;
            }
        }
        for line in (1..owners.len()).rev() {
            // Blank lines go with the comment below.
            owners[line - 1] = owners[line - 1].min(owners[line]);
        }
        owners
    }

    /// The leftmost column at which a comment ends the block of a holder that closes.
    fn leftmost(&self, holder: &Holder<'_, '_>) -> Option<i32> {
        let numbered = self.gaps.nodes[holder.node];
        let leftmost = numbered.column + numbered.node.block_column(!numbered.node.children.is_empty());
        (holder.part == Part::Below && holder.node > 0).then_some(leftmost)
    }

    /// Lets holders lose lines of an entry in the block of a node. What stands behind can end that block, where it does not go
    /// on and the entry does not end it itself, and those around it.
    pub(super) fn lose(&mut self, lines: Range<usize>, node: usize, becomes: Becomes<'_>) {
        let is_end = |holder: &Holder<'_, '_>| holder.node == node && holder.part == Part::Below;
        let end = self.between.holders.iter().position(is_end).unwrap_or(usize::MAX);
        let behind = usize::from(matches!(becomes, Becomes::Below));
        self.cut[lines].fill(Some(end.saturating_add(behind)));
    }
}
