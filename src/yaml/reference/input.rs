//! A text as the reference parser takes it in: byte by byte where it is ASCII, and a comment in one step.
//!
//! The parser asks for one character after another, and its own input decodes UTF-8 for each answer and makes room for 128
//! bytes in each plain scalar. What it understands of a text is the same here: a test holds the events of both against
//! each other.
//!
//! Left out: where the parser asks seldom, the answers that its trait has for every input do.

use memchr::memchr3;
use saphyr_parser::Input;

/// How much room the parser makes in a plain scalar at once, in bytes. It also looks so far ahead, which costs nothing here.
const ROOM: usize = 16;

/// The rest of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'a> {
    text: &'a str,
    /// Where the next character starts, in bytes.
    at: usize,
}

impl<'a> Bytes<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    #[inline]
    fn byte(&self, offset: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + offset).copied()
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// A character of the rest, where it or one before it is not ASCII; NUL behind the last.
    #[cold]
    fn nth(&self, offset: usize) -> char {
        self.rest().chars().nth(offset).unwrap_or('\0')
    }
}

impl Input for Bytes<'_> {
    /// All of the text is at hand.
    #[inline]
    fn lookahead(&mut self, _: usize) {}

    #[inline]
    fn buflen(&self) -> usize {
        ROOM
    }

    #[inline]
    fn bufmaxlen(&self) -> usize {
        ROOM
    }

    #[inline]
    fn raw_read_ch(&mut self) -> char {
        let next = self.peek();
        self.skip();
        next
    }

    #[inline]
    fn raw_read_non_breakz_ch(&mut self) -> Option<char> {
        let next = Some(self.peek()).filter(|next| !matches!(next, '\0' | '\n' | '\r' | '\u{FEFF}'));
        next.inspect(|_| self.skip())
    }

    #[inline]
    fn skip(&mut self) {
        self.at += match self.byte(0) {
            Some(next) if next.is_ascii() => 1,
            Some(_) => self.nth(0).len_utf8(),
            None => 0,
        };
    }

    #[inline]
    fn skip_n(&mut self, count: usize) {
        (0..count).for_each(|_| self.skip());
    }

    #[inline]
    fn peek(&self) -> char {
        match self.byte(0) {
            Some(next) if next.is_ascii() => char::from(next),
            Some(_) => self.nth(0),
            None => '\0',
        }
    }

    #[inline]
    fn peek_nth(&self, n: usize) -> char {
        let are_ascii = (0..n).all(|offset| self.byte(offset).is_some_and(|byte| byte.is_ascii()));
        match self.byte(n) {
            Some(byte) if are_ascii && byte.is_ascii() => char::from(byte),
            None if are_ascii => '\0',
            _ => self.nth(n),
        }
    }

    #[inline]
    fn peek_opt(&self) -> Option<char> {
        self.byte(0).map(|_| self.peek())
    }

    #[inline]
    fn next_is_blank_or_breakz(&self) -> bool {
        matches!(self.byte(0), None | Some(b' ' | b'\t' | b'\n' | b'\r' | 0))
    }

    /// Most characters of a plain scalar need no look at the next one.
    #[inline]
    fn next_can_be_plain_scalar(&self, in_flow: bool) -> bool {
        match self.byte(0) {
            Some(b':') => {
                let next = self.peek_nth(1);
                let ends = matches!(next, '\0' | '\n' | '\r' | ' ' | '\t') || (in_flow && is_flow(next));
                !ends
            }
            Some(next) if next.is_ascii() => !(in_flow && is_flow(char::from(next))),
            _ => self.peek() != '\u{FEFF}',
        }
    }

    /// Skips a comment.
    fn skip_while_non_breakz(&mut self) -> usize {
        let rest = self.rest();
        let line = &rest[..memchr3(b'\n', b'\r', 0, rest.as_bytes()).unwrap_or(rest.len())];
        let line = if line.is_ascii() { line } else { line.split('\u{FEFF}').next().unwrap_or_default() };
        self.at += line.len();
        line.chars().count()
    }
}

fn is_flow(character: char) -> bool {
    matches!(character, ',' | '[' | ']' | '{' | '}')
}
