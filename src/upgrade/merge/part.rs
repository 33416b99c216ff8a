//! Words of a key that another key parts: the user made that one live out of an example in them.
//!
//! Each half is merged with its half in the old default and in the update. Held against the whole comment, the first half
//! would be the user's own above a key that nobody else has, and would stay as it is for good.

use crate::comments::lines;
use crate::yaml::tree::{Line, Node};

/// Gives a key of the user's own the words above it, if it was an example in these; the rest stays with the next key.
/// These are the words of the old default and of the update. Nothing where it was none.
pub(super) fn part<'a>(own: &mut Node<'a>, base: &mut Vec<Line<'a>>, update: &mut Vec<Line<'a>>) -> Option<()> {
    let (end, new_end) = ends(own, base, update)?;
    let old: Vec<_> = base.drain(..end).collect();
    let new: Vec<_> = update.drain(..new_end).collect();
    own.above = lines::merge(&old, std::mem::take(&mut own.above), &new);
    Some(())
}

/// Where the words of the old default and of the update part. A second run finds above the key what the update has.
fn ends(own: &Node<'_>, base: &[Line<'_>], update: &[Line<'_>]) -> Option<(usize, usize)> {
    let at = own.above.len();
    let ends = if is_behind(own, base) {
        (at, lines::counterpart(base, at, update)?)
    } else if is_behind(own, update) {
        (lines::counterpart(update, at, base)?, at)
    } else {
        return None;
    };
    (is_named(own, base.get(ends.0)?) && is_named(own, update.get(ends.1)?)).then_some(ends)
}

/// Whether the words above a key are the first of these, and the next line is the key.
fn is_behind(own: &Node<'_>, words: &[Line<'_>]) -> bool {
    let Some((first, rest)) = words.split_at_checked(own.above.len()) else { return false };
    let is_example = rest.first().is_some_and(|line| is_named(own, line));
    is_example && own.above.iter().any(Line::has_words) && lines::same(&own.above, first)
}

fn is_named(own: &Node<'_>, line: &Line<'_>) -> bool {
    line.comments_out(&own.name)
}
