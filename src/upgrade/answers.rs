//! Answers to conflicts, which `--ask` takes down and the next host is upgraded with (`docs/base.md`).
//!
//! A conflict is known by its path in the new default, which is the same on every host, whatever the order of the user's
//! keys and items. An answer holds for the value of the new default that it was given over: where a later release has
//! another one, the question is open again.
//!
//! Left out: what an answer decides ([`three_way`](crate::upgrade::three_way)), and how a value of its own gets into the
//! file ([`moves`](crate::upgrade::moves)).

use foldhash::HashMap;
use saphyr_parser::ScalarStyle as Style;

use crate::text::error::{Conflict, Error, Place};
use crate::text::source::Source;
use crate::yaml::check::{self, Checked};
use crate::yaml::fields::Fields;
use crate::yaml::find;
use crate::yaml::flow;
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::path::{Path, Step};
use crate::yaml::pattern::Pattern;
use crate::yaml::place::Place as Value;
use crate::yaml::row::RowId;

/// What becomes of one conflict.
///
/// ```
/// use yamlift::{Answer, Base, Options};
/// let answers = Answer::read("answers.yml", "yamlift: 1\nanswers:\n- {path: port, take: theirs, over: 8443}\n")?;
/// let mut options = Options::default();
/// (options.base, options.answers) = (Some(Base::from("port: 80\n")), answers);
/// let upgrade = yamlift::upgrade("port: 8080 # mine\n", "port: 8443\n", &options)?;
/// assert_eq!(upgrade.text(), "port: 8443 # mine\n");
/// # Ok::<(), yamlift::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The path of the value in the new default.
    pub path: String,
    /// Whose value it is to be.
    pub take: Take,
    /// What the new default had when it was answered, as YAML on one line; without it the answer holds whatever it has.
    pub over: Option<String>,
}

/// Whose value stands where the user and the release both changed one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Take {
    /// The user's.
    Mine,
    /// The new default's.
    Theirs,
    /// Another one, as YAML on one line.
    Value(String),
}

impl Answer {
    /// An answer for the value at a path of the new default, whatever the new default has there.
    pub fn new(path: impl Into<String>, take: Take) -> Self {
        Self { path: path.into(), take, over: None }
    }

    /// An answer to a conflict.
    ///
    /// ```
    /// use yamlift::{Answer, Base, ErrorKind, OnConflict, Options, Take};
    /// let (current, base, update) = ("port: 8080\n", "port: 80\n", "port: 8443\n");
    /// let mut options = Options::default();
    /// (options.base, options.on_conflict) = (Some(Base::from(base)), OnConflict::Fail);
    /// let refused = yamlift::upgrade(current, update, &options).unwrap_err();
    /// assert_eq!(refused.kind(), ErrorKind::Conflict);
    /// options.answers = refused.conflicts().iter().map(|conflict| Answer::to(conflict, Take::Theirs)).collect();
    /// assert_eq!(yamlift::upgrade(current, update, &options)?.text(), "port: 8443\n");
    /// # Ok::<(), yamlift::Error>(())
    /// ```
    #[must_use]
    pub fn to(conflict: &Conflict, take: Take) -> Self {
        Self::new(conflict.in_default.clone(), take)
    }

    /// Reads a file of answers; `name` is how errors call it.
    ///
    /// # Errors
    /// Whatever is not as `docs/base.md` has it, with its place.
    pub fn read(name: &str, text: &str) -> Result<Vec<Self>, Error> {
        let source = Source::new(name, text)?;
        let checked = check::read(&source)?;
        let fields = Fields::of(&source, &checked.outline);
        let &[root] = &checked.outline.documents[..] else {
            let what = "a file of answers is one document";
            return Err(fields.error(Place::START, what).help("it starts with `yamlift: 1`"));
        };
        let [format, answers] = fields.known(root, "a file of answers", ["yamlift", "answers"])?;
        fields.format(root, format)?;
        let rows = answers.map_or(Ok(Vec::new()), |row| fields.list(row, "`answers`"))?;
        rows.into_iter().map(|row| Self::of(&fields, row)).collect()
    }

    fn of(fields: &Fields<'_, '_>, row: RowId) -> Result<Self, Error> {
        let [path, take, value, over] = fields.known(row, "an answer", ["path", "take", "value", "over"])?;
        let error = |what: &str, help: &str| Err(fields.error(fields.value(row), what).help(help));
        let Some(path) = path else {
            return error("an answer without `path`", "write the path that the value has in the new default");
        };
        let path = fields.text(path, "`path`")?;
        fields.pattern(&path)?;
        let take = match (take, value) {
            (Some(take), None) => {
                let word = fields.text(take, "`take`")?;
                match word.text.as_str() {
                    "mine" => Take::Mine,
                    "theirs" => Take::Theirs,
                    _ => return Err(fields.unknown(&word, "side to take", &["mine", "theirs"])),
                }
            }
            (None, Some(value)) => Take::Value(fields.written(value)?),
            _ => return error("an answer needs either `take` or `value`", "write `take: mine` or `take: theirs`"),
        };
        let over = over.map(|row| fields.written(row)).transpose()?;
        Ok(Self { path: path.text, take, over })
    }

    /// A file of answers, which [`read`](Self::read) reads.
    #[must_use]
    pub fn file(answers: &[Self]) -> String {
        let mut text =
            "# Answers to conflicts, for `yamlift upgrade --answers`: each holds for as long as the new default has\n\
            # what it was given `over`.\nyamlift: 1\n"
                .to_owned();
        text += if answers.is_empty() { "answers: []\n" } else { "answers:\n" };
        text.extend(answers.iter().map(Self::lines));
        text
    }

