//! `site/NAME/site-definition.yaml`: which folders of a repository a site is made of, as pegleg has it.
//!
//! A site has what is below `global`, `type/TYPE` and `site/NAME`. Repositories of the older kind keep several revisions
//! beside each other; a definition with `revision: v1.0` then has `common` and `v1.0` of `global` and of its type only.

use super::documents::at;
use crate::layers::values::{Layer, Value};
use crate::text::error::{Error, near, visible};
use crate::yaml::reference::Duplicates;

/// The file of a site that names its type.
pub(crate) const DEFINITION: &str = "site-definition.yaml";

const SCHEMA: &str = "pegleg/SiteDefinition/";

/// What a definition has to look like.
const FORM: &str = "a site has `schema: pegleg/SiteDefinition/v1` and `data: {site_type: TYPE}`";

/// One folder's name, and the line where it stands.
#[derive(Debug)]
struct Name {
    text: String,
    line: usize,
}

/// A site of a repository.
#[derive(Debug)]
pub(crate) struct Site<'a> {
    file: &'a Layer,
    name: String,
    kind: Name,
    revision: Option<Name>,
    /// The repositories that it takes from besides its own.
    repositories: Vec<String>,
}

impl<'a> Site<'a> {
    /// Reads the definition of the site with this name.
    ///
    /// # Errors
    /// What is not valid YAML or no definition, and names that are not those of a folder.
    pub(crate) fn read(file: &'a Layer, name: &str) -> Result<Self, Error> {
        let documents = file.read(0, Duplicates::Refused)?.documents;
        let is_definition = |document: &&Value<'_>| {
            let schema = document.get("schema").and_then(Value::scalar);
            schema.is_some_and(|schema| schema.text.starts_with(SCHEMA))
        };
        let definition = documents.iter().find(is_definition);
        let definition = definition.ok_or_else(|| file.error("this is no definition of a site", 1).help(FORM))?;
        let missing = || file.error("this site has no type", definition.line().max(1)).help(FORM);
        let kind = folder(file, at(definition, &["data", "site_type"]))?.ok_or_else(missing)?;
        let global = at(definition, &["data", "repositories", "global", "revision"]);
        let revision = at(definition, &["data", "revision"]).or(global);
        let repositories = at(definition, &["data", "repositories"]).map_or(&[][..], Value::children);
        Ok(Self {
            file,
            name: name.to_owned(),
            kind,
            // A revision of git, such as `refs/changes/1`, is the name of no folder.
            revision: folder(file, revision).ok().flatten(),
            repositories: repositories.iter().map(|repository| repository.name().to_owned()).collect(),
        })
    }

    /// Its folders, the most general first, of a repository that has those that `has` says.
    pub(crate) fn folders(&self, has: impl Fn(&str) -> bool) -> Vec<String> {
        let general = ["global".to_owned(), self.type_folder()];
        let versioned = |revision: &Name| general.iter().any(|folder| has(&format!("{folder}/{}", revision.text)));
        let mut folders = match self.revision.as_ref().filter(|revision| versioned(revision)) {
            None => general.to_vec(),
            Some(Name { text, .. }) => {
                general.iter().flat_map(|folder| [format!("{folder}/common"), format!("{folder}/{text}")]).collect()
            }
        };
        folders.push(format!("site/{}", self.name));
        folders.retain(|folder| has(folder));
        folders
    }

    /// The folder of its type.
    pub(crate) fn type_folder(&self) -> String {
        format!("type/{}", self.kind.text)
    }

    /// Says that no repository has the folder of its type, but those of other types.
    pub(crate) fn without_type(&self, known: &[String]) -> Error {
        let Name { text, line } = &self.kind;
        let error = self.file.error_about(format!("there is no type `{}`", visible(text)), *line, text);
        error.help(there_are(text, known))
    }

    /// The repositories that it takes from besides its own, as the definition names them.
    pub(crate) fn repositories(&self) -> &[String] {
        &self.repositories
    }
}

/// Which name may have been meant, and which there are.
pub(crate) fn there_are(name: &str, known: &[String]) -> String {
    /// So many names are told.
    const TOLD: usize = 12;
    let words: Vec<_> = known.iter().map(String::as_str).collect();
    let names: Vec<_> = words.iter().take(TOLD).map(|name| visible(name)).collect();
    let more = if words.len() > TOLD { ", …" } else { "" };
    match near(name, &words) {
        _ if names.is_empty() => "name the directory that has `global`, `type` and `site`".to_owned(),
        None => format!("there are: {}{more}", names.join(", ")),
        Some(near) => format!("did you mean `{}`? There are: {}{more}", visible(near), names.join(", ")),
    }
}

/// Whether a word can be the name of one folder, and of none that is hidden or above.
pub(crate) fn is_folder(word: &str) -> bool {
    !word.is_empty() && !word.starts_with('.') && !word.contains(['/', '\\', ':', '\0'])
}

fn folder(file: &Layer, value: Option<&Value<'_>>) -> Result<Option<Name>, Error> {
    let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(None) };
    let text = value.scalar().map_or("", |scalar| &*scalar.text);
    if is_folder(text) {
        return Ok(Some(Name { text: text.to_owned(), line: value.line() }));
    }
    let what = format!("`{}` is not the name of one folder", visible(value.name()));
    Err(file.error_about(what, value.line(), value.name()).help("as in: site_type: large"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(data: &str, there: &[&str]) -> Vec<String> {
        let text = format!("schema: pegleg/SiteDefinition/v1\ndata: {data}\n");
        let file = Layer { name: "site-definition.yaml".to_owned(), text };
        Site::read(&file, "east").unwrap().folders(|folder| there.contains(&folder))
    }

    #[test]
    fn a_revision_counts_where_a_folder_has_its_name() {
        let there = ["global", "global/common", "global/v1.0", "type/large", "type/large/v1.0", "site/east"];
        assert_eq!(folders("{site_type: large}", &there), ["global", "type/large", "site/east"]);
        let versioned = ["global/common", "global/v1.0", "type/large/v1.0", "site/east"];
        assert_eq!(folders("{site_type: large, revision: v1.0}", &there), versioned);
        let repositories = "{site_type: large, repositories: {global: {revision: v1.0}}}";
        assert_eq!(folders(repositories, &there), versioned);
        for other in ["v2.0", "refs/changes/1"] {
            let data = format!("{{site_type: large, revision: {other}}}");
            assert_eq!(folders(&data, &there), ["global", "type/large", "site/east"]);
        }
    }

    #[test]
    fn a_type_is_the_name_of_one_folder() {
        for (site_type, is) in [("large", true), ("../large", false), ("..", false), ("a/b", false), ("''", false)] {
            let text = format!("schema: pegleg/SiteDefinition/v1\ndata: {{site_type: {site_type}}}\n");
            let file = Layer { name: "site-definition.yaml".to_owned(), text };
            assert_eq!(Site::read(&file, "east").is_ok(), is, "{site_type}");
        }
    }
}
