//! The whole configuration of a node, which Datum calls its resultant set of policy.
//!
//! It is what the node's file has, the names of its configurations, what each of them comes to over all layers, and the
//! settings of the Local Configuration Manager. Where no layer has a key `Configurations` it is every key of all layers.

use std::collections::{HashMap, HashSet};

use super::fold::Merging;
use super::lookup::Stack;
use super::plan::{Asked, COPIES, Planned, Source, Tried};
use super::repository::{COMPARED, Node, Repository};
use crate::layers::values::{Merged, Schema, Style, Value, size_of_suppliers};
use crate::text::error::{Error, near, visible};

/// The key with the names of a node's configurations.
const COMPOSITION: &str = "Configurations";

/// A node with its configuration.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) merged: Merged,
    pub(crate) layers: Vec<Tried>,
}

/// What became of a node.
#[derive(Debug)]
pub(crate) enum Answer {
    Resolved(Box<Resolved>),
    /// No layer of it has what was looked up.
    Absent(Error),
}

impl<'a> Repository<'a> {
    /// The configuration of a node, or what a lookup comes to there.
    ///
    /// # Errors
    /// Layers that cannot be merged; more than the budget of a run has.
    pub(crate) fn resolve(&self, planned: Planned<'_, 'a>, asked: &Asked<'_>) -> Result<Answer, Error> {
        let Planned { node, own, sources, tried, warnings, counted, .. } = planned;
        let layers = sources.into_iter().rev().map(|source| self.filled(source, &node));
        let stack = Stack::of(layers.collect::<Result<_, _>>()?);
        let (lookups, layers, budget) = (&self.definition.lookups, &self.files.layers[..], &self.budget);
        let mut merging = Merging { lookups, layers, reading: self.definition.reading, budget, warnings };
        let known = merging.warnings.len();
        let document = match asked.key {
            Some(key) => match super::one(&mut merging, &stack, key)? {
                Ok(document) => document,
                Err(absent) => return Ok(Answer::Absent(absent)),
            },
            None => Rsop { repository: self, node: &node, stack: &stack }.document(&mut merging, own)?,
        };
        let told: usize = merging.warnings.iter().skip(known).map(String::len).sum();
        self.count(&node, COPIES.saturating_mul(told))?;
        let mut merged = self.written(&document, &node, asked)?;
        self.count(&node, COPIES.saturating_mul(merged.text.len()).saturating_sub(counted))?;
        merged.warnings = merging.warnings;
        Ok(Answer::Resolved(Box::new(Resolved { merged, layers: tried })))
    }

    /// A layer with what is supplied for this node.
    fn filled(&self, source: Source<'_, 'a>, node: &Node) -> Result<Value<'a>, Error> {
        let mut value = match source {
            Source::Value(value) => value,
            Source::Folder(folder) => self.map_of(&folder)?,
        };
        self.fill(&mut value, node)?;
        Ok(value)
    }

    pub(super) fn fill(&self, value: &mut Value<'a>, node: &Node) -> Result<(), Error> {
        let filled = self.supplied.fill(value, &node.name, &self.budget);
        filled.map_err(|why| {
            self.file(node).error(format!("too much is supplied: {why}"), 1).help("no node needs that much")
        })
    }

    fn written(&self, document: &Value<'a>, node: &Node, asked: &Asked<'_>) -> Result<Merged, Error> {
        let (style, one) = (Style { bom: false, ..self.file(node).style()? }, std::slice::from_ref(document));
        let below = if asked.key.is_some() { &[] } else { self.parsed(node.file)?.below.as_slice() };
        if !asked.with_suppliers {
            return Merged::without_suppliers(one, below, style);
        }
        let size = size_of_suppliers(document, &self.files.layers);
        self.count(node, COPIES.saturating_mul(size))?;
        Merged::of(one, below, style, &self.files.layers)
    }
}

/// The configuration of a node in the making.
struct Rsop<'r, 'a> {
    repository: &'r Repository<'a>,
    node: &'r Node,
    stack: &'r Stack<'a>,
}

