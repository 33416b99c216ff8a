//! Where the value of a path comes from, and what a file has there.

use crate::report::explanation::Explanation;
use crate::text::error::Error;
use crate::text::named::NamedText;
use crate::upgrade::options::Options;
use crate::upgrade::{self, answers};
use crate::yaml::pattern::Pattern;

/// Explains what an upgrade would make of a path, and where the value there comes from. Secrets are shown: a
/// [`Mask`](crate::Mask) hides them.
///
/// ```
/// use yamlift::{ChangeKind, NamedText, Options};
/// let (current, update) = (NamedText::new("app.yml", "port: 8080\n"), NamedText::new("2.0.yml", "port: 80\nlog: info\n"));
/// let told = yamlift::explain(current, update, &Options::default(), "log")?;
/// assert_eq!((told.value.as_deref(), told.file.as_str(), told.line), (Some("info"), "2.0.yml", 2));
/// assert_eq!(told.change, Some(ChangeKind::Added));
/// # Ok::<(), yamlift::Error>(())
/// ```
///
/// # Errors
/// Those of [`upgrade`](crate::upgrade()), a path that is not well formed, and one that no file has.
pub fn explain<'t>(
    current: impl Into<NamedText<'t>>,
    update: impl Into<NamedText<'t>>,
    options: &Options,
    path: &str,
) -> Result<Explanation, Error> {
    upgrade::explain::explain(current.into().or("current"), update.into().or("update"), options, path)
}

/// What a file has at a path, in full and as YAML on one line, such as a program decides by, or gives an
/// [`Answer`](crate::Answer) over. Secrets are shown. There is nothing where the file has nothing there, and where the value
/// cannot be said on one line without the rest of the file.
///
/// ```
/// let file = "server:\n  ports:\n  - 80   # plain\n  - 443\n";
/// assert_eq!(yamlift::value_at(file, "server/ports")?.as_deref(), Some("[80, 443]"));
/// assert_eq!(yamlift::value_at(file, "server/host")?, None);
/// # Ok::<(), yamlift::Error>(())
/// ```
///
/// # Errors
/// A text that is not valid YAML, and a path that is not well formed.
pub fn value_at<'t>(file: impl Into<NamedText<'t>>, path: &str) -> Result<Option<String>, Error> {
    Pattern::read(path)?;
    answers::over(file.into().or("file"), path)
}
