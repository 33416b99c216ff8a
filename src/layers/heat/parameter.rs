//! Two values of one parameter meet.

use super::types::ParameterType;
use super::words::{Strategy, Word};
use super::{OVERWRITE, SCHEMA, SHALLOW, Spot, error_in, is_empty, json};
use crate::layers::fold::{Clash, Fold, Lists, Maps, Null, Policy, Refused, Texts, Whole};
use crate::layers::reading::Reading;
use crate::layers::values::{Layer, Value};
use crate::text::error::{Error, visible};
use crate::yaml::path::Step;

/// What is known of a parameter that two files set.
pub(super) struct Meeting<'m> {
    pub(super) layers: &'m [Layer],
    pub(super) kind: ParameterType,
    /// Whether a template or a table says that type.
    pub(super) declared: bool,
    pub(super) word: &'m Word,
    pub(super) reading: Reading,
}

/// Maps are joined at every depth, lists and texts go on, what is null changes nothing.
const DEEP: Policy = Policy {
    maps: Maps::Join,
    lists: Lists::Append,
    texts: Texts::Append,
    others: Whole::Replace,
    clash: Clash::RefuseFull,
    null: Null::Ignored,
};

impl Meeting<'_> {
    /// The new value meets the old one.
    pub(super) fn meet<'a>(&self, old: &mut Value<'a>, mut new: Value<'a>) -> Result<(), Error> {
        let Some(strategy @ (Strategy::Merge | Strategy::DeepMerge)) = self.word.strategy else {
            new.by(&self.rule());
            old.replace(new);
            return Ok(());
        };
        self.fits(&new)?;
        match self.kind {
            ParameterType::List => self.list(old, new)?,
            ParameterType::Json => self.json(old, new, strategy)?,
            ParameterType::String => self.string(old, new)?,
            ParameterType::Number | ParameterType::Boolean => self.number(old, &new)?,
        }
        if old.origin.rule.is_none() {
            old.by(&self.rule());
        }
        Ok(())
    }

    /// Whether it is merged as a text and looks as if it could be a list.
    pub(super) fn may_be_a_list(&self, old: Option<&Value<'_>>) -> bool {
        let merges = matches!(self.word.strategy, Some(Strategy::Merge | Strategy::DeepMerge));
        let has_comma = |value: &Value<'_>| value.as_text(SCHEMA).is_some_and(|text| text.contains(','));
        merges && !self.declared && self.kind == ParameterType::String && old.is_some_and(has_comma)
    }

    /// A value that no file before it has, in a section that was not empty.
    pub(super) fn alone<'a>(&self, new: Value<'a>) -> Result<Value<'a>, Error> {
        if !matches!(self.word.strategy, Some(Strategy::Merge | Strategy::DeepMerge)) {
            return Ok(new);
        }
        self.fits(&new)?;
        let takes = match self.kind {
            ParameterType::List => new.is_list() || new.as_text(SCHEMA).is_some(),
            ParameterType::Json => return self.parsed(new),
            ParameterType::String => new.as_text(SCHEMA).is_some(),
            ParameterType::Number | ParameterType::Boolean => false,
        };
        if takes { Ok(new) } else { Err(self.wrong(&new)) }
    }

    /// The word and where it stands.
    fn rule(&self) -> String {
        let name = visible(&self.word.name);
        match self.word.said.and_then(|(layer, line)| Some((self.layers.get(layer)?, line))) {
            Some((layer, line)) => format!("{name}, as {}:{line} says", layer.name),
            None => format!("{name}, as no file says otherwise"),
        }
    }

    /// `extend` is for lists, and `append` for texts.
    fn fits(&self, new: &Value<'_>) -> Result<(), Error> {
        let other = match (self.word.name.as_str(), self.kind) {
            ("extend", ParameterType::List) | ("append", ParameterType::String) => return Ok(()),
            ("extend", _) => "lists",
            ("append", _) => "texts",
            _ => return Ok(()),
        };
        let name = visible(new.name());
        let what =
            format!("`{}` is for {other}, and parameter `{name}` is of type {}", self.word.name, self.kind.name());
        let (layer, line) = self.word.said.unwrap_or_default();
        let error = error_in(self.layers, Spot { layer: Some(layer), line, word: &self.word.name }, &what);
        Err(error.help("write `merge`, `deep_merge` or `overwrite` for it"))
    }

    fn list<'a>(&self, old: &mut Value<'a>, new: Value<'a>) -> Result<(), Error> {
        let (old_text, new_text) = (old.as_text(SCHEMA).map(str::to_owned), new.as_text(SCHEMA).map(str::to_owned));
        if !new.is_list() && new_text.is_none() {
            return Err(self.wrong(&new));
        }
        if self.reading.is_documented() && new_text.as_deref() == Some("") {
            return Ok(());
        }
        if is_empty(old) {
            self.take(old, new);
            return Ok(());
        }
        let converts = self.reading.is_documented() && self.declared;
        match (old_text, new_text) {
            (Some(before), Some(more)) => self.texts(old, &new, format!("{before},{more}")),
            (None, Some(text)) if old.is_list() && converts => self.extend(old, &new, items(&new, &text)),
            (None, None) if old.is_list() => self.extend(old, &new.clone(), new.into_children()),
            (Some(text), None) if converts => {
                let mut list = Value::list();
                for item in items(old, &text) {
                    list.push(item);
                }
                list.origin = old.origin.clone();
                old.becomes(list);
                self.extend(old, &new.clone(), new.into_children());
            }
            _ => return Err(self.cannot(old, &new)),
        }
        Ok(())
    }

    fn take<'a>(&self, old: &mut Value<'a>, mut new: Value<'a>) {
        new.by(&self.rule());
        old.replace(new);
    }

    fn extend<'a>(&self, old: &mut Value<'a>, new: &Value<'a>, items: Vec<Value<'a>>) {
        old.gain_comments(new);
        for mut item in items {
            item.by(&self.rule());
            old.push(item);
        }
    }

    /// A text made of both.
    fn texts<'a>(&self, old: &mut Value<'a>, new: &Value<'a>, text: String) {
        old.gain_comments(new);
        let mut joined = old.with_text(text);
        joined.by(&self.rule());
        old.replace(joined);
    }

    fn string<'a>(&self, old: &mut Value<'a>, new: Value<'a>) -> Result<(), Error> {
        let Some(more) = new.as_text(SCHEMA) else { return Err(self.wrong(&new)) };
        match old.as_text(SCHEMA) {
            Some(before) => {
                let text = format!("{before}{more}");
                self.texts(old, &new, text);
            }
            None if old.is_null() && self.reading.is_documented() => self.take(old, new),
            None => return Err(self.cannot(old, &new)),
        }
        Ok(())
    }

    /// What Heat would add up it refuses first; numbers in quotes it takes for texts.
    fn number<'a>(&self, old: &mut Value<'a>, new: &Value<'a>) -> Result<(), Error> {
        let both = old.as_text(SCHEMA).zip(new.as_text(SCHEMA));
        match both.filter(|_| self.reading.is_shipped() && self.kind == ParameterType::Number) {
            Some((before, more)) => {
                let text = format!("{before}{more}");
                self.texts(old, new, text);
                Ok(())
            }
            None => Err(self.wrong(new)),
        }
    }

    fn json<'a>(&self, old: &mut Value<'a>, new: Value<'a>, strategy: Strategy) -> Result<(), Error> {
        let new = self.parsed(new)?;
        if self.reading.is_documented() && old.as_text(SCHEMA).is_some_and(|text| !text.is_empty()) {
            let parsed = self.parsed(old.clone())?;
            old.replace(parsed);
        }
        if is_empty(old) {
            self.take(old, new);
            return Ok(());
        }
        if new.is_map() && new.children().is_empty() {
            return Ok(());
        }
        if !old.is_map() || !new.is_map() {
            return Err(self.cannot(old, &new));
        }
        let name = new.name().to_owned();
        let policy = |way: &[Step]| match strategy {
            Strategy::DeepMerge => DEEP,
            _ if way.is_empty() => SHALLOW,
            _ => OVERWRITE,
        };
        let folded = Fold { schema: SCHEMA, policy: &policy }.fold(old, new);
        folded.map_err(|refused| self.clash(&name, &refused))
    }

    /// The value of a parameter of type json, which may be written as a text.
    fn parsed<'a>(&self, new: Value<'a>) -> Result<Value<'a>, Error> {
        match new.as_text(SCHEMA).filter(|text| !text.is_empty()).map(json::read) {
            Some(Ok(value)) => Ok(json::in_place_of(value, &new)),
            Some(Err(why)) => {
                let what = format!("parameter `{}` is no JSON: {why}", visible(new.name()));
                let error = error_in(self.layers, Spot::of(&new), &what);
                Err(error.help("write it as a map, or as JSON: names and texts in double quotes"))
            }
            None if self.reading.is_shipped() => Ok(json::with_text_keys(new)),
            None => Ok(new),
        }
    }

    /// A value that is not of its type.
    fn wrong(&self, new: &Value<'_>) -> Error {
        let (name, kind, found) = (visible(new.name()), self.kind.name(), new.kind_name(SCHEMA));
        let error = |what: String| error_in(self.layers, Spot::of(new), &what);
        if !matches!(self.kind, ParameterType::Number | ParameterType::Boolean) {
            let what = format!("parameter `{name}` is of type {kind} and cannot be merged with {found}");
            return error(what).help(self.types_help());
        }
        let says = self.word.said.and_then(|(layer, _)| self.layers.get(layer)).map_or("the first file", |l| &l.name);
        error(format!("Heat cannot merge parameter `{name}`, which is of type {kind}"))
            .help(format!("give it a strategy of its own in {says}: `{name}: overwrite`"))
    }

    /// Two values of which none can go on the other.
    fn cannot(&self, old: &Value<'_>, new: &Value<'_>) -> Error {
        let (name, found, before) = (visible(new.name()), new.kind_name(SCHEMA), old.kind_name(SCHEMA));
        let place = old.origin.layer.and_then(|at| self.layers.get(at));
        let place = place.map_or_else(String::new, |layer| format!(" of {}:{}", layer.name, old.line()));
        let what =
            format!("{found} cannot be merged into {before}{place} as parameter `{name}` ({})", self.kind.name());
        error_in(self.layers, Spot::of(new), &what).help(self.types_help())
    }

    fn clash(&self, name: &str, refused: &Refused) -> Error {
        let mut path = refused.path.clone();
        path.0.insert(0, Step::Key(name.to_owned()));
        let path = visible(&path.to_string());
        let what = format!("{} cannot be merged into {} at `{path}`", refused.new, refused.old);
        let word = refused.path.0.last().map_or(name, |step| match step {
            Step::Key(key) => key,
            _ => name,
        });
        let error = error_in(self.layers, Spot { layer: refused.layer, line: refused.line, word }, &what);
        error.help(format!("write both in the same form, or give `{}` the strategy `merge`", visible(name)))
    }

    fn types_help(&self) -> &'static str {
        if self.declared {
            "write both values in the form of that type"
        } else {
            "say with --types or --template of which type it is; here that is taken from its first value"
        }
    }
}

/// The items of a comma-delimited list.
fn items<'a>(value: &Value<'a>, text: &str) -> Vec<Value<'a>> {
    let item = |part: &str| {
        let mut item = Value::text(part.trim().to_owned());
        item.origin = value.origin.clone();
        item
    };
    text.split(',').map(item).collect()
}
