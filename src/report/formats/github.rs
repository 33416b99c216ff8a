//! Annotations of GitHub Actions: a line for each change, which is shown at its place in the file.
//!
//! <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>

use std::fmt::Write as _;

use super::{file, sentence};
use crate::report::{ChangeKind, Report};
use crate::text::error::{Error, visible};

/// A report as annotations: warnings for what somebody should look at, notices for the rest.
pub(crate) fn report(report: &Report) -> String {
    let mut out = String::new();
    let name = property(&report.result.name);
    for warning in report.warnings() {
        let _ = writeln!(out, "::warning file={name},title=yamlift::{}", message(&visible(warning)));
    }
    // Where comments stand is layout, of which each line would be an annotation.
    for change in report.changes().iter().filter(|change| change.kind != ChangeKind::CommentMoved) {
        let command = if change.kind.needs_a_look() { "warning" } else { "notice" };
        let file = property(file(report, change));
        let _ =
            writeln!(out, "::{command} file={file},line={},title=yamlift::{}", change.line, message(&sentence(change)));
    }
    if let Some(closing) = report.closing() {
        let _ = writeln!(out, "::notice file={name},title=yamlift::{}", message(&closing));
    }
    out
}

/// An error as an annotation.
pub(crate) fn error(error: &Error) -> String {
    let file = error.file().map(|file| format!("file={},", property(file)));
    let place = error.place().map(|place| format!("line={},col={},", place.line, place.column));
    let help = error.advice().map(|help| format!("\n{help}"));
    let what = format!("{}{}", visible(error.what()), help.unwrap_or_default());
    format!("::error {}{}title=yamlift::{}\n", file.unwrap_or_default(), place.unwrap_or_default(), message(&what))
}

fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_place() {
        assert_eq!(property("a,line=9::b\n%"), "a%2Cline=9%3A%3Ab%0A%25");
        assert_eq!(message("50%\n::error::no"), "50%25%0A::error::no");
    }
}
