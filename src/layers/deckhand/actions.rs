//! What a document makes of the data that it inherits.

use std::borrow::Cow;
use std::sync::Arc;

use super::documents::Document;
use super::path;
use super::path::{Path, Way, follow_mut};
use super::problems::Problems;
use super::putting::{for_one, is_in_vain, several, write};
use super::substitution::{read_path, there};
use crate::layers::fold::{Clash, Fold, Lists, Maps, Null, Policy, Texts, Whole};
use crate::layers::python;
use crate::layers::reading::Reading;
use crate::layers::values::{Schema, Value};
use crate::text::error::{Error, visible};

/// The actions of one document.
pub(crate) struct Acting<'p, 'a> {
    pub(crate) document: &'p Document<'a>,
    pub(crate) parent: &'p Document<'a>,
    /// The data of the document itself.
    pub(crate) own: &'p Value<'a>,
    pub(crate) reading: Reading,
    pub(crate) problems: &'p Problems<'p>,
}

const METHODS: [&str; 3] = ["merge", "replace", "delete"];

/// One action.
struct Action<'v, 'a> {
    method: &'v str,
    /// Whether the engine finds the root by it, and cannot change it there: `$`.
    is_in_vain: bool,
    /// Where it is written.
    at: &'v Value<'a>,
    path: Path,
    rule: Arc<str>,
}

impl<'a> Acting<'_, 'a> {
    /// Lets one action work on the inherited data.
    ///
    /// # Errors
    /// What it needs and has not.
    pub(crate) fn act(&self, action: &Value<'a>, work: &mut Value<'a>) -> Result<(), Error> {
        let action = self.read(action)?;
        match action.method {
            "delete" => self.delete(&action, work),
            "merge" => self.merge(&action, work),
            _ => {
                let own = self.own_value(&action, self.own)?.clone();
                self.write(&action, own, work)
            }
        }
    }

    /// Looks at an action where there is nothing that it could work on.
    ///
    /// # Errors
    /// What is wrong with it itself.
    pub(crate) fn check(&self, action: &Value<'a>) -> Result<(), Error> {
        let action = self.read(action)?;
        let appends = action.path.list_of_item().is_some() && action.method == "merge";
        if action.method != "delete" && !appends {
            self.own_value(&action, self.own)?;
        }
        Ok(())
    }

    fn read<'v>(&self, value: &'v Value<'a>) -> Result<Action<'v, 'a>, Error> {
        let field = |key: &str| {
            let found = value.get(key).and_then(|field| Some((field, field.as_text(Schema::Yaml11)?)));
            found.ok_or_else(|| {
                let what = format!("this action of {} has no `{key}`", self.document.title());
                self.problems.at(value.get(key).unwrap_or(value), what).help("an action is {method: merge, path: .key}")
            })
        };
        let ((method, word), (at, text)) = (field("method")?, field("path")?);
        if !METHODS.contains(&word) {
            let what = format!("`{}` is no method of an action", visible(word));
            return Err(self.problems.at(method, what).help(self.problems.hint(word, METHODS)));
        }
        let text = prepared(text, self.reading);
        let path = match Path::parse(&text) {
            Ok(path) => path,
            // Its place is that in the text as it is written.
            Err(_) => read_path(at, self.problems).and_then(|_| {
                let what = format!("the path `{}` cannot be read as `{}`", visible(at_text(at)), visible(&text));
                Err(self.problems.at(at, what))
            })?,
        };
        let rule = format!("{word} {path} by {}", self.document.name).into();
        let is_in_vain = self.reading.is_shipped() && path.is_root() && text != ".";
        Ok(Action { method: word, is_in_vain, at, path, rule })
    }

    /// What the document itself has at the path of an action.
    fn own_value<'v>(&self, action: &Action<'_, 'a>, own: &'v Value<'a>) -> Result<&'v Value<'a>, Error> {
        let ways = action.path.ways(own);
        if ways.len() > 1 && self.reading.is_documented() {
            return Err(self.problems.at(action.at, several(&action.path, ways.len())));
        }
        let found = there(own, ways.first());
        found.filter(|found| !(self.reading.is_shipped() && found.is_null())).ok_or_else(|| {
            let whose = format!("{} itself", self.document.title());
            self.missing(action, &whose, own, &action.path)
        })
    }

    fn missing(&self, action: &Action<'_, 'a>, whose: &str, data: &Value<'a>, path: &Path) -> Error {
        let null = path.first(data).is_some();
        let there = if null { "only null" } else { "nothing" };
        let written = at_text(action.at);
        let written =
            if written == path.to_string() { String::new() } else { format!(" (written `{}`)", visible(written)) };
        let what = format!("cannot {} `{path}`{written}: {whose} has {there} there", action.method);
        let hint = path.astray(data).filter(|_| !null).map(|(name, keys)| self.problems.hint(name, keys));
        hint.into_iter().fold(self.problems.at(action.at, what), Error::help)
    }

    fn delete(&self, action: &Action<'_, 'a>, work: &mut Value<'a>) -> Result<(), Error> {
        if action.is_in_vain {
            return Ok(());
        }
        if action.path.is_root() {
            let mut empty = Value::map();
            empty.by(&action.rule);
            work.give_way_to(empty);
            return Ok(());
        }
        let ways = action.path.ways(work);
        let found = there(work, ways.first()).filter(|found| !(self.reading.is_shipped() && found.is_null()));
        let Some(found) = found else {
            let whose = format!("what {} inherits from {}", self.document.title(), self.parent.title());
            return Err(self.missing(action, &whose, work, &action.path));
        };
        if ways.len() > 1 && self.reading.is_documented() {
            return Err(self.problems.at(action.at, several(&action.path, ways.len())));
        }
        // The engine looks for what is equal to the value that the path leads to, and deletes the first.
        let equal = if self.reading.is_shipped() { first_equal(work, found) } else { None };
        remove(work, &equal.or_else(|| ways.first().cloned()).unwrap_or_default());
        Ok(())
    }

    fn merge(&self, action: &Action<'_, 'a>, work: &mut Value<'a>) -> Result<(), Error> {
        if let Some((list, _)) = action.path.list_of_item().filter(|_| self.reading.is_documented()) {
            return self.extend(action, &list, work);
        }
        let mut own = self.own_value(action, self.own)?.clone();
        let ways = action.path.ways(work);
        let both_maps = own.is_map() && there(work, ways.first()).is_some_and(Value::is_map);
        if !both_maps {
            return self.write(action, own, work);
        }
        if ways.len() > 1 && self.reading.is_documented() {
            return Err(self.problems.at(action.at, several(&action.path, ways.len())));
        }
        own.by_all(&action.rule);
        let Some(first) = ways.first().and_then(|way| follow_mut(work, way)) else { return Ok(()) };
        first.yield_comments(&own);
        let fold = Fold { schema: Schema::Yaml11, policy: &|_| DEEP };
        if fold.fold(first, own).is_err() {
            return Err(self.problems.at(action.at, "two values cannot be merged"));
        }
        if ways.len() > 1 {
            let merged = first.clone();
            return write(&action.path, work, merged, Reading::Shipped).map_err(|why| self.problems.at(action.at, why));
        }
        Ok(())
    }

    /// With an index at its end a merge puts the items of the document behind those that it inherits: so the document
    /// about layering says.
    fn extend(&self, action: &Action<'_, 'a>, list: &Path, work: &mut Value<'a>) -> Result<(), Error> {
        let of_list = Action { path: list.clone(), rule: Arc::clone(&action.rule), ..*action };
        let own = self.own_value(&of_list, self.own)?;
        if !own.is_list() {
            let what = format!(
                "cannot merge `{}`: {} has {} at `{list}`",
                action.path,
                self.document.title(),
                own.kind_name(Schema::Yaml11)
            );
            return Err(self.problems.at(action.at, what).help("with an index, the items of a list are appended"));
        }
        let ways = list.ways(work);
        match ways.first().and_then(|way| follow_mut(work, way)).filter(|there| there.is_list()) {
            None => self.write(&of_list, own.clone(), work),
            Some(there) => {
                there.gain_comments(own);
                let mut own = own.clone();
                own.by_all(&action.rule);
                own.into_children().into_iter().for_each(|item| there.push(item));
                Ok(())
            }
        }
    }

    fn write(&self, action: &Action<'_, 'a>, mut value: Value<'a>, work: &mut Value<'a>) -> Result<(), Error> {
        if action.is_in_vain {
            return Ok(());
        }
        value.by_all(&action.rule);
        // What replaces brings its own comments.
        replace_all(&action.path, work, value, self.reading).map_err(|why| {
            let what = format!("cannot {} `{}` in {}: {why}", action.method, action.path, self.document.title());
            self.problems.at(action.at, what)
        })
    }
}

