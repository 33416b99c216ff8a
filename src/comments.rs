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

mod blocks;
mod choice;
mod first;
mod gaps;
pub(crate) mod lines;
mod merged;
mod pairing;
mod paragraphs;
mod place;
mod said;
mod style;
mod words_before;

use foldhash::{HashMap, HashSet};

use self::choice::{Choice, Chosen};
pub(crate) use self::choice::{has_comment, same};
use self::gaps::{Part, Side};
pub(crate) use self::paragraphs::{has_words, leading_blanks};
use self::place::{InBase, Place};
use self::said::without_new;
pub(crate) use self::said::{add_words, new_lines, not_said, say_once, words};
pub(crate) use self::words_before::WordsBefore;
use crate::report::note::{Note, Noted};
use crate::text::lines::Lines;
use crate::text::piece::Piece;
use crate::yaml::document::is_document;
use crate::yaml::path::Trail;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Kind, Line, Node, Opener, Origin, UpdateComments};

/// Whose comments stay where both files have one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
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
pub(crate) type Words<'a> = HashSet<Piece<'a>>;

/// What the update says above items of one line that the user has, too, and below them, by the user's rows. Neither is merged
/// with the other, for a list of such items is the user's.
pub(crate) type SaidOfSame<'a> = HashMap<RowId, [Vec<Line<'a>>; 2]>;

/// What is known about comments besides those of the merged tree.
pub(crate) struct Context<'c, 'a> {
    /// The lines of the user's file.
    pub(crate) lines: &'c Lines<'c>,
    pub(crate) policy: Comments,
    /// What the update says of nodes that are not added. It cannot take the place of the user's.
    pub(crate) not_added: Words<'a>,
    pub(crate) said_of_same: SaidOfSame<'a>,
    /// All that was said before the merge, where there is an old default.
    pub(crate) words_before: Option<WordsBefore<'a>>,
    /// Whether a node is the user's alone, by its row: a migration file says so.
    pub(crate) is_own: &'c dyn Fn(RowId) -> bool,
    /// Whether the old default has what a node of the user's is, by its row.
    pub(crate) is_in_base: &'c dyn Fn(RowId) -> bool,
    /// Whether a node of the user's, by its row, comes first in its block now that the release dropped what did, which no blank
    /// line set off.
    pub(crate) is_first_now: &'c dyn Fn(RowId) -> bool,
}

/// Decides on all comments of a merged tree; what is to be told of those of the user that gave way. Nothing moves from one
/// document to another, but from one that only the user has to those that only the update has.
pub(crate) fn decide<'a>(stream: &mut Node<'a>, context: Context<'_, 'a>) -> Vec<Note> {
    let Context { lines, policy, mut not_added, said_of_same, words_before, is_own, is_in_base, is_first_now } =
        context;
    if !not_added.is_empty() {
        stream.children.iter().for_each(|document| without_new(document, &mut not_added));
    }
    let several = stream.children.iter().filter(|document| is_document(document)).count() > 1;
    stream.children.iter_mut().for_each(|document| normalise(document, is_first_now));
    if let Some(before) = &words_before {
        before.leave_out_taken_out(stream);
    }
    let choice = || Choice::new(policy, &not_added, words_before.as_ref());
    let mut of_new_documents = choice();
    let new = stream.children.iter().filter(|document| document.is_new());
    new.for_each(|document| all_come(document, &mut of_new_documents));
    let (mut before, mut notes) = (0, Vec::new());
    for document in &mut stream.children {
        let mut of_document = choice();
        let is_users = document.origin == Origin::Current && !document.merged;
        let choice = if is_users { &mut of_new_documents } else { &mut of_document };
        let said_of_same = &said_of_same;
        let mut chooser = Chooser { choice, lines, notes, said_of_same, is_own, is_in_base, in_base: InBase::No };
        chooser.find_new(document);
        chooser.node(document, &Trail::Document(several.then_some(before)));
        notes = chooser.notes;
        before += usize::from(is_document(document));
    }
    notes
}

