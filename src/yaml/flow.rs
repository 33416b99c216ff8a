//! The inside of a flow collection, read on demand and edited in place.
//!
//! The tree carries `{a: 1, b: 2}` as text. Where a rule has to look inside, its entries are found here by position, so
//! that a map gains or loses a key without any other character of it changing. What comes in is written from the
//! outline: what was a block in the update becomes flow, what was flow becomes the lines of a block.

pub(crate) mod fit;
mod gone;
mod inside;
pub(crate) mod layout;
pub(crate) mod parse;
pub(crate) mod remarks;
mod remove;
mod replace;
mod revise;
pub(crate) mod text;
pub(crate) mod write;

use saphyr_parser::ScalarStyle;

pub(crate) use self::inside::inside;
pub(crate) use self::remarks::inline;
pub(crate) use self::remove::{entry, remove};
pub(crate) use self::replace::{as_lines, rename, replace, rewritten, written};
pub(crate) use self::revise::{Revision, revise};
pub(crate) use self::text::Text;
pub(crate) use self::write::{before_colon, is_scalar_key, key as scalar, quote, value as render};
use crate::text::piece::Piece;
use crate::text::source::End;
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::path::Step;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Kind, Node, Opener, Shape};

/// Whether a node is a collection in flow style.
pub(crate) fn is_flow(node: &Node<'_>) -> bool {
    node.kind() == Kind::Leaf && matches!(node.shape, Shape::Flow { .. })
}

/// Whether a node is a map in flow style.
pub(crate) fn is_map(node: &Node<'_>, outline: &Outline<'_>) -> bool {
    is_flow(node) && outline.row_of(node).is_some_and(|row| row.kind == RowKind::Map)
}

/// The node that a way leads to, and what is left of the way where that goes on inside of its brackets.
pub(crate) fn holder<'n, 'a, 'w>(stream: &'n Node<'a>, way: &'w [usize]) -> Option<(&'n Node<'a>, &'w [usize])> {
    match way.split_first().filter(|_| !is_flow(stream)) {
        Some((&at, below)) => holder(stream.children.get(at)?, below),
        None => Some((stream, way)),
    }
}

/// The same, to be changed.
pub(crate) fn holder_mut<'n, 'a, 'w>(
    stream: &'n mut Node<'a>,
    way: &'w [usize],
) -> Option<(&'n mut Node<'a>, &'w [usize])> {
    match way.split_first().filter(|_| !is_flow(stream)) {
        Some((&at, below)) => holder_mut(stream.children.get_mut(at)?, below),
        None => Some((stream, way)),
    }
}

/// The entries of a flow map as the children of a block map; nothing where a key may be an alias or a collection.
pub(crate) fn as_block<'a>(node: &Node<'a>, outline: &Outline<'a>) -> Option<Vec<Box<Node<'a>>>> {
    let entries = outline.children_of(node).map(|row| {
        let name = outline[row].name.clone().filter(|name| write::is_scalar_key(name))?;
        let (key, value) = (write::key_of(row, outline)?, write::value(row, outline)?);
        let mut entry = Node::new(node.line(), Opener::Key(Piece::from(key)), "", End::Common);
        entry.value_text = Piece::from(if value.is_empty() { value } else { format!(" {value}") });
        (entry.name, entry.row, entry.origin, entry.shape) = (name, Some(row), node.origin, shape(row, outline));
        Some(Box::new(entry))
    });
    entries.collect()
}

/// The items of a flow list as those of a block list; nothing where one cannot be said so.
pub(crate) fn items_as_block<'a>(node: &Node<'a>, outline: &Outline<'a>) -> Option<Vec<Box<Node<'a>>>> {
    let items = outline.children_of(node).map(|row| {
        let value = write::without_anchors(row, outline)?;
        let mut item = Node::new(node.line(), Opener::Item { joined: false }, "", End::Common);
        item.value_text = Piece::from(format!(" {value}"));
        (item.row, item.origin, item.shape) = (Some(row), node.origin, shape(row, outline));
        Some(Box::new(item))
    });
    items.collect()
}

/// The entries of a flow collection: the step to each, and its first line as written.
pub(crate) fn entries(node: &Node<'_>, outline: &Outline<'_>) -> Vec<(Step, String)> {
    let text = Text::of(node);
    let entries = text.collection().map_or_else(Vec::new, |collection| collection.entries);
    let told = outline.children_of(node).zip(&entries).enumerate().map(|(at, (row, entry))| {
        let step = outline[row].name.as_deref().map_or(Step::Item(at), |name| Step::Key(name.to_owned()));
        (step, text.all[entry.start..entry.end].lines().next().unwrap_or_default().to_owned())
    });
    told.collect()
}

fn shape(row: RowId, outline: &Outline<'_>) -> Shape {
    match outline[row].kind {
        RowKind::Map | RowKind::List => Shape::Flow { empty: outline[row].end == row.next() },
        RowKind::Scalar(ScalarStyle::Plain) if outline[row].text.is_empty() => Shape::Open,
        RowKind::Scalar(ScalarStyle::Plain) | RowKind::Alias(_) => Shape::Plain,
        RowKind::Scalar(_) => Shape::Quoted,
    }
}
