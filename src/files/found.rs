//! A file as it was found: what it held, and by what it is known again.

use std::io;

use super::backup::listing::links;
use super::disk::{Disk, Obstacle, Stat};
use super::guise::Guise;
use super::site::{Folder, Site};
use super::{FileOptions, failed, input};
use crate::text::error::Error;

/// A file that was read, and is open still.
pub(super) struct Found<D: Disk> {
    pub(super) site: Site<D>,
    pub(super) file: D::File,
    pub(super) bytes: Vec<u8>,
    pub(super) stat: Stat,
    /// What it has besides its bytes.
    pub(super) guise: Guise,
}

/// How the new content gets in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// A new file changes places with the old one.
    Exchange,
    /// The file itself is written over.
    Overwrite,
}

impl<D: Disk> Found<D> {
    /// Reads a file that is open and locked, as long as the name stands for it.
    pub(super) fn read(site: Site<D>, file: D::File, limit: u64) -> Result<Self, Error> {
        let disk = &site.folder.disk;
        let (bytes, stat) = input::read_open(disk, &file, limit)?;
        let guise = Guise::of(disk, &file);
        let guise = guise.map_err(|error| failed("its owner and attributes cannot be read", &error))?;
        if !site.folder.stat(&site.name).is_ok_and(|named| stat.is_still(&named)) {
            return Err(changed());
        }
        Ok(Self { site, file, bytes, stat, guise })
    }

    /// Looks at the file first and then at the name, without following it, so that the gap behind this is small: a link
    /// that took the file's place is somebody's edit, too.
    pub(super) fn check_unchanged(&self) -> Result<(), Error> {
        let is_still = |now: Stat| now.is_still(&self.stat);
        let same = self.is_the_same() && self.site.folder.stat(&self.site.name).is_ok_and(is_still);
        if same { Ok(()) } else { Err(changed()) }
    }

    /// The time of change is not enough: two writes may fall between two ticks of the clock that files are dated by, and
    /// a backup that is a second name changes the time at which lists and attributes were changed.
    fn is_the_same(&self) -> bool {
        let limit = self.stat.size.saturating_add(1);
        self.check_guise().is_ok() && self.site.folder.disk.read(&self.file, limit).is_ok_and(|now| now == self.bytes)
    }

    /// Looks whether owner, mode and attributes are what they were.
    pub(super) fn check_guise(&self) -> Result<(), Error> {
        let is_still = Guise::of(&self.site.folder.disk, &self.file).is_ok_and(|now| now == self.guise);
        if is_still { Ok(()) } else { Err(changed()) }
    }

    /// Whether what now has another name is the file that was read, as it was read.
    pub(super) fn has_become(&self, now: &Stat) -> bool {
        now.is_still(&self.stat) && self.is_the_same()
    }

    /// How it can be replaced; where it cannot be, why, and what to do.
    pub(super) fn way(&self, how: &FileOptions, backups: Option<&Folder<D>>) -> Result<Way, Error> {
        let refused = |error| failed("cannot be read", &error);
        let what = match self.site.folder.disk.obstacle(&self.file).map_err(refused)? {
            Some(Obstacle::Immutable) => return Err(flagged("immutable", 'i', self)),
            Some(Obstacle::AppendOnly) => return Err(flagged("append-only", 'a', self)),
            Some(Obstacle::Virtual) => return Err(input::no_content()),
            Some(Obstacle::MountPoint) => "is a mount point by itself, and cannot be replaced".to_owned(),
            None => match self.other_names(backups).map_err(refused)? {
                0 => return Ok(Way::Exchange),
                1 => "has another hard link, which would keep the old content".to_owned(),
                count => format!("has {count} other hard links, which would keep the old content"),
            },
        };
        if how.in_place { Ok(Way::Overwrite) } else { Err(Error::input(what).help(IN_PLACE)) }
    }

    /// How many names the file has besides this one and its backups: a killed run may have made one of these.
    fn other_names(&self, backups: Option<&Folder<D>>) -> io::Result<u64> {
        let elsewhere = backups.filter(|folder| folder.path != self.site.folder.path);
        let folders = [Some(&*self.site.folder), elsewhere];
        let own: io::Result<usize> =
            folders.into_iter().flatten().map(|folder| Ok(links(folder, &self.site, &self.stat)?.len())).sum();
        own.map(|own| self.stat.links.saturating_sub(1 + u64::try_from(own).unwrap_or(0)))
    }
}

const IN_PLACE: &str = "`--in-place` writes into the file itself, after a backup: that is not one step, and a power \
                        cut in the middle of it leaves the backup only";

fn flagged<D: Disk>(what: &str, flag: char, found: &Found<D>) -> Error {
    let path = super::shown(&found.site.path());
    Error::input(format!("is {what}")).help(format!("if that is to change: chattr -{flag} '{path}'"))
}

pub(super) fn changed() -> Error {
    Error::input("changed meanwhile by somebody else; nothing was written").help("look at the change, then run again")
}
