//! The documents of two files: which is which, and each pair merged.
//!
//! A file with one document is the usual case and needs no identity. Of several, those with the same `kind` and name are
//! the same thing, as in Kubernetes; where not every document of the update has these, the position decides (`upgrade.md`
//! rule 6).

mod heads;

use std::collections::HashMap;

use self::heads::{beside, cut_head};
use crate::check::NO_ROW;
use crate::comments::{self, has_comment};
use crate::merge::Merge;
use crate::outline::Outline;
use crate::path::Trail;
use crate::source::End;
use crate::three_way::Slot;
use crate::tree::{Around, Kind, Line, Node, Opener, Origin, Shape};
use crate::verify::Origins;

/// Merges the documents of two streams: the user's in their order, new ones of the update behind their predecessor.
pub(crate) fn merge<'a>(
    merge: &mut Merge<'_, 'a>,
    mut current: Node<'a>,
    mut update: Node<'a>,
) -> (Node<'a>, Vec<Origins>) {
    if let Some(slots) = merge.plan.documents() {
        return arranged(merge, slots, current, update);
    }
    let pairs = pair(&current.children, merge.current, &update.children, merge.update);
    let mine = std::mem::take(&mut current.children);
    let mut theirs = Theirs::new(std::mem::take(&mut update.children), &pairs, mine.is_empty());
    let own = mine.iter().zip(&pairs).filter(|(document, pair)| counts(document) || pair.is_some()).count();
    let several = own + theirs.new_ones() > 1;
    let mut origins = Vec::new();
    theirs.put_new(&mut current, &mut origins, 0);
    for (document, pair) in mine.into_iter().zip(pairs) {
        let before = current.children.iter().filter(|document| counts(document)).count();
        let trail = Trail::Document(several.then_some(before));
        let other = pair.and_then(|pair| theirs.documents[pair].take());
        let (merged, origin) = one(merge, document, other, &trail);
        current.children.push(merged);
        origins.extend(origin);
        if let Some(pair) = pair {
            theirs.put_new(&mut current, &mut origins, pair + 1);
        }
    }
    mark_boundaries(&mut current);
    (current, origins)
}

/// Merges the documents as the old default tells which is which.
fn arranged<'a>(
    merge: &mut Merge<'_, 'a>,
    slots: &[Slot],
    mut current: Node<'a>,
    update: Node<'a>,
) -> (Node<'a>, Vec<Origins>) {
    let by_row =
        |documents: Vec<Node<'a>>| documents.into_iter().map(|node| (node.row, node)).collect::<HashMap<_, _>>();
    let (mut mine, mut theirs) = (by_row(std::mem::take(&mut current.children)), by_row(update.children));
    let mut origins = Vec::new();
    for slot in slots {
        let at = current.children.iter().filter(|document| counts(document)).count();
        match *slot {
            Slot::New { update } => {
                current.children.extend(theirs.remove(&update));
                origins.push(Origins::New { update });
            }
            Slot::Own { current: row, update } => {
                let Some(document) = mine.remove(&row) else { continue };
                let other = update.and_then(|update| theirs.remove(&update));
                let (merged, origin) = one(merge, document, other, &Trail::Document((slots.len() > 1).then_some(at)));
                current.children.push(merged);
                origins.extend(origin);
            }
        }
    }
    mark_boundaries(&mut current);
    (current, origins)
}

/// A document behind another one needs a `---` of its own, unless a `...` stands between them.
fn mark_boundaries(stream: &mut Node<'_>) {
    let mut open = false;
    for document in &mut stream.children {
        if open && counts(document) && !has_marker(document) {
            document.opener = Opener::Document { marker: Some("---") };
            document.end = End::Common;
        }
        open = (open || counts(document)) && !ended(document);
    }
}

/// Whether a `...` closes a document. Where the base is known that is the update's, unless the user put it in or took it out.
fn ended(document: &Node<'_>) -> bool {
    let closes = |lines: &[Line<'_>]| lines.iter().any(Line::ends_document);
    let own = closes(&document.below) || closes(&document.more);
    let theirs = document.theirs.as_ref().and_then(|theirs| Some((theirs.base.as_ref()?, theirs)));
    match theirs {
        Some((base, theirs)) if closes(&base.below) == own => closes(&theirs.below),
        _ => own,
    }
}

/// The documents of the update that are still to be placed.
struct Theirs<'a> {
    documents: Vec<Option<Node<'a>>>,
    /// Which of them have a counterpart.
    paired: Vec<bool>,
    /// Whether the current file has no document at all.
    alone: bool,
}

impl<'a> Theirs<'a> {
    fn new(documents: Vec<Node<'a>>, pairs: &[Option<usize>], alone: bool) -> Self {
        let mut paired = vec![false; documents.len()];
        for &pair in pairs.iter().flatten() {
            paired[pair] = true;
        }
        Self { documents: documents.into_iter().map(Some).collect(), paired, alone }
    }

