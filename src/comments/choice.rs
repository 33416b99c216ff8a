//! The decision at one place.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Comments;
use crate::tree::Line;

/// What a comment belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The key that it stands above.
    Key,
    /// A key that the user has live, and the update as a commented-out option.
    Option,
    /// The item that it stands above. Here the user's counts: an item is the user's, and often one of many like it.
    Item,
    /// The head of a document, set off by a blank line.
    Head,
    /// The end of a block or of a file.
    End,
}

/// The comment that stays, and the user's lines that are no longer there.
pub(super) struct Chosen<'a> {
    pub(super) lines: Vec<Line<'a>>,
    pub(super) replaced: Vec<String>,
    /// Whether the lines are the update's.
    pub(super) updated: bool,
}

/// How often a comment line stands in the two files.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    current: usize,
    /// Lines of the update that come in above a key.
    keys: usize,
    /// Those that come in elsewhere.
    edges: usize,
    /// Lines of the current file above keys for which the update has no comment.
    alone: usize,
    /// How many of the current file's stay although one of the update comes in.
    kept: usize,
}

impl Count {
    fn coming(&mut self, place: Place) -> &mut usize {
        match place {
            Place::Key | Place::Item => &mut self.keys,
            Place::Option | Place::Head | Place::End => &mut self.edges,
        }
    }
}

/// Decides with a policy, and with what both files have.
pub(super) struct Choice<'a> {
    pub(super) policy: Comments,
    counts: HashMap<Cow<'a, str>, Count>,
}

impl<'a> Choice<'a> {
    pub(super) fn new(policy: Comments) -> Self {
        Self { policy, counts: HashMap::new() }
    }

    /// Counts the comments of a node of the update that comes in.
    pub(super) fn count_new(&mut self, own: &[(Place, &[Line<'a>])]) {
        for (place, lines) in own {
            self.count(lines, |count| *count.coming(*place) += 1);
        }
    }

    /// Counts the comments of a node of the current file that the update has not: they stay.
    pub(super) fn count_kept(&mut self, own: &[(Place, &[Line<'a>])]) {
        for (_, lines) in own {
            self.count(lines, |count| (count.current, count.kept) = (count.current + 1, count.kept + 1));
        }
    }

    /// Counts the comments of a place in both files.
    pub(super) fn count_both(&mut self, user: &[Line<'a>], update: &[Line<'a>], place: Place) {
        let takes = self.takes(user, update, place);
        let alone = usize::from(matches!(place, Place::Key | Place::Item) && !takes);
        self.count(user, |count| (count.current, count.alone) = (count.current + 1, count.alone + alone));
        if takes {
            self.count(update, |count| *count.coming(place) += 1);
        }
    }

    fn count(&mut self, lines: &[Line<'a>], add: impl Fn(&mut Count)) {
        for text in lines.iter().filter(|line| line.is_comment()).filter_map(Line::shared) {
            add(self.counts.entry(text).or_default());
        }
    }

    /// Whether the lines of the update come in at a place, be it that the user has them all and more.
    fn takes(&self, user: &[Line<'_>], update: &[Line<'_>], place: Place) -> bool {
        let offered = has_comment(update) && !holds_more_than_comments(user, update);
        let gives_way = self.policy != Comments::User && place != Place::Item;
        offered && (gives_way || !has_comment(user))
    }

    /// Decides between the user's and the update's comment at the same place.
    pub(super) fn choose(&mut self, user: Vec<Line<'a>>, update: Vec<Line<'a>>, place: Place) -> Chosen<'a> {
        let stays = |lines| Chosen { lines, replaced: Vec::new(), updated: false };
        if holds_more_than_comments(&user, &update) || same(&user, &update) {
            return stays(user);
        }
        if !self.takes(&user, &update, place) {
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

    /// The user's lines that the update has nowhere else; blank lines and ornaments go with what is above them.
    pub(super) fn without_moved(&mut self, user: Vec<Line<'a>>, update: &[Line<'_>], place: Place) -> Vec<Line<'a>> {
        let anywhere = !matches!(place, Place::Key | Place::Item) || self.takes(&user, update, place);
        let mut went = false;
        let stays = |line: &Line<'_>| {
            if line.is_comment() && !line.is_ornament() {
                went = !holds(update, line) && self.moved(line.trimmed(), anywhere);
            }
            !went
        };
        let (lines, gone): (Vec<_>, Vec<_>) = user.into_iter().partition(stays);
        if gone.is_empty() { lines } else { closed(lines, gone, place) }
    }

    /// Whether a line is the update's at another place. As many as the current file has more of it stay.
    ///
    /// Where the update has no comment above a key the user's stays, also when the update has the same words above
    /// another key: they may well be true of both.
    fn moved(&mut self, text: &str, anywhere: bool) -> bool {
        let Some(count) = self.counts.get_mut(text) else { return false };
        if count.edges == 0 && (count.keys == 0 || !anywhere) {
            return false;
        }
        let alone = if count.edges == 0 { count.alone } else { 0 };
        let goes = alone + count.kept + count.keys + count.edges >= count.current;
        count.kept += usize::from(!goes);
        goes
    }
}

/// Whether there is at least one comment line: blank lines alone are none.
pub(crate) fn has_comment(lines: &[Line<'_>]) -> bool {
    lines.iter().any(Line::is_comment)
}

/// What is left of a comment. The end of a block ends with a comment, and the head of a document with a blank line, or
/// they would not be read as such again.
pub(super) fn closed<'a>(mut lines: Vec<Line<'a>>, gone: Vec<Line<'a>>, place: Place) -> Vec<Line<'a>> {
    let end = lines.iter().rposition(Line::is_comment).map_or(0, |last| last + 1);
    match place {
        Place::Head if end > 0 && end == lines.len() => lines.extend(gone.into_iter().rfind(|line| !line.is_comment())),
        Place::Head if end > 0 => {}
        Place::Head | Place::End => lines.truncate(end),
        Place::Key | Place::Option | Place::Item => {}
    }
    lines
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
