//! What is wrong with a set of documents: all of it, each with its place, so that one run tells everything.

use std::cell::{Cell, OnceCell};

use crate::layers::values::{Layer, Value};
use crate::text::error::{Error, Place, visible};

/// Errors and warnings of a run, in the order of the files.
pub(crate) struct Problems<'l> {
    files: &'l [Layer],
    lines: Vec<OnceCell<Lines>>,
    errors: Vec<(Rank, Error)>,
    warnings: Vec<(Rank, String)>,
    /// How many words may still be compared for hints: a hint is not worth that a run takes long.
    budget: Cell<usize>,
}

/// Something is wrong, and that has been told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wrong;

/// Where each line of a file starts, and on which lines documents do.
struct Lines {
    starts: Vec<usize>,
    documents: Vec<usize>,
}

impl Lines {
    fn of(text: &str) -> Self {
        let ends = memchr::memchr2_iter(b'\n', b'\r', text.as_bytes());
        let crlf = |end: usize| text.as_bytes().get(end..end + 2) == Some(b"\r\n");
        let starts: Vec<_> = std::iter::once(0).chain(ends.filter(|&end| !crlf(end)).map(|end| end + 1)).collect();
        let is_marker = |(_, start): &(usize, &usize)| text.get(**start..).is_some_and(|line| line.starts_with("---"));
        let documents = starts.iter().enumerate().filter(is_marker).map(|(at, _)| at + 1).collect();
        Self { starts, documents }
    }

    fn start(&self, line: usize) -> usize {
        self.starts.get(line.wrapping_sub(1)).copied().unwrap_or(usize::MAX)
    }
}

/// File and line.
type Rank = (usize, usize);

/// So many words are compared for hints in one run.
const COMPARED: usize = 500_000;

/// Above this two words are taken for the same, misspelt.
const NEAR: f64 = 0.8;

impl<'l> Problems<'l> {
    pub(crate) fn new(files: &'l [Layer]) -> Self {
        let lines = files.iter().map(|_| OnceCell::new()).collect();
        Self { files, lines, errors: Vec::new(), warnings: Vec::new(), budget: Cell::new(COMPARED) }
    }

    /// An error at a value of a file.
    pub(crate) fn at(&self, value: &Value<'_>, what: impl Into<String>) -> Error {
        self.inside(value, None, what)
    }

    /// The same at a character of the text of a value, where that stands on its line as it is.
    pub(crate) fn inside(&self, value: &Value<'_>, at: Option<usize>, what: impl Into<String>) -> Error {
        let error = Error::input(what);
        let Some(file) = value.origin.layer else { return error };
        let (part, number, line) = self.line(file, value.line());
        let offset = at.and_then(|at| {
            let text = &value.scalar()?.text;
            let key = line.find(value.name()).map_or(0, |at| at + value.name().len());
            let start = key + line.get(key..)?.find(&**text)?;
            Some(line.get(..start)?.chars().count() + at)
        });
        let column = offset.unwrap_or_else(|| column(line, value.name()));
        let name = self.files.get(file).map_or("", |file| &file.name);
        let place = Place { line: value.line().max(1), column: column + 1 };
        error.at_line_of(place, part, number).in_file(name)
    }

    /// A line of a file: the document that it is in, its number there, and the line itself.
    fn line(&self, file: usize, line: usize) -> (&'l str, usize, &'l str) {
        let (Some(layer), Some(lines)) = (self.files.get(file), self.lines.get(file)) else { return ("", 0, "") };
        let text = layer.text.strip_prefix('\u{feff}').unwrap_or(&layer.text);
        let lines = lines.get_or_init(|| Lines::of(text));
        let first = lines.documents.partition_point(|&first| first <= line);
        let first = first.checked_sub(1).and_then(|at| lines.documents.get(at)).copied().unwrap_or(1);
        let from = |line: usize| text.get(lines.start(line)..).unwrap_or_default();
        (from(first), line + 1 - first, from(line).split(['\n', '\r']).next().unwrap_or_default())
    }