/// Brings the comments of all files in a document to where they will be read.
fn normalise(document: &mut Node<'_>, is_first_now: &dyn Fn(RowId) -> bool) {
    let has_base = first::set_off_first(document, is_first_now);
    let base = has_base.then_some(Side::Base);
    gaps::normalise_sides(document, [Side::User, Side::Update].into_iter().chain(base));
}

/// Brings the comments of a tree to where they will be read once it is written. No option is a node any more.
pub(crate) fn arrange(stream: &mut Node<'_>) {
    stream.children.iter_mut().for_each(|document| gaps::normalise_sides(document, [Side::Result]));
}

/// Decides place by place, knowing which lines come in.
struct Chooser<'d, 'c, 'a> {
    choice: &'d mut Choice<'c, 'a>,
    lines: &'c Lines<'c>,
    notes: Vec<Note>,
    said_of_same: &'d SaidOfSame<'a>,
    is_own: &'c dyn Fn(RowId) -> bool,
    is_in_base: &'c dyn Fn(RowId) -> bool,
    /// Whether the old default has the node that is decided on, or one around it that only the user has left of it.
    in_base: InBase,
}

/// Where a comment of the user's stands, for the report.
struct Site<'t> {
    place: Place,
    /// The line of its node in the current file.
    line: usize,
    trail: &'t Trail<'t>,
}

