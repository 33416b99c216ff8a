//! Which comment stays where two files have one: `upgrade.md` rule 4.
//!
//! What the release writes above a key is its documentation, so it is the update's that counts. A user who only added
//! lines to it keeps them; a comment that is replaced is told, so that nothing goes silently.

use crate::tree::Line;

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

/// The comment that stays, and the user's lines that are no longer there.
pub(crate) struct Chosen<'a> {
    pub(crate) lines: Vec<Line<'a>>,
    pub(crate) replaced: Vec<String>,
    /// Whether the lines are the update's.
    pub(crate) updated: bool,
}

impl<'a> Chosen<'a> {
    fn user(lines: Vec<Line<'a>>) -> Self {
        Self { lines, replaced: Vec::new(), updated: false }
    }
}

/// Decides between the user's and the update's comment at the same place.
pub(crate) fn choose<'a>(user: Vec<Line<'a>>, update: Vec<Line<'a>>, policy: Comments) -> Chosen<'a> {
    let users_own = policy == Comments::User && has_comment(&user);
    if !has_comment(&update) || users_own || holds_more_than_comments(&user, &update) || only_added(&user, &update) {
        return Chosen::user(user);
    }
    let own: Vec<_> = user.into_iter().filter(|line| line.is_comment() && !holds(&update, line)).collect();
    let mut lines = update;
    if policy == Comments::Both {
        lines.extend(own);
        return Chosen { lines, replaced: Vec::new(), updated: true };
    }
    let replaced = own.iter().map(|line| line.trimmed().to_owned()).collect();
    Chosen { lines, replaced, updated: true }
}

/// Whether there is at least one comment line: blank lines alone are none.
pub(crate) fn has_comment(lines: &[Line<'_>]) -> bool {
    lines.iter().any(Line::is_comment)
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
    let mut user = user.iter().filter(|line| line.is_comment());
    update.iter().filter(|line| line.is_comment()).all(|line| user.any(|own| own.trimmed() == line.trimmed()))
}
