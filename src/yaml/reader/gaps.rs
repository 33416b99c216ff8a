//! Where the lines between nodes are kept in the tree. Whose they are is what [`gap`] says.
//!
//! The tree keeps blank lines with what stands below them, not above: those of a separator too.

use super::{Opened, Reader};
use crate::yaml::gap::{self, After, Before, GapLine, Neighbourhood, Owner};
use crate::yaml::tree::{Opener, Shape};

impl Reader<'_, '_> {
    /// Gives the pending lines to the open nodes that own them; those from `first` on close. Left pending are the lines of
    /// the last owner, which is returned: it may not be open yet.
    pub(super) fn give(&mut self, first: usize, after: After) -> Owner {
        let start = self.pending.max(self.behind_directives);
        if start == self.at {
            return Neighbourhood { before: self.before(start), after, closed: &[] }.last_owner();
        }
        let (mut gap, mut closed) = (std::mem::take(&mut self.gap), std::mem::take(&mut self.closing));
        gap.clear();
        closed.clear();
        gap.extend(self.source.lines.within(start..self.at).map(GapLine::new));
        closed.extend(self.closing(first));
        let around = Neighbourhood { before: self.before(start), after, closed: &closed };
        let mut end = start;
        for chunk in gap::split(&gap, &around) {
            end += chunk.lines.len();
            match (chunk.owner, chunk.column()) {
                (Owner::End(block), Some(stands)) => {
                    self.give_below(self.open.len() - 1 - block, end - chunk.blanks_below(), stands);
                }
                (Owner::Separator, _) if around.starts_document() => self.give_header(end),
                (Owner::Header, _) => self.give_header(end),
                _ => {}
            }
        }
        let last = around.last_owner();
        (self.gap, self.closing) = (gap, closed);
        last
    }

    /// What the pending lines from `start` on stand behind.
    fn before(&self, start: usize) -> Before {
        let node = &self.top().node;
        let is_bare = node.shape == Shape::Open && !self.has_children();
        match node.opener {
            _ if start > self.pending => Before::Directive,
            Opener::Document(_) if is_bare && (node.marker().is_some() || !node.continuation.is_empty()) => {
                Before::DocumentStart
            }
            Opener::Document(_) if !is_bare => Before::Content,
            Opener::Document(_) | Opener::Stream if self.closed.is_empty() => Before::FileStart,
            Opener::Document(_) | Opener::Stream => Before::DocumentEnd,
            Opener::Key(_) | Opener::Item { .. } | Opener::Explicit(_) | Opener::CommentedOut { .. } => Before::Content,
        }
    }

    /// Where comments start to be the end of each of the open blocks from `first` on, the deepest first.
    fn closing(&self, first: usize) -> impl Iterator<Item = i32> {
        let leftmost = move |at: usize| {
            let Opened { column, node, .. } = &self.open[at];
            let has_children = at + 1 < self.open.len() || self.has_children();
            column + node.block_column(has_children)
        };
        (first..self.open.len()).rev().map(leftmost)
    }

    fn give_below(&mut self, owner: usize, end: usize, stands: i32) {
        let leaf = owner + 1 == self.open.len() && !self.has_children();
        let Opened { column, node, .. } = &mut self.open[owner];
        if leaf && node.below.is_empty() {
            node.indent = stands - *column;
        }
        let base = *column + node.indent;
        let lines = self.lines_beside(self.pending, end, base);
        self.open[owner].node.below.append(lines);
        self.pending = end;
    }

    pub(super) fn give_header(&mut self, end: usize) {
        let lines = self.lines_beside(self.pending, end, self.top().column);
        if let Some(header) = self.top_mut().node.header_mut() {
            header.extend(lines);
        }
        self.pending = end;
    }

    /// Closes a document or the file, whose end the pending lines are.
    pub(super) fn end_document(&mut self) {
        self.value_of_properties();
        let Opened { column, node, .. } = self.top();
        if !self.has_children() && node.shape == Shape::Open && node.can_have_header() {
            return self.give_header(self.at);
        }
        let beside = column + node.indent;
        let mut lines = self.lines_beside(self.pending, self.at, beside);
        for line in &mut lines {
            line.at_margin(beside);
        }
        self.top_mut().node.below.append(lines);
        self.pending = self.at;
    }

    /// An anchor or a tag with nothing behind it is the value of a document, however little that is.
    fn value_of_properties(&mut self) {
        let has_children = self.has_children();
        let node = &mut self.top_mut().node;
        if node.document().is_some() && node.shape == Shape::Open && !has_children {
            let own = |text: &str| matches!(text.trim_start().chars().next(), Some('&' | '!'));
            if own(&node.value_text) || node.continuation.iter().any(|line| own(line.trimmed())) {
                node.shape = Shape::Plain;
            }
        }
    }
}
