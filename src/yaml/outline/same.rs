//! Whether values of two files are the same, or mean the same.

use saphyr_parser::ScalarStyle;

use super::{Outline, RowKind};
use crate::yaml::row::RowId;

impl Outline<'_> {
    /// Whether a map lacks a key that another one has, at any depth.
    pub(crate) fn lacks(&self, row: RowId, other: &Outline<'_>, theirs: RowId) -> bool {
        (self[row].kind, other[theirs].kind) == (RowKind::Map, RowKind::Map)
            && other.children(theirs).any(|theirs| {
                let name = other[theirs].name.as_deref().unwrap_or_default();
                self.get(row, name).map_or(!self.inherits(row, name), |mine| self.lacks(mine, other, theirs))
            })
    }

    /// Whether two values of two files are the same: names, texts, tags and what aliases stand for.
    pub(crate) fn same(&self, row: RowId, other: &Outline<'_>, theirs: RowId) -> bool {
        self.same_by(row, other, theirs, Self::same_value)
    }

    /// Whether two values of two files mean the same, though text may be in quotes that it needs not.
    pub(crate) fn means(&self, row: RowId, other: &Outline<'_>, theirs: RowId) -> bool {
        self.same_by(row, other, theirs, Self::same_meaning)
    }

    /// The same where one null is any other: `~`, `null` and no value at all.
    pub(crate) fn means_as_value(&self, row: RowId, other: &Outline<'_>, theirs: RowId) -> bool {
        self.same_by(row, other, theirs, |mine, row, other, theirs| {
            mine[row].is_any_null() && other[theirs].is_any_null() || mine.same_meaning(row, other, theirs)
        })
    }

    fn same_by(
        &self,
        row: RowId,
        other: &Outline<'_>,
        theirs: RowId,
        same: fn(&Self, RowId, &Outline<'_>, RowId) -> bool,
    ) -> bool {
        let length = self[row].end - row;
        length == other[theirs].end - theirs
            && (0..length).all(|at| {
                let (mine, other_row) = (&self[row + at], &other[theirs + at]);
                (at == 0 || mine.name == other_row.name)
                    && mine.end - row == other_row.end - theirs
                    && same(self, row + at, other, theirs + at)
            })
    }

    /// Whether two rows alone mean the same, though one may be in quotes that the other needs not: a plain scalar that
    /// is text by the core schema (YAML 1.2.2 §10.3.2) is the same in quotes.
    pub(crate) fn same_meaning(&self, row: RowId, other: &Outline<'_>, theirs: RowId) -> bool {
        let (mine, other_row) = (&self[row], &other[theirs]);
        let scalars = matches!((mine.kind, other_row.kind), (RowKind::Scalar(_), RowKind::Scalar(_)));
        let requoted =
            scalars && is_text(&mine.text) && mine.text == other_row.text && self.has_same_tag(row, other, theirs);
        requoted || self.same_value(row, other, theirs)
    }

    /// Whether two rows alone are the same, whatever is inside of them. The style of a scalar does not matter, but that
    /// it is plain does: `"1"` is text and `1` a number.
    pub(crate) fn same_value(&self, row: RowId, other: &Outline<'_>, theirs: RowId) -> bool {
        let (mine, other_row) = (&self[row], &other[theirs]);
        let kinds = match (mine.kind, other_row.kind) {
            (RowKind::Scalar(a), RowKind::Scalar(b)) => (a == ScalarStyle::Plain) == (b == ScalarStyle::Plain),
            (RowKind::Alias(_), RowKind::Alias(_)) => true,
            (a, b) => a == b,
        };
        kinds && mine.text == other_row.text && self.has_same_tag(row, other, theirs)
    }

    /// Whether two values have the same tag, or none.
    pub(crate) fn has_same_tag(&self, row: RowId, other: &Outline<'_>, theirs: RowId) -> bool {
        self.tag(row) == other.tag(theirs)
    }
}

/// Whether a plain scalar is text by the core schema (YAML 1.2.2 §10.3.2), and by that of YAML 1.1. Numbers and dates start
/// with a digit, a sign or a dot, and have few other characters; of words only a few are no text.
pub(crate) fn is_text(plain: &str) -> bool {
    const NO_TEXT: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    if plain.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return !NO_TEXT.iter().any(|word| plain.eq_ignore_ascii_case(word));
    }
    let may_start = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'~' | b'=');
    let may_stand =
        |byte: u8| may_start(byte) || byte.is_ascii_alphabetic() || matches!(byte, b':' | b'_' | b' ' | b'\t');
    let starts_like_text = plain.bytes().next().is_some_and(|byte| !may_start(byte));
    starts_like_text || plain == "-" || !plain.bytes().all(may_stand)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_text_and_what_may_be_something_else_is_not() {
        for text in ["info", "/var/lib", "nobody", "10.0.0.1/8", "a b", "<none>"] {
            assert!(is_text(text), "{text}");
        }
        for other in
            ["yes", "Off", "NULL", "~", "1", "0755", "1:30", "1e3", ".inf", "-.5", "2026-11-21 10:00", "0x1F", ""]
        {
            assert!(!is_text(other), "{other}");
        }
    }
}
