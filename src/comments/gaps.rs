//! Comments as a reader of the result will find them.
//!
//! What a file has at the end of a block need not have room there in the result: behind a list at the column of its key, or
//! a text block without any indentation, no column says that a comment still belongs to it. And what stands above the first
//! key of an item that shares the line of its dash comes to stand above the dash. Decided where they stood, such comments
//! would be decided again, as something else, by the next run. So when all nodes have their places, the comments of each
//! file are brought into the [normal form](normalise) of the gaps that the result has, and what was chosen is so again.
//!
//! ```text
//! the owners of a gap ──take──▶ their lines ──normalise──▶ the same ──give back──▶ the owners
//! ```
//!
//! Most gaps are empty, or have all of their comments where they are read: nothing is taken there.
//!
//! While options that are commented out are nodes, a gap beside one is no gap of the result: there lines are handed on, and
//! stay otherwise as they are.
//!
//! Left out: whose comments stay.

mod owned;
#[cfg(test)]
mod tests;

pub(super) use self::owned::Part;
use self::owned::{OwnedLines, Placed};
use super::header_length;
use crate::yaml::commented_out::gaps::is_list_at_own_column;
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

/// Brings the comments that some sides have in a document to where they will be read. All nodes have their places.
pub(super) fn normalise_sides(document: &mut Node<'_>, sides: impl IntoIterator<Item = Side>) {
    let sides = sides.into_iter().map(|side| OfSide { side, homeless: Vec::new() }).collect();
    Walk { sides, is_behind_option: false }.document(document);
}

/// What was met on the way through a document, from gap to gap. No side looks at what another one has there, and a large
/// document takes long to walk through.
struct Walk<'a> {
    sides: Vec<OfSide<'a>>,
    is_behind_option: bool,
}

/// The comments of one side.
struct OfSide<'a> {
    side: Side,
    /// Lines that no owner so far had room for.
    homeless: Vec<Placed<'a>>,
}

/// The gap above a child of a node, or at the end of a document.
#[derive(Clone, Copy)]
struct Spot {
    /// Which child; as many as there are for the end of a document.
    at: usize,
    /// The column of the children.
    column: i32,
    /// Whether an option stands on either side.
    has_options: bool,
}

impl<'a> Walk<'a> {
    fn document(&mut self, document: &mut Node<'a>) {
        if document.children.is_empty() && document.shape == Shape::Open {
            return self.sides.iter().for_each(|of_side| of_side.header_of_nothing(document));
        }
        let column = -1 + document.indent;
        for at in 0..=document.children.len() {
            self.gap(document, at, column);
            if let Some(child) = document.children.get_mut(at) {
                self.inside(child, column);
            }
        }
    }

    /// The gaps inside of a node at a column. A child that shares the line of a dash has none above it.
    fn inside(&mut self, node: &mut Node<'a>, column: i32) {
        let column = column + node.indent;
        let is_joined = matches!(node.opener, Opener::Item { joined: true });
        for at in 0..node.children.len() {
            if at > 0 || !is_joined {
                self.gap(node, at, column);
            }
            if let Some(child) = node.children.get_mut(at) {
                self.inside(child, column);
            }
        }
    }

    fn gap(&mut self, parent: &mut Node<'a>, at: usize, column: i32) {
        let is_option = parent.children.get(at).is_some_and(|child| child.is_commented_out());
        let has_options = std::mem::replace(&mut self.is_behind_option, is_option) | is_option;
        let spot = Spot { at, column, has_options };
        self.sides.iter_mut().for_each(|of_side| of_side.gap(parent, spot));
    }
}

impl<'a> OfSide<'a> {
    /// What ends a document without any value is its header.
    fn header_of_nothing(&self, document: &mut Node<'a>) {
        let mut header = OwnedLines::take(document, Part::Header, self.side, -1);
        let ending = OwnedLines::take(document, Part::Below, self.side, -1 + document.indent);
        header.lines.extend(ending.lines.into_iter().map(|line| line.moved(document.indent)));
        header.give_back(document, Part::Header, self.side);
    }

    /// Brings the lines of a gap to where they will be read.
    fn gap(&mut self, parent: &mut Node<'a>, spot: Spot) {
        if self.homeless.is_empty() && spot.is_normal(parent, self.side) {
            return;
        }
        let mut gap = Gap::take(parent, spot, self.side);
        if !gap.is_commented_out() {
            self.normalise(&mut gap);
        }
        gap.give_back(parent, spot, self.side);
    }

