//! Two lists at a path become one.

use std::borrow::Cow;
use std::collections::HashSet;
use std::rc::Rc;

use super::equal::{Known, text_of};
use super::fold::{Merging, around, most_specific};
use super::lookup::refill;
use super::strategy::{BaseTypes, HashArrays, Prefix, Strategy};
use super::tuples::{Knockouts, Tuples};
use crate::layers::reading::Reading;
use crate::layers::values::{Schema, Value};
use crate::text::error::{Error, visible};

impl Merging<'_> {
    /// Two lists that are no lists of maps.
    pub(super) fn base_types<'a>(&mut self, specific: Value<'a>, general: Value<'a>, strategy: &Strategy) -> Value<'a> {
        let rule = |word| strategy.rule(&format!("merge_baseType_array: {word}"));
        let prefix = strategy.knockout.as_ref();
        if strategy.base_types == BaseTypes::Unique {
            self.warn_of_equal_expressions(&specific, &general);
        }
        let (items, rule) = match strategy.base_types {
            BaseTypes::MostSpecific | BaseTypes::Unsaid => {
                return most_specific(specific, general, &strategy.rule("most specific list"));
            }
            BaseTypes::Unique if self.reading.is_shipped() => {
                (first_of_equals(&specific, &general, &rule("Unique")), rule("Unique"))
            }
            BaseTypes::Unique => (general_first(&specific, &general, prefix, &rule("Unique")), rule("Unique")),
            BaseTypes::Sum => (sum(&specific, &general, prefix), rule("Sum")),
        };
        let mut result = around(&specific, &general);
        refill(&mut result, items);
        result.by(&rule);
        result
    }

    /// Two lists of maps.
    pub(super) fn hash_arrays<'a>(
        &mut self,
        specific: Value<'a>,
        general: Value<'a>,
        path: &str,
        strategy: &Rc<Strategy>,
    ) -> Result<Value<'a>, Error> {
        let mut result = around(&specific, &general);
        let (items, word) = match strategy.hash_arrays {
            HashArrays::MostSpecific | HashArrays::Unsaid => {
                return Ok(most_specific(specific, general, &strategy.rule("most specific list")));
            }
            HashArrays::Sum => (self.sum_of_maps(&specific, &general, strategy), "Sum"),
            HashArrays::UniqueTuples => (self.unique_tuples(&specific, &general, strategy)?, "UniqueKeyValTuples"),
            HashArrays::DeepTuples => (self.deep_tuples(&specific, &general, path, strategy)?, "DeepTuple"),
        };
        refill(&mut result, items);
        result.by(&strategy.rule(&format!("merge_hash_array: {word}")));
        Ok(result)
    }

    /// All items, the more specific ones first. As shipped nothing is knocked out here.
    fn sum_of_maps<'a>(&self, specific: &Value<'a>, general: &Value<'a>, strategy: &Strategy) -> Vec<Value<'a>> {
        let prefix = strategy.knockout.as_ref().filter(|_| self.reading.is_documented());
        let knocked = Knockouts::of(specific.children(), &strategy.tuple_keys, prefix, self.reading);
        let stay = general.children().iter().filter(|item| !knocked.hit(item));
        specific.children().iter().chain(stay).cloned().collect()
    }

    /// Of items with the same values under the tuple keys the first, the more specific ones first.
    fn unique_tuples<'a>(
        &mut self,
        specific: &Value<'a>,
        general: &Value<'a>,
        strategy: &Strategy,
    ) -> Result<Vec<Value<'a>>, Error> {
        let keys = self.tuple_keys(strategy, specific.children().last(), general)?;
        self.warn_of_unknown_names(specific, general, &keys);
        let knocked = self.knockouts(specific, strategy);
        let mut known = Tuples::new(&keys, self.reading);
        let mut items = Vec::new();
        let stay = general.children().iter().filter(|item| !knocked.hit(item));
        for item in specific.children().iter().chain(stay) {
            if known.same(item).is_empty() {
                known.insert(item, items.len());
                items.push(item.clone());
            }
        }
        Ok(items)
    }

    /// Items with the same values under the tuple keys are joined; what is left comes behind them.
    fn deep_tuples<'a>(
        &mut self,
        specific: &Value<'a>,
        general: &Value<'a>,
        path: &str,
        strategy: &Rc<Strategy>,
    ) -> Result<Vec<Value<'a>>, Error> {
        let keys = self.tuple_keys(strategy, specific.children().first(), general)?;
        self.warn_of_unknown_names(specific, general, &keys);
        let knocked = self.knockouts(specific, strategy);
        let inside = if self.reading.is_shipped() { Rc::clone(strategy) } else { Rc::new(strategy.of_items()) };
        let mut items = specific.children().to_vec();
        let mut known = Tuples::new(&keys, self.reading);
        items.iter().enumerate().for_each(|(at, item)| known.insert(item, at));
        let mut left = Vec::new();
        for other in general.children().iter().filter(|item| !knocked.hit(item)) {
            let same = known.same(other);
            if same.is_empty() {
                left.push(other.clone());
            }
            for (copies, at) in same.into_iter().enumerate() {
                let Some(item) = items.get_mut(at) else { continue };
                if copies > 0 {
                    self.count_twin(other)?;
                }
                *item = self.join(item.clone(), other.clone(), path, &inside)?;
            }
        }
        items.append(&mut left);
        Ok(items)
    }

    /// Counts an item that is joined with one more of another list: with many of the same name all pairs are made.
    fn count_twin(&self, item: &Value<'_>) -> Result<(), Error> {
        item.count_copy(self.budget).map_err(|why| {
            let what = format!("too many items of one list are the same as this one: {why}");
            let layer = item.origin.layer.and_then(|at| self.layers.get(at));
            let error = layer.map_or_else(|| Error::input(&*what), |layer| layer.error(&*what, item.line()));
            error.help("name more keys in tuple_keys, so that they tell the items of one list apart")
        })
    }

    fn knockouts(&self, specific: &Value<'_>, strategy: &Strategy) -> Knockouts {
        Knockouts::of(specific.children(), &strategy.tuple_keys, strategy.knockout.as_ref(), self.reading)
    }

    /// The keys that tell items apart. "You must specify tuple keys", says the document; as shipped those of an item are
    /// taken where none are named.
    fn tuple_keys<'s>(
        &mut self,
        strategy: &'s Strategy,
        item: Option<&Value<'_>>,
        general: &Value<'_>,
    ) -> Result<Cow<'s, [String]>, Error> {
        let Some(item) = item.filter(|_| strategy.tuple_keys.is_empty() && !general.children().is_empty()) else {
            return Ok(Cow::Borrowed(&strategy.tuple_keys));
        };
        let what = "the lists of maps here cannot be merged without tuple_keys";
        if self.reading.is_documented() {
            let help = "name the keys that tell items apart, as in merge_options: {tuple_keys: [Name]}";
            return Err(self.lookups.error(strategy, what).help(help));
        }
        let names: Vec<_> = item.children().iter().map(|entry| entry.name().to_owned()).collect();
        let shown = visible(&names.join(", "));
        let warning = format!("{} has no tuple_keys: those of an item count, {shown}", strategy.says);
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
        Ok(Cow::Owned(names))
    }
}

