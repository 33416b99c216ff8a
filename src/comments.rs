//! Whose comment stays where two files have one: `docs/rules.md` rule 4.
//!
//! The merge lays out the nodes and leaves the update's comments beside the user's ([`UpdateComments`]); only then is it decided
//! whose stay. For a line of the user's that the update has at another place is not the user's own: it moved with the
//! release, as a banner does when a new key slips in under it. It stays out, or it would stand there twice. But that
//! holds only where the update's line came in, and what came in is known when all nodes have their places.
//!
//! Comments are paired, one to one and line by line: first with those at the same place of the other file, then with the
//! same words where they came in elsewhere. A line of the user's that is paired elsewhere has moved; one without a pair is
//! the user's own. All of this is done with comments as a reader of the result will find them (`gaps.rs`): a second run finds
//! the update's in the same places, where the user has them now. None of them comes in, and so nothing moves.

mod choice;
mod first;
mod gaps;
pub(crate) mod lines;
mod pairing;
mod place;

use foldhash::HashSet;
use std::borrow::Cow;

use self::choice::Choice;
pub(crate) use self::choice::{has_comment, same};
use self::gaps::Side;
use self::place::Place;
use crate::report::note::{Note, Noted};
use crate::yaml::document::is_document;
use crate::yaml::path::Trail;
use crate::yaml::tree::{Kind, Line, Node, Opener, Origin, UpdateComments};

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

/// The words of comment lines.
pub(crate) type Words<'a> = HashSet<Cow<'a, str>>;

/// Decides on all comments of a merged tree; what is to be told of those of the user that gave way. Nothing moves from one
/// document to another. What the update says of nodes that are not added cannot take the place of the user's.
pub(crate) fn decide<'a>(stream: &mut Node<'a>, policy: Comments, mut not_added: Words<'a>) -> Vec<Note> {
    if !not_added.is_empty() {
        stream.children.iter().for_each(|document| without_new(document, &mut not_added));
    }
    let several = stream.children.iter().filter(|document| is_document(document)).count() > 1;
    let (mut before, mut notes) = (0, Vec::new());
    for document in &mut stream.children {
        let mut chooser = Chooser { choice: Choice::new(policy, &not_added), notes };
        first::set_off_first(document);
        let base = has_base(document).then_some(Side::Base);
        for side in [Side::User, Side::Update].into_iter().chain(base) {
            gaps::normalise_side(document, side);
        }
        chooser.find_new(document);
        chooser.node(document, &Trail::Document(several.then_some(before)));
        notes = chooser.notes;
        before += usize::from(is_document(document));
    }
    notes
}

/// Whether the comments of a base are known for a node or anything inside of it.
fn has_base(node: &Node<'_>) -> bool {
    node.update_comments.as_ref().is_some_and(|theirs| theirs.base.is_some())
        || node.children.iter().any(|child| has_base(child))
}

/// Brings the comments of a tree to where they will be read once it is written. No option is a node any more.
pub(crate) fn arrange(stream: &mut Node<'_>) {
    stream.children.iter_mut().for_each(|document| gaps::normalise_side(document, Side::Result));
}

/// Decides place by place, knowing which lines come in.
struct Chooser<'c, 'a> {
    choice: Choice<'c, 'a>,
    notes: Vec<Note>,
}

