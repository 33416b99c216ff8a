//! What went wrong, where, and what to do about it.
//!
//! An error is meant to be read at 3 a.m.: `file:line:column: what`, the offending line with a caret, and a way out.
//! It never holds more of a file than the one line that it is about.

mod data;
mod system;

use std::fmt;
use std::path::PathBuf;

pub(crate) use self::data::ErrorData;
pub use self::data::{Conflict, Value, Values};
use self::system::SystemError;

use crate::text::masking::excerpt::{Excerpt, mask_line};

/// A position in a text: both numbers count from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Place {
    pub(crate) const START: Self = Self { line: 1, column: 1 };
}

/// What an error means to the caller; it decides the exit status of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Something given is wrong: an option, a path, a file that is not there or not YAML. Exit status 2.
    Input,
    /// Both sides changed a value, and that was to be refused. Exit status 3.
    Conflict,
    /// The result did not pass verification: a bug of yamlift, and no file was touched. Exit status 4.
    Verification,
    /// The file was replaced, or may have been, and something that had to follow failed. Exit status 5.
    Unfinished,
}

/// Why an upgrade was refused. Nothing has been written when one is returned, unless its kind is
/// [`Unfinished`](ErrorKind::Unfinished).
///
/// ```
/// let refused = yamlift::upgrade("a: 1\na: 2\n", "a: 1\n", &yamlift::Options::default()).unwrap_err();
/// assert_eq!(refused.place().map(|place| place.line), Some(2));
/// assert!(refused.to_string().starts_with("current:2:1: key `a` appears twice"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    file: Option<String>,
    place: Option<Place>,
    what: String,
    line: Option<Excerpt>,
    detail: Option<String>,
    help: Option<String>,
    written: Option<Written>,
    cause: Option<Cause>,
    system: Option<SystemError>,
    conflicts: Vec<Conflict>,
}

/// What makes a text unreadable, where whoever made the text has more to say about that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// An alias has no anchor before it.
    AliasWithoutAnchor,
    /// An alias stands inside of what it stands for.
    AliasInsideItself,
    /// A value has two anchors.
    TwoAnchors,
    /// A document that is one block scalar goes before another, which the reference parser does not read.
    ScalarBeforeDocument,
}

/// A file that has its new content, though something behind that went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written {
    /// Where the old content is kept.
    pub(crate) backup: Option<PathBuf>,
    pub(crate) durability: Durability,
}

/// Whether a power cut may bring the old content back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    Sure,
    Unknown,
}

impl Error {
    /// An error about something that the caller gave.
    pub(crate) fn input(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::Input, what.into())
    }

    /// A refusal to choose between two sides.
    pub(crate) fn conflict(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::Conflict, what.into())
    }

    /// An error that is ours: the result is not what the rules promise.
    pub(crate) fn verification(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::Verification, what.into()).help(
            "this is a bug in yamlift and no file was touched; please report it with both files, or with the \
             smallest part of them that still shows it",
        )
    }

    fn new(kind: ErrorKind, what: String) -> Self {
        Self(Box::new(Inner {
            kind,
            file: None,
            place: None,
            what,
            line: None,
            detail: None,
            help: None,
            written: None,
            cause: None,
            system: None,
            conflicts: Vec::new(),
        }))
    }

    /// Says that the file was replaced, or may have been, before this went wrong.
    pub(crate) fn after_the_fact(mut self) -> Self {
        self.0.kind = ErrorKind::Unfinished;
        self
    }

    /// Says that the file has its new content all the same.
    pub(crate) fn though(mut self, written: Written) -> Self {
        self.0.written = Some(written);
        self.after_the_fact()
    }

    /// The file that has its new content all the same, if that is known.
    pub(crate) fn written(&self) -> Option<&Written> {
        self.0.written.as_ref()
    }

    /// Adds the place, and the line of `text` that it names, without what looks like a secret in it.
    pub(crate) fn at(mut self, place: Place, text: &str) -> Self {
        self.0.line = Excerpt::of(text, place.line);
        self.0.place = Some(place);
        self
    }

    /// Adds the place, and its line, which has this number in a part of its file.
    pub(crate) fn at_line_of(mut self, place: Place, part: &str, number: usize) -> Self {
        self.0.line = Excerpt::of(part, number);
        self.0.place = Some(place);
        self
    }

    /// Adds the place in a text that is not at hand here.
    pub(crate) fn placed(mut self, place: Place) -> Self {
        self.0.place = Some(place);
        self
    }

    /// Adds the line of its place, which is one of a result that was not written.
    pub(crate) fn with_line_of(self, name: &str, result: &str) -> Self {
        match self.0.place {
            Some(place) => self.at(place, result).in_file(&format!("{name} (upgraded)")),
            None => self,
        }
    }

    /// Names the file, unless one is named already.
    pub(crate) fn in_file(mut self, name: &str) -> Self {
        self.0.file.get_or_insert_with(|| name.to_owned());
        self
    }

    /// Says in what the place is, unless it says that already.
    pub(crate) fn within(mut self, whose: &str) -> Self {
        if !self.0.what.contains(whose) {
            self.0.what = format!("{}, in {whose}", self.0.what);
        }
        self
    }

    /// Whether it is about a place in this file.
    pub(crate) fn is_in(&self, name: &str) -> bool {
        self.0.file.as_deref() == Some(name)
    }

    /// Adds lines that show more than one place, such as two outlines side by side.
    pub(crate) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.0.detail = Some(without_secrets(&detail.into(), &[]));
        self
    }

    /// The same without what keys of these names hold.
    pub(crate) fn hiding(mut self, names: &[String]) -> Self {
        self.0.line = self.0.line.map(|line| line.hiding(names));
        self.0.detail = self.0.detail.map(|detail| without_secrets(&detail, names));
        self
    }

    /// The same with other words, such as those without what is known to be secret.
    pub(crate) fn with_words(mut self, change: impl Fn(&str) -> String) -> Self {
        self.0.what = change(&self.0.what);
        self.0.detail = self.0.detail.map(|detail| change(&detail));
        self
    }

    /// Adds what to do next.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// Adds what made the text unreadable.
    pub(crate) fn because(mut self, cause: impl Into<Option<Cause>>) -> Self {
        self.0.cause = cause.into();
        self
    }

    /// What made the text unreadable.
    pub(crate) fn cause(&self) -> Option<Cause> {
        self.0.cause
    }

    /// Whether the input is at fault or yamlift is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Where in the file, if it is about one place.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        self.0.place
    }

    /// What is wrong, without place and advice.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.0.what
    }
}

