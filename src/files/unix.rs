//! The disk of Linux and of systems like it, through `rustix`.
//!
//! An interrupted call is made again, but for `fsync`: what it failed to write may be forgotten by then, and the next
//! call would say that all is well.

use std::ffi::{OsStr, OsString};
use std::fs::{DirBuilder, File, Permissions};
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use rustix::fs::{self, AtFlags, CWD, FileType, FlockOperation, Mode, OFlags, Timespec, Timestamps};
use rustix::io::{Errno, retry_on_intr};

mod attributes;
mod walk;

use super::disk::{Attributes, Disk, Kind, NewAccess, Obstacle, Purpose, Stat, read_whole, write_whole};
use super::parent;

/// The file system of the machine.
#[derive(Debug, Clone, Copy)]
pub(in crate::files) struct System;

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Where a symbolic link leads.
pub(in crate::files) fn read_link(dir: &OwnedFd, name: &OsStr) -> io::Result<PathBuf> {
    let to = fs::readlinkat(dir, name, Vec::new())?;
    Ok(OsString::from_vec(to.into_bytes()).into())
}

impl Disk for System {
    type Dir = OwnedFd;
    type File = File;

    fn make_dir(&self, path: &Path, access: NewAccess) -> io::Result<()> {
        let missing: Vec<_> = path.ancestors().take_while(|dir| *dir != Path::new("") && !dir.exists()).collect();
        for dir in missing.into_iter().rev() {
            match DirBuilder::new().mode(if access == NewAccess::Owner { 0o700 } else { 0o777 }).create(dir) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists && dir.is_dir() => {}
                made => made?,
            }
            self.sync_dir(&self.open_dir(parent(dir))?)?;
        }
        Ok(())
    }

    fn open_dir(&self, path: &Path) -> io::Result<OwnedFd> {
        Ok(retry_on_intr(|| fs::openat(CWD, path, FOLDER, Mode::empty()))?)
    }

    fn open_resolved(&self, path: &Path) -> io::Result<OwnedFd> {
        walk::open(path)
    }

    fn stat_dir(&self, dir: &OwnedFd) -> io::Result<Stat> {
        Ok(stat_of(&retry_on_intr(|| fs::fstat(dir))?))
    }

    fn names(&self, dir: &OwnedFd) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in fs::Dir::read_from(dir)? {
            names.push(OsString::from_vec(entry?.file_name().to_bytes().to_vec()));
        }
        Ok(names)
    }

    fn sync_dir(&self, dir: &OwnedFd) -> io::Result<()> {
        match flush(dir) {
            Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
            synced => synced,
        }
    }

    fn stat(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<Stat> {
        Ok(stat_of(&retry_on_intr(|| fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW))?))
    }

    fn open(&self, dir: &OwnedFd, name: &OsStr, purpose: Purpose) -> io::Result<File> {
        let access = if purpose == Purpose::Writing { OFlags::RDWR } else { OFlags::RDONLY };
        let flags = access | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        Ok(retry_on_intr(|| fs::openat(dir, name, flags, Mode::empty()))?.into())
    }

    fn lock(&self, file: &File) -> io::Result<()> {
        Ok(retry_on_intr(|| fs::flock(file, FlockOperation::NonBlockingLockExclusive))?)
    }

    /// NFS locks by ranges of bytes, and these are for those who may write.
    fn open_locked(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<File> {
        let file = self.open(dir, name, Purpose::Reading)?;
        match self.lock(&file) {
            Err(error) if error.raw_os_error() == Some(Errno::BADF.raw_os_error()) => {
                let file = self.open(dir, name, Purpose::Writing)?;
                self.lock(&file).map(|()| file)
            }
            locked => locked.map(|()| file),
        }
    }

    fn create(&self, dir: &OwnedFd, name: &OsStr, mode: u32) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(number(mode & 0o7777));
        Ok(retry_on_intr(|| fs::openat(dir, name, flags, mode))?.into())
    }

    fn link(&self, from: (&OwnedFd, &OsStr), to: (&OwnedFd, &OsStr)) -> io::Result<()> {
        Ok(retry_on_intr(|| fs::linkat(from.0, from.1, to.0, to.1, AtFlags::empty()))?)
    }

    fn exchange(&self, dir: &OwnedFd, one: &OsStr, other: &OsStr) -> io::Result<()> {
        rename_as(Rename::Exchange, dir, one, other)
    }

    fn rename(&self, dir: &OwnedFd, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(retry_on_intr(|| fs::renameat(dir, from, dir, to))?)
    }

    fn rename_new(&self, dir: &OwnedFd, from: &OsStr, to: &OsStr) -> io::Result<()> {
        match rename_as(Rename::New, dir, from, to) {
            Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
                link_and_remove(*self, dir, (from, to))
            }
            renamed => renamed,
        }
    }

    fn remove(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<()> {
        Ok(retry_on_intr(|| fs::unlinkat(dir, name, AtFlags::empty()))?)
    }

    fn set_modified(&self, dir: &OwnedFd, name: &OsStr, (seconds, nanos): (i64, u64)) -> io::Result<()> {
        let last_access = Timespec { tv_sec: 0, tv_nsec: fs::UTIME_OMIT };
        let last_modification = Timespec { tv_sec: number(seconds), tv_nsec: number(nanos) };
        let set = |times| retry_on_intr(|| fs::utimensat(dir, name, &times, AtFlags::SYMLINK_NOFOLLOW));
        match set(Timestamps { last_access, last_modification }) {
            // Who may write into a file that is not his may give it no other time than this.
            Err(Errno::PERM) => {
                let now = Timespec { tv_sec: 0, tv_nsec: fs::UTIME_NOW };
                Ok(set(Timestamps { last_access: now, last_modification: now })?)
            }
            done => Ok(done?),
        }
    }

    fn stat_open(&self, file: &File) -> io::Result<Stat> {
        Ok(stat_of(&retry_on_intr(|| fs::fstat(file))?))
    }

    fn obstacle(&self, file: &File) -> io::Result<Option<Obstacle>> {
        obstacle(file)
    }

    fn read(&self, file: &File, limit: u64) -> io::Result<Vec<u8>> {
        read_whole(file, limit)
    }

    fn reserve(&self, file: &File, size: u64) -> io::Result<()> {
        reserve(file, size)
    }

    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<()> {
        write_whole(file, bytes)
    }

    fn truncate(&self, file: &File, size: u64) -> io::Result<()> {
        file.set_len(size)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        flush(file)
    }

    fn user(&self) -> u32 {
        rustix::process::geteuid().as_raw()
    }

    fn give_to(&self, file: &File, user: Option<u32>, group: u32) -> io::Result<()> {
        fchown(file, user, Some(group))
    }

    fn set_mode(&self, file: &File, mode: u32) -> io::Result<()> {
        file.set_permissions(Permissions::from_mode(mode))
    }

    fn attributes(&self, file: &File) -> io::Result<Attributes> {
        attributes::of(file)
    }

    fn set_attribute(&self, file: &File, name: &OsStr, value: Option<&[u8]>) -> io::Result<()> {
        attributes::set(file, name, value)
    }
}

