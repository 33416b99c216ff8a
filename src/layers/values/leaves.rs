//! The values that a text spells out: each scalar and each empty collection, with the rule that put it there.

use super::{Content, Value};
use crate::report::secrets::Secrets;
use crate::yaml::path::{Path, Step};

/// A scalar or an empty collection of a document.
pub(crate) struct Leaf<'v, 'a> {
    pub(crate) path: Path,
    pub(crate) value: &'v Value<'a>,
    /// The rule of the value, or of the nearest above it that has one.
    pub(crate) rule: Option<&'v str>,
}

impl Leaf<'_, '_> {
    /// Whether it is secret by its path or by the document that it comes from.
    pub(crate) fn is_hidden(&self, secrets: &Secrets) -> bool {
        (secrets.by_name() && self.value.origin.is_secret) || secrets.is_secret(&self.path)
    }

    /// A scalar as its text, an empty collection as `{}` or `[]`.
    pub(crate) fn text(&self) -> String {
        match self.value.content() {
            Content::Scalar(scalar) => scalar.text.to_string(),
            Content::Map(_) => "{}".to_owned(),
            Content::List(_) => "[]".to_owned(),
        }
    }
}

impl<'a> Value<'a> {
    /// All leaves of a document in their order; `start` is what their paths start with.
    pub(crate) fn leaves(&self, start: Vec<Step>) -> Vec<Leaf<'_, 'a>> {
        let mut found = Vec::new();
        collect(self, None, &mut Path(start), &mut found);
        found
    }
}

fn collect<'v, 'a>(value: &'v Value<'a>, above: Option<&'v str>, path: &mut Path, found: &mut Vec<Leaf<'v, 'a>>) {
    let rule = value.origin.rule.as_deref().or(above);
    for (at, child) in value.children().iter().enumerate() {
        path.0.push(if value.is_map() { Step::Key(child.name().to_owned()) } else { Step::Item(at) });
        collect(child, rule, path, found);
        path.0.pop();
    }
    if value.children().is_empty() {
        found.push(Leaf { path: path.clone(), value, rule });
    }
}
