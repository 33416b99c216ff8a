//! Values that no report, diff or error shows: `***` stands in their place.
//!
//! A value is secret by its path, where somebody said so (`--secret`, the `secret` of a migration file), and by the name of
//! a key on its way, such as `password`. What is printed may show a secret also where it is not the value of its own entry:
//! the first line of a new section, a map in braces, a diff. So the texts are masked line by line before they are compared,
//! and the words of a report are searched for what is secret in any of the files. The written file is never touched.

use std::borrow::Cow;

use crate::check;
use crate::error::Error;
use crate::explain::Explanation;
use crate::migration::Migration;
use crate::outline::{Outline, RowKind};
use crate::path::{Path, Step};
use crate::pattern::{Pattern, Word};
use crate::report::{Change, ChangeKind, Report};
use crate::scan;
use crate::source::Source;

/// What stands in the place of a secret.
const MASK: &str = "***";

/// Words that make the name of a key look like that of a secret.
const NAMES: [&str; 9] =
    ["password", "passwd", "secret", "token", "apikey", "api_key", "private_key", "privatekey", "credential"];

/// Whether a name looks like that of a secret.
pub(crate) fn looks_secret(name: &str) -> bool {
    let name = name.to_lowercase().replace('-', "_");
    NAMES.iter().any(|word| name.contains(word))
}

/// Which values are secret.
#[derive(Debug, Default)]
pub(crate) struct Secrets {
    paths: Vec<Pattern>,
    /// Whether names decide, too.
    by_name: bool,
    /// Written values, each with its key, as they may stand in a report.
    known: Vec<(String, String)>,
}

impl Secrets {
    /// # Errors
    /// A path that is not well formed.
    pub(crate) fn new(paths: &[String], migration: Option<&Migration>, by_name: bool) -> Result<Self, Error> {
        let mut all = paths.iter().map(|path| Pattern::read(path)).collect::<Result<Vec<_>, _>>()?;
        all.extend(migration.iter().flat_map(|migration| migration.secret.iter().cloned()));
        Ok(Self { paths: all, by_name, known: Vec::new() })
    }

    fn is_secret(&self, path: &Path) -> bool {
        let named = |step: &Step| matches!(step, Step::Key(name) if looks_secret(name));
        (self.by_name && path.0.iter().any(named)) || self.paths.iter().any(|pattern| pattern.holds(&path.0))
    }

    /// The text of a value as it may be shown.
    pub(crate) fn shown(&self, path: &Path, text: String) -> String {
        if self.is_secret(path) { MASK.to_owned() } else { text }
    }

    fn is_idle(&self) -> bool {
        !self.by_name && self.paths.is_empty()
    }

    /// A text with its secrets masked; they are known from now on. One that cannot be read has been refused before.
    pub(crate) fn mask_text<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let masked = if self.is_idle() { None } else { self.masked_lines(text) };
        masked.map_or(Cow::Borrowed(text), Cow::Owned)
    }

    fn masked_lines(&mut self, text: &str) -> Option<String> {
        let source = Source::new("text", text).ok()?;
        let outline = check::read(&source).ok()?.outline;
        let mut lines: Vec<String> = source.lines.iter().map(|line| line.0.to_owned()).collect();
        for &root in &outline.documents {
            self.mask_rows(&outline, root, &mut lines);
        }
        let ends = source.lines.iter().map(|line| match line.1 {
            crate::source::End::Missing => "",
            end => end.text("\n"),
        });
        Some(lines.iter().map(String::as_str).zip(ends).flat_map(|(line, end)| [line, end]).collect())
    }

    fn mask_rows(&mut self, outline: &Outline<'_>, row: usize, lines: &mut [String]) {
        if self.is_secret(&outline.path(row)) {
            self.learn(outline, row);
            let next = outline.rows.get(outline.rows[row].end).map_or(lines.len() + 1, |next| next.line);
            mask_lines(lines, outline, row, next);
            return;
        }
        for child in outline.children(row) {
            self.mask_rows(outline, child, lines);
        }
    }

    fn learn(&mut self, outline: &Outline<'_>, row: usize) {
        let value = &outline.rows[row];
        if matches!(value.kind, RowKind::Scalar(_)) && !value.text.is_empty() {
            let name = value.name.as_deref().unwrap_or_default().to_owned();
            self.known.extend(value.text.lines().map(|line| (name.clone(), line.trim().to_owned())));
        }
        outline.children(row).for_each(|child| self.learn(outline, child));
    }

    /// Learns what variables with secret names stand for.
    pub(crate) fn learn_variables(&mut self, report: &Report) {
        for variable in report.variables() {
            if self.is_secret(&Path(vec![Step::Key(variable.name.clone())])) {
                self.known.push((variable.name.clone(), variable.value.clone()));
            }
        }
    }

    /// A report that shows no secret. All texts that it tells of have to be masked first, so that theirs are known.
    pub(crate) fn mask_report(&self, report: &Report) -> Report {
        let mut masked = report.clone();
        if self.is_idle() {
            return masked;
        }
        masked.changes.iter_mut().for_each(|change| self.mask_change(change));
        for variable in &mut masked.variables {
            let path = Path(vec![Step::Key(variable.name.clone())]);
            variable.value = if self.is_secret(&path) { MASK.to_owned() } else { self.mask_words(&variable.value) };
        }
        masked
    }

    /// An explanation that shows no secret.
    pub(crate) fn mask_explanation(&self, mut told: Explanation) -> Explanation {
        let secret = steps(&told.path).is_some_and(|path| self.is_secret(&path));
        let values = told.value.iter_mut().chain([&mut told.origin]);
        let details = Some(&mut told.detail).filter(|detail| !detail.is_empty());
        for text in values.chain(details) {
            *text = if secret { MASK.to_owned() } else { self.mask_words(text) };
        }
        told
    }

    fn mask_change(&self, change: &mut Change) {
        let comment =
            matches!(change.kind, ChangeKind::CommentReplaced | ChangeKind::Alias | ChangeKind::ItemLeftAlone);
        let path = matches!(change.kind, ChangeKind::MoveSuggested | ChangeKind::SideBySide | ChangeKind::Moved);
        let secret = !comment && !path && steps(&change.path).is_some_and(|path| self.is_secret(&path));
        let mask = |text: &str| if secret { MASK.to_owned() } else { self.mask_words(text) };
        change.text = mask(&change.text);
        if let Some(values) = &mut change.values {
            let values = [&mut values.current, &mut values.base, &mut values.update];
            values.into_iter().flatten().for_each(|value| value.text = mask(&value.text));
        }
    }

    /// Words without the secrets in them. A short one may be part of any word, and is only masked behind its key.
    pub(crate) fn mask_words(&self, text: &str) -> String {
        let mut masked = text.to_owned();
        for (name, value) in &self.known {
            for (open, close) in [("", ""), ("\"", "\""), ("'", "'")] {
                masked = masked.replace(&format!("{name}: {open}{value}{close}"), &format!("{name}: {MASK}"));
            }
            if value.chars().count() >= LONG {
                masked = masked.replace(value.as_str(), MASK);
            }
        }
        masked
    }
}

