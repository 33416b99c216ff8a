//! What the names of files tell of a call that is not meant: a CONFIG that is not there beside one that is called nearly the
//! same, and a default that has backups as a configuration has.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crate::text::error::{Error, visible};

/// So many letters may be wrong.
const WRONG: usize = 2;
/// A name shorter than this is like too many others.
const SHORTEST: usize = 5;

/// The words about a CONFIG that was not there, and whether it is near that another was meant.
pub(super) struct New {
    pub(super) what: String,
    pub(super) near: Option<String>,
}

impl New {
    /// The refusal of a CONFIG that has to exist.
    pub(super) fn refused(&self, config: &Path) -> Error {
        let error =
            Error::input("no such file, and --must-exist is given").in_file(&visible(&config.display().to_string()));
        match &self.near {
            Some(near) => error.help(format!("did you mean `{}`?", visible(near))),
            None => error.help("without --must-exist it would be installed new"),
        }
    }

    /// Looks around a CONFIG that does not exist; `others` are files of this call that may have a name like it.
    pub(super) fn of(config: &Path, others: &[&Path]) -> Self {
        let near = near(config, others);
        let hint = near.as_ref().map_or_else(String::new, |near| format!(", did you mean `{near}`?"));
        let what = format!("{} did not exist and is installed new{hint}", config.display());
        Self { what, near }
    }
}

/// The file beside this one whose name is nearly the same, if there is one. Names that differ in their numbers only are
/// those of siblings.
fn near(config: &Path, others: &[&Path]) -> Option<String> {
    let name = config.file_name()?.to_str()?;
    let dir = config.parent().filter(|dir| *dir != Path::new("")).unwrap_or(Path::new("."));
    let others: Vec<&OsStr> = others.iter().filter_map(|other| other.file_name()).collect();
    let names = fs::read_dir(dir).ok()?.flatten().filter(|entry| !entry.path().is_dir()).map(|entry| entry.file_name());
    let near = names.filter(|name| !others.contains(&name.as_os_str())).filter_map(|other| other.into_string().ok());
    let distance = |other: &String| strsim::damerau_levenshtein(&other.to_lowercase(), &name.to_lowercase());
    let is_near =
        |other: &String| name.len() >= SHORTEST && distance(other) <= WRONG && letters(other) != letters(name);
    near.filter(is_near).min_by_key(|other| (distance(other), other.clone()))
}

fn letters(name: &str) -> String {
    name.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// Words where DEFAULT has backups beside it, and CONFIG has none.
pub(super) fn exchanged(config: &Path, update: &Path) -> Option<String> {
    (has_backups(update) && !has_backups(config)).then(|| {
        let (config, update) = (config.display(), update.display());
        format!("{update} has backups beside it, as a configuration has, and {config} has none: are they exchanged?")
    })
}

/// Whether there is a file beside this one with its name and a time behind it.
fn has_backups(file: &Path) -> bool {
    let Some(name) = file.file_name().and_then(OsStr::to_str) else { return false };
    let dir = file.parent().filter(|dir| *dir != Path::new("")).unwrap_or(Path::new("."));
    let is_backup = |other: &str| {
        let time = other.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
        time.is_some_and(|time| time.len() >= 14 && time.bytes().take(14).all(|byte| byte.is_ascii_digit()))
    };
    let names = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.into_iter().any(|name| name.to_str().is_some_and(is_backup))
}
