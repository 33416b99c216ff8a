//! Comments around values that are joined, moved or given another meaning.

use super::paragraphs::{is_blank, join, join_behind, join_heads};
use super::{Value, flow};
use crate::text::piece::Piece;
use crate::text::source::End;
use crate::yaml::tree::{Line, Offset, Opener, Shape};

impl<'a> Value<'a> {
    /// Takes the comments around another value that was joined with this one, each once. The one behind it goes above where
    /// this one has another.
    pub(crate) fn gain_comments(&mut self, other: &Value<'a>) {
        let is_document = self.shell.document().is_some();
        if is_document {
            join_heads(&mut self.shell.above, &other.shell.above, false);
        } else {
            join(&mut self.shell.above, &other.shell.above);
        }
        join_behind(self.shell.below.vec(), &other.shell.below);
        let is_apart = other.stands_apart_from_head();
        if let Some(header) = self.shell.header_mut() {
            join_heads(header, other.shell.header(), is_apart);
        }
        let (own, inline) = (self.inline(), other.inline());
        if is_document || inline.trim_ascii() == own.trim_ascii() || self.set_inline(&inline) {
            return;
        }
        let above = Line::Text(Offset::Beside(0), Piece::from(inline.trim_ascii().to_owned()), End::Common);
        join(&mut self.shell.above, &[above]);
    }

    /// Puts another text directly behind this one, which is written as before where that can be. The comments of both
    /// stay.
    pub(crate) fn append_text(&mut self, other: &Value<'a>) {
        self.gain_comments(other);
        let text = |value: &Value<'a>| value.scalar().map_or_else(String::new, |scalar| scalar.text.to_string());
        let mut joined = self.with_text(text(self) + &text(other));
        joined.shell.below.clone_from(&self.shell.below);
        self.replace(joined);
    }

    /// The line of its file on which its text starts, where each line of the text is a line there: a literal block (YAML
    /// 1.2.2 §8.1.2).
    pub(crate) fn first_line(&self) -> Option<usize> {
        let (start, at) = crate::text::scan::value_start(&self.shell.value_text);
        let literal =
            matches!(start, crate::text::scan::Start::Block(_)) && self.shell.value_text[at..].starts_with('|');
        literal.then_some(self.origin.line + 1)
    }

    /// Takes the comments of a kind away that the text of this document starts with, up to the first blank line or a
    /// marker.
    pub(crate) fn take_first_comments(&mut self, is: impl Fn(&str) -> bool) -> Vec<Line<'a>> {
        let mut taken = leading(&mut self.shell.above, &is);
        let marked = self.shell.marker().is_some() && !taken.is_empty();
        if marked || !self.shell.above.is_empty() {
            return taken;
        }
        if let Some(header) = self.shell.header_mut() {
            taken.extend(leading(header, &is));
        }
        if self.shell.header().is_empty()
            && let Some(first) = self.child_mut(0)
        {
            taken.extend(leading(&mut first.shell.above, &is));
        }
        taken
    }

    /// Lets the text of this document start with comments, whatever becomes of its first key.
    pub(crate) fn put_first_comments(&mut self, comments: Vec<Line<'a>>) {
        match self.shell.document_mut().filter(|document| document.marker.is_none()) {
            Some(document) => document.header.splice(0..0, comments),
            None => self.shell.above.splice(0..0, comments),
        };
    }

    /// The comment behind it, with the blanks before: on its line, or behind its closing bracket.
    pub(super) fn inline(&self) -> String {
        match self.shell.shape {
            Shape::Flow { .. } => flow::comment(&self.shell),
            Shape::Block { .. } => crate::text::scan::comment_start(&self.shell.value_text)
                .map_or_else(String::new, |at| format!(" {}", self.shell.value_text[at..].trim_ascii_end())),
            _ => crate::yaml::flow::inline(&self.shell),
        }
    }

    /// Gives it a comment behind it, where it has none and can have one: whether it has that now.
    pub(super) fn set_inline(&mut self, comment: &str) -> bool {
        let one_line = self.shell.continuation.is_empty() || matches!(self.shell.shape, Shape::Block { .. });
        let has_place = one_line && matches!(self.shell.opener, Opener::Key(_) | Opener::Item { joined: false });
        let free = has_place && self.inline().is_empty();
        if free && !comment.is_empty() {
            self.shell.value_text.to_mut().push_str(comment);
        }
        free || comment.is_empty()
    }

    /// Takes the comment behind another that means the same, where it has none.
    pub(crate) fn gain_inline(&mut self, other: &Value<'a>) {
        self.set_inline(&other.inline());
    }

    /// The same value without the comments around it.
    pub(crate) fn bare(mut self) -> Self {
        self.shell.above.clear();
        let inline = self.inline().len();
        if self.shell.continuation.is_empty() && inline > 0 {
            let own = self.shell.value_text.len() - inline;
            self.shell.value_text.to_mut().truncate(own);
        }
        self
    }

    /// Means something else; the comments around it stay.
    pub(crate) fn becomes(&mut self, new: Value<'a>) {
        let inline = self.inline();
        self.replace(new);
        self.set_inline(&inline);
    }

    /// Whether comments stand over all of this document, which only a blank line over its first key sets off from that.
    pub(super) fn has_head(&self) -> bool {
        self.shell.shape == Shape::Open && self.shell.header().last().is_some_and(Line::is_comment)
    }

    /// Whether a blank line parts the comments over all of this document from its first key.
    fn stands_apart_from_head(&self) -> bool {
        self.shell.header().last().is_some_and(is_blank) || self.children().first().is_some_and(Self::is_set_off)
    }

    /// Sets the first entry off from the comments over all of this document, if any of them is not of a kind.
    pub(crate) fn set_off_from_head(&mut self, is_of_kind: impl Fn(&str) -> bool) {
        let is_apart = self.has_head() && !self.shell.header().iter().all(|line| is_of_kind(line.trimmed()));
        if let Some(first) = self.child_mut(0).filter(|_| is_apart) {
            first.set_off();
        }
    }

    /// Sets it off from what is before it by a blank line.
    pub(crate) fn set_off(&mut self) {
        if !self.is_set_off() {
            self.shell.above.insert(0, Line::Blank("", End::Common));
        }
    }

    /// Takes away the blank lines that set it off from what is before it.
    pub(crate) fn stand_close(&mut self) {
        let blanks = self.shell.above.iter().take_while(|line| line.trimmed().is_empty()).count();
        self.shell.above.drain(..blanks);
    }

    /// Whether a blank line sets it off from what is before it.
    pub(crate) fn is_set_off(&self) -> bool {
        self.shell.above.first().is_some_and(|line| line.trimmed().is_empty())
    }

    /// The blank lines above it are those above another: what becomes the first of its block is not set off.
    pub(super) fn starts_like(&mut self, other: &Self) {
        let blanks = |value: &Self| value.shell.above.iter().take_while(|line| line.trimmed().is_empty()).count();
        let (own, others) = (blanks(self), blanks(other));
        self.shell.above.splice(..own, other.shell.above[..others].iter().cloned());
    }
}

/// Takes the comments of a kind out of lines that start with them.
fn leading<'a>(lines: &mut Vec<Line<'a>>, is: &impl Fn(&str) -> bool) -> Vec<Line<'a>> {
    let count = lines.iter().take_while(|line| line.is_comment() && is(line.trimmed())).count();
    lines.drain(..count).collect()
}
