//! How versions are ordered: number by number between the dots, and what is no number as text.

use std::cmp::Ordering;

/// Compares two versions: `2.9` is before `2.10`, and `2` is `2.0`.
pub(crate) fn compare(a: &str, b: &str) -> Ordering {
    let (mut mine, mut theirs) = (parts(a), parts(b));
    loop {
        match (mine.next(), theirs.next()) {
            (None, None) => return Ordering::Equal,
            (mine, theirs) => match part(mine.unwrap_or("0"), theirs.unwrap_or("0")) {
                Ordering::Equal => {}
                order => return order,
            },
        }
    }
}

/// Whether a word starts with a number, as versions do; a `v` may stand before it.
pub(crate) fn has_number(word: &str) -> bool {
    bare(word).starts_with(|c: char| c.is_ascii_digit())
}

/// A version without the `v` before it, which says nothing.
fn bare(version: &str) -> &str {
    let rest = version.strip_prefix(['v', 'V']).filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    rest.unwrap_or(version)
}

fn parts(version: &str) -> impl Iterator<Item = &str> {
    bare(version).split('.')
}

/// What is no number, such as `0-rc1`, goes by its number first, and a word behind that is before none: a release
/// candidate comes before its release.
fn part(a: &str, b: &str) -> Ordering {
    let cut = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let ((mine, my_word), (theirs, their_word)) = (a.split_at(cut(a)), b.split_at(cut(b)));
    let number = |digits: &str| (digits.trim_start_matches('0').len(), digits.trim_start_matches('0').to_owned());
    let words = || (my_word.is_empty(), my_word).cmp(&(their_word.is_empty(), their_word));
    number(mine).cmp(&number(theirs)).then_with(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_go_by_their_numbers() {
        let ascending = ["1", "1.9", "1.10", "2.0-rc1", "2.0-rc2", "2.0", "2.0.1", "2024.1"];
        for pair in ascending.windows(2) {
            assert_eq!(compare(pair[0], pair[1]), Ordering::Less, "{pair:?}");
        }
        assert_eq!(compare("v2", "2.0.0"), Ordering::Equal);
    }
}
