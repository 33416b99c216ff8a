//! What each command does: reads its files, asks the library, writes and prints.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::args::{
    Args, Command, Explain, Format, Migration as MigrationCommand, MigrationCheck, Outline, Restore,
    Upgrade as UpgradeArgs,
};
use super::doubts::{self, New};
use super::layer;
use super::merge;
use super::output;
use super::remember::Memory;
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
        Command::Outline(args) => outline(&args).map_err(|error| hiding(error, &args.secrets)),
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
    let mut secrets = args.secrets.secrets(None)?;
    let text = read(&args.file)?;
    let told = crate::outline::outline_of(&args.file.display().to_string(), &text, &mut secrets)?;
    if !args.common.quiet {
        args.secrets.warn_of_unmatched([text.as_str()].into_iter());
    }
    output::print(&mut anstream::stdout(), &told)?;
    Ok(ExitCode::SUCCESS)
}

/// Tells where the value of a path would come from.
fn explain(args: &Explain) -> Result<ExitCode, Error> {
    let (config, update) = (args.config.display().to_string(), args.update.display().to_string());
    let (current, new) = (read(&args.config)?, read(&args.update)?);
    let options = args.merge.options(file::LIMIT)?;
    let told = explain::explain((&config, &current), (&update, &new), &options, &args.path)?;
    let mut secrets = args.merge.secrets.secrets(options.migration.as_ref())?;
    let base = options.base.as_ref().map(|base| &base.text);
    let texts: Vec<_> = [&current, &new].into_iter().chain(base).collect();
    for text in &texts {
        secrets.learn(text);
    }
    if !args.common.quiet {
        args.merge.secrets.warn_of_unmatched(texts.into_iter().map(String::as_str));
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
        output::print(&mut anstream::stdout(), &output::restored(&args.config, &restored))?;
    }
    Ok(ExitCode::SUCCESS)
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
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(max_size.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Error::input(format!("cannot read: {error}")).in_file("standard input"))?;
    Ok(bytes)
}

/// What may be no text: standard input for `-`, else the file.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    if path == Path::new("-") { read_stdin(file::LIMIT) } else { file::read_bytes(path, file::LIMIT) }
}

fn upgrade(args: &UpgradeArgs) -> Result<ExitCode, Error> {
    let [config, update] = match args.two_files() {
        Ok(files) => files,
        Err(error) => error.exit(),
    };
    let job = Job::read(args, &config, &update)?;
    let memory = args.remember.as_deref().map(|dir| job.memory(dir)).transpose()?;
    let mut options = args.merge.options(job.how.max_size)?;
    let missed = memory.as_ref().and_then(|memory| job.recall(memory, &mut options));
    let mut upgrade = job.upgrade(&options)?;
    upgrade.report.warnings.extend(missed);
    job.doubt(&update, &mut upgrade.report);
    if args.print_migration {
        output::print(&mut std::io::stdout(), &suggested::text(upgrade.report()))?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.check {
        return Ok(ExitCode::from(u8::from(upgrade.report.changed())));
    }
    let backup = if args.dry_run { None } else { job.write(args, &upgrade)? };
    if let Some(dir) = args.remember.as_deref().filter(|_| !args.dry_run && args.output.is_none()) {
        // Only now is there a configuration whose whole path is known in any case.
        job.memory(dir)?.keep(&job.update.1)?;
    }
    let mut secrets = args.merge.secrets.secrets(options.migration.as_ref())?;
    report(args, &job, &upgrade, &options, &mut secrets, backup.as_deref())?;
    Ok(ExitCode::SUCCESS)
}

/// The two files of an upgrade as they were read.
struct Job {
    config: PathBuf,
    current: Current,
    update: (String, String),
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
        if config == Path::new("-") {
            return read_within(config, how.max_size).map(Self::Stdin);
        }
        let current = if args.dry_run || args.check || args.print_migration || args.output.is_some() {
            file::read_existing(config, how.max_size)?.map(Self::Read)
        } else {
            file::take(config, how)?.map(|original| Self::Taken(Box::new(original)))
        };
        Ok(current.unwrap_or(Self::Missing))
    }
}

