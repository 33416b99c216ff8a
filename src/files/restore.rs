//! The way back: a backup takes the place of the config, by the same steps and with the same care.
//!
//! What it holds is nobody's business here: a config that is broken is just the one to bring back. Owner, mode and the
//! rest are those of the config as it is, or those of the backup where the config is gone.

use std::path::{Path, PathBuf};

use super::disk::{Disk, Purpose};
use super::guise::Guise;
use super::site::{Folder, Site};
use super::{
    FileOptions, Replaceable, System, backup, failed, input, is_missing, missing, parent, protocol, shown, take_bytes,
};
use crate::text::error::Error;

/// What bringing a backup back has done, or would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// The backup.
    pub(crate) from: PathBuf,
    /// What the config held before; nothing where it was not there.
    pub(crate) before: Option<Vec<u8>>,
    /// What the backup holds.
    pub(crate) after: Vec<u8>,
    /// Where what the config held is kept.
    pub(crate) backup: Option<PathBuf>,
}

impl Restored {
    /// Whether the configuration held something else.
    #[must_use]
    pub fn changed(&self) -> bool {
        self.before.as_ref() != Some(&self.after)
    }

    /// The backup that was brought back.
    #[must_use]
    pub fn from(&self) -> &Path {
        &self.from
    }

    /// What the configuration held before; nothing where it was not there.
    #[must_use]
    pub fn before(&self) -> Option<&[u8]> {
        self.before.as_deref()
    }

    /// What it holds now: what the backup holds, whatever that is.
    #[must_use]
    pub fn after(&self) -> &[u8] {
        &self.after
    }

    /// Where what it held before is kept, where that was changed and is kept.
    #[must_use]
    pub fn backup(&self) -> Option<&Path> {
        self.backup.as_deref()
    }
}

/// Brings back `from`, or the newest backup.
pub(crate) fn restore(config: &Path, from: Option<&Path>, how: &FileOptions) -> Result<Restored, Error> {
    bring_back(config, from, how).map_err(|error| error.in_file(&shown(config)))
}

fn bring_back(config: &Path, from: Option<&Path>, how: &FileOptions) -> Result<Restored, Error> {
    let taken = take_bytes(config, how)?;
    let Some(Replaceable { found, .. }) = taken else {
        let site = missing(config, how)?;
        let from = chosen(from, &site, how)?;
        let (after, guise) = read(&from, how)?;
        protocol::create(&site, &after, Some(&guise), how)?;
        return Ok(Restored { from, before: None, after, backup: None });
    };
    let from = chosen(from, &found.site, how)?;
    let (after, _) = read(&from, how)?;
    let backup = if after == found.bytes { None } else { protocol::replace(&found, &after, how)? };
    Ok(Restored { from, before: Some(found.bytes), after, backup })
}

/// The backup to bring back: the newest, or the one that is named. A name alone may be that of a backup elsewhere, as
/// `--list` prints it.
pub(super) fn chosen(from: Option<&Path>, site: &Site<System>, how: &FileOptions) -> Result<PathBuf, Error> {
    let none = || {
        Error::input("has no backup")
            .help("name one: yamlift restore CONFIG BACKUP; or where they are: --backup-dir DIR")
    };
    let Some(from) = from else { return all(site, how)?.pop().ok_or_else(none) };
    let is_name = from.components().count() == 1 && is_missing(from);
    let kept = if is_name { all(site, how)? } else { Vec::new() };
    let found = kept.into_iter().find(|path| path.file_name() == from.file_name());
    Ok(found.unwrap_or_else(|| from.to_owned()))
}

/// All backups of a config, the oldest first.
pub(super) fn all(site: &Site<System>, how: &FileOptions) -> Result<Vec<PathBuf>, Error> {
    let Some(folder) = backup::existing(site, &how.backup)? else { return Ok(Vec::new()) };
    let names = backup::listing::all(&folder, site);
    let names = names.map_err(|error| failed("its backups cannot be listed", &error))?;
    Ok(names.into_iter().map(|name| folder.path.join(name)).collect())
}

/// What a backup holds, and what else makes it. A name that is not there must be no link to somewhere else either.
pub(super) fn read(path: &Path, how: &FileOptions) -> Result<(Vec<u8>, Guise), Error> {
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
