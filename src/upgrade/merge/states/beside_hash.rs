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
