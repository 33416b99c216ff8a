//! Lays the current nodes out as the update has them.
//!
//! Both trees are consumed: a node of the current file moves to where the update has it, a node that only the update
//! has moves in whole. So every node ends in one place, and no value is ever written anew.

mod dash;
mod layout;

use log::debug;

use self::dash::DashStyle;
use self::layout::Layout;
use crate::anchors::Settled;
use crate::comments::{self, has_comment, has_head};
use crate::flow::{self, Stand};
use crate::matching::{self, Match, Side};
use crate::option_lines;
use crate::options::Options;
use crate::outline::Outline;
use crate::path::{Path, Trail};
use crate::tree::{Around, Kind, Line, Node, Opener, Shape};

/// Something that a reader of the report should know besides what was added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) path: Path,
    pub(crate) what: Noted,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Noted {
    /// A key arrived inside of a flow map; block keys are seen in the merged tree.
    AddedInFlow(String),
    /// Keys of the update cannot be said in the style that the user's map has.
    NotInFlow,
    /// The update has another kind of value here.
    KindDiffers { update: &'static str },
    /// Comment lines of the user gave way; the line of the node that they belonged to in the current file.
    CommentReplaced { line: usize, comment: Vec<String> },
    /// An item was left alone although the update has so many candidates.
    ItemLeft { candidates: usize },
    /// What was done so that an alias keeps its meaning.
    Settled(Settled),
}

/// What a merge looks at besides its two trees.
pub(crate) struct Merge<'o, 'a> {
    pub(crate) current: &'o Outline<'a>,
    pub(crate) update: &'o Outline<'a>,
    pub(crate) options: &'o Options,
    pub(crate) notes: Vec<Note>,
    /// The rows in both files of the nodes that were merged; told only where there are aliases.
    pub(crate) twins: Vec<(usize, usize)>,
    pub(crate) has_aliases: bool,
    /// Where the node stands that is merged.
    pub(crate) stand: Stand,
}

impl<'a> Merge<'_, 'a> {
    /// Merges two nodes that are the same thing in both files.
    pub(crate) fn node(&mut self, mut current: Node<'a>, mut update: Node<'a>, trail: &Trail<'_>) -> Node<'a> {
        self.twins(&current, &update);
        current.merged_with(around(&current, &mut update));
        take_writing(&mut current, &update);
        self.value(current, update, trail)
    }

    fn twins(&mut self, current: &Node<'_>, update: &Node<'_>) {
        if self.has_aliases {
            self.twins.push((current.row, update.row));
        }
    }

    /// Merges what two nodes hold.
    fn value(&mut self, mut current: Node<'a>, mut update: Node<'a>, trail: &Trail<'_>) -> Node<'a> {
        match (current.kind(), update.kind()) {
            (Kind::Map, Kind::Map) => self.maps(&mut current, &mut update, trail),
            (Kind::Map, Kind::Leaf) if is_empty(&update) => self.maps(&mut current, &mut update, trail),
            (Kind::List, Kind::List) => self.lists(&mut current, update, trail),
            (Kind::Leaf, _) | (_, Kind::Leaf) if self.is_flow_map(&current, &update) => {
                self.flow_maps(&mut current, update, trail);
            }
            _ => {
                self.kinds_differ(&current, &update, trail);
                below(&mut current, update.below, update.indent);
            }
        }
        current
    }

    fn maps(&mut self, current: &mut Node<'a>, update: &mut Node<'a>, trail: &Trail<'_>) {
        if !update.children.is_empty() {
            re_indent(current, update.indent);
        }
        let indent = current.indent;
        self.stand.column += indent;
        self.children(current, update, trail);
        self.stand.column -= indent;
        below(current, std::mem::take(&mut update.below), update.indent);
    }

    /// The children of two maps in the order of the update. A key that only the user has goes right behind the one that
    /// preceded it, or in the place of the commented-out option that it was made of. One that the user gets through `<<`
    /// counts as present (`upgrade.md` rule 9): written out it would hide the user's value.
    fn children(&mut self, current: &mut Node<'a>, update: &mut Node<'a>, trail: &Trail<'_>) {
        let mut laid = Layout::new(std::mem::take(&mut current.children), &update.children);
        let theirs = std::mem::take(&mut update.children);
        let blocks = theirs.iter().map(|node| &node.above).chain([&update.below]);
        laid.find_options(blocks);
        laid.put_chain(0);
        for mut node in theirs {
            node.above = options(&mut laid, std::mem::take(&mut node.above), trail);
            match laid.take(&node.name) {
                Some((at, mine)) => {
                    let name = mine.name.clone();
                    let merged = self.node(mine, node, &Trail::Key(trail, &name));
                    laid.put(merged, at);
                }
                None if self.current.inherits(current.row, &node.name) => {}
                None => laid.out.push(node),
            }
        }
        update.below = options(&mut laid, std::mem::take(&mut update.below), trail);
        current.children = laid.out;
    }

    fn lists(&mut self, current: &mut Node<'a>, mut update: Node<'a>, trail: &Trail<'_>) {
        re_indent(current, update.indent);
        let mine = Side { items: &current.children, outline: self.current };
        let theirs = Side { items: &update.children, outline: self.update };
        let named = self.options.list_keys.iter().find(|(list, _)| *list == trail.path().to_string());
        let pairs = matching::pair(mine, theirs, self.options.pairing, named.map(|(_, key)| key.as_str()));
        let style = DashStyle::common(&update.children);
        let objects = current.children.iter().any(|item| item.kind() != Kind::Leaf);
        let mut theirs: Vec<_> = std::mem::take(&mut update.children).into_iter().map(Some).collect();
        let own = std::mem::take(&mut current.children);
        let joined = current.opener == Opener::Item { joined: true };
        self.stand.column += current.indent;
        for (at, (item, pair)) in own.into_iter().zip(pairs).enumerate() {
            let trail = Trail::Item(trail, at);
            let mut other = counterpart(&item, at, pair).and_then(|at| theirs.get_mut(at)?.take());
            if let Some(other) = other.as_mut().filter(|_| at == 0 && joined) {
                // Above this line it would be a comment of the outer item.
                other.above.clear();
            }
            current.children.push(self.item(item, other, pair, style, &trail));
        }
        self.stand.column -= current.indent;
        if objects && !has_comment(&current.below) {
            below(current, update.below, update.indent);
        }
    }

    fn item(
        &mut self,
        mut item: Node<'a>,
        other: Option<Node<'a>>,
        pair: Match,
        style: Option<DashStyle>,
        trail: &Trail<'_>,
    ) -> Node<'a> {
        let fits = |other: &Node<'_>| {
            other.kind() == item.kind() || item.kind() == Kind::Leaf || self.is_flow_map(&item, other)
        };
        let Some(mut other) = other.filter(fits) else {
            if let Match::Alone { candidates } = pair
                && candidates > 0
            {
                self.note(trail, Noted::ItemLeft { candidates });
            }
            if let Some(style) = style {
                style.apply(&mut item);
            }
            return item;
        };
        self.twins(&item, &other);
        let style = if other.kind() == Kind::Leaf { style } else { Some(DashStyle::of(&other)) };
        if let Some(style) = style {
            style.apply(&mut item);
        }
        item.merged_with(around(&item, &mut other));
        self.value(item, other, trail)
    }

    fn is_flow_map(&self, current: &Node<'_>, update: &Node<'_>) -> bool {
        let is_map = |node: &Node<'_>, outline: &Outline<'_>| flow::is_map(node, outline) || node.kind() == Kind::Map;
        is_map(current, self.current) && is_map(update, self.update)
    }

    /// A flow map gains what it lacks in flow style; a block map gains the entries of a flow map as lines.
    fn flow_maps(&mut self, current: &mut Node<'a>, mut update: Node<'a>, trail: &Trail<'_>) {
        if current.kind() == Kind::Map {
            match flow::as_block(&update, self.update) {
                Some(entries) => update.children = entries,
                None => self.left_out(current, &update, trail),
            }
            update.indent = current.indent;
            return self.maps(current, &mut update, trail);
        }
        let gained = flow::gain(current, self.current, &update, self.update, self.stand);
        match gained {
            Some(gain) => self.note_gain(gain, trail),
            None => self.left_out(current, &update, trail),
        }
        below(current, update.below, update.indent);
    }

    fn note_gain(&mut self, gain: flow::Gain, trail: &Trail<'_>) {
        let added = gain.gained.into_iter().map(|(way, entry)| (way, Noted::AddedInFlow(entry)));
        let differing = gain.differing.into_iter().map(|(way, update)| (way, Noted::KindDiffers { update }));
        for (way, what) in added.chain(differing) {
            let mut path = trail.path();
            path.0.extend(way);
            self.notes.push(Note { path, what });
        }
    }

    /// Notes where a map does not get what it lacks: it is carried as text, or what it lacks cannot be said in its style.
    fn left_out(&mut self, current: &Node<'_>, update: &Node<'_>, trail: &Trail<'_>) {
        if self.current.lacks(current.row, self.update, update.row) {
            self.note(trail, Noted::NotInFlow);
        }
    }

    fn kinds_differ(&mut self, current: &Node<'_>, update: &Node<'_>, trail: &Trail<'_>) {
        let is_null = |node: &Node<'_>, outline: &Outline<'_>| {
            node.kind() == Kind::Leaf && outline.rows[node.row].text.is_empty() && node.shape == Shape::Open
        };
        if is_null(update, self.update) {
            return;
        }
        let (mine, theirs) = (kind_name(current, self.current), kind_name(update, self.update));
        if mine != theirs {
            self.note(trail, Noted::KindDiffers { update: theirs });
        }
    }

    fn note(&mut self, trail: &Trail<'_>, what: Noted) {
        self.notes.push(Note { path: trail.path(), what });
    }
}

