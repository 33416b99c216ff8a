//! Cutting commented-out keys out of the comments of a document: what becomes of its nodes (`edits.rs`), gap by gap.

mod becomes;
mod left;

use std::ops::Range;

use self::becomes::{Becomes, OfGap};
use super::edits::{Edits, Inserted};
use super::paths::KeyPaths;
use super::wanted::Wanted;
use super::words::is_doubled;
use crate::text::piece::Piece;
use crate::text::source::End;
use crate::yaml::commented_out::gaps::{Between, Gaps, Holder, Part};
use crate::yaml::commented_out::recognise::{CommentedOut, Owner, end_of_block, inside};
use crate::yaml::commented_out::{Found, Keys};
use crate::yaml::tree::{BehindHash, Line, Node, Offset, Opener};

impl<'a> Edits<'a> {
    /// What becomes of a document where these options are to be nodes. What is commented out in a key that the user has
    /// commented out stays with that.
    pub(super) fn of<'n>(found: &Found<'n, 'a>, wanted: &Wanted<'_, '_, '_>, switched_off: &KeyPaths<'_>) -> Self {
        let several = &found.several;
        let (mut known, mut edits) = (found.live_too.clone(), Self::default());
        for (between, options) in found.gaps.all().zip(found.by_gap()) {
            let gap = OfGap::of(wanted, found, (between, options));
            let outermost = options.iter().enumerate().filter_map(|(at, option)| Some((at, option.holder()?)));
            let becomes = |(at, parent)| {
                let becomes = if switched_off.has_around(&found.gaps, parent) {
                    is_behind_all(&found.gaps, &between, parent).then_some(Becomes::Below)
                } else {
                    gap.becomes((parent, at), &mut known)
                };
                Some(Outer { at, parent, becomes: becomes? })
            };
            let outer = without_keys_above_others(outermost.filter_map(becomes).collect(), options);
            let stays_at_margin =
                wanted.follows_blocks() && options.iter().any(|option| is_at_margin(&between, option));
            if !outer.is_empty() || stays_at_margin {
                Cutter { stays_at_margin, ..Cutter::new(&found.gaps, between, options) }
                    .cut(&outer, several, &mut edits);
            }
        }
        edits
    }
}

/// Leaves out the keys that end a block, but are above what has a place of its own: there they stay.
fn without_keys_above_others<'n>(mut outer: Vec<Outer<'n>>, found: &[CommentedOut<'_>]) -> Vec<Outer<'n>> {
    let is_end = |outer: &Outer<'_>| matches!(outer.becomes, Becomes::Below) && found[outer.at].name.is_some();
    let last = outer.iter().rfind(|outer| !is_end(outer)).map(|outer| outer.at);
    outer.retain(|outer| !is_end(outer) || Some(outer.at) > last);
    outer
}

/// Whether an entry of a block is commented out at the margin.
fn is_at_margin(between: &Between<'_, '_, '_>, option: &CommentedOut<'_>) -> bool {
    let is_inside = matches!(option.parent, Owner::Live(_)) && option.column > 0;
    is_inside && matches!(between.lines().nth(option.start), Some(Line::Text(Offset::Margin, ..)))
}

/// Whether a gap is behind all children of a node.
fn is_behind_all(gaps: &Gaps<'_, '_>, between: &Between<'_, '_, '_>, map: usize) -> bool {
    gaps.position(between, map) == gaps.nodes[map].node.children.len()
}

/// What becomes of a commented-out entry that stands directly inside of a node.
#[derive(Debug, Clone, Copy)]
struct Outer<'n> {
    /// Its place among those found in the gap.
    at: usize,
    parent: usize,
    becomes: Becomes<'n>,
}

/// Cuts the options out of a gap.
struct Cutter<'c, 'n, 'a> {
    gaps: &'c Gaps<'n, 'a>,
    between: Between<'c, 'n, 'a>,
    found: &'c [CommentedOut<'n>],
    /// For each line its holder and its place there.
    lines: Vec<(usize, usize)>,
    /// Which lines the holders lose, each with the first holder that what stands behind can have.
    cut: Vec<Option<usize>>,
    /// Whether something stands at the margin that is commented out in a block: where it stays, it follows that.
    stays_at_margin: bool,
}

