//! What an upgrade is asked to do besides its two files.

use crate::comments::Comments;
use crate::report::secrets::{self, LooksSecret, Secrets};
use crate::text::error::Error;
use crate::upgrade::answers::Answer;
use crate::upgrade::matching::Pairing;
use crate::upgrade::migration::Migration;
use crate::upgrade::rules::{ListMerge, ListRule, Rules};
use crate::upgrade::variables::Variables;
use crate::yaml::path::Path;
use crate::yaml::pattern::Pattern;

/// The default that the current file was made from: see [`Options::base`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Base {
    /// How errors and the report name it.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Base {
    /// An old default, and how errors and the report name it.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }
}

impl From<&str> for Base {
    fn from(text: &str) -> Self {
        Self { name: "base".to_owned(), text: text.to_owned() }
    }
}

/// What happens where the user and the release both changed a value (`docs/rules.md` rule 10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum OnConflict {
    /// The user's value stays, and the report says so.
    #[default]
    User,
    /// The update's value comes in, and the report says so.
    Update,
    /// The upgrade is refused, with all conflicts named.
    Fail,
}

/// How to upgrade. The default is what the command does without options.
///
/// ```
/// let mut options = yamlift::Options::default();
/// options.delete.push("server/port".to_owned());
/// let upgrade = yamlift::upgrade("server:\n  host: a\n  port: 1\n", "server:\n  host: b\n  port: 2\n", &options)?;
/// assert_eq!(upgrade.text(), "server:\n  host: a\n  port: 2\n");
/// # Ok::<(), yamlift::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent switch")]
pub struct Options {
    /// Paths to remove from the current file first, such as `server/ports[2]`; what the update has there comes in fresh.
    pub delete: Vec<String>,
    /// What `#{name}` in the update stands for.
    pub variables: Variables,
    /// How the items of object lists are found again.
    pub pairing: Pairing,
    /// The key by which the items of a list are found again: the path of the list and the name of the key. In the path `*`
    /// stands for any one step and `**` for any number.
    pub list_keys: Vec<(String, String)>,
    /// What becomes of the lists at a path, such as `**/tags`, that both files have. These go before those of a migration.
    pub list_modes: Vec<(String, ListMerge)>,
    /// Whose comments stay where both files have one.
    pub comments: Comments,
    /// The default that the current file was made from. It tells what the user never touched: that follows the update.
    pub base: Option<Base>,
    /// Values that the user never touched stay, also where the release changed their default.
    pub keep_defaults: bool,
    /// Values that the user never touched stay, also where the release dropped them.
    pub keep_obsolete: bool,
    /// Keys that the user commented out come in live and, with a base, values that the user removed come in again.
    pub restore_deleted: bool,
    /// Nothing comes in and nothing goes but by moves, conversions and deletions: the file holds only what was written on
    /// purpose.
    pub sparse: bool,
    /// A map that the release dropped is taken apart also where the user has a comment on it: what equals the base goes.
    pub(crate) prunes: bool,
    /// What happens where both sides changed a value.
    pub on_conflict: OnConflict,
    /// What was decided about single values that both sides changed; these go before [`on_conflict`](Self::on_conflict).
    pub answers: Vec<Answer>,
    /// A file with keys that no default knows is refused, with all of them named.
    pub fail_on_unknown: bool,
    /// Values of the current file that go to another path first: old and new path.
    pub moves: Vec<(String, String)>,
    /// What becomes of old keys, as a release ships it.
    pub migration: Option<Migration>,
    /// The version that the current file is of: steps of the migration up to this one are left out.
    pub from: Option<String>,
    /// Paths whose values no error shows, such as `**/dsn`. Those of keys with names like `password` are never shown.
    pub secret: Vec<String>,
    /// Leaves the list of changes out of the report, for a caller who needs the text alone: what only the list tells is not
    /// looked for. Alarms, warnings and suggestions are as ever.
    pub skip_changes: bool,
    /// Leaves out the comparison of the result with both inputs. The result is still read by the reference parser.
    pub skip_validation: bool,
}

impl Options {
    /// The rules that a caller gives, and behind them those of the release.
    ///
    /// # Errors
    /// A path that is not well formed.
    pub(crate) fn rules(&self) -> Result<Rules, Error> {
        let given = self.list_modes.iter();
        let rule = |(path, merge): &(String, ListMerge)| {
            Ok(ListRule { path: Pattern::read(path)?, key: None, merge: Some(*merge) })
        };
        let mut rules = Rules { lists: given.map(rule).collect::<Result<_, Error>>()?, own: Vec::new() };
        if let Some(migration) = &self.migration {
            rules.lists.extend_from_slice(&migration.rules.lists);
            rules.own.extend_from_slice(&migration.rules.own);
        }
        Ok(rules)
    }

    /// Whether what the user left as the old default has it follows the release.
    pub(crate) fn follows_base(&self) -> bool {
        self.base.is_some() && !self.sparse
    }

    /// What is not to be shown: at the paths that the caller and the release say, and at both ends of what moves.
    ///
    /// # Errors
    /// A path that is not well formed.
    pub(crate) fn secrets(&self, alike: LooksSecret) -> Result<Secrets, Error> {
        let shipped = self.migration.as_ref().map_or(&[][..], |migration| &migration.secret);
        let read = |from: &str, to: &str| Ok::<_, Error>((Pattern::read(from)?, Pattern::read(to)?));
        let steps = self.migration.iter().flat_map(|migration| &migration.steps);
        let released = steps.flat_map(|step| &step.moves).map(|one| read(&one.from.text, &one.to.text));
        let moves = self.moves.iter().map(|(from, to)| read(from, to)).chain(released);
        Ok(Secrets::new(&self.secret, shipped, alike)?.with_moves(&moves.collect::<Result<Vec<_>, _>>()?))
    }

    /// The names of keys whose values no error shows.
    pub(crate) fn secret_names(&self) -> Vec<String> {
        let unread = |_| secrets::last_keys(&self.secret, &[]);
        self.secrets(LooksSecret::Hidden).map_or_else(unread, Secrets::into_names)
    }

    /// The key by which the items of a list are found again: as the caller has it, else as the release has it.
    /// Its path is asked for only where there is a rule.
    pub(crate) fn list_key(&self, list: impl FnOnce() -> Path) -> Option<&str> {
        if self.list_keys.is_empty() && self.migration.is_none() {
            return None;
        }
        let list = list();
        let text = list.to_string();
        let names = |path: &str| path == text || Pattern::read(path).is_ok_and(|pattern| pattern.matches(&list));
        let given = self.list_keys.iter().find(|(path, _)| names(path)).map(|(_, key)| key.as_str());
        given.or_else(|| self.migration.as_ref()?.list_key(&list))
    }
}
