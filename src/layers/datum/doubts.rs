//! Expressions whose value would decide a merge: here they are texts, and what Datum does with them may be something else.

use std::collections::HashMap;

use super::expression::{handled, is_encrypted};
use super::fold::Merging;
use super::lookup::child;
use crate::layers::values::Value;
use crate::text::error::visible;

impl Merging<'_> {
    /// Warns of expressions that two layers have in lists without duplicates: each of them may come to another value.
    pub(super) fn warn_of_equal_expressions(&mut self, specific: &Value<'_>, general: &Value<'_>) {
        let mut known = HashMap::new();
        for item in specific.children() {
            if let Some(text) = handled(item).filter(|text| !is_encrypted(text)) {
                known.entry(text).or_insert(item);
            }
        }
        let warning = |item: &Value<'_>| {
            let text = handled(item)?;
            let (here, there) = (self.place(known.get(text)?), self.place(item));
            let text = visible(text);
            let why = "one of them is left out, and whether both come to the same only Datum knows";
            Some(format!("{here}: `{text}` is at {there}, too: {why}"))
        };
        let warnings: Vec<_> = general.children().iter().filter_map(warning).collect();
        self.warnings.extend(warnings);
    }

    /// Warns of items that are found by what only Datum knows.
    pub(super) fn warn_of_unknown_names(&mut self, specific: &Value<'_>, general: &Value<'_>, keys: &[String]) {
        if specific.children().is_empty() || general.children().is_empty() {
            return;
        }
        let mut warnings = Vec::new();
        for item in specific.children().iter().chain(general.children()) {
            let names = keys.iter().filter_map(|key| child(item, key));
            warnings.extend(names.filter_map(|name| {
                let (place, key, text) = (self.place(name), visible(name.name()), visible(handled(name)?));
                let why = "which item of another layer that is only Datum knows";
                Some(format!("{place}: items are found by `{key}`, and it is `{text}` here: {why}"))
            }));
        }
        self.warnings.append(&mut warnings);
    }
}
