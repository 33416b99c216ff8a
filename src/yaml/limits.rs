//! How far programs follow a file: what goes beyond these is refused or written in another way.

/// How deep nodes may stand inside of each other. Everything that recurses over a tree relies on this.
pub(crate) const MAX_DEPTH: usize = 200;

/// How many characters a key has at most that no `?` stands before, with its anchor and tag (YAML 1.2.2 §7.4.2).
pub(crate) const LONGEST_KEY: usize = 1024;

/// Whether a key as it is written is so long that programs do not look for its colon.
pub(crate) fn is_too_long(key: &str) -> bool {
    key.len() > LONGEST_KEY && key.chars().count() > LONGEST_KEY
}
