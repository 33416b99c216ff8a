//! The blank lines and ornaments between lines of two files that come to stand together.

use super::Place;
use crate::yaml::tree::Line;

/// Takes out the blank lines of the user's that set off a comment which is gone, where one sets off what stood above it.
pub(super) fn without_loose_blanks(mut places: Vec<Place>, user: &[Line<'_>], update: &[Line<'_>]) -> Vec<Place> {
    let mut is_below_blank = false;
    places.retain(|place| {
        let (is_blank, was_below_comment) = match *place {
            Place::User(at) => {
                (!user[at].is_comment(), at.checked_sub(1).is_some_and(|above| user[above].is_comment()))
            }
            Place::Update(at) => (!update[at].is_comment(), false),
        };
        let stays = !(is_blank && is_below_blank && was_below_comment);
        is_below_blank = is_blank;
        stays
    });
    places
}

/// Puts a blank line between two comment lines that come to stand together, and had one below and above them in their files
/// (`docs/rules.md` rule 4).
pub(super) fn apart(places: Vec<Place>, user: &[Line<'_>], update: &[Line<'_>]) -> Vec<Place> {
    let line = |place: Place, by: isize| {
        let (lines, at) = match place {
            Place::User(at) => (user, at),
            Place::Update(at) => (update, at),
        };
        lines.get(at.checked_add_signed(by)?).map(Line::is_comment)
    };
    let mut apart: Vec<Place> = Vec::with_capacity(places.len());
    for place in places {
        if let Some(&above) = apart.last()
            && (line(above, 0), line(place, 0)) == (Some(true), Some(true))
            && (line(above, 1), line(place, -1)) == (Some(false), Some(false))
        {
            apart.extend(match (above, place) {
                (Place::User(above), _) => Some(Place::User(above + 1)),
                (_, Place::User(below)) => below.checked_sub(1).map(Place::User),
                _ => None,
            });
        }
        apart.push(place);
    }
    apart
}

/// Leaves out the ornaments of the user's that come to stand next to the same one of the update's.
pub(super) fn without_doubled_ornaments(places: &[Place], user: &[Line<'_>], update: &[Line<'_>]) -> Vec<Place> {
    let is_same = |line: usize, other: &Place| match other {
        Place::Update(at) => update[*at].said() == user[line].said(),
        Place::User(_) => false,
    };
    let is_doubled = |at: usize| match places[at] {
        Place::User(line) if user[line].is_ornament() => {
            let mut around = places[..at].last().into_iter().chain(places.get(at + 1));
            around.any(|other| is_same(line, other))
        }
        _ => false,
    };
    (0..places.len()).filter(|at| !is_doubled(*at)).map(|at| places[at]).collect()
}
