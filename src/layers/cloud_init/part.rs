//! A part of a user-data: its text, what it is, and where it stands.
//!
//! A part of a MIME message or an archive is a text inside of a file. Where its lines are lines of that file, that is how
//! errors and explanations count them; where it was packed or encoded they are its own, and its name says `decoded`.

use std::rc::Rc;

use super::keys;
use crate::layers::values::{Layer, Schema, Value};
use crate::text::error::{Error, Place, visible};
use crate::yaml::reference::Duplicates;
use crate::yaml::tree::Line;

/// How many bytes the file name of a part may have to be told by.
const LONGEST_NAME: usize = 100;

/// What is made of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Config,
    /// A JSON Patch.
    Patch,
    /// A content type that is none of cloud-config's.
    Other(String),
}

/// A header of a part.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) value: String,
    /// Where it stands; nothing where the command line has it, and where the lines of its part are not those of the file.
    pub(super) line: Option<usize>,
}

/// The file that a part stands in.
#[derive(Debug, Clone)]
pub(super) struct Outer {
    pub(super) text: Rc<str>,
    /// How many of its lines stand before the part.
    pub(super) above: usize,
}

/// A part before it is known what it is.
pub(super) struct Raw {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    /// Its content type.
    pub(super) declared: String,
    pub(super) headers: Vec<Field>,
    pub(super) outer: Option<Outer>,
}

#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) kind: Kind,
    pub(super) layer: Layer,
    pub(super) headers: Vec<Field>,
    /// Nothing where the part is all of a file, or was decoded.
    pub(super) outer: Option<Outer>,
}

/// What is wrong in a part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) what: String,
    /// Nothing where the command line is at fault.
    pub(super) line: Option<usize>,
    /// The word in that line.
    pub(super) word: String,
    pub(super) help: String,
}

impl Fault {
    pub(super) fn new(what: impl Into<String>, line: usize) -> Self {
        Self { what: what.into(), line: Some(line), ..Self::default() }
    }

    pub(super) fn word(self, word: &str) -> Self {
        Self { word: word.to_owned(), ..self }
    }

    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: help.into(), ..self }
    }
}

/// The only document of a part.
#[derive(Debug)]
pub(super) struct Document<'a> {
    /// Nothing where there are comments only.
    pub(super) value: Option<Value<'a>>,
    /// The comments behind it.
    pub(super) below: Vec<Line<'a>>,
    pub(super) warnings: Vec<String>,
}

impl Part {
    /// A part that is all of a file, or that was decoded.
    pub(super) fn whole(name: &str, text: String) -> Self {
        let layer = Layer { name: name.to_owned(), text };
        Self { kind: Kind::Config, layer, headers: Vec::new(), outer: None }
    }

    /// The same with headers, whose lines are those of its file.
    pub(super) fn with_headers(mut self, headers: Vec<Field>) -> Self {
        self.headers = headers;
        if self.outer.is_none() {
            self.headers.iter_mut().for_each(|field| field.line = None);
        }
        self
    }

    pub(super) fn name(&self) -> &str {
        &self.layer.name
    }

    /// How many lines of its file stand before its text.
    pub(super) fn above(&self) -> usize {
        self.outer.as_ref().map_or(0, |outer| outer.above)
    }

    /// The text that its lines are counted in, to be shared.
    pub(super) fn text(&self) -> Rc<str> {
        self.outer.as_ref().map_or_else(|| self.layer.text.as_str().into(), |outer| Rc::clone(&outer.text))
    }

    /// The text that its lines are counted in.
    fn shown(&self) -> &str {
        self.outer.as_ref().map_or(&self.layer.text, |outer| &outer.text)
    }

