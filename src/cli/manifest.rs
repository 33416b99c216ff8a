//! `yamlift upgrade --manifest FILE`: which configurations a product has, each with its default and its options, so that a
//! release script is one line (`docs/report.md`).
//!
//! The keys of an entry are the names of the options of `upgrade`, and are read as those are: what the command line
//! refuses is refused here, with the place in the manifest.

use std::any::TypeId;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, Args as _, Command, FromArgMatches as _};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::upgrade_args::{OF_THE_RUN, Upgrade as UpgradeArgs};
use crate::files;
use crate::text::encoding;
use crate::text::error::{Error, Place, nearest};

/// The options that are about one upgrade by hand.
const BY_HAND: [&str; 6] = ["to", "ask", "output", "force", "print_migration", "help"];

/// One entry of a manifest.
pub(super) struct Entry {
    pub(super) args: UpgradeArgs,
    /// The new default.
    pub(super) update: PathBuf,
}

/// Reads a manifest. Each entry is shown as the arguments of the command say.
///
/// # Errors
/// What is no TOML, an unknown key, a value that its option does not take, an entry without `config` or `default`.
pub(super) fn entries(file: &Path, of_the_run: &UpgradeArgs) -> Result<Vec<Entry>, Error> {
    let name = file.display().to_string();
    let text = files::read(file, encoding::LIMIT)?;
    let command = UpgradeArgs::augment_args(Command::new("upgrade").no_binary_name(true).disable_help_flag(true));
    let manifest = Manifest { name: &name, text: &text, directory: file.parent().unwrap_or(Path::new("")), command };
    let read = DeTable::parse(&text);
    let table = read.map_err(|error| {
        manifest.error(error.message(), error.span().unwrap_or_default()).help("a manifest is TOML: see docs/report.md")
    })?;
    manifest.entries(table.get_ref()).map(|entries| {
        let shown = |entry: Entry| Entry { args: entry.args.shown_as(of_the_run), ..entry };
        entries.into_iter().map(shown).collect()
    })
}

struct Manifest<'m> {
    name: &'m str,
    text: &'m str,
    /// Where the paths start that are no whole paths.
    directory: &'m Path,
    command: Command,
}

type Key<'t> = Spanned<std::borrow::Cow<'t, str>>;
type Value<'t> = Spanned<DeValue<'t>>;

