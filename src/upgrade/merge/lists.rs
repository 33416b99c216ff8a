//! The items of two lists: which is which, and each pair merged.

use foldhash::{HashMap, HashSet};

use super::dash::DashStyle;
use super::{Merge, Noted, below};
use crate::comments::{self, lines};
use crate::upgrade::matching::{self, Match, Side};
use crate::upgrade::three_way::ItemSource;
use crate::yaml::flow;
use crate::yaml::path::Trail;
use crate::yaml::tree::{Kind, Line, Node, Opener, follow_block};
use crate::yaml::value::{Value, ValueKind};

impl<'a> Merge<'_, 'a> {
    pub(super) fn lists(&mut self, current: &mut Node<'a>, mut update: Box<Node<'a>>, trail: &Trail<'_>) {
        let base = self.base_of(current);
        let end = end_inside(current, &update, base.map_or(&[], |base| &base.below));
        self.indent_list(current, update.indent);
        let all = !self.plan.is_thinned(update.row);
        let style = all.then(|| DashStyle::common(&update.children)).flatten();
        let theirs = std::mem::take(&mut update.children);
        let items = match self.plan.list(current.row) {
            Some(sources) => arranged(sources, current, theirs),
            None => self.paired(current, theirs, trail),
        };
        let joined = current.opener == Opener::Item { joined: true };
        self.indentation.column += current.indent;
        current.children.reserve_exact(items.len());
        for (at, mut item) in items.into_iter().enumerate() {
            let trail = Trail::Item(trail, at);
            if let Some(other) = item.other.as_mut().filter(|_| at == 0 && joined) {
                // Above this line it would be a comment of the outer item.
                other.above.clear();
            }
            current.children.extend(match item.own {
                Some(own) => Some(self.item(own, item.other, item.pair, style, &trail)),
                None => item.other,
            });
        }
        self.indentation.column -= current.indent;
        if let Some(last) = current.children.last_mut().filter(|_| !end.is_empty()) {
            end_with(last, end);
        }
        let objects = current.children.iter().any(|item| item.kind() != Kind::Leaf);
        if self.base(current.row).is_none() && !objects {
            keep_what_both_say(&mut update, current);
        }
        below(current, &mut update);
    }

    /// Lets the items of a list stand so far right of it, and what the user and the old default have at its end follow them.
    pub(super) fn indent_list(&self, current: &mut Node<'a>, indent: i32) {
        current.set_indent(indent);
        if let Some(base) = self.base_of(current) {
            let stands = [base.indent, indent];
            current.set_base(|base| follow_block(&mut base.below, stands));
        }
    }

    /// The user's items, each with what it is in the update.
    fn paired(&mut self, current: &mut Node<'a>, theirs: Vec<Box<Node<'a>>>, trail: &Trail<'_>) -> Vec<Item<'a>> {
        let mine = Side { items: &current.children, outline: self.current };
        let new = Side { items: &theirs, outline: self.update };
        let pairs = matching::pair(mine, new, self.options.pairing, self.options.list_key(|| trail.path()));
        let mut theirs: Vec<_> = theirs.into_iter().map(Some).collect();
        let own = std::mem::take(&mut current.children).into_iter().zip(pairs).enumerate();
        let items = own.map(|(at, (item, pair))| {
            let other = self.take_counterpart((&item, at), &mut theirs, pair);
            Item { own: Some(item), other, pair }
        });
        let items: Vec<_> = items.collect();
        self.note_said_of_same(&items, theirs.iter().flatten());
        theirs.iter().flatten().for_each(|item| comments::add_words(item, &mut self.not_added));
        items
    }

    /// Notes what the update says above those of its items of one line that the user has, too, and below them: there it has not
    /// moved away.
    fn note_said_of_same<'t>(&mut self, items: &[Item<'a>], theirs: impl Iterator<Item = &'t Box<Node<'a>>>)
    where
        'a: 't,
    {
        let has_words = |item: &Node<'_>| item.above.iter().chain(&item.below).any(Line::has_words);
        let said = theirs.filter(|item| item.kind() == Kind::Leaf && has_words(item));
        let said: HashMap<_, _> = said.map(|item| (item.value_text.trim_ascii(), item)).collect();
        if said.is_empty() {
            return;
        }
        let own = items.iter().filter(|item| item.other.is_none()).filter_map(|item| item.own.as_ref());
        for own in own.filter(|own| own.kind() == Kind::Leaf) {
            let same = said.get(own.value_text.trim_ascii());
            let same = same.map(|same| [same.above.clone(), same.below.to_vec()]);
            self.said_of_same.extend(own.row.zip(same));
        }
    }

    /// Takes the item of the update that an item at a position is merged with: its pair, or the one at this position where
    /// both are lists themselves.
    fn take_counterpart(
        &self,
        (item, at): (&Node<'_>, usize),
        theirs: &mut [Option<Box<Node<'a>>>],
        pair: Match,
    ) -> Option<Box<Node<'a>>> {
        let is_list = |other: &mut Box<Node<'_>>| Value::of(other, self.update).kind() == ValueKind::List;
        match pair {
            Match::Pair(at) => theirs.get_mut(at)?.take(),
            Match::Alone { .. } if item.kind() == Kind::List || self.is_ruled(item) => {
                theirs.get_mut(at)?.take_if(is_list)
            }
            Match::Alone { .. } => None,
        }
    }

    /// Whether a rule says what becomes of an item, of a list inside of its brackets, or of an item in it.
    fn is_ruled(&self, item: &Node<'_>) -> bool {
        let has_ruled = match item.kind() {
            Kind::List => self.plan.changes_in(item.row, self.current),
            _ => flow::is_flow(item) && self.plan.has_list_in(item.row, self.current),
        };
        has_ruled || self.plan.taken(item.row).is_some()
    }

    fn item(
        &mut self,
        mut item: Box<Node<'a>>,
        other: Option<Box<Node<'a>>>,
        pair: Match,
        style: Option<DashStyle>,
        trail: &Trail<'_>,
    ) -> Box<Node<'a>> {
        let fits = |other: &Node<'_>| {
            let is_planned = || self.plan.list(item.row).is_some() || self.is_ruled(&item);
            other.kind() == item.kind() || item.kind() == Kind::Leaf || self.is_flow_map(&item, other) || is_planned()
        };
        let Some(mut other) = other.filter(|other| fits(other)) else {
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
        if self.plan.is_own(item.row) {
            return item;
        }
        if self.follows(&item, &other) {
            item.value_text.clone_from(&other.value_text);
            (item.opener, item.indent) = (other.opener.clone(), other.indent);
        }
        let style = if other.kind() == Kind::Leaf { style } else { Some(DashStyle::of(&other)) };
        if let Some(style) = style {
            style.apply(&mut item);
        }
        let theirs = self.around(&item, &mut other);
        item.merged_with(theirs);
        self.value(item, other, trail)
    }
}

