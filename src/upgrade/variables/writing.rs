//! How values are written into a scalar, by its style.
//!
//! Nothing here reasons about what is safe: a way to write a scalar is tried on a small sample, and counts only if the
//! reference parser reads exactly the wanted text from it. Double-quoted is the way that always works.

use std::fmt::Write as _;
use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle};

use super::Placeholder;
use super::scalars::{Context, Scalar};
use crate::yaml::limits::is_too_long;

/// A new text for a part of the file.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) at: Range<usize>,
    pub(super) text: String,
}

/// A part of the text with its edits made; they are sorted and do not overlap.
pub(super) fn splice(text: &str, part: Range<usize>, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(part.len());
    let mut at = part.start;
    for edit in edits {
        out.push_str(text.get(at..edit.at.start).unwrap_or_default());
        out.push_str(&edit.text);
        at = edit.at.end;
    }
    out.push_str(text.get(at..part.end).unwrap_or_default());
    out
}

/// How much is changed to be sure of what is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Caution {
    /// The style stays where the values fit into it.
    Fitting,
    /// Every scalar with a variable becomes double-quoted.
    Quoted,
}

/// A scalar whose placeholders get their values.
pub(super) struct Filled<'f> {
    pub(super) scalar: &'f Scalar,
    pub(super) inside: &'f [Placeholder<'f>],
    /// What it is to read as.
    pub(super) wanted: &'f str,
}

/// The edits that make a scalar read as is wanted. None if nothing does, as with a key of more than 1024 characters.
pub(super) fn edits(text: &str, filled: &Filled<'_>, caution: Caution) -> Option<Vec<Edit>> {
    let Filled { scalar, inside, wanted } = *filled;
    if caution == Caution::Fitting
        && let Some(kept) = in_place(text, scalar, inside)
        && still_fits(text, scalar, &splice(text, scalar.content.clone(), &kept), wanted)
    {
        return Some(kept);
    }
    let quoted = format!("\"{}\"", escaped(wanted));
    let works = fits(&quoted, scalar, ScalarStyle::DoubleQuoted, wanted);
    works.then(|| if is_block(scalar) { unblocked(text, scalar, quoted) } else { requoted(scalar, quoted) })
}

fn is_block(scalar: &Scalar) -> bool {
    matches!(scalar.style, ScalarStyle::Literal | ScalarStyle::Folded)
}

fn requoted(scalar: &Scalar, quoted: String) -> Vec<Edit> {
    vec![Edit { at: scalar.content.clone(), text: quoted }]
}

/// Each value in place of its placeholder. None if the style has no way to write one of them.
fn in_place(text: &str, scalar: &Scalar, inside: &[Placeholder<'_>]) -> Option<Vec<Edit>> {
    let write = |value: &str| match scalar.style {
        ScalarStyle::DoubleQuoted => Some(escaped(value)),
        ScalarStyle::Literal => {
            let is_clear = |line: &str| is_line(line) && !line.starts_with('\t');
            value.split('\n').all(is_clear).then(|| value.replace('\n', &further_line(text, scalar)))
        }
        ScalarStyle::SingleQuoted => is_line(value).then(|| value.replace('\'', "''")),
        // Tabs may stand there by YAML 1.2.2 §7.3.3 and §8.1, but not for all programs.
        ScalarStyle::Plain | ScalarStyle::Folded => (is_line(value) && !value.contains('\t')).then(|| value.to_owned()),
    };
    inside.iter().map(|it| Some(Edit { at: it.at.clone(), text: write(it.value)? })).collect()
}

fn is_line(value: &str) -> bool {
    value.chars().all(is_visible)
}

/// Whether a character can stand for itself. Line breaks of other standards and byte-order marks are left to escapes,
/// for programs disagree about them.
pub(super) fn is_visible(c: char) -> bool {
    matches!(c, '\t' | ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}' | '\u{10000}'..)
}

/// A text as it stands between double quotes (YAML 1.2.2 §5.7).
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_visible(c) => out.push(c),
            // Nothing beyond U+FFFF is invisible, so four digits do.
            c => _ = write!(out, "\\u{:04X}", u32::from(c)),
        }
    }
    out
}

/// A block scalar as a quoted one: it takes the place of the header, whose comment stays, and the lines go.
fn unblocked(text: &str, scalar: &Scalar, quoted: String) -> Vec<Edit> {
    let header = text.get(scalar.header..).unwrap_or_default();
    let indicators = header.find(|c: char| !matches!(c, '|' | '>' | '+' | '-' | '0'..='9')).unwrap_or(header.len());
    let lines = text.get(scalar.content.clone()).unwrap_or_default().trim_end_matches([' ', '\t', '\n', '\r']);
    let start = scalar.content.start;
    vec![
        Edit { at: scalar.header..scalar.header + indicators, text: quoted },
        Edit { at: start..start + lines.len(), text: String::new() },
    ]
}

