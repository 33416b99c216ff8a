//! Moves that a release made without saying so: suggested, never acted upon.
//!
//! A key that the release dropped may stand elsewhere in the update, under another name or another parent. What speaks
//! for it is the value together with the comment, or the name together with the neighbours; which of several it would be
//! nobody can tell, so then nothing is suggested. A map whose keys all stand under another key is one move.

use foldhash::{HashMap, HashSet};

use super::{Plan, Row, units};
use crate::yaml::check::Checked;
use crate::yaml::commented_out::key_in;
use crate::yaml::key_paths;
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::path::{Path, Step};
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node, Opener};

/// A key of the old default that the update may have at another place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Suggestion {
    /// Its rows in the base and in the update.
    pub(crate) base: RowId,
    pub(crate) update: RowId,
    /// Its row in the current file, and whether it stays there.
    pub(crate) current: RowId,
    pub(crate) stays: bool,
    /// What has become of the value's text, where that is in it as it was or has got the unit of the old name: `{}ms`.
    pub(crate) form: Option<String>,
}

/// Finds what the dropped keys may have become.
pub(crate) fn suggest(
    plan: &Plan<'_, '_>,
    current: &Outline<'_>,
    base: &Checked<'_>,
    update: &Checked<'_>,
) -> Vec<Suggestion> {
    let dropped = |row| matches!(row, Row::NoLongerUsed | Row::KeptDropped | Row::Needed);
    if plan.new.is_empty() || !plan.decisions.iter().any(|decision| dropped(decision.row)) {
        return Vec::new();
    }
    let is_dropped = plan.decisions.iter().filter(|decision| dropped(decision.row));
    let old = Side::of(base, is_dropped.filter_map(|decision| decision.base));
    let new = Side::of(update, plan.new.iter().copied());
    let fresh = Fresh::of(&plan.new, &new);
    let mut finder = Finder { old, new, fresh, found: Vec::new(), current };
    for decision in &plan.decisions {
        if let (true, Some(base), Some(current)) = (dropped(decision.row), decision.base, decision.current) {
            finder.find(base, current, decision.row != Row::NoLongerUsed);
        }
    }
    finder.unique()
}

/// Some values of a file and all that is inside of them, by their rows, with the comments above them.
struct Side<'s, 'a> {
    outline: &'s Outline<'a>,
    comments: HashMap<RowId, String>,
    paths: HashMap<RowId, Path>,
}

impl<'s, 'a> Side<'s, 'a> {
    fn of(file: &'s Checked<'a>, rows: impl Iterator<Item = RowId>) -> Self {
        let mut side = Self { outline: &file.outline, comments: HashMap::default(), paths: HashMap::default() };
        for row in rows {
            let path = file.outline.path(row);
            if !path.0.iter().any(|step| matches!(step, Step::Item(_))) {
                side.add_paths(row, path);
            }
        }
        side.add_comments(&file.stream);
        side
    }

    /// The path of a value, and of all keys inside of it that stand in maps only.
    fn add_paths(&mut self, row: RowId, path: Path) {
        for child in self.outline.children(row) {
            if let Some(name) = &self.outline[child].name {
                let mut inner = path.clone();
                inner.0.push(Step::Key(name.clone().into_owned()));
                self.add_paths(child, inner);
            }
        }
        self.paths.insert(row, path);
    }

    fn add_comments(&mut self, node: &Node<'_>) {
        let text = |line: &Line<'_>| line.trimmed().trim_start_matches('#').trim().to_owned();
        let is_key = matches!(node.opener, Opener::Key(_));
        if let Some(row) = node.row.filter(|row| is_key && self.paths.contains_key(row)) {
            // What is commented out above a key is apart from it: the old name of it, say.
            let own = node.above.iter().rposition(|line| key_in(line.trimmed()).is_some()).map_or(0, |last| last + 1);
            let lines: Vec<_> = node.above[own..].iter().filter(|line| line.is_comment()).map(text).collect();
            self.comments.insert(row, lines.join("\n").trim().to_owned());
        }
        node.children.iter().for_each(|child| self.add_comments(child));
    }

    fn name(&self, row: RowId) -> &str {
        self.outline[row].name.as_deref().unwrap_or_default()
    }

    fn comment(&self, row: RowId) -> &str {
        self.comments.get(&row).map_or("", String::as_str)
    }

    /// The row of the map that a key is in, unless that is a whole document.
    fn parent_row(&self, row: RowId) -> Option<RowId> {
        let parent = Path(self.parent(row).to_vec());
        self.outline.row_at(&parent).filter(|row| !self.is_document(*row))
    }

    fn is_document(&self, row: RowId) -> bool {
        self.outline.documents.binary_search(&row).is_ok()
    }

