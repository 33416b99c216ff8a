//! Many files at once: `yamlift upgrade --to` and `--manifest`. Each is upgraded as if it were alone; one that cannot be does not stop the
//! others, and the exit status is the highest of all.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use foldhash::{HashMap, HashSet};

use super::bug;
use super::common::ReportFormat;
use super::input::{is_stdin, yaml_files_below};
use super::manifest;
use super::output;
use super::progress::Progress;
use super::upgrade::{FileDone, Run};
use super::upgrade_args::Upgrade as UpgradeArgs;
use crate::report::fleet::{Upgraded, table};
use crate::report::formats;
use crate::text::at_once;
use crate::text::error::{Error, ErrorKind, visible};

/// One file and what became of it.
pub(super) struct Ended {
    pub(super) upgraded: Upgraded,
    /// The document for this file in the form that was asked for.
    pub(super) text: Option<String>,
    /// What failed when the file had its new content.
    pub(super) unfinished: Vec<Error>,
    /// The exit status that it would have alone, but for errors.
    pub(super) status: u8,
}

/// Upgrades all files that are named to one default.
pub(super) fn upgrade(args: &UpgradeArgs, update: &Path) -> Result<ExitCode, Error> {
    let configs = found(&args.many_files(), update)?;
    refuse_shared_backups(configs.iter().map(|config| (args, config.as_path())))?;
    upgrade_all(args, &configs, |config| one(args, config, update))
}

/// Upgrades all files that a manifest names, each to its default.
pub(super) fn upgrade_listed(args: &UpgradeArgs, manifest: &Path) -> Result<ExitCode, Error> {
    let entries = manifest::entries(manifest, args)?;
    let mut files = Vec::new();
    for entry in &entries {
        let configs = found(&entry.args.many_files(), &entry.update)?;
        files.extend(configs.into_iter().map(|config| (entry, config)));
    }
    let mut seen = HashSet::default();
    let twice = files.iter().find(|(_, config)| !seen.insert(whole(config)));
    if let Some((_, config)) = twice {
        let error = Error::input("two entries name this file").in_file(&config.display().to_string());
        return Err(error.help("a file has one default: leave it to one of them"));
    }
    refuse_shared_backups(files.iter().map(|(entry, config)| (&entry.args, config.as_path())))?;
    upgrade_all(args, &files, |(entry, config)| one(&entry.args, config, &entry.update))
}

/// Backups are known by the name of their file: those of two files of one name cannot lie in one directory, or each would
/// be pruned and restored as the other's.
fn refuse_shared_backups<'f>(files: impl Iterator<Item = (&'f UpgradeArgs, &'f Path)>) -> Result<(), Error> {
    let mut seen = HashMap::default();
    for (args, config) in files {
        let Some(dir) = &args.file.backup_dir else { continue };
        if let Some(other) = seen.insert((dir, config.file_name()), config) {
            let [other, dir] = [other, dir].map(|path| visible(&path.display().to_string()));
            let what = format!("its backups in {dir} could not be told from those of {other}, which has the same name");
            let error = Error::input(what).in_file(&config.display().to_string());
            return Err(error.help("leave out --backup-dir: then each backup lies beside its file"));
        }
    }
    Ok(())
}

fn upgrade_all<T: Sync>(args: &UpgradeArgs, files: &[T], one: impl Fn(&T) -> Ended + Sync) -> Result<ExitCode, Error> {
    let ended = at_once(files, args.jobs, !args.common.quiet, one);
    tell_errors(&ended);
    if !args.common.quiet {
        let is_told = args.diff.is_some() || !matches!(args.format, ReportFormat::Text);
        tell(&ended, args.format, is_told)?;
    }
    Ok(status(&ended))
}

fn one(args: &UpgradeArgs, config: &Path, update: &Path) -> Ended {
    let name = config.display().to_string();
    let done = Run::of(args, config, update).and_then(|run| run.carried_out(args));
    let done = done.map_err(|error| args.merge.secrets.hide_in(error));
    match done {
        Ok(FileDone { told, text, unfinished, changed, is_marked }) => Ended {
            upgraded: Upgraded { name, outcome: Ok(told) },
            text,
            unfinished,
            status: if is_marked { 3 } else { u8::from(args.check && changed) },
        },
        Err(error) => Ended::refused(name, error),
    }
}

impl Ended {
    pub(super) fn refused(name: String, error: Error) -> Self {
        Self { upgraded: Upgraded { name, outcome: Err(error) }, text: None, unfinished: Vec::new(), status: 0 }
    }

    fn errors(&self) -> impl Iterator<Item = &Error> {
        self.upgraded.outcome.as_ref().err().into_iter().chain(&self.unfinished)
    }

    /// The exit status that it would have alone.
    fn status(&self) -> u8 {
        let of_error = |error: &Error| match error.kind() {
            ErrorKind::Input => 2,
            ErrorKind::Conflict => 3,
            ErrorKind::Verification => bug::STATUS,
            ErrorKind::Unfinished => 5,
        };
        self.errors().map(of_error).max().unwrap_or(self.status)
    }
}

