//! Where the value of one path would come from, and why, as data and in three lines.

use std::fmt;

use crate::text::error::visible;

/// Three lines about a path: its value, its origin, the reason.
pub(crate) struct Explanation {
    pub(crate) path: String,
    /// Nothing where the result has none.
    pub(crate) value: Option<String>,
    /// File and line.
    pub(crate) place: String,
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
        writeln!(f, "  from     {}: {}", visible(&self.place), visible(&self.origin))?;
        let colon = if self.detail.is_empty() { "" } else { ": " };
        writeln!(f, "  because  {}{colon}{}", self.why, visible(&self.detail))
    }
}
