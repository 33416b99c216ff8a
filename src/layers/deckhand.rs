//! Documents in layers, as Deckhand renders them (`docs/deckhand.md`): each inherits the data of its parent, changes them by
//! its actions, and has values of other documents put in.
//!
//! ```text
//! files ──read──▶ documents ──choose──▶ family ──order──▶ render, what is needed first ──▶ documents in the order of the files
//!                              ▲ policy, labels, replacements     ▲ actions, substitutions
//! ```
//!
//! Every stage goes on with what it can, so that one run tells all that is wrong. What needs a document that is wrong is
//! left out in silence. Secrets that Deckhand keeps elsewhere are not here: every value is in the files.

mod actions;
mod documents;
mod explain;
mod family;
mod known;
mod order;
mod parents;
mod path;
mod pattern;
mod policy;
mod problems;
mod putting;
mod redact;
mod rendering;
mod schemas;
mod sharing;
pub(crate) mod site;
mod substitution;
mod tree;

use self::documents::Document;
pub(crate) use self::explain::lines;
pub use self::explain::{Explained, Supplied};
use self::family::Family;
use self::known::{Extent, Known};
use self::problems::Problems;

use crate::layers::reading::Reading;
use crate::layers::values::{Layer, Leaf, Style, Value, write};
use crate::report::secrets::Secrets;
use crate::text::at_once;
use crate::text::error::Error;
use crate::yaml::path::{Path, Step};

/// So many documents are written at once.
const AT_ONCE: usize = 64;

/// What is to be known besides the files.
#[derive(Clone, Copy)]
pub(crate) struct Options<'o> {
    /// Whether all is as the engine really has it, also where the document about layering says otherwise.
    pub(crate) reading: Reading,
    /// Whether substitutions without a source are passed over.
    pub(crate) allow_missing: bool,
    /// Whether documents are held to the schemas that are among them.
    pub(crate) schemas: Schemas,
    /// Told how many of how many steps are done.
    pub(crate) progress: &'o dyn Fn(usize, usize),
}

/// What becomes of `deckhand/DataSchema` documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Schemas {
    /// The data of rendered documents are held to them.
    #[default]
    Hold,
    /// Nothing is held to them.
    Ignore,
}

/// What came of a set of documents.
pub(crate) struct Outcome<T> {
    /// Nothing where there are errors.
    pub(crate) result: Option<T>,
    pub(crate) errors: Vec<Error>,
    /// One line each: `file:line: what`.
    pub(crate) warnings: Vec<String>,
    /// The texts of secret documents, where there is a message that they could be in.
    pub(crate) secrets: Vec<String>,
}

/// The documents of a set, who belongs to whom, and what each comes to.
pub(crate) struct Set<'a> {
    files: &'a [Layer],
    documents: Vec<Document<'a>>,
    family: Family,
    /// The data of each as they are rendered; nothing for those that stay as they were read.
    data: Vec<Option<Value<'a>>>,
}

/// Reads files and finds out who belongs to whom.
pub(crate) fn related<'a>(files: &'a [Layer], options: &Options<'_>) -> Outcome<Set<'a>> {
    let mut problems = Problems::new(files);
    let set = set(files, options, &mut problems);
    outcome(set, problems)
}

/// Renders the documents of some files.
pub(crate) fn render<'a>(files: &'a [Layer], options: &Options<'_>) -> Outcome<Set<'a>> {
    let mut problems = Problems::new(files);
    let mut set = set(files, options, &mut problems);
    let wrong = rendering::render(&mut set, options, &mut problems);
    if options.schemas == Schemas::Hold {
        set.hold_to_schemas(&wrong, &mut problems);
    }
    outcome(set, problems)
}

fn outcome<'a>(set: Set<'a>, problems: Problems<'_>) -> Outcome<Set<'a>> {
    let wrong = problems.is_wrong();
    let (errors, warnings) = problems.into_parts();
    let secrets = if errors.is_empty() && warnings.is_empty() { Vec::new() } else { set.secret_texts() };
    Outcome { result: (!wrong).then_some(set), errors, warnings, secrets }
}

