//! Which comment lines between two nodes are commented-out keys and items, and below which key each of them would stand
//! if its `#` went.
//!
//! A line is followed as a reader of YAML would follow it: there is a stack of open blocks, a line at the column of one is
//! in that block, and a deeper one opens a block below the entry above it, if that has no value. The column is where the
//! text would stand without `# `, without `#`, or with a blank for the `#`; the first that has a place counts, and lines
//! right below each other with their `#` in one column are shifted alike. A line without a place is prose, and so is what
//! reads like prose. What is missed is a comment like any other; a line that is taken for an option and is none costs
//! little, since its lines are carried as they are.
//!
//! Nothing here knows of another file.

mod ends;
mod places;

use self::places::Place;
use super::line::{Entry, EntryKind, Known, Names, Said};

/// A line between two nodes: a comment with the column of its `#`, or a blank line.
pub(crate) type LineBetween<'l> = Option<(i32, &'l str)>;

/// What the entries of a block are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    Map,
    List,
    /// Nothing stands in it yet.
    Empty,
}

/// What a block or an entry belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    /// A node, by a number that only the caller understands.
    Live(usize),
    /// A commented-out entry, by its place among those found.
    CommentedOut(usize),
}

/// A block that is open where the lines start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block<'l> {
    pub(super) owner: Owner,
    pub(super) column: i32,
    pub(super) kind: BlockKind,
    /// The key that the block belongs to.
    pub(super) key: Option<&'l str>,
    /// The last entry of the block, where another block can stand below that.
    pub(super) last: Option<Last<'l>>,
    /// Where it started, if that is commented out.
    pub(super) opened: Option<Opening>,
}

/// How a commented-out block started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Opening {
    /// The column of the key that it belongs to.
    below: i32,
    /// How many entries had been found before.
    found: usize,
}

/// An entry without a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Last<'l> {
    pub(super) owner: Owner,
    pub(super) column: i32,
    pub(super) key: Option<&'l str>,
}

/// The lines between two nodes, and the blocks that are open there.
#[derive(Debug, Clone, Default)]
pub(super) struct Gap<'l> {
    pub(super) lines: Vec<LineBetween<'l>>,
    /// The outermost first.
    pub(super) blocks: Vec<Block<'l>>,
    /// Which of them is the block of the node behind the lines: it is still open there.
    pub(super) next: usize,
    /// How far blocks of the file are indented.
    pub(super) step: i32,
    /// The comments so far that look like keys and are none.
    pub(super) prose: Vec<&'l str>,
    /// The names so far of comments that could be keys of several maps.
    pub(super) unsure: Vec<&'l str>,
    /// The commented-out entries, in their order, once they are recognised.
    pub(super) found: Vec<CommentedOut<'l>>,
}

/// A commented-out key or item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CommentedOut<'l> {
    /// Nothing for an item.
    pub(crate) name: Option<&'l str>,
    /// The key on the line of an item: `- name: x`.
    pub(crate) first_key: Option<&'l str>,
    /// Its first line, as a comment.
    pub(crate) text: &'l str,
    pub(crate) parent: Owner,
    /// Where it would stand if it were live.
    pub(crate) column: i32,
    /// Its first line, and the one behind the last of its own value.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl<'l> CommentedOut<'l> {
    /// The number of the node that it stands directly inside of; nothing for what is inside of another.
    pub(crate) fn holder(&self) -> Option<usize> {
        if let Owner::Live(holder) = self.parent { Some(holder) } else { None }
    }

    /// The number of the map that it is a key of, and its name there; nothing for an item, or for what is inside of another.
    pub(crate) fn key(&self) -> Option<(usize, &'l str)> {
        self.holder().zip(self.name)
    }
}

/// The entries inside of one of those of a gap, at any depth: they follow it.
pub(crate) fn inside<'f, 'l>(
    found: &'f [CommentedOut<'l>],
    at: usize,
) -> impl Iterator<Item = (usize, &'f CommentedOut<'l>)> {
    let is_inside =
        move |option: &CommentedOut<'_>| matches!(option.parent, Owner::CommentedOut(parent) if parent >= at);
    found.iter().enumerate().skip(at + 1).take_while(move |(_, option)| is_inside(option))
}

