//! What a node that is a document has besides what it holds.

use super::{Line, Node, Opener, Shape};
use crate::text::scan;
use crate::text::source::End;

/// What a document has besides what it holds (YAML 1.2.2 §9.1).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Document<'a> {
    /// The `---` that starts it, with a byte-order mark where one stands before it.
    pub(crate) marker: Option<&'static str>,
    /// The comments that are about all of it, and the blank lines around them: over its first node, and below an anchor or a
    /// tag that stands on a line of its own; over a scalar or a flow collection that does not share the line of the marker.
    /// Of a document that holds nothing all of them.
    pub(crate) header: Vec<Line<'a>>,
    /// The `...` that ends it.
    pub(crate) end: Option<Line<'a>>,
}

impl Opener<'_> {
    /// A document that starts with a marker, or without one.
    pub(crate) fn document(marker: Option<&'static str>) -> Self {
        Self::Document(Box::new(Document { marker, ..Document::default() }))
    }
}

impl<'a> Node<'a> {
    /// A file of one document that holds this key alone.
    pub(crate) fn into_stream(self) -> Self {
        let mut document = Node::new(0, Opener::document(None), "", End::Lf);
        document.indent = 1;
        document.children.push(Box::new(self));
        let mut stream = Node::new(0, Opener::Stream, "", End::Lf);
        stream.children.push(Box::new(document));
        stream
    }

    /// What a document has besides what it holds; nothing for any other node.
    pub(crate) fn document(&self) -> Option<&Document<'a>> {
        match &self.opener {
            Opener::Document(document) => Some(document),
            _ => None,
        }
    }

    pub(crate) fn document_mut(&mut self) -> Option<&mut Document<'a>> {
        match &mut self.opener {
            Opener::Document(document) => Some(document),
            _ => None,
        }
    }

    /// The `---` of a document.
    pub(crate) fn marker(&self) -> Option<&'static str> {
        self.document()?.marker
    }

    /// The header of a document; nothing for any other node.
    pub(crate) fn header(&self) -> &[Line<'a>] {
        self.document().map_or(&[], |document| &document.header)
    }

    /// The header of a document that can have one.
    pub(crate) fn header_mut(&mut self) -> Option<&mut Vec<Line<'a>>> {
        if self.can_have_header() { self.document_mut().map(|document| &mut document.header) } else { None }
    }

    /// An anchor or a tag on a line of its own stands above the header of a document with keys or items: comments above that
    /// line are no header.
    pub(crate) fn put_header_below_properties(&mut self) {
        if !self.continuation.is_empty()
            && let Some(document) = self.document_mut()
        {
            let above = std::mem::take(&mut document.header);
            self.continuation.vec().splice(0..0, above);
        }
    }

    /// Gives a document a `---`, or takes it away.
    pub(crate) fn set_marker(&mut self, marker: Option<&'static str>) {
        if let Some(document) = self.document_mut() {
            document.marker = marker;
        }
    }

    /// Whether it is a document with a place for a header: not one whose value shares the line of its `---`, and no plain
    /// scalar below an anchor or a tag there.
    pub(crate) fn can_have_header(&self) -> bool {
        let (start, at) = scan::value_start(&self.value_text);
        let goes_on = self.shape == Shape::Plain && self.value_text[..at].contains(['&', '!']);
        self.document().is_some() && start == scan::Start::Nothing && !goes_on
    }
}
