//! What each command does: reads its files, asks the library, writes and prints.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::args::{
    Args, Command, Explain, Format, Migration as MigrationCommand, MigrationCheck, Outline, Restore,
    Upgrade as UpgradeArgs,
};
use super::destination::Destination;
use super::layer;
use super::merge;
use super::output;
use super::remember::{Memory, Remembered};
use super::secret_args::SecretArgs;
use crate::error::Error;
use crate::explain;
use crate::file::{self, FileOptions, Original};
use crate::migration::{Migration, suggested};
use crate::options::Options;
use crate::report::Report;
use crate::secrets::{self, Secrets};
use crate::upgrade::{self, Upgrade};
use crate::values::Layer;

/// Runs one command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Error> {
    match args.command {
        Command::Upgrade(args) => upgrade(&args).map_err(|error| hiding(error, &args.merge.secrets)),
        Command::Restore(args) => restore(&args),
        Command::Outline(args) => outline(&args),
        Command::Explain(args) => explain(&args).map_err(|error| hiding(error, &args.merge.secrets)),
        Command::Merge(args) => {
            merge::merge(&args).map(|()| ExitCode::SUCCESS).map_err(|error| hiding(error, &args.secrets))
        }
        Command::Layer(args) => layer::layer(&args).map_err(|error| hiding(error, &args.secrets)),
        Command::Migration(MigrationCommand::Check(args)) => check_migration(&args),
    }
}

/// A file may be refused before it is known to be YAML.
fn hiding(error: Error, args: &SecretArgs) -> Error {
    error.hiding(&secrets::names(&args.secret, None))
}

fn outline(args: &Outline) -> Result<ExitCode, Error> {
    let text = crate::outline::outline_of(&args.file.display().to_string(), &read(&args.file)?)?;
    output::print(&mut anstream::stdout(), &text)?;
    Ok(ExitCode::SUCCESS)
}

/// Tells where the value of a path would come from.
fn explain(args: &Explain) -> Result<ExitCode, Error> {
    let (config, update) = (args.config.display().to_string(), args.update.display().to_string());
    let (current, new) = (read(&args.config)?, read(&args.update)?);
    let options = args.merge.options(file::LIMIT)?;
    let told = explain::explain((&config, &current), (&update, &new), &options, &args.path)?;
    let mut secrets = args.merge.secrets.secrets(options.migration.as_ref())?;
    for text in [&current, &new] {
        // It is not shown, but what is secret in it is known then.
        let _ = secrets.mask_text(text);
    }
    output::print(&mut anstream::stdout(), &secrets.mask_explanation(told).to_string())?;
    Ok(ExitCode::SUCCESS)
}

