//! What a report tells besides the changes: doubts about the choice of files, options that name nothing, variables without
//! a value.

use crate::report::Moved;
use crate::text::error::Error;
use crate::text::source::Source;
use crate::upgrade::only_yours::{self, OnlyYours};
use crate::upgrade::options::Options;
use crate::upgrade::rules::Rules;
use crate::upgrade::strangers::{self, Doubts, Keyed};
use crate::upgrade::three_way;
use crate::upgrade::unmatched;
use crate::yaml::check::Checked;
use crate::yaml::outline::Outline;
use crate::yaml::pattern::Pattern;

/// A file that was read: its text as it was given, the source that was read, and what both parsers understood.
#[derive(Clone, Copy)]
pub(super) struct File<'f, 'a> {
    pub(super) text: &'f str,
    pub(super) source: &'f Source<'a>,
    pub(super) outline: &'f Outline<'a>,
}

impl<'f, 'a> File<'f, 'a> {
    /// The old default that was asked for.
    pub(super) fn old(options: &'f Options, source: &'f Source<'a>, read: &'f Checked<'a>) -> Self {
        Self { text: options.base.as_ref().map_or("", |base| &base.text), source, outline: &read.outline }
    }

    fn keyed(self) -> Keyed<'f, 'a> {
        Keyed::of(self.text, self.source, self.outline)
    }
}

/// The files of an upgrade.
pub(super) struct Files<'f, 'a, 'b> {
    pub(super) current: File<'f, 'a>,
    pub(super) base: Option<File<'f, 'b>>,
    pub(super) update: File<'f, 'a>,
}

/// What is told of the files and options of an upgrade.
pub(super) struct Remarks {
    doubts: Doubts,
    unmatched: Vec<String>,
    hint: Option<String>,
    /// Keys that the new default does not know, where there is no old one to tell why.
    pub(super) only_yours: Vec<OnlyYours>,
}

impl Remarks {
    /// # Errors
    /// Refuses keys that no default knows, where that was asked for.
    pub(super) fn of(files: &Files<'_, '_, '_>, options: &Options, rules: &Rules) -> Result<Self, Error> {
        let Files { current, base, update } = files;
        let old = base.filter(|_| options.base.is_some()).map(File::keyed);
        let (mine, new) = (current.keyed(), update.keyed());
        let doubts = strangers::doubts(&mine, old.as_ref(), &new);
        let is_told = old.is_none() && doubts.are_none() && !options.skip_changes;
        let mut only_yours = Vec::new();
        if is_told || options.fail_on_unknown {
            let goes = options.delete.iter().filter_map(|path| Pattern::read(path).ok());
            let left_out: Vec<_> = goes.chain(rules.own.iter().cloned()).collect();
            let unknown = only_yours::find(&mine, old.as_ref(), &new, &left_out);
            if options.fail_on_unknown {
                only_yours::refuse(&unknown, &mine)?;
            }
            only_yours.extend(unknown.into_iter().filter(|_| is_told));
        }
        let known = [current.outline, update.outline].into_iter().chain(base.map(|base| base.outline));
        Ok(Self {
            doubts,
            unmatched: unmatched::of_options(options, &known.collect::<Vec<_>>()),
            hint: three_way::hint(current.outline, [base.map(|base| base.outline), Some(update.outline)], options),
            only_yours,
        })
    }

    /// The doubts, which come before all else.
    pub(super) fn alarms(&mut self, suggestions: &[Moved]) -> Vec<String> {
        std::mem::take(&mut self.doubts).told(suggestions)
    }

    /// All other warnings, those of the preparation among them.
    pub(super) fn warnings(self, prepared: Vec<String>) -> Vec<String> {
        [self.unmatched, prepared, Vec::from_iter(self.hint)].concat()
    }
}

/// Warnings about paths to delete that name nothing, as [`Deleted`](super::edit::Deleted) has them, and about variables
/// without a value.
pub(super) fn of_unknown(unknown_paths: &[String], unknown_variables: &[String]) -> Vec<String> {
    let paths = unknown_paths.iter().map(|path| format!("nothing to delete at {path}"));
    let variables = unknown_variables.iter().map(|name| format!("no value for the variable #{{{name}}}"));
    paths.chain(variables).collect()
}