    fn new_ones(&self) -> usize {
        let unpaired = self.documents.iter().flatten().zip(&self.paired).filter(|(_, paired)| !**paired);
        unpaired.filter(|(document, _)| counts(document)).count()
    }

    /// Puts the documents from `first` on up to the next one that has a counterpart.
    fn put_new(&mut self, stream: &mut Node<'a>, origins: &mut Vec<Origins>, first: usize) {
        let new = self.documents.iter_mut().zip(&self.paired).enumerate().skip(first);
        for (at, (document, _)) in new.take_while(|(_, (_, paired))| !**paired) {
            let Some(mut document) = document.take_if(|document| document.row != NO_ROW || self.alone) else {
                continue;
            };
            let update = document.row;
            if self.alone && at == 0 {
                // An empty file has no document, but what comes in is told key by key like in an empty one.
                document.origin = Origin::Current;
                origins.extend((update != NO_ROW).then_some(Origins::Filled { update }));
            } else if update != NO_ROW {
                origins.push(Origins::New { update });
            }
            stream.children.push(document);
        }
    }
}

fn has_marker(document: &Node<'_>) -> bool {
    matches!(document.opener, Opener::Document { marker: Some(_) })
}

/// Merges one document with its counterpart.
fn one<'a>(
    merge: &mut Merge<'_, 'a>,
    mut document: Node<'a>,
    other: Option<Node<'a>>,
    trail: &Trail<'_>,
) -> (Node<'a>, Option<Origins>) {
    let Some(mut other) = other else {
        let kept = kept(&document);
        return (document, kept);
    };
    let (has_value, thinned) = (!is_empty(&other), merge.plan.is_thinned(other.row));
    let emptied = (has_value || thinned) && merge.plan.kind(&document) != document.kind();
    let mine = (!is_empty(&document) || emptied).then_some(document.row);
    let theirs = (has_value || (thinned && mine.is_some())).then_some(other.row);
    if mine.is_none() && (theirs.is_some() || (counts(&other) && !counts(&document))) {
        let update = other.row;
        return (fill(document, other), Some(Origins::Filled { update }));
    }
    let cut = cut_head(&document, &mut other);
    let moves = mine.is_some() && theirs.is_none() && !cut;
    let base = beside(merge, &mut document, &mut other, moves);
    let set_base = |document: &mut Node<'a>| {
        if let Some(base) = base {
            document.set_base(|lines| {
                (lines.above, lines.head) = (base.above, base.head);
                lines.below.splice(0..0, base.below);
            });
        }
    };
    if let Some(current) = mine.filter(|_| theirs.is_some() || document.kind() == Kind::Map) {
        let origins = theirs.map_or(Origins::Kept { current }, |update| Origins::Merged { current, update });
        let mut merged = merge.node(document, other, trail);
        set_base(&mut merged);
        return (merged, Some(origins));
    }
    let theirs = merge.around(&document, &mut other);
    document.merged_with(Around { below: other.below, ..theirs });
    set_base(&mut document);
    let kept = kept(&document);
    (document, kept)
}

/// Where a document that nothing came into is from; one without a value is none unless `---` makes it one.
fn kept(document: &Node<'_>) -> Option<Origins> {
    (document.row != NO_ROW && counts(document)).then_some(Origins::Kept { current: document.row })
}

/// Whether a document is one for other programs too: one without a value is none unless `---` makes it one.
pub(crate) fn counts(document: &Node<'_>) -> bool {
    !is_empty(document) || has_marker(document)
}

/// An empty document takes the whole content of the update's, under the comments that are the user's own.
fn fill<'a>(document: Node<'a>, mut other: Node<'a>) -> Node<'a> {
    let [above, below] = comments::own_lines(&document, &other);
    let (ends, mut below): (Vec<_>, Vec<_>) = below.into_iter().partition(Line::ends_document);
    let paragraph = below.iter().rposition(|line| !line.is_comment()).map_or(0, |blank| blank + 1);
    if !below[paragraph..].iter().any(Line::has_words) {
        // Ornaments would be the first node's.
        below.truncate(paragraph);
    }
    if !other.more.iter().chain(&other.below).any(Line::ends_document) {
        let indent = other.indent;
        other.below.extend(ends.into_iter().map(|line| line.moved(-indent)));
    }
    if above.iter().any(|line| !line.is_comment() && !line.trimmed().is_empty()) {
        // A directive of the user's stands for the update's: there can be one only.
        other.above.clear();
    }
    if has_marker(&document) {
        if !has_marker(&other) && has_comment(&above) {
            other.above = std::mem::take(&mut other.more);
        }
        (other.opener, other.rest, other.end) = (document.opener, document.rest, document.end);
        put_over(above, &mut other.above);
        put_over(below, &mut other.more);
    } else {
        put_over(below, if has_marker(&other) { &mut other.above } else { &mut other.more });
    }
    other.origin = Origin::Current;
    other
}

