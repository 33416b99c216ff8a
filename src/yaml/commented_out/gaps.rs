//! The gaps of a tree: which lines stand between two nodes, who holds them, and which blocks are open there.

use memchr::memchr_iter;

use super::recognise::{Block, BlockKind, CommentedOut, Gap, Last, LineBetween, Owner};
use crate::text::scan::{self, Start};
use crate::yaml::path::Step;
use crate::yaml::tree::{Kind, Line, Node, Offset, Opener, Shape};

/// What a node holds besides its own line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    Above,
    /// The header of a document.
    Header,
    Below,
}

/// The lines of one node in a gap.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Holder<'n, 'a> {
    pub(crate) node: usize,
    pub(crate) part: Part,
    pub(crate) lines: &'n [Line<'a>],
    /// The column that they stand beside.
    pub(crate) column: i32,
}

/// A node with its place in the tree. Nodes are numbered as they are written. There is one for each node of a file, so it
/// is small: there are fewer nodes, and fewer columns, than 32 bits can count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbered<'n, 'a> {
    pub(crate) node: &'n Node<'a>,
    parent: u32,
    pub(crate) column: i32,
    /// Which child of its parent it is.
    at: u32,
}

impl Numbered<'_, '_> {
    /// The number of the node that it is a child of.
    pub(crate) fn parent(&self) -> usize {
        self.parent as usize
    }
}

/// The lines between two neighbouring nodes of a document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Between<'g, 'n, 'a> {
    pub(crate) holders: &'g [Holder<'n, 'a>],
    /// The node before the lines: the document, where they are the first.
    pub(crate) before: usize,
    /// The node behind them; nothing at the end of the document.
    pub(crate) next: Option<usize>,
}

impl<'g, 'n, 'a> Between<'g, 'n, 'a> {
    /// All lines, in their order.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &'n Line<'a>> + use<'g, 'n, 'a> {
        self.holders.iter().flat_map(|holder| holder.lines)
    }

    /// The one that holds a line.
    pub(crate) fn holder(&self, line: usize) -> Option<&'g Holder<'n, 'a>> {
        let mut behind = 0;
        self.holders.iter().find(|holder| {
            behind += holder.lines.len();
            line < behind
        })
    }
}

/// A gap by its holders, which are the ones behind those of the gap before it.
#[derive(Debug)]
struct Bounds {
    end_of_holders: u32,
    before: u32,
    next: Option<u32>,
}

/// All nodes of a document, and those gaps in which options may stand.
#[derive(Debug, Default)]
pub(crate) struct Gaps<'n, 'a> {
    pub(crate) nodes: Vec<Numbered<'n, 'a>>,
    bounds: Vec<Bounds>,
    holders: Vec<Holder<'n, 'a>>,
    /// How far blocks are indented.
    step: i32,
}

/// Is shown each gap by its number, when it and all before it are known.
type Show<'s, 'n, 'a> = &'s mut dyn FnMut(&Gaps<'n, 'a>, usize);

impl<'n, 'a> Gaps<'n, 'a> {
    /// The gaps of a document without what is over its `---`. Each is shown as soon as it is found, while its lines are at
    /// hand: a large document is not walked through twice.
    pub(super) fn of(document: &'n Node<'a>, show: Show<'_, 'n, 'a>) -> Self {
        let mut gaps = Self { step: document.step(), ..Self::default() };
        gaps.nodes.reserve(lines_of(document));
        gaps.nodes.push(Numbered { node: document, parent: 0, column: -1, at: 0 });
        if document.shape == Shape::Open {
            gaps.holders.push(Holder { node: 0, part: Part::Header, lines: document.header(), column: -1 });
        }
        gaps.inside(0, show);
        gaps.close(None, show);
        gaps.nodes.shrink_to_fit();
        gaps
    }

