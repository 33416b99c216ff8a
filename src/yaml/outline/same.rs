//! Whether values of two files are the same, or mean the same.

use saphyr_parser::ScalarStyle;
use std::borrow::Cow;
use std::ops::RangeInclusive;

use super::{Outline, Row, RowKind};
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
        self.same_by(row, other, theirs, Self::same_but_for_nulls)
    }

    /// Whether two values of two files are the same to every program, however another tool wrote them: quotes that text
    /// needs not, the order of the keys of a map, `~` for no value at all, `True` for `true`.
    pub(crate) fn means_however_written(&self, row: RowId, other: &Outline<'_>, theirs: RowId) -> bool {
        if self[row].end - row != other[theirs].end - theirs || !self.same_however_written(row, other, theirs) {
            return false;
        }
        let (mine, others) = (self.children_by_name(row), other.children_by_name(theirs));
        mine.len() == others.len()
            && mine.into_iter().zip(others).all(|(mine, theirs)| {
                self.has_same_key(mine, other, theirs) && self.means_however_written(mine, other, theirs)
            })
    }

    /// The same for two rows alone.
    fn same_however_written(&self, row: RowId, other: &Outline<'_>, theirs: RowId) -> bool {
        let rows = [&self[row], &other[theirs]];
        let is_same_word =
            rows.iter().all(|row| row.is_word()) && rows[0].text_however_written() == rows[1].text_however_written();
        is_same_word || self.same_meaning(row, other, theirs)
    }

    fn same_but_for_nulls(&self, row: RowId, other: &Outline<'_>, theirs: RowId) -> bool {
        (self[row].is_any_null() && other[theirs].is_any_null()) || self.same_meaning(row, other, theirs)
    }

    /// Whether the keys of two values are the same to every program: `"1"` and `1` need not be.
    pub(crate) fn has_same_key(&self, row: RowId, other: &Outline<'_>, theirs: RowId) -> bool {
        self[row].name == other[theirs].name && self.has_quoted_key(row) == other.has_quoted_key(theirs)
    }

    /// The rows directly inside of a collection, those of a map by their names.
    fn children_by_name(&self, row: RowId) -> Vec<RowId> {
        let mut children: Vec<_> = self.children(row).collect();
        if self[row].kind == RowKind::Map {
            children.sort_by(|one, other| self[*one].name.as_deref().cmp(&self[*other].name.as_deref()));
        }
        children
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
                (at == 0 || self.has_same_key(row + at, other, theirs + at))
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

impl Row<'_> {
    /// Whether this is a plain scalar that is no text: a null, a truth value, a number or a date.
    fn is_word(&self) -> bool {
        self.kind == RowKind::Scalar(ScalarStyle::Plain) && !self.tagged && !is_text(&self.text)
    }

    /// Its text, alike where it is the same to every program: `~` for no value at all, `True` for `true`.
    pub(crate) fn text_however_written(&self) -> Cow<'_, str> {
        if self.is_any_null() {
            Cow::Borrowed("")
        } else if self.is_word() && self.text.contains(|letter: char| letter.is_ascii_uppercase()) {
            Cow::Owned(self.text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(&self.text)
        }
    }
}

/// Whether a plain scalar is text by the core schema (YAML 1.2.2 §10.3.2), and by the types of YAML 1.1 as parsers read them
/// (<https://yaml.org/type/>): no null, no truth value, no number and no date.
pub(crate) fn is_text(plain: &str) -> bool {
    const NO_TEXT: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    match plain.bytes().next() {
        Some(first) if first.is_ascii_alphabetic() => !NO_TEXT.iter().any(|word| plain.eq_ignore_ascii_case(word)),
        Some(b'0'..=b'9' | b'+' | b'-' | b'.') => !may_be_number(plain) && !may_be_date(plain),
        Some(_) => !matches!(plain, "~" | "="),
        None => false,
    }
}

/// Whether a plain scalar is a number to some parser: `1`, `-0x1F`, `1_000`, `1:30`, `.5`, `1e3`, `.inf`.
fn may_be_number(plain: &str) -> bool {
    let unsigned = plain.strip_prefix(['+', '-']).unwrap_or(plain);
    if let [b'0', b'x' | b'X' | b'o' | b'O' | b'b' | b'B', digits @ ..] = unsigned.as_bytes() {
        return digits.iter().all(|digit| digit.is_ascii_hexdigit() || *digit == b'_');
    }
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let power = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let is_mantissa = mantissa.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'_' | b':' | b'.'))
        && mantissa.bytes().filter(|byte| *byte == b'.').count() <= 1
        && mantissa.bytes().any(|byte| byte.is_ascii_digit())
        && mantissa.split(':').skip(1).all(is_sixtieth);
    (is_mantissa && is_digits(power, 1..=power.len()))
        || [".inf", ".nan"].iter().any(|word| unsigned.eq_ignore_ascii_case(word))
}

/// Whether digits behind a colon count what there are sixty of, maybe with a fraction.
fn is_sixtieth(digits: &str) -> bool {
    let whole = digits.split('.').next().unwrap_or_default();
    (1..=2).contains(&whole.len())
}

/// Whether a plain scalar is a date to some parser, with or without a time behind it.
fn may_be_date(plain: &str) -> bool {
    let date = plain.split(['T', 't', ' ', '\t']).next().unwrap_or_default();
    let parts: Vec<_> = date.split('-').collect();
    matches!(parts[..], [year, month, day] if is_digits(year, 4..=4) && is_digits(month, 1..=2) && is_digits(day, 1..=2))
}

fn is_digits(text: &str, length: RangeInclusive<usize>) -> bool {
    length.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_text_and_what_may_be_something_else_is_not() {
        for text in [
            "info",
            "/var/lib",
            "nobody",
            "10.0.0.1/8",
            "a b",
            "<none>",
            "5m",
            "1h0m0s",
            "4.5.3",
            "127.0.0.1",
            ".cache",
            "..",
            "-Xmx768m",
            "-",
            "+",
            ".",
            "0.pool.ntp.org",
            "1.5GB",
            "2026-rc1",
            "10:0000",
            "::1",
            "0xzz",
            "12e",
            "e3",
            "10%",
            "1 2",
        ] {
            assert!(is_text(text), "{text}");
        }
        for other in [
            "yes",
            "Off",
            "NULL",
            "~",
            "=",
            "1",
            "+1",
            "0755",
            "0o17",
            "0b11",
            "1_000",
            "1:30",
            "190:20:30.15",
            "1e3",
            "1.5E-3",
            "12e03",
            ".inf",
            "-.INF",
            ".NaN",
            "-.5",
            "1.",
            "2026-11-21",
            "2026-1-2",
            "2026-11-21 10:00",
            "2001-12-14t21:59:43.10-05:00",
            "0x1F",
            "-0X1f",
            "",
        ] {
            assert!(!is_text(other), "{other}");
        }
    }
}
