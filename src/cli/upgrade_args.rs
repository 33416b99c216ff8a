//! The arguments of `yamlift upgrade`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgGroup, ArgMatches, Args as ClapArgs, Command};

use super::common::{Common, DiffForm, ReportFormat, at_least_one};
use super::destination::OutputArgs;
use super::file_args::FileArgs;
use super::learner::Shows;
use super::merge_args::{ConflictArg, EVERYDAY, MergeArgs, OLD_DEFAULT};

/// The options that say how all that a manifest names is upgraded; they stand beside `--manifest`, and in no manifest.
pub(super) const OF_THE_RUN: [&str; 9] =
    ["manifest", "dry_run", "check", "diff", "format", "jobs", "quiet", "verbose", "color"];

#[derive(Debug, ClapArgs)]
#[command(group(ArgGroup::new(OLD_DEFAULT).args(["base", "remember"]).multiple(true)))]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent switch of the command line")]
pub(crate) struct Upgrade {
    /// The configuration to upgrade; `-` reads standard input
    pub(crate) config: Option<PathBuf>,
    /// The new default to upgrade it to; `-` reads standard input
    #[arg(value_name = "DEFAULT")]
    pub(crate) update: Option<PathBuf>,
    /// With --to: the other files
    #[arg(hide = true)]
    pub(crate) more: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) merge: MergeArgs,

    /// Show the report and a diff, and change nothing
    #[arg(long, help_heading = EVERYDAY, conflicts_with_all = ["check", "output"])]
    pub(crate) dry_run: bool,

    /// Show what differs
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "auto",
        help_heading = EVERYDAY
    )]
    pub(crate) diff: Option<DiffForm>,

    /// Ask about each conflict on the terminal: yours, the new default, another value, or later
    #[arg(
        long,
        requires = OLD_DEFAULT,
        help_heading = "How to merge",
        conflicts_with_all = ["to", "print_migration", "check", "quiet"]
    )]
    pub(crate) ask: bool,

    /// A file of --answers that is not there yet
    #[arg(skip)]
    pub(crate) new_answers: Option<PathBuf>,

    /// Upgrade many files to DEFAULT: all that are named, are below a directory, or fit a quoted pattern
    #[arg(
        long,
        value_name = "DEFAULT",
        help_heading = "Many files",
        conflicts_with_all = ["output", "print_migration"]
    )]
    pub(crate) to: Option<PathBuf>,

    /// Upgrade all that FILE names, each with its default and its options
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Many files",
        conflicts_with_all = ["config", "to", "ask", "output", "print_migration"]
    )]
    pub(crate) manifest: Option<PathBuf>,

    /// With --to and --manifest: so many files at once; as many as there are cores without it
    #[arg(long, value_name = "N", help_heading = "Many files", value_parser = at_least_one::<NonZeroUsize>)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Refuse a CONFIG that does not exist, instead of installing DEFAULT there
    #[arg(long, help_heading = "What to write")]
    pub(crate) must_exist: bool,

    /// Change nothing, print nothing but the --diff asked for, and exit with 1 if there is something to do
    #[arg(long, help_heading = EVERYDAY, conflicts_with = "output")]
    pub(crate) check: bool,

    /// Keep DEFAULT below DIR, where the next upgrade of CONFIG finds it as its old default
    #[arg(long, value_name = "DIR", help_heading = EVERYDAY)]
    pub(crate) remember: Option<PathBuf>,

    /// Print the moves that the release may have made as a migration file to review, and change nothing; needs the old
    /// default
    #[arg(long, requires = OLD_DEFAULT, help_heading = "What to write", conflicts_with_all = ["check", "dry_run", "output"])]
    pub(crate) print_migration: bool,

    #[command(flatten)]
    pub(crate) out: OutputArgs,

    /// Choose the form of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text, help_heading = "What to write")]
    pub(crate) format: ReportFormat,

    #[command(flatten)]
    pub(crate) file: FileArgs,

    #[command(flatten)]
    pub(crate) common: Common,
}

impl Upgrade {
    /// Whether nothing is written.
    pub(crate) fn only_looks(&self) -> bool {
        self.dry_run || self.check
    }

    /// What is told of the upgrade.
    pub(super) fn shows(&self) -> Shows {
        let is_one_file = self.to.is_none() && self.manifest.is_none();
        if self.common.quiet || self.print_migration || (self.check && self.diff.is_none() && is_one_file) {
            Shows::Nothing
        } else if self.diff_form().is_some() || self.format == ReportFormat::Html {
            Shows::Lines
        } else {
            Shows::Report
        }
    }

