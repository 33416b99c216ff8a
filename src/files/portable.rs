//! The disk as the standard library knows it everywhere, for Windows and other systems that are not Unix.
//!
//! Files are replaced in one step there too. They have no owner, mode or attributes in our sight but being read-only:
//! a new file gets its rights from the directory. A directory cannot be made durable, nor can two names change places.
//!
//! What Windows locks cannot be read by others, so it is not the config that is locked but an empty file of ours beside
//! it. That one stays: if it went, two runs might lock two files of the same name.

use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use tempfile::TempPath;

use super::disk::{Attributes, Disk, Kind, NewAccess, Obstacle, Purpose, Stat, read_whole, write_whole};

/// The file system of the machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct System;

/// A directory by its path, and its lock.
pub(super) struct Dir {
    path: PathBuf,
    lock: RefCell<Option<File>>,
}

impl Disk for System {
    type Dir = Dir;
    type File = File;

    fn make_dir(&self, path: &Path, _: NewAccess) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn open_dir(&self, path: &Path) -> io::Result<Dir> {
        if !fs::metadata(path)?.is_dir() {
            return Err(ErrorKind::NotADirectory.into());
        }
        Ok(Dir { path: path.to_owned(), lock: RefCell::default() })
    }

    fn stat_dir(&self, dir: &Dir) -> io::Result<Stat> {
        Ok(stat_of(&fs::metadata(&dir.path)?))
    }

    fn claim(&self, dir: &Dir, name: &OsStr) -> io::Result<()> {
        if dir.lock.borrow().is_none() {
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(dir.path.join(name))?;
            file.try_lock()?;
            *dir.lock.borrow_mut() = Some(file);
        }
        Ok(())
    }

    fn names(&self, dir: &Dir) -> io::Result<Vec<OsString>> {
        fs::read_dir(&dir.path)?.map(|entry| Ok(entry?.file_name())).collect()
    }

    fn sync_dir(&self, _: &Dir) -> io::Result<()> {
        Ok(())
    }

    fn stat(&self, dir: &Dir, name: &OsStr) -> io::Result<Stat> {
        Ok(stat_of(&fs::symlink_metadata(dir.path.join(name))?))
    }

    fn open(&self, dir: &Dir, name: &OsStr, purpose: Purpose) -> io::Result<File> {
        OpenOptions::new().read(true).write(purpose == Purpose::Writing).open(dir.path.join(name))
    }

    /// What was claimed by name is nobody else's.
    fn lock(&self, _: &File) -> io::Result<()> {
        Ok(())
    }

    fn create(&self, dir: &Dir, name: &OsStr, _mode: u32) -> io::Result<File> {
        OpenOptions::new().read(true).write(true).create_new(true).open(dir.path.join(name))
    }

    fn link(&self, from: (&Dir, &OsStr), to: (&Dir, &OsStr)) -> io::Result<()> {
        fs::hard_link(from.0.path.join(from.1), to.0.path.join(to.1))
    }

    fn exchange(&self, _: &Dir, _: &OsStr, _: &OsStr) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    fn rename(&self, dir: &Dir, from: &OsStr, to: &OsStr) -> io::Result<()> {
        fs::rename(dir.path.join(from), dir.path.join(to))
    }

    fn rename_new(&self, dir: &Dir, from: &OsStr, to: &OsStr) -> io::Result<()> {
        let renamed = TempPath::try_from_path(dir.path.join(from))?.persist_noclobber(dir.path.join(to));
        renamed.map_err(|refused| {
            // It is its guard's to remove.
            let _ = refused.path.keep();
            refused.error
        })
    }

    fn remove(&self, dir: &Dir, name: &OsStr) -> io::Result<()> {
        fs::remove_file(dir.path.join(name))
    }

    fn set_modified(&self, dir: &Dir, name: &OsStr, (seconds, nanos): (i64, u64)) -> io::Result<()> {
        let since_1970 = Duration::from_secs(u64::try_from(seconds).unwrap_or_default()) + Duration::from_nanos(nanos);
        let time = UNIX_EPOCH.checked_add(since_1970).ok_or(ErrorKind::InvalidInput)?;
        OpenOptions::new().write(true).open(dir.path.join(name))?.set_modified(time)
    }

    fn stat_open(&self, file: &File) -> io::Result<Stat> {
        Ok(stat_of(&file.metadata()?))
    }

