//! Upgrades YAML configuration without losing a comment, a value or a byte that it had no reason to touch.
//!
//! A product ships a big, commented default configuration; its users change it; the next release ships a new default.
//! [`upgrade()`] takes the user's text and the new default and makes the upgraded text: the user's values stay as they are
//! written, new keys arrive with their comments, and order, comments and indentation follow the new default.
//!
//! ```
//! let current = "# Server\nserver:\n  port: 8080  # ours\n";
//! let update = "# The server\nserver:\n    host: localhost\n    port: 80\n";
//! let upgrade = yamlift::upgrade(current, update, &yamlift::Options::default())?;
//! assert_eq!(upgrade.text(), "# The server\nserver:\n    host: localhost\n    port: 8080  # ours\n");
//! # Ok::<(), yamlift::Error>(())
//! ```
//!
//! # How
//!
//! ```text
//! text ──read──▶ tree ──edit──▶ tree ──merge──▶ tree ──write──▶ text ──verify──▶ report ──replace──▶ file
//!         ▲  reference parser agrees          ▲ rules                 ▲ reference parser reads it again
//! ```
//!
//! A line-oriented reader makes a tree of the lines; an independent parser (saphyr) reads the same text, and both must
//! agree. The merge moves nodes and never writes a value anew. The result is read by both again and checked against both
//! inputs, with nothing but the report to explain what differs.
//!
//! Layers of other systems (`yamlift merge`, `yamlift layer`) go another way through the same house: they are read into
//! values that carry their writing, folded by rules that are data, and written as they were where no rule touched them.
//!
//! # What holds
//!
//! 1. What is read and written again is the same, byte for byte.
//! 2. A file upgraded with itself is itself.
//! 3. A second run changes nothing.
//! 4. Every value of the current file and every key of the update is in the result, or the report says why not.
//! 5. Every line of the result comes from one of the files.
//! 6. The report tells every difference, and nothing that is none.
//! 7. What is refused touches no file, and a valid file is never refused as invalid.
//! 8. Both parsers agree on every file that is accepted.
//! 9. Edits and releases commute: who edits the old default and upgrades has the new default with the same edit.
//!
//! `tests/laws.rs` tries these on real and generated files.

// What only the command uses is not taken apart from what the library does.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
mod comments;
#[cfg(feature = "cli")]
mod files;
#[cfg(feature = "cli")]
mod layers;
mod report;
mod text;
mod upgrade;
mod yaml;

#[cfg(feature = "cli")]
#[doc(inline)]
pub use cli::{FileUpgrade, upgrade_file};
pub use comments::Comments;
#[cfg(feature = "cli")]
pub use files::{Backup, Checker, FileOptions};
#[cfg(fuzzing)]
#[doc(hidden)]
pub use layers::fuzzing;
pub use report::outline::outline;
pub use report::{Applied, Change, ChangeKind, Difference, DifferenceKind, Moved, Report, Size, Summary};
pub use text::error::{Conflict, Error, ErrorKind, Place, Value, Values};
pub use upgrade::answers::{Answer, Take};
pub use upgrade::differences::differences;
pub use upgrade::matching::Pairing;
pub use upgrade::migration::Migration;
pub use upgrade::options::{Base, OnConflict, Options};
pub use upgrade::prune::{Pruned, prune};
pub use upgrade::rules::ListMerge;
pub use upgrade::variables::Variables;
pub use upgrade::{Upgrade, install, upgrade};
