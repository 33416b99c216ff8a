//! The `LayeringPolicy`: which layers there are, the most general first.

use super::known::{Extent, Known};
use std::collections::{HashMap, HashSet};

use super::documents::{Document, at};
use super::problems::Problems;
use crate::layers::python::Plain;
use crate::layers::values::Value;
use crate::text::error::visible;

/// The layers in order.
#[derive(Debug, Default)]
pub(crate) struct Order {
    /// As the policy names them, twice what it names twice.
    pub(crate) layers: Vec<Plain>,
    /// The first position of each.
    ranks: HashMap<Plain, usize>,
}

const POLICY: &str = "deckhand/LayeringPolicy";

impl Order {
    /// How far down a layer is; nothing for one that the policy does not name.
    pub(crate) fn rank(&self, layer: &Plain) -> Option<usize> {
        self.ranks.get(layer).copied()
    }

    fn of(layers: Vec<Plain>) -> Self {
        let ranks = layers.iter().enumerate().rev().map(|(at, layer)| (layer.clone(), at)).collect();
        Self { layers, ranks }
    }
}

/// The order of the first policy; nothing where there is none, or none that can be used.
pub(crate) fn order(known: Known<'_, '_>, problems: &mut Problems<'_>) -> Option<Order> {
    let documents = known.documents;
    let mut policies = documents.iter().filter(|document| document.schema.starts_with(POLICY));
    let Some(policy) = policies.next() else {
        if known.extent == Extent::All {
            missing(documents, problems);
        }
        return None;
    };
    for other in policies {
        let what = format!("{} is another layering policy, {} counts", other.title(), policy.title());
        problems.warn(other.start(), &what);
    }
    let place = policy.place(&["data", "layerOrder"]);
    let layered = documents.iter().any(|document| document.layer.is_some());
    let list = at(&policy.value, &["data", "layerOrder"]).filter(|list| list.is_list());
    let layers: Vec<_> = list.map_or(&[][..], Value::children).iter().filter_map(Plain::of).collect();
    if layers.is_empty() && layered {
        let what = format!("{} names no layers, and there are documents with one", policy.title());
        let keys = policy.place(&["data"]).children().iter().filter(|entry| entry.name() != "layerOrder");
        let help = match problems.near("layerOrder", keys.map(Value::name)) {
            Some(near) => format!("is `{}` meant to be `layerOrder`?", visible(near)),
            None => "write them under `data`, the most general first: layerOrder: [global, site]".to_owned(),
        };
        problems.tell(place, problems.at(place, what).help(help));
        return None;
    }
    if known.reading.is_documented() {
        refuse_repeated(policy, place, problems);
    }
    Some(Order::of(layers))
}

fn missing(documents: &[Document<'_>], problems: &mut Problems<'_>) {
    let near = documents.iter().find(|document| problems.near(POLICY, [&*document.schema]).is_some());
    let help = "one document of a set says which layers there are: schema: deckhand/LayeringPolicy/v1";
    match near.or(documents.first()) {
        Some(document) => {
            let place = if near.is_some() { document.place(&["schema"]) } else { document.start() };
            let error = problems.at(place, "there is no layering policy");
            let misspelt = format!("is `{}` meant to be `{POLICY}/v1`?", visible(&document.schema));
            problems.tell(place, error.help(if near.is_some() { misspelt } else { help.to_owned() }));
        }
        None => problems.tell_file(0, crate::text::error::Error::input("there is no layering policy").help(help)),
    }
}

fn refuse_repeated(policy: &Document<'_>, list: &Value<'_>, problems: &mut Problems<'_>) {
    let mut known = HashSet::new();
    for item in list.children() {
        if let Some(layer) = Plain::of(item).filter(|layer| !known.insert(layer.clone())) {
            let what = format!("{} names the layer `{}` a second time", policy.title(), visible(layer.text()));
            let error = problems.at(item, what).help("take one of them out: a layer is above another or below it");
            problems.tell(item, error);
        }
    }
}

/// Tells of all documents whose layer the policy does not name; how far down each of the others is.
pub(crate) fn ranks(documents: &[Document<'_>], order: &Order, problems: &mut Problems<'_>) -> Vec<Option<usize>> {
    let rank = |document: &Document<'_>| {
        let layer = document.layer.as_ref()?;
        let rank = order.rank(layer);
        if rank.is_none() {
            let place = document.place(&["metadata", "layeringDefinition", "layer"]);
            let what = format!("the layer `{}` of {} is none of the policy's", visible(layer.text()), document.title());
            let hint = problems.hint(layer.text(), order.layers.iter().map(Plain::text));
            let error = problems.at(place, what).help(hint);
            problems.tell(place, error);
        }
        rank
    };
    documents.iter().map(rank).collect()
}