impl<'a> Chooser<'_, 'a> {
    /// Notes the lines of the update that come in at a node and inside of it: in place of the user's, or with a new node.
    fn find_new(&mut self, node: &Node<'a>) {
        let nothing = UpdateComments::default();
        let theirs = node.update_comments.as_deref().unwrap_or(&nothing);
        for ((place, lines), update) in comments(node).into_iter().zip([&theirs.above, &theirs.header, &theirs.below]) {
            match node.origin {
                _ if node.merged => self.choice.comes_for(lines, update, place),
                Origin::Update => self.choice.comes(lines, place),
                Origin::Current => {}
            }
        }
        node.children.iter().for_each(|child| self.find_new(child));
    }

    /// A node that only one of the files has keeps its comments.
    fn node(&mut self, node: &mut Node<'a>, trail: &Trail<'_>) {
        let theirs = self.start(node, trail);
        for (at, child) in node.children.iter_mut().enumerate() {
            let name = child.name.clone();
            let trail = match child.opener {
                Opener::Item { .. } => Trail::Item(trail, at),
                _ => Trail::Key(trail, &name),
            };
            self.node(child, &trail);
        }
        if node.merged {
            self.end(node, theirs, trail);
        }
    }

    /// Decides on what stands above a node, the header of a document and the lines of an option; what is left to decide.
    fn start(&mut self, node: &mut Node<'a>, trail: &Trail<'_>) -> UpdateComments<'a> {
        let [above, own, _] = comments(node).map(|(place, _)| place);
        let mut theirs = node.update_comments.take().map_or_else(UpdateComments::default, |theirs| *theirs);
        if node.merged {
            let old = theirs.base.as_mut().map(|base| std::mem::take(&mut base.above));
            self.place(&mut node.above, std::mem::take(&mut theirs.above), old, above, node.line, trail);
        }
        if node.merged && (node.can_have_header() || node.is_commented_out()) {
            let old = theirs.base.as_mut().map(|base| std::mem::take(&mut base.header));
            let old = old.filter(|old| !node.is_commented_out() || !old.is_empty());
            let mut lines = std::mem::take(own_lines_mut(node));
            self.place(&mut lines, std::mem::take(&mut theirs.header), old, own, node.line, trail);
            *own_lines_mut(node) = lines;
        }
        theirs
    }

    /// Decides on what ends the block of a node.
    fn end(&mut self, node: &mut Node<'a>, theirs: UpdateComments<'a>, trail: &Trail<'_>) {
        let UpdateComments { below, indent, base, .. } = theirs;
        let [.., (place, _)] = comments(node);
        let old = base.map(|base| base.below);
        let updated = self.place(&mut node.below, below, old, place, node.line, trail);
        if updated && node.children.is_empty() {
            node.indent = indent;
        }
    }

    /// Decides on one place; whether the update's comment stays there. With the lines of the base the choice is exact.
    fn place(
        &mut self,
        own: &mut Vec<Line<'a>>,
        update: Vec<Line<'a>>,
        base: Option<Vec<Line<'a>>>,
        place: Place,
        line: usize,
        trail: &Trail<'_>,
    ) -> bool {
        if let Some(base) = base.filter(|_| self.choice.policy != Comments::User) {
            let user = std::mem::take(own);
            if has_comment(&base) && !has_comment(&user) {
                // A whole comment that the user took out stays out, whatever the release adds to it.
                *own = user;
                return false;
            }
            let updated = lines::same(&user, &base);
            *own = lines::merge(&base, user, &update);
            return updated;
        }
        let chosen = self.choice.choose(std::mem::take(own), update, place);
        *own = chosen.lines;
        let replaced = Noted::CommentReplaced { line, comment: chosen.replaced };
        let moved = Noted::CommentMoved { line, comment: chosen.moved };
        for what in [replaced, moved] {
            if what.comment().is_some() {
                self.notes.push(Note { path: trail.path(), what });
            }
        }
        chosen.updated
    }
}

/// The comments that a node has: above it, of a document its header, of an option its own lines, and those that end its
/// block.
fn comments<'n, 'a>(node: &'n Node<'a>) -> [(Place, &'n [Line<'a>]); 3] {
    let above = match node.opener {
        Opener::Document(_) => Place::Header,
        Opener::Item { .. } => Place::Item,
        Opener::CommentedOut { .. } => Place::Option,
        _ if node.update_comments.as_ref().is_some_and(|theirs| theirs.is_option) => Place::Option,
        _ => Place::Key,
    };
    let own: (_, &[_]) = match node.opener {
        Opener::CommentedOut { .. } => (Place::OptionText, &node.continuation),
        _ => (Place::Header, node.header()),
    };
    let below = if node.kind() == Kind::List { Place::ListEnd } else { Place::End };
    [(above, &node.above), own, (below, &node.below)]
}

