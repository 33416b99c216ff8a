//! What the reference parser lets pass and programs disagree on.

use saphyr_parser::Marker;

use super::place;
use crate::text::error::{Cause, Error};
use crate::text::source::Source;
use crate::yaml::view::View;

/// Something that saphyr lets pass.
pub(super) struct Flaw {
    at: Marker,
    what: String,
    help: &'static str,
    /// What on the line is meant, where the marker knows the line alone.
    word: Option<String>,
    cause: Option<Cause>,
}

impl Flaw {
    pub(super) fn new(at: Marker, what: impl Into<String>, help: &'static str) -> Self {
        Self { at, what: what.into(), help, word: None, cause: None }
    }

    /// An alias that stands inside of what it refers to.
    pub(super) fn recursive(at: Marker) -> Self {
        let what = "this alias stands inside of what it refers to";
        Self::new(at, what, "a value that contains itself cannot be upgraded").because(Cause::AliasInsideItself)
    }

    pub(super) fn because(self, cause: Cause) -> Self {
        Self { cause: Some(cause), ..self }
    }

    pub(super) fn at_word(self, word: &str) -> Self {
        Self { word: Some(word.to_owned()), ..self }
    }

    pub(super) fn error(&self, source: &Source<'_>, view: &View) -> Error {
        let mut place = view.place(source, place(&self.at));
        let line = source.lines.numbered(place.line);
        if let Some(start) = self.word.as_deref().and_then(|word| line.rfind(word)) {
            place.column = line[..start].chars().count() + 1;
        }
        source.error(&self.what, place).help(self.help).because(self.cause)
    }
}
