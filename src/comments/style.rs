//! How far from its `#` each line of a commented-out key stands.

use foldhash::HashMap;

use crate::yaml::commented_out::Said;
use crate::yaml::tree::Line;

/// Writes the lines of a commented-out key as far from their `#` as others that say the same, the first ones before all. Lines
/// that none of the others say move as those do that stood where they do, or else as the line above them.
///
/// A reader takes commented-out lines for one block only where they are written alike: `#  - b` is not in the list of
/// `# k:` and `# - a`.
pub(super) fn write_alike(lines: &mut [Line<'_>], others: [&[Line<'_>]; 2]) {
    let mut known = HashMap::default();
    for said in others.into_iter().flatten().filter_map(|line| Said::of(line.trimmed())) {
        known.entry(said.text).or_insert(said.blanks);
    }
    let step = |said: &Said<'_>| Some(known.get(said.text)? - said.blanks);
    let place = |said: &Said<'_>| (said.blanks, said.text.starts_with('-'));
    let mut steps = HashMap::default();
    for said in lines.iter().filter_map(|line| Said::of(line.trimmed())) {
        if let Some(step) = step(&said) {
            steps.entry(place(&said)).or_insert(step);
        }
    }
    let mut above = 0;
    for line in lines {
        let Some(said) = Said::of(line.trimmed()) else { continue };
        above = step(&said).or_else(|| steps.get(&place(&said)).copied()).unwrap_or(above);
        let blanks = usize::try_from(said.blanks + above).unwrap_or(0);
        line.set_blanks_behind_hash(blanks);
    }
}
