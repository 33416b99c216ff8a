//! The comments of the update that an entry brings along when it gets a line of its own.

use foldhash::{HashMap, HashSet};
use std::iter;

use super::parse::{Collection, Entry};
use super::text::Text;
use crate::text::scan::{self, Start};
use crate::yaml::outline::Outline;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Kind, Node, Shape};

/// What is said about an entry, each line from its `#`.
#[derive(Debug, Default)]
pub(crate) struct Remark {
    pub(crate) above: Vec<String>,
    /// The comment behind it on its line, with the blanks before.
    pub(crate) inline: String,
}

/// The comments inside of a value, by the row that they belong to; blank lines are none in flow.
pub(crate) fn remarks(node: &Node<'_>, outline: &Outline<'_>) -> HashMap<RowId, Remark> {
    let mut collector = Collector { outline, found: HashMap::default() };
    collector.node(node);
    collector.found
}

struct Collector<'c, 'a> {
    outline: &'c Outline<'a>,
    found: HashMap<RowId, Remark>,
}

impl Collector<'_, '_> {
    fn node(&mut self, node: &Node<'_>) {
        for child in &node.children {
            let above = child.above.iter().filter(|line| line.is_comment()).map(|line| line.trimmed().to_owned());
            let remark = Remark { above: above.collect(), inline: inline(child) };
            self.found.extend(child.row.map(|row| (row, remark)));
            self.node(child);
        }
        if node.kind() == Kind::Leaf && matches!(node.shape, Shape::Flow { .. }) {
            let text = Text::of(node);
            if let Some((collection, row)) = text.collection().zip(node.row) {
                self.flow(&text, &collection, row);
            }
        }
    }

    fn flow(&mut self, text: &Text<'_>, collection: &Collection, row: RowId) {
        let mut before = collection.start + 1;
        for (entry, row) in collection.entries.iter().zip(self.outline.children(row)) {
            let gap = text.line_of(before) + 1..text.line_of(entry.start);
            let above =
                gap.map(|line| text.line(line).trim_ascii()).filter(|line| line.starts_with('#')).map(str::to_owned);
            before = entry.own_end();
            let tail = &text.all[before..text.line_end(text.line_of(before))];
            // Of several entries on one line the last has it.
            let has_comment = tail.trim_ascii_start().starts_with('#');
            let inline = if has_comment { tail.trim_ascii_end().to_owned() } else { String::new() };
            self.found.insert(row, Remark { above: above.collect(), inline });
            if let Some(inner) = &entry.value {
                self.flow(text, inner, row);
            }
        }
    }
}

/// The keys that are commented out between the entries of a collection, on lines of their own.
pub(crate) fn commented_out_keys<'t>(text: &'t Text<'_>, collection: &Collection) -> HashSet<&'t str> {
    let ends = collection.entries.iter().map(Entry::own_end);
    let starts = collection.entries.iter().map(|entry| text.line_of(entry.start));
    let gaps = iter::once(collection.start).chain(ends).map(|end| text.line_of(end) + 1);
    let gaps = gaps.zip(starts.chain([text.line_of(collection.end)]));
    let key = |number: usize| {
        let comment = text.line(number).trim_ascii().strip_prefix('#')?;
        let (key, _) = scan::key_and_rest(comment.trim_start_matches(['#', ' ']))?;
        Some(key.trim_ascii_end().trim_matches(['"', '\'']))
    };
    gaps.flat_map(|(first, end)| first..end).filter_map(key).collect()
}

/// The comment behind a value that stands on one line with its key.
pub(crate) fn inline(node: &Node<'_>) -> String {
    let is_alone = node.continuation.is_empty()
        && node.children.is_empty()
        && !matches!(scan::value_start(&node.value_text).0, Start::Block(_));
    let comment = scan::comment_behind(&node.value_text).filter(|_| is_alone);
    comment.map_or_else(String::new, |start| {
        node.value_text[node.value_text[..start].trim_ascii_end().len()..].trim_ascii_end().to_owned()
    })
}
