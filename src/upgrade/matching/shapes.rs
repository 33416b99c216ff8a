//! What values consist of: values that have the same fields, items and texts are one shape.
//!
//! Long lists have many items that are alike, and aliases can make one value part of very many others. Each shape is
//! known once, and what two of them have in common is counted once.

use foldhash::{HashMap, HashSet};
use std::cell::RefCell;
use std::rc::Rc;

use super::index::Index;
use crate::text::piece::Piece;
use crate::yaml::limits::MAX_DEPTH;
use crate::yaml::row::RowId;
use crate::yaml::value::{Value, ValueKind};

/// The number of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Id(usize);

/// What a value consists of. Its tag says nothing, and neither does the order of keys.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape<'n> {
    Scalar(Piece<'n>),
    /// By name, each once.
    Map(Vec<(Piece<'n>, Part<'n>)>),
    List(Vec<Part<'n>>),
}

/// A shape where a value has it, and the alias that it is written as there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Part<'n> {
    pub(super) shape: Id,
    pub(super) alias: Option<&'n str>,
}

/// All shapes of two lists.
#[derive(Default)]
pub(super) struct Shapes<'n> {
    all: Vec<Rc<Shape<'n>>>,
    known: HashMap<Rc<Shape<'n>>, Id>,
    /// What collections have in common.
    compared: RefCell<HashMap<(Id, Id), Option<usize>>>,
}

impl<'n> Shapes<'n> {
    /// The shapes of the items of one file.
    pub(super) fn parts(&mut self, items: impl Iterator<Item = Value<'n, 'n>>) -> Vec<Part<'n>> {
        let mut file = File { shapes: self, behind_aliases: HashMap::default() };
        items.map(|item| file.part(item, 0)).collect()
    }

    pub(super) fn shape(&self, part: Part<'n>) -> &Shape<'n> {
        &self.all[part.shape.0]
    }

    fn add(&mut self, shape: Shape<'n>) -> Id {
        if let Some(known) = self.known.get(&shape) {
            return *known;
        }
        let (id, shape) = (Id(self.all.len()), Rc::new(shape));
        self.all.push(Rc::clone(&shape));
        self.known.insert(shape, id);
        id
    }

    /// How many scalar values two values have in common; nothing where they differ under a key that both have. What the
    /// user changed at an anchor is no difference of the items that refer to it: the alias is a value in common.
    pub(super) fn overlap(&self, mine: Part<'n>, theirs: Part<'n>) -> Option<usize> {
        self.in_common(mine, theirs).or_else(|| (mine.alias.is_some() && mine.alias == theirs.alias).then_some(1))
    }

    fn in_common(&self, mine: Part<'n>, theirs: Part<'n>) -> Option<usize> {
        let both = (mine.shape, theirs.shape);
        if let (Shape::Scalar(_), _) | (_, Shape::Scalar(_)) = (self.shape(mine), self.shape(theirs)) {
            return (mine.shape == theirs.shape).then_some(1);
        }
        if let Some(known) = self.compared.borrow().get(&both) {
            return *known;
        }
        let found = match (self.shape(mine), self.shape(theirs)) {
            (Shape::Map(mine), Shape::Map(theirs)) => self.overlap_of_maps(mine, theirs),
            (Shape::List(mine), Shape::List(theirs)) => self.overlap_of_lists(mine, theirs),
            _ => None,
        };
        self.compared.borrow_mut().insert(both, found);
        found
    }

    fn overlap_of_maps(&self, mine: &Fields<'n>, theirs: &Fields<'n>) -> Option<usize> {
        let (few, many) = if mine.len() < theirs.len() { (mine, theirs) } else { (theirs, mine) };
        let swapped = mine.len() >= theirs.len();
        few.iter().try_fold(0_usize, |sum, (name, part)| {
            let Ok(at) = many.binary_search_by(|(other, _)| other.cmp(name)) else { return Some(sum) };
            let (mine, theirs) = if swapped { (many[at].1, *part) } else { (*part, many[at].1) };
            Some(sum.saturating_add(self.overlap(mine, theirs)?))
        })
    }

    /// Lists of scalars say nothing; of lists of objects one pair is enough, which may be of two objects without values.
    fn overlap_of_lists(&self, mine: &[Part<'n>], theirs: &[Part<'n>]) -> Option<usize> {
        let objects = |items: &[Part<'n>]| -> Vec<_> {
            items.iter().copied().filter(|item| matches!(self.shape(*item), Shape::Map(_))).collect()
        };
        let (mine, theirs) = (objects(mine), objects(theirs));
        if mine.is_empty() || theirs.is_empty() {
            return Some(0);
        }
        let mut index = Index::of(self, &theirs);
        let sum = mine.iter().map(|item| index.best(*item).score()).fold(0, usize::saturating_add);
        let is_there = || {
            let shapes: HashSet<_> = theirs.iter().map(|item| item.shape).collect();
            mine.iter().any(|item| shapes.contains(&item.shape))
        };
        (sum > 0 || is_there()).then_some(sum)
    }
}

type Fields<'n> = [(Piece<'n>, Part<'n>)];

/// The values of one file on their way to shapes.
struct File<'s, 'n> {
    shapes: &'s mut Shapes<'n>,
    /// What aliases stand for, by its row.
    behind_aliases: HashMap<RowId, Id>,
}

impl<'n> File<'_, 'n> {
    fn part(&mut self, value: Value<'n, 'n>, depth: usize) -> Part<'n> {
        let alias = value.alias();
        let known = alias.and_then(|_| self.behind_aliases.get(&value.row()).copied());
        let shape = known.unwrap_or_else(|| self.shape(value, depth));
        if alias.is_some() {
            self.behind_aliases.insert(value.row(), shape);
        }
        Part { shape, alias }
    }

    /// Through aliases values stand as deep in each other as a file has lines; below what a file may have without them
    /// they say nothing.
    fn shape(&mut self, value: Value<'n, 'n>, depth: usize) -> Id {
        let shape = match value.kind() {
            _ if depth > MAX_DEPTH => Shape::List(Vec::new()),
            ValueKind::Scalar => Shape::Scalar(Piece::Borrowed(value.text())),
            ValueKind::List => Shape::List(value.items().map(|item| self.part(item, depth + 1)).collect()),
            ValueKind::Map => {
                let mut fields: Vec<_> =
                    value.fields().map(|(name, value)| (name, self.part(value, depth + 1))).collect();
                fields.sort_by(|(a, _), (b, _)| a.cmp(b));
                fields.dedup_by(|(later, _), (first, _)| later == first);
                Shape::Map(fields)
            }
        };
        self.shapes.add(shape)
    }
}
