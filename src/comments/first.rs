//! The blank lines above the first node of a block.
//!
//! They set a block off from what is above it, and no neighbour from another: above the first key of a file there are none,
//! for those at the end of the header are the header's. So where another node comes first in the result, they are that
//! one's, and what had been first is set off from its neighbour as that one was; or as in the update, where a new node comes
//! first. With a base the lines of both files are merged one by one, and nothing is done here but for what only the user
//! has: where that comes first since the release dropped what did, it is set off from nothing, as that was.

use super::paragraphs::leading_blanks;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node, Origin};

/// Hands over blank lines in all blocks of a document in which another node comes first than in the user's file; whether the
/// comments of a base are known for any node.
pub(super) fn set_off_first(node: &mut Node<'_>, is_first_now: &dyn Fn(RowId) -> bool) -> bool {
    hand_over_blanks(node);
    let is_users = |first: &&mut Box<Node<'_>>| !first.merged && first.origin == Origin::Current;
    if let Some(first) = node.children.first_mut().filter(is_users).filter(|first| first.row.is_some_and(is_first_now))
    {
        take_blanks(&mut first.above);
    }
    let own = has_base(node);
    node.children.iter_mut().fold(own, |known, child| set_off_first(child, is_first_now) || known)
}

fn hand_over_blanks(parent: &mut Node<'_>) {
    let own = parent.children.iter().enumerate().filter(|(_, child)| child.origin == Origin::Current);
    let was_first = own.min_by_key(|(_, child)| child.line()).map_or(0, |(at, _)| at);
    let Some(([first, ..], [old, ..])) = parent.children.split_at_mut_checked(was_first) else { return };
    if has_base(first) || has_base(old) {
        return;
    }
    match first.origin {
        Origin::Current => {
            let (blanks, old_blanks) = (take_blanks(&mut first.above), take_blanks(&mut old.above));
            first.above.splice(0..0, old_blanks);
            old.above.splice(0..0, blanks);
        }
        Origin::Update if leading_blanks(&old.above).is_empty() => {
            let theirs = old.update_comments.as_deref().map_or(&[][..], |theirs| &theirs.above);
            let blanks = leading_blanks(theirs).to_vec();
            old.above.splice(0..0, blanks);
        }
        Origin::Update => {}
    }
}

fn has_base(node: &Node<'_>) -> bool {
    node.update_comments.as_ref().is_some_and(|theirs| theirs.base.is_some())
}

fn take_blanks<'a>(lines: &mut Vec<Line<'a>>) -> Vec<Line<'a>> {
    lines.drain(..leading_blanks(lines).len()).collect()
}
