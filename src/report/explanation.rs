//! Where the value of one path would come from, and why, as data and in three lines; and where every line comes from.

use std::fmt;

use serde::Serialize;

use super::kind::ChangeKind;
use crate::text::error::visible;

/// Where the value of a path comes from, and why. As text it is three lines: its value, its origin, the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// Where, in the form that the tool reads again.
    pub path: String,
    /// The value on one line, shortened where it is long; nothing where the result has none.
    pub value: Option<String>,
    /// The file that it comes from.
    pub file: String,
    /// The line there, from 1.
    pub line: usize,
    /// The value there.
    pub origin: String,
    /// Why, in words for people.
    pub why: &'static str,
    /// The values that decided, in words.
    pub detail: String,
    /// What the report says of the path or of what it is in; nothing where the user's value stays as it is.
    #[serde(skip)]
    pub change: Option<ChangeKind>,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => writeln!(f, "{} = {}", visible(&self.path), visible(value))?,
            None => writeln!(f, "{} is not in the result", visible(&self.path))?,
        }
        writeln!(f, "  from     {}:{}: {}", visible(&self.file), self.line, visible(&self.origin))?;
        let colon = if self.detail.is_empty() { "" } else { ": " };
        writeln!(f, "  because  {}{colon}{}", self.why, visible(&self.detail))
    }
}

/// Where a line of a result comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LineOrigin {
    /// The user's alone: the new default has something else there, or nothing.
    Yours,
    /// Both have it, or the user's means the same.
    Default,
    /// It came in from the new default.
    New,
}

/// A line of a result and where it comes from; nothing for a blank one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ExplainedLine {
    pub(crate) line: usize,
    pub(crate) origin: Option<LineOrigin>,
    pub(crate) text: String,
}

/// Lines of a result, each behind where it comes from.
pub(crate) fn in_lines(lines: &[ExplainedLine]) -> String {
    let width = lines.len().to_string().len();
    let line = |ExplainedLine { line, origin, text }: &ExplainedLine| {
        let origin = match origin {
            None => "",
            Some(LineOrigin::Yours) => "yours",
            Some(LineOrigin::Default) => "default",
            Some(LineOrigin::New) => "new",
        };
        format!("{line:>width$}  {origin:<7}  {}", visible(text)).trim_end().to_owned() + "\n"
    };
    lines.iter().map(line).collect()
}
