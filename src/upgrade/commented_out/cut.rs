//! Options on their way from the comments of a document into its nodes.

use std::borrow::Cow;
use std::ops::Range;

use super::old::OldOptions;
use super::paths::{Examples, Paths};
use super::words::is_doubled;
use crate::text::source::End;
use crate::yaml::commented_out::gaps::{Between, Gaps, Part};
use crate::yaml::commented_out::recognise::{CommentedOut, Owner};
use crate::yaml::commented_out::{Found, Keys};
use crate::yaml::tree::{BehindHash, Line, NO_ROW, Node, Offset, Opener, Origin, Shape};

/// Which options become nodes.
pub(super) enum Wanted<'p, 'n, 'a> {
    /// All that are no examples of the user's, whose keys are known where somebody asks for them.
    AllBut { examples: &'p Examples<'n>, own: Option<&'p Paths<'n, 'a>> },
    /// Those that another file has, too; of a user's file, as far as an old default does not know them for something else.
    PairedWith { others: &'p Paths<'n, 'a>, old: &'p OldOptions<'n> },
}

impl Wanted<'_, '_, '_> {
    fn has(&self, gaps: &Gaps<'_, '_>, map: usize, name: &str, several: &Keys<'_>) -> bool {
        match self {
            Self::AllBut { examples, own } => {
                // One of several takes part only where the user has chosen one.
                let is_chosen = || own.is_none_or(|own| own.is_live(gaps, map, name) == Some(true));
                !examples.has(gaps, map, name) && (!several.contains(&(map, name)) || is_chosen())
            }
            Self::PairedWith { others, old } => match others.is_live(gaps, map, name) {
                Some(is_live) => is_live || !several.contains(&(map, name)),
                None => others.is_commented_out(gaps, map) && old.has_inside(gaps, (map, name)),
            },
        }
    }

    /// Whether a line is the example of an old default beside a key that is live in the other file.
    fn is_old_example(&self, gaps: &Gaps<'_, '_>, key: (usize, &str), text: &str) -> bool {
        match self {
            Self::AllBut { .. } => false,
            Self::PairedWith { others, old } => {
                old.is_example(gaps, key, text) && others.is_live(gaps, key.0, key.1) == Some(true)
            }
        }
    }

    /// Whether what is commented out below a key belongs to that: in the other file it has nothing live below it either.
    fn has_below(&self, gaps: &Gaps<'_, '_>, key: usize) -> bool {
        match self {
            Self::AllBut { own, .. } => own.and_then(|own| own.is_leaf(gaps, key)).unwrap_or(true),
            Self::PairedWith { others, .. } => others.is_leaf(gaps, key) == Some(true),
        }
    }
}

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
    indent: Option<isize>,
    /// What is commented out below a key without a value and is no option: items, and all below `[]` and `{}`. These are
    /// lines beside the key.
    items: Vec<Line<'a>>,
    /// The options inside of it, in their order.
    options: Vec<Inserted<'a>>,
}

/// An option on its way into a node.
#[derive(Debug)]
pub(super) struct Inserted<'a> {
    pub(super) option: Node<'a>,
    /// Before which of the children it belongs.
    pub(super) at: usize,
}

impl<'a> NodeEdits<'a> {
    /// Changes all of a node but its children; the options that are to stand among these.
    pub(super) fn apply(self, node: &mut Node<'a>) -> Vec<Inserted<'a>> {
        if let (Some(header), Some(kept)) = (node.header_mut(), self.header) {
            *header = kept;
        }
        for (lines, kept) in [(&mut node.above, self.above), (&mut node.below, self.below)] {
            if let Some(kept) = kept {
                *lines = kept;
            }
        }
        if let Some(indent) = self.indent {
            let by = node.indent - indent;
            node.below = std::mem::take(&mut node.below).into_iter().map(|line| line.moved(by)).collect();
            node.indent = indent;
        }
        let indent = node.indent;
        node.below.extend(self.items.into_iter().map(|line| line.moved(-indent)));
        self.options
    }
}

impl<'a> Edits<'a> {
    /// What becomes of a document where these options are to be nodes.
    pub(super) fn of<'n>(found: &Found<'n, 'a>, wanted: &Wanted<'_, '_, '_>) -> Self {
        let Found { gaps, by_gap, several, live_too } = found;
        let mut known = live_too.clone();
        let mut edits = Self::default();
        for (between, found) in gaps.all.iter().zip(by_gap) {
            let mut takes = |map: usize, option: &CommentedOut<'n>| {
                let Some(name) = option.name.filter(|_| gaps.nodes[map].node.shape == Shape::Open) else {
                    return wanted.has_below(gaps, map);
                };
                !wanted.is_old_example(gaps, (map, name), option.text)
                    && known.insert((map, name))
                    && wanted.has(gaps, map, name, several)
            };
            let outer = found.iter().enumerate().filter_map(|(at, option)| match option.parent {
                Owner::Live(map) if takes(map, option) => Some((at, map)),
                _ => None,
            });
            let outer: Vec<_> = outer.collect();
            if !outer.is_empty() {
                Cutter::new(gaps, between, found).cut(&outer, several, &mut edits);
            }
        }
        edits
    }

    fn at(&mut self, node: usize) -> &mut NodeEdits<'a> {
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

