//! `yamlift upgrade`: reads all that is named, asks the library, writes the result, and tells of it.
//!
//! What can fail comes before the file is replaced, and the report is ready by then: status 2 has to mean that nothing was
//! changed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::args;
use super::common::ReportFormat;
use super::destination::Destination;
use super::env;
use super::job::{Current, Job};
use super::learner::{Learned, Learner};
use super::merge_args::ConflictArg;
use super::output;
use super::remember::{Memory, Remembered};
use super::told::{Done, Told};
use super::upgrade_args::Upgrade as UpgradeArgs;
use crate::report::fleet as fleet_data;
use crate::text::error::{Durability, Error};
use crate::upgrade::Upgrade;
use crate::upgrade::answers::Answer;
use crate::upgrade::migration::suggested;
use crate::upgrade::options::Options;

/// Upgrades a configuration, or says what would become of it.
pub(super) fn upgrade(args: &UpgradeArgs) -> Result<ExitCode, Error> {
    let [config, update] = match args.two_files() {
        Ok(files) => files,
        Err(what) => return Ok(output::usage(&args::usage(&what))),
    };
    let mut run = Run::of(args, &config, &update)?;
    if args.print_migration {
        output::print(&mut std::io::stdout(), &suggested::text(run.upgrade.report()))?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.check && args.diff.is_none() {
        return Ok(ExitCode::from(u8::from(run.upgrade.report.changed())));
    }
    let memory = run.memory.take();
    let Run { job, upgrade, .. } = &run;
    let name = job.name();
    let told = Told::of(args, run.done(args, &name), &run.learned)?;
    let Carried { backup, unfinished } = carry_out(args, &run, &told, memory)?;
    let printed = job.print(args, upgrade, told.text(args, backup.as_deref()));
    let is_written = job.writes(args, upgrade);
    let printed = printed.map_err(|error| if is_written { output::unprinted(&error, job.written()) } else { error });
    first(unfinished.into_iter().chain(printed.err()))?;
    Ok(ExitCode::from(if run.marked.is_some() { 3 } else { u8::from(args.check && upgrade.report.changed()) }))
}

/// An upgrade in memory, before anything is written.
pub(super) struct Run {
    job: Job,
    options: Options,
    memory: Option<Memory>,
    pub(super) upgrade: Upgrade,
    learned: Learned,
    /// The result with its conflicts marked, where that was asked for and there are any.
    marked: Option<String>,
}

impl Run {
    /// Reads all that is named, and upgrades.
    pub(super) fn of(args: &UpgradeArgs, config: &Path, update: &Path) -> Result<Self, Error> {
        let (job, mut options) = Job::read(args, config, update)?;
        options.skip_changes = !args.needs_changes();
        let memory = args.remember.as_deref().map(|dir| job.memory(dir)).transpose()?;
        let missed = memory.as_ref().and_then(|memory| job.recall(memory, &mut options));
        if args.print_migration && options.base.is_none() {
            return Err(no_old_default(missed));
        }
        let (mut upgrade, learned, answers) = upgraded(args, &job, &options)?;
        options.answers.extend(answers);
        upgrade.report.warnings.extend(missed.map(|why| format!("{why}: upgraded without the old default")));
        upgrade.report.warnings.extend(env::unused(&args.merge.env, &job.defaults(&options)));
        job.doubt(update, &mut upgrade.report);
        let is_marked = args.merge.on_conflict == ConflictArg::Markers;
        let marked = if is_marked { job.marked(&mut upgrade, &options)? } else { None };
        let memory = memory.filter(|_| !args.only_looks() && job.to.is_none());
        Ok(Self { job, options, memory, upgrade, learned, marked })
    }

    /// What is told of it, under this name.
    fn done<'u>(&'u self, args: &UpgradeArgs, name: &'u str) -> Done<'u> {
        let Self { job, options, upgrade, .. } = self;
        let base = options.base.as_ref().map_or("", |base| &base.text);
        let (before, defaults) = (job.text().unwrap_or_default(), [&*job.update.1, base]);
        let is_stdout = matches!(job.current, Current::Stdin(_)).then_some(Path::new("-"));
        let output = job.to.as_ref().map(Destination::path).or(is_stdout);
        let (status, written) = (job.status(upgrade), job.writes(args, upgrade));
        Done { name, upgrade, before, defaults, status, written, output }
    }

    /// Writes what is to be written; what is told of it, and what failed behind that.
    pub(super) fn carried_out(mut self, args: &UpgradeArgs) -> Result<FileDone, Error> {
        let memory = self.memory.take();
        let name = self.job.name();
        let told = Told::of(args, self.done(args, &name), &self.learned)?;
        let Carried { backup, unfinished } = carry_out(args, &self, &told, memory)?;
        // A page shows all files at once.
        let is_page = args.format == ReportFormat::Html;
        let text = if is_page { None } else { told.text(args, backup.as_deref())? };
        Ok(FileDone {
            told: told.as_data(),
            text,
            unfinished,
            changed: self.upgrade.report.changed(),
            is_marked: self.marked.is_some(),
        })
    }
}

/// The upgrade, what is secret in its texts, and what was answered about its conflicts.
fn upgraded(args: &UpgradeArgs, job: &Job, options: &Options) -> Result<(Upgrade, Learned, Vec<Answer>), Error> {
    let base = options.base.as_ref().map_or("", |base| &base.text);
    let secrets = args.merge.secrets.of_upgrade(options)?;
    let mut secrets = Learner::new(secrets, args.shows(), [job.text().unwrap_or_default(), &job.update.1, base]);
    let (upgrade, answers) = if args.ask {
        job.asked(args, options, &mut secrets)?
    } else {
        (job.upgrade(options, &mut secrets)?, Vec::new())
    };
    let learned = secrets.learned(&upgrade);
    Ok((upgrade, learned, answers))
}

/// The error where moves are to be suggested and the old default, which they are found by, is not remembered.
fn no_old_default(missed: Option<String>) -> Error {
    let why = missed.unwrap_or_else(|| "CONFIG does not exist, so that nothing has moved".to_owned());
    Error::input(why).help("--print-migration needs the default that CONFIG was made from: name it with --base")
}

/// What became of one of many files.
pub(super) struct FileDone {
    /// What is told of it as data.
    pub(super) told: fleet_data::Told,
    /// The same in the form that was asked for; nothing where nothing is told.
    pub(super) text: Option<String>,
    /// What failed when the file had its new content.
    pub(super) unfinished: Vec<Error>,
    pub(super) changed: bool,
    /// Whether conflicts are marked in the result.
    pub(super) is_marked: bool,
}

/// What became of an upgrade that was carried out.
struct Carried {
    /// Where the old content is kept.
    backup: Option<PathBuf>,
    /// What failed when the file had its new content.
    unfinished: Vec<Error>,
}

/// What can fail has failed by now, as far as it can be known: the rest is to write the file, and to remember its default.
fn carry_out(
    args: &UpgradeArgs,
    Run { job, upgrade, marked, .. }: &Run,
    told: &Told<'_>,
    memory: Option<Memory>,
) -> Result<Carried, Error> {
    let text = marked.as_ref().unwrap_or(&upgrade.text);
    let remembered = memory.map(|memory| memory.prepare(&job.update.1)).transpose()?;
    let put = if args.only_looks() { Ok(None) } else { job.write(upgrade, text).map_err(|error| told.masked(error)) };
    let is_sure = put.as_ref().map_or_else(is_surely_written, |_| true);
    let (backup, unfinished) = match put {
        Ok(backup) => (backup, None),
        Err(error) => (error.written().ok_or_else(|| error.clone())?.backup.clone(), Some(error)),
    };
    // A memory that is ahead of the configuration would hide from it what is new: it waits for the next run.
    let remembered = remembered.filter(|_| is_sure).map_or(Ok(()), Remembered::keep);
    Ok(Carried { backup, unfinished: unfinished.into_iter().chain(remembered.err()).collect() })
}

fn is_surely_written(error: &Error) -> bool {
    error.written().is_some_and(|written| written.durability == Durability::Sure)
}

/// The first error, the others being told.
fn first(mut errors: impl Iterator<Item = Error>) -> Result<(), Error> {
    let Some(first) = errors.next() else { return Ok(()) };
    errors.for_each(|error| output::error(&error));
    Err(first)
}
