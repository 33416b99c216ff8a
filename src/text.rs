//! Texts before anybody knows what they mean.
//!
//! * [`at_once`]: work on several threads, where the system gives them.
//! * [`mod@diff`]: what two sequences have in common.
//! * [`encoding`]: bytes as a text, or why they are none.
//! * [`source`]: a file's text, cut into [`lines`] that keep their ends, and its byte-order mark.
//! * [`scan`]: questions about one line, such as where its key ends and which value begins on it.
//! * [`error`]: what went wrong, at which line and column, and what to do about it.
//! * [`masking`]: a line without what looks like a secret in it.
//! * [`budget`]: how much may be made of a text by copying.
//! * [`piece`]: a text that is most often a piece of a file, in two words.
//! * [`named`]: a text that a caller gives, and what messages call it.
//!
//! Promised: no byte of a text is lost or made anew, and every place that is said can be found in the file.
//!
//! Left out: what a text means. Nothing in here knows keys, values or comments of more than one line.

pub(crate) mod at_once;
pub(crate) mod budget;
pub(crate) mod diff;
pub(crate) mod encoding;
pub(crate) mod error;
pub(crate) mod lines;
pub(crate) mod masking;
pub(crate) mod named;
pub(crate) mod piece;
pub(crate) mod scan;
pub(crate) mod source;
#[cfg(test)]
pub(crate) mod testdata;
