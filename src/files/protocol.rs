//! The order of the steps, from the fifth on: see the parent module.

use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::rc::Rc;

use super::backup::{self, Kept};
use super::disk::{Disk, NewAccess};
use super::found::{Found, Way};
use super::guise::{Access, Guise, Loss};
use super::site::{Folder, Site};
use super::temporary::{Temporary, unwritable};
use super::{FileOptions, failed, overwrite, swap};
use crate::text::error::{Durability, Error, Written};

/// Puts new content in the place of the file that was found. Returns where the old content is kept.
pub(super) fn replace<D: Disk>(found: &Found<D>, new: &[u8], how: &FileOptions) -> Result<Option<PathBuf>, Error> {
    replace_as(found, new, &Access::Usual, how)
}

/// The same with another access than that of the old content.
pub(super) fn replace_as<D: Disk>(
    found: &Found<D>,
    new: &[u8],
    access: &Access,
    how: &FileOptions,
) -> Result<Option<PathBuf>, Error> {
    let file = filled(found, new, access, how)?;
    // Until all is cleared the file stays locked, whichever it is by then.
    let _lock = file.as_ref().map(Temporary::lock);
    let kept = match file {
        Some(file) => exchange(found, file, how)?,
        None => overwrite::overwrite(found, new, &backups(found, how)?.ok_or_else(no_backup)?, how)?,
    };
    if let Some(count) = how.keep_backups {
        backup::prune(&found.site, &how.backup, count.get(), kept.as_deref());
    }
    Ok(kept)
}

/// The new content in a file of its own, or `None` where the file itself is to be written over.
fn filled<D: Disk>(
    found: &Found<D>,
    new: &[u8],
    access: &Access,
    how: &FileOptions,
) -> Result<Option<Temporary<D>>, Error> {
    let Some(file) = room(found, how)? else { return Ok(None) };
    let guise = file.guise(access)?;
    fill(&file, new, Some(guise.as_ref().unwrap_or(&found.guise)), how)?;
    Ok(Some(file))
}

/// An empty file for the new content, or `None` where the file itself is to be written over.
fn room<D: Disk>(found: &Found<D>, how: &FileOptions) -> Result<Option<Temporary<D>>, Error> {
    let Site { folder, .. } = &found.site;
    let backups = backup::existing(&found.site, &how.backup)?;
    if found.way(how, backups.as_deref())? == Way::Overwrite {
        return Ok(None);
    }
    match Temporary::create(folder, &found.site.unfinished(), NewAccess::Owner) {
        Ok(file) => Ok(Some(file)),
        Err(error) if how.in_place && is_a_matter_of_rights(&error) => Ok(None),
        Err(error) => Err(unwritable(folder, &error)),
    }
}

fn is_a_matter_of_rights(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)
}

fn exchange<D: Disk>(found: &Found<D>, file: Temporary<D>, how: &FileOptions) -> Result<Option<PathBuf>, Error> {
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
    create_as(site, content, &like.cloned().map_or(Access::Usual, Access::Like), how)
}

/// The same with the access that it is to have.
pub(super) fn create_as<D: Disk>(
    site: &Site<D>,
    content: &[u8],
    access: &Access,
    how: &FileOptions,
) -> Result<(), Error> {
    let Site { folder, name, .. } = site;
    let file = Temporary::create(folder, &site.unfinished(), access.of_new());
    let mut file = file.map_err(|error| unwritable(folder, &error))?;
    fill(&file, content, file.guise(access)?.as_ref(), how)?;
    file.rename(name.clone()).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Error::input("appeared meanwhile; nothing was written").help("run again"),
        _ => failed("cannot be created", &error),
    })?;
    file.guard.keep();
    let undurable = "was created, durability unknown: a power cut may still undo that";
    folder
        .sync()
        .map_err(|error| failed(undurable, &error).though(Written { backup: None, durability: Durability::Unknown }))
}
