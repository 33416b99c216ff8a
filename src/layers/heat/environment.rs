//! A file as an environment: its sections, and what it says about strategies.

use std::collections::HashMap;

use super::words::{ALL, SHIPPED, Vocabulary, Word};
use super::{SCHEMA, is_empty};
use crate::layers::reading::Reading;
use crate::layers::values::{Layer, Value};
use crate::text::error::{Error, nearest, visible};
use crate::yaml::tree::Line;

/// The sections whose entries follow strategies.
pub(super) const PARAMETER_SECTIONS: [&str; 2] = ["parameters", "parameter_defaults"];

const STRATEGIES: &str = "parameter_merge_strategies";
/// As it was proposed.
const PROPOSED: &str = "merge_strategy";
const LISTS: [&str; 2] = ["event_sinks", "encrypted_param_names"];
const SECTIONS: [&str; 7] =
    ["parameters", "parameter_defaults", "resource_registry", LISTS[1], LISTS[0], STRATEGIES, PROPOSED];

/// A file that was read.
pub(super) struct Environment<'a> {
    pub(super) layer: &'a Layer,
    pub(super) number: usize,
    /// The sections that hold something; nothing where none does.
    pub(super) root: Option<Value<'a>>,
    /// The comments at the end of the file.
    pub(super) below: Vec<Line<'a>>,
    /// Parameter to strategy as Heat has it, `default` among them.
    pub(super) own: HashMap<String, Word>,
    pub(super) proposed: Proposed,
    /// Whether the request itself carries it.
    pub(super) is_request: bool,
}

/// What a section `merge_strategy` says.
#[derive(Debug, Default)]
pub(super) struct Proposed {
    /// By the words `list`, `dict` and `string`.
    pub(super) kinds: HashMap<String, Word>,
    pub(super) parameters: HashMap<String, Word>,
}

impl<'a> Environment<'a> {
    /// Reads a file.
    ///
    /// # Errors
    /// What is no environment: another root than a map, an unknown section, one without a value or of the wrong kind.
    pub(super) fn read(
        layer: &'a Layer,
        number: usize,
        reading: Reading,
        warnings: &mut Vec<String>,
    ) -> Result<Self, Error> {
        let duplicates = reading.duplicates();
        let mut read = layer.read(number, duplicates)?;
        warnings.append(&mut read.warnings);
        if let Some(second) = read.documents.get(1) {
            let error = layer.error("an environment is one document, and here starts a second", second.line());
            return Err(error.help("put it into a file of its own"));
        }
        let root = read.documents.pop().filter(|root| !is_empty(root));
        let (own, proposed) = (HashMap::new(), Proposed::default());
        let mut environment = Self { layer, number, root: None, below: read.below, own, proposed, is_request: false };
        if let Some(root) = root {
            environment.sections(root, reading, warnings)?;
        }
        Ok(environment)
    }

    fn sections(&mut self, mut root: Value<'a>, reading: Reading, warnings: &mut Vec<String>) -> Result<(), Error> {
        if !root.is_map() {
            let what = format!("an environment is a map, and this is {}", root.kind_name(SCHEMA));
            return Err(self.layer.error(what, root.line()).help("it starts with a section like `parameters:`"));
        }
        let mut holds = Vec::with_capacity(root.children().len());
        for section in root.children() {
            self.check(section, reading)?;
            match section.name() {
                STRATEGIES => self.own(section, reading, warnings)?,
                PROPOSED => self.proposed(section, warnings)?,
                _ => {}
            }
            holds.push(!is_empty(section) && ![STRATEGIES, PROPOSED].contains(&section.name()));
        }
        for at in (0..holds.len()).rev().filter(|&at| !holds[at]) {
            root.remove(at);
        }
        self.root = Some(root);
        Ok(())
    }

