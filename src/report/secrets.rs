//! Values that no report, diff or error shows: `***` stands in their place.
//!
//! A value is secret by its path, where somebody said so (`--secret`, the `secret` of a migration file), and unless
//! `--show-secrets` is given also by the name of a key on its way, such as `password` ([`names`](mod@names)), by how it is written, as a
//! private key is ([`tokens`](crate::text::masking::tokens)), by what stands beside it ([`rows`]), and by the document that it is in ([`documents`]). What is printed may show a secret also where it is not the
//! value of its own entry: the first line of a new section, a map in braces, a comment, a diff. So texts are masked line by
//! line before they are compared ([`texts`]), and the words of a report are searched for what is secret in any of the files
//! ([`known`]) and for what looks like it ([`prose`]). The written file is never touched.

mod documents;
mod known;
mod moved;
mod rows;
mod texts;

use foldhash::HashSet;

use self::known::Known;
use self::rows::Found;
use crate::report::explanation::Explanation;
use crate::report::{Change, ChangeKind, Difference, Report};
use crate::text::error::Error;
use crate::text::masking::{MASK, names, prose};
use crate::text::scan;
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::path::{Path, Step};
use crate::yaml::pattern::{Pattern, Word};
use crate::yaml::row::RowId;

/// What becomes of a value that nobody called secret but that looks like one, such as that of a key called `password`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LooksSecret {
    Hidden,
    Shown,
}

/// Which values are secret.
#[derive(Debug, Clone, Default)]
pub(crate) struct Secrets {
    paths: Vec<Pattern>,
    /// The keys that the paths end in: in a comment there are no paths, only names.
    names: Vec<String>,
    /// Whether names decide, too.
    by_name: bool,
    /// Where secrets were found that neither their path nor their name tells.
    found: HashSet<Path>,
    /// Comment lines below commented-out keys that look secret.
    comments: HashSet<String>,
    known: Known,
}

impl Secrets {
    /// What is secret by these paths and by those that a release ships.
    ///
    /// # Errors
    /// A path that is not well formed.
    pub(crate) fn new(paths: &[String], shipped: &[Pattern], alike: LooksSecret) -> Result<Self, Error> {
        let mut all = paths.iter().map(|path| Pattern::read(path)).collect::<Result<Vec<_>, _>>()?;
        all.extend_from_slice(shipped);
        let names = last_keys(paths, shipped);
        Ok(Self { paths: all, names, by_name: alike == LooksSecret::Hidden, ..Self::default() })
    }

    /// The same where values move before they are told of: by their old paths and their new ones.
    pub(crate) fn with_moves(mut self, moves: &[(Pattern, Pattern)]) -> Self {
        let alike = if self.by_name { LooksSecret::Hidden } else { LooksSecret::Shown };
        let carried = moved::carried(&self.paths, moves, alike);
        self.names.extend(carried.iter().filter_map(last_key));
        self.paths.extend(carried);
        self
    }

    /// The keys that secret paths end in.
    pub(crate) fn into_names(self) -> Vec<String> {
        self.names
    }

    /// Names alone decide.
    pub(crate) fn told_by_names() -> Self {
        Self { by_name: true, ..Self::default() }
    }

    /// The same for an error, which never shows what names say is secret in any of these texts.
    pub(crate) fn for_errors(&self, texts: [&str; 4]) -> Self {
        let mut all = Self { by_name: true, ..self.clone() };
        for text in texts {
            all.mask_text(text);
        }
        all
    }

    /// Whether a value is secret, by any step on its way.
    pub(crate) fn is_secret(&self, path: &Path) -> bool {
        let mut ends = (1..=path.0.len()).filter_map(|end| path.0.get(..end));
        let inside = inside_of_document(&path.0);
        let is_found = |steps: &[Step]| !self.found.is_empty() && self.found.contains(&Path(steps.to_vec()));
        self.paths.iter().any(|pattern| pattern.holds(&path.0) || pattern.holds(inside))
            || (self.by_name && path.0.iter().any(is_secret_step))
            || ends.any(is_found)
    }

