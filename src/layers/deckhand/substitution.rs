//! Values that are taken out of other documents and put into this one.

use std::collections::BTreeSet;
use std::ops::Bound;

use super::documents::Document;
use super::path::{Path, follow, follow_mut};
use super::pattern;
use super::problems::Problems;
use super::sharing;
use crate::layers::reading::Reading;
use crate::layers::values::{Schema, Type, Value};
use crate::text::budget::Budget;
use crate::text::error::{Error, visible};

/// One entry of `substitutions`.
#[derive(Debug)]
pub(crate) struct Substitution<'a> {
    schema: String,
    name: String,
    source: Value<'a>,
    path: Value<'a>,
    pattern: Option<Value<'a>>,
    group: Option<Value<'a>>,
    /// Whether it copies all of what it takes, `deepcopy: true`.
    is_whole_copy: bool,
    pub(super) targets: Vec<Target<'a>>,
}

/// One `dest`.
#[derive(Debug)]
pub(super) struct Target<'a> {
    pub(super) path: Value<'a>,
    pub(super) pattern: Option<Value<'a>>,
    /// How many levels down texts are looked for, -1 for all.
    pub(super) depth: Option<i128>,
}

impl<'a> Substitution<'a> {
    /// Reads an entry; nothing where it is not one, which is told.
    pub(crate) fn read(item: &Value<'a>, whose: &str, problems: &mut Problems<'_>) -> Option<Self> {
        let source = required(item, "src", whose, problems)?;
        let dest = required(item, "dest", whose, problems)?;
        let targets = if dest.is_list() { dest.children() } else { std::slice::from_ref(dest) };
        let [schema, name, path] = ["schema", "name", "path"].map(|key| text(source, key, whose, problems));
        Some(Self {
            schema: schema?.scalar()?.text.to_string(),
            name: name?.scalar()?.text.to_string(),
            path: path?.clone(),
            pattern: source.get("pattern").filter(|value| !value.is_null()).cloned(),
            group: source.get("match_group").filter(|value| !value.is_null()).cloned(),
            is_whole_copy: source.get("deepcopy").and_then(|it| it.kind(Schema::Yaml11)) == Some(Type::Bool(true)),
            source: source.clone(),
            targets: targets.iter().map(|target| Target::read(target, whose, problems)).collect::<Option<_>>()?,
        })
    }

    /// Schema and name of the document that it takes from.
    pub(crate) fn source(&self) -> (String, String) {
        (self.schema.clone(), self.name.clone())
    }

    /// Where it is written.
    pub(crate) fn place(&self) -> &Value<'a> {
        &self.source
    }

    /// As explanations name it: the document, and the path there.
    pub(super) fn from(&self) -> String {
        format!("{} {}", self.title(), self.path.scalar().map_or("", |path| &*path.text))
    }

    /// The value that it takes from the data of its source, where it shares what is inside of that.
    pub(super) fn shared<'v>(&self, data: &'v mut Value<'a>) -> Option<&'v mut Value<'a>> {
        if self.is_whole_copy || self.pattern.is_some() {
            return None;
        }
        if !data.is_map() {
            return Some(data);
        }
        let path = Path::parse(&self.path.scalar()?.text).ok()?;
        let way = path.ways(data).into_iter().next()?;
        follow_mut(data, &way)
    }

    /// The paths that it writes to.
    fn paths(&self) -> impl Iterator<Item = &str> {
        let paths = self.targets.iter().filter_map(|target| target.path.scalar());
        paths.map(|path| path.text.trim_start_matches('$'))
    }

    /// Of each of these whether a later one may write into what it wrote.
    pub(super) fn entered(all: &[Self]) -> Vec<bool> {
        let (mut later, mut is_deep) = (BTreeSet::new(), false);
        let mut entered = Vec::with_capacity(all.len());
        for one in all.iter().rev() {
            // A path that goes on below another is sorted behind it, before all that do not.
            let is_entered = |own: &str| {
                let next = later.range::<str, _>((Bound::Excluded(own), Bound::Unbounded)).next();
                if own.len() < 2 { !later.is_empty() } else { next.is_some_and(|path: &&str| path.starts_with(own)) }
            };
            entered.push(is_deep || one.paths().any(is_entered));
            later.extend(one.paths());
            is_deep |= one.targets.iter().any(|target| target.depth.is_some());
        }
        entered.reverse();
        entered
    }

    pub(super) fn title(&self) -> String {
        format!("[{}] {}", visible(&self.schema), visible(&self.name))
    }

    /// That the document that it takes from is not there, with what is near.
    pub(crate) fn missing<'n>(
        &self,
        document: &Document<'_>,
        known: impl Iterator<Item = (&'n str, &'n str)> + Clone,
        problems: &Problems<'_>,
    ) -> Error {
        let names = known.clone().filter(|(schema, _)| *schema == self.schema).map(|(_, name)| name);
        let schemas = known.filter(|(_, name)| *name == self.name).map(|(schema, _)| schema);
        let near = problems.near(&self.name, names).map(|name| ("name", name));
        let near = near.or_else(|| problems.near(&self.schema, schemas).map(|schema| ("schema", schema)));
        let (key, help) = match near {
            Some((key, near)) => (key, format!("did you mean `{}`?", visible(near))),
            None => ("name", "add it, or let --allow-missing-substitutions pass over this".to_owned()),
        };
        self.not_there(document, key, problems).help(help)
    }

    /// That the document that it takes from is abstract, and so none that values are taken from.
    pub(crate) fn is_from_abstract(&self, document: &Document<'_>, problems: &Problems<'_>) -> Error {
        let help = "it is abstract: values are taken from concrete documents only";
        self.not_there(document, "name", problems).help(help)
    }

    fn not_there(&self, document: &Document<'_>, key: &str, problems: &Problems<'_>) -> Error {
        let what = format!("{} takes a value from {}, which is not there", document.title(), self.title());
        problems.at(self.source.get(key).unwrap_or(&self.source), what)
    }
}

