//! Comments as a reader of the result will find them.
//!
//! What a file has at the end of a block need not have room there in the result: behind a list at the column of its key, or
//! a text block without any indentation, no column says that a comment still belongs to it. And what stands above the first
//! key of an item that shares the line of its dash comes to stand above the dash. Decided where they stood, such comments
//! would be decided again, as something else, by the next run. So when all nodes have their places, the comments of each
//! file are brought into the [normal form](normalise) of the gaps that the result has, and what was chosen is so again.
//!
//! ```text
//! tree ──take──▶ the lines of each owner ──gap by gap──▶ the same ──put back──▶ tree
//! ```
//!
//! While options that are commented out are nodes, a gap beside one is no gap of the result: there lines are handed on, and
//! stay otherwise as they are.
//!
//! Left out: whose comments stay.

mod owned;
#[cfg(test)]
mod tests;

use self::owned::{OwnedLines, Part, Placed, put_back};
use super::header_length;
use crate::yaml::gap::normal::{Lines, Place, TextBefore, normalise};
use crate::yaml::gap::{After, Before, Neighbourhood, Owner};
use crate::yaml::tree::{Line, Node, Opener, Shape};

/// Whose comments are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    User,
    Update,
    Base,
    /// Those that were chosen, when no option is a node any more.
    Result,
}

/// Brings the comments of a document to where they will be read. All nodes have their places.
pub(super) fn normalise_side<'a>(document: &mut Node<'a>, side: Side, room: &mut Room<'a>) {
    let mut walk = Walk {
        side,
        owned: std::mem::take(&mut room.0),
        closing: Vec::new(),
        homeless: Vec::new(),
        text: None,
        is_behind_option: false,
    };
    walk.document(document);
    put_back(document, side, &mut walk.owned.drain(..));
    room.0 = walk.owned;
}

/// Room for the lines of a document, so that they need not be given new room for each side.
#[derive(Default)]
pub(super) struct Room<'a>(Vec<OwnedLines<'a>>);

/// What was met on the way through a document, from line to line.
struct Walk<'a> {
    side: Side,
    owned: Vec<OwnedLines<'a>>,
    /// The blocks that close before the next line, the deepest first.
    closing: Vec<Closing>,
    /// Lines that no owner so far had room for.
    homeless: Vec<Placed<'a>>,
    /// What the line above ends with.
    text: Option<TextBefore>,
    is_behind_option: bool,
}

/// A block that closes.
struct Closing {
    owned: usize,
    /// The leftmost column at which a comment is read as its end.
    leftmost: isize,
}

/// The nodes that share a line, by where the lines of the first are in the walk.
#[derive(Clone, Copy)]
struct SharedLine {
    first: usize,
    nodes: usize,
}

impl SharedLine {
    /// Where the comments above them are, or those of a single owner.
    fn above(self) -> impl Iterator<Item = usize> {
        (0..self.nodes).map(move |node| self.first + node * Part::OF_NODE.len())
    }
}

/// A gap of the result, by where the lines of its owners are in the walk.
struct Gap {
    closing: Vec<Closing>,
    header: Option<usize>,
    /// The last owner; several where nodes share the line below.
    last: SharedLine,
    after: After,
    /// Whether an option stands on either side.
    has_options: bool,
}

impl<'a> Walk<'a> {
    fn document(&mut self, document: &mut Node<'a>) {
        let column = -1 + document.indent;
        self.owned.push(OwnedLines::take(document, Part::Above, self.side, -1));
        let header = self.owned(document, Part::Header, -1);
        let below = self.owned(document, Part::Below, column);
        self.text = TextBefore::of(document, -1);
        if document.children.is_empty() && document.shape == Shape::Open {
            // What ends a document without any value is its header.
            let ending = self.owned[below].take_lines().into_iter().map(|line| line.moved(document.indent));
            self.owned[header].lines.extend(ending);
            return;
        }
        let mut header = document.can_have_header().then_some(header);
        for child in &mut document.children {
            self.node(child, column, header.take());
        }
        self.gap(None, SharedLine { first: below, nodes: 1 }, After::FileEnd);
    }

