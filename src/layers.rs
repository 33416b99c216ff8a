//! Layers of other systems, joined by the rules of each.
//!
//! * [`values`]: a layer as values that carry their writing, and the text that is made of them again.
//! * [`reading`]: whether a system is held to its document, or to what it does.
//! * [`fold`]: two values become one by a policy, in terms that all systems share.
//! * [`cloud_init`], [`datum`], [`heat`]: the rules of these systems. [`own`]: rules that a user wrote.
//! * [`deckhand`]: documents that inherit from each other and put values into each other.
//! * `python`: what Python makes of values, where a system's rules are Python's.
//! * [`schema`]: data held to a JSON Schema.
//! * `merge`, [`layer`](mod@layer): what a Rust program calls.
//!
//! Promised: what no rule touches is written as it was, and each value of a result knows the layer that supplied it.
//!
//! Left out: upgrades. An upgrade arranges lines as a new default has them, layers compute values; they share what is
//! written in a file ([`yaml`](crate::yaml)) and nothing else.

pub(crate) mod cloud_init;
pub(crate) mod datum;
pub(crate) mod deckhand;
pub(crate) mod fold;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
pub(crate) mod heat;
pub(crate) mod layer;
pub(crate) mod merge;
pub(crate) mod own;
mod python;
pub(crate) mod reading;
pub(crate) mod schema;
pub(crate) mod values;