    /// Whether a value is secret by the last of these steps.
    fn is_secret_end(&self, steps: &[Step]) -> bool {
        let inside = inside_of_document(steps);
        (self.by_name && steps.last().is_some_and(is_secret_step))
            || self.paths.iter().any(|pattern| pattern.names(steps) || pattern.names(inside))
    }

    /// The text of a value as it may be shown.
    pub(crate) fn shown(&self, path: &Path, text: &str) -> String {
        if self.is_secret(path) { MASK.to_owned() } else { self.mask_words(text) }
    }

    /// Whether what only looks secret is masked.
    pub(crate) fn by_name(&self) -> bool {
        self.by_name
    }

    /// Learns the secrets of a file, and which rows of its outline show them.
    pub(crate) fn learn_rows(&mut self, outline: &Outline<'_>) -> HashSet<RowId> {
        let mut hidden = HashSet::default();
        for (row, path) in Found::of(self, outline) {
            self.learn_row(outline, row, path);
            let scalars = row.up_to(outline[row].end).filter(|&row| !outline[row].is_null());
            hidden.extend(scalars);
        }
        hidden
    }

    /// Learns a secret value, and its path where that does not tell that it is one.
    fn learn_row(&mut self, outline: &Outline<'_>, row: RowId, path: Path) {
        for value in outline.subtree(row) {
            if matches!(value.kind, RowKind::Scalar(_)) {
                let name = value.name.as_deref().unwrap_or_default();
                value.text.lines().for_each(|line| self.known.learn(name, line.trim()));
            }
        }
        if !self.is_secret(&path) {
            self.found.insert(path);
        }
    }

    /// Learns a value that stands at no path.
    pub(crate) fn learn_value(&mut self, value: &str) {
        value.lines().for_each(|line| self.known.learn("", line.trim()));
    }

    /// Learns what variables with secret names stand for.
    pub(crate) fn learn_variables(&mut self, report: &Report) {
        for variable in report.variables() {
            if self.is_secret(&Path(vec![Step::Key(variable.name.clone())])) {
                self.known.learn(&variable.name, &variable.value);
            }
        }
    }

    /// A report that shows no secret. All texts that it tells of have to be masked first, so that theirs are known.
    pub(crate) fn mask_report(&self, report: &Report) -> Report {
        let mut masked = report.clone();
        masked.changes.iter_mut().for_each(|change| self.mask_change(change));
        let hidden = if report.variables.is_empty() { HashSet::default() } else { self.hidden_in(report) };
        for variable in &mut masked.variables {
            let path = Path(vec![Step::Key(variable.name.clone())]);
            let is_secret = hidden.contains(&variable.value) || self.known.is_value(&variable.value);
            variable.value = if is_secret { MASK.to_owned() } else { self.shown(&path, &variable.value) };
        }
        masked.warnings.iter_mut().chain(&mut masked.notes).for_each(|words| *words = self.mask_words(words));
        masked
    }

    /// What is masked in the texts of a report: a variable may have put it there.
    fn hidden_in(&self, report: &Report) -> HashSet<String> {
        let texts = report.changes.iter().map(|change| &change.text);
        let hidden = texts.flat_map(|text| {
            let masked = self.mask_words(text);
            known::hidden(text, &masked).map(str::to_owned).collect::<Vec<_>>()
        });
        hidden.collect()
    }

    /// Differences that show no secret. Both files have to be masked first, so that theirs are known.
    pub(crate) fn mask_differences(&self, mut differences: Vec<Difference>) -> Vec<Difference> {
        for difference in &mut differences {
            let secret = self.is_secret(&difference.place);
            let values = difference.before.iter_mut().chain(&mut difference.after);
            for text in values.chain(&mut difference.gained).chain(&mut difference.lost) {
                *text = if secret { MASK.to_owned() } else { self.mask_words(text) };
            }
            difference.path = self.mask_items(&difference.path);
        }
        differences
    }

