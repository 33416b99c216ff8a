//! Levels of configuration, and `cloud.cfg` with the files of its directory.
//!
//! The highest priority comes first here, and what comes next goes under it: so each source says how it is merged into
//! those that are *above* it. As the document has it, levels are not merged at all: of a key at the top the highest level
//! has the say. The result is laid out like the least specific source, which is the one that has most to say on
//! everything.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::Path;

use super::keys::Key;
use super::mergers::{self, Deletes, Dict, Inside, Mergers};
use super::part::{Fault, is_marker, quoted};
use super::sources::{Opened, Reader, Role, Source};
use super::walk::Walk;
use super::{Entry, Options};
use crate::layers::values::{Layer, Merged, Schema, Value, same};
use crate::text::error::Error;

const DEFAULT: &str = "list()+dict()+str()";

/// Merges levels, the highest first; or `cloud.cfg` and the files of its directory, which follow it in any order.
///
/// # Errors
/// What is no configuration, and mergers that cannot be read or cannot join what they meet.
pub(super) fn merge(mut files: Vec<(String, Vec<u8>)>, options: &Options<'_>) -> Result<Merged, Error> {
    let role = if options.entry == Entry::ConfD { Role::Config } else { Role::Either };
    if options.entry == Entry::ConfD {
        files[1..].sort_by_key(|(name, _)| std::cmp::Reverse(last_name(name).map(OsStr::to_owned)));
        files.rotate_left(1);
    }
    let files = files.into_iter().map(|(name, bytes)| (role, name, bytes)).collect();
    let opened = Opened::read(files, options)?;
    let layers = opened.layers();
    let mut levels = Levels { read: Reader::new(options) };
    levels.read.warnings.clone_from(&opened.warnings);
    let mut sources = Vec::new();
    for file in &opened.files {
        sources.extend(levels.read.source(file, &opened, &layers)?);
    }
    let base = sources.last().map(|source| source.value.clone());
    let value = if options.entry == Entry::ConfD { levels.directory(sources)? } else { levels.fold(sources)? };
    levels.written(base, value, &layers)
}

/// The name of a file without its directories.
pub(super) fn last_name(path: &str) -> Option<&OsStr> {
    Path::new(path).file_name()
}

pub(super) struct Levels<'a, 'o> {
    pub(super) read: Reader<'a, 'o>,
}

impl<'a> Levels<'a, '_> {
    /// A result, laid out like one of its sources.
    ///
    /// # Errors
    /// A text that means something else, which is a bug of yamlift.
    pub(super) fn written(
        self,
        base: Option<Value<'a>>,
        value: Option<Value<'a>>,
        layers: &[Layer],
    ) -> Result<Merged, Error> {
        let value = match (base, value) {
            (Some(mut base), Some(mut value)) => {
                let marker = value.take_first_comments(is_marker);
                if !marker.is_empty() {
                    base.take_first_comments(is_marker);
                    base.put_first_comments(marker);
                }
                lay_out(&mut base, value);
                base
            }
            (_, value) => value.unwrap_or_else(|| Value::map().document()),
        };
        let mut merged = Merged::of(&[value], &self.read.below, self.read.style, layers)?;
        merged.warnings = self.read.warnings;
        Ok(merged)
    }

    /// The files of the directory become one, and that goes over `cloud.cfg`, which is the last.
    ///
    /// # Errors
    /// Those of a fold, and a `conf_d` that is no name.
    pub(super) fn directory(&mut self, mut sources: Vec<Source<'a>>) -> Result<Option<Value<'a>>, Error> {
        let Some(main) = sources.pop() else { return Ok(None) };
        if let Some(at) = main.value.get("conf_d")
            && !is_directory(&main, at)?
        {
            let what = "the files of the directory are passed over, because `conf_d` is empty";
            self.read.warnings.push(main.warning(Fault::new(what, at.line())));
            sources.clear();
        }
        let first = sources.first().map(|source| source.part.clone());
        let directory = self.fold(sources)?;
        let over = first.zip(directory).map(|(part, value)| Source::of(part, value));
        self.fold(over.into_iter().chain([main]).collect())
    }

    /// Merges each source under those before it.
    ///
    /// # Errors
    /// Mergers that cannot be read, or cannot join what they meet.
    pub(super) fn fold(&mut self, sources: Vec<Source<'a>>) -> Result<Option<Value<'a>>, Error> {
        let mut sum: Option<Value<'a>> = None;
        for mut source in sources {
            let mergers = self.mergers(&mut source)?;
            let mut new = std::mem::replace(&mut source.value, Value::map());
            // The first level says what kind of file the result is.
            let marker = new.take_first_comments(is_marker);
            let Some(old) = &mut sum else {
                new.put_first_comments(marker);
                sum = Some(if mergers.dict.is_some() { new } else { Value::map().document() });
                continue;
            };
            let reading = self.read.options.reading;
            let mut walk = Walk { mergers: &mergers, part: source.part.name(), reading, told: Vec::new() };
            walk.merge(old, new).map_err(|fault| source.error(fault))?;
            let told = walk.told;
            self.read.warnings.extend(told.into_iter().map(|fault| source.warning(fault)));
        }
        Ok(sum)
    }

    fn mergers(&mut self, source: &mut Source<'a>) -> Result<Mergers, Error> {
        let Options { reading, entry, .. } = *self.read.options;
        let line = ["merge_how", "merge_type"].iter().find_map(|name| source.value.get(name)).map(Value::line);
        let mut reader = mergers::Reader::new(reading);
        let named = reader.taken_from(&mut source.value).map_err(|fault| source.error(fault))?;
        self.read.warnings.extend(reader.told.into_iter().map(|fault| source.warning(fault)));
        if reading.is_documented() && entry == Entry::Levels {
            if let Some(line) = line {
                let what = "mergers have no effect here: levels are not merged, as cloud-init's document has it; cloud-init \
                            itself uses them (--as-shipped)";
                self.read.warnings.push(source.warning(Fault::new(what, line)));
            }
            return Ok(highest());
        }
        if !named.is_empty() {
            return Ok(Mergers::of(&named, reading, format!("as {} says", source.part.place(reader.line))));
        }
        Ok(mergers::Reader::default(DEFAULT, reading))
    }
}

/// Whether `conf_d` names a directory.
fn is_directory(source: &Source<'_>, value: &Value<'_>) -> Result<bool, Error> {
    match value.as_text(Schema::Yaml11) {
        Some(text) => Ok(!text.is_empty()),
        None if value.is_null() => Ok(false),
        None => {
            let what = format!("`conf_d` has to be the name of a directory, and this is {}", quoted(value));
            Err(source.error(Fault::new(what, value.line()).word("conf_d")))
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
