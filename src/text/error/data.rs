//! An error as data, for programs that do not read sentences.

use serde::Serialize;

use super::{Error, ErrorKind};
use crate::text::masking::excerpt::Excerpt;

/// What the files have at a path; nothing where a file has nothing there or was not asked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Values {
    /// In the current file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<Value>,
    /// In the old default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<Value>,
    /// In the update.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update: Option<Value>,
}

/// A value of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Value {
    /// The name of the file.
    pub file: String,
    /// Its line there, from 1.
    pub line: usize,
    /// The value on one line, shortened where it is long.
    pub text: String,
}

impl Value {
    pub(crate) fn new(file: String, line: usize, text: String) -> Self {
        Self { file, line, text }
    }
}

/// A value that the user and the release set differently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Conflict {
    /// Where, in the form that the tool reads again.
    pub path: String,
    /// What each of the files has there; what is secret is masked.
    pub values: Values,
    /// The path of the value in the new default, by which an [`Answer`](crate::Answer) knows it.
    pub in_default: String,
}

impl Conflict {
    /// What the user has.
    #[must_use]
    pub fn mine(&self) -> Option<&Value> {
        self.values.current.as_ref()
    }

    /// What the new default has.
    #[must_use]
    pub fn theirs(&self) -> Option<&Value> {
        self.values.update.as_ref()
    }

    /// What the old default had; nothing where both sides added the value.
    #[must_use]
    pub fn was(&self) -> Option<&Value> {
        self.values.base.as_ref()
    }
}

/// An error in the form that programs read, as `docs/report.md` tells it.
#[derive(Debug, Serialize)]
pub(crate) struct ErrorData<'e> {
    kind: &'static str,
    file: Option<&'e str>,
    line: Option<usize>,
    column: Option<usize>,
    message: &'e str,
    /// The line that it is about, without what looks like a secret in it.
    excerpt: Option<&'e str>,
    detail: Option<&'e str>,
    help: Option<&'e str>,
    #[serde(skip_serializing_if = "<[Conflict]>::is_empty")]
    conflicts: &'e [Conflict],
}

impl ErrorKind {
    /// What programs call it.
    fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Conflict => "conflict",
            Self::Verification => "verification",
            Self::Unfinished => "unfinished",
        }
    }
}

impl<'e> ErrorData<'e> {
    /// What was wrong with how the command was called.
    pub(crate) fn of_usage(message: &'e str, help: &'e str) -> Self {
        Self {
            kind: "usage",
            file: None,
            line: None,
            column: None,
            message,
            excerpt: None,
            detail: None,
            help: Some(help),
            conflicts: &[],
        }
    }
}

impl Error {
    /// Adds the values that both sides set.
    pub(crate) fn about(mut self, conflicts: Vec<Conflict>) -> Self {
        self.0.conflicts = conflicts;
        self
    }

    /// The name of the file that it is about, if it is about one.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.0.file.as_deref()
    }

    /// What to do next, where that is known.
    #[must_use]
    pub fn advice(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// The values that the user and the release set differently, where that is what is wrong.
    #[must_use]
    pub fn conflicts(&self) -> &[Conflict] {
        &self.0.conflicts
    }

    pub(crate) fn data(&self) -> ErrorData<'_> {
        let inner = &self.0;
        ErrorData {
            kind: inner.kind.name(),
            file: inner.file.as_deref(),
            line: inner.place.map(|place| place.line),
            column: inner.place.map(|place| place.column),
            message: &inner.what,
            excerpt: inner.line.as_ref().map(Excerpt::line),
            detail: inner.detail.as_deref(),
            help: inner.help.as_deref(),
            conflicts: &inner.conflicts,
        }
    }
}
