//! Anchors and aliases keep their meaning (`docs/rules.md` rule 9).
//!
//! They are text that moves with its node, so a merge can part them: an alias comes in and its anchor stands on a value
//! that gave way to the user's, the new order puts an alias before its anchor, both files use one name. So before a
//! merge each of them is marked with what it means ([`mark`]), and afterwards the tree is repaired ([`repair`]) until every
//! alias stands behind its anchor and means what it meant:
//!
//! 1. An alias whose anchor was lost means the node that its target was merged with, and that gets the anchor.
//! 2. Keys of a map change places where the user's alias would stand before its anchor.
//! 3. Where neither can be, the value is written out at the first alias, with its anchor.
//! 4. A name that stands between an alias and its anchor once more is renamed, the new default's before the user's.
//!
//! Files without aliases are not looked at.

mod images;
mod mark;
mod names;
mod order;
mod repair;
mod repairs;
mod room;
mod sites;
mod tags;
mod tokens;
mod write_out;

use self::mark::{Definition, Id, mark, without_marks};
pub(crate) use self::repairs::Refused;
pub(crate) use self::room::too_long;
pub(crate) use self::tags::{Tags, mark_tags};
use crate::report::note::{Note, Noted};
use crate::upgrade::edit::Removed;
use crate::upgrade::merge::Merge;
use crate::yaml::outline::Outline;
use crate::yaml::tree::{Line, Node, Opener, Origin};

/// The definitions of two files whose trees are marked.
pub(crate) struct Anchors<'a> {
    sign: char,
    current: Vec<Definition<'a>>,
    update: Vec<Definition<'a>>,
}

/// Marks two files that are to be merged; nothing where neither has an alias.
pub(crate) fn mark_both<'a>(
    current: (&mut Node<'a>, &mut Outline<'a>),
    update: (&mut Node<'a>, &mut Outline<'a>),
    texts: [&str; 2],
) -> Option<Anchors<'a>> {
    if current.1.aliases + update.1.aliases == 0 {
        return None;
    }
    let sign = ('\u{e000}'..='\u{f8ff}').find(|&sign| !texts.iter().any(|text| text.contains(sign)))?;
    let mine = mark(current.0, current.1, sign, Origin::Current);
    let theirs = mark(update.0, update.1, sign, Origin::Update);
    if let (Some(mine), Some(theirs)) = (mine, theirs) {
        return Some(Anchors { sign, current: mine, update: theirs });
    }
    for (stream, outline) in [current, update] {
        outline.anchors.iter_mut().for_each(|anchor| anchor.written.clear());
        unmark(stream, sign, &|_| None);
    }
    None
}

impl<'a> Anchors<'a> {
    fn definition(&self, id: Id) -> Option<&Definition<'a>> {
        match id.file {
            Origin::Current => self.current.get(id.at),
            Origin::Update => self.update.get(id.at),
        }
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.current.iter().chain(&self.update).map(|definition| &*definition.name)
    }

    /// Settles the merged tree, and takes all marks away, also from what was noted. Where that cannot be, the row of the
    /// current file that was deleted although an alias needs it, or the value that would make the result too long.
    pub(crate) fn repair(
        &self,
        stream: &mut Node<'a>,
        merge: &mut Merge<'_, 'a>,
        deleted: &[Removed],
    ) -> Result<(), Refused> {
        let done = repair::repair(self, stream, merge, deleted);
        let name = |id: Id| done.names.get(&id).map(String::as_str);
        unmark(stream, self.sign, &name);
        let mut written = done.in_flow;
        for Note { path, what } in &mut merge.notes {
            if let Noted::AddedInFlow(text) = what {
                written.retain(|(node, alias, value)| !path.0.starts_with(&node.0) || !replace(text, alias, value));
                *text = without_marks(text, self.sign, name);
            }
        }
        merge.notes.extend(done.notes);
        done.refused.map_or(Ok(()), Err)
    }

    /// A text of the current file as it was.
    pub(crate) fn as_it_was(&self, text: &str) -> String {
        without_marks(text, self.sign, |_| None)
    }
}

/// Puts a value in the place of the first such alias of a text; whether there is one.
fn replace(text: &mut String, alias: &str, value: &str) -> bool {
    let is_whole = |at: &usize| !text[at + alias.len()..].starts_with(|next: char| next.is_ascii_digit());
    let found = text.match_indices(alias).map(|(at, _)| at).find(is_whole);
    if let Some(at) = found {
        text.replace_range(at..at + alias.len(), value);
    }
    found.is_some()
}

/// Takes the marks away from a tree.
fn unmark<'n>(node: &mut Node<'_>, sign: char, name: &impl Fn(Id) -> Option<&'n str>) {
    let (key, lines) = match &mut node.opener {
        Opener::Key(text) => (Some(text), &mut [][..]),
        Opener::Explicit(key) => (None, &mut key.lines[..]),
        _ => (None, &mut [][..]),
    };
    let more = lines.iter_mut().chain(&mut node.continuation).filter_map(|line| match line {
        Line::Text(_, text, _) => Some(text),
        Line::Blank(..) => None,
    });
    for text in key.into_iter().chain([&mut node.value_text]).chain(more).filter(|text| text.contains(sign)) {
        *text = without_marks(text, sign, name).into();
    }
    node.children.iter_mut().for_each(|child| unmark(child, sign, name));
}

/// The node at the end of a way of indices.
fn at<'n, 'a>(stream: &'n Node<'a>, way: &[usize]) -> &'n Node<'a> {
    way.iter().fold(stream, |node, &at| &node.children[at])
}

fn at_mut<'n, 'a>(stream: &'n mut Node<'a>, way: &[usize]) -> &'n mut Node<'a> {
    way.iter().fold(stream, |node, &at| &mut node.children[at])
}