    fn normalise(&mut self, gap: &mut Gap<'a>) {
        gap.start_document(self.side);
        let closed: Vec<_> = gap.closing().map(|(leftmost, _)| leftmost).collect();
        let around = gap.around(&closed);
        let owners = gap.owners(around.last_owner());
        let is_of_side = |owner| owners.iter().any(|(other, owned)| *other == owner && gap.owned[*owned].is_of_side);
        let barred: Vec<_> = owners.iter().map(|(owner, _)| *owner).filter(|owner| !is_of_side(*owner)).collect();
        let place = Place { around, text: gap.text, barred: &barred };
        let mut chunks = gap.take_chunks(&owners, std::mem::take(&mut self.homeless));
        if gap.has_options {
            self.homeless = place.hand_on(&mut chunks);
        } else {
            let normal = normalise(as_read(chunks), &place);
            self.homeless = normal.left_out;
            chunks = as_stored(normal.chunks, &around);
        }
        gap.store(chunks, &owners);
    }
}

impl Spot {
    /// Whether the gap is in its normal form, as most are: it is empty, or there are only comments above the node below,
    /// left of all blocks that close.
    fn is_normal(self, parent: &Node<'_>, side: Side) -> bool {
        let before = self.at.checked_sub(1).and_then(|before| parent.children.get(before));
        let closing = std::iter::successors(before.map(AsRef::as_ref), |node: &&Node<'_>| {
            node.children.last().map(AsRef::as_ref)
        });
        let is_header = self.starts_document(parent);
        if closing.clone().any(|node| !Part::Below.lines(node, side).is_empty())
            || (is_header && !Part::Header.lines(parent, side).is_empty())
        {
            return false;
        }
        let Some(below) = parent.children.get(self.at) else { return Part::Below.lines(parent, side).is_empty() };
        let mut joined = std::iter::successors(Some(below.as_ref()), |node: &&Node<'_>| node.joined_child());
        if joined.all(|node| Part::Above.lines(node, side).is_empty()) {
            return true;
        }
        let ends_with_text = || closing.last().is_some_and(|last| TextBefore::of(last, 0).is_some());
        let has_room =
            |column| before.is_none_or(|node| column < self.column + node.block_column(!node.children.is_empty()));
        let is_at_home = || Part::Above.has_room(below, side, (self.column, has_room));
        // Beside an option lines stay wherever there is room for any.
        !is_header
            && below.joined_child().is_none()
            && side.has(below)
            && (self.has_options || is_at_home())
            && !ends_with_text()
    }

    /// Whether the header of a document stands in the gap.
    fn starts_document(self, parent: &Node<'_>) -> bool {
        self.at == 0 && !parent.children.is_empty() && parent.can_have_header()
    }

    /// Visits all owners of the gap: the blocks that close, the outermost first, with the leftmost column at which a comment
    /// is read as the end of each; the header of a document; what stands below, with all nodes that share its line.
    fn visit<'a>(self, parent: &mut Node<'a>, visit: Visit<'_, 'a>) {
        let is_header = self.starts_document(parent);
        let mut closing = self.at.checked_sub(1).and_then(|before| parent.children.get_mut(before));
        let mut column = self.column;
        while let Some(node) = closing {
            if !node.is_commented_out() {
                let leftmost = column + node.block_column(!node.children.is_empty());
                visit(node, Part::Below, column + node.indent, Some(leftmost));
            }
            column += node.indent;
            closing = node.children.last_mut();
        }
        if is_header {
            visit(parent, Part::Header, -1, None);
        }
        let Some(mut below) = parent.children.get_mut(self.at) else {
            return visit(parent, Part::Below, self.column, None);
        };
        let mut column = self.column;
        loop {
            visit(below, Part::Above, column, None);
            column += below.indent;
            let is_joined = matches!(below.opener, Opener::Item { joined: true });
            let Some(child) = below.children.first_mut().filter(|_| is_joined) else { return };
            below = child;
        }
    }

    /// What the node before the gap ends with.
    fn text_before(self, parent: &Node<'_>) -> Option<TextBefore> {
        let Some(before) = self.at.checked_sub(1) else {
            return TextBefore::of(parent, -1).filter(|_| parent.document().is_some());
        };
        let (mut node, mut column) = (parent.children.get(before)?, self.column);
        while let Some(last) = node.children.last() {
            column += node.indent;
            node = last;
        }
        TextBefore::of(node, column)
    }
}

/// What is done with each owner of a gap: a part of a node, the column that its lines stand beside, and for a block that
/// closes the leftmost column at which a comment is read as its end.
type Visit<'v, 'a> = &'v mut dyn FnMut(&mut Node<'a>, Part, i32, Option<i32>);

/// A gap of the result, with the lines of its owners.
struct Gap<'a> {
    /// In the order in which they are visited.
    owned: Vec<OwnedLines<'a>>,
    /// The leftmost columns of the blocks that close: these are the first owners, the outermost first.
    closing: Vec<i32>,
    has_header: bool,
    /// What the line above ends with.
    text: Option<TextBefore>,
    after: After,
    has_options: bool,
}