fn set<'a>(files: &'a [Layer], options: &Options<'_>, problems: &mut Problems<'_>) -> Set<'a> {
    let duplicates = options.reading.duplicates();
    let (mut documents, mut extent) = (Vec::new(), Extent::All);
    let read = at_once::each(files, None, |at, file| file.read(at, duplicates));
    for (at, read) in read.into_iter().enumerate() {
        (options.progress)(at, files.len() * 2);
        match read {
            Ok(mut read) => {
                problems.warn_file(at, read.warnings);
                if let Some(last) = read.documents.last_mut() {
                    last.stand_below(read.below);
                }
                let values = read.documents.into_iter().filter(|value| !value.is_null());
                for value in values {
                    let read = documents::read(value, problems);
                    if read.is_none() {
                        extent = Extent::Part;
                    }
                    documents.extend(read);
                }
            }
            Err(error) => {
                extent = Extent::Part;
                problems.tell_file(at, error);
            }
        }
    }
    let family = family::family(Known { documents: &documents, extent, reading: options.reading }, problems);
    let data = documents.iter().map(|_| None).collect();
    Set { files, documents, family, data }
}

/// A rendered document as it is compared with another one.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    pub(crate) title: String,
    pub(crate) text: String,
    /// The same without what is secret.
    pub(crate) masked: String,
}

impl<'a> Set<'a> {
    fn title(&self, at: usize) -> String {
        self.documents[at].title()
    }

    /// Where a value stands: `file:line`.
    fn place(&self, value: &Value<'_>) -> String {
        let file = value.origin.layer.and_then(|file| self.files.get(file));
        format!("{}:{}", file.map_or("", |file| &file.name), value.line())
    }

