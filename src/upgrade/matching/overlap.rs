//! Pairs by the values that items have in common.

use foldhash::HashMap;
use std::cell::OnceCell;

use super::index::{Best, Index};
use super::shapes::Shapes;
use super::{Items, Match};
use crate::yaml::value::Value;

/// For each item the one that has the most in common with it, where it is one and no other item has as much in common
/// with that.
pub(super) fn by_overlap(mine: &Items<'_, '_>, theirs: &Items<'_, '_>) -> Vec<Match> {
    let mut shapes = Shapes::default();
    let own = shapes.parts(mine.iter().map(|(_, item)| *item));
    let other = shapes.parts(theirs.iter().map(|(_, item)| *item));
    let mut index = Index::of(&shapes, &other);
    let best: Vec<_> = own.iter().map(|part| index.best(*part)).collect();
    let claims = Claims::of(&best);
    let all = Digests::of(theirs);
    mine.iter()
        .zip(&best)
        .map(|((_, item), best)| match *best {
            Best::One { at, score } if claims.is_first(at, score) => Match::Pair(at),
            // One that is in the update just like this has nothing to gain, whichever it is.
            _ if all.have(*item) => Match::Alone { candidates: 0 },
            Best::One { .. } => Match::Alone { candidates: 1 },
            Best::Tie { candidates, .. } => Match::Alone { candidates },
        })
        .collect()
}

/// For each candidate the highest score that it is claimed with, and how many items claim it with that.
struct Claims(HashMap<usize, (usize, usize)>);

impl Claims {
    fn of(best: &[Best]) -> Self {
        let mut highest = HashMap::default();
        for best in best {
            let Best::One { at, score } = *best else { continue };
            let (top, count) = highest.entry(at).or_insert((score, 0));
            if score > *top {
                (*top, *count) = (score, 0);
            }
            *count += usize::from(score == *top);
        }
        Self(highest)
    }

    fn is_first(&self, at: usize, score: usize) -> bool {
        self.0.get(&at) == Some(&(score, 1))
    }
}

/// Items by a number that is the same for those that are the same.
struct Digests<'i, 'n, 'a> {
    items: &'i Items<'n, 'a>,
    by_digest: OnceCell<HashMap<u64, Vec<Value<'n, 'a>>>>,
}

impl<'i, 'n, 'a> Digests<'i, 'n, 'a> {
    fn of(items: &'i Items<'n, 'a>) -> Self {
        Self { items, by_digest: OnceCell::new() }
    }

    fn have(&self, item: Value<'_, '_>) -> bool {
        let all = self.by_digest.get_or_init(|| {
            let mut all: HashMap<_, Vec<_>> = HashMap::default();
            self.items.iter().for_each(|(_, item)| all.entry(item.digest()).or_default().push(*item));
            all
        });
        all.get(&item.digest()).is_some_and(|alike| alike.iter().any(|other| item.same(*other)))
    }
}
