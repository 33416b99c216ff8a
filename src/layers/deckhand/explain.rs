//! Where each value of the rendered documents comes from: file, line, document, and what put it there.

use std::fmt::Write as _;

use serde::Serialize;

use super::Set;
use super::path::{Path, Step, item_step, key_step};
use crate::layers::values::Leaf;
use crate::report::secrets::Secrets;
use crate::text::error::visible;
use crate::text::masking::MASK;
use crate::yaml::path::Step as Plain;

/// A document that was rendered, value by value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Explained {
    /// The schema of the document.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// The layer that it is in.
    pub layer: Option<String>,
    /// Its values, in the order of its text.
    pub values: Vec<Supplied>,
}

/// Who supplied a value of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Supplied {
    /// Where it is, from the data of the document on.
    pub path: String,
    /// A scalar as its text, an empty collection as `{}` or `[]`.
    pub value: String,
    /// The file; nothing for what was made on the way.
    pub file: Option<String>,
    /// The line there, from 1.
    pub line: Option<usize>,
    /// The document that has it there.
    pub document: Option<String>,
    /// The layer of that document.
    pub layer: Option<String>,
    /// The action or substitution that put it where it is; nothing for what is the document's own, or inherited as it was.
    pub rule: Option<String>,
}

impl Set<'_> {
    /// Explains the values of some documents. Control documents pass as they are, and need no words.
    pub(crate) fn explained(&self, chosen: &[usize], secrets: &Secrets) -> Vec<Explained> {
        let starts = self.starts();
        let layered = chosen.iter().filter(|&&at| !self.documents[at].is_control);
        let one = |&at: &usize| {
            let document = &self.documents[at];
            let leaves = self.data_of(at).map(|data| data.leaves(Vec::new())).unwrap_or_default();
            Explained {
                schema: document.schema.clone(),
                name: document.name.clone(),
                layer: document.layer.as_ref().map(|layer| layer.text().to_owned()),
                values: leaves
                    .iter()
                    .map(|leaf| supplied(self, &starts, leaf, &shown(document, leaf, secrets)))
                    .collect(),
            }
        };
        layered.map(one).collect()
    }

    /// Where documents start: file and line, in order.
    fn starts(&self) -> Vec<(usize, usize, usize)> {
        let start = |(at, document): (usize, &super::Document<'_>)| {
            (document.value.origin.layer.unwrap_or_default(), document.start().line(), at)
        };
        let mut starts: Vec<_> = self.documents.iter().enumerate().map(start).collect();
        starts.sort_unstable();
        starts
    }
}

/// A value as it may be shown. All data of an encrypted document are secret, and what other documents have of them.
fn shown(document: &super::Document<'_>, leaf: &Leaf<'_, '_>, secrets: &Secrets) -> String {
    if (document.is_encrypted() && secrets.by_name()) || leaf.is_hidden(secrets) {
        return MASK.to_owned();
    }
    let whole = [&[Plain::Key("data".to_owned())], &leaf.path.0[..]].concat();
    secrets.shown(&crate::yaml::path::Path(whole), &leaf.text())
}

fn supplied(set: &Set<'_>, starts: &[(usize, usize, usize)], leaf: &Leaf<'_, '_>, value: &str) -> Supplied {
    let origin = &leaf.value.origin;
    let from = origin.layer.and_then(|file| {
        let behind = starts.partition_point(|start| (start.0, start.1) <= (file, leaf.value.line()));
        let (other, _, at) = *starts.get(behind.checked_sub(1)?)?;
        (other == file).then(|| &set.documents[at])
    });
    let file = origin.layer.and_then(|file| set.files.get(file));
    Supplied {
        path: Path(leaf.path.0.iter().filter_map(step).collect()).to_string(),
        value: value.to_owned(),
        file: file.map(|file| file.name.clone()),
        line: file.map(|_| leaf.value.line()),
        document: from.map(|document| document.name.clone()),
        layer: from.and_then(|document| Some(document.layer.as_ref()?.text().to_owned())),
        rule: leaf.rule.map(str::to_owned),
    }
}

fn step(step: &Plain) -> Option<Step> {
    match step {
        Plain::Key(name) => Some(key_step(name)),
        Plain::Item(at) => Some(item_step(*at)),
        Plain::Document(_) => None,
    }
}

/// The same as lines for people.
pub(crate) fn lines(all: &[Explained]) -> String {
    let mut out = String::new();
    for (at, document) in all.iter().enumerate() {
        let blank = if at > 0 { "\n" } else { "" };
        let layer = document.layer.as_ref().map_or_else(String::new, |layer| format!(" ({})", visible(layer)));
        let _ = writeln!(out, "{blank}[{}] {}{layer}", visible(&document.schema), visible(&document.name));
        document.values.iter().for_each(|value| value.write(&mut out));
    }
    out
}

impl Supplied {
    fn write(&self, out: &mut String) {
        let place = match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => "made on the way".to_owned(),
        };
        let words = [&self.layer, &self.document].into_iter().flatten().map(|word| visible(word)).collect::<Vec<_>>();
        let _ = writeln!(out, "  {} = {}", visible(&self.path), visible(&self.value));
        let _ = write!(out, "      {}", visible(&place));
        if !words.is_empty() {
            let _ = write!(out, "  {}", words.join(" "));
        }
        if let Some(rule) = &self.rule {
            let _ = write!(out, "  {}", visible(rule));
        }
        out.push('\n');
    }
}
