//! What stands above a commented-out key, as it reads above the key once that is live.
//!
//! In a block that is commented out as a whole, the comments are commented out, too: `#   # Seconds.` above
//! `#   timeout: 5`. Who makes such a block live takes one `#` from each of its lines.
//!
//! Left out: a comment that is not aligned with the key. It may be an example of how to write one.

use crate::text::piece::Piece;
use crate::yaml::tree::{Line, Node, Offset};

/// The lines above an option as they read above the live key.
pub(crate) fn words_when_live<'a>(above: Vec<Line<'a>>, option: &Node<'_>) -> Vec<Line<'a>> {
    let key = option.continuation.first().and_then(said_at);
    let is_beside = |line: &Line<'_>| is_doubled(line) && said_at(line) == key;
    if !above.iter().any(is_beside) {
        return above;
    }
    let live = |line: Line<'a>| match line {
        line if is_beside(&line) => without_hash(line),
        Line::Text(_, text, end) if text.trim_ascii_end() == "#" => Line::Blank("", end),
        line => line,
    };
    above.into_iter().map(live).collect()
}

/// The lines that end a commented-out block, behind this last one of its keys, as they read once it is live.
pub(crate) fn words_at_end_when_live<'a>(below: Vec<Line<'a>>, last: Option<&Node<'_>>) -> Vec<Line<'a>> {
    if let Some(last) = last { words_when_live(below, last) } else { below }
}

/// Whether a line is a comment that was commented out.
pub(crate) fn is_doubled(line: &Line<'_>) -> bool {
    behind_hash(line).is_some_and(|(_, text)| text.starts_with(' ') && text.trim_start_matches(' ').starts_with('#'))
}

/// Where the `#` of a comment stands, and how many blanks are behind it.
fn said_at(line: &Line<'_>) -> Option<(Offset, usize)> {
    let (hash, text) = behind_hash(line)?;
    Some((hash, text.len() - text.trim_start_matches(' ').len()))
}

fn behind_hash<'l>(line: &'l Line<'_>) -> Option<(Offset, &'l str)> {
    match line {
        Line::Text(hash, text, _) => Some((*hash, text.strip_prefix('#')?)),
        Line::Blank(..) => None,
    }
}

fn without_hash(line: Line<'_>) -> Line<'_> {
    fn inner(text: &str) -> &str {
        text.strip_prefix('#').unwrap_or(text).trim_ascii_start()
    }
    match line {
        Line::Text(_, Piece::Borrowed(text), end) => Line::Text(Offset::Beside(0), Piece::Borrowed(inner(text)), end),
        Line::Text(_, text, end) => Line::Text(Offset::Beside(0), Piece::from(inner(&text).to_owned()), end),
        blank @ Line::Blank(..) => blank,
    }
}
