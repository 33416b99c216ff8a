//! A machine: what its user-data, its vendor-data and the system's own files come to.
//!
//! As cloud-init has it: user-data over vendor-data2 over vendor-data over the files of `cloud.cfg.d` over `cloud.cfg` over what is
//! built in. The system's own files become one first, and the parts of each user-data. Vendor-data count unless the user or the
//! system turns them off.

use super::levels::{Levels, last_name};
use super::part::{Fault, Kind, Part};
use super::sources::{ByRole, Opened, Reader, Role, Source};
use super::{Entry, Instance, Open, Options, Purpose, schema};
use crate::layers::reading::Reading;
use crate::layers::values::{Layer, Merged, Schema, Type, Value};
use crate::text::error::Error;

/// A file with its name.
pub(crate) type File = (String, Vec<u8>);

/// The files that a machine has its configuration from.
#[derive(Debug, Default)]
pub(crate) struct Machine {
    pub(crate) user_data: Option<File>,
    pub(crate) vendor_data2: Option<File>,
    pub(crate) vendor_data: Option<File>,
    /// The files of `cloud.cfg.d`, in any order.
    pub(crate) directory: Vec<File>,
    pub(crate) main: Option<File>,
    pub(crate) built_in: Option<File>,
    pub(crate) instance: Option<Instance>,
    /// What the result is held to.
    pub(crate) schema: Option<Layer>,
}

/// A level of configuration, and what was read for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Level {
    /// `user-data`, `vendor-data2`, `vendor-data`, `cloud.cfg.d`, `cloud.cfg` or `built-in`.
    pub(crate) name: &'static str,
    /// The parts, by the names that values are told to come from.
    pub(crate) parts: Vec<String>,
    /// Whether it counts: vendor-data may be turned off.
    pub(crate) counts: bool,
}

/// A configuration, and the levels that it was made of.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) merged: Merged,
    /// The highest first.
    pub(crate) levels: Vec<Level>,
    /// What the schema says against it.
    pub(crate) wrong: Vec<Error>,
}

const DIRECTORY: &str = "cloud.cfg.d";
const MAIN: &str = "cloud.cfg";
const BUILT_IN: &str = "built-in";
/// The vendor's levels, with the key that turns each of them off.
const VENDORS: [(&str, &str); 2] = [("vendor-data2", "vendor_data2"), ("vendor-data", "vendor_data")];

/// What a machine ends up with.
///
/// # Errors
/// Files that cannot be read at all. What cloud-init passes over is a warning.
pub(crate) fn resolve(machine: &Machine, open: Option<&Open<'_>>) -> Result<Resolved, Error> {
    let purpose = Purpose::Machine(machine.instance.as_ref());
    let options = Options { reading: Reading::Shipped, entry: Entry::Levels, headers: Vec::new(), open, purpose };
    let (names, files) = by_priority(machine);
    let opened = Opened::read(files, &options)?;
    let layers = opened.layers();
    let mut levels = Levels { read: Reader::new(&options) };
    levels.read.warnings.clone_from(&opened.warnings);
    let mut sources = Vec::new();
    for (name, file) in names.iter().zip(&opened.files) {
        sources.extend(levels.read.source(file, &opened, &layers)?.map(|source| (*name, source)));
    }
    let base = sources.iter().rfind(|(name, _)| *name != BUILT_IN).or(sources.last());
    let base = base.map(|(_, source)| source.value.clone());
    let (value, off) = folded(&mut levels, sources)?;
    let told = names.iter().zip(&opened.files).map(|(name, file)| {
        let parts = opened.parts.get(file.parts.clone()).unwrap_or_default();
        Level { name, parts: configs(parts).collect(), counts: !off.contains(name) }
    });
    let told = told.collect();
    let wrong = match (&machine.schema, &value) {
        (Some(schema), Some(value)) => schema::check(schema, value, &opened.parts)?,
        _ => Vec::new(),
    };
    Ok(Resolved { merged: levels.written(base, value, &layers)?, levels: told, wrong })
}

/// The names of the parts that are configurations.
fn configs(parts: &[Part]) -> impl Iterator<Item = String> {
    let configs = parts.iter().filter(|part| !matches!(part.kind, Kind::Other(_)));
    configs.map(|part| part.name().to_owned())
}

