//! Heat, of `OpenStack`: environment files become one (`docs/heat.md`).
//!
//! A file is read as an [`Environment`]; all files together say what [`Types`] the parameters have and which
//! [`Strategies`] they are merged by, and a conflict of strategies is found before anything is merged. Then each file is
//! laid over those before it.

mod environment;
mod json;
mod parameter;
mod registry;
mod strategies;
mod types;
mod words;

use std::collections::HashMap;

use self::environment::{Environment, PARAMETER_SECTIONS};
use self::parameter::Meeting;
pub(crate) use self::registry::Places;
use self::strategies::Strategies;
use self::types::Types;
pub(crate) use self::types::is_template;
use super::fold::{self, Clash, Fold, Lists, Maps, Null, Policy, Texts, Whole};
use crate::layers::reading::Reading;
use crate::layers::values::{Layer, Merged, Schema, Value, join_behind};
use crate::text::error::{Error, visible};
use crate::yaml::path::Step;
use crate::yaml::tree::Line;

/// What is to be known besides the environments.
pub(crate) struct Options {
    pub(crate) reading: Reading,
    /// A map from parameter to type.
    pub(crate) types: Option<Layer>,
    /// Templates that declare parameters, the root template last.
    pub(crate) templates: Vec<Layer>,
    /// What the request itself carries.
    pub(crate) params: Option<Layer>,
    /// Where the environments are, those of the request first; nothing where paths are to stay as they are.
    pub(crate) places: Option<Places>,
}

/// How Heat reads scalars: YAML 1.1, but dates are text.
const SCHEMA: Schema = Schema::Yaml11WithoutDates;

/// Merges environments in their order.
///
/// # Errors
/// A file that is no environment, strategies that are unknown or in conflict, values that cannot be merged.
pub(crate) fn merge(layers: &[Layer], options: &Options) -> Result<Merged, Error> {
    let all: Vec<Layer> = options.params.iter().chain(layers).cloned().collect();
    let mut warnings = Vec::new();
    let read = |(number, layer)| Environment::read(layer, number, options.reading, &mut warnings);
    let mut environments = all.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
    if options.params.is_some() {
        environments[..1].iter_mut().for_each(|request| request.becomes_request(&mut warnings));
    }
    if let Some(places) = &options.places {
        for environment in &mut environments {
            if let Some(root) = &mut environment.root {
                places.rebase(root, environment.number, &all)?;
            }
        }
    }
    let types = Types::of(options, &environments)?;
    let strategies = Strategies::of(&environments, &types, options.reading, &mut warnings)?;
    let merging = Merging { layers: &all, types: &types, strategies: &strategies, reading: options.reading };
    let base = environments.iter().find(|environment| environment.root.is_some()).map_or(0, |base| base.number);
    let style = all.get(base).map_or_else(|| Ok(crate::layers::values::Style::default()), Layer::style)?;
    let (document, below) = merging.all(environments, &mut warnings)?;
    let mut merged = Merged::of(&[document], &below, style, &all)?;
    merged.warnings = warnings;
    Ok(merged)
}

/// Whether a value counts as none, as Heat's language has it.
fn is_empty(value: &Value<'_>) -> bool {
    fold::is_empty(value, SCHEMA)
}

struct Merging<'m> {
    layers: &'m [Layer],
    types: &'m Types,
    strategies: &'m Strategies,
    reading: Reading,
}

