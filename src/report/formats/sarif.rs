//! SARIF 2.1.0, the log of findings that code scanners write and many tools show.
//!
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>

use serde_json::{Value, json};

use super::{file, sentence};
use crate::report::{ChangeKind, Report};
use crate::text::error::{Error, visible};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const VERSION: &str = "2.1.0";

/// A report as a log: a result for each change and for each warning.
pub(crate) fn report(report: &Report) -> Value {
    let result = |rule: &Value, level: &str, message: &str, (name, line): (&str, usize)| {
        json!({
            "ruleId": rule,
            "level": level,
            "message": {"text": message},
            "locations": [location(name, Some((line, None)))],
        })
    };
    let warnings = report
        .warnings()
        .iter()
        .map(|warning| result(&json!("warning"), "warning", &visible(warning), (&report.result.name, 1)));
    let changes = report.changes().iter().map(|change| {
        let level = if change.kind.needs_a_look() { "warning" } else { "note" };
        result(&json!(change.kind), level, &sentence(change), (file(report, change), change.line))
    });
    log(&warnings.chain(changes).collect::<Vec<_>>(), &json!({"executionSuccessful": true}))
}

/// An error as a log in which nothing was done.
pub(crate) fn error(error: &Error) -> Value {
    let place = error.place().map(|place| (place.line, Some(place.column)));
    let locations: Vec<_> = error.file().map(|file| location(file, place)).into_iter().collect();
    let advice = error.advice().map(|help| format!("\n{help}")).unwrap_or_default();
    let notification = json!({
        "level": "error",
        "message": {"text": format!("{}{advice}", visible(error.what()))},
        "locations": locations,
    });
    log(&[], &json!({"executionSuccessful": false, "toolExecutionNotifications": [notification]}))
}

/// Many logs as one, each with its run.
pub(crate) fn together(logs: Vec<Value>) -> Value {
    let runs =
        logs.into_iter().filter_map(|mut log| log.get_mut("runs").and_then(Value::as_array_mut).map(std::mem::take));
    json!({"$schema": SCHEMA, "version": VERSION, "runs": runs.flatten().collect::<Vec<_>>()})
}

fn location(file: &str, place: Option<(usize, Option<usize>)>) -> Value {
    let mut physical = json!({"artifactLocation": {"uri": uri(file)}});
    if let Some((line, column)) = place {
        physical["region"] = json!({"startLine": line});
        if let Some(column) = column {
            physical["region"]["startColumn"] = json!(column);
        }
    }
    json!({"physicalLocation": physical})
}

/// A path as a URI reference (RFC 3986): what may not stand there is escaped.
fn uri(path: &str) -> String {
    let kept = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.bytes().map(|byte| if kept(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

fn log(results: &[Value], invocation: &Value) -> Value {
    let kinds = ChangeKind::ALL.into_iter();
    let rules = kinds.map(|kind| json!({"id": kind, "shortDescription": {"text": kind.title()}}));
    let warning = json!({"id": "warning", "shortDescription": {"text": "What deserves attention"}});
    let driver = json!({
        "name": "yamlift",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": rules.chain([warning]).collect::<Vec<_>>(),
    });
    json!({
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [{"tool": {"driver": driver}, "invocations": [invocation], "results": results}],
    })
}
