//! The arguments as clap reads them.

use std::path::PathBuf;

use clap::{ArgMatches, Args as ClapArgs, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};

use crate::comments::Comments;
use crate::matching::Pairing;
use crate::options::OnConflict;

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
  Ask from a script whether there is anything to do (exit status 1 if so):
      yamlift upgrade --check config.yml default.yml

Exit status:
  0  done, or nothing to do
  1  --check, and the upgrade would change the file
  2  usage, input, or the system: nothing was changed
  3  conflicts that --on-conflict fail refuses: nothing was changed
  4  the result did not pass verification: nothing was changed, please report it";

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
        let matches = Self::command().try_get_matches()?;
        let mut args = Self::from_arg_matches(&matches)?;
        if let (Command::Upgrade(upgrade), Some((_, matches))) = (&mut args.command, matches.subcommand()) {
            upgrade.give_back_files(matches)?;
        }
        Ok(args)
    }

    pub(crate) fn common(&self) -> &Common {
        match &self.command {
            Command::Upgrade(upgrade) => &upgrade.common,
            Command::Outline(outline) => &outline.common,
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
    #[command(override_usage = "yamlift upgrade [OPTIONS] CONFIG UPDATE", after_long_help = EXAMPLES)]
    Upgrade(Box<Upgrade>),
    /// Work on migration files, which say what a release does to old keys
    #[command(subcommand)]
    Migration(Migration),
    /// Print how a file is understood: every value with its line, as both parsers agree
    Outline(Outline),
}

#[derive(Debug, ClapArgs)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent switch of the command line")]
pub(crate) struct Upgrade {
    /// The configuration to upgrade, and the new default to upgrade it to; `-` reads standard input
    #[arg(value_name = "CONFIG UPDATE", num_args = 0.., hide_possible_values = true)]
    pub(crate) files: Vec<PathBuf>,

    /// The default that CONFIG was made from: what you never touched follows UPDATE, what you removed stays away
    #[arg(long, value_name = "OLD_DEFAULT", help_heading = "What to upgrade")]
    pub(crate) base: Option<PathBuf>,

    /// Remove what stands at PATH first, so that the new default comes in there: server/ports[2], users[name=ann]
    #[arg(short, long, value_name = "PATH", num_args = 1.., help_heading = "What to upgrade")]
    pub(crate) delete: Vec<String>,

    /// The same for every line of FILE; blank lines and lines with # are left out
    #[arg(long, value_name = "FILE", help_heading = "What to upgrade")]
    pub(crate) delete_from: Vec<PathBuf>,

    /// Carry the value and comment at the path OLD to the path NEW first: server/port=http/port
    #[arg(long = "move", value_name = "OLD=NEW", value_parser = moved, help_heading = "What to upgrade")]
    pub(crate) moves: Vec<(String, String)>,

    /// Do what the migration file of the release says first: moves, deletions, new forms of values
    #[arg(long, value_name = "FILE", help_heading = "What to upgrade")]
    pub(crate) migration: Option<PathBuf>,

    /// The version that CONFIG is of: steps of the migration file up to this one are left out
    #[arg(long, value_name = "VERSION", requires = "migration", help_heading = "What to upgrade")]
    pub(crate) from: Option<String>,

    /// What #{NAME} in UPDATE stands for: NAME=VALUE, NAME (from the environment) or FILE.properties
    #[arg(short, long, value_name = "WORD", num_args = 1.., help_heading = "What to upgrade")]
    pub(crate) env: Vec<String>,

    /// Go on without a properties file or environment variable that is not there
    #[arg(short = 's', long, help_heading = "What to upgrade")]
    pub(crate) non_strict: bool,

    /// How items of object lists are found again
    #[arg(long, value_enum, default_value_t = PairingArg::Identity, help_heading = "How to merge")]
    pub(crate) pairing: PairingArg,

    /// The key that tells the items of the list at PATH apart
    #[arg(long, value_name = "PATH=NAME", value_parser = list_key, help_heading = "How to merge")]
    pub(crate) list_key: Vec<(String, String)>,

    /// Whose comments stay where both files have one
    #[arg(long, value_enum, default_value_t = CommentsArg::Update, help_heading = "How to merge")]
    pub(crate) comments: CommentsArg,

    /// What to do where both you and the release changed a value
    #[arg(long, value_enum, value_name = "SIDE", default_value_t = ConflictArg::User, help_heading = "How to merge")]
    pub(crate) on_conflict: ConflictArg,

    /// With --base: keep values that you never touched, though the release changed their default
    #[arg(long, requires = "base", help_heading = "How to merge")]
    pub(crate) keep_defaults: bool,

    /// With --base: keep values that you never touched, though the release dropped them
    #[arg(long, requires = "base", help_heading = "How to merge")]
    pub(crate) keep_obsolete: bool,

    /// With --base: bring in again what you removed
    #[arg(long, requires = "base", help_heading = "How to merge")]
    pub(crate) restore_deleted: bool,

    /// Bring in nothing new, and list it in the report
    #[arg(long, help_heading = "How to merge")]
    pub(crate) sparse: bool,

    /// Do not compare the result with both files
    #[arg(long, help_heading = "How to merge")]
    pub(crate) no_validate: bool,

    /// Show the report and a diff, and change nothing
    #[arg(long, help_heading = "What to write", conflicts_with_all = ["check", "output"])]
    pub(crate) dry_run: bool,

    /// Show a diff of what was changed
    #[arg(long, help_heading = "What to write")]
    pub(crate) diff: bool,

    /// Change nothing, print nothing, and exit with 1 if there is something to do
    #[arg(long, help_heading = "What to write", conflicts_with = "output")]
    pub(crate) check: bool,

    /// Write the result to FILE, or to standard output for `-`, and leave CONFIG as it is
    #[arg(short, long, value_name = "FILE", help_heading = "What to write")]
    pub(crate) output: Option<PathBuf>,

    /// Keep no copy of the old file
    #[arg(short = 'b', long, help_heading = "What to write", conflicts_with = "backup_dir")]
    pub(crate) no_backup: bool,

    /// Keep the old file in DIR instead of beside the new one
    #[arg(long, value_name = "DIR", help_heading = "What to write")]
    pub(crate) backup_dir: Option<PathBuf>,

    /// The form of the report
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "What to write")]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) common: Common,
}