/// Where a rename cannot be told to leave alone what is there. Some file systems (FUSE, FAT) have no second names either:
/// what appears behind the last look is lost there.
fn link_and_remove(disk: System, dir: &OwnedFd, (from, to): (&OsStr, &OsStr)) -> io::Result<()> {
    match disk.link((dir, from), (dir, to)) {
        Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::Unsupported) => {}
        linked => return linked.and_then(|()| disk.remove(dir, from)),
    }
    match disk.stat(dir, to) {
        Err(error) if error.kind() == ErrorKind::NotFound => disk.rename(dir, from, to),
        Err(error) => Err(error),
        Ok(_) => Err(ErrorKind::AlreadyExists.into()),
    }
}

fn stat_of(stat: &fs::Stat) -> Stat {
    let mode: u32 = number(stat.st_mode);
    Stat {
        kind: match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Directory,
            FileType::Symlink => Kind::Link,
            FileType::Fifo => Kind::Other("a FIFO"),
            FileType::Socket => Kind::Other("a socket"),
            _ => Kind::Other("a device"),
        },
        id: (number(stat.st_dev), number(stat.st_ino)),
        size: number(stat.st_size),
        modified: (number(stat.st_mtime), number(stat.st_mtime_nsec)),
        links: number(stat.st_nlink),
        owner: (stat.st_uid, stat.st_gid),
        mode: mode & 0o7777,
    }
}

