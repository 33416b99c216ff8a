//! The order of the steps, from the fifth on: see the parent module.

use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::rc::Rc;

use super::backup::{self, Kept};
use super::disk::Disk;
use super::found::{Found, Way};
use super::guise::{Guise, Loss};
use super::site::{Folder, Site};
use super::temporary::{Temporary, unwritable};
use super::{FileOptions, failed, overwrite, swap};
use crate::error::Error;

/// Puts new content in the place of the file that was found. Returns where the old content is kept.
pub(super) fn replace<D: Disk>(found: &Found<D>, new: &[u8], how: &FileOptions) -> Result<Option<PathBuf>, Error> {
    let room = room(found, how)?;
    // Until all is cleared the file stays locked, whichever it is by then.
    let _lock = room.as_ref().map(Temporary::lock);
    let kept = match room {
        Some(file) => exchange(found, file, new, how)?,
        None => overwrite::overwrite(found, new, &backups(found, how)?.ok_or_else(no_backup)?, how)?,
    };
    if let (Some(count), Some(backups)) = (how.keep_backups, backup::existing(&found.site, &how.backup)?) {
        backup::prune(&backups, &found.site, count.get(), kept.as_deref());
    }
    Ok(kept)
}

/// An empty file for the new content, or `None` where the file itself is to be written over.
fn room<D: Disk>(found: &Found<D>, how: &FileOptions) -> Result<Option<Temporary<D>>, Error> {
    let Site { folder, .. } = &found.site;
    let backups = backup::existing(&found.site, &how.backup)?;
    if found.way(how.in_place, backups.as_deref())? == Way::Overwrite {
        return Ok(None);
    }
    match Temporary::create(folder, &found.site.unfinished(), true) {
        Ok(file) => Ok(Some(file)),
        Err(error) if how.in_place && is_a_matter_of_rights(&error) => Ok(None),
        Err(error) => Err(unwritable(folder, &error)),
    }
}

fn is_a_matter_of_rights(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)
}

fn exchange<D: Disk>(
    found: &Found<D>,
    file: Temporary<D>,
    new: &[u8],
    how: &FileOptions,
) -> Result<Option<PathBuf>, Error> {
    fill(&file, new, Some(&found.guise), how)?;
    let kept = match backups(found, how)? {
        Some(folder) => backup::keep(found, &folder)?,
        None => Kept::None,
    };
    swap::swap(found, file, kept)
}

/// The directory for backups, made where it is missing.
fn backups<D: Disk>(found: &Found<D>, how: &FileOptions) -> Result<Option<Rc<Folder<D>>>, Error> {
    backup::folder(&found.site, &how.backup)
}

fn no_backup() -> Error {
    Error::input("cannot be written in place without a backup").help("leave out `--no-backup`")
}

fn fill<D: Disk>(file: &Temporary<D>, new: &[u8], like: Option<&Guise>, how: &FileOptions) -> Result<(), Error> {
    file.fill(new, like, if how.allow_metadata_loss { Loss::Allowed } else { Loss::Refused })?;
    how.checker.as_ref().map_or(Ok(()), |checker| checker.check(file, new))
}

/// Puts a file where none is. It has what another one has, or what the directory gives to a new one.
pub(super) fn create<D: Disk>(
    site: &Site<D>,
    content: &[u8],
    like: Option<&Guise>,
    how: &FileOptions,
) -> Result<(), Error> {
    let Site { folder, name, .. } = site;
    let file = Temporary::create(folder, &site.unfinished(), like.is_some());
    let mut file = file.map_err(|error| unwritable(folder, &error))?;
    fill(&file, content, like, how)?;
    file.rename(name.clone()).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Error::input("appeared meanwhile; nothing was written").help("run again"),
        _ => failed("cannot be created", &error),
    })?;
    file.guard.keep();
    folder.sync().map_err(|error| failed("was created, durability unknown: a power cut may still undo that", &error))
}
