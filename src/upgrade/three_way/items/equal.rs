//! Which items of two or three lists are equal.

use foldhash::{HashMap, HashSet};
use std::cmp::Ordering;
use std::collections::VecDeque;

use saphyr_parser::ScalarStyle;

use super::List;
use crate::yaml::outline::{Outline, RowKind, is_text};
use crate::yaml::row::RowId;

/// What is known of an item of the user's because it is equal to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::upgrade::three_way) enum Known {
    /// It is this item of the base, which it is equal to, or which the item of the update that it is equal to was.
    Base(usize),
    /// It is this item of the update, which the base has not.
    Update(usize),
}

impl Known {
    pub(in crate::upgrade::three_way) fn in_base(self) -> Option<usize> {
        if let Self::Base(at) = self { Some(at) } else { None }
    }

    pub(in crate::upgrade::three_way) fn in_update(self) -> Option<usize> {
        if let Self::Update(at) = self { Some(at) } else { None }
    }
}

/// What is known of the items of the user's list. One that is equal to an item of the update has followed the release
/// already, or came in with it: so a second run finds for each item what the first one found. Each serves once, and the
/// first item of the user's takes it. `moved_on` has for each item of the base the one of the update.
pub(in crate::upgrade::three_way) fn known(
    mine: List<'_, '_, '_>,
    [old, new]: [List<'_, '_, '_>; 2],
    moved_on: &[Option<usize>],
) -> Vec<Option<Known>> {
    let was: HashMap<_, _> = moved_on.iter().enumerate().filter_map(|(was, new)| Some(((*new)?, was))).collect();
    let followed = |at| was.get(&at).map_or(Known::Update(at), |&was| Known::Base(was));
    let (mut found, mut taken) = (vec![None; mine.items.len()], HashSet::default());
    let has_aliases = [mine, old, new].iter().any(|list| list.outline.aliases > 0);
    for print in [fingerprint, meaning].into_iter().take(1 + usize::from(has_aliases)) {
        let mut places: HashMap<Print, VecDeque<Known>> = HashMap::default();
        let mut put = |list: List<'_, '_, '_>, known: &dyn Fn(usize) -> Known| {
            for (at, item) in list.items.iter().enumerate() {
                places.entry(print(list.outline, item.row())).or_default().push_back(known(at));
            }
        };
        put(new, &followed);
        put(old, &Known::Base);
        for (item, found) in mine.items.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            let equal = places.get_mut(&print(mine.outline, item.row()));
            *found =
                equal.and_then(|equal| std::iter::from_fn(|| equal.pop_front()).find(|known| taken.insert(*known)));
        }
    }
    found
}

/// How often the user has what stands in the base, where that is more or less often than there. These copies are the user's
/// choice: none goes where there are more, and none comes in where there are fewer. A second run could not tell which of
/// them is which.
pub(in crate::upgrade::three_way) struct Copies {
    more: HashSet<Print>,
    /// Those that the user has less often, each with the first one of the base.
    fewer: HashMap<Print, usize>,
}

impl Copies {
    pub(in crate::upgrade::three_way) fn of(mine: List<'_, '_, '_>, old: List<'_, '_, '_>) -> Self {
        let own = counted(mine);
        let (mut more, mut fewer) = (HashSet::default(), HashMap::default());
        for (print, (count, first)) in counted(old) {
            match own.get(&print).map_or(0, |(count, _)| *count).cmp(&count) {
                Ordering::Greater => _ = more.insert(print),
                Ordering::Less => _ = fewer.insert(print, first),
                Ordering::Equal => {}
            }
        }
        Self { more, fewer }
    }

    /// Whether the user has more items like this one than the base.
    pub(in crate::upgrade::three_way) fn are_more(&self, list: List<'_, '_, '_>, at: usize) -> bool {
        !self.more.is_empty() && self.more.contains(&meaning(list.outline, list.items[at].row()))
    }

    /// An item like this one of which the base has more than the user.
    pub(in crate::upgrade::three_way) fn fewer(&self, list: List<'_, '_, '_>, at: usize) -> Option<usize> {
        if self.fewer.is_empty() { None } else { self.fewer.get(&meaning(list.outline, list.items[at].row())).copied() }
    }
}

/// How many items of a list mean the same, and the first of these, by what they mean.
fn counted(list: List<'_, '_, '_>) -> HashMap<Print, (usize, usize)> {
    let mut counted = HashMap::default();
    for (at, item) in list.items.iter().enumerate() {
        counted.entry(meaning(list.outline, item.row())).or_insert((0, at)).0 += 1;
    }
    counted
}

