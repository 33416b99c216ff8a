//! Splitting and joining undo each other, and the normal form is one.

use super::super::normal::{Carried, Lines, Place, join, normalise};
use super::super::{Chunk, GapLine, Owner, split};
use super::kinds::KINDS;
use crate::text::source::End;

impl Carried for GapLine<'_> {
    fn blank() -> Self {
        GapLine { column: None, text: "", end: End::Common }
    }

    fn line(&self) -> GapLine<'_> {
        *self
    }

    fn stand_at(&mut self, column: i32) {
        self.column = Some(column);
    }

    fn cut(&mut self, most: usize) {
        self.text = self.text.get(..most).unwrap_or(self.text);
    }
}

impl<'a> From<Chunk<'_, 'a>> for Lines<GapLine<'a>> {
    fn from(chunk: Chunk<'_, 'a>) -> Self {
        Self { owner: chunk.owner, lines: chunk.lines.to_vec() }
    }
}

/// Whether chunks are of the normal form: each for itself, whatever the others are.
fn is_normal(place: &Place<'_>, chunks: &[Lines<GapLine<'_>>]) -> bool {
    let place = place.behind(chunks);
    chunks.iter().all(|chunk| match chunk.owner {
        Owner::Separator => chunk.lines.iter().all(GapLine::is_blank),
        owner => has_room(&place, chunk) && keeps_blanks_apart(&place, owner, &chunk.lines),
    })
}

fn has_room(place: &Place<'_>, chunk: &Lines<GapLine<'_>>) -> bool {
    let first = chunk.lines.first().and_then(|line| line.column);
    let later = chunk.lines.iter().skip(1).filter_map(|line| line.column);
    let within = place.leftmost(chunk.owner)..=place.rightmost();
    first.is_some_and(|column| place.room(chunk.owner).contains(&column))
        && later.into_iter().all(|column| within.contains(&column))
}

fn keeps_blanks_apart(place: &Place<'_>, owner: Owner, lines: &[GapLine<'_>]) -> bool {
    match owner {
        Owner::Header => lines.last().is_some_and(GapLine::is_blank),
        Owner::Lead if place.around.starts_document() => !lines.iter().any(GapLine::is_blank),
        _ => true,
    }
}

