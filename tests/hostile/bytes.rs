//! Bytes that are no text, characters that no text should have, and line ends and marks of every kind.

use crate::Meant::{self, Either, NoDefault, Refused, Taken};
use crate::{Row, row};

const PLAIN: &str = "# Relay\nlisten: 10.0.0.1:25\nname: Grüße 😀\n";

fn wide(big: bool, mark: bool, unit: usize) -> Vec<u8> {
    let text = if mark { format!("\u{feff}{PLAIN}") } else { PLAIN.to_owned() };
    let bytes = |number: u32| {
        let bytes = number.to_be_bytes()[4 - unit..].to_vec();
        if big { bytes } else { bytes.into_iter().rev().collect() }
    };
    match unit {
        2 => text.encode_utf16().flat_map(|number| bytes(number.into())).collect(),
        _ => text.chars().flat_map(|c| bytes(c.into())).collect(),
    }
}

fn encodings() -> Vec<Row> {
    let mut rows = Vec::new();
    for mark in [true, false] {
        let with = if mark { "with" } else { "without" };
        let mut add =
            |name: &str, bytes, because| rows.push(row(format!("{name} {with} a mark"), bytes, Refused(because)));
        add("UTF-16LE", wide(false, mark, 2), "UTF-16LE, not UTF-8");
        add("UTF-16BE", wide(true, mark, 2), "UTF-16BE, not UTF-8");
        add("UTF-32LE", wide(false, mark, 4), "UTF-32LE, not UTF-8");
        add("UTF-32BE", wide(true, mark, 4), "UTF-32BE, not UTF-8");
    }
    rows.push(row("UTF-16LE cut in a character", wide(false, true, 2)[..21].to_vec(), Refused("UTF-16LE")));
    rows
}

/// Bytes that UTF-8 never has, or has not here (RFC 3629, and table 3-7 of the Unicode Standard).
const NOT_UTF8: [(&str, &[u8]); 18] = [
    ("a byte that only goes on", b"\x80"),
    ("a byte that is never there", b"\xff"),
    ("NUL in two bytes", b"\xc0\x80"),
    ("a slash in two bytes", b"\xc0\xaf"),
    ("a slash in three bytes", b"\xe0\x80\xaf"),
    ("a slash in four bytes", b"\xf0\x80\x80\xaf"),
    ("half of a surrogate pair", b"\xed\xa0\x80"),
    ("a whole surrogate pair", b"\xed\xa0\xbd\xed\xb8\x80"),
    ("a number above Unicode", b"\xf4\x90\x80\x80"),
    ("five bytes", b"\xf8\x88\x80\x80\x80"),
    ("six bytes", b"\xfc\x84\x80\x80\x80\x80"),
    ("one byte of two", b"\xc3"),
    ("two bytes of three", b"\xe2\x82"),
    ("three bytes of four", b"\xf0\x9f\x98"),
    ("Latin-1", b"Gr\xfc\xdfe"),
    ("Windows-1252", b"\x93quoted\x94"),
    ("Shift-JIS", b"\x83e\x83X\x83g"),
    ("GBK", b"\xd6\xd0\xce\xc4"),
];

fn not_utf8() -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, bytes) in NOT_UTF8 {
        let in_value = [b"a: 1\nb: ", bytes, b" c\nd: 2\n"].concat();
        let in_comment_at_end = [b"a: 1\n# ", bytes].concat();
        rows.push(row(format!("{name} in a value"), in_value, Refused("not UTF-8: byte 0x")));
        rows.push(row(format!("{name} at the end"), in_comment_at_end, Refused("not UTF-8: byte 0x")));
    }
    let late = "# x\n".repeat(250_000);
    rows.push(row("a bad byte behind a megabyte", [late.as_bytes(), b"\xff\n"].concat(), Refused("not UTF-8")));
    rows.push(row(
        "a bad byte in a line of a megabyte",
        [&vec![b'x'; 1 << 20][..], b"\xff"].concat(),
        Refused("not UTF-8"),
    ));
    rows
}

