//! The files of a repository, as the tree that paths are walked in: stores, folders, files, and the keys in these.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::definition::{Definition, Store};
use super::lookup::{child, single, without_twins};
use super::supplied::Supplied;
use crate::layers::values::{Layer, Read, Value};
use crate::text::budget::Budget;
use crate::text::error::{Error, near, visible};
use crate::yaml::reference::Duplicates;
use crate::yaml::tree::Line;

/// So many names are compared with one that is not there: it is not worth that a run takes long.
pub(super) const COMPARED: usize = 200;

/// What a file or a folder takes as the value of a key.
const OF_A_FILE: usize = 1 << 10;

/// The files below the stores.
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// Where each is.
    pub(crate) places: Vec<Place>,
    /// What each holds, in the same order.
    pub(crate) layers: Vec<Layer>,
}

/// Where a file is.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// The name of its store.
    pub(crate) store: String,
    /// The folders that it is in, from that of the store on.
    pub(crate) folders: Vec<String>,
    /// Without what it ends with.
    pub(crate) name: String,
    /// Whether it is YAML or JSON.
    pub(crate) is_readable: bool,
}

/// A file as a value.
#[derive(Debug, Clone)]
pub(super) struct Parsed<'a> {
    /// Nothing where it holds only comments.
    pub(super) value: Option<Value<'a>>,
    pub(super) below: Vec<Line<'a>>,
    warnings: Vec<String>,
}

/// A folder: what is in it by its name in small letters.
#[derive(Debug, Default)]
struct Folder {
    name: String,
    folders: BTreeMap<String, Folder>,
    /// Several where their names differ in what they end with.
    files: BTreeMap<String, Vec<usize>>,
}

/// What has a name in a folder.
#[derive(Debug, Clone, Copy)]
enum Entry<'f> {
    Folder(&'f Folder),
    File(usize),
}

/// A node: a file in the store of the nodes.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// What its file is called, without `.yml`.
    pub(crate) name: String,
    /// With the folders of the file before it, `/` between them.
    pub(crate) id: String,
    pub(super) file: usize,
    pub(super) folder: String,
}

/// What is found at the end of a path.
pub(super) enum Found<'r, 'a> {
    Nothing,
    /// A value with the file that it is in.
    Value(Value<'a>, usize),
    /// All that is in a folder.
    Folder(FolderOf<'r>),
}

/// A folder that was found.
pub(super) struct FolderOf<'r>(&'r Folder);

/// A repository with all of its files.
pub(crate) struct Repository<'a> {
    pub(super) definition: &'a Definition<'a>,
    pub(super) files: &'a Files,
    pub(super) supplied: Supplied<'a>,
    pub(super) budget: Budget,
    stores: Folder,
    parsed: Vec<OnceCell<Result<Parsed<'a>, Error>>>,
}

impl<'a> Repository<'a> {
    /// Puts the files into their folders.
    pub(crate) fn new(definition: &'a Definition<'a>, files: &'a Files) -> Self {
        let mut stores = Folder::default();
        for Store { name, .. } in definition.stores().unwrap_or_default() {
            stores.folder(name);
        }
        for (at, place) in files.places.iter().enumerate() {
            let folder = place.folders.iter().fold(stores.folder(&place.store), |folder, name| folder.folder(name));
            folder.files.entry(place.name.to_lowercase()).or_default().push(at);
        }
        let size = files.layers.iter().map(|layer| layer.text.len()).sum();
        let parsed = files.layers.iter().map(|_| OnceCell::new()).collect();
        Self { definition, files, supplied: Supplied::default(), budget: Budget::of(size), stores, parsed }
    }

    /// What may still be made of the files.
    pub(crate) fn into_budget(self) -> Budget {
        self.budget
    }

    /// Lets expressions have these values.
    pub(crate) fn supply(&mut self, supplied: Supplied<'a>) {
        self.supplied = supplied;
    }

