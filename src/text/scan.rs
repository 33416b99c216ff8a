//! Questions about one line of text: where its key ends, which value begins on it, where a quote or bracket closes.
//!
//! These look only as far as the line-oriented reader needs; whether a line is valid YAML is the reference parser's
//! business. All offsets are bytes into the text asked about.

use memchr::{memchr_iter, memchr2_iter};

/// The parts of a line that opens a map entry: the key as written, and what follows the colon.
///
/// A colon ends a key only before white space or the end of the line (YAML 1.2.2 §7.3.3), outside of quotes and
/// brackets, and before any comment.
pub(crate) fn key_and_rest(text: &str) -> Option<(&str, &str)> {
    let start = skip_properties(text);
    let value = &text[start..];
    let end = match value.bytes().next() {
        Some(b'"' | b'\'') => after_blanks(value, quote_end(value)?),
        Some(b'[' | b'{') => after_blanks(value, Brackets::default().close(value)?),
        Some(b'|' | b'>' | b'@' | b'`' | b'%' | b'#') => return None,
        Some(b'*') => after_blanks(value, value.find([' ', '\t'])?),
        _ => plain_key_end(value)?,
    };
    let rest = value[end..].strip_prefix(':')?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| (&text[..start + end], rest))
}

/// Whether a line between nodes is a comment: nothing stands before its `#` but blanks. Most lines tell by their first byte.
pub(crate) fn is_comment(text: &str) -> bool {
    match text.bytes().next() {
        Some(b'!'..=b'~') => text.starts_with('#'),
        _ => text.trim_start_matches([' ', '\t']).starts_with('#'),
    }
}

/// The column of the first character that is not a space, and the text from there.
pub(crate) fn split_indent(text: &str) -> (i32, &str) {
    let spaces = text.bytes().take_while(|byte| *byte == b' ').count();
    (i32::try_from(spaces).unwrap_or(i32::MAX), &text[spaces..])
}

/// Whether a text says something: it has a letter or a digit.
pub(crate) fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// Whether a line is nothing but white space.
pub(crate) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// What follows a document marker at the start of a line, where white space or the end of the line does (YAML 1.2.2
/// §9.1.2).
pub(crate) fn behind_marker<'a>(text: &'a str, marker: &str) -> Option<&'a str> {
    text.strip_prefix(marker).filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// The value that starts in a text, behind its anchor and tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// Nothing but blanks or a comment.
    Nothing,
    Plain,
    Quoted,
    Flow,
    Block(Header),
}

/// What a block scalar does with the line breaks that it ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Chomping {
    /// `-`: it has none.
    Strip,
    /// It has one, where one is written.
    #[default]
    Clip,
    /// `+`: it has all of them.
    Keep,
}

/// What the header of a block scalar says (YAML 1.2.2 §8.1.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Header {
    /// The indentation indicator, where one is given.
    pub(crate) indent: Option<u8>,
    /// Which of the line breaks at its end it has.
    pub(crate) chomping: Chomping,
}

/// The header of a text that ends its file without a line break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unbroken {
    /// Its line, from 0.
    pub(crate) line: usize,
    /// Where in that line it starts.
    pub(crate) at: usize,
    /// What it says.
    pub(crate) chomping: Chomping,
}

/// Which value starts in `text`, and at which offset.
pub(crate) fn value_start(text: &str) -> (Start, usize) {
    let at = skip_properties(text);
    let start = match text[at..].bytes().next() {
        None | Some(b'#') => Start::Nothing,
        Some(b'"' | b'\'') => Start::Quoted,
        Some(b'[' | b'{') => Start::Flow,
        Some(b'|' | b'>') => Start::Block(header(&text[at + 1..])),
        Some(_) => Start::Plain,
    };
    (start, at)
}

fn header(text: &str) -> Header {
    let mut header = Header::default();
    for byte in text.bytes().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-')) {
        match byte {
            b'+' => header.chomping = Chomping::Keep,
            b'-' => header.chomping = Chomping::Strip,
            digit => header.indent = Some(digit - b'0'),
        }
    }
    header
}

/// The offset behind blanks, anchors and tags at the start of `text`.
fn skip_properties(text: &str) -> usize {
    let mut at = after_blanks(text, 0);
    while matches!(text.as_bytes().get(at), Some(b'&' | b'!')) {
        let property = &text[at..];
        let length = if property.starts_with("!<") {
            property.find('>').map_or(property.len(), |end| end + 1)
        } else {
            property.find([' ', '\t']).unwrap_or(property.len())
        };
        at = after_blanks(text, at + length);
    }
    at
}

