//! The result keeps what it must: its outline against those of both inputs.
//!
//! This knows nothing of how the merge came about. It sees what the reference parser made of three texts, and what the
//! report says was removed and added; everything else has to be the user's, unchanged, and everything that the update
//! has and the user had not has to be there. What does not add up is a bug of ours, and no file is touched.

mod aliases;
mod candidates;

use std::cell::LazyCell;

use foldhash::HashSet;

use self::aliases::Places;
use self::candidates::Candidates;
use crate::text::error::{Error, Place};
use crate::upgrade::three_way::{ItemSource, Plan};
use crate::yaml::outline::{Outline, RowKind, Target};
use crate::yaml::path::{Path, Trail};
use crate::yaml::row::RowId;

/// What a result is checked against.
pub(crate) struct Inputs<'i, 'a> {
    pub(crate) current: &'i Outline<'a>,
    pub(crate) update: &'i Outline<'a>,
    /// For each document of the result what it was made of.
    pub(crate) documents: &'i [Origins],
    /// What the old default tells; empty where there is none.
    pub(crate) plan: &'i Plan<'i, 'a>,
    /// Maps that the report says did not get what the update has.
    pub(crate) left: &'i HashSet<Path>,
    /// Keys of the update that are commented out in the current file, and so stay away.
    pub(crate) commented_out: &'i HashSet<Path>,
    /// Values of the current file that are empty maps, for all below them is commented out.
    pub(crate) open_maps: &'i HashSet<RowId>,
}

/// What a document of the result was made of: the rows of the root values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origins {
    /// A document of the current file that gained from one of the update.
    Merged { current: RowId, update: RowId },
    /// A document of the current file alone.
    Kept { current: RowId },
    /// A document of the update that came into an empty one.
    Filled { update: RowId },
    /// A new document of the update.
    New { update: RowId },
}

/// What is wrong with a key that lost its quotes, or got some.
const QUOTED: &str = "its key is text in quotes, and none without them";

/// Checks a result, of which the report says that what is at the paths `told` came in. The error names the first path that
/// is not as promised.
pub(crate) fn verify(inputs: &Inputs<'_, '_>, told: HashSet<&Path>, result: &Outline<'_>) -> Result<(), Error> {
    let mut verifier = Verifier {
        inputs,
        result,
        told,
        from_current: Places::of(inputs.current),
        kept: vec![false; result.rows.len()],
        from_update: Places::of(inputs.update),
    };
    let several = result.documents.len() > 1;
    if result.documents.len() != inputs.documents.len() {
        return Err(Error::verification("the result has another number of documents than it must have"));
    }
    for (at, (&row, &origins)) in result.documents.iter().zip(inputs.documents).enumerate() {
        verifier.document(row, origins, &Trail::Document(several.then_some(at)))?;
    }
    verifier.all_told()?;
    verifier.aliases()
}

struct Verifier<'v, 'i, 'a, 'r> {
    inputs: &'v Inputs<'i, 'a>,
    result: &'v Outline<'r>,
    /// What the report calls added and has not been met yet.
    told: HashSet<&'i Path>,
    from_current: Places,
    /// Which rows of the result are the current file's.
    kept: Vec<bool>,
    from_update: Places,
}

impl Verifier<'_, '_, '_, '_> {
    fn document(&mut self, result: RowId, origins: Origins, trail: &Trail<'_>) -> Result<(), Error> {
        match origins {
            Origins::Merged { current, update } => self.value(current, &Candidates::One(update), result, trail),
            Origins::Kept { current } => self.value(current, &Candidates::None, result, trail),
            Origins::New { update } => self.came(&[update], result, trail),
            Origins::Filled { update } => self.filled(update, result, trail),
        }
    }

    /// Everything directly inside of the update's root came; one that holds nothing is what it was.
    fn filled(&mut self, update: RowId, result: RowId, trail: &Trail<'_>) -> Result<(), Error> {
        let outline = self.result;
        // Of a map that the old default left out nothing may be left.
        let is_scalar = matches!(self.inputs.update[update].kind, RowKind::Scalar(_));
        if is_scalar && !self.inputs.update.same_value(update, outline, result) {
            return Err(broken(trail, "its value is not the one of the update"));
        }
        let mut sources = self.inputs.update.children(update);
        let up = trail;
        for (at, row) in outline.children(result).enumerate() {
            let trail = match outline[row].name.as_deref() {
                Some(name) => Trail::Key(trail, name),
                None => Trail::Item(trail, at),
            };
            let source = self.next_wanted(&mut sources, up).ok_or_else(|| broken(&trail, "it is not in the update"))?;
            self.came(&[source], row, &trail)?;
        }
        self.next_wanted(&mut sources, trail).map_or(Ok(()), |_| Err(broken(trail, "not all of the update is there")))
    }

