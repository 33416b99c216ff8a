//! What the old default tells: the table of `docs/rules.md` rule 10.
//!
//! With the default that the current file was made from, every path has three values: u in the current file, b in the
//! base, n in the update.
//!
//! | b | u | n | result | |
//! |---|---|---|---|---|
//! | – | – | x | x | added |
//! | x | x | z | z | [`Row::DefaultChanged`] |
//! | x | x | – | gone | [`Row::NoLongerUsed`] |
//! | x | y | x | y | |
//! | x | y | z | y | [`Row::BothChanged`] |
//! | x | y | y | y | |
//! | x | y | – | y | [`Row::KeptDropped`] |
//! | x | – | x | – | [`Row::LeftOut`] |
//! | x | – | z | – | [`Row::LeftOutChanged`] |
//! | – | y | – | y | |
//! | – | y | z | y | [`Row::BothAdded`] |
//!
//! This is a preparation and no second merger. [`plan`] walks the three trees and only writes down, by the rows of the
//! outlines, what yields, what goes and what stays away; [`Plan::apply`] takes out what goes; and the merge, which lays out
//! two trees as ever, asks the plan whose value a node that both have is to get. Comments are decided where all comments
//! are, with the lines of the base beside them ([`lines`](crate::comments::lines)).
//!
//! Rules for lists and for what is the user's alone are decided on in the same walk, also where there is no base.
//!
//! [`unmerged`] holds a result against all three files where neither side may win, as in a merge of git.

mod apply;
mod gone;
mod items;
mod suggest;
mod units;
pub(crate) mod unmerged;
mod walk;
mod writing;

use foldhash::{HashMap, HashSet};

use self::gone::GoneWords;
pub(crate) use self::items::ItemSource;
pub(crate) use self::suggest::{Suggestion, suggest};
pub(crate) use self::walk::plan;
pub(crate) use self::writing::{comment, follow_blanks, set_comment};
use crate::text::piece::Piece;
use crate::upgrade::options::Options;
use crate::yaml::outline::Outline;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Kind, Line, Node};

/// A row of the table that is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Row {
    DefaultChanged,
    NoLongerUsed,
    BothChanged,
    BothAdded,
    KeptDropped,
    /// No row of the table: what the release dropped or changed stays where an alias of the user's refers to it.
    Needed,
    LeftOut,
    LeftOutChanged,
    /// No row of the table: `--sparse` brings in nothing new.
    NotBrought,
    /// No row of the table: a migration file says that what the user has there is theirs alone.
    NotYours,
    /// No row of the table: a rule for this list brings the update's in.
    Ruled,
}

/// Which row decided over a path: the rows of the value in the outlines of the three files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decision {
    pub(crate) row: Row,
    pub(crate) current: Option<RowId>,
    pub(crate) base: Option<RowId>,
    pub(crate) update: Option<RowId>,
    /// The row of the `<<` through which the user gets the value.
    pub(crate) through: Option<RowId>,
    pub(crate) answer: State,
}

/// Whether a conflict was decided by an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum State {
    #[default]
    Open,
    /// It was, when the new default had another value.
    OpenAgain,
    Answered,
}

impl Decision {
    /// A row that decided over a value of the user's which neither of the defaults has.
    pub(crate) fn about(row: Row, current: RowId) -> Self {
        Self { row, current: Some(current), base: None, update: None, through: None, answer: State::Open }
    }

    /// The row of the current file whose path this is told by.
    pub(crate) fn place(&self) -> Option<RowId> {
        self.through.or(self.current)
    }

    /// Whether both sides changed the value.
    pub(crate) fn is_conflict(&self) -> bool {
        matches!(self.row, Row::BothChanged | Row::BothAdded)
    }

    /// Whether that was decided by an answer.
    pub(crate) fn is_answered(&self) -> bool {
        self.answer == State::Answered
    }
}

/// A value of the update in the place of the user's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Replacement {
    /// Its row in the update.
    pub(crate) update: RowId,
    /// Whether it is another value, and not the same one written otherwise.
    pub(crate) other: bool,
}

/// What becomes of a value of the user's that does not stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It goes: the release dropped it and the user never touched it.
    Goes,
    /// A value of the update comes in its place.
    Taken(Replacement),
}

/// A word for who keeps only what they changed: the file has under a fifth of the keys of the old default, or of the new one
/// where there is no old one.
pub(crate) fn hint(
    current: &Outline<'_>,
    [base, update]: [Option<&Outline<'_>>; 2],
    options: &Options,
) -> Option<String> {
    let keys = |outline: &Outline<'_>| outline.rows.iter().filter(|row| row.name.is_some()).count();
    let (which, default) = if options.base.is_some() { ("old", base?) } else { ("new", update?) };
    let (mine, all) = (keys(current), keys(default));
    let few = !options.sparse && mine > 0 && mine * 5 < all;
    few.then(|| {
        format!(
            "of the keys of the {which} default ({all}) the file has few ({mine}): with --sparse nothing new would come in"
        )
    })
}

/// A key of the update that stays away.
#[derive(Debug)]
pub(crate) struct LeftKey<'a> {
    pub(crate) key: Node<'a>,
    /// How many of the keys and options that come in stand before it.
    pub(crate) before: usize,
}

