//! Upgrades YAML configuration without losing a comment, a value or a byte that it had no reason to touch.

mod check;
#[doc(hidden)]
pub mod cli;
mod comments;
mod documents;
mod edit;
mod error;
mod file;
mod flow;
mod matching;
mod merge;
mod option_lines;
mod options;
mod outline;
mod path;
mod reader;
mod reference;
mod report;
mod scan;
mod source;
mod tree;
mod upgrade;
mod variables;
mod verify;
mod view;
mod writer;

pub use comments::Comments;
pub use error::{Error, ErrorKind, Place};
pub use file::Backup;
pub use matching::Pairing;
pub use options::Options;
pub use report::{Applied, Change, ChangeKind, Report, Size};
pub use upgrade::{Upgrade, install, upgrade};
pub use variables::Variables;

pub(crate) fn outline_named(name: &str, text: &str) -> Result<String, Error> {
    let source = source::Source::new(name, text)?;
    let checked = check::read(&source)?;
    Ok(checked.outline.print(0..checked.outline.rows.len(), &[]))
}