    /// All nodes, in the order of their folders and names.
    ///
    /// # Errors
    /// A definition that does not say where they are, and a store without any.
    pub(crate) fn nodes(&self) -> Result<Vec<Node>, Error> {
        let store = self.definition.nodes()?;
        let is_node = |(_, place): &(usize, &Place)| place.store.eq_ignore_ascii_case(store) && place.is_readable;
        let node = |(file, place): (usize, &Place)| Node {
            name: place.name.clone(),
            id: place.folders.iter().chain([&place.name]).map(String::as_str).collect::<Vec<_>>().join("/"),
            file,
            folder: place.folders.last().cloned().unwrap_or_else(|| place.store.clone()),
        };
        let nodes: Vec<_> = self.files.places.iter().enumerate().filter(is_node).map(node).collect();
        if nodes.is_empty() {
            let line = self.definition.precedence.first().map_or(1, |first| first.line);
            let what = format!("there is no node: nothing is in the store `{}`", visible(store));
            let help = "the first path of the precedence names the store in which each node has a file";
            return Err(self.definition.file.error_about(what, line, store).help(help));
        }
        Ok(nodes)
    }

    /// The node with a name; where several have it, with its folders before it, as in `north/web01`.
    ///
    /// # Errors
    /// None or several; the nearest is named.
    pub(crate) fn node(&self, name: &str) -> Result<Node, Error> {
        let nodes = self.nodes()?;
        let is_it = |node: &&Node| node.name.eq_ignore_ascii_case(name) || node.id.eq_ignore_ascii_case(name);
        let found: Vec<_> = nodes.iter().filter(is_it).collect();
        let shown = visible(name);
        match found[..] {
            [node] => Ok(node.clone()),
            [] => {
                let known: Vec<_> = nodes.iter().map(|node| node.name.as_str()).collect();
                let help = near(name, &known).map_or_else(
                    || format!("there are {} nodes: --all shows them", known.len()),
                    |near| format!("did you mean `{}`?", visible(near)),
                );
                Err(Error::input(format!("there is no node `{shown}`")).help(help))
            }
            _ => {
                let all: Vec<_> = found.into_iter().map(|node| visible(&node.id)).collect();
                let what = format!("{} nodes are called `{shown}`", all.len());
                Err(Error::input(what).help(format!("name one with its folder: {}", all.join(", "))))
            }
        }
    }

