//! Commented-out keys among the lines of comments.

use std::ops::Range;

use foldhash::HashSet;

use crate::yaml::commented_out::key_said;

/// Which of some new lines are keys that are neither among the user's nor in the lines that they stand instead of, with what is
/// below them. Who took out the old lines never saw these.
pub(super) fn new_keys(new: &[&str], old: &[&str], user: &[&str]) -> Range<usize> {
    let mut known: HashSet<_> = old.iter().filter_map(|line| key_said(line)).collect();
    if known.is_empty() {
        return 0..0;
    }
    known.extend(user.iter().filter_map(|line| key_said(line)));
    let is_known = |line: &&str| key_said(line).is_some_and(|name| known.contains(name));
    let is_new = |line: &&str| key_said(line).is_some_and(|name| !known.contains(name));
    let start = new.iter().position(is_new).unwrap_or(new.len());
    let end = new[start..].iter().position(is_known).map_or(new.len(), |end| start + end);
    start..end
}
