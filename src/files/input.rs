//! From a path to bytes: what cannot be a config is refused by name.

use std::fs::{self, File, FileType};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::disk::{Disk, Kind, Obstacle, Stat};
use super::{System, failed, shown};
use crate::text::encoding::too_large;
use crate::text::error::Error;

/// The bytes of a regular file, links followed, or of a pipe that was handed down to this process.
pub(super) fn load(path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    let refused = |error| unreadable(path, &error);
    let is_pipe = |kind| descriptor(path).is_some() && kind == Kind::Other(FIFO);
    // Opening a FIFO waits for a writer and opening a device may do anything, so the kind is asked for first.
    let metadata = fs::metadata(path).map_err(refused)?;
    let named = kind(metadata.file_type());
    if !is_pipe(named) {
        check_kind(named, metadata.len(), limit)?;
    }
    let file = open(path).map_err(refused)?;
    if is_pipe(System.stat_open(&file).map_err(refused)?.kind) {
        return drain(&file, limit);
    }
    read_open(&System, &file, limit).map(|(bytes, _)| bytes)
}

const FIFO: &str = "a FIFO";

/// The number of an open file that was handed down, where the path stands for one: shells give such paths for `<(…)`.
pub(crate) fn descriptor(path: &Path) -> Option<u32> {
    let number = match path.to_str()? {
        "/dev/stdin" => "0",
        "/dev/stdout" => "1",
        "/dev/stderr" => "2",
        path => path.strip_prefix("/dev/fd/").or_else(|| path.strip_prefix("/proc/self/fd/"))?,
    };
    number.parse().ok().filter(|_| cfg!(unix))
}

/// Whether a path is a device that is written to as a stream, such as `/dev/null`. A link to one is none: who can turn it
/// would get to read what is written.
#[cfg(unix)]
pub(crate) fn is_device(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.file_type().is_char_device())
}

#[cfg(not(unix))]
pub(crate) fn is_device(_: &Path) -> bool {
    false
}

/// What took the place of a file since it was looked at must not be waited for.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(rustix::io::retry_on_intr(|| open(path, flags, Mode::empty()))?.into())
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// All that comes through a pipe. It is read up to the limit: what writes there may never end.
#[cfg(unix)]
fn drain(pipe: &File, limit: u64) -> Result<Vec<u8>, Error> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    let waiting = fcntl_getfl(pipe).and_then(|flags| fcntl_setfl(pipe, flags - OFlags::NONBLOCK));
    waiting.map_err(|error| failed("cannot be read", &error.into()))?;
    read_up_to(pipe, limit)
}

#[cfg(not(unix))]
fn drain(pipe: &File, limit: u64) -> Result<Vec<u8>, Error> {
    read_up_to(pipe, limit)
}

/// All that is read from a stream that has no size.
pub(crate) fn read_up_to(stream: impl Read, limit: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = stream.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| failed("cannot be read", &error))?;
    if u64::try_from(bytes.len()).is_ok_and(|size| size > limit) { Err(too_large(limit)) } else { Ok(bytes) }
}

/// All that an open file holds, and its state, which was the same before and after. Any error of reading is one: half a
/// config is none.
pub(super) fn read_open<D: Disk>(disk: &D, file: &D::File, limit: u64) -> Result<(Vec<u8>, Stat), Error> {
    let refused = |error| failed("cannot be read", &error);
    let before = disk.stat_open(file).map_err(refused)?;
    check_kind(before.kind, before.size, limit)?;
    if disk.obstacle(file).map_err(refused)? == Some(Obstacle::Virtual) {
        return Err(no_content());
    }
    let bytes = disk.read(file, limit.saturating_add(1)).map_err(refused)?;
    let stat = disk.stat_open(file).map_err(refused)?;
    if stat.is_still(&before) && u64::try_from(bytes.len()) == Ok(stat.size) {
        return Ok((bytes, stat));
    }
    Err(Error::input("changed while it was read").help("run again when nothing writes to it"))
}

pub(super) fn check_kind(kind: Kind, size: u64, limit: u64) -> Result<(), Error> {
    match kind {
        Kind::File if size > limit => Err(too_large(limit)),
        Kind::File => Ok(()),
        Kind::Directory => Err(Error::input("is a directory, not a file").help("name a file in it")),
        Kind::Link => Err(Error::input("became a symbolic link meanwhile").help("look at the change, then run again")),
        Kind::Other(what) => {
            Err(Error::input(format!("is {what}, not a file")).help("name a regular file; `-` reads standard input"))
        }
    }
}

#[cfg(unix)]
pub(super) fn kind(kind: FileType) -> Kind {
    use std::os::unix::fs::FileTypeExt as _;
    match kind {
        kind if kind.is_file() => Kind::File,
        kind if kind.is_dir() => Kind::Directory,
        kind if kind.is_fifo() => Kind::Other(FIFO),
        kind if kind.is_socket() => Kind::Other("a socket"),
        _ => Kind::Other("a device"),
    }
}

#[cfg(not(unix))]
pub(super) fn kind(kind: FileType) -> Kind {
    match kind {
        kind if kind.is_file() => Kind::File,
        kind if kind.is_dir() => Kind::Directory,
        _ => Kind::Other("a device"),
    }
}

pub(super) fn no_content() -> Error {
    Error::input("is in a file system of the kernel, such as /proc, and has no content of its own")
        .help("name a file on a disk")
}

pub(super) fn unreadable(path: &Path, error: &io::Error) -> Error {
    match (error.kind(), fs::read_link(path)) {
        (ErrorKind::NotFound, Ok(to)) => {
            Error::input(format!("is a symbolic link to `{}`, which does not exist", shown(&to)))
                .caused_by(error)
                .help("put a file there, or remove the link")
        }
        (ErrorKind::NotFound, Err(_)) => {
            let help = "check the path: one without a `/` in front starts where yamlift is run";
            Error::input("no such file").caused_by(error).help(help)
        }
        _ => failed("cannot be read", error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::encoding::LIMIT;

    fn read(path: &Path) -> Result<String, Error> {
        super::super::read(path, LIMIT)
    }

    #[test]
    fn only_regular_files_of_a_sane_size_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let large = dir.path().join("large");
        File::create(&large).unwrap().set_len(LIMIT + 1).unwrap();
        assert_eq!(read(&large).unwrap_err().what(), "is larger than 64 MiB");
        assert_eq!(read(dir.path()).unwrap_err().what(), "is a directory, not a file");
        assert_eq!(read(&dir.path().join("none")).unwrap_err().what(), "no such file");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn fifos_devices_and_files_without_a_true_size_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let fifo = dir.path().join("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let refused = read(&fifo).unwrap_err().to_string();
        assert!(refused.starts_with(&format!("{}: is a FIFO, not a file\n help: ", fifo.display())), "{refused}");
        assert_eq!(read(Path::new("/dev/zero")).unwrap_err().what(), "is a device, not a file");
        assert_eq!(
            read(Path::new("/proc/version")).unwrap_err().what(),
            "is in a file system of the kernel, such as /proc, and has no content of its own"
        );
    }
}
