//! Where the value of one path would come from, and why, as data and in three lines; and where every line comes from.

use std::fmt;

use serde::Serialize;

use crate::text::error::visible;

/// Three lines about a path: its value, its origin, the reason.
#[derive(Debug, Serialize)]
pub(crate) struct Explanation {
    pub(crate) path: String,
    /// Nothing where the result has none.
    pub(crate) value: Option<String>,
    /// The file that it comes from.
    pub(crate) file: String,
    /// The line there, from 1.
    pub(crate) line: usize,
    /// The value there.
    pub(crate) origin: String,
    pub(crate) why: &'static str,
    /// The values that decided, in words.
    pub(crate) detail: String,
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
