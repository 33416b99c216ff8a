//! The text of one file: its byte-order mark, its lines, and how each of them ends.
//!
//! Each line keeps the end that it has, `End::Missing` for a last line without one included; so CRLF files, mixed files
//! and files without a final newline need no rule of their own. Lines that come from another file are
//! `End::Common`: they end as most lines of the file they come into do.

use crate::text::error::{Error, Place};
pub(crate) use crate::text::lines::End;
use crate::text::lines::Lines;
use crate::text::scan;

/// A file's text, cut into lines.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    /// How errors name the file.
    pub(crate) name: &'a str,
    /// The text without its byte-order mark.
    pub(crate) text: &'a str,
    /// Whether a byte-order mark stood before it.
    pub(crate) bom: bool,
    /// Each line without its end.
    pub(crate) lines: Lines<'a>,
}

impl<'a> Source<'a> {
    /// Cuts `text` into lines. Refuses characters that are not printable, with their place. YAML
    /// 1.2.2 (§5.1) lets some of them stand in quotes, for the sake of JSON: there it is this tool that does not.
    pub(crate) fn new(name: &'a str, text: &'a str) -> Result<Self, Error> {
        let (bom, text) = match text.strip_prefix('\u{feff}') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let source = Self { name, text, bom, lines: Lines::of(text) };
        match unprintable(text) {
            Some((at, c)) => Err(source.refuse_character(at, c)),
            None => Ok(source),
        }
    }

    fn refuse_character(&self, at: usize, c: char) -> Error {
        let before = &self.text[..at];
        let line_start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let line = Lines::of(before).len() + usize::from(before.is_empty() || before.ends_with(['\n', '\r']));
        let place = Place { line, column: self.text[line_start..at].chars().count() + 1 };
        let what = if c < ' ' { "is not allowed in YAML" } else { "is not printable" };
        self.error(&format!("the character U+{:04X} {what}", u32::from(c)), place)
            .help("write it as an escape in a double-quoted value, or take it out")
    }

    /// An error at a place of this file.
    pub(crate) fn error(&self, what: &str, place: Place) -> Error {
        Error::input(what).at(place, self.text).in_file(self.name)
    }

    /// Whether every line ends with a line feed alone, or with nothing: as in nearly all files.
    fn has_no_returns(&self) -> bool {
        memchr::memchr(b'\r', self.text.as_bytes()).is_none()
    }

    /// Whether all lines end in a way, but for one that is the last and has no end.
    fn ends_all_with(&self, end: &'static str) -> bool {
        (end == "\n" && self.has_no_returns()) || self.lines.all().all(|(_, own)| own.text(end) == end)
    }

    /// How most lines end; `\n` where none does.
    pub(crate) fn common_end(&self) -> &'static str {
        if self.has_no_returns() {
            return "\n";
        }
        let (mut lf, mut crlf, mut cr) = (0, 0, 0);
        for (_, end) in self.lines.all() {
            match end {
                End::Lf => lf += 1,
                End::CrLf => crlf += 1,
                End::Cr => cr += 1,
                End::Missing | End::Common => {}
            }
        }
        if crlf > lf && crlf >= cr {
            "\r\n"
        } else if cr > lf {
            "\r"
        } else {
            "\n"
        }
    }
}

/// How the lines of a result end, and its first and last bytes: those of the current file, or the update's where the
/// user left them as they were in the base.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ends<'a> {
    pub(crate) bom: bool,
    pub(crate) common: &'static str,
    /// Whether the lines of the current file end as those of the update do.
    pub(crate) follow: bool,
    /// How they end in the current file, where that changes.
    pub(crate) were: Option<&'static str>,
    /// The texts that decide on the end of the last line, the first one of which it is the last line.
    last: [Option<&'a str>; 2],
}

impl<'a> Ends<'a> {
    pub(crate) fn of(current: &Source<'a>, base: Option<&Source<'_>>, update: &Source<'a>) -> Self {
        let mine = current.common_end();
        // A comment may be the update's that says the same.
        let is_comment = scan::is_comment(current.lines.numbered(current.lines.len()));
        let own = Self {
            bom: current.bom,
            common: mine,
            follow: false,
            were: None,
            last: [is_comment.then_some(current.text), None],
        };
        let Some(base) = base else { return own };
        let files = [(current, mine), (base, mine), (update, update.common_end())];
        let has_ends = |file: &Source<'_>| file.lines.all().any(|(_, end)| end != End::Missing);
        // A file of one line that has no end tells nothing of the others.
        let tell = !has_ends(current) || (has_ends(base) && has_ends(update));
        let follow = tell && files.iter().all(|(file, end)| file.ends_all_with(end));
        let [base_end, own_end, update_end] = [base, current, update].map(|file| file.text.ends_with(['\n', '\r']));
        let as_update = own_end == base_end || own_end == update_end;
        let common = if follow { update.common_end() } else { mine };
        Self {
            bom: if base.bom == current.bom { update.bom } else { own.bom },
            common,
            follow,
            were: (common != mine && has_ends(current)).then_some(mine),
            last: [as_update.then_some(update.text), Some(current.text)],
        }
    }

    /// How the last line of a text is to end, where that is to change: as in the file that decides on it. A line of blanks
    /// may be one of a text, which ends with it.
    pub(crate) fn last_end(self, text: &str) -> Option<End> {
        let last = Some(last_line(text)).filter(|_| !text.is_empty())?;
        let decides = self.last.into_iter().flatten().find(|other| last_line(other) == last)?;
        let ended = text.ends_with(['\n', '\r']);
        match decides.ends_with(['\n', '\r']) {
            true if !ended => Some(End::Common),
            false if ended => Some(End::Missing),
            _ => None,
        }
    }
}

