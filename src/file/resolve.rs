//! The file behind symbolic links, which is the one to be replaced; the links stay.
//!
//! A link in a directory where others can write is refused: they could point it at any file of whoever runs this, and
//! it would be that file which is written. Others are all but root and the owner of the file.

use std::path::{Path, PathBuf};

use crate::error::Error;

#[cfg(not(unix))]
pub(super) fn target(path: &Path) -> Result<PathBuf, Error> {
    std::fs::canonicalize(path).map_err(|error| super::input::unreadable(path, &error))
}

#[cfg(unix)]
pub(super) fn target(path: &Path) -> Result<PathBuf, Error> {
    let unreadable = |error| super::input::unreadable(path, &error);
    let mut walk = Walk::from(&std::path::absolute(path).map_err(unreadable)?);
    while walk.step().map_err(unreadable)? {}
    let owner = std::fs::symlink_metadata(&walk.done).map_err(unreadable)?;
    match walk.links.iter().find(|link| link.is_open_to_others(&owner)) {
        Some(link) => Err(Error::input(format!(
            "the symbolic link `{}` is in a directory where others can write",
            super::shown(&link.path)
        ))
        .help(format!("name the file itself, if that is the one: {}", super::shown(&walk.done)))),
        None => Ok(walk.done),
    }
}

#[cfg(unix)]
use links::Walk;

#[cfg(unix)]
mod links {
    use std::ffi::OsString;
    use std::fs::{self, Metadata};
    use std::io;
    use std::os::unix::fs::MetadataExt;
    use std::path::{Component, Path, PathBuf};

    /// A symbolic link on the way, and the directory that it is in.
    pub(super) struct Link {
        pub(super) path: PathBuf,
        folder: Metadata,
    }

    impl Link {
        /// Whether others than root and the owner of the file that it leads to can put another link there.
        pub(super) fn is_open_to_others(&self, file: &Metadata) -> bool {
            let owner = self.folder.uid();
            self.folder.mode() & 0o022 != 0 || (owner != 0 && owner != file.uid())
        }
    }

    /// A path of which the first part is resolved.
    pub(super) struct Walk {
        pub(super) done: PathBuf,
        /// What is still to come, the next one last.
        rest: Vec<OsString>,
        pub(super) links: Vec<Link>,
    }

    impl Walk {
        pub(super) fn from(path: &Path) -> Self {
            let mut walk = Self { done: PathBuf::from("/"), rest: Vec::new(), links: Vec::new() };
            walk.put_before(path);
            walk
        }

        fn put_before(&mut self, path: &Path) {
            let words = path.components().filter(|word| !matches!(word, Component::RootDir | Component::CurDir));
            self.rest.extend(words.rev().map(|word| word.as_os_str().to_owned()));
        }

        /// Takes the next part; whether there was one.
        pub(super) fn step(&mut self) -> io::Result<bool> {
            /// As many as Linux follows.
            const MOST: usize = 40;
            let Some(next) = self.rest.pop() else { return Ok(false) };
            if next == ".." {
                self.done.pop();
                return Ok(true);
            }
            let path = self.done.join(next);
            if !fs::symlink_metadata(&path)?.is_symlink() {
                self.done = path;
            } else if self.links.len() < MOST {
                let to = fs::read_link(&path)?;
                self.links.push(Link { folder: fs::metadata(&self.done)?, path });
                self.put_before(&to);
                if to.is_absolute() {
                    self.done = PathBuf::from("/");
                }
            } else {
                return Err(io::Error::other("too many symbolic links"));
            }
            Ok(true)
        }
    }
}
