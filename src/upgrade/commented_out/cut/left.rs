//! Whose the lines of a gap are that stay when commented-out keys were cut out of it.

use std::ops::Range;

use super::{Becomes, Cutter, Edits};
use crate::yaml::commented_out::gaps::{Holder, Part};
use crate::yaml::tree::{Line, Offset};

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
            let lines = kept.into_iter().map(|line| self.line_beside(line, holder.column)).collect();
            edits.at(holder.node).keep(holder.part, lines);
        }
    }

    /// The holder of each line when the options are no lines any more. Comments only step outward: behind `#  port: 80` at the
    /// margin nothing can end the block of that key, or of one around it. Without it, a comment ends the innermost block again
    /// that it can.
    fn owners(&self) -> Vec<usize> {
        let mut owners: Vec<_> = self.lines.iter().map(|(holder, _)| *holder).collect();
        let mut from = usize::MAX;
        for (line, owner) in owners.iter_mut().enumerate() {
            if let Some(first) = self.cut[line] {
                from = first;
            } else if from < *owner && self.line(line).is_comment() {
                from = (from..*owner).find(|&holder| self.ends_block_of(line, holder)).unwrap_or(*owner);
                *owner = from;
            }
        }
        for line in (1..owners.len()).rev() {
            // Blank lines go with the comment below.
            owners[line - 1] = owners[line - 1].min(owners[line]);
        }
        owners
    }

    /// Lets holders lose lines of an entry in the block of a node. What stands behind can end that block, where it does not go
    /// on and the entry does not end it itself, and those around it.
    pub(super) fn lose(&mut self, lines: Range<usize>, node: usize, becomes: Becomes<'_>) {
        let is_end = |holder: &Holder<'_, '_>| holder.node == node && holder.part == Part::Below;
        let end = self.between.holders.iter().position(is_end).unwrap_or(usize::MAX);
        let behind = usize::from(matches!(becomes, Becomes::Below));
        self.cut[lines].fill(Some(end.saturating_add(behind)));
    }

    /// Whether a comment stands far enough to the right to end the block of a holder.
    fn ends_block_of(&self, line: usize, holder: usize) -> bool {
        let Holder { node, part, .. } = self.between.holders[holder];
        let numbered = self.gaps.nodes[node];
        let leftmost = numbered.column + numbered.node.block_column(!numbered.node.children.is_empty());
        part == Part::Below && node > 0 && self.column(line) >= leftmost
    }

    fn column(&self, line: usize) -> i32 {
        match *self.line(line) {
            Line::Text(Offset::Beside(by), ..) => self.between.holders[self.lines[line].0].column + by,
            _ => 0,
        }
    }
}
