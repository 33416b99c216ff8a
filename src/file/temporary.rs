//! The new content, complete and durable, before anybody can take it for the file.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::rc::Rc;

use super::disk::Disk;
use super::guise::{Guise, Loss};
use super::leftover;
use super::lock::busy;
use super::site::{Folder, Guard};
use super::{failed, shown};
use crate::error::Error;

/// A file of ours under a name of ours.
pub(super) struct Temporary<D: Disk> {
    pub(super) guard: Guard<D>,
    file: Rc<D::File>,
}

impl<D: Disk> Temporary<D> {
    /// An empty file, which nobody but its owner can open where it is to hold what another file holds. It is locked:
    /// `WouldBlock` where another run has a file of this name.
    pub(super) fn create(folder: &Rc<Folder<D>>, name: &OsStr, private: bool) -> io::Result<Self> {
        const TRIES: usize = 100;
        for _ in 0..TRIES {
            match Self::create_locked(folder, name, if private { 0o600 } else { 0o644 }) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    leftover::remove_dead(folder, name, None)?;
                }
                Ok(None) => {}
                Ok(Some(file)) => return Ok(file),
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// Nothing where another run took it for a killed run's, before it was locked.
    fn create_locked(folder: &Rc<Folder<D>>, name: &OsStr, mode: u32) -> io::Result<Option<Self>> {
        let disk = &folder.disk;
        let file = disk.create(&folder.dir, name, mode)?;
        let id = disk.stat_open(&file).map(|stat| stat.id);
        let id = id.inspect_err(|_| drop(folder.remove(name)))?;
        let guard = Guard::new(folder, name.to_owned(), id);
        match disk.lock(&file) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                guard.keep();
                return Ok(None);
            }
            locked => locked?,
        }
        let is_there = folder.stat(name)?.id == id;
        Ok(is_there.then(|| Self { guard, file: Rc::new(file) }))
    }

    /// The file with its lock, which is held as long as this is.
    pub(super) fn lock(&self) -> Rc<D::File> {
        Rc::clone(&self.file)
    }

    /// Content first, and the room for it before that: a full disk is noticed while nothing depends on it. Then what
    /// else makes the file, and all of it made durable. An `fsync` that failed is not asked again, for it may have
    /// forgotten what it could not write.
    pub(super) fn fill(&self, bytes: &[u8], like: Option<&Guise>, loss: Loss) -> Result<(), Error> {
        let disk = &self.guard.folder.disk;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let written = disk.reserve(&self.file, size).and_then(|()| disk.write(&self.file, bytes));
        written.map_err(|error| self.unwritable(&error))?;
        if let Some(guise) = like {
            guise.give_to(disk, &self.file, loss)?;
        }
        disk.sync(&self.file).map_err(|error| self.unwritable(&error))
    }

    fn unwritable(&self, error: &io::Error) -> Error {
        unwritable(&self.guard.folder, error)
    }

    /// Whether it still holds these bytes and no others.
    pub(super) fn holds(&self, bytes: &[u8]) -> io::Result<bool> {
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Ok(self.guard.folder.disk.read(&self.file, size.saturating_add(1))? == bytes)
    }

    /// Gives it another name, where none is.
    pub(super) fn rename(&mut self, name: OsString) -> io::Result<()> {
        let folder = &self.guard.folder;
        folder.disk.rename_new(&folder.dir, &self.guard.name, &name)?;
        self.guard.name = name;
        Ok(())
    }
}

/// A directory that took no new file, with a way out where it is a matter of rights.
pub(super) fn unwritable<D: Disk>(folder: &Folder<D>, error: &io::Error) -> Error {
    let refused = failed(&format!("cannot be written in the directory `{}`", shown(&folder.path)), error);
    match error.kind() {
        ErrorKind::WouldBlock => busy(),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => refused.help(
            "the content gets a temporary name there first: run as a user who may write in the directory; `--in-place` \
             writes into the file itself",
        ),
        _ => refused.help("make room there, or look at the disk, then run again"),
    }
}
