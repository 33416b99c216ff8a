//! How far from its `#` each line of a commented-out key stands.

use foldhash::HashMap;

use crate::yaml::tree::Line;

/// How many blanks are behind the `#` of a comment with words; nothing where it has several `#`, or a tab behind them.
fn blanks(line: &Line<'_>) -> Option<usize> {
    let behind = line.trimmed().strip_prefix('#').filter(|_| line.has_words())?;
    let blanks = behind.len() - line.said().len();
    behind[..blanks].bytes().all(|byte| byte == b' ').then_some(blanks)
}

/// Writes the lines of a commented-out key as far from their `#` as others that say the same, the first ones before all. Lines
/// that none of the others say move as those do that stood where they do, or else as the line above them.
///
/// A reader takes commented-out lines for one block only where they are written alike: `#  - b` is not in the list of
/// `# k:` and `# - a`.
pub(super) fn write_alike(lines: &mut [Line<'_>], others: [&[Line<'_>]; 2]) {
    let mut known = HashMap::default();
    for line in others.into_iter().flatten() {
        if let Some(blanks) = blanks(line) {
            known.entry(line.said()).or_insert(blanks);
        }
    }
    let step = |line: &Line<'_>, own: usize| Some(known.get(line.said())?.cast_signed() - own.cast_signed());
    let place = |line: &Line<'_>, own: usize| (own, line.said().starts_with('-'));
    let mut steps = HashMap::default();
    for line in &*lines {
        if let Some((own, step)) = blanks(line).and_then(|own| Some((own, step(line, own)?))) {
            steps.entry(place(line, own)).or_insert(step);
        }
    }
    let mut above = 0;
    for line in lines {
        let Some(own) = blanks(line) else { continue };
        above = step(line, own).or_else(|| steps.get(&place(line, own)).copied()).unwrap_or(above);
        line.set_blanks_behind_hash(own.saturating_add_signed(above));
    }
}
