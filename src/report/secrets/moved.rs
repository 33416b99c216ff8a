//! Secrets that move: what is not shown at one end of a move is not shown at the other.

use super::{LooksSecret, is_secret_step};
use crate::yaml::pattern::{Pattern, Word};

/// The paths to which moves carry what these paths hide, or what only looks secret and is hidden, and from which.
pub(super) fn carried(paths: &[Pattern], moves: &[(Pattern, Pattern)], alike: LooksSecret) -> Vec<Pattern> {
    let by_name = alike == LooksSecret::Hidden;
    let forward = moves.iter().map(|(from, to)| (from, to));
    let back = moves.iter().rev().map(|(from, to)| (to, from));
    let mut all = paths.to_vec();
    for (end, other) in forward.chain(back) {
        let looks_secret = by_name && end.0.iter().any(|word| matches!(word, Word::Step(step) if is_secret_step(step)));
        let whole = (looks_secret || all.iter().any(|path| covers(path, end))).then(|| other.clone());
        let inside = all.iter().filter_map(|path| path.0.strip_prefix(&end.0[..]).filter(|rest| !rest.is_empty()));
        let inside = inside.map(|rest| Pattern([&other.0[..], rest].concat()));
        let is_new = |path: &Pattern| !all.iter().any(|known| covers(known, path));
        let found: Vec<_> = whole.into_iter().chain(inside).filter(is_new).collect();
        all.extend(found);
    }
    all.split_off(paths.len())
}

/// Whether a pattern holds all that another names.
fn covers(pattern: &Pattern, other: &Pattern) -> bool {
    other.0.starts_with(&pattern.0) || other.path().is_some_and(|path| pattern.holds(&path.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(paths: &[&str]) -> Vec<Pattern> {
        paths.iter().map(|path| Pattern::read(path).unwrap()).collect()
    }

    fn texts(paths: &[&str], moves: &[(&str, &str)]) -> Vec<String> {
        let moves: Vec<_> = moves.iter().map(|(from, to)| patterns(&[from, to])).collect();
        let moves: Vec<_> = moves.into_iter().map(|ends| (ends[0].clone(), ends[1].clone())).collect();
        carried(&patterns(paths), &moves, LooksSecret::Hidden).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_secret_is_one_at_both_ends_of_each_move() {
        assert_eq!(texts(&["db/dsn"], &[("dsn", "db/dsn")]), ["dsn"]);
        assert_eq!(texts(&["**/dsn"], &[("dsn", "db/url"), ("db/url", "store/url")]), ["db/url", "store/url"]);
        assert_eq!(texts(&["c"], &[("a", "b"), ("b", "c")]), ["b", "a"]);
        assert_eq!(texts(&[], &[("smtp_login", "smtp/password")]), ["smtp_login"]);
    }

    #[test]
    fn a_secret_inside_of_what_moves_is_one_there() {
        assert_eq!(texts(&["new/dsn"], &[("old", "new")]), ["old/dsn"]);
        assert_eq!(texts(&["other/dsn"], &[("old", "new")]), [""; 0]);
    }
}
