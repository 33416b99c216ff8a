//! A directory that a command reads files of: links may lead to another place inside of it, and nowhere else.

use std::fs;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::input::name;
use crate::files;
use crate::layers::values::Layer;
use crate::text::encoding;
use crate::text::error::Error;

/// How many files a directory may have that are read.
const MOST_FILES: usize = 200_000;
/// How deep its folders may be in each other.
const MOST_FOLDERS: usize = 50;

/// The directory.
pub(super) struct Beneath<'r> {
    root: &'r Path,
    canonical: PathBuf,
    /// How many files of it were found.
    found: usize,
}

impl<'r> Beneath<'r> {
    /// # Errors
    /// It is not there.
    pub(super) fn new(root: &'r Path) -> Result<Self, Error> {
        Ok(Self { root, canonical: canonical(root)?, found: 0 })
    }

    /// The files below a folder that are wanted, in the order of their names, links followed. What is hidden is left out.
    ///
    /// # Errors
    /// Links that lead out of the directory, too many files, and folders that cannot be read.
    pub(super) fn files(
        &mut self,
        folder: &Path,
        is_wanted: impl Fn(&DirEntry) -> bool,
    ) -> Result<Vec<DirEntry>, Error> {
        self.refuse_outside(folder)?;
        let mut files = Vec::new();
        let entries = WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter();
        for entry in entries.filter_entry(|entry| !is_hidden(entry)) {
            let entry = entry.map_err(|error| Error::input(error.to_string()))?;
            if entry.path_is_symlink() {
                self.refuse_outside(entry.path())?;
            }
            if self.found >= MOST_FILES || entry.depth() > MOST_FOLDERS {
                let what = format!("more than {MOST_FILES} files, or folders deeper than {MOST_FOLDERS} in each other");
                return Err(Error::input(what).in_file(&name(folder)).help("name another directory"));
            }
            if !entry.file_type().is_dir() && is_wanted(&entry) {
                self.found += 1;
                files.push(entry);
            }
        }
        Ok(files)
    }

    /// The folders in a folder, in the order of their names, but for those that are hidden; none where it is not there.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn folders(folder: &Path) -> Result<Vec<PathBuf>, Error> {
        let mut folders = Vec::new();
        if !folder.is_dir() {
            return Ok(folders);
        }
        let entries = WalkDir::new(folder).min_depth(1).max_depth(1).sort_by_file_name().into_iter();
        for entry in entries.filter_entry(|entry| !is_hidden(entry)) {
            let entry = entry.map_err(|error| Error::input(error.to_string()))?;
            folders.extend(entry.path().is_dir().then(|| entry.into_path()));
        }
        Ok(folders)
    }

    /// Reads one of its files.
    ///
    /// # Errors
    /// It cannot be read, is no text, or is not in the directory any more.
    pub(super) fn read(&self, path: &Path) -> Result<Layer, Error> {
        let name = name(path);
        let bytes = files::read_beneath(self.root, path, encoding::LIMIT).map_err(|error| error.in_file(&name))?;
        let text = encoding::decode(&name, bytes, encoding::LIMIT)?;
        Ok(Layer { name, text })
    }

    /// A link may lead to another place of the directory only.
    fn refuse_outside(&self, path: &Path) -> Result<(), Error> {
        if canonical(path)?.starts_with(&self.canonical) {
            return Ok(());
        }
        let error = Error::input(format!("is a link that leads out of `{}`", name(self.root))).in_file(&name(path));
        Err(error.help("a repository has all of its files below its root"))
    }
}

fn canonical(path: &Path) -> Result<PathBuf, Error> {
    fs::canonicalize(path).map_err(|error| Error::input(format!("cannot be found: {error}")).in_file(&name(path)))
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".")
}
