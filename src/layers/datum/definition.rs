//! `Datum.yml`: where the layers of a node are, and how they are merged.

use super::lookup::{child, without_twins};
use super::options::Lookups;
use super::precedence::{Precedence, SEPARATORS, refuse_step};
use crate::layers::reading::Reading;
use crate::layers::values::{Layer, Schema, Type, Value};
use crate::text::error::{Error, near, visible};
use crate::yaml::reference::Duplicates;

/// The keys of Datum's own.
const KEYS: [&str; 8] = [
    "ResolutionPrecedence",
    "DatumStructure",
    "DatumHandlers",
    "DatumHandlersThrowOnError",
    "DscLocalConfigurationManagerKeyName",
    "default_lookup_options",
    "lookup_options",
    "default_json_depth",
];

/// The key under which the settings of the Local Configuration Manager are, where the definition names none.
const LCM: &str = "LcmConfig";

/// A folder of the repository, and its name in paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Store {
    pub(crate) name: String,
    /// Below the repository, step by step.
    pub(crate) path: Vec<String>,
    line: usize,
}

/// What `Datum.yml` says.
#[derive(Debug)]
pub(crate) struct Definition<'a> {
    pub(super) file: &'a Layer,
    pub(super) precedence: Vec<Precedence>,
    /// Nothing where the definition leaves it to Datum, to which each folder beside it is a store then.
    stores: Option<Vec<Store>>,
    pub(super) lcm: String,
    pub(super) lookups: Lookups,
    pub(super) reading: Reading,
    warnings: Vec<String>,
}

impl<'a> Definition<'a> {
    /// Reads a definition.
    ///
    /// # Errors
    /// What is not valid YAML; words that Datum does not know; paths that lead out of the repository; no precedence.
    pub(crate) fn read(file: &'a Layer, reading: Reading) -> Result<Self, Error> {
        let (lookups, mut warnings) = Lookups::read(Some(file), reading)?;
        let document = file.read(0, Duplicates::Refused)?.documents.pop();
        let document = document.ok_or_else(|| file.error("a definition says nothing", 1).help(PRECEDENCE))?;
        let document = without_twins(document, file, reading, &mut warnings)?;
        let slips = slips(file, &document);
        check_throws(file, &document)?;
        let precedence = precedence(file, &document, slips.first())?;
        warnings.extend(slips);
        let stores = child(&document, "DatumStructure").filter(|stores| !stores.is_null());
        let lcm = child(&document, "DscLocalConfigurationManagerKeyName").and_then(|name| name.as_text(Schema::Core));
        let lcm = lcm.unwrap_or(LCM).to_owned();
        let stores = stores.map(|stores| self::stores(file, stores)).transpose()?;
        Ok(Self { file, precedence, stores, lcm, lookups, reading, warnings })
    }

    /// The stores that it names; nothing where each folder beside it is one.
    pub(crate) fn stores(&self) -> Option<&[Store]> {
        self.stores.as_deref()
    }

    /// Says that the folder of a store is not there.
    pub(crate) fn without_folder(&self, store: &Store) -> Error {
        let what = format!("the folder of the store `{}` is not there", visible(&store.name));
        self.file.error(what, store.line).help("make it, or take the store out")
    }

    /// What is passed over in it.
    pub(crate) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The store in which the nodes are: the one of the most specific path.
    pub(super) fn nodes(&self) -> Result<&str, Error> {
        let first = self.precedence.first();
        first.and_then(Precedence::store).ok_or_else(|| {
            let what = "the first path has to start with the store in which the nodes are";
            self.file.error(what, first.map_or(1, |first| first.line)).help(PRECEDENCE)
        })
    }
}

const PRECEDENCE: &str = "as in ResolutionPrecedence: [AllNodes\\$($Node.Name), Roles\\$($Node.Role)]";

/// Keys that differ a little from one of Datum's, which passes over them in silence.
fn slips(file: &Layer, document: &Value<'_>) -> Vec<String> {
    let names =
        document.children().iter().filter(|entry| !KEYS.iter().any(|key| key.eq_ignore_ascii_case(entry.name())));
    let slip = |entry: &Value<'_>| {
        let (known, name) = (near(entry.name(), &KEYS)?, visible(entry.name()));
        Some(format!("{}:{}: `{name}` is no key of Datum: did you mean `{known}`?", file.name, entry.line()))
    };
    names.filter_map(slip).collect()
}

