//! Where a file stands: a directory that is open, and a name in it.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::disk::{Disk, Stat};
use super::{failed, parent, shown};
use crate::text::error::Error;

/// An open directory. It is opened before anything is done in it: nothing may fail later for want of access.
pub(super) struct Folder<D: Disk> {
    pub(super) disk: D,
    pub(super) dir: D::Dir,
    /// For messages, for what is told, and for other programs.
    pub(super) path: PathBuf,
}

impl<D: Disk> Folder<D> {
    pub(super) fn open(disk: &D, path: &Path) -> io::Result<Rc<Self>> {
        Ok(Rc::new(Self { disk: disk.clone(), dir: disk.open_dir(path)?, path: path.to_owned() }))
    }

    /// The same for a path that was resolved: it is not resolved again.
    fn open_resolved(disk: &D, path: &Path) -> io::Result<Rc<Self>> {
        Ok(Rc::new(Self { disk: disk.clone(), dir: disk.open_resolved(path)?, path: path.to_owned() }))
    }

    pub(super) fn stat(&self, name: &OsStr) -> io::Result<Stat> {
        self.disk.stat(&self.dir, name)
    }

    pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
        self.disk.remove(&self.dir, name)
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.disk.sync_dir(&self.dir)
    }
}

/// A name in a directory. Our own names beside it are short, hidden, and none that a loader of `conf.d/*.yml` takes up.
pub(super) struct Site<D: Disk> {
    pub(super) folder: Rc<Folder<D>>,
    pub(super) name: OsString,
    /// Whose the file is, or where there is none the directory.
    owner: u32,
    /// How our own names for this file begin: a killed run's are found again by it.
    mark: String,
}

impl<D: Disk> Site<D> {
    /// Opens the directory of `path`, in which no part is a symbolic link any more.
    pub(super) fn open(disk: &D, path: &Path) -> Result<Self, Error> {
        let dir = parent(path);
        let refused = |error| failed(&format!("its directory `{}` cannot be opened", shown(dir)), &error);
        let folder = Folder::open_resolved(disk, dir).map_err(refused)?;
        let name = path.file_name().unwrap_or_default().to_owned();
        let stat = disk.stat_dir(&folder.dir).map_err(refused)?;
        let owner = folder.stat(&name).map_or(stat.owner.0, |file| file.owner.0);
        let mark = mark(stat.id.1, &name);
        Ok(Self { folder, name, owner, mark })
    }

    /// Whose the directory is.
    pub(super) fn folder_owner(&self) -> Result<u32, Error> {
        let stat = self.folder.disk.stat_dir(&self.folder.dir);
        stat.map(|stat| stat.owner.0).map_err(|error| failed("its directory cannot be read", &error))
    }

    /// Whether what this user does with the file is no stranger's doing.
    pub(super) fn trusts(&self, user: u32) -> bool {
        user == 0 || user == self.owner || user == self.folder.disk.user()
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path.join(&self.name)
    }

    /// What is under this name was made by us and is not finished: nobody ever had it in use.
    pub(super) fn unfinished(&self) -> OsString {
        format!("{}.new", self.mark).into()
    }

    /// This name stands for the file where files themselves cannot be locked.
    pub(super) fn claimed(&self) -> OsString {
        format!("{}.lock", self.mark).into()
    }

    /// What is under this name is to be a backup, and is not finished.
    pub(super) fn unfinished_copy(&self) -> OsString {
        format!("{}.copy", self.mark).into()
    }

    /// What is under this name waits to change places with the file, or has done so. The number is that of our own new
    /// file, so that the two can be told apart whenever a run is killed.
    pub(super) fn waiting(&self, number: u64) -> OsString {
        format!("{}.{number:x}", self.mark).into()
    }

    /// The number in a name that [`waiting`](Self::waiting) made.
    pub(super) fn number_in(&self, name: &OsStr) -> Option<u64> {
        let number = name.to_str()?.strip_prefix(&self.mark)?.strip_prefix('.')?;
        u64::from_str_radix(number, 16).ok()
    }
}

/// The directory is in it because several may share one directory for backups.
fn mark(dir: u64, name: &OsStr) -> String {
    let bytes = dir.to_le_bytes().into_iter().chain(name.as_encoded_bytes().iter().copied());
    format!(".yamlift-{:08x}", hash(bytes))
}

/// FNV-1a, for it stays the same from one release of Rust to the next.
pub(super) fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash >> 32) ^ (hash & 0xffff_ffff)
}

/// A name that goes away with this value, as long as it stands for the file that it was made for.
pub(super) struct Guard<D: Disk> {
    pub(super) folder: Rc<Folder<D>>,
    pub(super) name: OsString,
    pub(super) id: (u64, u64),
    armed: bool,
}

impl<D: Disk> Guard<D> {
    pub(super) fn new(folder: &Rc<Folder<D>>, name: OsString, id: (u64, u64)) -> Self {
        Self { folder: Rc::clone(folder), name, id, armed: true }
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path.join(&self.name)
    }

    /// Leaves the name where it is; its path.
    pub(super) fn keep(mut self) -> PathBuf {
        self.armed = false;
        self.path()
    }
}

impl<D: Disk> Drop for Guard<D> {
    fn drop(&mut self) {
        if self.armed && self.folder.stat(&self.name).is_ok_and(|now| now.id == self.id) {
            // What cannot be removed now is cleared by the next run.
            let _ = self.folder.remove(&self.name);
        }
    }
}
