//! What a line says, and in which commented-out item or section.
//!
//! `port: 80` may be in many of them. Two files that each add one have added it twice, and not once the same line.

use crate::text::scan::{self, Start};
use crate::yaml::commented_out::{Said, key_said};
use crate::yaml::tree::Line;

/// What a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Phrase<'l> {
    pub(super) text: &'l str,
    /// What the first line of the outermost item or section says that it is in; nothing where it is in none.
    head: &'l str,
}

impl<'l> Phrase<'l> {
    /// The phrases of some lines, where the first line of each item or section is known.
    pub(super) fn all(texts: &[&'l str], heads: &[Option<usize>]) -> Vec<Self> {
        let phrase = |(text, head): (&&'l str, &Option<usize>)| Phrase { text, head: head.map_or("", |at| texts[at]) };
        texts.iter().zip(heads).map(phrase).collect()
    }
}

/// For each line the first one of the outermost commented-out item or section that it is in; nothing for that one, and for
/// lines that are in none.
pub(super) fn heads(lines: &[Line<'_>]) -> Vec<Option<usize>> {
    let mut heads = vec![None; lines.len()];
    let mut next = 0;
    while next < lines.len() {
        let end = end_of_block(lines, next);
        heads[next + 1..end].fill(Some(next));
        next = end;
    }
    heads
}

/// Behind which line the commented-out item or section ends that a line starts; the line itself where it starts none.
pub(in crate::comments) fn end_of_block(lines: &[Line<'_>], first: usize) -> usize {
    let head = &lines[first];
    if !opens(head) {
        return first + 1;
    }
    let rest = &lines[first + 1..];
    // An item inside of another one stands below a key of that, two columns further in at least.
    let least = |line: &Line<'_>| if head.comments_out_item() && line.comments_out_item() { 2 } else { 1 };
    let is_inside = |line: &&Line<'_>| {
        line.is_comment() && (!line.has_words() || line.before_said() >= head.before_said() + least(line))
    };
    let inside = rest.iter().take_while(is_inside).count();
    first + 1 + rest[..inside].iter().rposition(Line::has_words).map_or(0, |last| last + 1)
}

/// Whether lines further in belong to what a line would be if it were not commented out.
fn opens(line: &Line<'_>) -> bool {
    let is_open = |(_, value)| matches!(scan::value_start(value).0, Start::Nothing | Start::Block(_));
    let is_section = |text| key_said(text).is_some() && scan::key_and_rest(text).is_some_and(is_open);
    line.comments_out_item() || Said::of(line.trimmed()).is_some_and(|said| is_section(said.text))
}