/// The offset of the first character at or behind `at` that is neither space nor tab.
pub(crate) fn after_blanks(text: &str, at: usize) -> usize {
    at + text[at..].bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Where the comment starts that stands behind the value on the rest of the line of a key; nothing where the value goes on
/// below. A `#` inside of a tag, a plain text, quotes or brackets starts none (YAML 1.2.2 §6.6).
pub(crate) fn comment_behind(rest: &str) -> Option<usize> {
    let (start, at) = value_start(rest);
    let end = match start {
        Start::Nothing => return Some(at).filter(|&at| at < rest.len()),
        Start::Plain | Start::Block(_) => at,
        Start::Quoted => at + quote_end(&rest[at..])?,
        Start::Flow => at + Brackets::default().close(&rest[at..])?,
    };
    let comment = comment_start(&rest[end..]).map(|start| end + start);
    comment.filter(|&comment| rest[..comment].ends_with([' ', '\t']))
}

/// Where a comment starts in a text that holds no quotes: at its `#`, behind white space or at the start.
pub(crate) fn comment_start(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    memchr_iter(b'#', bytes).find(|at| at.checked_sub(1).is_none_or(|before| matches!(bytes[before], b' ' | b'\t')))
}

fn plain_key_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    for at in memchr2_iter(b':', b'#', bytes) {
        match bytes[at] {
            b':' if matches!(bytes.get(at + 1), None | Some(b' ' | b'\t')) => return Some(at),
            b'#' if at > 0 && matches!(bytes[at - 1], b' ' | b'\t') => return None,
            _ => {}
        }
    }
    None
}

/// The offset behind the quote that closes the one `text` starts with, if it does so in this text.
pub(crate) fn quote_end(text: &str) -> Option<usize> {
    let quote = text.bytes().next()?;
    close_quote(&text[1..], quote).map(|end| end + 1)
}

/// The offset behind the closing `quote` in a text that starts inside of a quoted scalar.
pub(crate) fn close_quote(text: &str, quote: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\\' && quote == b'"' {
            at += 1;
        } else if byte == quote {
            if quote == b'\'' && bytes.get(at + 1) == Some(&quote) {
                at += 1;
            } else {
                return Some(at + 1);
            }
        }
        at += 1;
    }
    None
}

/// Follows a flow collection from line to line until its brackets are closed.
#[derive(Debug, Default)]
pub(crate) struct Brackets {
    depth: usize,
    quote: Option<u8>,
    last: Last,
    /// Where tabs stand before a value on the line that was read last, its start left out.
    tabs: Vec<usize>,
}

/// What stands before a place in a flow collection: it decides what a quote or a colon there means.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// A bracket that opens, a comma, a `: ` or a `? `: a value may start.
    #[default]
    Start,
    /// A plain scalar, which goes on over blanks and lines.
    Plain,
    /// A quoted scalar or a collection: a colon right behind it needs no blank (YAML 1.2.2 §7.4.2).
    Closed,
}

impl Brackets {
    /// Reads one more line of the collection; the offset behind its last bracket where it closes on this line.
    pub(crate) fn close(&mut self, text: &str) -> Option<usize> {
        let mut at = 0;
        if let Some(quote) = self.quote {
            at = close_quote(text, quote)?;
            self.quote = None;
        } else {
            at = after_blanks(text, at);
        }
        while at < text.len() {
            at = self.token(text, at)?;
            if self.depth == 0 {
                return Some(at);
            }
        }
        None
    }

    /// Where tabs stand on the line that was read last that can only separate: before a value, a key or a bracket.
    pub(crate) fn take_tabs(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.tabs)
    }

    /// Reads what stands at an offset; the offset behind it, unless it goes on to the end of the line.
    fn token(&mut self, text: &str, at: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let byte = *bytes.get(at)?;
        let behind_blank = at.checked_sub(1).is_none_or(|before| matches!(bytes[before], b' ' | b'\t'));
        match byte {
            b'[' | b'{' => {
                self.depth += 1;
                self.last = Last::Start;
            }
            b']' | b'}' => {
                self.depth = self.depth.saturating_sub(1);
                self.last = Last::Closed;
            }
            b',' => self.last = Last::Start,
            b'"' | b'\'' if self.last == Last::Start => {
                self.last = Last::Closed;
                self.quote = Some(byte);
                let length = close_quote(&text[at + 1..], byte)?;
                self.quote = None;
                return Some(at + 1 + length);
            }
            b'#' if behind_blank => return None,
            b'\t' if self.last == Last::Start => self.tabs.push(at),
            b' ' | b'\t' => {}
            b'&' | b'!' if self.last == Last::Start => return Some(property_end(text, at)),
            b':' if self.last == Last::Closed || ends_indicator(bytes, at) => self.last = Last::Start,
            b'?' if self.last == Last::Start && ends_indicator(bytes, at) => {}
            _ => self.last = Last::Plain,
        }
        Some(at + 1)
    }
}

