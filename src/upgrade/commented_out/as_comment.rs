//! A live key as the lines that it would be if somebody commented it out.
//!
//! Whoever comments out a key of an old default, and changes nothing in it, has these lines. So they tell what a user wrote
//! otherwise in such a block.
//!
//! Left out: where the `#` stands, and how many blanks are behind it. What a comment says is compared without them.

use crate::text::source::End;
use crate::yaml::tree::{Line, Node, Offset};
use crate::yaml::writer;

/// The lines of a key without what stands above it.
pub(crate) fn as_comment<'a>(key: &Node<'a>) -> Vec<Line<'a>> {
    let stream = Node { above: Vec::new(), ..key.clone() }.into_stream();
    let text = writer::write(&stream, false, "\n").text;
    let comment = |line: &str| format!("# {line}").trim_end().to_owned();
    text.lines().map(|line| Line::Text(Offset::Beside(0), comment(line).into(), End::Lf)).collect()
}
