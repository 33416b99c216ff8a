//! Files that are evidently not what they are taken for: with almost nothing in common, exchanged, or with an old
//! default that the configuration was not made from (`docs/rules.md` rule 10). This is told before anything else.
//!
//! Only keys count, by their paths; for values are what users change. A key that one file has commented out is no
//! stranger. Small files tell too little.

use foldhash::{HashMap, HashSet};

use crate::report::Moved;
use crate::text::scan;
use crate::text::source::Source;
use crate::yaml::key_paths;
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::row::RowId;

/// A file with fewer keys is not judged.
const FEWEST: usize = 3;

/// A file by its keys.
pub(crate) struct Keyed<'f, 'a> {
    pub(crate) source: &'f Source<'a>,
    pub(crate) outline: &'f Outline<'a>,
    /// The rows of all keys by their paths; the number of an item is no part of a path.
    all: HashMap<u64, RowId>,
    /// The paths of no more than two keys.
    top: HashSet<u64>,
    has_variables: bool,
}

impl<'f, 'a> Keyed<'f, 'a> {
    /// The text is that of the file itself, before variables are applied.
    pub(crate) fn of(text: &str, source: &'f Source<'a>, outline: &'f Outline<'a>) -> Self {
        let (mut all, mut top) = (HashMap::default(), HashSet::default());
        all.reserve(outline.rows.len());
        key_paths::visit_keys(outline, &mut |key| {
            let path = key.path();
            all.entry(path).or_insert(key.row);
            if key.depth <= 2 {
                top.insert(path);
            }
        });
        Self { source, outline, all, top, has_variables: text.contains("#{") }
    }

    fn name(&self) -> &str {
        self.source.name
    }

    /// Whether there is a key at a path, by its number.
    pub(crate) fn has(&self, path: u64) -> bool {
        self.all.contains_key(&path)
    }

    /// How many keys another file has, too.
    fn shared(&self, other: &Self) -> usize {
        self.all.keys().filter(|path| other.all.contains_key(path)).count()
    }

    /// The keys that this file has commented out.
    pub(crate) fn commented_keys(&self) -> Vec<&str> {
        self.source.lines.all().filter_map(|line| commented_key(line.0)).collect()
    }

    /// Those of them that stand at the margin, with at most one blank behind the `#`.
    pub(crate) fn outermost_commented_keys(&self) -> Vec<&str> {
        let is_outermost = |line: &str| {
            let behind = line.trim_start_matches('#');
            behind.len() < line.len() && !behind.strip_prefix(' ').unwrap_or(behind).starts_with([' ', '\t', '-'])
        };
        let lines = self.source.lines.all().filter(|line| is_outermost(line.0));
        lines.filter_map(|line| commented_key(line.0)).collect()
    }

    /// Whether no document of this file has a value.
    pub(crate) fn has_nothing_live(&self) -> bool {
        let is_nothing = |&root: &RowId| {
            let row = &self.outline[root];
            matches!(row.kind, RowKind::Scalar(_)) && row.text.is_empty()
        };
        self.outline.documents.iter().all(is_nothing)
    }

    /// How many keys of this file another one has commented out.
    fn commented_out(&self, other: &Self) -> usize {
        let keys: HashSet<_> = other.commented_keys().into_iter().collect();
        let own = self.all.iter().filter(|(path, _)| !other.all.contains_key(path));
        own.filter(|&(_, &row)| self.outline[row].name.as_deref().is_some_and(|name| keys.contains(name))).count()
    }

    /// The topmost keys that two others lack, as their rows.
    pub(crate) fn alone(&self, others: [&Self; 2]) -> Vec<RowId> {
        let lacks = |path: &u64| others.iter().all(|other| !other.all.contains_key(path));
        let mut rows: Vec<_> = self.all.iter().filter(|(path, _)| lacks(path)).map(|(_, &row)| row).collect();
        rows.sort_unstable();
        let mut end = RowId::FIRST;
        rows.retain(|&row| {
            let is_topmost = row >= end;
            end = end.max(self.outline[row].end);
            is_topmost
        });
        rows
    }

    fn has_comment(&self, row: RowId) -> bool {
        let above = self.outline[row].line.checked_sub(2).and_then(|at| self.source.lines.get(at));
        above.is_some_and(|line| scan::is_comment(line.0))
    }

    /// The text of the scalar at a path.
    fn text(&self, path: u64) -> Option<&str> {
        let row = &self.outline[*self.all.get(&path)?];
        matches!(row.kind, RowKind::Scalar(_)).then_some(&*row.text)
    }
}

/// The key that a comment line would be without its `#`.
fn commented_key(line: &str) -> Option<&str> {
    let comment = line.trim_start().strip_prefix('#').filter(|comment| comment.contains(':'))?;
    let text = comment.trim_start_matches(['#', ' ', '\t', '-']);
    scan::key_and_rest(text).map(|(key, _)| key.trim_matches(['"', '\'']))
}