/// Where the brackets close that a text over several lines starts with.
pub(crate) fn flow_end(text: &str) -> Option<usize> {
    let mut brackets = Brackets::default();
    let mut open = false;
    let mut start = 0;
    for line in text.split('\n') {
        let at = if open { 0 } else { value_start(line).1 };
        open |= matches!(value_start(line).0, Start::Flow);
        if let Some(end) = open.then(|| brackets.close(&line[at..])).flatten() {
            return Some(start + at + end);
        }
        start += line.len() + 1;
    }
    None
}

/// Whether an indicator stands alone: white space, a bracket or a comma follows, or the line ends.
fn ends_indicator(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at + 1), None | Some(b' ' | b'\t' | b',' | b'[' | b']' | b'{' | b'}'))
}

/// The offset behind the anchor or the tag at `at` in a flow collection.
pub(crate) fn property_end(text: &str, at: usize) -> usize {
    let property = &text[at..];
    let verbatim = property.strip_prefix("!<").and_then(|rest| rest.find('>'));
    let length = verbatim.map(|end| end + 3).or_else(|| property.find([' ', '\t', '\n', ',', '[', ']', '{', '}']));
    at + length.unwrap_or(property.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_colon_that_ends_a_key() {
        let table = [
            ("a: 1", Some(("a", " 1"))),
            ("a:", Some(("a", ""))),
            ("real:name: val", Some(("real:name", " val"))),
            ("not:a:prop", None),
            ("a : 1", Some(("a ", " 1"))),
            ("\"a: b\" : 1", Some(("\"a: b\" ", " 1"))),
            ("'it''s: x': 1", Some(("'it''s: x'", " 1"))),
            ("\"a\\\": b\": 1", Some(("\"a\\\": b\"", " 1"))),
            ("text # note: x", None),
            ("&k !t key: 1", Some(("&k !t key", " 1"))),
            ("[a, b]: 1", Some(("[a, b]", " 1"))),
            (": 1", Some(("", " 1"))),
            ("*a : 1", Some(("*a ", " 1"))),
            ("*a:", None),
            ("\"open: 1", None),
        ];
        for (text, expected) in table {
            assert_eq!(key_and_rest(text), expected, "{text}");
        }
    }

    #[test]
    fn a_comment_starts_behind_white_space_and_outside_of_the_value() {
        let table = [
            (" !x#y", None),
            (" !x#y # z", Some(6)),
            (" &a#b !<t#> # c", Some(12)),
            ("  # c", Some(2)),
            (" a#b # c", Some(5)),
            (" \"a # b\"", None),
            (" 'a # b'\t# c", Some(9)),
            (" \"a\"#b", None),
            (" {a: '# b'} # c]", Some(12)),
            (" [a, # b", None),
            (" |2- # c", Some(5)),
            ("", None),
        ];
        for (rest, expected) in table {
            assert_eq!(comment_behind(rest), expected, "{rest}");
        }
    }

    #[test]
    fn sees_which_value_starts() {
        assert_eq!(value_start(" &x !!str # none").0, Start::Nothing);
        assert_eq!(value_start(" !t |2-").0, Start::Block(Header { indent: Some(2), chomping: Chomping::Strip }));
        assert_eq!(value_start(" >+ # c").0, Start::Block(Header { indent: None, chomping: Chomping::Keep }));
        assert_eq!(value_start(" python>3"), (Start::Plain, 1));
        assert_eq!(value_start(" !GetAtt [A]"), (Start::Flow, 9));
    }

    #[test]
    fn follows_brackets_over_lines_quotes_and_comments() {
        let mut brackets = Brackets::default();
        assert_eq!(brackets.close("[it's, \"]"), None);
        assert_eq!(brackets.close("] x\", # ]"), None);
        assert_eq!(brackets.close("{a: b}]  # done"), Some(7));
    }

    #[test]
    fn a_quote_opens_only_where_a_value_can_start() {
        let table = [
            ("{:'}", Some(4)),
            ("{a:'}", Some(5)),
            ("{a: '}'}", Some(8)),
            ("{\"a\":'}'}", Some(9)),
            ("{\"a\" :'}'}", Some(10)),
            ("[[a]:'}', &x '}', !t '}', ? '}']", Some(32)),
            ("[!<x,[> '}', &x']", Some(17)),
            ("[a, it's, b]", Some(12)),
        ];
        for (text, expected) in table {
            assert_eq!(Brackets::default().close(text), expected, "{text}");
        }
    }

    #[test]
    fn a_plain_scalar_goes_on_over_lines() {
        let mut brackets = Brackets::default();
        assert_eq!(brackets.close("[as it was"), None);
        assert_eq!(brackets.close("'tis]"), Some(5));
    }
}
