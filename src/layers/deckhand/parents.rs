//! Which document each one inherits from.
//!
//! Labels are indexed, and a selector is looked up by its rarest pair: the time grows with the documents and not with
//! their square. Documents with the same selector share one look-up.

use super::known::{Extent, Known};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::documents::{Document, Identity};
use super::policy::Order;
use super::problems::{Problems, Wrong};
use crate::layers::python::{self, Plain};
use crate::layers::reading::Reading;
use crate::text::error::visible;

/// The documents that have all labels of a selector.
#[derive(Debug, Default)]
struct Matches {
    /// By schema, and by how far down their layer is.
    by: HashMap<String, BTreeMap<usize, Vec<usize>>>,
    all: Vec<usize>,
}

/// A label and its value.
type Pair = (String, Plain);

pub(crate) struct Choice<'d, 'a> {
    documents: &'d [Document<'a>],
    extent: Extent,
    /// How far down the layer of each is; nothing for those that are not layered.
    ranks: &'d [Option<usize>],
    order: &'d Order,
    firsts: &'d [usize],
    reading: Reading,
    by_pair: HashMap<&'d Pair, Vec<usize>>,
    twins: HashMap<Identity<'d>, Vec<usize>>,
    known: HashMap<&'d [Pair], Rc<Matches>>,
}

