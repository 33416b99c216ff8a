//! A commented-out option is a key in another state (`docs/rules.md` rule 3a): `#port: 80` has a place among its
//! siblings, is paired by its path, and what stands above it is its comment.
//!
//! [`open`] makes nodes of the options of a tree, with their lines verbatim, so that the merge sees them among the keys;
//! [`close`] makes comments of those that are left. A tree holds such nodes only between these two: nobody who reads,
//! verifies or writes meets one. Which comments are options is what [`yaml::commented_out`](crate::yaml::commented_out) says.
//!
//! Left out on purpose: commented-out items. They stay comments, but those below a key without a value end its block and
//! are not what stands above the next key, and without an old default those do not come in that the user has live.

mod alike;
mod as_comment;
mod cut;
mod dropped;
mod edits;
mod examples;
mod in_turn;
mod keys_before;
mod known;
pub(crate) mod made_live;
mod old;
mod overridden;
mod own_items;
mod paths;
mod renamed;
mod wanted;
mod words;

use foldhash::HashMap;

pub(crate) use self::as_comment::as_comment;
pub(crate) use self::dropped::dropped;
use self::edits::{Edits, Inserted};
use self::examples::Example;
use self::in_turn::ExamplesAbove;
pub(crate) use self::keys_before::{Holder, KeysBefore, own_rows};
use self::known::{found_in_current, found_in_update, known_by};
use self::made_live::MadeLive;
use self::old::OldOptions;
use self::overridden::Overridden;
use self::own_items::OwnItems;
use self::paths::{Choices, KeyPaths, Paths};
use self::renamed::Renamed;
use self::wanted::Wanted;
pub(crate) use self::words::{is_doubled, words_at_end_when_live, words_when_live};
use crate::comments;
use crate::upgrade::three_way::{FatesInBase, Plan};
use crate::yaml::commented_out::Found;
use crate::yaml::document::{has_marker, is_empty, lay_below_marker, starts_behind_end};
use crate::yaml::tree::{Line, Node, Offset, Opener, Origin, Shape};

/// Makes nodes of the commented-out options in the documents of a new default and of a user's file that are one, as the
/// pairs tell: of all of the new default's, and of those of the user's that have a counterpart there. The user's others
/// stay the comments that they are, and so does all in a document that the other file has not. An old default is only read:
/// its options, and what it tells of the user's.
pub(crate) fn open<'a>(
    current: &mut Node<'a>,
    update: &mut Node<'a>,
    pairs: &[Option<usize>],
    plan: &Plan<'_, 'a>,
) -> Opening<'a> {
    let (mut opened, mut before) = (Opened::default(), KeysBefore::default());
    let mut made_live = Vec::new();
    let fates = plan.fates_in_base();
    let mut is_new = vec![true; update.children.len()];
    for (own, pair) in current.children.iter_mut().zip(pairs) {
        let base = plan.base(own.row);
        if let Some((at, new)) = pair.and_then(|at| Some((at, update.children.get_mut(at)?))) {
            is_new[at] = false;
            let keys = base.map(|base| made_live::find(own, base, new, plan)).unwrap_or_default();
            if !keys.is_empty() {
                before.add_own(&Found::in_document(own));
                made_live.extend(made_live::take_out(own, keys));
            }
            if base.is_none() && may_get_header(own) {
                lay_below_marker(new);
            }
            open_pair((own, new), base.map(|base| (base, &fates)), plan, (&mut opened, &mut before));
        } else {
            before.add_own(&Found::in_document(own));
        }
    }
    for (document, _) in update.children.iter().zip(is_new).filter(|(_, is_new)| *is_new) {
        before.add_offered(&Found::in_document(document));
    }
    Opening { opened, before, made_live }
}

/// What is known when the options of all documents are nodes.
pub(crate) struct Opening<'a> {
    pub(crate) opened: Opened<'a>,
    pub(crate) before: KeysBefore,
    /// Keys that were taken out of the user's documents until all comments are decided.
    pub(crate) made_live: Vec<MadeLive<'a>>,
}