/// Whether a scalar that keeps its style reads as wanted.
fn still_fits(text: &str, scalar: &Scalar, written: &str, wanted: &str) -> bool {
    if is_block(scalar) {
        block_fits(text, scalar, written, wanted)
    } else {
        fits(written, scalar, scalar.style, wanted)
    }
}

/// Whether a scalar on one or more lines reads as wanted in its surroundings.
fn fits(written: &str, scalar: &Scalar, style: ScalarStyle, wanted: &str) -> bool {
    let is_key = matches!(scalar.context, Context::Key | Context::FlowKey);
    if is_key && is_too_long(written) {
        return false;
    }
    if style == ScalarStyle::Plain && is_ambiguous(scalar.context, wanted) {
        return false;
    }
    let (before, after) = match scalar.context {
        Context::Root => ("", ""),
        Context::Value => ("k: ", ""),
        Context::Key => ("", ": 1"),
        Context::FlowValue => ("[", "]"),
        Context::FlowKey => ("{", ": 1}"),
    };
    let further = if scalar.context == Context::Root { "\n" } else { "\n " };
    let sample = format!("{before}{}{after}\n", written.replace('\n', further));
    reads(&sample, &format!("{before}x{after}\n"), style, wanted)
}

/// Whether a plain text would mean more than itself to some program or in some place, though the sample holds it: no text
/// at all is null, `---` ends a document, and `<<` as a key merges a map (YAML 1.1).
fn is_ambiguous(context: Context, text: &str) -> bool {
    let is_key = matches!(context, Context::Key | Context::FlowKey);
    matches!(text, "" | "?" | "-")
        || text.starts_with([',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`'])
        || text.starts_with("---")
        || text.starts_with("...")
        || text.ends_with(':')
        || text == "<<" && is_key
}

/// Whether the content of a block scalar reads as wanted below its header. It stands at the least column that its header
/// allows: the parent's column is not known here.
fn block_fits(text: &str, scalar: &Scalar, written: &str, wanted: &str) -> bool {
    let header = text.get(scalar.header..scalar.content.start).unwrap_or_default();
    let digit = header.chars().skip(1).take_while(|c| matches!(c, '0'..='9' | '+' | '-')).find_map(|c| c.to_digit(10));
    let indent = " ".repeat(digit.map_or(1, |digit| digit as usize));
    let column = content_column(text, scalar);
    let mut sample = format!("k: {header}");
    for line in whole_lines(written).split_inclusive('\n') {
        match line.get(column..).filter(|_| line.bytes().take(column).all(|byte| byte == b' ')) {
            Some(content) => sample.extend([&indent, content]),
            None => sample.push_str(line.trim_start_matches(' ')),
        }
    }
    reads(&sample, "k: x\n", scalar.style, wanted)
}

/// Without the indentation of the next line, which the reference parser counts as content.
fn whole_lines(content: &str) -> &str {
    let trimmed = content.trim_end_matches([' ', '\t']);
    if trimmed.ends_with(['\n', '\r']) { trimmed } else { content }
}

/// The column at which the content of a block scalar starts: what the reference parser took off its first line.
fn content_column(text: &str, scalar: &Scalar) -> usize {
    let content = text.get(scalar.content.clone()).unwrap_or_default();
    let first = content.split(['\n', '\r']).find(|line| !line.trim_matches(' ').is_empty());
    spaces(first.unwrap_or_default()).saturating_sub(spaces(scalar.text.trim_start_matches('\n')))
}

fn spaces(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// What ends a line of a block scalar and indents the next.
fn further_line(text: &str, scalar: &Scalar) -> String {
    let from = text.get(scalar.content.start..).unwrap_or_default();
    let end = if from.starts_with("\r\n") { "\r\n" } else { "\n" };
    format!("{end}{}", " ".repeat(content_column(text, scalar)))
}

/// Whether a sample has the events of its model, with the wanted scalar in place of `x`.
fn reads(sample: &str, model: &str, style: ScalarStyle, wanted: &str) -> bool {
    let (Some(sample), Some(model)) = (events(sample), events(model)) else { return false };
    let same = |(is, model): (&Event<'_>, &Event<'_>)| match (is, model) {
        (Event::Scalar(text, is, 0, None), Event::Scalar(x, ..)) if x == "x" => *is == style && text == wanted,
        _ => is == model,
    };
    sample.len() == model.len() && sample.iter().zip(&model).all(same)
}

fn events(text: &str) -> Option<Vec<Event<'_>>> {
    Parser::new_from_str(text).map(|event| event.ok().map(|(event, _)| event)).collect()
}