/// What holds for every gap that was read.
pub(super) fn hold(gap: &[GapLine<'_>], place: &Place<'_>) {
    let chunks = owned(split(gap, &place.around));
    assert_eq!(join(chunks.clone()), gap);
    assert!(is_normal(place, &chunks), "{chunks:?} in {place:?}");
    let normal = normalise(chunks.clone(), place);
    assert_eq!(normal.chunks, chunks, "{place:?}");
    assert!(normal.left_out.is_empty());
}

#[test]
fn a_gap_is_its_chunks_one_after_the_other() {
    let lines = [None, Some((0, "# c")), Some((2, "# c")), Some((4, "# c")), Some((2, "#")), Some((0, "#a: 1"))];
    let lines = lines.map(|line| GapLine {
        column: line.map(|(column, _)| column),
        text: line.map_or("", |(_, text)| text),
        end: End::Lf,
    });
    each_sequence(&lines, 5, &mut |gap| {
        for kind in KINDS {
            let chunks: Vec<_> = split(gap, &kind.place.around).collect();
            assert_eq!(chunks.concat_lines(), gap);
            let owners: Vec<_> = chunks.iter().map(|chunk| chunk.owner).collect();
            let mut all = kind.place.owners();
            assert!(owners.iter().all(|owner| all.any(|other| other == *owner)), "{owners:?} in their order");
        }
    });
}

#[test]
fn chunks_in_normal_form_come_back_whatever_the_others_are() {
    for kind in KINDS {
        let mut all = vec![Vec::new()];
        for owner in kind.place.owners() {
            let forms = forms_of(owner, &kind.place);
            let with =
                |chunks: &Vec<Lines<GapLine<'static>>>| forms.iter().map(|form| [&**chunks, form].concat()).collect();
            all = all.iter().flat_map(|chunks| -> Vec<_> { with(chunks) }).collect();
        }
        for chunks in all {
            let gap = join(chunks.clone());
            assert_eq!(owned(split(&gap, &kind.place.around)), chunks, "{:?}", kind.place);
            hold(&gap, &kind.place);
        }
    }
}

#[test]
fn what_is_brought_into_normal_form_is_of_it_and_stays() {
    let lines = [None, Some(0), Some(1), Some(3), Some(6)].map(line);
    for kind in KINDS {
        let owners: Vec<_> = kind.place.owners().skip(1).collect();
        each_sequence(&lines, 2, &mut |first| {
            each_sequence(&lines, 2, &mut |second| {
                for (at, &owner) in owners.iter().enumerate() {
                    let next = owners.get(at + 1).copied().unwrap_or(owner);
                    let chunks =
                        [Lines { owner, lines: first.to_vec() }, Lines { owner: next, lines: second.to_vec() }];
                    comes_into_form(&chunks, &kind.place);
                }
            });
        });
    }
}

fn comes_into_form(chunks: &[Lines<GapLine<'static>>], place: &Place<'_>) {
    let normal = normalise(chunks.to_vec(), place);
    assert!(is_normal(place, &normal.chunks), "{chunks:?} became {normal:?} in {place:?}");
    assert_eq!(owned(split(&join(normal.chunks.clone()), &place.around)), normal.chunks);
    let again = normalise(normal.chunks.clone(), place);
    assert_eq!((&again.chunks, again.left_out.len()), (&normal.chunks, 0), "{chunks:?} in {place:?}");
    let comments = |lines: Vec<GapLine<'_>>| lines.iter().filter(|line| line.column.is_some()).count();
    let left_out = comments(normal.left_out);
    assert_eq!(comments(join(chunks.to_vec())), comments(join(normal.chunks.clone())) + left_out);
    let nobody_has_room = place.room(place.around.last_owner()).is_empty();
    assert!(left_out == 0 || nobody_has_room, "{chunks:?} in {place:?}");
}

/// Chunks of each form that one owner can have, and none.
fn forms_of(owner: Owner, place: &Place<'_>) -> Vec<Vec<Lines<GapLine<'static>>>> {
    let room = place.room(owner);
    let columns = [room.start, room.start + 1, room.end.min(9) - 1].into_iter().filter(|at| room.contains(at));
    let behind: [&[Option<i32>]; 6] =
        [&[], &[None], &[Some(0)], &[None, Some(2)], &[Some(9), None], &[None, None, Some(1)]];
    let chunks = columns.flat_map(|first| {
        behind.into_iter().map(move |behind| std::iter::once(Some(first)).chain(behind.iter().copied()).map(line))
    });
    let chunks = chunks.map(|lines| Lines { owner, lines: lines.collect() });
    let chunks = chunks.chain([1, 2].map(|blanks| Lines { owner, lines: vec![line(None); blanks] }));
    let normal = chunks.map(|chunk| vec![chunk]).filter(|chunk| {
        let is_separator = owner == Owner::Separator;
        is_normal(place, chunk) && (!is_separator || place.separated(join(chunk.clone())) == join(chunk.clone()))
    });
    let mut forms: Vec<_> = normal.collect();
    forms.dedup();
    forms.push(Vec::new());
    forms
}

fn line(column: Option<i32>) -> GapLine<'static> {
    GapLine { column, text: if column.is_some() { "# c" } else { "" }, end: End::Lf }
}

fn owned<'g, 'a: 'g>(chunks: impl Iterator<Item = Chunk<'g, 'a>>) -> Vec<Lines<GapLine<'a>>> {
    chunks.map(Lines::from).collect()
}

trait ConcatLines<'a> {
    fn concat_lines(&self) -> Vec<GapLine<'a>>;
}

impl<'a> ConcatLines<'a> for Vec<Chunk<'_, 'a>> {
    fn concat_lines(&self) -> Vec<GapLine<'a>> {
        self.iter().flat_map(|chunk| chunk.lines.iter().copied()).collect()
    }
}

/// Every sequence of so many of these lines at most.
fn each_sequence(lines: &[GapLine<'static>], most: usize, tried: &mut impl FnMut(&[GapLine<'static>])) {
    let mut gaps = vec![Vec::new()];
    for _ in 0..=most {
        for gap in &gaps {
            tried(gap);
        }
        gaps = gaps.iter().flat_map(|gap| lines.iter().map(move |line| [&**gap, &[*line]].concat())).collect();
    }
}
