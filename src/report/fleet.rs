//! Many files that were upgraded, or would be, for whoever looks at all of them.

use super::{Difference, Report};
use crate::text::error::Error;

/// What became of one of many files; nothing in it is secret.
#[derive(Debug)]
pub(crate) struct Upgraded {
    /// The file as it was named or found.
    pub(crate) name: String,
    pub(crate) outcome: Result<Told, Error>,
}

/// An upgrade that was done, or would be.
#[derive(Debug)]
pub(crate) struct Told {
    /// `installed`, `changed` or `unchanged`.
    pub(crate) status: &'static str,
    pub(crate) report: Report,
    /// What differs in meaning.
    pub(crate) differences: Vec<Difference>,
}