/// The last line with words, and those of blanks behind it.
fn last_line(text: &str) -> Vec<&str> {
    let mut words = false;
    let from_end = text.trim_start_matches('\u{feff}').lines().rev();
    from_end.take_while(|line| !std::mem::replace(&mut words, !line.trim().is_empty())).collect()
}

/// Finds places that come in the order of the text. A line may be as long as its file, so each search goes on from the
/// place before.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    last: Option<Place>,
    /// The offset of that place in its line.
    offset: usize,
}

impl Columns {
    /// The line of a place, cut there; a place behind the end of its line is its end.
    pub(crate) fn cut<'a>(&mut self, source: &Source<'a>, place: Place) -> (&'a str, &'a str) {
        let line = source.lines.numbered(place.line);
        let last = self.last.filter(|last| last.line == place.line && last.column <= place.column);
        let (column, start) = last.map_or((1, 0), |last| (last.column, self.offset));
        let (rest, ahead) = (&line[start..], place.column - column);
        let ascii = rest.as_bytes().get(..ahead).filter(|text| text.is_ascii()).map(<[u8]>::len);
        let length = ascii.or_else(|| Some(rest.char_indices().nth(ahead)?.0)).unwrap_or(rest.len());
        (self.last, self.offset) = (Some(place), start + length);
        line.split_at(self.offset)
    }
}

/// Whether YAML 1.2.2 §5.1 lets `c` stand in a stream.
pub(crate) fn is_printable(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..)
}

/// The first character that is not printable, with its offset. Whether any of many bytes may start one takes a few
/// instructions, so only where one may is the text looked at byte by byte.
fn unprintable(text: &str) -> Option<(usize, char)> {
    const MANY: usize = 64;
    let chunks = text.as_bytes().chunks(MANY).zip((0..).step_by(MANY));
    let starts = chunks.filter(|(chunk, _)| has_unusual(chunk)).flat_map(|(chunk, start)| {
        let unusual = chunk.iter().enumerate().filter(|(_, byte)| is_unusual(**byte));
        unusual.map(move |(inside, _)| start + inside)
    });
    starts.filter_map(|at| Some((at, text[at..].chars().next()?))).find(|&(_, c)| !is_printable(c))
}

/// Whether a byte is a control character or may start a character that is none but not printable either: U+0080 to U+009F,
/// U+FFFE. Tabs and carriage returns are rare enough to be looked at, too: without them many bytes are compared at once.
fn is_unusual(byte: u8) -> bool {
    (byte < b' ' && byte != b'\n') || byte == 0x7f || byte == 0xc2 || byte == 0xef
}

fn has_unusual(chunk: &[u8]) -> bool {
    chunk.iter().fold(false, |any, byte| any | is_unusual(*byte))
}

/// The lines of a text without their ends and without a byte-order mark.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = Lines::of(text.strip_prefix('\u{feff}').unwrap_or(text));
    (0..lines.len()).map(move |before| lines.at(before).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line() {
        let source = Source::new("x", "\u{feff}a\r\nb\n\rc").unwrap();
        assert!(source.bom);
        assert_eq!((source.lines.len(), source.lines.at(0)), (4, ("a", End::CrLf)));
    }

    #[test]
    fn a_character_that_is_not_printable_is_found_wherever_it_stands() {
        for (before, behind) in [(0, 0), (1, 200), (63, 1), (64, 0), (65, 70), (200, 3)] {
            for usual in ["x", "ü", "日", "😀"] {
                let text = [&usual.repeat(before), "\u{fffe}", &usual.repeat(behind)].concat();
                assert_eq!(unprintable(&text), Some((before * usual.len(), '\u{fffe}')));
                assert_eq!(unprintable(&usual.repeat(before + behind)), None);
            }
        }
    }

    #[test]
    fn places_are_found_in_any_order() {
        let source = Source::new("x", "a: ü, b: 日本\nc: 1").unwrap();
        let mut columns = Columns::default();
        for (line, column, rest) in
            [(1, 4, "ü, b: 日本"), (1, 7, "b: 日本"), (1, 11, "本"), (1, 40, ""), (2, 4, "1"), (1, 1, "a: ü, b: 日本")]
        {
            assert_eq!(columns.cut(&source, Place { line, column }).1, rest);
        }
    }

    #[test]
    fn a_control_character_is_refused_with_its_place() {
        let refused = Source::new("x", "a: 1\nb: \u{1}\n").unwrap_err();
        assert_eq!(refused.place(), Some(Place { line: 2, column: 4 }));
    }

    /// DEL, C1 and U+FFFE may stand in quotes by YAML 1.2.2 §5.1, so the words do not call that wrong YAML.
    #[test]
    fn a_character_that_only_json_may_hold_is_refused_as_not_printable() {
        for c in ['\u{7f}', '\u{80}', '\u{9f}', '\u{fffe}'] {
            let text = format!("motd: \"ü{c}\"\n");
            let refused = Source::new("x", &text).unwrap_err();
            assert_eq!(refused.place(), Some(Place { line: 1, column: 9 }));
            assert!(refused.what().ends_with("is not printable"), "{}", refused.what());
        }
    }

    #[test]
    fn most_lines_decide_how_a_new_one_ends() {
        assert_eq!(Source::new("x", "a\r\nb\r\nc\n").unwrap().common_end(), "\r\n");
        assert_eq!(Source::new("x", "a").unwrap().common_end(), "\n");
    }
}
