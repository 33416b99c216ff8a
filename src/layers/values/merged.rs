//! What a merge of layers comes to: a text, and for each of its values who supplied it.

use std::fmt::Write as _;

use serde::Serialize;

use super::leaves::Leaf;
use super::{Layer, Style, Value, write};
use crate::report::secrets::Secrets;
use crate::text::error::{Error, visible};
use crate::yaml::path::{Path, Step};
use crate::yaml::tree::Line;

/// What the texts take that say who supplied a value, besides their letters.
const OF_SUPPLIERS: usize = 100;
/// What a step on the way to a value takes, besides its name.
const OF_A_STEP: usize = 2 * size_of::<Step>();

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
#[non_exhaustive]
pub struct Supplied {
    /// Where it is in the result.
    pub path: String,
    /// A scalar as its text, an empty collection as `{}` or `[]`.
    pub value: String,
    /// The name of the layer; nothing for what no layer has.
    pub file: Option<String>,
    /// Its line there, from 1; it means nothing without a layer.
    pub line: usize,
    /// The rule that decided, in words; nothing where there was nothing to decide.
    pub rule: Option<String>,
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
        let mut merged = Self::without_suppliers(documents, below, style)?;
        for (at, document) in documents.iter().enumerate() {
            let steps = if documents.len() > 1 { vec![Step::Document(at)] } else { Vec::new() };
            merged.supplied.extend(document.leaves(steps).into_iter().map(|leaf| told(leaf, layers)));
        }
        Ok(merged)
    }

    /// The same without who supplied each value.
    ///
    /// # Errors
    /// A text that means something else, which is a bug of yamlift.
    pub(crate) fn without_suppliers<'a>(
        documents: &[Value<'a>],
        below: &[Line<'a>],
        style: Style,
    ) -> Result<Self, Error> {
        Ok(Self { text: write(documents, below, style)?, ..Self::default() })
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

/// How much memory it takes, about, to say who supplied each value of a document.
pub(crate) fn size_of_suppliers(document: &Value<'_>, layers: &[Layer]) -> usize {
    size_of_inside(document, layers, (0, 0))
}

/// The same for a value; `way` is what the steps to it take, and the rule above it.
fn size_of_inside(value: &Value<'_>, layers: &[Layer], (way, above): (usize, usize)) -> usize {
    let rule = value.origin.rule.as_ref().map_or(above, |rule| rule.len());
    if value.children().is_empty() {
        let file = value.origin.layer.and_then(|at| layers.get(at)).map_or(0, |layer| layer.name.len());
        let text = value.scalar().map_or(0, |scalar| scalar.text.len());
        return OF_SUPPLIERS + size_of::<(Path, Supplied)>() + way + rule + file + text;
    }
    let below = |child: &Value<'_>| (way + OF_A_STEP + 2 * child.name().len(), rule);
    value.children().iter().map(|child| size_of_inside(child, layers, below(child))).sum()
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
