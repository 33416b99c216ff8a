//! Scalars: what they are by a schema, and how a new one is written.

use crate::text::piece::Piece;
use crate::text::source::{End, is_printable};
use crate::yaml::flow;
use crate::yaml::outline::{CORE, is_text};
use crate::yaml::reference::is_plain_in_block;
use crate::yaml::tree::{Line, Offset, Shape};

/// A scalar as the reference parser understood it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scalar<'a> {
    /// Its text, with quotes, escapes and folds resolved.
    pub(crate) text: Piece<'a>,
    /// Whether it is neither quoted nor a block.
    pub(crate) plain: bool,
    /// The full name of its tag.
    pub(crate) tag: Option<Box<str>>,
}

/// Which plain scalars are no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Schema {
    /// YAML 1.2.2 §10.3.2: `null`, `true`, `false`, numbers.
    Core,
    /// YAML 1.1 as the parsers of many programs have it: `yes` and `off`, `0777`, `1:30` and dates, too
    /// (<https://yaml.org/type/>).
    Yaml11,
    /// The same for programs that leave dates as text.
    Yaml11WithoutDates,
}

/// What a scalar is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Type {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    /// A date, with or without a time; by YAML 1.1 only.
    Timestamp,
    Text,
    /// What a tag says that is none of YAML's own.
    Tagged,
}

impl Type {
    /// In words, with an article.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Int(_) | Self::Float(_) => "a number",
            Self::Timestamp => "a date",
            Self::Text => "a text",
            Self::Tagged => "a value with a tag",
        }
    }
}

impl<'a> Scalar<'a> {
    /// A plain scalar.
    pub(crate) fn plain(text: impl Into<Piece<'a>>) -> Self {
        Self { text: text.into(), plain: true, tag: None }
    }

    /// A text, whatever it looks like.
    pub(crate) fn text(text: impl Into<Piece<'a>>) -> Self {
        Self { text: text.into(), plain: false, tag: None }
    }

    /// What it is by a schema.
    pub(crate) fn kind(&self, schema: Schema) -> Type {
        match self.tag.as_deref().map(|tag| tag.strip_prefix(CORE).unwrap_or("")) {
            None if self.plain => plain_type(&self.text, schema),
            None | Some("str" | "binary") => Type::Text,
            Some("null") => Type::Null,
            Some("bool" | "int" | "float" | "timestamp") => plain_type(&self.text, schema),
            Some(_) if self.tag.as_deref() == Some("!") => Type::Text,
            Some(_) => Type::Tagged,
        }
    }

    /// Whether both are the same: the text, the tag, and whether it is text at all. Of two texts it does not matter which
    /// of them is in quotes.
    pub(crate) fn same(&self, other: &Self) -> bool {
        let styles = self.plain == other.plain || is_text(&self.text);
        self.text == other.text && self.tag == other.tag && styles
    }

    /// How a new one is written on the line of its key: what follows the opener, further lines, and its shape.
    pub(super) fn written(&self) -> (Piece<'a>, Vec<Line<'a>>, Shape) {
        let text = if self.plain || is_text(&self.text) { flow_or_quoted(self) } else { quoted(&self.text) };
        let shape = match text.as_bytes().first() {
            None => Shape::Open,
            Some(b'"' | b'\'') => Shape::Quoted,
            Some(_) => Shape::Plain,
        };
        let tag = self.tag.as_deref().map_or_else(String::new, |tag| format!(" {}", written_tag(tag)));
        let space = if text.is_empty() { "" } else { " " };
        (format!("{tag}{space}{text}").into(), Vec::new(), shape)
    }

    /// The same as a literal block (YAML 1.2.2 §8.1.2), where it can be one: several lines, and no blank that a block
    /// would not show or not keep.
    pub(super) fn as_block(&self) -> Option<(Piece<'a>, Vec<Line<'a>>, Shape)> {
        let body = self.text.strip_suffix('\n');
        let content = body.unwrap_or(&self.text);
        let is_clear = |c: char| is_printable(c) && !matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}');
        let shows = |line: &str| !line.ends_with([' ', '\t']) && line.chars().all(is_clear);
        let clear = !content.is_empty() && !content.starts_with([' ', '\t', '\n']) && !content.ends_with('\n');
        if self.plain || !clear || !content.split('\n').all(shows) || content.contains('\r') {
            return None;
        }
        let header = if body.is_some() { " |" } else { " |-" };
        let line = |line: &str| match line {
            "" => Line::Blank("", End::Common),
            text => {
                let indent = text.len() - text.trim_start_matches(' ').len();
                let by = 2 + i32::try_from(indent).unwrap_or(0);
                Line::Text(Offset::Beside(by), Piece::from(text[indent..].to_owned()), End::Common)
            }
        };
        Some((
            header.into(),
            content.split('\n').map(line).collect(),
            Shape::Block { indent: 2, keep: false, unbroken: None },
        ))
    }
}

