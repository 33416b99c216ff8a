//! Layers that say themselves how their keys are merged, in the words of Hiera's `lookup_options`.
//!
//! The first layer counts most. What its options say of a key counts before those of later layers; a key of which none
//! speaks has the value of the first layer that has it.

use std::collections::HashMap;

use super::file::Rules;
use super::knockout::Knockout;
use crate::layers::fold::{Clash, Fold, Lists, Maps, Null, Policy, Texts, Whole};
use crate::layers::values::{Content, Layer, Schema, Value};
use crate::text::error::{Error, nearest, visible};
use crate::yaml::path::Step;

const STRATEGIES: [&str; 4] = ["first", "unique", "hash", "deep"];

/// A merge behaviour, by its name in Hiera.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Behaviour {
    First,
    Unique,
    Hash,
    /// With the prefix of what is knocked out.
    Deep(Option<String>),
}

impl Rules {
    /// Takes the options out of the layers and lets them be rules.
    ///
    /// # Errors
    /// Options that are not known or cannot be said here, values that their behaviour does not take.
    pub(super) fn take_options(&mut self, documents: &mut [Value<'_>], layers: &[Layer]) -> Result<(), Error> {
        let Some(key) = self.options.clone() else { return Ok(()) };
        let reader = Reader { layers };
        let mut said: HashMap<String, Behaviour> = HashMap::new();
        for document in &mut *documents {
            let Some(options) = taken(document, &key) else { continue };
            for (name, behaviour) in reader.options(&options)? {
                said.entry(name).or_insert(behaviour);
            }
        }
        let mut knockouts: HashMap<&str, Knockout<'_>> = HashMap::new();
        for document in &mut *documents {
            for at in 0..document.children().len() {
                let Some(value) = document.child_mut(at) else { continue };
                let Some((name, behaviour)) = said.get_key_value(value.name()) else { continue };
                reader.prepare(value, behaviour)?;
                if let Behaviour::Deep(Some(prefix)) = behaviour {
                    let knockout = knockouts.entry(name).or_insert_with(|| Knockout::new(prefix));
                    knockout.go_over(value, &|value| reader.no_item(value, prefix))?;
                }
            }
        }
        let words = |behaviour| match behaviour {
            Behaviour::First => (Maps::Keep, Lists::Keep),
            Behaviour::Unique => (Maps::Keep, Lists::Unique),
            Behaviour::Hash => (Maps::Join, Lists::Keep),
            Behaviour::Deep(_) => (Maps::Join, Lists::UniqueFirst),
        };
        drop(knockouts);
        self.of_keys = said.into_iter().map(|(name, behaviour)| (name, words(behaviour))).collect();
        Ok(())
    }
}

/// Takes a key out; comments that a file starts with are about all of it.
fn taken<'a>(document: &mut Value<'a>, key: &str) -> Option<Value<'a>> {
    let at = document.position(key)?;
    if at == 0 {
        let head = document.take_first_comments(|_| true);
        document.put_first_comments(head);
    }
    let gone = document.remove(at);
    document.set_off_from_head(|_| at != 0);
    gone
}

/// Lists become one list of each value once, and so do scalars.
const UNIQUE: Policy = Policy {
    maps: Maps::Keep,
    lists: Lists::Unique,
    texts: Texts::List,
    others: Whole::Keep,
    clash: Clash::List,
    null: Null::Value,
};

struct Reader<'r> {
    layers: &'r [Layer],
}