    /// The file of a node.
    pub(crate) fn file(&self, node: &Node) -> &'a Layer {
        &self.files.layers[node.file]
    }

    /// A file as a value, which is read once.
    pub(super) fn parsed(&self, at: usize) -> Result<&Parsed<'a>, Error> {
        let layer = &self.files.layers[at];
        if !self.files.places[at].is_readable {
            let what = "this file is neither YAML nor JSON, and a layer needs it";
            return Err(Error::input(what).in_file(&layer.name).help("only YAML and JSON can be read here"));
        }
        self.parsed[at].get_or_init(|| self.parse(at)).as_ref().map_err(Clone::clone)
    }

    fn parse(&self, at: usize) -> Result<Parsed<'a>, Error> {
        let (layer, reading) = (&self.files.layers[at], self.definition.reading);
        let Read { documents, below, .. } = layer.read(at, Duplicates::Refused)?;
        let mut warnings = Vec::new();
        let value = single(documents, layer, reading, &mut warnings)?;
        let value = value.map(|value| without_twins(value, layer, reading, &mut warnings)).transpose()?;
        Ok(Parsed { value: value.filter(|value| !value.is_null()), below, warnings })
    }

    /// What is passed over in the definition and in the files that were read.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let read = self.parsed.iter().filter_map(|parsed| parsed.get()?.as_ref().ok());
        self.definition.warnings().iter().chain(read.flat_map(|parsed| &parsed.warnings)).cloned().collect()
    }

    /// What is at the end of a path: a folder, a file, or what a file has below a key.
    pub(super) fn find(&self, steps: &[String]) -> Result<Found<'_, 'a>, Error> {
        let mut folder = &self.stores;
        for (at, step) in steps.iter().enumerate() {
            match folder.entry(&step.to_lowercase(), self.files)? {
                None => return Ok(Found::Nothing),
                Some(Entry::Folder(inside)) => folder = inside,
                Some(Entry::File(file)) => {
                    let mut value = self.parsed(file)?.value.as_ref();
                    for step in &steps[at + 1..] {
                        value = value.and_then(|value| child(value, step)).filter(|value| !value.is_null());
                    }
                    return Ok(value.map_or(Found::Nothing, |value| Found::Value(value.clone(), file)));
                }
            }
        }
        Ok(Found::Folder(FolderOf(folder)))
    }

    /// What the last step of a path that leads to nothing may have been meant to be.
    pub(super) fn near(&self, steps: &[String]) -> Option<&str> {
        let (last, above) = steps.split_last()?;
        let folder = above.iter().try_fold(&self.stores, |folder, step| folder.folders.get(&step.to_lowercase()))?;
        if folder.files.len() + folder.folders.len() > COMPARED {
            return None;
        }
        let files = folder.files.values().flatten().map(|&at| &self.files.places[at].name);
        let names: Vec<_> =
            files.chain(folder.folders.values().map(|inside| &inside.name)).map(String::as_str).collect();
        near(last, &names)
    }

    /// All that is in a folder as one map: a key for each file and folder.
    pub(super) fn map_of(&self, folder: &FolderOf<'_>) -> Result<Value<'a>, Error> {
        self.map(folder.0)
    }

    fn map(&self, folder: &Folder) -> Result<Value<'a>, Error> {
        let mut map = Value::map();
        let keys: BTreeSet<_> = folder.folders.keys().chain(folder.files.keys()).collect();
        for key in keys {
            match folder.entry(key, self.files)? {
                Some(Entry::Folder(inside)) => map.push(self.map(inside)?.under(inside.name.clone())),
                Some(Entry::File(at)) => {
                    if let Some(value) = self.parsed(at)?.value.clone() {
                        map.push(value.under(self.files.places[at].name.clone()));
                    }
                }
                None => {}
            }
        }
        Ok(map)
    }

    /// What it takes to merge what is in a folder; it stops counting above `most`.
    pub(super) fn room_of(&self, folder: &FolderOf<'_>, most: usize) -> Result<usize, Error> {
        self.room(folder.0, most)
    }

    fn room(&self, folder: &Folder, most: usize) -> Result<usize, Error> {
        let mut room = OF_A_FILE;
        for &at in folder.files.values().flatten() {
            if room > most {
                return Ok(room);
            }
            let value = self.parsed(at)?.value.as_ref();
            room += OF_A_FILE + value.map_or(0, |value| value.size(most - room));
        }
        for inside in folder.folders.values() {
            room += self.room(inside, most.saturating_sub(room))?;
        }
        Ok(room)
    }

    /// How many bytes are in the files of a folder.
    pub(super) fn size_of(&self, folder: &FolderOf<'_>) -> usize {
        self.size(folder.0)
    }

    fn size(&self, folder: &Folder) -> usize {
        let files = folder.files.values().flatten().map(|&at| self.files.layers[at].text.len());
        files.sum::<usize>() + folder.folders.values().map(|inside| self.size(inside)).sum::<usize>()
    }
}

impl Folder {
    /// The folder with a name, which is made where there is none.
    fn folder(&mut self, name: &str) -> &mut Self {
        let folder = self.folders.entry(name.to_lowercase()).or_default();
        if folder.name.is_empty() {
            name.clone_into(&mut folder.name);
        }
        folder
    }

    /// What has a name, in small letters.
    ///
    /// # Errors
    /// Several have it.
    fn entry(&self, key: &str, files: &Files) -> Result<Option<Entry<'_>>, Error> {
        let named = self.files.get(key).map(Vec::as_slice).unwrap_or_default();
        match (self.folders.get(key), named) {
            (folder, []) => Ok(folder.map(Entry::Folder)),
            (None, &[file]) => Ok(Some(Entry::File(file))),
            (folder, [first, ..]) => {
                let other = if folder.is_some() { "folder" } else { "file" };
                let what = format!("another {other} beside this file has the same name to Datum");
                let help = "rename one of them: the case of a name, and what it ends with, do not matter";
                let name = files.layers.get(*first).map_or("", |file| &file.name);
                Err(Error::input(what).help(help).in_file(name))
            }
        }
    }
}
