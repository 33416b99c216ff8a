//! The places of keys that the update has and the user left out: removed, or commented out where the old default has them live.
//!
//! The blank lines over a key that is gone, and the comments above one that is commented out, stand somewhere all the same.
//! So such a key is an option without any text while two maps are merged.

use foldhash::HashMap;

use super::{SwitchedOff, by_name};
use crate::comments::lines;
use crate::text::source::End;
use crate::upgrade::merge::Merge;
use crate::upgrade::three_way::LeftKey;
use crate::yaml::names::Names;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node, Opener};

impl<'a> Merge<'_, 'a> {
    /// Gives the blank lines over a key that the user removed a place of their own, where they are left: over the next key
    /// that the old default has, which still has its own. What comes in between stands below them then.
    pub(super) fn keep_places_of_removed(&self, current: &mut Node<'a>, update: &Node<'a>) {
        let left = self.plan.left_keys(update.row);
        let Some(base) = self.base_of(current).filter(|_| !left.is_empty()) else { return };
        let left: Names<&str, &Node<'a>> = left.iter().map(|left| (&*left.key.name, &left.key)).collect();
        let own = by_name(&current.children);
        let mut removed = None;
        let mut places = HashMap::default();
        for old in self.opened.children(base) {
            if own.get(&old.name).is_some() {
                places.extend(removed.take().map(|key| (old.name.clone(), (key, old))));
            } else if !old.is_commented_out() {
                removed = removed.or_else(|| left.get(&old.name).copied());
            }
        }
        // What stands behind it in the update has the blank lines above it since.
        let known: Names<&str, &Node<'a>> =
            self.opened.children(base).into_iter().map(|old| (&*old.name, old)).collect();
        let is_removed = |left: &&LeftKey<'a>| own.get(&left.key.name).is_none();
        for left in self.plan.left_keys(update.row).iter().filter(is_removed) {
            if let Some(next) = update.children.get(left.before).filter(|next| own.get(&next.name).is_some()) {
                let old = known.get(&next.name).copied().unwrap_or(next);
                places.entry(next.name.clone()).or_insert((&left.key, old));
            }
        }
        let new = by_name(&update.children);
        for mut child in std::mem::take(&mut current.children) {
            if let Some((key, old)) = places.get(&child.name) {
                // A second run finds what the update has above the key. What a default has is not the user's.
                let versions = [new.get(&child.name).copied(), Some(*old)].into_iter().flatten();
                let end = versions.filter_map(|key| blanks_over(&child.above, &key.above)).min().unwrap_or(0);
                let above: Vec<_> = child.above.drain(..end).collect();
                current.children.extend((!above.is_empty()).then(|| Box::new(Node { above, ..*left_out(key) })));
            }
            current.children.push(child);
        }
    }

    /// The keys of the update with those among them that are left out because the user commented them out: in their
    /// places, as options without any text, so that the comments above them can follow the release.
    pub(super) fn with_left_out(
        &mut self,
        theirs: Vec<Box<Node<'a>>>,
        map: Option<RowId>,
        current: &Node<'a>,
    ) -> Vec<Box<Node<'a>>> {
        let Self { plan, switched_off: SwitchedOff { by_user: switched_off, .. }, .. } = self;
        let left = plan.left_keys(map);
        if left.is_empty() {
            return theirs;
        }
        let options = current.children.iter().filter(|child| child.is_commented_out());
        let options: Names<&str, &Node<'a>> = options.map(|option| (&*option.name, &**option)).collect();
        let left = left.iter().filter_map(|left| {
            let mut key = left_out(&left.key);
            if is_place_of_removed(options.get(&left.key.name)?) {
                keep_first_blanks(&mut key.above);
            } else {
                switched_off.extend(key.row);
            }
            Some((left.before, key))
        });
        let mut left = left.peekable();
        let mut out = Vec::with_capacity(theirs.len());
        for (at, node) in theirs.into_iter().enumerate() {
            while let Some((_, left)) = left.next_if(|(before, _)| *before <= at) {
                out.push(left);
            }
            out.push(node);
        }
        out.extend(left.map(|(_, left)| left));
        out
    }
}

/// A key of the update that is left out, as an option without any text.
fn left_out<'a>(key: &Node<'a>) -> Box<Node<'a>> {
    let Node { above, name, row, origin, .. } = key.clone();
    let opener = Opener::CommentedOut { is_one_of_several: false };
    Box::new(Node { above, name, row, origin, ..Node::new(key.line(), opener, "", End::Common) })
}

/// Whether an option is none, but the blank lines over a key that the user removed.
pub(super) fn is_place_of_removed(option: &Node<'_>) -> bool {
    option.continuation.is_empty()
}

/// What a default says about a key that the user removed does not come in.
pub(super) fn keep_first_blanks(above: &mut Vec<Line<'_>>) {
    let comment = above.iter().position(Line::is_comment);
    above.truncate(comment.unwrap_or(above.len()));
}

/// How many blank lines stand over what a default has above a key, where that is still there.
fn blanks_over(above: &[Line<'_>], default: &[Line<'_>]) -> Option<usize> {
    let (blanks, rest) = above.split_at_checked(above.len().checked_sub(default.len())?)?;
    let is_left = lines::same(rest, default) && blanks.iter().all(|line| line.trimmed().is_empty());
    is_left.then_some(blanks.len())
}