fn required<'v, 'a>(map: &'v Value<'a>, key: &str, whose: &str, problems: &mut Problems<'_>) -> Option<&'v Value<'a>> {
    let found = map.get(key);
    if found.is_none() {
        let error = problems.at(map, format!("this substitution of {whose} has no `{key}`"));
        problems.tell(map, error.help("it needs src: {schema, name, path} and dest: {path}"));
    }
    found
}

fn text<'v, 'a>(map: &'v Value<'a>, key: &str, whose: &str, problems: &mut Problems<'_>) -> Option<&'v Value<'a>> {
    let found = required(map, key, whose, problems)?;
    if found.as_text(Schema::Yaml11).is_none() {
        let error =
            problems.at(found, format!("`{key}` of this substitution of {whose} is {}, not a text", kind(found)));
        problems.tell(found, error);
        return None;
    }
    Some(found)
}

pub(super) fn kind(value: &Value<'_>) -> &'static str {
    value.kind_name(Schema::Yaml11)
}

impl<'a> Target<'a> {
    fn read(target: &Value<'a>, whose: &str, problems: &mut Problems<'_>) -> Option<Self> {
        let path = text(target, "path", whose, problems)?.clone();
        let pattern = target.get("pattern").filter(|value| !value.is_null()).cloned();
        let Some(recurse) = target.get("recurse") else { return Some(Self { path, pattern, depth: None }) };
        if let Some(Type::Int(depth)) = recurse.get("depth").and_then(|depth| depth.kind(Schema::Yaml11)) {
            return Some(Self { path, pattern, depth: Some(depth) });
        }
        let error = problems.at(recurse, format!("`recurse` has no number as its `depth`, in {whose}"));
        let help = "write how many levels down texts are looked for, -1 for all: recurse: {depth: -1}";
        problems.tell(recurse, error.help(help));
        None
    }
}

/// The substitutions of one document.
pub(crate) struct Putting<'p> {
    pub(crate) document: &'p Document<'p>,
    pub(crate) reading: Reading,
    pub(crate) problems: &'p Problems<'p>,
    /// What substitutions may still copy.
    pub(crate) budget: &'p Budget,
}

