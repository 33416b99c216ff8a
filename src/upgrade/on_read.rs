//! Who looks at the texts of an upgrade while they are read: to read one again takes longer than most of what an upgrade does.

use crate::text::source::Source;
use crate::yaml::outline::Outline;

/// Which text of an upgrade is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    /// The current file, its values moved.
    Current,
    /// The new default, its variables applied.
    Update,
    /// The old default, its variables applied and its values moved.
    Base,
    /// The result, where it differs from the current file.
    Result,
}

/// Is shown each text once it is known what it means.
pub(crate) trait OnRead {
    /// Looks at a text; the current file is the first.
    fn on_read(&mut self, which: Which, source: &Source<'_>, outline: &Outline<'_>);
}

/// Looks at nothing.
impl OnRead for () {
    fn on_read(&mut self, _: Which, _: &Source<'_>, _: &Outline<'_>) {}
}
