//! The arguments of the commands that have few.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgGroup, Args as ClapArgs, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::common::{Common, Format, ReportFormat, at_least_one};
use super::described::Described;
use super::file_args::FileArgs;
use super::merge_args::{MergeArgs, OLD_DEFAULT};
use super::secret_args::SecretArgs;

#[derive(Debug, ClapArgs)]
#[command(group(ArgGroup::new(OLD_DEFAULT).arg("base")))]
pub(crate) struct Rehearse {
    /// The new default
    #[arg(value_name = "DEFAULT")]
    pub(crate) update: PathBuf,
    /// The configurations: files, directories with files *.yml and *.yaml, or quoted patterns
    #[arg(required = true)]
    pub(crate) configs: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) merge: MergeArgs,

    /// So many files at once; as many as there are cores without it
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroUsize>)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// The form of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,

    #[command(flatten)]
    pub(crate) common: Common,
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
    /// The form of what is told
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, ClapArgs)]
#[command(group(ArgGroup::new(OLD_DEFAULT).arg("base")))]
pub(crate) struct Explain {
    /// The configuration; `-` reads standard input
    pub(crate) config: PathBuf,
    /// The new default
    #[arg(value_name = "DEFAULT")]
    pub(crate) update: PathBuf,
    /// What to explain: server/ports[2], users[name=ann]/shell; without it, every line of the result
    pub(crate) path: Option<String>,

    #[command(flatten)]
    pub(crate) merge: MergeArgs,
    /// The form of what is told
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Migration {
    /// Prove a migration file before it ships
    ///
    /// Looks for every path that FILE names where it has to be: old paths in OLD, new ones in DEFAULT. With OLD, each step
    /// is tried on it, and keys of OLD that DEFAULT has not must be named. All that is wrong is printed on standard error;
    /// the exit status is 2 then, else 0.
    Check(Described<MigrationCheck>),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MigrationCheck {
    /// The migration file
    pub(crate) file: PathBuf,
    /// The new default
    #[arg(value_name = "DEFAULT")]
    pub(crate) update: PathBuf,

    /// Try the steps on OLD, the default of the release before
    #[arg(long, value_name = "OLD")]
    pub(crate) base: Option<PathBuf>,

    /// Leave out the steps up to VERSION, the one that OLD is of
    #[arg(long, value_name = "VERSION")]
    pub(crate) from: Option<String>,

    /// The form of what is told
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GitMerge {
    /// The common ancestor, %O
    pub(crate) base: PathBuf,
    /// Our side, %A: the merged file takes its place
    pub(crate) ours: PathBuf,
    /// Their side, %B
    pub(crate) theirs: PathBuf,
    /// How long the markers of a conflict are, %L
    #[arg(default_value_t = 7)]
    pub(crate) marker_size: usize,
    /// What the file is called in the repository, %P
    pub(crate) path: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GitTextconv {
    /// The file, as git has it
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) secrets: SecretArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GitInstall {
    /// The files that are merged and compared so; those that end in .yml and .yaml without it
    #[arg(value_name = "PATTERN", default_values = ["*.yml", "*.yaml"])]
    pub(crate) patterns: Vec<String>,
    /// For all repositories of yours, instead of the one that this is called in
    #[arg(long)]
    pub(crate) global: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Man {
    /// The directory, which has to exist
    pub(crate) directory: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Schema {
    /// What the schema is of
    #[arg(value_enum)]
    pub(crate) of: SchemaOf,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What there are schemas of.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SchemaOf {
    /// What --format json prints
    Report,
    /// A migration file
    Migration,
    /// A file with rules for `yamlift merge`
    Rules,
}

impl SchemaOf {
    /// The schema as it is shipped.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Report => include_str!("../../docs/report.schema.json"),
            Self::Migration => include_str!("../../docs/migration.schema.json"),
            Self::Rules => include_str!("../../docs/merge-rules.schema.json"),
        }
    }
}
