//! Commented-out keys without a counterpart: which are comments, and which are examples of a live key.

use foldhash::{HashMap, HashSet};
use std::borrow::Borrow;

use super::by_name;
use super::old::OldMap;
use crate::upgrade::commented_out;
use crate::yaml::names::Names;
use crate::yaml::tree::{Line, Node, Opener, Seldom};

/// Makes comments of those options of the update that are one of several of their name, unless the user has the key live:
/// that takes the place of the first.
pub(super) fn without_examples<'a>(
    update: Vec<Box<Node<'a>>>,
    current: &Node<'_>,
) -> (Vec<Box<Node<'a>>>, Vec<Line<'a>>) {
    let is_example = |node: &Node<'_>| node.opener == Opener::CommentedOut { is_one_of_several: true };
    if !update.iter().any(|child| is_example(child)) {
        return (update, Vec::new());
    }
    let states: HashMap<_, _> = current.children.iter().map(|child| (&*child.name, child.is_commented_out())).collect();
    without_others(update, |_, node| !is_example(node) || states.get(&*node.name) == Some(&false))
}

/// Makes comments of those options that are none of these others, nor an example right below the live key of the same name, which
/// the old default does not have.
pub(super) fn without_unpaired<'a>(
    children: Vec<Box<Node<'a>>>,
    others: &[Box<Node<'_>>],
    is_old: impl Fn(&str) -> bool,
) -> (Vec<Box<Node<'a>>>, Vec<Line<'a>>) {
    if !children.iter().any(|child| child.is_commented_out()) {
        return (children, Vec::new());
    }
    let others = by_name(others);
    without_others(children, |above, node| {
        !node.is_commented_out()
            || others.get(&node.name).is_some()
            || (above.is_some_and(|key| is_example_of(node, key)) && !is_old(&node.name))
    })
}

/// Leaves out of several values for one key, in a block that a default has commented out, those that the user has commented out
/// in their live block: they stand there, and the live key takes the place of one of the others.
pub(super) fn without_said_values<'a, N: Borrow<Node<'a>>>(children: Vec<N>, mine: &Node<'a>) -> Vec<N> {
    let mut counts: HashMap<&str, usize> = HashMap::default();
    for child in &children {
        *counts.entry(&child.borrow().name).or_default() += 1;
    }
    if counts.len() == children.len() {
        return children;
    }
    let live: HashSet<_> = mine.live_children().map(|child| &*child.name).collect();
    let own = mine.children.iter().flat_map(|child| child.above.iter().chain(&child.continuation)).chain(&mine.below);
    let said: HashSet<_> = own.filter(|line| line.is_comment()).map(Line::said).collect();
    let is_said = |child: &Node<'_>| {
        let mut lines = child.continuation.iter();
        live.contains(&*child.name) && child.children.is_empty() && lines.all(|line| said.contains(line.said()))
    };
    let goes = |child: &Node<'_>| {
        let left = counts.get_mut(&*child.name).filter(|left| **left > 1 && is_said(child));
        left.map(|left| *left -= 1).is_some()
    };
    let goes: Vec<_> = children.iter().map(Borrow::borrow).map(goes).collect();
    children.into_iter().zip(goes).filter(|(_, goes)| !goes).map(|(child, _)| child).collect()
}

/// Writes the examples right below the user's live keys as the update has them, where the user left those of the old default.
/// What such an example says does not come in in the block of the live key.
pub(super) fn renew_examples<'a>(own: &mut [Box<Node<'a>>], theirs: &mut [Box<Node<'a>>], old: &OldMap<'_, 'a>) {
    if !own.iter().any(|node| node.is_commented_out()) {
        return;
    }
    let places: Names<_, usize> = theirs.iter().enumerate().map(|(at, node)| (node.name.clone(), at)).collect();
    for at in 1..own.len() {
        let (before, behind) = own.split_at_mut(at);
        let (Some(key), Some(example)) = (before.last(), behind.first_mut()) else { continue };
        if !is_example_of(example, key) {
            continue;
        }
        let Some(new) = places.get(&key.name).and_then(|&place| theirs.get_mut(place)) else { continue };
        if old.option(&key.name).is_some_and(|was| commented_out::is_written_alike(was, example)) {
            example.continuation = commented_out::lines((**new).clone()).into();
            (example.children, example.below) = (Vec::new(), Seldom::default());
        }
        let lines = commented_out::lines((**example).clone());
        let said: HashSet<_> = lines.iter().map(Line::said).collect();
        let inside = by_name(&key.children);
        let is_said =
            |key: &Node<'_>| key.is_commented_out() && key.continuation.iter().all(|line| said.contains(line.said()));
        new.children.retain(|key| inside.get(&key.name).is_some() || !is_said(key));
    }
}

/// Whether a node is a commented-out key, with another value for a live one.
fn is_example_of(node: &Node<'_>, key: &Node<'_>) -> bool {
    let first = node.continuation.first().filter(|_| node.is_commented_out());
    !key.is_commented_out() && first.is_some_and(|line| line.comments_out(&key.name))
}

/// Makes comments of those children that are nothing else here, as the one above them and they themselves tell; those
/// behind the last of the others.
fn without_others(
    children: Vec<Box<Node<'_>>>,
    is_other: impl Fn(Option<&Node<'_>>, &Node<'_>) -> bool,
) -> (Vec<Box<Node<'_>>>, Vec<Line<'_>>) {
    let (mut out, mut lines): (Vec<Box<Node<'_>>>, _) = (Vec::with_capacity(children.len()), Vec::new());
    for mut child in children {
        if is_other(out.last().map(Box::as_ref), &child) {
            child.above.splice(0..0, lines.drain(..));
            out.push(child);
        } else {
            lines.extend(commented_out::lines_with_comment(*child));
        }
    }
    (out, lines)
}
