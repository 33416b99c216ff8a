//! The inside of a flow collection as nodes: each entry as it would be written on a line of its own.

use foldhash::HashMap;

use super::parse::{Collection, Entry};
use super::remarks::{Remark, remarks};
use super::replace::as_lines;
use super::text::Text;
use super::{shape, write};
use crate::text::piece::Piece;
use crate::text::source::End;
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::row::RowId;
use crate::yaml::tree::{Kind, Line, Node, Offset, Opener, Shape};

/// The entries of a collection in brackets, and below them those of the collections that they hold. A node that holds
/// one has its text, too; comments stand where they would outside of brackets.
pub(crate) fn inside<'a>(node: &Node<'a>, outline: &Outline<'a>) -> Vec<Box<Node<'a>>> {
    let text = Text::of(node);
    let Some(collection) = text.collection() else { return Vec::new() };
    let inside = Inside { text: &text.all, outline, remarks: remarks(node, outline) };
    node.row.map_or_else(Vec::new, |row| inside.entries(&collection, row))
}

struct Inside<'i, 'a> {
    text: &'i str,
    outline: &'i Outline<'a>,
    remarks: HashMap<RowId, Remark>,
}

impl<'a> Inside<'_, 'a> {
    fn entries(&self, collection: &Collection, row: RowId) -> Vec<Box<Node<'a>>> {
        let rows = self.outline.children(row);
        let kind = if collection.map { Kind::Map } else { Kind::List };
        collection.entries.iter().zip(rows).map(|(entry, row)| Box::new(self.entry(kind, entry, row))).collect()
    }

    /// One entry of a map or of a list.
    fn entry(&self, of: Kind, entry: &Entry, row: RowId) -> Node<'a> {
        let map = of == Kind::Map;
        if entry.pair && !map {
            return self.single_pair(entry, row);
        }
        let name = self.outline[row].name.clone().filter(|_| map);
        let key = &self.text[entry.key.clone()];
        let opener = match &name {
            Some(name) if key.is_empty() || key.contains('\n') => Opener::Key(write::key(name).into()),
            Some(_) => Opener::Key(Piece::from(write::before_colon(key))),
            None => Opener::Item { joined: false },
        };
        let holds = if entry.pair || !map { &self.text[entry.holds.clone()] } else { "" };
        let mut node = self.node(opener, holds, row);
        node.name = name.unwrap_or_default();
        node.children = entry.value.as_ref().map_or_else(Vec::new, |inner| self.entries(inner, row));
        node
    }

    /// `[a: 1]` is a list of one map (YAML 1.2.2 §7.5), which has brackets on a line of its own.
    fn single_pair(&self, entry: &Entry, row: RowId) -> Node<'a> {
        let text = format!("{{{}}}", &self.text[entry.start..entry.end]);
        let mut item = self.node(Opener::Item { joined: false }, &text, row);
        item.children = self.outline.children(row).map(|row| Box::new(self.entry(Kind::Map, entry, row))).collect();
        item
    }

    fn node(&self, opener: Opener<'a>, value: &str, row: RowId) -> Node<'a> {
        let (first, more) = as_lines(value, End::Common);
        let mut node = Node::new(self.outline[row].line, opener, "", End::Common);
        node.row = Some(row);
        node.shape = match self.outline[row].kind {
            RowKind::Map | RowKind::List => Shape::Flow { empty: self.outline[row].end == row.next() },
            _ => shape(row, self.outline),
        };
        node.continuation = more.into();
        let remark = self.remarks.get(&row);
        let line = |text: &String| Line::Text(Offset::Beside(0), text.clone().into(), End::Common);
        node.above = remark.map_or_else(Vec::new, |remark| remark.above.iter().map(line).collect());
        let inline = remark.map_or("", |remark| &remark.inline);
        let space = if first.is_empty() { "" } else { " " };
        node.value_text = format!("{space}{first}").into();
        match node.continuation.last_mut() {
            Some(Line::Text(_, text, _)) => text.to_mut().push_str(inline),
            _ => node.value_text.to_mut().push_str(inline),
        }
        node
    }
}
