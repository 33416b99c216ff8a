//! The user's live options in the places of the commented-out ones.

use std::collections::HashMap;

use log::debug;

use super::layout::Layout;
use crate::option_lines::{self, Placed};
use crate::path::Trail;
use crate::tree::{Around, Line, Lines, Node};

/// The comments of the base around the keys of a map, cut at the options that the user has live.
#[derive(Default)]
pub(super) struct Old<'a> {
    /// Of a document: what is left of its head.
    pub(super) head: Vec<Line<'a>>,
    pub(super) above: HashMap<String, Vec<Line<'a>>>,
    pub(super) below: Vec<Line<'a>>,
    options: HashMap<String, Lines<'a>>,
}

impl<'a> Old<'a> {
    pub(super) fn of(base: &Node<'a>, live: &HashMap<String, usize>) -> Self {
        let Lines { head, below, .. } = Lines::of(base);
        let (head, mut rest) = option_lines::cut_head(head, live);
        let mut old = Self { head, ..Self::default() };
        for child in &base.children {
            rest.extend(child.above.iter().cloned());
            let above = old.cut(std::mem::take(&mut rest), live);
            old.above.insert(child.name.clone().into_owned(), above);
        }
        rest.extend(below);
        old.below = old.cut(rest, live);
        old
    }

    fn cut(&mut self, lines: Vec<Line<'a>>, live: &HashMap<String, usize>) -> Vec<Line<'a>> {
        let (options, rest) = option_lines::split(lines, live);
        let lines = |Placed { name, above, below }| (name, Lines { above, below, head: Vec::new() });
        self.options.extend(options.into_iter().map(lines));
        rest
    }
}

/// Puts the user's live options in the place of the commented-out ones in `lines`; what is left of the lines.
pub(super) fn put_options<'a>(
    laid: &mut Layout<'a>,
    lines: Vec<Line<'a>>,
    old: &mut Old<'a>,
    trail: &Trail<'_>,
) -> Vec<Line<'a>> {
    let (options, rest) = option_lines::split(lines, &laid.options);
    for Placed { name, above, below } in options {
        let Some((at, mut node)) = laid.take_option(&name) else { continue };
        debug!("{}: {name} takes the place of its commented-out line", trail.path());
        let below = below.into_iter().map(|line| line.moved(-node.indent)).collect();
        let base = old.options.remove(&name).map(Box::new);
        node.merged_with(Around { above, below, indent: node.indent, option: true, base, ..Around::default() });
        laid.put(node, at);
    }
    rest
}
