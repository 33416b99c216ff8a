//! The order of new lines that two files have at the same place of a third one.

use std::ops::Range;

use foldhash::HashMap;

use super::Place;

/// Whose lines come first, where both have new ones.
#[derive(Clone, Copy)]
pub(super) enum First {
    User,
    Update,
}

/// The new lines of the user's and of the update in their order. Those that both have stand there once.
pub(super) fn in_turn(
    (mine, own): (&[&str], Range<usize>),
    (theirs, came): (&[&str], &[usize]),
    first: First,
) -> Vec<Place> {
    let (mut places, mut rest, mut waiting) = (Vec::new(), own, Vec::new());
    let put = |places: &mut Vec<Place>, user: Range<usize>, update: &mut Vec<Place>| {
        let user = user.map(Place::User);
        match first {
            First::User => places.extend(user.chain(update.drain(..))),
            First::Update => places.extend(update.drain(..).chain(user)),
        }
    };
    let mut saying: HashMap<_, Vec<_>> = HashMap::default();
    let worded = rest.clone().filter(|line| !came.is_empty() && !mine[*line].is_empty());
    worded.for_each(|line| saying.entry(mine[line]).or_default().push(line));
    for &line in came {
        let same = saying.get(theirs[line]).map_or(&[][..], Vec::as_slice);
        if let Some(&found) = same.get(same.partition_point(|own| *own < rest.start)) {
            put(&mut places, rest.start..found, &mut waiting);
            places.push(Place::Update(line));
            rest.start = found + 1;
        } else {
            waiting.push(Place::Update(line));
        }
    }
    put(&mut places, rest, &mut waiting);
    places
}
