//! What the user says in what goes: the release dropped a section, and a key in it was commented out.
//!
//! Left out: comments that are about a key or item that is live. These keep it.

use super::Plan;
use crate::comments;
use crate::report::note::{Note, Noted};
use crate::text::lines::Lines;
use crate::text::scan;
use crate::yaml::outline::Outline;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node};

/// Comment lines that go with a node of the current file, or from inside of it.
#[derive(Debug)]
pub(super) struct GoneWords<'a> {
    row: RowId,
    line: usize,
    lines: Vec<Line<'a>>,
}

impl<'a> GoneWords<'a> {
    /// Those in a node that the old default does not have in the same one.
    pub(super) fn inside(node: &Node<'a>, base: &Node<'a>) -> Option<Self> {
        let mut lines = comments_of(node);
        if !lines.is_empty() {
            let known = comments::words(base);
            lines.retain(|line| !known.contains(line.said()));
        }
        Self::of(node, lines)
    }

    /// These lines from inside of a node that stays.
    pub(super) fn of(node: &Node<'a>, mut lines: Vec<Line<'a>>) -> Option<Self> {
        lines.retain(Line::has_words);
        (!lines.is_empty()).then_some(Self { row: node.row_or_first(), line: node.line(), lines })
    }
}

impl<'a> Plan<'_, 'a> {
    /// Tells of what the user says in what was taken out of the current file. Prose that the old default has elsewhere is
    /// not the user's; a line that it has elsewhere is, where it is a key that the user commented out here.
    pub(crate) fn notes_on_gone_words(
        &mut self,
        (current, lines): (&Outline<'_>, &Lines<'_>),
        base: &Node<'a>,
    ) -> Vec<Note> {
        let gone = std::mem::take(&mut self.gone_words);
        if gone.is_empty() {
            return Vec::new();
        }
        let known = comments::words(base);
        let is_own = |line: &&Line<'a>| is_key(line.said()) || !known.contains(line.said());
        let note = |GoneWords { row, line, lines: gone }: GoneWords<'a>| {
            let mut own = gone.iter().filter(is_own).map(Line::trimmed).peekable();
            let line = own.peek().and_then(|first| lines.number_of(first)).unwrap_or(line);
            let comment: Vec<_> = own.map(str::to_owned).collect();
            let told = Note { path: current.path(row), what: Noted::CommentReplaced { line, comment } };
            told.what.comment().is_some().then_some(told)
        };
        gone.into_iter().filter_map(note).collect()
    }
}

/// Whether a comment reads like a key of one word.
fn is_key(said: &str) -> bool {
    scan::key_and_rest(said).is_some_and(|(key, _)| !key.trim_ascii().contains(' '))
}

/// The comment lines of a node and of all that is inside of it, as they are written: commented-out keys among them.
fn comments_of<'a>(node: &Node<'a>) -> Vec<Line<'a>> {
    let option = if node.is_commented_out() { &node.continuation[..] } else { &[] };
    let mut lines: Vec<_> = [&node.above, node.header(), option].into_iter().flatten().cloned().collect();
    lines.extend(node.children.iter().flat_map(|child| comments_of(child)));
    lines.extend(node.below.iter().cloned());
    lines
}
