//! How the dashes of a list are written.

use crate::yaml::tree::{Line, Node, Opener};

/// How the items of a list are written: `- key:` or `-` alone, and how far behind the dash their keys stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct DashStyle {
    joined: bool,
    indent: i32,
}

impl DashStyle {
    pub(super) fn of(item: &Node<'_>) -> Self {
        Self { joined: item.opener == Opener::Item { joined: true }, indent: item.indent }
    }

    /// The style of a list all of whose items agree.
    pub(super) fn common(items: &[Box<Node<'_>>]) -> Option<Self> {
        let mut styles = items.iter().filter(|item| !item.children.is_empty()).map(|item| Self::of(item));
        let first = styles.next()?;
        styles.all(|style| style == first).then_some(first)
    }

    /// Writes an item in this style; blank lines behind a dash alone were between it and its key. What stands behind a dash alone (a comment, an anchor) keeps it alone.
    pub(super) fn apply(self, item: &mut Node<'_>) {
        let free = item.value_text.trim().is_empty() && item.continuation.is_empty() && !item.children.is_empty();
        let joined = item.opener == Opener::Item { joined: true };
        if free && joined != self.joined {
            item.opener = Opener::Item { joined: self.joined };
            item.value_text = "".into();
            item.indent = self.indent;
            if let Some(first) = item.children.first_mut().filter(|_| self.joined) {
                first.above.retain(Line::is_comment);
            }
        }
    }
}