    /// Where a value stands: `file:line`.
    pub(crate) fn place(&self, value: &Value<'_>) -> String {
        let name = value.origin.layer.and_then(|file| self.files.get(file)).map_or("", |file| &file.name);
        format!("{name}:{}", value.line())
    }

    pub(crate) fn tell(&mut self, at: &Value<'_>, error: Error) -> Wrong {
        self.errors.push((rank(at), error));
        Wrong
    }

    /// Tells what is wrong with a file as a whole.
    pub(crate) fn tell_file(&mut self, file: usize, error: Error) {
        self.errors.push(((file, 0), error));
    }

    pub(crate) fn warn(&mut self, at: &Value<'_>, what: &str) {
        let warning = format!("{}: {what}", self.place(at));
        self.warnings.push((rank(at), warning));
    }

    pub(crate) fn warn_file(&mut self, file: usize, warnings: Vec<String>) {
        self.warnings.extend(warnings.into_iter().map(|warning| ((file, 0), warning)));
    }

    pub(crate) fn is_wrong(&self) -> bool {
        !self.errors.is_empty()
    }

    /// All errors and warnings, in the order of the files.
    pub(crate) fn into_parts(mut self) -> (Vec<Error>, Vec<String>) {
        self.errors.sort_by_key(|(rank, _)| *rank);
        self.warnings.sort_by_key(|(rank, _)| *rank);
        let errors = self.errors.into_iter().map(|(_, error)| error).collect();
        (errors, self.warnings.into_iter().map(|(_, warning)| warning).collect())
    }

    /// The known word that one was meant to be, if there is one that is near.
    pub(crate) fn near<'w>(&self, word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
        let mut best = None;
        for other in known {
            let left = self.budget.get().checked_sub(1)?;
            self.budget.set(left);
            let likeness = strsim::jaro_winkler(word, other);
            if likeness > best.map_or(NEAR, |(likeness, _)| likeness) {
                best = Some((likeness, other));
            }
        }
        best.map(|(_, word)| word)
    }

    /// `did you mean …?`, or what is known.
    pub(crate) fn hint<'w>(&self, word: &str, known: impl IntoIterator<Item = &'w str> + Clone) -> String {
        match self.near(word, known.clone()) {
            Some(near) => format!("did you mean `{}`?", visible(near)),
            None => known_are(known),
        }
    }
}

/// So many names are listed in a hint.
const LISTED: usize = 12;

fn known_are<'w>(known: impl IntoIterator<Item = &'w str>) -> String {
    let mut names: Vec<_> = known.into_iter().take(LISTED + 1).map(|name| format!("`{}`", visible(name))).collect();
    match names.len() {
        0 => "there is nothing at all".to_owned(),
        many if many > LISTED => {
            names.truncate(LISTED);
            format!("there are {}, …", names.join(", "))
        }
        1 => format!("there is {}", names.join("")),
        _ => format!("there are {}", names.join(", ")),
    }
}

fn rank(value: &Value<'_>) -> Rank {
    (value.origin.layer.unwrap_or_default(), value.line())
}

/// The column of a key on its line, from 0; where there is none that of the first character.
fn column(line: &str, key: &str) -> usize {
    let is_key = |(at, _): &(usize, &str)| {
        let before = line.get(..*at).and_then(|before| before.chars().next_back());
        let behind = line.get(at + key.len()..).unwrap_or_default().trim_start_matches(['"', '\'', ' ']);
        behind.starts_with(':') && !before.is_some_and(char::is_alphanumeric)
    };
    let found = if key.is_empty() { None } else { line.match_indices(key).find(is_key) };
    let start = found.map_or(line.len() - line.trim_start().len(), |(at, _)| at);
    line.get(..start).map_or(0, |before| before.chars().count())
}