impl<'d, 'a> Choice<'d, 'a> {
    pub(crate) fn new(known: Known<'d, 'a>, ranks: &'d [Option<usize>], order: &'d Order, firsts: &'d [usize]) -> Self {
        let Known { documents, extent, reading } = known;
        let mut by_pair: HashMap<_, Vec<usize>> = HashMap::new();
        let mut twins: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, document) in documents.iter().enumerate().filter(|(at, _)| ranks[*at].is_some()) {
            document.labels.iter().for_each(|pair| by_pair.entry(pair).or_default().push(at));
            twins.entry(document.identity()).or_default().push(at);
        }
        Self { documents, extent, ranks, order, firsts, reading, by_pair, twins, known: HashMap::new() }
    }

    /// The parent of every document. Those that have none because something is wrong are told, and returned as well.
    pub(crate) fn parents(mut self, problems: &mut Problems<'_>) -> (Vec<Option<usize>>, Vec<usize>) {
        let mut parents = vec![None; self.documents.len()];
        let mut wrong = Vec::new();
        for child in 0..self.documents.len() {
            if self.documents[child].selector.is_empty() {
                continue;
            }
            match self.parent(child, problems) {
                Ok(parent) => parents[self.firsts[child]] = parents[self.firsts[child]].or(parent),
                Err(Wrong) => wrong.push(child),
            }
        }
        (parents, wrong)
    }

    fn parent(&mut self, child: usize, problems: &mut Problems<'_>) -> Result<Option<usize>, Wrong> {
        let document = &self.documents[child];
        let found = self.matches(&document.selector);
        let equals = self.equals(child, &found);
        let candidates = found.all.len() - equals;
        let Some(rank) = self.ranks[child] else {
            // A layer that is misspelt has been told.
            return if candidates > 0 && document.layer.is_none() {
                Err(self.tell_layerless(document, problems))
            } else {
                Ok(None)
            };
        };
        if candidates == 0 {
            if self.extent == Extent::All {
                self.warn_of_none(document, problems);
            }
            return Ok(None);
        }
        let above = found.by.get(&document.schema).map(|layers| layers.range(..rank));
        let above: Vec<(usize, &Vec<usize>)> = above.into_iter().flatten().map(|(rank, all)| (*rank, all)).collect();
        let strays = candidates - above.iter().map(|(_, all)| all.len()).sum::<usize>();
        if strays > 0 && (self.reading.is_shipped() || above.is_empty()) {
            return Err(self.tell_strays(child, &found, strays, problems));
        }
        let parent = if self.reading.is_shipped() { self.counted(child, &above) } else { nearest(&above) };
        match parent {
            Ok(parent) => {
                if strays > 0 {
                    self.warn_of_strays(child, &found, strays, problems);
                }
                Ok(Some(self.firsts[parent]))
            }
            Err(several) => Err(self.tell_several(child, several, &above, problems)),
        }
    }

    fn matches(&mut self, selector: &'d [Pair]) -> Rc<Matches> {
        if let Some(known) = self.known.get(selector) {
            return Rc::clone(known);
        }
        let lists = selector.iter().map(|pair| self.by_pair.get(pair).map_or(&[][..], |list| list));
        let rarest = lists.min_by_key(|list| list.len()).unwrap_or_default();
        let has_all = |at: &&usize| selector.iter().all(|pair| self.documents[**at].has_label(pair));
        let mut found = Matches::default();
        for &at in rarest.iter().filter(has_all) {
            let layers = found.by.entry(self.documents[at].schema.clone()).or_default();
            layers.entry(self.ranks[at].unwrap_or_default()).or_default().push(at);
            found.all.push(at);
        }
        let found = Rc::new(found);
        self.known.insert(selector, Rc::clone(&found));
        found
    }

    /// How many of those found are the same as the child, as a whole: itself, and its copies.
    fn equals(&self, child: usize, found: &Matches) -> usize {
        let document = &self.documents[child];
        let twins = self.twins.get(&document.identity()).map_or(&[][..], |twins| twins);
        let is_found = |at: &&usize| document.selector.iter().all(|pair| self.documents[**at].has_label(pair));
        let equal = |at: &&usize| **at == child || python::equal(&self.documents[**at].value, &document.value);
        if found.all.is_empty() { 0 } else { twins.iter().filter(is_found).filter(equal).count() }
    }

    /// The parent as the engine counts candidates: a nearer layer displaces one, and one has to be left.
    fn counted(&self, child: usize, above: &[(usize, &Vec<usize>)]) -> Result<usize, usize> {
        let (mut parent, mut left, mut nearest) = (None, 0, None);
        let layers = self.order.layers.iter().filter_map(|layer| self.order.rank(layer));
        for rank in layers {
            let here = above.iter().find(|(other, _)| *other == rank).map_or(&[][..], |(_, all)| all);
            for &candidate in here {
                left += 1;
                if nearest.is_none_or(|nearest| rank > nearest) {
                    // A copy of a document finds the place of its first taken already.
                    left -= usize::from(nearest.is_some() && self.firsts[child] == child);
                    (parent, nearest) = (Some(candidate), Some(rank));
                }
            }
        }
        parent.filter(|_| left == 1).ok_or(left)
    }

    fn tell_layerless(&self, child: &Document<'_>, problems: &mut Problems<'_>) -> Wrong {
        let place = child.place(&["metadata", "layeringDefinition", "parentSelector"]);
        let error = problems.at(place, format!("{} has a parentSelector, and no layer", child.title()));
        let known: Vec<_> = self.order.layers.iter().map(Plain::text).collect();
        problems.tell(place, error.help(format!("write the layer that it belongs to: {}", known.join(", "))))
    }

    fn tell_several(
        &self,
        child: usize,
        several: usize,
        above: &[(usize, &Vec<usize>)],
        problems: &mut Problems<'_>,
    ) -> Wrong {
        let child = &self.documents[child];
        let place = child.place(&["metadata", "layeringDefinition", "parentSelector"]);
        // The nearest are the ones to choose from; the engine counts those of other layers, too.
        let nearest = if self.reading.is_shipped() { above } else { &above[above.len().saturating_sub(1)..] };
        let all: Vec<_> = nearest.iter().flat_map(|(_, all)| (*all).clone()).collect();
        let what = format!("{} could have {several} parents, and needs one", child.title());
        let error = problems.at(place, what).detail(self.list(&all, |_| String::new(), problems));
        problems.tell(place, error.help("give the one that is meant a label of its own, and select that"))
    }

    fn tell_strays(&self, child: usize, found: &Matches, strays: usize, problems: &mut Problems<'_>) -> Wrong {
        let document = &self.documents[child];
        let place = document.place(&["metadata", "layeringDefinition", "parentSelector"]);
        let (some, why) = self.strays(child, found);
        let documents = if strays == 1 { "a document" } else { "documents" };
        let what = format!("the parentSelector of {} finds {documents} that cannot be its parent", document.title());
        let error = problems.at(place, what).detail(self.list(&some, why, problems));
        problems.tell(place, error.help("a parent has the same schema, and a layer that stands before in layerOrder"))
    }

    fn warn_of_strays(&self, child: usize, found: &Matches, strays: usize, problems: &mut Problems<'_>) {
        let document = &self.documents[child];
        let (some, why) = self.strays(child, found);
        let Some(&first) = some.first() else { return };
        let more = if strays > 1 { format!(" and {} more", strays - 1) } else { String::new() };
        let stray = format!("{} ({}){more}", self.documents[first].title(), why(first));
        let place = document.place(&["metadata", "layeringDefinition", "parentSelector"]);
        let what =
            format!("the parentSelector of {} finds {stray}, too: Deckhand itself refuses that", document.title());
        problems.warn(place, &what);
    }

    /// Some of those found that cannot be a parent, and why not.
    fn strays<'s>(&'s self, child: usize, found: &Matches) -> (Vec<usize>, impl Fn(usize) -> String + 's) {
        let document = &self.documents[child];
        let why = move |at: usize| {
            let other = &self.documents[at];
            match (other.schema == document.schema, self.ranks[at] == self.ranks[child]) {
                (false, _) => "another schema".to_owned(),
                (_, true) => format!("the same layer {}", visible(other.layer_name())),
                (_, false) => format!("the lower layer {}", visible(other.layer_name())),
            }
        };
        let is_stray =
            |at: &usize| self.documents[*at].schema != document.schema || self.ranks[*at] >= self.ranks[child];
        let strays = found.all.iter().copied().filter(|&at| at != child).filter(is_stray);
        (strays.take(LISTED + 1).collect(), why)
    }

    /// Documents with their places, a line each.
    fn list(&self, some: &[usize], why: impl Fn(usize) -> String, problems: &Problems<'_>) -> String {
        let line = |&at: &usize| {
            let (document, why) = (&self.documents[at], why(at));
            let why = if why.is_empty() { visible(document.layer_name()) } else { why };
            format!("   {}: {} ({why})", problems.place(document.start()), document.title())
        };
        let more = if some.len() > LISTED { "\n   …" } else { "" };
        some.iter().take(LISTED).map(line).collect::<Vec<_>>().join("\n") + more
    }

    /// That nothing is found is no error: the document is rendered alone. But it is hardly what was meant.
    fn warn_of_none(&self, child: &Document<'_>, problems: &mut Problems<'_>) {
        let place = child.place(&["metadata", "layeringDefinition", "parentSelector"]);
        let wanted = |pair: &Pair| format!("`{}: {}`", visible(&pair.0), visible(pair.1.text()));
        let missing = child.selector.iter().find(|pair| !self.by_pair.contains_key(pair));
        let why = match missing {
            None => "no document has all of its labels".to_owned(),
            Some(pair) => {
                let labels = self.by_pair.keys();
                let values = labels.filter(|other| other.0 == pair.0).map(|other| other.1.text());
                let near = problems.near(pair.1.text(), values).map(|value| (pair.0.as_str(), value));
                let keys = self.by_pair.keys().map(|other| other.0.as_str());
                let near = near.or_else(|| Some((problems.near(&pair.0, keys)?, pair.1.text())));
                let meant = near.map(|near| format!(", did you mean `{}: {}`?", visible(near.0), visible(near.1)));
                format!("no document has the label {}{}", wanted(pair), meant.unwrap_or_default())
            }
        };
        problems.warn(place, &format!("{} inherits nothing: {why}", child.title()));
    }
}

/// So many documents are listed in a message.
const LISTED: usize = 5;

/// The parent as the document says: the one in the nearest layer above. Else how many there are.
fn nearest(above: &[(usize, &Vec<usize>)]) -> Result<usize, usize> {
    match above.last() {
        Some((_, all)) if all.len() == 1 => Ok(all[0]),
        other => Err(other.map_or(0, |(_, all)| all.len())),
    }
}
