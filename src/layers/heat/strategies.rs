//! Which strategy each parameter is merged by, decided before anything is merged.
//!
//! Heat fixes it with the first file that sets the parameter: by that file's own entry for it, else its `default`, else
//! it is `overwrite`. A later file that names another one is refused. What the proposed section `merge_strategy` says
//! holds for all files, wherever it stands.

use std::collections::HashMap;

use super::environment::Environment;
use super::types::{ParameterType, Types};
use super::words::{SHIPPED, Strategy, Word};
use crate::layers::reading::Reading;
use crate::layers::values::{Layer, Value};
use crate::text::error::{Error, nearest, visible};

/// The strategies of all parameters that are set.
pub(super) struct Strategies {
    fixed: HashMap<String, Fixed>,
    built_in: Word,
}

/// A strategy and who fixed it.
struct Fixed {
    word: Word,
    /// File and line of the first value.
    first: (usize, usize),
}

struct Deciding<'r, 'a> {
    layers: Vec<&'a Layer>,
    types: &'r Types,
    /// What `merge_strategy` says in any of the files.
    kinds: HashMap<String, Word>,
    parameters: HashMap<String, Word>,
    fixed: HashMap<String, Fixed>,
}

impl Strategies {
    /// Finds them.
    ///
    /// # Errors
    /// Two files with different strategies for the same.
    pub(super) fn of(
        environments: &[Environment<'_>],
        types: &Types,
        reading: Reading,
        warnings: &mut Vec<String>,
    ) -> Result<Self, Error> {
        let layers: Vec<&Layer> = environments.iter().map(|environment| environment.layer).collect();
        let (kinds, parameters, fixed) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut deciding = Deciding { layers, types, kinds, parameters, fixed };
        if reading.is_documented() {
            deciding.said_by_all(environments)?;
        }
        for environment in environments.iter().filter(|environment| !environment.is_request) {
            for parameter in environment.parameters() {
                deciding.fix(environment, parameter, warnings)?;
            }
            tell_forgotten(environment, warnings);
        }
        Ok(Self { fixed: deciding.fixed, built_in: Word::built_in() })
    }

    pub(super) fn of_parameter(&self, name: &str) -> &Word {
        self.fixed.get(name).map_or(&self.built_in, |fixed| &fixed.word)
    }
}

impl Deciding<'_, '_> {
    /// What all files say; two that say different things for the same are in conflict, whether it matters or not.
    fn said_by_all(&mut self, environments: &[Environment<'_>]) -> Result<(), Error> {
        let mut own = HashMap::new();
        for environment in environments {
            let mut said: Vec<_> = environment.own.iter().chain(&environment.proposed.parameters).collect();
            said.sort_by_key(|(_, word)| word.said);
            for (name, word) in said {
                agree(&mut own, name, word, &self.layers)?;
            }
            for (name, word) in &environment.proposed.kinds {
                agree(&mut self.kinds, name, word, &self.layers)?;
            }
            for (name, word) in &environment.proposed.parameters {
                agree(&mut self.parameters, name, word, &self.layers)?;
            }
        }
        Ok(())
    }

    fn fix(
        &mut self,
        environment: &Environment<'_>,
        parameter: &Value<'_>,
        warnings: &mut Vec<String>,
    ) -> Result<(), Error> {
        let name = parameter.name();
        let Some(kind) = self.types.of_parameter(name) else { return Ok(()) };
        let default = environment.own.get("default");
        let named = environment.own.get(name);
        let fixed = self.fixed.get(name);
        let word = named
            .or_else(|| self.parameters.get(name))
            .or_else(|| fixed.map(|fixed| &fixed.word))
            .or_else(|| self.of_kind(kind))
            .filter(|word| word.strategy.is_some())
            .or(default)
            .cloned()
            .unwrap_or_else(Word::built_in);
        let Some(fixed) = fixed else {
            let first = (environment.number, parameter.line());
            self.fixed.insert(name.to_owned(), Fixed { word, first });
            return Ok(());
        };
        if !fixed.word.agrees(&word) {
            return Err(self.conflict(environment, parameter, fixed, &word));
        }
        let unheard = default.filter(|default| named.is_none() && !default.agrees(&fixed.word));
        warnings.extend(unheard.and_then(|default| self.too_late(environment, name, default, fixed)));
        Ok(())
    }

    fn too_late(&self, environment: &Environment<'_>, name: &str, default: &Word, fixed: &Fixed) -> Option<String> {
        let (_, line) = default.said?;
        let (word, name, file) = (visible(&default.name), visible(name), &environment.layer.name);
        let first = self.place(fixed.first);
        Some(format!("{file}:{line}: `default: {word}` comes too late for `{name}`, which {first} sets"))
    }

    /// What `merge_strategy` says for all parameters of a type.
    fn of_kind(&self, kind: ParameterType) -> Option<&Word> {
        match kind {
            ParameterType::List => self.kinds.get("list"),
            ParameterType::Json => self.kinds.get("dict"),
            ParameterType::String => self.kinds.get("string"),
            ParameterType::Number | ParameterType::Boolean => None,
        }
    }

    fn conflict(&self, environment: &Environment<'_>, parameter: &Value<'_>, fixed: &Fixed, word: &Word) -> Error {
        let (name, first) = (visible(parameter.name()), self.place(fixed.first));
        let before = match fixed.word.said {
            Some(_) => fixed.word.told(&self.layers),
            None => format!("`{}` since {first}, which sets it without a strategy", visible(&fixed.word.name)),
        };
        let what = format!("conflicting merge strategies for `{name}`: `{}` here, {before}", visible(&word.name));
        let file = environment.layer;
        let error = match word.said {
            Some((layer, line)) => {
                self.layers.get(layer).map_or(file, |layer| *layer).error_about(what, line, &word.name)
            }
            None => file.error_about(what, parameter.line(), parameter.name()),
        };
        if let Some(unknown) = [word, &fixed.word].into_iter().find(|word| word.strategy.is_none()) {
            return error.help(format!(
                "`{}` is no strategy: {}",
                visible(&unknown.name),
                nearest(&unknown.name, SHIPPED)
            ));
        }
        let strategy = if word.strategy == Some(Strategy::Overwrite) { &fixed.word.name } else { &word.name };
        let of_first = self.layers.get(fixed.first.0).map_or("", |layer| layer.name.as_str());
        error.help(format!(
            "the first file that sets a parameter decides: say `{name}: {}` in {of_first}, and nothing else later",
            visible(strategy)
        ))
    }

    fn place(&self, (layer, line): (usize, usize)) -> String {
        format!("{}:{line}", self.layers.get(layer).map_or("", |layer| layer.name.as_str()))
    }
}

/// A strategy for a parameter that its file does not set.
fn tell_forgotten(environment: &Environment<'_>, warnings: &mut Vec<String>) {
    let set: std::collections::HashSet<_> = environment.parameters().map(Value::name).collect();
    let forgotten = environment.own.iter().filter(|(name, _)| *name != "default" && !set.contains(name.as_str()));
    let mut lines: Vec<_> = forgotten.filter_map(|(name, word)| Some((word.said?.1, name))).collect();
    lines.sort();
    for (line, name) in lines {
        let file = &environment.layer.name;
        let what = "is not set in this file, so Heat forgets its strategy";
        warnings.push(format!("{file}:{line}: parameter `{}` {what}", visible(name)));
    }
}

fn agree(known: &mut HashMap<String, Word>, name: &str, word: &Word, layers: &[&Layer]) -> Result<(), Error> {
    let first = known.entry(name.to_owned()).or_insert_with(|| word.clone());
    if first.agrees(word) {
        return Ok(());
    }
    let (this, name) = (visible(&word.name), visible(name));
    let what = format!("conflicting merge strategies for `{name}`: `{this}` here, {}", first.told(layers));
    let (layer, line) = word.said.unwrap_or_default();
    let error =
        layers.get(layer).map_or_else(|| Error::input(&*what), |layer| layer.error_about(&*what, line, &word.name));
    Err(error.help("keep one of them"))
}
