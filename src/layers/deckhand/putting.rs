//! Where the values of substitutions go.

use std::sync::Arc;

use super::documents::is_truthy;
use super::path::{Path, Step, To, Way, follow_mut};
use super::pattern;
use super::substitution::{Putting, Substitution, Target, kind, read_path};
use crate::layers::python;
use crate::layers::reading::Reading;
use crate::layers::values::{Schema, Value};
use crate::text::budget::Budget;
use crate::text::error::{Error, visible};

/// One place that a value is put to.
struct Place<'t, 'a> {
    target: &'t Target<'a>,
    path: Path,
    rule: Arc<str>,
}

impl Putting<'_> {
    /// Puts a value into the data of the document, at all places where it is to be.
    ///
    /// # Errors
    /// The first place where that cannot be.
    pub(super) fn put<'a>(
        &self,
        substitution: &Substitution<'a>,
        value: &Value<'a>,
        data: &mut Value<'a>,
    ) -> Result<(), Error> {
        for target in &substitution.targets {
            let path = read_path(&target.path, self.problems)?;
            let written = target.path.scalar().map_or("", |path| &*path.text);
            if !written.starts_with(['.', '$']) {
                let what = format!("the path `{}` does not start with a dot", visible(written));
                return Err(self
                    .problems
                    .at(&target.path, what)
                    .help("paths go from the data of the document: `.key`"));
            }
            let rule = format!("substitution into {path} by {} from {}", self.document.name, substitution.from());
            let place = Place { target, path, rule: rule.into() };
            match &target.pattern {
                Some(pattern) => self.put_text(&place, pattern, value, data)?,
                None => self.put_value(&place, value, data)?,
            }
        }
        Ok(())
    }

    fn put_value<'a>(&self, place: &Place<'_, 'a>, value: &Value<'a>, data: &mut Value<'a>) -> Result<(), Error> {
        let written = place.target.path.scalar().map_or("", |path| &*path.text);
        if self.reading.is_shipped() && place.path.is_root() && !matches!(written, "." | "$") {
            // The engine finds the root by `.$`, and changes nothing there.
            return Ok(());
        }
        self.count(place, value)?;
        let mut value = value.clone();
        // The collection itself is copied, what is inside of it is shared.
        value.origin.shared = 0;
        value.by_all(&place.rule);
        if place.path.is_root() && self.reading.is_shipped() && !value.is_map() && !is_truthy(&value) {
            let what =
                format!("nothing is put into {}: Deckhand takes this value for a failure", self.document.title());
            return Err(self.problems.at(&place.target.path, what));
        }
        if place.path.is_root() && data.is_map() && value.is_map() {
            for entry in value.into_children() {
                let name = entry.name().to_owned();
                data.set(&name, entry);
            }
            return Ok(());
        }
        for _ in place.path.ways(data).iter().skip(1).filter(|_| self.reading.is_shipped()) {
            self.count(place, &value)?;
        }
        write(&place.path, data, value, self.reading).map_err(|why| {
            let what = format!("nothing can be put at `{}` of {}: {why}", place.path, self.document.title());
            self.problems.at(&place.target.path, what)
        })
    }

    /// Counts a value that is put to a place.
    fn count(&self, place: &Place<'_, '_>, value: &Value<'_>) -> Result<(), Error> {
        value.count_copy(self.budget).map_err(|why| {
            let what = format!("too much is put at `{}` of {}: {why}", place.path, self.document.title());
            let help = "documents that take values from each other grow with each of them: take less";
            self.problems.at(&place.target.path, what).help(help)
        })
    }

    /// Puts the text of a value in the place of what a pattern finds.
    fn put_text<'a>(
        &self,
        place: &Place<'_, 'a>,
        pattern: &Value<'a>,
        value: &Value<'a>,
        data: &mut Value<'a>,
    ) -> Result<(), Error> {
        if value.scalar().is_none() && self.reading.is_documented() {
            let what = format!("{} cannot be put into a text", kind(value));
            return Err(self.problems.at(pattern, what).help("take one of its values: src has a `path`"));
        }
        let literal = pattern.as_text(Schema::Yaml11).unwrap_or_default();
        let (regex, by, rule) = (self.regex(pattern)?, python::text(value), Arc::clone(&place.rule));
        let with = Replacing { regex, literal, by, is_secret: value.hides(), rule, budget: self.budget };
        if self.reading.is_shipped() && place.target.depth.is_some() && place.path.first(data).is_none() {
            return self.put_value(place, &Value::map(), data);
        }
        let ways = self.ways(place, data)?;
        let Some(there) = ways.first().and_then(|way| follow_mut(data, way)) else { return Ok(()) };
        let replaced = match place.target.depth {
            // A text has nothing below it, and is taken itself.
            Some(depth) if there.scalar().is_none() => with.below(there, depth),
            _ => with.text(there),
        };
        replaced.map_err(|why| self.problems.at(pattern, visible(&why)))?;
        // The engine writes what it made of the first to all.
        let made = there.clone();
        for way in &ways[1..] {
            self.count(place, &made)?;
            if let Some(other) = follow_mut(data, way) {
                other.give_way_to(made.clone());
            }
        }
        Ok(())
    }

    /// The ways to a place where a text is, or where texts are below.
    fn ways(&self, place: &Place<'_, '_>, data: &Value<'_>) -> Result<Vec<Way>, Error> {
        let Place { target, path, .. } = place;
        let ways = path.ways(data);
        let at = |what: String| self.problems.at(&target.path, what);
        if ways.len() > 1 && self.reading.is_documented() {
            return Err(at(several(path, ways.len())));
        }
        match path.first(data) {
            None => {
                let hint = path.astray(data).map(|(name, keys)| self.problems.hint(name, keys));
                let error = at(format!("{} has no text at `{path}`", self.document.title()));
                Err(hint.into_iter().fold(error, Error::help))
            }
            Some(there) if needs_text(target, there) && there.as_text(Schema::Yaml11).is_none() => {
                let (whose, what) = (self.document.title(), kind(there));
                Err(at(format!("a pattern finds something in a text only, and {whose} has {what} at `{path}`")))
            }
            Some(_) => Ok(ways),
        }
    }
}

