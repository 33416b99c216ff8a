//! Pages to look at in a browser: one for an upgrade, one for a fleet.
//!
//! Promised: a page is one file that loads nothing. All of it can be read without the script, which only searches. It
//! can be printed, is light or dark as the reader's system is, and fits a narrow window. Text of a file is text: no link
//! and no style is made of it.

mod changes;
mod fleet;
mod frame;
mod lines;
mod page;

pub(crate) use self::fleet::fleet;
pub(crate) use self::page::{Page, error, page};

#[cfg(test)]
mod tests;