    /// The data of a document as far as they are rendered.
    fn data_of(&self, at: usize) -> Option<&Value<'a>> {
        self.data[at].as_ref().or_else(|| self.documents[at].value.get("data"))
    }

    /// The same with an empty map for nothing, as entry of a document.
    fn filled(&self, at: usize) -> Value<'a> {
        filled(self.data_of(at))
    }

    /// The data of a document as they were read, with an empty map for nothing.
    fn own(&self, at: usize) -> Value<'a> {
        filled(self.documents[at].value.get("data"))
    }

    /// The documents of the result, in the order of the files; those that `only` names, as `SCHEMA` or `SCHEMA/NAME`.
    ///
    /// # Errors
    /// A name that nothing has.
    pub(crate) fn chosen(&self, only: &[String]) -> Result<Vec<usize>, Error> {
        let all: Vec<_> =
            (0..self.documents.len()).filter(|&at| self.family.is_rendered(&self.documents, at)).collect();
        for name in only {
            if !all.iter().any(|&at| self.is_named(at, name)) {
                return Err(self.not_chosen(name, &all));
            }
        }
        let wanted = |at: &usize| only.is_empty() || only.iter().any(|name| self.is_named(*at, name));
        Ok(all.into_iter().filter(wanted).collect())
    }

    fn is_named(&self, at: usize, name: &str) -> bool {
        self.documents[at].schema == name || self.full_name(at) == name
    }

    fn full_name(&self, at: usize) -> String {
        format!("{}/{}", self.documents[at].schema, self.documents[at].name)
    }

    /// That none of those that are rendered has a name, and why that may be.
    fn not_chosen(&self, name: &str, all: &[usize]) -> Error {
        let names: Vec<_> = all.iter().map(|&at| self.full_name(at)).collect();
        let schemas = all.iter().map(|&at| self.documents[at].schema.as_str());
        let near = Problems::new(self.files).near(name, schemas.chain(names.iter().map(String::as_str)));
        let help = match (0..self.documents.len()).find(|&at| self.is_named(at, name)) {
            Some(at) if self.documents[at].is_abstract => "it is abstract: others inherit from it".to_owned(),
            Some(_) => "another document replaces it".to_owned(),
            None => near.map_or("write SCHEMA or SCHEMA/NAME".to_owned(), |near| format!("did you mean `{near}`?")),
        };
        Error::input(format!("no document that is rendered is `{name}`")).help(help)
    }

    /// A document with its data as they are rendered.
    fn rendered(&self, at: usize) -> Value<'a> {
        let mut value = self.documents[at].value.clone();
        if let Some(data) = &self.data[at] {
            match value.get_mut("data") {
                Some(own) => own.give_way_to(data.clone()),
                None => value.push(data.clone().under("data")),
            }
        }
        value
    }

    /// The text of some documents, written part by part: what is written is read again, which takes much memory.
    ///
    /// # Errors
    /// A text that means something else, which is a bug of yamlift.
    pub(crate) fn text(&self, chosen: &[usize]) -> Result<String, Error> {
        let style = self.files.first().map_or(Ok(Style::default()), Layer::style)?;
        let part = |at: usize, chosen: &&[usize]| {
            let documents: Vec<_> = chosen.iter().map(|&at| self.rendered(at)).collect();
            if at == 0 { write(&documents, &[], style) } else { behind_others(documents, style) }
        };
        let chunks: Vec<_> = chosen.chunks(AT_ONCE).collect();
        let mut text = String::new();
        for part in at_once::each(&chunks, None, part) {
            if !text.is_empty() && !text.ends_with(['\n', '\r']) {
                text += style.common;
            }
            text += &part?;
        }
        Ok(text)
    }

    /// Some documents, to be compared with those of another set.
    ///
    /// # Errors
    /// Those of [`text`](Self::text).
    pub(crate) fn texts(&self, chosen: &[usize], secrets: &mut Secrets) -> Result<Vec<Shown>, Error> {
        let one = |&at: &usize| {
            let layer = self.documents[at].layer_name();
            let layer = if layer.is_empty() { String::new() } else { format!(" ({layer})") };
            let text = self.text(&[at])?;
            let paths = self.secret_paths(at, secrets);
            let masked = secrets.mask_text_with(&text, &paths).into_owned();
            Ok(Shown { title: self.title(at) + &layer, text, masked })
        };
        chosen.iter().map(one).collect()
    }

    /// Where in a document there are values that are secret by their path in its data or came out of secret documents.
    fn secret_paths(&self, at: usize, secrets: &Secrets) -> Vec<Path> {
        let leaves = self.data_of(at).map(|data| data.leaves(Vec::new())).unwrap_or_default();
        let whole = |leaf: &Leaf<'_, '_>| Path([&[Step::Key("data".to_owned())], &leaf.path.0[..]].concat());
        leaves.iter().filter(|leaf| leaf.is_hidden(secrets)).map(whole).collect()
    }

    /// The texts in documents that are secret as a whole.
    fn secret_texts(&self) -> Vec<String> {
        let secret = self.documents.iter().filter(|document| document.is_encrypted());
        let leaves = secret.filter_map(|document| document.value.get("data")).flat_map(|data| data.leaves(Vec::new()));
        leaves.map(|leaf| leaf.text()).collect()
    }

    /// Lets all that is secret in these documents be known.
    pub(crate) fn teach(&self, secrets: &mut Secrets) {
        for at in 0..self.documents.len() {
            let own = self.documents[at].value.get("data");
            let data = own.into_iter().chain(&self.data[at]);
            let leaves = data.flat_map(|data| data.leaves(Vec::new()));
            let hidden: Vec<_> = leaves.filter(|leaf| leaf.is_hidden(secrets)).map(|leaf| leaf.text()).collect();
            for text in &hidden {
                secrets.learn_value(text);
            }
        }
    }
}

fn filled<'a>(data: Option<&Value<'a>>) -> Value<'a> {
    match data {
        Some(data) if !data.is_null() => data.clone(),
        _ => Value::map().under("data"),
    }
}

/// Documents as they are written behind others of the same file.
fn behind_others(mut documents: Vec<Value<'_>>, style: Style) -> Result<String, Error> {
    let ends_other = documents.first_mut().is_some_and(Value::comes_behind);
    let text = write(&documents, &[], Style { bom: false, ..style })?;
    Ok(if ends_other { format!("...{}{text}", style.common) } else { text })
}
