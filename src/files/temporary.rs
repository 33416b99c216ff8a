//! The new content, complete and durable, before anybody can take it for the file.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, ErrorKind};
use std::rc::Rc;

use super::attempt::busy;
use super::dead::remove_dead;
use super::disk::{Attributes, Disk, NewAccess, Stat};
use super::guise::{Access, Guise, Loss};
use super::site::{Folder, Guard};
use super::{failed, shown};
use crate::text::error::Error;

/// A file of ours under a name of ours.
pub(super) struct Temporary<D: Disk> {
    pub(super) guard: Guard<D>,
    file: Rc<D::File>,
}

/// What a file has besides its bytes.
pub(super) struct State {
    stat: Stat,
    attributes: Attributes,
}

/// Signatures that the kernel renews by itself.
const OF_THE_KERNEL: [&str; 2] = ["security.ima", "security.evm"];

impl<D: Disk> Temporary<D> {
    /// An empty file, which nobody but its owner can open where it is to hold what another file holds. It is locked:
    /// `WouldBlock` where another run has a file of this name.
    pub(super) fn create(folder: &Rc<Folder<D>>, name: &OsStr, access: NewAccess) -> io::Result<Self> {
        const TRIES: usize = 100;
        for _ in 0..TRIES {
            match Self::create_locked(folder, name, if access == NewAccess::Owner { 0o600 } else { 0o644 }) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    remove_dead(folder, name, None)?;
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
        self.sync()
    }

    fn unwritable(&self, error: &io::Error) -> Error {
        unwritable(&self.guard.folder, error)
    }

    /// What a program that only reads it leaves as it is, besides its bytes.
    pub(super) fn state(&self) -> io::Result<State> {
        let disk = &self.guard.folder.disk;
        let mut attributes = disk.attributes(&self.file)?;
        attributes.retain(|name, _| !OF_THE_KERNEL.iter().any(|own| name == own));
        Ok(State { stat: disk.stat_open(&self.file)?, attributes })
    }

    /// In words, what of it has changed, be it its content, what else it has, or which file is under its name.
    pub(super) fn change_since(&self, before: &State, bytes: &[u8]) -> io::Result<Option<&'static str>> {
        let Guard { folder, name, .. } = &self.guard;
        let named = match folder.stat(name) {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            named => Some(named?.id),
        };
        let now = self.state()?;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let is_same_content = folder.disk.read(&self.file, size.saturating_add(1))? == bytes;
        let changes = [
            (named != Some(self.guard.id), "the file of its name"),
            (!is_same_content, "its content"),
            (now.stat.owner != before.stat.owner, "its owner"),
            (now.stat.mode != before.stat.mode, "its mode"),
            (now.stat.links != before.stat.links, "its number of hard links"),
            (now.attributes != before.attributes, "a list or an attribute of it"),
        ];
        Ok(changes.into_iter().find(|(is_changed, _)| *is_changed).map(|(_, what)| what))
    }

    /// Removes whatever somebody has put under its name, which is one of ours.
    pub(super) fn clear_name(&self) {
        // What cannot be removed now is cleared by the next run.
        let _ = self.guard.folder.remove(&self.guard.name).or_else(|_| fs::remove_dir(self.guard.path()));
    }

    /// What it gets besides its bytes.
    pub(super) fn guise(&self, access: &Access) -> Result<Option<Guise>, Error> {
        let guise = access.guise(&self.guard.folder.disk, &self.file);
        guise.map_err(|error| failed("its owner and mode cannot be read", &error))
    }

    /// Makes it durable once more.
    pub(super) fn sync(&self) -> Result<(), Error> {
        self.guard.folder.disk.sync(&self.file).map_err(|error| self.unwritable(&error))
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
            "the content gets a temporary name there first: run as a user who may write in the directory; `--in-place \
             --backup-dir DIR` writes into the file itself",
        ),
        ErrorKind::AlreadyExists => {
            refused.help("something that is no file has a name of ours there: look at `.yamlift-*`")
        }
        _ => refused.help("make room there, or look at the disk, then run again"),
    }
}