impl Upgrade {
    /// CONFIG and UPDATE.
    pub(crate) fn two_files(&self) -> Result<[PathBuf; 2], clap::Error> {
        <[PathBuf; 2]>::try_from(self.files.clone())
            .map_err(|files| usage(&format!("CONFIG and UPDATE are needed, {} given", files.len())))
    }

    /// An option that takes several words swallows the files where it stands before them, as in `-d path CONFIG UPDATE`:
    /// the last of them gives its last words back.
    fn give_back_files(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let last = |id: &str| matches.indices_of(id).and_then(Iterator::max);
        let words = if last("delete") > last("env") { &mut self.delete } else { &mut self.env };
        let missing = 2_usize.saturating_sub(self.files.len());
        let kept = words.len().saturating_sub(missing);
        self.files.extend(words.split_off(kept).into_iter().map(PathBuf::from));
        for (option, words) in [("delete", &self.delete), ("env", &self.env)] {
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
    let kind = clap::error::ErrorKind::WrongNumberOfValues;
    upgrade.map_or_else(|| Args::command().error(kind, what), |upgrade| upgrade.error(kind, what))
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Outline {
    /// The file to read; `-` reads standard input
    pub(crate) file: PathBuf,
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

    /// The default of the release before
    #[arg(long, value_name = "OLD")]
    pub(crate) base: Option<PathBuf>,

    /// The version of OLD: steps up to this one are left out
    #[arg(long, value_name = "VERSION")]
    pub(crate) from: Option<String>,

    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Common {
    /// Print nothing but errors
    #[arg(short, long, help_heading = "Messages")]
    pub(crate) quiet: bool,

    /// Tell on standard error what is decided and why
    #[arg(short, long, help_heading = "Messages", conflicts_with = "quiet")]
    pub(crate) verbose: bool,

    /// When to use colour
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = "Messages")]
    pub(crate) color: Color,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    Always,
    Never,
}

impl Color {
    pub(crate) fn write_global(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PairingArg {
    /// By name, id or another key that all items have, else by overlap
    Identity,
    /// By the number of equal values alone
    Overlap,
}

impl From<PairingArg> for Pairing {
    fn from(arg: PairingArg) -> Self {
        match arg {
            PairingArg::Identity => Self::Identity,
            PairingArg::Overlap => Self::Overlap,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum CommentsArg {
    /// The new default's, unless you only added lines to it
    Update,
    /// Yours
    User,
    /// The new default's, and your own lines under it
    Both,
}

impl From<CommentsArg> for Comments {
    fn from(arg: CommentsArg) -> Self {
        match arg {
            CommentsArg::Update => Self::Update,
            CommentsArg::User => Self::User,
            CommentsArg::Both => Self::Both,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ConflictArg {
    /// Yours stays, and the report says so
    User,
    /// The new default comes in, and the report says so
    Update,
    /// Refuse with exit status 3 and name all conflicts
    Fail,
}

impl From<ConflictArg> for OnConflict {
    fn from(arg: ConflictArg) -> Self {
        match arg {
            ConflictArg::User => Self::User,
            ConflictArg::Update => Self::Update,
            ConflictArg::Fail => Self::Fail,
        }
    }
}

/// `OLD=NEW`; both may hold `=` inside of brackets.
fn moved(word: &str) -> Result<(String, String), String> {
    let signs = word.match_indices('=').map(|(at, _)| at);
    let outside = |at: &usize| word[..*at].matches('[').count() == word[..*at].matches(']').count();
    match signs.into_iter().find(outside).map(|at| (&word[..at], &word[at + 1..])) {
        Some((old, new)) if !old.is_empty() && !new.is_empty() => Ok((old.to_owned(), new.to_owned())),
        _ => Err("OLD=NEW is needed, such as server/port=http/port".to_owned()),
    }
}

/// `PATH=NAME`; the path may hold `=` inside of its brackets.
fn list_key(word: &str) -> Result<(String, String), String> {
    match word.rsplit_once('=') {
        Some((path, name)) if !path.is_empty() && !name.is_empty() => Ok((path.to_owned(), name.to_owned())),
        _ => Err("PATH=NAME is needed, such as services=name".to_owned()),
    }
}