impl<'d, 'a> Chooser<'d, '_, 'a> {
    /// Notes the lines of the update that come in at a node and inside of it: in place of the user's, or with a new node.
    /// Where the old default is known the comment is decided at once, for it does not depend on what comes in elsewhere.
    fn find_new(&mut self, node: &mut Node<'a>) {
        if node.merged {
            self.merge_with_base(node);
            self.find_new_at(node);
        } else if node.is_new() {
            for (_, lines) in comments(node) {
                self.choice.comes(lines);
            }
        }
        node.children.iter_mut().for_each(|child| self.find_new(child));
    }

    /// Notes the lines that come in at a node of both files, where they were not merged with the old default's.
    fn find_new_at(&mut self, node: &Node<'a>) {
        let Some(theirs) = node.update_comments.as_deref() else { return };
        if self.is_decided(theirs) {
            if node.is_commented_out() {
                self.choice.comes_for(&node.continuation, &theirs.header, Place::OptionText);
            }
            return;
        }
        for ((place, lines), update) in comments(node).into_iter().zip([&theirs.above, &theirs.header, &theirs.below]) {
            if !update.is_empty() {
                self.choice.comes_for(lines, update, place);
            }
        }
    }

    /// Decides on a node and on all inside of it. What only the update has keeps its comments.
    fn node(&mut self, node: &mut Node<'a>, trail: &Trail<'_>) {
        let is_users = node.origin == Origin::Current && !node.merged;
        if is_users && node.row.is_some_and(|row| (self.is_own)(row)) {
            return;
        }
        let around = self.in_base;
        if is_users && node.row.is_some_and(|row| (self.is_in_base)(row)) {
            self.in_base = InBase::Yes;
        }
        let theirs = (node.merged || is_users).then(|| self.start(node, trail));
        for (at, child) in node.children.iter_mut().enumerate() {
            let name = child.name.clone();
            let trail = match child.opener {
                Opener::Item { .. } => Trail::Item(trail, at),
                _ => Trail::Key(trail, &name),
            };
            self.node(child, &trail);
        }
        if let Some(theirs) = theirs {
            self.end(node, theirs, trail);
        }
        self.in_base = around;
    }

    /// Decides on what stands above a node, the header of a document and the lines of an option; what is left to decide.
    fn start(&mut self, node: &mut Node<'a>, trail: &Trail<'_>) -> UpdateComments<'a> {
        let has_own = !node.above.is_empty() || !node.header().is_empty() || node.is_commented_out();
        if !has_own && node.update_comments.is_none() {
            return UpdateComments::default();
        }
        let [above, own, _] = comments(node).map(|(place, _)| place);
        let mut theirs = node.update_comments.take().map_or_else(UpdateComments::default, |theirs| *theirs);
        let is_decided = self.is_decided(&theirs);
        let site = Site { place: above, line: node.line(), trail };
        if is_decided {
            self.leave_out_moved(&mut node.above, Part::Above.defaults(&theirs), &site);
        } else if node.merged {
            self.merged(&mut node.above, std::mem::take(&mut theirs.above), &site);
        } else {
            let [same, _] = self.said_of_same(node);
            self.of_user(&mut node.above, same, &site);
        }
        let site = Site { place: own, ..site };
        if is_decided && !node.is_commented_out() {
            if let Some(header) = node.header_mut() {
                self.leave_out_moved(header, Part::Header.defaults(&theirs), &site);
            }
        } else if node.merged && has_own_lines(node) && !(is_decided && theirs.header.is_empty()) {
            self.merged(own_lines_mut(node), std::mem::take(&mut theirs.header), &site);
        }
        theirs
    }

    /// Decides on what ends the block of a node.
    fn end(&mut self, node: &mut Node<'a>, theirs: UpdateComments<'a>, trail: &Trail<'_>) {
        let [.., (place, _)] = comments(node);
        let site = Site { place, line: node.line(), trail };
        if self.is_decided(&theirs) {
            let defaults = Part::Below.defaults(&theirs);
            return node.below.change(|own| self.leave_out_moved(own, defaults, &site));
        }
        let UpdateComments { below, indent, .. } = theirs;
        if below.is_empty() && ends_with_new_option(node) && !node.below.iter().any(Line::has_words) {
            // Nothing is left that these adorn.
            node.below.change(|own| own.retain(|line| !line.is_ornament()));
        }
        if node.below.is_empty() && below.is_empty() {
            return;
        }
        if !node.merged {
            let [_, same] = self.said_of_same(node);
            node.below.change(|own| self.of_user(own, same, &site));
        } else if node.below.change(|own| self.merged(own, below, &site)) && node.children.is_empty() {
            node.indent = indent;
        }
    }

    /// Decides on one place of both files; whether the update's comment stays there.
    fn merged(&mut self, own: &mut Vec<Line<'a>>, update: Vec<Line<'a>>, site: &Site<'_>) -> bool {
        if own.is_empty() && update.is_empty() {
            return false;
        }
        let mut user = std::mem::take(own);
        let example = split_example(&mut user, &update, site);
        let mut chosen = self.choice.choose(user, update, site.place);
        *own = std::mem::take(&mut chosen.lines);
        own.extend(example);
        let updated = chosen.updated;
        self.tell(chosen, site);
        updated
    }

    /// What the update says above an item that only the user's list has, and below it.
    fn said_of_same(&self, node: &Node<'_>) -> [&'d [Line<'a>]; 2] {
        let said = node.row.and_then(|row| self.said_of_same.get(&row));
        said.map_or([&[]; 2], |said| said.each_ref().map(Vec::as_slice))
    }

    /// Decides on one place of the user's alone; what the update says of the same item does not move away.
    fn of_user(&mut self, own: &mut Vec<Line<'a>>, same: &[Line<'a>], site: &Site<'_>) {
        if !own.is_empty() {
            let mut chosen = self.choice.without_moved((std::mem::take(own), same), site.place, self.in_base);
            *own = std::mem::take(&mut chosen.lines);
            self.tell(chosen, site);
        }
    }

    /// Notes what of the user's gave way at a place.
    fn tell(&mut self, chosen: Chosen<'a>, site: &Site<'_>) {
        let Chosen { replaced, moved, .. } = chosen;
        let line = |lines: &[Line<'_>]| self.lines.number_of(lines.first()?.trimmed());
        let [of_replaced, of_moved] = [&replaced, &moved].map(|lines| line(lines).unwrap_or(site.line));
        let replaced = Noted::CommentReplaced { line: of_replaced, comment: texts(&replaced) };
        let moved = Noted::CommentMoved { line: of_moved, comment: texts(&moved) };
        let told = [replaced, moved].into_iter().filter(|what| what.comment().is_some());
        self.notes.extend(told.map(|what| Note { path: site.trail.path(), what }));
    }
}