/// What is to be done, by the rows of the current file unless another is named.
#[derive(Debug, Default)]
pub(crate) struct Plan<'b, 'a> {
    /// Of the values that do not stay.
    fates: HashMap<RowId, Fate>,
    /// Rows of the update that stay away.
    left_out: HashSet<RowId>,
    /// The keys that were taken out of the maps of the current file, with their rows, and those that were taken out of the
    /// maps of the update, by the row of the map.
    dropped_keys: HashMap<RowId, HashMap<Piece<'a>, RowId>>,
    left_keys: HashMap<RowId, Vec<LeftKey<'a>>>,
    /// Those taken out of the current file that had nothing above them of what the base says there.
    moved_from_words: HashSet<RowId>,
    /// What comes first in its block now that what did was taken out, which no blank line set off.
    first_now: HashSet<RowId>,
    /// Maps that the release dropped, of which only what the user touched stays.
    remnants: HashSet<RowId>,
    /// What the user says in what was taken out.
    gone_words: Vec<GoneWords<'a>>,
    /// Values that a value of the update takes the place of, though the user says something on them.
    commented_on: HashSet<RowId>,
    /// Values in which nothing is merged.
    kept: HashSet<RowId>,
    /// Those of them that are the user's alone, their comments included.
    own: HashSet<RowId>,
    /// The taken ones the other way around: the rows of the update with those of the current file.
    taken_by: HashMap<RowId, RowId>,
    /// The items of lists in their order.
    lists: HashMap<RowId, Vec<ItemSource>>,
    /// The documents in their order, by the rows of their values.
    documents: Option<Vec<ItemSource>>,
    /// Values that the base has too: what differs in them is told by the row that decided.
    /// Each with its row in the update.
    known: HashMap<RowId, RowId>,
    /// Nodes whose own line is written as in the base.
    untouched: HashSet<Option<RowId>>,
    /// The nodes of the base that tell which comments are whose; also that of a document without a value.
    bases: HashMap<Option<RowId>, &'b Node<'a>>,
    /// What the base has behind its last document.
    end: Option<&'b [Line<'a>]>,
    /// Collections of which all goes, unless something comes in.
    emptied: HashMap<RowId, Kind>,
    /// Collections of the update of which some stays away.
    thinned: HashSet<RowId>,
    /// Keys that come in although the user gets them through `<<`, by the update's rows: the user never touched what that
    /// brings, or the update's value is asked for, and the release writes them out.
    written_out: HashSet<RowId>,
    /// The user's keys that neither of the others has in the map, and the row of that.
    own_keys: HashMap<RowId, RowId>,
    /// The outermost keys that only the update has, by its rows.
    new: Vec<RowId>,
    pub(crate) decisions: Vec<Decision>,
    /// Moves that the release may have made.
    pub(crate) suggestions: Vec<Suggestion>,
}

/// What becomes of the user's values, by the rows that they have in the base.
#[derive(Debug, Default)]
pub(crate) struct FatesInBase {
    /// Maps of which only what the user touched stays.
    pub(crate) remnants: HashSet<RowId>,
    /// The user's rows of what goes, or makes way for a value of the update.
    pub(crate) fated: HashMap<RowId, RowId>,
}

impl<'b, 'a> Plan<'b, 'a> {
    /// The value that comes in the place of the one at a row.
    pub(crate) fn taken(&self, row: impl Into<Option<RowId>>) -> Option<Replacement> {
        match self.fates.get(&row.into()?)? {
            Fate::Taken(taken) => Some(*taken),
            Fate::Goes => None,
        }
    }

    /// The row of the current file in whose place a value of the update stands.
    pub(crate) fn taken_by(&self, update: RowId) -> Option<RowId> {
        self.taken_by.get(&update).copied()
    }

    /// The keys of the update that stay away from a map, by the map's row, in their order.
    pub(crate) fn left_keys(&self, map: Option<RowId>) -> &[LeftKey<'a>] {
        map.and_then(|map| self.left_keys.get(&map)).map_or(&[], Vec::as_slice)
    }

    /// The row of a key that the user had in a map, and that the release dropped.
    pub(crate) fn dropped(&self, map: impl Into<Option<RowId>>, name: &str) -> Option<RowId> {
        self.dropped_keys.get(&map.into()?)?.get(name).copied()
    }

    /// Whether the user had such a key apart from what the base says above it: that was left where it stood.
    pub(crate) fn is_apart_from_words(&self, map: impl Into<Option<RowId>>, name: &str) -> bool {
        self.dropped(map, name).is_some_and(|row| self.moved_from_words.contains(&row))
    }

    /// Whether a node comes first in its block now that what did was taken out, which no blank line set off.
    pub(crate) fn is_first_now(&self, row: RowId) -> bool {
        self.first_now.contains(&row)
    }

