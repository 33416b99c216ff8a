//! The places of keys that the update has and the user left out: removed, or commented out where the old default has them live.
//!
//! The blank lines over a key that is gone, and the comments above one that is commented out, stand somewhere all the same.
//! So such a key is an option without any text while two maps are merged.

use foldhash::{HashMap, HashSet};

use super::{SwitchedOff, by_name};
use crate::comments::{self, lines};
use crate::text::piece::Piece;
use crate::text::source::End;
use crate::upgrade::merge::Merge;
use crate::upgrade::three_way::LeftKey;
use crate::yaml::names::Names;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node, Opener};

impl<'a> Merge<'_, 'a> {
    /// Gives what is left of the lines over a key that the user removed a place of their own: the blank ones, and the
    /// header of a section of which it was the first. They are found over the next key that the old default has, which
    /// still has its own. What comes in between stands below them then.
    pub(super) fn keep_places_of_removed(&self, current: &mut Node<'a>, update: &Node<'a>) {
        let left = self.plan.left_keys(update.row);
        let Some(base) = self.base_of(current).filter(|_| !left.is_empty()) else { return };
        let own = by_name(&current.children);
        let olds = self.opened.children(base);
        let mut removed = Removed::before_own_keys(left, &olds, &own);
        let known: Names<&str, &Node<'a>> = olds.into_iter().map(|old| (&*old.name, old)).collect();
        // What stands behind it in the update has the blank lines above it since.
        for left in left.iter().filter(|left| own.get(&left.key.name).is_none()) {
            if let Some(next) = update.children.get(left.before).filter(|next| own.get(&next.name).is_some()) {
                let old = known.get(&next.name).copied().unwrap_or(next);
                removed.entry(next.name.clone()).or_insert(Removed { keys: vec![&left.key], next: old });
            }
        }
        let news = update.children.iter().map(AsRef::as_ref).chain(left.iter().map(|left| &left.key));
        let new: Names<&str, &Node<'a>> = news.map(|new| (&*new.name, new)).collect();
        for mut child in std::mem::take(&mut current.children) {
            if let Some(removed) = removed.get(&child.name) {
                // A second run finds what the update has above the key. What a default has is not the user's.
                let defaults = [new.get(&child.name).copied(), Some(removed.next)];
                let mut parts = removed.parts(&child.above, defaults.into_iter().flatten(), &known);
                if new.get(&child.name).is_some_and(|new| has_same_blanks(&child.above, &parts, &new.above)) {
                    parts.clear();
                }
                for (key, lines) in parts {
                    let above = child.above.drain(..lines).collect();
                    current.children.push(Box::new(Node { above, ..*left_out(key) }));
                }
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
            let option = options.get(&left.key.name)?;
            leave_out_words(option, &mut key.above);
            switched_off.extend(key.row.filter(|_| !is_place_of_removed(option)));
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

/// Keys that the user removed, one below the other, over one that is left.
struct Removed<'n, 'a> {
    /// As they are in the update.
    keys: Vec<&'n Node<'a>>,
    /// The key that is left, in the old default where that has it.
    next: &'n Node<'a>,
}

impl<'n, 'a> Removed<'n, 'a> {
    /// Those of the old default, by the name of the key that is left.
    fn before_own_keys(
        left: &'n [LeftKey<'a>],
        olds: &[&'n Node<'a>],
        own: &Names<&str, &Node<'_>>,
    ) -> HashMap<Piece<'a>, Self> {
        let left: Names<&str, &Node<'a>> = left.iter().map(|left| (&*left.key.name, &left.key)).collect();
        let (mut removed, mut keys) = (HashMap::default(), Vec::new());
        for old in olds {
            if own.get(&old.name).is_none() {
                keys.extend(left.get(&old.name).copied().filter(|_| !old.is_commented_out()));
            } else if !keys.is_empty() {
                removed.insert(old.name.clone(), Self { keys: std::mem::take(&mut keys), next: old });
            }
        }
        removed
    }

    /// How many of the lines above the key that is left are left of those above each of them; nothing where these are not all
    /// that stands there besides what a default has.
    fn parts(
        &self,
        above: &[Line<'_>],
        defaults: impl Iterator<Item = &'n Node<'a>>,
        known: &Names<&str, &Node<'a>>,
    ) -> Vec<(&'n Node<'a>, usize)> {
        let over = |default: &Node<'_>| {
            let (over, rest) = above.split_at_checked(above.len().checked_sub(default.above.len())?)?;
            self.parted(over, known).filter(|_| lines::same(rest, &default.above))
        };
        let total = |parts: &Vec<(_, usize)>| parts.iter().map(|(_, lines)| lines).sum::<usize>();
        defaults.filter_map(over).min_by_key(total).unwrap_or_default()
    }

    /// Parts lines among the keys in their order, if all of them are blank or said above one of these.
    fn parted(&self, mut over: &[Line<'_>], known: &Names<&str, &Node<'a>>) -> Option<Vec<(&'n Node<'a>, usize)>> {
        let mut parts = Vec::new();
        for key in &self.keys {
            let old = known.get(&key.name).unwrap_or(key);
            // A second run finds what the update says.
            let said: HashSet<_> = old.above.iter().chain(&key.above).map(Line::said).collect();
            let is_over = |line: &&Line<'_>| line.trimmed().is_empty() || said.contains(line.said());
            let lines = over.iter().take_while(is_over).count();
            parts.extend((lines > 0).then_some((*key, lines)));
            over = &over[lines..];
        }
        over.is_empty().then_some(parts)
    }
}

/// Whether these parts of the lines above a key are blank lines with which the update sets it off, too, and no others do.
fn has_same_blanks(above: &[Line<'_>], parts: &[(&Node<'_>, usize)], new: &[Line<'_>]) -> bool {
    let (over, rest) = above.split_at(parts.iter().map(|(_, lines)| lines).sum());
    let has_blank = |lines: &[Line<'_>]| lines.first().is_some_and(|first| !first.is_comment());
    !over.iter().any(Line::is_comment) && !has_blank(rest) && has_blank(new)
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

/// What a default says about a key that the user removed does not come in: not what stands directly above it, and nothing
/// at all where the user left only blank lines over it.
pub(super) fn leave_out_words(option: &Node<'_>, above: &mut Vec<Line<'_>>) {
    if !is_place_of_removed(option) {
        return;
    }
    let has_words = option.above.iter().any(Line::has_words);
    if !has_words {
        above.truncate(comments::leading_blanks(above).len());
    } else if option.above.last().is_some_and(|last| !last.is_comment()) {
        above.truncate(comments::header_length(above));
    }
}