    fn obstacle(&self, _: &File) -> io::Result<Option<Obstacle>> {
        Ok(None)
    }

    fn read(&self, file: &File, limit: u64) -> io::Result<Vec<u8>> {
        read_whole(file, limit)
    }

    fn reserve(&self, _: &File, _: u64) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<()> {
        write_whole(file, bytes)
    }

    fn truncate(&self, file: &File, size: u64) -> io::Result<()> {
        file.set_len(size)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn user(&self) -> u32 {
        0
    }

    fn give_to(&self, _: &File, _: Option<u32>, _: u32) -> io::Result<()> {
        Ok(())
    }

    fn set_mode(&self, file: &File, mode: u32) -> io::Result<()> {
        let mut permissions = file.metadata()?.permissions();
        permissions.set_readonly(mode & 0o200 == 0);
        file.set_permissions(permissions)
    }

    fn attributes(&self, _: &File) -> io::Result<Attributes> {
        Ok(Attributes::new())
    }

    fn set_attribute(&self, _: &File, _: &OsStr, _: Option<&[u8]>) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }
}

/// The time of creation is what comes nearest to a number of the file: a second name of it has the same.
fn stat_of(metadata: &Metadata) -> Stat {
    let since_1970 = |time: io::Result<std::time::SystemTime>| time.ok()?.duration_since(UNIX_EPOCH).ok();
    let created = since_1970(metadata.created()).unwrap_or_default().as_nanos();
    let modified = since_1970(metadata.modified()).unwrap_or_default();
    Stat {
        kind: match metadata.file_type() {
            kind if kind.is_file() => Kind::File,
            kind if kind.is_dir() => Kind::Directory,
            kind if kind.is_symlink() => Kind::Link,
            _ => Kind::Other("a device"),
        },
        id: (0, u64::try_from(created).unwrap_or_default()),
        size: metadata.len(),
        modified: (i64::try_from(modified.as_secs()).unwrap_or_default(), u64::from(modified.subsec_nanos())),
        links: 1,
        owner: (0, 0),
        mode: if metadata.permissions().readonly() { 0o444 } else { 0o644 },
    }
}

#[cfg(test)]
mod tests {
    use super::super::attempt::Attempt;
    use super::super::lock;
    use super::super::{Backup, FileOptions, Site, found::Found, protocol};
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let names = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> =
            names.filter(|name| !name.starts_with(".yamlift-") || !name.contains(".lock")).collect();
        names.sort();
        names
    }

    /// The file, locked and read.
    fn taken(path: &Path, how: &FileOptions) -> Found<System> {
        match lock::take(Site::open(&System, path).unwrap(), how).unwrap() {
            Attempt::Done(found) => found.unwrap(),
            Attempt::Busy => panic!("another run has it"),
        }
    }

    #[test]
    fn a_file_is_replaced_and_kept_by_the_means_of_the_standard_library() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("app.yml");
        fs::write(&path, "port: 1\n").unwrap();
        let how = FileOptions::default();
        let found = taken(&path, &how);
        assert!(matches!(lock::take(Site::open(&System, &path).unwrap(), &how), Ok(Attempt::Busy)));
        let kept = protocol::replace(&found, b"port: 2\n", &how).unwrap().unwrap();
        assert_eq!((fs::read(&path).unwrap(), fs::read(kept).unwrap()), (b"port: 2\n".to_vec(), b"port: 1\n".to_vec()));
        assert_eq!(names(dir.path()).len(), 2);
    }

    #[test]
    fn an_edit_and_a_file_that_appears_are_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("app.yml");
        let how = FileOptions { backup: Backup::Off, ..FileOptions::default() };
        let site = || Site::open(&System, &path).unwrap();
        fs::write(&path, "port: 1\n").unwrap();
        let found = taken(&path, &how);
        fs::write(&path, "port: 17\n").unwrap();
        assert!(protocol::replace(&found, b"port: 2\n", &how).is_err());
        assert!(protocol::create(&site(), b"port: 2\n", None, &how).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"port: 17\n");
        assert_eq!(names(dir.path()), ["app.yml"]);
        fs::remove_file(&path).unwrap();
        protocol::create(&site(), b"port: 2\n", None, &how).unwrap();
        assert_eq!(names(dir.path()), ["app.yml"]);
    }
}