/// All of C0 but tab and line ends, DEL, C1 but NEL, and the two that are no characters (YAML 1.2.2 §5.1).
fn controls() -> Vec<Row> {
    let c0 = (0..0x20_u8).map(char::from).filter(|c| !matches!(c, '\t' | '\n' | '\r'));
    let others = ['\u{7f}', '\u{80}', '\u{84}', '\u{86}', '\u{9b}', '\u{9f}', '\u{fffe}', '\u{ffff}'];
    let number = |c: char| format!("U+{:04X}", u32::from(c));
    let mut rows: Vec<_> = c0
        .chain(others)
        .map(|c| row(format!("{} in a value", number(c)), format!("a: 1\nb: x{c}y\n"), Refused("the character U+")))
        .collect();
    for (name, text) in [
        ("in a key", "a: 1\nb\0: 2\n"),
        ("in a comment", "a: 1 # \0\n"),
        ("in single quotes", "a: 'x\0'\n"),
        ("in double quotes", "a: \"x\0\"\n"),
        ("in a block scalar", "a: |\n  x\0\n"),
        ("behind the last line", "a: 1\n\0"),
        ("for 4096 bytes behind the last line", &format!("a: 1\n{}", "\0".repeat(4096))),
        ("and nothing else", "\0"),
        ("and nothing else for a megabyte", &"\0".repeat(1 << 20)),
    ] {
        rows.push(row(format!("NUL {name}"), text, Refused("")));
    }
    rows.push(row("what colours a terminal", "a: \u{1b}[31mred\u{1b}[0m\n", Refused("the character U+001B")));
    rows.push(row(
        "what a terminal obeys in a comment",
        "a: 1 # \u{1b}]0;pwned\u{7}\n",
        Refused("the character U+001B"),
    ));
    rows
}

/// Odd, but text.
const ODD: [(&str, &str); 14] = [
    ("NEL in a value", "a: x\u{85}y\n"),
    ("line and paragraph separators", "a: x\u{2028}y\u{2029}z\n"),
    ("right to left in a key", "\u{202e}admin: 1\nb: \u{2066}2\u{2069}\n"),
    ("an invisible character in a key", "ad\u{200b}min: 1\nadmin: 2\n"),
    ("two keys that look the same", "caf\u{e9}: 1\ncafe\u{301}: 2\n"),
    ("a key of a blank that is none", "\u{a0}: 1\n"),
    ("1000 accents on a letter", "a: x\u{301}\u{301}\u{301}\u{301}y\n"),
    ("private characters", "a: \u{e000}\u{f8ff}\n"),
    ("characters beyond the first plane", "a: \u{10000}\u{1fffe}\u{10ffff}\n"),
    ("a replacement character", "a: \u{fffd}\n"),
    ("a mark of UTF-7", "+/v8-a: 1\n"),
    ("a full-width colon", "a\u{ff1a} b: 1\n"),
    ("escapes of controls", "a: \"\\0\\x07\\e\\u0085\\UFFFFFFFE\"\n"),
    ("escapes of controls that are characters", "a: \"\\0\\x07\\e\\N\\_\\L\\P\"\n"),
];

