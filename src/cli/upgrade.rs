//! `yamlift upgrade`: reads all that is named, asks the library, writes the result, and tells of it.
//!
//! What can fail comes before the file is replaced, and the report is ready by then: status 2 has to mean that nothing was
//! changed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::args;
use super::ask;
use super::common::ReportFormat;
use super::destination::Destination;
use super::doubts::{self, New};
use super::env;
use super::input::{is_stdin, name, read_within};
use super::merge_args::ConflictArg;
use super::output;
use super::remember::{Memory, Remembered};
use super::told::{Done, Told};
use super::upgrade_args::Upgrade as UpgradeArgs;
use crate::files::{self, FileOptions, Original};
use crate::report::{Change, Report, Size, fleet as fleet_data};
use crate::text::error::{Durability, Error};
use crate::upgrade::answers::Answer;
use crate::upgrade::markers::{self, Style, USUAL_SIZE};
use crate::upgrade::migration::suggested;
use crate::upgrade::options::{OnConflict, Options};
use crate::upgrade::{self, Upgrade, variables};

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
    let told = Told::of(args, run.done(args, &name), &run.options)?;
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
    /// The result with its conflicts marked, where that was asked for and there are any.
    marked: Option<String>,
}

impl Run {
    /// Reads all that is named, and upgrades.
    pub(super) fn of(args: &UpgradeArgs, config: &Path, update: &Path) -> Result<Self, Error> {
        let (job, mut options) = Job::read(args, config, update)?;
        let memory = args.remember.as_deref().map(|dir| job.memory(dir)).transpose()?;
        let missed = memory.as_ref().and_then(|memory| job.recall(memory, &mut options));
        if args.print_migration && options.base.is_none() {
            return Err(no_old_default(missed));
        }
        let mut upgrade = if args.ask { job.asked(args, &mut options)? } else { job.upgrade(&options)? };
        upgrade.report.warnings.extend(missed.map(|why| format!("{why}: upgraded without the old default")));
        upgrade.report.warnings.extend(env::unused(&args.merge.env, &job.defaults(&options)));
        job.doubt(update, &mut upgrade.report);
        let is_marked = args.merge.on_conflict == ConflictArg::Markers;
        let marked = if is_marked { job.marked(&mut upgrade, &options)? } else { None };
        let memory = memory.filter(|_| !args.only_looks() && job.to.is_none());
        Ok(Self { job, options, memory, upgrade, marked })
    }

    /// What is told of it, under this name.
    fn done<'u>(&'u self, args: &UpgradeArgs, name: &'u str) -> Done<'u> {
        let Self { job, options, upgrade, .. } = self;
        let base = options.base.as_ref().map_or("", |base| &base.text);
        let (before, defaults) = (job.text().unwrap_or_default(), [&*job.update.1, base]);
        let is_stdout = matches!(job.current, Current::Stdin(_)).then_some(Path::new("-"));
        let output = job.to.as_ref().map(Destination::path).or(is_stdout);
        let (status, written) = (status(job, upgrade), job.writes(args, upgrade));
        Done { name, upgrade, before, defaults, status, written, output }
    }

