//! What a Rust program calls besides the upgrade of two texts: each a small function over the folders above.
//!
//! * [`explain`]: where a value comes from, and what a file has at a path. [`check`]: a migration file proves itself.
//! * [`mask`]: secrets are hidden in what is shown.
//! * `file`, `backups`: a file is upgraded in place or looked at, and brought back.
//! * `merge`, `layer`: layers of other systems.
//!
//! Promised: what is public says nothing of how it is done inside, can grow without breaking a caller, prints nothing and
//! never reads the environment.
//!
//! Left out: every decision about a configuration, which is made in the folders above, and all that the command alone
//! has. The upgrade of texts itself is in [`upgrade`](crate::upgrade).

#[cfg(feature = "files")]
pub(crate) mod backups;
mod check;
pub(crate) mod explain;
#[cfg(feature = "files")]
pub(crate) mod file;
#[cfg(feature = "layers")]
pub(crate) mod layer;
pub(crate) mod mask;
#[cfg(feature = "layers")]
pub(crate) mod merge;
