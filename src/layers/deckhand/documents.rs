//! The documents of a set: what Deckhand's metadata say, read once.

use std::collections::HashMap;

use super::problems::Problems;
use super::substitution::Substitution;
use crate::layers::python::Plain;
use crate::layers::values::{Schema, Type, Value};
use crate::text::error::visible;
use crate::text::masking::documents::is_encrypted;

/// One document.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    pub(crate) value: Value<'a>,
    pub(crate) schema: String,
    pub(crate) name: String,
    pub(crate) layer: Option<Plain>,
    pub(crate) is_abstract: bool,
    pub(crate) is_replacement: bool,
    pub(crate) is_control: bool,
    /// Its `storagePolicy`.
    pub(crate) policy: Option<String>,
    pub(crate) labels: Vec<(String, Plain)>,
    /// The pairs of its `parentSelector`, sorted; empty where it has none.
    pub(crate) selector: Vec<(String, Plain)>,
    pub(crate) actions: Vec<Value<'a>>,
    pub(crate) substitutions: Vec<Substitution<'a>>,
}

/// What tells documents apart: schema, layer and name.
pub(crate) type Identity<'d> = (&'d str, Option<&'d Plain>, &'d str);

impl Document<'_> {
    pub(crate) fn identity(&self) -> Identity<'_> {
        (&self.schema, self.layer.as_ref(), &self.name)
    }

    /// As messages name it: `[schema] name`.
    pub(crate) fn title(&self) -> String {
        title(&self.schema, &self.name)
    }

    /// Whether Deckhand keeps its data as a secret.
    pub(crate) fn is_encrypted(&self) -> bool {
        is_encrypted(&self.schema, self.policy.as_deref())
    }

    pub(crate) fn layer_name(&self) -> &str {
        self.layer.as_ref().map_or("", Plain::text)
    }

    pub(crate) fn has_label(&self, pair: &(String, Plain)) -> bool {
        self.labels.contains(pair)
    }

    /// Its first line, the place for messages about it as a whole.
    pub(crate) fn start(&self) -> &Value<'_> {
        let first = self.value.children().iter().min_by_key(|entry| entry.line());
        first.unwrap_or(&self.value)
    }

    /// What stands under a path of keys, or what is nearest to it: the place for messages about that.
    pub(crate) fn place(&self, path: &[&str]) -> &Value<'_> {
        (0..=path.len()).rev().find_map(|many| at(&self.value, &path[..many])).unwrap_or(&self.value)
    }
}

fn title(schema: &str, name: &str) -> String {
    format!("[{}] {}", visible(schema), visible(name))
}

const DEFINITION: [&str; 2] = ["metadata", "layeringDefinition"];
const DEFINITION_KEYS: [&str; 4] = ["layer", "abstract", "parentSelector", "actions"];
const METADATA_KEYS: [&str; 7] =
    ["schema", "name", "labels", "storagePolicy", "replacement", "layeringDefinition", "substitutions"];

/// What every document has: its schema, its name, and whether it is a control document. Nothing where that is missing,
/// which is told.
fn essentials(value: &Value<'_>, problems: &mut Problems<'_>) -> Option<(String, String, bool)> {
    let first = value.children().first().unwrap_or(value);
    if !value.is_map() {
        let error = problems.at(first, "this document is not a map");
        problems.tell(first, error.help("a document has `schema`, `metadata` and `data`"));
        return None;
    }
    let text = |path: &[&str]| at(value, path).and_then(|value| Some(value.scalar()?.text.to_string()));
    let is_control = text(&["metadata", "schema"]).is_some_and(|schema| schema.starts_with("metadata/Control"));
    let (schema, mut name) = (text(&["schema"]), text(&["metadata", "name"]));
    if is_control {
        name.get_or_insert_default();
    }
    for (what, missing) in [("schema", schema.is_none()), ("metadata.name", name.is_none())] {
        if missing {
            let error = problems.at(first, format!("this document has no `{what}`"));
            problems.tell(first, hint_of_key(error, value, what, problems));
        }
    }
    Some((schema?, name?, is_control))
}

