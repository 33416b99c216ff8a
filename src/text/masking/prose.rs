//! Secrets in lines of which nobody knows what they are: comments, texts inside of values, words of a report.
//!
//! What stands behind a name that looks secret and a colon or `=` is masked, and so are the password in a URL, tokens and
//! private keys ([`tokens`]). Of a commented-out key all comment lines below it that are deeper, or are its items, go with it.

use std::borrow::Cow;
use std::collections::HashSet;

use super::MASK;
use super::names::{looks_secret, may_look_secret};
use super::{tokens, url};
use crate::text::scan::{self, Brackets, Start};

/// What ends the name before a colon or `=` towards the start of its line.
const BEFORE_NAME: [char; 15] = [' ', '\t', '{', '[', '(', ',', ';', '&', '?', ':', '=', '|', '<', '>', '`'];
/// What ends a value behind `=`.
const BEHIND_VALUE: [char; 12] = [' ', '\t', ',', ';', '&', '"', '\'', ')', '}', ']', '|', '`'];

/// Several lines, each masked; comment lines below a commented-out secret key with it.
pub(crate) fn lines(text: &str, names: &[String]) -> String {
    let mut commented = Commented::of(text);
    let lines = text.split('\n').map(|line| commented.line(line, names));
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether anything in a text may be masked: a quick look that most lines do not pass.
pub(crate) fn may_be_masked(text: &str, names: &[String]) -> bool {
    may_name_secret(text, names) || tokens::may_hold(text)
}

/// The same without what is a secret by itself.
fn may_name_secret(text: &str, names: &[String]) -> bool {
    !names.is_empty() || text.contains("://") || may_look_secret(text)
}

/// A line with what looks secret in it masked, and nothing else.
pub(crate) fn line(text: &str) -> String {
    masked_behind(text, &[])
}

/// What stands behind these names, and behind those that look secret, in URLs, and what is a token.
fn masked_behind(text: &str, names: &[String]) -> String {
    tokens::masked(url::masked(&behind_names(text, names)))
}

/// Masks the values behind all names in a line that look secret, or are one of `names`.
fn behind_names(text: &str, names: &[String]) -> String {
    let (mut out, mut from) = (String::new(), 0);
    while let Some((value, end)) = next(text, from, names) {
        out += text.get(from..value).unwrap_or_default();
        out += if text.get(..value).is_some_and(|before| before.ends_with([':', '='])) && is_blank(text, value) {
            " "
        } else {
            ""
        };
        out += MASK;
        from = end.max(value + 1).min(text.len());
    }
    out + text.get(from..).unwrap_or_default()
}

fn is_blank(text: &str, at: usize) -> bool {
    text.get(at..).is_some_and(|rest| rest.starts_with([' ', '\t']))
}

/// Where the next secret value starts and ends, from an offset on.
fn next(text: &str, from: usize, names: &[String]) -> Option<(usize, usize)> {
    let signs = text.get(from..)?.match_indices([':', '=']).map(|(at, sign)| (from + at, sign));
    signs.into_iter().find_map(|(at, sign)| {
        let name = name_before(text, at)?;
        let behind = text.get(at + 1..)?;
        let start = at + 1 + (behind.len() - behind.trim_start_matches([' ', '\t']).len());
        let fits = if sign == ":" { is_colon(text, at) } else { is_assignment(text, at) };
        let value = text.get(start..).filter(|value| !has_nothing(value) && !value.starts_with(MASK))?;
        let is_secret = looks_secret(name) || names.iter().any(|known| known == name);
        (fits && is_secret).then(|| (start, start + length(text, start, sign, value)))
    })
}

/// Whether a value is empty, but for what closes the braces and brackets that it stands in.
fn has_nothing(value: &str) -> bool {
    value.chars().all(|c| matches!(c, '}' | ']' | ' ' | '\t'))
}

/// The word that ends before a sign, without quotes and the dashes of an option.
fn name_before(text: &str, sign: usize) -> Option<&str> {
    let before = text.get(..sign)?.trim_end_matches([' ', '\t']);
    let quoted = before.strip_suffix(['"', '\'']).and_then(|inner| Some(&inner[inner.rfind(['"', '\''])? + 1..]));
    let word = quoted.unwrap_or_else(|| before.rsplit(BEFORE_NAME).next().unwrap_or_default());
    let word = word.trim_matches(['"', '\'']).trim_start_matches(['-', '#', '$']);
    (!word.is_empty() && !word.contains("//")).then_some(word)
}

/// Whether a colon ends a key: a blank or a quote follows, or a quote stands before it.
fn is_colon(text: &str, at: usize) -> bool {
    let behind = text.get(at + 1..).and_then(|rest| rest.chars().next());
    let before = text.get(..at).is_some_and(|before| before.ends_with(['"', '\'']));
    before || matches!(behind, Some(' ' | '\t' | '"' | '\''))
}

/// Whether `=` assigns, and does not compare.
fn is_assignment(text: &str, at: usize) -> bool {
    let before = text.get(..at).is_some_and(|before| before.ends_with(['!', '<', '>', '=', '~']));
    !before && !text.get(at + 1..).is_some_and(|rest| rest.starts_with(['=', '>', '~']))
}

/// How long the value is that starts at an offset behind a sign: a quoted one or one in brackets to its end, in braces and
/// behind `=` as far as a word goes, else to the end of the line.
fn length(text: &str, start: usize, sign: &str, value: &str) -> usize {
    let end = match value.bytes().next() {
        Some(b'"' | b'\'') => scan::quote_end(value),
        Some(b'[' | b'{') => Brackets::default().close(value),
        _ if sign == "=" => value.find(BEHIND_VALUE),
        _ if is_in_flow(text, start) => value.find([',', '}', ']']),
        _ => None,
    };
    end.filter(|&end| end > 0).unwrap_or(value.len())
}

fn is_in_flow(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let count = |mark: char| before.matches(mark).count();
    count('{') > count('}') || count('[') > count(']')
}

/// Follows comment lines: which of them belong to a commented-out key that looks secret.
#[derive(Debug, Default)]
pub(crate) struct Commented {
    /// Where that key stands.
    below: Option<Place>,
    /// Whether there are tokens or private keys in any line.
    has_tokens: bool,
    /// Whether the lines are those of a private key.
    in_key: bool,
    /// The lines below such keys, without their `#`: a report may tell of them alone.
    pub(crate) hidden: HashSet<String>,
}

/// Where a commented-out key stands: behind so many `#`, with blanks between them, at a column.
#[derive(Debug, Clone, Copy)]
struct Place {
    marks: usize,
    column: usize,
    /// Whether its value may go on below it.
    is_open: bool,
}

impl Place {
    /// What stands at a column of a comment line.
    fn of(line: &str, column: usize) -> Self {
        let prefix = line.get(..column).unwrap_or_default();
        let marks = prefix.split([' ', '\t']).filter(|mark| mark.contains('#')).count();
        let value = line.get(column..).and_then(scan::key_and_rest).map_or("", |(_, value)| value);
        Self { marks, column, is_open: scan::value_start(value).0 != Start::Plain }
    }

    /// Whether a comment line is more of what stands here. What is commented out once more is read as the comment that it
    /// would be: at the column of its own `#`. Behind a plain value several words one column deeper are prose, which many set
    /// off from keys by a blank behind the `#`; one word may be more of the value.
    fn holds(self, line: &str) -> bool {
        let below = |text: &str| text.trim_start_matches([' ', '\t', '\u{feff}']).len();
        let skip = |text: &str| text.trim_start_matches([' ', '\t', '\u{feff}']).trim_start_matches('#').len();
        let behind = (0..self.marks).fold(line, |text, _| text.get(text.len() - skip(text)..).unwrap_or_default());
        let column = line.len() - below(behind);
        let text = line.get(column..).unwrap_or_default();
        let is_prose = !self.is_open && column == self.column + 1 && text.trim_ascii_end().contains(' ');
        (column > self.column && !is_prose) || (column == self.column && text.starts_with(['-', ':']))
    }
}

/// What a comment line says.
pub(crate) fn body(line: &str) -> &str {
    line.trim_start_matches([' ', '\t', '#', '\u{feff}'])
}

/// A comment line that says nothing.
pub(crate) fn hide(line: &str) -> String {
    format!("{}{MASK}", line.get(..line.len() - body(line).len()).unwrap_or_default())
}

impl Commented {
    /// One for the lines of a text.
    pub(crate) fn of(text: &str) -> Self {
        Self { has_tokens: tokens::may_hold(text), ..Self::default() }
    }

    /// A line, masked where it has to be.
    pub(crate) fn line<'l>(&mut self, line: &'l str, names: &[String]) -> Cow<'l, str> {
        let has_token = || self.has_tokens && tokens::may_hold(line);
        if self.below.is_none() && !self.in_key && !may_name_secret(line, names) && !has_token() {
            return Cow::Borrowed(line);
        }
        Cow::Owned(self.masked(line, names).unwrap_or_else(|| self::line(line)))
    }

    /// A line that has a comment, masked; nothing for one that has none. Keys that one of `names` calls are secret, too:
    /// of a comment nobody knows at which path it would be.
    pub(crate) fn masked(&mut self, line: &str, names: &[String]) -> Option<String> {
        if self.in_key && tokens::is_in_key(body(line)) {
            self.in_key = !tokens::ends_key(line);
            self.hidden.insert(body(line).trim_end().to_owned());
            return Some(hide(line));
        }
        self.in_key = tokens::starts_key(line) && !tokens::ends_key(line);
        if !scan::is_comment(line) {
            self.below = None;
            let (code, comment) = line.split_at_checked(line.find(" #")?)?;
            return Some(self::line(code) + &masked_behind(comment, names));
        }
        let body = body(line);
        let column = line.len() - body.len();
        match self.below {
            _ if body.is_empty() => return Some(line.to_owned()),
            Some(key) if key.holds(line) => {
                self.hidden.insert(body.trim_end().to_owned());
                return Some(hide(line));
            }
            _ => self.below = None,
        }
        let key = body.trim_start_matches(['-', '?', ' ']);
        let name = key.split_once(':').map_or(key, |(name, _)| name).trim().trim_matches(['"', '\'']);
        let is_key = key.contains(':') || body.starts_with('?');
        if is_key && (looks_secret(name) || names.iter().any(|known| known == name)) && !name.contains(' ') {
            let column = if body.starts_with('?') { column } else { line.len() - key.len() };
            self.below = Some(Place::of(line, column));
        }
        Some(masked_behind(line, names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_behind_a_name_is_masked_as_far_as_it_goes() {
        let table = [
            ("db_password: open sesame", "db_password: ***"),
            ("auth: {password: a b, token: \"x, y\", cab: 1}", "auth: {password: ***, token: ***, cab: 1}"),
            ("{\"password\":\"x\",\"port\":80}", "{\"password\":***,\"port\":80}"),
            ("run --password=hunter2 --port=80", "run --password=*** --port=80"),
            ("Server=db;User=a;Password=b c;Port=1", "Server=db;User=a;Password=*** c;Port=1"),
            ("https://x/?token=abc&page=2", "https://x/?token=***&page=2"),
            ("password = hunter2", "password = ***"),
            ("tokens: [a, b] # and", "tokens: *** # and"),
            ("port: 80", "port: 80"),
            ("the password: ", "the password: "),
            ("{a: 1, b: {apiKey: }}", "{a: 1, b: {apiKey: }}"),
            ("if token == x then", "if token == x then"),
            ("https://token.example.org:443/a", "https://token.example.org:443/a"),
            ("users[name=token]/shell", "users[name=token]/shell"),
            ("token_ttl: 5", "token_ttl: 5"),
        ];
        for (text, masked) in table {
            assert_eq!(line(text), masked);
        }
    }

    #[test]
    fn comments_about_the_keys_behind_a_commented_out_one_are_no_part_of_it() {
        let text = "#cache:\n#   password:\n#   # username: for two words\n#   # index: 1\n#   # token:\n#   #   - a\n#   index: 2\n";
        assert_eq!(lines(text, &[]), text.replace("- a", MASK));
        assert_eq!(lines("#secrets:\n#  # db: b\n", &[]), "#secrets:\n#  # ***\n");
    }

    #[test]
    fn prose_below_a_key_with_a_value_is_no_part_of_it() {
        let text = "#password: pass\n# our note: ask Jim\n#token: a\n#  b c\n#pwd: d\n# e\n#secrets:\n# db: c\n";
        let masked = "#password: ***\n# our note: ask Jim\n#token: ***\n#  ***\n#pwd: ***\n# ***\n#secrets:\n# ***\n";
        assert_eq!(lines(text, &[]), masked);
    }

    #[test]
    fn a_commented_out_key_takes_its_block_along() {
        let text =
            "# password: a\n#secrets:\n#  db: b\n#\n#- c\n#port: 80\nport: 1 # token: d\n#  ? pwd\n#  : e\n# dsn: f\n";
        let masked = "# password: ***\n#secrets:\n#  ***\n#\n#***\n#port: 80\nport: 1 # token: ***\n#  ? pwd\n#  ***\n# dsn: ***\n";
        assert_eq!(lines(text, &["dsn".to_owned()]), masked);
    }
}
