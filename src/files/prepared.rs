//! A file that is written and durable before something else happens, and takes its place behind that.
//!
//! What can fail has failed by then, but for one rename. It is for what yamlift keeps for itself, which nobody edits: the
//! file that it replaces is not compared again, and no backup of it is made.

use std::fs;
use std::path::{self, Path, PathBuf};

use super::disk::{Disk as _, NewAccess, Obstacle, Purpose};
use super::guise::{Guise, Loss};
use super::resolve::Target;
use super::site::Site;
use super::temporary::{Temporary, unwritable};
use super::{FileOptions, System, failed, input, is_missing, missing, parent, resolve, shown};
use crate::text::error::Error;

/// New content under a name of ours, and the place that it is for.
pub(crate) struct Prepared {
    name: String,
    site: Site<System>,
    /// `None` where the place holds just this already.
    file: Option<Temporary<System>>,
    directories: Directories,
}

impl Prepared {
    /// Writes `text` beside `path`, with the directories that it needs. It goes away with this value, unless it is
    /// [put in place](Self::finish).
    pub(crate) fn new(path: &Path, text: &str, how: &FileOptions) -> Result<Self, Error> {
        prepare(path, text, how).map_err(|error| error.in_file(&shown(path)))
    }

    /// Puts it in its place, durably.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let Self { name, site, file, directories } = self;
        directories.keep();
        let Some(file) = file else { return Ok(()) };
        let folder = &site.folder;
        let renamed = folder.disk.rename(&folder.dir, &file.guard.name, &site.name);
        renamed.map_err(|error| failed("cannot be replaced", &error).in_file(&name))?;
        file.guard.keep();
        folder.sync().map_err(|error| failed("was replaced, durability unknown", &error).in_file(&name))
    }
}

fn prepare(path: &Path, text: &str, how: &FileOptions) -> Result<Prepared, Error> {
    let directories = Directories::missing_for(path);
    let target = if is_missing(path) { None } else { Some(resolve::target(path)?) };
    let site = missing(target.as_ref().map_or(path, |target| &target.path), how)?;
    let old = target.map(|target| existing(&site, &target, how.max_size)).transpose()?;
    let is_new = old.as_ref().is_none_or(|(bytes, _)| bytes != text.as_bytes());
    let file = if is_new { Some(written(&site, text, old.as_ref().map(|(_, guise)| guise))?) } else { None };
    Ok(Prepared { name: shown(path), site, file, directories })
}

fn existing(site: &Site<System>, target: &Target, limit: u64) -> Result<(Vec<u8>, Guise), Error> {
    let unreadable = |error| failed("cannot be read", &error);
    let stat = site.folder.stat(&site.name).map_err(unreadable)?;
    input::check_kind(stat.kind, stat.size, limit)?;
    let file = System.open(&site.folder.dir, &site.name, Purpose::Reading).map_err(unreadable)?;
    let (bytes, stat) = input::read_open(&System, &file, limit)?;
    target.check_owner(stat.owner.0)?;
    match System.obstacle(&file).map_err(unreadable)? {
        Some(Obstacle::Immutable) => return Err(Error::input("is immutable")),
        Some(Obstacle::AppendOnly) => return Err(Error::input("is append-only")),
        Some(Obstacle::MountPoint) => return Err(Error::input("is a mount point by itself, and cannot be replaced")),
        Some(Obstacle::Virtual) | None => {}
    }
    Ok((bytes, Guise::of(&System, &file).map_err(unreadable)?))
}

fn written(site: &Site<System>, text: &str, like: Option<&Guise>) -> Result<Temporary<System>, Error> {
    let access = if like.is_some() { NewAccess::Owner } else { NewAccess::Usual };
    let file = Temporary::create(&site.folder, &site.unfinished(), access);
    let file = file.map_err(|error| unwritable(&site.folder, &error))?;
    file.fill(text.as_bytes(), like, Loss::Allowed)?;
    Ok(file)
}

/// Directories that are not there yet, the innermost first. They go away again unless they are kept.
struct Directories(Vec<PathBuf>);

impl Directories {
    fn missing_for(path: &Path) -> Self {
        let absolute = path::absolute(path).unwrap_or_default();
        let missing = parent(&absolute).ancestors().take_while(|dir| is_missing(dir));
        Self(missing.map(Path::to_owned).collect())
    }

    fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for Directories {
    fn drop(&mut self) {
        // One that is not empty is somebody else's by now.
        let _ = self.0.iter().try_for_each(fs::remove_dir);
    }
}
