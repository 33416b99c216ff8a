//! The order of new lines that two files have at the same place of a third one.

use std::ops::Range;

use foldhash::HashMap;

use super::Place;
use super::phrases::Phrase;
use crate::text::scan::has_words;

/// Whose lines come first, where both have new ones.
#[derive(Clone, Copy)]
pub(super) enum First {
    User,
    Update,
}

/// The new lines of the user's and of the update in their order. Words that both have stand there once, and so do the ornaments
/// next to them: a bare `#` alone is in many comments.
pub(super) fn in_turn(
    (mine, own): (&[Phrase<'_>], Range<usize>),
    (theirs, came): (&[Phrase<'_>], &[usize]),
    first: First,
) -> Vec<Place> {
    let mut saying: HashMap<_, Vec<_>> = HashMap::default();
    let worded = own.clone().filter(|line| !came.is_empty() && has_words(mine[*line].text));
    worded.for_each(|line| saying.entry(&mine[line]).or_default().push(line));
    let (mut places, mut user, mut start) = (Vec::new(), own, 0);
    for (at, line) in came.iter().enumerate() {
        let same = saying.get(&theirs[*line]).map_or(&[][..], Vec::as_slice);
        let Some(&found) = same.get(same.partition_point(|own| *own < user.start)) else { continue };
        let (mut above, mut update) = (user.start..found, start..at);
        let is_same = |user: usize, update: usize| mine[user] == theirs[came[update]] && !mine[user].text.is_empty();
        while !above.is_empty() && !update.is_empty() && is_same(above.end - 1, update.end - 1) {
            (above.end, update.end) = (above.end - 1, update.end - 1);
        }
        put(&mut places, above, &came[start..update.end], first);
        places.extend(came[update.end..=at].iter().copied().map(Place::Update));
        (user.start, start) = (found + 1, at + 1);
        while start < came.len() && !user.is_empty() && is_same(user.start, start) && !has_words(mine[user.start].text)
        {
            places.push(Place::Update(came[start]));
            (user.start, start) = (user.start + 1, start + 1);
        }
    }
    if user.clone().map(|line| mine[line]).eq(came[start..].iter().map(|line| theirs[*line])) {
        user = 0..0;
    }
    put(&mut places, user, &came[start..], first);
    places
}

fn put(places: &mut Vec<Place>, user: Range<usize>, update: &[usize], first: First) {
    let (user, update) = (user.map(Place::User), update.iter().copied().map(Place::Update));
    match first {
        First::User => places.extend(user.chain(update)),
        First::Update => places.extend(update.chain(user)),
    }
}
