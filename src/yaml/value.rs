//! A value of a file, block or flow alike: what is directly inside of it, and which others are the same.
//!
//! Left out: how it is written.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::text::piece::Piece;
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::row::RowId;
use crate::yaml::tree::{Kind, Node};

/// A value, wherever it is known from: its node, or its row where it is written in flow.
#[derive(Clone, Copy)]
pub(crate) struct Value<'n, 'a> {
    node: Option<&'n Node<'a>>,
    row: RowId,
    alias: Option<&'n str>,
    outline: &'n Outline<'a>,
}

/// What a value is, block or flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueKind {
    Map,
    List,
    Scalar,
}

impl<'n, 'a> Value<'n, 'a> {
    /// The value of a node; where it is an alias, what that stands for.
    pub(crate) fn of(node: &'n Node<'a>, outline: &'n Outline<'a>) -> Self {
        let block = node.kind() != Kind::Leaf;
        Self { node: block.then_some(node), ..Self::at(node.row_or_first(), outline) }
    }

    /// The value at a row; what an alias stands for.
    pub(crate) fn at(row: RowId, outline: &'n Outline<'a>) -> Self {
        let (row, alias) = match outline[row].kind {
            RowKind::Alias(target) => (target.value().unwrap_or(row), Some(&*outline[row].text)),
            _ => (row, None),
        };
        Self { node: None, row, alias, outline }
    }

    pub(crate) fn same(self, other: Value<'_, '_>) -> bool {
        self.outline.same(self.row, other.outline, other.row)
    }

    /// A number that two values have in common where they are the same, or differ only in how a null is written. Its own
    /// name does not count.
    pub(crate) fn digest(self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for (at, row) in self.outline.subtree(self.row).iter().enumerate() {
            row.name.as_deref().filter(|_| at > 0).hash(&mut hasher);
            if row.is_any_null() { "" } else { &*row.text }.hash(&mut hasher);
        }
        hasher.finish()
    }

    /// The row of the value itself.
    pub(crate) fn row(self) -> RowId {
        self.row
    }

    pub(crate) fn kind(self) -> ValueKind {
        match (self.node.map(Node::kind), self.outline[self.row].kind) {
            (Some(Kind::Map), _) | (None, RowKind::Map) => ValueKind::Map,
            (Some(Kind::List), _) | (None, RowKind::List) => ValueKind::List,
            _ => ValueKind::Scalar,
        }
    }

    pub(crate) fn text(self) -> &'n str {
        &self.outline[self.row].text
    }

    pub(crate) fn fields(self) -> impl Iterator<Item = (Piece<'a>, Self)> + use<'n, 'a> {
        let blocks = self.node.into_iter().flat_map(Node::live_children);
        let blocks = blocks.map(move |child| (child.name.clone(), Self::of(child, self.outline)));
        blocks.chain(
            self.flow_rows()
                .filter_map(move |row| Some((self.outline[row].name.clone()?, Self::at(row, self.outline)))),
        )
    }

    pub(crate) fn items(self) -> impl Iterator<Item = Self> + use<'n, 'a> {
        let blocks = self.node.into_iter().flat_map(Node::live_children);
        let blocks = blocks.map(move |child| Self::of(child, self.outline));
        blocks.chain(self.flow_rows().map(move |row| Self::at(row, self.outline)))
    }

    /// The name of the alias that it is written as.
    pub(crate) fn alias(self) -> Option<&'n str> {
        self.alias
    }

    fn flow_rows(self) -> impl Iterator<Item = RowId> + use<'n, 'a> {
        let flow = self.node.is_none().then_some(self.row);
        flow.into_iter().flat_map(move |row| self.outline.children(row))
    }

    pub(crate) fn field(self, name: &str) -> Option<Self> {
        let Some(node) = self.node else {
            return self.outline.get(self.row, name).map(|row| Self::at(row, self.outline));
        };
        let child = node.live_children().find(|child| child.name == name)?;
        Some(Self::of(child, self.outline))
    }

    /// The text under `key`, where that is a scalar with any.
    pub(crate) fn scalar(self, key: &str) -> Option<&'n str> {
        let value = self.field(key)?;
        (value.kind() == ValueKind::Scalar && !value.text().is_empty()).then(|| value.text())
    }
}
