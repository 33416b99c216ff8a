//! From the merged tree and the merge's notes to the entries of a report.

mod commented_out;
mod decided;

use foldhash::{HashMap, HashSet};

pub(crate) use self::commented_out::{CommentedOut, with_commented_out};
use self::decided::Known;
pub(crate) use self::decided::{Files, conflicts};
use crate::report::note::{Note, Noted, Repair};
use crate::report::shown::shown;
use crate::report::{Change, ChangeKind, Moved, Value, Values};
use crate::text::lines::Lines;
use crate::upgrade::commented_out::{Holder, KeysBefore};
use crate::upgrade::edit::{Removed, first_line};
use crate::upgrade::merge::SwitchedOff;
use crate::upgrade::only_yours::OnlyYours;
use crate::upgrade::three_way::{Decision, ItemSource, Plan};
use crate::yaml::document::is_document;
use crate::yaml::flow;
use crate::yaml::outline::Outline;
use crate::yaml::path::{Path, Step, Trail};
use crate::yaml::row::RowId;
use crate::yaml::tree::{Node, Opener, Origin};

/// What is found in the merged tree.
#[derive(Debug, Default)]
pub(crate) struct Found {
    added: Vec<Added>,
    /// What came into flow collections: new items with their text, and what stands in the place of a value.
    inner: Vec<(Path, Option<String>)>,
    /// Where the values are that the report tells of, by their rows in the current file.
    places: HashMap<RowId, Path>,
}

impl Found {
    /// The same for a result that is the current file: nothing came in.
    pub(crate) fn without_news(self) -> Self {
        Self { places: self.places, ..Self::default() }
    }
}

/// A node that came in: where, on which line of the result, and its first line.
#[derive(Debug)]
struct Added {
    path: Path,
    line: usize,
    text: String,
    /// Its line in the update.
    source: usize,
    /// Whether it stands in the place of a value of the user's.
    taken: bool,
}

/// The outermost nodes that came from the update; `lines` says where the writer put them, in the same order.
pub(crate) fn found(stream: &Node<'_>, lines: &[usize], findings: &Findings<'_, '_>) -> Found {
    let Findings { plan, files, only_yours, .. } = findings;
    let decided = plan.decisions.iter().filter_map(Decision::place);
    let mut finder = Finder {
        plan,
        files,
        told: decided.chain(only_yours.iter().map(|key| key.row)).collect(),
        nodes: Vec::with_capacity(lines.len()),
        inner: Vec::new(),
        places: HashMap::default(),
    };
    let several = stream.children.iter().filter(|document| is_document(document)).count() > 1;
    let counted = stream.children.iter().filter(|document| is_document(document));
    for (at, document) in counted.enumerate() {
        finder.node(document, &Trail::Document(several.then_some(at)));
    }
    let Finder { nodes, inner, places, .. } = finder;
    let added = nodes.into_iter().zip(lines).filter_map(|(added, &line)| Some(Added { line, ..added? }));
    Found { added: added.collect(), inner, places }
}

struct Finder<'f, 'n> {
    plan: &'f Plan<'n, 'n>,
    files: &'f Files<'n, 'n>,
    /// The rows of the current file that the report tells of.
    told: HashSet<RowId>,
    /// Nothing for one that is only written otherwise.
    nodes: Vec<Option<Added>>,
    inner: Vec<(Path, Option<String>)>,
    places: HashMap<RowId, Path>,
}

impl Finder<'_, '_> {
    fn node(&mut self, node: &Node<'_>, trail: &Trail<'_>) {
        let of = |origin| node.row.filter(|_| node.origin == origin);
        let taken = of(Origin::Update).and_then(|row| self.plan.taken_by(row));
        let row = taken.or(of(Origin::Current));
        if let Some(row) = row.filter(|row| self.told.contains(row)) {
            self.places.entry(row).or_insert_with(|| trail.path());
        }
        if node.origin == Origin::Update {
            let rewritten = taken.and_then(|row| self.plan.taken(row)).is_some_and(|taken| !taken.other);
            self.nodes.push((!rewritten).then(|| Added {
                path: trail.path(),
                line: 0,
                text: first_line(node),
                source: node.line(),
                taken: taken.is_some(),
            }));
            return;
        }
        let tells = !(self.plan.is_empty() && self.told.is_empty());
        if let Some(row) = node.row.filter(|_| tells && flow::is_flow(node)) {
            self.rows(row, trail);
        }
        for (at, child) in node.children.iter().enumerate() {
            let trail = match child.opener {
                Opener::Item { .. } => Trail::Item(trail, at),
                _ => Trail::Key(trail, &child.name),
            };
            self.node(child, &trail);
        }
    }