fn texts(lines: &[Line<'_>]) -> Vec<String> {
    lines.iter().map(|line| line.trimmed().to_owned()).collect()
}

/// Cuts off the block that the user has commented out of a live key right above it. What is in it does not come in, so it
/// is no comment which the update's could take the place of; it stays below the update's words, unless these say it.
fn split_example<'a>(user: &mut Vec<Line<'a>>, update: &[Line<'_>], site: &Site<'_>) -> Vec<Line<'a>> {
    let Trail::Key(_, name) = site.trail else { return Vec::new() };
    if site.place != Place::LiveOption || !has_comment(update) {
        return Vec::new();
    }
    let Some(start) = user.iter().position(|line| line.comments_out(name)) else { return Vec::new() };
    let is_updates = |line: &Line<'_>| line.has_words() && update.iter().any(|own| own.said() == line.said());
    if user[start..].iter().any(is_updates) { Vec::new() } else { user.split_off(start) }
}

/// The comments that a node has: above it, of a document its header, of an option its own lines, and those that end its
/// block.
fn comments<'n, 'a>(node: &'n Node<'a>) -> [(Place, &'n [Line<'a>]); 3] {
    let is_in_other_state = node.update_comments.as_ref().is_some_and(|theirs| theirs.is_in_other_state);
    let above = match node.opener {
        Opener::Document(_) => Place::Header,
        Opener::Item { .. } => Place::Item,
        Opener::CommentedOut { .. } if is_in_other_state => Place::SwitchedOff,
        Opener::CommentedOut { .. } => Place::Option,
        _ if is_in_other_state => Place::LiveOption,
        _ => Place::Key,
    };
    let own: (_, &[_]) = match node.opener {
        Opener::CommentedOut { .. } => (Place::OptionText, &node.continuation),
        _ => (Place::Header, node.header()),
    };
    let below = if node.kind() == Kind::List { Place::ListEnd } else { Place::End };
    [(above, &node.above), own, (below, &node.below)]
}

/// Whether the last thing in a node is a commented-out key that comes in.
fn ends_with_new_option(node: &Node<'_>) -> bool {
    node.children.last().is_some_and(|last| last.is_commented_out() && last.origin == Origin::Update)
}

/// Whether a node has lines between its own and its children's.
fn has_own_lines(node: &Node<'_>) -> bool {
    node.can_have_header() || node.is_commented_out()
}

/// The lines of a commented-out key, or the header of a document that can have one.
fn own_lines_mut<'n, 'a>(node: &'n mut Node<'a>) -> &'n mut Vec<Line<'a>> {
    match &mut node.opener {
        Opener::Document(document) => &mut document.header,
        _ => node.continuation.vec(),
    }
}

/// How many of the lines over the first node of a document are its header: those up to the last blank one.
pub(crate) fn header_length(lines: &[Line<'_>]) -> usize {
    lines.iter().rposition(|line| !line.is_comment()).map_or(0, |blank| blank + 1)
}

/// The user's comments of a document that is otherwise empty, where the update's whole content comes in: those that it
/// does not bring itself, over the `---` and below.
pub(crate) fn own_lines<'a>(document: &Node<'a>, update: &Node<'a>) -> [Vec<Line<'a>>; 2] {
    let nothing = Words::default();
    let mut choice = Choice::new(Comments::Update, &nothing, None);
    all_come(update, &mut choice);
    let below = [document.header(), &document.below].concat();
    [document.above.clone(), below].map(|lines| choice.without_moved((lines, &[]), Place::Header, InBase::No).lines)
}

fn all_come<'a>(node: &Node<'a>, choice: &mut Choice<'_, 'a>) {
    for (_, lines) in comments(node) {
        choice.comes(lines);
    }
    node.children.iter().for_each(|child| all_come(child, choice));
}
