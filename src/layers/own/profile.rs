//! Documents that are for some profiles alone, such as those of Spring's `application.yml`.

use std::collections::BTreeSet;
use std::path::Path;

use super::file::Rules;
use crate::layers::values::{Content, Layer, Value};
use crate::text::error::{Error, visible};
use crate::yaml::path::Step;

/// The profiles whose documents count, and those that documents name.
#[derive(Debug, Default)]
pub(super) struct Profiles {
    wanted: Vec<String>,
    named: BTreeSet<String>,
}

impl Profiles {
    /// What layers have nothing for, a line for each profile. A file may be for one by its name, as Spring has it.
    pub(super) fn unknown(&self, layers: &[Layer]) -> Vec<String> {
        let is_file = |name: &str| {
            let stems = layers.iter().filter_map(|layer| Path::new(&layer.name).file_stem()?.to_str());
            stems.filter_map(|stem| stem.strip_suffix(name)).any(|before| before.ends_with('-'))
        };
        let there: Vec<_> = self.named.iter().map(|name| format!("`{}`", visible(name))).collect();
        let there =
            if there.is_empty() { "none names any".to_owned() } else { format!("there are {}", there.join(", ")) };
        let unknown = self.wanted.iter().filter(|name| !self.named.contains(*name) && !is_file(name));
        unknown.map(|name| format!("no document is for the profile `{}`: {there}", visible(name))).collect()
    }
}

impl Rules {
    /// The profiles that were asked for, where `a,b` names two.
    ///
    /// # Errors
    /// Some where documents name none by these rules.
    pub(super) fn profiles(&self, asked: &[String]) -> Result<Profiles, Error> {
        let wanted: Vec<_> =
            asked.iter().flat_map(|names| names.split(',')).map(|name| name.trim().to_owned()).collect();
        if !wanted.is_empty() && self.profile.is_empty() {
            let error = Error::input(format!("--profile means nothing with --rules {}", self.name));
            return Err(error.help("it is for rules by which documents name their profiles, such as spring"));
        }
        if wanted.iter().any(String::is_empty) {
            return Err(Error::input("a profile without a name").help("write --profile NAME, or --profile ONE,TWO"));
        }
        Ok(Profiles { wanted, named: BTreeSet::new() })
    }

    /// A document that counts for these profiles, without what names its own.
    ///
    /// # Errors
    /// Profiles in a form that is not known here.
    pub(super) fn active<'a>(
        &self,
        mut document: Value<'a>,
        layer: &Layer,
        profiles: &mut Profiles,
    ) -> Result<Option<Value<'a>>, Error> {
        for path in &self.profile {
            let Some(names) = found(&document, &path.0).map(|value| names(value, layer)).transpose()? else { continue };
            let is_active = names.iter().any(|name| profiles.wanted.contains(name));
            profiles.named.extend(names);
            if !is_active {
                return Ok(None);
            }
            take_out(&mut document, &path.0);
        }
        Ok(Some(document))
    }
}

fn found<'v, 'a>(value: &'v Value<'a>, way: &[Step]) -> Option<&'v Value<'a>> {
    way.iter().try_fold(value, |value, step| match step {
        Step::Key(name) => value.get(name),
        _ => None,
    })
}

/// The names of profiles: a text with commas, or a list.
fn names(value: &Value<'_>, layer: &Layer) -> Result<Vec<String>, Error> {
    let error = |value: &Value<'_>, what: String| layer.error_about(what, value.line(), value.name());
    let texts = match value.content() {
        Content::Scalar(scalar) => vec![&*scalar.text],
        Content::List(items) => {
            let text = |item: &'_ Value<'_>| item.scalar().is_some();
            if !items.iter().all(text) {
                return Err(error(value, "a profile is a text".to_owned()).help("write a list of names"));
            }
            items.iter().filter_map(|item| item.scalar()).map(|scalar| &*scalar.text).collect()
        }
        Content::Map(_) => return Err(error(value, "a profile is a text".to_owned()).help("write a list of names")),
    };
    let names: Vec<_> = texts.into_iter().flat_map(|text| text.split(',')).map(|name| name.trim().to_owned()).collect();
    match names.iter().find(|name| name.is_empty() || name.contains(['!', '&', '|', '(', ')', '$'])) {
        Some(name) if name.is_empty() => {
            Err(error(value, "this names no profile".to_owned()).help("name one, or take the key out"))
        }
        Some(name) => {
            let what = format!("`{}` is an expression of profiles, and only names are read here", visible(name));
            Err(error(value, what).help("write the document once for each profile that it is for"))
        }
        None => Ok(names),
    }
}

/// Takes a value out, and the maps around it that hold nothing else.
fn take_out(value: &mut Value<'_>, way: &[Step]) {
    let Some((Step::Key(name), below)) = way.split_first() else { return };
    let Some(at) = value.position(name) else { return };
    if let Some(child) = value.child_mut(at).filter(|_| !below.is_empty()) {
        take_out(child, below);
        if !child.children().is_empty() {
            return;
        }
    }
    value.remove(at);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::reference::Duplicates;

    #[test]
    fn what_names_the_profile_goes_with_the_maps_that_hold_nothing_else() {
        let layer = Layer { name: "a.yml".into(), text: "s:\n  c:\n    p: x\n  d: 1\nt: 2\n".into() };
        let mut document = layer.read(0, Duplicates::Refused).unwrap().documents.remove(0);
        let way: Vec<Step> = ["s", "c", "p"].map(|name| Step::Key(name.to_owned())).into();
        take_out(&mut document, &way);
        assert_eq!(document.get("s").map(|s| s.children().len()), Some(1));
    }
}