/// The types of these fields differ from one system to the next; their values fit.
fn number<T: TryInto<U>, U: Default>(number: T) -> U {
    number.try_into().unwrap_or_default()
}

#[derive(Clone, Copy)]
enum Rename {
    Exchange,
    New,
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn rename_as(how: Rename, dir: &OwnedFd, from: &OsStr, to: &OsStr) -> io::Result<()> {
    let flags = match how {
        Rename::Exchange => fs::RenameFlags::EXCHANGE,
        Rename::New => fs::RenameFlags::NOREPLACE,
    };
    Ok(retry_on_intr(|| fs::renameat_with(dir, from, dir, to, flags))?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn rename_as(_: Rename, _: &OwnedFd, _: &OsStr, _: &OsStr) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(not(target_vendor = "apple"))]
fn flush(fd: impl std::os::fd::AsFd) -> io::Result<()> {
    Ok(fs::fsync(fd)?)
}

/// There `fsync` leaves the bytes in the cache of the disk.
#[cfg(target_vendor = "apple")]
fn flush(fd: impl std::os::fd::AsFd) -> io::Result<()> {
    Ok(fs::fcntl_fullfsync(&fd).or_else(|_| fs::fsync(&fd))?)
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn reserve(file: &File, size: u64) -> io::Result<()> {
    if size == 0 {
        return Ok(());
    }
    let reserved = retry_on_intr(|| fs::fallocate(file, fs::FallocateFlags::KEEP_SIZE, 0, size));
    match reserved.map_err(io::Error::from) {
        Err(error) if error.kind() == ErrorKind::Unsupported => Ok(()),
        reserved => reserved,
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
#[expect(clippy::unnecessary_wraps, reason = "it can fail on Linux")]
fn reserve(_: &File, _: u64) -> io::Result<()> {
    Ok(())
}

/// An old kernel that has no `statx` is asked no further: the rename will tell.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn obstacle(file: &File) -> io::Result<Option<Obstacle>> {
    use fs::{StatxAttributes as Is, StatxFlags};
    /// procfs, sysfs, cgroup, cgroup2, debugfs, tracefs and securityfs, from `linux/magic.h`.
    const VIRTUAL: [u64; 7] = [0x9fa0, 0x6265_6572, 0x0027_e0eb, 0x6367_7270, 0x6462_6720, 0x7472_6163, 0x7363_6673];
    let kind: u64 = number(retry_on_intr(|| fs::fstatfs(file))?.f_type);
    if VIRTUAL.contains(&kind) {
        return Ok(Some(Obstacle::Virtual));
    }
    let stat = match retry_on_intr(|| fs::statx(file, "", AtFlags::EMPTY_PATH, StatxFlags::empty())) {
        Err(rustix::io::Errno::NOSYS) => return Ok(None),
        stat => stat?,
    };
    let obstacles = [
        (Is::IMMUTABLE, Obstacle::Immutable),
        (Is::APPEND, Obstacle::AppendOnly),
        (Is::MOUNT_ROOT, Obstacle::MountPoint),
    ];
    let found = obstacles.into_iter().find(|&(attribute, _)| stat.stx_attributes.contains(attribute));
    Ok(found.map(|(_, obstacle)| obstacle))
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
#[expect(clippy::unnecessary_wraps, reason = "it can fail on Linux")]
fn obstacle(_: &File) -> io::Result<Option<Obstacle>> {
    Ok(None)
}
