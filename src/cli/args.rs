//! The arguments as clap reads them.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{ArgGroup, ArgMatches, Args as ClapArgs, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use super::common::{Common, Format};
use super::destination::OutputArgs;
use super::file_args::FileArgs;
use super::layer::LayerArgs;
use super::merge::Merge;
use super::merge_args::{MergeArgs, OLD_DEFAULT};
use super::secret_args::SecretArgs;

const EXAMPLES: &str = "\
Examples:
  Upgrade a configuration to the default of the new release:
      yamlift upgrade /etc/app/config.yml /usr/share/app/default.yml
  See what would happen first:
      yamlift upgrade --dry-run config.yml default.yml
  Take the new default for one key, and drop a section:
      yamlift upgrade config.yml default.yml --delete server/timeout legacy
  Carry a value to where the new default has it, or do all that the release says about old keys:
      yamlift upgrade config.yml default.yml --move server/port=http/port
      yamlift upgrade config.yml default.yml --migration migration.yml --from 1.4
  Fill in `#{host}` of the new default:
      yamlift upgrade config.yml default.yml --env host=db1.example.org
  Let a program look at the result first, and keep five backups:
      yamlift upgrade config.yml default.yml --validate 'app --check-config %s' --keep-backups 5
  Bring back what was there before:
      yamlift restore /etc/app/config.yml
  Ask from a script whether there is anything to do (exit status 1 if so):
      yamlift upgrade --check config.yml default.yml

Exit status:
  0  done, or nothing to do
  1  --check, and the upgrade would change the file
  2  usage, input, or the system: nothing was changed
  3  conflicts that --on-conflict fail refuses: nothing was changed
  4  the result did not pass verification: nothing was changed, please report it
  5  the file was replaced, but what had to follow failed: the report cannot be printed, the new
     default cannot be remembered, or the disk does not say that all is on it";

/// Upgrades YAML configuration without losing a comment, a value or a byte
#[derive(Debug, Parser)]
#[command(name = "yamlift", version, about, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Args {
    /// Reads the arguments of the process.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        let matches = Self::command().try_get_matches().or_else(|error| match error.kind() {
            ErrorKind::DisplayHelp => Self::with_required_files().try_get_matches(),
            _ => Err(error),
        })?;
        let mut args = Self::from_arg_matches(&matches)?;
        if let (Command::Upgrade(upgrade), Some((_, matches))) = (&mut args.command, matches.subcommand()) {
            upgrade.give_back_files(matches)?;
        }
        Ok(args)
    }

    /// The commands as help shows them: `upgrade` needs CONFIG and UPDATE. When the arguments are read it may lack them, for
    /// an option may have swallowed them, which gives them back.
    fn with_required_files() -> clap::Command {
        Self::command().mut_subcommand("upgrade", |upgrade| {
            upgrade.mut_args(|arg| if arg.is_positional() { arg.required(true) } else { arg })
        })
    }

    pub(crate) fn common(&self) -> &Common {
        match &self.command {
            Command::Upgrade(upgrade) => &upgrade.common,
            Command::Restore(restore) => &restore.common,
            Command::Outline(outline) => &outline.common,
            Command::Explain(explain) => &explain.common,
            Command::Merge(merge) => &merge.common,
            Command::Layer(layer) => &layer.common,
            Command::Migration(Migration::Check(check)) => &check.common,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Bring a configuration up to a new default: your values stay, what is new comes in
    ///
    /// The values of CONFIG stay as they are written. Keys that only UPDATE has come in with their comments; order,
    /// comments and indentation follow UPDATE. The result is read by a second, independent parser and checked against
    /// both files before CONFIG is replaced; the old file is kept beside it. A CONFIG that does not exist is installed.
    #[command(override_usage = "yamlift upgrade [OPTIONS] <CONFIG> <UPDATE>", after_long_help = EXAMPLES)]
    Upgrade(Box<Upgrade>),
    /// Tell where the value of a path would come from, and why; nothing is written
    Explain(Box<Explain>),
    /// Merge layers by the rules of cloud-init, Heat or Datum, or by rules of your own, and keep the comments
    Merge(Box<Merge>),
    /// Render the documents of Deckhand, and keep the comments
    ///
    /// Each document inherits the data of its parent, changes them by its actions, and has values of other documents put
    /// in. All that is wrong is told, each with its place.
    Layer(Box<LayerArgs>),
    /// Work on migration files, which say what a release does to old keys
    #[command(subcommand)]
    Migration(Migration),
    /// Bring a configuration back as it was before: the newest backup, or the one named, takes its place
    ///
    /// What CONFIG holds now is kept as a backup first, so that a second restore undoes the first. Backups are looked for
    /// beside CONFIG, or in the directory that --backup-dir names. --list shows which there are, and --dry-run what would
    /// change.
    Restore(Box<Restore>),
    /// Print how a file is understood: every value with its line, as both parsers agree, and what is commented out
    ///
    /// A commented-out key or item is printed as `# NAME: commented out`, without its value, where it would stand if it
    /// were live. Prose is left out, and so are examples: keys that are live in the same map, or commented out there
    /// several times.
    Outline(Outline),
}

#[derive(Debug, ClapArgs)]
#[command(group(ArgGroup::new(OLD_DEFAULT).args(["base", "remember"]).multiple(true)))]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent switch of the command line")]
pub(crate) struct Upgrade {
    /// The configuration to upgrade; `-` reads standard input
    pub(crate) config: Option<PathBuf>,
    /// The new default to upgrade it to; `-` reads standard input
    pub(crate) update: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) merge: MergeArgs,

    /// Show the report and a diff, and change nothing
    #[arg(long, help_heading = "What to write", conflicts_with_all = ["check", "output"])]
    pub(crate) dry_run: bool,

    /// Show a diff of what was changed
    #[arg(long, help_heading = "What to write")]
    pub(crate) diff: bool,

    /// Refuse a CONFIG that does not exist, instead of installing UPDATE there
    #[arg(long, help_heading = "What to write")]
    pub(crate) must_exist: bool,

    /// Change nothing, print nothing, and exit with 1 if there is something to do
    #[arg(long, help_heading = "What to write", conflicts_with = "output")]
    pub(crate) check: bool,

    /// Keep UPDATE below DIR, where the next upgrade of CONFIG finds it as its old default
    #[arg(long, value_name = "DIR", help_heading = "What to write")]
    pub(crate) remember: Option<PathBuf>,

    /// Print the moves that the release may have made as a migration file to review, and change nothing; needs the old
    /// default
    #[arg(long, requires = OLD_DEFAULT, help_heading = "What to write", conflicts_with_all = ["check", "dry_run", "output"])]
    pub(crate) print_migration: bool,

    #[command(flatten)]
    pub(crate) out: OutputArgs,

    /// Choose the form of the report
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "What to write")]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) file: FileArgs,

    #[command(flatten)]
    pub(crate) common: Common,
}

