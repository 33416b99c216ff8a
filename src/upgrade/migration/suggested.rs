//! A migration file made of what an upgrade suggests, for a person to review.

use std::fmt::Write as _;

use crate::report::{Moved, Report};
use crate::text::error::visible;
use crate::yaml::flow;

/// The moves that a release may have made, as a migration file.
pub(crate) fn text(report: &Report) -> String {
    let old = report.base.as_ref().map_or("the old default", |base| &base.name);
    let mut out = format!(
        "# What {} may have moved, compared with {}. These are guesses: keep what is right.\nyamlift: 1\n",
        visible(&report.update.name),
        visible(old)
    );
    if report.suggestions.is_empty() {
        out.push_str("steps: []\n");
        return out;
    }
    out.push_str("steps:\n  - version: \"1\"  # the version of the new release\n    move:\n");
    for Moved { from, to, form } in &report.suggestions {
        let (from, to) = (flow::scalar(from), flow::scalar(to));
        let _ = match form {
            Some(form) => writeln!(out, "      {from}: {{to: {to}, as: {form:?}}}"),
            None => writeln!(out, "      {from}: {to}"),
        };
    }
    out
}