impl Putting<'_> {
    /// Makes a substitution from a source with these data, or only looks at it where there is nothing to put it into.
    /// There may be something to warn of.
    ///
    /// # Errors
    /// There is no value, or it cannot be where it is to be.
    pub(crate) fn substitute<'a>(
        &self,
        substitution: &Substitution<'a>,
        source: Option<&Value<'a>>,
        data: Option<&mut Value<'a>>,
    ) -> Result<Option<String>, Error> {
        let (mut value, warning) = self.taken(substitution, source)?;
        if substitution.is_whole_copy {
            sharing::part(&mut value);
        }
        match data {
            Some(data) => self.put(substitution, &value, data)?,
            None => substitution.targets.iter().try_for_each(|target| self.check(target))?,
        }
        Ok(warning)
    }

    /// Looks at a target without anything that could be put there.
    fn check(&self, target: &Target<'_>) -> Result<(), Error> {
        read_path(&target.path, self.problems)?;
        target.pattern.as_ref().map_or(Ok(()), |pattern| self.regex(pattern).map(|_| ()))
    }

    fn taken<'a>(
        &self,
        substitution: &Substitution<'a>,
        data: Option<&Value<'a>>,
    ) -> Result<(Value<'a>, Option<String>), Error> {
        let path = read_path(&substitution.path, self.problems)?;
        let found: Option<&Value<'a>> = match data {
            Some(data) if data.is_map() => path.first(data),
            other => other,
        };
        let Some(found) = found.filter(|found| !found.is_null()) else {
            let there = found.map_or("nothing", |_| "null");
            let what =
                format!("{} has {there} at `{path}`, which {} takes", substitution.title(), self.document.title());
            let keys = data.filter(|_| found.is_none()).and_then(|data| path.astray(data));
            let hint = keys.map(|(name, keys)| self.problems.hint(name, keys));
            let error = self.problems.at(&substitution.path, what);
            return Err(hint.into_iter().fold(error, Error::help));
        };
        match &substitution.pattern {
            Some(pattern) => self.matched(substitution, pattern, found),
            None => Ok((found.clone(), None)),
        }
    }

    /// The part of a text that a pattern finds; the whole text, with a warning, where it finds nothing.
    fn matched<'a>(
        &self,
        substitution: &Substitution<'a>,
        pattern: &Value<'a>,
        found: &Value<'a>,
    ) -> Result<(Value<'a>, Option<String>), Error> {
        let regex = self.regex(pattern)?;
        let Some(text) = found.as_text(Schema::Yaml11) else {
            let what = format!(
                "a pattern finds something in a text only, and {} has {} there",
                substitution.title(),
                kind(found)
            );
            return Err(self.problems.at(pattern, what));
        };
        let captures = regex.captures(text).map_err(|error| self.problems.at(pattern, error.to_string()))?;
        let Some(captures) = captures else {
            let what = format!("the pattern finds nothing in {}, all of it is taken", substitution.title());
            return Ok((found.clone(), Some(what)));
        };
        let group = self.group(substitution, regex.captures_len(), pattern)?;
        let part = captures.get(group).map_or("", |part| part.as_str());
        Ok((found.with_text(part.to_owned()), None))
    }

    /// The number of the group that is taken, of so many that the pattern has.
    fn group(&self, substitution: &Substitution<'_>, groups: usize, pattern: &Value<'_>) -> Result<usize, Error> {
        let wanted = substitution.group.as_ref().map_or(Some(Type::Int(0)), |group| group.kind(Schema::Yaml11));
        let known = match wanted {
            Some(Type::Int(at)) => usize::try_from(at).ok().filter(|&at| at < groups),
            _ => None,
        };
        known.ok_or_else(|| {
            let place = substitution.group.as_ref().unwrap_or(pattern);
            let what = format!("the pattern has {} groups, and this is none of them", groups - 1);
            self.problems.at(place, what).help("groups count from 1, and 0 is all that was found")
        })
    }

    pub(super) fn regex(&self, value: &Value<'_>) -> Result<fancy_regex::Regex, Error> {
        let text = value.as_text(Schema::Yaml11);
        let Some(text) = text else {
            return Err(self.problems.at(value, format!("a pattern is a text, not {}", kind(value))));
        };
        pattern::read(text).map_err(|why| {
            let what = format!("`{}` is no regular expression: {}", visible(text), visible(&why));
            self.problems.at(value, what)
        })
    }
}

/// Reads the path that a value of a document holds.
///
/// # Errors
/// What is wrong with it, at its place.
pub(super) fn read_path(value: &Value<'_>, problems: &Problems<'_>) -> Result<Path, Error> {
    let text = value.scalar().map_or("", |scalar| &*scalar.text);
    Path::parse(text).map_err(|wrong| {
        let what = format!("the path `{}` cannot be read: {}", visible(text), visible(&wrong.what));
        problems.inside(value, Some(wrong.at), what).help("keys with other characters are quoted: .'a key'.list[0]")
    })
}

/// What is at a way, for those that only look.
pub(super) fn there<'v, 'a>(data: &'v Value<'a>, way: Option<&Vec<usize>>) -> Option<&'v Value<'a>> {
    way.and_then(|way| follow(data, way))
}
