//! Where the lines of a commented-out key stand that both files have.

use crate::yaml::tree::{Line, Node, Offset};

/// Lets the user's comments on a commented-out key stand beside its `#` as they did. How far that is from where the key
/// would stand if it were live may differ between two files that say the same.
pub(super) fn follow_hash(mine: &mut Node<'_>, update: &[Line<'_>]) {
    let hash = |lines: &[Line<'_>]| match lines.first() {
        Some(Line::Text(Offset::Beside(by), ..)) => Some(*by),
        _ => None,
    };
    let Some((own, new)) = hash(&mine.continuation).zip(hash(update)).filter(|(own, new)| own != new) else { return };
    for line in mine.above.iter_mut().chain(mine.continuation.vec()) {
        *line = line.clone().moved(new - own);
    }
}
