//! Commented-out keys that came in, told by what a reader of both files sees: those of the result that the user's file
//! did not have.
//!
//! Left out: what is inside of a key that came in, and comments of the user's that the layout of the result makes keys. What the
//! old default has in the place is no news, whatever the user made of it.

use foldhash::HashMap;

use super::change;
use crate::report::{Change, ChangeKind};
use crate::text::lines::Lines;
use crate::upgrade::commented_out::{Holder, KeysBefore};
use crate::upgrade::three_way::Plan;
use crate::upgrade::verify::Origins;
use crate::yaml::commented_out::Found;
use crate::yaml::commented_out::listing::Key;
use crate::yaml::document::is_document;
use crate::yaml::outline::Outline;
use crate::yaml::path::Path;
use crate::yaml::row::RowId;
use crate::yaml::tree::Node;

/// What is known of the files when the commented-out keys of the result are looked at.
pub(crate) struct CommentedOut<'c, 'a> {
    pub(crate) known: &'c KeysBefore,
    /// For each document its nodes, by their rows in the user's file.
    pub(crate) rows: &'c [Vec<Option<RowId>>],
    pub(crate) documents: &'c [Origins],
    pub(crate) plan: &'c Plan<'c, 'a>,
    pub(crate) current: &'c Outline<'a>,
    /// Whether what the user removed comes back.
    pub(crate) restores_deleted: bool,
}

/// A commented-out key of the result that the user's file did not have.
#[derive(Debug)]
pub(crate) struct CameIn {
    path: Path,
    line: usize,
    /// The line of the user's value that went, where the release commented a key out that was live.
    was: Option<usize>,
}

impl CommentedOut<'_, '_> {
    /// Finds those that came in, in a result that both parsers have read.
    pub(crate) fn came_in(&self, stream: &Node<'_>) -> Vec<CameIn> {
        if self.known.offers_nothing() {
            return Vec::new();
        }
        let several = stream.children.iter().filter(|document| is_document(document)).count() > 1;
        let (mut number, mut came_in) = (0, Vec::new());
        let known = self.known.known();
        for document in &stream.children {
            let found = Found::knowing(document, &known);
            let keys = found.keys().into_iter().filter(|key| !key.is_example);
            came_in.extend(keys.filter_map(|key| {
                let holder = self.holder(number, key.holder, found.gaps.nodes.len())?;
                let was = self.was(holder, &key);
                let line = found.line(&key).filter(|_| was.is_some() || self.is_new(holder, &key))?;
                Some(CameIn { path: found.path(several.then_some(number), &key), line, was })
            }));
            number += usize::from(is_document(document));
        }
        came_in
    }

    /// The line of the user's value that went, where the release commented it out.
    fn was(&self, holder: Holder, key: &Key<'_>) -> Option<usize> {
        match (holder, &key.names[..]) {
            (Holder::Value(row), [name]) => Some(self.current.row(self.plan.dropped(row, name)?)?.line),
            _ => None,
        }
    }

    /// Whether a key is the update's, and came in by itself.
    fn is_new(&self, holder: Holder, key: &Key<'_>) -> bool {
        let Some((name, above)) = key.names.split_last() else { return false };
        let has = |names: &[&str]| names.is_empty() || self.known.has(holder, names);
        self.known.offers(name) && !has(&key.names) && has(above) && !self.is_old(holder, &key.names)
    }

    /// Whether the old default has a key commented out, so that the release did not bring it.
    fn is_old(&self, holder: Holder, names: &[&str]) -> bool {
        let Holder::Value(row) = holder else { return false };
        let base = self.plan.base(Some(row)).filter(|_| !self.restores_deleted).and_then(|base| base.row);
        base.is_some() && self.known.has_in_old(base, names)
    }

    /// What a node of the result is in the user's file; nothing where it came in.
    fn holder(&self, document: usize, node: usize, nodes: usize) -> Option<Holder> {
        if node == 0 {
            return match self.documents.get(document) {
                Some(Origins::Merged { current, .. } | Origins::Kept { current }) => Some(Holder::Value(*current)),
                Some(Origins::New { .. }) => None,
                Some(Origins::Filled { .. }) | None => Some(Holder::EmptyDocument),
            };
        }
        let rows = self.rows.get(document).filter(|rows| rows.len() == nodes)?;
        rows.get(node).copied().flatten().map(Holder::Value)
    }
}

/// The entries of a report with those of the commented-out keys that came in. What is not used any longer is told with the
/// line that took its place.
pub(crate) fn with_commented_out(mut changes: Vec<Change>, came_in: &[CameIn], result: &Lines<'_>) -> Vec<Change> {
    if came_in.is_empty() {
        return changes;
    }
    let unused = changes.iter().enumerate().filter(|(_, change)| change.kind == ChangeKind::NoLongerUsed);
    let unused: HashMap<_, _> = unused.map(|(at, change)| (change.line, at)).collect();
    changes.reserve(came_in.len());
    for CameIn { path, line, was } in came_in {
        let text = result.numbered(*line).trim();
        let unused = was.and_then(|line| unused.get(&line)).and_then(|&at| changes.get_mut(at));
        match unused {
            Some(change) => {
                (change.kind, change.path, change.line) = (ChangeKind::NowCommentedOut, path.to_string(), *line);
                change.text = format!("{text}   (was {})", change.text);
            }
            None => changes.push(change(ChangeKind::AddedCommentedOut, path, *line, text.to_owned())),
        }
    }
    changes.sort_by_key(|change| (change.kind, change.line));
    changes
}