impl<'c, 'n, 'a> Cutter<'c, 'n, 'a> {
    fn new(gaps: &'c Gaps<'n, 'a>, between: Between<'c, 'n, 'a>, found: &'c [CommentedOut<'n>]) -> Self {
        let held = between.holders.iter().enumerate();
        let lines: Vec<_> = held.flat_map(|(at, holder)| (0..holder.lines.len()).map(move |line| (at, line))).collect();
        let cut = vec![None; lines.len()];
        Self { gaps, between, found, lines, cut, stays_at_margin: false }
    }

    /// Cuts the options that stand directly inside of nodes.
    fn cut(mut self, outer: &[Outer<'_>], several: &Keys<'_>, edits: &mut Edits<'a>) {
        let mut behind = 0;
        for &Outer { at, parent, becomes } in outer {
            let CommentedOut { start, column, .. } = self.found[at];
            let end = self.end_with_words(at);
            let first = self.comment_above(behind..start, parent);
            if let Becomes::Option(name) = becomes {
                let mut option = self.node(at, end);
                let is_one_of_several = several.contains(&(parent, name));
                option.opener = Opener::CommentedOut { is_one_of_several };
                option.name = if name == &*option.name { option.name } else { name.to_owned().into() };
                option.above = self.beside(at, first..start, column);
                self.insert(option, (parent, column), edits);
            } else if let Becomes::Alternative(name) = becomes {
                let above = edits.at(parent).options.last_mut().map(|inserted| &mut inserted.option);
                let is_next = behind > 0 && (behind..start).all(|at| self.line(at).is_comment());
                let Some(option) = above.filter(|option| is_next && option.name == name) else { continue };
                let by = -option.indent;
                option.below.extend(self.beside(at, first..end, column).into_iter().map(|line| line.moved(by)));
            } else if let Becomes::Example(name) = becomes {
                let lines = self.beside(at, first..end, column);
                edits.at(parent).examples.entry(name.to_owned()).or_default().extend(lines);
            } else if let Becomes::LeftOut | Becomes::Explained = becomes {
                self.leave_out(start..end, parent, becomes);
                behind = end;
                continue;
            } else if parent > 0 && !self.is_held_by(parent, start) {
                edits.at(parent).items.extend(self.beside(at, first..end, self.gaps.nodes[parent].column));
            } else {
                continue;
            }
            self.lose(first..end, parent, becomes);
            behind = end;
        }
        if behind > 0 || self.stays_at_margin {
            let behind = if self.header_goes_on(outer, behind) { self.lines.len() } else { behind };
            self.keep(behind, edits);
        }
    }

    /// Whether the header of a document says more behind a line, and lost nothing but examples: these go to their keys.
    fn header_goes_on(&self, outer: &[Outer<'_>], behind: usize) -> bool {
        let says_more =
            |line: usize| self.between.holders[self.lines[line].0].part == Part::Header && self.line(line).is_comment();
        outer.iter().all(|outer| matches!(outer.becomes, Becomes::Example(_)))
            && (behind..self.lines.len()).any(says_more)
    }

    /// Puts an option at a column into a node.
    fn insert(&self, option: Node<'a>, (parent, column): (usize, i32), edits: &mut Edits<'a>) {
        let at = self.gaps.position(&self.between, parent);
        let holder = self.gaps.nodes[parent];
        let edits = edits.at(parent);
        if holder.node.children.is_empty() {
            edits.indent.get_or_insert(column - holder.column);
        }
        edits.options.push(Inserted { option: Box::new(option), at });
    }

    fn is_held_by(&self, node: usize, line: usize) -> bool {
        self.between.holders[self.lines[line].0].node == node
    }

    /// The line behind an option, all that is inside of it and the words below that are said deeper, bare `#` between them
    /// included: `#   # Another way:` below `# trace:`.
    fn end_with_words(&self, at: usize) -> usize {
        let end = end_of_block(self.found, at);
        let next = self.found[at + 1..].iter().map(|option| option.start).find(|&start| start >= end);
        let start = self.found[at].start;
        let (holder, own) = (self.lines[start].0, self.line(start));
        let column = |line: &Line<'_>| if let Line::Text(offset, ..) = line { Some(*offset) } else { None };
        // Behind `#port: 80` the words about the next key stand one column further right.
        let deeper = blanks_behind_hash(own.trimmed()) + 1;
        let is_deeper = |line: usize| blanks_behind_hash(self.line(line).trimmed()) > deeper;
        let may_be_inside = |line: &usize| {
            let comment = self.line(*line);
            self.lines[*line].0 == holder
                && comment.is_comment()
                && column(comment) == column(own)
                && (is_deeper(*line) || comment.trimmed() == "#")
        };
        let words = (end..next.unwrap_or(self.lines.len())).take_while(may_be_inside);
        words.filter(|line| is_deeper(*line)).last().map_or(end, |last| last + 1)
    }

    /// Cuts an entry, and the comment right above it where nothing is left below that this may be about.
    fn leave_out(&mut self, entry: Range<usize>, parent: usize, becomes: Becomes<'_>) {
        let is_last = self.lines.get(entry.end).is_none_or(|_| !self.line(entry.end).is_comment());
        let words = if is_last {
            self.words_above(entry.start, |at| self.cut[at].is_none() && self.is_entry(at))
        } else if let Becomes::Explained = becomes {
            self.words_above(entry.start, |at| self.cut[at].is_some() || self.is_entry(at))
        } else {
            entry.start
        };
        self.lose(words..entry.end, parent, becomes);
    }

    /// Where the comment starts that stands right above a line, below the nearest of its lines that stay.
    fn words_above(&self, line: usize, stays: impl Fn(usize) -> bool) -> usize {
        let is_apart =
            |at: &usize| self.lines[*at].0 != self.lines[line].0 || !self.line(*at).is_comment() || stays(*at);
        (0..line).rev().find(is_apart).map_or(0, |apart| apart + 1)
    }

    fn is_entry(&self, line: usize) -> bool {
        self.entry_with(line).is_some()
    }

    /// The innermost entry that a line is one of.
    fn entry_with(&self, line: usize) -> Option<usize> {
        let before = self.found.partition_point(|entry| entry.start <= line).checked_sub(1);
        before.filter(|&before| line < self.found[before].end)
    }

    /// Where the lines start that stand above an option in a node: no deeper block ends with them, and a header of the
    /// document stays.
    fn comment_above(&self, lines: Range<usize>, parent: usize) -> usize {
        let Some(&(holder, _)) = self.lines.get(lines.end) else { return lines.end };
        let is_above = |at: &usize| {
            let (above, _) = self.lines[*at];
            let Holder { node, part, .. } = self.between.holders[above];
            match part {
                // Behind an option in it the header goes on above the first node.
                Part::Header => above == holder || lines.start > 0,
                Part::Above => true,
                Part::Below => node <= parent,
            }
        };
        let first = lines.clone().find(is_above).unwrap_or(lines.end);
        let is_head = self.between.holders[holder].part == Part::Header && lines.start == 0;
        let is_blank = |at: &usize| !self.line(*at).is_comment();
        (first..lines.end).rfind(|at| is_head && is_blank(at)).map_or(first, |blank| blank + 1)
    }

    fn line(&self, at: usize) -> &Line<'a> {
        let (holder, line) = self.lines[at];
        &self.between.holders[holder].lines[line]
    }

    /// Lines of an option as they stand beside it, or beside one in it, at a column.
    fn beside(&self, option: usize, lines: Range<usize>, column: i32) -> Vec<Line<'a>> {
        lines.map(|line| self.line_of(option, line, column)).collect()
    }

    /// One of these lines. What is commented out at the margin follows the option behind its `#`. All else at the margin moves
    /// with an option among the outermost keys, as these do.
    fn line_of(&self, option: usize, at: usize, column: i32) -> Line<'a> {
        let (text, end) = match self.line_beside(at, column) {
            Line::Text(Offset::Margin, text, end) => (text, end),
            line => return line,
        };
        let (own, outermost) = (self.found[option], self.found[self.outermost(option)]);
        let is_own = at >= own.start || is_doubled(self.line(at));
        let offset = if is_own && outermost.column > 0 && blanks_behind_hash(&text) + 1 >= column {
            let blanks = blanks_behind_hash(self.line(own.start).trimmed()) + column - own.column;
            Offset::CommentedOut(BehindHash::new(column, blanks))
        } else if outermost.parent == Owner::Live(0) {
            Offset::Beside(-column)
        } else {
            Offset::Margin
        };
        Line::Text(offset, text, end)
    }

    fn outermost(&self, option: usize) -> usize {
        match self.found[option].parent {
            Owner::CommentedOut(parent) => self.outermost(parent),
            Owner::Live(_) => option,
        }
    }

    fn line_beside(&self, at: usize, column: i32) -> Line<'a> {
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
        node.row = None;
        node.name = self.name(&own);
        node.continuation = self.beside(at, own.start..own.end, own.column).into();
        let mut behind = own.end;
        for (child, option) in inside(self.found, at).filter(|(_, option)| option.name.is_some()) {
            if option.parent == Owner::CommentedOut(at) {
                node.indent = option.column - own.column;
                let inner_end = end_of_block(self.found, child);
                let mut inner = self.node(child, inner_end);
                inner.above = self.beside(at, behind..option.start, option.column);
                node.children.push(Box::new(inner));
                behind = inner_end;
            }
        }
        node.below = self.beside(at, behind..end, own.column + node.indent).into();
        node
    }

    /// The name of an option: a part of its first line.
    fn name(&self, option: &CommentedOut<'_>) -> Piece<'a> {
        match (option.name, self.line(option.start)) {
            (Some(name), Line::Text(_, text, _)) => text.part(name),
            _ => Piece::default(),
        }
    }

    /// The line of the node before the gap.
    fn source_line(&self) -> usize {
        self.gaps.nodes[self.between.before].node.line()
    }
}

/// How many blanks stand behind the `#` of a comment.
fn blanks_behind_hash(comment: &str) -> i32 {
    let behind = comment.strip_prefix('#').unwrap_or_default();
    i32::try_from(behind.len() - behind.trim_start_matches(' ').len()).unwrap_or(0)
}
