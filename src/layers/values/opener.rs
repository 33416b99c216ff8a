//! What a value stands under: a key, a dash, or a document of its own.

use super::{Scalar, Value};
use crate::text::piece::Piece;
use crate::yaml::tree::{ExplicitValue, Opener};

impl<'a> Value<'a> {
    /// The same value under a key; a key that is no plain text is quoted.
    pub(crate) fn under(mut self, name: impl Into<Piece<'a>>) -> Self {
        let name = name.into();
        let (key, ..) = Scalar::text(name.clone()).written();
        self.name_as(Opener::Key(Piece::from(key.trim_ascii().to_owned())), name);
        self
    }

    /// The same value as an item of a list.
    pub(crate) fn item(mut self) -> Self {
        self.name_as(Opener::Item { joined: false }, Piece::Borrowed(""));
        self
    }

    /// The same value as a document of its own.
    pub(crate) fn document(mut self) -> Self {
        self.name_as(Opener::document(None), Piece::Borrowed(""));
        self
    }

    /// The same value under the key, or at the item, of another.
    pub(super) fn in_place_of(mut self, other: &Self) -> Self {
        self.name_as(other.shell.opener.clone(), other.shell.name.clone());
        if let Some(label) = other.links.as_ref().and_then(|links| links.key_anchor.clone()) {
            self.links.get_or_insert_default().key_anchor = Some(label);
        }
        self
    }

    /// Lets another opener open it; what its lines are laid out by follows.
    fn name_as(&mut self, opener: Opener<'a>, name: Piece<'a>) {
        self.moved();
        if let Some(links) = &mut self.links {
            links.key_anchor = None;
        }
        let was_document = self.shell.document().is_some();
        if let Some(document) = self.shell.document_mut() {
            // The header of a document stands over what was its value.
            let header = std::mem::take(&mut document.header);
            self.shell.above.extend(header);
        }
        let item = matches!(opener, Opener::Item { .. });
        let mut opener = opener;
        if let Opener::Document(document) = &mut opener {
            self.own_line();
            if !self.shell.value_text.is_empty() {
                document.marker = Some("---");
            }
        }
        self.shell.indent = match &opener {
            Opener::Document(_) => 1,
            _ if was_document => 2,
            Opener::Item { .. } => self.shell.indent.max(2),
            _ => self.shell.indent,
        };
        let joined = item
            && self.is_block()
            && crate::text::scan::value_start(&self.shell.value_text).1 == self.shell.value_text.len();
        self.shell.opener = match opener {
            Opener::Item { .. } => Opener::Item { joined },
            Opener::Explicit(mut key) => {
                key.value = ExplicitValue::Own;
                Opener::Explicit(key)
            }
            other => other,
        };
        self.shell.name = name;
    }

    /// It stands elsewhere than it was read, and there it is no merge key that gives it.
    pub(super) fn moved(&mut self) {
        self.moved = true;
        if let Some(links) = &mut self.links {
            links.inherited = false;
        }
    }
}