impl Job {
    fn read(args: &UpgradeArgs, config: &Path, update: &Path) -> Result<Self, Error> {
        let stdin = Path::new("-");
        if config == stdin && update == stdin {
            return Err(Error::input("only one of CONFIG and UPDATE can be standard input"));
        }
        let how = args.file.options();
        let current = Current::of(args, config, &how)?;
        let others = [Some(update), args.merge.base.as_deref()].into_iter().flatten().collect::<Vec<_>>();
        let new = matches!(current, Current::Missing).then(|| New::of(config, &others));
        if let Some(new) = new.as_ref().filter(|_| args.must_exist) {
            return Err(new.refused(config));
        }
        let update = (name(update), read_within(update, how.max_size)?);
        Ok(Self { config: config.to_owned(), current, update, how, new })
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
            Current::Taken(_) | Current::Read(_) | Current::Missing => Memory::of(dir, &self.config),
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
    fn to_stdout(&self, args: &UpgradeArgs) -> bool {
        match &args.output {
            Some(output) => output == Path::new("-"),
            None => matches!(self.current, Current::Stdin(_)),
        }
    }

    /// Puts the result where it belongs; where the old file was kept.
    fn write(&self, args: &UpgradeArgs, upgrade: &Upgrade) -> Result<Option<PathBuf>, Error> {
        match (&args.output, &self.current) {
            _ if self.to_stdout(args) => output::print(&mut std::io::stdout(), &upgrade.text).map(|()| None),
            (Some(output), _) => file::put(output, &upgrade.text, &self.how).map(|()| None),
            (None, Current::Taken(original)) if upgrade.report.changed => {
                file::replace(original, &upgrade.text, &self.how)
            }
            (None, Current::Missing) => file::create(&self.config, &upgrade.text, &self.how).map(|()| None),
            (None, _) => Ok(None),
        }
    }
}

fn report(
    args: &UpgradeArgs,
    job: &Job,
    upgrade: &Upgrade,
    options: &Options,
    secrets: &mut Secrets,
    backup: Option<&Path>,
) -> Result<(), Error> {
    if args.common.quiet {
        let alarms = upgrade.report.alarms().iter().filter(|_| job.is_doubtful());
        alarms.for_each(|alarm| output::warning(alarm));
        return Ok(());
    }
    secrets.learn_variables(&upgrade.report);
    let base = options.base.as_ref().map_or("", |base| &base.text);
    let [before, after, ..] =
        [job.text().unwrap_or_default(), &upgrade.text, &job.update.1, base].map(|text| secrets.mask_text(text));
    let wants_diff = args.dry_run || args.diff;
    let diff = wants_diff.then(|| secrets.mask_known(&output::diff(&job.name(), &before, &after)));
    let told = secrets.mask_report(&upgrade.report);
    let text = words(args, status(job, upgrade), &told, diff, backup)?;
    if job.to_stdout(args) && !args.dry_run {
        output::print(&mut anstream::stderr(), &text)
    } else {
        output::print(&mut anstream::stdout(), &text)
    }
}

/// The report in the form that was asked for, and the diff.
fn words(
    args: &UpgradeArgs,
    status: &'static str,
    report: &Report,
    diff: Option<String>,
    backup: Option<&Path>,
) -> Result<String, Error> {
    Ok(match args.format {
        Format::Json => output::Json {
            schema: 1,
            status,
            written: !args.dry_run && report.changed(),
            report,
            backup: backup.map(|path| path.display().to_string()),
            diff,
        }
        .text()?,
        Format::Text => {
            let diff = diff
                .filter(|diff| !diff.is_empty())
                .map_or_else(String::new, |diff| format!("\n{}", output::shown(&diff)));
            output::text(report, backup) + &diff
        }
    })
}

fn status(job: &Job, upgrade: &Upgrade) -> &'static str {
    match (&job.current, upgrade.report.changed()) {
        (Current::Missing, _) => "installed",
        (_, true) => "changed",
        (_, false) => "unchanged",
    }
}
