//! What two sequences have in common, as [`similar`] finds it.
//!
//! What is compared is numbered first: the algorithms are compiled anew for each type that they are given, and take the
//! compiler long each time.
//!
//! Where little is in order an algorithm takes time with the product of both lengths. So long sequences are cut at what both
//! have once and in the same order, as patience does, and the parts are compared.

use std::hash::Hash;

use foldhash::HashMap;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Sequences longer than this are cut.
const LONG: usize = 4096;

/// What becomes of the one sequence where it becomes the other, in its order.
pub(crate) fn diff<T: Hash + Eq>(algorithm: Algorithm, old: &[T], new: &[T]) -> Vec<DiffOp> {
    let mut numbers = HashMap::default();
    let mut number = |part| {
        let next = numbers.len();
        *numbers.entry(part).or_insert(next)
    };
    let old: Vec<_> = old.iter().map(&mut number).collect();
    let new: Vec<_> = new.iter().map(number).collect();
    if old.len().min(new.len()) <= LONG {
        return capture_diff_slices(algorithm, &old, &new);
    }
    let (mut ops, mut from) = (Vec::new(), [0, 0]);
    for [at, to] in in_order(&once_in_both(&old, &new)) {
        ops.extend(between(algorithm, [&old[from[0]..at], &new[from[1]..to]], from));
        ops.push(DiffOp::Equal { old_index: at, new_index: to, len: 1 });
        from = [at + 1, to + 1];
    }
    ops.extend(between(algorithm, [&old[from[0]..], &new[from[1]..]], from));
    ops
}

/// What becomes of a part of a sequence, by the places in the whole.
fn between(algorithm: Algorithm, [old, new]: [&[usize]; 2], from: [usize; 2]) -> impl Iterator<Item = DiffOp> {
    let [before, before_new] = from;
    capture_diff_slices(algorithm, old, new).into_iter().map(move |op| match op {
        DiffOp::Equal { old_index, new_index, len } => {
            DiffOp::Equal { old_index: before + old_index, new_index: before_new + new_index, len }
        }
        DiffOp::Delete { old_index, old_len, new_index } => {
            DiffOp::Delete { old_index: before + old_index, old_len, new_index: before_new + new_index }
        }
        DiffOp::Insert { old_index, new_index, new_len } => {
            DiffOp::Insert { old_index: before + old_index, new_index: before_new + new_index, new_len }
        }
        DiffOp::Replace { old_index, old_len, new_index, new_len } => {
            DiffOp::Replace { old_index: before + old_index, old_len, new_index: before_new + new_index, new_len }
        }
    })
}

/// Where what both sequences have once stands in them, in the order of the first.
fn once_in_both(old: &[usize], new: &[usize]) -> Vec<[usize; 2]> {
    let places = |all: &[usize]| {
        let mut places: HashMap<usize, Option<usize>> = HashMap::default();
        for (at, &part) in all.iter().enumerate() {
            places.entry(part).and_modify(|place| *place = None).or_insert(Some(at));
        }
        places
    };
    let [in_old, in_new] = [places(old), places(new)];
    let place = |places: &HashMap<usize, Option<usize>>, part| places.get(part).copied().flatten();
    old.iter().filter_map(|part| Some([place(&in_old, part)?, place(&in_new, part)?])).collect()
}

/// As many of these places as stand in the same order in both sequences: a longest increasing subsequence.
pub(crate) fn in_order(places: &[[usize; 2]]) -> Vec<[usize; 2]> {
    // For each length the place that ends such a subsequence earliest in the second sequence, and for each place the one before.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; places.len()];
    for (at, [_, to]) in places.iter().enumerate() {
        let length = ends.partition_point(|&end| places[end][1] < *to);
        before[at] = length.checked_sub(1).map(|last| ends[last]);
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut found: Vec<_> =
        std::iter::successors(ends.last().copied(), |&at| before[at]).map(|at| places[at]).collect();
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second sequence, made of the first by these steps.
    fn applied(ops: &[DiffOp], old: &[usize], new: &[usize]) -> Vec<usize> {
        let mut made = Vec::new();
        for op in ops {
            match *op {
                DiffOp::Equal { old_index, len, .. } => made.extend_from_slice(&old[old_index..old_index + len]),
                DiffOp::Insert { new_index, new_len, .. } | DiffOp::Replace { new_index, new_len, .. } => {
                    made.extend_from_slice(&new[new_index..new_index + new_len]);
                }
                DiffOp::Delete { .. } => {}
            }
        }
        made
    }

    #[test]
    fn a_long_sequence_becomes_the_other_whatever_their_order() {
        let old: Vec<usize> = (0..3 * LONG).map(|at| if at % 3 == 0 { 0 } else { at }).collect();
        let reversed: Vec<_> = old.iter().rev().copied().collect();
        let mut moved = [&old[LONG..], &old[..LONG], &[7; 5]].concat();
        moved.retain(|part| part % 5 != 1);
        for new in [reversed, moved] {
            for (from, to) in [(&old, &new), (&new, &old)] {
                let ops = diff(Algorithm::Patience, from, to);
                assert_eq!(applied(&ops, from, to), *to);
            }
        }
    }

    #[test]
    fn most_of_what_is_in_order_stays() {
        let places = [[0, 5], [1, 1], [2, 2], [3, 0], [4, 3], [5, 4]];
        assert_eq!(in_order(&places), [[1, 1], [2, 2], [4, 3], [5, 4]]);
    }
}
