//! The tree of a file with its values in their new places.
//!
//! A node moves with all that belongs to it, and no value is written anew. Columns are relative, so that it stands right
//! wherever it comes to. What moves into a map in braces has to wait until the rest is read again: see [`Waiting`].

use foldhash::HashSet;

use super::files::{Files, Way, shifted};
use super::plan::{Plan, Take};
use crate::text::error::Error;
use crate::text::scan;
use crate::text::source::End;
use crate::upgrade::edit;
use crate::yaml::flow;
use crate::yaml::outline::Outline;
use crate::yaml::place::Place as Value;
use crate::yaml::tree::{Explicit, Kind, Line, Node, Offset, Opener, Shape};

/// A node that is to come into braces.
pub(super) struct Waiting<'a> {
    /// The way to the node with the braces, in the tree that all else was done to.
    pub(super) way: Way,
    /// The keys inside of it.
    pub(super) keys: Vec<String>,
    pub(super) node: Node<'a>,
}

/// Where a new node comes in a map: behind all that is there, or before it where an alias needs that.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Last,
    First,
}

/// Does what is planned; what is left to be put into braces.
pub(super) fn apply<'a>(
    stream: &mut Node<'a>,
    files: &Files<'_, 'a>,
    plan: &Plan,
    end: Side,
) -> Result<Vec<Waiting<'a>>, Error> {
    let outline = &files.current.outline;
    let taken: Option<Vec<_>> = plan.takes.iter().map(|take| extract(stream, outline, take, plan)).collect();
    let taken = taken.ok_or_else(not_understood)?;
    let said = said(stream, plan);
    for (way, name) in &plan.renames {
        let said = plan.replaced.get(way).map(|gone| remarks_at(stream, gone)).unwrap_or_default();
        rename(stream, way, name, said).ok_or_else(not_understood)?;
    }
    for way in plan.removed.iter().rev() {
        edit::take(stream, way).ok_or_else(not_understood)?;
    }
    let step = step(stream);
    let mut waiting = Vec::new();
    for ((take, node), said) in plan.takes.iter().zip(taken).zip(said) {
        let base = shifted(&take.base, &plan.gaps);
        let mut put = Put { step, end, said };
        let keys = names(files, take).ok_or_else(|| blocked(take))?;
        match put.below(stream, &base, keys, node).ok_or_else(|| blocked(take))? {
            Placed::Done => {}
            Placed::Later(late) => waiting.push(*late),
        }
    }
    Ok(waiting)
}

/// The keys below the node that holds the base: those inside of braces count as well.
fn names(files: &Files<'_, '_>, take: &Take) -> Option<Vec<String>> {
    let below = flow::holder(&files.current.stream, &take.base).map_or(0, |(_, below)| below.len());
    let outer = take.base.len() - below;
    let name = |length: usize| files.stream().follow(&take.base[..length]).and_then(Value::name);
    let inner = (outer + 1..=take.base.len()).map(|length| name(length).map(str::to_owned));
    inner.chain(take.keys.iter().cloned().map(Some)).collect()
}

fn blocked(take: &Take) -> Error {
    let path = take.keys.join("/");
    Error::input(format!("nothing can be moved to `{path}`: what is there, or comes there too, is no map"))
        .help("move one of them only")
}

fn not_understood() -> Error {
    Error::input("a path of a move leads into a flow collection that yamlift does not understand")
        .help("write the collection as a block first")
}

/// How far the blocks of a file are indented: as far as the first map inside of another.
pub(super) fn step(node: &Node<'_>) -> i32 {
    fn first(node: &Node<'_>) -> Option<i32> {
        let own = matches!(node.opener, Opener::Key(_)) && node.kind() == Kind::Map;
        if own { Some(node.indent) } else { node.children.iter().find_map(|child| first(child)) }
    }
    first(node).unwrap_or(2)
}

/// A copy of what moves, under its new name and without what leaves it for another place.
fn extract<'a>(stream: &Node<'a>, outline: &Outline<'a>, take: &Take, plan: &Plan) -> Option<Node<'a>> {
    let (holder, below) = flow::holder(stream, &take.from)?;
    let name = take.keys.last()?;
    let mut node = if below.is_empty() { holder.clone() } else { from_braces(holder, outline, below)? };
    let going: Vec<_> = plan.going.range(take.from.clone()..).take_while(|way| way.starts_with(&take.from)).collect();
    for way in going.into_iter().rev().filter(|way| way.len() > take.from.len()) {
        edit::take(&mut node, &way[take.from.len()..])?;
    }
    let renames = plan.renames.range(take.from.clone()..).take_while(|(way, _)| way.starts_with(&take.from));
    for (way, name) in renames.filter(|(way, _)| way.len() > take.from.len()) {
        rename(&mut node, &way[take.from.len()..], name, Vec::new())?;
    }
    let comment = node.above.iter().position(Line::is_comment).unwrap_or(node.above.len());
    node.above.drain(..comment);
    call(&mut node, name);
    Some(node)
}

