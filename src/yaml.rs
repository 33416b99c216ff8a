//! One YAML file: what is written where, and what it means.
//!
//! * [`reader`], [`tree`], [`gap`] and [`writer`]: a text as nodes with their comments, and the text again, byte for byte.
//! * [`reference`](mod@reference), [`strict`], [`outline`] and [`row`]: what another parser understands of the same text.
//! * [`commented_out`]: which comments are keys that somebody switched off.
//! * [`check`]: both must agree, or the file is refused.
//! * [`path`], [`pattern`], [`find`](mod@find), [`place`], [`key_paths`] and [`nearest`]: how a value is named and found.
//! * [`flow`]: the inside of `{…}` and `[…]`, edited in place. [`fields`]: files that are read as strictly as code.
//!
//! Promised: what is read and written again is the same, and each error says where it is.
//!
//! Left out: a second file. Nothing in here compares two versions of a configuration or decides whose value stays.

pub(crate) mod check;
mod chomping;
pub(crate) mod commented_out;
pub(crate) mod document;
pub(crate) mod fields;
pub(crate) mod find;
pub(crate) mod flow;
pub(crate) mod gap;
pub(crate) mod key_paths;
pub(crate) mod limits;
pub(crate) mod mistakes;
pub(crate) mod names;
pub(crate) mod nearest;
pub(crate) mod outline;
pub(crate) mod path;
pub(crate) mod pattern;
pub(crate) mod place;
pub(crate) mod reader;
pub(crate) mod reference;
pub(crate) mod row;
pub(crate) mod strict;
pub(crate) mod tree;
pub(crate) mod value;
pub(crate) mod view;
pub(crate) mod writer;
