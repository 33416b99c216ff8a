//! Files that other files name, such as those that a user-data includes: read only below a directory that the caller
//! allows, whatever `..` and symbolic links say.
//!
//! Links are resolved first, and what is left is opened from that directory on with a call that follows none, so that
//! nothing can lead elsewhere between the look and the opening. Systems without that call compare the open file with the
//! one that was looked at.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{self, Component, Path, PathBuf};

use super::input::unreadable;
use super::shown;
use crate::text::encoding::too_large;
use crate::text::error::Error;

/// The bytes of a regular file below `root`.
///
/// # Errors
/// A path that leads out of `root`, and what cannot be read or is no regular file or larger than `limit`.
pub(crate) fn read_beneath(root: &Path, path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    let canonical_root = fs::canonicalize(root).map_err(|error| unreadable(root, &error).in_file(&shown(root)))?;
    let outside = || Error::input(format!("is not below `{}`, which --include-root names", shown(root)));
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        Err(error) if is_below(path, root) => return Err(unreadable(path, &error)),
        Err(_) => return Err(outside()),
    };
    let below = target.strip_prefix(&canonical_root).map_err(|_| outside())?;
    let file = open(&canonical_root, below).map_err(|error| unreadable(path, &error))?;
    read(&file, limit).map_err(|error| unreadable(path, &error))?
}

/// Whether a path that does not exist would be below `root`, by its words alone.
fn is_below(path: &Path, root: &Path) -> bool {
    let whole = |path: &Path| path::absolute(path).map(|path| without_dots(&path)).ok();
    whole(path).zip(whole(root)).is_some_and(|(path, root)| path.starts_with(root))
}

fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

fn read(file: &File, limit: u64) -> io::Result<Result<Vec<u8>, Error>> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Ok(Err(Error::input("is not a regular file")));
    }
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    let is_larger = u64::try_from(bytes.len()).is_ok_and(|size| size > limit);
    Ok(if is_larger { Err(too_large(limit)) } else { Ok(bytes) })
}

/// Opens a file by its path from `root` on, in which there are no links any more. A FIFO is opened without waiting.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn open(root: &Path, below: &Path) -> io::Result<File> {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, open, openat2};
    use rustix::io::Errno;
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let dir = open(root, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let below = if below == Path::new("") { Path::new(".") } else { below };
    match openat2(&dir, below, flags, Mode::empty(), resolve) {
        // A kernel or a sandbox that does not know the call.
        Err(Errno::NOSYS | Errno::PERM) => {
            let whole = root.join(below);
            let file = rustix::fs::openat(CWD, &whole, flags | OFlags::NOFOLLOW, Mode::empty())?;
            is_same(File::from(file), &whole)
        }
        other => Ok(File::from(other?)),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn open(root: &Path, below: &Path) -> io::Result<File> {
    let whole = root.join(below);
    if !fs::symlink_metadata(&whole)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    is_same(File::open(&whole)?, &whole)
}

/// The open file, if its path still leads to it and through no link.
fn is_same(file: File, whole: &Path) -> io::Result<File> {
    let changed = || io::Error::other("it was replaced meanwhile");
    if fs::canonicalize(whole)? != whole {
        return Err(changed());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let (open, there) = (file.metadata()?, fs::symlink_metadata(whole)?);
        if (open.dev(), open.ino()) != (there.dev(), there.ino()) {
            return Err(changed());
        }
    }
    Ok(file)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn nothing_leads_out_of_the_root() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir_all(at("root/below")).unwrap();
        fs::create_dir(at("root-too")).unwrap();
        for name in ["secret", "root/a", "root/below/b", "root-too/c"] {
            fs::write(at(name), name).unwrap();
        }
        symlink(at("secret"), at("root/link")).unwrap();
        symlink("below/b", at("root/inside")).unwrap();
        symlink(dir.path(), at("root/up")).unwrap();
        symlink(at("root"), at("other-name")).unwrap();
        let read = |path: &str| read_beneath(&at("root"), &at(path), 100);
        for path in ["root/a", "root/below/b", "root/inside", "root/below/../a", "other-name/a"] {
            assert!(read(path).is_ok(), "{path}");
        }
        for path in
            ["secret", "root/link", "root/up/secret", "root/../secret", "root-too/c", "root/up/root-too/c", "none"]
        {
            assert!(read(path).unwrap_err().what().starts_with("is not below"), "{path}");
        }
        assert_eq!(read("root/none").unwrap_err().what(), "no such file");
        assert_eq!(read("root/below").unwrap_err().what(), "is not a regular file");
        assert_eq!(read_beneath(&at("root"), &at("root/a"), 3).unwrap_err().what(), "is larger than 3 bytes");
    }

    #[test]
    fn a_fifo_is_refused_and_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let fifo = dir.path().join("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        assert_eq!(read_beneath(dir.path(), &fifo, 9).unwrap_err().what(), "is not a regular file");
    }
}
