//! Where the lines of a commented-out key stand that both files have.

use crate::yaml::tree::{Line, Node, Offset};

/// Lets the user's comments on a commented-out key stand beside its `#` as they did, where that stands left or right of the
/// place that the key would have if it were live: how far may differ between two files that say the same.
pub(super) fn follow_hash(mine: &mut Node<'_>, update: &[Line<'_>]) {
    let hash = |lines: &[Line<'_>]| match lines.first() {
        Some(Line::Text(Offset::Beside(by), ..)) => Some(*by),
        _ => None,
    };
    let hashes = hash(&mine.continuation).zip(hash(update));
    let Some((own, new)) = hashes.filter(|(own, new)| *own != 0 && own != new) else { return };
    for line in mine.above.iter_mut().chain(mine.continuation.vec()) {
        *line = line.clone().moved(new - own);
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
