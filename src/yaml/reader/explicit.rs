//! `? explicit keys`: which lines are the key, and where its value starts (YAML 1.2.2 §8.2.2).

use std::ops::Range;

use super::lines::{carried, comment_column, document_marker, is_item, opener, opens, opens_with};
use super::{MAX_DEPTH, Reader};
use crate::text::error::Error;
use crate::text::lines::Lines;
use crate::text::scan::{self, Start, Unbroken, is_blank, split_indent};
use crate::text::source::{End, Source};
use crate::yaml::chomping;
use crate::yaml::tree::{Explicit, ExplicitValue, Line, Offset, Opener};

/// How a key ends that ends the file without a line break.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyEnd {
    /// With a text that would have one there.
    Text(Unbroken),
    /// With blanks that are no line of a text.
    Blanks,
    Other,
}

impl<'a> Reader<'a, '_> {
    /// Reads the key of the node that was just opened, whose `?` stands on the line before, and its value.
    pub(super) fn explicit(&mut self) -> Result<(), Error> {
        let first = self.at - 1;
        self.view_tabs(first, &self.text_of_node(first)[1..]);
        let (mut end, valued) = self.end_of_key();
        let column = self.top().column;
        let line = |at: usize| carried(self.source.lines.at(at), column);
        let mut lines: Vec<_> = (first..end).map(line).collect();
        if !valued {
            // Blank lines may be the end of a block scalar in there.
            lines.extend((end..self.source.lines.len()).take_while(|&at| is_blank(self.text(at))).map(line));
            end = first + lines.len();
        }
        if let Some(line) = lines.first_mut() {
            *line = carried((self.text_of_node(first), self.source.lines.at(first).1), 0);
        }
        let value = if valued { ExplicitValue::Own } else { ExplicitValue::Missing };
        let mut key = Explicit { lines, value, unbroken: None };
        match self.end_in(first..end) {
            KeyEnd::Text(header) => {
                self.unbroken = Some(Unbroken { line: first + header.line, ..header });
                key.unbroken = self.strip_header(&mut key, header);
            }
            // Those blanks are no line of it, which the reference parser has to be told.
            last if !valued && (last == KeyEnd::Blanks || self.ends_unbroken(&key, end - 1)) => {
                key.lines.pop();
                end -= 1;
                self.view.indent(end, 0);
            }
            KeyEnd::Blanks | KeyEnd::Other => {}
        }
        self.at = end;
        self.pending = self.at;
        self.top_mut().node.opener = Opener::Explicit(Box::new(key));
        if valued { self.explicit_value() } else { Ok(()) }
    }

    /// Whether the last line of a key is spaces that end the file and can be no text of it.
    fn ends_unbroken(&self, key: &Explicit<'_>, last: usize) -> bool {
        let (stands, content) = split_indent(self.text(last));
        let is_last = key.lines.len() > 1 && self.source.lines.at(last).1 == End::Missing;
        is_last && content.is_empty() && stands <= self.top().column.saturating_add(key.most_blanks())
    }

    /// What a key on these lines ends the file with. It is read like an item in a file
    /// of its own.
    fn end_in(&self, lines: Range<usize>) -> KeyEnd {
        let column = usize::try_from(self.top().column).unwrap_or(0);
        if lines.len() < 2 || self.keys >= MAX_DEPTH || self.source.lines.at(lines.end - 1).1 != End::Missing {
            return KeyEnd::Other;
        }
        let (ends_in_blanks, more) = (is_blank(self.text(lines.end - 1)), lines.len() - 1);
        let mut text = String::new();
        for (line, end) in self.source.lines.within(lines) {
            text.extend([line, end.text("")]);
        }
        let first = text.get(column + 1..).unwrap_or_default();
        let text = format!("{:column$}-{first}", "");
        let source = Source { name: self.source.name, text: &text, bom: false, lines: Lines::of(&text) };
        match super::read_inside(&source, self.keys + 1) {
            Ok(key) if ends_in_blanks && key.view.ends_at(more) => KeyEnd::Blanks,
            Ok(key) => key.unbroken.map_or(KeyEnd::Other, KeyEnd::Text),
            Err(_) => KeyEnd::Other,
        }
    }

    /// Lets the header of a text in a key say that this has no final line break; where it stands in the line of the key.
    fn strip_header(&self, key: &mut Explicit<'a>, header: Unbroken) -> Option<Unbroken> {
        let first = self.at - 1;
        let Line::Text(_, text, _) = key.lines.get_mut(header.line)? else { return None };
        let at = (header.at + text.len()).checked_sub(self.text(first + header.line).len())?;
        *text = format!("{}{}", text.get(..at)?, chomping::stripped(text.get(at..)?)).into();
        Some(Unbroken { at, ..header })
    }

    /// What follows the `:` on the line that the reader stands on: a value, or the first child.
    fn explicit_value(&mut self) -> Result<(), Error> {
        let rest = &self.text_of_node(self.at)[1..];
        let inner = rest.trim_start_matches(' ');
        self.view_tabs(self.at, rest);
        if let Some(open) = opener(inner).filter(|_| opens(inner)) {
            if let Opener::Explicit(key) = &mut self.top_mut().node.opener {
                key.value = ExplicitValue::Joined;
            }
            let gap = i32::try_from(rest.len() - inner.len()).unwrap_or(0);
            let end = self.source.lines.at(self.at).1;
            return self.open_all(self.top().column + 1 + gap, open, end);
        }
        let end = self.source.lines.at(self.at).1;
        let node = &mut self.top_mut().node;
        (node.value_text, node.end) = (rest.into(), end);
        self.at += 1;
        self.value(rest)?;
        self.pending = self.at;
        Ok(())
    }

    /// The text of a line from the column of the open node on.
    fn text_of_node(&self, at: usize) -> &'a str {
        let column = usize::try_from(self.top().column).unwrap_or(0);
        self.text(at).get(column..).unwrap_or_default()
    }

    /// The line behind the key, and whether that is the one of its value. Everything deeper is the key, and so are a list
    /// at its own column and a bracket that closes.
    fn end_of_key(&self) -> (usize, bool) {
        let column = self.top().column;
        let first = &self.text_of_node(self.at - 1)[1..];
        let mut end = self.behind_value(first, self.at);
        let mut starts = scan::value_start(first).0 == Start::Nothing;
        for at in self.at..self.source.lines.len() {
            let text = self.text(at);
            let (stands, content) = split_indent(text);
            if at < end || is_blank(content) || comment_column(text).is_some_and(|comment| comment <= column) {
                continue;
            }
            if stands == column && opens_with(content, b':') {
                return (at, true);
            }
            let closes = content.starts_with([']', '}']);
            let item = (stands == column && is_item(content)).then(|| content[1..].trim_start());
            let goes_on = stands > column || closes || item.is_some();
            if !goes_on || document_marker(text).is_some() {
                break;
            }
            let value = item.or(starts.then_some(content));
            end = value.map_or(at + 1, |value| self.behind_value(value, at + 1));
            starts &= scan::value_start(content).0 == Start::Nothing;
        }
        (end, false)
    }

    /// The line behind the quoted scalar or the flow collection that a text may start with; without one the `next`.
    fn behind_value(&self, text: &str, next: usize) -> usize {
        match scan::value_start(text) {
            (Start::Quoted, at) => self.end_of_quoted(&text[at..], next),
            (Start::Flow, at) => self.end_of_flow(&text[at..], next),
            _ => next,
        }
    }
}