impl Upgrade {
    /// CONFIG and UPDATE.
    pub(crate) fn two_files(&self) -> Result<[PathBuf; 2], clap::Error> {
        match (&self.config, &self.update) {
            (Some(config), Some(update)) => Ok([config.clone(), update.clone()]),
            _ => Err(usage("CONFIG and UPDATE are needed")),
        }
    }

    /// An option that takes several words swallows the files where it stands before them, as in `-d path CONFIG UPDATE`:
    /// the last of them gives its last words back.
    fn give_back_files(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let last = |id: &str| matches.indices_of(id).and_then(Iterator::max);
        let merge = &mut self.merge;
        let words = if last("delete") > last("env") { &mut merge.delete } else { &mut merge.env };
        for file in [&mut self.update, &mut self.config] {
            if file.is_none() {
                *file = words.pop().map(PathBuf::from);
            }
        }
        for (option, words) in [("delete", &merge.delete), ("env", &merge.env)] {
            if words.is_empty() && matches.value_source(option).is_some() {
                return Err(usage(&format!("--{option} needs a word of its own besides CONFIG and UPDATE")));
            }
        }
        Ok(())
    }
}

/// An error about how `upgrade` is called, with its usage.
fn usage(what: &str) -> clap::Error {
    let mut command = Args::command();
    command.build();
    let upgrade = command.find_subcommand_mut("upgrade");
    let kind = ErrorKind::MissingRequiredArgument;
    upgrade.map_or_else(|| Args::command().error(kind, what), |upgrade| upgrade.error(kind, what))
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Restore {
    /// The configuration to bring back
    pub(crate) config: PathBuf,
    /// The backup to bring back, by its path or by its name in --list; the newest where none is named
    pub(crate) backup: Option<PathBuf>,

    /// List the backups, the newest first, with how many lines of each differ from CONFIG; change nothing
    #[arg(long, help_heading = "What to write", conflicts_with_all = ["backup", "dry_run", "diff", "quiet"])]
    pub(crate) list: bool,

    /// Show what would be restored and a diff, and change nothing
    #[arg(long, help_heading = "What to write")]
    pub(crate) dry_run: bool,

    /// Show a diff of what was changed
    #[arg(long, help_heading = "What to write")]
    pub(crate) diff: bool,

    /// Choose the form in which it is told what was done, or which backups there are
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "What to write")]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) secrets: SecretArgs,
    #[command(flatten)]
    pub(crate) file: FileArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Outline {
    /// The file to read; `-` reads standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) secrets: SecretArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, ClapArgs)]
#[command(group(ArgGroup::new(OLD_DEFAULT).arg("base")))]
pub(crate) struct Explain {
    /// The configuration; `-` reads standard input
    pub(crate) config: PathBuf,
    /// The new default
    pub(crate) update: PathBuf,
    /// What to explain: server/ports[2], users[name=ann]/shell
    pub(crate) path: String,

    #[command(flatten)]
    pub(crate) merge: MergeArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Migration {
    /// Prove a migration file before it ships
    ///
    /// Looks for every path that FILE names where it has to be: old paths in OLD, new ones in UPDATE. With OLD, each step
    /// is tried on it, and keys of OLD that UPDATE has not must be named. All that is wrong is printed on standard error;
    /// the exit status is 2 then, else 0.
    Check(MigrationCheck),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MigrationCheck {
    /// The migration file
    pub(crate) file: PathBuf,
    /// The new default
    pub(crate) update: PathBuf,

    /// Try the steps on OLD, the default of the release before
    #[arg(long, value_name = "OLD")]
    pub(crate) base: Option<PathBuf>,

    /// Leave out the steps up to VERSION, the one that OLD is of
    #[arg(long, value_name = "VERSION")]
    pub(crate) from: Option<String>,

    #[command(flatten)]
    pub(crate) common: Common,
}
