//! Levels of configuration, and `cloud.cfg` with the files of its directory.
//!
//! The highest priority comes first here, and what comes next goes under it: so each source says how it is merged into
//! those that are *above* it. As the document has it, levels are not merged at all: of a key at the top the highest level
//! has the say. The result is laid out like the least specific source, which is the one that has most to say on
//! everything.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::keys::Key;
use super::mergers::{Deletes, Dict, Inside, Mergers, Reader};
use super::part::{Fault, Part, quoted};
use super::walk::Walk;
use super::{Entry, Options};
use crate::layers::values::{Layer, Merged, Schema, Style, Value, join_behind, same};
use crate::text::encoding;
use crate::text::error::Error;
use crate::yaml::tree::Line;

const DEFAULT: &str = "list()+dict()+str()";

/// Merges levels, the highest first; or `cloud.cfg` and the files of its directory, which follow it in any order.
///
/// # Errors
/// What is no configuration, and mergers that cannot be read or cannot join what they meet.
pub(super) fn merge(files: Vec<(String, Vec<u8>)>, options: &Options<'_>) -> Result<Merged, Error> {
    let mut parts = Vec::new();
    for (name, bytes) in files {
        let text = encoding::decode(&name, bytes, encoding::LIMIT)?;
        parts.push(Part::whole(&name, text));
    }
    if options.entry == Entry::ConfD {
        let last = |part: &Part| Path::new(part.name()).file_name().map(std::ffi::OsStr::to_owned);
        parts[1..].sort_by_key(|part| std::cmp::Reverse(last(part)));
        parts.rotate_left(1);
    }
    let layers: Vec<Layer> = parts.iter().map(|part| part.layer.clone()).collect();
    let mut levels = Levels { options, below: Vec::new(), style: Style::default(), warnings: Vec::new() };
    let sources = levels.sources(&parts, &layers)?;
    let base = sources.last().map(|(_, value)| value.clone());
    let value = if options.entry == Entry::ConfD { levels.directory(sources)? } else { levels.fold(sources)? };
    let value = match (base, value) {
        (Some(mut base), Some(value)) => {
            lay_out(&mut base, value);
            base
        }
        (_, value) => value.unwrap_or_else(|| Value::map().document()),
    };
    let mut merged = Merged::of(&[value], &levels.below, levels.style, &layers)?;
    merged.warnings = levels.warnings;
    Ok(merged)
}

type Sources<'p, 'a> = Vec<(&'p Part, Value<'a>)>;

struct Levels<'a, 'o> {
    options: &'o Options<'o>,
    below: Vec<Line<'a>>,
    style: Style,
    warnings: Vec<String>,
}