    /// All that a key may be found by.
    fn traits(&self, row: RowId) -> Vec<Trait> {
        let (parent, name, comment) = (key_paths::number(self.parent(row)), self.name(row), self.comment(row));
        let words = words(name).into_iter().map(|word| Trait::Word(parent, word));
        let keys = self.outline.children(row).filter_map(|key| self.outline[key].name.as_deref());
        let keys = keys.map(|key| Trait::Key(parent, key.to_owned()));
        let comment = (!comment.is_empty()).then(|| Trait::Comment(comment.to_owned()));
        comment.into_iter().chain([Trait::Name(name.to_owned())]).chain(words).chain(keys).collect()
    }

    fn parent(&self, row: RowId) -> &[Step] {
        self.paths.get(&row).and_then(|path| path.0.split_last()).map_or(&[], |(_, parent)| parent)
    }
}

/// What is new in the update, by what a dropped key may be found by.
struct Fresh(HashMap<Trait, Vec<RowId>>);

/// What a key may have in common with what it has become.
#[derive(PartialEq, Eq, Hash)]
enum Trait {
    Name(String),
    Comment(String),
    /// A word of its name, by the map that it is in.
    Word(u64, String),
    /// A key inside of it, by the map that it is in.
    Key(u64, String),
}

/// What more keys than these have in common speaks for none of them.
const MANY: usize = 100;

impl Fresh {
    fn of(rows: &[RowId], update: &Side<'_, '_>) -> Self {
        let mut fresh: HashMap<_, Vec<_>> = HashMap::default();
        for &row in rows {
            for inner in row.up_to(update.outline[row].end).filter(|inner| update.paths.contains_key(inner)) {
                for has in update.traits(inner) {
                    fresh.entry(has).or_default().push(inner);
                }
            }
        }
        Self(fresh)
    }

    fn with(&self, has: &Trait) -> &[RowId] {
        self.0.get(has).map(Vec::as_slice).filter(|rows| rows.len() <= MANY).unwrap_or_default()
    }
}

struct Finder<'f, 'a> {
    old: Side<'f, 'a>,
    new: Side<'f, 'a>,
    fresh: Fresh,
    current: &'f Outline<'a>,
    found: Vec<Suggestion>,
}

impl Finder<'_, '_> {
    /// Looks for a key, or else for the keys inside of it.
    fn find(&mut self, base: RowId, current: RowId, stays: bool) {
        if self.old.is_document(base) || !self.old.paths.contains_key(&base) {
            return;
        }
        if let Some(update) = self.best(base) {
            let form = self.form(base, update);
            self.found.push(Suggestion { base, update, current, stays, form });
            return;
        }
        let inner: Vec<_> = self.old.outline.children(base).collect();
        for child in inner {
            let mine = self.current.get(current, self.old.name(child));
            if let Some(mine) = mine {
                self.find(child, mine, stays);
            }
        }
    }

    /// The only new key that a dropped one can have become.
    fn best(&self, base: RowId) -> Option<RowId> {
        let candidates = self.old.traits(base).into_iter().flat_map(|has| self.fresh.with(&has));
        let candidates: HashSet<_> = candidates.copied().collect();
        let scored = candidates.into_iter().map(|row| (self.score(base, row), row)).filter(|(score, _)| *score > 0);
        let mut scored: Vec<_> = scored.collect();
        scored.sort_unstable_by(|a, b| b.cmp(a));
        match scored[..] {
            [(score, row), ..] if scored.get(1).is_none_or(|next| next.0 < score) => Some(row),
            _ => None,
        }
    }

    /// How much speaks for it; nothing where that is too little.
    fn score(&self, base: RowId, update: RowId) -> usize {
        let (old, new) = (self.old.outline, self.new.outline);
        let is_map = |outline: &Outline<'_>, row: RowId| outline[row].kind == RowKind::Map;
        if is_map(old, base) != is_map(new, update) {
            return 0;
        }
        let names = alike(self.old.name(base), self.new.name(update));
        let neighbours = usize::from(self.old.parent(base) == self.new.parent(update));
        let uncle = usize::from(
            self.old.parent(base).last() == self.new.parent(update).last() && !self.old.parent(base).is_empty(),
        );
        if is_map(old, base) {
            let keys: Vec<_> = old.children(base).collect();
            let here = keys.iter().filter(|&&key| new.get(update, self.old.name(key)).is_some()).count();
            let all = here == keys.len() && here > 0;
            return if all && (here > 1 || names > 0) { 4 + names + neighbours } else { 0 };
        }
        let values = self.values(base, update);
        let comment = self.old.comment(base);
        let comments = usize::from(comment.len() > SAYS_SOMETHING && comment == self.new.comment(update));
        let by_comment = comments * values.min(1);
        let by_name =
            usize::from((names == 3 && neighbours + uncle + values > 0) || (names > 0 && neighbours > 0 && values > 0));
        if by_comment + by_name == 0 { 0 } else { 3 * comments + names + values + neighbours + uncle }
    }

