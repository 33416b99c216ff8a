//! Lays the current nodes out as the update has them.
//!
//! Both trees are consumed: a node of the current file moves to where the update has it, a node that only the update
//! has moves in whole. So every node ends in one place, and no value is ever written anew.

mod dash;
mod layout;
mod lists;
mod part;
mod states;
mod writing;

use foldhash::{HashMap, HashSet};

use self::states::AllOwnTrailing;
pub(crate) use self::states::{SwitchedOff, bring_back};
use crate::comments::{SaidOfSame, Words, lines};
use crate::report::note::{Note, Noted};
use crate::upgrade::commented_out::{self, KeysBefore, Opened};
use crate::upgrade::gain::{Gain, Known, gain};
use crate::upgrade::options::Options;
use crate::upgrade::three_way::{self, Plan};
use crate::yaml::commented_out::gaps::has_empty_braces;
use crate::yaml::flow;
use crate::yaml::flow::fit::Indentation;
use crate::yaml::outline::Outline;
use crate::yaml::path::Trail;
use crate::yaml::row::RowId;
use crate::yaml::tree::{BaseComments, Kind, Line, Node, Shape, UpdateComments};
use crate::yaml::value::{Value, ValueKind};

/// What a merge looks at besides its two trees.
pub(crate) struct Merge<'o, 'a> {
    pub(crate) current: &'o Outline<'a>,
    pub(crate) update: &'o Outline<'a>,
    pub(crate) options: &'o Options,
    pub(crate) notes: Vec<Note>,
    /// The rows in both files of the nodes that were merged; told only where there are aliases.
    pub(crate) twins: Vec<(RowId, RowId)>,
    pub(crate) has_aliases: bool,
    /// What the old default tells.
    pub(crate) plan: &'o Plan<'o, 'a>,
    /// Where the node stands that is merged.
    pub(crate) indentation: Indentation,
    /// The options of the old default.
    pub(crate) opened: &'o Opened<'a>,
    /// What was commented out in the user's file.
    pub(crate) before: &'o KeysBefore,
    /// What the old default has commented out and the user live, by the user's rows.
    pub(crate) option_bases: HashMap<RowId, &'o Node<'a>>,
    /// Rows of the user's keys without a value that are maps, for all below them is commented out.
    pub(crate) open_maps: HashSet<RowId>,
    /// The comments of the update's items that are not added.
    pub(crate) not_added: Words<'a>,
    /// What the update says above items of one line that the user has, too, by the user's rows.
    pub(crate) said_of_same: SaidOfSame<'a>,
    /// The keys that one file has live and the other commented out.
    pub(crate) switched_off: SwitchedOff,
    /// Words of the user's own behind a key that something else comes to stand behind.
    pub(crate) own_trailing: AllOwnTrailing<'a>,
}

impl<'o, 'a> Merge<'o, 'a> {
    /// A merge of two files of which nothing is merged yet: the user's and the update's, as the reference parser sees them.
    pub(crate) fn new(
        (current, update): (&'o Outline<'a>, &'o Outline<'a>),
        options: &'o Options,
        plan: &'o Plan<'o, 'a>,
        (opened, before): (&'o Opened<'a>, &'o KeysBefore),
    ) -> Self {
        Self {
            current,
            update,
            options,
            notes: Vec::new(),
            twins: Vec::new(),
            has_aliases: false,
            plan,
            indentation: Indentation { column: -1, step: 2 },
            opened,
            before,
            option_bases: HashMap::default(),
            open_maps: HashSet::default(),
            not_added: Words::default(),
            said_of_same: SaidOfSame::default(),
            switched_off: SwitchedOff::default(),
            own_trailing: AllOwnTrailing::default(),
        }
    }

    /// Merges two nodes that are the same thing in both files.
    pub(crate) fn node(
        &mut self,
        mut current: Box<Node<'a>>,
        mut update: Box<Node<'a>>,
        trail: &Trail<'_>,
    ) -> Box<Node<'a>> {
        self.twins(&current, &update);
        if self.plan.is_own(current.row) {
            return current;
        }
        let theirs = self.around(&current, &mut update);
        current.merged_with(theirs);
        self.take_writing(&mut current, &update);
        self.value(current, update, trail)
    }