    /// Writes what is to be written; what is told of it, and what failed behind that.
    pub(super) fn carried_out(mut self, args: &UpgradeArgs) -> Result<FileDone, Error> {
        let memory = self.memory.take();
        let name = self.job.name();
        let told = Told::of(args, self.done(args, &name), &self.options)?;
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

/// The two files of an upgrade as they were read, and where the result goes.
struct Job {
    config: PathBuf,
    current: Current,
    update: (String, String),
    /// The path of the new default.
    source: PathBuf,
    /// Where the result goes instead of to the config's place.
    to: Option<Destination>,
    how: FileOptions,
    /// What to say of a CONFIG that is not there.
    new: Option<New>,
}

enum Current {
    /// The file is to be replaced.
    Taken(Box<Original>),
    /// The file is only read.
    Read(String),
    /// There is no file yet.
    Missing,
    Stdin(String),
}

impl Current {
    fn of(args: &UpgradeArgs, config: &Path, how: &FileOptions) -> Result<Self, Error> {
        if is_stdin(config) {
            return read_within(Path::new("-"), how.max_size).map(Self::Stdin);
        }
        let current = if args.only_looks() || args.print_migration || args.out.output.is_some() {
            files::read_existing(config, how.max_size)?.map(Self::Read)
        } else if files::descriptor(config).is_some() {
            let what = "is what the shell has opened, which cannot be replaced";
            return Err(Error::input(what).in_file(&name(config)).help("write the result elsewhere: `-o FILE`"));
        } else {
            files::take(config, how)?.map(|original| Self::Taken(Box::new(original)))
        };
        Ok(current.unwrap_or(Self::Missing))
    }
}

impl Job {
    /// Reads all that is named. What somebody else may still be writing, such as a pipe, comes before the config, which is
    /// locked from then on.
    fn read(args: &UpgradeArgs, config: &Path, update: &Path) -> Result<(Self, Options), Error> {
        if is_stdin(config) && is_stdin(update) {
            return Err(Error::input("only one of CONFIG and DEFAULT can be standard input"));
        }
        if args.ask {
            ask::refuse_without_terminal()?;
        }
        let how = args.file.options();
        let to = destination(args, config)?;
        let text = read_within(update, how.max_size)?;
        let options = args.merge.options(how.max_size)?;
        let current = Current::of(args, config, &how)?;
        let others = [Some(update), args.merge.base.as_deref()].into_iter().flatten().collect::<Vec<_>>();
        let new = matches!(current, Current::Missing).then(|| New::of(config, &others));
        if let Some(new) = new.as_ref().filter(|_| args.must_exist) {
            return Err(new.refused(config));
        }
        let (config, source) = (config.to_owned(), update.to_owned());
        Ok((Self { config, current, update: (name(update), text), source, to, how, new }, options))
    }

    /// Tells what the names of the files make doubtful.
    fn doubt(&self, update: &Path, report: &mut Report) {
        let new = self.new.as_ref().map(|new| new.what.clone());
        let exchanged = if new.is_some() { None } else { doubts::exchanged(&self.config, update) };
        new.into_iter().chain(exchanged).for_each(|what| report.alarm(what));
    }

    /// Whether the report has warnings that are told also where nothing else is. An installation that was meant has none.
    fn is_doubtful(&self) -> bool {
        self.new.as_ref().is_none_or(|new| new.near.is_some())
    }

    fn name(&self) -> String {
        match self.current {
            Current::Stdin(_) => "standard input".to_owned(),
            Current::Taken(_) | Current::Read(_) | Current::Missing => self.config.display().to_string(),
        }
    }

    /// What the config holds now; nothing where there is none.
    fn text(&self) -> Option<&str> {
        match &self.current {
            Current::Taken(original) => Some(&original.text),
            Current::Read(text) | Current::Stdin(text) => Some(text),
            Current::Missing => None,
        }
    }

    /// The texts of the new default and of the old one, if there is one.
    fn defaults<'j>(&'j self, options: &'j Options) -> Vec<&'j str> {
        let base = options.base.as_ref().map(|base| base.text.as_str());
        [self.update.1.as_str()].into_iter().chain(base).collect()
    }

    fn upgrade(&self, options: &Options) -> Result<Upgrade, Error> {
        let update = (self.update.0.as_str(), self.update.1.as_str());
        match self.text() {
            Some(text) => upgrade::named((&self.name(), text), update, options),
            None => upgrade::install_named(&self.name(), update, options),
        }
    }

    /// The upgrade with its conflicts answered.
    fn asked(&self, args: &UpgradeArgs, options: &mut Options) -> Result<Upgrade, Error> {
        let upgrade = self.upgrade(&Options { on_conflict: OnConflict::User, ..options.clone() })?;
        let answers = self.ask(args, &upgrade, options)?;
        if answers.is_empty() && options.on_conflict == OnConflict::User {
            return Ok(upgrade);
        }
        options.answers.extend(answers);
        self.upgrade(options)
    }

    /// What is answered about the conflicts of an upgrade.
    fn ask(&self, args: &UpgradeArgs, upgrade: &Upgrade, options: &Options) -> Result<Vec<Answer>, Error> {
        let mut secrets = args.merge.secrets.secrets(options.migration.as_ref())?;
        secrets.learn_variables(&upgrade.report);
        let base = options.base.as_ref().map(|base| base.text.as_str());
        for text in [self.text(), Some(&upgrade.text), Some(&self.update.1), base].into_iter().flatten() {
            secrets.learn(text);
        }
        let update = variables::apply_known(&self.update.0, &self.update.1, &options.variables)?.text;
        ask::ask(args, &secrets.mask_report(&upgrade.report), (&self.update.0, &update), &options.answers)
    }

    fn memory(&self, dir: &Path) -> Result<Memory, Error> {
        match self.current {
            Current::Stdin(_) => Err(Error::input("--remember needs a CONFIG that is a file")),
            Current::Taken(_) | Current::Read(_) | Current::Missing => Memory::of(dir, &self.config, self.how.max_size),
        }
    }

    /// Takes what is remembered as the old default, unless one is given; why there is none where nothing is.
    fn recall(&self, memory: &Memory, options: &mut Options) -> Option<String> {
        let wanted = options.base.is_none() && !matches!(self.current, Current::Missing);
        match wanted.then(|| memory.recall())? {
            Ok(base) => options.base = Some(base),
            Err(missed) => return Some(missed),
        }
        None
    }

    /// Whether the result goes to standard output.
    fn to_stdout(&self) -> bool {
        match &self.to {
            Some(to) => matches!(to, Destination::Stdout),
            None => matches!(self.current, Current::Stdin(_)),
        }
    }

    /// Puts the result where it belongs; where the old file was kept.
    fn write(&self, upgrade: &Upgrade, text: &str) -> Result<Option<PathBuf>, Error> {
        match (&self.to, &self.current) {
            (Some(to), _) => to.put(text, &self.how),
            (None, Current::Stdin(_)) => Destination::Stdout.put(text, &self.how),
            (None, Current::Taken(original)) if upgrade.report.changed => files::replace(original, text, &self.how),
            (None, Current::Missing) => files::create(&self.config, text, &self.source, &self.how).map(|()| None),
            (None, _) => Ok(None),
        }
    }

    /// The result with its conflicts marked; nothing where there are none.
    fn marked(&self, upgrade: &mut Upgrade, options: &Options) -> Result<Option<String>, Error> {
        let update = variables::apply_known(&self.update.0, &self.update.1, &options.variables)?.text;
        let base = options.base.as_ref().map(|base| (base.name.as_str(), base.text.as_str()));
        let name = self.name();
        let marked =
            markers::marked(upgrade, Style { mine: &name, size: USUAL_SIZE }, base, (&self.update.0, &update))?;
        let Some(marked) = marked else { return Ok(None) };
        upgrade.report.result = Size::of(&name, &marked.text);
        upgrade.report.changed = true;
        let in_result = |change: &&mut Change| !change.kind.is_of_current() && !change.kind.is_of_update();
        for change in upgrade.report.changes.iter_mut().filter(in_result) {
            change.line = marked.line(change.line);
        }
        Ok(Some(marked.text))
    }

    /// Prints what is told: beside the result where that goes to standard output, and warnings alone with `-q`.
    fn print(&self, args: &UpgradeArgs, upgrade: &Upgrade, text: Result<Option<String>, Error>) -> Result<(), Error> {
        let Some(text) = text? else {
            let alarms = upgrade.report.alarms().iter().filter(|_| self.is_doubtful());
            alarms.for_each(|alarm| output::warning(alarm));
            return Ok(());
        };
        if self.to_stdout() && !args.only_looks() {
            output::print(&mut anstream::stderr(), &text)
        } else {
            output::print(&mut anstream::stdout(), &text)
        }
    }

    /// Whether a file is written.
    fn writes(&self, args: &UpgradeArgs, upgrade: &Upgrade) -> bool {
        let is_file = match (&self.to, &self.current) {
            (Some(to), _) => matches!(to, Destination::File(_)),
            (None, Current::Missing) => true,
            (None, _) => upgrade.report.changed,
        };
        is_file && !self.to_stdout() && !args.only_looks()
    }

    /// The file that is written, if one is.
    fn written(&self) -> &Path {
        if let Some(Destination::File(output)) = &self.to { output.path() } else { &self.config }
    }
}

/// Where the result goes that does not take the config's place.
fn destination(args: &UpgradeArgs, config: &Path) -> Result<Option<Destination>, Error> {
    if args.out.output.is_some() && args.file.in_place {
        return Err(Error::input("--in-place is for CONFIG, which -o leaves as it is").help("leave out one of the two"));
    }
    let inputs: Vec<_> = args.inputs().collect();
    args.out.destination(&inputs)?.map(|to| to.no_wider_than(&[config])).transpose()
}

fn status(job: &Job, upgrade: &Upgrade) -> &'static str {
    match (&job.current, upgrade.report.changed()) {
        (Current::Missing, _) => "installed",
        (_, true) => "changed",
        (_, false) => "unchanged",
    }
}
