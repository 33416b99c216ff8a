//! Secrets hidden in what a program shows.

use crate::report::explanation::Explanation;
use crate::report::secrets::{LooksSecret, Secrets};
use crate::report::{Difference, Report};
use crate::text::error::Error;

/// Hides secrets: `***` stands in the place of the values of keys with names like `password`, of passwords in URLs, and
/// of the values at paths that a program names.
///
/// What it has seen of a secret it finds wherever that stands. So each method is given the texts that are told of.
///
/// ```
/// use yamlift::{Mask, Options};
/// let (current, update) = ("db:\n  password: hunter2\n", "db:\n  password: changeme\n  url: x\n");
/// let mut mask = Mask::default().with_paths(&["**/url"])?;
/// assert_eq!(mask.text(current), "db:\n  password: ***\n");
/// let found = mask.differences(yamlift::differences(current, update)?, &[current, update]);
/// assert_eq!(found[0].after.as_deref(), Some("***"));
/// # Ok::<(), yamlift::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Mask(Secrets);

impl Default for Mask {
    /// Hides what looks secret.
    fn default() -> Self {
        Self(Secrets::told_by_names())
    }
}

impl Mask {
    /// Hides nothing, for those who may see it all.
    #[must_use]
    pub fn nothing() -> Self {
        Self(Secrets::default())
    }

    /// Hides the values at these paths, too. In a path `*` stands for any one step and `**` for any number.
    ///
    /// # Errors
    /// A path that is not well formed.
    pub fn with_paths(self, paths: &[&str]) -> Result<Self, Error> {
        let alike = if self.0.by_name() { LooksSecret::Hidden } else { LooksSecret::Shown };
        let paths: Vec<_> = paths.iter().map(|&path| path.to_owned()).collect();
        Secrets::new(&paths, &[], alike).map(Self)
    }

    /// A YAML text without its secrets: values, comments, and what is commented out.
    #[must_use]
    pub fn text(&mut self, text: &str) -> String {
        self.0.mask_text(text).into_owned()
    }

    /// The report of an upgrade of these texts: the current file, both defaults and the result.
    #[must_use]
    pub fn report(&mut self, report: &Report, texts: &[&str]) -> Report {
        self.learn(texts);
        self.0.learn_variables(report);
        self.0.mask_report(report)
    }

    /// The differences between these texts.
    #[must_use]
    pub fn differences(&mut self, differences: Vec<Difference>, texts: &[&str]) -> Vec<Difference> {
        self.learn(texts);
        self.0.mask_differences(differences)
    }

    /// What was explained of these texts: the current file and both defaults.
    #[must_use]
    pub fn explanation(&mut self, explanation: Explanation, texts: &[&str]) -> Explanation {
        self.learn(texts);
        self.0.mask_explanation(explanation)
    }

    /// Words about these texts, such as a message of a program's own. A secret of less than six characters may be part of
    /// any word, and is hidden behind its key only.
    #[must_use]
    pub fn words(&mut self, words: &str, texts: &[&str]) -> String {
        self.learn(texts);
        self.0.mask_words(words)
    }

    fn learn(&mut self, texts: &[&str]) {
        for text in texts {
            self.0.learn(text);
        }
    }

    /// What is secret, with the secrets of these texts known.
    #[cfg(feature = "layers")]
    pub(crate) fn knowing(&self, texts: &[&str]) -> Secrets {
        let mut mask = self.clone();
        mask.learn(texts);
        mask.0
    }
}