    /// Whether two defaults are the same, or the text of one is in the other: `5000` and `5000ms`.
    fn values(&self, base: RowId, update: RowId) -> usize {
        let (old, new) = (&self.old.outline[base], &self.new.outline[update]);
        let trivial = matches!(&*old.text, "" | "0" | "1" | "true" | "false" | "null");
        if self.old.outline.means_however_written(base, self.new.outline, update) {
            return if trivial { 1 } else { 2 };
        }
        let scalars = matches!((old.kind, new.kind), (RowKind::Scalar(_), RowKind::Scalar(_)));
        usize::from(scalars && self.form(base, update).is_some() && !trivial)
    }

    fn form(&self, base: RowId, update: RowId) -> Option<String> {
        let (old, new) = (&self.old.outline[base], &self.new.outline[update]);
        let scalars = matches!((old.kind, new.kind), (RowKind::Scalar(_), RowKind::Scalar(_)));
        let number = !old.text.is_empty() && old.text.bytes().all(|byte| byte.is_ascii_digit());
        if !scalars || !number || new.text == old.text {
            return None;
        }
        let is_unit = |text: &str| text.chars().all(|c| c.is_alphabetic() || c == '%');
        let in_place = new.text.strip_prefix(&*old.text).filter(|behind| is_unit(behind));
        let unit_of_name = || {
            let is_beside = self.old.parent(base) == self.new.parent(update);
            let (name, new_name) = (words(self.old.name(base)), words(self.new.name(update)));
            units::form(&name, &new_name, &new.text).filter(|_| is_beside)
        };
        unit_of_name().or_else(|| Some(format!("{{}}{}", in_place?)))
    }

    /// Each new key is only one old one; where several claim it nobody can tell.
    fn unique(self) -> Vec<Suggestion> {
        let mut claims: HashMap<RowId, usize> = HashMap::default();
        self.found.iter().for_each(|found| *claims.entry(found.update).or_default() += 1);
        let found = self.found.iter().filter(|found| claims.get(&found.update) == Some(&1));
        let mut found: Vec<_> = found.cloned().collect();
        while self.join(&mut found) {}
        found
    }

    /// Makes one suggestion of each map all of whose keys stand under another key; whether there was one.
    fn join(&self, found: &mut Vec<Suggestion>) -> bool {
        let mut maps: HashMap<(RowId, RowId), Vec<&Suggestion>> = HashMap::default();
        for moved in found.iter().filter(|moved| self.old.name(moved.base) == self.new.name(moved.update)) {
            if let (Some(base), Some(update)) = (self.old.parent_row(moved.base), self.new.parent_row(moved.update)) {
                maps.entry((base, update)).or_default().push(moved);
            }
        }
        let whole = maps.into_iter().filter_map(|((base, update), inside)| {
            let current = self.current.row_at(&self.old.outline.path(base))?;
            let all = inside.len() > 1 && inside.len() == self.old.outline.children(base).count();
            let stays = inside.iter().any(|moved| moved.stays);
            all.then_some(Suggestion { base, update, current, stays, form: None })
        });
        let mut whole: Vec<_> = whole.collect();
        whole.sort_by_key(|moved| moved.base);
        let maps: HashSet<_> = whole.iter().map(|moved| moved.base).collect();
        found.retain(|moved| self.old.parent_row(moved.base).is_none_or(|parent| !maps.contains(&parent)));
        found.extend(whole);
        !maps.is_empty()
    }
}

/// A shorter comment may stand above many keys.
const SAYS_SOMETHING: usize = 11;

/// How much two names are alike: 3 for the same, 1 where all words of one are in the other.
fn alike(name: &str, other: &str) -> usize {
    if name == other {
        return 3;
    }
    let [mine, theirs] = [name, other].map(|name| words(name).into_iter().collect::<HashSet<_>>());
    let inside = |short: &HashSet<String>, long: &HashSet<String>| !short.is_empty() && short.is_subset(long);
    usize::from(inside(&mine, &theirs) || inside(&theirs, &mine))
}

/// The words of a name like `readTimeout_in-ms`, in lower case.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower = false;
    for c in name.chars() {
        let starts = !c.is_alphanumeric() || (c.is_uppercase() && lower);
        if starts {
            words.push(String::new());
        }
        if let (true, Some(word)) = (c.is_alphanumeric(), words.last_mut()) {
            word.extend(c.to_lowercase());
        }
        lower = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_alike_by_their_words() {
        assert_eq!(alike("readTimeout", "read_timeout_in_ms"), 1);
        assert_eq!(alike("port", "port"), 3);
        assert_eq!(alike("port", "host"), 0);
    }
}
