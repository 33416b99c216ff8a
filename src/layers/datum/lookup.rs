//! The layers, and what they have at a path.

use std::collections::{HashMap, HashSet};

use crate::layers::reading::Reading;
use crate::layers::values::{Content, Layer, Read, Value};
use crate::text::error::{Error, visible};
use crate::yaml::reference::Duplicates;
use crate::yaml::tree::Line;

/// The layers that hold anything, the least specific first.
pub(super) struct Stack<'a> {
    layers: Vec<Value<'a>>,
    /// Documents that hold nothing but comments.
    empty: Vec<Value<'a>>,
    below: Vec<Line<'a>>,
}

impl<'a> Stack<'a> {
    /// Reads the layers. Of several documents Datum reads the first.
    ///
    /// # Errors
    /// A layer that is not valid YAML, no map, or more than one document; keys that differ in upper and lower case only,
    /// of which Datum as shipped takes the last value.
    pub(super) fn read(layers: &'a [Layer], reading: Reading, warnings: &mut Vec<String>) -> Result<Self, Error> {
        let mut stack = Self { layers: Vec::new(), empty: Vec::new(), below: Vec::new() };
        for (number, layer) in layers.iter().enumerate() {
            let Read { documents, below, .. } = layer.read(number, Duplicates::Refused)?;
            let mut known: HashSet<String> = stack.below.iter().map(|line| line.trimmed().to_owned()).collect();
            let new = |line: &Line<'_>| {
                stack.layers.is_empty() || line.is_comment() && known.insert(line.trimmed().to_owned())
            };
            stack.below.extend(below.into_iter().filter(new));
            match single(documents, layer, reading, warnings)? {
                Some(document) if document.is_null() => stack.empty.push(document),
                Some(document) if !document.is_map() => {
                    return Err(layer.error("a layer has to be a map", document.line()));
                }
                Some(document) => stack.layers.push(without_twins(document, layer, reading, warnings)?),
                None => {}
            }
        }
        Ok(stack)
    }

    /// Layers that were read, the least specific first.
    pub(super) fn of(layers: Vec<Value<'a>>) -> Self {
        Self { layers, empty: Vec::new(), below: Vec::new() }
    }

    pub(super) fn general_first(&self) -> impl Iterator<Item = &Value<'a>> {
        self.layers.iter()
    }

    pub(super) fn specific_first(&self) -> impl Iterator<Item = &Value<'a>> {
        self.layers.iter().rev()
    }

    /// What the layers have at the top, by names in small letters, the most specific first.
    pub(super) fn by_name(&self) -> HashMap<String, Vec<Value<'a>>> {
        let mut found: HashMap<String, Vec<Value<'a>>> = HashMap::new();
        for entry in self.specific_first().flat_map(Value::children) {
            found.entry(entry.name().to_lowercase()).or_default().push(entry.clone());
        }
        found
    }

    /// The least specific layer, with the comments around all of them.
    pub(super) fn base(&self) -> Value<'a> {
        let mut layers = self.layers.iter().chain(&self.empty);
        let mut base = layers.next().cloned().unwrap_or_else(|| Value::map().document());
        layers.for_each(|layer| base.gain_comments(layer));
        base
    }

    /// The comments behind the last value of each layer.
    pub(super) fn below(&self) -> Vec<Line<'a>> {
        self.below.clone()
    }
}

/// The one document of a layer.
///
/// # Errors
/// There are several; as shipped the first one counts.
pub(super) fn single<'a>(
    documents: Vec<Value<'a>>,
    layer: &Layer,
    reading: Reading,
    warnings: &mut Vec<String>,
) -> Result<Option<Value<'a>>, Error> {
    let mut documents = documents.into_iter();
    let first = documents.next();
    if let Some(second) = documents.next() {
        let what = "a layer is one document, and this is the second one";
        if reading.is_documented() {
            return Err(layer.error(what, second.line()).help("give each document a file of its own"));
        }
        warnings.push(format!("{}:{}: {what}: it is left out", layer.name, second.line()));
    }
    Ok(first)
}

