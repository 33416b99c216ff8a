//! Files of several documents, drawn from bytes: markers, directives, byte-order marks, anchors and aliases are as frequent
//! in them as keys, which random text never reaches.

use libfuzzer_sys::arbitrary::{Arbitrary, Error, Result, Unstructured};

use crate::lines::LINES;

/// Ends the first file of a pair.
const BOUNDARY: u8 = 0xff;

/// Two files: the user's and a new default. `cargo fuzz fmt` shows them.
#[derive(Debug)]
pub struct Pair {
    pub current: String,
    pub update: String,
}

impl<'a> Arbitrary<'a> for Pair {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        Self::arbitrary_take_rest(Unstructured::new(bytes.bytes(bytes.len())?))
    }

    /// The first byte says how lines and files end; each other byte is a line.
    fn arbitrary_take_rest(bytes: Unstructured<'a>) -> Result<Self> {
        let (&ends, lines) = bytes.take_rest().split_first().ok_or(Error::NotEnoughData)?;
        let end = lines.iter().position(|&byte| byte == BOUNDARY).unwrap_or(lines.len());
        let (current, update) = lines.split_at(end);
        let update = update.get(1..).unwrap_or_default();
        Ok(Self { current: file(current, Ends(ends)), update: file(update, Ends(ends >> 4)) })
    }
}

/// How the lines of a file end, in three bits: CRLF, no line break at the end of the file, a byte-order mark at its start.
#[derive(Clone, Copy)]
struct Ends(u8);

fn file(lines: &[u8], ends: Ends) -> String {
    let line_end = if ends.0 & 1 == 0 { "\n" } else { "\r\n" };
    let mut text = if ends.0 & 4 == 0 { String::new() } else { "\u{feff}".to_owned() };
    let mut anchors = Vec::new();
    for &byte in lines {
        let line = LINES[usize::from(byte) % LINES.len()];
        if line.starts_with("---") || line.starts_with("...") {
            anchors.clear();
        }
        text += &defined(line, &mut anchors);
        text += line_end;
    }
    if ends.0 & 2 != 0 {
        text.truncate(text.trim_end_matches(['\r', '\n']).len());
    }
    text
}

/// A line in which an alias that has no anchor yet in its document becomes that anchor.
fn defined(line: &str, anchors: &mut Vec<char>) -> String {
    let mut out = String::new();
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let name = chars.peek().copied().filter(char::is_ascii_lowercase);
        match (c, name) {
            ('&', Some(name)) => anchors.push(name),
            ('*', Some(name)) if !anchors.contains(&name) => {
                anchors.push(name);
                chars.next();
                out.push('&');
                out.push(name);
                out += " v";
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    out
}
