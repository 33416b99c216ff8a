//! What the comments of the user's file and of the old default said before the merge, and what follows from that: which
//! paragraphs the user took out that the release has elsewhere now.
//!
//! The first of some keys has the words about all of them above its own, set off by a blank line: a new key that comes
//! first would bring them back. They stay out wherever they went, like a comment that the user took out of its place.

use foldhash::{HashMap, HashSet};

use super::paragraphs::{leading_blanks, paragraphs};
use super::said::each_said;
use crate::text::piece::Piece;
use crate::yaml::check::Checked;
use crate::yaml::tree::{Line, Node, Origin};

/// How often the comments of two files say each of their words.
pub(crate) struct WordsBefore<'a> {
    said: HashMap<Piece<'a>, Times>,
    /// Whether the user took out any.
    has_taken_out: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct Times {
    base: usize,
    user: usize,
}

impl Times {
    fn are_taken_out(self) -> bool {
        self.base > 0 && self.user == 0
    }
}

impl<'a> WordsBefore<'a> {
    pub(crate) fn of([base, user]: [&Checked<'a>; 2]) -> Self {
        let mut said: HashMap<_, Times> = HashMap::default();
        each_said(&base.stream, &mut |words| said.entry(words).or_default().base += 1);
        each_said(&user.stream, &mut |words| said.entry(words).or_default().user += 1);
        let has_taken_out = said.values().any(|times| times.are_taken_out());
        Self { said, has_taken_out }
    }

    /// Whether the old default says it.
    pub(super) fn are_old(&self, said: &str) -> bool {
        self.said.get(said).is_some_and(|times| times.base > 0)
    }

    /// Whether the user says it oftener than the old default.
    pub(super) fn are_added(&self, said: &str) -> bool {
        self.said.get(said).is_some_and(|times| times.user > times.base)
    }

    /// Whether the user no longer says what the old default does.
    fn are_taken_out(&self, said: &str) -> bool {
        self.said.get(said).is_some_and(|times| times.are_taken_out())
    }

    /// Leaves out of the update's comments above a node, and above all inside of it, the paragraphs that the user took out:
    /// the old default says them above another node, and the user nowhere.
    pub(super) fn leave_out_taken_out(&self, node: &mut Node<'a>) {
        if !self.has_taken_out {
            return;
        }
        if let Some(theirs) = node.update_comments.as_deref_mut() {
            let old = theirs.base.as_deref().map_or(&[][..], |base| &base.above);
            self.leave_out_of(&mut theirs.above, old);
        } else if node.origin == Origin::Update {
            self.leave_out_of(&mut node.above, &[]);
        }
        node.children.iter_mut().for_each(|child| self.leave_out_taken_out(child));
    }

    fn leave_out_of(&self, lines: &mut Vec<Line<'a>>, old: &[Line<'a>]) {
        let is_out = |line: &Line<'_>| self.are_taken_out(line.said());
        if !lines.iter().any(|line| line.has_words() && is_out(line)) {
            return;
        }
        let blanks = leading_blanks(old);
        let old: HashSet<_> = old.iter().map(Line::said).collect();
        // What stands directly above a node is about that.
        let is_set_off = |paragraph: &[Line<'_>]| paragraph.last().is_some_and(|last| !last.is_comment());
        let goes = |paragraph: &[Line<'_>]| {
            let mut said = paragraph.iter().filter(|line| line.has_words()).peekable();
            is_set_off(paragraph)
                && said.peek().is_some()
                && said.all(|line| is_out(line) && !old.contains(line.said()))
        };
        // Where the first paragraph goes, the next one is set off from what is above it as in the old default.
        let start = if paragraphs(lines).next().is_some_and(&goes) { blanks } else { &[] };
        let left = paragraphs(lines).filter(|paragraph| !goes(paragraph)).flatten();
        *lines = start.iter().chain(left).cloned().collect();
    }
}
