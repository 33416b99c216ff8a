//! Tags that say of a value what becomes of the one that it meets, such as Compose's `!reset` and `!override`.

use std::collections::{HashMap, HashSet};

use crate::layers::values::Value;

/// What a tag says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The key is not there, whatever any layer before has.
    Delete,
    /// The value takes the place of any other, whatever the rules say.
    Replace,
}

/// The tags of a rules file, each with what it says.
#[derive(Debug, Default)]
pub(super) struct Tags(pub(super) Vec<(String, Meaning)>);

impl Tags {
    fn of(&self, value: &Value<'_>) -> Option<Meaning> {
        let tag = value.tag()?;
        self.0.iter().find(|(known, _)| known == tag).map(|(_, meaning)| *meaning)
    }

    /// Does what the tags of a layer say of the layers before, and takes them out.
    pub(super) fn lay_over<'a>(&self, old: &mut Value<'a>, new: &mut Value<'a>) {
        if self.0.is_empty() || !old.is_map() || !new.is_map() {
            self.take_out(new);
            return;
        }
        let places: HashMap<String, usize> =
            old.children().iter().enumerate().map(|(at, entry)| (entry.name().to_owned(), at)).collect();
        let (mut deleted, mut done) = (HashSet::new(), HashSet::new());
        for at in 0..new.children().len() {
            let Some(entry) = new.child_mut(at) else { continue };
            let there = places.get(entry.name()).copied();
            match (self.of(entry), there.and_then(|at| old.child_mut(at))) {
                (Some(Meaning::Delete), _) => {
                    deleted.extend(there);
                    done.insert(at);
                }
                (Some(Meaning::Replace), Some(there)) => {
                    self.take_out(entry);
                    entry.by("tags: replace");
                    there.replace(entry.clone());
                    done.insert(at);
                }
                (None, Some(there)) => self.lay_over(there, entry),
                (_, None) => self.take_out(entry),
            }
        }
        old.retain(|at, _| !deleted.contains(&at));
        new.retain(|at, _| !done.contains(&at));
    }

    /// Takes out what is deleted, and all of these tags, where there is nothing that they could be about.
    pub(super) fn take_out(&self, value: &mut Value<'_>) {
        if self.0.is_empty() {
            return;
        }
        if self.of(value) == Some(Meaning::Replace) {
            value.without_tag();
        }
        value.retain(|_, child| self.of(child) != Some(Meaning::Delete));
        for at in 0..value.children().len() {
            if let Some(child) = value.child_mut(at) {
                self.take_out(child);
            }
        }
    }
}
