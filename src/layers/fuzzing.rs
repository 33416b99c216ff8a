//! The doors that fuzz targets need besides the public interface: what `yamlift merge` and `yamlift layer` do with texts.
//!
//! Only a build with `--cfg fuzzing`, which cargo-fuzz sets, has this module. Nothing here reads a file: an include of
//! cloud-init is refused.

use crate::layers::deckhand;
use crate::layers::reading::Reading;
use crate::layers::values::{Layer, Merged};
use crate::layers::{cloud_init, datum, heat, own};
use crate::text::error::Error;

/// Whose rules layers are merged by.
#[derive(Debug, Clone, Copy)]
pub enum System {
    /// The parts of a user-data.
    CloudInitParts,
    /// The levels of a configuration, the highest priority first.
    CloudInitLevels,
    /// Environments.
    Heat,
    /// Layers, the most specific first; the first text is the file of options.
    Datum,
    /// Any layers; the first text is the file of rules.
    Own,
    /// Any layers; the first text is the name of a preset.
    Preset,
    /// A machine: what the user and the vendor give it, `cloud.cfg` and its instance data, as far as there are so many texts.
    Machine,
}

/// Whether a system is held to its document.
#[derive(Debug, Clone, Copy)]
pub enum Rules {
    /// What its document says.
    Documented,
    /// What it does as it is shipped.
    Shipped,
}

impl From<Rules> for Reading {
    fn from(rules: Rules) -> Self {
        match rules {
            Rules::Documented => Self::Documented,
            Rules::Shipped => Self::Shipped,
        }
    }
}

/// Merges texts by the rules of a system, or as that system does where its document says otherwise.
///
/// # Errors
/// What is wrong with a text, or a bug of yamlift.
pub fn merge(system: System, texts: Vec<String>, rules: Rules) -> Result<String, Error> {
    let reading = Reading::from(rules);
    let merged = match system {
        System::CloudInitParts => cloud_init_files(cloud_init::Entry::Parts, texts, reading),
        System::CloudInitLevels => cloud_init_files(cloud_init::Entry::Levels, texts, reading),
        System::Heat => {
            let options = heat::Options { reading, types: None, templates: Vec::new(), params: None, places: None };
            heat::merge(&named(texts), &options)
        }
        System::Datum => {
            let mut layers = named(texts);
            let strategies = (!layers.is_empty()).then(|| layers.remove(0));
            datum::merge(&layers, &datum::Options { reading, strategies, key: None })
        }
        System::Own => match named(texts).split_first() {
            Some((rules, layers)) => own::merge(layers, rules, &own::Given::default()),
            None => Err(Error::input("no rules")),
        },
        System::Preset => match named(texts).split_first() {
            Some((name, layers)) => preset(name.text.trim(), layers),
            None => Err(Error::input("no preset")),
        },
        System::Machine => machine(texts),
    };
    merged.map(|merged| merged.text)
}

fn cloud_init_files(entry: cloud_init::Entry, texts: Vec<String>, reading: Reading) -> Result<Merged, Error> {
    let files = named(texts).into_iter().map(|layer| (layer.name, layer.text.into_bytes())).collect();
    let purpose = cloud_init::Purpose::Merge;
    cloud_init::merge(files, &cloud_init::Options { reading, entry, headers: Vec::new(), open: None, purpose })
}

fn preset(name: &str, layers: &[Layer]) -> Result<Merged, Error> {
    let text = own::preset(name).ok_or_else(|| Error::input("no such preset"))?;
    let rules = Layer { name: name.to_owned(), text: text.to_owned() };
    own::merge(layers, &rules, &own::Given::default())
}

fn machine(texts: Vec<String>) -> Result<Merged, Error> {
    let mut texts = named(texts).into_iter();
    let mut file = || texts.next().map(|layer| (layer.name, layer.text.into_bytes()));
    let (user_data, vendor_data, main) = (file(), file(), file());
    let instance = texts.next().map(|data| cloud_init::Instance::read(&data)).transpose()?;
    let machine = cloud_init::Machine { user_data, vendor_data, main, instance, ..cloud_init::Machine::default() };
    cloud_init::resolve(&machine, None).map(|resolved| resolved.merged)
}

/// Renders the documents of texts as Deckhand does.
///
/// # Errors
/// The first of what is wrong with the documents, or a bug of yamlift.
pub fn layer(texts: Vec<String>, rules: Rules) -> Result<String, Error> {
    let reading = Reading::from(rules);
    let files = named(texts);
    let schemas = deckhand::Schemas::default();
    let options = deckhand::Options { reading, allow_missing: reading.is_shipped(), schemas, progress: &|_, _| {} };
    let outcome = deckhand::render(&files, &options);
    match (outcome.result, outcome.errors.into_iter().next()) {
        (Some(set), None) => set.text(&set.chosen(&[])?),
        (_, Some(error)) => Err(error),
        (None, None) => Err(Error::input("nothing was rendered")),
    }
}

fn named(texts: Vec<String>) -> Vec<Layer> {
    texts.into_iter().enumerate().map(|(at, text)| Layer { name: format!("layer {at}"), text }).collect()
}