    /// The same inside of a flow collection of the current file.
    fn rows(&mut self, row: RowId, trail: &Trail<'_>) {
        let current = self.files.current.1;
        if let Some(sources) = self.plan.list(row) {
            for (at, source) in sources.iter().enumerate() {
                let trail = Trail::Item(trail, at);
                match *source {
                    ItemSource::Own { current, .. } => self.row(current, &trail),
                    ItemSource::New { update } => {
                        self.inner.push((trail.path(), flow::render(update, self.files.update.1)));
                    }
                }
            }
            return;
        }
        for (at, child) in current.children(row).enumerate() {
            match current[child].name.as_deref() {
                Some(name) => self.row(child, &Trail::Key(trail, name)),
                None => self.row(child, &Trail::Item(trail, at)),
            }
        }
    }

    fn row(&mut self, row: RowId, trail: &Trail<'_>) {
        if self.told.contains(&row) {
            self.places.entry(row).or_insert_with(|| trail.path());
        }
        match self.plan.taken(row) {
            Some(taken) if taken.other => self.inner.push((trail.path(), None)),
            Some(_) => {}
            None => self.rows(row, trail),
        }
    }
}

/// What the merge and its plan say of the result: the report is made of this.
pub(crate) struct Findings<'t, 'a> {
    /// The lines of the current file.
    pub(crate) lines: &'t Lines<'a>,
    pub(crate) removed: &'t [Removed],
    pub(crate) notes: &'t [Note],
    pub(crate) plan: &'t Plan<'t, 'a>,
    pub(crate) files: Files<'t, 'a>,
    /// The keys that one file has live and the other commented out.
    pub(crate) switched_off: &'t SwitchedOff,
    pub(crate) only_yours: &'t [OnlyYours],
    /// Which keys were commented out before the merge.
    pub(crate) keys_before: &'t KeysBefore,
    /// How lines end in the current file and in the result, where that is another way.
    pub(crate) line_ends: Option<[&'static str; 2]>,
}

impl<'t> Findings<'t, '_> {
    /// The paths of everything that came in.
    pub(crate) fn added_paths(&self, found: &'t Found) -> HashSet<&'t Path> {
        let in_flow = self.notes.iter().filter(|note| matches!(note.what, Noted::AddedInFlow(_)));
        let inner = found.inner.iter().map(|(path, _)| path);
        found.added.iter().map(|added| &added.path).chain(inner).chain(in_flow.map(|note| &note.path)).collect()
    }

    /// The maps that did not get all that the update has.
    pub(crate) fn left_out(&self) -> HashSet<Path> {
        self.notes.iter().filter(|note| note.what == Noted::NotInFlow).map(|note| note.path.clone()).collect()
    }

    /// The keys of the update that the user has commented out.
    pub(crate) fn commented_out(&self) -> HashSet<Path> {
        let commented_out = |note: &&Note| matches!(note.what, Noted::CommentedOut { .. });
        self.notes.iter().filter(commented_out).map(|note| note.path.clone()).collect()
    }

    /// The moves that the release may have made.
    pub(crate) fn moves(&self) -> Vec<Moved> {
        self.plan.suggestions.iter().filter_map(|suggestion| decided::moved(suggestion, &self.files)).collect()
    }

    /// On which lines of the current file each comment line stands; asked only where some were replaced or moved.
    fn places_of_comments(&self) -> HashMap<&str, Vec<usize>> {
        let replaced = self.notes.iter().filter_map(|note| note.what.comment());
        let mut places: HashMap<_, Vec<_>> = replaced.map(|comment| (comment.as_str(), Vec::new())).collect();
        if !places.is_empty() {
            let comments = self.lines.all().enumerate().filter(|(_, (text, _))| text.trim_start().starts_with('#'));
            for (at, (text, _)) in comments {
                if let Some(found) = places.get_mut(text.trim()) {
                    found.push(at + 1);
                }
            }
        }
        places
    }

    fn line_ends(&self) -> Option<Change> {
        let [were, are] = self.line_ends?.map(name_of_end);
        Some(change(ChangeKind::LineEnds, &Path::default(), 1, format!("{are}   (was {were})")))
    }

    /// What was taken out on request.
    fn removed(&self) -> impl Iterator<Item = Change> {
        self.removed.iter().map(|gone| {
            let current =
                Some(Value { file: self.files.current.0.to_owned(), line: gone.line, text: gone.text.clone() });
            let values = Some(Values { current, ..Values::default() });
            Change { values, ..change(ChangeKind::Removed, &gone.path, gone.line, gone.text.clone()) }
        })
    }

    /// The nodes that came in, but for those that stand in the place of a value.
    fn added(&self, found: &Found) -> impl Iterator<Item = Change> {
        found.added.iter().filter(|added| !added.taken).map(|added| {
            let update =
                Some(Value { file: self.files.update.0.to_owned(), line: added.source, text: added.text.clone() });
            let values = Values { update, ..Values::default() };
            let is_told = self.files.base.is_some() && self.was_commented_out(&added.path);
            let was = if is_told { "   (commented out in your file)" } else { "" };
            let text = format!("{}{was}", added.text);
            Change { values: Some(values), ..change(ChangeKind::Added, &added.path, added.line, text) }
        })
    }

    /// Whether the user's file has the key at a path commented out. An item may have another number there.
    fn was_commented_out(&self, path: &Path) -> bool {
        let Some((Step::Key(name), above)) = path.0.split_last() else { return false };
        if !above.iter().all(|step| matches!(step, Step::Key(_))) {
            return false;
        }
        let map = self.files.current.1.row_at(&Path(above.to_vec()));
        map.is_some_and(|map| self.keys_before.has(Holder::Value(map), &[name]))
    }

    /// All entries of the report, in its order; `result` tells the lines.
    pub(crate) fn changes(&self, found: &Found, result: &Outline<'_>) -> Vec<Change> {
        let inner = found.inner.iter().filter_map(|(path, text)| {
            let line = result.row_at(path).map_or(1, |row| result[row].line);
            Some(change(ChangeKind::Added, path, line, text.clone()?))
        });
        let places = self.places_of_comments();
        let with_values = |note: &Note| Change {
            values: self.files.values(&note.path),
            ..noted(note, result, &places, self.files.update.1)
        };
        let noted = self.notes.iter().map(with_values);
        let known = Known {
            files: &self.files,
            plan: self.plan,
            places: &found.places,
            result,
            switched_off: self.switched_off,
        };
        let decided = self.plan.decisions.iter();
        let decided = decided.map(|decision| known.change(decision));
        let suggested = self.plan.suggestions.iter();
        let suggested = suggested.map(|moved| known.suggestion(moved));
        let only_yours = self.only_yours.iter();
        let only_yours =
            only_yours.filter_map(|key| key.change(self.files.current, found.places.get(&key.row)?, result));
        let said = noted.chain(decided).chain(suggested).chain(only_yours).chain(self.line_ends());
        let mut changes: Vec<_> = self.removed().chain(self.added(found)).chain(inner).chain(said).collect();
        changes.sort_by_key(|change| (change.kind, change.line));
        changes
    }
}

fn change(kind: ChangeKind, path: &Path, line: usize, text: String) -> Change {
    Change { kind, path: path.text(), line, text, values: None, in_default: None }
}

fn name_of_end(end: &str) -> &'static str {
    match end {
        "\r\n" => "CRLF",
        "\r" => "CR",
        _ => "LF",
    }
}

