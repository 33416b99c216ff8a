//! The whole configuration of a node, which Datum calls its resultant set of policy.
//!
//! It is what the node's file has, the names of its configurations, what each of them comes to over all layers, and the
//! settings of the Local Configuration Manager. Where no layer has a key `Configurations` it is every key of all layers.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::facts::{Facts, Filled};
use super::fold::Merging;
use super::lookup::Stack;
use super::precedence::{Part, Precedence};
use super::repository::{COMPARED, FolderOf, Found, Node, Parsed, Repository};
use crate::layers::values::{Layer, Merged, Schema, Style, Value};
use crate::text::error::{Error, near, visible};

/// The key with the names of a node's configurations.
const COMPOSITION: &str = "Configurations";

/// What it takes to follow a path, besides its text.
const OF_A_PATH: usize = 200;

/// What one path of the precedence comes to at a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Tried {
    /// The path as the definition has it.
    pub(crate) precedence: String,
    /// With the facts of the node; without them where one is lacking.
    pub(crate) path: Option<String>,
    /// The file, or the folder, that is there.
    pub(crate) found: Option<String>,
}

/// A node with its configuration.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) merged: Merged,
    pub(crate) layers: Vec<Tried>,
}

/// What is asked of a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'k> {
    /// The path to look up; the whole configuration without one.
    pub(crate) key: Option<&'k str>,
    /// Whether it is to be known who supplied each value.
    pub(crate) with_suppliers: bool,
}

/// What became of a node.
#[derive(Debug)]
pub(crate) enum Answer {
    Resolved(Box<Resolved>),
    /// No layer of it has what was looked up.
    Absent(Error),
}

/// The layers of a node.
struct Own<'a> {
    /// The most specific first.
    layers: Vec<Value<'a>>,
    tried: Vec<Tried>,
    warnings: Vec<String>,
}

impl<'a> Repository<'a> {
    /// The configuration of a node, or what a lookup comes to there.
    ///
    /// # Errors
    /// What cannot be read; facts that are no names; more than the budget of a run has.
    pub(crate) fn resolve(&self, node: &Node, asked: &Asked<'_>) -> Result<Answer, Error> {
        let parsed = self.parsed(node.file)?;
        let mut own = parsed.value.clone().unwrap_or_else(|| Value::map().document());
        if !own.is_map() {
            return Err(self.file(node).error("the file of a node has to be a map", own.line()));
        }
        self.fill(&mut own, node)?;
        let Own { mut layers, tried, warnings } = self.layers_of(node, &own)?;
        layers.reverse();
        let stack = Stack::of(layers);
        let (lookups, files) = (&self.definition.lookups, &self.files.layers[..]);
        let mut merging = Merging { lookups, layers: files, reading: self.definition.reading, warnings };
        let document = match asked.key {
            Some(key) => match super::one(&mut merging, &stack, key)? {
                Ok(document) => document,
                Err(absent) => return Ok(Answer::Absent(absent)),
            },
            None => Rsop { repository: self, node, stack: &stack }.document(&mut merging, own)?,
        };
        let mut merged = self.written(document, asked.key.map_or(Some(parsed), |_| None), self.file(node))?;
        merged.warnings = merging.warnings;
        if !asked.with_suppliers {
            merged.forget_suppliers();
        }
        self.count(merged.size())?;
        Ok(Answer::Resolved(Box::new(Resolved { merged, layers: tried })))
    }

    fn written(&self, document: Value<'a>, own: Option<&Parsed<'a>>, file: &Layer) -> Result<Merged, Error> {
        let style = Style { bom: false, ..file.style()? };
        let below = own.map(|own| own.below.as_slice()).unwrap_or_default();
        Merged::of(&[document], below, style, &self.files.layers)
    }

    /// Counts what is made of the files: the same layers are the layers of many nodes.
    pub(super) fn count(&self, bytes: usize) -> Result<(), Error> {
        self.budget.take(bytes).map_err(|_| {
            Error::input("the configurations of these nodes are more than can be made of files of this size")
                .help("name the nodes one by one with --node")
        })
    }

    /// The layers that the precedence names for a node.
    fn layers_of(&self, node: &Node, own: &Value<'a>) -> Result<Own<'a>, Error> {
        let facts = Facts { repository: self, node, own };
        let mut all = Own { layers: Vec::new(), tried: Vec::new(), warnings: Vec::new() };
        for precedence in &self.definition.precedence {
            self.count(OF_A_PATH + precedence.text.len() + own.children().len())?;
            let mut tried = Tried { precedence: precedence.text.clone(), path: None, found: None };
            match facts.fill(precedence)? {
                Filled::Path(path) => {
                    tried.path = Some(path.join("\\"));
                    match self.layer(&path, node)? {
                        Some((value, place)) => {
                            tried.found = Some(place);
                            all.layers.push(value);
                        }
                        None => all.warnings.extend(self.slip(precedence, &path, node)),
                    }
                }
                Filled::Lacking(fact) => {
                    let near = facts.near(&fact).map(|near| {
                        let (fact, near, name) = (visible(&fact), visible(&near), visible(&node.name));
                        let place = self.place_of(precedence);
                        format!("{place}: the node `{name}` has no `{fact}`: did you mean `{near}`?")
                    });
                    all.warnings.extend(near);
                }
            }
            all.tried.push(tried);
        }
        Ok(all)
    }

    /// A path that leads to nothing because of a fact, where something is called nearly so. What has the name of a node is
    /// mostly there for few nodes.
    fn slip(&self, precedence: &Precedence, path: &[String], node: &Node) -> Option<String> {
        let last = precedence.steps.last()?;
        let is_name = |way: &[String]| matches!(way, [name] if ["name", "nodename"].contains(&&*name.to_lowercase()));
        if !last.iter().any(|part| matches!(part, Part::Fact { way } if !is_name(way))) {
            return None;
        }
        let (near, path, name) = (visible(self.near(path)?), visible(&path.join("\\")), visible(&node.name));
        let place = self.place_of(precedence);
        Some(format!("{place}: the node `{name}` has no layer at `{path}`: did you mean `{near}`?"))
    }

    fn place_of(&self, precedence: &Precedence) -> String {
        format!("{}:{}", self.definition.file.name, precedence.line)
    }

    /// The layer at a path, and what it is called.
    fn layer(&self, path: &[String], node: &Node) -> Result<Option<(Value<'a>, String)>, Error> {
        let (mut value, name) = match self.find(path)? {
            Found::Nothing => return Ok(None),
            Found::Value(value, file) => {
                let file = &self.files.layers[file];
                if !value.is_map() {
                    return Err(file.error("a layer has to be a map", value.line()));
                }
                (value, file.name.clone())
            }
            Found::Folder(folder) => self.folder(&folder, path)?,
        };
        self.fill(&mut value, node)?;
        Ok(Some((value, name)))
    }

    fn fill(&self, value: &mut Value<'a>, node: &Node) -> Result<(), Error> {
        let filled = self.supplied.fill(value, &node.name, &self.budget);
        filled.map_err(|why| {
            self.file(node).error(format!("too much is supplied: {why}"), 1).help("no node needs that much")
        })
    }

    fn folder(&self, folder: &FolderOf<'_>, path: &[String]) -> Result<(Value<'a>, String), Error> {
        self.count(self.size_of(folder))?;
        Ok((self.map_of(folder)?, format!("{}/", path.join("/"))))
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
                Some(name) if name.contains(super::definition::SEPARATORS) => {
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
