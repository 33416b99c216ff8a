//! Which files in a directory are backups of a file.

use std::ffi::OsString;
use std::io;

use super::name::{self, Dated};
use crate::files::disk::{Disk, Kind, Stat};
use crate::files::site::{Folder, Site};

/// The names of backups of a file that are this very file.
pub(in crate::files) fn links<D: Disk>(folder: &Folder<D>, site: &Site<D>, file: &Stat) -> io::Result<Vec<OsString>> {
    if file.links < 2 {
        return Ok(Vec::new());
    }
    let is_it = |name: &OsString| folder.stat(name).is_ok_and(|stat| stat.id == file.id);
    Ok(all(folder, site)?.into_iter().filter(is_it).collect())
}

/// The names of all backups of a file, the oldest first.
pub(in crate::files) fn all<D: Disk>(folder: &Folder<D>, site: &Site<D>) -> io::Result<Vec<OsString>> {
    let mut backups = by_time(folder, site)?;
    backups.sort();
    Ok(backups.into_iter().map(|(_, _, name)| name).collect())
}

/// When a file was changed at last: seconds since 1970, and nanoseconds.
pub(super) type Time = (i64, u64);

/// All backups of a file, in no order.
pub(super) fn by_time<D: Disk>(folder: &Folder<D>, site: &Site<D>) -> io::Result<Vec<(Time, Dated, OsString)>> {
    let is_open = is_open_to_strangers(&folder.disk.stat_dir(&folder.dir)?, site);
    let is_ours = |stat: &Stat| stat.kind == Kind::File && (!is_open || site.trusts(stat.owner.0));
    let names = folder.disk.names(&folder.dir)?.into_iter();
    let dated = names.filter_map(|name| Some((name::date(&name, &site.name)?, name)));
    let backup = |(date, name): (Dated, OsString)| {
        let stat = folder.stat(&name).ok().filter(is_ours)?;
        Some((stat.modified, date, name))
    };
    Ok(dated.filter_map(backup).collect())
}

/// Whether others than root, the owner of the file and whoever runs this can put files there. A list that lets somebody
/// in shows in the bits of the group.
fn is_open_to_strangers<D: Disk>(folder: &Stat, site: &Site<D>) -> bool {
    folder.mode & 0o022 != 0 || !site.trusts(folder.owner.0)
}