/// The line behind an entry and all that is inside of it.
pub(crate) fn end_of_block(found: &[CommentedOut<'_>], at: usize) -> usize {
    inside(found, at).last().map_or(found[at].end, |(_, last)| last.end)
}

/// Finds the commented-out entries of a gap, in their order. What is a key in a known version is one, whatever stands below.
/// The blocks are those behind the gap then.
pub(super) fn recognise(gap: &mut Gap<'_>, known: &Known<'_>) {
    let &mut Gap { ref lines, ref mut blocks, next, step, ref mut prose, ref mut unsure, ref mut found } = gap;
    found.clear();
    let mut recogniser =
        Recogniser { lines, known, blocks, floor: next, step, found, prose, unsure, run: None, is_apart: false };
    let (mut at, mut fenced) = (0, false);
    while let Some(line) = lines.get(at) {
        let text = line.map_or("", |(_, text)| text.trim_start_matches(['#', ' ']));
        fenced ^= text.starts_with("```");
        recogniser.is_apart |= line.is_none();
        at = match line.filter(|_| !fenced) {
            Some((hash, comment)) => recogniser.line(at, hash, comment),
            None => recogniser.pass(at),
        };
    }
}

/// Lines right below each other that are shifted alike.
#[derive(Debug, Clone, Copy)]
struct Run {
    /// The column of their `#`.
    hash: i32,
    /// How far left of its place in the comment each of them would stand.
    shift: i32,
}

struct Recogniser<'g, 'l> {
    lines: &'g [LineBetween<'l>],
    known: &'g Known<'g>,
    blocks: &'g mut Vec<Block<'l>>,
    floor: usize,
    found: &'g mut Vec<CommentedOut<'l>>,
    prose: &'g mut Vec<&'l str>,
    unsure: &'g mut Vec<&'l str>,
    run: Option<Run>,
    step: i32,
    /// Whether a blank line stands behind the last option, or an item that has no place.
    is_apart: bool,
}