/// What is evidently wrong with the choice of files, in words.
#[derive(Default)]
pub(crate) struct Doubts {
    /// Two of them are in each other's place, or one is of another configuration.
    wrong: Vec<String>,
    /// Two of them have almost nothing in common.
    strangers: Option<String>,
}

impl Doubts {
    /// Whether nothing is wrong with the choice of files.
    pub(crate) fn are_none(&self) -> bool {
        self.wrong.is_empty() && self.strangers.is_none()
    }

    /// What is to be told. Files have little in common, too, where a release has renamed most keys.
    pub(crate) fn told(self, moves: &[Moved]) -> Vec<String> {
        self.wrong.into_iter().chain(self.strangers.filter(|_| moves.is_empty())).collect()
    }
}

/// Looks at the files of an upgrade.
pub(crate) fn doubts(current: &Keyed<'_, '_>, base: Option<&Keyed<'_, '_>>, update: &Keyed<'_, '_>) -> Doubts {
    let exchanged = base.and_then(|base| exchanged(current, base, update)).or_else(|| filled_in(current, update));
    let foreign = base.filter(|_| exchanged.is_none()).and_then(|base| foreign_base(current, base, update));
    Doubts { wrong: exchanged.into_iter().chain(foreign).collect(), strangers: strangers(current, update) }
}

/// Fewer than a tenth of the keys in common, of the smaller file's: one that holds little may still be of this kind.
fn strangers(current: &Keyed<'_, '_>, update: &Keyed<'_, '_>) -> Option<String> {
    let smaller = current.all.len().min(update.all.len());
    let shared = current.shared(update);
    let top = current.top.intersection(&update.top).count();
    let is_few = |shared: usize, all: usize| shared * 10 < all;
    let few = smaller >= FEWEST && is_few(shared, smaller) && is_few(top, current.top.len().min(update.top.len()));
    if !few || !is_few(shared + current.commented_out(update) + update.commented_out(current), smaller) {
        return None;
    }
    let (mine, new) = (current.name(), update.name());
    Some(format!("{mine} and {new} have {shared} of {smaller} keys in common: is {new} the new default of {mine}?"))
}

/// An old default of which the configuration lacks most keys, while it has most of the new one.
fn foreign_base(current: &Keyed<'_, '_>, base: &Keyed<'_, '_>, update: &Keyed<'_, '_>) -> Option<String> {
    let (old, new) = (base.shared(current), update.shared(current));
    let is_small = base.all.len() < FEWEST || update.all.len() < FEWEST;
    let foreign = old * 2 < base.all.len() && new * 2 > update.all.len();
    let (mine, name) = (current.name(), base.name());
    (foreign && !is_small).then(|| {
        let (all, update) = (base.all.len(), update.all.len());
        format!(
            "{mine} does not look like it was made from {name}: it has {old} of its {all} keys, and {new} of {update} of \
             the new default"
        )
    })
}

/// Releases add keys, with comments over them, and users change values. Where the file that is to be the user's has new
/// keys, the other has none, and more values were changed there, they are the wrong way round.
fn exchanged(current: &Keyed<'_, '_>, base: &Keyed<'_, '_>, update: &Keyed<'_, '_>) -> Option<String> {
    let mut added = current.alone([base, update]);
    if added.len() < 2 {
        return None;
    }
    let options: HashSet<_> = [base, update].into_iter().flat_map(Keyed::commented_keys).collect();
    // An option that the default has commented out is one that a user has made live.
    added.retain(|&row| current.outline[row].name.as_deref().is_none_or(|name| !options.contains(name)));
    let commented = added.iter().filter(|&&row| current.has_comment(row)).count();
    let changed = |one: &Keyed<'_, '_>, other: &Keyed<'_, '_>| {
        let differs = |path: &&u64| {
            let [old, one, other] = [base, one, other].map(|file| file.text(**path));
            old.is_some() && one.is_some() && old != one && old == other
        };
        base.all.keys().filter(differs).count()
    };
    let (mine, theirs) = (changed(current, update), changed(update, current));
    let is_release = commented * 2 >= added.len() || (added.len() >= 5 && mine == 0);
    let is_wrong = added.len() >= 2 && is_release && update.alone([base, current]).is_empty() && theirs > mine;
    is_wrong.then(|| {
        let (mine, new, old) = (current.name(), update.name(), base.name());
        format!(
            "{mine} looks like a newer default, and {new} like a configuration made from {old}: are they exchanged?"
        )
    })
}

/// A default has variables, and a configuration what was given for them.
fn filled_in(current: &Keyed<'_, '_>, update: &Keyed<'_, '_>) -> Option<String> {
    if !current.has_variables || update.has_variables {
        return None;
    }
    // Without quotes a variable is a comment to a parser.
    let is_filled = |&(path, &row): &(&u64, &RowId)| {
        let line = current.source.lines.get(current.outline[row].line - 1);
        line.is_some_and(|line| line.0.contains("#{")) && update.text(*path).is_some_and(|text| !text.is_empty())
    };
    let (mine, new) = (current.name(), update.name());
    current
        .all
        .iter()
        .find(is_filled)
        .map(|_| format!("{mine} has variables where {new} has values: are they exchanged?"))
}