/// The same for one document, with what becomes of the user's values in that of the old default. What the user has commented
/// out more than once in a map is a choice of examples.
fn open_pair<'a>(
    (current, update): (&mut Node<'a>, &mut Node<'a>),
    base: Option<(&Node<'a>, &FatesInBase)>,
    plan: &Plan<'_, 'a>,
    (opened, before): (&mut Opened<'a>, &mut KeysBefore),
) {
    let (new, keys) = found_in_update(update, [Some(&*current), base.map(|(base, _)| base)]);
    let (found, known) = found_in_current(current, &new, known_by(&new, keys));
    let old = base.map(|(base, _)| Found::knowing(base, &known));
    before.add_all(&new, &found, old.as_ref());
    let own = &own_keys(current, &new, old.as_ref());
    let own = own.as_ref();
    let examples = Example::all(&new, &found);
    let switched_off = KeyPaths::switched_off(&found, own, (&new, old.as_ref()), &examples);
    let examples_above = ExamplesAbove::of(&found);
    let renamed = &if old.is_none() { Renamed::of(&found, &new) } else { Renamed::default() };
    let overridden = &Overridden::of(&found, old.as_ref());
    let wanted = Wanted::Update {
        choices: &Choices::of(&found),
        own,
        passed_over: &examples_above.passed_over(&new),
        overridden,
        items: &own.map(|_| OwnItems::of(&found, plan, old.as_ref().map(|_| plan.kept_items()))).unwrap_or_default(),
    };
    let mut edits = Edits::of(&new, &wanted, &switched_off);
    drop(new);
    edits.apply(update, &mut 0);
    let paths = Paths::of(update, examples);
    let old_options = old.as_ref().map(OldOptions::of);
    if let Some((old, (_, fates))) = old.as_ref().zip(base) {
        let (less_alike, passed_over) = (&alike::less_alike(old, &paths), &examples_above.passed_over(old));
        let wanted = Wanted::Base { update: &paths, own, less_alike, passed_over, overridden, plan, fates };
        opened.add(old, &wanted, &switched_off);
    }
    let less_alike = &alike::less_alike(&found, &paths);
    let wanted = Wanted::User { update: &paths, old: old_options.as_ref(), renamed, less_alike, overridden, plan };
    let mut edits = Edits::of(&found, &wanted, &KeyPaths::default());
    drop(found);
    edits.apply(current, &mut 0);
}

/// The user's keys, where somebody asks for them: what the defaults have commented out.
fn own_keys<'n, 'a>(current: &'n Node<'a>, new: &Found<'_, '_>, old: Option<&Found<'_, '_>>) -> Option<Paths<'n, 'a>> {
    let is_asked_for = new.asks_for_keys() || old.is_some_and(|old| !old.all().is_empty());
    is_asked_for.then(|| Paths::of(current, Vec::new()))
}

/// Whether a document has values and nothing that sets it off from what is above it.
fn may_get_header(document: &Node<'_>) -> bool {
    !is_empty(document) && !has_marker(document) && !starts_behind_end(document) && document.can_have_header()
}

/// A file that is only read, with nodes for those of its options that have a counterpart.
#[derive(Debug, Default)]
pub(crate) struct Opened<'a> {
    /// The nodes that options were taken out of, each without its children, and its options, by the address of the node.
    changed: HashMap<*const Node<'a>, (Node<'a>, Vec<Inserted<'a>>)>,
}

impl<'a> Opened<'a> {
    fn add(&mut self, found: &Found<'_, 'a>, wanted: &Wanted<'_, '_, '_>, switched_off: &KeyPaths<'_>) {
        let edits = Edits::of(found, wanted, switched_off);
        for (numbered, edits) in edits.by_node(&found.gaps.nodes) {
            let mut node = without_children(numbered.node);
            let options = edits.apply(&mut node);
            self.changed.insert(std::ptr::from_ref(numbered.node), (node, options));
        }
    }

