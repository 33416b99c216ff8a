//! What becomes of the nodes of a document whose commented-out keys are nodes, too.

use foldhash::{HashMap, HashSet};

use crate::yaml::commented_out::gaps::Part;
use crate::yaml::tree::{Line, Node, Origin};

/// What becomes of the nodes of a document, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Edits<'a>(Vec<Option<Box<NodeEdits<'a>>>>);

/// What becomes of a node.
#[derive(Debug, Default)]
pub(super) struct NodeEdits<'a> {
    /// Which lines it keeps, where it loses some.
    above: Option<Vec<Line<'a>>>,
    header: Option<Vec<Line<'a>>>,
    below: Option<Vec<Line<'a>>>,
    /// How far right of it its options stand, where they are its first children.
    pub(super) indent: Option<i32>,
    /// What is commented out in a key and is no option: items below a key without a value, all below `[]` and `{}`, and all
    /// in a key that the other file has commented out. These are lines beside the key.
    pub(super) items: Vec<Line<'a>>,
    /// Lines that go above one of its live keys, by the name of that.
    pub(super) examples: HashMap<String, Vec<Line<'a>>>,
    /// The options inside of it, in their order.
    pub(super) options: Vec<Inserted<'a>>,
}

/// An option on its way into a node.
#[derive(Debug)]
pub(super) struct Inserted<'a> {
    pub(super) option: Box<Node<'a>>,
    /// Before which of the children it belongs.
    pub(super) at: usize,
}

impl<'a> NodeEdits<'a> {
    /// Leaves a node these lines alone in a place.
    pub(super) fn keep(&mut self, part: Part, lines: Vec<Line<'a>>) {
        match part {
            Part::Above => self.above = Some(lines),
            Part::Header => self.header = Some(lines),
            Part::Below => self.below = Some(lines),
        }
    }

    /// Changes all of a node but its children; the options that are to stand among these.
    pub(super) fn apply(self, node: &mut Node<'a>) -> Vec<Inserted<'a>> {
        if let (Some(header), Some(kept)) = (node.header_mut(), self.header) {
            *header = kept;
        }
        if let Some(kept) = self.above {
            node.above = kept;
        }
        if let Some(kept) = self.below {
            node.below = kept.into();
        }
        if let Some(indent) = self.indent {
            let by = node.indent - indent;
            node.below = std::mem::take(&mut node.below).into_iter().map(|line| line.moved(by)).collect();
            node.indent = indent;
        }
        let mut examples = self.examples;
        let keys = if examples.is_empty() { &mut [] } else { &mut node.children[..] };
        for key in keys {
            if let Some(lines) = examples.remove(&*key.name) {
                put_example_above(key, lines);
            }
        }
        let indent = node.indent;
        node.below.extend(self.items.into_iter().map(|line| line.moved(-indent)));
        self.options
    }
}

impl<'a> Edits<'a> {
    pub(super) fn at(&mut self, node: usize) -> &mut NodeEdits<'a> {
        if self.0.len() <= node {
            self.0.resize_with(node + 1, || None);
        }
        self.0[node].get_or_insert_default()
    }

    /// What becomes of each of some nodes, which are all of a document, in their order.
    pub(super) fn by_node<N>(self, nodes: impl IntoIterator<Item = N>) -> impl Iterator<Item = (N, NodeEdits<'a>)> {
        nodes.into_iter().zip(self.0).filter_map(|(node, edits)| Some((node, *edits?)))
    }

    /// Changes a node and what is inside of it; nodes are numbered as they are written.
    pub(super) fn apply(&mut self, node: &mut Node<'a>, number: &mut usize) {
        let own = *number;
        if own >= self.0.len() {
            return;
        }
        for child in &mut node.children {
            *number += 1;
            self.apply(child, number);
        }
        if let Some(edits) = self.0[own].take() {
            let options = edits.apply(node);
            insert(node, options);
        }
    }
}

/// Puts the example of a key above it, as far as it does not stand there, each line once: above the words there, which stay a
/// paragraph of their own, else below the blank lines that set the key off.
fn put_example_above<'a>(key: &mut Node<'a>, mut example: Vec<Line<'a>>) {
    let mut said: HashSet<_> = key.above.iter().map(|line| line.said().to_owned()).collect();
    example.retain(|line| !line.has_words() || said.insert(line.said().to_owned()));
    if example.iter().any(Line::has_words) {
        let start = if key.above.iter().any(Line::is_comment) { 0 } else { key.above.len() };
        key.above.splice(start..start, example);
    }
}

/// Puts options between the children of a node.
fn insert<'a>(node: &mut Node<'a>, options: Vec<Inserted<'a>>) {
    let mut options = options.into_iter().peekable();
    if options.peek().is_none() {
        return;
    }
    let origin = node.origin;
    let room = Vec::with_capacity(node.children.len() + options.len());
    let children = std::mem::replace(&mut node.children, room);
    for (at, child) in children.into_iter().enumerate() {
        while let Some(Inserted { option, .. }) = options.next_if(|option| option.at <= at) {
            node.children.push(of(origin, option));
        }
        node.children.push(child);
    }
    node.children.extend(options.map(|Inserted { option, .. }| of(origin, option)));
}

/// An option with all that is inside of it, as one of a file.
fn of(origin: Origin, mut option: Box<Node<'_>>) -> Box<Node<'_>> {
    option.origin = origin;
    option.children = option.children.into_iter().map(|child| of(origin, child)).collect();
    option
}
