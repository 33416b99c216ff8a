//! `? explicit keys`: which lines are the key, and where its value starts (YAML 1.2.2 §8.2.2).

use std::ops::Range;

use super::Reader;
use super::lines::{
    carried, comment_column, document_marker, is_blank, is_item, opener, opens, opens_with, split_indent,
};
use crate::error::Error;
use crate::scan::{self, Start};
use crate::source::End;
use crate::tree::{Explicit, ExplicitValue, Opener};

impl<'a> Reader<'a, '_> {
    /// Reads the key of the node that was just opened, whose `?` stands on the line before, and its value.
    pub(super) fn explicit(&mut self) -> Result<(), Error> {
        let first = self.at - 1;
        self.view_tabs(first, &self.text_of_node(first)[1..]);
        let (mut end, valued) = self.end_of_key();
        if !valued {
            // Blank lines may be the end of a block scalar in there.
            end += (end..self.source.lines.len()).take_while(|&at| is_blank(self.text(at))).count();
            if self.ends_unbroken(first + 1..end) {
                end -= 1;
                self.view.indent(end, 0);
            }
        }
        let column = self.top().column;
        let mut lines: Vec<_> = self.source.lines[first..end].iter().map(|&line| carried(line, column)).collect();
        if let Some(line) = lines.first_mut() {
            *line = carried((self.text_of_node(first), self.source.lines[first].1), 0);
        }
        self.at = end;
        self.pending = self.at;
        let value = if valued { ExplicitValue::Own } else { ExplicitValue::Missing };
        self.top_mut().node.opener = Opener::Explicit(Box::new(Explicit { lines, value }));
        if valued { self.explicit_value() } else { Ok(()) }
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
            let gap = isize::try_from(rest.len() - inner.len()).unwrap_or(0);
            return self.open_all(self.top().column + 1 + gap, open);
        }
        let end = self.source.lines[self.at].1;
        let node = &mut self.top_mut().node;
        (node.rest, node.end) = (rest.into(), end);
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

    /// Whether the last of a key's lines is blanks at the end of the file, which are no line of a block scalar in there
    /// as long as they are no deeper than its text. The reference parser has to be told (YAML 1.2.2 §8.1.1.2).
    fn ends_unbroken(&self, lines: Range<usize>) -> bool {
        let Some(last) = lines.clone().next_back().filter(|&last| self.source.lines[last].1 == End::Missing) else {
            return false;
        };
        let (stands, content) = split_indent(self.text(last));
        let text = lines.clone().map(|at| split_indent(self.text(at))).filter(|(_, content)| !content.is_empty());
        let margin = text.map(|(stands, _)| stands).min().unwrap_or(self.top().column + 1);
        let has_block = (lines.start - 1..last).any(|at| self.text(at).contains(['|', '>']));
        content.is_empty() && (stands <= margin || !has_block)
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