/// From so many characters on a text is masked wherever it stands.
const LONG: usize = 6;

/// A path as it is printed.
fn steps(path: &str) -> Option<Path> {
    let words = Pattern::read(path).ok()?.0;
    let step = |word: Word| if let Word::Step(step) = word { Some(step) } else { None };
    words.into_iter().map(step).collect::<Option<Vec<_>>>().map(Path)
}

/// Masks the lines of a row up to the line of the next. Where the value stands on the line of its key, no other is its,
/// and what ends them, blank or a comment no deeper than the key, is the next one's.
fn mask_lines(lines: &mut [String], outline: &Outline<'_>, row: usize, next: usize) {
    let value = &outline.rows[row];
    let first = value.line - 1;
    let whole = lines.get(first).is_some_and(|line| !value.text.is_empty() && line.contains(&*value.text));
    let mut last = if whole { first + 1 } else { next.max(first + 2) - 1 };
    let column = lines.get(first).map_or(0, |line| indent(line));
    let is_next = |line: &String| line.trim().is_empty() || (indent(line) <= column && line.trim().starts_with('#'));
    while last > first + 1 && lines.get(last - 1).is_none_or(is_next) {
        last -= 1;
    }
    for (at, line) in lines.iter_mut().enumerate().take(last).skip(first) {
        let blanks = line.len() - line.trim_start().len();
        let kept = if at == first { scan::key_and_rest(line.trim_start()).map(|(key, _)| key.len() + 1) } else { None };
        if kept.is_some() || !line.trim().is_empty() {
            let dash = if line.trim_start().starts_with("- ") && kept.is_none() { "- " } else { "" };
            let start = line[..blanks + kept.unwrap_or(0)].to_owned();
            let gap = if kept.is_some() { " " } else { dash };
            *line = format!("{start}{gap}{MASK}");
        }
    }
}

/// A line of a text that an error is about, and the lines that hold it: the text may be no YAML, so columns decide what a
/// line belongs to. It cannot be shown but without what a secret key holds.
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
        let (mut column, mut item) = (indent(line), is_item(line));
        let mut holders = Vec::new();
        for above in above.into_iter().rev().filter(|line| !line.trim().is_empty()) {
            if indent(above) < column || (item && indent(above) == column && !is_item(above)) {
                (column, item) = (indent(above), is_item(above));
                holders.push(above.to_owned());
            }
        }
        Some(Self { line: line.to_owned(), holders }.hiding(&[]))
    }

    /// The same with nothing that keys of these names hold, nor those that look secret.
    pub(crate) fn hiding(mut self, names: &[String]) -> Self {
        let secret = self.holders.iter().any(|holder| secret_colon(holder, names).is_some());
        self.line = if secret { MASK.to_owned() } else { mask_line(&self.line, names).into_owned() };
        self
    }

    pub(crate) fn line(&self) -> &str {
        &self.line
    }
}

