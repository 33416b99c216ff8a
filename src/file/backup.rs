//! The old content, kept under a name that tells when: `NAME.YYYYMMDDHHMMSS` in local time, with `-1`, `-2` behind it
//! where that is taken.
//!
//! A backup is a second name of the old file, so that it has all that the old file had, takes no room, and is there
//! before the new file is. Where the directory for backups is on another file system, or knows no second names, it is a
//! copy, made with the same care as the new file. No backup ever takes the name of a file that is there.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::path::{self, Path, PathBuf};
use std::rc::Rc;
use std::{env, fs};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::disk::{Disk, Kind};
use super::found::{Found, changed};
use super::guise::Guise;
use super::site::{Folder, Guard, Site};
use super::temporary::{Temporary, unwritable};
use super::{Backup, FileOptions, failed, shown};
use crate::error::Error;

/// A backup that was made, or one of this very file that a killed run had made.
pub(super) enum Kept<D: Disk> {
    /// It goes away again where it turns out to be in vain.
    New(Guard<D>),
    Old(PathBuf),
    None,
}

impl<D: Disk> Kept<D> {
    pub(super) fn keep(self) -> Option<PathBuf> {
        match self {
            Self::New(guard) => Some(guard.keep()),
            Self::Old(path) => Some(path),
            Self::None => None,
        }
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
        disk.make_dir(&dir, true)?;
        Folder::open(disk, &dir)
    });
    opened.map(Some).map_err(|error| no_backup_in(dir, &error))
}

fn no_backup_in(dir: &Path, error: &io::Error) -> Error {
    failed(&format!("no backup can be made in `{}`", shown(dir)), error)
}

/// Keeps the old file, durable, in one way or the other.
pub(super) fn keep<D: Disk>(found: &Found<D>, folder: &Rc<Folder<D>>, how: &FileOptions) -> Result<Kept<D>, Error> {
    let refused = |error| no_backup_in(&folder.path, &error);
    if let Some(name) = links(folder, found).map_err(refused)?.pop() {
        return Ok(Kept::Old(folder.path.join(name)));
    }
    match link(found, folder) {
        Err(error) if is_no_place_for_links(&error) => copy(found, folder, how).map(Kept::New),
        Err(error) => Err(refused(error)),
        Ok(link) if link.id != found.stat.id => Err(changed()),
        Ok(link) => folder.sync().map(|()| Kept::New(link)).map_err(refused),
    }
}

/// The names of backups that are this very file.
pub(super) fn links<D: Disk>(folder: &Folder<D>, found: &Found<D>) -> io::Result<Vec<OsString>> {
    if found.stat.links < 2 {
        return Ok(Vec::new());
    }
    let is_it = |name: &OsString| folder.stat(name).is_ok_and(|stat| stat.id == found.stat.id);
    Ok(all(folder, &found.site.name)?.into_iter().filter(is_it).collect())
}

/// The names of all backups of a file, the oldest first.
pub(super) fn all<D: Disk>(folder: &Folder<D>, of: &OsStr) -> io::Result<Vec<OsString>> {
    let names = folder.disk.names(&folder.dir)?.into_iter();
    let mut dated: Vec<_> = names.filter_map(|name| Some((date(&name, of)?, name))).collect();
    dated.sort();
    let is_file = |name: &OsString| folder.stat(name).is_ok_and(|stat| stat.kind == Kind::File);
    Ok(dated.into_iter().map(|(_, name)| name).filter(is_file).collect())
}

/// When a backup of the file `of` was made, as far as its name tells, and which of that second it is.
fn date(name: &OsStr, of: &OsStr) -> Option<(u64, u32)> {
    let date = name.as_encoded_bytes().strip_prefix(of.as_encoded_bytes())?.strip_prefix(b".")?;
    let date = str::from_utf8(date).ok()?;
    let (date, number) = date.split_once('-').unwrap_or((date, "0"));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if date.len() != 14 || !is_number(date) || !is_number(number) {
        return None;
    }
    Some((date.parse().ok()?, number.parse().ok()?))
}

/// The names that a backup made now may have, in the order of preference.
fn names(of: &OsStr) -> impl Iterator<Item = OsString> + use<> {
    let now = Timestamp::now().to_zoned(time_zone());
    let mut first = of.to_owned();
    first.push(now.strftime(".%Y%m%d%H%M%S").to_string());
    let further = first.clone();
    let numbered = (1..10_000).map(move |number| {
        let mut name = further.clone();
        name.push(format!("-{number}"));
        name
    });
    std::iter::once(first).chain(numbered)
}

/// That of the machine, unless `TZ` says otherwise. To find the name of the zone as well, all of `/usr/share/zoneinfo`
/// would be walked through, in the middle of a replacement.
fn time_zone() -> TimeZone {
    let machine = || TimeZone::tzif("Local", &fs::read("/etc/localtime").ok()?).ok();
    let machine = if env::var_os("TZ").is_none() { machine() } else { None };
    machine.unwrap_or_else(TimeZone::system)
}

/// Runs `make` with one name after the other until it finds one that is not taken.
pub(super) fn with_free_name(of: &OsStr, mut make: impl FnMut(&OsStr) -> io::Result<()>) -> io::Result<OsString> {
    for name in names(of) {
        match make(&name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            done => return done.map(|()| name),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
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

/// A copy with owner, mode and all the rest, for where a second name would be written over, or cannot be had.
pub(super) fn copy<D: Disk>(found: &Found<D>, folder: &Rc<Folder<D>>, how: &FileOptions) -> Result<Guard<D>, Error> {
    let refused = |error| no_backup_in(&folder.path, &error);
    let guise = Guise::of(&folder.disk, &found.file).map_err(refused)?;
    let name = found.site.unfinished_copy();
    let mut copy = Temporary::create(folder, name, true).map_err(|error| unwritable(folder, &error))?;
    copy.fill(&found.bytes, Some(&guise), how.allow_metadata_loss)?;
    with_free_name(&found.site.name, |name| copy.rename(name.to_owned())).map_err(refused)?;
    folder.sync().map_err(refused)?;
    Ok(copy.guard)
}

/// Removes all but the last `count` backups. The file is replaced by then, so nothing here is an error.
pub(super) fn prune<D: Disk>(folder: &Folder<D>, of: &OsStr, count: usize) {
    let pruned = all(folder, of).and_then(|names| {
        let old = names.len().saturating_sub(count);
        names.iter().take(old).try_for_each(|name| folder.remove(name))?;
        if old > 0 { folder.sync() } else { Ok(()) }
    });
    if let Err(error) = pruned {
        log::warn!("old backups in `{}` cannot be removed: {error}", shown(&folder.path));
    }
}