/// A tag by its full name as it is written (YAML 1.2.2 §6.8.2).
pub(super) fn written_tag(name: &str) -> String {
    match name.strip_prefix(CORE) {
        Some(core) => format!("!!{core}"),
        None if name.starts_with('!') => name.to_owned(),
        None => format!("!<{name}>"),
    }
}

/// A plain scalar stays one, unless it was a key or went over several lines and cannot stand where it comes; a text is
/// plain where it can be.
fn flow_or_quoted(scalar: &Scalar<'_>) -> String {
    let stays = scalar.plain && (scalar.text.is_empty() || is_plain_in_block(&scalar.text));
    if stays { scalar.text.to_string() } else { flow::scalar(&scalar.text) }
}

fn quoted(text: &str) -> String {
    let plain = flow::scalar(text);
    if plain.starts_with('"') { plain } else { format!("\"{plain}\"") }
}

fn plain_type(text: &str, schema: Schema) -> Type {
    let core = core_type(text);
    match schema {
        Schema::Core => core,
        Schema::Yaml11 => yaml11_type(text, core),
        Schema::Yaml11WithoutDates => match yaml11_type(text, core) {
            Type::Timestamp => Type::Text,
            other => other,
        },
    }
}

fn core_type(text: &str) -> Type {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Type::Null,
        "true" | "True" | "TRUE" => return Type::Bool(true),
        "false" | "False" | "FALSE" => return Type::Bool(false),
        _ => {}
    }
    let based = |prefix, base| text.strip_prefix(prefix).and_then(|digits| digits_of(digits, base));
    if let Some(number) = based("0o", 8).or_else(|| based("0x", 16)) {
        return Type::Int(number);
    }
    let (sign, digits) = signed(text);
    if let Some(number) = digits_of(digits, 10) {
        return Type::Int(sign * number);
    }
    float(text).map_or(Type::Text, Type::Float)
}

/// YAML 1.1 as `PyYAML` resolves it, the parser of cloud-init, Heat and Deckhand.
fn yaml11_type(text: &str, core: Type) -> Type {
    match text.to_ascii_lowercase().as_str() {
        "yes" | "on" if one_case(text) => return Type::Bool(true),
        "no" | "off" if one_case(text) => return Type::Bool(false),
        _ => {}
    }
    if text.starts_with("0o") {
        return Type::Text;
    }
    if let Some(number) = yaml11_integer(text) {
        return Type::Int(number);
    }
    if is_timestamp(text) {
        return Type::Timestamp;
    }
    match core {
        // A float has a dot, and an exponent a sign.
        Type::Float(_) if !text.contains('.') => Type::Text,
        Type::Float(_)
            if text.contains(['e', 'E'])
                && !text.contains("e+")
                && !text.contains("e-")
                && !text.contains("E+")
                && !text.contains("E-") =>
        {
            Type::Text
        }
        // `08` is no octal number, and a number that starts with 0 is one.
        Type::Int(_) => Type::Text,
        other => other,
    }
}

/// `yes`, `Yes` or `YES`.
fn one_case(text: &str) -> bool {
    let rest = text.get(1..).unwrap_or_default();
    rest == rest.to_ascii_lowercase() || text == text.to_ascii_uppercase()
}

fn yaml11_integer(text: &str) -> Option<i128> {
    let (sign, digits) = signed(text);
    let plain: String = digits.chars().filter(|&c| c != '_').collect();
    if digits.starts_with('_') || plain.is_empty() {
        return None;
    }
    let based = |prefix, base| plain.strip_prefix(prefix).and_then(|digits| digits_of(digits, base));
    let number = based("0b", 2).or_else(|| based("0x", 16)).or_else(|| match plain.strip_prefix('0') {
        Some("") => Some(0),
        Some(octal) => digits_of(octal, 8),
        None if plain.contains(':') => sexagesimal(&plain),
        None => digits_of(&plain, 10),
    });
    number.map(|number| sign * number)
}

/// `1:30` is ninety.
fn sexagesimal(text: &str) -> Option<i128> {
    let mut parts = text.split(':');
    let first = digits_of(parts.next()?, 10)?;
    parts.try_fold(first, |sum, part| {
        let number = digits_of(part, 10).filter(|&number| number < 60 && part.len() <= 2)?;
        sum.checked_mul(60)?.checked_add(number)
    })
}

