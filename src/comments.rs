//! Which comment stays where two files have one: `upgrade.md` rule 4.
//!
//! What the release writes above a key is its documentation, so it is the update's that counts. A user who only added
//! lines to it keeps them; a comment that is replaced is told, so that nothing goes silently.
//!
//! A line of the user's that the update has at another place is not the user's own: it moved with the release, as a
//! banner does when a new key slips in under it. Such a line stays out, or it would stand there twice.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::option_lines;
use crate::tree::{Kind, Line, Node, Opener};

/// Whose comments stay where both files have one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Comments {
    /// The update's, unless the user only added lines to it.
    #[default]
    Update,
    /// The user's.
    User,
    /// The update's, and the user's own lines under it.
    Both,
}

/// What a comment belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The key that it stands above.
    Key,
    /// The head of a document, set off by a blank line.
    Head,
    /// The end of a block or of a file.
    End,
}

/// The comment that stays, and the user's lines that are no longer there.
pub(crate) struct Chosen<'a> {
    pub(crate) lines: Vec<Line<'a>>,
    pub(crate) replaced: Vec<String>,
    /// Whether the lines are the update's.
    pub(crate) updated: bool,
}

/// How often a comment line stands in the two files.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    current: usize,
    /// Above keys of the update.
    keys: usize,
    /// At heads and ends in the update.
    edges: usize,
    /// How many of the current file's have been kept although the update has the line too.
    kept: usize,
}

/// Decides comment by comment, knowing which lines both files have.
pub(crate) struct Chooser<'a> {
    policy: Comments,
    counts: HashMap<Cow<'a, str>, Count>,
    /// Whether the current file has nothing that the update could be merged with, so that all of it comes in.
    current_is_empty: bool,
}

impl<'a> Chooser<'a> {
    pub(crate) fn new(policy: Comments, current: &Node<'a>, update: &Node<'a>) -> Self {
        let current_is_empty = current.children.iter().all(|document| document.children.is_empty());
        let mut chooser = Self { policy, counts: HashMap::new(), current_is_empty };
        chooser.count_current(current);
        let mut options = Vec::new();
        chooser.count_update(update, &mut options);
        if !options.is_empty() {
            let mut live = HashSet::new();
            collect_names(current, &mut live);
            options.retain(|(line, _)| option_lines::key_of(line).is_none_or(|name| !live.contains(name)));
        }
        for (line, place) in options {
            chooser.count_line(line, place);
        }
        chooser
    }