impl<'l> Recogniser<'_, 'l> {
    /// A line that says nothing; the next one.
    fn pass(&mut self, at: usize) -> usize {
        self.run = None;
        at + 1
    }

    /// The line is prose; the next one. Apart from an option, prose that is no deeper is not inside of it.
    fn prose(&mut self, at: usize, column: i32) -> usize {
        let comment = self.lines.get(at).copied().flatten().map_or("", |(_, comment)| comment);
        self.prose.extend(comment.contains(':').then_some(comment.trim_ascii_end()));
        if std::mem::take(&mut self.is_apart) {
            let found = &self.found;
            let ends = |owner: Owner| matches!(owner, Owner::CommentedOut(at) if found[at].column >= column);
            let open = self.blocks.iter().rposition(|block| !ends(block.owner)).map_or(0, |last| last + 1);
            self.blocks.truncate(open);
            if let Some(block) = self.blocks.last_mut() {
                block.last = block.last.filter(|last| !ends(last.owner));
            }
        }
        self.run = None;
        at + 1
    }

    /// Looks at a comment; the line to look at next.
    fn line(&mut self, at: usize, hash: i32, comment: &'l str) -> usize {
        let Some(said) = Said::of(comment) else { return self.pass(at) };
        if said.text.starts_with('#') {
            // A comment that was commented out with its block.
            return at + 1;
        }
        let column = hash + (said.blanks - 1).max(0);
        let names = self.known.names_in(comment);
        let Some(entry) = Entry::of(said.text, names) else { return self.prose(at, column) };
        let columns = self.columns(hash, said, &entry);
        let can_stand = |column: &i32| *column == hash + 1 + said.blanks || !self.is_beside_dash(hash, *column);
        let places = columns.map(|column| self.place(column.filter(can_stand)?, &entry));
        let place =
            self.likeliest(places, &entry).map(|place| Place { column: self.indented(place, hash, columns), ..place });
        // A list that is none shifts nothing.
        let columns = columns.into_iter().skip(1).flatten().filter(|_| !entry.is_item());
        let Some(place) = place.or_else(|| columns.into_iter().find_map(|column| self.place_of_list(column))) else {
            self.is_apart |= entry.is_item();
            return self.prose(at, column);
        };
        if self.is_prose(at, (hash, said), (&entry, names), place) {
            return self.prose(at, column);
        }
        let is_below = self.is_nested(place) && entry.has_no_value();
        let line = (hash, said);
        let end = if is_below { self.end_of_scalar(at, line) } else { self.end_of(at, line, &entry) };
        self.accept(place, &entry, at..end);
        self.is_apart = false;
        self.run = Some(Run { hash, shift: hash + 1 + said.blanks - place.column });
        end
    }

    /// Where the text of a comment may stand if it were live, the likeliest first. None stands left of its `#`, and `#  - b`
    /// below `# - a` is no item beside that.
    fn columns(&self, hash: i32, said: Said<'_>, entry: &Entry<'_>) -> [Option<i32>; 4] {
        let text = hash + 1 + said.blanks;
        let alike = self.run.filter(|run| run.hash == hash).map(|run| text - run.shift).filter(|at| *at >= hash);
        // `# b: 1` below `#a: {}` is written another way, and not one column deeper.
        let alike = alike.filter(|at| said.blanks != 1 || *at == hash);
        if said.blanks == 0 {
            [alike, Some(hash), None, None]
        } else if alike.is_some() && entry.is_item() {
            [alike, None, None, None]
        } else {
            [alike, Some(text - 2), Some(text - 1), Some(text)]
        }
    }

    /// Whether a `#` stands between the dash of a live item and the keys of that, which are at a column or left of it. Such a
    /// comment is on the next item, unless its text stands right where a key of the item would.
    fn is_beside_dash(&self, hash: i32, column: i32) -> bool {
        let is_between = |outer: &Block<'_>, inner: &Block<'_>| {
            let is_item = outer.kind == BlockKind::List && matches!(inner.owner, Owner::Live(_));
            is_item && outer.column < hash && hash < inner.column && inner.column <= column
        };
        self.blocks.windows(2).any(|two| is_between(&two[0], &two[1]))
    }

    fn is_prose(
        &self,
        at: usize,
        (hash, said): (i32, Said<'_>),
        (entry, names): (&Entry<'l>, &Names<'_>),
        place: Place<'l>,
    ) -> bool {
        if self.is_nested(place) && self.run.is_some() {
            return false;
        }
        let explains = |key| matches!(entry.kind, EntryKind::Key(name) if self.known.explains(key, name));
        let owner = self.owner(place).and_then(|(_, key)| key);
        let repeats = owner.is_some_and(explains);
        let is_live_there = || entry.key_of_map(owner).is_some_and(|key| self.known.live_there_alone.contains(&key));
        let is_prose = if entry.is_identifier() && self.run.is_some_and(|run| run.hash == hash) {
            false
        } else if entry.is_known(names) {
            entry.is_sentence() && !is_live_there()
        } else {
            entry.is_prose(said.blanks > 0)
                || (entry.has_no_value() && self.explains(at, hash, said.blanks) && !is_live_there())
        };
        repeats || is_prose
    }

    /// What an entry at a place belongs to, and the key of that.
    fn owner(&self, place: Place<'l>) -> Option<(Owner, Option<&'l str>)> {
        match place.below {
            Some(last) => Some((last.owner, last.key)),
            None => self.blocks.get(place.open - 1).map(|block| (block.owner, block.key)),
        }
    }

    /// Whether a place is inside of what is commented out.
    fn is_nested(&self, place: Place<'l>) -> bool {
        matches!(self.owner(place), Some((Owner::CommentedOut(_), _)))
    }

    /// Whether the line below a `word:` is prose that the word starts, with its `#` in the same column.
    fn explains(&self, at: usize, hash: i32, blanks: i32) -> bool {
        let Some(Some((_, comment))) = self.lines.get(at + 1).filter(|line| line.is_some_and(|line| line.0 == hash))
        else {
            return false;
        };
        let Some(said) = Said::of(comment).filter(|said| said.blanks >= blanks) else { return false };
        !said.text.starts_with('#')
            && Entry::of(said.text, self.known.names_in(comment))
                .is_none_or(|entry| !entry.is_identifier() && entry.is_prose(said.blanks > 0))
    }

    fn accept(&mut self, place: Place<'l>, entry: &Entry<'l>, lines: std::ops::Range<usize>) {
        self.found.truncate(place.found);
        let found = self.found.len();
        let own = Owner::CommentedOut(found);
        let kind = if entry.is_item() { BlockKind::List } else { BlockKind::Map };
        let (name, first_key) = match entry.kind {
            EntryKind::Key(name) => (Some(name), None),
            EntryKind::Item { first_key } => (None, first_key),
        };
        self.blocks.truncate(place.open);
        if let Some(last) = place.below {
            let opened = Some(Opening { below: last.column, found });
            self.blocks.push(Block {
                owner: last.owner,
                column: place.column,
                kind,
                key: last.key,
                last: None,
                opened,
            });
        }
        let Some(block) = self.blocks.last_mut() else { return };
        block.kind = kind;
        let parent = block.owner;
        let column = place.column + entry.inner.unwrap_or(0);
        let last = entry.is_open().then_some(Last { owner: own, column, key: name });
        block.last = last.filter(|_| !entry.is_item());
        if entry.inner.is_some() {
            self.blocks.push(Block { owner: own, column, kind: BlockKind::Map, key: None, last, opened: None });
        }
        let text = self.lines.get(lines.start).copied().flatten().map_or("", |(_, text)| text.trim_ascii_end());
        let std::ops::Range { start, end } = lines;
        self.found.push(CommentedOut { name, first_key, text, parent, column: place.column, start, end });
    }
}
