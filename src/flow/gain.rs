//! A flow map gains keys in the layout that it has: beside each other, or one a line with their comments.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::fit::{self, Stand};
use super::parse::{Collection, Entry};
use super::remarks::{Remark, remarks};
use super::text::{Edit, Text};
use super::write;
use crate::outline::{Outline, RowKind};
use crate::path::Step;
use crate::three_way::{Plan, Slot};
use crate::tree::{Node, Offset};

/// A key that a flow map gained: the way to it from that map, and the entry as written.
pub(crate) type Gained = (Vec<Step>, String);

/// A value of another kind in the update: the way to it, and what it is.
pub(crate) type Differing = (Vec<Step>, &'static str);

/// What a flow map gained, and what it did not.
#[derive(Default)]
pub(crate) struct Gain {
    pub(crate) gained: Vec<Gained>,
    pub(crate) differing: Vec<Differing>,
}

/// Adds to the flow map of `current` the keys that only the update's map has, each behind the one that it follows there;
/// nothing where one of them cannot be said in flow. An empty `{}` is the user's value and gains nothing (`upgrade.md`
/// rule 1).
pub(crate) fn gain(
    current: &mut Node<'_>,
    mine: &Outline<'_>,
    update: &Node<'_>,
    outline: &Outline<'_>,
    stand: Stand,
    plan: &Plan<'_, '_>,
) -> Option<Gain> {
    let text = Text::of(current);
    let map = text.collection()?;
    let remarks = remarks(update, outline);
    let mut gainer = Gainer {
        text: &text,
        mine,
        plan,
        update: outline,
        remarks,
        edits: Vec::new(),
        way: Vec::new(),
        gain: Gain::default(),
    };
    gainer.collection(&map, current.row, update.row)?;
    let Gainer { edits, gain, .. } = gainer;
    if !edits.is_empty() {
        let mut whole = fit::lines(current);
        whole.extend(gain.gained.iter().map(|(_, entry)| entry.clone()));
        text.write(edits, current);
        fit::fit(current, &whole, stand);
    }
    Some(gain)
}

/// An entry to be written: its text, and what is said about it.
pub(super) struct Fresh {
    pub(super) text: String,
    pub(super) row: usize,
}

struct Gainer<'g, 'a> {
    text: &'g Text<'a>,
    mine: &'g Outline<'a>,
    plan: &'g Plan<'g, 'g>,
    update: &'g Outline<'a>,
    remarks: HashMap<usize, Remark>,
    edits: Vec<Edit>,
    way: Vec<Step>,
    gain: Gain,
}

impl Gainer<'_, '_> {
    fn collection(&mut self, collection: &Collection, mine: usize, update: usize) -> Option<()> {
        if collection.map { self.map(collection, mine, update) } else { self.list(collection, mine) }
    }

    /// Items gain where it is known which is which.
    fn list(&mut self, list: &Collection, mine: usize) -> Option<()> {
        for (at, (entry, slot)) in list.entries.iter().zip(self.plan.list(mine).unwrap_or_default()).enumerate() {
            let Slot::Own { current, update: Some(update) } = *slot else { continue };
            if self.plan.taken(current).is_none() {
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

    /// An item such as `a: 1`, which is a map of one pair (YAML 1.2.2 §7.5), gets braces with what else comes in.
    fn pair(&mut self, entry: &Entry, mine: usize, update: usize) -> Option<()> {
        let own = self.mine.children(mine).next()?;
        if self.update.rows[update].kind != RowKind::Map || self.plan.keeps(mine) {
            return Some(());
        }
        let mut fresh = Vec::new();
        for row in self.update.children(update) {
            let name = self.update.rows[row].name.as_deref()?;
            self.way.push(Step::Key(name.to_owned()));
            if self.mine.rows[own].name.as_deref() == Some(name) {
                self.both(entry, own, row)?;
            } else if !self.mine.inherits(mine, name) {
                let text = write::entry(name, row, self.update, entry.quoted)?;
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
    fn map(&mut self, map: &Collection, mine: usize, update: usize) -> Option<()> {
        let own: Vec<_> = self.mine.children(mine).collect();
        if map.entries.is_empty() || own.len() != map.entries.len() {
            return (own.len() == map.entries.len()).then_some(());
        }
        let place = Places::of(own.iter().map(|&row| self.mine.rows[row].name.as_deref()), self.update, update);
        let json = map.entries.iter().all(|entry| entry.quoted);
        let mut behind = place.follow(None);
        let mut fresh: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for row in self.update.children(update) {
            let name = self.update.rows[row].name.as_deref()?;
            self.way.push(Step::Key(name.to_owned()));
            if let Some(&at) = place.names.get(name) {
                behind = place.follow(Some(at));
                self.both(&map.entries[at], own[at], row)?;
            } else if !self.mine.inherits(mine, name) {
                let text = write::entry(name, row, self.update, json)?;
                self.gain.gained.push((self.way.clone(), text.trim_ascii_end().to_owned()));
                fresh.entry(Layout { text: self.text, map }.place(behind)).or_default().push(Fresh { text, row });
            }
            self.way.pop();
        }
        for (behind, fresh) in fresh {
            Layout { text: self.text, map }.insert(behind, &fresh, &self.remarks, &mut self.edits);
        }
        Some(())
    }

    /// A key that both have: maps in maps gain in turn, a value of another kind is told.
    fn both(&mut self, entry: &Entry, mine: usize, update: usize) -> Option<()> {
        match &entry.value {
            _ if self.plan.taken(mine).is_some() || self.plan.keeps(mine) => return Some(()),
            Some(inner) if inner.map && self.update.rows[update].kind == RowKind::Map => {
                return self.map(inner, mine, update);
            }
            Some(inner) if self.plan.list(mine).is_some() => return self.list(inner, mine),
            _ => {}
        }
        let (own, other) = (self.mine.kind_name(mine), self.update.kind_name(update));
        if own != other && !self.update.rows[update].is_null() && !self.plan.is_known(mine) {
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
    fn of(own: impl Iterator<Item = Option<&'p str>>, update: &Outline<'_>, row: usize) -> Self {
        let theirs: HashSet<_> = update.children(row).filter_map(|row| update.rows[row].name.as_deref()).collect();
        let (mut names, mut only) = (HashMap::new(), Vec::new());
        for (at, name) in own.enumerate() {
            only.push(name.is_none_or(|name| !theirs.contains(name)));
            if let Some(name) = name {
                names.entry(name).or_insert(at);
            }
        }
        Self { names, only }
    }

    /// The last of the user's own keys that follow a key; what is new comes behind them (`upgrade.md` rule 3).
    fn follow(&self, at: Option<usize>) -> Option<usize> {
        let next = at.map_or(0, |at| at + 1);
        let own = self.only[next..].iter().take_while(|only| **only).count();
        (next + own).checked_sub(1)
    }
}

/// How the entries of a map are laid out.
pub(super) struct Layout<'l, 'a> {
    pub(super) text: &'l Text<'a>,
    pub(super) map: &'l Collection,
}

impl Layout<'_, '_> {
    fn last(&self) -> usize {
        self.map.entries.len() - 1
    }

    /// The start of the line of each entry, where the last one has a line of its own: entries of a map beside each other
    /// on other lines do not matter then, unless the bracket closes behind it.
    fn column(&self) -> Option<(Offset, &str)> {
        let last = &self.map.entries[self.last()];
        let starts = |entry: &Entry| self.text.starts_line(entry.start);
        let closed = !self.text.ends_line(last.own_end());
        let behind_first = &self.map.entries[1..];
        let each = !behind_first.is_empty() && behind_first.iter().all(starts);
        let filled = !self.map.map && !behind_first.is_empty();
        if !starts(last) || (closed || filled) && !each {
            return None;
        }
        let line = self.text.line_of(last.start);
        Some((self.text.stands(line)?, &self.text.all[self.text.line_start(line)..last.start]))
    }

    /// Behind which entry a new one comes: where lines are full, behind the last of a map. The order of a list says
    /// something.
    pub(super) fn place(&self, behind: Option<usize>) -> Option<usize> {
        if !self.map.map {
            return behind;
        }
        let fits = |at: usize| at == self.last() || self.text.ends_line(self.map.entries[at].own_end());
        match behind {
            Some(at) if self.column().is_some() && !fits(at) => Some(self.last()),
            _ => behind,
        }
    }

    pub(super) fn insert(
        &self,
        behind: Option<usize>,
        fresh: &[Fresh],
        remarks: &HashMap<usize, Remark>,
        edits: &mut Vec<Edit>,
    ) {
        let texts = || fresh.iter().map(|fresh| fresh.text.as_str()).collect::<Vec<_>>().join(", ");
        let Some(first) = self.map.entries.first() else {
            return edits.push(Edit::insert(self.map.start + 1, texts()));
        };
        match (behind.map(|at| (at, &self.map.entries[at])), self.column()) {
            (Some((_, entry)), None) => {
                edits.push(Edit::insert(entry.end, format!("{} {}", self.comma(entry), texts())));
            }
            (None, None) => edits.push(Edit::insert(first.start, format!("{}, ", texts()))),
            (Some((at, entry)), Some(column)) => {
                let comma = at < self.last() || entry.comma.is_some();
                let mut lines = lines(fresh, remarks, column, comma);
                let at = self.behind(entry);
                if let (false, Some((_, last)), Some(fresh)) = (self.text.ends_line(at), lines.last_mut(), fresh.last())
                {
                    // The closing bracket follows, and would be part of a comment.
                    last.truncate(column.1.len() + fresh.text.len() + usize::from(comma));
                }
                if entry.comma.is_none() {
                    edits.push(Edit::insert(entry.end, self.comma(entry)));
                }
                edits.push(Edit { range: at..at, text: String::new(), lines });
            }
            (None, Some(column)) => {
                let mut lines = lines(fresh, remarks, column, true);
                let at = self.text.line_end(self.text.line_of(self.map.start));
                if self.text.starts_line(first.start) && self.text.ends_line(self.map.start + 1) {
                    edits.push(Edit { range: at..at, text: String::new(), lines });
                } else {
                    lines = fresh_lines_without_remarks(fresh, column);
                    let text = lines.remove(0).1;
                    lines.push((column.0, column.1.to_owned()));
                    edits.push(Edit { range: first.start..first.start, text, lines });
                }
            }
        }
    }

    /// A comma to stand behind an entry. Right behind a last word `-` or `?` the reference parser would not read it.
    fn comma(&self, entry: &Entry) -> &'static str {
        let text = &self.text.all[entry.start..entry.end];
        let last = text.rsplit([' ', '\t', '\n']).next().unwrap_or(text);
        if matches!(last, "-" | "?") { " ," } else { "," }
    }

    /// Behind an entry with its comma and the comment on its line; before a bracket that closes there.
    fn behind(&self, entry: &Entry) -> usize {
        let end = entry.own_end();
        if self.text.ends_line(end) { self.text.line_end(self.text.line_of(end)) } else { end }
    }
}

/// New entries, each with its comments; `comma` says whether one stands behind the last.
fn lines(
    fresh: &[Fresh],
    remarks: &HashMap<usize, Remark>,
    (offset, blanks): (Offset, &str),
    comma: bool,
) -> Vec<(Offset, String)> {
    let mut lines = Vec::new();
    for (at, fresh_entry) in fresh.iter().enumerate() {
        let comma = if comma || at + 1 < fresh.len() { "," } else { "" };
        let remark = remarks.get(&fresh_entry.row);
        let above = remark.map_or(&[][..], |remark| &remark.above);
        lines.extend(above.iter().map(|comment| (offset, format!("{blanks}{comment}"))));
        let inline = remark.map_or("", |remark| &remark.inline);
        lines.push((offset, format!("{blanks}{}{comma}{inline}", fresh_entry.text)));
    }
    lines
}

fn fresh_lines_without_remarks(fresh: &[Fresh], column: (Offset, &str)) -> Vec<(Offset, String)> {
    lines(fresh, &HashMap::new(), column, true)
}
