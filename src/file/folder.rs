//! Directories: created where they are missing, and asked to remember the names in them.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use super::system;

/// Creates what is missing of `dir`, each directory durable before the next is put into it.
pub(super) fn make_dir(dir: &Path, private: bool) -> io::Result<()> {
    let missing: Vec<_> = dir.ancestors().take_while(|dir| *dir != Path::new("") && !dir.exists()).collect();
    for dir in missing.into_iter().rev() {
        match system::make_dir(dir, private) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && dir.is_dir() => {}
            made => made?,
        }
        Folder::open(parent(dir))?.sync()?;
    }
    Ok(())
}

/// The directory that `path` stands in, also where the path does not say so.
pub(super) fn parent(path: &Path) -> &Path {
    path.parent().filter(|dir| *dir != Path::new("")).unwrap_or(Path::new("."))
}

/// A directory, opened before anything is done in it: making it durable must not fail for want of access afterwards.
pub(super) struct Folder(Option<File>);

impl Folder {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        system::open_dir(path).map(Self)
    }

    /// Makes the names in it durable. Some file systems cannot be asked to, and there is nothing better to do there.
    pub(super) fn sync(&self) -> io::Result<()> {
        match self.0.as_ref().map_or(Ok(()), File::sync_all) {
            Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
            synced => synced,
        }
    }
}
