//! Where the lines of a commented-out key stand that both files have.

use crate::comments::lines;
use crate::upgrade::commented_out;
use crate::yaml::names::Names;
use crate::yaml::tree::{Line, Node, Offset};

/// Lets the user's comments on a commented-out key stand beside its `#` as they did, where that stands left or right of the
/// place that the key would have if it were live: how far may differ between two files that say the same.
pub(super) fn follow_hash(mine: &mut Node<'_>, update: &[Line<'_>]) {
    let hashes = hash(&mine.continuation).zip(hash(update));
    let Some((own, new)) = hashes.filter(|(own, new)| *own != 0 && own != new) else { return };
    for line in mine.above.iter_mut().chain(mine.continuation.vec()) {
        *line = line.clone().moved(new - own);
    }
}

/// Lets the commented-out keys of a live block, whose `#` stands where the key would, stand so in a block that the update has
/// commented out as a whole: there the `#` is that of the block.
pub(super) fn keep_hashes<'a>(mine: &Node<'a>, update: &mut Node<'a>) {
    let options: Names<&str, &Node<'a>> =
        mine.children.iter().filter(|child| child.is_commented_out()).map(|child| (&*child.name, &**child)).collect();
    for option in &mut update.children {
        let Some(own) = options.get(&option.name) else { continue };
        let [own, new] = [own, &**option].map(|option| commented_out::lines(option.clone()));
        if hash(&own) == Some(0) && hash(&new) != Some(0) && lines::same(&own, &new) {
            (option.continuation, option.children) = (own.into(), Vec::new());
            option.below.take();
        }
    }
}

/// How far right of a commented-out key its `#` stands; nothing at the margin.
fn hash(lines: &[Line<'_>]) -> Option<i32> {
    match lines.first() {
        Some(Line::Text(Offset::Beside(by), ..)) => Some(*by),
        _ => None,
    }
}

/// Lets a block that the update has commented out stand at the column of the user's live one, if it may be meant to: its column is
/// not known better than to one character. Each `#` stays where it is.
pub(super) fn share_column(mine: &Node<'_>, update: &mut Node<'_>) {
    let by = update.indent - mine.indent;
    if by.abs() == 1 && mine.live_children().next().is_some() {
        update.indent = mine.indent;
        update.below.iter_mut().for_each(|line| *line = line.clone().moved(by));
        update.children.iter_mut().for_each(|child| stay_inside(child, by));
    }
}

fn stay_inside(option: &mut Node<'_>, by: i32) {
    let lines = option.above.iter_mut().chain(&mut option.continuation).chain(&mut option.below);
    lines.for_each(|line| *line = line.clone().moved(by));
    option.children.iter_mut().for_each(|child| stay_inside(child, by));
}
