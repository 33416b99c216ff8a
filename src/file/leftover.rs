//! What a killed run left behind.
//!
//! The directory is locked, so a name of ours in it is no living run's. What is under the name of unfinished content
//! was never anybody's file and goes. What is under the name of a file that waits is told by the number in that name:
//! it is our own new content as long as the two have not changed places, and goes as well. Otherwise it is what came
//! out of the place of the config, be it the old content or somebody's edit of the last moment. That goes only where a
//! backup is the same file, and else becomes a backup.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};

use super::backup;
use super::disk::{Disk, Kind, Stat};
use super::site::{Folder, Site};
use super::{Backup, failed, shown};
use crate::error::Error;

/// Clears the directory of the file and the one for backups.
pub(super) fn clear<D: Disk>(site: &Site<D>, backup: &Backup) -> Result<(), Error> {
    let backups = backup::existing(site, backup)?;
    clear_all(site, backups.as_deref().unwrap_or(&site.folder)).map_err(|error| {
        let what = format!("what an interrupted run left in `{}` cannot be cleared", shown(&site.folder.path));
        failed(&what, &error).help("look for files `.yamlift-*` there: one of them may hold a last edit")
    })
}

fn clear_all<D: Disk>(site: &Site<D>, backups: &Folder<D>) -> io::Result<()> {
    let mut any = false;
    for name in [site.unfinished(), site.unfinished_copy()] {
        any |= remove_file(&site.folder, &name)?;
        if backups.path != site.folder.path {
            remove_file(backups, &name)?;
        }
    }
    for name in site.folder.disk.names(&site.folder.dir)? {
        if let Some(number) = site.number_in(&name) {
            let stat = site.folder.stat(&name)?;
            settle(site, backups, (&name, &stat), number)?;
            any = true;
        }
    }
    if any { site.folder.sync() } else { Ok(()) }
}

fn settle<D: Disk>(site: &Site<D>, backups: &Folder<D>, left: (&OsStr, &Stat), number: u64) -> io::Result<()> {
    let (name, stat) = left;
    if stat.kind != Kind::File {
        return Ok(());
    }
    if stat.id.1 == number || is_kept(site, backups, stat)? || is_kept(site, &site.folder, stat)? {
        return site.folder.remove(name);
    }
    let folder = &site.folder;
    let kept: OsString = backup::with_free_name(&site.name, |new| folder.disk.rename_new(&folder.dir, name, new))?;
    log::warn!("an interrupted run had left a file behind; it is kept as `{}`", shown(&folder.path.join(kept)));
    Ok(())
}

/// Whether a backup is the same file.
fn is_kept<D: Disk>(site: &Site<D>, backups: &Folder<D>, stat: &Stat) -> io::Result<bool> {
    let names = backup::all(backups, &site.name)?;
    Ok(names.iter().any(|name| backups.stat(name).is_ok_and(|backup| backup.id == stat.id)))
}

/// Whether there was one.
fn remove_file<D: Disk>(folder: &Folder<D>, name: &OsStr) -> io::Result<bool> {
    match folder.stat(name) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Ok(stat) if stat.kind != Kind::File => Ok(false),
        Ok(_) => folder.remove(name).map(|()| true),
        Err(error) => Err(error),
    }
}