    /// The next of these rows of the update that is not commented out in the current file.
    fn next_wanted(&self, rows: &mut impl Iterator<Item = RowId>, trail: &Trail<'_>) -> Option<RowId> {
        let name = |row: RowId| self.inputs.update[row].name.as_deref();
        rows.find(|&row| name(row).is_none_or(|name| !self.is_commented_out(name, trail)))
    }

    /// Whether a key of the map at a path is commented out in the current file.
    fn is_commented_out(&self, name: &str, trail: &Trail<'_>) -> bool {
        let keys = self.inputs.commented_out;
        !keys.is_empty() && keys.contains(&Trail::Key(trail, name).path())
    }

    /// A map in the place of a key without a value has what the update has there.
    fn opened(&mut self, current: RowId, update: &Candidates, result: RowId, trail: &Trail<'_>) -> Result<(), Error> {
        let outline = self.result;
        for row in outline.children(result) {
            let Some(name) = outline[row].name.as_deref() else { continue };
            self.key_came(update.below(name, self.inputs.update).rows(), row, &Trail::Key(trail, name))?;
        }
        self.complete(current, update, result, trail)
    }

    /// The value of the current file at `current` is at `result`, and may have gained what `update` has.
    fn value(&mut self, current: RowId, update: &Candidates, result: RowId, trail: &Trail<'_>) -> Result<(), Error> {
        self.kept[result.index()] = true;
        if let Candidates::One(row) = update {
            self.from_update.merged(*row, result);
        }
        let update = if self.inputs.plan.keeps(current) { &Candidates::None } else { update };
        match self.inputs.plan.taken(current) {
            Some(taken) if taken.other => {
                self.from_current.merged(current, result);
                return self.came(&[taken.update], result, trail);
            }
            Some(_) => return self.rewritten(current, result, trail),
            None => {}
        }
        self.from_current.arrived(self.inputs.current, self.result, current, result);
        let (mine, theirs) = (&self.inputs.current[current], &self.result[result]);
        match (mine.kind, theirs.kind) {
            (RowKind::Map, RowKind::Map) => self.map(current, update, result, trail),
            (RowKind::List, RowKind::List) => self.list(current, update, result, trail),
            (RowKind::Scalar(_), RowKind::Map) if self.inputs.open_maps.contains(&current) => {
                self.opened(current, update, result, trail)
            }
            (RowKind::Alias(_), RowKind::Alias(_)) => Ok(()),
            (RowKind::Alias(target), _) => self.written_out(target, result, trail),
            _ if mine.text.is_empty() && self.is_removed_inside(current) => Ok(()),
            _ if self.inputs.current.same_value(current, self.result, result) => Ok(()),
            _ => Err(broken(trail, "its value is not the one of the current file")),
        }
    }

    /// The user's value as the update writes it.
    fn rewritten(&mut self, current: RowId, result: RowId, trail: &Trail<'_>) -> Result<(), Error> {
        let found = aliases::alike(self.inputs.current, current, self.result, result);
        for (row, place) in found.ok_or_else(|| broken(trail, "it is not what the current file has"))? {
            self.from_current.arrived(self.inputs.current, self.result, row, place);
            self.kept[place.index()] = true;
        }
        Ok(())
    }

    /// What an alias stood for is written in its place.
    fn written_out(&mut self, current: Target, result: RowId, trail: &Trail<'_>) -> Result<(), Error> {
        let Some(current) = current.value() else {
            let is_key = aliases::is_key(self.inputs.current, current, self.result, result);
            return if is_key { Ok(()) } else { Err(broken(trail, "it is not the key that the alias stood for")) };
        };
        let found = aliases::alike(self.inputs.current, current, self.result, result);
        for (row, place) in found.ok_or_else(|| broken(trail, "its value is not what the alias stood for"))? {
            self.from_current.copied(self.inputs.current, self.result, row, place);
        }
        Ok(())
    }