/// The lines of a commented-out key, or the header of a document that can have one.
fn own_lines_mut<'n, 'a>(node: &'n mut Node<'a>) -> &'n mut Vec<Line<'a>> {
    match &mut node.opener {
        Opener::Document(document) => &mut document.header,
        _ => &mut node.continuation,
    }
}

/// How many of the lines over the first node of a document are its header: those up to the last blank one.
pub(crate) fn header_length(lines: &[Line<'_>]) -> usize {
    lines.iter().rposition(|line| !line.is_comment()).map_or(0, |blank| blank + 1)
}

/// Takes out of some words what the update says at a node and inside of it.
fn without_new<'a>(node: &Node<'a>, words: &mut Words<'a>) {
    let lines: [&[Line<'_>]; 3] = match (node.origin, node.update_comments.as_deref()) {
        (Origin::Update, _) => comments(node).map(|(_, lines)| lines),
        (Origin::Current, Some(UpdateComments { above, header, below, .. })) => [above, header, below],
        (Origin::Current, None) => [&[], &[], &[]],
    };
    for line in lines.into_iter().flatten() {
        words.remove(line.said());
    }
    node.children.iter().for_each(|child| without_new(child, words));
}

/// The user's comments of a document that is otherwise empty, where the update's whole content comes in: those that it
/// does not bring itself, over the `---` and below.
pub(crate) fn own_lines<'a>(document: &Node<'a>, update: &Node<'a>) -> [Vec<Line<'a>>; 2] {
    let nothing = Words::default();
    let mut choice = Choice::new(Comments::Update, &nothing);
    all_come(update, &mut choice);
    let below = [document.header(), &document.below].concat();
    [document.above.clone(), below].map(|lines| choice.without_moved(lines, Place::Header))
}

/// The comments of an update without any value that the document has not, but at its end where they come to stand.
pub(crate) fn new_lines<'a>(document: &Node<'a>, update: Vec<Line<'a>>) -> Vec<Line<'a>> {
    let mut mine: HashSet<_> = document.above.iter().chain(document.header()).filter_map(Line::shared_words).collect();
    document.children.iter().for_each(|child| add_words(child, &mut mine));
    without(update, Place::Key, &mine)
}

/// A comment without the lines that have been said.
fn without<'a>(lines: Vec<Line<'a>>, place: Place, said: &Words<'_>) -> Vec<Line<'a>> {
    let worded = lines.iter().filter(|line| line.has_words());
    let goes: Vec<_> = worded.map(|line| said.contains(line.said())).collect();
    choice::without(lines, place, &goes)
}

/// Adds what the comments of a node and of all inside of it say.
pub(crate) fn add_words<'a>(node: &Node<'a>, found: &mut Words<'a>) {
    for (_, lines) in comments(node) {
        found.extend(lines.iter().filter_map(Line::shared_words));
    }
    if let Some(UpdateComments { above, header, below, .. }) = node.update_comments.as_deref() {
        found.extend(above.iter().chain(header).chain(below).filter_map(Line::shared_words));
    }
    node.children.iter().for_each(|child| add_words(child, found));
}

/// Takes the comments out of the copy of a value that the document has already, where that value stands or was merged.
pub(crate) fn say_once<'a>(copy: &mut Node<'a>, document: &Node<'a>) {
    let mut said = HashSet::default();
    add_words(document, &mut said);
    copy.children.iter_mut().for_each(|child| leave_out(child, &said));
    copy.below = without(std::mem::take(&mut copy.below), Place::End, &said);
}

fn leave_out(node: &mut Node<'_>, said: &Words<'_>) {
    node.above = without(std::mem::take(&mut node.above), Place::Key, said);
    node.below = without(std::mem::take(&mut node.below), Place::End, said);
    node.children.iter_mut().for_each(|child| leave_out(child, said));
}

fn all_come<'a>(node: &Node<'a>, choice: &mut Choice<'_, 'a>) {
    for (place, lines) in comments(node) {
        choice.comes(lines, place);
    }
    node.children.iter().for_each(|child| all_come(child, choice));
}