impl Merging<'_> {
    fn all<'a>(
        &self,
        environments: Vec<Environment<'a>>,
        warnings: &mut Vec<String>,
    ) -> Result<(Value<'a>, Vec<Line<'a>>), Error> {
        let mut result: Option<Value<'a>> = None;
        let mut below = Vec::new();
        for environment in environments {
            match environment.below {
                first if below.is_empty() => below = first,
                more => join_behind(&mut below, &more),
            }
            let Some(root) = environment.root else { continue };
            match &mut result {
                None => result = Some(root),
                Some(result) => self.lay_over(result, root, warnings)?,
            }
        }
        Ok((result.unwrap_or_else(|| Value::map().document()), below))
    }

    /// Lays an environment over those before it. A section that none of them has comes in as it stands.
    fn lay_over<'a>(&self, result: &mut Value<'a>, root: Value<'a>, warnings: &mut Vec<String>) -> Result<(), Error> {
        result.gain_comments(&root);
        for section in root.into_children() {
            match result.get_mut(section.name()) {
                None => result.push(section),
                Some(old) if PARAMETER_SECTIONS.contains(&section.name()) => {
                    self.parameters(old, section, warnings)?;
                }
                Some(old) => self.section(old, section)?,
            }
        }
        Ok(())
    }

    fn parameters<'a>(&self, old: &mut Value<'a>, section: Value<'a>, warnings: &mut Vec<String>) -> Result<(), Error> {
        old.gain_comments(&section);
        let mut places: HashMap<String, usize> =
            old.children().iter().enumerate().map(|(at, entry)| (entry.name().to_owned(), at)).collect();
        for new in section.into_children() {
            let Some(meeting) = self.meeting(&new, warnings) else { continue };
            let there = places.get(new.name()).copied();
            if self.reading.is_documented() && meeting.may_be_a_list(there.and_then(|at| old.children().get(at))) {
                let what = "is joined as a text; if it is a list with commas, say so with --types or --template";
                warnings.push(self.told(&new, what));
            }
            if let Some(old) = there.and_then(|at| old.child_mut(at)) {
                meeting.meet(old, new)?;
            } else {
                places.insert(new.name().to_owned(), old.children().len());
                old.push(meeting.alone(new)?);
            }
        }
        Ok(())
    }

    /// How a parameter is merged; nothing for one that is left out.
    fn meeting(&self, new: &Value<'_>, warnings: &mut Vec<String>) -> Option<Meeting<'_>> {
        let kind = self.types.of_parameter(new.name());
        if new.is_null() {
            warnings.push(self.told(new, "has no value: left out"));
            return None;
        }
        if kind.is_none() {
            warnings.push(self.told(new, "is declared nowhere: left out"));
        }
        Some(Meeting {
            layers: self.layers,
            kind: kind?,
            declared: self.types.are_declared(),
            word: self.strategies.of_parameter(new.name()),
            reading: self.reading,
        })
    }

    fn told(&self, parameter: &Value<'_>, what: &str) -> String {
        let file = self.layers.get(parameter.origin.layer.unwrap_or(0)).map_or("", |layer| layer.name.as_str());
        format!("{file}:{}: parameter `{}` {what}", parameter.line(), visible(parameter.name()))
    }

    /// The other sections follow no strategy: maps are joined key by key. Lists, which Heat cannot join, stand one behind
    /// the other.
    fn section<'a>(&self, old: &mut Value<'a>, new: Value<'a>) -> Result<(), Error> {
        let joins = old.is_map() && new.is_map() || self.reading.is_documented() && old.is_list() && new.is_list();
        if !joins {
            let (name, line) = (visible(new.name()), new.line());
            let before = old.origin.layer.and_then(|at| self.layers.get(at)).map_or("", |layer| layer.name.as_str());
            let what = format!("Heat cannot merge `{name}`, which {before}:{} has too", old.line());
            let error = error_in(self.layers, Spot { line, ..Spot::of(&new) }, &what);
            return Err(error.help("keep it in one file, or leave --as-shipped away to have both lists"));
        }
        let name = new.name().to_owned();
        let policy = |way: &[Step]| if way.is_empty() { SHALLOW } else { OVERWRITE };
        let folded = Fold { schema: SCHEMA, policy: &policy }.fold(old, new);
        folded.map_err(|refused| {
            let spot = Spot { layer: refused.layer, line: refused.line, word: &name };
            error_in(self.layers, spot, "this cannot be merged")
        })
    }
}

/// What is below the keys of a map that is joined: the later one counts.
const OVERWRITE: Policy = Policy {
    maps: Maps::Replace,
    lists: Lists::Replace,
    texts: Texts::Replace,
    others: Whole::Replace,
    clash: Clash::Replace,
    null: Null::Ignored,
};

/// A map that is joined key by key.
const SHALLOW: Policy = Policy { maps: Maps::Join, lists: Lists::Append, ..OVERWRITE };

/// A word on a line of a file.
#[derive(Clone, Copy)]
struct Spot<'w> {
    layer: Option<usize>,
    line: usize,
    word: &'w str,
}

impl<'w> Spot<'w> {
    /// The name of a value.
    fn of(value: &'w Value<'_>) -> Self {
        Self { layer: value.origin.layer, line: value.line(), word: value.name() }
    }
}

fn error_in(layers: &[Layer], spot: Spot<'_>, what: &str) -> Error {
    match spot.layer.and_then(|at| layers.get(at)) {
        Some(layer) => layer.error_about(what, spot.line, spot.word),
        None => Error::input(what),
    }
}