/// Whether a text is looked at itself, and not those below it.
fn needs_text(target: &Target<'_>, there: &Value<'_>) -> bool {
    target.depth.is_none() || there.scalar().is_some()
}

/// How texts are replaced.
struct Replacing<'r> {
    regex: fancy_regex::Regex,
    /// The pattern as it is written.
    literal: &'r str,
    by: String,
    /// Whether what is put in is secret.
    is_secret: bool,
    rule: Arc<str>,
    budget: &'r Budget,
}

impl Replacing<'_> {
    fn text(&self, value: &mut Value<'_>) -> Result<(), String> {
        let Some(text) = value.as_text(Schema::Yaml11) else { return Ok(()) };
        let new = pattern::replace_all(&self.regex, text, &self.by, self.budget)?;
        if new != text {
            let mut new = value.with_text(new);
            new.by_all(&self.rule);
            new.origin.is_secret |= self.is_secret;
            value.give_way_to(new);
        }
        Ok(())
    }

    /// The texts so many levels down. Only those that hold the pattern as it is written are looked at, as Deckhand does.
    fn below(&self, value: &mut Value<'_>, depth: i128) -> Result<(), String> {
        if depth == 0 {
            return Ok(());
        }
        for at in 0..value.children().len() {
            let Some(child) = value.child_mut(at) else { continue };
            match child.as_text(Schema::Yaml11) {
                Some(text) if text.contains(self.literal) => self.text(child)?,
                Some(_) => {}
                None => self.below(child, depth - 1)?,
            }
        }
        Ok(())
    }
}

/// Writes a value to all that a path leads to, or makes the place for it.
///
/// # Errors
/// In words, what is in the way. Only the engine as it is shipped writes to several places.
pub(super) fn write<'a>(path: &Path, data: &mut Value<'a>, value: Value<'a>, reading: Reading) -> Result<(), String> {
    let ways = path.ways(data);
    if !ways.is_empty() && is_in_vain(path, reading)? {
        return Ok(());
    }
    if ways.is_empty() {
        if reading.is_shipped() && !path.can_engine_make() {
            return Err("Deckhand cannot make what is missing on this way".to_owned());
        }
        return path.create(data, for_one(path, value, reading)?);
    }
    if ways.len() > 1 && reading.is_documented() {
        return Err(several(path, ways.len()));
    }
    let mut items = first_items(path, &value, reading)?;
    for way in &ways {
        let value = items.as_mut().map_or_else(|| Some(value.clone()), |items| items.next().cloned());
        let value = value.ok_or_else(nothing_to_take)?;
        if let Some(there) = follow_mut(data, way) {
            there.give_way_to(value);
        }
    }
    Ok(())
}

/// Whether the engine finds what a path leads to, and changes nothing there.
///
/// # Errors
/// It fails there, in words.
pub(super) fn is_in_vain(path: &Path, reading: Reading) -> Result<bool, String> {
    match path.0.last() {
        Some(Step { to: To::This, .. }) => Ok(reading.is_shipped()),
        Some(Step { to: To::Parent | To::Union(_), .. }) if reading.is_shipped() => {
            Err("Deckhand finds values by a path that ends so, and cannot write to them".to_owned())
        }
        _ => Ok(false),
    }
}

/// A list that is written to an item is, to the engine, a list of the values for the items that the path finds.
fn first_items<'v, 'a>(
    path: &Path,
    value: &'v Value<'a>,
    reading: Reading,
) -> Result<Option<std::slice::Iter<'v, Value<'a>>>, String> {
    let is_item = matches!(path.0.last(), Some(Step { to: To::Item(_) | To::Items(_), .. }));
    if !reading.is_shipped() || !is_item || !value.is_list() {
        return Ok(None);
    }
    if value.children().is_empty() { Err(nothing_to_take()) } else { Ok(Some(value.children().iter())) }
}

fn nothing_to_take() -> String {
    "Deckhand takes the items of this list for those that the path finds, and it has too few".to_owned()
}

/// The value that the engine writes to one place.
///
/// # Errors
/// There is none, in words.
pub(super) fn for_one<'a>(path: &Path, value: Value<'a>, reading: Reading) -> Result<Value<'a>, String> {
    Ok(match first_items(path, &value, reading)?.and_then(|mut items| items.next().cloned()) {
        Some(item) => item,
        None => value,
    })
}

pub(super) fn several(path: &Path, many: usize) -> String {
    format!("the path `{path}` finds {many} values, and one is needed: write it without `*`, `..` and ranges")
}
