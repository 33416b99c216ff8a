//! What is left of knockouts when all layers are folded goes in the end, also where one layer alone has the path.

use std::collections::HashMap;
use std::rc::Rc;

use super::equal::Known;
use super::fold::{Kind, Merging};
use super::lists::marked;
use super::strategy::{BaseTypes, Hash, HashArrays, Strategy};
use super::tuples::knocked_out;
use crate::layers::values::Value;

impl Merging<'_> {
    /// Removes keys and items with the prefix, and what these name. What is not merged is left alone.
    pub(super) fn clean(&self, value: &mut Value<'_>, path: &str, strategy: &Rc<Strategy>) {
        match Kind::of(value) {
            Kind::Scalar => {}
            Kind::Hash => self.clean_map(value, path, strategy),
            Kind::BaseTypes => self.clean_list(value, strategy),
            Kind::HashArray => self.clean_items(value, path, strategy),
        }
    }

    fn clean_map(&self, map: &mut Value<'_>, path: &str, strategy: &Rc<Strategy>) {
        if strategy.hash == Hash::MostSpecific {
            return;
        }
        if let Some(prefix) = &strategy.knockout {
            map.retain(|_, entry| !prefix.is_in_key(entry.name()));
        }
        for at in 0..map.children().len() {
            let Some(entry) = map.children().get(at).filter(|entry| entry.scalar().is_none()) else { continue };
            let path = format!("{path}\\{}", entry.name());
            let own = || self.lookups.of(&path).0;
            let below = if self.reading.is_shipped() { Some(own()) } else { self.below(strategy, &path, entry) };
            if let Some((entry, strategy)) = map.child_mut(at).zip(below) {
                self.clean(entry, &path, &strategy);
            }
        }
    }

    /// An item with the prefix goes, and each later one that is what it names: as shipped of any layer, else of its own,
    /// for what other layers have was decided when they met.
    fn clean_list(&self, list: &mut Value<'_>, strategy: &Strategy) {
        let unsaid = strategy.base_types == BaseTypes::Unsaid && !strategy.prefix_named;
        if strategy.base_types == BaseTypes::MostSpecific || unsaid {
            return;
        }
        let mut knocked: HashMap<Option<usize>, Known> = HashMap::new();
        list.retain(|_, item| {
            let layer = item.origin.layer.filter(|_| self.reading.is_documented());
            let knocked = knocked.entry(layer).or_insert_with(|| Known::new(self.reading));
            match marked(item, strategy.knockout.as_ref()) {
                Some(text) => {
                    knocked.insert_text(&text);
                    false
                }
                None => !knocked.has(item),
            }
        });
    }

    fn clean_items(&self, list: &mut Value<'_>, path: &str, strategy: &Rc<Strategy>) {
        let unsaid =
            strategy.hash_arrays == HashArrays::Unsaid && !strategy.prefix_named && self.reading.is_documented();
        if strategy.hash_arrays == HashArrays::MostSpecific || unsaid {
            return;
        }
        if let Some(prefix) = &strategy.knockout {
            list.retain(|_, item| knocked_out(item, &strategy.tuple_keys, prefix, self.reading).is_empty());
        }
        let deep = self.reading.is_documented() && strategy.hash_arrays == HashArrays::DeepTuples;
        let inside = if deep { Rc::new(strategy.of_items()) } else { Rc::clone(strategy) };
        for at in 0..list.children().len() {
            if let Some(item) = list.child_mut(at) {
                self.clean_map(item, path, &inside);
            }
        }
    }
}
