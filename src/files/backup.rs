//! The old content, kept under a name that tells when: `NAME.YYYYMMDDHHMMSSZ` in UTC, with `-1`, `-2` behind it where
//! that is taken. Earlier releases named backups in local time, without the `Z`.
//!
//! A backup is a second name of the old file, so that it has all that the old file had, takes no room, and is there
//! before the new file is. Where the directory for backups is on another file system, or knows no second names, it is a
//! copy, made with the same care as the new file. No backup ever takes the name of a file that is there.
//!
//! Which one is the newest is told by its time of last change, which is set when it has become a backup, and is later
//! than that of any other backup whatever the clock says. No other time would do: that of the name depends on clocks and
//! zones; the last change of the old content may be long ago, or copied; and the time of the last change of the inode is
//! set anew for all of them by one `chown -R`.

pub(super) mod listing;
mod name;

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::path::{self, Path, PathBuf};
use std::rc::Rc;
use std::time::{SystemTime, UNIX_EPOCH};

use self::listing::{Time, all, by_time, links};
use super::disk::{Disk, NewAccess};
use super::found::{Found, changed};
use super::guise::Loss;
use super::site::{Folder, Guard, Site};
use super::temporary::{Temporary, unwritable};
use super::{Backup, failed, shown};
use crate::text::error::Error;

/// A backup that was made, or one of this very file that a killed run had made.
pub(super) enum Kept<D: Disk> {
    /// It goes away again where it turns out to be in vain.
    New(Guard<D>),
    Old(Rc<Folder<D>>, OsString),
    None,
}

impl<D: Disk> Kept<D> {
    pub(super) fn keep(self) -> Option<PathBuf> {
        match self {
            Self::New(guard) => Some(guard.keep()),
            Self::Old(folder, name) => Some(folder.path.join(name)),
            Self::None => None,
        }
    }

    /// The same once the file has lost its place, and its backup is the newest.
    pub(super) fn keep_dated(self, site: &Site<D>) -> Option<PathBuf> {
        match &self {
            Self::New(guard) => date_now(&guard.folder, &guard.name, site),
            Self::Old(folder, name) => date_now(folder, name, site),
            Self::None => {}
        }
        self.keep()
    }
}

/// The directory for backups, where there is one.
pub(super) fn existing<D: Disk>(site: &Site<D>, backup: &Backup) -> Result<Option<Rc<Folder<D>>>, Error> {
    match backup {
        Backup::In(dir) => match path::absolute(dir).and_then(|dir| Folder::open(&site.folder.disk, &dir)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            opened => opened.map(Some).map_err(|error| no_backup_in(dir, &error)),
        },
        Backup::Beside | Backup::Off => Ok(Some(Rc::clone(&site.folder))),
    }
}

/// The directory for backups, created where it is missing and then its owner's alone.
pub(super) fn folder<D: Disk>(site: &Site<D>, backup: &Backup) -> Result<Option<Rc<Folder<D>>>, Error> {
    let dir = match backup {
        Backup::Off => return Ok(None),
        Backup::Beside => return Ok(Some(Rc::clone(&site.folder))),
        Backup::In(dir) => dir,
    };
    let disk = &site.folder.disk;
    let opened = path::absolute(dir).and_then(|dir| {
        disk.make_dir(&dir, NewAccess::Owner)?;
        Folder::open(disk, &dir)
    });
    opened.map(Some).map_err(|error| no_backup_in(dir, &error))
}

fn no_backup_in(dir: &Path, error: &io::Error) -> Error {
    failed(&format!("no backup can be made in `{}`", shown(dir)), error)
}

/// Keeps the old file, durable, in one way or the other.
pub(super) fn keep<D: Disk>(found: &Found<D>, folder: &Rc<Folder<D>>) -> Result<Kept<D>, Error> {
    let refused = |error| no_backup_in(&folder.path, &error);
    if let Some(name) = links(folder, &found.site, &found.stat).map_err(refused)?.pop() {
        return Ok(Kept::Old(Rc::clone(folder), name));
    }
    match link(found, folder) {
        Err(error) if is_no_place_for_links(&error) => copy(found, folder).map(Kept::New),
        Err(error) if error.kind() == ErrorKind::NotFound && is_gone(found) => Err(changed()),
        Err(error) => Err(refused(error)),
        Ok(link) if link.id != found.stat.id => Err(changed()),
        Ok(link) => folder.sync().map(|()| Kept::New(link)).map_err(refused),
    }
}

/// Whether nothing is under the name of the file any more.
fn is_gone<D: Disk>(found: &Found<D>) -> bool {
    found.site.folder.stat(&found.site.name).is_err_and(|error| error.kind() == ErrorKind::NotFound)
}