    fn map(&mut self, current: RowId, update: &Candidates, result: RowId, trail: &Trail<'_>) -> Result<(), Error> {
        let (inputs, outline) = (self.inputs, self.result);
        // An empty map is the user's value, and gains nothing (`docs/rules.md` rule 1).
        let is_empty = inputs.current[current].end == current.next();
        let update = &if is_empty || self.is_left(trail) { update.loosened() } else { update.clone() };
        for row in inputs.current.children(current) {
            let Some(name) = inputs.current[row].name.as_deref() else { continue };
            let trail = Trail::Key(trail, name);
            let place = outline.get(result, name);
            let place = place.ok_or_else(|| self.broken_at(result, &trail, "it is no longer there"))?;
            let kind = if inputs.open_maps.contains(&row) { RowKind::Map } else { inputs.current[row].kind };
            let update = update.for_value(name, inputs.update, kind);
            if !self.stays_or_follows(row, &update, place) {
                return Err(broken(&trail, QUOTED));
            }
            self.value(row, &update, place, &trail)?;
        }
        for row in outline.children(result) {
            let Some(name) = outline[row].name.as_deref().filter(|_| !self.kept[row.index()]) else { continue };
            self.key_came(update.below(name, inputs.update).rows(), row, &Trail::Key(trail, name))?;
        }
        self.complete(current, update, result, trail)
    }

    /// Whether not everything had to come to a path: it cannot be said in the style of the user's value there.
    fn is_left(&self, trail: &Trail<'_>) -> bool {
        let left = self.inputs.left;
        !left.is_empty() && left.contains(&trail.path())
    }

    /// Whether the key of a value of the user's is still the same to every program, or with an old default the update's.
    fn stays_or_follows(&self, current: RowId, update: &Candidates, result: RowId) -> bool {
        let is_quoted = self.result.has_quoted_key(result);
        let follows = || update.rows().iter().any(|row| self.inputs.update.has_quoted_key(*row) == is_quoted);
        let is_known = || self.inputs.plan.base(Some(current)).is_some();
        self.inputs.current.has_quoted_key(current) == is_quoted || (is_known() && follows())
    }

    /// Every key of the update's map is there, if only through `<<`.
    fn complete(&self, current: RowId, update: &Candidates, result: RowId, trail: &Trail<'_>) -> Result<(), Error> {
        let Candidates::One(row) = update else { return Ok(()) };
        if self.inputs.update[*row].kind != RowKind::Map {
            return Ok(());
        }
        let mut names = self.inputs.update.children(*row).filter_map(|row| self.inputs.update[row].name.as_deref());
        let lacks =
            |name: &str| self.result.get(result, name).is_none() && !self.inputs.current.inherits(current, name);
        match names.find(|name| lacks(name) && !self.is_commented_out(name, trail)) {
            Some(name) => Err(broken(&Trail::Key(trail, name), "the update has it and the result has not")),
            None => Ok(()),
        }
    }

    fn list(&mut self, current: RowId, update: &Candidates, result: RowId, trail: &Trail<'_>) -> Result<(), Error> {
        let (inputs, outline) = (self.inputs, self.result);
        let mut found = outline.children(result).enumerate();
        if let Some(slots) = inputs.plan.list(current) {
            return self.arranged(current, slots, result, trail);
        }
        let items = LazyCell::new(|| update.items(inputs.update));
        for row in inputs.current.children(current) {
            let (at, place) = found.next().ok_or_else(|| broken(trail, "an item is no longer there"))?;
            // A scalar gains nothing.
            let is_scalar = matches!(inputs.current[row].kind, RowKind::Scalar(_)) && !inputs.open_maps.contains(&row);
            self.value(row, if is_scalar { &Candidates::None } else { &items }, place, &Trail::Item(trail, at))?;
        }
        match found.next() {
            Some((at, _)) => Err(broken(&Trail::Item(trail, at), "no item of the current file")),
            None => Ok(()),
        }
    }

