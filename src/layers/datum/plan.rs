//! Which layers a node has: the paths of the precedence are followed with the facts of the node in them.
//!
//! The same layers are the layers of many nodes, so a small repository may have configurations that no memory holds.
//! What they may come to is counted here, for all nodes that are asked for, before the first of them is merged.

use serde::Serialize;

use super::facts::{Facts, Filled};
use super::precedence::{Part, Precedence};
use super::repository::{FolderOf, Found, Node, Repository};
use crate::layers::values::Value;
use crate::text::error::{Error, visible};

/// What it takes to follow a path, besides its text.
const OF_A_PATH: usize = 200;
/// What a node and a layer of it take until they are merged.
const OF_A_LAYER: usize = 1 << 10;
/// How many copies of a text there are until it is written: its own, what is printed, and that while it grows.
pub(super) const COPIES: usize = 4;

/// What is asked of a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'k> {
    /// The path to look up; the whole configuration without one.
    pub(crate) key: Option<&'k str>,
    /// Whether it is to be known who supplied each value.
    pub(crate) with_suppliers: bool,
}

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

/// A node with the layers that it has, before they are merged.
pub(crate) struct Planned<'r, 'a> {
    pub(crate) node: Node,
    /// What its file holds.
    pub(super) own: Value<'a>,
    /// The most specific first.
    pub(super) sources: Vec<Source<'r, 'a>>,
    pub(super) tried: Vec<Tried>,
    pub(super) warnings: Vec<String>,
    /// How much was counted for what is made of the layers.
    pub(super) counted: usize,
    /// How much it takes to merge them.
    room: usize,
}

/// Where a layer comes from.
pub(super) enum Source<'r, 'a> {
    Value(Value<'a>),
    Folder(FolderOf<'r>),
}

impl<'a> Repository<'a> {
    /// Finds the layers of these nodes.
    ///
    /// # Errors
    /// What cannot be read; facts that are no names; more than the budget of a run has.
    pub(crate) fn plan(&self, nodes: Vec<Node>, asked: &Asked<'_>) -> Result<Vec<Planned<'_, 'a>>, Error> {
        let paths = &self.definition.precedence;
        let each: usize = paths.iter().map(|path| OF_A_PATH + path.text.len()).sum();
        self.budget.take(each.saturating_mul(nodes.len())).map_err(|_| {
            let (paths, nodes) = (paths.len(), nodes.len());
            let what = format!("{paths} paths at each of {nodes} nodes are more than files of this size may have");
            Error::input(what).in_file(&self.definition.file.name).help("--node NAME shows one node at a time")
        })?;
        nodes.into_iter().map(|node| self.planned(node, asked)).collect()
    }

    fn planned(&self, node: Node, asked: &Asked<'_>) -> Result<Planned<'_, 'a>, Error> {
        let parsed = self.parsed(node.file)?;
        let mut own = parsed.value.clone().unwrap_or_else(|| Value::map().document());
        if !own.is_map() {
            return Err(self.file(&node).error("the file of a node has to be a map", own.line()));
        }
        self.fill(&mut own, &node)?;
        let (sources, tried, warnings) = Default::default();
        let mut planned = Planned { node, own, sources, tried, warnings, counted: 0, room: 0 };
        for precedence in &self.definition.precedence {
            self.follow(&mut planned, precedence, asked)?;
        }
        let told = planned.warnings.iter().map(String::len).sum::<usize>();
        self.count(&planned.node, COPIES * told)?;
        Ok(planned)
    }

    /// Counts what is made of the files.
    pub(super) fn count(&self, node: &Node, bytes: usize) -> Result<(), Error> {
        self.budget.take(bytes).map_err(|_| self.too_much(node))
    }

    fn too_much(&self, node: &Node) -> Error {
        let what = "the configurations of these nodes are more than can be made of files of this size";
        let help = "--node NAME shows one node at a time, and --key PATH one lookup";
        Error::input(format!("with this node {what}")).in_file(&self.file(node).name).help(help)
    }

    /// Follows one path, and keeps the layer that is there.
    fn follow<'r>(
        &'r self,
        planned: &mut Planned<'r, 'a>,
        precedence: &Precedence,
        asked: &Asked<'_>,
    ) -> Result<(), Error> {
        let mut tried = Tried { precedence: precedence.text.clone(), path: None, found: None };
        let facts = Facts { repository: self, node: &planned.node, own: &planned.own };
        match facts.fill(precedence)? {
            Filled::Path(path) => {
                let shown = path.join("\\");
                self.count(&planned.node, planned.own.children().len() + COPIES * shown.len())?;
                tried.path = Some(shown);
                tried.found = self.layer(planned, &path, asked)?;
                if tried.found.is_none() {
                    planned.warnings.extend(self.slip(precedence, &path, &planned.node));
                }
            }
            Filled::Lacking(fact) => {
                let near = facts.near(&fact).map(|near| {
                    let (fact, near, name) = (visible(&fact), visible(&near), visible(&planned.node.name));
                    let place = self.place_of(precedence);
                    format!("{place}: the node `{name}` has no `{fact}`: did you mean `{near}`?")
                });
                planned.warnings.extend(near);
            }
        }
        planned.tried.push(tried);
        Ok(())
    }

    /// Keeps the layer at a path: what it is called.
    fn layer<'r>(
        &'r self,
        planned: &mut Planned<'r, 'a>,
        path: &[String],
        asked: &Asked<'_>,
    ) -> Result<Option<String>, Error> {
        let (source, name, size) = match self.find(path)? {
            Found::Nothing => return Ok(None),
            Found::Value(value, file) => {
                let file = &self.files.layers[file];
                if !value.is_map() {
                    return Err(file.error("a layer has to be a map", value.line()));
                }
                (Source::Value(value), file.name.clone(), file.text.len())
            }
            Found::Folder(folder) => {
                let size = self.size_of(&folder);
                (Source::Folder(folder), format!("{}/", path.join("/")), size)
            }
        };
        let size = if asked.key.is_some() { size } else { COPIES.saturating_mul(size) };
        self.count(&planned.node, OF_A_LAYER + size)?;
        planned.counted += size;
        self.make_room(planned, &source)?;
        planned.sources.push(source);
        Ok(Some(name))
    }

    /// Counts what it takes to merge a layer.
    fn make_room(&self, planned: &mut Planned<'_, 'a>, source: &Source<'_, 'a>) -> Result<(), Error> {
        let most = self.budget.most_for_a_while();
        planned.room += match source {
            Source::Value(value) => value.size(most),
            Source::Folder(folder) => self.room_of(folder, most)?,
        };
        self.budget.take_for_a_while(planned.room).map_err(|_| self.too_much(&planned.node))
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
}