/// Puts the user's live options in the place of the commented-out ones in `lines`; what is left of the lines.
fn options<'a>(laid: &mut Layout<'a>, lines: Vec<Line<'a>>, trail: &Trail<'_>) -> Vec<Line<'a>> {
    let (options, rest) = option_lines::split(lines, &laid.options);
    for option_lines::Placed { name, above, below } in options {
        let Some((at, mut node)) = laid.take_option(&name) else { continue };
        debug!("{}: {name} takes the place of its commented-out line", trail.path());
        let below = below.into_iter().map(|line| line.moved(-node.indent)).collect();
        let mut theirs = Around { below, indent: node.indent, option: true, ..Around::default() };
        if has_comment(&node.above) || has_comment(&above) {
            theirs.above = above;
        } else {
            node.above = above;
        }
        node.merged_with(theirs);
        laid.put(node, at);
    }
    rest
}

/// What stands over a node of the update. What ends its block is looked at with its value.
pub(crate) fn around<'a>(current: &Node<'_>, update: &mut Node<'a>) -> Around<'a> {
    let both = has_head(current) && has_head(update);
    let head = if both { std::mem::take(&mut update.more) } else { Vec::new() };
    Around { above: std::mem::take(&mut update.above), head, ..Around::default() }
}

/// What ends the block of the update's node.
fn below<'a>(current: &mut Node<'a>, mut below: Vec<Line<'a>>, indent: isize) {
    if !current.children.is_empty() {
        stay_inside(&mut below, indent, current.indent);
    }
    if current.merged && !below.is_empty() {
        let theirs = current.theirs.get_or_insert_default();
        (theirs.below, theirs.indent) = (below, indent);
    }
}

