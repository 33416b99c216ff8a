//! The upgrade, from two texts to a third and a report.
//!
//! ```text
//! text ──prepare──▶ text ──read──▶ tree ──combine──▶ tree ──finish──▶ text, verified ──▶ report
//! ```
//!
//! * `read`, `combine` and `finish` are the stages; `remarks` tells what is strange about the files. [`on_read`](mod@on_read) is who looks
//!   at what is read.
//! * [`options`], [`migration`], [`rules`], [`variables`], [`answers`]: what is asked for. [`moves`] and [`edit`] prepare the current file.
//! * [`three_way`] plans what the old default decides; [`matching`] pairs items, [`documents`] documents.
//! * [`merge`](mod@merge) lays the nodes out, [`commented_out`] options among them; [`anchors`] keep their meaning.
//! * [`verify`] holds the result against both files; [`changes`] tells what was done, [`explain`] why
//!   ([`lookup`], for a program), and [`differences`] what any two files mean differently. [`prune`] leaves what differs from a default.
//!   [`markers`] shows both values of a conflict.
//!
//! Promised: no value is lost or made anew, and a result that cannot be verified is none.
//!
//! Left out: everything here is pure, no file is read or written, nothing is printed. Layers of other systems go another
//! way ([`layers`](crate::layers)).

pub(crate) mod anchors;
pub(crate) mod answers;
pub(crate) mod changes;
mod combine;
pub(crate) mod commented_out;
pub(crate) mod differences;
pub(crate) mod documents;
pub(crate) mod edit;
pub(crate) mod explain;
mod finish;
mod gain;
mod install;
pub(crate) mod lookup;
pub(crate) mod markers;
pub(crate) mod matching;
pub(crate) mod merge;
pub(crate) mod migration;
pub(crate) mod moves;
pub(crate) mod on_read;
mod only_yours;
pub(crate) mod options;
pub(crate) mod prune;
mod read;
mod remarks;
pub(crate) mod rules;
mod strangers;
pub(crate) mod three_way;
pub(crate) mod unmatched;
pub(crate) mod variables;
pub(crate) mod verify;

use std::borrow::Cow;

use self::combine::Input;
use self::finish::Done;
pub use self::install::install;
pub(crate) use self::install::install_named;
use self::moves::Prepared;
use self::on_read::OnRead;
use self::options::Options;
use self::remarks::{File, Files, Remarks};
use self::rules::Rules;
use crate::report::note::Note;
use crate::report::{Applied, Report, Size};
use crate::text::error::Error;
use crate::text::named::NamedText;
use crate::text::source::{Ends, Source};
use crate::yaml::check;

/// An upgraded text and what was done to get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upgrade {
    pub(crate) text: String,
    pub(crate) report: Report,
}

impl Upgrade {
    /// The upgraded file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What was done.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}

/// Upgrades `current`, a user's configuration, to `update`, the new default: the user's values stay, new keys arrive
/// with their comments, and order, comments and indentation follow the update.
///
/// # Errors
/// Refuses what is not valid YAML, a bare scalar, an empty update, a path that is not well formed, and a result that
/// does not pass verification.
///
/// ```
/// let current = "# old words\nport: 8080 # ours\n";
/// let update = "# new words\nport: 80\n# seconds\ntimeout: 5\n";
/// let upgrade = yamlift::upgrade(current, update, &yamlift::Options::default())?;
/// assert_eq!(upgrade.text(), "# new words\nport: 8080 # ours\n# seconds\ntimeout: 5\n");
/// # Ok::<(), yamlift::Error>(())
/// ```
pub fn upgrade<'t>(
    current: impl Into<NamedText<'t>>,
    update: impl Into<NamedText<'t>>,
    options: &Options,
) -> Result<Upgrade, Error> {
    named(current.into().or("current"), update.into().or("update"), options)
}

/// A file's name for errors and reports, and its text.
pub(crate) type Named<'a> = (&'a str, &'a str);

pub(crate) fn named(current: Named<'_>, update: Named<'_>, options: &Options) -> Result<Upgrade, Error> {
    watched(current, update, options, &mut ())
}

/// The same where somebody looks at each text that is read.
pub(crate) fn watched(
    current: Named<'_>,
    update: Named<'_>,
    options: &Options,
    on_read: &mut dyn OnRead,
) -> Result<Upgrade, Error> {
    upgraded([current, update], options, on_read).map_err(|error| error.hiding(&options.secret_names()))
}

