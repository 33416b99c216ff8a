//! Keys taken out of a tree, with commented-out lines in their places that belong to whom a reader would give them.

use foldhash::HashMap;

use super::{MadeLive, ToTakeOut};
use crate::comments::header_length;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node, Offset};

/// Takes keys out of a document.
pub(in crate::upgrade::commented_out) fn take_out<'a>(
    document: &mut Node<'a>,
    keys: Vec<ToTakeOut<'a>>,
) -> Vec<MadeLive<'a>> {
    let keys = keys.into_iter().map(|key| (key.row, key)).collect();
    let mut walk = Walk { keys, taken: Vec::new() };
    let rest = walk.inside(document, -1);
    let column = document.indent - 1;
    document.below.extend(rest.into_iter().map(|line| line.moved(-column)));
    document.below.iter_mut().for_each(|line| line.at_margin(column));
    walk.taken
}

struct Walk<'a> {
    keys: HashMap<RowId, ToTakeOut<'a>>,
    taken: Vec<MadeLive<'a>>,
}

impl<'a> Walk<'a> {
    /// Takes keys out of a node at a column. Handed back are the lines that stand behind it now, with their columns as
    /// offsets.
    fn inside(&mut self, node: &mut Node<'a>, column: i32) -> Vec<Line<'a>> {
        let stands = column + node.indent;
        let mut lines = Vec::new();
        for mut child in std::mem::take(&mut node.children) {
            let key = child.row.and_then(|row| self.keys.remove(&row));
            if let Some((key, map)) = key.zip(node.row) {
                lines.extend(child.above.drain(..).map(|line| line.moved(stands)));
                lines.extend(key.commented_out.iter().cloned());
                let behind = ending(&mut child, stands);
                lines.extend_from_slice(&behind);
                let ToTakeOut { places, commented_out, .. } = key;
                self.taken.push(MadeLive { key: *child, map, indent: node.indent, places, commented_out, behind });
                continue;
            }
            if !lines.is_empty() {
                self.stands_behind(&child.above);
                put_above(&mut child, lines, (node, stands));
            }
            lines = self.inside(&mut child, stands);
            node.children.push(child);
        }
        if !lines.is_empty() {
            self.stands_behind(&node.below);
            lines.extend(node.below.take().into_iter().map(|line| line.moved(stands)));
            end_block(node, &mut lines, column);
        }
        lines
    }

    /// Remembers what stands behind the last key that was taken out.
    fn stands_behind(&mut self, lines: &[Line<'a>]) {
        if let Some(taken) = self.taken.last_mut() {
            taken.behind.extend_from_slice(lines);
        }
    }
}

/// Takes the comments that end a node and all inside of it.
fn ending<'a>(node: &mut Node<'a>, column: i32) -> Vec<Line<'a>> {
    let stands = column + node.indent;
    let mut lines = node.children.last_mut().map_or_else(Vec::new, |last| ending(last, stands));
    lines.extend(node.below.take().into_iter().map(|line| line.moved(stands)));
    lines
}

/// Puts lines above a child of a node, which stands at a column. Those over the first one of a document may be its header.
fn put_above<'a>(child: &mut Node<'a>, lines: Vec<Line<'a>>, (node, column): (&mut Node<'a>, i32)) {
    child.above.splice(0..0, lines.into_iter().map(|line| line.moved(-column)));
    let is_first = node.children.is_empty();
    if let Some(header) = node.header_mut().filter(|_| is_first) {
        let end = header_length(&child.above);
        header.extend(child.above.drain(..end).map(|line| line.moved(column + 1)));
    }
}

/// Ends the block of a node with those of some lines that stand in it; the others are left.
fn end_block<'a>(node: &mut Node<'a>, lines: &mut Vec<Line<'a>>, column: i32) {
    if node.document().is_some() {
        return;
    }
    let leftmost = column + node.block_column(!node.children.is_empty());
    let leaves = |line: &Line<'_>| column_of(line).is_some_and(|column| column < leftmost);
    let end = lines.iter().position(leaves).unwrap_or(lines.len());
    let end = lines[..end].iter().rposition(Line::is_comment).map_or(0, |last| last + 1);
    let rest = lines.split_off(end);
    let inside = std::mem::replace(lines, rest);
    if let Some(first) = inside.iter().find_map(column_of).filter(|_| node.children.is_empty()) {
        node.indent = first - column;
    }
    let stands = column + node.indent;
    node.below.extend(inside.into_iter().map(|line| line.moved(-stands)));
}

/// The column of a comment that has it as its offset.
fn column_of(line: &Line<'_>) -> Option<i32> {
    match line {
        Line::Text(Offset::Beside(column), ..) => Some(*column),
        Line::Text(Offset::Margin | Offset::CommentedOut(_), ..) => Some(0),
        Line::Blank(..) => None,
    }
}