    /// Reads the layer with this number as cloud-init does: one document, by YAML 1.1.
    ///
    /// # Errors
    /// What is not valid YAML, more than one document, tags that cloud-init does not know, and keys that a map has twice
    /// unless the last is to count.
    pub(super) fn read<'l>(
        &self,
        layer: &'l Layer,
        number: usize,
        duplicates: Duplicates,
    ) -> Result<Document<'l>, Error> {
        let read = layer.read_below(number, duplicates, self.above());
        let read = read.map_err(|error| self.read_again(number, duplicates).unwrap_or(error))?;
        let (mut warnings, mut documents) = (read.warnings, read.documents.into_iter());
        let value = match documents.next() {
            Some(mut value) => {
                let twice = keys::settle(&mut value, duplicates).map_err(|fault| self.error(&fault))?;
                warnings.extend(twice.iter().map(|fault| self.warning(fault)));
                Some(value)
            }
            None => None,
        };
        if let Some(second) = documents.next() {
            let fault = Fault::new("a part has one document, and another starts here", second.line());
            return Err(self.error(&fault.help("make it a part of its own")));
        }
        Ok(Document { value, below: read.below, warnings })
    }

    /// An error where the parser of a machine cannot read what is YAML else.
    ///
    /// # Errors
    /// A key that is a map or a list, and a tab that parts words.
    pub(super) fn refuse_unreadable(&self, value: &Value<'_>) -> Result<(), Error> {
        keys::refuse_collections(value).map_err(|fault| self.error(&fault))?;
        let Some(line) = value.line_with_tab() else { return Ok(()) };
        let fault =
            Fault::new("a tab stands between words here, which the YAML parser of cloud-init cannot read", line);
        Err(self.error(&fault.help("write blanks in its place")))
    }

    /// The error with which it cannot be read, by the lines of its file.
    fn read_again(&self, number: usize, duplicates: Duplicates) -> Option<Error> {
        let outer = self.outer.as_ref()?;
        let text = "\n".repeat(outer.above) + &self.layer.text;
        let error = Layer { name: self.layer.name.clone(), text }.read(number, duplicates).err()?;
        let place = error.place()?;
        Some(self.indented(error, place))
    }

    /// An error at a line of its text as one at that line of its file.
    pub(super) fn moved(&self, error: Error) -> Error {
        let Some(place) = error.place() else { return error };
        self.indented(error, Place { line: self.above() + place.line, ..place })
    }

    /// An error at a line of its file, with a column of its own text: there the line may be indented.
    fn indented(&self, error: Error, place: Place) -> Error {
        let line = |text: &str, line: usize| text.split('\n').nth(line).map_or(0, |line| line.chars().count());
        let (outer, own) = (line(self.shown(), place.line.wrapping_sub(1)), place.line.wrapping_sub(self.above() + 1));
        let indent = outer.saturating_sub(line(&self.layer.text, own));
        error.at(Place { column: place.column + indent, ..place }, self.shown())
    }

    /// The error that a fault is.
    pub(super) fn error(&self, fault: &Fault) -> Error {
        let mut error = Error::input(&fault.what).in_file(self.name());
        if let Some(line) = fault.line {
            let text = self.shown().split('\n').nth(line.saturating_sub(1)).unwrap_or_default();
            let indent = text.len() - text.trim_start().len();
            let at = if fault.word.is_empty() { None } else { text.find(&fault.word) }.unwrap_or(indent);
            let column = text.get(..at).map_or(0, |before| before.chars().count()) + 1;
            error = error.at(Place { line: line.max(1), column }, self.shown());
        }
        if fault.help.is_empty() { error } else { error.help(&fault.help) }
    }

    /// A line of it, for people.
    pub(super) fn place(&self, line: Option<usize>) -> String {
        line.map_or_else(|| self.name().to_owned(), |line| format!("{}:{line}", self.name()))
    }

    /// One line about a fault that is passed over.
    pub(super) fn warning(&self, fault: &Fault) -> String {
        format!("{}: {}", self.place(fault.line), fault.what)
    }

    /// One line about an error for which the part is passed over.
    pub(super) fn skipped(&self, error: &Error) -> String {
        let place = self.place(error.place().map(|place| place.line));
        format!("{place}: this part is passed over: {}", error.what())
    }
}

/// A part by its file name; where it has none by its number, as cloud-init names it.
pub(super) fn inside(file: &str, file_name: Option<&str>, number: usize) -> String {
    let known = file_name.map(str::trim).filter(|name| (1..=LONGEST_NAME).contains(&name.len()));
    known.map_or_else(|| format!("{file}#part-{number:03}"), |name| format!("{file}#{}", visible(name)))
}

/// The name of a part whose lines are not those of its file.
pub(super) fn decoded(name: &str) -> String {
    if name.ends_with(" (decoded)") { name.to_owned() } else { format!("{name} (decoded)") }
}

/// A value in a message.
pub(super) fn quoted(value: &Value<'_>) -> String {
    match value.scalar() {
        Some(scalar) => format!("`{}`", visible(&scalar.text)),
        None => value.kind_name(Schema::Yaml11).to_owned(),
    }
}

/// Whether a comment says what kind of user-data a text is. Of a result the first part says it.
pub(super) fn is_marker(comment: &str) -> bool {
    let starts = |marker: &str| comment.get(..marker.len()).is_some_and(|start| start.eq_ignore_ascii_case(marker));
    ["#cloud-config", "## template: jinja"].into_iter().any(starts)
}