impl<'a> Levels<'a, '_> {
    /// The sources that hold anything. What cannot be read is nothing to cloud-init.
    fn sources<'p>(&mut self, parts: &'p [Part], layers: &'a [Layer]) -> Result<Sources<'p, 'a>, Error> {
        let mut sources = Vec::new();
        for (number, (part, layer)) in parts.iter().zip(layers).enumerate() {
            match self.source(part, layer, number) {
                Ok(Some(value)) => sources.push((part, value)),
                Ok(None) => {}
                Err(error) if self.options.reading.is_shipped() => self.warnings.push(part.skipped(&error)),
                Err(error) => return Err(error),
            }
        }
        Ok(sources)
    }

    fn source(&mut self, part: &Part, layer: &'a Layer, number: usize) -> Result<Option<Value<'a>>, Error> {
        let duplicates = self.options.reading.duplicates();
        let document = part.read(layer, number, duplicates)?;
        self.warnings.extend(document.warnings);
        self.style = layer.style()?;
        let mut below = document.below;
        join_behind(&mut below, &self.below);
        self.below = below;
        match document.value.filter(|value| !(value.is_null() || value.is_map() && value.children().is_empty())) {
            Some(value) if !value.is_map() => {
                let what = format!("a configuration has to be a map, and this is {}", value.kind_name(Schema::Yaml11));
                Err(part.error(&Fault::new(what, value.line())))
            }
            value => Ok(value),
        }
    }

    /// The files of the directory become one, and that goes over `cloud.cfg`.
    fn directory(&mut self, mut sources: Sources<'_, 'a>) -> Result<Option<Value<'a>>, Error> {
        let Some((part, main)) = sources.pop() else { return Ok(None) };
        if let Some(at) = main.get("conf_d")
            && !is_directory(part, at)?
        {
            let what = "the files of the directory are passed over, because `conf_d` is empty";
            self.warnings.push(part.warning(&Fault::new(what, at.line())));
            sources.clear();
        }
        let first = sources.first().map(|(part, _)| *part);
        let directory = self.fold(sources)?;
        let over = first.zip(directory);
        self.fold(over.into_iter().chain([(part, main)]).collect())
    }

    fn fold(&mut self, sources: Sources<'_, 'a>) -> Result<Option<Value<'a>>, Error> {
        let mut sum: Option<Value<'a>> = None;
        for (part, mut new) in sources {
            let mergers = self.mergers(part, &mut new).map_err(|fault| part.error(&fault))?;
            let Some(old) = &mut sum else {
                sum = Some(if mergers.dict.is_some() { new } else { Value::map().document() });
                continue;
            };
            let mut walk =
                Walk { mergers: &mergers, part: part.name(), reading: self.options.reading, told: Vec::new() };
            walk.merge(old, new).map_err(|fault| part.error(&fault))?;
            self.warnings.extend(walk.told.iter().map(|fault| part.warning(fault)));
        }
        Ok(sum)
    }

    fn mergers(&mut self, part: &Part, new: &mut Value<'a>) -> Result<Mergers, Fault> {
        let reading = self.options.reading;
        let line = ["merge_how", "merge_type"].iter().find_map(|name| new.get(name)).map(Value::line);
        let mut reader = Reader::new(reading);
        let named = reader.taken_from(new)?;
        self.warnings.extend(reader.told.iter().map(|fault| part.warning(fault)));
        if reading.is_documented() && self.options.entry == Entry::Levels {
            if let Some(line) = line {
                let what = "mergers have no effect here: levels are not merged, as cloud-init's document has it; cloud-init \
                            itself uses them (--as-shipped)";
                self.warnings.push(part.warning(&Fault::new(what, line)));
            }
            return Ok(highest());
        }
        if !named.is_empty() {
            return Ok(Mergers::of(&named, reading, format!("as {} says", part.place(reader.line))));
        }
        Ok(Reader::default(DEFAULT, reading))
    }
}

/// Whether `conf_d` names a directory.
fn is_directory(part: &Part, value: &Value<'_>) -> Result<bool, Error> {
    match value.as_text(Schema::Yaml11) {
        Some(text) => Ok(!text.is_empty()),
        None if value.is_null() => Ok(false),
        None => {
            let what = format!("`conf_d` has to be the name of a directory, and this is {}", quoted(value));
            Err(part.error(&Fault::new(what, value.line()).word("conf_d")))
        }
    }
}

/// Of each key at the top the highest level has the say.
fn highest() -> Mergers {
    let inside = Inside { maps: false, lists: false, texts: false };
    let dict = Dict { replace: false, deletes: Deletes::Nothing, inside };
    Mergers { dict: Some(dict), list: None, text: None, by: "the highest level has the say".to_owned() }
}

/// Lays a result out like one of its sources: what stands in both stands where that has it, under its comments where the
/// result has none of its own.
fn lay_out<'a>(base: &mut Value<'a>, result: Value<'a>) {
    let from = |value: &Value<'_>| (value.origin.layer, value.origin.line);
    if !base.is_map() || !result.is_map() {
        if from(base) == from(&result) && same(base, &result) {
            base.origin = result.origin;
        } else {
            base.replace(result);
        }
        return;
    }
    base.gain_comments(&result);
    base.origin.rule.clone_from(&result.origin.rule);
    let places: HashMap<Key<'_>, usize> =
        base.children().iter().enumerate().map(|(at, entry)| (Key::of(entry), at)).collect();
    let mut gone: HashSet<usize> = (0..base.children().len()).collect();
    for entry in result.into_children() {
        match places.get(&Key::of(&entry)) {
            Some(at) => {
                gone.remove(at);
                if let Some(child) = base.child_mut(*at) {
                    lay_out(child, entry);
                }
            }
            None => base.push(entry),
        }
    }
    base.retain(|at, _| !gone.contains(&at));
}