    /// Whether nothing is known that two files cannot tell.
    pub(crate) fn is_empty(&self) -> bool {
        self.fates.is_empty() && self.lists.is_empty() && self.decisions.is_empty()
    }

    /// Whether nothing is merged inside of a value.
    pub(crate) fn keeps(&self, row: impl Into<Option<RowId>>) -> bool {
        row.into().is_some_and(|row| self.kept.contains(&row))
    }

    /// Whether a value is the user's alone, with its comments.
    pub(crate) fn is_own(&self, row: impl Into<Option<RowId>>) -> bool {
        row.into().is_some_and(|row| self.own.contains(&row))
    }

    /// Whether a value goes.
    pub(crate) fn goes(&self, row: RowId) -> bool {
        self.fates.get(&row) == Some(&Fate::Goes)
    }

    fn take(&mut self, current: RowId, taken: Replacement) {
        self.fates.insert(current, Fate::Taken(taken));
        self.taken_by.insert(taken.update, current);
    }

    /// Whether a value of the update comes in the place of one that the user says something on.
    pub(crate) fn is_commented_on(&self, row: impl Into<Option<RowId>>) -> bool {
        row.into().is_some_and(|row| self.commented_on.contains(&row))
    }

    /// The items of a list in their order, where the plan knows better than two files can tell.
    pub(crate) fn list(&self, row: impl Into<Option<RowId>>) -> Option<&[ItemSource]> {
        self.lists.get(&row.into()?).map(Vec::as_slice)
    }

    /// Whether a value is a list that is merged item by item, or one of these is inside of it.
    pub(crate) fn has_list_in(&self, row: Option<RowId>, current: &Outline<'_>) -> bool {
        let has_list = |row: RowId| row.up_to(current[row].end).any(|row| self.lists.contains_key(&row));
        !self.lists.is_empty() && row.is_some_and(has_list)
    }

    /// Whether a value is such a list, or anything inside of it becomes what the update has there.
    pub(crate) fn changes_in(&self, row: Option<RowId>, current: &Outline<'_>) -> bool {
        let is_taken = |row: RowId| row.next().up_to(current[row].end).any(|row| self.taken(row).is_some());
        self.has_list_in(row, current) || row.is_some_and(is_taken)
    }

    /// The rows of the items that stay of lists which are merged item by item, and that the update has not.
    pub(crate) fn kept_items(&self) -> HashSet<RowId> {
        let sources = self.lists.values().flatten();
        let own = sources.filter_map(|source| match source {
            ItemSource::Own { current, update: None } => Some(*current),
            _ => None,
        });
        own.collect()
    }

    /// The documents in their order; nothing where some of them have no value.
    pub(crate) fn documents(&self) -> Option<&[ItemSource]> {
        self.documents.as_deref()
    }

    /// Whether a key of the update comes in although the user gets it through `<<`.
    pub(crate) fn is_written_out(&self, update: impl Into<Option<RowId>>) -> bool {
        update.into().is_some_and(|update| self.written_out.contains(&update))
    }

    /// Whether something of a collection of the update stays away.
    pub(crate) fn is_thinned(&self, update: Option<RowId>) -> bool {
        update.is_some_and(|update| self.thinned.contains(&update))
    }

    /// Whether the base has a value too.
    pub(crate) fn is_known(&self, row: impl Into<Option<RowId>>) -> bool {
        row.into().is_some_and(|row| self.known.contains_key(&row))
    }

    /// What the update has for a value of the user's that the base has, too.
    pub(crate) fn row_in_update(&self, row: RowId) -> Option<RowId> {
        self.known.get(&row).copied()
    }

    /// Whether a map that all files have has a key that only the user has.
    pub(crate) fn has_own_keys(&self) -> bool {
        !self.own_keys.is_empty()
    }

    /// The map of a key that only the user has there.
    pub(crate) fn map_of_own_key(&self, row: Option<RowId>) -> Option<RowId> {
        self.own_keys.get(&row?).copied()
    }

    /// Whether the user left the line of a node as it was.
    pub(crate) fn is_untouched(&self, row: Option<RowId>) -> bool {
        self.untouched.contains(&row)
    }

    /// The same node in the base.
    pub(crate) fn base(&self, row: impl Into<Option<RowId>>) -> Option<&'b Node<'a>> {
        self.bases.get(&row.into()).copied()
    }

    /// What becomes of the user's values, for who looks at the base.
    pub(crate) fn fates_in_base(&self) -> FatesInBase {
        let in_base = |row: RowId| self.base(row)?.row;
        FatesInBase {
            remnants: self.remnants.iter().filter_map(|row| in_base(*row)).collect(),
            fated: self.fates.keys().filter_map(|row| Some((in_base(*row)?, *row))).collect(),
        }
    }

    /// What stands behind the last document; nothing where there is no base.
    pub(crate) fn end(&self) -> Option<&'b [Line<'a>]> {
        self.end
    }

    /// What a node is, though nothing is left in it yet.
    pub(crate) fn kind(&self, node: &Node<'_>) -> Kind {
        node.row.and_then(|row| self.emptied.get(&row).copied()).unwrap_or_else(|| node.kind())
    }
}