    fn check(&self, section: &Value<'_>, reading: Reading) -> Result<(), Error> {
        let name = section.name();
        let error = |what: String| self.layer.error_about(what, section.line(), name);
        let known = if reading.is_shipped() { &SECTIONS[..6] } else { &SECTIONS[..] };
        if !known.contains(&name) {
            let mut help = nearest(name, known);
            if name == PROPOSED {
                help = format!("Heat has `{STRATEGIES}`; without --as-shipped `{PROPOSED}` is read as it was proposed");
            }
            return Err(error(format!("an environment has no section `{}`", visible(name))).help(help));
        }
        let wrong = match section {
            _ if section.is_null() => "nothing",
            _ if LISTS.contains(&name) && (section.is_list() || reading.is_shipped()) => return Ok(()),
            _ if section.is_map()
                || reading.is_shipped() && !PARAMETER_SECTIONS.contains(&name) && name != STRATEGIES =>
            {
                if section.is_map() && LISTS.contains(&name) {
                    "a map"
                } else {
                    return Ok(());
                }
            }
            _ => section.kind_name(SCHEMA),
        };
        let (wanted, form) = if LISTS.contains(&name) { ("a list", "`- `") } else { ("a map", "`name: `") };
        let help = match wrong {
            "nothing" => "take the section out to have none".to_owned(),
            _ => format!("write each of its entries on a line below it, behind {form}"),
        };
        Err(error(format!("`{name}` has to be {wanted}, and this is {wrong}")).help(help))
    }

    fn own(&mut self, section: &Value<'_>, reading: Reading, warnings: &mut Vec<String>) -> Result<(), Error> {
        let known = if reading.is_shipped() { SHIPPED } else { ALL };
        let vocabulary = Vocabulary { layer: self.layer, known, reading };
        for entry in section.children() {
            let word = vocabulary.read(entry, warnings)?;
            self.own.insert(entry.name().to_owned(), word);
        }
        Ok(())
    }

    fn proposed(&mut self, section: &Value<'_>, warnings: &mut Vec<String>) -> Result<(), Error> {
        let all = Vocabulary { layer: self.layer, known: ALL, reading: Reading::Documented };
        for entry in section.children() {
            let known: &[&str] = match entry.name() {
                "list" => &["overwrite", "merge", "extend"],
                "dict" => &["overwrite", "merge", "deep_merge"],
                "string" => &["overwrite", "merge", "append"],
                "parameters" if entry.is_map() => {
                    for parameter in entry.children() {
                        let word = all.read(parameter, warnings)?;
                        self.proposed.parameters.insert(parameter.name().to_owned(), word);
                    }
                    continue;
                }
                "parameters" => {
                    let what = format!("`parameters` has to be a map, and this is {}", entry.kind_name(SCHEMA));
                    let help = "write each parameter with its strategy below it: `ControllerServices: extend`";
                    return Err(self.layer.error_about(what, entry.line(), entry.name()).help(help));
                }
                name => {
                    let what = format!("`{}` is no key of `{PROPOSED}`", visible(name));
                    let known = nearest(name, &["list", "dict", "string", "parameters"]);
                    let help = format!("{known}; strategies of single parameters stand below `parameters`");
                    return Err(self.layer.error_about(what, entry.line(), name).help(help));
                }
            };
            let word = Vocabulary { known, ..all }.read(entry, warnings)?;
            self.proposed.kinds.insert(entry.name().to_owned(), word);
        }
        Ok(())
    }

    /// What the request carries is merged into and says nothing about strategies.
    pub(super) fn becomes_request(&mut self, warnings: &mut Vec<String>) {
        let said = self.own.values().chain(self.proposed.kinds.values()).chain(self.proposed.parameters.values());
        if let Some(line) = said.filter_map(|word| word.said).map(|(_, line)| line).min() {
            warnings.push(format!("{}:{line}: strategies count in environment files only", self.layer.name));
        }
        (self.own, self.proposed, self.is_request) = (HashMap::new(), Proposed::default(), true);
    }

    /// Its parameters with their values, those of both sections.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &Value<'a>> {
        let sections = self.root.iter().flat_map(Value::children);
        let sections = sections.filter(|section| PARAMETER_SECTIONS.contains(&section.name()));
        sections.flat_map(Value::children).filter(|parameter| !parameter.is_null())
    }
}
