//! Headers that the release sets over a section of which the user removed the first keys.
//!
//! What stands directly above a key that is gone is about that, and stays away with it. A paragraph set off from it by a blank
//! line is about the section: it comes in above the next key of that, if there is one right below, without a blank line.
//! Where the old default had one, it does so only for who has kept that.
//!
//! Left out: the header of the file, and what the user kept above a live key that is gone, which has a place of its own
//! (`left_out.rs`).

use super::by_name;
use super::left_out::is_place_of_removed;
use crate::comments::{self, has_words, lines};
use crate::upgrade::merge::Merge;
use crate::yaml::names::Names;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node};

impl<'a> Merge<'_, 'a> {
    /// Hands new headers over keys that are gone on to the next key that is not.
    pub(super) fn hand_on_headers(&self, theirs: &mut [Box<Node<'a>>], map: Option<RowId>, current: &Node<'a>) {
        let Some(base) = self.base_of(current).filter(|_| !self.options.restore_deleted) else { return };
        let olds = self.opened.children(base);
        let gone = Gone {
            own: by_name(&current.children),
            olds: olds.into_iter().map(|old| (&*old.name, old)).collect(),
            is_dropped: &|name| self.plan.dropped(current.row, name).is_some(),
        };
        let mut left = self.plan.left_keys(map).iter().peekable();
        let (mut header, mut is_first) = (Header::default(), current.can_have_header());
        for (at, node) in theirs.iter_mut().enumerate() {
            while let Some(left) = left.next_if(|left| left.before <= at) {
                header = gone.behind(&left.key, header);
            }
            if gone.has(node) {
                header = gone.behind(node, header);
                continue;
            }
            let header = std::mem::take(&mut header);
            let own = gone.own.get(&node.name).map_or(&[][..], |own| &own.above);
            let is_kept = !has_words(header.was) || lines::share_words(own, header.was);
            if !std::mem::take(&mut is_first) && !is_set_off(&node.above) && is_kept {
                node.above.splice(0..0, header.lines);
            }
        }
    }
}

/// The header of a section of the update, on its way to the next key.
#[derive(Default)]
struct Header<'n, 'a> {
    lines: Vec<Line<'a>>,
    /// What the old default has there: who took that out wants no other, either.
    was: &'n [Line<'a>],
}

/// The keys of a map of the update that are not in the result.
struct Gone<'g, 'n, 'a> {
    own: Names<&'n str, &'n Node<'a>>,
    olds: Names<&'n str, &'n Node<'a>>,
    is_dropped: &'g dyn Fn(&str) -> bool,
}

impl<'n, 'a> Gone<'_, 'n, 'a> {
    /// Whether it is a commented-out key that the user removed. Live ones are none of these nodes any more.
    fn has(&self, node: &Node<'_>) -> bool {
        let is_known = self.olds.get(&node.name).is_some() && !(self.is_dropped)(&node.name);
        node.is_commented_out() && is_known && self.own.get(&node.name).is_none()
    }

    /// The header that is on its way to the next key, behind one that is gone.
    fn behind(&self, key: &Node<'a>, before: Header<'n, 'a>) -> Header<'n, 'a> {
        let new = header(&key.above);
        if new.is_empty() {
            return before;
        }
        let (place, old) = (self.own.get(&key.name), self.olds.get(&key.name));
        let is_removed = place.is_none_or(|own| is_place_of_removed(own) && !has_words(&own.above));
        let Some(old) = old.filter(|_| is_removed && has_words(new)) else { return Header::default() };
        let was = header(&old.above);
        let is_new = if has_words(was) {
            old.is_commented_out() && !lines::same(was, new)
        } else {
            !lines::share_words(&old.above, new)
        };
        if !is_new {
            return Header::default();
        }
        // The blank lines over it stand in the place of the removed key, where it has one.
        let blanks = place.map_or(0, |_| comments::leading_blanks(new).len());
        Header { lines: new[blanks..].to_vec(), was }
    }
}

/// What stands above a key up to the last blank line.
fn header<'n, 'a>(above: &'n [Line<'a>]) -> &'n [Line<'a>] {
    &above[..comments::header_length(above)]
}

fn is_set_off(lines: &[Line<'_>]) -> bool {
    !lines.iter().all(Line::is_comment)
}
