//! What is told of an upgrade: the report without secrets, and what differs in the form that was asked for.

use std::path::Path;

use super::common::{DiffForm, ReportFormat};
use super::learner::{Learned, Shows};
use super::output::{self, Masked};
use super::upgrade_args::Upgrade as UpgradeArgs;
use crate::report::explanation::ExplainedLine;
use crate::report::formats::html::Page;
use crate::report::line_diff::{Detail, Layout, LineDiff, Row, Side};
use crate::report::secrets::Secrets;
use crate::report::{Difference, Report, fleet, formats};
use crate::text::error::{Error, visible};
use crate::text::masking::MASK;
use crate::text::source::lines;
use crate::upgrade::Upgrade;
use crate::upgrade::differences::{self, Comparison};
use crate::upgrade::explain;

/// A diff of more lines than this is told by its values, unless its form was asked for.
const FEW_LINES: usize = 40;

/// An upgrade that is to be told, and the file that it is of.
#[derive(Clone, Copy)]
pub(super) struct Done<'u> {
    pub(super) name: &'u str,
    pub(super) upgrade: &'u Upgrade,
    /// What the file held before.
    pub(super) before: &'u str,
    /// The new default and the old one.
    pub(super) defaults: [&'u str; 2],
    /// `installed`, `changed` or `unchanged`.
    pub(super) status: &'static str,
    /// Whether a file is written.
    pub(super) written: bool,
    /// Where the result goes instead of to the file's place.
    pub(super) output: Option<&'u Path>,
}

impl<'u> Done<'u> {
    fn texts(self) -> [&'u str; 4] {
        let [update, base] = self.defaults;
        [self.before, &self.upgrade.text, update, base]
    }
}

/// An upgrade and what may be told of it.
pub(super) struct Told<'u> {
    done: Done<'u>,
    /// Nothing where nothing is told: to look for secrets takes time.
    shown: Option<Shown>,
    secrets: &'u Secrets,
}

/// A report without secrets, and what differs where that is told.
struct Shown {
    report: Report,
    diff: Option<Diff>,
    texts: Texts,
}

/// The result, and the old file beside it, line by line; where a page shows them.
#[derive(Default)]
struct Texts {
    lines: Vec<ExplainedLine>,
    rows: Vec<Row>,
}

/// What differs, without secrets.
struct Diff {
    form: DiffForm,
    differences: Vec<Difference>,
    layout: Layout,
    /// The changed lines as people see them.
    lines: String,
    /// A unified diff, for programs.
    unified: String,
}

impl<'u> Told<'u> {
    /// Masks all that is to be told.
    pub(super) fn of(args: &UpgradeArgs, done: Done<'u>, learned: &'u Learned) -> Result<Self, Error> {
        let is_told = learned.shows != Shows::Nothing;
        let shown = is_told.then(|| Shown::of(args, done, learned)).transpose()?;
        if args.common.verbose {
            tell_what_differs(done, &learned.secrets)?;
        }
        Ok(Self { done, shown, secrets: &learned.secrets })
    }

    /// An error that shows no secret of these files.
    pub(super) fn masked(&self, error: Error) -> Error {
        self.secrets.for_errors(self.done.texts()).mask_error(error)
    }

    /// What is told of it as data; what may be secret is left out where nothing is told.
    pub(super) fn as_data(&self) -> fleet::Told {
        let Some(shown) = &self.shown else {
            let mut report = self.done.upgrade.report.clone();
            report.changes.clear();
            return fleet::Told { status: self.done.status, report, differences: Vec::new() };
        };
        let (report, differences) = (shown.report.clone(), shown.differences().to_vec());
        fleet::Told { status: self.done.status, report, differences }
    }

    /// The report and the diff in the form that was asked for; nothing where nothing is told.
    pub(super) fn text(&self, args: &UpgradeArgs, backup: Option<&Path>) -> Result<Option<String>, Error> {
        let Some(shown) = &self.shown else { return Ok(None) };
        Ok(Some(match args.format {
            ReportFormat::Text => shown.words(backup) + &self.closing(args, shown),
            ReportFormat::Json => shown.json(self.done, backup)?,
            ReportFormat::Markdown => formats::markdown::report(&shown.report, shown.differences()),
            ReportFormat::Github => formats::github::report(&shown.report),
            ReportFormat::Sarif => output::json(&formats::sarif::report(&shown.report))?,
            ReportFormat::Html => formats::html::page(shown.page()),
        }))
    }

    /// The last lines: the report in numbers, and how to do what was not done.
    fn closing(&self, args: &UpgradeArgs, shown: &Shown) -> String {
        let counts = shown.report.closing().map(|line| line + "\n").unwrap_or_default();
        let layout = shown.diff.as_ref().filter(|_| !counts.is_empty()).map(|diff| diff.layout.to_string());
        let next = if args.only_looks() && shown.report.changed() { self.next(args, shown) } else { String::new() };
        let lines = [counts, layout.unwrap_or_default(), next].concat();
        if lines.is_empty() { lines } else { format!("\n{lines}") }
    }

    /// How to do what was only looked at.
    fn next(&self, args: &UpgradeArgs, shown: &Shown) -> String {
        let variables = shown.report.variables().iter();
        let hidden: Vec<_> = variables.filter(|applied| applied.value == MASK).map(|applied| &applied.name).collect();
        let shows_any = |command: &String| hidden.iter().any(|name| command.contains(&format!("{name}=")));
        match self.command().filter(|command| args.dry_run && !shows_any(command)) {
            Some(command) => format!("Nothing was written; to do it: {command}\n"),
            None => "Nothing was written.\n".to_owned(),
        }
    }