/// Makes a backup the newest one. The file is replaced by then, so nothing here is an error.
pub(super) fn date_now<D: Disk>(folder: &Folder<D>, name: &OsStr, site: &Site<D>) {
    let dated = by_time(folder, site).and_then(|backups| {
        let others = backups.into_iter().filter(|(_, _, other)| other != name).map(|(time, ..)| time);
        folder.disk.set_modified(&folder.dir, name, time_behind(others.max()))
    });
    if let Err(error) = dated {
        let path = shown(&folder.path.join(name));
        log::warn!("the time of `{path}` cannot be set, and `restore` may take another backup for the newest: {error}");
    }
}

/// Now, or a second behind the newest of the others where the clock was set back. Some file systems know whole seconds.
fn time_behind(newest: Option<Time>) -> Time {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = (i64::try_from(now.as_secs()).unwrap_or(i64::MAX), u64::from(now.subsec_nanos()));
    match newest {
        Some((seconds, nanos)) if (seconds, nanos) >= now => (seconds.saturating_add(1), nanos),
        _ => now,
    }
}

/// Runs `make` with one name after the other until it finds one that is not taken.
pub(super) fn with_free_name(of: &OsStr, mut make: impl FnMut(&OsStr) -> io::Result<()>) -> io::Result<OsString> {
    let mut taken = |name: OsString| match make(&name) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => None,
        done => Some(done.map(|()| name)),
    };
    match name::free(of).find_map(&mut taken) {
        Some(Err(error)) if error.kind() == ErrorKind::InvalidFilename => name::free(&name::short(of)).find_map(taken),
        found => found,
    }
    .unwrap_or_else(|| Err(ErrorKind::AlreadyExists.into()))
}

fn link<D: Disk>(found: &Found<D>, folder: &Rc<Folder<D>>) -> io::Result<Guard<D>> {
    let site = &found.site;
    let from = (&site.folder.dir, site.name.as_os_str());
    let name = with_free_name(&site.name, |name| folder.disk.link(from, (&folder.dir, name)))?;
    let stat = folder.stat(&name).inspect_err(|_| drop(folder.remove(&name)))?;
    Ok(Guard::new(folder, name, stat.id))
}

/// FAT has no second names, and Linux lets nobody make one of a file that is not his and that he cannot write.
fn is_no_place_for_links(error: &io::Error) -> bool {
    use ErrorKind::{CrossesDevices, PermissionDenied, TooManyLinks, Unsupported};
    matches!(error.kind(), CrossesDevices | PermissionDenied | TooManyLinks | Unsupported)
}

/// A copy with owner, mode and all the rest, for where a second name would be written over, or cannot be had. Where it
/// cannot have all of it, it is its owner's alone: that is no reason to have no backup.
pub(super) fn copy<D: Disk>(found: &Found<D>, folder: &Rc<Folder<D>>) -> Result<Guard<D>, Error> {
    let refused = |error| no_backup_in(&folder.path, &error);
    let name = found.site.unfinished_copy();
    let mut copy = Temporary::create(folder, &name, NewAccess::Owner).map_err(|error| unwritable(folder, &error))?;
    copy.fill(&found.bytes, Some(&found.guise), Loss::Closed)?;
    with_free_name(&found.site.name, |name| copy.rename(name.to_owned())).map_err(refused)?;
    folder.sync().map_err(refused)?;
    Ok(copy.guard)
}

/// Removes all but the last `count` backups, the one that was just made being the last of all. The file is replaced by
/// then, so nothing here is an error.
pub(super) fn prune<D: Disk>(site: &Site<D>, backup: &Backup, count: usize, just_made: Option<&Path>) {
    let pruned = match existing(site, backup) {
        Ok(Some(folder)) => remove_oldest(&folder, site, count, just_made),
        Ok(None) => Ok(()),
        Err(error) => return log::warn!("old backups cannot be removed: {}", error.what()),
    };
    if let Err(error) = pruned {
        log::warn!("old backups of `{}` cannot be removed: {error}", shown(&site.path()));
    }
}

fn remove_oldest<D: Disk>(
    folder: &Folder<D>,
    site: &Site<D>,
    count: usize,
    just_made: Option<&Path>,
) -> io::Result<()> {
    let is_other = |name: &OsString| just_made != Some(folder.path.join(name).as_path());
    let others: Vec<_> = all(folder, site)?.into_iter().filter(is_other).collect();
    let old = others.len().saturating_sub(count.saturating_sub(usize::from(just_made.is_some())));
    others.iter().take(old).try_for_each(|name| folder.remove(name))?;
    if old > 0 { folder.sync() } else { Ok(()) }
}
