//! The options file: a strategy for each path, by its name or by an expression.

use std::collections::HashMap;
use std::rc::Rc;

use regex::Regex;

use super::lookup::{child, without_twins};
use super::pattern::{self, Problem};
use super::strategy::{
    BASE_TYPES, BaseTypes, HASH, HASH_ARRAYS, HASH_BEGINNINGS, Hash, HashArrays, PRESETS, Prefix, Preset, Strategy,
    Words, beginning, meaning,
};
use crate::layers::reading::Reading;
use crate::layers::values::{Content, Layer, Schema, Value};
use crate::text::error::{Error, near, nearest, visible};
use crate::yaml::reference::Duplicates;

/// How a strategy comes to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// The options name the path.
    Name,
    /// The path matches an expression.
    Pattern,
    /// The expression is `^.*`, which is for all that nothing else is for. As shipped it is like any other.
    All,
    /// It is for all that nothing else is for.
    Default,
}

/// The strategies of an options file.
#[derive(Debug)]
pub(super) struct Lookups {
    named: HashMap<String, Rc<Strategy>>,
    /// In the order of the file; Datum's own order is that of an unordered table.
    patterns: Vec<(Regex, Rc<Strategy>, By)>,
    default: Rc<Strategy>,
    file: Layer,
}

/// The keys at the top of the file that are read here; Datum's configuration has others.
const TOP: [&str; 2] = ["default_lookup_options", "lookup_options"];

impl Lookups {
    /// Reads an options file, and tells what is passed over in it.
    ///
    /// # Errors
    /// What is not valid YAML, and what Datum does not know; as shipped it takes no offence.
    pub(super) fn read(file: Option<&Layer>, reading: Reading) -> Result<(Self, Vec<String>), Error> {
        let default = Rc::new(Strategy::of(Preset::MostSpecific, "Datum's own default", 0));
        let file = file.cloned().unwrap_or_default();
        let mut lookups = Self { named: HashMap::new(), patterns: Vec::new(), default, file: file.clone() };
        let mut reader = Reader { file: &file, reading, warnings: Vec::new() };
        let mut documents = file.read(0, Duplicates::Refused)?.documents;
        if let Some(second) = documents.get(1) {
            return Err(file.error("an options file is one document, and this is the second one", second.line()));
        }
        if let Some(options) = documents.pop() {
            let options = without_twins(options, &file, reading, &mut reader.warnings)?;
            reader.options(&mut lookups, &options)?;
        }
        Ok((lookups, reader.warnings))
    }

    /// The strategy for a path: the one that names it, else the first expression that matches it, else the default.
    pub(super) fn of(&self, path: &str) -> (Rc<Strategy>, By) {
        let path = path.replace('/', "\\");
        if let Some(strategy) = self.named.get(&path.to_lowercase()) {
            return (Rc::clone(strategy), By::Name);
        }
        let found = self.patterns.iter().find(|(pattern, ..)| pattern.is_match(&path));
        found.map_or_else(|| (Rc::clone(&self.default), By::Default), |(_, strategy, by)| (Rc::clone(strategy), *by))
    }

    /// An error about a strategy.
    pub(super) fn error(&self, strategy: &Strategy, what: impl Into<String>) -> Error {
        match strategy.line {
            0 => Error::input(what),
            line => self.file.error(what, line),
        }
    }
}

struct Reader<'r> {
    file: &'r Layer,
    reading: Reading,
    warnings: Vec<String>,
}