    /// The gaps in their order.
    pub(crate) fn all(&self) -> impl ExactSizeIterator<Item = Between<'_, 'n, 'a>> {
        (0..self.bounds.len()).map(|gap| self.between(gap))
    }

    /// A gap by its number.
    pub(crate) fn get(&self, gap: usize) -> Option<Between<'_, 'n, 'a>> {
        (gap < self.bounds.len()).then(|| self.between(gap))
    }

    fn between(&self, gap: usize) -> Between<'_, 'n, 'a> {
        let Bounds { end_of_holders, before, next } = self.bounds[gap];
        let holders = &self.holders[self.first_holder(gap)..end_of_holders as usize];
        Between { holders, before: before as usize, next: next.map(|next| next as usize) }
    }

    fn first_holder(&self, gap: usize) -> usize {
        gap.checked_sub(1).and_then(|before| self.bounds.get(before)).map_or(0, |gap| gap.end_of_holders as usize)
    }

    fn inside(&mut self, number: usize, show: Show<'_, 'n, 'a>) {
        let node = self.nodes[number].node;
        let column = self.nodes[number].column + node.indent;
        for (child, at) in node.children.iter().zip(0..) {
            let own = self.nodes.len();
            self.hold(Holder { node: own, part: Part::Above, lines: &child.above, column });
            self.nodes.push(Numbered { node: child, parent: short(number), column, at });
            self.close(Some(own), show);
            self.inside(own, show);
        }
        self.hold(Holder { node: number, part: Part::Below, lines: &node.below, column });
    }

    /// Adds lines to the gap that is still open.
    fn hold(&mut self, holder: Holder<'n, 'a>) {
        self.holders.push(holder);
    }

    /// Most gaps are empty or prose.
    fn close(&mut self, next: Option<usize>, show: Show<'_, 'n, 'a>) {
        let first = self.first_holder(self.bounds.len());
        if self.holders[first..].iter().flat_map(|holder| holder.lines).any(may_hold_entry) {
            let (end, before) = (self.holders.len(), next.unwrap_or(self.nodes.len()) - 1);
            self.bounds.push(Bounds { end_of_holders: short(end), before: short(before), next: next.map(short) });
            show(self, self.bounds.len() - 1);
        } else {
            self.holders.truncate(first);
        }
    }

    /// Makes it the gap of a number, with the lines and blocks that tell of options.
    pub(super) fn fill(&self, gap: &mut Gap<'n>, number: usize) {
        let between = &self.between(number);
        gap.lines.clear();
        for holder in between.holders {
            gap.lines.extend(holder.lines.iter().map(|line| gap_line(line, holder.column)));
        }
        gap.blocks.clear();
        self.blocks_around(between.before, &mut gap.blocks);
        let parent = between.next.map_or(0, |_| self.parent_of_next(between));
        gap.next = gap.blocks.iter().position(|block| block.owner == Owner::Live(parent)).unwrap_or(0);
        gap.step = self.step;
    }

    /// The key of a map by its number: nothing for that of the document.
    pub(crate) fn key(&self, map: usize) -> Option<&'n str> {
        (map > 0).then(|| &*self.nodes[map].node.name)
    }

    /// The number of the node whose child stands behind a gap.
    pub(crate) fn parent_of_next(&self, between: &Between<'_, '_, '_>) -> usize {
        between.next.and_then(|next| self.nodes.get(next)).map_or(0, Numbered::parent)
    }

    /// At which place among the children of a node an option of a gap belongs.
    pub(crate) fn position(&self, between: &Between<'_, '_, '_>, parent: usize) -> usize {
        match between.next.and_then(|next| self.nodes.get(next)) {
            Some(next) if next.parent() == parent => next.at as usize,
            _ => self.nodes.get(parent).map_or(0, |parent| parent.node.children.len()),
        }
    }

    /// Whether the key right above a commented-out one of a gap, and the one right below, are live keys of its name, by all
    /// that is commented out there. None is right below the head of a file, which a blank line sets off.
    pub(crate) fn are_live_beside(
        &self,
        between: &Between<'_, '_, '_>,
        options: &[CommentedOut<'_>],
        option: &CommentedOut<'_>,
    ) -> [bool; 2] {
        let Some((map, name)) = option.key() else { return [false; 2] };
        let keys = &self.nodes[map].node.children;
        let is_key = |at: Option<usize>| at.and_then(|at| keys.get(at)).is_some_and(|key| key.name == name);
        let below = self.position(between, map);
        let is_in_head = between.holder(option.start).is_some_and(|holder| holder.part == Part::Header);
        let [is_first, is_last] = is_outermost(options, option);
        [is_first && is_key(below.checked_sub(1)), is_last && !is_in_head && is_key(Some(below))]
    }

    /// The nodes around a node and itself, the outermost first; without the document.
    pub(crate) fn path(&self, number: usize) -> Vec<&'n Node<'a>> {
        let mut path: Vec<_> = self.around(number).collect();
        path.reverse();
        path
    }

    /// The same, the innermost first.
    pub(crate) fn around(&self, number: usize) -> impl Iterator<Item = &'n Node<'a>> {
        self.upward(number).map(|numbered| numbered.node)
    }

    fn upward(&self, number: usize) -> impl Iterator<Item = &Numbered<'n, 'a>> {
        let node = |number: usize| self.nodes.get(number).filter(|_| number > 0);
        std::iter::successors(node(number), move |inner| node(inner.parent()))
    }

    /// The way from the document to a node.
    pub(super) fn steps(&self, number: usize) -> Vec<Step> {
        let step = |numbered: &Numbered<'_, '_>| match numbered.node.opener {
            Opener::Item { .. } => Step::Item(numbered.at as usize),
            _ => Step::Key(numbered.node.name.clone().into_owned()),
        };
        let mut steps: Vec<_> = self.upward(number).map(step).collect();
        steps.reverse();
        steps
    }

    /// The blocks that are open behind the line of a node, the outermost first.
    fn blocks_around(&self, number: usize, blocks: &mut Vec<Block<'n>>) {
        let (node, column) = (self.nodes[number].node, self.nodes[number].column);
        if number > 0 {
            self.blocks_around(self.nodes[number].parent(), blocks);
        }
        let kind = match node.kind() {
            Kind::Map => BlockKind::Map,
            Kind::List => BlockKind::List,
            Kind::Leaf => BlockKind::Empty,
        };
        let (owner, key) = (Owner::Live(number), (number > 0).then_some(&*node.name));
        if kind != BlockKind::Empty {
            blocks.push(Block { owner, column: column + node.indent, kind, key, last: None, opened: None });
        } else if number == 0 {
            blocks.push(Block { owner, column: 0, kind, key, last: None, opened: None });
        } else if let Some(block) = blocks.last_mut().filter(|_| takes_block(node)) {
            block.last = Some(Last { owner, column, key });
        }
    }
}