impl<'a> Rsop<'_, 'a> {
    /// The node's own keys, and behind them what its configurations come to. What the node's file has of these is replaced
    /// in its place.
    fn document(&self, merging: &mut Merging<'_>, own: Value<'a>) -> Result<Value<'a>, Error> {
        let mut found = self.stack.by_name();
        let composition = found.remove(&COMPOSITION.to_lowercase()).unwrap_or_default();
        let Some(composition) = merging.folded(COMPOSITION, composition)? else {
            return super::all(merging, self.stack);
        };
        let names = Self::names(&composition, merging)?;
        let mut result = Keys::of(own);
        result.put(composition);
        let lcm = &self.repository.definition.lcm;
        let mut done = HashSet::from([COMPOSITION.to_lowercase()]);
        for (name, line) in names.iter().map(|(name, line)| (name, Some(*line))).chain([(lcm, None)]) {
            if !done.insert(name.to_lowercase()) {
                continue;
            }
            let values = found.remove(&name.to_lowercase()).unwrap_or_default();
            match (merging.folded(name, values)?, line) {
                (Some(value), _) => result.put(value),
                (None, Some(place)) => {
                    merging.warnings.push(self.nowhere(name, place));
                    result.put(Value::map().under(name.clone()));
                }
                (None, None) => {}
            }
        }
        Ok(result.map)
    }

    /// The names of the configurations, each with where it is.
    fn names(composition: &Value<'a>, merging: &Merging<'_>) -> Result<Vec<(String, Origin)>, Error> {
        let one = std::slice::from_ref(composition);
        let items = if composition.is_list() { composition.children() } else { one };
        let name = |item: &Value<'a>| {
            let origin = Origin { layer: item.origin.layer, line: item.line() };
            let text = item.as_text(Schema::Core).filter(|name| !name.is_empty());
            let what = match text {
                Some(name) if name.contains(super::precedence::SEPARATORS) => {
                    "has a separator in it, and that is no name"
                }
                Some(name) => return Ok((name.to_owned(), origin)),
                None => "is not the name of a configuration",
            };
            let said =
                text.map_or_else(|| item.kind_name(Schema::Core).to_owned(), |text| format!("`{}`", visible(text)));
            let error = match origin.layer.and_then(|at| merging.layers.get(at)) {
                Some(layer) => layer.error_about(format!("{said} {what}"), origin.line, text.unwrap_or_default()),
                None => Error::input(format!("{said} {what}")),
            };
            Err(error.help("`Configurations` lists the keys of the layers that a node has"))
        };
        items.iter().map(name).collect()
    }

    /// Says that no layer has a configuration, which is an empty one to Datum.
    fn nowhere(&self, name: &str, origin: Origin) -> String {
        let file = origin.layer.and_then(|at| self.repository.files.layers.get(at));
        let place = file.map_or_else(String::new, |file| format!("{}:{}: ", file.name, origin.line));
        let known = self.stack.specific_first().flat_map(Value::children).map(Value::name);
        let known: Vec<_> = known.take(COMPARED + 1).collect();
        let near = near(name, &known).filter(|_| known.len() <= COMPARED);
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{}`?", visible(near)));
        let (name, node) = (visible(name), visible(&self.node.name));
        format!("{place}no layer of `{node}` has the configuration `{name}`: it is empty{near}")
    }
}

/// Where the name of a configuration is.
#[derive(Debug, Clone, Copy)]
struct Origin {
    layer: Option<usize>,
    line: usize,
}

/// A map whose keys are found by their names, in whatever case.
struct Keys<'a> {
    map: Value<'a>,
    places: HashMap<String, usize>,
    is_set_off: bool,
}

impl<'a> Keys<'a> {
    fn of(map: Value<'a>) -> Self {
        let places = map.children().iter().enumerate().map(|(at, entry)| (entry.name().to_lowercase(), at)).collect();
        let is_set_off = map.children().iter().skip(1).any(Value::is_set_off);
        Self { map, places, is_set_off }
    }

    /// Puts an entry in the place of the one with its name, or behind all others.
    fn put(&mut self, mut entry: Value<'a>) {
        let known = self.places.get(&entry.name().to_lowercase());
        if let Some(old) = known.and_then(|&at| self.map.child_mut(at)) {
            old.replace(entry);
            return;
        }
        if self.is_set_off {
            entry.set_off();
        }
        self.places.insert(entry.name().to_lowercase(), self.map.children().len());
        self.map.push(entry);
    }
}
