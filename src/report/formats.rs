//! The report in the forms that other tools show: a comment on a pull request, annotations, a log of findings, a page.
//!
//! Promised: text of a file cannot leave its place: it is escaped for the form that it goes into.

pub(crate) mod github;
pub(crate) mod html;
pub(crate) mod markdown;
pub(crate) mod sarif;

use super::{Change, Report};
use crate::text::error::visible;

/// What a change tells, on one line.
fn line(change: &Change) -> String {
    visible(change.text.lines().next().unwrap_or_default())
}

/// A change as one sentence: what happened, where, and the value.
fn sentence(change: &Change) -> String {
    let title = change.kind.title();
    let place = change.place();
    let text = line(change);
    if text.is_empty() { format!("{title}: {place}") } else { format!("{title}: {place}: {text}") }
}

/// The file that the line of a change is of.
fn file<'r>(report: &'r Report, change: &Change) -> &'r str {
    if change.kind.is_of_update() {
        &report.update.name
    } else {
        report.configuration.as_ref().map_or(&report.result.name, |size| &size.name)
    }
}