    /// A node with the lines that are left to it. What stands inside of it is not there: see [`Self::children`].
    pub(crate) fn node<'o>(&'o self, node: &'o Node<'a>) -> &'o Node<'a> {
        self.changed.get(&std::ptr::from_ref(node)).map_or(node, |(node, _)| node)
    }

    /// The children of a node, options among them.
    pub(crate) fn children<'o>(&'o self, node: &'o Node<'a>) -> Vec<&'o Node<'a>> {
        let options = self.changed.get(&std::ptr::from_ref(node)).map_or(&[][..], |(_, options)| options);
        let mut options = options.iter().peekable();
        let mut children = Vec::with_capacity(node.children.len() + options.len());
        for (at, child) in node.children.iter().enumerate() {
            while let Some(inserted) = options.next_if(|inserted| inserted.at <= at) {
                children.push(&*inserted.option);
            }
            children.push(self.node(child));
        }
        children.extend(options.map(|inserted| &*inserted.option));
        children
    }
}

/// A node without anything inside of it.
fn without_children<'a>(node: &Node<'a>) -> Node<'a> {
    Node {
        above: node.above.clone(),
        value_text: node.value_text.clone(),
        continuation: node.continuation.clone(),
        shape: node.shape,
        indent: node.indent,
        below: node.below.clone(),
        name: node.name.clone(),
        row: node.row,
        ..Node::new(node.line(), node.opener.clone(), "", node.end)
    }
}

/// Makes comments of the options that are left: above the next key, or at the end of the block.
pub(crate) fn close(stream: &mut Node<'_>) {
    stream.children.iter_mut().for_each(|document| close_document(document));
}

/// The same for one document.
pub(crate) fn close_document(document: &mut Node<'_>) {
    let lines = close_inside(document, -1);
    if document.shape == Shape::Open && document.children.is_empty() {
        // Where nothing is live, keys stand at the margin.
        let lines = lines.into_iter().chain(std::mem::take(&mut document.below)).map(|line| line.moved(1));
        if let Some(header) = document.header_mut() {
            header.extend(lines);
        }
    } else {
        document.below.change(|below| put_first(below, lines));
    }
}

/// The same inside of a node at a column; the lines at the end of its block, beside its children, that are to stand behind
/// it.
fn close_inside<'a>(node: &mut Node<'a>, column: i32) -> Vec<Line<'a>> {
    let column = column + node.indent;
    if let (Opener::Item { joined }, Some(first)) = (&mut node.opener, node.children.first()) {
        // A comment cannot stand between a dash and a key on its line.
        *joined &= !first.is_commented_out();
    }
    let mut lines = Vec::new();
    let end = node.children.iter().rposition(|child| !child.is_commented_out()).map_or(usize::MAX, |last| last + 1);
    let is_merged = node.merged;
    let children = std::mem::take(&mut node.children).into_iter().enumerate();
    let live = children.filter_map(|(at, mut child)| {
        if child.is_commented_out() {
            let is_moved = is_merged && at >= end && child.origin == Origin::Current && !child.merged;
            let mut option = lines_with_comment(*child);
            if is_moved {
                stay_inside(&mut option, column);
            }
            lines.append(&mut option);
            return None;
        }
        put_first(&mut child.above, std::mem::take(&mut lines));
        child.above.iter_mut().for_each(|line| line.align(column));
        lines = end_of_block(&mut child, column);
        Some(child)
    });
    node.children = live.collect();
    lines.iter_mut().chain(&mut node.below).for_each(|line| line.align(column));
    lines
}

/// Brings an option that came to the end of a block, whose children stand at a column, from the margin to that column, if a
/// reader would take it for a key of a block further out. Between two keys there was no other block to take it for.
fn stay_inside(option: &mut [Line<'_>], column: i32) {
    let Some(behind) = option.iter().find_map(Line::column_behind_hash) else { return };
    if column > 0 && (behind == column - 1 || behind == 1) {
        let blanks = usize::try_from(behind - 1).unwrap_or(0);
        for line in option {
            line.indent_with_hash(blanks);
        }
    }
}

/// Puts lines before others.
fn put_first<'a>(lines: &mut Vec<Line<'a>>, mut first: Vec<Line<'a>>) {
    if !first.is_empty() {
        first.append(lines);
        *lines = first;
    }
}

/// Makes comments of the options inside of what only the user has, such as an item of a list, before comments are decided: none of
/// them has a counterpart, and what stands at the end of such an item may be what ends the list in the new default.
pub(crate) fn close_unpaired(stream: &mut Node<'_>) {
    let both = stream.children.iter_mut().filter(|document| document.merged);
    both.for_each(|document| close_unpaired_inside(document, -1));
}

