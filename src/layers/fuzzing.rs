//! The doors that fuzz targets need besides the public interface: what `yamlift merge` and `yamlift layer` do with texts.
//!
//! Only a build with `--cfg fuzzing`, which cargo-fuzz sets, has this module. Nothing here reads a file: an include of
//! cloud-init is refused.

use crate::layers::deckhand;
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
}

/// Merges texts by the rules of a system, or as that system does where its document says otherwise.
///
/// # Errors
/// What is wrong with a text, or a bug of yamlift.
pub fn merge(system: System, texts: Vec<String>, as_shipped: bool) -> Result<String, Error> {
    let merged = match system {
        System::CloudInitParts => cloud_init_files(cloud_init::Entry::Parts, texts, as_shipped),
        System::CloudInitLevels => cloud_init_files(cloud_init::Entry::Levels, texts, as_shipped),
        System::Heat => {
            let options = heat::Options { as_shipped, types: None, templates: Vec::new(), params: None };
            heat::merge(&named(texts), &options)
        }
        System::Datum => {
            let mut layers = named(texts);
            let strategies = (!layers.is_empty()).then(|| layers.remove(0));
            datum::merge(&layers, &datum::Options { as_shipped, strategies, key: None })
        }
        System::Own => match named(texts).split_first() {
            Some((rules, layers)) => own::merge(layers, rules),
            None => Err(Error::input("no rules")),
        },
    };
    merged.map(|merged| merged.text)
}

fn cloud_init_files(entry: cloud_init::Entry, texts: Vec<String>, as_shipped: bool) -> Result<Merged, Error> {
    let files = named(texts).into_iter().map(|layer| (layer.name, layer.text.into_bytes())).collect();
    cloud_init::merge(files, &cloud_init::Options { as_shipped, entry, headers: Vec::new(), open: None })
}

/// Renders the documents of texts as Deckhand does.
///
/// # Errors
/// The first of what is wrong with the documents, or a bug of yamlift.
pub fn layer(texts: Vec<String>, as_shipped: bool) -> Result<String, Error> {
    let files = named(texts);
    let options = deckhand::Options { as_shipped, allow_missing: as_shipped, progress: &|_, _| {} };
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