/// Line ends and byte-order marks.
const ENDS: [(&str, &str, Meant); 30] = [
    ("CRLF", "a: 1\r\nb: 2\r\n", Taken),
    ("lone CR", "a: 1\rb: 2\r", Taken),
    ("all three line ends", "a: 1\nb: 2\r\nc: 3\rd: 4\n", Taken),
    ("CR CR LF", "a: 1\r\r\nb: 2\r\r\n", Taken),
    ("LF CR", "a: 1\n\rb: 2\n\r", Taken),
    ("lone CR in a comment", "# one\rtwo: 2\n", Taken),
    ("lone CR in double quotes", "a: \"x\r  y\"\nb: 1\n", Taken),
    ("lone CR in a block scalar", "a: |\n  x\r  y\nb: 1\n", Taken),
    ("lone CR in a plain value", "a: x\r  y\nb: 1\n", Taken),
    ("lone CR and no more", "\r", Taken),
    ("CR at the end of the file", "a: 1\r", Taken),
    ("no last line end", "a: 1\nb: 2", Taken),
    ("NEL as line end", "a: 1\u{85}b: 2\n", Refused("a value cannot hold `: `")),
    ("form feed as line end", "a: 1\u{c}b: 2\n", Refused("the character U+000C")),
    ("a mark", "\u{feff}a: 1\n", Taken),
    ("a mark and CRLF", "\u{feff}a: 1\r\nb: 2\r\n", Taken),
    ("a mark and no more", "\u{feff}", NoDefault("the file is empty")),
    ("a mark and a comment", "\u{feff}# c\n", Taken),
    ("a mark and a document start", "\u{feff}---\na: 1\n", Taken),
    ("two marks", "\u{feff}\u{feff}a: 1\n", Refused("a byte-order mark inside of the file")),
    ("a mark in a text at the margin", "--- |\n\u{feff}", Refused("a byte-order mark inside of the file")),
    ("two marks over a comment", "\u{feff}\u{feff}# one\na: 1\n", Refused("a byte-order mark inside of the file")),
    ("a mark before the second line", "a: 1\n\u{feff}b: 2\n", Refused("a byte-order mark inside of the file")),
    ("a mark before a comment", "a: 1\n\u{feff}# c\n", Refused("a byte-order mark inside of the file")),
    ("a mark before a comment of a document", "---\n\u{feff}# c\n", Refused("a byte-order mark inside of the file")),
    ("a mark before a comment deeper in", "a:\n  \u{feff}# c\n", Refused("a byte-order mark inside of the file")),
    ("a mark before the second document", "a: 1\n...\n\u{feff}---\nb: 2\n", Taken),
    ("a mark in a value", "a: x\u{feff}y\n", Either),
    ("a mark in double quotes", "a: \"x\u{feff}y\"\n", Taken),
    ("a mark in a key", "a\u{feff}b: 1\n", Either),
];

/// What somebody may name by mistake.
const OTHERS: [(&str, &[u8], Meant); 12] = [
    ("nothing", b"", NoDefault("the file is empty")),
    ("a program", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0", Refused("")),
    ("gzip", b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b\xb4\x32\xe4\x02\0", Refused("")),
    ("zip", b"PK\x03\x04\x14\0\0\0\x08\0", Refused("")),
    ("a picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Refused("")),
    ("a database", b"SQLite format 3\0\x10\0\x01\x01\0", Refused("")),
    ("a PDF", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", Refused("")),
    ("a class of Java", b"\xca\xfe\xba\xbe\0\0\0\x41", Refused("")),
    ("a key in DER", b"\x30\x82\x04\xa4\x02\x01\0\x02\x82\x01\x01\0", Refused("")),
    ("zstandard", b"\x28\xb5\x2f\xfd\x24\x05\x29\0\0", Refused("")),
    ("a sparse block of NUL and text", b"\0\0\0\0\0\0\0\0a: 1\n", Refused("")),
    ("text and a NUL between each", b"a\0:\0 \x001\0\n\0", Refused("UTF-16LE, not UTF-8")),
];

pub(crate) fn rows() -> Vec<Row> {
    let odd = ODD.into_iter().map(|(name, text)| {
        let bad = name == "escapes of controls";
        row(name, text, if bad { Refused("") } else { Taken })
    });
    let ends = ENDS.into_iter().map(|(name, text, meant)| row(name, text, meant));
    let others = OTHERS.into_iter().map(|(name, bytes, meant)| row(name, bytes, meant));
    [encodings(), not_utf8(), controls()].into_iter().flatten().chain(odd).chain(ends).chain(others).collect()
}