/// The highest exit status.
pub(super) fn status(ended: &[Ended]) -> ExitCode {
    ExitCode::from(ended.iter().map(Ended::status).max().unwrap_or(0))
}

/// Does something with each file, so many at once, and keeps their order.
pub(super) fn at_once<T: Sync>(
    files: &[T],
    jobs: Option<NonZeroUsize>,
    is_shown: bool,
    one: impl Fn(&T) -> Ended + Sync,
) -> Vec<Ended> {
    let progress = Progress::new(is_shown);
    let ended = at_once::each(files, jobs, |_, file| {
        let ended = one(file);
        progress.advance(files.len());
        ended
    });
    progress.clear();
    ended
}

/// Tells on standard error what was refused.
pub(super) fn tell_errors(ended: &[Ended]) {
    for (ended, error) in ended.iter().flat_map(|ended| ended.errors().map(move |error| (ended, error))) {
        let whose = if error.file().is_some() { "" } else { &format!("{}: ", visible(&ended.upgraded.name)) };
        output::error_of(whose, error);
    }
}

/// Tells on standard output what became of all: a table, or a document for each.
pub(super) fn tell(ended: &[Ended], format: ReportFormat, is_each_told: bool) -> Result<(), Error> {
    let texts = ended.iter().filter_map(|ended| ended.text.as_deref()).filter(|_| is_each_told);
    let all: Vec<_> = ended.iter().map(|ended| &ended.upgraded).collect();
    let text = match format {
        ReportFormat::Html => formats::html::fleet(&all),
        ReportFormat::Text => texts.flat_map(|text| [text, "\n"]).chain([&*table(&all)]).collect(),
        ReportFormat::Json => ended.iter().map(line).collect::<Result<_, _>>()?,
        ReportFormat::Markdown | ReportFormat::Github => ended.iter().map(|ended| document(ended, format)).collect(),
        ReportFormat::Sarif => {
            let logs = ended.iter().map(|ended| match (&ended.upgraded.outcome, &ended.text) {
                (Err(error), _) => formats::sarif::error(error),
                (_, Some(text)) => serde_json::from_str(text).unwrap_or_default(),
                (Ok(_), None) => serde_json::Value::Null,
            });
            output::json(&formats::sarif::together(logs.collect()))?
        }
    };
    output::print(&mut anstream::stdout(), &text)
}

/// The document of one file, or of its error.
fn document(ended: &Ended, format: ReportFormat) -> String {
    match (&ended.upgraded.outcome, &ended.text) {
        (Err(error), _) if format == ReportFormat::Github => formats::github::error(error),
        (Err(error), _) => formats::markdown::error(error),
        (_, Some(text)) => format!("{text}\n"),
        (Ok(_), None) => String::new(),
    }
}

/// One file on a line of JSON, its name first.
fn line(ended: &Ended) -> Result<String, Error> {
    let document = match (&ended.upgraded.outcome, &ended.text) {
        (Err(error), _) => output::refused_data(&error.data()),
        (_, Some(text)) => serde_json::from_str(text).unwrap_or_default(),
        (Ok(_), None) => return Ok(String::new()),
    };
    let name = serde_json::json!({"file": ended.upgraded.name});
    let (serde_json::Value::Object(mut line), serde_json::Value::Object(document)) = (name, document) else {
        return Err(Error::input("cannot write JSON"));
    };
    line.extend(document);
    Ok(serde_json::Value::Object(line).to_string() + "\n")
}

/// The files that paths name: themselves, those below a directory, or those that fit a pattern; each once. The new default is
/// none of them.
///
/// # Errors
/// Standard input, a path that names nothing, and a directory that cannot be read.
pub(super) fn found(paths: &[PathBuf], update: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = paths.iter().map(|path| named(path)).collect::<Result<Vec<_>, _>>()?.concat();
    let mut seen = HashSet::default();
    let update = fs::canonicalize(update).ok();
    found.retain(|path| {
        let whole = whole(path);
        Some(&whole) != update.as_ref() && seen.insert(whole)
    });
    if found.is_empty() { Err(Error::input("no CONFIG is named, or none is found")) } else { Ok(found) }
}

/// The path by which a file is known, whatever it was called.
fn whole(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The files that one path names.
fn named(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let text = path.to_string_lossy();
    if is_stdin(path) {
        return Err(Error::input("standard input is one file: give CONFIG and DEFAULT without --to"));
    }
    if path.is_dir() {
        return yaml_files_below(path);
    }
    if text.ends_with(std::path::is_separator) {
        return Err(Error::input("there is no such directory")
            .in_file(&text)
            .help("check the path for a typing mistake"));
    }
    if path.exists() || !text.contains(['*', '?', '[']) {
        return Ok(vec![path.to_owned()]);
    }
    let fitting = glob::glob(&text).map_err(|error| Error::input(error.msg).in_file(&text))?;
    let files: Vec<_> = fitting.filter_map(Result::ok).filter(|path| path.is_file()).collect();
    if files.is_empty() {
        Err(Error::input("no file fits this pattern").help("look at the directory and the ending").in_file(&text))
    } else {
        Ok(files)
    }
}