    /// What stands over a node of the update, and all that the base has around it.
    pub(crate) fn around(&self, current: &Node<'_>, update: &mut Node<'a>) -> UpdateComments<'a> {
        let base = self.base(current.row).map(|base| Box::new(BaseComments::of(base)));
        UpdateComments { base, ..around(current, update) }
    }

    /// What the old default has in the place of a value of the current file; what is inside of it may not be there.
    pub(crate) fn base(&self, row: Option<RowId>) -> Option<&'o Node<'a>> {
        self.plan.base(row).map(|base| self.opened.node(base))
    }

    fn twins(&mut self, current: &Node<'_>, update: &Node<'_>) {
        if self.has_aliases {
            self.twins.extend(current.row.zip(update.row));
        }
    }

    /// Merges what two nodes hold.
    fn value(&mut self, mut current: Box<Node<'a>>, update: Box<Node<'a>>, trail: &Trail<'_>) -> Box<Node<'a>> {
        if self.plan.keeps(current.row) {
            // What ends the list is no comment that the base could tell of.
            current.set_base(|lines| lines.below.clear());
            return current;
        }
        let comment = self.base(current.row).and_then(|base| three_way::comment(&current, base, &update));
        if self.plan.taken(current.row).is_some() {
            let are_maps = update.kind() == Kind::Map || can_only_hold_options(&update);
            current = if !holds_only_options(&current) {
                self.taken(current, update)
            } else if are_maps {
                self.taken_with_options(current, update, trail)
            } else {
                self.close_options(&mut current);
                self.taken(current, update)
            };
            comment.inspect(|comment| three_way::set_comment(&mut current, comment));
            return current;
        }
        if self.follows(&current, &update) {
            current.value_text.clone_from(&update.value_text);
        } else {
            comment.inspect(|comment| three_way::set_comment(&mut current, comment));
            let base = self.base(current.row);
            base.inspect(|base| three_way::follow_blanks(&mut current, base, &update));
        }
        let kind = self.plan.kind(&current);
        // All that the update has there is commented out, and so is what is left of the user's.
        let is_nothing = is_empty(&update) && !self.plan.is_thinned(update.row);
        self.both(&mut current, update, kind, trail);
        if !is_nothing && current.live_children().next().is_none() && kind != current.kind() {
            current.set_empty(kind);
        }
        current
    }

    /// Whether a line above a block is the update's, since the user never touched it. A tag or anchor of a block of another
    /// kind is none for the user's.
    fn follows(&self, current: &Node<'_>, update: &Node<'_>) -> bool {
        let open = (current.shape, update.shape) == (Shape::Open, Shape::Open);
        open && self.plan.is_untouched(current.row) && self.plan.kind(current) == update.kind()
    }

    /// Merges two values by what they are; `kind` is what the user's was before anything went.
    fn both(&mut self, current: &mut Node<'a>, mut update: Box<Node<'a>>, kind: Kind, trail: &Trail<'_>) {
        match (kind, update.kind()) {
            (Kind::Map, Kind::Map) => self.maps(current, &mut update, trail),
            (Kind::Map, Kind::Leaf) if can_only_hold_options(&update) => self.maps(current, &mut update, trail),
            (Kind::Leaf, Kind::Map) if has_empty_braces(current) && !current.children.is_empty() => {
                self.empty_map(current, update, trail);
            }
            (Kind::Leaf, _) if self.is_open_map(current, &update) => {
                self.open_maps.extend(current.row);
                self.maps(current, &mut update, trail);
            }
            (Kind::Leaf, Kind::Leaf) if can_only_hold_options(current) && holds_only_options(&update) => {
                self.kinds_differ(current, &update, trail);
                self.maps(current, &mut update, trail);
            }
            (Kind::List, Kind::List) => self.lists(current, update, trail),
            (Kind::List, Kind::Leaf) if self.plan.changes_in(current.row, self.current) => {
                update.children = flow::items_as_block(&update, self.update).unwrap_or_default();
                update.set_indent(current.indent);
                self.lists(current, update, trail);
            }
            (Kind::Leaf, _) if flow::is_flow(current) && self.plan.has_list_in(current.row, self.current) => {
                self.flow_gain(current, &update, trail);
                below(current, &mut update);
            }
            (Kind::Leaf, _) | (_, Kind::Leaf) if self.is_flow_map(current, &update) => {
                self.flow_maps(current, update, trail);
            }
            _ => {
                self.kinds_differ(current, &update, trail);
                commented_out::close_children(&mut update);
                if self.base(current.row).is_some() || self.has_place_below(current, &update) {
                    below_other_kind(current, &mut update);
                }
            }
        }
    }

    /// Whether a key of the user's without a value is a map, since all below it is commented out: by what became a node of
    /// that, or since the update has a map there.
    fn is_open_map(&self, current: &Node<'_>, update: &Node<'_>) -> bool {
        let holds_keys = || is_empty(current) && self.before.has_any(current.row);
        match (current.is_map(), update.is_map()) {
            (true, true) => true,
            (true, false) => is_empty(update),
            (false, true) => update.kind() == Kind::Map && holds_keys(),
            (false, false) => false,
        }
    }

    fn maps(&mut self, current: &mut Node<'a>, update: &mut Node<'a>, trail: &Trail<'_>) {
        if !update.children.is_empty() && !self.stands_as_in_base(current, update) {
            current.set_indent(update.indent);
        }
        let indent = current.indent;
        self.indentation.column += indent;
        self.children(current, update, trail);
        self.indentation.column -= indent;
        below(current, update);
    }

    /// A map for an empty value, or another empty value: what is commented out below that has its states in any case.
    fn taken_with_options(
        &mut self,
        mut current: Box<Node<'a>>,
        mut update: Box<Node<'a>>,
        trail: &Trail<'_>,
    ) -> Box<Node<'a>> {
        self.close_changed_options(&mut current, &update);
        self.maps(&mut current, &mut update, trail);
        let (children, indent) = (std::mem::take(&mut current.children), current.indent);
        let mut taken = self.taken(current, update);
        (taken.children, taken.indent) = (children, indent);
        taken
    }

    /// Whether a block stands where it did in the base, and the update has nothing but comments to say otherwise.
    fn stands_as_in_base(&self, current: &Node<'a>, update: &Node<'a>) -> bool {
        let has_live = |node: &Node<'_>| node.live_children().next().is_some();
        let is_as_in_base = |base: &'o Node<'a>| {
            let has_block = !self.opened.children(base).is_empty();
            has_block && self.opened.node(base).indent == update.indent
        };
        has_live(current) && !has_live(update) && self.base_of(current).is_some_and(is_as_in_base)
    }

    fn is_flow_map(&self, current: &Node<'_>, update: &Node<'_>) -> bool {
        let is_map = |node: &Node<'_>, outline: &Outline<'_>| flow::is_map(node, outline) || node.kind() == Kind::Map;
        is_map(current, self.current) && is_map(update, self.update)
    }

    /// A flow map gains what it lacks in flow style; a block map gains the entries of a flow map as lines.
    fn flow_maps(&mut self, current: &mut Node<'a>, mut update: Box<Node<'a>>, trail: &Trail<'_>) {
        if current.kind() == Kind::Map {
            match flow::as_block(&update, self.update) {
                Some(entries) => update.children = entries,
                None => self.left_out(current, &update, trail),
            }
            update.set_indent(current.indent);
            return self.maps(current, &mut update, trail);
        }
        self.flow_gain(current, &update, trail);
        below(current, &mut update);
    }

    fn flow_gain(&mut self, current: &mut Node<'a>, update: &Node<'a>, trail: &Trail<'_>) {
        let keeps_commented_out = !self.options.restore_deleted;
        let Self { current: mine, update: theirs, plan, indentation, .. } = *self;
        let known = Known { current: mine, update: theirs, plan, indentation, keeps_commented_out };
        match gain(current, update, known) {
            Some(gain) => self.note_gain(gain, trail),
            None => self.left_out(current, update, trail),
        }
    }

    fn note_gain(&mut self, gain: Gain, trail: &Trail<'_>) {
        let added = gain.gained.into_iter().map(|(way, entry)| (way, Noted::AddedInFlow(entry)));
        let differing = gain.differing.into_iter().map(|(way, update)| (way, Noted::KindDiffers { update }));
        let left = gain.commented_out.into_iter().map(|(way, update)| (way, Noted::CommentedOut { update }));
        for (way, what) in added.chain(differing).chain(left) {
            let mut path = trail.path();
            path.0.extend(way);
            self.notes.push(Note { path, what });
        }
    }

    /// Notes where a map, or one of those in a list that the plan pairs, does not get what it lacks: it is carried as text, or
    /// what it lacks cannot be said in its style.
    fn left_out(&mut self, current: &Node<'_>, update: &Node<'_>, trail: &Trail<'_>) {
        let rows = current.row.zip(update.row);
        let lacks = |(mine, theirs)| self.current.lacks(mine, self.update, theirs);
        if rows.is_some_and(lacks) || self.plan.has_list_in(current.row, self.current) {
            self.note(trail, Noted::NotInFlow);
        }
    }

    fn kinds_differ(&mut self, current: &Node<'_>, update: &Node<'_>, trail: &Trail<'_>) {
        let is_null = |node: &Node<'_>, outline: &Outline<'_>| {
            let has_no_text = || node.row.is_some_and(|row| outline[row].text.is_empty());
            node.kind() == Kind::Leaf && node.shape == Shape::Open && has_no_text()
        };
        if is_null(update, self.update) || self.plan.is_known(current.row) {
            return;
        }
        let (mine, theirs) = (kind_name(current, self.current), kind_name(update, self.update));
        if mine != theirs {
            self.note(trail, Noted::KindDiffers { update: theirs });
        }
    }

    /// Whether what ends a block of the update's says anything of the user's value: not where that is of another kind, and
    /// lacks all that the block has.
    fn has_place_below(&self, current: &Node<'_>, update: &Node<'_>) -> bool {
        let [mine, theirs] =
            [(current, self.current), (update, self.update)].map(|(node, file)| Value::of(node, file).kind());
        (theirs == ValueKind::Scalar || theirs == mine) && !is_said_at_top(current, &update.below)
    }

    fn note(&mut self, trail: &Trail<'_>, what: Noted) {
        self.notes.push(Note { path: trail.path(), what });
    }
}

