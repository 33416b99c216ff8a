//! Where a path can lead: to nodes, and on to the rows inside of a flow collection, where no nodes are.

use crate::yaml::flow;
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::row::RowId;
use crate::yaml::tree::{Kind, Node, Opener};
use crate::yaml::value::Value;

/// A value as a path sees it.
#[derive(Clone, Copy)]
pub(crate) struct Place<'n, 'a> {
    outline: &'n Outline<'a>,
    at: At<'n, 'a>,
}

#[derive(Clone, Copy)]
enum At<'n, 'a> {
    Node(&'n Node<'a>),
    /// Inside of a flow collection.
    Row(RowId),
}

impl<'n, 'a> Place<'n, 'a> {
    pub(crate) fn of(node: &'n Node<'a>, outline: &'n Outline<'a>) -> Self {
        Self { outline, at: At::Node(node) }
    }

    /// The outline of the file that it is in.
    pub(crate) fn outline(self) -> &'n Outline<'a> {
        self.outline
    }

    /// The same value as the pairing of items sees it.
    pub(crate) fn value(self) -> Value<'n, 'a> {
        match self.at {
            At::Node(node) => Value::of(node, self.outline),
            At::Row(row) => Value::at(row, self.outline),
        }
    }

    /// The row of its value; of no use for a stream or for a document without a value.
    pub(crate) fn row(self) -> RowId {
        match self.at {
            At::Node(node) => node.row_or_first(),
            At::Row(row) => row,
        }
    }

    /// What a key calls it; nothing for an item.
    pub(crate) fn name(self) -> Option<&'n str> {
        match self.at {
            At::Node(Node { opener: Opener::Key(_) | Opener::Explicit(_), name, .. }) => Some(name),
            At::Node(_) => None,
            At::Row(row) => self.outline[row].name.as_deref(),
        }
    }

    /// The text under a key of this map.
    pub(crate) fn text_of(self, name: &str) -> Option<&'n str> {
        let row = self.outline.get(self.row(), name)?;
        Some(&self.outline[row].text)
    }

    pub(crate) fn kind(self) -> Kind {
        match self.at {
            At::Node(node) if !flow::is_flow(node) => node.kind(),
            _ => match self.outline[self.row()].kind {
                RowKind::Map => Kind::Map,
                RowKind::List => Kind::List,
                RowKind::Scalar(_) | RowKind::Alias(_) => Kind::Leaf,
            },
        }
    }

    /// What stands directly inside, in the order in which a way counts.
    pub(crate) fn children(self) -> Vec<Self> {
        match self.at {
            At::Node(node) if !flow::is_flow(node) => {
                node.children.iter().map(|child| Self::of(child, self.outline)).collect()
            }
            _ => self.outline.children(self.row()).map(|row| Self { at: At::Row(row), ..self }).collect(),
        }
    }

    pub(crate) fn child(self, at: usize) -> Option<Self> {
        match self.at {
            At::Node(node) if !flow::is_flow(node) => node.children.get(at).map(|child| Self::of(child, self.outline)),
            _ => self.outline.children(self.row()).nth(at).map(|row| Self { at: At::Row(row), ..self }),
        }
    }

    /// What a way leads to.
    pub(crate) fn follow(self, way: &[usize]) -> Option<Self> {
        way.iter().try_fold(self, |place, &at| place.child(at))
    }

    /// The node, where this is one.
    pub(crate) fn node(self) -> Option<&'n Node<'a>> {
        match self.at {
            At::Node(node) => Some(node),
            At::Row(_) => None,
        }
    }
}