impl Explicit<'_> {
    /// How far right of its `?` blanks that end the file reach at most before they are text of a block scalar in the key
    /// (YAML 1.2.2 §8.1.1.2): as far as any of its lines, or as its header says. Where there is neither there is no limit.
    pub(crate) fn most_blanks(&self) -> i32 {
        let stands = |line: &Line<'_>| match line {
            Line::Text(Offset::Beside(by), text, _) if !text.trim().is_empty() => Some(*by),
            _ => None,
        };
        if self.lines.iter().any(|line| line.trimmed().contains(['|', '>'])) {
            let text = self.lines.iter().skip(1).filter_map(stands).min();
            text.or_else(|| self.lines.iter().filter_map(given_column).min()).unwrap_or(i32::MAX)
        } else {
            i32::MAX
        }
    }
}

impl Explicit<'_> {
    /// Whether it is nothing but its `?`, without even quotes, an anchor or a tag.
    pub(crate) fn is_bare(&self) -> bool {
        last_line(&self.lines).is_some_and(|line| last_word(line.trimmed()) == "?")
    }

    /// Whether it ends with the header of a block scalar.
    pub(crate) fn ends_with_empty_text(&self) -> bool {
        let may_follow = |c: char| matches!(c, '+' | '-' | '1'..='9');
        let last = last_line(&self.lines).map_or("", |line| last_word(line.trimmed()));
        last.strip_prefix(['|', '>']).is_some_and(|header| header.chars().all(may_follow))
    }
}

/// The last line of a key that says something.
fn last_line<'l, 'a>(lines: &'l [Line<'a>]) -> Option<&'l Line<'a>> {
    lines.iter().rfind(|line| !line.is_comment_or_blank())
}

/// The last word of a line that is none of a comment.
fn last_word(line: &str) -> &str {
    let text = scan::comment_start(line).map_or(line, |comment| &line[..comment]);
    text.trim_end_matches([' ', '\t']).rsplit([' ', '\t']).next().unwrap_or_default()
}

/// Where the text of a block scalar stands by the digit in the header that may end a line (YAML 1.2.2 §8.1.1.1).
fn given_column(line: &Line<'_>) -> Option<i32> {
    let Line::Text(Offset::Beside(by), text, _) = line else { return None };
    let header = text.get(text.rfind(['|', '>'])?..)?;
    let digit = header.chars().find_map(|c| c.to_digit(10))?;
    Some(by + last_opener(text) + i32::try_from(digit).ok()?)
}

/// How far behind the start of a text the last node stands that it opens.
fn last_opener(text: &str) -> i32 {
    let mut inner = text;
    while is_item(inner) || opens_with(inner, b'?') {
        let behind = inner[1..].trim_start_matches(' ');
        if !opens(behind) {
            break;
        }
        inner = behind;
    }
    i32::try_from(text.len() - inner.len()).unwrap_or(0)
}
