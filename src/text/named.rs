//! A text that a caller gives, and what messages call it.

/// A text and the name by which errors and reports call it, such as the path of its file.
///
/// A text alone will do wherever one is asked for; messages then call it by what it is, such as `current` or `update`.
///
/// ```
/// use yamlift::{NamedText, Options};
/// let current = NamedText::new("/etc/app/config.yml", "port: 80\n  host: web\n");
/// let refused = yamlift::upgrade(current, "port: 80\n", &Options::default()).unwrap_err();
/// assert_eq!(refused.file(), Some("/etc/app/config.yml"));
/// assert!(refused.to_string().starts_with("/etc/app/config.yml:2:"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedText<'t> {
    name: Option<&'t str>,
    text: &'t str,
}

impl<'t> NamedText<'t> {
    /// A text and its name.
    #[must_use]
    pub fn new(name: &'t str, text: &'t str) -> Self {
        Self { name: Some(name), text }
    }

    /// The name and the text; where it has no name, by this one.
    pub(crate) fn or(self, name: &'t str) -> (&'t str, &'t str) {
        (self.name.unwrap_or(name), self.text)
    }
}

impl<'t> From<&'t str> for NamedText<'t> {
    fn from(text: &'t str) -> Self {
        Self { name: None, text }
    }
}

impl<'t> From<&'t String> for NamedText<'t> {
    fn from(text: &'t String) -> Self {
        Self::from(text.as_str())
    }
}