/// What stands over a node of the update. What ends its block is looked at with its value.
fn around<'a>(current: &Node<'_>, update: &mut Node<'a>) -> UpdateComments<'a> {
    let header = update.document_mut().filter(|_| current.can_have_header());
    let header = header.map_or_else(Vec::new, |document| std::mem::take(&mut document.header));
    UpdateComments { above: std::mem::take(&mut update.above), header, ..UpdateComments::default() }
}

/// Whether all that the update says below a key without a value is said above the first of what the user has there.
fn is_said_at_top(current: &Node<'_>, update: &[Line<'_>]) -> bool {
    current.children.first().is_some_and(|first| lines::hold_words(&first.above, update))
}

/// What ends the block of the update's node.
fn below<'a>(current: &mut Node<'a>, update: &mut Node<'a>) {
    let indent = update.indent;
    if !current.children.is_empty() {
        update.set_indent(current.indent);
    }
    if current.merged && !update.below.is_empty() {
        let theirs = current.update_comments.get_or_insert_default();
        (theirs.below, theirs.indent) = (update.below.take(), indent);
    }
}

/// The same for a value of another kind.
fn below_other_kind<'a>(current: &mut Node<'a>, update: &mut Node<'a>) {
    let is_in_empty_key = current.kind() == Kind::List && is_empty(update);
    below(current, update);
    if let Some(theirs) = current.update_comments.as_deref_mut() {
        theirs.is_in_empty_key = is_in_empty_key;
    }
}

/// A leaf without any value.
fn is_empty(node: &Node<'_>) -> bool {
    node.shape == Shape::Open && node.live_children().next().is_none()
}

/// Whether all that could stand below a node is commented out: it has no value, or empty braces.
fn can_only_hold_options(node: &Node<'_>) -> bool {
    is_empty(node) || has_empty_braces(node)
}

fn holds_only_options(node: &Node<'_>) -> bool {
    !node.children.is_empty() && can_only_hold_options(node)
}

fn kind_name(node: &Node<'_>, outline: &Outline<'_>) -> &'static str {
    match Value::of(node, outline).kind() {
        ValueKind::Map => "a map",
        ValueKind::List => "a list",
        ValueKind::Scalar => "a scalar",
    }
}
