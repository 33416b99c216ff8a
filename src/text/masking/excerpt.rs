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
        let is_secret = is_in_private_key(&above) || is_value_of_secret(&above, line);
        let line = if is_secret { MASK } else { line }.to_owned();
        Some(Self { line, holders }.hiding(&names))
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

/// Whether the line behind these is one of a private key, wherever it stands.
fn is_in_private_key(above: &[&str]) -> bool {
    let mark = above.iter().rev().find(|line| line.contains("-----BEGIN ") || line.contains("-----END "));
    mark.is_some_and(|mark| mark.contains("-----BEGIN ") && !mark.contains("-----END "))
}

/// Whether a line has the `value` of what it, or a line right above, gives the `name` of a secret.
fn is_value_of_secret(above: &[&str], line: &str) -> bool {
    let names =
        |line: &&str| ["name:", "key:"].iter().filter_map(|key| line.split_once(key)).any(|(_, of)| is_name(of));
    let is_name = |line: &&str| names(line) || line.trim_start().starts_with("- ");
    let has_value = ["value:", "value\":", "value':"].iter().any(|key| line.contains(key));
    has_value && (names(&line) || above.iter().rev().copied().find(is_name).is_some_and(|line| names(&line)))
}

/// Whether the first word behind a colon is the name of a secret.
fn is_name(behind: &str) -> bool {
    let end = behind.find([',', '}', '#']).unwrap_or(behind.len());
    looks_secret(behind[..end].trim().trim_matches(['"', '\'']))
}

/// The lines that a line stands in, from the nearest on. Nobody knows how far a tab indents a line.
fn holders(above: &[&str], line: &str) -> Vec<String> {
    let has_tab = line[..indent(line)].contains('\t');
    let (mut column, mut item) = (if has_tab { usize::MAX } else { indent(line) }, is_item(line));
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
    fn a_line_of_a_secret_is_not_shown_wherever_it_stands() {
        let shown = |text: &str, number| Excerpt::of(text, number).unwrap().line().to_owned();
        let pem = "tls:\n  key: |\n    -----BEGIN RSA PRIVATE KEY-----\n   MIIE\n    -----END RSA PRIVATE KEY-----\n   port: 1\n";
        assert_eq!([4, 6].map(|number| shown(pem, number)), [MASK, "   port: 1"]);
        let tab = "tls:\n  password: |\n    a\n\tHunter\nport: |\n  a\n\tb\n";
        assert_eq!([4, 7].map(|number| shown(tab, number)), [MASK, "\tb"]);
        let env = "- name: DB_PASSWORD\n  value: x: y\n- {name: API_TOKEN, value: x: y}\n- name: HOST\n  value: x: y\n";
        assert_eq!([2, 3, 5].map(|number| shown(env, number)), [MASK, MASK, "  value: x: y"]);
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
