//! The file behind symbolic links, which is the one to be replaced; the links stay.
//!
//! A link in a directory where others can write is refused: they could point it at any file of whoever runs this, and
//! it would be that file which is written. Others are all but root and the owner of the file.
//!
//! Each link is read from the very directory that was looked at, and that directory is opened without following links: what
//! somebody puts into the path meanwhile is not followed, here or when the file itself is opened.

use std::path::{Path, PathBuf};

use crate::text::error::Error;

/// Where a path leads.
pub(super) struct Target {
    pub(super) path: PathBuf,
    /// Whose it has to be, for there are links to it that its owner can turn.
    owner: Option<u32>,
}

impl Target {
    /// Whether it is still of the user who could turn the links to it.
    pub(super) fn check_owner(&self, owner: u32) -> Result<(), Error> {
        if self.owner.is_none_or(|wanted| wanted == owner) { Ok(()) } else { Err(super::found::changed()) }
    }
}

#[cfg(not(unix))]
pub(super) fn target(path: &Path) -> Result<Target, Error> {
    let path = std::fs::canonicalize(path).map_err(|error| super::input::unreadable(path, &error))?;
    Ok(Target { path, owner: None })
}

#[cfg(unix)]
pub(super) fn target(path: &Path) -> Result<Target, Error> {
    use std::os::unix::fs::MetadataExt as _;
    let unreadable = |error| super::input::unreadable(path, &error);
    let mut walk = Walk::from(&std::path::absolute(path).map_err(unreadable)?);
    while walk.step().map_err(unreadable)? {}
    let owner = std::fs::symlink_metadata(&walk.done).map_err(unreadable)?.uid();
    match walk.links.iter().find(|link| link.is_open_to_others(owner)) {
        Some(link) => Err(Error::input(format!(
            "the symbolic link `{}` is in a directory where others can write",
            super::shown(&link.path)
        ))
        .help(format!("name the file itself, if that is the one: {}", super::shown(&walk.done)))),
        None => Ok(Target { owner: (!walk.links.is_empty()).then_some(owner), path: walk.done }),
    }
}

#[cfg(unix)]
use links::Walk;

#[cfg(unix)]
mod links {
    use std::ffi::OsString;
    use std::io;
    use std::path::{Component, Path, PathBuf};

    use crate::files::disk::{Disk as _, Stat};
    use crate::files::unix::{System, read_link};

    /// A symbolic link on the way, and the directory that it is in.
    pub(super) struct Link {
        pub(super) path: PathBuf,
        folder: Stat,
    }

    impl Link {
        /// Whether others than root and the owner of the file that it leads to can put another link there.
        pub(super) fn is_open_to_others(&self, file_owner: u32) -> bool {
            let owner = self.folder.owner.0;
            self.folder.mode & 0o022 != 0 || (owner != 0 && owner != file_owner)
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
            let Some(next) = self.rest.pop() else { return Ok(false) };
            if next == ".." {
                self.done.pop();
                return Ok(true);
            }
            let path = self.done.join(&next);
            if std::fs::symlink_metadata(&path)?.is_symlink() {
                self.follow(path, &next)?;
            } else {
                self.done = path;
            }
            Ok(true)
        }

        fn follow(&mut self, path: PathBuf, name: &OsString) -> io::Result<()> {
            /// As many as Linux follows.
            const MOST: usize = 40;
            if self.links.len() >= MOST {
                return Err(io::Error::other("too many symbolic links"));
            }
            let dir = System.open_resolved(&self.done)?;
            let to = read_link(&dir, name)?;
            self.links.push(Link { folder: System.stat_dir(&dir)?, path });
            self.put_before(&to);
            if to.is_absolute() {
                self.done = PathBuf::from("/");
            }
            Ok(())
        }
    }
}
