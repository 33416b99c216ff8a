//! From a path to a text: what cannot be a config is refused by name, and nothing is guessed about encodings.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::{LIMIT, Stamp, failed, shown, system};
use crate::error::{Error, Place};

/// The bytes of a regular file, and the stamp that it had both before and after they were read.
pub(super) fn load(path: &Path) -> Result<(Vec<u8>, Stamp), Error> {
    let refused = |error| unreadable(path, &error);
    // Opening a FIFO waits for a writer and opening a device may do anything, so the kind is asked for first.
    look(path)?;
    let file = File::open(path).map_err(refused)?;
    let before = file.metadata().map_err(refused)?;
    check_kind(&before)?;
    let mut bytes = Vec::new();
    (&file).take(LIMIT + 1).read_to_end(&mut bytes).map_err(refused)?;
    let stamp = Stamp::of(&file.metadata().map_err(refused)?);
    if stamp == Stamp::of(&before) && u64::try_from(bytes.len()) == Ok(stamp.size) {
        return Ok((bytes, stamp));
    }
    Err(Error::input("changed while it was read").help("run again when nothing writes to it"))
}

/// Refuses what is there but cannot be read as a config, without opening it.
pub(super) fn look(path: &Path) -> Result<(), Error> {
    fs::metadata(path).map_err(|error| unreadable(path, &error)).and_then(|metadata| check_kind(&metadata))
}

fn check_kind(metadata: &Metadata) -> Result<(), Error> {
    if metadata.is_dir() {
        return Err(Error::input("is a directory, not a file"));
    }
    if !metadata.is_file() {
        return Err(Error::input(format!("is {}, not a file", system::kind(metadata.file_type()))));
    }
    if metadata.len() > LIMIT { Err(too_large()) } else { Ok(()) }
}

fn too_large() -> Error {
    Error::input(format!("is larger than {} MiB", LIMIT >> 20)).help("is this the file that was meant?")
}

pub(super) fn unreadable(path: &Path, error: &io::Error) -> Error {
    match (error.kind(), fs::read_link(path)) {
        (ErrorKind::NotFound, Ok(to)) => {
            Error::input(format!("is a symbolic link to `{}`, which does not exist", shown(&to)))
                .help("put a file there, or remove the link")
        }
        (ErrorKind::NotFound, Err(_)) => Error::input("no such file"),
        _ => failed("cannot be read", error),
    }
}

/// A UTF-8 byte-order mark stays in the text, for it has to be written again.
pub(super) fn to_text(bytes: Vec<u8>) -> Result<String, Error> {
    if u64::try_from(bytes.len()).is_ok_and(|length| length > LIMIT) {
        return Err(too_large());
    }
    if let Some(encoding) = wide_encoding(&bytes) {
        let help = format!("convert it: iconv -f {encoding} -t UTF-8 OLD > NEW");
        return Err(Error::input(format!("{encoding}, not UTF-8")).help(help));
    }
    String::from_utf8(bytes).map_err(|error| not_utf8(error.as_bytes(), error.utf8_error().valid_up_to()))
}

/// The table of YAML 1.2.2 §5.2. A file of nothing but NUL, as a power cut may leave it, is none of these.
fn wide_encoding(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0, 0, 0xFE, 0xFF, ..] | [0, 0, 0, 1..=255, ..] => Some("UTF-32BE"),
        [0xFF, 0xFE, 0, 0, ..] | [1..=255, 0, 0, 0, ..] => Some("UTF-32LE"),
        [0xFE, 0xFF, ..] | [0, 1..=255, ..] => Some("UTF-16BE"),
        [0xFF, 0xFE, ..] | [1..=255, 0, ..] => Some("UTF-16LE"),
        _ => None,
    }
}

/// The byte-order mark is no column, as everywhere.
fn not_utf8(bytes: &[u8], at: usize) -> Error {
    let text = String::from_utf8_lossy(bytes);
    let before = text.get(..at).unwrap_or_default().trim_start_matches('\u{feff}');
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    let place = Place { line: before.matches('\n').count() + 1, column };
    let byte = bytes.get(at).copied().unwrap_or_default();
    Error::input(format!("not UTF-8: byte 0x{byte:02X}, at offset {at}"))
        .at(place, text.trim_start_matches('\u{feff}'))
        .help("if it is Windows-1252 or Latin-1, convert it: iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW")
}

#[cfg(test)]
mod tests {
    use super::super::{decode, read};
    use super::*;

    #[test]
    fn a_byte_that_is_not_utf8_is_shown_in_its_line() {
        let refused = decode("-", b"\xEF\xBB\xBFa: 1\nb: \xC3\xA9t\xE9\nc: secret\n".to_vec()).unwrap_err();
        assert_eq!(refused.place(), Some(Place { line: 2, column: 6 }));
        let shown = "-:2:6: not UTF-8: byte 0xE9, at offset 14\n 2 | b: ét\u{fffd}\n   |      ^\n help: if ";
        assert!(refused.to_string().starts_with(shown), "{refused}");
    }

    #[test]
    fn wide_encodings_are_named_with_and_without_a_mark() {
        let table: [(&[u8], &str); 6] = [
            (b"\xFF\xFEa\0", "UTF-16LE, not UTF-8"),
            (b"\xFE\xFF\0a", "UTF-16BE, not UTF-8"),
            (b"a\0:\0", "UTF-16LE, not UTF-8"),
            (b"\0a\0:", "UTF-16BE, not UTF-8"),
            (b"\xFF\xFE\0\0a\0\0\0", "UTF-32LE, not UTF-8"),
            (b"\0\0\0a", "UTF-32BE, not UTF-8"),
        ];
        for (bytes, what) in table {
            assert_eq!(decode("x", bytes.to_vec()).unwrap_err().what(), what);
        }
        assert_eq!(decode("x", b"\xEF\xBB\xBFa: \0".to_vec()).unwrap(), "\u{feff}a: \0");
        assert_eq!(decode("x", b"\0\0\0\0".to_vec()).unwrap(), "\0\0\0\0");
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
        assert_eq!(read(&fifo).unwrap_err().to_string(), format!("{}: is a FIFO, not a file", fifo.display()));
        assert_eq!(read(Path::new("/dev/zero")).unwrap_err().what(), "is a device, not a file");
        assert_eq!(read(Path::new("/proc/version")).unwrap_err().what(), "changed while it was read");
    }
}
