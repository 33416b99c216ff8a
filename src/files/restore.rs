//! The way back: a backup takes the place of the config, by the same steps and with the same care.
//!
//! What it holds is nobody's business here: a config that is broken is just the one to bring back. Owner, mode and the
//! rest are those of the config as it is, or those of the backup where the config is gone.

use std::path::{Path, PathBuf};

use super::disk::{Disk, Purpose};
use super::guise::Guise;
use super::site::{Folder, Site};
use super::{FileOptions, Replaceable, System, backup, failed, input, missing, parent, protocol, shown, take_bytes};
use crate::text::error::Error;

/// What was done.
pub(crate) struct Restored {
    /// The backup.
    pub(crate) from: PathBuf,
    /// Whether the config held something else.
    pub(crate) changed: bool,
    /// Where what it held is kept.
    pub(crate) backup: Option<PathBuf>,
}

/// Brings back `from`, or the newest backup.
pub(crate) fn restore(config: &Path, from: Option<&Path>, how: &FileOptions) -> Result<Restored, Error> {
    bring_back(config, from, how).map_err(|error| error.in_file(&shown(config)))
}

fn bring_back(config: &Path, from: Option<&Path>, how: &FileOptions) -> Result<Restored, Error> {
    let taken = take_bytes(config, how)?;
    let Some(Replaceable { found, .. }) = &taken else {
        let site = missing(config, how)?;
        let from = from.map_or_else(|| newest(&site, how), |from| Ok(from.to_owned()))?;
        let (content, guise) = read(&from, how)?;
        protocol::create(&site, &content, Some(&guise), how)?;
        return Ok(Restored { from, changed: true, backup: None });
    };
    let from = from.map_or_else(|| newest(&found.site, how), |from| Ok(from.to_owned()))?;
    let (content, _) = read(&from, how)?;
    let changed = content != found.bytes;
    let backup = if changed { protocol::replace(found, &content, how)? } else { None };
    Ok(Restored { from, changed, backup })
}

fn newest(site: &Site<System>, how: &FileOptions) -> Result<PathBuf, Error> {
    let none = || {
        Error::input("has no backup")
            .help("name one: yamlift restore CONFIG BACKUP; or where they are: --backup-dir DIR")
    };
    let folder = backup::existing(site, &how.backup)?.ok_or_else(none)?;
    let names = backup::listing::all(&folder, site);
    let names = names.map_err(|error| failed("its backups cannot be listed", &error))?;
    names.last().map(|name| folder.path.join(name)).ok_or_else(none)
}

/// What a backup holds, and what else makes it. A name that is not there must be no link to somewhere else either.
fn read(path: &Path, how: &FileOptions) -> Result<(Vec<u8>, Guise), Error> {
    let read = || {
        let unreadable = |error| input::unreadable(path, &error);
        let folder = Folder::open(&System, parent(path)).map_err(unreadable)?;
        let name = path.file_name().unwrap_or_default();
        let stat = folder.stat(name).map_err(unreadable)?;
        input::check_kind(stat.kind, stat.size, how.max_size)?;
        let file = System.open(&folder.dir, name, Purpose::Reading).map_err(unreadable)?;
        let (content, _) = input::read_open(&System, &file, how.max_size)?;
        Ok((content, Guise::of(&System, &file).map_err(unreadable)?))
    };
    read().map_err(|error: Error| error.in_file(&shown(path)))
}