    /// Whether the list of changes is read: by people, or by what marks conflicts.
    pub(crate) fn needs_changes(&self) -> bool {
        self.shows() != Shows::Nothing || self.merge.on_conflict == ConflictArg::Markers
    }

    /// The same with what is shown, and whether anything is written, as other arguments say.
    pub(crate) fn shown_as(self, other: &Self) -> Self {
        let Common { quiet, verbose, color } = other.common;
        let common = Common { quiet, verbose, color };
        let Self { dry_run, check, diff, format, .. } = *other;
        Self { dry_run, diff, check, format, common, ..self }
    }

    /// Refuses what a manifest says for each file by itself, and what is for many files where one is upgraded.
    fn check_many(&self, matches: &ArgMatches) -> Result<(), String> {
        if self.jobs.is_some() && self.to.is_none() && self.manifest.is_none() {
            return Err("--jobs is for many files: give --to or --manifest as well".to_owned());
        }
        // Not clap's `requires`: that asks for nothing where an option is given that --to conflicts with.
        if !self.more.is_empty() && self.to.is_none() {
            let way_out = "name an old default with --base OLD_DEFAULT, and several configurations with --to DEFAULT";
            return Err(format!("CONFIG and DEFAULT are two files: {way_out}"));
        }
        if self.manifest.is_none() {
            return Ok(());
        }
        let is_given = |arg: &&Arg| matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
        let is_for_each = |arg: &&Arg| !OF_THE_RUN.contains(&arg.get_id().as_str());
        let command = Self::augment_args(Command::new("upgrade"));
        let given = command.get_arguments().filter(is_for_each).find(is_given).and_then(Arg::get_long);
        match given {
            Some(name) => Err(format!("--{name} belongs into the manifest, where each file has its own")),
            None => Ok(()),
        }
    }

    /// The form of the diff, where one is shown.
    pub(crate) fn diff_form(&self) -> Option<DiffForm> {
        let is_part_of_it = self.dry_run || matches!(self.format, ReportFormat::Markdown | ReportFormat::Html);
        self.diff.or(is_part_of_it.then_some(DiffForm::Auto)).filter(|form| *form != DiffForm::None)
    }

    /// The files that are upgraded with --to.
    pub(crate) fn many_files(&self) -> Vec<PathBuf> {
        self.config.iter().chain(&self.update).chain(&self.more).cloned().collect()
    }

    /// The file of answers, be it there or not.
    pub(crate) fn answers_file(&self) -> Option<&Path> {
        self.merge.answers.as_deref().or(self.new_answers.as_deref())
    }

    /// With --ask the file of answers may not be there yet: there is nothing to read in it, then.
    pub(crate) fn set_new_answers_aside(&mut self) {
        let is_new = |file: &PathBuf| !file.exists();
        if self.ask && self.merge.answers.as_ref().is_some_and(is_new) {
            self.new_answers = self.merge.answers.take();
        }
    }

    /// All files that are read, CONFIG first.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Path> {
        let merge = &self.merge;
        let named = [&self.config, &self.update, &merge.base, &merge.migration].into_iter().flatten();
        named.chain(&merge.delete_from).map(PathBuf::as_path).chain(merge.env.iter().map(Path::new))
    }

    /// CONFIG and DEFAULT.
    pub(crate) fn two_files(&self) -> Result<[PathBuf; 2], String> {
        match (&self.config, &self.update) {
            (Some(config), Some(update)) => Ok([config.clone(), update.clone()]),
            _ => Err("CONFIG and DEFAULT are needed".to_owned()),
        }
    }

    /// An option that takes several words swallows the files where it stands before them, as in `-d path CONFIG DEFAULT`:
    /// the last of them gives its last words back.
    pub(crate) fn give_back_files(&mut self, matches: &ArgMatches) -> Result<(), String> {
        self.check_many(matches)?;
        let last = |id: &str| matches.indices_of(id).and_then(Iterator::max);
        let merge = &mut self.merge;
        let words = if last("delete") > last("env") { &mut merge.delete } else { &mut merge.env };
        let missing = [Some(&mut self.update).filter(|_| self.to.is_none()), Some(&mut self.config)];
        for file in missing.into_iter().flatten() {
            if file.is_none() {
                *file = words.pop().map(PathBuf::from);
            }
        }
        for (option, words) in [("delete", &merge.delete), ("env", &merge.env)] {
            if words.is_empty() && matches.value_source(option).is_some() {
                return Err(format!("--{option} needs a word of its own besides CONFIG and DEFAULT"));
            }
        }
        Ok(())
    }
}
