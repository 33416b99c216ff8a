//! What the comments of the user's file and of the old default said before the merge, and what follows from that: which
//! paragraphs the user took out that the release has elsewhere now.
//!
//! The first of some keys has the words about all of them above its own, set off by a blank line: a new key that comes
//! first would bring them back. They stay out wherever they went, like a comment that the user took out of its place.

use foldhash::HashSet;

use super::paragraphs::paragraphs;
use super::{Words, words};
use crate::yaml::check::Checked;
use crate::yaml::tree::{Line, Node, Origin};

/// The words of all comments in two files.
pub(crate) struct WordsBefore<'a> {
    pub(super) base: Words<'a>,
    user: Words<'a>,
}

impl<'a> WordsBefore<'a> {
    pub(crate) fn of([base, user]: [&Checked<'a>; 2]) -> Self {
        Self { base: words(&base.stream), user: words(&user.stream) }
    }

    /// Leaves out of the update's comments above a node, and above all inside of it, the paragraphs that the user took out:
    /// the old default says them above another node, and the user nowhere.
    pub(super) fn leave_out_taken_out(&self, node: &mut Node<'a>) {
        if let Some(theirs) = node.update_comments.as_deref_mut() {
            let old = theirs.base.as_deref().map_or(&[][..], |base| &base.above);
            self.leave_out_of(&mut theirs.above, old);
        } else if node.origin == Origin::Update {
            self.leave_out_of(&mut node.above, &[]);
        }
        node.children.iter_mut().for_each(|child| self.leave_out_taken_out(child));
    }

    fn leave_out_of(&self, lines: &mut Vec<Line<'a>>, old: &[Line<'_>]) {
        let is_out = |line: &Line<'_>| self.base.contains(line.said()) && !self.user.contains(line.said());
        if !lines.iter().any(|line| line.has_words() && is_out(line)) {
            return;
        }
        let old: HashSet<_> = old.iter().map(Line::said).collect();
        // What stands directly above a node is about that.
        let is_set_off = |paragraph: &[Line<'_>]| paragraph.last().is_some_and(|last| !last.is_comment());
        let goes = |paragraph: &[Line<'_>]| {
            let mut said = paragraph.iter().filter(|line| line.has_words()).peekable();
            is_set_off(paragraph)
                && said.peek().is_some()
                && said.all(|line| is_out(line) && !old.contains(line.said()))
        };
        *lines = paragraphs(lines).filter(|paragraph| !goes(paragraph)).flatten().cloned().collect();
    }
}
