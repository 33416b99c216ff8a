//! Opening a directory by a path that was resolved before.
//!
//! Between a look at a path and its use somebody may put a symbolic link into it. So no link is followed any more: the
//! kernel is told so, and where it does not know how (before Linux 5.6, or in a sandbox that forbids the call) each part
//! is opened from the one before. Other systems can be told about the last part only.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{self, CWD, Mode, OFlags};
use rustix::io::retry_on_intr;

use super::FOLDER;

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn open(path: &Path) -> io::Result<OwnedFd> {
    use rustix::fs::ResolveFlags;
    use rustix::io::Errno;
    let opened = retry_on_intr(|| fs::openat2(CWD, path, FOLDER, Mode::empty(), ResolveFlags::NO_SYMLINKS));
    match opened {
        Err(Errno::NOSYS | Errno::PERM) => step_by_step(path),
        opened => Ok(opened?),
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn step_by_step(path: &Path) -> io::Result<OwnedFd> {
    const STEP: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
    let mut words = path.components();
    let start = words.next().map_or(Path::new("."), |first| Path::new(first.as_os_str()));
    let mut dir = retry_on_intr(|| fs::openat(CWD, start, STEP, Mode::empty()))?;
    for word in words {
        dir = retry_on_intr(|| fs::openat(&dir, word.as_os_str(), STEP, Mode::empty()))?;
    }
    Ok(retry_on_intr(|| fs::openat(&dir, ".", FOLDER, Mode::empty()))?)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn open(path: &Path) -> io::Result<OwnedFd> {
    Ok(retry_on_intr(|| fs::openat(CWD, path, FOLDER.union(OFlags::NOFOLLOW), Mode::empty()))?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_link_anywhere_in_the_path_is_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("a/b/c")).unwrap();
        std::os::unix::fs::symlink("a", root.join("link")).unwrap();
        std::os::unix::fs::symlink("b", root.join("a/last")).unwrap();
        for open in [open, step_by_step] {
            assert!(open(&root.join("a/b/c")).is_ok());
            for link in ["link/b/c", "link/b", "a/last", "a/last/c", "link"] {
                assert!(open(&root.join(link)).is_err(), "{link}");
            }
        }
    }
}