/// A value without keys that differ in upper and lower case only: to PowerShell they are the same.
pub(super) fn without_twins<'a>(
    mut value: Value<'a>,
    layer: &Layer,
    reading: Reading,
    warnings: &mut Vec<String>,
) -> Result<Value<'a>, Error> {
    while let Some((way, first, last)) = twins(&value) {
        let Some(map) = inside(&mut value, &way) else { break };
        let Some(twin) = map.children().get(last).cloned() else { break };
        let Some(known) = map.children().get(first).map(|entry| entry.name().to_owned()) else { break };
        let (a, b) = (visible(&known), visible(twin.name()));
        let what = format!("key `{b}` is the same as `{a}`: upper and lower case do not matter to Datum");
        if reading.is_documented() {
            return Err(layer.error(what, twin.line()).help("remove one of them, or rename it"));
        }
        warnings.push(format!("{}:{}: {what}, the last one counts", layer.name, twin.line()));
        map.remove(last);
        if let Some(entry) = map.child_mut(first) {
            entry.replace(twin);
            *entry = entry.clone().under(known);
        }
    }
    Ok(value)
}

/// The way to a map with two keys that are the same, and where these stand.
fn twins(value: &Value<'_>) -> Option<(Vec<usize>, usize, usize)> {
    let mut known = HashMap::new();
    for (at, entry) in value.children().iter().enumerate() {
        if value.is_map()
            && let Some(first) = known.insert(entry.name().to_lowercase(), at)
        {
            return Some((Vec::new(), first, at));
        }
        if let Some((mut way, first, last)) = twins(entry) {
            way.insert(0, at);
            return Some((way, first, last));
        }
    }
    None
}

fn inside<'v, 'a>(value: &'v mut Value<'a>, way: &[usize]) -> Option<&'v mut Value<'a>> {
    way.iter().try_fold(value, |value, &at| value.child_mut(at))
}

/// The steps of a path: keys with `\` or `/` between them.
pub(super) fn steps(path: &str) -> Vec<&str> {
    path.split(['\\', '/']).filter(|step| !step.is_empty()).collect()
}

/// The entry of a map under a key, in whatever case it is written.
pub(super) fn child<'v, 'a>(map: &'v Value<'a>, name: &str) -> Option<&'v Value<'a>> {
    let same = |entry: &&Value<'_>| entry.name() == name || entry.name().to_lowercase() == name.to_lowercase();
    if map.is_map() { map.children().iter().find(same) } else { None }
}

/// What a layer has at a path. A list gives what its items have there, one list of all of them (PowerShell's member
/// enumeration).
pub(super) fn find<'a>(value: &Value<'a>, way: &[&str]) -> Option<Value<'a>> {
    let Some((step, rest)) = way.split_first() else { return Some(value.clone()) };
    match value.content() {
        Content::Map(_) => find(child(value, step)?, rest),
        Content::List(items) => find(&members(items, step)?, rest),
        Content::Scalar(_) => None,
    }
}

fn members<'a>(items: &[Value<'a>], step: &str) -> Option<Value<'a>> {
    let mut all = Value::list();
    for member in items.iter().filter_map(|item| child(item, step)) {
        all.origin = member.origin.clone();
        if member.is_list() {
            member.children().iter().cloned().for_each(|item| all.push(item));
        } else {
            all.push(member.clone().item());
        }
    }
    (!all.children().is_empty()).then_some(all)
}

/// Other entries or items in the place of those of a collection.
pub(super) fn refill<'a>(collection: &mut Value<'a>, children: Vec<Value<'a>>) {
    if let Some(old) = collection.children_mut() {
        old.clear();
    }
    for child in children {
        collection.push(child);
    }
}