    /// A node that starts a line.
    fn node(&mut self, node: &mut Node<'a>, column: isize, header: Option<usize>) {
        let last = SharedLine { first: self.owned.len(), nodes: self.open(node, column) };
        self.is_behind_option |= node.is_commented_out();
        self.gap(header, last, After::Node);
        self.is_behind_option = node.is_commented_out();
        self.inside(node, column, last.first);
    }

    /// Takes the lines of a node and of those that share its line; how many nodes these are.
    fn open(&mut self, node: &mut Node<'a>, column: isize) -> usize {
        self.owned(node, Part::Above, column);
        self.owned(node, Part::Below, column + node.indent);
        let indent = node.indent;
        let joined = node.children.first_mut().filter(|_| node.opener == Opener::Item { joined: true });
        joined.map_or(1, |first| 1 + self.open(first, column + indent))
    }

    /// What is inside of a node whose lines start with `first`.
    fn inside(&mut self, node: &mut Node<'a>, column: isize, first: usize) {
        let is_joined = node.opener == Opener::Item { joined: true };
        for (at, child) in node.children.iter_mut().enumerate() {
            if at == 0 && is_joined {
                self.inside(child, column + node.indent, first + Part::OF_NODE.len());
            } else {
                self.node(child, column + node.indent, None);
            }
        }
        if node.children.is_empty() {
            self.text = TextBefore::of(node, column);
        }
        if !node.is_commented_out() {
            let leftmost = column + node.block_column(!node.children.is_empty());
            self.closing.push(Closing { owned: first + 1, leftmost });
        }
    }

    fn owned(&mut self, node: &mut Node<'a>, part: Part, column: isize) -> usize {
        self.owned.push(OwnedLines::take(node, part, self.side, column));
        self.owned.len() - 1
    }

    /// Brings the lines of the gap that ends here to where they will be read.
    fn gap(&mut self, header: Option<usize>, last: SharedLine, after: After) {
        let has_options = std::mem::take(&mut self.is_behind_option);
        let text = self.text.take();
        let is_empty = |owned: usize| self.owned[owned].lines.is_empty();
        let ends_nothing = self.homeless.is_empty() && self.closing.iter().all(|closing| is_empty(closing.owned));
        let is_empty = ends_nothing && header.is_none_or(is_empty) && last.above().all(is_empty);
        let may_stay = ends_nothing && header.is_none() && text.is_none() && !has_options;
        if is_empty || (may_stay && self.are_at_home(last)) {
            self.closing.clear();
            return;
        }
        let gap = Gap { closing: std::mem::take(&mut self.closing), header, last, after, has_options };
        if self.is_commented_out(&gap) {
            return;
        }
        self.start_document(&gap);
        let closed: Vec<_> = gap.closing.iter().map(|closing| closing.leftmost).collect();
        let around = gap.around(&closed);
        let owners = gap.owners(&around);
        let is_of_side = |owner| owners.iter().any(|(other, owned)| *other == owner && self.owned[*owned].is_of_side);
        let barred: Vec<_> = owners.iter().map(|(owner, _)| *owner).filter(|owner| !is_of_side(*owner)).collect();
        let place = Place { around, text, barred: &barred };
        let mut chunks = self.take_chunks(&owners);
        if gap.has_options {
            self.homeless = place.hand_on(&mut chunks);
        } else {
            let normal = normalise(as_read(chunks), &place);
            self.homeless = normal.left_out;
            chunks = as_stored(normal.chunks, &around);
        }
        self.store(chunks, &owners);
    }

    /// Whether the comments above a node stand where they are read as such, if no others are beside them: left of all blocks
    /// that close. Most gaps are like this, and are in their normal form.
    fn are_at_home(&self, last: SharedLine) -> bool {
        let above = &self.owned[last.first];
        let has_room = |column: isize| self.closing.iter().all(|closing| column < closing.leftmost);
        last.nodes == 1 && above.is_of_side && above.first_column().is_none_or(has_room)
    }