/// As shipped: the more specific items, behind them those of the other that are not there yet.
fn first_of_equals<'a>(specific: &Value<'a>, general: &Value<'a>, rule: &str) -> Vec<Value<'a>> {
    let mut known = Known::new(Reading::Shipped);
    let mut items = Vec::new();
    for item in specific.children().iter().chain(general.children()) {
        match known.place(item) {
            None => {
                known.insert(item, items.len());
                items.push(item.clone());
            }
            Some(at) => {
                if let Some(first) = items.get_mut(at) {
                    *first = most_specific(first.clone(), item.clone(), rule);
                }
            }
        }
    }
    items
}

/// As the document has it: the less specific items first. What both have stands there as the more specific layer has it,
/// and what the more specific layer knocks out is gone.
fn general_first<'a>(specific: &Value<'a>, general: &Value<'a>, prefix: Option<&Prefix>, rule: &str) -> Vec<Value<'a>> {
    let mut knocked = Known::new(Reading::Documented);
    specific.children().iter().filter_map(|item| marked(item, prefix)).for_each(|text| knocked.insert_text(&text));
    let mut known = Known::new(Reading::Documented);
    let mut items: Vec<Value<'a>> = Vec::new();
    for item in general.children() {
        if !knocked.has(item) && !known.has(item) {
            known.insert(item, items.len());
            items.push(item.clone());
        }
    }
    let theirs = items.len();
    for item in specific.children() {
        match known.place(item) {
            None => {
                known.insert(item, items.len());
                items.push(item.clone());
            }
            Some(at) => {
                if let Some(general) = items.get_mut(at).filter(|_| at < theirs) {
                    *general = most_specific(item.clone(), general.clone(), rule);
                }
            }
        }
    }
    items
}

/// All items, the more specific ones first, without those that the more specific list knocks out, in whatever case and
/// on either side.
fn sum<'a>(specific: &Value<'a>, general: &Value<'a>, prefix: Option<&Prefix>) -> Vec<Value<'a>> {
    let marked = specific.children().iter().filter_map(|item| marked(item, prefix));
    let knocked: HashSet<String> = marked.map(|text| text.to_lowercase()).collect();
    let gone = |item: &Value<'_>| text_of(item).is_some_and(|text| knocked.contains(&text.to_lowercase()));
    specific.children().iter().chain(general.children()).filter(|item| !gone(item)).cloned().collect()
}

/// What an item knocks out.
pub(super) fn marked<'v>(item: &'v Value<'_>, prefix: Option<&Prefix>) -> Option<Cow<'v, str>> {
    prefix?.of_item(item.as_text(Schema::Core)?)
}