    /// The call without `--dry-run`, where it can be shown.
    fn command(&self) -> Option<String> {
        let words = std::env::args_os().skip(1).filter(|word| word != "--dry-run");
        let words = words.map(std::ffi::OsString::into_string).collect::<Result<Vec<_>, _>>().ok()?;
        let command = shlex::try_join(["yamlift"].into_iter().chain(words.iter().map(String::as_str))).ok()?;
        let may_be_shown = self.secrets.mask_words(&command) == command && visible(&command) == command;
        may_be_shown.then_some(command)
    }
}

impl Shown {
    fn of(args: &UpgradeArgs, done: Done<'_>, learned: &Learned) -> Result<Self, Error> {
        let Learned { secrets, lines, .. } = learned;
        let report = secrets.mask_report(&done.upgrade.report);
        let Some([before, after]) = lines else {
            return Ok(Self { report, diff: None, texts: Texts::default() });
        };
        let is_page = args.format == ReportFormat::Html;
        let mut rows = Vec::new();
        let diff = args.diff_form().map(|form| {
            let [old, new, ..] = done.texts();
            let compared = differences::compare((done.name, old), (done.name, new))?;
            let marked = Masked { texts: [old, new], masked: [before, after] }.after();
            if is_page {
                rows = beside(&compared.lines, [before, &marked], secrets);
            }
            Ok::<_, Error>(Diff::of(form, done, compared, ([before, &marked], secrets)))
        });
        let diff = diff.transpose()?;
        let lines = if is_page { explained(done, after, secrets)? } else { Vec::new() };
        Ok(Self { report, diff, texts: Texts { lines, rows } })
    }

    fn page(&self) -> Page<'_> {
        let Texts { lines, rows } = &self.texts;
        Page { report: &self.report, differences: self.differences(), lines, rows }
    }

    fn json(&self, done: Done<'_>, backup: Option<&Path>) -> Result<String, Error> {
        output::Json {
            schema: 1,
            status: done.status,
            written: done.written,
            output: done.output.map(|path| path.display().to_string()),
            summary: self.report.summary(),
            report: &self.report,
            backup: backup.map(|path| path.display().to_string()),
            differences: self.diff.as_ref().map(|_| self.differences()),
            layout: self.diff.as_ref().map(|diff| diff.layout),
            diff: self.diff.as_ref().map(|diff| &*diff.unified),
        }
        .text()
    }

    /// What differs, where that is told.
    fn differences(&self) -> &[Difference] {
        self.diff.as_ref().map_or(&[], |diff| &diff.differences)
    }

    /// What people read: changes of values in the place of the entries that would say the same, or else a diff.
    fn words(&self, backup: Option<&Path>) -> String {
        match &self.diff {
            Some(diff) if diff.form == DiffForm::Values && !diff.differences.is_empty() => {
                output::text(&self.report, Some(&diff.differences), backup)
            }
            Some(diff) if diff.form != DiffForm::Values && !diff.lines.is_empty() => {
                output::text(&self.report, None, backup) + "\n" + &output::shown(&diff.lines)
            }
            _ => output::text(&self.report, None, backup),
        }
    }
}

/// Tells on standard error where the result is not the new default, and why.
fn tell_what_differs(done: Done<'_>, secrets: &Secrets) -> Result<(), Error> {
    let ([update, _], report) = (done.defaults, &done.upgrade.report);
    let compared = differences::compare((&report.update.name, update), (done.name, &done.upgrade.text))?;
    let found = differences::with_reasons_of_result(compared.differences, report);
    output::tell(&output::section(
        &format!("From the new default to {}:", visible(done.name)),
        &secrets.mask_differences(found),
    ));
    Ok(())
}

/// The result with where each line comes from; its lines are those of the masked text.
fn explained(done: Done<'_>, masked: &str, secrets: &Secrets) -> Result<Vec<ExplainedLine>, Error> {
    let [update, _] = done.defaults;
    let update = (&*done.upgrade.report.update.name, update);
    let mut explained = explain::lines_of((done.name, done.before), update, done.upgrade)?;
    for (line, text) in explained.iter_mut().zip(lines(masked)) {
        line.text = secrets.mask_known(text);
    }
    Ok(explained)
}

/// The old text beside the new one, both masked.
fn beside(diff: &LineDiff, masked: [&str; 2], secrets: &Secrets) -> Vec<Row> {
    let mut rows = diff.side_by_side(masked);
    for Side { text, .. } in rows.iter_mut().flat_map(|row| row.old.iter_mut().chain(&mut row.new)) {
        *text = secrets.mask_known(text);
    }
    rows
}

impl Diff {
    fn of(form: DiffForm, done: Done<'_>, compared: Comparison, (texts, secrets): ([&str; 2], &Secrets)) -> Self {
        let Comparison { differences, lines } = compared;
        let differences = differences::with_reasons(differences, &done.upgrade.report);
        let form = match form {
            DiffForm::Auto if lines.shown() > FEW_LINES => DiffForm::Values,
            DiffForm::Auto => DiffForm::Lines,
            form => form,
        };
        let names = [done.name, &format!("{} (upgraded)", done.name)];
        let detail = if form == DiffForm::Words { Detail::Words } else { Detail::Lines };
        Self {
            form,
            differences: secrets.mask_differences(differences),
            layout: lines.layout,
            lines: secrets.mask_known(&lines.text(names, texts, detail)),
            unified: secrets.mask_known(&output::diff_between(names[0], names[1], texts[0], texts[1])),
        }
    }
}