fn close_unpaired_inside(node: &mut Node<'_>, column: i32) {
    let column = column + node.indent;
    let mut lines = Vec::new();
    for child in &mut node.children {
        put_first(&mut child.above, std::mem::take(&mut lines));
        if child.merged {
            close_unpaired_inside(child, column);
        } else if child.origin == Origin::Current && !child.is_commented_out() {
            lines = end_of_block(child, column);
        }
    }
    node.below.change(|below| put_first(below, lines));
}

/// Makes comments of the options of a node that has nothing else.
pub(crate) fn close_children(node: &mut Node<'_>) {
    if node.live_children().next().is_none() {
        let options =
            std::mem::take(&mut node.children).into_iter().flat_map(|option| lines_with_comment(*option)).collect();
        end_block(node, options);
    }
}

/// What is to stand behind a node at a column, beside it. Options that stand left of its block cannot end that, nor can
/// anything behind them: comments only step outward.
fn end_of_block<'a>(node: &mut Node<'a>, column: i32) -> Vec<Line<'a>> {
    if node.children.is_empty() && node.below.is_empty() {
        return Vec::new();
    }
    let mut options = close_inside(node, column);
    let least = node.block_column(!node.children.is_empty()) - node.indent;
    let mut outside = outside_of_block(&mut options, least);
    if outside.is_empty() {
        outside = node.below.change(|below| outside_of_block(below, least));
    } else {
        outside.append(&mut node.below.take());
    }
    node.below.change(|below| put_first(below, options));
    outside.into_iter().map(|line| line.moved(node.indent)).collect()
}

/// Puts lines that stood commented out in a block at its end: before what ends it, or behind that where they stand left of
/// the block.
pub(crate) fn end_block<'a>(node: &mut Node<'a>, lines: Vec<Line<'a>>) {
    if lines.is_empty() {
        return;
    }
    let mut inside = lines;
    let outside = if node.document().is_some() {
        Vec::new()
    } else {
        outside_of_block(&mut inside, node.block_column(!node.children.is_empty()) - node.indent)
    };
    node.below.extend(outside);
    node.below.change(|below| put_first(below, inside));
}

/// Cuts off the lines that cannot end a block since one of them stands too far left.
fn outside_of_block<'a>(lines: &mut Vec<Line<'a>>, least: i32) -> Vec<Line<'a>> {
    let is_outside = |line: &Line<'_>| match line {
        Line::Text(Offset::Beside(by), ..) => *by < least,
        Line::Text(Offset::Margin | Offset::CommentedOut(_), ..) => true,
        Line::Blank(..) => false,
    };
    let end = lines.iter().position(is_outside).unwrap_or(lines.len());
    let end = lines[..end].iter().rposition(Line::is_comment).map_or(0, |last| last + 1);
    lines.split_off(end)
}

/// An option with what stands above it, as lines beside it.
pub(crate) fn lines_with_comment(mut option: Node<'_>) -> Vec<Line<'_>> {
    let mut lines = std::mem::take(&mut option.above);
    lines.extend(self::lines(option));
    lines
}

/// An option as lines beside it, without what stands above it.
pub(crate) fn lines(mut option: Node<'_>) -> Vec<Line<'_>> {
    take_lines(&mut option)
}

/// Whether two options say the same.
pub(crate) fn is_written_alike(option: &Node<'_>, other: &Node<'_>) -> bool {
    comments::lines::same(&lines(option.clone()), &lines(other.clone()))
}

/// The lines out of an option that stays, without them.
pub(crate) fn take_lines<'a>(option: &mut Node<'a>) -> Vec<Line<'a>> {
    let (indent, mut lines) = (option.indent, option.continuation.take());
    for child in std::mem::take(&mut option.children) {
        lines.extend(lines_with_comment(*child).into_iter().map(|line| line.moved(indent)));
    }
    lines.extend(option.below.take().into_iter().map(|line| line.moved(indent)));
    lines
}

#[cfg(test)]
mod tests;
