//! The arguments as clap reads them.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{
    ArgGroup, ArgMatches, Args as ClapArgs, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum,
};

use clap_complete::Shell;

use super::common::{Common, DiffForm, Format, ReportFormat};
use super::described::Described;
use super::destination::OutputArgs;
use super::diff::{Diff, DiffFormat};
use super::file_args::FileArgs;
use super::layer::LayerArgs;
use super::merge::Merge;
use super::merge_args::{EVERYDAY, MergeArgs, OLD_DEFAULT};
use super::prune::Prune;
use super::secret_args::SecretArgs;

const EXAMPLE: &str = "\
Example:
  yamlift upgrade --dry-run --base old-default.yml config.yml default.yml";

const TOOL: &str = "\
Example:
  yamlift upgrade --dry-run /etc/app/config.yml /usr/share/app/default.yml

`yamlift COMMAND --help` has examples and the exit statuses; README.md and docs/ tell the rules.";

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
  3  conflicts that --on-conflict fail refuses: nothing was changed; or that --on-conflict markers left
  4  the result did not pass verification: nothing was changed, please report it
  5  the file was replaced, but what had to follow failed: the report cannot be printed, the new
     default cannot be remembered, or the disk does not say that all is on it";

/// Upgrades YAML configuration without losing a comment, a value or a byte
#[derive(Debug, Parser)]
#[command(name = "yamlift", version, about, max_term_width = 100, after_help = TOOL)]
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

    /// The form of what is printed; errors are told in the same form.
    pub(crate) fn format(&self) -> ReportFormat {
        let format = match &self.command {
            Command::Upgrade(upgrade) => return upgrade.format,
            Command::Rehearse(rehearse) => return rehearse.format,
            Command::Restore(restore) => restore.format,
            Command::Outline(outline) => outline.format,
            Command::Explain(explain) => explain.format,
            Command::Diff(diff) if diff.format == DiffFormat::Json => Format::Json,
            Command::Prune(prune) => prune.format,
            Command::Merge(merge) => merge.format,
            Command::Layer(layer) => layer.format,
            Command::Migration(Migration::Check(check)) => check.format,
            Command::GitMerge(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Schema(_)
            | Command::Diff(_) => Format::Text,
        };
        if format == Format::Json { ReportFormat::Json } else { ReportFormat::Text }
    }

    /// The commands as help shows them: `upgrade` needs CONFIG and DEFAULT. When the arguments are read it may lack them, for
    /// an option may have swallowed them, which gives them back.
    pub(crate) fn with_required_files() -> clap::Command {
        Self::command().mut_subcommand("upgrade", |upgrade| {
            let is_shown = |arg: &clap::Arg| arg.is_positional() && !arg.is_hide_set();
            Upgrade::augment_args(upgrade.defer(|upgrade| upgrade))
                .mut_args(|arg| if is_shown(&arg) { arg.required(true) } else { arg })
        })
    }

    pub(crate) fn common(&self) -> &Common {
        match &self.command {
            Command::Upgrade(upgrade) => &upgrade.common,
            Command::Rehearse(rehearse) => &rehearse.common,
            Command::Restore(restore) => &restore.common,
            Command::Outline(outline) => &outline.common,
            Command::Explain(explain) => &explain.common,
            Command::Diff(diff) => &diff.common,
            Command::Prune(prune) => &prune.common,
            Command::Merge(merge) => &merge.common,
            Command::Layer(layer) => &layer.common,
            Command::Migration(Migration::Check(check)) => &check.common,
            Command::GitMerge(merge) => &merge.common,
            Command::Completions(completions) => &completions.common,
            Command::Man(man) => &man.common,
            Command::Schema(schema) => &schema.common,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Bring a configuration up to a new default: your values stay, what is new comes in
    ///
    /// The values of CONFIG stay as they are written. Keys that only DEFAULT has come in with their comments; order,
    /// comments and indentation follow DEFAULT. The result is read by a second, independent parser and checked against
    /// both files before CONFIG is replaced; the old file is kept beside it. A CONFIG that does not exist is installed.
    #[command(
        override_usage = "yamlift upgrade [OPTIONS] <CONFIG> <DEFAULT>\n       yamlift upgrade [OPTIONS] --to <DEFAULT> <CONFIG>...",
        after_help = EXAMPLE,
        after_long_help = EXAMPLES
    )]
    Upgrade(Described<Upgrade>),
    /// Try a new default on many configurations in memory before it ships
    ///
    /// Each CONFIG is upgraded, and what a release promises is proved: a second run changes nothing, also with the same old
    /// default, and with --base a CONFIG that nobody touched becomes DEFAULT byte for byte. Nothing is written.
    Rehearse(Described<Rehearse>),
    /// Tell where the value of a path, or every line, would come from, and why; nothing is written
    ///
    /// Without PATH, the result is printed with a word before each line: `yours`, `default` where your file and DEFAULT say
    /// the same, or `new`.
    Explain(Described<Explain>),
    /// Tell what two files mean differently, one line for each value: what you changed, or what a release did
    ///
    /// Comments, order of keys, quotes and indentation are no difference. Items of lists are found by what they are called.
    /// With --format yaml: FIRST without what SECOND has as well, which is your own.
    Diff(Described<Diff>),
    /// Leave in a configuration only what differs from the default
    ///
    /// What equals DEFAULT goes, with the comments that came with it; what is yours stays, with your comments. For programs
    /// that lay your file over their default. What goes is checked: the default says the same.
    Prune(Described<Prune>),
    /// Merge layers by the rules of cloud-init, Heat or Datum, or by rules of your own, and keep the comments
    Merge(Described<Merge>),
    /// Render the documents of Deckhand, and keep the comments
    ///
    /// Each document inherits the data of its parent, changes them by its actions, and has values of other documents put
    /// in. All that is wrong is told, each with its place.
    Layer(Described<LayerArgs>),
    /// Work on migration files, which say what a release does to old keys
    #[command(subcommand)]
    Migration(Migration),
    /// Bring a configuration back as it was before: the newest backup, or the one named, takes its place
    ///
    /// What CONFIG holds now is kept as a backup first, so that a second restore undoes the first. Backups are looked for
    /// beside CONFIG, or in the directory that --backup-dir names. --list shows which there are, and --dry-run what would
    /// change.
    Restore(Described<Restore>),
    /// Print how a file is understood: every value with its line, as both parsers agree, and what is commented out
    ///
    /// A commented-out key or item is printed as `# NAME: commented out`, without its value, where it would stand if it
    /// were live. Prose is left out, and so are examples: keys that are live in the same map, or commented out there
    /// several times.
    Outline(Described<Outline>),
    /// Merge one file for git: a merge driver that knows YAML, and falls back on git's own where it has to
    ///
    /// Keys are merged three-way by their paths, so that order, indentation and comments that one side changed are no
    /// conflict. A value that both sides changed is written between markers. To use it:
    ///
    ///   git config merge.yamlift.driver 'yamlift git-merge %O %A %B %L %P'
    ///   echo '*.yml merge=yamlift' >>.gitattributes
    #[command(verbatim_doc_comment)]
    GitMerge(Described<GitMerge>),
    /// Print completions for a shell, to be put where it looks for them
    Completions(Described<Completions>),
    /// Write manual pages, one for each command, into a directory such as /usr/share/man/man1
    Man(Described<Man>),
    /// Print the JSON Schema of what --format json prints, of migration files, or of files with rules for `merge`
    Schema(Described<Schema>),
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
    #[arg(hide = true, requires = "to")]
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

    /// Upgrade many files to DEFAULT: all that are named, are below a directory, or fit a quoted pattern
    #[arg(
        long,
        value_name = "DEFAULT",
        help_heading = "Many files",
        conflicts_with_all = ["output", "print_migration"]
    )]
    pub(crate) to: Option<PathBuf>,

    /// With --to: so many files at once; as many as there are cores without it
    #[arg(long, value_name = "N", requires = "to", help_heading = "Many files")]
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

    /// The form of the diff, where one is shown.
    pub(crate) fn diff_form(&self) -> Option<DiffForm> {
        let is_part_of_it = self.dry_run || matches!(self.format, ReportFormat::Markdown | ReportFormat::Html);
        self.diff.or(is_part_of_it.then_some(DiffForm::Auto)).filter(|form| *form != DiffForm::None)
    }

    /// The files that are upgraded with --to.
    pub(crate) fn many_files(&self) -> Vec<PathBuf> {
        self.config.iter().chain(&self.update).chain(&self.more).cloned().collect()
    }

    /// CONFIG and DEFAULT.
    pub(crate) fn two_files(&self) -> Result<[PathBuf; 2], clap::Error> {
        match (&self.config, &self.update) {
            (Some(config), Some(update)) => Ok([config.clone(), update.clone()]),
            _ => Err(usage("CONFIG and DEFAULT are needed")),
        }
    }

    /// An option that takes several words swallows the files where it stands before them, as in `-d path CONFIG DEFAULT`:
    /// the last of them gives its last words back.
    fn give_back_files(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
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
                return Err(usage(&format!("--{option} needs a word of its own besides CONFIG and DEFAULT")));
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
    #[arg(long, value_name = "N")]
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
    Check(MigrationCheck),
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
