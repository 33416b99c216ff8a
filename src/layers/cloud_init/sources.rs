//! Files → the sources of a configuration, the highest priority first: what each of them comes to by itself.
//!
//! `cloud.cfg` and the files of its directory are configurations. A user-data may have any number of parts, which are merged by
//! their own rules before what they come to is one source among the others.

use std::ops::Range;
use std::path::Path;

use super::Options;
use super::explode::{Exploded, is_user_data};
use super::part::{Fault, Kind, Part};
use super::user_data::Sum;
use crate::layers::values::{Layer, Schema, Style, Value, join_behind};
use crate::text::error::Error;
use crate::yaml::tree::Line;

/// What a file is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A configuration, and nothing else.
    Config,
    /// What a machine is given: parts.
    UserData,
    /// Parts where the file says so, else a configuration.
    Either,
}

/// A file with its name, and what it is read as.
pub(super) type ByRole = (Role, String, Vec<u8>);

/// Files that were taken apart.
pub(super) struct Opened {
    pub(super) parts: Vec<Part>,
    pub(super) files: Vec<Taken>,
    pub(super) warnings: Vec<String>,
}

/// A file that was taken apart.
pub(super) struct Taken {
    name: String,
    pub(super) parts: Range<usize>,
    is_user_data: bool,
}

impl Opened {
    /// Takes files apart, each with its name.
    ///
    /// # Errors
    /// What cannot be unpacked, decoded, found or read.
    pub(super) fn read(files: Vec<ByRole>, options: &Options<'_>) -> Result<Self, Error> {
        let mut exploded = Exploded::new(options);
        let mut taken = Vec::new();
        for (role, name, bytes) in files {
            let first = exploded.parts.len();
            let is_user_data = role == Role::UserData || role == Role::Either && is_user_data(&bytes);
            if is_user_data {
                exploded.file(Path::new(&name), bytes)?;
            } else {
                exploded.plain(&name, bytes)?;
            }
            taken.push(Taken { name, parts: first..exploded.parts.len(), is_user_data });
        }
        let Exploded { parts, warnings, .. } = exploded;
        Ok(Self { parts, files: taken, warnings })
    }

    /// The layers that values are of.
    pub(super) fn layers(&self) -> Vec<Layer> {
        self.parts.iter().map(|part| part.layer.clone()).collect()
    }
}

/// A source of configuration that holds anything.
#[derive(Clone)]
pub(super) struct Source<'a> {
    /// The part that it is; the file where it was joined of several.
    pub(super) part: Part,
    is_joined: bool,
    pub(super) value: Value<'a>,
}

impl<'a> Source<'a> {
    /// What other sources have come to.
    pub(super) fn of(part: Part, value: Value<'a>) -> Self {
        Self { part, is_joined: true, value }
    }

    /// An error in it. Of what was joined nobody knows which of its parts a line is of.
    pub(super) fn error(&self, fault: Fault) -> Error {
        self.part.error(&self.placed(fault))
    }

    /// One line about a fault that is passed over.
    pub(super) fn warning(&self, fault: Fault) -> String {
        self.part.warning(&self.placed(fault))
    }

    fn placed(&self, fault: Fault) -> Fault {
        Fault { line: fault.line.filter(|_| !self.is_joined), ..fault }
    }
}

/// What is read of sources besides their values.
pub(super) struct Reader<'a, 'o> {
    pub(super) options: &'o Options<'o>,
    pub(super) below: Vec<Line<'a>>,
    pub(super) style: Style,
    pub(super) warnings: Vec<String>,
}

impl<'a, 'o> Reader<'a, 'o> {
    pub(super) fn new(options: &'o Options<'o>) -> Self {
        Self { options, below: Vec::new(), style: Style::default(), warnings: Vec::new() }
    }

    /// What a file comes to by itself; nothing where there is nothing in it. What cannot be read is nothing to cloud-init.
    ///
    /// # Errors
    /// What is no configuration, but for what cloud-init passes over as it is shipped.
    pub(super) fn source(
        &mut self,
        file: &Taken,
        opened: &Opened,
        layers: &'a [Layer],
    ) -> Result<Option<Source<'a>>, Error> {
        if file.is_user_data {
            return self.joined(file, opened, layers);
        }
        let number = file.parts.start;
        let (Some(part), Some(layer)) = (opened.parts.get(number), layers.get(number)) else { return Ok(None) };
        match self.config(part, layer, number) {
            Ok(value) => Ok(value.map(|value| Source { part: part.clone(), is_joined: false, value })),
            Err(error) if self.options.reading.is_shipped() => {
                self.warnings.push(part.skipped(&error));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn config(&mut self, part: &Part, layer: &'a Layer, number: usize) -> Result<Option<Value<'a>>, Error> {
        let duplicates = self.options.reading.duplicates();
        let document = part.read(layer, number, duplicates)?;
        self.warnings.extend(document.warnings);
        if let Some(value) = document.value.as_ref().filter(|_| self.options.reads_as_machine()) {
            part.refuse_unreadable(value)?;
        }
        self.style = layer.style()?;
        self.stands_below(document.below);
        match document.value.filter(|value| !(value.is_null() || is_empty(value))) {
            Some(value) if !value.is_map() => {
                let what = format!("a configuration has to be a map, and this is {}", value.kind_name(Schema::Yaml11));
                Err(part.error(&Fault::new(what, value.line())))
            }
            value => Ok(value),
        }
    }

    /// The parts of a user-data, which are one source.
    fn joined(&mut self, file: &Taken, opened: &Opened, layers: &'a [Layer]) -> Result<Option<Source<'a>>, Error> {
        let parts = opened.parts.get(file.parts.clone()).unwrap_or_default();
        let mut sum = Sum::new(self.options, parts);
        let own = layers.get(file.parts.clone()).unwrap_or_default();
        sum.parts((file.parts.start..).zip(parts.iter().zip(own)))?;
        self.warnings.append(&mut sum.warnings);
        self.stands_below(sum.below);
        let configs: Vec<_> = parts.iter().filter(|part| part.kind == Kind::Config).collect();
        let part = match configs.as_slice() {
            [only] if parts.len() == 1 => Part::clone(only),
            _ => Part::whole(&file.name, String::new()),
        };
        let is_joined = parts.len() != 1;
        Ok(sum.value.filter(|value| !is_empty(value)).map(|value| Source { part, is_joined, value }))
    }

    fn stands_below(&mut self, mut lines: Vec<Line<'a>>) {
        join_behind(&mut lines, &self.below);
        self.below = lines;
    }
}

fn is_empty(value: &Value<'_>) -> bool {
    value.is_map() && value.children().is_empty()
}
