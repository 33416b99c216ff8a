//! Document by document, what is needed first: actions, then substitutions, then the place of what is replaced.

use super::actions::Acting;
use super::known::Extent;
use super::order::{needs, order};
use super::problems::{Problems, Wrong};
use super::sharing::{self, Sharing};
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
    let sharing = Sharing::new(set.documents.len());
    let mut rendering = Rendering { options, problems, wrong, budget, sharing };
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
    sharing: Sharing,
}

impl Rendering<'_, '_> {
    /// Renders one document, what it needs being rendered.
    fn document(&mut self, set: &mut Set<'_>, at: usize) -> Result<(), Wrong> {
        let mut data = self.inherited(set, at);
        if !set.documents[at].substitutions.is_empty() {
            data = self.substituted(set, at, data);
        }
        let data = data?;
        if let Some(parent) = set.family.parents[at].filter(|_| set.documents[at].is_replacement) {
            set.data[parent] = Some(data.clone().unwrap_or_else(|| set.own(at)));
            self.sharing.also(at, parent);
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
        if self.sharing.has(parent) {
            sharing::part(&mut work);
        }
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
        set: &mut Set<'a>,
        at: usize,
        data: Result<Option<Value<'a>>, Wrong>,
    ) -> Result<Option<Value<'a>>, Wrong> {
        // The engine puts values into a map that it makes for nothing, and forgets it.
        let is_nothing = matches!(data, Ok(None)) && set.data_of(at).is_none_or(Value::is_null);
        let is_lost = is_nothing && self.options.reading.is_shipped();
        let mut data = data.map(|data| data.unwrap_or_else(|| set.own(at)));
        let mut done = Ok(());
        for (number, is_entered) in Substitution::entered(&set.documents[at].substitutions).into_iter().enumerate() {
            if is_lost {
                data = Ok(set.own(at));
            }
            if is_entered || self.options.reading.is_shipped() {
                self.lend(set, at, number);
            }
            let before = data.as_ref().ok().filter(|_| self.sharing.has(at)).cloned();
            done = done.and(self.substitute(set, (at, number), data.as_mut().ok()));
            if let (Some(before), Ok(data)) = (before, &mut data) {
                done = done.and(self.share(set, (at, number), &before, data));
            }
        }
        done.and(data).map(|data| (!is_lost).then_some(data))
    }

    /// What a substitution takes is shared from now on.
    fn lend(&mut self, set: &mut Set<'_>, at: usize, number: usize) {
        let Some(source) = set.family.source(&set.documents[at].substitutions[number]) else { return };
        if self.wrong[source] || source == at {
            return;
        }
        if set.data[source].is_none() && set.data_of(source).is_some_and(|data| !data.is_null()) {
            set.data[source] = Some(set.own(source));
        }
        let Set { documents, data, .. } = set;
        let substitution = &documents[at].substitutions[number];
        if let Some(value) = data[source].as_mut().and_then(|data| substitution.shared(data)) {
            self.sharing.lend(value, source, at);
        }
    }

    /// What a substitution wrote into shared collections is there in all that have them, or only told to be so in
    /// Deckhand.
    fn share<'a>(
        &mut self,
        set: &mut Set<'a>,
        (at, number): (usize, usize),
        before: &Value<'a>,
        data: &mut Value<'a>,
    ) -> Result<(), Wrong> {
        for changed in sharing::changed(before, data) {
            let others: Vec<_> = self.sharing.holders(&changed).into_iter().filter(|&other| other != at).collect();
            let place = set.documents[at].substitutions[number].place().clone();
            if self.options.reading.is_documented() {
                self.warn_of_sharing(set, at, &place, &others);
                return Ok(());
            }
            let put = self.sharing.now(data, &changed).and_then(|now| {
                let Some(now) = now else { return Ok(()) };
                sharing::put(data, &now, &self.budget)?;
                let mut all = others.iter().copied();
                all.try_for_each(|other| {
                    set.data[other].as_mut().map_or(Ok(()), |data| sharing::put(data, &now, &self.budget))
                })
            });
            if let Err(why) = put {
                let error = self.problems.at(&place, format!("{}: {why}", set.title(at)));
                let help = "the src of the substitution that wrote it can have `deepcopy: true`";
                return Err(self.problems.tell(&place, error.help(help)));
            }
        }
        Ok(())
    }

    fn warn_of_sharing(&mut self, set: &Set<'_>, at: usize, place: &Value<'_>, others: &[usize]) {
        let Some(&source) = others.first() else { return };
        let more = if others.len() > 1 { " and others that take this from it" } else { "" };
        let (title, source) = (set.title(at), set.title(source));
        let what = format!(
            "{title} substitutes below what it has from {source}: Deckhand itself changes {source}{more}, too, unless the \
             src of the substitution before has `deepcopy: true`"
        );
        self.problems.warn(place, &what);
    }

    fn substitute<'a>(
        &mut self,
        set: &Set<'a>,
        (at, number): (usize, usize),
        data: Option<&mut Value<'a>>,
    ) -> Result<(), Wrong> {
        let document = &set.documents[at];
        let substitution = &document.substitutions[number];
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
