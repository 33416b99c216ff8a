//! The documents of three files: which are the same, and which come in or go.

use foldhash::{HashMap, HashSet};

use super::commented_out::CommentedOutMaps;
use super::own_comments::OldComments;
use super::{Planner, fields, is_in_flow};
use crate::upgrade::answers::Answers;
use crate::upgrade::documents::pairing::pair;
use crate::upgrade::options::Options;
use crate::upgrade::rules::Found;
use crate::upgrade::three_way::Plan;
use crate::upgrade::three_way::items::Fates;
use crate::yaml::check::Checked;
use crate::yaml::place::Place;
use crate::yaml::tree::Node;

/// Decides on all documents and on what is in them.
pub(super) fn decided<'b, 'a>(
    current: &Checked<'a>,
    base: &'b Checked<'a>,
    update: &Checked<'a>,
    (options, rules): (&Options, &Found),
) -> Plan<'b, 'a> {
    let mut planner = Planner::of((current, base, update), options, rules);
    let outlines = (&current.outline, &base.outline, &update.outline);
    let (current, base, update) = (&current.stream.children, &base.stream.children, &update.stream.children);
    let known = pair(current, outlines.0, base, outlines.1);
    let new = pair(base, outlines.1, update, outlines.2);
    let unknown = pair(current, outlines.0, update, outlines.2);
    let was: HashMap<_, _> = new.iter().enumerate().filter_map(|(was, new)| Some(((*new)?, was))).collect();
    let other = |(known, unknown): (&Option<usize>, &Option<usize>)| match known {
        Some(old) => new[*old],
        None => unknown.filter(|other| !was.contains_key(other)),
    };
    let others: Vec<_> = known.iter().zip(&unknown).map(other).collect();
    let (mut own, mut comes) = (Vec::new(), vec![false; update.len()]);
    for (at, mine) in current.iter().enumerate() {
        let (old, other) = (known[at].map(|old| &*base[old]), others[at]);
        if !planner.document(old, mine, other.map(|other| &*update[other])) {
            own.extend(mine.row.map(|row| (row, other, known[at])));
        }
    }
    let has: HashSet<_> = others.iter().flatten().copied().collect();
    let values = update.iter().enumerate().filter(|(_, document)| document.row.is_some());
    for (at, document) in values.filter(|(at, _)| !has.contains(at)) {
        comes[at] = planner.comes_in(was.get(&at).map(|old| &*base[*old]), document);
    }
    let is_asked = !outlines.1.documents.is_empty();
    if is_asked && !options.sparse && current.iter().chain(update).all(|document| document.row.is_some()) {
        let update = update.iter().zip(comes).filter_map(|(document, comes)| Some((document.row?, comes))).collect();
        planner.plan.documents = Some(Fates { own, update }.sources());
    }
    planner.keep_meaning_of_aliases();
    planner.plan
}

impl<'b: 'p, 'p, 'a> Planner<'b, 'p, 'a> {
    /// One that has decided nothing yet.
    fn of(
        (current, base, update): (&'p Checked<'a>, &'b Checked<'a>, &'p Checked<'a>),
        options: &'p Options,
        rules: &'p Found,
    ) -> Self {
        Planner {
            current: &current.outline,
            current_commented_out: CommentedOutMaps::of(current),
            update_commented_out: CommentedOutMaps::of(update),
            base: &base.outline,
            update: &update.outline,
            comments: OldComments::of([base, current, update].map(|file| &*file.stream.children)),
            same_targets: HashMap::default(),
            same_throughout: HashSet::default(),
            options,
            answers: Answers::to(&options.answers, update),
            rules,
            plan: Plan::default(),
        }
    }

    /// Whether a document that the user has not comes in.
    fn comes_in(&mut self, base: Option<&'b Node<'a>>, update: &'p Node<'a>) -> bool {
        let old = base.filter(|old| old.row.is_some()).map(|old| Place::of(old, self.base));
        self.absent(old, Place::of(update, self.update));
        !update.row.is_some_and(|row| self.plan.left_out.contains(&row))
    }

    /// A document of the user's; whether it goes.
    fn document(&mut self, base: Option<&'b Node<'a>>, current: &'p Node<'a>, update: Option<&'p Node<'a>>) -> bool {
        if let Some(base) = base {
            self.remember(current, base);
        }
        let old = base.filter(|base| base.row.is_some()).map(|base| Place::of(base, self.base));
        if let Some(old) = old.filter(|_| update.is_none() && current.row.is_some()) {
            return self.dropped_item(old, Place::of(current, self.current));
        }
        let [mine, new] = [(Some(current), self.current), (update, self.update)].map(|(node, outline)| {
            let value = node.filter(|node| node.row.is_some_and(|row| !outline[row].is_null()))?;
            Some(Place::of(value, outline))
        });
        match (old, mine, new) {
            (Some(old), Some(mine), Some(new)) => self.value(old, mine, new),
            (old, Some(mine), None) if update.is_some() => self.emptied(old, mine),
            (None, Some(mine), Some(new)) => self.both_added(mine, new),
            (Some(old), None, Some(new)) if is_in_flow(new) => self.absent(Some(old), new),
            (Some(old), None, Some(new)) => {
                let fields = fields(Some(old));
                for child in new.children() {
                    self.absent(child.name().and_then(|name| fields.get(name).copied()), child);
                }
            }
            _ => {}
        }
        false
    }

    /// A document in which the release has left nothing.
    fn emptied(&mut self, base: Option<Place<'b, 'a>>, current: Place<'p, 'a>) {
        let (fields, items) = (fields(base), base.map(Place::children).unwrap_or_default());
        for (at, child) in current.children().into_iter().enumerate() {
            match child.name().map(|name| fields.get(name)) {
                Some(Some(&old)) => _ = self.dropped(old, child),
                Some(None) => _ = self.plan.own_keys.insert(child.row(), current.row()),
                None => _ = items.get(at).map(|&old| self.dropped_item(old, child)),
            }
        }
    }
}
