//! Keys with dots that spell out a path: `server.port` is what `port` in `server` is to Spring, but not to YAML.

use std::collections::HashMap;

use super::file::Rules;
use crate::layers::values::{Layer, Value};
use crate::text::error::{Error, visible};

impl Rules {
    /// Refuses a value that stands under two spellings of one path, where the rules say that dots part the steps.
    ///
    /// # Errors
    /// Such a value: which of both counts, the layers do not say.
    pub(super) fn refuse_twins(&self, result: &Value<'_>, layers: &[Layer]) -> Result<(), Error> {
        let mut known = HashMap::new();
        if self.refuses_dotted { visit(result, "", layers, &mut known) } else { Ok(()) }
    }
}

fn visit<'v, 'a>(
    value: &'v Value<'a>,
    path: &str,
    layers: &[Layer],
    known: &mut HashMap<String, &'v Value<'a>>,
) -> Result<(), Error> {
    for entry in value.children().iter().filter(|_| value.is_map()) {
        let path = if path.is_empty() { entry.name().to_owned() } else { format!("{path}.{}", entry.name()) };
        if entry.is_map() && !entry.children().is_empty() {
            visit(entry, &path, layers, known)?;
        } else if let Some(other) = known.get(path.as_str()) {
            let place = |value: &Value<'_>| value.origin.layer.and_then(|at| layers.get(at));
            let there = place(other).map_or("", |layer| layer.name.as_str());
            let what = format!("`{}` stands in {there}:{} in another spelling", visible(&path), other.line());
            let error = place(entry)
                .map_or_else(|| Error::input(&what), |layer| layer.error_about(&what, entry.line(), entry.name()));
            return Err(error.help("write both with the same dots: which of them counts cannot be told here"));
        } else {
            known.insert(path, entry);
        }
    }
    Ok(())
}
