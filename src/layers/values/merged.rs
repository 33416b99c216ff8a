//! What a merge of layers comes to: a text, and for each of its values who supplied it.

use std::fmt::Write as _;

use serde::Serialize;

use super::leaves::Leaf;
use super::{Layer, Style, Value, write};
use crate::report::secrets::Secrets;
use crate::text::error::{Error, visible};
use crate::yaml::path::{Path, Step};
use crate::yaml::tree::Line;

/// The result of a merge.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    pub(crate) text: String,
    /// Who supplied each value, in the order of the text.
    supplied: Vec<(Path, Supplied)>,
    /// What was passed over, one line each: `file:line: what`.
    pub(crate) warnings: Vec<String>,
}

/// Who supplied a value, and by which rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Supplied {
    /// In the result.
    pub(crate) path: String,
    /// A scalar as its text, a collection as `{}` or `[]`.
    pub(crate) value: String,
    /// The layer; nothing for what no layer has.
    pub(crate) file: Option<String>,
    pub(crate) line: usize,
    /// The rule that decided, where there was something to decide.
    pub(crate) rule: Option<String>,
}

impl Merged {
    /// Writes documents made of layers; `below` stands behind the last of them.
    ///
    /// # Errors
    /// A text that means something else, which is a bug of yamlift.
    pub(crate) fn of<'a>(
        documents: &[Value<'a>],
        below: &[Line<'a>],
        style: Style,
        layers: &[Layer],
    ) -> Result<Self, Error> {
        let text = write(documents, below, style)?;
        let mut supplied = Vec::new();
        for (at, document) in documents.iter().enumerate() {
            let steps = if documents.len() > 1 { vec![Step::Document(at)] } else { Vec::new() };
            supplied.extend(document.leaves(steps).into_iter().map(|leaf| told(leaf, layers)));
        }
        Ok(Self { text, supplied, warnings: Vec::new() })
    }

    /// Leaves out who supplied each value.
    pub(crate) fn forget_suppliers(&mut self) {
        self.supplied = Vec::new();
    }

    /// How much memory it takes, about.
    pub(crate) fn size(&self) -> usize {
        let of = |(path, told): &(Path, Supplied)| {
            let texts = [Some(&told.path), Some(&told.value), told.file.as_ref(), told.rule.as_ref()];
            let steps = path.0.len() * size_of::<Step>() + told.path.len();
            size_of::<(Path, Supplied)>() + steps + texts.into_iter().flatten().map(String::len).sum::<usize>()
        };
        self.text.len() + self.supplied.iter().map(of).sum::<usize>()
    }

    /// Who supplied each value, with what is secret masked.
    pub(crate) fn supplied(&self, secrets: &Secrets) -> Vec<Supplied> {
        let told = self
            .supplied
            .iter()
            .map(|(path, told)| Supplied { value: secrets.shown(path, &told.value), ..told.clone() });
        told.collect()
    }
}

fn told(leaf: Leaf<'_, '_>, layers: &[Layer]) -> (Path, Supplied) {
    let told = Supplied {
        path: leaf.path.to_string(),
        value: leaf.text(),
        file: leaf.value.origin.layer.and_then(|at| layers.get(at)).map(|layer| layer.name.clone()),
        line: leaf.value.origin.line,
        rule: leaf.rule.map(str::to_owned),
    };
    (leaf.path, told)
}

/// Who supplied each value, as lines for people: the value, and below it file, line and rule.
pub(crate) fn explained(supplied: &[Supplied]) -> String {
    let mut out = String::new();
    for told in supplied {
        let path = if told.path.is_empty() { "." } else { &told.path };
        let place = told.file.as_ref().map_or_else(|| "no layer".to_owned(), |file| format!("{file}:{}", told.line));
        let rule = told.rule.as_ref().map_or_else(String::new, |rule| format!("  {rule}"));
        let _ = writeln!(out, "{} = {}", visible(path), visible(&told.value));
        let _ = writeln!(out, "    {}{}", visible(&place), visible(&rule));
    }
    out
}
