//! A flow map gains keys in the layout that it has: beside each other, or one a line with their comments.

use foldhash::{HashMap, HashSet};
use std::collections::BTreeMap;

use crate::upgrade::three_way::{ItemSource, Plan};
use crate::yaml::flow::fit::{self, Indentation};
use crate::yaml::flow::layout::{Fresh, Layout};
use crate::yaml::flow::parse::{Collection, Entry};
use crate::yaml::flow::remarks::{Remark, commented_out_keys, remarks};
use crate::yaml::flow::text::{Edit, Text};
use crate::yaml::flow::write;
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::path::Step;
use crate::yaml::row::RowId;
use crate::yaml::tree::Node;

/// A key that a flow map gained: the way to it from that map, and the entry as written.
pub(crate) type Gained = (Vec<Step>, String);

/// A value of another kind in the update: the way to it, and what it is.
pub(crate) type Differing = (Vec<Step>, &'static str);

/// What a flow map gained, and what it did not.
#[derive(Default)]
pub(crate) struct Gain {
    pub(crate) gained: Vec<Gained>,
    pub(crate) differing: Vec<Differing>,
    /// Keys that stay commented out: the way to each, and the update's row.
    pub(crate) commented_out: Vec<(Vec<Step>, RowId)>,
}

/// What is known of two files when a map of one gains keys of the other.
#[derive(Clone, Copy)]
pub(crate) struct Known<'g, 'a> {
    pub(crate) current: &'g Outline<'a>,
    pub(crate) update: &'g Outline<'a>,
    pub(crate) plan: &'g Plan<'g, 'g>,
    /// Where the map stands.
    pub(crate) indentation: Indentation,
    /// Whether a key that stands commented out in the map stays so.
    pub(crate) keeps_commented_out: bool,
}

/// Adds to the flow map of `current` the keys that only the update's map has, each behind the one that it follows
/// there; nothing where one of them cannot be said in flow. An empty `{}` is the user's value and gains nothing
/// (`docs/rules.md` rule 1).
pub(crate) fn gain(current: &mut Node<'_>, update: &Node<'_>, known: Known<'_, '_>) -> Option<Gain> {
    let text = Text::of(current);
    let map = text.collection()?;
    let remarks = remarks(update, known.update);
    let mut gainer = Gainer { text: &text, known, remarks, edits: Vec::new(), way: Vec::new(), gain: Gain::default() };
    gainer.collection(&map, current.row?, update.row?)?;
    let Gainer { edits, gain, .. } = gainer;
    if !edits.is_empty() {
        let mut whole = fit::lines(current);
        whole.extend(gain.gained.iter().map(|(_, entry)| entry.clone()));
        text.write(edits, current);
        fit::fit(current, &whole, known.indentation);
    }
    Some(gain)
}

struct Gainer<'g, 'a> {
    text: &'g Text<'a>,
    known: Known<'g, 'a>,
    remarks: HashMap<RowId, Remark>,
    edits: Vec<Edit>,
    way: Vec<Step>,
    gain: Gain,
}

impl Gainer<'_, '_> {
    fn collection(&mut self, collection: &Collection, mine: RowId, update: RowId) -> Option<()> {
        if collection.map { self.map(collection, mine, update) } else { self.list(collection, mine) }
    }

    /// Items gain where it is known which is which.
    fn list(&mut self, list: &Collection, mine: RowId) -> Option<()> {
        let Some(sources) = self.known.plan.list(mine) else { return self.lists_inside(list, mine) };
        for (at, (entry, slot)) in list.entries.iter().zip(sources).enumerate() {
            let ItemSource::Own { current, update: Some(update) } = *slot else { continue };
            if self.known.plan.taken(current).is_none() {
                self.way.push(Step::Item(at));
                if entry.pair {
                    self.pair(entry, current, update)?;
                } else {
                    self.both(entry, current, update)?;
                }
                self.way.pop();
            }
        }
        Some(())
    }

    /// Gains only in the lists inside of a collection whose own entries have no known pairs.
    fn lists_inside(&mut self, collection: &Collection, mine: RowId) -> Option<()> {
        let plan = self.known.plan;
        if !plan.has_list_in(Some(mine), self.known.current) {
            return Some(());
        }
        if !collection.map && plan.list(mine).is_some() {
            return self.list(collection, mine);
        }
        let rows: Vec<_> = self.known.current.children(mine).collect();
        for (at, (entry, mut row)) in collection.entries.iter().zip(rows).enumerate() {
            let Some(inner) = entry.value.as_ref().filter(|_| plan.taken(row).is_none()) else { continue };
            let outer = self.way.len();
            if !collection.map {
                self.way.push(Step::Item(at));
            }
            if entry.pair && !collection.map {
                row = self.known.current.children(row).next()?;
            }
            self.way.extend(self.known.current[row].name.as_deref().map(|name| Step::Key(name.to_owned())));
            self.lists_inside(inner, row)?;
            self.way.truncate(outer);
        }
        Some(())
    }

    /// An item such as `a: 1`, which is a map of one pair (YAML 1.2.2 §7.5), gets braces with what else comes in.
    fn pair(&mut self, entry: &Entry, mine: RowId, update: RowId) -> Option<()> {
        let own = self.known.current.children(mine).next()?;
        if self.known.update[update].kind != RowKind::Map || self.known.plan.keeps(mine) {
            return Some(());
        }
        let mut fresh = Vec::new();
        for row in self.known.update.children(update) {
            let name = self.known.update[row].name.as_deref()?;
            self.way.push(Step::Key(name.to_owned()));
            if self.known.current[own].name.as_deref() == Some(name) {
                self.both(entry, own, row)?;
            } else if self.known.plan.is_written_out(row) || !self.known.current.inherits(mine, name) {
                let text = write::entry(row, self.known.update, entry.quoted)?;
                self.gain.gained.push((self.way.clone(), text.trim_ascii_end().to_owned()));
                fresh.push(text);
            }
            self.way.pop();
        }
        if !fresh.is_empty() {
            self.edits.push(Edit::insert(entry.start, "{"));
            self.edits.push(Edit::insert(entry.end, format!(", {}}}", fresh.join(", "))));
        }
        Some(())
    }

    /// Finds what a map, and every map inside of it, lacks of the update's map at a row.
    fn map(&mut self, map: &Collection, mine: RowId, update: RowId) -> Option<()> {
        let own: Vec<_> = self.known.current.children(mine).collect();
        if map.entries.is_empty() || own.len() != map.entries.len() {
            return (own.len() == map.entries.len()).then_some(());
        }
        let place =
            Places::of(own.iter().map(|&row| self.known.current[row].name.as_deref()), self.known.update, update);
        let json = map.entries.iter().all(|entry| entry.quoted);
        let commented_out = commented_out_keys(self.text, map);
        let layout = Layout::of(self.text, map);
        let mut behind = place.follow(None);
        let mut fresh: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for row in self.known.update.children(update) {
            let name = self.known.update[row].name.as_deref()?;
            self.way.push(Step::Key(name.to_owned()));
            if let Some(&at) = place.names.get(name) {
                behind = place.follow(Some(at));
                self.both(&map.entries[at], own[at], row)?;
            } else if self.known.keeps_commented_out && commented_out.contains(name) {
                self.gain.commented_out.push((self.way.clone(), row));
            } else if self.known.plan.is_written_out(row) || !self.known.current.inherits(mine, name) {
                let text = write::entry(row, self.known.update, json)?;
                self.gain.gained.push((self.way.clone(), text.trim_ascii_end().to_owned()));
                fresh.entry(layout.place(behind)).or_default().push(Fresh { text, row });
            }
            self.way.pop();
        }
        for (behind, fresh) in fresh {
            layout.insert(behind, &fresh, &self.remarks, &mut self.edits);
        }
        Some(())
    }

    /// A key that both have: maps in maps gain in turn, a value of another kind is told.
    fn both(&mut self, entry: &Entry, mine: RowId, update: RowId) -> Option<()> {
        match &entry.value {
            _ if self.known.plan.taken(mine).is_some() || self.known.plan.keeps(mine) => return Some(()),
            Some(inner) if inner.map && self.known.update[update].kind == RowKind::Map => {
                return self.map(inner, mine, update);
            }
            Some(inner) if self.known.plan.list(mine).is_some() => return self.list(inner, mine),
            Some(inner) => self.lists_inside(inner, mine)?,
            None => {}
        }
        let (own, other) = (self.known.current.kind_name(mine), self.known.update.kind_name(update));
        if own != other && !self.known.update[update].is_null() && !self.known.plan.is_known(mine) {
            self.gain.differing.push((self.way.clone(), other));
        }
        Some(())
    }
}

/// Where the user's keys stand, and which of them only the user has.
struct Places<'p> {
    names: HashMap<&'p str, usize>,
    only: Vec<bool>,
}

impl<'p> Places<'p> {
    fn of(own: impl Iterator<Item = Option<&'p str>>, update: &Outline<'_>, row: RowId) -> Self {
        let theirs: HashSet<_> = update.children(row).filter_map(|row| update[row].name.as_deref()).collect();
        let (mut names, mut only) = (HashMap::default(), Vec::new());
        for (at, name) in own.enumerate() {
            only.push(name.is_none_or(|name| !theirs.contains(name)));
            if let Some(name) = name {
                names.entry(name).or_insert(at);
            }
        }
        Self { names, only }
    }

    /// The last of the user's own keys that follow a key; what is new comes behind them (`docs/rules.md` rule 3).
    fn follow(&self, at: Option<usize>) -> Option<usize> {
        let next = at.map_or(0, |at| at + 1);
        let own = self.only[next..].iter().take_while(|only| **only).count();
        (next + own).checked_sub(1)
    }
}