/// Whether a handler that fails stops Datum. None runs here, so this is only looked at.
fn check_throws(file: &Layer, document: &Value<'_>) -> Result<(), Error> {
    let throws = child(document, "DatumHandlersThrowOnError");
    match throws.filter(|throws| !matches!(throws.kind(Schema::Core), Some(Type::Bool(_) | Type::Null))) {
        Some(throws) => {
            let what = "`DatumHandlersThrowOnError` has to be true or false";
            Err(file.error_about(what, throws.line(), throws.name()).help("any text is true to PowerShell, `no` too"))
        }
        None => Ok(()),
    }
}

fn precedence(file: &Layer, document: &Value<'_>, slip: Option<&String>) -> Result<Vec<Precedence>, Error> {
    let Some(all) = child(document, "ResolutionPrecedence").filter(|all| !all.is_null()) else {
        let error = file.error("a definition without `ResolutionPrecedence`", 1);
        return Err(error.help(slip.map_or(PRECEDENCE, String::as_str)));
    };
    let one = std::slice::from_ref(all);
    let items = if all.is_list() { all.children() } else { one };
    let read = |item: &Value<'_>| match item.as_text(Schema::Core) {
        Some(text) => Precedence::read(text, file, item.line()),
        None => Err(file.error(format!("{} is no path", item.kind_name(Schema::Core)), item.line()).help(PRECEDENCE)),
    };
    items.iter().map(read).collect()
}

fn stores(file: &Layer, structure: &Value<'_>) -> Result<Vec<Store>, Error> {
    let one = std::slice::from_ref(structure);
    let items = if structure.is_list() { structure.children() } else { one };
    items.iter().map(|item| store(file, item)).collect()
}

const STORE: &str = "as in: {StoreName: Roles, StoreProvider: 'Datum::File', StoreOptions: {Path: ./Roles}}";

fn store(file: &Layer, item: &Value<'_>) -> Result<Store, Error> {
    let text = |map: &Value<'_>, key: &str| child(map, key).and_then(|value| Some(value.scalar()?.text.to_string()));
    let name = text(item, "StoreName").filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| file.error("a store without `StoreName`", item.line()).help(STORE))?;
    if let Some(provider) = child(item, "StoreProvider").filter(|provider| !is_file_provider(provider)) {
        let provider_name = text(item, "StoreProvider").unwrap_or_default();
        let what = format!("the store `{}` is not one of files", visible(&name));
        let help = "only Datum::File can be read here";
        return Err(file.error_about(what, provider.line(), &provider_name).help(help));
    }
    let options = child(item, "StoreOptions");
    let path = options.and_then(|options| child(options, "Path"));
    let missing = || file.error("a store without `StoreOptions` that name its `Path`", item.line()).help(STORE);
    let path = path.ok_or_else(missing)?;
    let written = path.scalar().map(|path| path.text.to_string()).unwrap_or_default();
    let steps = below(&written).map_err(|what| {
        let what = format!("the folder `{}` of a store {what}", visible(&written));
        file.error_about(what, path.line(), &written).help("a store is a folder beside the definition, or below it")
    })?;
    Ok(Store { name, path: steps, line: path.line() })
}

fn is_file_provider(provider: &Value<'_>) -> bool {
    provider.scalar().is_some_and(|scalar| scalar.text.eq_ignore_ascii_case("Datum::File"))
}

/// The steps of a path below the definition; what is wrong with it else.
fn below(path: &str) -> Result<Vec<String>, &'static str> {
    let path = path.strip_prefix("./").or_else(|| path.strip_prefix(".\\")).unwrap_or(path);
    let path = path.strip_suffix(SEPARATORS).unwrap_or(path);
    let steps: Vec<_> = path.split(SEPARATORS).map(str::to_owned).collect();
    if steps.iter().any(|step| step.contains(':')) {
        return Err("leads out of the repository");
    }
    steps.iter().try_for_each(|step| refuse_step(step))?;
    Ok(steps)
}