    /// The items of a list that three files have: the user's that stay, each once, and new ones of the update.
    fn arranged(
        &mut self,
        current: RowId,
        slots: &[ItemSource],
        result: RowId,
        trail: &Trail<'_>,
    ) -> Result<(), Error> {
        let (inputs, outline) = (self.inputs, self.result);
        let is_left = self.is_left(trail);
        let mut own: HashSet<_> = inputs.current.children(current).collect();
        let mut found = outline.children(result);
        for (at, slot) in slots.iter().enumerate() {
            let trail = Trail::Item(trail, at);
            let place = found.next().ok_or_else(|| broken(&trail, "the item is not there"))?;
            match *slot {
                ItemSource::New { update } => self.came(&[update], place, &trail)?,
                ItemSource::Own { current, update } => {
                    if !own.remove(&current) {
                        return Err(broken(&trail, "no item of the current file"));
                    }
                    let mut update = update.map_or(Candidates::None, Candidates::One);
                    if let Candidates::One(row) = update
                        && is_left
                    {
                        self.from_update.merged(row, place);
                        update = update.loosened();
                    }
                    self.value(current, &update, place, &trail)?;
                }
            }
        }
        match (own.is_empty(), found.next()) {
            (true, None) => Ok(()),
            (false, _) => Err(broken(trail, "an item is no longer there")),
            (true, Some(_)) => Err(broken(trail, "it has an item too many")),
        }
    }

    /// A value that the current file had not is in the update, just like this, and the report says that it came.
    fn came(&mut self, sources: &[RowId], result: RowId, trail: &Trail<'_>) -> Result<(), Error> {
        let update = self.inputs.update;
        let found = sources.iter().find_map(|&row| aliases::alike(update, row, self.result, result));
        let found = found.ok_or_else(|| self.broken_at(result, trail, "it comes from neither file"))?;
        let source = found.first().map(|&(row, _)| row..update[row].end);
        for (row, place) in found {
            if source.as_ref().is_some_and(|source| source.contains(&row)) {
                self.from_update.arrived(update, self.result, row, place);
            } else {
                self.from_update.copied(update, self.result, row, place);
            }
        }
        let path = trail.path();
        if !self.told.remove(&path) {
            return Err(Error::verification(format!("{path}: it was added and the report does not say so")));
        }
        Ok(())
    }

    /// The same for a key with its value.
    fn key_came(&mut self, sources: &[RowId], result: RowId, trail: &Trail<'_>) -> Result<(), Error> {
        let has_key = |row: &RowId| aliases::keeps_key(self.inputs.update, *row, self.result, result);
        if !sources.is_empty() && !sources.iter().any(has_key) {
            return Err(broken(trail, QUOTED));
        }
        self.came(sources, result, trail)
    }

    /// What is wrong at a row. A key with an alias in it is another one where the anchor of that got another name, and that
    /// is what both files together make of it.
    fn broken_at(&self, row: RowId, trail: &Trail<'_>, what: &str) -> Error {
        let Trail::Key(_, name) = trail else { return broken(trail, what) };
        let has_alias = name.starts_with(['*', '[', '{']) && name.contains('*');
        if has_alias { anchors(self.result[row].line) } else { broken(trail, what) }
    }

    /// The report names what was gained: no more, no less.
    fn all_told(&self) -> Result<(), Error> {
        match self.told.iter().next() {
            Some(path) => Err(Error::verification(format!("{path}: the report calls it added and it was not"))),
            None => Ok(()),
        }
    }

    /// Every alias stands for what it stood for in the file that it came from (`docs/rules.md` rule 9).
    fn aliases(&self) -> Result<(), Error> {
        let mine = self.from_current.wrong(self.inputs.current, self.result);
        let theirs = self.from_update.wrong(self.inputs.update, self.result);
        mine.or(theirs).map_or(Ok(()), |row| Err(anchors(self.result[row].line)))
    }

    fn is_removed_inside(&self, row: RowId) -> bool {
        self.inputs.current.subtree(row).iter().any(|row| row.gone)
    }
}

fn broken(trail: &Trail<'_>, what: &str) -> Error {
    Error::verification(format!("the result is not what it must be at {}: {what}", trail.path()))
}

/// The merge would change what an alias means. That is refused, and not our bug.
pub(crate) fn anchors(line: usize) -> Error {
    Error::input("an alias on this line of the result would mean something else than before")
        .placed(Place { line, column: 1 })
        .help(
            "both files use an anchor of the same name, the new order puts an alias before its anchor, or the anchor stands \
             before a value of the new default that gave way to yours: rename or move the anchor in one of them",
        )
}
