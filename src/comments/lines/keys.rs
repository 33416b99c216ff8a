//! Commented-out keys among the lines of comments.

use std::ops::Range;

use foldhash::HashSet;

use crate::yaml::commented_out::key_said;

/// The names of the keys that are commented out in some lines.
pub(super) fn keys<'l>(lines: &[&'l str]) -> HashSet<&'l str> {
    lines.iter().filter_map(|line| key_said(line)).collect()
}

/// Which of some new lines are keys whose names are neither among those that the user has commented out nor in the lines that
/// they stand instead of, with what is below them. Who took out the old lines never saw these.
pub(super) fn new_keys(new: &[&str], old: &[&str], users: &HashSet<&str>) -> Range<usize> {
    let old = keys(old);
    if old.is_empty() {
        return 0..0;
    }
    let knows = |name: &str| old.contains(name) || users.contains(name);
    let is_known = |line: &&str| key_said(line).is_some_and(knows);
    let is_new = |line: &&str| key_said(line).is_some_and(|name| !knows(name));
    let start = new.iter().position(is_new).unwrap_or(new.len());
    let end = new[start..].iter().position(is_known).map_or(new.len(), |end| start + end);
    start..end
}