fn noted(note: &Note, result: &Outline<'_>, comments: &HashMap<&str, Vec<usize>>, update: &Outline<'_>) -> Change {
    let line = || result.row_at(&note.path).map_or(1, |row| result[row].line);
    let here = |kind, line, text| change(kind, &note.path, line, text);
    match &note.what {
        Noted::AddedInFlow(entry) => here(ChangeKind::Added, line(), entry.clone()),
        Noted::NotInFlow => here(ChangeKind::NotAdded, line(), "write it as a block to get them".to_owned()),
        Noted::KindDiffers { update } => here(ChangeKind::KindDiffers, line(), format!("the new default has {update}")),
        Noted::ItemLeft { candidates: 0 | 1 } => {
            here(ChangeKind::ItemLeftAlone, line(), "another item of yours is just as like the new one".to_owned())
        }
        Noted::ItemLeft { candidates } => here(
            ChangeKind::ItemLeftAlone,
            line(),
            format!("{candidates} items of the new default are equally like it"),
        ),
        Noted::Prepared(prepared) => {
            let line = result.row_at(&note.path).map_or(prepared.line, |row| result[row].line);
            change(
                prepared.kind(),
                prepared.shown(),
                if prepared.is_gone() { prepared.line } else { line },
                prepared.text(),
            )
        }
        Noted::CommentedOut { update: row } => here(ChangeKind::CommentedOut, update[*row].line, shown(update, *row)),
        Noted::AliasRepaired(repaired) => here(ChangeKind::Alias, line(), words(repaired)),
        Noted::CommentReplaced { line, comment } | Noted::CommentMoved { line, comment } => {
            let is_moved = matches!(note.what, Noted::CommentMoved { .. });
            let kind = if is_moved { ChangeKind::CommentMoved } else { ChangeKind::CommentReplaced };
            let places = comment.first().and_then(|first| comments.get(first.as_str()));
            let nearest = places.and_then(|lines| lines.iter().min_by_key(|found| found.abs_diff(*line)));
            here(kind, *nearest.unwrap_or(line), comment.join("\n"))
        }
    }
}

/// What was done so that an alias keeps its meaning, in words.
fn words(repaired: &Repair) -> String {
    match repaired {
        Repair::Put(name) => format!("&{name} put here, for an alias refers to it"),
        Repair::Renamed { from, to } => format!("&{to}, which was &{from}: both files have an anchor of that name"),
        Repair::Called { from, to } => format!("*{to}, which the new default calls *{from}"),
        Repair::Written(name) => format!("&{name} written here, where it is used first"),
        Repair::Before(other) => format!("stays before `{other}`, which refers to it"),
        Repair::Behind(other) => format!("stays behind `{other}`, which it refers to"),
    }
}