fn upgraded([current, update]: [Named<'_>; 2], options: &Options, on_read: &mut dyn OnRead) -> Result<Upgrade, Error> {
    let applied = variables::apply(update.0, update.1, &options.variables)?;
    let new = Source::new(update.0, &applied.text)?;
    read::refuse_empty(&new)?;
    let rules = options.rules()?;
    let prepared = moves::prepared(current, &new, options)?;
    let original = Source::new(current.0, current.1)?;
    let moved = matches!(prepared.text, Cow::Owned(_)).then(|| Source::new(current.0, &prepared.text)).transpose()?;
    let source = moved.as_ref().unwrap_or(&original);
    let options = &prepared.options(options);
    let (mine, theirs) = read::both(source, &new, on_read)?;
    let twins = Twins { mine: mine.outline.has_twin_empty_keys, theirs: theirs.outline.has_twin_empty_keys };
    let old = read::old_default(options, &rules, &prepared, &new)?;
    let old_source = old.as_ref().map(|(name, old)| Source::new(name, &old.text)).transpose()?;
    let base = old_source.as_ref().map(|old| read::base((old, source), &mine, on_read)).transpose()?;
    let base = base.zip(old.as_ref()).map(|(base, (_, old))| old.lines.restored(base));
    let mine = prepared.lines.restored(mine);
    let mut remarks = Remarks::of(
        &Files {
            current: File { text: current.1, source, outline: &mine.outline },
            base: old_source.as_ref().zip(base.as_ref()).map(|(source, base)| File::old(options, source, base)),
            update: File { text: update.1, source: &new, outline: &theirs.outline },
        },
        options,
        &rules,
    )?;
    let is_new_default = current.1 == applied.text && prepared.changes.is_empty() && options.delete.is_empty();
    let (done, not_found) = if is_new_default {
        (Done::nothing(current.1), Vec::new())
    } else {
        let ends = Ends::of(source, old_source.as_ref().filter(|_| options.follows_base()), &new);
        let input = Input { source: &original, update_source: &new, mine, base: base.as_ref(), theirs, ends };
        let (done, not_found) = combined(input, (&prepared, &mut remarks, on_read), (options, &rules))?;
        (twins.judge(done, [&original, &new], current.1)?, not_found)
    };
    let unknown = remarks::of_unknown(&not_found, &applied.unknown);
    let told =
        Notices { unknown, remarks, warnings: prepared.warnings, notes: prepared.notes, variables: applied.used };
    Ok(told.upgrade(done, [current, update], options))
}

/// What the merged files come to, if that can be verified, and which paths that were to be deleted are in none of them.
fn combined(
    input: Input<'_, '_, '_>,
    (prepared, remarks, on_read): (&Prepared<'_>, &mut Remarks, &mut dyn OnRead),
    (options, rules): (&Options, &Rules),
) -> Result<(Result<Done, Error>, Vec<String>), Error> {
    let source = input.source;
    let mut merged = combine::combine(input, options, rules)?;
    merged.facts.notes.extend(prepared.changes.iter().map(Note::from));
    merged.facts.only_yours = std::mem::take(&mut remarks.only_yours);
    let not_found = std::mem::take(&mut merged.facts.deleted.unknown);
    Ok((merged.finish((source, &prepared.text), options, on_read), not_found))
}

/// Whether the files have maps with two empty keys, which programs read in different ways.
struct Twins {
    mine: bool,
    theirs: bool,
}

impl Twins {
    /// Such a file stays as it is, or is refused.
    fn judge(
        &self,
        done: Result<Done, Error>,
        [source, update]: [&Source<'_>; 2],
        current: &str,
    ) -> Result<Done, Error> {
        let changes_nothing = done.as_ref().is_ok_and(|done| done.text == current);
        if (self.mine || self.theirs) && !changes_nothing {
            return Err(check::twin_empty_keys(if self.mine { source } else { update }));
        }
        done
    }
}

/// What is told besides the changes.
struct Notices {
    unknown: Vec<String>,
    remarks: Remarks,
    warnings: Vec<String>,
    notes: Vec<String>,
    variables: Vec<(String, String)>,
}

impl Notices {
    fn upgrade(mut self, done: Done, [current, update]: [Named<'_>; 2], options: &Options) -> Upgrade {
        let Done { text, changes, suggestions } = done;
        let alarms = self.remarks.alarms(&suggestions);
        let report = Report {
            configuration: Some(Size::of(current.0, current.1)),
            update: Size::of(update.0, update.1),
            result: Size::of(current.0, &text),
            changed: text != current.1,
            changes,
            alarms: alarms.len(),
            warnings: [alarms, self.unknown, self.remarks.warnings(self.warnings)].concat(),
            notes: self.notes,
            suggestions,
            base: options.base.as_ref().map(|base| Size::of(&base.name, &base.text)),
            variables: self.variables.into_iter().map(|(name, value)| Applied { name, value }).collect(),
        };
        Upgrade { text, report }
    }
}
