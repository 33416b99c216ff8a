//! The files of a Datum repository: its definition, and what is below its stores. Nothing outside of it is read.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use walkdir::DirEntry;

use super::beneath::Beneath;
use super::input::{name, read_layer};
use crate::layers::datum::{Definition, Files, Place, Store};
use crate::layers::values::Layer;
use crate::text::error::Error;

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
    let mut reading = Reading { root, beneath: Beneath::new(root)?, files: Files::default(), paths: Vec::new() };
    match definition.stores() {
        Some(stores) => {
            for store in stores {
                reading.store(store, definition)?;
            }
        }
        None => {
            for folder in Beneath::folders(root)? {
                let name = folder.file_name().and_then(OsStr::to_str).unwrap_or_default().to_owned();
                reading.below(&name, &folder)?;
            }
        }
    }
    Ok((reading.files, reading.paths))
}

/// Files that are being read.
struct Reading<'r> {
    root: &'r Path,
    beneath: Beneath<'r>,
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
        for entry in self.beneath.files(folder, |entry| place(store, folder, entry).is_some())? {
            if let Some(place) = place(store, folder, &entry) {
                self.read(place, entry.path())?;
            }
        }
        Ok(())
    }

    fn read(&mut self, place: Place, path: &Path) -> Result<(), Error> {
        let unread = || Layer { name: name(path), text: String::new() };
        let layer = if place.is_readable { self.beneath.read(path)? } else { unread() };
        self.files.places.push(place);
        self.files.layers.push(layer);
        self.paths.push(path.to_owned());
        Ok(())
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
