//! What a command reads: files, and standard input for `-`.

use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::files;
use crate::layers::values::Layer;
use crate::text::encoding;
use crate::text::error::{Error, visible};
use crate::upgrade::migration::Migration;

/// Standard input for `-`, else the file.
pub(super) fn read(path: &Path) -> Result<String, Error> {
    read_within(path, encoding::LIMIT)
}

/// The same with another limit of size.
pub(super) fn read_within(path: &Path, max_size: u64) -> Result<String, Error> {
    if path != Path::new("-") {
        return files::read(path, max_size);
    }
    encoding::decode("standard input", read_stdin(max_size)?, max_size)
}

fn read_stdin(max_size: u64) -> Result<Vec<u8>, Error> {
    let read = files::read_up_to(std::io::stdin().lock(), max_size);
    read.map_err(|error| error.in_file("standard input"))
}

/// What may be no text: standard input for `-`, else the file.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    if path == Path::new("-") { read_stdin(encoding::LIMIT) } else { files::read_bytes(path, encoding::LIMIT) }
}

/// A file that is read once, for a pipe gives nothing the second time.
pub(super) struct Input {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

impl Input {
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        Ok(Self { name: name(path), bytes: read_bytes(path)? })
    }

    /// What it holds, and nothing where that is no text: a user-data may be packed.
    pub(super) fn text(&self) -> &str {
        str::from_utf8(&self.bytes).unwrap_or_default()
    }

    pub(super) fn layer(&self) -> Result<Layer, Error> {
        let text = encoding::decode(&visible(&self.name), self.bytes.clone(), encoding::LIMIT)?;
        Ok(Layer { name: self.name.clone(), text })
    }
}

/// What a file is called in messages.
pub(super) fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Whether that is what is typed or piped in, which can be read once.
pub(super) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-") || files::descriptor(path) == Some(0)
}

pub(super) fn read_migration(path: &Path) -> Result<Migration, Error> {
    Migration::read(&path.display().to_string(), &read(path)?)
}

/// A file as a layer.
pub(super) fn read_layer(path: &Path) -> Result<Layer, Error> {
    Ok(Layer { name: name(path), text: read(path)? })
}

/// Every .yml and .yaml file below a directory, in the order of their names, links followed. What is hidden is left out, and so
/// is a link to a directory that it stands in. One that leads nowhere is among them, to be refused as a file.
pub(super) fn yaml_files_below(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let is_yaml = |path: &Path| path.extension().is_some_and(|end| end == "yml" || end == "yaml");
    let is_hidden = |entry: &DirEntry| entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".");
    let mut files = Vec::new();
    let entries = WalkDir::new(directory).follow_links(true).sort_by_file_name().into_iter();
    for entry in entries.filter_entry(|entry| !is_hidden(entry)) {
        let file = match entry {
            Ok(entry) => Some(entry).filter(|entry| !entry.file_type().is_dir()).map(DirEntry::into_path),
            Err(error) if error.loop_ancestor().is_some() => None,
            Err(error) => match error.path().filter(|path| path.is_symlink()) {
                Some(link) => Some(link.to_owned()),
                None => return Err(Error::input(error.to_string()).help("make it readable, or name another directory")),
            },
        };
        files.extend(file.filter(|file| is_yaml(file)));
    }
    if files.is_empty() {
        return Err(Error::input("there is no .yml or .yaml file below").in_file(&directory.display().to_string()));
    }
    Ok(files)
}
