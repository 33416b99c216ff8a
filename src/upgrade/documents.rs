//! The documents of two files: which is which, and each pair merged.
//!
//! A file with one document is the usual case and needs no identity. Of several, those with the same `kind` and name
//! are the same thing, as in Kubernetes; where not every document of the update has these, the position decides
//! (`docs/rules.md` rule 6).

mod filled;
mod headers;
pub(crate) mod pairing;

use foldhash::HashMap;

use self::filled::{fill, make_users, tell_filled};
use self::headers::{beside, follow_end, header_of_options, put_header, take_marker};
use self::pairing::Counterparts;
use crate::comments::{Comments, has_comment, lines};
use crate::text::source::End;
use crate::upgrade::commented_out;
use crate::upgrade::merge::Merge;
use crate::upgrade::three_way::{self, ItemSource};
use crate::upgrade::verify::Origins;
use crate::yaml::document::{end_document, ends_with_text, has_directive, has_marker, is_document, is_empty, is_ended};
use crate::yaml::path::Trail;
use crate::yaml::row::RowId;
use crate::yaml::tree::{BaseComments, Kind, Line, Node, Origin, Shape, UpdateComments};

/// Merges the documents of two streams: the user's in their order, new ones of the update behind their predecessor.
pub(crate) fn merge<'a>(
    merge: &mut Merge<'_, 'a>,
    mut current: Node<'a>,
    mut update: Node<'a>,
    counterparts: &Counterparts,
) -> (Node<'a>, Vec<Origins>) {
    if let Some(base) = merge.plan.end().filter(|_| merge.options.comments != Comments::User) {
        let (own, new) = (current.below.take(), update.below.take());
        current.below = lines::merge(base, own, &new).into();
    }
    if let Some(slots) = merge.plan.documents() {
        return arranged(merge, slots, current, update);
    }
    let pairs = counterparts.among(&current.children, &update.children);
    let mine = std::mem::take(&mut current.children);
    let mut theirs = Theirs::new(std::mem::take(&mut update.children), &pairs, mine.is_empty());
    let own = mine.iter().zip(&pairs).filter(|(document, pair)| is_document(document) || pair.is_some()).count();
    let several = own + theirs.new_ones() > 1;
    let (mut origins, mut count) = (Vec::new(), Count::default());
    theirs.put_new(&mut current, &mut origins, 0);
    for (document, pair) in mine.into_iter().zip(pairs) {
        let before = count.of(&current.children);
        let trail = Trail::Document(several.then_some(before));
        let other = pair.and_then(|pair| theirs.documents[pair].take());
        let (merged, origin) = one(merge, document, other, &trail);
        current.children.push(merged);
        origins.extend(origin);
        if let Some(pair) = pair {
            theirs.put_new(&mut current, &mut origins, pair + 1);
        }
    }
    tell_filled(merge, &current, &origins);
    (current, origins)
}

/// Merges the documents as the old default tells which is which.
fn arranged<'a>(
    merge: &mut Merge<'_, 'a>,
    slots: &[ItemSource],
    mut current: Node<'a>,
    update: Node<'a>,
) -> (Node<'a>, Vec<Origins>) {
    let with_row = |node: Box<Node<'a>>| Some((node.row?, node));
    let by_row = |documents: Vec<_>| documents.into_iter().filter_map(with_row).collect::<HashMap<_, _>>();
    let (mut mine, mut theirs) = (by_row(std::mem::take(&mut current.children)), by_row(update.children));
    let (mut origins, mut count) = (Vec::new(), Count::default());
    for slot in slots {
        let at = count.of(&current.children);
        match *slot {
            ItemSource::New { update } => {
                current.children.extend(theirs.remove(&update));
                origins.push(Origins::New { update });
            }
            ItemSource::Own { current: row, update } => {
                let Some(document) = mine.remove(&row) else { continue };
                let other = update.and_then(|update| theirs.remove(&update));
                let (merged, origin) = one(merge, document, other, &Trail::Document((slots.len() > 1).then_some(at)));
                current.children.push(merged);
                origins.extend(origin);
            }
        }
    }
    tell_filled(merge, &current, &origins);
    (current, origins)
}

/// How many documents of a stream count. It only grows, so each time nothing is looked at but what is new.
#[derive(Default)]
struct Count {
    seen: usize,
    count: usize,
}

