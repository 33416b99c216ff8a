//! A line of which nobody knows what it means, without what looks like a secret in it.
//!
//! An error shows the line that it is about, and that may be the line of a password. The text may be no YAML, or none yet,
//! so names, columns and words decide.
//!
//! Left out: values that are secret by their path. Which these are is known where paths are.

pub(crate) mod documents;
pub(crate) mod excerpt;
pub(crate) mod names;
pub(crate) mod prose;
pub(crate) mod tokens;
mod url;

/// What stands in the place of a secret.
pub(crate) const MASK: &str = "***";
