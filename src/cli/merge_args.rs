//! The arguments that say how two files are merged, and what the library makes of them.

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};

use super::env::{self, Missing};
use super::input::{read_migration, read_within};
use super::secret_args::SecretArgs;
use crate::comments::Comments;
use crate::files;
use crate::text::encoding;
use crate::text::error::Error;
use crate::upgrade::answers::Answer;
use crate::upgrade::matching::Pairing;
use crate::upgrade::options::{Base, OnConflict, Options};
use crate::upgrade::rules::ListMerge;

/// The heading of the options that are needed most; it is the first one in the help.
pub(crate) const EVERYDAY: &str = "Everyday options";

/// The group of the options that name the old default. Each command with [`MergeArgs`] has it.
pub(crate) const OLD_DEFAULT: &str = "old_default";

#[derive(Debug, ClapArgs)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent switch of the command line")]
pub(crate) struct MergeArgs {
    /// Take this file for the default that CONFIG was made from: what you never touched follows DEFAULT, what you removed
    /// stays away
    #[arg(long, value_name = "OLD_DEFAULT", help_heading = EVERYDAY)]
    pub(crate) base: Option<PathBuf>,

    /// Remove what stands at PATH first, so that the new default comes in there: server/ports[2], users[name=ann]
    #[arg(short, long, value_name = "PATH", num_args = 1.., help_heading = EVERYDAY)]
    pub(crate) delete: Vec<String>,

    /// Remove what stands at each of the paths in FILE, one a line, as --delete does; blank lines and lines with # are left
    /// out
    #[arg(long, value_name = "FILE", help_heading = "What to upgrade")]
    pub(crate) delete_from: Vec<PathBuf>,

    /// Carry the value and comment at the path OLD to the path NEW first: server/port=http/port
    #[arg(long = "move", value_name = "OLD=NEW", value_parser = moved, help_heading = "What to upgrade")]
    pub(crate) moves: Vec<(String, String)>,

    /// Do what the migration file of the release says first: moves, deletions, new forms of values
    #[arg(long, value_name = "FILE", help_heading = "What to upgrade")]
    pub(crate) migration: Option<PathBuf>,

    /// Leave out the steps of the migration file up to VERSION, the one that CONFIG is of
    #[arg(long, value_name = "VERSION", requires = "migration", help_heading = "What to upgrade")]
    pub(crate) from: Option<String>,

    /// Fill in #{NAME} of DEFAULT: NAME=VALUE, NAME (from the environment) or FILE.properties
    #[arg(short, long, value_name = "WORD", num_args = 1.., help_heading = "What to upgrade")]
    pub(crate) env: Vec<String>,

    /// Go on without a properties file or environment variable that is not there
    #[arg(short = 's', long, help_heading = "What to upgrade")]
    pub(crate) non_strict: bool,

    /// Refuse a DEFAULT with a #{NAME} that has no value, instead of leaving it as it is
    #[arg(long, help_heading = "What to upgrade")]
    pub(crate) strict_vars: bool,

    /// Choose how items of object lists are found again
    #[arg(long, value_enum, default_value_t = PairingArg::Identity, help_heading = "How to merge")]
    pub(crate) pairing: PairingArg,

    /// Tell the items of the list at PATH apart by their key NAME
    #[arg(long, value_name = "PATH=NAME", value_parser = list_key, help_heading = "How to merge")]
    pub(crate) list_key: Vec<(String, String)>,

    /// Merge the list at PATH, which may have * and **, in one of these ways: keep, replace, append, prepend, unique, union or index
    #[arg(long, value_name = "PATH=MODE", value_parser = list_merge, help_heading = "How to merge")]
    pub(crate) list_merge: Vec<(String, ListMerge)>,

    /// Choose whose comments stay where both files have one
    #[arg(long, value_enum, default_value_t = CommentsArg::Update, help_heading = "How to merge")]
    pub(crate) comments: CommentsArg,

    /// Choose what to do where both you and the release changed a value
    #[arg(long, value_enum, value_name = "SIDE", default_value_t = ConflictArg::User, help_heading = "How to merge")]
    pub(crate) on_conflict: ConflictArg,

