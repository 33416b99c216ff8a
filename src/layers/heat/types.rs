//! Of which type each parameter is: as templates or a table declare it, else as the first value of it looks.

use std::collections::HashMap;

use super::environment::Environment;
use super::{Options, SCHEMA};
use crate::layers::values::{Content, Layer, Type, Value};
use crate::text::error::{Error, nearest, visible};

/// The type of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParameterType {
    String,
    Number,
    List,
    Json,
    Boolean,
}

/// By their names in Heat's own templates and, behind them, in those of `CloudFormation`.
const NAMES: [&str; 10] = [
    "string",
    "number",
    "comma_delimited_list",
    "json",
    "boolean",
    "String",
    "Number",
    "CommaDelimitedList",
    "Json",
    "Boolean",
];

impl ParameterType {
    const ALL: [Self; 5] = [Self::String, Self::Number, Self::List, Self::Json, Self::Boolean];

    fn named(name: &str) -> Option<Self> {
        NAMES.iter().zip(Self::ALL.iter().cycle()).find(|(known, _)| **known == name).map(|(_, kind)| *kind)
    }

    /// What a value looks like.
    fn like(value: &Value<'_>) -> Self {
        match value.content() {
            Content::Map(_) => Self::Json,
            Content::List(_) => Self::List,
            Content::Scalar(scalar) => match scalar.kind(SCHEMA) {
                Type::Bool(_) => Self::Boolean,
                Type::Int(_) | Type::Float(_) => Self::Number,
                _ => Self::String,
            },
        }
    }

    /// As Heat's own templates call it.
    pub(super) fn name(self) -> &'static str {
        Self::ALL.iter().zip(NAMES).find(|(kind, _)| **kind == self).map_or("", |(_, name)| name)
    }
}

/// The types of all parameters.
pub(super) struct Types {
    known: HashMap<String, ParameterType>,
    declared: bool,
}

impl Types {
    /// Finds them. Of several templates the last counts, and a table counts more.
    pub(super) fn of(options: &Options, environments: &[Environment<'_>]) -> Result<Self, Error> {
        let duplicates = options.reading.duplicates();
        let mut known = HashMap::new();
        for template in &options.templates {
            for document in template.read(0, duplicates)?.documents {
                declared(template, &document, &mut known)?;
            }
        }
        if let Some(table) = &options.types {
            for document in table.read(0, duplicates)?.documents {
                listed(table, &document, &mut known)?;
            }
        }
        let declared = options.types.is_some() || !options.templates.is_empty();
        if !declared {
            for parameter in environments.iter().flat_map(Environment::parameters) {
                known.entry(parameter.name().to_owned()).or_insert_with(|| ParameterType::like(parameter));
            }
        }
        Ok(Self { known, declared })
    }

    /// Nothing for a parameter that is declared nowhere.
    pub(super) fn of_parameter(&self, name: &str) -> Option<ParameterType> {
        self.known.get(name).copied()
    }

    /// Whether they are not just what values look like.
    pub(super) fn are_declared(&self) -> bool {
        self.declared
    }
}

/// Whether a file says that it is a template, and not an environment or what a template includes.
pub(crate) fn is_template(layer: &Layer) -> bool {
    let versions = ["heat_template_version", "HeatTemplateFormatVersion", "AWSTemplateFormatVersion"];
    layer.text.lines().any(|line| {
        let key = line.split(':').next().unwrap_or_default().trim_matches(['"', '\'']);
        versions.contains(&key)
    })
}

/// The parameters of a template.
fn declared(layer: &Layer, root: &Value<'_>, known: &mut HashMap<String, ParameterType>) -> Result<(), Error> {
    let Some(parameters) = root.get("parameters").or_else(|| root.get("Parameters")) else { return Ok(()) };
    for parameter in parameters.children() {
        let Some(kind) = parameter.get("type").or_else(|| parameter.get("Type")) else {
            let what = format!("parameter `{}` has no type", visible(parameter.name()));
            return Err(layer.error_about(what, parameter.line(), parameter.name()).help(one_of()));
        };
        known.insert(parameter.name().to_owned(), read(layer, kind)?);
    }
    Ok(())
}

/// The entries of a table from parameter to type.
fn listed(layer: &Layer, root: &Value<'_>, known: &mut HashMap<String, ParameterType>) -> Result<(), Error> {
    if !root.is_map() && !root.is_null() {
        let what = format!("a table of types is a map, and this is {}", root.kind_name(SCHEMA));
        return Err(layer.error(what, root.line()).help("write `parameter: type` on each line"));
    }
    for entry in root.children() {
        known.insert(entry.name().to_owned(), read(layer, entry)?);
    }
    Ok(())
}

fn read(layer: &Layer, value: &Value<'_>) -> Result<ParameterType, Error> {
    let text = value.scalar().map_or(value.kind_name(SCHEMA), |scalar| &*scalar.text);
    ParameterType::named(text).ok_or_else(|| {
        let what = format!("`{}` is no type of a parameter", visible(text));
        layer.error_about(what, value.line(), text).help(nearest(text, &NAMES[..5]))
    })
}

fn one_of() -> String {
    format!("give it one of {}", NAMES[..5].join(", "))
}
