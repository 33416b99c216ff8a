//! Which line of the user's file a line of the prepared text was.

use crate::yaml::check::Checked;
use crate::yaml::tree::Node;

/// The starts of what stands together in both texts, by line of the prepared text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lines(Vec<(usize, usize)>);

impl Lines {
    /// The lines of a text that was written from `edited` and read again as `read`.
    pub(super) fn of(edited: &Node<'_>, read: &Node<'_>) -> Self {
        let mut found = Vec::new();
        pair(edited, read, &mut found);
        found.sort_unstable();
        Self(found)
    }

    /// The same for the text that the one before was made of.
    pub(crate) fn behind(self, before: &Self) -> Self {
        Self(self.0.into_iter().map(|(line, old)| (line, before.original(old))).collect())
    }

    /// Gives what was read of the prepared text the lines of the user's file.
    pub(crate) fn restored<'a>(&self, mut checked: Checked<'a>) -> Checked<'a> {
        if !self.0.is_empty() {
            self.restore_node(&mut checked.stream);
            checked.outline.rows.iter_mut().for_each(|row| row.line = self.original(row.line));
        }
        checked
    }

    fn restore_node(&self, node: &mut Node<'_>) {
        node.set_line(self.original(node.line()));
        node.children.iter_mut().for_each(|child| self.restore_node(child));
    }

    /// The line of the user's file; the same number where nothing was prepared.
    pub(crate) fn original(&self, line: usize) -> usize {
        let behind = self.0.partition_point(|(start, _)| *start <= line);
        let Some((start, old)) = behind.checked_sub(1).and_then(|at| self.0.get(at)) else { return line };
        old + (line - start)
    }
}

fn pair(edited: &Node<'_>, read: &Node<'_>, found: &mut Vec<(usize, usize)>) {
    if edited.line() > 0 {
        let above = edited.above.len().min(read.above.len()).min(read.line() - 1).min(edited.line() - 1);
        found.push((read.line() - above, edited.line() - above));
    }
    for (edited, read) in edited.children.iter().zip(&read.children) {
        pair(edited, read, found);
    }
}
