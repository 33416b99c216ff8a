//! How paths lead into the file that is changed, and what they are called before and after.

use foldhash::HashSet;
use std::collections::BTreeMap;

use crate::text::error::Error;
use crate::yaml::check::Checked;
use crate::yaml::document::is_document;
use crate::yaml::find;
use crate::yaml::outline::Outline;
use crate::yaml::path::{Path, Step};
use crate::yaml::pattern::{Pattern, Word};
use crate::yaml::place::Place as Value;
use crate::yaml::tree::{Kind, Node};

/// A way from the stream down to a value.
pub(crate) type Way = Vec<usize>;

/// The way to a collection from which something was removed, and the places of that, in their order.
pub(super) type Gap = (Way, Vec<usize>);

/// The file that is planned for, and the new default, which knows how a new path is meant.
#[derive(Clone, Copy)]
pub(crate) struct Files<'f, 'a> {
    pub(crate) current: &'f Checked<'a>,
    pub(crate) update: &'f Checked<'f>,
    pub(crate) gives_way: GivesWay<'f>,
}

/// Which values give way to one that moves to their place.
#[derive(Clone, Copy)]
pub(crate) enum GivesWay<'f> {
    /// Those of a user that mean what the old default, if there is one, or the new one has there: nobody set them.
    Defaults(Option<&'f Outline<'f>>),
    /// Those of an old default where a value of the user's came.
    At(&'f HashSet<Path>),
}

impl<'f, 'a> Files<'f, 'a> {
    pub(super) fn stream(&self) -> Value<'f, 'a> {
        Value::of(&self.current.stream, &self.current.outline)
    }

    /// All that a path names, each with what its stars stand for.
    pub(crate) fn find(&self, text: &str) -> Result<Vec<(Way, Vec<Step>)>, Error> {
        let found = |checked: &Checked<'_>| find::find(&checked.stream, &checked.outline, text);
        let pattern = if text.contains('*') { Pattern::read(text)? } else { Pattern::default() };
        if pattern.stars() == 0 {
            return Ok(found(self.current)?.into_iter().map(|way| (way, Vec::new())).collect());
        }
        let documents = self.stream().children().into_iter().enumerate();
        let below = documents.flat_map(|(at, document)| {
            let places = pattern.places(document).into_iter();
            places.map(move |(way, stars)| ([vec![at], way].concat(), stars))
        });
        Ok(below.collect())
    }

    /// Whether the file has anything at a path. One that is not well formed names nothing.
    pub(super) fn has(&self, text: &str) -> bool {
        self.find(text).is_ok_and(|places| !places.is_empty())
    }

    /// A new path as its author means it: the new default decides what a dot separates.
    pub(super) fn target(&self, text: &str) -> Result<Pattern, Error> {
        let strict = Pattern::read(text)?;
        if strict.stars() > 0 || !text.contains('.') {
            return Ok(strict);
        }
        let update = Value::of(&self.update.stream, &self.update.outline);
        let Some(way) = find::find(&self.update.stream, &self.update.outline, text)? else { return Ok(strict) };
        let name = |length: usize| update.follow(&way[..length]).and_then(Value::name);
        let keys = (2..=way.len()).map(|length| Some(Word::Step(Step::Key(name(length)?.to_owned()))));
        let keys: Option<Vec<_>> = keys.collect();
        Ok(keys.map_or(strict, Pattern))
    }

    /// The path of a way. Items count without those before them that are removed; documents are always named.
    pub(super) fn path(&self, way: &[usize], gaps: &[Gap]) -> Path {
        let mut steps = Vec::new();
        let mut value = self.stream();
        for (depth, &at) in way.iter().enumerate() {
            let in_list = value.kind() == Kind::List;
            let Some(child) = value.child(at) else { break };
            value = child;
            let before = || shifted(&way[..=depth], gaps).last().copied().unwrap_or(at);
            steps.push(match child.name() {
                _ if depth == 0 => Step::Document(self.number(at)),
                _ if in_list => Step::Item(before()),
                name => Step::Key(name.unwrap_or_default().to_owned()),
            });
        }
        Path(steps)
    }

    /// Which document a child of the stream is, without those that are comments alone.
    fn number(&self, at: usize) -> usize {
        self.current.stream.children[..at].iter().filter(|document| document.row.is_some()).count()
    }

    /// The path as it is shown: a file with one document does not name it.
    pub(super) fn shown(&self, path: &Path) -> Path {
        let several = self.current.stream.children.iter().filter(|document| is_document(document)).count() > 1;
        match path.0.split_first() {
            Some((Step::Document(_), rest)) if !several => Path(rest.to_vec()),
            _ => path.clone(),
        }
    }

    pub(super) fn line(&self, way: &[usize]) -> usize {
        let value = self.stream().follow(way);
        value.map_or(1, |value| value.node().map_or(self.current.outline[value.row()].line, Node::line))
    }
}

/// The gaps where these were removed, which are in their order.
pub(super) fn gaps(removed: &[Way]) -> Vec<Gap> {
    let mut gaps = BTreeMap::<Way, Vec<usize>>::new();
    for (&at, parent) in removed.iter().filter_map(|way| way.split_last()) {
        gaps.entry(parent.to_vec()).or_default().push(at);
    }
    gaps.into_iter().collect()
}

/// A way in a tree with gaps.
pub(super) fn shifted(way: &[usize], gaps: &[Gap]) -> Way {
    let shift = |depth: usize| {
        let (parent, at) = (&way[..depth], way[depth]);
        let gap = gaps.binary_search_by(|(way, _)| way[..].cmp(parent)).ok().and_then(|gap| gaps.get(gap));
        at - gap.map_or(0, |(_, places)| places.partition_point(|&gone| gone < at))
    };
    (0..way.len()).map(shift).collect()
}
