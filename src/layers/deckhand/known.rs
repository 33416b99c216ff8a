//! What is known of a set of documents when it is found out who belongs to whom.

use super::documents::Document;
use crate::layers::reading::Reading;

/// Whether the documents that are known are all that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Extent {
    All,
    /// Files could not be read: nothing is told of what may stand there.
    #[default]
    Part,
}

/// What is known when it is found out who belongs to whom.
#[derive(Clone, Copy)]
pub(crate) struct Known<'d, 'a> {
    pub(crate) documents: &'d [Document<'a>],
    pub(crate) extent: Extent,
    pub(crate) reading: Reading,
}