/// Puts options between the children of a node.
fn insert<'a>(node: &mut Node<'a>, options: Vec<Inserted<'a>>) {
    let mut options = options.into_iter().peekable();
    if options.peek().is_none() {
        return;
    }
    let origin = node.origin;
    let children = std::mem::take(&mut node.children);
    for (at, child) in children.into_iter().enumerate() {
        while let Some(Inserted { option, .. }) = options.next_if(|option| option.at <= at) {
            node.children.push(of(origin, option));
        }
        node.children.push(child);
    }
    node.children.extend(options.map(|Inserted { option, .. }| of(origin, option)));
}

/// An option with all that is inside of it, as one of a file.
fn of(origin: Origin, option: Node<'_>) -> Node<'_> {
    let children = option.children.into_iter().map(|child| of(origin, child)).collect();
    Node { children, origin, ..option }
}

/// Cuts the options out of a gap.
struct Cutter<'c, 'n, 'a> {
    gaps: &'c Gaps<'n, 'a>,
    between: &'c Between<'n, 'a>,
    found: &'c [CommentedOut<'n>],
    /// For each line its holder and its place there.
    lines: Vec<(usize, usize)>,
    /// Which lines the holders lose.
    cut: Vec<bool>,
}

impl<'c, 'n, 'a> Cutter<'c, 'n, 'a> {
    fn new(gaps: &'c Gaps<'n, 'a>, between: &'c Between<'n, 'a>, found: &'c [CommentedOut<'n>]) -> Self {
        let held = between.holders.iter().enumerate();
        let lines: Vec<_> = held.flat_map(|(at, holder)| (0..holder.lines.len()).map(move |line| (at, line))).collect();
        let cut = vec![false; lines.len()];
        Self { gaps, between, found, lines, cut }
    }

    /// Cuts the options that stand directly inside of nodes.
    fn cut(mut self, outer: &[(usize, usize)], several: &Keys<'_>, edits: &mut Edits<'a>) {
        let mut behind = 0;
        for &(at, parent) in outer {
            let CommentedOut { name, start, column, .. } = self.found[at];
            let end = self.end_of(at);
            let first = self.comment_above(behind..start);
            let holder = self.gaps.nodes[parent].node;
            if let Some(name) = name.filter(|_| holder.shape == Shape::Open) {
                let mut option = self.node(at, end);
                let is_one_of_several = several.contains(&(parent, name));
                option.opener = Opener::CommentedOut { is_one_of_several };
                option.above = self.beside(at, first..start, column);
                let at = self.gaps.position(self.between, parent);
                let edits = edits.at(parent);
                if holder.children.is_empty() {
                    edits.indent.get_or_insert(column - self.gaps.nodes[parent].column);
                }
                edits.options.push(Inserted { option, at });
            } else if holder.children.is_empty() && parent > 0 && !self.is_held_by(parent, start) {
                edits.at(parent).items.extend(self.beside(at, first..end, self.gaps.nodes[parent].column));
            } else {
                continue;
            }
            self.cut[first..end].fill(true);
            behind = end;
        }
        if behind > 0 {
            self.keep(behind, edits);
        }
    }

    fn is_held_by(&self, node: usize, line: usize) -> bool {
        self.between.holders[self.lines[line].0].node == node
    }

    /// The options inside of an option, at any depth: they follow it.
    fn inside(&self, at: usize) -> impl Iterator<Item = (usize, &CommentedOut<'n>)> {
        let is_inside =
            move |option: &CommentedOut<'_>| matches!(option.parent, Owner::CommentedOut(parent) if parent >= at);
        self.found.iter().enumerate().skip(at + 1).take_while(move |(_, option)| is_inside(option))
    }

    /// The line behind an option and all that is inside of it.
    fn end_of(&self, at: usize) -> usize {
        self.inside(at).last().map_or(self.found[at].end, |(_, last)| last.end)
    }

    /// Where the lines start that stand above an option: they have one holder, and a header of the document stays.
    fn comment_above(&self, lines: Range<usize>) -> usize {
        let Some(&(holder, _)) = self.lines.get(lines.end) else { return lines.end };
        // Behind an option in it the header goes on above the first node.
        let part = |at: usize| self.between.holders[self.lines[at].0].part;
        let is_same = |at: usize| self.lines[at].0 == holder || (lines.start > 0 && part(at) == Part::Header);
        let first = lines.clone().find(|&at| is_same(at)).unwrap_or(lines.end);
        let is_head = self.between.holders[holder].part == Part::Header && lines.start == 0;
        let is_blank = |at: &usize| !self.line(*at).is_comment();
        (first..lines.end).rfind(|at| is_head && is_blank(at)).map_or(first, |blank| blank + 1)
    }

    fn line(&self, at: usize) -> &Line<'a> {
        let (holder, line) = self.lines[at];
        &self.between.holders[holder].lines[line]
    }

    /// Lines of an option as they stand beside it, or beside one in it, at a column. What is commented out at the margin
    /// follows it behind its `#`. All else at the margin moves with an option among the outermost keys, as these do.
    fn beside(&self, option: usize, lines: Range<usize>, column: isize) -> Vec<Line<'a>> {
        let (own, outermost) = (self.found[option], self.found[self.outermost(option)]);
        let moves = outermost.parent == Owner::Live(0);
        let blanks = blanks_behind_hash(self.line(own.start).trimmed()) + column - own.column;
        let follows = |at: usize, text: &str| {
            let is_own = at >= own.start || is_doubled(self.line(at));
            is_own && outermost.column > 0 && blanks_behind_hash(text) + 1 >= column
        };
        let line = |at| match self.line_beside(at, column) {
            Line::Text(Offset::Margin, text, end) if follows(at, &text) => {
                Line::Text(Offset::CommentedOut(BehindHash { column, blanks }), text, end)
            }
            Line::Text(Offset::Margin, text, end) if moves => Line::Text(Offset::Beside(-column), text, end),
            line => line,
        };
        lines.map(line).collect()
    }

    fn outermost(&self, option: usize) -> usize {
        match self.found[option].parent {
            Owner::CommentedOut(parent) => self.outermost(parent),
            Owner::Live(_) => option,
        }
    }

    fn line_beside(&self, at: usize, column: isize) -> Line<'a> {
        let stands = self.between.holders[self.lines[at].0].column;
        match self.line(at).clone() {
            Line::Text(Offset::Beside(by), text, end) if stands + by == 0 && column > 0 => {
                Line::Text(Offset::Margin, text, end)
            }
            line => line.moved(stands - column),
        }
    }

    /// An option that ends before a line, with its own options.
    fn node(&self, at: usize, end: usize) -> Node<'a> {
        let own = self.found[at];
        let opener = Opener::CommentedOut { is_one_of_several: false };
        let mut node = Node::new(self.source_line(), opener, "", End::Common);
        node.row = NO_ROW;
        node.name = Cow::Owned(own.name.unwrap_or_default().to_owned());
        node.continuation = self.beside(at, own.start..own.end, own.column);
        let mut behind = own.end;
        for (child, option) in self.inside(at).filter(|(_, option)| option.name.is_some()) {
            if option.parent == Owner::CommentedOut(at) {
                node.indent = option.column - own.column;
                let inner_end = self.end_of(child);
                let mut inner = self.node(child, inner_end);
                inner.above = self.beside(at, behind..option.start, option.column);
                node.children.push(inner);
                behind = inner_end;
            }
        }
        node.below = self.beside(at, behind..end, own.column + node.indent);
        node
    }

    /// The line of the node before the gap.
    fn source_line(&self) -> usize {
        self.gaps.nodes[self.between.before].node.line
    }

    /// What is left stays where it is; but what follows the last option in the header of a document is no header.
    fn keep(&self, behind: usize, edits: &mut Edits<'a>) {
        let mut no_head: Vec<usize> = Vec::new();
        for (at, holder) in self.between.holders.iter().enumerate() {
            let first = self.lines.partition_point(|line| line.0 < at);
            let held = first..first + holder.lines.len();
            let mut kept: Vec<_> = std::mem::take(&mut no_head);
            kept.extend(held.filter(|&line| !self.cut[line]));
            if holder.part == Part::Header {
                no_head = kept.split_off(kept.partition_point(|&line| line < behind));
            }
            let lines = kept.into_iter().map(|line| self.line_beside(line, holder.column)).collect();
            let edits = edits.at(holder.node);
            match holder.part {
                Part::Above => edits.above = Some(lines),
                Part::Header => edits.header = Some(lines),
                Part::Below => edits.below = Some(lines),
            }
        }
    }
}

/// How many blanks stand behind the `#` of a comment.
fn blanks_behind_hash(comment: &str) -> isize {
    let behind = comment.strip_prefix('#').unwrap_or_default();
    isize::try_from(behind.len() - behind.trim_start_matches(' ').len()).unwrap_or(0)
}
