//! The one step in which the new file takes the place of the old one.
//!
//! The two change places, and then what came out is looked at: if it is not the file that was read, with all that it had
//! besides its bytes, somebody was faster, the two change back, and nothing has happened. Between a look and a plain rename an edit would be lost.
//! Where a file system cannot exchange, that gap is as small as it can be: one more comparison, then the rename.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::backup::Kept;
use super::disk::Disk;
use super::found::{Found, changed};
use super::site::{Guard, Site};
use super::temporary::Temporary;
use super::{failed, shown};
use crate::text::error::{Durability, Error, Written};

/// Puts the new file in the place of the one that was found, durably. Returns where the old content is kept.
pub(super) fn swap<D: Disk>(found: &Found<D>, mut new: Temporary<D>, kept: Kept<D>) -> Result<Option<PathBuf>, Error> {
    let Site { folder, name, .. } = &found.site;
    let waiting = found.site.waiting(new.guard.id.1);
    new.rename(waiting).map_err(|error| failed("cannot be replaced", &error))?;
    // A change of rights is never undone, not even for the moment in which a kill would leave it to the backup alone.
    found.check_guise()?;
    match folder.disk.exchange(&folder.dir, &new.guard.name, name) {
        Ok(()) => exchanged(found, new.guard, kept),
        Err(error) if is_unknown(&error) => renamed(found, new.guard, kept),
        Err(error) => Err(refused(found, &new.guard, kept, &error)),
    }
}

/// The exchange is younger than the rename, and not every file system has it.
fn is_unknown(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput)
}

/// The old file is under the name that the new one had.
fn exchanged<D: Disk>(found: &Found<D>, new: Guard<D>, kept: Kept<D>) -> Result<Option<PathBuf>, Error> {
    let folder = &found.site.folder;
    match folder.stat(&new.name) {
        Ok(out) if found.has_become(&out) => {}
        Ok(_) => return Err(change_back(found, new, kept, changed())),
        Err(error) => return Err(change_back(found, new, kept, failed("cannot be replaced", &error))),
    }
    // Before the name goes: the next run dates the backup where this one is killed here.
    let kept = kept.keep_dated(&found.site);
    let removed = folder.remove(&new.name);
    let old = new.keep();
    folder.sync().map_err(|error| undurable(&error, kept.clone()))?;
    match removed {
        Ok(()) => Ok(kept),
        Err(error) => Err(failed("was replaced, but its old content cannot be removed", &error)
            .though(Written { backup: kept, durability: Durability::Sure })
            .help(format!("it is in `{}`, which the next run clears", shown(&old)))),
    }
}

fn undurable(error: &io::Error, backup: Option<PathBuf>) -> Error {
    let what = "was replaced, durability unknown: a power cut may still undo that";
    doubtful(what, error, backup.as_deref()).though(Written { backup, durability: Durability::Unknown })
}

/// What came out goes back. The new file goes away only when that is durable: a power cut may keep the one and not the
/// other.
fn change_back<D: Disk>(found: &Found<D>, new: Guard<D>, kept: Kept<D>, why: Error) -> Error {
    let Site { folder, name, .. } = &found.site;
    if let Err(error) = folder.disk.exchange(&folder.dir, &new.name, name) {
        return failed("was replaced, though somebody else had changed it meanwhile", &error)
            .though(Written { backup: kept.keep(), durability: Durability::Unknown })
            .help(format!("look at both: what it held is in `{}`", shown(&new.keep())));
    }
    if folder.sync().is_err() {
        new.keep();
    }
    why
}

/// Without an exchange.
fn renamed<D: Disk>(found: &Found<D>, new: Guard<D>, kept: Kept<D>) -> Result<Option<PathBuf>, Error> {
    let Site { folder, name, .. } = &found.site;
    found.check_unchanged()?;
    if let Err(error) = folder.disk.rename(&folder.dir, &new.name, name) {
        return Err(refused(found, &new, kept, &error));
    }
    new.keep();
    let kept = kept.keep_dated(&found.site);
    folder.sync().map_err(|error| undurable(&error, kept.clone()))?;
    Ok(kept)
}

/// A file server may do what it is asked and yet report an error.
fn refused<D: Disk>(found: &Found<D>, new: &Guard<D>, kept: Kept<D>, error: &io::Error) -> Error {
    let Site { folder, name, .. } = &found.site;
    if folder.stat(name).is_ok_and(|now| now.id == found.stat.id) {
        let refused = failed("cannot be replaced", error);
        return if error.kind() == ErrorKind::ResourceBusy { refused.help(BUSY) } else { refused };
    }
    let kept = kept.keep();
    doubtful(&format!("may or may not have been replaced by `{}`", shown(&new.path())), error, kept.as_deref())
}

const BUSY: &str = "is it a mount point for somebody? `--in-place` writes into the file itself";

fn doubtful(what: &str, error: &io::Error, kept: Option<&Path>) -> Error {
    let kept = kept.map_or("was not kept".to_owned(), |kept| format!("is in `{}`", shown(kept)));
    failed(what, error).after_the_fact().help(format!("look at the file; its old content {kept}"))
}
