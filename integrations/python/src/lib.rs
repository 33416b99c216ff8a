//! `yamlift.upgrade` for Python: the part that is compiled.
//!
//! Options come as a dictionary that the Python side has filled, and go into [`yamlift::Options`]. Results go back as texts and
//! JSON, which the Python side makes typed objects of. A refusal is the exception [`Refused`], whose arguments are the parts of a
//! [`yamlift::Error`].
//!
//! Left out: files. Whoever has a file in Python reads and writes it there.

use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use yamlift::{Answer, Base, Comments, Error, ErrorKind, ListMerge, Migration, OnConflict, Options, Pairing};

pyo3::create_exception!(_native, Refused, PyException);

/// The functions of `yamlift._native`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::{Refused, install, upgrade};
}

/// What the Python side asks for, with a value for each option.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent switch")]
struct Asked {
    base: Option<String>,
    delete: Vec<String>,
    moves: Vec<(String, String)>,
    variables: Vec<(String, String)>,
    strict_variables: bool,
    migration: Option<String>,
    from_version: Option<String>,
    pairing: String,
    list_keys: Vec<(String, String)>,
    list_merge: Vec<(String, String)>,
    comments: String,
    on_conflict: String,
    answers: Option<String>,
    keep_defaults: bool,
    keep_obsolete: bool,
    restore_deleted: bool,
    sparse: bool,
    fail_on_unknown: bool,
    secret: Vec<String>,
}

/// The upgraded text, the report as JSON with a summary, and the report as text.
type Done = (String, String, String);

/// Upgrades one text to another.
#[pyfunction]
fn upgrade(py: Python<'_>, current: &str, update: &str, asked: Asked) -> PyResult<Done> {
    py.detach(|| {
        let options = asked.options()?;
        done(&yamlift::upgrade(current, update, &options).map_err(|error| refused(&error))?)
    })
}

/// The new default as it comes in where there is no configuration yet.
#[pyfunction]
fn install(py: Python<'_>, update: &str, asked: Asked) -> PyResult<Done> {
    py.detach(|| {
        let options = asked.options()?;
        done(&yamlift::install(update, &options).map_err(|error| refused(&error))?)
    })
}

fn done(upgrade: &yamlift::Upgrade) -> PyResult<Done> {
    let report = upgrade.report();
    let mut data = serde_json::to_value(report).map_err(|error| json_failed(&error))?;
    data["summary"] = serde_json::to_value(report.summary()).map_err(|error| json_failed(&error))?;
    Ok((upgrade.text().to_owned(), data.to_string(), report.to_string()))
}

fn json_failed(error: &serde_json::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The exception that the Python side raises as one of its own.
fn refused(error: &Error) -> PyErr {
    let kind = match error.kind() {
        ErrorKind::Input => "input",
        ErrorKind::Conflict => "conflict",
        _ => "verification",
    };
    let place = error.place().map(|place| (place.line, place.column));
    let conflicts = match serde_json::to_string(error.conflicts()) {
        Ok(conflicts) => conflicts,
        Err(failed) => return json_failed(&failed),
    };
    let file = error.file().map(str::to_owned);
    let help = error.advice().map(str::to_owned);
    Refused::new_err((kind, file, place, error.what().to_owned(), help, conflicts, error.to_string()))
}

impl Asked {
    fn options(self) -> PyResult<Options> {
        let mut options = Options::default();
        self.files(&mut options).map_err(|error| refused(&error))?;
        self.words(&mut options)?;
        for (name, value) in self.variables {
            options.variables.set(name, value);
        }
        if self.strict_variables {
            options.variables.refuse_unknown();
        }
        options.delete = self.delete;
        options.moves = self.moves;
        options.from = self.from_version;
        options.list_keys = self.list_keys;
        options.keep_defaults = self.keep_defaults;
        options.keep_obsolete = self.keep_obsolete;
        options.restore_deleted = self.restore_deleted;
        options.sparse = self.sparse;
        options.fail_on_unknown = self.fail_on_unknown;
        options.secret = self.secret;
        Ok(options)
    }

    /// Options that are texts of files.
    fn files(&self, options: &mut Options) -> Result<(), Error> {
        options.base = self.base.as_deref().map(Base::from);
        if let Some(text) = &self.migration {
            options.migration = Some(Migration::read("migration", text)?);
        }
        if let Some(text) = &self.answers {
            options.answers = Answer::read("answers", text)?;
        }
        Ok(())
    }

    /// Options that are one word of a few.
    fn words(&self, options: &mut Options) -> PyResult<()> {
        let pairings = [("identity", Pairing::Identity), ("overlap", Pairing::Overlap)];
        let comments = [("update", Comments::Update), ("user", Comments::User), ("both", Comments::Both)];
        let sides = [("user", OnConflict::User), ("update", OnConflict::Update), ("fail", OnConflict::Fail)];
        options.pairing = one_of("pairing", &self.pairing, &pairings)?;
        options.comments = one_of("comments", &self.comments, &comments)?;
        options.on_conflict = one_of("on_conflict", &self.on_conflict, &sides)?;
        for (path, word) in &self.list_merge {
            options.list_modes.push((path.clone(), one_of("list_merge", word, &LIST_MERGES)?));
        }
        Ok(())
    }
}

const LIST_MERGES: [(&str, ListMerge); 7] = [
    ("keep", ListMerge::Keep),
    ("replace", ListMerge::Replace),
    ("append", ListMerge::Append),
    ("prepend", ListMerge::Prepend),
    ("unique", ListMerge::Unique),
    ("union", ListMerge::Union),
    ("index", ListMerge::Index),
];

/// What a word of an option stands for.
fn one_of<T: Copy>(option: &str, word: &str, known: &[(&str, T)]) -> PyResult<T> {
    known.iter().find(|(name, _)| *name == word).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
        PyValueError::new_err(format!("{option} is one of {}, not {word:?}", names.join(", ")))
    })
}
