//! One run at a time for one file, and as many as there are files.
//!
//! The lock is on the file that the name leads to, not on its directory: runs on neighbours do not meet. It goes with the
//! process and leaves nothing behind. As the file changes with each upgrade, whoever gets the lock looks whether the name
//! leads there still, and the new file is locked before it takes the place of the old one: the name never leads to a file
//! that is free while somebody works on it.
//!
//! Files of ours with a temporary name are locked as well. That tells those of a living run from those of a killed one,
//! and it is what two runs meet at that are about to create the same file.

use std::io::{self, ErrorKind};

use super::attempt::Attempt;
use super::disk::Disk;
use super::found::Found;
use super::site::Site;
use super::{FileOptions, failed, input, leftover};
use crate::text::error::Error;

/// Locks the file, clears what a killed run left, and reads it; nothing where the name leads to nothing.
pub(super) fn take<D: Disk>(site: Site<D>, how: &FileOptions) -> Result<Attempt<Option<Found<D>>>, Error> {
    let locked = match lock(&site, how.max_size)? {
        Attempt::Done(Some(locked)) => locked,
        Attempt::Done(None) => return Ok(Attempt::Done(None)),
        Attempt::Busy => return Ok(Attempt::Busy),
    };
    match leftover::clear(&site, &how.backup, Some(locked.id))? {
        Attempt::Done(()) => Found::read(site, locked.file, how.max_size).map(|found| Attempt::Done(Some(found))),
        Attempt::Busy => Ok(Attempt::Busy),
    }
}

/// A file that nobody else has.
struct Locked<D: Disk> {
    file: D::File,
    id: (u64, u64),
}

/// While this looks, other runs may put new files there, one after the other.
fn lock<D: Disk>(site: &Site<D>, max_size: u64) -> Result<Attempt<Option<Locked<D>>>, Error> {
    const LOOKS: usize = 100;
    let Site { folder, name, .. } = site;
    for _ in 0..LOOKS {
        let named = match folder.stat(name) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Attempt::Done(None)),
            named => named.map_err(|error| failed("cannot be read", &error))?,
        };
        // Opening a FIFO may wait and opening a device may do anything.
        input::check_kind(named.kind, named.size, max_size)?;
        match open(site) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(Attempt::Busy),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(unlockable(&error)),
            Ok(locked) if folder.stat(name).is_ok_and(|now| now.id == locked.id) => {
                return Ok(Attempt::Done(Some(locked)));
            }
            Ok(_) => {}
        }
    }
    Ok(Attempt::Busy)
}

fn open<D: Disk>(site: &Site<D>) -> io::Result<Locked<D>> {
    let Site { folder, name, .. } = site;
    folder.disk.claim(&folder.dir, &site.claimed())?;
    let file = folder.disk.open_locked(&folder.dir, name)?;
    let id = folder.disk.stat_open(&file)?.id;
    Ok(Locked { file, id })
}

/// Clears the place of a file that is to be created.
pub(super) fn take_place<D: Disk>(site: &Site<D>, how: &FileOptions) -> Result<Attempt<()>, Error> {
    match site.folder.disk.claim(&site.folder.dir, &site.claimed()) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(Attempt::Busy),
        Err(error) => Err(unlockable(&error)),
        Ok(()) => leftover::clear(site, &how.backup, None),
    }
}

/// Without a lock a run could not tell the files of a living run from those of a killed one.
fn unlockable(error: &io::Error) -> Error {
    match error.kind() {
        ErrorKind::PermissionDenied => failed("cannot be read", error),
        _ => failed("cannot be locked", error)
            .help("the file system has to know locks (flock): look at the options that it is mounted with"),
    }
}