/// Pairs what has no pair yet and is equal as it is written, or else by what its aliases stand for: in another file they
/// may stand for something else, or have got another name.
pub(super) fn alike(
    pairs: Vec<Option<usize>>,
    first: List<'_, '_, '_>,
    second: List<'_, '_, '_>,
) -> Vec<Option<usize>> {
    let pairs = equal_among(pairs, first, second, fingerprint);
    let has_aliases = first.outline.aliases + second.outline.aliases > 0;
    if has_aliases { equal_among(pairs, first, second, meaning) } else { pairs }
}

/// Pairs what has no pair yet and is equal, the first with the first; `print` tells what is equal.
fn equal_among(
    pairs: Vec<Option<usize>>,
    first: List<'_, '_, '_>,
    second: List<'_, '_, '_>,
    print: impl Fn(&Outline<'_>, RowId) -> Print,
) -> Vec<Option<usize>> {
    let taken: HashSet<_> = pairs.iter().flatten().copied().collect();
    let mut places: HashMap<Print, VecDeque<usize>> = HashMap::default();
    for (at, item) in second.items.iter().enumerate().filter(|(at, _)| !taken.contains(at)) {
        places.entry(print(second.outline, item.row())).or_default().push_back(at);
    }
    let mut find = |row| places.get_mut(&print(first.outline, row))?.pop_front();
    first.items.iter().zip(pairs).map(|(item, pair)| pair.or_else(|| find(item.row()))).collect()
}

/// All that a value is, in bytes: what is equal has the same ones.
pub(in crate::upgrade::three_way) type Print = Box<[u8]>;

/// Two bytes that no text has (they are not UTF-8): behind each text, and where there is none or no further child.
const END: u8 = 0xff;
const NONE: u8 = 0xfe;

/// All that a value is. The order of the keys of a map says nothing.
pub(in crate::upgrade::three_way) fn fingerprint(outline: &Outline<'_>, row: RowId) -> Print {
    print(outline, row, Aliases::ByName)
}

/// The same with what aliases stand for, whatever they are called: an anchor that comes in may get another name. Inside of
/// what they stand for their names have to do, or a small file could become a very long print.
pub(in crate::upgrade::three_way) fn meaning(outline: &Outline<'_>, row: RowId) -> Print {
    print(outline, row, Aliases::Followed)
}

/// The same as [`fingerprint`] with the paths of what aliases stand for: where the user has another value at the path of one of
/// the update's, an alias that comes in stands for that.
pub(in crate::upgrade::three_way) fn placed(outline: &Outline<'_>, row: RowId) -> Print {
    print(outline, row, Aliases::ByPlace)
}

/// What an alias is when values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aliases {
    ByName,
    Followed,
    ByPlace,
}

fn print(outline: &Outline<'_>, row: RowId, aliases: Aliases) -> Print {
    let mut print = Vec::with_capacity(256);
    add_value(outline, row, aliases, &mut print);
    print.into()
}

fn add_value(outline: &Outline<'_>, row: RowId, aliases: Aliases, print: &mut Vec<u8>) {
    let value = &outline[row];
    if let RowKind::Alias(target) = value.kind
        && let Some(meant) = target.value()
    {
        match aliases {
            Aliases::ByName => {}
            Aliases::Followed => return add_value(outline, meant, Aliases::ByName, print),
            Aliases::ByPlace => return add_text(&format!("*{}", outline.path(meant)), print),
        }
    }
    print.push(match value.kind {
        RowKind::Map => b'm',
        RowKind::List => b'l',
        RowKind::Scalar(ScalarStyle::Plain) if !is_text(&value.text) => b'p',
        RowKind::Scalar(_) => b't',
        RowKind::Alias(_) => b'a',
    });
    add_text(&value.text_however_written(), print);
    match outline.tag(row) {
        Some(tag) => add_text(tag, print),
        None => print.push(NONE),
    }
    let name = |row: RowId| outline[row].name.as_deref().unwrap_or_default();
    let mut inner: Vec<_> = if value.end == row.next() { Vec::new() } else { outline.children(row).collect() };
    if value.kind == RowKind::Map {
        // Only an empty key can be there twice.
        let print = |row: RowId| self::print(outline, row, aliases);
        inner.sort_by(|&one, &other| name(one).cmp(name(other)).then_with(|| print(one).cmp(&print(other))));
    }
    for child in inner {
        add_text(name(child), print);
        add_value(outline, child, aliases, print);
    }
    print.push(NONE);
}

fn add_text(text: &str, print: &mut Vec<u8>) {
    print.extend_from_slice(text.as_bytes());
    print.push(END);
}
