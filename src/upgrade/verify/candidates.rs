//! Which values of the update a value of the result may have gained from.
//!
//! Of the items of a list only the merge knows which is which, so any of them may be the source of any gain. What they have
//! at one path is collected once and not for each item of the result, or long lists would take time with their square.

use foldhash::HashMap;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::row::RowId;

/// What a value of the result may have gained from.
#[derive(Clone)]
pub(super) enum Candidates {
    /// From nothing.
    None,
    /// This value of the update, and everything in it has to have come.
    One(RowId),
    /// Some of these.
    Any(Rc<Group>),
}

/// The items of lists of the update, or what is at one path in each.
#[derive(Default)]
pub(super) struct Group {
    rows: Vec<RowId>,
    below: RefCell<HashMap<Box<str>, Rc<Group>>>,
    items: OnceCell<Rc<Group>>,
}

impl Group {
    fn of(rows: impl Iterator<Item = RowId>) -> Rc<Self> {
        Rc::new(Self { rows: rows.collect(), ..Self::default() })
    }

    fn below(&self, name: &str, update: &Outline<'_>) -> Rc<Self> {
        if let Some(below) = self.below.borrow().get(name) {
            return Rc::clone(below);
        }
        let below = Self::of(self.rows.iter().filter_map(|&row| value_under(row, name, update)));
        self.below.borrow_mut().insert(name.into(), Rc::clone(&below));
        below
    }
}

impl Candidates {
    pub(super) fn rows(&self) -> &[RowId] {
        match self {
            Self::None => &[],
            Self::One(row) => std::slice::from_ref(row),
            Self::Any(group) => &group.rows,
        }
    }

    /// The same where not everything has to have come.
    pub(super) fn loosened(&self) -> Self {
        match self {
            Self::One(row) => Self::Any(Group::of([*row].into_iter())),
            other => other.clone(),
        }
    }

    /// The update's values under a key of these.
    pub(super) fn below(&self, name: &str, update: &Outline<'_>) -> Self {
        match self {
            Self::None => Self::None,
            Self::One(row) => value_under(*row, name, update).map_or(Self::None, Self::One),
            Self::Any(group) => Self::Any(group.below(name, update)),
        }
    }

    /// What the value under a key of the current file may have gained from. One of several maps gives nothing to a scalar.
    pub(super) fn for_value(&self, name: &str, update: &Outline<'_>, kind: RowKind) -> Self {
        match (self, kind) {
            (Self::Any(_), RowKind::Scalar(_)) => Self::None,
            _ => self.below(name, update),
        }
    }

    /// The items of the lists among these.
    pub(super) fn items(&self, update: &Outline<'_>) -> Self {
        let lists = |rows: &[RowId]| {
            let lists = rows.iter().filter(|&&row| update[row].kind == RowKind::List);
            Group::of(lists.flat_map(|&row| update.children(row)))
        };
        match self {
            Self::None => Self::None,
            Self::One(row) => Self::Any(lists(&[*row])),
            Self::Any(group) => Self::Any(Rc::clone(group.items.get_or_init(|| lists(&group.rows)))),
        }
    }
}

fn value_under(map: RowId, name: &str, update: &Outline<'_>) -> Option<RowId> {
    (update[map].kind == RowKind::Map).then(|| update.get(map, name)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::source::Source as TextSource;
    use crate::yaml::check;

    #[test]
    fn what_the_items_of_a_list_have_at_a_path_is_collected_once() {
        let text = TextSource::new("list.yml", "- a: {b: 1}\n  c: [1, 2]\n- a: {b: 2}\n- d\n").unwrap();
        let outline = check::read(&text).unwrap().outline;
        let items = Candidates::One(outline.documents[0]).items(&outline);
        let at = |names: &[&str]| names.iter().fold(items.clone(), |source, name| source.below(name, &outline));
        let texts = |source: &Candidates| source.rows().iter().map(|&row| outline[row].text.to_string()).collect();
        let found: Vec<String> = texts(&at(&["a", "b"]));
        assert_eq!(found, ["1", "2"]);
        for (once, again) in [(at(&["a"]), at(&["a"])), (at(&["a", "b"]), at(&["a", "b"]))] {
            let (Candidates::Any(once), Candidates::Any(again)) = (once, again) else { panic!("these are several") };
            assert!(Rc::ptr_eq(&once, &again));
        }
        let inner: Vec<String> = texts(&at(&["c"]).items(&outline));
        assert_eq!(inner, ["1", "2"]);
    }
}
