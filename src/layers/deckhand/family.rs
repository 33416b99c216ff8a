//! How the documents of a set belong together: parents, replacements, and where substitutions take their values from.

use std::collections::HashMap;

use super::documents::{self, Document};
use super::known::{Extent, Known};
use super::parents::Choice;
use super::policy::{self, Order};
use super::problems::Problems;
use super::substitution::Substitution;

/// Who belongs to whom; all by position.
#[derive(Debug, Default)]
pub(crate) struct Family {
    /// Of each document the first with its identity, which is the one that is rendered.
    pub(crate) firsts: Vec<usize>,
    pub(crate) parents: Vec<Option<usize>>,
    /// By which document one is replaced.
    pub(crate) replaced_by: Vec<Option<usize>>,
    /// The document that substitutions find by schema and name; nothing for one that is abstract.
    sources: HashMap<(String, String), Option<usize>>,
    pub(crate) extent: Extent,
    /// Those of which something is wrong already.
    pub(crate) wrong: Vec<usize>,
}

impl Family {
    /// Whether a document is part of the result.
    pub(crate) fn is_rendered(&self, documents: &[Document<'_>], at: usize) -> bool {
        self.firsts[at] == at && !documents[at].is_abstract && self.replaced_by[at].is_none()
    }

    pub(crate) fn source(&self, substitution: &Substitution<'_>) -> Option<usize> {
        self.sources.get(&substitution.source()).copied().flatten()
    }

    /// Whether a substitution would find a document, were it not abstract.
    pub(crate) fn is_abstract(&self, substitution: &Substitution<'_>) -> bool {
        self.sources.get(&substitution.source()) == Some(&None)
    }

    pub(crate) fn source_names(&self) -> impl Iterator<Item = (&str, &str)> + Clone {
        self.sources.keys().map(|(schema, name)| (schema.as_str(), name.as_str()))
    }
}

/// Finds out who belongs to whom.
pub(crate) fn family(known: Known<'_, '_>, problems: &mut Problems<'_>) -> Family {
    let documents = known.documents;
    let firsts = documents::firsts(documents, problems);
    let replaced_by = vec![None; documents.len()];
    let mut family = Family { firsts, replaced_by, extent: known.extent, ..Family::default() };
    if let Some(order) = policy::order(known, problems) {
        family.choose(known, &order, problems);
    } else {
        family.parents = vec![None; documents.len()];
        family.wrong = (0..documents.len()).filter(|&at| documents[at].layer.is_some()).collect();
    }
    family.replace(documents, problems);
    family.find_sources(known, problems);
    family
}

impl Family {
    fn choose(&mut self, known: Known<'_, '_>, order: &Order, problems: &mut Problems<'_>) {
        let documents = known.documents;
        let ranks = policy::ranks(documents, order, problems);
        let choice = Choice::new(known, &ranks, order, &self.firsts);
        (self.parents, self.wrong) = choice.parents(problems);
        let lost = (0..documents.len()).filter(|&at| documents[at].layer.is_some() && ranks[at].is_none());
        self.wrong.extend(lost);
    }

    /// Replacements, and what cannot be one.
    fn replace(&mut self, documents: &[Document<'_>], problems: &mut Problems<'_>) {
        let mut names: HashMap<(&str, &str), usize> = HashMap::new();
        let wrong: std::collections::HashSet<_> = self.wrong.iter().copied().collect();
        for (at, document) in documents.iter().enumerate() {
            if self.firsts[at] != at {
                continue;
            }
            let parent = self.parents[at];
            let same =
                |other: usize| (&documents[other].schema, &documents[other].name) == (&document.schema, &document.name);
            let what = match (document.is_replacement, parent) {
                (true, None) if wrong.contains(&at) => continue,
                (true, None) => Some("it has no parent that it could replace".to_owned()),
                (true, Some(parent)) if !same(parent) => {
                    Some(format!("its parent {} has another name", documents[parent].title()))
                }
                (true, Some(parent)) => {
                    self.replaced_by[parent] = Some(at);
                    None
                }
                (false, Some(parent)) if same(parent) => {
                    Some("its parent has the same schema and name, and it does not say that it replaces it".to_owned())
                }
                (false, _) if document.is_control => None,
                (false, _) => names.insert((&document.schema, &document.name), at).map(|other| {
                    let place = problems.place(documents[other].start());
                    format!("the one in {place} has the same schema and name, and none says that it replaces the other")
                }),
            };
            if let Some(what) = what {
                self.tell(documents, at, &what, problems);
            }
        }
    }

    fn tell(&mut self, documents: &[Document<'_>], at: usize, what: &str, problems: &mut Problems<'_>) {
        let document = &documents[at];
        let key = if document.is_replacement { "replacement" } else { "name" };
        let place = document.place(&["metadata", key]);
        let verb = if document.is_replacement { "cannot be a replacement" } else { "clashes" };
        let help = "a replacement has `replacement: true`, and the schema and name of its parent";
        let error = problems.at(place, format!("{} {verb}: {what}", document.title())).help(help);
        problems.tell(place, error);
        self.wrong.push(at);
    }

    /// Concrete documents only; what is replaced gives way to its replacement.
    fn find_sources(&mut self, known: Known<'_, '_>, problems: &mut Problems<'_>) {
        let documents = known.documents;
        for (at, document) in documents.iter().enumerate() {
            if self.firsts[at] != at {
                continue;
            }
            let source = self.replaced_by[at].unwrap_or(at);
            if source != at && document.is_replacement && !document.is_abstract {
                let what = format!("{} replaces it in turn", problems.place(documents[source].start()));
                self.tell(documents, at, &what, problems);
            }
            let name = (document.schema.clone(), document.name.clone());
            // The engine looks at what is replaced only.
            let deciding = if known.reading.is_shipped() { document } else { &documents[source] };
            if deciding.is_abstract {
                self.sources.entry(name).or_insert(None);
            } else {
                self.sources.insert(name, Some(source));
            }
        }
    }
}
