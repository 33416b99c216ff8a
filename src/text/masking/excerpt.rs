//! A line of a text that an error is about: the text may be no YAML, so columns decide what a line belongs to.

use std::borrow::Cow;

use super::names::looks_secret;
use super::{MASK, documents, prose};

/// The line, and the lines that hold it. It cannot be shown but without what a secret key holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Excerpt {
    line: String,
    holders: Vec<String>,
}

impl Excerpt {
    /// The line of this number, from 1.
    pub(crate) fn of(text: &str, number: usize) -> Option<Self> {
        let mut above: Vec<_> = text.split('\n').take(number).collect();
        let line = if above.len() == number { above.pop()?.trim_end_matches('\r') } else { return None };
        let holders = holders(&above, line);
        let names: Vec<_> = documents::secret_keys_at(text, number).into_iter().map(str::to_owned).collect();
        Some(Self { line: line.to_owned(), holders }.hiding(&names))
    }

    /// The same with nothing that keys of these names hold, nor those that look secret.
    pub(crate) fn hiding(mut self, names: &[String]) -> Self {
        let is_held = self.holders.iter().any(|holder| is_secret_holder(holder, names));
        self.line = if is_held { MASK.to_owned() } else { mask_line(&self.line, names).into_owned() };
        self
    }

    pub(crate) fn line(&self) -> &str {
        &self.line
    }
}

/// How many blanks a line starts with.
pub(crate) fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The lines that a line stands in, from the nearest on.
fn holders(above: &[&str], line: &str) -> Vec<String> {
    let (mut column, mut item) = (indent(line), is_item(line));
    let mut value = is_value(line);
    let mut holders = Vec::new();
    for above in above.iter().rev().filter(|line| !line.trim().is_empty()) {
        let same = indent(above) == column;
        let holds = indent(above) < column || (item && same && !is_item(above)) || (value && same && is_key(above));
        if holds {
            (column, item, value) = (indent(above), is_item(above), is_value(above));
            holders.push((*above).to_owned());
        }
    }
    holders
}

fn is_item(line: &str) -> bool {
    line.trim_start().starts_with('-')
}

/// Whether a line starts the value of a key that is written with `?`.
fn is_value(line: &str) -> bool {
    line.trim_start().starts_with(':')
}

fn is_key(line: &str) -> bool {
    explicit_key(line).is_some()
}

/// The key that a line writes behind `?`, or behind `#` and `?`.
fn explicit_key(line: &str) -> Option<&str> {
    line.trim_start_matches([' ', '\t', '-', '#']).strip_prefix("? ").map(|key| key.trim().trim_matches(['"', '\'']))
}

fn is_secret_holder(line: &str, names: &[String]) -> bool {
    let is_named = |key: &str| looks_secret(key) || names.iter().any(|name| name == key);
    secret_colon(line, names).is_some() || explicit_key(line).is_some_and(is_named)
}

/// What stands behind a key that looks secret, or has one of these names, is masked.
pub(crate) fn mask_line<'l>(line: &'l str, names: &[String]) -> Cow<'l, str> {
    match secret_colon(line, names).and_then(|colon| line.split_at_checked(colon + 1)) {
        Some((key, value)) if !value.trim().is_empty() => Cow::Owned(format!("{key} {MASK}")),
        _ => Cow::Owned(prose::line(line)),
    }
}

/// Where the colon behind the first key of a line that is secret stands.
fn secret_colon(line: &str, names: &[String]) -> Option<usize> {
    let is_secret =
        |word: &str| looks_secret(word) || names.iter().any(|name| name == word.trim_matches(['"', '\'', '#']));
    let mut word = 0;
    for (at, mark) in line.match_indices([' ', '\t', '{', ',', ':']) {
        if mark == ":" && line.get(word..at).is_some_and(is_secret) {
            return Some(at);
        }
        word = at + mark.len();
    }
    None
}

/// A text that nobody could read, line by line: what a secret key holds is masked.
pub(crate) fn mask_unread(text: &str, names: &[String]) -> String {
    let (mut commented, mut below) = (prose::Commented::of(text), None);
    let mut mask = |line: &str| {
        let column = indent(line);
        if line.trim().is_empty() {
            return line.to_owned();
        }
        if below.is_some_and(|key| column > key || (column == key && (is_item(line) || is_value(line)))) {
            return format!("{}{MASK}", &line[..column]);
        }
        below = is_secret_holder(line, names).then_some(column);
        commented.masked(line, names).unwrap_or_else(|| mask_line(line, names).into_owned())
    };
    text.split('\n').map(&mut mask).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_behind_a_key_that_looks_secret_is_masked() {
        assert_eq!(mask_line("  db_password: \"open", &[]), "  db_password: ***");
        assert_eq!(mask_line("a: {b: 1, token: x", &[]), "a: {b: 1, token: ***");
        assert_eq!(mask_line("  port: \"open", &[]), "  port: \"open");
    }

    #[test]
    fn a_line_below_a_key_that_looks_secret_is_not_shown() {
        let text = "private_key: |\n  -----BEGIN\n\n  MIIE\nport: 80\ntokens:\n- one\n-\n    two\nlast:\n- three\n";
        let shown = |number| Excerpt::of(text, number).unwrap().line().to_owned();
        assert_eq!([2, 4, 7, 9].map(shown), [MASK; 4]);
        assert_eq!([1, 5, 6, 11].map(shown), ["private_key: ***", "port: 80", "tokens:", "- three"]);
        let hidden = |number| Excerpt::of(text, number).unwrap().hiding(&["last".to_owned()]).line().to_owned();
        assert_eq!([5, 11].map(hidden), ["port: 80", MASK]);
        assert_eq!([0, 99].map(|number| Excerpt::of(text, number)), [None, None]);
    }
}
