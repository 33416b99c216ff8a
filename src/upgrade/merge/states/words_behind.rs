//! Words right behind a key that the user has commented out, where the update has the key live.
//!
//! Below `#port: 80` a line such as `#   80 is the default.` or `#   max: 90` is said of that key. Where the key is live the
//! same line stands above the next one, or ends the map, and comes in there: so it is that one's in the user's file, too.

use super::left_out::is_place_of_removed;
use super::old::OldMap;
use crate::comments::lines;
use crate::upgrade::commented_out;
use crate::yaml::names::Names;
use crate::yaml::tree::{Line, Node, Seldom};

/// Gives words behind commented-out keys of the user's to what they stand before in the update; not those of an option
/// that is as in the old default, which follows the release with all of its lines.
pub(super) fn give_back<'a>(
    (current, own): (&mut Node<'a>, &mut [Box<Node<'a>>]),
    (update, theirs): (&Node<'a>, &[Box<Node<'a>>]),
    old: &OldMap<'_, 'a>,
) {
    let has_more = |node: &Node<'_>| !node.below.is_empty() || !node.children.is_empty();
    if !own.iter().any(|node| node.is_commented_out() && has_more(node)) {
        return;
    }
    let places: Names<&str, usize> = theirs.iter().enumerate().map(|(at, node)| (&*node.name, at)).collect();
    for at in 0..own.len() {
        let (before, behind) = own.split_at_mut(at + 1);
        let Some(option) = before.last_mut().filter(|node| node.is_commented_out()) else { continue };
        let Some(&place) = places.get(&option.name) else { continue };
        let is_live = theirs.get(place).is_some_and(|key| !key.is_commented_out() || is_place_of_removed(key));
        match (theirs.get(place + 1), behind.first_mut()) {
            _ if !is_live || old.has_untouched(option) => {}
            (Some(next), Some(own)) if own.name == next.name => take_words(option, &next.above, &mut own.above),
            (None, None) => current.below.change(|own| take_words(option, &update.below, own)),
            _ => {}
        }
    }
}

/// Gives words above a commented-out key of the update to the one before it, where the user has that live: deeper lines
/// right behind a live key are said of that, and these are the same in both files.
pub(super) fn keep_below(own: &[Box<Node<'_>>], theirs: &mut [Box<Node<'_>>]) {
    let ends = |node: &Node<'_>| !node.is_commented_out() && node.children.is_empty() && !node.below.is_empty();
    if !own.iter().any(|node| ends(node)) {
        return;
    }
    let places: Names<_, usize> = theirs.iter().enumerate().map(|(at, node)| (node.name.clone(), at)).collect();
    for node in own.iter().filter(|node| ends(node)) {
        let Some(&place) = places.get(&node.name) else { continue };
        let (before, behind) = theirs.split_at_mut(place + 1);
        let (Some(option), Some(next)) = (before.last_mut(), behind.first_mut()) else { continue };
        let words: Vec<_> = node.below.iter().cloned().map(|line| line.moved(node.indent)).collect();
        let are_there = next.above.get(..words.len()).is_some_and(|above| lines::same(&words, above));
        if option.is_commented_out() && option.below.is_empty() && are_there {
            let words = next.above.drain(..words.len());
            option.below = words.map(|line| line.moved(-option.indent)).collect();
        }
    }
}

/// The words behind a commented-out key that the user has behind the live one, and how far right they stand.
pub(super) fn of_both<'a>(mine: &Node<'_>, option: &mut Node<'a>) -> (Vec<Line<'a>>, i32) {
    let are_same = mine.children.is_empty() && lines::same(&mine.below, &option.below);
    let below = if are_same { option.below.take() } else { Vec::new() };
    let by = option.indent - mine.indent;
    (below.into_iter().map(|line| line.moved(by)).collect(), mine.indent)
}

/// Leaves out what ends a commented-out block without a word. Behind the live one a second run would not find it, and add it
/// again.
pub(super) fn leave_out_ornaments(option: &mut Node<'_>) {
    option.below.change(|below| below.retain(Line::has_words));
}

/// Puts those lines that end an option, and that the update's next lines start with, before the user's next lines.
fn take_words<'a>(option: &mut Node<'a>, update: &[Line<'_>], own: &mut Vec<Line<'a>>) {
    let blanks = update.iter().take_while(|line| !line.is_comment()).count();
    let update = &update[blanks..];
    if update.is_empty() {
        return;
    }
    let mut lines = commented_out::lines(Node { above: Vec::new(), ..option.clone() });
    let starts = |start: &usize| {
        let words = &lines[*start..];
        words.len() <= update.len() && lines::same(words, &update[..words.len()])
    };
    if let Some(start) = (1..lines.len()).find(starts) {
        // The blank lines over them set them off, not what ends above.
        let end = lines[..start].iter().rposition(Line::is_comment).map_or(start, |last| last + 1);
        own.splice(0..0, lines.split_off(end));
        option.continuation = lines.into();
        (option.children, option.below) = (Vec::new(), Seldom::default());
    }
}
