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
//! # What a program asks for
//!
//! | function | does | feature |
//! |---|---|---|
//! | [`upgrade()`], [`install`], [`prune`] | makes the upgraded text, the first one, or the user's part of one | |
//! | [`explain`], [`differences`], [`value_at`] | says where a value comes from, what two files mean differently, what one has at a path | |
//! | [`Migration::check`], [`Mask`] | holds a migration file against both defaults; hides secrets in what is shown | |
#![cfg_attr(
    feature = "files",
    doc = "| [`upgrade_file`], [`preview_upgrade_file`] | upgrades a file in place, or says what would be done | `files` |"
)]
#![cfg_attr(
    feature = "files",
    doc = "| [`restore`], [`preview_restore`], [`backups`] | brings a backup back, or lists them | `files` |"
)]
#![cfg_attr(
    feature = "layers",
    doc = "| [`merge`], [`layer`], [`explain_layer`] | joins layers by the rules of a system or of your own | `layers` |"
)]
#![cfg_attr(
    feature = "properties",
    doc = "| [`Variables::read_properties`] | takes variables from a properties file of Java | `properties` |"
)]
//!
//! The feature `cli`, which is on by default, is the command and has all the others. A library that upgrades texts takes
//! `default-features = false`, and names the features that it needs.
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

// What only some features use is not taken apart from what the library does.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
mod comments;
#[cfg(feature = "files")]
mod files;
#[cfg(feature = "layers")]
mod layers;
mod report;
mod text;
mod upgrade;
#[cfg(feature = "files")]
// It is part of the command, and of programs that have the rest of that not.
#[path = "cli/upgrade_file.rs"]
mod upgrade_file;
mod yaml;

/// The code of the page about the library.
#[cfg(all(doctest, feature = "cli"))]
#[doc = include_str!("../docs/library.md")]
mod page {}

pub use comments::Comments;
#[cfg(feature = "files")]
pub use files::kept::{KeptBackup, backups, preview_restore, restore};
#[cfg(feature = "files")]
pub use files::{Backup, Checker, FileOptions, Restored};
#[cfg(feature = "layers")]
pub use layers::cloud_init::{Entry as CloudInitEntry, Header as PartHeader};
#[cfg(feature = "layers")]
pub use layers::deckhand::{Explained as ExplainedDocument, Schemas as DocumentSchemas, Supplied as DocumentValue};
#[cfg(all(fuzzing, feature = "layers"))]
#[doc(hidden)]
pub use layers::fuzzing;
#[cfg(feature = "layers")]
pub use layers::layer::{LayerErrors, LayerOptions, Layered, explain_layer, layer};
#[cfg(feature = "layers")]
pub use layers::merge::{CloudInitRules, DatumRules, HeatRules, MergeRules, Merged, PresetRules, merge};
#[cfg(feature = "layers")]
pub use layers::reading::Reading;
#[cfg(feature = "layers")]
pub use layers::values::Supplied as SuppliedValue;
pub use report::explanation::Explanation;
pub use report::mask::Mask;
pub use report::outline::outline;
pub use report::{Applied, Change, ChangeKind, Difference, DifferenceKind, Moved, Report, Size, Summary};
pub use text::error::{Conflict, Error, ErrorKind, Place, Value, Values};
pub use text::named::NamedText;
pub use upgrade::answers::{Answer, Take};
pub use upgrade::differences::differences;
pub use upgrade::lookup::{explain, value_at};
pub use upgrade::matching::Pairing;
pub use upgrade::migration::Migration;
pub use upgrade::options::{Base, OnConflict, Options};
pub use upgrade::prune::{Pruned, prune};
pub use upgrade::rules::ListMerge;
pub use upgrade::variables::Variables;
pub use upgrade::{Upgrade, install, upgrade};
#[cfg(feature = "files")]
pub use upgrade_file::{FilePreview, FileUpgrade, preview_upgrade_file, upgrade_file};