impl<'a> Gap<'a> {
    fn take(parent: &mut Node<'a>, spot: Spot, side: Side) -> Self {
        let mut gap = Self {
            owned: Vec::new(),
            closing: Vec::new(),
            has_header: spot.starts_document(parent),
            text: spot.text_before(parent),
            after: if spot.at < parent.children.len() { After::Node } else { After::FileEnd },
            has_options: spot.has_options,
        };
        let mut read_as_next = Vec::new();
        spot.visit(parent, &mut |node, part, column, leftmost| {
            gap.closing.extend(leftmost);
            let is_of_default = matches!(side, Side::Update | Side::Base);
            if leftmost.is_some() && is_of_default && belongs_to_next(node) {
                read_as_next.push(gap.owned.len());
            }
            gap.owned.push(OwnedLines::take(node, part, side, column));
        });
        // Where the defaults have the next key, what is read as above that goes there.
        if gap.owned.get(gap.first_below()).is_some_and(|next| next.is_of_side) {
            for owned in read_as_next {
                gap.owned[owned].is_of_side = false;
            }
        }
        gap.step_to_the_dash();
        gap
    }

    /// What stands above a key that shares the line of a dash keeps its column, unless something closes above: then it stands
    /// beside the dash, for further right it could be read as more of the item before.
    fn step_to_the_dash(&mut self) {
        if self.closing.is_empty() {
            return;
        }
        let first = self.first_below();
        let Some((dash, inner)) = self.owned.get_mut(first..).and_then(<[_]>::split_first_mut) else { return };
        for owned in inner {
            owned.stand_at(dash.column);
        }
    }

    fn give_back(self, parent: &mut Node<'a>, spot: Spot, side: Side) {
        let mut owned = self.owned.into_iter();
        spot.visit(parent, &mut |node, part, _, _| {
            owned.next().into_iter().for_each(|lines| lines.give_back(node, part, side));
        });
    }

    /// The blocks that close, the deepest first: the leftmost column of each, and which owner it is.
    fn closing(&self) -> impl Iterator<Item = (i32, usize)> {
        self.closing.iter().enumerate().rev().map(|(owned, leftmost)| (*leftmost, owned))
    }

    /// Which owner what stands below is, or the first node of it.
    fn first_below(&self) -> usize {
        self.closing.len() + usize::from(self.has_header)
    }

    /// What stood above a node elsewhere sets nothing off as the header of a document, unless it says something. What was
    /// chosen loses blank lines alone.
    fn start_document(&mut self, side: Side) {
        let first = self.first_below();
        let Some(above) = self.owned.get_mut(first).filter(|_| self.has_header).map(|owned| &mut owned.lines) else {
            return;
        };
        let header = header_length(above);
        let is_chosen = side == Side::Result;
        if !above[..header].iter().any(|line| if is_chosen { line.is_comment() } else { line.has_words() }) {
            above.drain(..header);
        }
        if !is_chosen && !self.has_options {
            above.retain(Line::is_comment);
        }
    }

    /// Whether lines stand left of the block that they end: that is what a node has that is commented out.
    fn is_commented_out(&self) -> bool {
        let mut closing = self.closing.iter().zip(&self.owned).filter(|(_, owned)| owned.is_of_side);
        closing.any(|(leftmost, owned)| owned.has_lines_outside(*leftmost))
    }

    fn around<'n>(&self, closed: &'n [i32]) -> Neighbourhood<'n> {
        let before = if self.has_header { Before::DocumentStart } else { Before::Content };
        Neighbourhood { before, after: self.after, closed }
    }

    /// All owners, in the order in which their lines stand, with where the lines of each are.
    fn owners(&self, last: Owner) -> Vec<(Owner, usize)> {
        let ends = self.closing().enumerate().map(|(at, (_, owned))| (Owner::End(at), owned));
        let header = self.has_header.then_some((Owner::Header, self.closing.len()));
        let below = (self.first_below()..self.owned.len()).map(|owned| (last, owned));
        ends.chain(header).chain(below).collect()
    }

    fn take_chunks(&mut self, owners: &[(Owner, usize)], mut guests: Vec<Placed<'a>>) -> Vec<Lines<Placed<'a>>> {
        let chunk = |&(owner, owned): &(Owner, usize)| {
            guests.extend(self.owned[owned].placed());
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

/// Whether what the defaults have commented out in a key without a value is read as standing above the next key: behind the
/// user's list at the column of that key.
fn belongs_to_next(node: &Node<'_>) -> bool {
    is_list_at_own_column(node) && node.update_comments.as_ref().is_some_and(|theirs| theirs.is_in_empty_key)
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
