//! What a killed run left behind.
//!
//! A file of ours that nobody has locked is no living run's ([`lock`](super::lock)). What is under the name of unfinished
//! content was never anybody's file and goes. What is under the name of a file that waits is told by the number in that name:
//! it is our own new content as long as the two have not changed places, and goes as well. Otherwise it is what came
//! out of the place of the config, be it the old content or somebody's edit of the last moment. That goes only where a
//! backup is the same file, and else becomes a backup.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};

use super::attempt::Attempt;
use super::backup;
use super::backup::listing::all;
use super::dead::{Dead, remove_dead};
use super::disk::Disk;
use super::site::{Folder, Site};
use super::{Backup, failed, shown};
use crate::text::error::Error;

/// Clears the directory of the file and the one for backups, unless a living run has a file of ours there. `own` is the
/// file itself, which this run has locked.
pub(super) fn clear<D: Disk>(site: &Site<D>, backup: &Backup, own: Option<(u64, u64)>) -> Result<Attempt<()>, Error> {
    let backups = backup::existing(site, backup)?;
    let backups = backups.as_deref().unwrap_or(&site.folder);
    match (Clearing { site, backups, own }).run() {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(Attempt::Busy),
        Err(error) => {
            let what = format!("what an interrupted run left in `{}` cannot be cleared", shown(&site.folder.path));
            let help = "look for files `.yamlift-*` there: one of them may hold a last edit";
            Err(failed(&what, &error).help(help))
        }
        Ok(()) => Ok(Attempt::Done(())),
    }
}

struct Clearing<'s, D: Disk> {
    site: &'s Site<D>,
    backups: &'s Folder<D>,
    own: Option<(u64, u64)>,
}

impl<D: Disk> Clearing<'_, D> {
    fn run(&self) -> io::Result<()> {
        let folder = &self.site.folder;
        let mut any = false;
        for name in [self.site.unfinished(), self.site.unfinished_copy()] {
            any |= remove_dead(folder, &name, self.own)?;
            if self.backups.path != folder.path {
                remove_dead(self.backups, &name, self.own)?;
            }
        }
        for name in folder.disk.names(&folder.dir)? {
            if let Some(number) = self.site.number_in(&name) {
                self.settle(&name, number)?;
                any = true;
            }
        }
        if any { folder.sync() } else { Ok(()) }
    }

    fn settle(&self, name: &OsStr, number: u64) -> io::Result<()> {
        let folder = &self.site.folder;
        let Some(dead) = Dead::open(folder, name, self.own)? else { return Ok(()) };
        let is_kept = || Ok::<_, io::Error>(self.kept_in(self.backups, &dead)? || self.kept_in(folder, &dead)?);
        if dead.id.1 == number || is_kept()? {
            return folder.remove(name);
        }
        let take = |new: &OsStr| folder.disk.rename_new(&folder.dir, name, new);
        let kept: OsString = backup::with_free_name(&self.site.name, take)?;
        log::warn!("an interrupted run had left a file behind; it is kept as `{}`", shown(&folder.path.join(&kept)));
        backup::date_now(folder, &kept, self.site);
        Ok(())
    }

    /// Whether a backup is the same file. It became one when it lost its place, and a killed run may not have dated it.
    fn kept_in(&self, backups: &Folder<D>, dead: &Dead<D>) -> io::Result<bool> {
        let names = all(backups, self.site)?;
        let kept = names.iter().find(|name| backups.stat(name).is_ok_and(|backup| backup.id == dead.id));
        if let Some(name) = kept {
            backup::date_now(backups, name, self.site);
        }
        Ok(kept.is_some())
    }
}
