//! What `yamlift merge --rules heat` reads besides files that are named: directories of environments, templates below a
//! directory, the state before, and where all of them are.

use std::ffi::OsString;
use std::fs;
use std::path::{self, Component, Path, PathBuf};

use super::input::{is_stdin, name, read_layer, yaml_files_below};
use crate::layers::heat::{Places, is_template};
use crate::layers::values::Layer;
use crate::text::error::Error;

/// What the result is compared with.
#[derive(Debug, Clone)]
pub(crate) enum Compared {
    FirstFile,
    /// What another file or directory comes to.
    Other(PathBuf),
}

impl Compared {
    /// The word behind `--diff=`, empty where there is none.
    pub(super) fn read(word: OsString) -> Self {
        if word.is_empty() { Self::FirstFile } else { Self::Other(word.into()) }
    }

    pub(super) fn other(&self) -> Option<&PathBuf> {
        match self {
            Self::FirstFile => None,
            Self::Other(path) => Some(path),
        }
    }
}

/// The environments that are named, those of a directory in its place: every `.yaml` file directly in it, in the order of
/// their names, as the client of `TripleO` takes them.
///
/// # Errors
/// A directory that cannot be read or has none.
pub(super) fn environments(named: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for path in named {
        if is_stdin(path) || !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let found = in_directory(path)?;
        if found.is_empty() {
            let error = Error::input("there is no .yaml file directly in this directory").in_file(&name(path));
            return Err(error.help("name the environments one by one, or another directory"));
        }
        files.extend(found);
    }
    Ok(files)
}

fn in_directory(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let unreadable = |error: std::io::Error| Error::input(format!("cannot be read: {error}")).in_file(&name(directory));
    let mut names = Vec::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?.file_name();
        let bytes = entry.as_encoded_bytes();
        if bytes.ends_with(b".yaml") && !bytes.starts_with(b".") {
            names.push(entry);
        }
    }
    names.sort();
    Ok(names.into_iter().map(|name| directory.join(name)).filter(|path| path.is_file()).collect())
}

/// The templates that are named, those below a directory in its place.
///
/// # Errors
/// A directory that has none, what cannot be read.
pub(super) fn templates(named: &[PathBuf]) -> Result<Vec<(PathBuf, Layer)>, Error> {
    let mut templates = Vec::new();
    for path in named {
        if !path.is_dir() {
            templates.push((path.clone(), read_layer(path)?));
            continue;
        }
        let before = templates.len();
        for file in yaml_files_below(path)? {
            let layer = read_layer(&file)?;
            if is_template(&layer) {
                templates.push((file, layer));
            }
        }
        if templates.len() == before {
            let error = Error::input("no file below this directory is a template").in_file(&name(path));
            return Err(error.help("a template has `heat_template_version` at its top"));
        }
    }
    Ok(templates)
}

/// The directory that a file is in, from the root of the disk on; `.` and `..` are followed by their words, as the client
/// does it. What is piped in counts as beside what the command is called from.
///
/// # Errors
/// The directory that the command is called from cannot be told.
pub(super) fn directory_of(file: Option<&Path>) -> Result<String, Error> {
    let file = file.filter(|file| !is_stdin(file)).unwrap_or(Path::new("-"));
    let absolute = path::absolute(file).map_err(|error| Error::input(format!("cannot be found: {error}")))?;
    let mut steps: Vec<String> = Vec::new();
    for part in absolute.parent().unwrap_or(&absolute).components() {
        match part {
            Component::ParentDir => _ = steps.pop(),
            Component::CurDir | Component::RootDir => {}
            Component::Prefix(prefix) => steps.push(prefix.as_os_str().to_string_lossy().into_owned()),
            Component::Normal(step) => steps.push(step.to_string_lossy().into_owned()),
        }
    }
    Ok(format!("/{}", steps.join("/")))
}

/// Where these environments and the result are.
///
/// # Errors
/// The same.
pub(super) fn places(environments: &[PathBuf], output: Option<&Path>) -> Result<Places, Error> {
    let environments = environments.iter().map(|file| directory_of(Some(file))).collect::<Result<_, _>>()?;
    Ok(Places { output: directory_of(output)?, environments, are_urls: false })
}
