//! Layers that say themselves how their keys are merged, in the words of Hiera's `lookup_options`.
//!
//! The first layer counts most. What its options say of a key counts before those of later layers; a key of which none
//! speaks has the value of the first layer that has it.

use std::collections::HashMap;

use super::file::Rules;
use crate::layers::fold::{Clash, Fold, Lists, Maps, Null, Policy, Texts, Whole};
use crate::layers::values::{Content, Layer, Schema, Value};
use crate::text::error::{Error, nearest, visible};
use crate::yaml::path::Step;

const STRATEGIES: [&str; 4] = ["first", "unique", "hash", "deep"];

/// A merge behaviour, by its name in Hiera.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behaviour {
    First,
    Unique,
    Hash,
    Deep,
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
        for (name, behaviour) in &said {
            match behaviour {
                Behaviour::First => {}
                Behaviour::Unique => self.say_of_key(name, (Maps::Keep, Lists::Unique)),
                Behaviour::Hash => self.say_of_key(name, (Maps::Join, Lists::Keep)),
                Behaviour::Deep => self.say_of_key(name, (Maps::Join, Lists::UniqueFirst)),
            }
            for document in &mut *documents {
                if let Some(value) = document.get_mut(name) {
                    reader.prepare(value, *behaviour)?;
                }
            }
        }
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

    /// A word, or a map with `strategy`.
    fn behaviour(&self, merge: &Value<'_>) -> Result<Behaviour, Error> {
        if let Content::Map(entries) = merge.content() {
            if let Some(other) = entries.iter().find(|entry| entry.name() != "strategy") {
                let what = format!("`{}` cannot be said here", visible(other.name()));
                let help = "take it out, and do what it does by hand; known is strategy";
                return Err(self.error(other, other.name(), what).help(help));
            }
            return entries.first().map_or_else(
                || Err(self.error(merge, merge.name(), "this does not say how".to_owned()).help("write `strategy:`")),
                |strategy| self.behaviour(strategy),
            );
        }
        let word = merge.scalar().map_or("", |scalar| &*scalar.text);
        match word {
            "first" => Ok(Behaviour::First),
            "unique" => Ok(Behaviour::Unique),
            "hash" => Ok(Behaviour::Hash),
            "deep" => Ok(Behaviour::Deep),
            _ => {
                let what = format!("`{}` is no merge behaviour", visible(word));
                Err(self.error(merge, word, what).help(nearest(word, &STRATEGIES)))
            }
        }
    }

    /// Brings a value into the form that its behaviour has it in.
    fn prepare(&self, value: &mut Value<'_>, behaviour: Behaviour) -> Result<(), Error> {
        match behaviour {
            Behaviour::First | Behaviour::Deep => Ok(()),
            Behaviour::Hash if value.is_map() => Ok(()),
            Behaviour::Unique if !value.is_map() => self.unique(value),
            Behaviour::Hash | Behaviour::Unique => {
                let (word, takes) = if behaviour == Behaviour::Hash {
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
