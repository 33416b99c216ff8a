//! What an upgrade did, as data and as text.
//!
//! The report is all that an operator sees of a run, so it names every difference and nothing else; the verification
//! holds it to that.
//!
//! Inside: the entries as data, here; their words ([`text`]), also for other tools ([`formats`]); the values that nobody may see ([`secrets`], and [`mask`] for
//! a program).
//!
//! Promised: each entry has a path and a line that can be found, and no secret is shown.
//!
//! Left out: where the entries come from ([`changes`](crate::upgrade::changes)), and how they are printed
//! ([`cli`](crate::cli)).

pub(crate) mod difference;
pub(crate) mod explanation;
pub(crate) mod fleet;
#[cfg(feature = "cli")]
pub(crate) mod formats;
mod kind;
pub(crate) mod line_diff;
pub(crate) mod mask;
pub(crate) mod note;
pub(crate) mod outline;
pub(crate) mod prepared;
pub(crate) mod secrets;
pub(crate) mod shown;
mod summary;
mod text;

use std::fmt;

use serde::Serialize;

pub use self::difference::{Difference, DifferenceKind};
pub use self::kind::ChangeKind;
pub use self::summary::Summary;
use crate::text::error::visible;
pub(crate) use crate::text::error::{Value, Values};

/// One entry of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// Where, in the form that the tool reads again; empty for the file itself.
    pub path: String,
    /// The line, from 1: in the result, or in the current file for what is gone.
    pub line: usize,
    /// The first line of the value, the lines of the comment, or what the update has instead.
    pub text: String,
    /// The values that were compared, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Values>,
    /// Of a conflict, the path of the value in the new default, by which an [`Answer`](crate::Answer) knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_default: Option<String>,
}

impl Change {
    /// The path as it is shown; the file itself has none.
    fn place(&self) -> String {
        if self.path.is_empty() { "(file)".to_owned() } else { visible(&self.path) }
    }
}

/// How big a file is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Size {
    /// Its name, as given.
    pub name: String,
    /// Bytes.
    pub bytes: usize,
    /// Lines, the last one counted also where it has no end.
    pub lines: usize,
}

impl Size {
    pub(crate) fn of(name: &str, text: &str) -> Self {
        let bytes = text.as_bytes();
        let returns = memchr::memchr_iter(b'\r', bytes).filter(|at| bytes.get(at + 1) != Some(&b'\n')).count();
        let ended = memchr::memchr_iter(b'\n', bytes).count() + returns;
        let lines = ended + usize::from(!text.is_empty() && !text.ends_with(['\n', '\r']));
        Self { name: name.to_owned(), bytes: text.len(), lines }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = if self.lines == 1 { "" } else { "s" };
        write!(f, "{} bytes, {} line{s}", self.bytes, self.lines)
    }
}

/// A move that the release may have made, found by what reappears in the new default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Moved {
    /// The path in the old default.
    pub from: String,
    /// The path in the new one.
    pub to: String,
    /// What became of the text of the value: `{}ms` puts a unit behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
}

/// A variable of the update and what was written for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Applied {
    /// Its name.
    pub name: String,
    /// The text that it stands for.
    pub value: String,
}

/// What an upgrade did and what it saw.
///
/// ```
/// let upgrade = yamlift::upgrade("a: 1\n", "a: 2\nb: 3\n", &yamlift::Options::default())?;
/// let added = &upgrade.report().changes()[0];
/// assert_eq!((added.path.as_str(), added.line, added.text.as_str()), ("b", 2, "b: 3"));
/// # Ok::<(), yamlift::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    pub(crate) configuration: Option<Size>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) base: Option<Size>,
    pub(crate) update: Size,
    pub(crate) result: Size,
    pub(crate) changed: bool,
    pub(crate) changes: Vec<Change>,
    /// How many of the warnings, from the first on, are told before anything else.
    #[serde(skip)]
    pub(crate) alarms: usize,
    pub(crate) variables: Vec<Applied>,
    pub(crate) warnings: Vec<String>,
    pub(crate) notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) suggestions: Vec<Moved>,
}

impl Report {
    /// Everything that was changed or left alone for a reason, in the order of the file.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Whether the result differs from the current file at all.
    #[must_use]
    pub fn changed(&self) -> bool {
        self.changed
    }

    /// What deserves attention: files that are not what they are taken for, paths that name nothing, variables without a
    /// value.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Moves that the release may have made. None of them was made.
    #[must_use]
    pub fn suggestions(&self) -> &[Moved] {
        &self.suggestions
    }

    /// What the release says about the steps of its migration file that applied.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The variables of the update that were given a value.
    #[must_use]
    pub fn variables(&self) -> &[Applied] {
        &self.variables
    }

    /// The same in numbers.
    #[must_use]
    pub fn summary(&self) -> Summary {
        Summary::of(self)
    }

    /// The warnings that are told before anything else.
    pub(crate) fn alarms(&self) -> &[String] {
        self.warnings.get(..self.alarms).unwrap_or_default()
    }

    /// Adds a warning that is told before anything else.
    pub(crate) fn alarm(&mut self, what: String) {
        self.warnings.insert(self.alarms.min(self.warnings.len()), what);
        self.alarms += 1;
    }
}
