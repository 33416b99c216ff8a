//! The user's live options in the places of the commented-out ones.

use std::collections::HashMap;

use log::debug;

use super::layout::Layout;
use crate::comments::{has_comment, has_head};
use crate::option_lines::{self, Placed};
use crate::path::Trail;
use crate::tree::{Around, Line, Lines, Node};

/// What the base has around the options that the user has live.
pub(super) fn old_options<'a>(base: &Node<'a>, live: &HashMap<String, usize>) -> HashMap<String, Lines<'a>> {
    if live.is_empty() {
        return HashMap::new();
    }
    let head = if has_head(base) { &base.more[..] } else { &[] };
    let blocks = base.children.iter().map(|child| &child.above[..]).chain([&base.above[..], head, &base.below]);
    let options = blocks.flat_map(|lines| option_lines::split(lines.to_vec(), live).0);
    options.map(|Placed { name, above, below }| (name, Lines { above, below, head: Vec::new() })).collect()
}

/// Puts the user's live options in the place of the commented-out ones in `lines`; what is left of the lines.
pub(super) fn put_options<'a>(
    laid: &mut Layout<'a>,
    lines: Vec<Line<'a>>,
    old: &mut HashMap<String, Lines<'a>>,
    trail: &Trail<'_>,
) -> Vec<Line<'a>> {
    let (options, rest) = option_lines::split(lines, &laid.options);
    for Placed { name, above, below } in options {
        let Some((at, mut node)) = laid.take_option(&name) else { continue };
        debug!("{}: {name} takes the place of its commented-out line", trail.path());
        let below = below.into_iter().map(|line| line.moved(-node.indent)).collect();
        let base = old.remove(&name).map(Box::new);
        let mut theirs = Around { below, indent: node.indent, option: true, base, ..Around::default() };
        if has_comment(&node.above) || has_comment(&above) {
            theirs.above = above;
        } else {
            node.above = above;
        }
        node.merged_with(theirs);
        laid.put(node, at);
    }
    rest
}
