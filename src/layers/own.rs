//! Rules that a user wrote, for files of their own (`docs/merge-rules.md`).
//!
//! The words are those of [`fold`](super::fold); which of them holds at a path, a rules file says.

mod file;

use self::file::Rules;
use super::fold::{Fold, Null, Refused};
use crate::layers::values::{Layer, Merged, Schema, Style, Value, join_behind};
use crate::text::error::{Error, visible};
use crate::yaml::path::Step;
use crate::yaml::pattern::Pattern;
use crate::yaml::reference::Duplicates;
use crate::yaml::tree::Line;

/// Merges layers, later ones on top, by the rules in a file.
///
/// # Errors A rules file that is not as `docs/merge-rules.md` has it, a layer of several documents, values of different
/// kinds where the rules refuse them.
pub(crate) fn merge(layers: &[Layer], rules: &Layer) -> Result<Merged, Error> {
    let rules = Rules::read(rules)?;
    let mut result: Option<Value<'_>> = None;
    let mut below: Vec<Line<'_>> = Vec::new();
    let mut style = Style::default();
    for (number, layer) in layers.iter().enumerate() {
        let mut read = layer.read(number, Duplicates::Refused)?;
        if let Some(second) = read.documents.get(1) {
            let error = layer.error("this layer has a second document, and only one can be merged", second.line());
            return Err(error.help("merge each document on its own"));
        }
        if below.is_empty() {
            below = read.below;
        } else {
            join_behind(&mut below, &read.below);
        }
        let Some(document) = read.documents.pop() else { continue };
        match &mut result {
            None => (result, style) = (Some(document), layer.style()?),
            Some(result) => rules.lay_over(result, document, layers)?,
        }
    }
    Merged::of(result.as_slice(), &below, style, layers)
}

impl Rules {
    fn lay_over<'a>(&self, result: &mut Value<'a>, mut layer: Value<'a>, layers: &[Layer]) -> Result<(), Error> {
        if self.own.iter().any(|own| own.names(&[])) || layer.is_null() {
            return Ok(());
        }
        if !self.own.is_empty() {
            without(&mut layer, &mut Vec::new(), &self.own);
        }
        let number = layer.origin.layer;
        let policy = |way: &[Step]| self.policy(way);
        let fold = Fold { schema: Schema::Core, policy: &policy };
        fold.fold(result, layer).map_err(|refused| error(&refused, layers, &self.name))?;
        if self.may_delete() {
            self.strip(result, &mut Vec::new(), number);
        }
        Ok(())
    }

    /// A null that deletes leaves nothing behind, also in a map that is new as a whole.
    fn strip(&self, value: &mut Value<'_>, way: &mut Vec<Step>, layer: Option<usize>) {
        each_child(value, way, &mut |child, way| {
            let is_new = child.is_null() && child.origin.layer == layer;
            !is_new || !matches!(way.last(), Some(Step::Key(_))) || self.policy(way).null != Null::Deletes
        });
    }
}

/// Takes out what is the first layer's alone.
fn without(value: &mut Value<'_>, way: &mut Vec<Step>, own: &[Pattern]) {
    each_child(value, way, &mut |_, way| !own.iter().any(|own| own.names(way)));
}

/// Keeps the children, at every depth, that a question about them and their paths says yes to.
fn each_child(value: &mut Value<'_>, way: &mut Vec<Step>, keep: &mut dyn FnMut(&Value<'_>, &[Step]) -> bool) {
    let is_map = value.is_map();
    let step = |at: usize, child: &Value<'_>| if is_map { Step::Key(child.name().to_owned()) } else { Step::Item(at) };
    value.retain(|at, child| {
        way.push(step(at, child));
        let kept = keep(child, way);
        way.pop();
        kept
    });
    for at in 0..value.children().len() {
        let Some(child) = value.child_mut(at).filter(|child| !child.children().is_empty()) else { continue };
        way.push(step(at, child));
        each_child(child, way, keep);
        way.pop();
    }
}

/// Two values of different kinds that the rules do not let meet.
fn error(refused: &Refused, layers: &[Layer], rules: &str) -> Error {
    let path = refused.path.to_string();
    let place = if path.is_empty() { "the top".to_owned() } else { format!("`{}`", visible(&path)) };
    let what = format!("{} meets {} at {place}", refused.new, refused.old);
    let word = refused.path.0.iter().rev().find_map(|step| match step {
        Step::Key(name) => Some(name.as_str()),
        _ => None,
    });
    let error = match refused.layer.and_then(|at| layers.get(at)) {
        Some(layer) => layer.error_about(what, refused.line, word.unwrap_or_default()),
        None => Error::input(what),
    };
    error.help(format!("write both in the same form, or say `other kind: replace` or `keep` for this path in {rules}"))
}