/// Tells all that is wrong with a migration file.
fn check_migration(args: &MigrationCheck) -> Result<ExitCode, Error> {
    let named = |path: &Path| Ok::<_, Error>((path.display().to_string(), read(path)?));
    let migration = read_migration(&args.file)?;
    let (update, base) = (named(&args.update)?, args.base.as_deref().map(named).transpose()?);
    let base = base.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    let findings = migration.prove(args.from.as_deref(), base, (&update.0, &update.1))?;
    findings.iter().for_each(output::error);
    if !findings.is_empty() {
        return Ok(ExitCode::from(2));
    }
    if !args.common.quiet {
        let (file, against) = (args.file.display(), if base.is_some() { "both defaults" } else { "the new default" });
        output::print(&mut anstream::stdout(), &format!("{file}: nothing is wrong, held against {against}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn restore(args: &Restore) -> Result<ExitCode, Error> {
    let restored = file::restore(&args.config, args.backup.as_deref(), &args.file.options())?;
    if !args.common.quiet {
        let printed = output::print(&mut anstream::stdout(), &output::restored(&args.config, &restored));
        printed.map_err(|error| if restored.changed { unprinted(&error, &args.config) } else { error })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A report that cannot be printed, on a file that was written.
fn unprinted(error: &Error, file: &Path) -> Error {
    let what = format!("was written, but the report on that cannot be printed: {}", error.what());
    Error::input(what)
        .after_the_fact()
        .in_file(&file.display().to_string())
        .help("run again with `--dry-run` to see how it is now")
}

pub(super) fn read_migration(path: &Path) -> Result<Migration, Error> {
    Migration::read(&path.display().to_string(), &read(path)?)
}

/// A file as a layer.
pub(super) fn read_layer(path: &Path) -> Result<Layer, Error> {
    Ok(Layer { name: name(path), text: read(path)? })
}

/// What a file is called in messages.
pub(super) fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Whether that is what is typed or piped in, which can be read once.
pub(super) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-") || file::descriptor(path) == Some(0)
}

/// Standard input for `-`, else the file.
pub(super) fn read(path: &Path) -> Result<String, Error> {
    read_within(path, file::LIMIT)
}

/// The same with another limit of size.
pub(super) fn read_within(path: &Path, max_size: u64) -> Result<String, Error> {
    if path != Path::new("-") {
        return file::read(path, max_size);
    }
    file::decode("standard input", read_stdin(max_size)?, max_size)
}

fn read_stdin(max_size: u64) -> Result<Vec<u8>, Error> {
    let read = file::read_up_to(std::io::stdin().lock(), max_size);
    read.map_err(|error| error.in_file("standard input"))
}

/// What may be no text: standard input for `-`, else the file.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    if path == Path::new("-") { read_stdin(file::LIMIT) } else { file::read_bytes(path, file::LIMIT) }
}

fn upgrade(args: &UpgradeArgs) -> Result<ExitCode, Error> {
    let [config, update] = match args.two_files() {
        Ok(files) => files,
        Err(error) => return Ok(output::usage(&error)),
    };
    let (job, mut options) = Job::read(args, &config, &update)?;
    let memory = args.remember.as_deref().map(|dir| job.memory(dir)).transpose()?;
    let missed = memory.as_ref().and_then(|memory| job.recall(memory, &mut options));
    let mut upgrade = job.upgrade(&options)?;
    upgrade.report.warnings.extend(missed);
    if args.print_migration {
        output::print(&mut std::io::stdout(), &suggested::text(upgrade.report()))?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.check {
        return Ok(ExitCode::from(u8::from(upgrade.report.changed())));
    }
    let told = Told::of(args, &job, &upgrade, &options)?;
    let memory = memory.filter(|_| !args.dry_run && job.to.is_none());
    finish(args, &job, &told, memory)
}

/// What can fail has failed by now, as far as it can be known: the rest is to write the file, and to tell of it.
fn finish(args: &UpgradeArgs, job: &Job, told: &Told<'_>, memory: Option<Memory>) -> Result<ExitCode, Error> {
    let upgrade = told.upgrade;
    let remembered = memory.map(|memory| memory.prepare(&job.update.1)).transpose()?;
    let known = || told.secrets.for_errors([job.text().unwrap_or_default(), &upgrade.text, &job.update.1]);
    let backup = if args.dry_run { None } else { job.write(upgrade).map_err(|error| error.masking(&known()))? };
    let remembered = remembered.map_or(Ok(()), Remembered::keep);
    let printed = told.print(args, job, backup.as_deref());
    let is_written = job.writes(args, upgrade);
    let printed = printed.map_err(|error| if is_written { unprinted(&error, job.written()) } else { error });
    remembered.and(printed).map(|()| ExitCode::SUCCESS)
}

/// The two files of an upgrade as they were read, and where the result goes.
struct Job {
    config: PathBuf,
    current: Current,
    update: (String, String),
    /// Where the result goes instead of to the config's place.
    to: Option<Destination>,
    how: FileOptions,
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
        let current = if args.dry_run || args.check || args.print_migration || args.out.output.is_some() {
            file::read_existing(config, how.max_size)?.map(Self::Read)
        } else if file::descriptor(config).is_some() {
            let what = "is what the shell has opened, which cannot be replaced";
            return Err(Error::input(what).in_file(&name(config)).help("write the result elsewhere: `-o FILE`"));
        } else {
            file::take(config, how)?.map(|original| Self::Taken(Box::new(original)))
        };
        Ok(current.unwrap_or(Self::Missing))
    }
}

impl Job {
    /// Reads all that is named. What somebody else may still be writing, such as a pipe, comes before the config, which is
    /// locked from then on.
    fn read(args: &UpgradeArgs, config: &Path, update: &Path) -> Result<(Self, Options), Error> {
        if is_stdin(config) && is_stdin(update) {
            return Err(Error::input("only one of CONFIG and UPDATE can be standard input"));
        }
        let how = args.file.options();
        let to = destination(args, config, update)?;
        let update = (name(update), read_within(update, how.max_size)?);
        let options = args.merge.options(how.max_size)?;
        let current = Current::of(args, config, &how)?;
        Ok((Self { config: config.to_owned(), current, update, to, how }, options))
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

    fn upgrade(&self, options: &Options) -> Result<Upgrade, Error> {
        let update = (self.update.0.as_str(), self.update.1.as_str());
        match self.text() {
            Some(text) => upgrade::named((&self.name(), text), update, options),
            None => upgrade::install_named(&self.name(), update, options),
        }
    }

    fn memory(&self, dir: &Path) -> Result<Memory, Error> {
        match self.current {
            Current::Stdin(_) => Err(Error::input("--remember needs a CONFIG that is a file")),
            Current::Taken(_) | Current::Read(_) | Current::Missing => Memory::of(dir, &self.config, self.how.max_size),
        }
    }

    /// Takes what is remembered as the old default, unless one is given; words where nothing is.
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
    fn write(&self, upgrade: &Upgrade) -> Result<Option<PathBuf>, Error> {
        match (&self.to, &self.current) {
            (Some(to), _) => to.put(&upgrade.text, &self.how),
            (None, Current::Stdin(_)) => Destination::Stdout.put(&upgrade.text, &self.how),
            (None, Current::Taken(original)) if upgrade.report.changed => {
                file::replace(original, &upgrade.text, &self.how)
            }
            (None, Current::Missing) => file::create(&self.config, &upgrade.text, &self.how).map(|()| None),
            (None, _) => Ok(None),
        }
    }

    /// Whether a file is written.
    fn writes(&self, args: &UpgradeArgs, upgrade: &Upgrade) -> bool {
        let is_file = match (&self.to, &self.current) {
            (Some(to), _) => matches!(to, Destination::File(_)),
            (None, Current::Missing) => true,
            (None, _) => upgrade.report.changed,
        };
        is_file && !self.to_stdout() && !args.dry_run
    }

    /// The file that is written, if one is.
    fn written(&self) -> &Path {
        if let Some(Destination::File(output)) = &self.to { output.path() } else { &self.config }
    }
}

/// Where the result goes that does not take the config's place.
fn destination(args: &UpgradeArgs, config: &Path, update: &Path) -> Result<Option<Destination>, Error> {
    if args.out.output.is_some() && args.file.in_place {
        return Err(Error::input("--in-place is for CONFIG, which -o leaves as it is").help("leave out one of the two"));
    }
    let named = [&args.merge.base, &args.merge.migration].into_iter().flatten().chain(&args.merge.delete_from);
    let properties = args.merge.env.iter().map(Path::new);
    let inputs: Vec<_> = [config, update].into_iter().chain(named.map(PathBuf::as_path)).chain(properties).collect();
    args.out.destination(&inputs)?.map(|to| to.no_wider_than(&[config])).transpose()
}

/// An upgrade, the report on it without secrets, and what is secret.
struct Told<'u> {
    upgrade: &'u Upgrade,
    report: Report,
    diff: Option<String>,
    status: &'static str,
    secrets: Secrets,
}

impl<'u> Told<'u> {
    fn of(args: &UpgradeArgs, job: &Job, upgrade: &'u Upgrade, options: &Options) -> Result<Self, Error> {
        let mut secrets = args.merge.secrets.secrets(options.migration.as_ref())?;
        secrets.learn_variables(&upgrade.report);
        let base = options.base.as_ref().map_or("", |base| &base.text);
        let [before, after, ..] =
            [job.text().unwrap_or_default(), &upgrade.text, &job.update.1, base].map(|text| secrets.mask_text(text));
        let wants_diff = args.dry_run || args.diff;
        let diff = wants_diff.then(|| secrets.mask_words(&output::diff(&job.name(), &before, &after)));
        let report = secrets.mask_report(&upgrade.report);
        Ok(Self { upgrade, report, diff, status: status(job, upgrade), secrets })
    }

    fn print(&self, args: &UpgradeArgs, job: &Job, backup: Option<&Path>) -> Result<(), Error> {
        if args.common.quiet {
            return Ok(());
        }
        let text = self.words(args, backup)?;
        if job.to_stdout() && !args.dry_run {
            output::print(&mut anstream::stderr(), &text)
        } else {
            output::print(&mut anstream::stdout(), &text)
        }
    }

    /// The report in the form that was asked for, and the diff.
    fn words(&self, args: &UpgradeArgs, backup: Option<&Path>) -> Result<String, Error> {
        let Self { report, diff, status, .. } = self;
        Ok(match args.format {
            Format::Json => output::Json {
                schema: 1,
                status,
                written: !args.dry_run && report.changed(),
                report,
                backup: backup.map(|path| path.display().to_string()),
                diff: diff.clone(),
            }
            .text()?,
            Format::Text => {
                let diff = diff.as_ref().filter(|diff| !diff.is_empty());
                output::text(report, backup)
                    + &diff.map_or_else(String::new, |diff| format!("\n{}", output::shown(diff)))
            }
        })
    }
}

fn status(job: &Job, upgrade: &Upgrade) -> &'static str {
    match (&job.current, upgrade.report.changed()) {
        (Current::Missing, _) => "installed",
        (_, true) => "changed",
        (_, false) => "unchanged",
    }
}