impl Count {
    fn of(&mut self, documents: &[Box<Node<'_>>]) -> usize {
        self.count += documents.iter().skip(self.seen).filter(|document| is_document(document)).count();
        self.seen = documents.len();
        self.count
    }
}

/// A document behind another one needs a `---` of its own, unless a `...` stands between them. Before directives one has
/// to (YAML 1.2.2 §9.2), and before comments, which would be those of the document that goes before, or more of its text;
/// and behind directives a `---` without a byte-order mark (§9.1.3).
pub(crate) fn mark_boundaries<'a>(stream: &mut Node<'a>) {
    let mut open: Option<&mut Node<'a>> = None;
    for document in &mut stream.children {
        let new = document.origin == Origin::Update;
        if new {
            start_without_blanks(&mut document.above);
        }
        let closes = open.as_ref().is_some_and(|before| needs_end(before, document));
        if let Some(before) = open.as_mut().filter(|_| closes) {
            end_document(before);
        }
        let follows = open.is_some() && is_document(document) && !closes;
        if follows && new && !document.above.iter().any(Line::ends_document) {
            // Blank lines behind the update's `...` would be read as the end of the document before.
            document.above.clear();
        }
        if !has_marker(document) && (follows || has_directive(document)) {
            document.end = End::Common;
            document.set_marker(Some("---"));
        } else if has_directive(document) {
            // A byte-order mark stands before directives, not behind them.
            document.set_marker(Some("---"));
        }
        open = match is_document(document) {
            _ if is_ended(document) => None,
            true => Some(document),
            false => open.filter(|_| !closes),
        };
    }
    if let Some(last) = open.filter(|last| ends_with_text(last) && has_comment(&stream.below)) {
        end_document(last);
    }
}

/// Whether a document has to end before what comes next.
fn needs_end(document: &Node<'_>, next: &Node<'_>) -> bool {
    if is_document(next) {
        has_directive(next) || has_comment(&next.above)
    } else {
        ends_with_text(document) && has_comment(next.header())
    }
}

/// Blank lines before a `...` would end the document before it, and say nothing there.
fn start_without_blanks(above: &mut Vec<Line<'_>>) {
    let end = above.iter().position(Line::ends_document).filter(|end| !has_comment(&above[..*end]));
    above.drain(..end.unwrap_or(0));
}

/// The documents of the update that are still to be placed.
struct Theirs<'a> {
    documents: Vec<Option<Box<Node<'a>>>>,
    /// Which of them have a counterpart.
    paired: Vec<bool>,
    /// Whether the current file has no document at all.
    alone: bool,
}

impl<'a> Theirs<'a> {
    fn new(documents: Vec<Box<Node<'a>>>, pairs: &[Option<usize>], alone: bool) -> Self {
        let mut paired = vec![false; documents.len()];
        for &pair in pairs.iter().flatten() {
            paired[pair] = true;
        }
        Self { documents: documents.into_iter().map(Some).collect(), paired, alone }
    }

    fn new_ones(&self) -> usize {
        let unpaired = self.documents.iter().flatten().zip(&self.paired).filter(|(_, paired)| !**paired);
        unpaired.filter(|(document, _)| is_document(document)).count()
    }

    /// Puts the documents from `first` on up to the next one that has a counterpart.
    fn put_new(&mut self, stream: &mut Node<'a>, origins: &mut Vec<Origins>, first: usize) {
        let new = self.documents.iter_mut().zip(&self.paired).enumerate().skip(first);
        for (at, (document, _)) in new.take_while(|(_, (_, paired))| !**paired) {
            let Some(mut document) = document.take_if(|document| document.row.is_some() || self.alone) else {
                continue;
            };
            let update = document.row;
            if self.alone && at == 0 {
                // An empty file has no document, but what comes in is told key by key like in an empty one.
                make_users(&mut document);
                origins.extend(update.map(|update| Origins::Filled { update }));
            } else {
                origins.extend(update.map(|update| Origins::New { update }));
            }
            stream.children.push(document);
        }
    }
}

/// Merges one document with its counterpart.
fn one<'a>(
    merge: &mut Merge<'_, 'a>,
    mut document: Box<Node<'a>>,
    other: Option<Box<Node<'a>>>,
    trail: &Trail<'_>,
) -> (Box<Node<'a>>, Option<Origins>) {
    let Some(mut other) = other else {
        let kept = kept(&document);
        return (document, kept);
    };
    follow_end(merge, &mut document, &other);
    let pair = Pair::of(merge, &document, &other);
    if pair.is_filled(&document, &other) {
        let update = other.row;
        commented_out::close_document(&mut document);
        return (fill(merge, document, other), update.map(|update| Origins::Filled { update }));
    }
    pair.close_options(&mut document, &mut other);
    if pair.mine.is_none() && !is_document(&document) && has_marker(&other) {
        take_marker(&mut document, &other);
    }
    header_of_options(&document, &mut other);
    let moves = pair.mine.is_some() && pair.theirs.is_none() && !other.is_map();
    let base = beside(merge, &mut document, &mut other, moves);
    let old_header = merge.base(document.row).map_or(0, |base| base.header().len());
    let (mut document, origins) = if pair.is_merged(&document) {
        merged(merge, (document, other), &pair, trail)
    } else {
        kept_beside(merge, document, other)
    };
    if let Some(base) = base {
        put_base(&mut document, base, old_header);
    }
    put_header(&mut document);
    (document, origins)
}