/// An entry of a flow map as a node.
fn from_braces<'a>(holder: &Node<'a>, outline: &Outline<'a>, below: &[usize]) -> Option<Node<'a>> {
    let row = below.iter().try_fold(holder.row?, |row, &at| outline.children(row).nth(at))?;
    let written = flow::written(holder, outline, below, row)?;
    let (first, more) = flow::as_lines(&format!("{}{}", written.value, written.inline), End::Common);
    let mut node = Node::new(outline[row].line, Opener::Key(written.key.into()), "", End::Common);
    node.value_text = format!(" {first}").trim_end().to_owned().into();
    node.shape = match scan::value_start(&written.value).0 {
        scan::Start::Nothing => Shape::Open,
        scan::Start::Quoted => Shape::Quoted,
        scan::Start::Flow => Shape::Flow { empty: false },
        scan::Start::Plain | scan::Start::Block(_) => Shape::Plain,
    };
    let comment = |text: String| Line::Text(Offset::Beside(0), text.into(), End::Common);
    node.above = written.above.into_iter().map(comment).collect();
    (node.continuation, node.row) = (more.into(), Some(row));
    Some(node)
}

/// Gives a node a key. What is said inside of a key behind `?` stands above it then.
fn call(node: &mut Node<'_>, name: &str) {
    if let Opener::Explicit(key) = &node.opener {
        let said: Vec<_> = said_in(key)
            .into_iter()
            .map(|text| Line::Text(Offset::Beside(0), text.to_owned().into(), node.end))
            .collect();
        node.above.extend(said);
    }
    node.opener = Opener::Key(written_key(node, name).into());
    node.name = name.to_owned().into();
}

/// The comments in a key behind `?`. What looks like one inside of quotes or of a block scalar is text.
fn said_in<'k>(key: &'k Explicit<'_>) -> Vec<&'k str> {
    let mut lines = key.lines.iter().map(Line::trimmed);
    let first = lines.next().unwrap_or_default().trim_start_matches('?');
    let (start, at) = scan::value_start(first);
    let behind = scan::comment_behind(first).map(|start| &first[start..]);
    let quote = first[at..].bytes().next().filter(|_| start == scan::Start::Quoted);
    let last = quote
        .filter(|_| scan::quote_end(&first[at..]).is_none())
        .and_then(|quote| lines.find_map(|line| scan::close_quote(line, quote).map(|end| &line[end..])));
    let below = last.into_iter().chain(lines.filter(|_| !matches!(start, scan::Start::Block(_))));
    behind.into_iter().chain(below.filter_map(|line| Some(&line[scan::comment_start(line)?..]))).collect()
}

/// The key of a node under its new name: with the anchor and tag that stand before it, and in quotes where it was.
fn written_key(node: &Node<'_>, name: &str) -> String {
    let Opener::Key(old) = &node.opener else { return flow::scalar(name) };
    if node.name == name {
        return old.to_string();
    }
    let before = &old[..scan::value_start(old).1.min(old.len())];
    format!("{before}{}", flow::rewritten(old, name))
}

/// Gives the key at the end of a way another name; these lines come above it.
fn rename<'a>(node: &mut Node<'a>, way: &[usize], name: &str, said: Vec<Line<'a>>) -> Option<()> {
    let (holder, below) = flow::holder_mut(node, way)?;
    if !below.is_empty() {
        return flow::rename(holder, below, name);
    }
    call(holder, name);
    let first = holder.above.iter().position(Line::is_comment).unwrap_or(holder.above.len());
    holder.above.splice(first..first, said);
    Some(())
}

