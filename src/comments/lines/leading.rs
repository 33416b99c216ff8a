//! What stays of a dropped comment for what the user says in it.

use std::ops::Range;

use foldhash::HashSet;

use super::Edits;
use crate::comments::blocks;
use crate::yaml::tree::Line;

/// The lines of the base that stay with what the user says, though the update dropped them: those that lead to it in
/// commented-out blocks dropped whole, and the ornaments below it.
pub(super) fn leading<'l>(
    user: &'l [Line<'_>],
    [own, new]: [&Edits; 2],
    is_in_update: impl Fn(&'l str) -> bool,
) -> HashSet<usize> {
    let kept = || own.kept.iter().zip(&new.kept).filter_map(|(mine, new)| Some(((*mine)?, new.is_some())));
    if own.inserted.iter().all(Range::is_empty) || kept().all(|(_, stays)| stays) {
        return HashSet::default();
    }
    // For each line of the user's whether the update has it, and nothing where the base has not.
    let mut stays = vec![None; user.len()];
    kept().for_each(|(line, is_kept)| stays[line] = Some(is_kept));
    let is_own = |&line: &usize| stays[line].is_none() && user[line].has_words() && !is_in_update(user[line].said());
    let ends = blocks::ends(user);
    let is_left_of =
        |mut lines: Range<usize>| lines.clone().all(|at| stays[at] != Some(true)) && lines.any(|at| is_own(&at));
    let leads = |line: usize| user[line].is_comment() && is_left_of(line + 1..ends[line]);
    let mut all = HashSet::default();
    for line in (0..user.len()).filter(|line| stays[*line] == Some(false)) {
        let adorns =
            user[line].is_ornament() && line.checked_sub(1).is_some_and(|above| is_own(&above) || all.contains(&above));
        if adorns || leads(line) {
            all.insert(line);
        }
    }
    all
}