/// An item of a list on its way into the result: the user's, what it is in the update, and how that was found.
struct Item<'a> {
    own: Option<Box<Node<'a>>>,
    other: Option<Box<Node<'a>>>,
    pair: Match,
}

/// The items of two lists as the plan has them.
fn arranged<'a>(slots: &[ItemSource], current: &mut Node<'a>, theirs: Vec<Box<Node<'a>>>) -> Vec<Item<'a>> {
    let with_row = |node: Box<Node<'a>>| Some((node.row?, node));
    let by_row = |nodes: Vec<_>| nodes.into_iter().filter_map(with_row).collect::<HashMap<_, _>>();
    let (mut mine, mut theirs) = (by_row(std::mem::take(&mut current.children)), by_row(theirs));
    let item = |slot: &ItemSource| {
        let (own, update) = match slot {
            ItemSource::New { update } => (None, Some(update)),
            ItemSource::Own { current, update } => (mine.remove(current), update.as_ref()),
        };
        let other = update.and_then(|update| theirs.remove(update));
        Item { own, other, pair: Match::Alone { candidates: 0 } }
    };
    slots.iter().map(item).collect()
}

/// Takes out the user's words at the end of a list whose items come to stand at the column of their key. There they would be
/// read as a comment on the next key; inside of the last item they still end the list. A commented-out item does not belong
/// there.
fn end_inside<'a>(list: &mut Node<'a>, update: &Node<'_>, base: &[Line<'_>]) -> Vec<Line<'a>> {
    let is_inside =
        |line: &Line<'_>| !line.is_comment() || (line.is_right_of(-list.indent) && !line.comments_out_item());
    let steps_left = list.indent > 0 && update.indent == 0 && matches!(list.opener, Opener::Key(_));
    let is_own = update.below.is_empty() && !lines::share_words(&list.below, base);
    let moves = steps_left && is_own && list.below.iter().all(is_inside);
    if moves { list.below.take() } else { Vec::new() }
}

/// Takes out of the comments at the end of an update's list all that the user does not say there, too. A list of plain values
/// is the user's, with what ends it, so nothing else comes in; what both say must stay known, or it would count as moved.
fn keep_what_both_say(update: &mut Node<'_>, current: &Node<'_>) {
    let own: HashSet<_> = current.below.iter().map(Line::said).collect();
    update.below.change(|theirs| theirs.retain(|line| line.has_words() && own.contains(line.said())));
}

/// Ends an item with lines that stood beside it, right of its dash.
fn end_with<'a>(item: &mut Node<'a>, lines: Vec<Line<'a>>) {
    if item.children.is_empty() && item.below.is_empty() {
        item.indent = 2;
    }
    item.below.append(lines.into_iter().map(Line::beside).collect());
}
