//! What a text means, as rows: one for every value, with its depth, line, name and text.
//!
//! Both parsers' trees can be laid out like this, which is how they are compared, how a difference is shown, and how
//! a result is checked against its inputs. The rows borrow from the text; subtrees are ranges, and nothing is nested.

use foldhash::{HashMap, HashSet};
use std::ops::{Index, IndexMut};
use std::sync::OnceLock;

use saphyr_parser::ScalarStyle;

use crate::text::piece::Piece;
use crate::yaml::limits::MAX_DEPTH;
use crate::yaml::names::FEW;
use crate::yaml::path::{Path, Step};
use crate::yaml::row::RowId;
use crate::yaml::tree::Node;

mod places;
mod print;
mod same;

use self::places::Places;
pub(crate) use self::print::{Printed, numbered, side_by_side};
pub(crate) use self::same::is_text;

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowKind {
    Map,
    List,
    Scalar(ScalarStyle),
    Alias(Target),
}

/// What an alias refers to: a value, or something of the key before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Target {
    /// The row of the value.
    pub(crate) row: RowId,
    pub(crate) part: Anchored,
}

/// What an anchor stands before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Anchored {
    Value,
    /// A whole key, which is this scalar; none where it is a collection or has a tag.
    Key(Option<ScalarStyle>),
    /// A value inside of a collection that is a key.
    InKey,
}

impl Target {
    /// The row of the value that an alias stands for; none where it stands for a key.
    pub(crate) fn value(self) -> Option<RowId> {
        (self.part == Anchored::Value).then_some(self.row)
    }

    /// Whether both are values, both keys, or both inside of keys.
    pub(crate) fn is_alike(self, other: Self) -> bool {
        std::mem::discriminant(&self.part) == std::mem::discriminant(&other.part)
    }
}

/// One value of a file.
#[derive(Debug, Clone)]
pub(crate) struct Row<'a> {
    /// How many collections it stands in.
    pub(crate) depth: u8,
    /// The line of its key, or where it starts itself, from 1.
    pub(crate) line: usize,
    pub(crate) kind: RowKind,
    /// Its key, if it is the value of one.
    pub(crate) name: Option<Piece<'a>>,
    /// The text of a scalar, with quotes, escapes and folds resolved; the name of an alias.
    pub(crate) text: Piece<'a>,
    /// Whether it has a tag: see [`Outline::tag`].
    pub(crate) tagged: bool,
    /// Whether an anchor stands before it.
    pub(crate) anchored: bool,
    /// The row behind the last one of its subtree.
    pub(crate) end: RowId,
    /// Whether it was taken out of the file that this tells of.
    pub(crate) gone: bool,
}

/// A large file has many rows, so what few of them have is kept beside them.
const _: () = assert!(size_of::<Row<'_>>() <= 64);
const _: () = assert!(MAX_DEPTH <= u8::MAX as usize);

impl Row<'_> {
    /// Whether this is no value at all.
    pub(crate) fn is_null(&self) -> bool {
        self.is_any_null() && self.text.is_empty()
    }

    /// Whether this is null, however it is written (YAML 1.2.2 §10.3.2).
    pub(crate) fn is_any_null(&self) -> bool {
        let is_plain = self.kind == RowKind::Scalar(ScalarStyle::Plain) && !self.tagged;
        is_plain && matches!(&*self.text, "" | "~" | "null" | "Null" | "NULL")
    }
}

/// A file as the reference parser understood it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outline<'a> {
    pub(crate) rows: Vec<Row<'a>>,
    /// The root value of each document.
    pub(crate) documents: Vec<RowId>,
    /// The rows of the values of large maps by their names, by the row of the map.
    pub(crate) large: HashMap<RowId, HashMap<Piece<'a>, RowId>>,
    /// Whether a map has more than one empty key.
    pub(crate) has_twin_empty_keys: bool,
    /// Whether the file ends with a block scalar that has no final line break for that reason alone.
    pub(crate) unbroken: bool,
    /// The rows of values whose keys are text for their quotes alone, as `"1"` is and `1` is not.
    quoted_keys: HashSet<RowId>,
    /// The full names of the tags, by the rows of their values.
    tags: HashMap<RowId, Box<str>>,
    /// The anchors in their order.
    pub(crate) anchors: Vec<Anchor>,
    /// How many aliases there are, those that are keys included.
    pub(crate) aliases: usize,
    /// Whether anything was taken out of the file that this tells of.
    has_gone: bool,
    /// Once somebody asked.
    places: OnceLock<Places>,
}