impl Reader<'_> {
    fn error(&self, value: &Value<'_>, word: &str, what: String) -> Error {
        match value.origin.layer.and_then(|at| self.layers.get(at)) {
            Some(layer) => layer.error_about(what, value.line(), word),
            None => Error::input(what),
        }
    }

    fn options(&self, options: &Value<'_>) -> Result<Vec<(String, Behaviour)>, Error> {
        if !options.is_map() {
            let what = format!("`{}` has to be a map", visible(options.name()));
            return Err(self.error(options, options.name(), what).help("write `KEY: {merge: deep}` below it"));
        }
        let mut found = Vec::new();
        for entry in options.children() {
            if entry.name().starts_with('^') {
                let what =
                    format!("`{}` is an expression, and only names of keys are read here", visible(entry.name()));
                return Err(self.error(entry, "", what).help("write the keys out"));
            }
            if !entry.is_map() {
                let what = format!("the options of `{}` have to be a map", visible(entry.name()));
                return Err(self.error(entry, entry.name(), what).help("write `{merge: deep}`, say"));
            }
            for option in entry.children() {
                if option.name() != "merge" {
                    let what = format!("`{}` cannot be said of a key here", visible(option.name()));
                    return Err(self.error(option, option.name(), what).help("take it out; known is merge"));
                }
                found.push((entry.name().to_owned(), self.behaviour(option)?));
            }
        }
        Ok(found)
    }

    /// A text with the prefix that is no item of a list.
    fn no_item(&self, value: &Value<'_>, prefix: &str) -> Error {
        let what = format!("`{}` knocks out items of lists alone, and this is none", visible(prefix));
        self.error(value, value.name(), what).help("write another value, or take the key out of the files behind")
    }

    /// A word, or a map with `strategy`.
    fn behaviour(&self, merge: &Value<'_>) -> Result<Behaviour, Error> {
        let Content::Map(entries) = merge.content() else { return self.named(merge) };
        let mut behaviour = None;
        let mut prefix = None;
        for entry in entries.iter() {
            let text = entry.scalar().map_or("", |scalar| &*scalar.text);
            match entry.name() {
                "strategy" => behaviour = Some(self.named(entry)?),
                "knockout_prefix" if !text.is_empty() => prefix = Some((entry, text.to_owned())),
                other => {
                    let what = format!("`{}` cannot be said here", visible(other));
                    let help = "take it out, and do what it does by hand; known are strategy, knockout_prefix";
                    return Err(self.error(entry, other, what).help(help));
                }
            }
        }
        match (behaviour, prefix) {
            (None, _) => {
                Err(self.error(merge, merge.name(), "this does not say how".to_owned()).help("write `strategy:`"))
            }
            (Some(Behaviour::Deep(_)), prefix) => Ok(Behaviour::Deep(prefix.map(|(_, text)| text))),
            (Some(behaviour), None) => Ok(behaviour),
            (Some(_), Some((entry, _))) => {
                let what = "only a deep merge knocks out".to_owned();
                Err(self.error(entry, entry.name(), what).help("take it out, or write `strategy: deep`"))
            }
        }
    }

    fn named(&self, merge: &Value<'_>) -> Result<Behaviour, Error> {
        let word = merge.scalar().map_or("", |scalar| &*scalar.text);
        match word {
            "first" => Ok(Behaviour::First),
            "unique" => Ok(Behaviour::Unique),
            "hash" => Ok(Behaviour::Hash),
            "deep" => Ok(Behaviour::Deep(None)),
            _ => {
                let what = format!("`{}` is no merge behaviour", visible(word));
                Err(self.error(merge, word, what).help(nearest(word, &STRATEGIES)))
            }
        }
    }

    /// Brings a value into the form that its behaviour has it in.
    fn prepare(&self, value: &mut Value<'_>, behaviour: &Behaviour) -> Result<(), Error> {
        match behaviour {
            Behaviour::First | Behaviour::Deep(_) => Ok(()),
            Behaviour::Hash if value.is_map() => Ok(()),
            Behaviour::Unique if !value.is_map() => self.unique(value),
            Behaviour::Hash | Behaviour::Unique => {
                let (word, takes) = if *behaviour == Behaviour::Hash {
                    ("hash", "takes hashes alone")
                } else {
                    ("unique", "takes none")
                };
                let (name, kind) = (visible(value.name()), value.kind_name(Schema::Core));
                let what = format!("`{name}` is {kind}, and a {word} merge {takes}");
                Err(self
                    .error(value, value.name(), what)
                    .help("give the key another merge behaviour, or another value"))
            }
        }
    }

    /// A list of each value once; a scalar is a list of itself.
    fn unique(&self, value: &mut Value<'_>) -> Result<(), Error> {
        if let Some(inner) = value.children().iter().find(|item| !item.children().is_empty()) {
            let what = "an item that is no scalar cannot be flattened here".to_owned();
            return Err(self.error(inner, "", what).help("write each value as an item of its own"));
        }
        let policy = |_: &[Step]| UNIQUE;
        let mut list = value.clone();
        list.becomes(Value::list());
        let folded = Fold { schema: Schema::Core, policy: &policy }.fold(&mut list, value.clone());
        folded.map_err(|_| self.error(value, value.name(), "this cannot be a list".to_owned()))?;
        *value = list;
        Ok(())
    }
}
