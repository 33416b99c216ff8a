//! A value that becomes a document of its own.

use super::scalar::written_tag;
use super::{Content, Value, join};
use crate::text::piece::Piece;
use crate::text::scan;
use crate::text::source::End;
use crate::yaml::tree::{Line, Offset, Seldom, Shape};

impl Value<'_> {
    /// What stands on the line of its key stands on a line of its own: a document needs no marker then. Behind a block that
    /// is a comment; its anchor has no alias here.
    pub(super) fn own_line(&mut self) {
        self.write_out();
        if self.is_block() {
            let texts =
                std::iter::once(&*self.shell.value_text).chain(self.shell.continuation.iter().map(Line::trimmed));
            let comment = |text: &str| Some(text[scan::comment_behind(text)?..].trim_ascii().to_owned());
            let line = |text: String| Line::Text(Offset::Beside(0), text.into(), End::Common);
            let comments: Vec<_> = texts.filter_map(comment).map(line).collect();
            join(&mut self.shell.above, &comments);
            // An anchor or a tag on a line of its own is written anew.
            self.shell.continuation = Seldom::default();
            let tag = self.tag().map(|tag| format!(" {}", written_tag(tag)));
            self.shell.value_text = tag.map_or(Piece::Borrowed(""), Piece::from);
            return;
        }
        let text = self.shell.value_text.trim_ascii().to_owned();
        if !text.is_empty() {
            self.shell.continuation.vec().insert(0, Line::Text(Offset::Beside(1), Piece::from(text), End::Common));
            self.shell.value_text = Piece::Borrowed("");
        }
    }

    /// Writes what an alias stands for in its place.
    fn write_out(&mut self) {
        let comment = self.inline();
        if self.links.as_mut().and_then(|links| links.alias.take()).is_none() {
            return;
        }
        self.touched = true;
        let tag = self.tag().map_or_else(String::new, |tag| format!(" {}", written_tag(tag)));
        (self.shell.value_text, self.shell.shape) = match &self.content {
            Content::Scalar(scalar) => {
                let (rest, _, shape) = scalar.written();
                (rest, shape)
            }
            Content::Map(entries) if entries.is_empty() => (format!("{tag} {{}}").into(), Shape::Flow { empty: true }),
            Content::List(items) if items.is_empty() => (format!("{tag} []").into(), Shape::Flow { empty: true }),
            Content::Map(_) | Content::List(_) => (tag.into(), Shape::Open),
        };
        self.shell.value_text.to_mut().push_str(&comment);
    }
}