/// Lays the block of a node out as far right of it as the update's.
fn re_indent(current: &mut Node<'_>, indent: isize) {
    stay_inside(&mut current.below, current.indent, indent);
    current.indent = indent;
}

/// What ends a block stands right of the node that has the block, also where that becomes less deep; further left it
/// would belong to what follows.
fn stay_inside(below: &mut Vec<Line<'_>>, before: isize, indent: isize) {
    if indent < before {
        *below = std::mem::take(below).into_iter().map(|line| line.not_left_of(1 - indent)).collect();
    }
}

/// The writing of a key is the update's, unless an anchor or a tag stands before it.
fn take_writing<'a>(current: &mut Node<'a>, update: &Node<'a>) {
    let has_property = |text: &str| text.starts_with(['&', '!', '*']);
    match (&mut current.opener, &update.opener) {
        (Opener::Key(mine), Opener::Key(theirs)) if mine != theirs && !has_property(mine) && !has_property(theirs) => {
            mine.clone_from(theirs);
        }
        (Opener::Explicit(mine), Opener::Explicit(theirs)) if give_way(&mine.lines, &theirs.lines) => {
            mine.lines.clone_from(&theirs.lines);
        }
        _ => {}
    }
}

/// Whether the lines of an explicit key give way to others for the same key: not where a comment of the user's is among
/// them, or what may be an anchor or a tag.
fn give_way(mine: &[Line<'_>], theirs: &[Line<'_>]) -> bool {
    let has_any = |lines: &[Line<'_>], signs: &[char]| lines.iter().any(|line| line.trimmed().contains(signs));
    let stays = has_any(mine, &['&', '!', '*', '#']) || has_any(theirs, &['&', '!', '*']);
    !stays && !comments::same(mine, theirs)
}

/// A leaf without any value.
fn is_empty(node: &Node<'_>) -> bool {
    node.shape == Shape::Open && node.children.is_empty()
}

fn kind_name(node: &Node<'_>, outline: &Outline<'_>) -> &'static str {
    match matching::Value::of(node, outline).kind() {
        matching::ValueKind::Map => "a map",
        matching::ValueKind::List => "a list",
        matching::ValueKind::Scalar => "a scalar",
    }
}

/// The item of the update that an item is merged with: its pair, or by position where both are lists themselves.
fn counterpart(item: &Node<'_>, at: usize, pair: Match) -> Option<usize> {
    match pair {
        Match::Pair(at) => Some(at),
        Match::Alone { .. } => (item.kind() == Kind::List).then_some(at),
    }
}