/// An anchor and what it stands before.
#[derive(Debug, Clone)]
pub(crate) struct Anchor {
    pub(crate) target: Target,
    /// How it is written in the tree, once that is known: see [`crate::upgrade::anchors`].
    pub(crate) written: String,
}

impl<'a> Index<RowId> for Outline<'a> {
    type Output = Row<'a>;

    fn index(&self, row: RowId) -> &Row<'a> {
        &self.rows[row.index()]
    }
}

impl IndexMut<RowId> for Outline<'_> {
    fn index_mut(&mut self, row: RowId) -> &mut Self::Output {
        &mut self.rows[row.index()]
    }
}

impl<'a> Outline<'a> {
    /// How the anchor of a value or key is written in the tree, where that is known.
    pub(crate) fn anchor(&self, target: Target) -> Option<&str> {
        let behind = self.anchors.partition_point(|anchor| anchor.target.row <= target.row);
        let here = self.anchors[..behind].iter().rev().take_while(|anchor| anchor.target.row == target.row);
        let anchor = here.into_iter().find(|anchor| anchor.target == target)?;
        (!anchor.written.is_empty()).then_some(&*anchor.written)
    }

    /// The row of a node of the same file, if it has one.
    pub(crate) fn row_of(&self, node: &Node<'_>) -> Option<&Row<'a>> {
        self.row(node.row?)
    }

    /// A row of which it is not known whether it is one of this file.
    pub(crate) fn row(&self, row: RowId) -> Option<&Row<'a>> {
        self.rows.get(row.index())
    }

    /// The full name of the tag of a value.
    pub(crate) fn tag(&self, row: RowId) -> Option<&str> {
        if self[row].tagged { self.tags.get(&row).map(AsRef::as_ref) } else { None }
    }

    /// Gives a value its tag, by its full name.
    pub(crate) fn set_tag(&mut self, row: RowId, name: String) {
        self[row].tagged = true;
        self.tags.insert(row, name.into());
    }

    /// The row behind the last one.
    pub(crate) fn end(&self) -> RowId {
        RowId::at(self.rows.len())
    }

    /// All rows in their order.
    pub(crate) fn all(&self) -> impl DoubleEndedIterator<Item = (RowId, &Row<'a>)> {
        self.rows.iter().enumerate().map(|(at, row)| (RowId::at(at), row))
    }

    /// A row and all that are inside of it.
    pub(crate) fn subtree(&self, row: RowId) -> &[Row<'a>] {
        &self.rows[row.index()..self[row].end.index()]
    }

    /// The rows directly inside of the collection of a node, without those that were taken out.
    pub(crate) fn children_of(&self, node: &Node<'_>) -> impl Iterator<Item = RowId> + '_ {
        node.row.into_iter().flat_map(|row| self.children(row))
    }

    /// Notes that the key of a value is text for its quotes alone.
    pub(crate) fn set_quoted_key(&mut self, row: RowId) {
        self.quoted_keys.insert(row);
    }

    /// Whether the key of a value is text for its quotes alone.
    pub(crate) fn has_quoted_key(&self, row: RowId) -> bool {
        !self.quoted_keys.is_empty() && self.quoted_keys.contains(&row)
    }

    /// The rows directly inside of a collection, without those that were taken out.
    pub(crate) fn children(&self, row: RowId) -> impl Iterator<Item = RowId> + '_ {
        let end = self[row].end;
        let first = Some(row.next()).filter(|first| *first < end);
        let all = std::iter::successors(first, move |&at| Some(self[at].end).filter(|&next| next < end));
        all.filter(|&at| !self[at].gone)
    }

    /// The value under a key of a map, without those that were taken out. Only an empty key can stand there twice.
    pub(crate) fn get(&self, map: RowId, name: &str) -> Option<RowId> {
        let may_be_large = self[map].end - map > FEW && !name.is_empty();
        match self.large.get(&map).filter(|_| may_be_large) {
            Some(names) => names.get(name).copied().filter(|&row| !self[row].gone),
            None => self.children(map).find(|&at| self[at].name.as_deref() == Some(name)),
        }
    }

