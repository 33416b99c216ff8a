//! What `yamlift cloud-init` writes: a configuration, where its values come from, and what a change does to it.

use std::fmt::Write as _;

use serde::Serialize;

use super::common::Format;
pub(super) use super::datum_output::Form;
use super::datum_output::difference_lines;
use super::output;
use crate::layers::cloud_init::{Level, Resolved};
use crate::layers::values::{Supplied, explained};
use crate::report::Difference;
use crate::report::secrets::Secrets;
use crate::text::error::{Error, visible};
use crate::upgrade::differences as by_values;

/// What is printed for programs.
#[derive(Serialize)]
struct Data<'d> {
    schema: u8,
    status: &'d str,
    levels: Vec<LevelData<'d>>,
    /// The configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'d str>,
    /// Who supplied each value, with `--explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<Supplied>>,
    /// What a change does, with `--diff`.
    #[serde(skip_serializing_if = "Option::is_none")]
    differences: Option<Vec<Difference>>,
    warnings: &'d [String],
}

#[derive(Serialize)]
struct LevelData<'d> {
    level: &'d str,
    parts: &'d [String],
    counts: bool,
}

/// The configuration, or with `--explain` where its values come from.
pub(super) fn configuration(
    form: Form,
    resolved: &Resolved,
    secrets: &Secrets,
    warnings: &[String],
) -> Result<String, Error> {
    let values = || {
        let mut all = resolved.merged.supplied(secrets);
        for one in &mut all {
            one.value = secrets.mask_known(&one.value);
        }
        all
    };
    match (form.format, form.explain) {
        (Format::Json, _) => {
            let text = (!form.explain).then_some(resolved.merged.text.as_str());
            let (values, levels) = (form.explain.then(values), levels(resolved));
            output::json(&Data { schema: 1, status: "resolved", levels, text, values, differences: None, warnings })
        }
        (Format::Text, true) => Ok(told(&resolved.levels) + "\n" + &explained(&values())),
        (Format::Text, false) => Ok(resolved.merged.text.clone()),
    }
}

fn levels(resolved: &Resolved) -> Vec<LevelData<'_>> {
    let all = resolved.levels.iter();
    all.map(|level| LevelData { level: level.name, parts: &level.parts, counts: level.counts }).collect()
}

/// The levels with their parts, the highest first.
fn told(levels: &[Level]) -> String {
    let mut out = String::new();
    for level in levels {
        let off = if level.counts { "" } else { ", turned off" };
        for part in &level.parts {
            let _ = writeln!(out, "{}: {}{off}", level.name, visible(part));
        }
        if level.parts.is_empty() {
            let _ = writeln!(out, "{}: nothing of it is a configuration{off}", level.name);
        }
    }
    out
}

/// How one machine differs from another, by values.
pub(super) fn differences(
    form: Form,
    [before, after]: [&Resolved; 2],
    secrets: &Secrets,
    warnings: &[String],
) -> Result<String, Error> {
    let (old, new) = (before.merged.text.as_str(), after.merged.text.as_str());
    let found = by_values::by_meaning(("before", old), ("after", new))?.differences;
    let found = secrets.mask_differences(found);
    if form.format == Format::Json {
        let (levels, differences) = (levels(after), Some(found));
        let data = Data { schema: 1, status: "compared", levels, text: None, values: None, differences, warnings };
        return output::json(&data);
    }
    let end = match found.len() {
        0 => "Nothing changes.".to_owned(),
        1 => "\n1 value changes.".to_owned(),
        count => format!("\n{count} values change."),
    };
    Ok(secrets.mask_known(&(difference_lines(&found, form.is_coloured) + &end + "\n")))
}