impl Reader<'_> {
    fn options(&mut self, lookups: &mut Lookups, options: &Value<'_>) -> Result<(), Error> {
        if !options.is_map() {
            return Err(self.file.error("an options file has to be a map", options.line()));
        }
        for entry in options.children() {
            let near = near(entry.name(), &TOP).filter(|name| !name.eq_ignore_ascii_case(entry.name()));
            if let Some(name) = near {
                let what = format!("`{}` is no option of Datum", visible(entry.name()));
                self.problem(entry, entry.name(), &what, &format!("did you mean `{name}`?"))?;
            }
        }
        if let Some(default) = child(options, TOP[0]).filter(|default| !default.is_null()) {
            let says = format!("{} ({}:{})", TOP[0], self.file.name, default.line());
            lookups.default = Rc::new(self.strategy(default, &says)?);
        }
        match child(options, TOP[1]).filter(|own| !own.is_null()) {
            Some(own) if !own.is_map() => Err(self.file.error("`lookup_options` has to be a map", own.line())),
            Some(own) => own.children().iter().try_for_each(|entry| self.path(lookups, entry)),
            None => Ok(()),
        }
    }

    /// One path, or expression, with its strategy.
    fn path(&mut self, lookups: &mut Lookups, entry: &Value<'_>) -> Result<(), Error> {
        let name = entry.name();
        let says = format!("`{}` ({}:{})", visible(name), self.file.name, entry.line());
        let strategy = Rc::new(self.strategy(entry, &says)?);
        if name.starts_with('^') {
            let by = if name == "^.*" && self.reading.is_documented() { By::All } else { By::Pattern };
            lookups.patterns.extend(self.pattern(entry)?.map(|pattern| (pattern, strategy, by)));
            return Ok(());
        }
        let path = name.replace('/', "\\");
        let steps = || path.split('\\').filter(|step| !step.is_empty()).collect::<Vec<_>>().join("\\");
        if self.reading.is_documented() && path != steps() {
            let what = format!("`{}` has a step without a name", visible(name));
            return Err(self.about(&what, entry, name).help(format!("write `{}`", visible(&steps()))));
        }
        match lookups.named.insert(path.to_lowercase(), strategy) {
            None => Ok(()),
            Some(first) => {
                let what = format!("`{}` is the path of line {} again", visible(name), first.line);
                let help = "upper and lower case, and which separator stands in it, do not matter: remove one of them";
                Err(self.about(&what, entry, name).help(help))
            }
        }
    }

    fn pattern(&mut self, entry: &Value<'_>) -> Result<Option<Regex>, Error> {
        let name = entry.name();
        match pattern::compile_path(name) {
            Ok(pattern) => Ok(Some(pattern)),
            Err(Problem::NotSupported(what)) => {
                let what = format!("`{}` cannot be read here: {what} is not supported", visible(name));
                Err(self
                    .about(&what, entry, name)
                    .help("name the paths one by one, or write the expression without it"))
            }
            Err(Problem::Invalid(why)) => {
                let what = format!("`{}` is no valid regular expression: {}", visible(name), visible(&why));
                self.problem(entry, name, &what, "Datum itself passes over it in silence")?;
                Ok(None)
            }
        }
    }

    fn strategy(&mut self, value: &Value<'_>, says: &str) -> Result<Strategy, Error> {
        match value.content() {
            Content::Map(_) => self.custom(value, says),
            Content::Scalar(scalar) => self.preset(value, &scalar.text, says),
            Content::List(_) => {
                self.problem(value, value.name(), "a list is no strategy", "write a word or a map of settings")?;
                Ok(Strategy::of(Preset::MostSpecific, says, value.line()))
            }
        }
    }

    /// A strategy in one word. As shipped any other word means the most specific value, and so does `Unique`.
    fn preset(&mut self, value: &Value<'_>, word: &str, says: &str) -> Result<Strategy, Error> {
        let known = meaning(PRESETS, word).filter(|preset| self.reading.is_documented() || *preset != Preset::Unique);
        if known.is_none() {
            let all = self.reading.is_documented();
            let shipped = PRESETS.iter().filter(|(_, preset)| all || *preset != Preset::Unique);
            self.unknown(value, "strategy", shipped.map(|(name, _)| *name))?;
        }
        let preset = known.unwrap_or(Preset::MostSpecific);
        let mut strategy = Strategy::of(preset, says, value.line());
        if self.reading.is_shipped() && strategy.knockout.is_some() {
            strategy.knockout = Some(self.as_expression(value, Prefix::DEFAULT)?);
        }
        Ok(strategy)
    }

    /// A strategy as a map of settings.
    fn custom(&mut self, value: &Value<'_>, says: &str) -> Result<Strategy, Error> {
        let mut strategy = Strategy::unsaid(says, value.line());
        if self.reading.is_shipped() {
            strategy.knockout = None;
        }
        for entry in value.children() {
            self.setting(&mut strategy, entry)?;
        }
        Ok(strategy)
    }

    fn setting(&mut self, strategy: &mut Strategy, entry: &Value<'_>) -> Result<(), Error> {
        const KNOWN: [&str; 6] = [
            "strategy",
            "merge_hash",
            "merge_baseType_array",
            "merge_hash_array",
            "merge_options",
            "sort_merged_arrays",
        ];
        match entry.name().to_lowercase().as_str() {
            "merge_hash" => strategy.hash = self.word(entry, HASH, HASH_BEGINNINGS, Hash::Top)?,
            "merge_basetype_array" => {
                strategy.base_types = self.word(entry, BASE_TYPES, BASE_TYPES, BaseTypes::Unsaid)?;
            }
            "merge_hash_array" => {
                strategy.hash_arrays = self.word(entry, HASH_ARRAYS, HASH_ARRAYS, HashArrays::Unsaid)?;
            }
            "merge_options" => self.merge_options(strategy, entry)?,
            "strategy" => strategy.first = self.word(entry, PRESETS, PRESETS, Preset::Hash)? == Preset::MostSpecific,
            "sort_merged_arrays" => self.no_effect(entry),
            _ => self.unknown_setting(entry, &KNOWN)?,
        }
        Ok(())
    }

    fn merge_options(&mut self, strategy: &mut Strategy, options: &Value<'_>) -> Result<(), Error> {
        if !options.is_map() && !options.is_null() {
            let name = options.name();
            self.problem(options, name, "`merge_options` has to be a map", "it holds knockout_prefix and tuple_keys")?;
        }
        for entry in options.children() {
            match entry.name().to_lowercase().as_str() {
                "knockout_prefix" => self.prefix(strategy, entry)?,
                "tuple_keys" => strategy.tuple_keys = self.tuple_keys(entry)?,
                "sort_merged_arrays" => self.no_effect(entry),
                _ => self.unknown_setting(entry, &["knockout_prefix", "tuple_keys", "sort_merged_arrays"])?,
            }
        }
        Ok(())
    }

    /// A prefix of nothing knocks out nothing; as shipped keys have one anyway, and others are expressions.
    fn prefix(&mut self, strategy: &mut Strategy, entry: &Value<'_>) -> Result<(), Error> {
        let text = entry.scalar().filter(|_| !entry.is_null()).map_or("", |scalar| &*scalar.text);
        if !entry.is_null() && entry.scalar().is_none() {
            self.problem(entry, entry.name(), "`knockout_prefix` has to be a text", "write '--', say")?;
        }
        strategy.knockout = None;
        strategy.prefix_named = true;
        if self.reading.is_documented() || !text.is_empty() {
            strategy.of_keys = Some(Prefix::plain(text)).filter(|_| !text.is_empty());
            strategy.knockout = strategy.of_keys.clone();
        }
        if self.reading.is_shipped() && !text.is_empty() {
            strategy.knockout = Some(self.as_expression(entry, text)?);
        }
        Ok(())
    }

    /// A prefix as Datum as shipped reads it.
    fn as_expression(&self, entry: &Value<'_>, text: &str) -> Result<Prefix, Error> {
        let compiled = pattern::compile(&format!("^{text}")).and_then(|start| Ok((start, pattern::compile(text)?)));
        let (at_start, anywhere) = compiled.map_err(|_| {
            let what = format!("`{}` is an expression to Datum, and none that can be read here", visible(text));
            self.about(&what, entry, text)
        })?;
        Ok(Prefix::pattern(text, at_start, anywhere))
    }

    /// The keys that tell items apart: a list of names, or one name.
    fn tuple_keys(&mut self, entry: &Value<'_>) -> Result<Vec<String>, Error> {
        let of = |value: &Value<'_>| value.scalar().filter(|_| !value.is_null()).map(|name| name.text.to_string());
        if entry.is_list() {
            let names: Vec<_> = entry.children().iter().filter_map(of).collect();
            if names.len() == entry.children().len() {
                return Ok(names);
            }
        } else if !entry.is_map() {
            return Ok(of(entry).into_iter().collect());
        }
        self.problem(entry, entry.name(), "`tuple_keys` has to be a list of keys", "as in tuple_keys: [Name]")?;
        Ok(entry.children().iter().filter_map(of).collect())
    }

    /// What a setting says. As shipped a word counts by how it begins, and others have a meaning of their own.
    fn word<T: Copy>(
        &mut self,
        entry: &Value<'_>,
        words: &Words<T>,
        beginnings: &Words<T>,
        other: T,
    ) -> Result<T, Error> {
        let word = entry.as_text(Schema::Core).unwrap_or_default();
        if let Some(meaning) = meaning(words, word) {
            return Ok(meaning);
        }
        self.unknown(entry, entry.name(), words.iter().map(|(name, _)| *name))?;
        Ok(beginning(beginnings, word).unwrap_or(other))
    }

    fn unknown(
        &mut self,
        entry: &Value<'_>,
        what: &str,
        words: impl Iterator<Item = &'static str>,
    ) -> Result<(), Error> {
        let word = entry.scalar().map_or("", |scalar| &*scalar.text);
        let said = match entry.kind_name(Schema::Core) {
            "null" => format!("`{}` says nothing", visible(entry.name())),
            "a text" => format!("`{}` is no {what} of Datum", visible(word)),
            kind => format!("{kind} is no {what} of Datum"),
        };
        self.problem(
            entry,
            if word.is_empty() { entry.name() } else { word },
            &said,
            &nearest(word, &words.collect::<Vec<_>>()),
        )
    }

    fn unknown_setting(&mut self, entry: &Value<'_>, names: &[&str]) -> Result<(), Error> {
        let what = format!("`{}` is no setting of a strategy", visible(entry.name()));
        self.problem(entry, entry.name(), &what, &nearest(entry.name(), names))
    }

    fn no_effect(&mut self, entry: &Value<'_>) {
        let what = "sort_merged_arrays is in Datum's code, but nothing is ever sorted";
        self.warnings.push(format!("{}:{}: {what}", self.file.name, entry.line()));
    }

    /// An error; as shipped a warning.
    fn problem(&mut self, entry: &Value<'_>, word: &str, what: &str, help: &str) -> Result<(), Error> {
        if self.reading.is_documented() {
            return Err(self.about(what, entry, word).help(help));
        }
        self.warnings.push(format!("{}:{}: {what}; {help}", self.file.name, entry.line()));
        Ok(())
    }

    fn about(&self, what: &str, entry: &Value<'_>, word: &str) -> Error {
        self.file.error_about(what, entry.line(), word)
    }
}