/// About how many nodes there are in a document, by the lines between its first and its last one.
fn lines_of(document: &Node<'_>) -> usize {
    let mut last = document;
    while let Some(child) = last.children.last() {
        last = child;
    }
    last.line().saturating_sub(document.line()) + 1
}

fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Whether a block could stand below a node: a key without a value, or with an empty collection.
fn takes_block(node: &Node<'_>) -> bool {
    matches!(node.opener, Opener::Key(_)) && has_no_value(node)
}

/// Whether a node has no value, or an empty collection, be it on the line below.
pub(crate) fn has_no_value(node: &Node<'_>) -> bool {
    let lines = usize::from(has_braces_below(node));
    matches!(node.shape, Shape::Open | Shape::Flow { empty: true }) && node.continuation.len() == lines
}

/// Whether a flow collection starts on the line below its key.
fn has_braces_below(node: &Node<'_>) -> bool {
    matches!(node.shape, Shape::Flow { .. }) && scan::value_start(&node.value_text).0 == Start::Nothing
}

/// Whether the items of a key stand at its own column: what is commented out behind the last of them stands above the next key.
pub(crate) fn is_list_at_own_column(node: &Node<'_>) -> bool {
    matches!(node.opener, Opener::Key(_)) && node.indent == 0 && node.kind() == Kind::List
}

/// Whether a key has an empty map in braces, below which keys can be commented out.
pub(crate) fn has_empty_braces(node: &Node<'_>) -> bool {
    let below = node.continuation.first().filter(|_| has_braces_below(node));
    let text = below.map_or(&*node.value_text, Line::trimmed);
    takes_block(node) && text[scan::value_start(text).1..].starts_with('{')
}

/// Whether an entry is the first and the last one in a gap of those in its block.
fn is_outermost(found: &[CommentedOut<'_>], option: &CommentedOut<'_>) -> [bool; 2] {
    let mut beside = found.iter().filter(|other| other.parent == option.parent).map(|other| other.start);
    let first = beside.next();
    [first, beside.next_back().or(first)].map(|start| start == Some(option.start))
}

/// Whether an option may start on a line: no key is without a colon that ends a word, and no item without a dash first.
fn may_hold_entry(line: &Line<'_>) -> bool {
    let Line::Text(_, text, _) = line else { return false };
    let text = text.trim_end();
    let bytes = text.as_bytes();
    let ends_word = |colon: usize| matches!(bytes.get(colon + 1), None | Some(b' ' | b'\t'));
    memchr_iter(b':', bytes).any(ends_word) || text.trim_start_matches(['#', ' ', '\t']).starts_with('-')
}

/// A line that stands beside a column.
pub(crate) fn gap_line<'l>(line: &'l Line<'_>, column: i32) -> LineBetween<'l> {
    match line {
        Line::Blank(..) => None,
        Line::Text(Offset::Beside(by), text, _) => Some((column + by, text)),
        Line::Text(Offset::Margin | Offset::CommentedOut(_), text, _) => Some((0, text)),
    }
}
