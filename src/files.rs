//! Config files on disk: how one is read, replaced, put in place for the first time, and brought back.
//!
//! yamlift runs as root from release scripts with nobody watching. After any failure at any instant, be it an error
//! from any system call, a kill, a full disk or a power cut, the config is the old one or the new one, whole, with its
//! owner, mode, access control list, attributes and label. Nobody's edit is lost. Nothing has become readable to more
//! people. And only where the new content is durable does the command say that all is well.
//!
//! # Steps
//!
//! The upgrade is computed and verified in memory before any file is created.
//!
//! 1. Symbolic links are followed; the file behind them is replaced and the links stay ([`resolve`]).
//! 2. Its directory is opened, no link being followed any more; all that follows is relative to it ([`site`]).
//! 3. The file is opened without following links and without waiting, and locked ([`lock`]). It must be a regular file of a
//!    sane size that does not change while it is read ([`found`], [`input`]).
//! 4. Where nothing is to change nothing is written, and no backup is made.
//! 5. A file that is immutable, has more names or is a mount point is refused, with the way out ([`found`]).
//! 6. The new content gets a name of ours, room, bytes, and all that the old file has besides its bytes ([`temporary`],
//!    [`guise`]).
//! 7. It is made durable. An error is final. Then a program of the operator's may look at it ([`checker`]).
//! 8. The backup is made and is durable ([`backup`]).
//! 9. New and old file change places, and what came out must be what was read ([`swap`]).
//! 10. The old file's name goes, and the directory is made durable ([`swap`]).
//! 11. What a killed run left is cleared by the next one, before it reads ([`leftover`]).
//!
//! A look at a file and its backups takes none of these steps ([`look`]).
//!
//! Writing into the file itself is for where this cannot be done, and only where the operator says so ([`overwrite`]).
//!
//! All of it is written against a small interface ([`disk`]). Linux has everything; other Unix systems have no exchange
//! or no extended attributes in some places, and macOS keeps its access control lists out of our sight. Outside of Unix
//! a file is still replaced in one step, with the rights that its directory hands down.

mod attempt;
mod backup;
mod beneath;
mod checker;
mod dead;
mod disk;
mod found;
mod guise;
mod input;
pub(crate) mod kept;
mod leftover;
mod lock;
mod look;
#[cfg(test)]
mod model;
mod output;
mod overwrite;
#[cfg(any(not(unix), test))]
mod portable;
mod prepared;
mod program;
mod protocol;
mod resolve;
mod restore;
mod site;
mod swap;
mod temporary;
#[cfg(test)]
mod trials;
#[cfg(unix)]
mod unix;

use std::fs;
use std::io::{self, ErrorKind};
use std::num::NonZeroUsize;
use std::path::{self, Path, PathBuf};
use std::time::Duration;

use crate::text::encoding::{LIMIT, to_text};
use crate::text::error::{Error, visible};
use attempt::Attempt;
pub use checker::Checker;
use disk::{Disk, NewAccess};
use found::Found;
#[cfg(not(unix))]
use portable::System;
use site::Site;
#[cfg(unix)]
use unix::System;

/// What becomes of the old content when a file is replaced.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Backup {
    /// It stays beside the file as `NAME.YYYYMMDDHHMMSSZ` (UTC), with `-1`, `-2` behind it where that is taken.
    #[default]
    Beside,
    /// It is kept under such a name in this directory, which is created at need and then is its owner's alone.
    In(PathBuf),
    /// It is not kept.
    Off,
}

/// How files are read and replaced. The default is what the command does without options.
///
/// ```
/// let mut how = yamlift::FileOptions::default();
/// how.backup = yamlift::Backup::In("/var/backups/app".into());
/// assert!(how.keep_backups.is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileOptions {
    /// What becomes of the old content.
    pub backup: Backup,
    /// How many backups are kept; the oldest go, once the file is replaced. All are where this is `None`.
    pub keep_backups: Option<NonZeroUsize>,
    /// Writes into the file itself where it cannot be replaced: that needs a backup, and is not one step.
    pub in_place: bool,
    /// Goes on where owner, mode or attributes cannot be carried over. Nobody has more rights than before, then.
    pub allow_metadata_loss: bool,
    /// A program that looks at the new content first.
    pub checker: Option<Checker>,
    /// How many bytes a file may have.
    pub max_size: u64,
    /// How long to wait where another upgrade is at work on the file. Not at all by default.
    pub wait: Duration,
}

impl Default for FileOptions {
    fn default() -> Self {
        Self {
            backup: Backup::Beside,
            keep_backups: None,
            in_place: false,
            allow_metadata_loss: false,
            checker: None,
            max_size: LIMIT,
            wait: Duration::ZERO,
        }
    }
}

/// A config file as it was found, locked: what it held, and all by which it is known again.
pub(crate) struct Original {
    pub(crate) text: String,
    replaceable: Replaceable,
}