/// The keys that secret paths end in: in a file that cannot be read there are no paths, only names.
pub(crate) fn names(paths: &[String], migration: Option<&Migration>) -> Vec<String> {
    let given = paths.iter().filter_map(|path| Pattern::read(path).ok());
    let all = given.chain(migration.iter().flat_map(|migration| migration.secret.iter().cloned()));
    let key = |word: Word| if let Word::Step(Step::Key(name)) = word { Some(name) } else { None };
    all.filter_map(|pattern| pattern.0.into_iter().rev().find_map(key)).collect()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_item(line: &str) -> bool {
    line.trim_start().starts_with('-')
}

/// What stands behind a key that looks secret, or has one of these names, is masked.
pub(crate) fn mask_line<'l>(line: &'l str, names: &[String]) -> Cow<'l, str> {
    match secret_colon(line, names).and_then(|colon| line.split_at_checked(colon + 1)) {
        Some((key, value)) if !value.trim().is_empty() => Cow::Owned(format!("{key} {MASK}")),
        _ => Cow::Borrowed(line),
    }
}

/// Where the colon behind the first key of a line that is secret stands.
fn secret_colon(line: &str, names: &[String]) -> Option<usize> {
    let is_secret = |word: &str| looks_secret(word) || names.iter().any(|name| name == word.trim_matches(['"', '\'']));
    let mut word = 0;
    for (at, mark) in line.match_indices([' ', '\t', '{', ',', ':']) {
        if mark == ":" && line.get(word..at).is_some_and(is_secret) {
            return Some(at);
        }
        word = at + mark.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets() -> Secrets {
        Secrets::new(&["db/*/dsn".to_owned()], None, true).unwrap()
    }

    #[test]
    fn values_are_masked_by_name_and_by_path_and_all_else_stays() {
        let table = [
            ("password: hunter2\nport: 80\n", "password: ***\nport: 80\n"),
            ("db:\n  main: {dsn: x}\n  log:\n    dsn: 'y' # a\n", "db:\n  main: ***\n  log:\n    dsn: ***\n"),
            ("api_key: |\n  one\n  # two\nport: 1\n", "api_key: ***\n  ***\n  ***\nport: 1\n"),
            ("tokens:\n- a\n- b\n", "tokens: ***\n- ***\n- ***\n"),
            ("tokens:\n- a\n# b\n- c\n\n# end\nport: 80\n", "tokens: ***\n- ***\n***\n- ***\n\n# end\nport: 80\n"),
            ("api_key: \"\"\n\n# one\n# two\nport: 80\n", "api_key: ***\n\n# one\n# two\nport: 80\n"),
            (
                "a:\n  password:\n    # spare: b\n  # two\n  port: 80\n",
                "a:\n  password: ***\n    ***\n  # two\n  port: 80\n",
            ),
            ("users: [{name: a, password: b}]\n", "users: ***\n"),
        ];
        for (text, masked) in table {
            assert_eq!(secrets().mask_text(text), masked);
        }
    }

    #[test]
    fn words_are_masked_where_a_secret_is_known() {
        let mut secrets = secrets();
        secrets.mask_text("password: hunter2\ntoken: ab\n");
        assert_eq!(
            secrets.mask_words("auth: {password: hunter2, token: ab, cab: 1}"),
            "auth: {password: ***, token: ***, cab: 1}"
        );
        assert_eq!(mask_line("  db_password: \"open", &[]), "  db_password: ***");
        assert_eq!(mask_line("a: {b: 1, token: x", &[]), "a: {b: 1, token: ***");
        assert_eq!(mask_line("  port: \"open", &[]), "  port: \"open");
    }

    #[test]
    fn the_name_of_a_path_is_its_last_key() {
        let paths = ["db/dsn", "**/pin", "users[name=ann]/shell", "vault/**", "keys[0]", "*"].map(str::to_owned);
        assert_eq!(names(&paths, None), ["dsn", "pin", "shell", "vault", "keys"]);
    }

    #[test]
    fn a_line_below_a_key_that_looks_secret_is_not_shown() {
        let text = "private_key: |\n  -----BEGIN\n\n  MIIE\nport: 80\ntokens:\n- one\n-\n    two\nlast:\n- three\n";
        let shown = |number| Excerpt::of(text, number).unwrap().line;
        assert_eq!([2, 4, 7, 9].map(shown), [MASK; 4]);
        assert_eq!([1, 5, 6, 11].map(shown), ["private_key: ***", "port: 80", "tokens:", "- three"]);
        let hidden = |number| Excerpt::of(text, number).unwrap().hiding(&["last".to_owned()]).line;
        assert_eq!([5, 11].map(hidden), ["port: 80", MASK]);
        assert_eq!([0, 99].map(|number| Excerpt::of(text, number)), [None, None]);
    }
}