    /// A path that shows no secret of an item's name. Keys are none, though a password may be the same word.
    fn mask_items(&self, path: &str) -> String {
        let mut parts = path.split('[');
        let keys = parts.next().unwrap_or_default().to_owned();
        parts.fold(keys, |path, part| {
            let (item, keys) = part.split_once(']').map_or((part, ""), |(item, _)| (item, &part[item.len()..]));
            format!("{path}[{}{keys}", self.mask_words(item))
        })
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
        let comment = matches!(
            change.kind,
            ChangeKind::CommentReplaced | ChangeKind::CommentMoved | ChangeKind::Alias | ChangeKind::ItemLeftAlone
        );
        let path = matches!(change.kind, ChangeKind::MoveSuggested | ChangeKind::SideBySide | ChangeKind::Moved);
        let secret = !comment && steps(&change.path).is_some_and(|path| self.is_secret(&path));
        let mask = |text: &str| if secret { MASK.to_owned() } else { self.mask_words(text) };
        if !path {
            change.text = mask(&change.text);
        }
        if let Some(values) = &mut change.values {
            let values = [&mut values.current, &mut values.base, &mut values.update];
            values.into_iter().flatten().for_each(|value| value.text = mask(&value.text));
        }
    }

    /// Words without the secrets in them: those that are known, and what looks like one.
    pub(crate) fn mask_words(&self, text: &str) -> String {
        let hidden = |line: &str| scan::is_comment(line) && self.comments.contains(prose::body(line).trim_end());
        let lines = text.split('\n').map(|line| if hidden(line) { prose::hide(line) } else { self.known.mask(line) });
        let masked = lines.collect::<Vec<_>>().join("\n");
        if self.by_name { prose::lines(&masked, &self.names) } else { masked }
    }

    /// An error that shows no secret.
    pub(crate) fn mask_error(&self, error: Error) -> Error {
        error.with_words(|text| self.mask_words(text))
    }

    /// The same for lines of texts that are masked already.
    pub(crate) fn mask_known(&self, text: &str) -> String {
        self.known.mask(text)
    }
}

/// A path as it is printed.
fn steps(path: &str) -> Option<Path> {
    let words = Pattern::read(path).ok()?.0;
    let step = |word: Word| if let Word::Step(step) = word { Some(step) } else { None };
    words.into_iter().map(step).collect::<Option<Vec<_>>>().map(Path)
}

/// The keys that secret paths end in.
pub(crate) fn last_keys(paths: &[String], shipped: &[Pattern]) -> Vec<String> {
    let given = paths.iter().filter_map(|path| Pattern::read(path).ok());
    given.chain(shipped.iter().cloned()).filter_map(|pattern| last_key(&pattern)).collect()
}

fn last_key(pattern: &Pattern) -> Option<String> {
    let key = |word: &Word| if let Word::Step(Step::Key(name)) = word { Some(name.clone()) } else { None };
    pattern.0.iter().rev().find_map(key)
}

/// Whether a step leads to what looks secret by its name.
fn is_secret_step(step: &Step) -> bool {
    matches!(step, Step::Key(name) if names::looks_secret(name))
}

/// The steps behind the number of the document: a path that names no document is one in each of them.
fn inside_of_document(steps: &[Step]) -> &[Step] {
    match steps.split_first() {
        Some((Step::Document(_), inside)) => inside,
        _ => steps,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets() -> Secrets {
        Secrets::new(&["db/*/dsn".to_owned()], &[], LooksSecret::Hidden).unwrap()
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
    }

    #[test]
    fn a_truth_value_of_a_secret_section_is_shown_elsewhere() {
        let mut secrets = secrets();
        assert_eq!(secrets.mask_text("jwt:\n  challenge: false\n"), "jwt: ***\n  ***\n");
        assert_eq!(secrets.mask_words("basic: {challenge: false}"), "basic: {challenge: false}");
    }

    #[test]
    fn the_name_of_a_path_is_its_last_key() {
        let paths = ["db/dsn", "**/pin", "users[name=ann]/shell", "vault/**", "keys[0]", "*"].map(str::to_owned);
        assert_eq!(last_keys(&paths, &[]), ["dsn", "pin", "shell", "vault", "keys"]);
    }
}