    /// Items of the update that the user lacks do not come in, so what stands inside of lists does not count; nor do
    /// options that the user may have live. Those that read like options are counted once it is known which these are.
    fn count_update<'n>(&mut self, node: &'n Node<'a>, options: &mut Vec<(&'n Line<'a>, Place)>) {
        let into_list = node.kind() != Kind::List || self.current_is_empty;
        for (lines, place) in places(node).into_iter().filter(|(_, place)| into_list || *place != Place::End) {
            for line in lines.iter().filter(|line| line.is_comment()) {
                match option_lines::key_of(line) {
                    Some(_) => options.push((line, place)),
                    None => self.count_line(line, place),
                }
            }
        }
        if into_list {
            for child in &node.children {
                self.count_update(child, options);
            }
        }
    }

    fn count_line(&mut self, line: &Line<'a>, place: Place) {
        let Some(text) = line.shared() else { return };
        let count = self.counts.entry(text).or_default();
        match place {
            Place::Key => count.keys += 1,
            Place::Head | Place::End => count.edges += 1,
        }
    }

    fn count_current(&mut self, node: &Node<'a>) {
        for text in places(node).into_iter().flat_map(|(lines, _)| lines).filter(|line| line.is_comment()) {
            if let Some(text) = text.shared() {
                self.counts.entry(text).or_default().current += 1;
            }
        }
        for child in &node.children {
            self.count_current(child);
        }
    }

    /// Decides between the user's and the update's comment at the same place.
    pub(crate) fn choose(&mut self, user: Vec<Line<'a>>, update: Vec<Line<'a>>, place: Place) -> Chosen<'a> {
        let stays = |lines| Chosen { lines, replaced: Vec::new(), updated: false };
        if holds_more_than_comments(&user, &update) || same(&user, &update) {
            return stays(user);
        }
        if !has_comment(&update) || (self.policy == Comments::User && has_comment(&user)) {
            return stays(self.without_moved(user, &update, place));
        }
        let added = only_added(&user, &update);
        let mut own = self.without_moved(user, &update, place);
        let is_own = |line: &Line<'_>| line.is_comment() && !line.is_ornament() && !holds(&update, line);
        if added && own.iter().any(is_own) {
            return stays(own);
        }
        own.retain(is_own);
        let mut lines = update;
        if self.policy == Comments::Both {
            let end = lines.iter().rposition(Line::is_comment).map_or(0, |last| last + 1);
            lines.splice(end..end, own);
            return Chosen { lines, replaced: Vec::new(), updated: true };
        }
        let replaced = own.iter().map(|line| line.trimmed().to_owned()).collect();
        Chosen { lines, replaced, updated: true }
    }

    /// The user's lines that the update has nowhere else; blank lines and ornaments go with what is above them. The
    /// end of a block ends with a comment, or it would not be read as one again.
    pub(crate) fn without_moved(&mut self, user: Vec<Line<'a>>, update: &[Line<'_>], place: Place) -> Vec<Line<'a>> {
        if !has_comment(&user) {
            return user;
        }
        let anywhere = has_comment(update) || place != Place::Key;
        let mut went = false;
        let mut lines = user;
        lines.retain(|line| {
            if line.is_comment() && !line.is_ornament() {
                went = !holds(update, line) && self.moved(line.trimmed(), anywhere);
            }
            !went
        });
        let end = lines.iter().rposition(Line::is_comment).map_or(0, |last| last + 1);
        match place {
            Place::Key => {}
            Place::Head if end > 0 => {}
            Place::Head | Place::End => lines.truncate(end),
        }
        lines
    }

    /// Whether a comment says something, and nothing that the current file has anywhere.
    pub(crate) fn is_new(&self, lines: &[Line<'_>]) -> bool {
        has_comment(lines) && !lines.iter().any(|line| self.is_known(line))
    }

    /// Whether a comment line stands anywhere in the current file.
    pub(crate) fn is_known(&self, line: &Line<'_>) -> bool {
        line.is_comment() && self.counts.get(line.trimmed()).is_some_and(|count| count.current > 0)
    }

    /// Lines of the update that do not come in after all.
    pub(crate) fn forget(&mut self, lines: &[Line<'_>]) {
        for line in lines {
            if let Some(count) = self.counts.get_mut(line.trimmed()) {
                *count = Count { keys: 0, edges: (count.keys + count.edges).saturating_sub(1), ..*count };
            }
        }
    }

    /// The same for everything inside of a node of the update whose counterpart keeps its own value.
    pub(crate) fn forget_inside(&mut self, node: &Node<'a>) {
        for child in &node.children {
            self.forget(&child.above);
            self.forget(&child.below);
            self.forget_inside(child);
        }
    }

    /// Whether a line is the update's at another place. As many as the current file has more of it stay.
    ///
    /// Where the update has no comment above a key the user's stays, also when the update has the same words above
    /// another key: they may well be true of both.
    fn moved(&mut self, text: &str, anywhere: bool) -> bool {
        let Some(count) = self.counts.get_mut(text) else { return false };
        let elsewhere = if anywhere { count.keys + count.edges } else { count.edges };
        if elsewhere == 0 {
            return false;
        }
        let goes = count.kept + count.keys + count.edges >= count.current;
        count.kept += usize::from(!goes);
        goes
    }
}

/// All keys of a file.
fn collect_names<'n>(node: &'n Node<'_>, names: &mut HashSet<&'n str>) {
    for child in &node.children {
        names.insert(child.name.as_ref());
        collect_names(child, names);
    }
}

/// The comments that a node has, each with what it belongs to.
fn places<'n, 'a>(node: &'n Node<'a>) -> [(&'n [Line<'a>], Place); 3] {
    let is_document = matches!(node.opener, Opener::Document { .. });
    let above = if is_document { Place::Head } else { Place::Key };
    let head: &[_] = if is_document { &node.more } else { &[] };
    [(&node.above, above), (head, Place::Head), (&node.below, Place::End)]
}

/// Whether there is at least one comment line: blank lines alone are none.
pub(crate) fn has_comment(lines: &[Line<'_>]) -> bool {
    lines.iter().any(Line::is_comment)
}

/// Whether two comments differ at most in how their lines end.
pub(crate) fn same(user: &[Line<'_>], update: &[Line<'_>]) -> bool {
    user.len() == update.len()
        && user.iter().zip(update).all(|(a, b)| match (a, b) {
            (Line::Blank(..), Line::Blank(..)) => true,
            (Line::Text(at, a, _), Line::Text(other, b, _)) => at == other && a == b,
            _ => false,
        })
}

/// Directives and `...` stand where comments do, but are none: such a place is left as the user has it.
fn holds_more_than_comments(user: &[Line<'_>], update: &[Line<'_>]) -> bool {
    user.iter().chain(update).any(|line| !line.is_comment() && !line.trimmed().is_empty())
}

fn holds(lines: &[Line<'_>], line: &Line<'_>) -> bool {
    lines.iter().any(|other| other.trimmed() == line.trimmed())
}

/// Whether every comment line of the update stands in the user's, in order.
fn only_added(user: &[Line<'_>], update: &[Line<'_>]) -> bool {
    let says = |line: &&Line<'_>| line.is_comment() && !line.is_ornament();
    let mut user = user.iter().filter(says);
    update.iter().filter(says).all(|line| user.any(|own| own.trimmed() == line.trimmed()))
}
