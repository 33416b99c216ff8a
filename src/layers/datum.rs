//! Datum: layers of PowerShell DSC configuration, the most specific first (`docs/datum.md`).
//!
//! A lookup takes the value at a path from each layer that has it and folds the values from the most specific one on
//! ([`fold`]), each pair by the strategy that the options name for its path ([`options`], [`strategy`]); what was
//! knocked out is removed in the end ([`clean`]). Strategies are the place's and not the value's, and what is most
//! specific stays, so this is a walk of its own and not one of the common fold.
//!
//! Which layers a node has is told by a repository with a [`Definition`]: its paths, with the facts of the node in them
//! ([`facts`]), lead through the files of a [`Repository`], and what is there makes the node's configuration ([`rsop`]).
//!
//! Two readings of it live side by side. What Datum's own document says holds; [`Reading::Shipped`] is what Datum does, without
//! what PowerShell does to lists of one item, of none, and of lists.

mod clean;
mod definition;
mod doubts;
mod equal;
mod expression;
mod facts;
mod fold;
mod lists;
mod lookup;
mod options;
mod pattern;
mod plan;
mod precedence;
mod repository;
mod rsop;
mod strategy;
mod supplied;
mod tuples;

pub(crate) use self::definition::{Definition, Store};
use self::fold::Merging;
use self::lookup::{Stack, find, steps};
use self::options::Lookups;
pub(crate) use self::plan::{Asked, Tried};
pub(crate) use self::repository::{Files, Node, Place, Repository};
pub(crate) use self::rsop::{Answer, Resolved};
pub(crate) use self::supplied::Supplied;
use crate::layers::reading::Reading;
use crate::layers::values::{Layer, Merged, Value};
use crate::text::budget::Budget;
use crate::text::error::{Error, near, visible};

/// What is to be known besides the layers.
pub(crate) struct Options {
    pub(crate) reading: Reading,
    /// The file with `lookup_options` and `default_lookup_options`.
    pub(crate) strategies: Option<Layer>,
    /// The path to look up; every key at the top without one.
    pub(crate) key: Option<String>,
}

/// Looks up one path, or every key, in all layers.
///
/// # Errors
/// A layer that cannot be read, options that say nothing Datum knows, and a path that no layer has.
pub(crate) fn merge(layers: &[Layer], options: &Options) -> Result<Merged, Error> {
    // The layer that all others are laid on is number 0: what is written follows its layout.
    let layers: Vec<Layer> = layers.iter().rev().cloned().collect();
    let (lookups, mut warnings) = Lookups::read(options.strategies.as_ref(), options.reading)?;
    let stack = Stack::read(&layers, options.reading, &mut warnings)?;
    let budget = Budget::of(layers.iter().map(|layer| layer.text.len()).sum());
    let (lookups, budget, reading) = (&lookups, &budget, options.reading);
    let mut merging = Merging { lookups, layers: &layers, reading, budget, warnings };
    let (document, below) = match &options.key {
        Some(key) => (one(&mut merging, &stack, key)??, Vec::new()),
        None => (all(&mut merging, &stack)?, stack.below()),
    };
    let style = layers.first().map(Layer::style).transpose()?.unwrap_or_default();
    let mut merged = Merged::of(&[document], &below, style, &layers)?;
    merged.warnings = merging.warnings;
    Ok(merged)
}

/// What the layers have at one path, as a document; where none has anything there, why.
fn one<'a>(merging: &mut Merging<'_>, stack: &Stack<'a>, key: &str) -> Result<Result<Value<'a>, Error>, Error> {
    let way = steps(key);
    if way.is_empty() {
        return Err(
            Error::input("the path to look up is empty").help("name a key of the layers: --key 'Role\\Packages'")
        );
    }
    let found: Vec<_> = stack.specific_first().filter_map(|layer| find(layer, &way)).collect();
    let there = !found.is_empty();
    let Some(value) = merging.folded(&way.join("\\"), found)? else {
        return Ok(Err(if there { null_everywhere(key) } else { not_found(stack, key, &way) }));
    };
    let mut document = value.document();
    document.stand_close();
    Ok(Ok(document))
}

/// Datum treats what is null in every layer as not there.
fn null_everywhere(key: &str) -> Error {
    let key = visible(key);
    Error::input(format!("`{key}` is null in every layer that has it, and that counts as not there"))
}

fn not_found(stack: &Stack<'_>, key: &str, way: &[&str]) -> Error {
    let key = visible(key);
    let names: Vec<_> = stack.specific_first().flat_map(Value::children).map(Value::name).collect();
    let first = way.first().copied().unwrap_or_default();
    let near = near(first, &names).filter(|name| !name.eq_ignore_ascii_case(first));
    let help = match near {
        Some(name) => format!("did you mean `{}`?", visible(name)),
        None => "a path is keys with `\\` or `/` between them, from the top of the layers".to_owned(),
    };
    Error::input(format!("no layer has `{key}`")).help(help)
}

/// A map of all keys at the top, laid out as the least specific layer is. What is null in every layer is so here.
fn all<'a>(merging: &mut Merging<'_>, stack: &Stack<'a>) -> Result<Value<'a>, Error> {
    let mut found = stack.by_name();
    let mut entries = Vec::new();
    for name in stack.general_first().flat_map(Value::children).map(Value::name) {
        let Some(values) = found.remove(&name.to_lowercase()) else { continue };
        let null = values.first().cloned();
        entries.extend(merging.folded(name, values)?.or(null));
    }
    let mut result = stack.base();
    // What is first in its layer is not set off there, and what comes in here is as the others are.
    let (own, off) = (result.children().len(), result.children().get(1).is_some_and(Value::is_set_off));
    entries.iter_mut().skip(own).filter(|_| off).for_each(Value::set_off);
    lookup::refill(&mut result, entries);
    Ok(result)
}