    /// What stood above a node elsewhere sets nothing off as the header of a document, unless it says something. What was
    /// chosen loses blank lines alone.
    fn start_document(&mut self, gap: &Gap) {
        let first = gap.header.map(|_| gap.last.first);
        let Some(above) = first.and_then(|owned| self.owned.get_mut(owned)).map(|owned| &mut owned.lines) else {
            return;
        };
        let header = header_length(above);
        let is_chosen = self.side == Side::Result;
        if !above[..header].iter().any(|line| if is_chosen { line.is_comment() } else { line.has_words() }) {
            above.drain(..header);
        }
        if !is_chosen && !gap.has_options {
            above.retain(Line::is_comment);
        }
    }

    /// Whether lines stand left of the block that they end: that is what a node has that is commented out.
    fn is_commented_out(&self, gap: &Gap) -> bool {
        gap.closing.iter().any(|closing| self.owned[closing.owned].has_lines_outside(closing.leftmost))
    }

    fn take_chunks(&mut self, owners: &[(Owner, usize)]) -> Vec<Lines<Placed<'a>>> {
        let mut guests = std::mem::take(&mut self.homeless);
        let chunk = |&(owner, owned): &(Owner, usize)| {
            let owned = &mut self.owned[owned];
            guests.extend(owned.placed());
            Lines { owner, lines: std::mem::take(&mut guests) }
        };
        owners.iter().map(chunk).collect()
    }

    fn store(&mut self, chunks: Vec<Lines<Placed<'a>>>, owners: &[(Owner, usize)]) {
        for chunk in chunks {
            let owned = owners.iter().find(|(owner, _)| *owner == chunk.owner).map(|(_, owned)| *owned);
            if let Some(owned) = owned.and_then(|owned| self.owned.get_mut(owned)) {
                owned.put(chunk.lines);
            }
        }
    }
}

impl Gap {
    fn around<'n>(&self, closed: &'n [isize]) -> Neighbourhood<'n> {
        let before = if self.header.is_some() { Before::DocumentStart } else { Before::Content };
        Neighbourhood { before, after: self.after, closed }
    }

    /// All owners, in their order, with where the lines of each are.
    fn owners(&self, around: &Neighbourhood<'_>) -> Vec<(Owner, usize)> {
        let ends = self.closing.iter().enumerate().map(|(at, closing)| (Owner::End(at), closing.owned));
        let header = self.header.map(|owned| (Owner::Header, owned));
        let last = self.last.above().map(|owned| (around.last_owner(), owned));
        ends.chain(header).chain(last).collect()
    }
}

/// Chunks as the tree keeps them, with the blank lines before any comment apart: they separate the gap from what is above.
fn as_read(mut chunks: Vec<Lines<Placed<'_>>>) -> Vec<Lines<Placed<'_>>> {
    if let Some(first) = chunks.iter_mut().find(|chunk| !chunk.lines.is_empty()) {
        let comment = first.lines.iter().position(|line| line.line.is_comment()).unwrap_or(first.lines.len());
        let lines = first.lines.drain(..comment).collect();
        chunks.push(Lines { owner: Owner::Separator, lines });
    }
    chunks
}

/// Chunks as the tree keeps them: blank lines with what is below.
fn as_stored<'a>(chunks: Vec<Lines<Placed<'a>>>, around: &Neighbourhood<'_>) -> Vec<Lines<Placed<'a>>> {
    let mut blanks = Vec::new();
    let mut stored = Vec::with_capacity(chunks.len() + 1);
    for mut chunk in chunks {
        match chunk.owner {
            Owner::Separator if !around.starts_document() => blanks = chunk.lines,
            Owner::Separator => stored.push(Lines { owner: Owner::Header, lines: chunk.lines }),
            Owner::End(_) => {
                let end = chunk.lines.iter().rposition(|line| line.line.is_comment()).map_or(0, |last| last + 1);
                let below = chunk.lines.split_off(end);
                chunk.lines.splice(0..0, std::mem::replace(&mut blanks, below));
                stored.push(chunk);
            }
            _ => {
                chunk.lines.splice(0..0, std::mem::take(&mut blanks));
                stored.push(chunk);
            }
        }
    }
    if !blanks.is_empty() {
        stored.push(Lines { owner: around.last_owner(), lines: blanks });
    }
    stored
}