impl Manifest<'_> {
    fn entries(&self, table: &DeTable<'_>) -> Result<Vec<Entry>, Error> {
        let (mut shared, mut configs) = (None, None);
        for (key, value) in table {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("options", DeValue::Table(options)) => shared = Some(options),
                ("config", DeValue::Array(entries)) => configs = Some(entries),
                ("options", _) => {
                    return Err(self.error("`options` has to be a table", value.span()).help("write [options]"));
                }
                ("config", _) => {
                    let error = self.error("`config` has to be a list of tables", value.span());
                    return Err(error.help("write [[config]] above each entry"));
                }
                (other, _) => return Err(self.unknown(other, key.span(), &["config", "options"])),
            }
        }
        let Some(configs) = configs else {
            return Err(self
                .error("no configuration is named", 0..0)
                .help("write [[config]] with `config` and `default`"));
        };
        configs.iter().map(|entry| self.entry(entry, shared)).collect()
    }

    fn entry(&self, entry: &Value<'_>, shared: Option<&DeTable<'_>>) -> Result<Entry, Error> {
        let DeValue::Table(table) = entry.get_ref() else {
            return Err(self.error("an entry has to be a table", entry.span()).help("write [[config]] above it"));
        };
        let (mut words, mut named, mut update) = (Vec::new(), Vec::new(), None);
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "config" => named = self.texts("config", value)?,
                "default" => update = Some(self.text("default", value)?),
                option => words.extend(self.option((option, key), value)?),
            }
        }
        for (key, value) in shared.into_iter().flatten() {
            let words_of = self.option((key.get_ref(), key), value)?;
            words.extend(if table.contains_key(key.get_ref().as_ref()) { Vec::new() } else { words_of });
        }
        let missing = |what: &str| self.error(&format!("an entry without `{what}`"), entry.span());
        let update = update.ok_or_else(|| missing("default").help("name the new default of the release"))?;
        if named.is_empty() {
            return Err(missing("config").help("name a file, a directory or a pattern, or a list of these"));
        }
        let paths = named.iter().map(|path| self.path(path));
        let all = words.into_iter().chain(["--".to_owned()]).chain(paths);
        let matches =
            self.command.clone().try_get_matches_from(["--to".to_owned(), self.path(&update)].into_iter().chain(all));
        let args = matches.and_then(|matches| UpgradeArgs::from_arg_matches(&matches));
        let args = args.map_err(|error| self.refused(&error, table, entry))?;
        Ok(Entry { update: PathBuf::from(self.path(&update)), args })
    }

    /// An option as the words of a command line.
    fn option(&self, (name, key): (&str, &Key<'_>), value: &Value<'_>) -> Result<Vec<String>, Error> {
        let is_known = |arg: &&Arg| {
            let id = arg.get_id().as_str();
            !OF_THE_RUN.contains(&id) && !BY_HAND.contains(&id) && arg.get_long().is_some()
        };
        let known: Vec<_> = self.command.get_arguments().filter(is_known).collect();
        let Some(arg) = known.iter().find(|arg| arg.get_long() == Some(name)) else {
            let names = ["config", "default"].into_iter().chain(known.iter().filter_map(|arg| arg.get_long()));
            return Err(self.unknown(name, key.span(), &names.collect::<Vec<_>>()));
        };
        if matches!(arg.get_action(), ArgAction::SetTrue) {
            return match value.get_ref() {
                DeValue::Boolean(true) => Ok(vec![format!("--{name}")]),
                DeValue::Boolean(false) => Ok(Vec::new()),
                _ => Err(self
                    .error(&format!("`{name}` has to be true or false"), value.span())
                    .help("leave it out for false")),
            };
        }
        let is_path = arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        let texts = self.texts(name, value)?.into_iter();
        let of_file = |text: String| if is_path || is_properties_file(name, &text) { self.path(&text) } else { text };
        Ok(texts.map(|text| format!("--{name}={}", of_file(text))).collect())
    }

    /// One text, or several.
    fn texts(&self, name: &str, value: &Value<'_>) -> Result<Vec<String>, Error> {
        match value.get_ref() {
            DeValue::Array(texts) => texts.iter().map(|text| self.text(name, text)).collect(),
            _ => self.text(name, value).map(|text| vec![text]),
        }
    }

    fn text(&self, name: &str, value: &Value<'_>) -> Result<String, Error> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(number) => Ok(number.as_str().to_owned()),
            _ => Err(self
                .error(&format!("`{name}` has to be a text or a number"), value.span())
                .help("write it in quotes")),
        }
    }

    /// A path as it is from here; in a manifest it starts where that is.
    fn path(&self, path: &str) -> String {
        self.directory.join(path).display().to_string()
    }

    /// What the command line says against an entry, at the option that it names.
    fn refused(&self, error: &clap::Error, table: &DeTable<'_>, entry: &Value<'_>) -> Error {
        let rendered = error.render().to_string();
        let (what, rest) = rendered.trim_start_matches("error: ").split_once('\n').unwrap_or((&rendered, ""));
        let is_named = |key: &&Key<'_>| what.contains(&format!("--{}", key.get_ref()));
        let place = table.keys().find(is_named).map_or(entry.span(), Spanned::span);
        let tip = rest.lines().find_map(|line| line.trim().strip_prefix("tip: "));
        self.error(what.trim(), place).help(tip.unwrap_or("`yamlift upgrade --help` has what each option takes"))
    }

    fn unknown(&self, name: &str, at: Range<usize>, known: &[&str]) -> Error {
        if OF_THE_RUN.contains(&&*name.replace('-', "_")) {
            let error = self.error(&format!("`{name}` is for the command line"), at);
            return error.help(format!("give it beside --manifest: --{name}"));
        }
        self.error(&format!("`{name}` is not known here"), at).help(nearest(name, known))
    }

    fn error(&self, what: &str, at: Range<usize>) -> Error {
        let before = &self.text[..at.start.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Error::input(what).at(Place { line, column }, self.text).in_file(self.name)
    }
}

fn is_properties_file(option: &str, word: &str) -> bool {
    option == "env" && !word.contains('=') && word.ends_with(".properties")
}
