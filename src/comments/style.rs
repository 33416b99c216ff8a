//! How far from its `#` each line of a commented-out key stands.

use foldhash::HashMap;

use crate::yaml::commented_out::Said;
use crate::yaml::tree::Line;

/// Writes the lines of a commented-out key as far from their `#` as others that say the same, the first ones before all. Lines
/// that none of the others say move as those do that stood where they do, or else as the line above them.
///
/// A reader takes commented-out lines for one block only where they are written alike: `#  - b` is not in the list of
/// `# k:` and `# - a`. A line that another says in two places as far in as it stands is where it should be: `port: 1` may
/// be in two blocks.
pub(super) fn write_alike(lines: &mut [Line<'_>], others: [&[Line<'_>]; 2]) {
    let known = others.map(blanks_of);
    let step = |said: &Said<'_>| {
        let known = known.iter().find_map(|known| known.get(said.text))?;
        if known.contains(&said.blanks) { Some(0) } else { Some(known[0] - said.blanks) }
    };
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

/// How far from its `#` each line says what it says, for each place where it does.
fn blanks_of<'l>(lines: &'l [Line<'_>]) -> HashMap<&'l str, Vec<i32>> {
    let mut blanks: HashMap<_, Vec<_>> = HashMap::default();
    for said in lines.iter().filter_map(|line| Said::of(line.trimmed())) {
        blanks.entry(said.text).or_default().push(said.blanks);
    }
    blanks
}