/// For each value that moves the comments of the maps that it is the first to leave empty, and of what gives way to it.
fn said<'a>(stream: &Node<'a>, plan: &Plan) -> Vec<Vec<Line<'a>>> {
    let emptied: HashSet<_> = plan.emptied.iter().map(|way| &way[..]).collect();
    let mut seen = HashSet::default();
    let mut of = |take: &Take| {
        let outer = (2..take.from.len()).map(|length| &take.from[..length]);
        let empty = outer.filter(|outer| (1..=outer.len()).any(|length| emptied.contains(&outer[..length])));
        let new: Vec<_> = empty.filter(|outer| seen.insert(outer.to_vec())).map(<[_]>::to_vec).collect();
        new.iter().chain(plan.replaced.get(&take.from)).flat_map(|way| remarks_at(stream, way)).collect()
    };
    plan.takes.iter().map(&mut of).collect()
}

/// The comments of what goes from the end of a way; what is in braces has none of its own.
fn remarks_at<'a>(stream: &Node<'a>, way: &[usize]) -> Vec<Line<'a>> {
    let node = flow::holder(stream, way).filter(|(_, below)| below.is_empty());
    node.map(|(node, _)| remarks(node)).unwrap_or_default()
}

/// The comments of a node that goes, as lines above another one.
fn remarks<'a>(node: &Node<'a>) -> Vec<Line<'a>> {
    let inline = if node.children.is_empty() { flow::inline(node) } else { node.value_text.to_string() };
    let inline = inline.trim_start();
    let inline = inline.starts_with('#').then(|| Line::Text(Offset::Beside(0), inline.to_owned().into(), node.end));
    let first = node.above.iter().position(Line::is_comment).unwrap_or(node.above.len());
    let below = node.below.iter().filter(|line| line.is_comment()).cloned();
    node.above[first..].iter().cloned().chain(inline).chain(below).collect()
}

/// What became of a node that was to be put somewhere.
enum Placed<'a> {
    Done,
    /// It comes into braces.
    Later(Box<Waiting<'a>>),
}

struct Put<'a> {
    step: i32,
    end: Side,
    /// The comments of the maps that are left empty by this: they stand above the first that comes anew.
    said: Vec<Line<'a>>,
}

impl<'a> Put<'a> {
    /// Puts a node below what a way leads to, under these keys; those that are not there are made. A node that comes into
    /// braces is handed back, and nothing for one whose way ends at something else than a map.
    fn below(
        &mut self,
        stream: &mut Node<'a>,
        way: &[usize],
        keys: Vec<String>,
        mut node: Node<'a>,
    ) -> Option<Placed<'a>> {
        let (mut holder, below) = flow::holder_mut(stream, way)?;
        let mut reached = way[..way.len() - below.len()].to_vec();
        let mut keys = keys.into_iter();
        loop {
            if let Shape::Flow { empty } = holder.shape {
                if !empty {
                    node.above.splice(0..0, self.said.drain(..));
                    return Some(Placed::Later(Box::new(Waiting { way: reached, keys: keys.collect(), node })));
                }
                flow::replace(holder, &[], "")?;
            }
            let is_map = holder.kind() == Kind::Map || (holder.kind() == Kind::Leaf && holder.shape == Shape::Open);
            let name = keys.next().filter(|_| is_map)?;
            let found = holder.children.iter().position(|child| child.name == name);
            match found {
                Some(_) if keys.len() == 0 => return None,
                Some(at) => {
                    reached.push(at);
                    holder = holder.children.get_mut(at)?;
                }
                None => {
                    self.add(holder, name, keys, node);
                    return Some(Placed::Done);
                }
            }
        }
    }

    /// Adds a node to a map, inside of maps of its own for the keys before its last.
    fn add(&mut self, holder: &mut Node<'a>, name: String, keys: std::vec::IntoIter<String>, node: Node<'a>) {
        let names: Vec<_> = std::iter::once(name).chain(keys).collect();
        let wrap = |inner: Node<'a>, name: &String| {
            let mut outer = Node::new(0, Opener::Key(flow::scalar(name).into()), "", End::Common);
            (outer.name, outer.indent) = (name.clone().into(), self.step);
            outer.children.push(Box::new(inner));
            outer
        };
        let parents = names.split_last().map_or(&[][..], |(_, parents)| parents);
        let mut node = parents.iter().rev().fold(node, wrap);
        node.above.splice(0..0, self.said.drain(..));
        if holder.children.is_empty() && holder.below.is_empty() && holder.document().is_none() {
            holder.indent = self.step;
        }
        let at = if self.end == Side::First { 0 } else { holder.children.len() };
        holder.children.insert(at, Box::new(node));
    }
}