    /// Notes that a value was taken out of the file.
    pub(crate) fn take_out(&mut self, row: RowId) {
        self[row].gone = true;
        self.has_gone = true;
    }

    fn places(&self) -> &Places {
        self.places.get_or_init(|| Places::of(&self.rows))
    }

    /// An item of a list, by its number among those that were not taken out.
    fn item(&self, list: RowId, at: usize) -> Option<RowId> {
        if self.has_gone || at < FEW { self.children(list).nth(at) } else { self.places().item(list, at) }
    }

    /// The row that a path leads to, if there is one.
    pub(crate) fn row_at(&self, path: &Path) -> Option<RowId> {
        let (document, steps) = match path.0.split_first() {
            Some((Step::Document(at), rest)) => (*at, rest),
            _ => (0, &path.0[..]),
        };
        let mut row = *self.documents.get(document)?;
        for step in steps {
            row = match step {
                Step::Key(name) if self[row].kind == RowKind::Map => self.get(row, name)?,
                Step::Item(at) if self[row].kind == RowKind::List => self.item(row, *at)?,
                _ => return None,
            };
        }
        Some(row)
    }

    /// The path of a row in its file as it was read.
    pub(crate) fn path(&self, row: RowId) -> Path {
        let document = self.documents.partition_point(|&document| document <= row).saturating_sub(1);
        let step = |row: RowId, number: u32| match &self[row].name {
            Some(name) => Step::Key(name.clone().into_owned()),
            None => Step::Item(number as usize),
        };
        let mut steps: Vec<_> = self.places().way(row).map(|(row, index)| step(row, index)).collect();
        steps.extend((self.documents.len() > 1).then_some(Step::Document(document)));
        steps.reverse();
        Path(steps)
    }

    /// What a value is, in words; an alias is what it stands for.
    pub(crate) fn kind_name(&self, row: RowId) -> &'static str {
        match self[row].kind {
            RowKind::Map => "a map",
            RowKind::List => "a list",
            RowKind::Alias(target) => target.value().map_or("a scalar", |row| self.kind_name(row)),
            RowKind::Scalar(_) => "a scalar",
        }
    }

    /// The value that an alias stands for; any other value itself, and so is an alias of a key.
    pub(crate) fn behind_alias(&self, row: RowId) -> RowId {
        match self[row].kind {
            RowKind::Alias(target) => target.value().unwrap_or(row),
            _ => row,
        }
    }

    /// Whether a value is or holds another, or has an alias that leads to it.
    pub(crate) fn leads_to(&self, row: RowId, goal: RowId) -> bool {
        let (mut open, mut seen) = (vec![row], HashSet::default());
        while let Some(row) = open.pop() {
            if (row..self[row].end).contains(&goal) {
                return true;
            }
            if seen.insert(row) {
                let target = |row: &Row<'_>| match row.kind {
                    RowKind::Alias(target) => target.value(),
                    _ => None,
                };
                open.extend(self.subtree(row).iter().filter_map(target));
            }
        }
        false
    }

    /// Whether a map gets a value for `name` through its merge key `<<`.
    pub(crate) fn inherits(&self, map: RowId, name: &str) -> bool {
        self.inherited(map, name).is_some()
    }

    /// The value that a map gets for `name` through its merge key `<<`: of a list of maps the first that has it decides
    /// (<https://yaml.org/type/merge.html>). Aliases are followed, each collection once.
    pub(crate) fn inherited(&self, map: RowId, name: &str) -> Option<RowId> {
        self.merged_in(self.get(map, "<<")?, name)
    }

    /// The value that the value of a merge key `<<` gives for `name`.
    pub(crate) fn merged_in(&self, value: RowId, name: &str) -> Option<RowId> {
        let mut open = vec![value];
        let mut seen = HashSet::default();
        while let Some(row) = open.pop() {
            match self[row].kind {
                RowKind::Alias(target) => open.extend(target.value()),
                _ if !seen.insert(row) => {}
                RowKind::List => {
                    let first = open.len();
                    open.extend(self.children(row));
                    open[first..].reverse();
                }
                RowKind::Map => match self.get(row, name) {
                    Some(value) => return Some(value),
                    None => open.extend(self.get(row, "<<")),
                },
                RowKind::Scalar(_) => {}
            }
        }
        None
    }
}

/// What the full names of YAML's own types start with.
pub(crate) const CORE: &str = "tag:yaml.org,2002:";