/// `2026-11-21`, or with a time behind (<https://yaml.org/type/timestamp.html>).
fn is_timestamp(text: &str) -> bool {
    let digits = |part: Option<&str>, lengths: std::ops::RangeInclusive<usize>| {
        part.is_some_and(|part| lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let (date, time) = match text.find(['T', 't', ' ', '\t']) {
        Some(at) => (&text[..at], Some(text[at + 1..].trim_ascii_start())),
        None => (text, None),
    };
    let mut parts = date.splitn(3, '-');
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    let short = if time.is_some() { 1..=2 } else { 2..=2 };
    if !digits(year, 4..=4) || !digits(month, short.clone()) || !digits(day, short) {
        return false;
    }
    time.is_none_or(|time| {
        let mut parts = time.splitn(3, ':');
        let (hour, minute, second) = (parts.next(), parts.next(), parts.next());
        digits(hour, 1..=2)
            && digits(minute, 2..=2)
            && digits(second.and_then(|second| second.get(..2)), 2..=2)
            && second.is_some_and(|second| second[2..].chars().all(|c| " \t.:Z+-".contains(c) || c.is_ascii_digit()))
    })
}

fn signed(text: &str) -> (i128, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (-1, &text[1..]),
        Some(b'+') => (1, &text[1..]),
        _ => (1, text),
    }
}

fn digits_of(text: &str, base: u32) -> Option<i128> {
    (!text.starts_with(['+', '-'])).then(|| i128::from_str_radix(text, base).ok())?
}

fn float(text: &str) -> Option<f64> {
    let (sign, unsigned) = signed(text);
    match unsigned {
        ".inf" | ".Inf" | ".INF" => return Some(if sign < 0 { f64::NEG_INFINITY } else { f64::INFINITY }),
        ".nan" | ".NaN" | ".NAN" if unsigned == text => return Some(f64::NAN),
        _ => {}
    }
    let number = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && unsigned.bytes().any(|byte| byte.is_ascii_digit())
        && unsigned.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
    number.then(|| text.parse().ok())?
}

/// What stands behind a key without the tag before it; nothing where there is none.
pub(super) fn untagged(text: &str) -> Option<String> {
    let (properties, value) = text.split_at(crate::text::scan::value_start(text).1);
    let kept: Vec<_> = properties.split_ascii_whitespace().filter(|word| !word.starts_with('!')).collect();
    if kept.len() == properties.split_ascii_whitespace().count() {
        return None;
    }
    let anchor = kept.iter().flat_map(|word| [" ", word]).collect::<String>();
    let blanks = if value.starts_with('#') { "  " } else { " " };
    Some(if value.is_empty() { anchor } else { format!("{anchor}{blanks}{value}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_types_of_both_schemas() {
        let table = [
            ("", Type::Null, Type::Null),
            ("~", Type::Null, Type::Null),
            ("yes", Type::Text, Type::Bool(true)),
            ("Off", Type::Text, Type::Bool(false)),
            ("yEs", Type::Text, Type::Text),
            ("True", Type::Bool(true), Type::Bool(true)),
            ("12", Type::Int(12), Type::Int(12)),
            ("-3", Type::Int(-3), Type::Int(-3)),
            ("0777", Type::Int(777), Type::Int(511)),
            ("0o17", Type::Int(15), Type::Text),
            ("0x1F", Type::Int(31), Type::Int(31)),
            ("08", Type::Int(8), Type::Text),
            ("1_000", Type::Text, Type::Int(1000)),
            ("1:30", Type::Text, Type::Int(90)),
            ("1:75", Type::Text, Type::Text),
            ("1.5", Type::Float(1.5), Type::Float(1.5)),
            ("1e3", Type::Float(1000.0), Type::Text),
            ("1.0e+3", Type::Float(1000.0), Type::Float(1000.0)),
            (".inf", Type::Float(f64::INFINITY), Type::Float(f64::INFINITY)),
            ("2026-11-21", Type::Text, Type::Timestamp),
            ("2026-11-21 10:00:00", Type::Text, Type::Timestamp),
            ("2026-11-21T10:00:00Z", Type::Text, Type::Timestamp),
            ("2026-11", Type::Text, Type::Text),
            ("1.2.3", Type::Text, Type::Text),
            ("-", Type::Text, Type::Text),
            ("info", Type::Text, Type::Text),
        ];
        for (text, core, yaml11) in table {
            assert_eq!(Scalar::plain(text).kind(Schema::Core), core, "{text}");
            assert_eq!(Scalar::plain(text).kind(Schema::Yaml11), yaml11, "{text}");
            assert_eq!(Scalar::text(text).kind(Schema::Yaml11), Type::Text, "{text}");
        }
    }

    #[test]
    fn writes_texts_so_that_they_stay_texts() {
        let written = |scalar: Scalar<'_>| scalar.written().0.into_owned();
        assert_eq!(written(Scalar::text("info")), " info");
        assert_eq!(written(Scalar::text("yes")), " \"yes\"");
        assert_eq!(written(Scalar::text("12")), " \"12\"");
        assert_eq!(written(Scalar::text("")), " \"\"");
        assert_eq!(written(Scalar::text("a: b")), " \"a: b\"");
        assert_eq!(written(Scalar::plain("12")), " 12");
        assert_eq!(written(Scalar::plain("")), "");
    }

    #[test]
    fn text_of_several_lines_is_a_block_where_it_can_be() {
        let block = |text| Scalar::text(text).as_block().map(|(header, lines, _)| (header.into_owned(), lines.len()));
        assert_eq!(block("a\n\n  b\n"), Some((" |".to_owned(), 3)));
        assert_eq!(block("a\nb"), Some((" |-".to_owned(), 2)));
        assert_eq!(block(" a\nb"), None);
        assert_eq!(block("a \nb"), None);
        assert_eq!(block("a\n\n"), None);
    }
}
