//! Rules that a user wrote, for files of their own (`docs/merge-rules.md`), and presets in the same words.
//!
//! The words are those of [`fold`](super::fold); which of them holds at a path, a rules file says.

mod dotted;
mod file;
mod knockout;
mod lookup;
mod presets;
mod profile;
mod tags;

use self::file::Rules;
pub(crate) use self::presets::{preset, presets};
use self::profile::Profiles;
use super::fold::{Fold, Null, Refused};
use crate::layers::values::{Layer, Merged, Schema, Style, Value, join_behind};
use crate::text::error::{Error, visible};
use crate::yaml::path::Step;
use crate::yaml::pattern::Pattern;
use crate::yaml::reference::Duplicates;
use crate::yaml::tree::Line;

/// What is to be known besides the rules.
#[derive(Debug, Clone, Default)]
pub(crate) struct Given {
    /// What becomes of lists: `WORD`, or `PATH=WORD`; it counts before the rules.
    pub(crate) lists: Vec<String>,
    /// The profiles whose documents count: `NAME`, or several with commas.
    pub(crate) profiles: Vec<String>,
}

/// Merges layers, later ones on top, by the rules in a file or of a preset.
///
/// # Errors A rules file that is not as `docs/merge-rules.md` has it, a layer of several documents, values of different
/// kinds where the rules refuse them, what the rules of a layer itself cannot say.
pub(crate) fn merge(layers: &[Layer], rules: &Layer, given: &Given) -> Result<Merged, Error> {
    let mut rules = Rules::read(rules)?;
    given.lists.iter().try_for_each(|said| rules.say_of_lists(said))?;
    let mut profiles = rules.profiles(&given.profiles)?;
    let Files { mut documents, below, style } = rules.files(layers, &mut profiles)?;
    rules.take_options(&mut documents, layers)?;
    let result = rules.fold_all(documents, layers)?;
    result.iter().try_for_each(|result| rules.refuse_twins(result, layers))?;
    let mut merged = Merged::of(result.as_slice(), &below, style, layers)?;
    merged.warnings = profiles.unknown(layers);
    Ok(merged)
}

/// What the files hold.
#[derive(Default)]
struct Files<'a> {
    documents: Vec<Value<'a>>,
    below: Vec<Line<'a>>,
    style: Style,
}

/// Which layers meet, where nulls of the later ones are about the first alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Later,
    Last,
}

impl Rules {
    fn files<'a>(&self, layers: &'a [Layer], profiles: &mut Profiles) -> Result<Files<'a>, Error> {
        let mut files = Files::default();
        for (number, layer) in layers.iter().enumerate() {
            let read = layer.read(number, Duplicates::Refused)?;
            if let Some(second) = read.documents.get(1).filter(|_| !self.each_document) {
                let error = layer.error("this layer has a second document, and only one can be merged", second.line());
                return Err(error.help("merge each document on its own"));
            }
            if files.below.is_empty() {
                files.below = read.below;
            } else {
                join_behind(&mut files.below, &read.below);
            }
            for document in read.documents {
                self.refuse_no_map(&document, layer)?;
                if let Some(document) = self.active(document, layer, profiles)? {
                    if files.documents.is_empty() {
                        files.style = layer.style()?;
                    }
                    files.documents.push(document);
                }
            }
        }
        Ok(files)
    }

    /// The files of a system have keys; only any files may be anything.
    fn refuse_no_map(&self, document: &Value<'_>, layer: &Layer) -> Result<(), Error> {
        let is_system = preset(&self.name).is_some() && self.name != "overlay";
        if !is_system || document.is_map() || document.is_null() {
            return Ok(());
        }
        let kind = document.kind_name(Schema::Core);
        let error = layer.error(format!("a file for {} is a map, and this is {kind}", self.name), document.line());
        Err(error.help("it starts with a key, or name a file with rules of your own"))
    }

    fn fold_all<'a>(&self, documents: Vec<Value<'a>>, layers: &[Layer]) -> Result<Option<Value<'a>>, Error> {
        let mut documents = documents.into_iter();
        let Some(mut first) = documents.next() else { return Ok(None) };
        self.tags.take_out(&mut first);
        let waits = self.deletes_default();
        let mut later: Option<Value<'a>> = None;
        for mut document in documents {
            self.drop_own(&mut document);
            match &mut later {
                _ if document.is_null() => {}
                None if waits => later = Some(document),
                Some(later) => self.lay_over(later, document, (layers, Stage::Later))?,
                None => self.lay_over(&mut first, document, (layers, Stage::Last))?,
            }
        }
        if let Some(later) = later {
            self.lay_over(&mut first, later, (layers, Stage::Last))?;
        }
        Ok(Some(first))
    }

    /// Takes out what is the first layer's alone.
    fn drop_own(&self, document: &mut Value<'_>) {
        if self.own.iter().any(|own| own.names(&[])) {
            *document = Value::null();
        } else if !self.own.is_empty() {
            without(document, &mut Vec::new(), &self.own);
        }
    }

    fn lay_over<'a>(
        &self,
        result: &mut Value<'a>,
        mut layer: Value<'a>,
        (layers, stage): (&[Layer], Stage),
    ) -> Result<(), Error> {
        let number = layer.origin.layer;
        self.tags.lay_over(result, &mut layer);
        let policy = |way: &[Step]| {
            let mut policy = self.policy(way);
            if stage == Stage::Later && policy.null == Null::DeletesThere {
                policy.null = Null::Value;
            }
            policy
        };
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
    let help = match preset(rules) {
        Some(_) => "write both in the same form".to_owned(),
        None => {
            format!("write both in the same form, or say `other kind: replace` or `keep` for this path in {rules}")
        }
    };
    error.help(help)
}
