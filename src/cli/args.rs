//! The arguments as clap reads them.

use clap::error::ErrorKind;
use clap::{Args as _, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use super::cloud_init::CloudInit;
use super::command_args::{
    Completions, Explain, GitInstall, GitMerge, GitTextconv, Man, Migration, Outline, Rehearse, Restore, Schema,
};
use super::common::{Common, Format, ReportFormat};
use super::datum::Datum;
use super::described::Described;
use super::diff::{Diff, DiffFormat};
use super::layer::LayerArgs;
use super::merge::Merge;
use super::prune::Prune;
use super::upgrade_args::Upgrade;

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
            upgrade.give_back_files(matches).map_err(|what| usage(&what))?;
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
            Command::CloudInit(machine) => machine.format,
            Command::Datum(datum) => datum.format,
            Command::Layer(layer) => layer.format,
            Command::Migration(Migration::Check(check)) => check.format,
            Command::GitMerge(_)
            | Command::GitTextconv(_)
            | Command::GitInstall(_)
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
            Command::CloudInit(machine) => &machine.common,
            Command::Datum(datum) => &datum.common,
            Command::Layer(layer) => &layer.common,
            Command::Migration(Migration::Check(check)) => &check.common,
            Command::GitMerge(merge) => &merge.common,
            Command::GitTextconv(textconv) => &textconv.common,
            Command::GitInstall(install) => &install.common,
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
    /// Show the configuration that cloud-init gives a machine, and what a change does to it
    ///
    /// User-data lie over vendor-data2, these over vendor-data, and all of them over cloud.cfg.d and cloud.cfg, as cloud-init has it.
    /// Each may be anything that cloud-init takes: a MIME message, an archive, a template, packed or not.
    CloudInit(Described<CloudInit>),
    /// Show the whole configuration of a node of a Datum repository, and what a change does to every node
    ///
    /// The layers of a node are those that `ResolutionPrecedence` of Datum.yml names, with the facts of the node's file filled in.
    /// What its configurations come to over all of them is shown with the comments of the layers, before anything is compiled.
    Datum(Described<Datum>),
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
    /// conflict. A value that both sides changed is written between markers. `yamlift git-install` makes git use it.
    GitMerge(Described<GitMerge>),
    /// Print a file value by value, so that `git diff` shows what changes its meaning
    ///
    /// Each value stands behind its path, keys in the order of their names; comments, quotes and indentation are left out,
    /// and what is secret is masked. `yamlift git-install` makes git use it.
    GitTextconv(Described<GitTextconv>),
    /// Make git merge and compare YAML by its meaning, in this repository or in all of yours
    ///
    /// Sets a merge driver and a text conversion in git's configuration, and names the files that they are for in
    /// `.gitattributes`. A second call changes nothing. `git diff --no-textconv` shows the lines.
    GitInstall(Described<GitInstall>),
    /// Print completions for a shell, to be put where it looks for them
    Completions(Described<Completions>),
    /// Write manual pages, one for each command, into a directory such as /usr/share/man/man1
    Man(Described<Man>),
    /// Print the JSON Schema of what --format json prints, of migration files, or of files with rules for `merge`
    Schema(Described<Schema>),
}

/// An error about how `upgrade` is called, with its usage.
pub(crate) fn usage(what: &str) -> clap::Error {
    let mut command = Args::command();
    command.build();
    let upgrade = command.find_subcommand_mut("upgrade");
    let kind = ErrorKind::MissingRequiredArgument;
    upgrade.map_or_else(|| Args::command().error(kind, what), |upgrade| upgrade.error(kind, what))
}