/// Puts what the old default has around a document in its places. What it has above the first of the keys may have become
/// part of the header, which was so many lines long.
fn put_base<'a>(document: &mut Node<'a>, base: BaseComments<'a>, header: usize) {
    document.set_base(|lines| {
        lines.above = base.above;
        lines.header.splice(..header.min(lines.header.len()), base.header);
        lines.below.splice(0..0, base.below);
    });
}

/// A document that stays as it is, beside the comments of its counterpart.
fn kept_beside<'a>(
    merge: &mut Merge<'_, 'a>,
    mut document: Box<Node<'a>>,
    mut other: Box<Node<'a>>,
) -> (Box<Node<'a>>, Option<Origins>) {
    let comment = merge.base(document.row).and_then(|base| three_way::comment(&document, base, &other));
    comment.inspect(|comment| three_way::set_comment(&mut document, comment));
    let theirs = merge.around(&document, &mut other);
    document.merged_with(UpdateComments { below: other.below.into(), indent: other.indent, ..theirs });
    let kept = kept(&document);
    (document, kept)
}

/// The rows of two documents that are one, each where it has a value.
struct Pair {
    mine: Option<RowId>,
    theirs: Option<RowId>,
    /// Whether both can hold what is commented out in the other.
    has_options: bool,
}

impl Pair {
    fn of(merge: &Merge<'_, '_>, document: &Node<'_>, other: &Node<'_>) -> Self {
        let (has_value, thinned) = (!is_empty(other), merge.plan.is_thinned(other.row));
        let emptied = (has_value || thinned) && merge.plan.kind(document) != document.kind();
        let mine = document.row.filter(|_| !is_empty(document) || emptied);
        let theirs = other.row.filter(|_| has_value || (thinned && mine.is_some()));
        let has_options = document.is_map() && other.shape == Shape::Open && other.kind() != Kind::List;
        let has_options = has_options && (is_document(document) || !other.children.is_empty() || thinned);
        Self { mine, theirs, has_options }
    }

    /// Whether the user has nothing where the whole content of the update comes in.
    fn is_filled(&self, document: &Node<'_>, other: &Node<'_>) -> bool {
        let comes = self.theirs.is_some() || (is_document(other) && !is_document(document));
        self.mine.is_none() && !self.has_options && comes
    }

    fn is_merged(&self, document: &Node<'_>) -> bool {
        let has_map = self.mine.is_some() && (self.theirs.is_some() || document.kind() == Kind::Map);
        has_map || (self.mine.is_none() && self.has_options)
    }

    /// Makes comments of what is commented out, where the other document cannot have it.
    fn close_options(&self, document: &mut Node<'_>, other: &mut Node<'_>) {
        let are_alike = !matches!((document.kind(), other.kind()), (Kind::Map, Kind::List) | (Kind::List, Kind::Map));
        let can_be_there = are_alike && other.shape == Shape::Open;
        if !can_be_there {
            commented_out::close_document(document);
        }
        if !can_be_there || !self.is_merged(document) {
            commented_out::close_document(other);
        }
    }
}

/// Merges what two documents hold.
fn merged<'a>(
    merge: &mut Merge<'_, 'a>,
    (document, other): (Box<Node<'a>>, Box<Node<'a>>),
    pair: &Pair,
    trail: &Trail<'_>,
) -> (Box<Node<'a>>, Option<Origins>) {
    let kept = kept(&document);
    let (marker, other_row) = (document.marker(), other.row);
    let mut merged = merge.node(document, other, trail);
    let origins = match (pair.mine, pair.theirs) {
        (Some(current), Some(update)) => Some(Origins::Merged { current, update }),
        // All that the update has is commented out in the current file.
        (None, Some(_)) if merged.live_children().next().is_none() => {
            merged.set_marker(marker);
            left_commented_out(&mut merged, other_row, trail)
        }
        (None, Some(update)) => {
            merged.row = Some(update);
            Some(Origins::Filled { update })
        }
        (Some(current), None) => Some(Origins::Kept { current }),
        (None, None) => kept.or_else(|| made_by_marker(&mut merged, other_row)),
    };
    (merged, origins)
}

/// A document of which all stays commented out. Before or behind another one it needs a marker, or its comments would be
/// that one's.
fn left_commented_out(document: &mut Node<'_>, update: Option<RowId>, trail: &Trail<'_>) -> Option<Origins> {
    if !has_marker(document) && matches!(trail, Trail::Document(Some(_))) {
        document.set_marker(Some("---"));
        document.end = End::Common;
        document.row = None;
    }
    kept(document).or_else(|| made_by_marker(document, update))
}

/// Where a document is from that was nothing but comments, until a `---` came in.
fn made_by_marker(document: &mut Node<'_>, update: Option<RowId>) -> Option<Origins> {
    let update = update.filter(|_| is_document(document))?;
    document.row = Some(update);
    Some(Origins::Filled { update })
}

/// Where a document that nothing came into is from; one without a value is none unless `---` makes it one.
fn kept(document: &Node<'_>) -> Option<Origins> {
    document.row.filter(|_| is_document(document)).map(|current| Origins::Kept { current })
}
