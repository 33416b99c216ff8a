//! Whether two values mean the same, and where they part.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::{Content, Scalar, Schema, Type, Value};
use crate::yaml::path::{Path, Step};

/// Whether two values mean the same: scalars by their text and whether they are text, maps whatever the order of their
/// keys. Comments and styles do not matter.
pub(crate) fn same(a: &Value<'_>, b: &Value<'_>) -> bool {
    part(a, b, &mut Vec::new()).is_none()
}

/// A number that is the same for values that mean the same, and rarely for others.
pub(crate) fn meaning(value: &Value<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    match &value.content {
        Content::Scalar(scalar) if scalar.kind(Schema::Core) == Type::Null => 0.hash(&mut hasher),
        Content::Scalar(scalar) => (1, &scalar.text, &scalar.tag).hash(&mut hasher),
        Content::Map(entries) => {
            let entry = |entry: &Value<'_>| {
                let mut hasher = DefaultHasher::new();
                (entry.name(), meaning(entry)).hash(&mut hasher);
                hasher.finish()
            };
            // Whatever their order.
            let sum = entries.iter().map(entry).fold(0, u64::wrapping_add);
            (2, sum).hash(&mut hasher);
        }
        Content::List(items) => (3, items.iter().map(meaning).collect::<Vec<_>>()).hash(&mut hasher),
    }
    hasher.finish()
}

/// Where two values part.
pub(crate) fn difference(a: &Value<'_>, b: &Value<'_>) -> Option<Path> {
    let mut way = Vec::new();
    part(a, b, &mut way).map(|()| Path(way))
}

/// Some where they part; the way there is left behind then.
fn part(a: &Value<'_>, b: &Value<'_>, way: &mut Vec<Step>) -> Option<()> {
    if a.tag() != b.tag() {
        return Some(());
    }
    match (&a.content, &b.content) {
        (Content::Scalar(a), Content::Scalar(b)) => (!same_scalar(a, b)).then_some(()),
        (Content::Map(_), Content::Map(_)) => part_of_maps(a, b, way),
        (Content::List(_), Content::List(_)) => {
            let (a, b) = (a.children(), b.children());
            let parted = a.iter().zip(b).enumerate().find_map(|(at, (a, b))| step(Step::Item(at), a, b, way));
            parted.or_else(|| (a.len() != b.len()).then_some(()))
        }
        _ => Some(()),
    }
}

fn part_of_maps(a: &Value<'_>, b: &Value<'_>, way: &mut Vec<Step>) -> Option<()> {
    let theirs: HashMap<_, _> = b.children().iter().map(|entry| (entry.name(), entry)).collect();
    for entry in a.children() {
        let name = || Step::Key(entry.name().to_owned());
        let Some(other) = theirs.get(entry.name()) else {
            way.push(name());
            return Some(());
        };
        if step(name(), entry, other, way).is_some() {
            return Some(());
        }
    }
    (a.children().len() != theirs.len()).then_some(())
}

fn step(step: Step, a: &Value<'_>, b: &Value<'_>, way: &mut Vec<Step>) -> Option<()> {
    way.push(step);
    let parted = part(a, b, way);
    if parted.is_none() {
        way.pop();
    }
    parted
}

/// The same text, or null both, however that is written.
fn same_scalar(a: &Scalar<'_>, b: &Scalar<'_>) -> bool {
    let null = |scalar: &Scalar<'_>| scalar.kind(Schema::Core) == Type::Null;
    a.same(b) || null(a) && null(b)
}
