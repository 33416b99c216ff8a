//! Document by document, what is needed first: actions, then substitutions, then the place of what is replaced.

use super::actions::Acting;
use super::documents::Document;
use super::known::Extent;
use super::order::{needs, order};
use super::problems::{Problems, Wrong};
use super::substitution::{Putting, Substitution};
use super::{Options, Set};
use crate::layers::values::Value;
use crate::text::budget::Budget;

/// Renders all documents of a set, and tells what is wrong with them. Returns of each whether it could not be rendered.
pub(super) fn render(set: &mut Set<'_>, options: &Options<'_>, problems: &mut Problems<'_>) -> Vec<bool> {
    let needs = needs(&set.documents, &set.family);
    let (order, round) = order(&set.documents, &needs, problems);
    let mut wrong = vec![false; set.documents.len()];
    set.family.wrong.iter().chain(&round).for_each(|&at| wrong[at] = true);
    let (files, all) = (set.files.len(), order.len());
    let budget = Budget::of(set.files.iter().map(|file| file.text.len()).sum());
    let mut rendering = Rendering { options, problems, wrong, budget };
    for (done, at) in order.into_iter().enumerate() {
        // Reading is one half, rendering the other.
        (options.progress)(files + files * done / all.max(1), files * 2);
        if set.family.firsts[at] == at && !set.documents[at].is_control && rendering.document(set, at).is_err() {
            rendering.wrong[at] = true;
            // What other children would inherit is not there.
            if let Some(parent) = set.family.parents[at].filter(|_| set.documents[at].is_replacement) {
                rendering.wrong[parent] = true;
            }
        }
    }
    rendering.wrong
}

struct Rendering<'r, 'l> {
    options: &'r Options<'r>,
    problems: &'r mut Problems<'l>,
    /// Which documents have something wrong, or need one that has.
    wrong: Vec<bool>,
    budget: Budget,
}

impl Rendering<'_, '_> {
    /// Renders one document, what it needs being rendered.
    fn document(&mut self, set: &mut Set<'_>, at: usize) -> Result<(), Wrong> {
        let document = &set.documents[at];
        let mut data = self.inherited(set, at);
        if !document.substitutions.is_empty() {
            data = self.substituted(set, at, data).map(Some);
        }
        let data = data?;
        if let Some(parent) = set.family.parents[at].filter(|_| document.is_replacement) {
            set.data[parent] = Some(data.clone().unwrap_or_else(|| set.own(at)));
        }
        set.data[at] = data;
        Ok(())
    }

    /// What the actions make of the data of the parent; nothing where there is none to inherit from.
    fn inherited<'a>(&mut self, set: &Set<'a>, at: usize) -> Result<Option<Value<'a>>, Wrong> {
        let document = &set.documents[at];
        match set.family.parents[at] {
            _ if self.wrong[at] => Err(Wrong),
            None => Ok(None),
            Some(parent) if document.actions.is_empty() => {
                let place = document.place(&["metadata", "layeringDefinition", "parentSelector"]);
                let parent = set.documents[parent].title();
                let what = format!("{} inherits nothing from {parent}: it has no actions", document.title());
                self.problems.warn(place, &what);
                Ok(None)
            }
            Some(parent) => self.acted(set, at, parent).map(Some),
        }
    }

    /// Lets the actions work. Where the parent is wrong, they are only looked at.
    fn acted<'a>(&mut self, set: &Set<'a>, at: usize, parent: usize) -> Result<Value<'a>, Wrong> {
        let (document, own) = (&set.documents[at], set.own(at));
        let mut work = set.filled(parent);
        let mut done = if self.wrong[parent] { Err(Wrong) } else { Ok(()) };
        for action in &document.actions {
            let parent_document = &set.documents[parent];
            let reading = self.options.reading;
            let acting = Acting { document, parent: parent_document, own: &own, reading, problems: &*self.problems };
            let acted = if self.wrong[parent] { acting.check(action) } else { acting.act(action, &mut work) };
            if let Err(error) = acted {
                done = Err(self.problems.tell(action, error.within(&document.title())));
            }
        }
        done.map(|()| work)
    }

    /// The data with all substitutions made. Where there are no data, the substitutions are only looked at.
    fn substituted<'a>(
        &mut self,
        set: &Set<'a>,
        at: usize,
        data: Result<Option<Value<'a>>, Wrong>,
    ) -> Result<Value<'a>, Wrong> {
        let mut data = data.map(|data| data.unwrap_or_else(|| set.own(at)));
        let mut done = Ok(());
        for substitution in &set.documents[at].substitutions {
            done = done.and(self.substitute(set, &set.documents[at], substitution, data.as_mut().ok()));
        }
        done.and(data)
    }

    fn substitute<'a>(
        &mut self,
        set: &Set<'a>,
        document: &Document<'a>,
        substitution: &Substitution<'a>,
        data: Option<&mut Value<'a>>,
    ) -> Result<(), Wrong> {
        let (reading, problems, budget) = (self.options.reading, &*self.problems, &self.budget);
        let putting = Putting { document, reading, problems, budget };
        let done = match set.family.source(substitution) {
            Some(source) if self.wrong[source] => return Err(Wrong),
            Some(source) => putting.substitute(substitution, set.data_of(source), data),
            // It may be in a file that could not be read.
            None if set.family.extent == Extent::Part => return Err(Wrong),
            None if set.family.is_abstract(substitution) => Err(substitution.is_from_abstract(document, self.problems)),
            None => Err(substitution.missing(document, set.family.source_names(), self.problems)),
        };
        match done {
            Ok(warning) => {
                if let Some(warning) = warning {
                    self.problems.warn(substitution.place(), &warning);
                }
                Ok(())
            }
            Err(error) if self.options.allow_missing => {
                let what = format!("a substitution of {} is passed over: {}", document.title(), error.what());
                self.problems.warn(substitution.place(), &what);
                Ok(())
            }
            Err(error) => Err(self.problems.tell(substitution.place(), error.within(&document.title()))),
        }
    }
}