    fn lines(&self) -> String {
        let take = match &self.take {
            Take::Mine => "  take: mine\n".to_owned(),
            Take::Theirs => "  take: theirs\n".to_owned(),
            Take::Value(text) => format!("  value: {text}\n"),
        };
        let over = self.over.as_ref().map(|over| format!("  over: {over}\n")).unwrap_or_default();
        format!("- path: {}\n{take}{over}", flow::scalar(&self.path))
    }
}

/// What a new default has at a path, as YAML on one line; nothing where that cannot be said so.
///
/// # Errors
/// A default that cannot be read.
pub(crate) fn over((name, text): (&str, &str), path: &str) -> Result<Option<String>, Error> {
    let source = Source::new(name, text)?;
    let update = check::read(&source)?;
    Ok(row(&update, path).and_then(|row| flow::render(row, &update.outline)).filter(|text| !text.is_empty()))
}

/// A value as it is to be written, on one line.
///
/// # Errors
/// What is no single value, and what means something only beside others: an alias, an anchor.
pub(crate) fn value(text: &str) -> Result<String, Error> {
    let refuse = || Error::input("this is not one value of YAML").help("write it on one line: 8080, [a, b] or {a: 1}");
    let file = format!("value: {}\n", text.trim());
    let source = Source::new("the answer", &file)?;
    let checked = check::read(&source).map_err(|_| refuse())?;
    let outline = &checked.outline;
    let only = outline.documents.first().filter(|_| outline.documents.len() == 1 && outline.aliases == 0);
    let row = only.and_then(|&root| outline.children(root).next().filter(|_| outline.children(root).count() == 1));
    let row = row.filter(|&row| outline[row].name.as_deref() == Some("value") && outline.anchors.is_empty());
    let is_block = |row: &RowId| matches!(outline[*row].kind, RowKind::Scalar(Style::Literal | Style::Folded));
    let (row, fields) = (row.filter(|row| !is_block(row)), Fields::of(&source, outline));
    row.map_or_else(|| Err(refuse()), |row| fields.written(row).map_err(|_| refuse()))
}

/// The path by which answers know a value of a new default; the whole of a file with one document is `@0`.
pub(crate) fn path(update: &Outline<'_>, row: RowId) -> String {
    let path = update.path(row).to_string();
    if path.is_empty() { "@0".to_owned() } else { path }
}

fn row(update: &Checked<'_>, path: &str) -> Option<RowId> {
    let exact = Pattern::read(path).ok().and_then(|pattern| pattern.path());
    if let Some(row) = exact.and_then(|path| update.outline.row_at(&path)) {
        return Some(row);
    }
    let way = find::find(&update.stream, &update.outline, path).ok()??;
    Some(Value::of(&update.stream, &update.outline).follow(&way)?.row())
}

/// What is known about a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Known<'a> {
    /// Nobody was asked.
    #[default]
    Nothing,
    /// An answer was given when the new default had another value.
    Outdated,
    Answer(&'a Take),
}

/// Answers by the rows of a new default.
#[derive(Debug, Default)]
pub(crate) struct Answers<'a>(HashMap<RowId, Known<'a>>);

impl<'a> Answers<'a> {
    /// The answers to what may be a conflict with this new default.
    pub(crate) fn to(answers: &'a [Answer], update: &Checked<'_>) -> Self {
        let known = answers.iter().filter_map(|answer| {
            let row = row(update, &answer.path)?;
            let holds = answer.over.as_ref().is_none_or(|over| means(over, &update.outline, row));
            Some((row, if holds { Known::Answer(&answer.take) } else { Known::Outdated }))
        });
        Self(known.collect())
    }

    /// What is known about the conflict over a value of the new default.
    pub(crate) fn about(&self, row: RowId) -> Known<'a> {
        self.0.get(&row).copied().unwrap_or_default()
    }
}

/// Whether a value on one line means what a row does.
pub(crate) fn means(text: &str, outline: &Outline<'_>, row: RowId) -> bool {
    let file = format!("value: {text}\n");
    let Ok(source) = Source::new("the answer", &file) else { return false };
    let Ok(read) = check::read(&source) else { return false };
    let value = Path(vec![Step::Key("value".to_owned())]);
    read.outline.row_at(&value).is_some_and(|value| {
        let is_alias = matches!(outline[row].kind, RowKind::Alias(_));
        !is_alias && read.outline.means(value, outline, row)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let answers = vec![
            Answer { path: "a/b[0]".to_owned(), take: Take::Mine, over: Some("\"8443\"".to_owned()) },
            Answer { path: "\"q/r\"".to_owned(), take: Take::Value("[a, 'b, c']".to_owned()), over: None },
            Answer { path: "x: y #z".to_owned(), take: Take::Theirs, over: Some("{a: [1, 2]}".to_owned()) },
        ];
        assert_eq!(Answer::read("answers", &Answer::file(&answers)).unwrap(), answers);
        assert_eq!(Answer::read("answers", &Answer::file(&[])).unwrap(), []);
    }

    #[test]
    fn a_value_is_one_value_on_one_line() {
        for (text, is) in [("8080", "8080"), (" [a, b] ", "[a, b]"), ("\"x y\"", "\"x y\""), ("a # b", "a")] {
            assert_eq!(value(text).unwrap(), is, "{text}");
        }
        for text in ["", "a: b", "*x", "&x 1", "[a", "|", "1\n2: 3", "# nothing", "{<<: *x}"] {
            assert!(value(text).is_err(), "{text}");
        }
    }
}