/// Maps are joined, and where two values cannot be the document's own one stays.
const DEEP: Policy = Policy {
    maps: Maps::Join,
    lists: Lists::Replace,
    texts: Texts::Replace,
    others: Whole::Replace,
    clash: Clash::Replace,
    null: Null::Value,
};

fn replace_all<'a>(path: &Path, work: &mut Value<'a>, value: Value<'a>, reading: Reading) -> Result<(), String> {
    match &path.ways(work)[..] {
        [_] if is_in_vain(path, reading)? => Ok(()),
        [way] => {
            let value = for_one(path, value, reading)?;
            if let Some(there) = path::follow_mut(work, way) {
                there.replace(value);
            }
            Ok(())
        }
        _ => write(path, work, value, reading),
    }
}

/// Paths may start with `.data`, which is what they go from anyway. The engine cuts it off as text, so that `.database`
/// is `.base`.
fn prepared(text: &str, reading: Reading) -> Cow<'_, str> {
    let cut = |prefix| {
        text.strip_prefix(prefix).filter(|rest| reading.is_shipped() || rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let rest = cut(".data").or_else(|| cut("$.data")).unwrap_or(text);
    if rest.starts_with('.') || rest.starts_with("$.") { Cow::Borrowed(rest) } else { Cow::Owned(format!(".{rest}")) }
}

fn at_text<'v>(value: &'v Value<'_>) -> &'v str {
    value.scalar().map_or("", |scalar| &*scalar.text)
}

/// The way to the first value that is equal, depth first.
fn first_equal(data: &Value<'_>, wanted: &Value<'_>) -> Option<Way> {
    for (at, child) in data.children().iter().enumerate() {
        if python::equal(child, wanted) {
            return Some(vec![at]);
        }
        if let Some(mut way) = first_equal(child, wanted) {
            way.insert(0, at);
            return Some(way);
        }
    }
    None
}

fn remove(data: &mut Value<'_>, way: &[usize]) {
    if let Some((last, before)) = way.split_last()
        && let Some(there) = follow_mut(data, before)
    {
        there.remove(*last);
    }
}