fn without_secrets(detail: &str, names: &[String]) -> String {
    let lines: Vec<_> = detail.split('\n').map(|line| mask_line(line, names)).collect();
    lines.join("\n")
}

fn write_excerpt(f: &mut fmt::Formatter<'_>, place: Place, line: &str) -> fmt::Result {
    let (shown, caret) = excerpt(line, place.column);
    let number = place.line.to_string();
    let margin = " ".repeat(number.len());
    write!(f, "\n {number} | {shown}\n {margin} | {}^", " ".repeat(caret))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.0.file {
            write!(f, "{}:", visible(file))?;
            if let Some(Place { line, column }) = self.0.place {
                write!(f, "{line}:{column}:")?;
            }
            f.write_str(" ")?;
        }
        f.write_str(&self.0.what)?;
        if let (Some(place), Some(line)) = (self.0.place, &self.0.line) {
            write_excerpt(f, place, line.line())?;
        }
        if let Some(detail) = &self.0.detail {
            write!(f, "\n{detail}")?;
        }
        if let Some(help) = &self.0.help {
            write!(f, "\n help: {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    /// The error of the operating system that is behind it, where one is.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.system.as_ref().map(SystemError::as_error)
    }
}

/// How much of a long line an error shows.
const WIDTH: usize = 100;

/// The part of `line` around `column` (from 1) with everything invisible escaped, and where its caret goes.
fn excerpt(line: &str, column: usize) -> (String, usize) {
    let start = column.saturating_sub(WIDTH * 3 / 4);
    let mut shown = String::new();
    let mut caret = None;
    for (at, c) in line.chars().enumerate().skip(start).take(WIDTH) {
        if at + 1 == column {
            caret = Some(shown.chars().count());
        }
        push_visible(&mut shown, c);
    }
    let end = shown.chars().count();
    (shown, caret.unwrap_or(end))
}

/// Appends `c`, or its escape where a terminal would not show it as it is: a file must not be able to write on the screen.
fn push_visible(out: &mut String, c: char) {
    if c == '\t' {
        out.push(' ');
    } else if is_invisible(c) {
        out.extend(c.escape_unicode());
    } else {
        out.push(c);
    }
}

/// Control characters, and the marks that reorder or hide what stands around them.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// `text` as it may be shown to a person: nothing in it can hide, reorder or clear what stands around it.
pub(crate) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|c| push_visible(&mut out, c));
    out
}

/// The known word that a misspelt one may stand for, and all that are known.
pub(crate) fn nearest(word: &str, known: &[&str]) -> String {
    let all = known.join(", ");
    near(word, known)
        .map_or_else(|| format!("known are {all}"), |name| format!("did you mean `{name}`? Known are {all}"))
}

/// The known word that a misspelt one may stand for; upper and lower case do not matter.
pub(crate) fn near<'w>(word: &str, known: &[&'w str]) -> Option<&'w str> {
    let word = word.to_lowercase();
    let near = |name: &&&str| strsim::jaro_winkler(&name.to_lowercase(), &word);
    known.iter().max_by(|a, b| near(a).total_cmp(&near(b))).filter(|name| near(name) > 0.8).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_file_place_line_caret_and_help() {
        let error = Error::input("tab used for indentation")
            .at(Place { line: 2, column: 1 }, "a:\n\tb: 1\n")
            .in_file("app.yml")
            .help("use spaces");
        let shown = "app.yml:2:1: tab used for indentation\n 2 |  b: 1\n   | ^\n help: use spaces";
        assert_eq!(error.to_string(), shown);
    }

    #[test]
    fn shows_only_the_neighbourhood_of_a_place_in_a_long_line() {
        let line = format!("{}*{}", "a".repeat(500), "b".repeat(500));
        let (shown, caret) = excerpt(&line, 501);
        assert_eq!(shown.len(), WIDTH);
        assert_eq!(shown.as_bytes().get(caret), Some(&b'*'));
    }

    #[test]
    fn escapes_what_a_terminal_would_obey() {
        assert_eq!(visible("a\u{1b}[2J\u{202e}b"), "a\\u{1b}[2J\\u{202e}b");
    }
}