/// All files with the names of their levels, the highest priority first.
fn by_priority(machine: &Machine) -> (Vec<&'static str>, Vec<ByRole>) {
    let mut directory: Vec<_> = machine.directory.iter().collect();
    directory.sort_by_key(|(name, _)| std::cmp::Reverse(last_name(name)));
    let given = [
        ("user-data", &machine.user_data),
        ("vendor-data2", &machine.vendor_data2),
        ("vendor-data", &machine.vendor_data),
    ];
    let given = given.into_iter().filter_map(|(name, file)| Some((name, Role::UserData, file.as_ref()?)));
    let directory = directory.into_iter().map(|file| (DIRECTORY, Role::Config, file));
    let own = [(MAIN, &machine.main), (BUILT_IN, &machine.built_in)];
    let own = own.into_iter().filter_map(|(name, file)| Some((name, Role::Config, file.as_ref()?)));
    let all = given.chain(directory).chain(own);
    all.map(|(level, role, (name, bytes))| (level, (role, name.clone(), bytes.clone()))).unzip()
}

/// What the sources come to, and the vendor's levels that are turned off.
fn folded<'a>(
    levels: &mut Levels<'a, '_>,
    sources: Vec<(&'static str, Source<'a>)>,
) -> Result<(Option<Value<'a>>, Vec<&'static str>), Error> {
    let (mut given, mut directory, mut built_in) = (Vec::new(), Vec::new(), None);
    for (name, source) in sources {
        match name {
            DIRECTORY | MAIN => directory.push((name, source)),
            BUILT_IN => built_in = Some(source),
            _ => given.push((name, source)),
        }
    }
    let system = system(levels, directory, built_in)?;
    let user = given.iter().filter(|(name, _)| *name == "user-data").map(|(_, source)| source);
    let without_vendors: Vec<_> = user.chain(&system).cloned().collect();
    // What is said of this fold is said again of the one below.
    let told = levels.read.warnings.len();
    let decided = levels.fold(without_vendors)?;
    levels.read.warnings.truncate(told);
    let off = turned_off(levels, decided.as_ref(), &given);
    let counting = given.into_iter().filter(|(name, _)| !off.contains(name)).map(|(_, source)| source);
    Ok((levels.fold(counting.chain(system).collect())?, off))
}

/// What the system's own files come to.
fn system<'a>(
    levels: &mut Levels<'a, '_>,
    directory: Vec<(&'static str, Source<'a>)>,
    built_in: Option<Source<'a>>,
) -> Result<Option<Source<'a>>, Error> {
    let part = directory.last().map(|(_, source)| source.part.clone());
    let has_main = directory.last().is_some_and(|(name, _)| *name == MAIN);
    let sources = directory.into_iter().map(|(_, source)| source).collect();
    let own = if has_main { levels.directory(sources)? } else { levels.fold(sources)? };
    let own = part.zip(own).map(|(part, value)| Source::of(part, value));
    let part = own.as_ref().or(built_in.as_ref()).map(|source| source.part.clone());
    let value = levels.fold(own.into_iter().chain(built_in).collect())?;
    Ok(part.zip(value).map(|(part, value)| Source::of(part, value)))
}

/// The vendor's levels that the user or the system turns off. Built in is that both count.
fn turned_off<'a>(
    levels: &mut Levels<'a, '_>,
    decided: Option<&Value<'a>>,
    given: &[(&'static str, Source<'a>)],
) -> Vec<&'static str> {
    let is_off = |key: &str| decided.and_then(|all| all.get(key)).filter(|setting| !is_on(setting));
    let mut off = Vec::new();
    for (name, key) in VENDORS {
        let part = given.iter().find(|(level, _)| *level == name).map(|(_, source)| &source.part);
        if let Some((part, setting)) = part.zip(is_off(key)) {
            levels.read.warnings.push(turned_off_by(part, setting, key));
            off.push(name);
        }
    }
    off
}

fn turned_off_by(part: &Part, setting: &Value<'_>, key: &str) -> String {
    let why = if setting.is_map() { "is off" } else { "is no map, which turns it off" };
    part.warning(&Fault { what: format!("is passed over: `{key}` {why}"), ..Fault::default() })
}

/// Whether a setting leaves the vendor's data on: `enabled` is true, or not there.
fn is_on(setting: &Value<'_>) -> bool {
    let Some(enabled) = setting.get("enabled") else { return setting.is_map() };
    let yes = |text: &str| ["true", "1", "on", "yes"].contains(&text.to_lowercase().trim());
    match enabled.kind(Schema::Yaml11) {
        Some(Type::Bool(yes)) => yes,
        _ => enabled.scalar().is_some_and(|scalar| yes(&scalar.text)),
    }
}