    /// Decide conflicts as FILE says, in which --ask keeps what you answered; the others as --on-conflict says
    #[arg(long, value_name = "FILE", requires = OLD_DEFAULT, help_heading = "How to merge")]
    pub(crate) answers: Option<PathBuf>,

    /// Refuse a CONFIG with keys that the new default does not know (with the old default: neither of the two)
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "How to merge")]
    pub(crate) fail_on: Option<FailOnArg>,

    /// Keep values that you never touched, though the release changed their default; needs the old default
    #[arg(long, requires = OLD_DEFAULT, help_heading = "How to merge")]
    pub(crate) keep_defaults: bool,

    /// Keep values that you never touched, though the release dropped them; needs the old default
    #[arg(long, requires = OLD_DEFAULT, help_heading = "How to merge")]
    pub(crate) keep_obsolete: bool,

    /// Bring in what you commented out and, with the old default, what you removed
    #[arg(long, help_heading = "How to merge")]
    pub(crate) restore_deleted: bool,

    /// Keep a file that holds only your own settings as it is, but for moves, conversions and deletions
    #[arg(long, help_heading = "How to merge")]
    pub(crate) sparse: bool,

    #[command(flatten)]
    pub(crate) secrets: SecretArgs,

    /// Do not compare the result with both files
    #[arg(long, help_heading = "How to merge")]
    pub(crate) no_validate: bool,
}

impl MergeArgs {
    /// The options of the library, with all files read that are named.
    pub(crate) fn options(&self, max_size: u64) -> Result<Options, Error> {
        let missing = if self.non_strict { Missing::Warned } else { Missing::Refused };
        let (mut variables, warnings) = env::defined_by(&self.env, missing)?;
        if self.strict_vars {
            variables.refuse_unknown();
        }
        for warning in warnings {
            log::warn!("{warning}");
        }
        let mut delete = self.delete.clone();
        for file in &self.delete_from {
            delete.extend(paths(&files::read(file, encoding::LIMIT)?));
        }
        let named = |path: &PathBuf| {
            Ok::<_, Error>(Base { name: path.display().to_string(), text: read_within(path, max_size)? })
        };
        Ok(Options {
            moves: self.moves.clone(),
            migration: self.migration.as_deref().map(read_migration).transpose()?,
            from: self.from.clone(),
            delete,
            variables,
            pairing: self.pairing.into(),
            list_keys: self.list_key.clone(),
            list_modes: self.list_merge.clone(),
            comments: self.comments.into(),
            base: self.base.as_ref().map(named).transpose()?,
            keep_defaults: self.keep_defaults,
            keep_obsolete: self.keep_obsolete,
            restore_deleted: self.restore_deleted,
            sparse: self.sparse,
            prunes: false,
            on_conflict: self.on_conflict.into(),
            answers: self.answers.as_deref().map_or(Ok(Vec::new()), answers)?,
            fail_on_unknown: self.fail_on == Some(FailOnArg::Unknown),
            secret: self.secrets.secret.clone(),
            skip_changes: false,
            skip_validation: self.no_validate,
        })
    }
}

fn answers(file: &Path) -> Result<Vec<Answer>, Error> {
    Answer::read(&file.display().to_string(), &files::read(file, encoding::LIMIT)?)
}

/// One path a line; blank lines and comments are left out.
fn paths(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConflictArg {
    /// Yours stays, and the report says so
    User,
    /// The new default comes in, and the report says so
    Update,
    /// Refuse with exit status 3 and name all conflicts
    Fail,
    /// Both are written between markers as git has them, and the exit status is 3; the file is no YAML until you decide
    Markers,
}

/// What `--fail-on` can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOnArg {
    /// Keys that the new default does not know
    Unknown,
}

impl From<ConflictArg> for OnConflict {
    fn from(arg: ConflictArg) -> Self {
        match arg {
            ConflictArg::User | ConflictArg::Markers => Self::User,
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

/// `PATH=MODE`, in the same way.
fn list_merge(word: &str) -> Result<(String, ListMerge), String> {
    let known = || format!("PATH=MODE is needed, such as **/tags=unique; modes are {}", ListMerge::NAMES.join(", "));
    let (path, mode) = word.rsplit_once('=').filter(|(path, _)| !path.is_empty()).ok_or_else(known)?;
    Ok((path.to_owned(), ListMerge::named(mode).ok_or_else(known)?))
}
