//! A text, cut into lines.
//!
//! A large file has very many, so of each line only its end is kept, and how it ends is seen from the text.

use std::ops::Range;

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Lf,
    CrLf,
    /// A lone carriage return, a line break by YAML 1.2.2 §5.4.
    Cr,
    /// The last line of a file that has no final newline.
    Missing,
    /// As most lines of the result do: a line that came from another file.
    Common,
}

impl End {
    /// The characters that end a line in this way; a missing end stays missing only at the end of a file.
    pub(crate) fn text(self, common: &'static str) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
            Self::Missing | Self::Common => common,
        }
    }
}

/// The lines of a text.
#[derive(Debug, Default)]
pub(crate) struct Lines<'a> {
    text: &'a str,
    /// The place behind each line and its line break.
    ends: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut ends = Vec::with_capacity(memchr::memchr_iter(b'\n', bytes).count() + 1);
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            // A line feed behind a carriage return ends the same line.
            if bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n') {
                ends.push(at + 1);
            }
        }
        if ends.last().copied().unwrap_or(0) < bytes.len() {
            ends.push(bytes.len());
        }
        Self { text, ends }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The line with so many before it, without its end, and how it ends. Who does not know that there is one asks
    /// [`Self::get`].
    pub(crate) fn at(&self, before: usize) -> (&'a str, End) {
        let start = if before == 0 { 0 } else { self.ends[before - 1] };
        let behind = self.ends[before];
        let (length, end) = line_break(&self.text.as_bytes()[start..behind]);
        (&self.text[start..behind - length], end)
    }

    pub(crate) fn get(&self, before: usize) -> Option<(&'a str, End)> {
        (before < self.len()).then(|| self.at(before))
    }

    /// The text of a line by its number, from 1; nothing where there is no such line.
    pub(crate) fn numbered(&self, number: usize) -> &'a str {
        number.checked_sub(1).and_then(|before| self.get(before)).map_or("", |(text, _)| text)
    }

    /// The number, from 1, of the line that a piece of this very text starts on; nothing for any other text.
    pub(crate) fn number_of(&self, piece: &str) -> Option<usize> {
        let at = piece.as_ptr().addr().checked_sub(self.text.as_ptr().addr())?;
        (at < self.text.len()).then(|| self.ends.partition_point(|&end| end <= at) + 1)
    }

    /// Some of the lines in their order.
    pub(crate) fn within(&self, lines: Range<usize>) -> impl ExactSizeIterator<Item = (&'a str, End)> + '_ {
        lines.map(|before| self.at(before))
    }

    /// All lines in their order.
    pub(crate) fn all(&self) -> impl ExactSizeIterator<Item = (&'a str, End)> + '_ {
        self.within(0..self.len())
    }
}

/// How many bytes a line ends with that are its line break, and which that is.
fn line_break(line: &[u8]) -> (usize, End) {
    match line {
        [.., b'\r', b'\n'] => (2, End::CrLf),
        [.., b'\n'] => (1, End::Lf),
        [.., b'\r'] => (1, End::Cr),
        _ => (0, End::Missing),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_keeps_its_own_end() {
        let lines = Lines::of("a\r\nb\n\rc");
        let all: Vec<_> = lines.all().collect();
        assert_eq!(all, [("a", End::CrLf), ("b", End::Lf), ("", End::Cr), ("c", End::Missing)]);
        assert_eq!([lines.numbered(0), lines.numbered(1), lines.numbered(4), lines.numbered(5)], ["", "a", "c", ""]);
        let of_line = |at| lines.number_of(lines.numbered(at));
        assert_eq!([of_line(1), of_line(2), of_line(4)], [Some(1), Some(2), Some(4)]);
        assert_eq!(lines.number_of(&String::from("b")), None);
        assert_eq!([Lines::of("").len(), Lines::of("\n").len(), Lines::of("\r\n\r").len()], [0, 1, 2]);
    }
}
