//! `deckhand/DataSchema` documents: JSON Schemas (draft 4) that the data of rendered documents are held to.
//!
//! The name of such a document is the schema of those that it is about, `v1.0` being `v1`. Abstract documents are held to
//! nothing: who inherits from them adds what they lack. A value that is refused is told where it was written, in
//! whichever document that is.

use std::collections::HashMap;

use jsonschema::Draft;

use super::Set;
use super::documents::Document;
use super::path::{Path as Shown, item_step, key_step};
use super::problems::Problems;
use crate::layers::schema::{Failure, JsonSchema};
use crate::layers::values::{Schema, Value};
use crate::text::at_once;
use crate::text::error::visible;
use crate::yaml::path::Step;

const DATA_SCHEMA: &str = "deckhand/DataSchema/";

/// Schemas with their documents, by what they are about.
type Known = HashMap<String, (usize, JsonSchema)>;

impl<'a> Set<'a> {
    /// Holds the data of all rendered documents but those that are wrong to the schemas among them, and tells what these
    /// refuse.
    pub(super) fn hold_to_schemas(&self, wrong: &[bool], problems: &mut Problems<'_>) {
        let known = self.known_schemas(wrong, problems);
        if known.is_empty() {
            return;
        }
        let held = |at: usize, document: &Document<'_>| {
            let is_held = !wrong[at] && !document.is_abstract && self.family.firsts[at] == at;
            let (schema, held) = known.get(about(&document.schema)).filter(|_| is_held)?;
            let failures = held.check(&self.filled(at).json(Schema::Yaml11));
            (!failures.is_empty()).then_some((at, *schema, failures))
        };
        for (at, schema, failures) in at_once::each(&self.documents, None, held).into_iter().flatten() {
            for failure in &failures {
                self.tell_failure(at, schema, failure, problems);
            }
        }
    }

    /// The first schema about each kind of document; one that is none is told.
    fn known_schemas(&self, wrong: &[bool], problems: &mut Problems<'_>) -> Known {
        let mut known = Known::new();
        for (at, document) in self.documents.iter().enumerate() {
            let is_schema = document.schema.starts_with(DATA_SCHEMA) && !document.is_abstract;
            let is_new = !known.contains_key(about(&document.name));
            if !is_schema || !is_new || wrong[at] || self.family.firsts[at] != at {
                continue;
            }
            match JsonSchema::read(&self.filled(at).json(Schema::Yaml11), Draft::Draft4) {
                Ok(schema) => {
                    known.insert(about(&document.name).to_owned(), (at, schema));
                }
                Err(failure) => self.tell_wrong_schema(at, &failure, problems),
            }
        }
        known
    }

    fn tell_wrong_schema(&self, at: usize, failure: &Failure, problems: &mut Problems<'_>) {
        let place = self.place_of(at, &failure.path);
        let what = format!("{} is no JSON Schema of draft 4: {}", self.title(at), visible(&failure.message));
        let error = problems.at(place, what).help("mend it, or let --ignore-schemas pass over all of them");
        problems.tell(place, error);
    }

    fn tell_failure(&self, at: usize, schema: usize, failure: &Failure, problems: &mut Problems<'_>) {
        let place = self.place_of(at, &failure.path);
        let steps = failure.path.iter().filter_map(|step| match step {
            Step::Key(name) => Some(key_step(name)),
            Step::Item(item) => Some(item_step(*item)),
            Step::Document(_) => None,
        });
        let path = Shown(steps.collect());
        let what = format!("{} has at `{path}` what its schema refuses: {}", self.title(at), visible(&failure.message));
        let schema = self.documents[schema].start();
        let mut error = problems.at(place, what);
        if let Some(rule) = &place.origin.rule {
            error = error.detail(format!("   it is there by: {}", visible(rule)));
        }
        problems.tell(place, error.help(format!("the schema is in {}", problems.place(schema))));
    }

    /// What is at a path of the data of a document, or the nearest above that is written anywhere.
    fn place_of(&self, at: usize, path: &[Step]) -> &Value<'a> {
        let document: &Document<'a> = &self.documents[at];
        let mut place = document.value.get("data").unwrap_or(&document.value);
        let mut here = self.data_of(at);
        for step in path.iter().map(Some).chain([None]) {
            let Some(value) = here else { break };
            if value.origin.layer.is_some() {
                place = value;
            }
            here = match step {
                Some(Step::Key(name)) => value.get(name),
                Some(Step::Item(item)) => value.children().get(*item),
                Some(Step::Document(_)) | None => None,
            };
        }
        place
    }
}

/// The schema of documents without the end that says nothing: `v1.0` is `v1`.
fn about(schema: &str) -> &str {
    schema.strip_suffix(".0").unwrap_or(schema)
}
