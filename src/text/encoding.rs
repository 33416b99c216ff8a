//! Bytes → text: nothing is guessed about encodings, and what is too large to be a config is refused.

use crate::text::error::{Error, Place};

/// How many bytes an input may have: no config is larger, and a mistaken path should not fill the memory.
pub(crate) const LIMIT: u64 = 64 << 20;

/// The text in bytes that came from elsewhere, such as standard input, called `name` in errors.
pub(crate) fn decode(name: &str, bytes: Vec<u8>, max_size: u64) -> Result<String, Error> {
    let is_larger = u64::try_from(bytes.len()).is_ok_and(|size| size > max_size);
    let text = if is_larger { Err(too_large(max_size)) } else { to_text(bytes) };
    text.map_err(|error| error.in_file(name))
}

pub(crate) fn too_large(limit: u64) -> Error {
    let size = if limit < 1 << 20 { format!("{limit} bytes") } else { format!("{} MiB", limit >> 20) };
    Error::input(format!("is larger than {size}"))
        .help("is this the file that was meant? `--max-size` sets another limit")
}

/// A UTF-8 byte-order mark stays in the text, for it has to be written again.
pub(crate) fn to_text(bytes: Vec<u8>) -> Result<String, Error> {
    if let Some(encoding) = wide_encoding(&bytes) {
        let help = format!("convert it: iconv -f {encoding} -t UTF-8 OLD > NEW");
        return Err(Error::input(format!("{encoding}, not UTF-8")).placed(Place::START).help(help));
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
    use super::*;

    #[test]
    fn a_byte_that_is_not_utf8_is_shown_in_its_line() {
        let refused = decode("-", b"\xEF\xBB\xBFa: 1\nb: \xC3\xA9t\xE9\nc: secret\n".to_vec(), LIMIT).unwrap_err();
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
            assert_eq!(decode("x", bytes.to_vec(), LIMIT).unwrap_err().what(), what);
        }
        assert_eq!(decode("x", b"\xEF\xBB\xBFa: \0".to_vec(), LIMIT).unwrap(), "\u{feff}a: \0");
        assert_eq!(decode("x", b"\0\0\0\0".to_vec(), LIMIT).unwrap(), "\0\0\0\0");
    }
}