/// Puts the user's lines over those of the update, unless they say nothing that has not been said.
fn put_over<'a>(own: Vec<Line<'a>>, head: &mut Vec<Line<'a>>) {
    let says_something = own.iter().any(|line| !line.is_ornament() && !line.trimmed().is_empty());
    if says_something || (head.is_empty() && !has_comment(&own)) {
        head.splice(0..0, own);
    }
}

/// Whether a document has no value: comments alone, nothing behind `---`, or everything in it was deleted.
fn is_empty(document: &Node<'_>) -> bool {
    let is_bare = |text: &str| text.trim().is_empty() || text.trim_start().starts_with('#');
    let is_closing = |text: &str| text == "...";
    let says_nothing = is_bare(&document.rest)
        && document.more.iter().all(|line| is_bare(line.trimmed()) || is_closing(line.trimmed()));
    document.row == NO_ROW || (document.shape == Shape::Open && document.children.is_empty() && says_nothing)
}

/// For each document of the current file its counterpart.
pub(crate) fn pair(
    mine: &[Node<'_>],
    current: &Outline<'_>,
    theirs: &[Node<'_>],
    update: &Outline<'_>,
) -> Vec<Option<usize>> {
    let (own, others) = (places(mine), places(theirs));
    let known: Vec<_> = others.iter().map(|&at| Identity::of(&theirs[at], update)).collect();
    let told_apart = known.iter().enumerate().all(|(at, id)| id.is_whole() && !known[..at].contains(id));
    let found = if told_apart && own.len().max(others.len()) > 1 {
        let ids: Vec<_> = own.iter().map(|&at| Identity::of(&mine[at], current)).collect();
        by_identity(&ids, &known)
    } else {
        (0..own.len()).map(|at| (at < others.len()).then_some(at)).collect()
    };
    let mut pairs = vec![None; mine.len()];
    for (at, other) in own.into_iter().zip(found) {
        pairs[at] = other.map(|other| others[other]);
    }
    pairs
}

/// Where the documents are, one of which everything was deleted included; comments alone are one only where there is no
/// other.
fn places(documents: &[Node<'_>]) -> Vec<usize> {
    let all = documents.iter().enumerate();
    let counted: Vec<_> = all.filter(|(_, document)| document.row != NO_ROW).map(|(at, _)| at).collect();
    if counted.is_empty() { (0..documents.len().min(1)).collect() } else { counted }
}

/// Pairs what is the same thing. A document that lacks a part of its identity gets it from the first of the update's that
/// it can be, so the next run finds the same pairs by what they have become.
fn by_identity(mine: &[Identity], theirs: &[Identity]) -> Vec<Option<usize>> {
    let mut pairs = vec![None; mine.len()];
    let mut free = vec![true; theirs.len()];
    for whole in [true, false] {
        for (id, pair) in mine.iter().zip(&mut pairs).filter(|(id, _)| id.is_whole() == whole) {
            let is_it = |other: &Identity| if whole { id == other } else { id.fits(other) };
            *pair = (0..theirs.len()).find(|&at| free[at] && is_it(&theirs[at]));
            if let Some(at) = *pair {
                free[at] = false;
            }
        }
    }
    pairs
}

/// What tells a document from others.
#[derive(PartialEq, Eq)]
struct Identity {
    kind: Option<String>,
    namespace: Option<String>,
    name: Option<String>,
}

impl Identity {
    fn of(document: &Node<'_>, outline: &Outline<'_>) -> Self {
        let text = |row: usize| Some(outline.rows[row].text.to_string()).filter(|text| !text.is_empty());
        let root = (document.row != NO_ROW).then_some(document.row);
        let metadata = root.and_then(|row| outline.get(row, "metadata"));
        let inside = |name: &str| outline.get(metadata?, name).and_then(text);
        let kind = root.and_then(|row| outline.get(row, "kind")).and_then(text);
        Self { kind, namespace: inside("namespace"), name: inside("name") }
    }

    /// Whether it has all that is needed; a namespace is not.
    fn is_whole(&self) -> bool {
        self.kind.is_some() && self.name.is_some()
    }

    /// Whether all that is known of it is as in another.
    fn fits(&self, other: &Self) -> bool {
        let fits = |mine: &Option<String>, theirs: &Option<String>| mine.is_none() || mine == theirs;
        fits(&self.kind, &other.kind) && fits(&self.namespace, &other.namespace) && fits(&self.name, &other.name)
    }
}
