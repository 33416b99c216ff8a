//! Items that a layer takes out of the lists of those behind it, by a prefix before what they are: `--bob` takes `bob` away.

use std::collections::{HashMap, HashSet};

use crate::layers::values::{Content, Schema, Value};
use crate::text::error::Error;

/// What has been knocked out of the lists of a key so far, by the keys on the way to each list.
pub(super) struct Knockout<'k> {
    prefix: &'k str,
    names: HashMap<Vec<String>, HashSet<String>>,
}

impl<'k> Knockout<'k> {
    pub(super) fn new(prefix: &'k str) -> Self {
        Self { prefix, names: HashMap::new() }
    }

    /// Takes out of a value what the layers before have knocked out, and what it knocks out itself of those behind.
    ///
    /// # Errors
    /// A text with the prefix that is no item of a list, by `error`: the system makes an empty text of what it meets.
    pub(super) fn go_over(&mut self, value: &mut Value<'_>, error: &dyn Fn(&Value<'_>) -> Error) -> Result<(), Error> {
        self.inside(value, &mut Vec::new(), error)
    }

    fn inside(
        &mut self,
        value: &mut Value<'_>,
        way: &mut Vec<String>,
        error: &dyn Fn(&Value<'_>) -> Error,
    ) -> Result<(), Error> {
        match value.content() {
            Content::Scalar(_) if self.marked(value).is_some() => return Err(error(value)),
            Content::Scalar(_) => {}
            Content::List(_) => self.list(value, way),
            Content::Map(_) => {
                for at in 0..value.children().len() {
                    let Some(child) = value.child_mut(at) else { continue };
                    way.push(child.name().to_owned());
                    self.inside(child, way, error)?;
                    way.pop();
                }
            }
        }
        Ok(())
    }

    fn list(&mut self, list: &mut Value<'_>, way: &[String]) {
        let new: Vec<String> = list.children().iter().filter_map(|item| self.marked(item)).map(str::to_owned).collect();
        let known = self.names.entry(way.to_owned()).or_default();
        // The prefix alone takes everything away.
        let is_out = |name: &str| known.contains(name) || known.contains("");
        let prefix = self.prefix;
        list.retain(|_, item| match item.as_text(Schema::Core) {
            Some(text) => !text.starts_with(prefix) && !is_out(text),
            None => !known.contains(""),
        });
        known.extend(new);
    }

    /// What a text knocks out.
    fn marked<'v>(&self, value: &'v Value<'_>) -> Option<&'v str> {
        value.as_text(Schema::Core)?.strip_prefix(self.prefix)
    }
}
