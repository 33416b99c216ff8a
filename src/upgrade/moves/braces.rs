//! What moves into a map in braces gains its place there as a new key of the update would.

use super::apply::Waiting;
use crate::comments;
use crate::text::error::Error;
use crate::text::scan;
use crate::text::source::{End, Source};
use crate::upgrade::gain::{Known, gain};
use crate::upgrade::three_way::Plan;
use crate::yaml::check::{self, Checked};
use crate::yaml::flow;
use crate::yaml::flow::fit::Indentation;
use crate::yaml::tree::{Node, Opener};
use crate::yaml::writer;

/// What moves, as a text of its own: the node under its keys.
pub(super) fn text(waiting: Waiting<'_>) -> (Vec<usize>, String) {
    let mut keys = waiting.keys.into_iter().rev();
    keys.next();
    let mut holder = waiting.node;
    for name in keys {
        holder = wrap(holder, &name);
    }
    let mut stream = wrap(holder, "to").into_stream();
    comments::arrange(&mut stream);
    (waiting.way, writer::write(&stream, false, "\n").text)
}

fn wrap<'a>(inner: Node<'a>, name: &str) -> Node<'a> {
    let mut outer = Node::new(0, Opener::Key(flow::scalar(name).into()), "", End::Lf);
    outer.children.push(Box::new(inner));
    outer
}

/// What may be comments in such a text.
pub(super) fn comments(moving: &str) -> impl Iterator<Item = &str> {
    moving.lines().filter_map(|line| Some(line[scan::comment_start(line)?..].trim_end()))
}

/// Adds the one key of `text` to the braces at the end of a way.
pub(super) fn put(checked: &mut Checked<'_>, way: &[usize], text: &str) -> Result<(), Error> {
    let source = Source::new("moved", text)?;
    let moved = check::read(&source)?;
    let indentation = indentation(&checked.stream, way);
    let (holder, _) = flow::holder_mut(&mut checked.stream, way).ok_or_else(refuse)?;
    let child = moved.stream.children.first().and_then(|document| document.children.first()).ok_or_else(refuse)?;
    let (current, update, plan) = (&checked.outline, &moved.outline, &Plan::default());
    let known = Known { current, update, plan, indentation, keeps_commented_out: false };
    let gain = gain(holder, child, known).ok_or_else(refuse)?;
    if gain.gained.len() == 1 { Ok(()) } else { Err(refuse()) }
}

pub(super) fn refuse() -> Error {
    Error::input("what moves into a map in braces cannot be written there").help("write that map as a block first")
}

/// Where a node stands.
fn indentation(stream: &Node<'_>, way: &[usize]) -> Indentation {
    let mut column = -1;
    let mut node = stream;
    for (depth, &at) in way.iter().enumerate() {
        let Some(child) = node.children.get(at) else { break };
        column += if depth == 0 { 0 } else { node.indent };
        node = child;
    }
    Indentation { column, step: super::apply::step(stream) }
}
