//! Documents in layers, as Deckhand renders them.

use std::fmt;

use crate::layers::deckhand::{self, Explained, Options, Outcome, Schemas, Set};
use crate::layers::merge::numbered;
use crate::layers::reading::Reading;
use crate::layers::values::Layer;
use crate::report::mask::Mask;
use crate::text::error::Error;
use crate::text::named::NamedText;

/// How documents in layers are rendered.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct LayerOptions {
    /// Whether the document about layering counts, or what the engine does.
    pub reading: Reading,
    /// Substitutions whose source is not there are passed over.
    pub allow_missing_substitutions: bool,
    /// Whether the data of rendered documents are held to the `deckhand/DataSchema` documents among them.
    pub schemas: Schemas,
    /// The documents that are asked for, each as `SCHEMA` or `SCHEMA/NAME`; all where there are none.
    pub only: Vec<String>,
}

/// Documents as they were rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layered {
    text: String,
    warnings: Vec<String>,
}

impl Layered {
    /// The documents in the order of the files.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is strange about the documents, one line each: `file:line: what`.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// All that is wrong with a set of documents, and there is at least one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerErrors {
    errors: Vec<Error>,
}

impl LayerErrors {
    /// Each of the errors, with its file and its place.
    #[must_use]
    pub fn errors(&self) -> &[Error] {
        &self.errors
    }
}

impl From<Error> for LayerErrors {
    fn from(error: Error) -> Self {
        Self { errors: vec![error] }
    }
}

impl fmt::Display for LayerErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.errors.iter().map(Error::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for LayerErrors {
    /// The first of them.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.errors.first().map(|error| error as _)
    }
}

/// Renders documents in layers, as `docs/deckhand.md` has it: each inherits the data of its parent, changes them by its
/// actions, and has values of other documents put in. Feature `layers`.
///
/// # Errors
/// All that is wrong with the documents, and a name in [`LayerOptions::only`] that none of them has.
pub fn layer(files: &[NamedText<'_>], options: &LayerOptions) -> Result<Layered, LayerErrors> {
    let files = numbered(files);
    let (set, warnings) = rendered(&files, options)?;
    let text = set.text(&set.chosen(&options.only)?)?;
    Ok(Layered { text, warnings })
}

/// Says of each value of the documents where it comes from, and what put it there; without what the mask hides. Feature
/// `layers`.
///
/// # Errors
/// Those of [`layer`].
pub fn explain_layer(
    files: &[NamedText<'_>],
    options: &LayerOptions,
    mask: &Mask,
) -> Result<Vec<Explained>, LayerErrors> {
    let files = numbered(files);
    let (set, _) = rendered(&files, options)?;
    let mut secrets = mask.knowing(&[]);
    set.teach(&mut secrets);
    Ok(set.explained(&set.chosen(&options.only)?, &secrets))
}

fn rendered<'f>(files: &'f [Layer], options: &LayerOptions) -> Result<(Set<'f>, Vec<String>), LayerErrors> {
    let allow_missing = options.allow_missing_substitutions;
    let (reading, schemas) = (options.reading, options.schemas);
    let options = Options { reading, allow_missing, schemas, progress: &|_, _| {} };
    let Outcome { result, errors, warnings, .. } = deckhand::render(files, &options);
    result.map(|set| (set, warnings)).ok_or(LayerErrors { errors })
}
