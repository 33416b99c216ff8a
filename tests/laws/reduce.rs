//! Fewer lines that still break a law.
//!
//! Proptest makes a tape smaller, which makes a file plainer; what a person wants to see is a file without any line
//! that is not needed. So when a law is broken, lines are left out of both files as long as it stays broken in the same
//! way.

use crate::pairs::Pair;

/// The smallest pair found for which `broken` still says the same.
pub(crate) fn reduce(pair: Pair, broken: impl Fn(&Pair) -> bool) -> Pair {
    let mut best = pair;
    loop {
        let before = best.clone();
        for length in [8, 4, 2, 1] {
            best = without(best, length, &broken);
        }
        if best == before {
            return best;
        }
    }
}

/// Leaves out runs of so many lines: of one file, and of both where they have the same.
fn without(pair: Pair, length: usize, broken: &impl Fn(&Pair) -> bool) -> Pair {
    let mut best = pair;
    for side in 0..3 {
        let mut at = 0;
        while let Some(smaller) = cut(&best, side, at, length) {
            if smaller != best && broken(&smaller) { best = smaller } else { at += 1 }
        }
    }
    best
}

fn cut(pair: &Pair, side: usize, at: usize, length: usize) -> Option<Pair> {
    let (current, update) = (&pair.current, &pair.update);
    let mut smaller = pair.clone();
    match side {
        0 => smaller.current = leave_out(current, at, length)?,
        1 => smaller.update = leave_out(update, at, length)?,
        _ => {
            let run: String = current.split_inclusive('\n').skip(at).take(length).collect();
            smaller.current = leave_out(current, at, length)?;
            smaller.update = update.replacen(&run, "", 1);
        }
    }
    Some(smaller)
}

fn leave_out(text: &str, at: usize, length: usize) -> Option<String> {
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    let end = (at + length).min(lines.len());
    (at < end).then(|| lines[..at].iter().chain(&lines[end..]).copied().collect())
}
