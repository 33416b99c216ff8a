//! What replacing a file asks of a file system.
//!
//! The protocol is written against this interface, for it has to be tried where a real disk cannot go: at every instant
//! of a power cut. [`Model`](super::model::Model) is the other implementation; it knows what is durable and what is
//! not. Names are those of one directory that was opened before, so nobody can move the ground under a run.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::Path;

/// What a name stands for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    File,
    Directory,
    Link,
    /// Something else, in words.
    Other(&'static str),
}

/// What can be asked about a file without reading it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Stat {
    pub(super) kind: Kind,
    /// The device and the number of the file on it: two names of one file have the same.
    pub(super) id: (u64, u64),
    pub(super) size: u64,
    /// Seconds since 1970, and nanoseconds.
    pub(super) modified: (i64, u64),
    pub(super) links: u64,
    pub(super) owner: (u32, u32),
    /// Permissions, with set-user-ID, set-group-ID and the sticky bit.
    pub(super) mode: u32,
}

impl Stat {
    /// Whether it is the same file, in the same state. The number of its names does not count: a backup is one.
    pub(super) fn is_still(&self, before: &Self) -> bool {
        Self { links: before.links, ..self.clone() } == *before
    }
}

/// Extended attributes by name; access control lists and security labels are among them.
pub(super) type Attributes = BTreeMap<OsString, Vec<u8>>;

/// What stands in the way of replacing a file, whoever asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(any(target_os = "linux", target_os = "android")), expect(dead_code, reason = "only Linux tells"))]
pub(super) enum Obstacle {
    Immutable,
    AppendOnly,
    /// The file is bind-mounted by itself, as single files are into containers.
    MountPoint,
    /// It has no content of its own, as in `/proc` and `/sys`.
    Virtual,
}

/// Who may open what is created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NewAccess {
    /// Its owner alone.
    Owner,
    /// Whoever the umask lets.
    Usual,
}

/// What a file is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Reading,
    Writing,
}

/// A file system, or a model of one.
pub(super) trait Disk: Clone {
    /// An open directory.
    type Dir;
    /// An open file.
    type File;

    /// Creates what is missing of a directory, each part durable before the next is put into it.
    fn make_dir(&self, path: &Path, access: NewAccess) -> io::Result<()>;
    fn open_dir(&self, path: &Path) -> io::Result<Self::Dir>;
    /// The same where no part of the path may be a symbolic link, as far as the system can hold to that.
    fn open_resolved(&self, path: &Path) -> io::Result<Self::Dir> {
        self.open_dir(path)
    }
    fn stat_dir(&self, dir: &Self::Dir) -> io::Result<Stat>;
    /// Takes a name of ours in the directory for this process alone, where files themselves cannot be taken.
    fn claim(&self, _: &Self::Dir, _name: &OsStr) -> io::Result<()> {
        Ok(())
    }
    fn names(&self, dir: &Self::Dir) -> io::Result<Vec<OsString>>;
    /// Makes the names in it durable. Where a file system cannot be asked to, there is nothing better to do.
    fn sync_dir(&self, dir: &Self::Dir) -> io::Result<()>;

    /// Of the name itself, where that is a symbolic link.
    fn stat(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<Stat>;
    /// Opens neither a symbolic link nor anything that would have to be waited for.
    fn open(&self, dir: &Self::Dir, name: &OsStr, purpose: Purpose) -> io::Result<Self::File>;
    /// Takes an open file for this process alone, until it is closed; `WouldBlock` where another process has it.
    fn lock(&self, file: &Self::File) -> io::Result<()>;
    /// Opens a file as [`open`](Self::open) does, and takes it for this process alone.
    fn open_locked(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<Self::File> {
        let file = self.open(dir, name, Purpose::Reading)?;
        self.lock(&file).map(|()| file)
    }
    /// A new file, where nothing is yet; the umask takes its share of the mode.
    fn create(&self, dir: &Self::Dir, name: &OsStr, mode: u32) -> io::Result<Self::File>;
    fn link(&self, from: (&Self::Dir, &OsStr), to: (&Self::Dir, &OsStr)) -> io::Result<()>;
    /// Two names change places in one step; `Unsupported` or `InvalidInput` where that is not known.
    fn exchange(&self, dir: &Self::Dir, one: &OsStr, other: &OsStr) -> io::Result<()>;
    /// Over what is there.
    fn rename(&self, dir: &Self::Dir, from: &OsStr, to: &OsStr) -> io::Result<()>;
    /// Where nothing is there, else `AlreadyExists`.
    fn rename_new(&self, dir: &Self::Dir, from: &OsStr, to: &OsStr) -> io::Result<()>;
    fn remove(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<()>;
    /// Sets the time of the last change, which a backup is sorted by.
    fn set_modified(&self, dir: &Self::Dir, name: &OsStr, time: (i64, u64)) -> io::Result<()>;

    fn stat_open(&self, file: &Self::File) -> io::Result<Stat>;
    fn obstacle(&self, file: &Self::File) -> io::Result<Option<Obstacle>>;
    /// From the start, and no more than so many bytes.
    fn read(&self, file: &Self::File, limit: u64) -> io::Result<Vec<u8>>;
    /// Takes the room for so many bytes, where the file system knows how.
    fn reserve(&self, file: &Self::File, size: u64) -> io::Result<()>;
    /// From the start, over what is there.
    fn write(&self, file: &Self::File, bytes: &[u8]) -> io::Result<()>;
    fn truncate(&self, file: &Self::File, size: u64) -> io::Result<()>;
    fn sync(&self, file: &Self::File) -> io::Result<()>;

    /// Who runs this.
    fn user(&self) -> u32;
    /// `None` leaves the user as it is.
    fn give_to(&self, file: &Self::File, user: Option<u32>, group: u32) -> io::Result<()>;
    fn set_mode(&self, file: &Self::File, mode: u32) -> io::Result<()>;
    fn attributes(&self, file: &Self::File) -> io::Result<Attributes>;
    /// Removes it where there is no value.
    fn set_attribute(&self, file: &Self::File, name: &OsStr, value: Option<&[u8]>) -> io::Result<()>;
}

/// What an open file of the standard library holds from its start, no more than so many bytes of it.
pub(super) fn read_whole(mut file: &File, limit: u64) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len().min(limit);
    // One byte more: a read that finds the end there asks for no more room.
    let mut bytes = Vec::with_capacity(usize::try_from(length).map_or(0, |length| length.saturating_add(1)));
    file.rewind()?;
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes over an open file of the standard library, from its start.
pub(super) fn write_whole(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(bytes)
}
