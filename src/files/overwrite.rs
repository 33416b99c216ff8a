//! Writing into the file itself, where it cannot be replaced and the operator says so.
//!
//! This is not one step. A copy is made first and is durable before the first byte changes. The room is taken before
//! anything is written. An error on the way puts the old bytes back. What is killed on the way leaves half a config and
//! the whole copy, so a file that can be replaced is never written over. A second name would be no backup here: it is
//! the same file.

use std::path::PathBuf;
use std::rc::Rc;

use super::backup;
use super::disk::{Disk, NewAccess, Purpose};
use super::found::{Found, changed};
use super::guise::Loss;
use super::site::Folder;
use super::temporary::{Temporary, unwritable};
use super::{FileOptions, failed, shown};
use crate::text::error::Error;

/// Writes over the file that was found. Returns where the copy is.
pub(super) fn overwrite<D: Disk>(
    found: &Found<D>,
    new: &[u8],
    folder: &Rc<Folder<D>>,
    how: &FileOptions,
) -> Result<Option<PathBuf>, Error> {
    check(found, new, folder, how)?;
    let disk = &found.site.folder.disk;
    let unwritable = |error| failed("cannot be written", &error);
    let file = disk.open(&found.site.folder.dir, &found.site.name, Purpose::Writing).map_err(unwritable)?;
    let copy = backup::copy(found, folder)?;
    found.check_unchanged()?;
    if !disk.stat_open(&file).is_ok_and(|now| now.is_still(&found.stat)) {
        return Err(changed());
    }
    let copy = copy.keep();
    let Err(error) = fill(disk, &file, new) else { return Ok(Some(copy)) };
    let refused = failed("cannot be written", &error);
    Err(match fill(disk, &file, &found.bytes) {
        Ok(()) => refused.help(format!("it holds its old content again; a copy of that is in `{}`", shown(&copy))),
        Err(_) => failed("may be damaged, for it cannot be written", &error)
            .after_the_fact()
            .help(format!("its old content is in `{}`: copy it back", shown(&copy))),
    })
}

fn fill<D: Disk>(disk: &D, file: &D::File, bytes: &[u8]) -> std::io::Result<()> {
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    disk.reserve(file, size)?;
    disk.write(file, bytes)?;
    disk.truncate(file, size)?;
    disk.sync(file)
}

/// The checker sees the content in a file of its own, beside the copy: the directory of the config may take no file.
fn check<D: Disk>(found: &Found<D>, new: &[u8], folder: &Rc<Folder<D>>, how: &FileOptions) -> Result<(), Error> {
    let Some(checker) = &how.checker else { return Ok(()) };
    let file = Temporary::create(folder, &found.site.unfinished(), NewAccess::Owner)
        .map_err(|error| unwritable(folder, &error))?;
    file.fill(new, None, Loss::Refused)?;
    checker.check(&file, new)
}
