//! The files of a Datum repository: its definition, and what is below its stores. Nothing outside of it is read.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::input::{name, read_layer};
use crate::files;
use crate::layers::datum::{Definition, Files, Place, Store};
use crate::layers::values::Layer;
use crate::text::encoding;
use crate::text::error::Error;

/// How many files a repository may have below its stores.
const MOST_FILES: usize = 200_000;
/// How deep its folders may be in each other.
const MOST_FOLDERS: usize = 50;

const NAMES: [&str; 4] = ["Datum.yml", "Datum.yaml", "datum.yml", "datum.yaml"];

/// The root of a repository, and its definition.
///
/// # Errors
/// No definition is there, or it cannot be read.
pub(super) fn definition(root: &Path) -> Result<(PathBuf, Layer), Error> {
    if !root.is_dir() {
        let above = root.parent().filter(|above| *above != Path::new("")).unwrap_or(Path::new("."));
        return Ok((above.to_owned(), read_layer(root)?));
    }
    let found = NAMES.iter().map(|name| root.join(name)).find(|path| path.exists());
    let missing = || {
        let error = Error::input("there is no Datum.yml in this directory").in_file(&name(root));
        error.help("name the directory that has it, or the definition itself")
    };
    Ok((root.to_owned(), read_layer(&found.ok_or_else(missing)?)?))
}

/// All files below the stores of a definition, and where they are.
///
/// # Errors
/// A store that is not there, links that lead out of the repository, and files that cannot be read.
pub(super) fn files(root: &Path, definition: &Definition<'_>) -> Result<(Files, Vec<PathBuf>), Error> {
    let mut reading = Reading { root, canonical: canonical(root)?, files: Files::default(), paths: Vec::new() };
    match definition.stores() {
        Some(stores) => {
            for store in stores {
                reading.store(store, definition)?;
            }
        }
        None => {
            for folder in folders(root)? {
                let name = folder.file_name().and_then(OsStr::to_str).unwrap_or_default().to_owned();
                reading.below(&name, &folder)?;
            }
        }
    }
    Ok((reading.files, reading.paths))
}

fn canonical(path: &Path) -> Result<PathBuf, Error> {
    fs::canonicalize(path).map_err(|error| Error::input(format!("cannot be found: {error}")).in_file(&name(path)))
}

/// The folders in a directory, in the order of their names, but for those that are hidden.
fn folders(root: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = WalkDir::new(root).min_depth(1).max_depth(1).sort_by_file_name().into_iter();
    let mut folders = Vec::new();
    for entry in entries.filter_entry(|entry| !is_hidden(entry)) {
        let entry = entry.map_err(|error| Error::input(error.to_string()))?;
        folders.extend(entry.path().is_dir().then(|| entry.into_path()));
    }
    Ok(folders)
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// Files that are being read.
struct Reading<'r> {
    root: &'r Path,
    canonical: PathBuf,
    files: Files,
    paths: Vec<PathBuf>,
}

impl Reading<'_> {
    fn store(&mut self, store: &Store, definition: &Definition<'_>) -> Result<(), Error> {
        let folder = store.path.iter().fold(self.root.to_owned(), |path, step| path.join(step));
        if !folder.is_dir() {
            return Err(definition.without_folder(store));
        }
        self.below(&store.name, &folder)
    }

    /// Reads all that is below a folder, in the order of names.
    fn below(&mut self, store: &str, folder: &Path) -> Result<(), Error> {
        self.refuse_outside(folder)?;
        let entries = WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter();
        for entry in entries.filter_entry(|entry| !is_hidden(entry)) {
            let entry = entry.map_err(|error| Error::input(error.to_string()))?;
            let path = entry.path();
            if entry.path_is_symlink() {
                self.refuse_outside(path)?;
            }
            if self.files.places.len() >= MOST_FILES || entry.depth() > MOST_FOLDERS {
                let what = format!("more than {MOST_FILES} files, or folders deeper than {MOST_FOLDERS} in each other");
                return Err(Error::input(what).in_file(&name(folder)).help("name another ROOT"));
            }
            if let Some(place) = place(store, folder, &entry) {
                self.read(place, path)?;
            }
        }
        Ok(())
    }

    fn read(&mut self, place: Place, path: &Path) -> Result<(), Error> {
        let mut layer = Layer { name: name(path), text: String::new() };
        if place.is_readable {
            let bytes = files::read_beneath(self.root, path, encoding::LIMIT);
            let bytes = bytes.map_err(|error| error.in_file(&layer.name))?;
            layer.text = encoding::decode(&layer.name, bytes, encoding::LIMIT)?;
        }
        self.files.places.push(place);
        self.files.layers.push(layer);
        self.paths.push(path.to_owned());
        Ok(())
    }

    /// A link may lead to another place of the repository only.
    fn refuse_outside(&self, path: &Path) -> Result<(), Error> {
        if canonical(path)?.starts_with(&self.canonical) {
            return Ok(());
        }
        let error = Error::input(format!("is a link that leads out of `{}`", name(self.root))).in_file(&name(path));
        Err(error.help("a repository has all of its files below its root"))
    }
}

/// Where a file is, if it is one that Datum reads as data.
fn place(store: &str, folder: &Path, entry: &DirEntry) -> Option<Place> {
    let end = entry.path().extension()?.to_str()?.to_ascii_lowercase();
    let is_readable = matches!(end.as_str(), "yml" | "yaml" | "json");
    if entry.file_type().is_dir() || !(is_readable || end == "psd1") {
        return None;
    }
    let below = entry.path().parent()?.strip_prefix(folder).ok()?;
    let folders = below.iter().map(|name| Some(name.to_str()?.to_owned())).collect::<Option<_>>()?;
    let name = entry.path().file_stem()?.to_str()?.to_owned();
    Some(Place { store: store.to_owned(), folders, name, is_readable })
}
