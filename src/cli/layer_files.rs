//! What `yamlift layer` reads: files and directories that are named, or what a site of a repository is made of.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use walkdir::DirEntry;

use super::beneath::Beneath;
use super::input::{name, read_layer, yaml_files_below};
use crate::layers::deckhand::site::{DEFINITION, Site, is_folder, there_are};
use crate::layers::values::Layer;
use crate::text::error::{Error, visible};

/// Files that were read, and what was left out.
#[derive(Default)]
pub(super) struct Input {
    pub(super) layers: Vec<Layer>,
    pub(super) warnings: Vec<String>,
}

/// All files that are named, and all below the directories, each directory sorted; of a site, those of its folders.
///
/// # Errors
/// All that cannot be read.
pub(super) fn read(paths: &[PathBuf], site: Option<&str>) -> Result<Input, Vec<Error>> {
    match site {
        Some(site) => read_site(paths, site).map_err(|error| vec![error]),
        None => read_all(paths).map(|layers| Input { layers, warnings: Vec::new() }),
    }
}

fn read_all(paths: &[PathBuf]) -> Result<Vec<Layer>, Vec<Error>> {
    let (mut layers, mut errors) = (Vec::new(), Vec::new());
    for path in paths {
        let files = if path.is_dir() { yaml_files_below(path) } else { Ok(vec![path.clone()]) };
        let files = files.unwrap_or_else(|error| {
            errors.push(error);
            Vec::new()
        });
        for file in files {
            match read_layer(&file) {
                Ok(layer) => layers.push(layer),
                Err(error) => errors.push(error),
            }
        }
    }
    if errors.is_empty() { Ok(layers) } else { Err(errors) }
}

/// The first directory has the definition of the site. Others are repositories that it takes from, too.
fn read_site(roots: &[PathBuf], site: &str) -> Result<Input, Error> {
    let Some(root) = roots.first() else { return Ok(Input::default()) };
    let definition = definition(root, site)?;
    let site = Site::read(&definition, site)?;
    let mut input = Input::default();
    refuse_unknown_type(roots, &site)?;
    for root in roots {
        let mut beneath = Beneath::new(root)?;
        for folder in site.folders(|folder| root.join(folder).is_dir()) {
            let folder = root.join(folder);
            for file in beneath.files(&folder, |entry| is_of_pegleg(&folder, entry))? {
                let path = file.path();
                if path.extension() == Some(OsStr::new("yaml")) {
                    input.layers.push(beneath.read(path)?);
                } else {
                    let what = "is left out: of a site only files whose names end with .yaml count";
                    input.warnings.push(format!("{} {what}", name(path)));
                }
            }
        }
    }
    input.warnings.extend(without_repositories(roots, &site, &definition));
    Ok(input)
}

/// Folders of tools have no documents.
fn is_of_pegleg(folder: &Path, entry: &DirEntry) -> bool {
    let mut steps = entry.path().strip_prefix(folder).into_iter().flatten();
    let is_yaml = entry.path().extension().is_some_and(|end| end == "yaml" || end == "yml");
    is_yaml && !steps.any(|step| step == "tools")
}

fn definition(root: &Path, site: &str) -> Result<Layer, Error> {
    let path = root.join("site").join(site).join(DEFINITION);
    if is_folder(site) && path.is_file() {
        return Beneath::new(root)?.read(&path);
    }
    let all = Beneath::folders(&root.join("site"))?;
    let known = names(all.into_iter().filter(|folder| folder.join(DEFINITION).is_file()));
    let error = Error::input(format!("there is no site `{}`", visible(site))).in_file(&name(root));
    Err(error.help(there_are(site, &known)))
}

fn names(folders: impl Iterator<Item = PathBuf>) -> Vec<String> {
    folders.filter_map(|folder| Some(folder.file_name()?.to_str()?.to_owned())).collect()
}

/// Where there are types at all, that of the site is one of them.
fn refuse_unknown_type(roots: &[PathBuf], site: &Site<'_>) -> Result<(), Error> {
    if roots.iter().any(|root| root.join(site.type_folder()).is_dir()) {
        return Ok(());
    }
    let mut known = Vec::new();
    for root in roots {
        known.extend(names(Beneath::folders(&root.join("type"))?.into_iter()));
    }
    if known.is_empty() { Ok(()) } else { Err(site.without_type(&known)) }
}

/// A site whose repositories are elsewhere lacks what they have.
fn without_repositories(roots: &[PathBuf], site: &Site<'_>, definition: &Layer) -> Option<String> {
    let has_global = roots.iter().any(|root| root.join("global").is_dir());
    let all: Vec<_> = site.repositories().iter().map(|name| format!("`{}`", visible(name))).collect();
    let what = format!(
        "{}: the site takes from other repositories ({}), and `global` is in none of the directories: name theirs, too",
        definition.name,
        all.join(", ")
    );
    (!has_global && !all.is_empty()).then_some(what)
}
