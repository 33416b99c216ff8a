//! A file of ours that no living run has: nobody else has it locked.

use std::ffi::OsStr;
use std::io::{self, ErrorKind};

use super::disk::{Disk, Kind};
use super::site::Folder;

/// A file of ours that no living run has, locked so that it stays so.
pub(super) struct Dead<D: Disk> {
    pub(super) id: (u64, u64),
    _lock: Option<D::File>,
}

impl<D: Disk> Dead<D> {
    /// Nothing where there is no file; `WouldBlock` where another run has it.
    pub(super) fn open(folder: &Folder<D>, name: &OsStr, own: Option<(u64, u64)>) -> io::Result<Option<Self>> {
        let stat = match folder.stat(name) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            stat => stat?,
        };
        if stat.kind != Kind::File {
            return Ok(None);
        }
        if own == Some(stat.id) {
            return Ok(Some(Self { id: stat.id, _lock: None }));
        }
        let file = match folder.disk.open_locked(&folder.dir, name) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let id = folder.disk.stat_open(&file)?.id;
        // Its run may have ended in between, and another one may have put a file of its own there.
        let is_there = folder.stat(name).is_ok_and(|now| now.id == id);
        Ok(is_there.then_some(Self { id, _lock: Some(file) }))
    }
}

/// Removes what a killed run left under this name. Whether there was anything.
pub(super) fn remove_dead<D: Disk>(folder: &Folder<D>, name: &OsStr, own: Option<(u64, u64)>) -> io::Result<bool> {
    match Dead::open(folder, name, own)? {
        Some(_dead) => folder.remove(name).map(|()| true),
        None => Ok(false),
    }
}
