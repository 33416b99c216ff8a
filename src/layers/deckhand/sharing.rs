//! What Deckhand shares between documents.
//!
//! A substitution copies the map or list that it takes, and nothing inside of it: the maps and lists in there are, to the
//! engine, the same in the source and in each document that took them. What a later substitution writes into one of them
//! shows in all of these documents, unless `src` has `deepcopy: true`. Each such collection gets a number here; one number
//! means one collection, wherever it stands. Actions copy everything, so what is inherited has no numbers.

use std::collections::{BTreeSet, HashMap};

use super::path::{Way, follow, follow_mut};
use crate::layers::python;
use crate::layers::values::{Content, Value};
use crate::text::budget::Budget;

/// Which collections are shared, and by which documents.
pub(super) struct Sharing {
    last: u32,
    holders: HashMap<u32, BTreeSet<usize>>,
    /// Of each document whether it has any.
    has: Vec<bool>,
}

/// A collection that was changed: its number, and where it is.
pub(super) struct Changed {
    number: u32,
    way: Way,
}

impl Sharing {
    pub(super) fn new(documents: usize) -> Self {
        Self { last: 0, holders: HashMap::new(), has: vec![false; documents] }
    }

    /// Whether a document has shared collections.
    pub(super) fn has(&self, document: usize) -> bool {
        self.has[document]
    }

    /// Another document has the same data.
    pub(super) fn also(&mut self, document: usize, other: usize) {
        self.has[other] |= self.has[document];
    }

    /// A document takes a value: what is inside of it is shared from now on.
    pub(super) fn lend(&mut self, value: &mut Value<'_>, source: usize, taker: usize) {
        let mut numbers = Vec::new();
        self.number(value, &mut numbers);
        for &number in &numbers {
            self.holders.entry(number).or_default().extend([source, taker]);
        }
        if !numbers.is_empty() {
            (self.has[source], self.has[taker]) = (true, true);
        }
    }

    /// Numbers the collections inside of a value.
    fn number(&mut self, value: &mut Value<'_>, numbers: &mut Vec<u32>) {
        for at in 0..value.children().len() {
            if !value.children().get(at).is_some_and(is_collection) {
                continue;
            }
            let Some(child) = value.child_mut(at) else { continue };
            if child.origin.shared == 0 {
                self.last += 1;
                child.origin.shared = self.last;
            }
            numbers.push(child.origin.shared);
            self.number(child, numbers);
        }
    }

    /// The documents that have a collection.
    pub(super) fn holders(&self, changed: &Changed) -> Vec<usize> {
        self.holders.get(&changed.number).into_iter().flatten().copied().collect()
    }

    /// A collection as it is now, in which all that is new is shared by all that have it.
    ///
    /// # Errors
    /// It would contain itself, in words.
    pub(super) fn now<'a>(&mut self, data: &mut Value<'a>, changed: &Changed) -> Result<Option<Value<'a>>, String> {
        let Some(there) = follow_mut(data, &changed.way) else { return Ok(None) };
        let mut numbers = Vec::new();
        self.number(there, &mut numbers);
        if numbers.contains(&changed.number) {
            return Err("a value that Deckhand shares with its source would contain itself".to_owned());
        }
        let holders = self.holders.get(&changed.number).cloned().unwrap_or_default();
        for &holder in &holders {
            self.has[holder] = true;
        }
        for number in numbers {
            self.holders.entry(number).or_default().extend(&holders);
        }
        Ok(Some(there.clone()))
    }
}

fn is_collection(value: &Value<'_>) -> bool {
    value.scalar().is_none()
}

/// The shared collections in which something changed, other than inside of a collection of theirs.
pub(super) fn changed(before: &Value<'_>, after: &Value<'_>) -> Vec<Changed> {
    let mut found = Vec::new();
    collect(before, after, &mut Way::new(), &mut found);
    found
}

fn collect(before: &Value<'_>, after: &Value<'_>, way: &mut Way, found: &mut Vec<Changed>) {
    if is_same(before, after) {
        return;
    }
    let number = after.origin.shared;
    if number != 0 && number == before.origin.shared && !is_alike(before, after) {
        found.push(Changed { number, way: way.clone() });
    }
    for (at, child) in after.children().iter().enumerate() {
        let twin = if after.is_map() { before.get(child.name()) } else { before.children().get(at) };
        if let Some(twin) = twin {
            way.push(at);
            collect(twin, child, way, found);
            way.pop();
        }
    }
}

/// Whether both hold the very same children.
fn is_same(a: &Value<'_>, b: &Value<'_>) -> bool {
    match (a.content(), b.content()) {
        (Content::Map(a), Content::Map(b)) | (Content::List(a), Content::List(b)) => std::sync::Arc::ptr_eq(a, b),
        _ => false,
    }
}

/// Whether two collections have the same scalars and the same collections, whatever is inside of these.
fn is_alike(a: &Value<'_>, b: &Value<'_>) -> bool {
    let alike = |(a, b): (&Value<'_>, &Value<'_>)| {
        a.name() == b.name()
            && match (is_collection(a), is_collection(b)) {
                (true, true) => a.origin.shared == b.origin.shared && a.is_map() == b.is_map(),
                (false, false) => python::equal(a, b),
                _ => false,
            }
    };
    a.children().len() == b.children().len() && a.children().iter().zip(b.children()).all(alike)
}

/// Puts a collection wherever it stands in a value.
///
/// # Errors
/// It would be too much, in words.
pub(super) fn put<'a>(value: &mut Value<'a>, new: &Value<'a>, budget: &Budget) -> Result<(), String> {
    for at in 0..value.children().len() {
        let Some(child) = follow(value, &[at]).filter(|child| has_number(child, new.origin.shared)) else { continue };
        let is_it = child.origin.shared == new.origin.shared;
        let Some(child) = value.child_mut(at) else { continue };
        if is_it {
            // What it takes the place of is given back.
            budget.take(new.size(budget.left()).saturating_sub(child.size(budget.left())))?;
            child.give_way_to(new.clone());
        } else {
            put(child, new, budget)?;
        }
    }
    Ok(())
}

fn has_number(value: &Value<'_>, number: u32) -> bool {
    value.origin.shared == number || value.children().iter().any(|child| has_number(child, number))
}

/// Takes all numbers away: this is a copy of everything.
pub(super) fn part(value: &mut Value<'_>) {
    for at in 0..value.children().len() {
        if value.children().get(at).is_some_and(is_collection)
            && let Some(child) = value.child_mut(at)
        {
            child.origin.shared = 0;
            part(child);
        }
    }
}
