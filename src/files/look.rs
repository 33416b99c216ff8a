//! A look at a config and its backups, for those who may only read there: no lock is taken and nothing is written or cleared.
//!
//! So what is told may be old when it is read. What a killed run left is no backup yet, and is not among them.

use std::path::{self, Path, PathBuf};

use super::restore::{self, Restored};
use super::site::{Folder, Site};
use super::{Backup, FileOptions, System, input, is_missing, parent, resolve, shown, unknown_directory};
use crate::text::error::Error;

/// A config, and its backups.
pub(crate) struct Backups {
    /// What the config holds; nothing where it is not there.
    pub(crate) content: Option<Vec<u8>>,
    /// Where the backups are.
    pub(crate) folder: PathBuf,
    /// The newest first.
    pub(crate) kept: Vec<Kept>,
}

/// A backup.
pub(crate) struct Kept {
    pub(crate) path: PathBuf,
    /// When it became a backup, in seconds since 1970.
    pub(crate) time: i64,
    pub(crate) size: u64,
}

impl Kept {
    /// What it holds.
    pub(crate) fn content(&self, how: &FileOptions) -> Result<Vec<u8>, Error> {
        restore::read(&self.path, how).map(|(content, _)| content)
    }
}

/// What [`restore`](restore::restore) would do.
pub(crate) fn preview(config: &Path, from: Option<&Path>, how: &FileOptions) -> Result<Restored, Error> {
    let preview = || {
        let (site, before) = look(config, how)?;
        let from = restore::chosen(from, &site, how)?;
        let (after, _) = restore::read(&from, how)?;
        Ok(Restored { from, before, after, backup: None })
    };
    preview().map_err(|error: Error| error.in_file(&shown(config)))
}

/// All backups of a config.
pub(crate) fn backups(config: &Path, how: &FileOptions) -> Result<Backups, Error> {
    let backups = || {
        let (site, content) = look(config, how)?;
        let paths = restore::all(&site, how)?.into_iter().rev();
        let kept = paths.filter_map(kept).collect();
        let folder = match &how.backup {
            Backup::In(dir) => path::absolute(dir).unwrap_or_else(|_| dir.clone()),
            Backup::Beside | Backup::Off => site.folder.path.clone(),
        };
        Ok(Backups { content, folder, kept })
    };
    backups().map_err(|error: Error| error.in_file(&shown(config)))
}

/// Where a config is or would be, and what it holds.
fn look(config: &Path, how: &FileOptions) -> Result<(Site<System>, Option<Vec<u8>>), Error> {
    if !is_missing(config) {
        let target = resolve::target(config)?.path;
        let content = input::load(&target, how.max_size)?;
        return Ok((Site::open(&System, &target)?, Some(content)));
    }
    let absolute = path::absolute(config).map_err(|error| unknown_directory(&error))?;
    let dir = resolve::target(parent(&absolute))?.path;
    Ok((Site::open(&System, &dir.join(absolute.file_name().unwrap_or_default()))?, None))
}

/// A backup as it is now; nothing where it is gone meanwhile.
fn kept(path: PathBuf) -> Option<Kept> {
    let folder = Folder::open(&System, parent(&path)).ok()?;
    let stat = folder.stat(path.file_name()?).ok()?;
    Some(Kept { path, time: stat.modified.0, size: stat.size })
}
