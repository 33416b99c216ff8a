//! How the keys and values of both files are written in the result.

use super::Merge;
use crate::comments::{self, lines};
use crate::text::scan;
use crate::upgrade::commented_out;
use crate::yaml::names::Names;
use crate::yaml::tree::{ExplicitValue, Kind, Line, Node, Opener, has_property};

impl<'a> Merge<'_, 'a> {
    /// Gives a key the writing of the update's, where it is the same to every program or follows the release.
    pub(super) fn take_writing(&self, current: &mut Node<'a>, update: &Node<'a>) {
        if self.follows_key(current, update) {
            take_writing(current, update, self.plan.is_untouched(current.row));
        }
    }

    /// The update's value in the place of the user's, with the comments of both beside each other.
    pub(super) fn taken(&self, mut current: Box<Node<'a>>, mut node: Box<Node<'a>>) -> Box<Node<'a>> {
        if !self.follows_key(&current, &node) {
            node.opener.clone_from(&current.opener);
            if let Opener::Explicit(key) = &mut node.opener {
                key.value = ExplicitValue::Own;
            }
        }
        if (current.kind(), node.kind()) == (Kind::List, Kind::List) {
            self.indent_list(&mut current, node.indent);
        }
        node.merged = true;
        if current.can_have_header() {
            take_header(&mut current, &mut node);
        }
        if let (Some(own), Some(document)) = (current.document_mut(), node.document_mut()) {
            document.end = own.end.take();
        }
        (node.above, node.update_comments) = (current.above, current.update_comments);
        let below = current.below;
        let below = std::mem::replace(&mut node.below, below);
        if !below.is_empty() {
            let theirs = node.update_comments.get_or_insert_default();
            (theirs.below, theirs.indent) = (below.into(), node.indent);
        }
        node
    }

    /// Makes comments of the keys that the user keeps commented out in words of his own, and the update has live: all that it
    /// has there comes in live.
    pub(super) fn close_changed_options(&self, current: &mut Node<'a>, update: &Node<'a>) {
        let was = self.base_of(current).map_or_else(Vec::new, |base| self.opened.children(base));
        let was: Names<&str, &Node<'a>> = was.into_iter().map(|old| (&*old.name, old)).collect();
        let live: Names<&str, ()> = update.live_children().map(|child| (&*child.name, ())).collect();
        let mut changed = Vec::new();
        for mut option in std::mem::take(&mut current.children) {
            let old = was.get(&option.name);
            if live.get(&option.name).is_none() || old.is_some_and(|old| commented_out::is_written_alike(old, &option))
            {
                current.children.push(option);
                continue;
            }
            if let Some(old) = old {
                option.above = lines::merge(&old.above, option.above, &[]);
            }
            changed.extend(commented_out::lines_with_comment(*option));
        }
        commented_out::end_block(current, changed);
    }

    /// Makes comments of what is commented out below an empty value, and in the same place of the old default.
    pub(super) fn close_options(&self, current: &mut Node<'a>) {
        commented_out::close_children(current);
        if let Some(base) = self.base_of(current) {
            let mut old = self.opened.node(base).clone();
            old.children = self.opened.children(base).into_iter().map(|child| Box::new(child.clone())).collect();
            commented_out::close_children(&mut old);
            current.set_base(|lines| lines.below = old.below.to_vec());
        }
    }

    /// Whether a key may be written as the update's: both are the same to every program, or the user never touched it.
    fn follows_key(&self, current: &Node<'_>, update: &Node<'_>) -> bool {
        let rows = current.row.zip(update.row);
        rows.is_none_or(|(mine, theirs)| self.current.has_quoted_key(mine) == self.update.has_quoted_key(theirs))
            || self.plan.base(current.row).is_some_and(|base| is_same_key(&base.opener, &current.opener))
    }
}

/// A document keeps its header with another value; what shares the line of its `---` has it above that.
fn take_header<'a>(current: &mut Node<'a>, node: &mut Node<'a>) {
    let header = current.header_mut().map_or_else(Vec::new, std::mem::take);
    match node.header_mut() {
        Some(place) => *place = header,
        None => current.above.extend(header),
    }
}

/// The writing of a key is the update's, unless an anchor or a tag stands before it.
fn take_writing<'a>(current: &mut Node<'a>, update: &Node<'a>, untouched: bool) {
    match (&mut current.opener, &update.opener) {
        (Opener::Key(mine), Opener::Key(theirs)) if mine != theirs && !has_property(mine) && !has_property(theirs) => {
            mine.clone_from(theirs);
        }
        (Opener::Explicit(mine), Opener::Explicit(theirs)) if give_way(&mine.lines, &theirs.lines) => {
            mine.lines.clone_from(&theirs.lines);
        }
        (Opener::Explicit(_), Opener::Key(theirs)) if untouched && !has_property(theirs) => {
            current.opener = update.opener.clone();
        }
        (Opener::Key(mine), Opener::Explicit(_)) if untouched && !has_property(mine) => {
            current.opener = update.opener.clone();
        }
        _ => {}
    }
}

/// Whether two keys are written alike, however their lines end.
fn is_same_key(key: &Opener<'_>, other: &Opener<'_>) -> bool {
    match (key, other) {
        (Opener::Explicit(key), Opener::Explicit(other)) => comments::same(&key.lines, &other.lines),
        (key, other) => key == other,
    }
}

/// Whether the lines of an explicit key give way to others for the same key: not where a comment of the user's is among
/// them, or what may be an anchor or a tag.
fn give_way(mine: &[Line<'_>], theirs: &[Line<'_>]) -> bool {
    let has_any = |lines: &[Line<'_>], signs: &[char]| lines.iter().any(|line| line.trimmed().contains(signs));
    let has_comment = mine.iter().any(|line| scan::comment_start(line.trimmed()).is_some());
    let stays = has_comment || has_any(mine, &['&', '!', '*']) || has_any(theirs, &['&', '!', '*']);
    !stays && !comments::same(mine, theirs)
}
