//! What two sequences have in common, as [`similar`] finds it.
//!
//! What is compared is numbered first: the algorithms are compiled anew for each type that they are given, and take the
//! compiler long each time.

use std::hash::Hash;

use foldhash::HashMap;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// What becomes of the one sequence where it becomes the other, in its order.
pub(crate) fn diff<T: Hash + Eq>(algorithm: Algorithm, old: &[T], new: &[T]) -> Vec<DiffOp> {
    let mut numbers = HashMap::default();
    let mut number = |part| {
        let next = numbers.len();
        *numbers.entry(part).or_insert(next)
    };
    let old: Vec<_> = old.iter().map(&mut number).collect();
    let new: Vec<_> = new.iter().map(number).collect();
    capture_diff_slices(algorithm, &old, &new)
}