/// Reads a document; nothing where it lacks what every document needs.
pub(crate) fn read<'a>(mut value: Value<'a>, problems: &mut Problems<'_>) -> Option<Document<'a>> {
    let (schema, name, is_control) = essentials(&value, problems)?;
    let policy =
        at(&value, &["metadata", "storagePolicy"]).and_then(Value::scalar).map(|policy| policy.text.to_string());
    let is_encrypted = is_encrypted(&schema, policy.as_deref());
    if let Some(data) = value.get_mut("data").filter(|_| is_encrypted) {
        data.hide();
    }
    let whose = title(&schema, &name);
    let layer = at(&value, &["metadata", "layeringDefinition", "layer"]).filter(|layer| is_truthy(layer));
    let mut pairs = |path: &[&str]| pairs(&value, path, &whose, problems);
    let labels = pairs(&["metadata", "labels"]);
    let mut selector = pairs(&["metadata", "layeringDefinition", "parentSelector"])?;
    selector.sort();
    warn_of_keys(&value, &["metadata"], &METADATA_KEYS, problems);
    warn_of_keys(&value, &DEFINITION, &DEFINITION_KEYS, problems);
    let items = |path: &[&str]| at(&value, path).map_or(&[][..], Value::children);
    let substitutions = items(&["metadata", "substitutions"]).iter();
    let flag = |path: &[&str]| at(&value, path).and_then(|value| value.kind(Schema::Yaml11)) == Some(Type::Bool(true));
    Some(Document {
        schema,
        name,
        layer: layer.and_then(Plain::of),
        is_abstract: flag(&["metadata", "layeringDefinition", "abstract"]),
        is_replacement: flag(&["metadata", "replacement"]),
        is_control,
        policy,
        labels: labels?,
        selector,
        actions: items(&["metadata", "layeringDefinition", "actions"]).to_vec(),
        substitutions: substitutions.filter_map(|item| Substitution::read(item, &whose, problems)).collect(),
        value,
    })
}

/// What stands under a path of keys.
pub(crate) fn at<'v, 'a>(value: &'v Value<'a>, path: &[&str]) -> Option<&'v Value<'a>> {
    path.iter().try_fold(value, |value, key| value.get(key))
}

/// What Python takes for true.
pub(super) fn is_truthy(value: &Value<'_>) -> bool {
    match value.kind(Schema::Yaml11) {
        None => !value.children().is_empty(),
        Some(Type::Null | Type::Bool(false) | Type::Int(0)) => false,
        Some(Type::Text) => value.scalar().is_some_and(|scalar| !scalar.text.is_empty()),
        Some(_) => true,
    }
}

fn hint_of_key(
    error: crate::text::error::Error,
    value: &Value<'_>,
    key: &str,
    problems: &Problems<'_>,
) -> crate::text::error::Error {
    let names = value.children().iter().map(Value::name);
    match problems.near(key, names) {
        Some(near) => error.help(format!("is `{}` meant to be it?", visible(near))),
        None => error,
    }
}

/// Labels or a selector; nothing where one of them cannot be compared.
fn pairs(value: &Value<'_>, path: &[&str], whose: &str, problems: &mut Problems<'_>) -> Option<Vec<(String, Plain)>> {
    let Some(map) = at(value, path).filter(|map| is_truthy(map)) else { return Some(Vec::new()) };
    let name = path.last().copied().unwrap_or_default();
    if !map.is_map() {
        let error = problems.at(map, format!("`{name}` of {whose} is no map of labels"));
        problems.tell(map, error);
        return None;
    }
    let mut all = Some(Vec::new());
    for entry in map.children() {
        if let Some(label) = Plain::of(entry) {
            if let Some(all) = &mut all {
                all.push((entry.name().to_owned(), label));
            }
        } else {
            let what = format!("`{}` in `{name}` of {whose} has no plain value", visible(entry.name()));
            let error = problems.at(entry, what).help("labels are compared as a whole: write a text or a number");
            problems.tell(entry, error);
            all = None;
        }
    }
    all
}

/// A key that nothing reads is no error to Deckhand's engine; where it is one misspelt, it is worth a word.
fn warn_of_keys(value: &Value<'_>, path: &[&str], known: &[&str], problems: &mut Problems<'_>) {
    for entry in at(value, path).map_or(&[][..], Value::children) {
        if known.contains(&entry.name()) {
            continue;
        }
        if let Some(near) = problems.near(entry.name(), known.iter().copied()) {
            let what = format!("nothing reads the key `{}`, did you mean `{near}`?", visible(entry.name()));
            problems.warn(entry, &what);
        }
    }
}

/// Of each document the first one with its identity, which is the one that is rendered.
pub(crate) fn firsts(documents: &[Document<'_>], problems: &mut Problems<'_>) -> Vec<usize> {
    let mut known: HashMap<Identity<'_>, usize> = HashMap::new();
    let mut firsts = Vec::with_capacity(documents.len());
    for (at, document) in documents.iter().enumerate() {
        let first = *known.entry(document.identity()).or_insert(at);
        if first != at {
            let place = problems.place(documents[first].start());
            let what = format!("{} is here a second time, the one in {place} counts", document.title());
            problems.warn(document.start(), &what);
        }
        firsts.push(first);
    }
    firsts
}