/// A file that may be replaced, whatever it holds.
struct Replaceable {
    /// How errors name the file.
    name: String,
    found: Found<System>,
}

/// What `path` holds, or `None` where nothing is there. The file can be replaced, and nobody else can until then.
pub(crate) fn take(path: &Path, how: &FileOptions) -> Result<Option<Original>, Error> {
    let taken = take_bytes(path, how).and_then(|taken| {
        let Some(replaceable) = taken else { return Ok(None) };
        let text = to_text(replaceable.found.bytes.clone())?;
        Ok(Some(Original { text, replaceable }))
    });
    taken.map_err(|error| error.in_file(&shown(path)))
}

fn take_bytes(path: &Path, how: &FileOptions) -> Result<Option<Replaceable>, Error> {
    if is_missing(path) && path::absolute(path).is_ok_and(|path| parent(&path).is_dir()) {
        // Another run may be about to put it there.
        place(path, how)?;
    }
    if is_missing(path) {
        return Ok(None);
    }
    let found = attempt::within(how.wait, || {
        let target = resolve::target(path)?;
        let attempt = lock::take(Site::open(&System, &target.path)?, how)?;
        if let Attempt::Done(Some(found)) = &attempt {
            target.check_owner(found.stat.owner.0)?;
        }
        Ok(attempt)
    })?;
    Ok(found.map(|found| Replaceable { name: shown(path), found }))
}

fn is_missing(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound)
}

/// What a file holds that must be there and is only read: a regular file, or a pipe that was handed down, as shells do
/// for `<(…)`.
pub(crate) fn read(path: &Path, max_size: u64) -> Result<String, Error> {
    input::load(path, max_size).and_then(to_text).map_err(|error| error.in_file(&shown(path)))
}

/// The same for a file that may hold something else than text.
pub(crate) fn read_bytes(path: &Path, max_size: u64) -> Result<Vec<u8>, Error> {
    input::load(path, max_size).map_err(|error| error.in_file(&shown(path)))
}

/// The same, or `None` where nothing is there.
pub(crate) fn read_existing(path: &Path, max_size: u64) -> Result<Option<String>, Error> {
    if is_missing(path) { Ok(None) } else { read(path, max_size).map(Some) }
}

/// Puts `text` in the place of the original, whether it differs or not. Returns where the old content is kept.
pub(crate) fn replace(original: &Original, text: &str, how: &FileOptions) -> Result<Option<PathBuf>, Error> {
    original.replaceable.replace(text.as_bytes(), how)
}

impl Replaceable {
    fn replace(&self, new: &[u8], how: &FileOptions) -> Result<Option<PathBuf>, Error> {
        protocol::replace(&self.found, new, how).map_err(|error| error.in_file(&self.name))
    }
}

/// The place of a file that is to be, in a directory that is made where it is missing.
fn missing(path: &Path, how: &FileOptions) -> Result<Site<System>, Error> {
    let absolute = path::absolute(path).map_err(|error| unknown_directory(&error))?;
    let made = System.make_dir(parent(&absolute), NewAccess::Usual);
    made.map_err(|error| failed("its directory cannot be created", &error))?;
    place(path, how)
}

fn unknown_directory(error: &io::Error) -> Error {
    failed("its directory cannot be found", error)
}

/// The place of a file, once no other run is about to put one there.
fn place(path: &Path, how: &FileOptions) -> Result<Site<System>, Error> {
    let absolute = path::absolute(path).map_err(|error| unknown_directory(&error))?;
    let dir = resolve::target(parent(&absolute))?;
    let site = Site::open(&System, &dir.path.join(absolute.file_name().unwrap_or_default()))?;
    dir.check_owner(site.folder_owner()?)?;
    attempt::within(how.wait, || lock::take_place(&site, how))?;
    Ok(site)
}

pub(crate) use beneath::read_beneath;
pub(crate) use input::{descriptor, is_device, read_up_to};
pub(crate) use look::{Kept, backups, preview};
pub(crate) use output::{Existing, Output, create};
pub(crate) use prepared::Prepared;
pub use restore::Restored;
pub(crate) use restore::restore;

/// An error of the system, with a way out where its kind tells one.
fn failed(what: &str, error: &io::Error) -> Error {
    let help = match error.kind() {
        io::ErrorKind::PermissionDenied => {
            "run it as a user who may do that, or look at the rights of the file and of its directories"
        }
        io::ErrorKind::ReadOnlyFilesystem => {
            "its file system can only be read: mount it to be written, or name another place"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room there, then run again",
        _ => "look at the file and at what its path leads through",
    };
    Error::input(format!("{what}: {error}")).caused_by(error).help(help)
}

fn shown(path: &Path) -> String {
    visible(&path.display().to_string())
}

/// The directory that `path` stands in, also where the path does not say so.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|dir| *dir != Path::new("")).unwrap_or(Path::new("."))
}
