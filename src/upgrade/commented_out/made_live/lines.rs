//! A document as its nodes and the lines between them, in their order.

use foldhash::HashMap;
use std::ops::Range;

use crate::text::scan;
use crate::yaml::tree::{Line, Node, Offset};

/// A node, or a line between two nodes with the column that it stands beside.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part<'n, 'a> {
    Node(&'n Node<'a>),
    Line(&'n Line<'a>, i32),
}

impl<'n, 'a> Part<'n, 'a> {
    pub(super) fn node(self) -> Option<&'n Node<'a>> {
        match self {
            Self::Node(node) => Some(node),
            Self::Line(..) => None,
        }
    }

    pub(super) fn line(self) -> Option<&'n Line<'a>> {
        match self {
            Self::Node(_) => None,
            Self::Line(line, _) => Some(line),
        }
    }

    /// What a comment says.
    pub(super) fn words(self) -> Option<&'n str> {
        self.line().filter(|line| line.has_words()).map(Line::said)
    }

    /// The column at which a comment says its words.
    pub(super) fn column_of_words(self) -> Option<usize> {
        let (Self::Line(line, column), words) = (self, self.words()?) else { return None };
        let hash = if let Line::Text(Offset::Beside(by), ..) = line { column + by } else { 0 };
        Some(usize::try_from(hash).unwrap_or(0) + line.trimmed().len() - words.len())
    }

    /// Whether a comment would be a key without a value.
    pub(super) fn opens_block(self) -> bool {
        self.words().and_then(scan::key_and_rest).is_some_and(|(_, rest)| rest.trim_ascii().is_empty())
    }

    /// The key that a comment would be without its `#`.
    pub(super) fn key(self) -> Option<&'n str> {
        let (key, _) = scan::key_and_rest(self.words()?)?;
        Some(key.trim_end().trim_matches(['"', '\'']))
    }
}

/// The nodes and lines of a document.
pub(super) fn parts<'n, 'a>(document: &'n Node<'a>) -> Vec<Part<'n, 'a>> {
    let mut parts = Vec::new();
    parts.extend(document.header().iter().map(|line| Part::Line(line, -1)));
    add_inside(document, -1, &mut parts);
    parts
}

fn add_inside<'n, 'a>(node: &'n Node<'a>, column: i32, parts: &mut Vec<Part<'n, 'a>>) {
    let column = column + node.indent;
    for child in &node.children {
        parts.extend(child.above.iter().map(|line| Part::Line(line, column)));
        parts.push(Part::Node(child));
        add_inside(child, column, parts);
    }
    parts.extend(node.below.iter().map(|line| Part::Line(line, column)));
}

/// Where each of these keys is commented out.
pub(super) fn commented_out_keys<'n>(
    parts: &[Part<'n, '_>],
    is_wanted: impl Fn(&str) -> bool,
) -> HashMap<&'n str, Vec<usize>> {
    let mut keys: HashMap<_, Vec<_>> = HashMap::default();
    for (at, part) in parts.iter().enumerate() {
        if let Some(key) = part.key().filter(|key| is_wanted(key)) {
            keys.entry(key).or_default().push(at);
        }
    }
    keys
}

/// Words with the place of the comment that alone says them.
pub(super) type UniqueWords<'n> = HashMap<&'n str, usize>;

pub(super) fn unique_words<'n>(parts: &[Part<'n, '_>]) -> UniqueWords<'n> {
    let mut words = HashMap::default();
    for (at, part) in parts.iter().enumerate() {
        if let Some(said) = part.words() {
            words.entry(said).and_modify(|place| *place = None).or_insert(Some(at));
        }
    }
    words.into_iter().filter_map(|(said, place)| Some((said, place?))).collect()
}

/// Those of some places, in their order, that are in a range.
pub(super) fn among<'l>(places: &'l [usize], range: &Range<usize>) -> &'l [usize] {
    let first = places.partition_point(|at| *at < range.start);
    let end = places.partition_point(|at| *at < range.end);
    places.get(first..end).unwrap_or_default()
}
