//! The comments of two values that become one: each paragraph as a whole, and once.
//!
//! A paragraph is what no blank line parts. One that is there already, line by line, does not come in again: the licence over
//! every file of a set stands once. Any other comes in with all of its lines, also those that another paragraph has, too.

use std::collections::HashSet;

use crate::text::source::End;
use crate::yaml::tree::Line;

/// Adds comments to those that stand over something. The last paragraphs of both, which touch it, touch it still; what a
/// blank line parts from it comes before them.
pub(crate) fn join<'a>(lines: &mut Vec<Line<'a>>, more: &[Line<'a>]) {
    let more = comments(more);
    let (loose, touching) = more.split_at(start_of_touching(&more));
    let start = start_of_touching(lines);
    let known: HashSet<_> = paragraphs(lines).map(words).collect();
    let new: Vec<_> = paragraphs(loose).filter(|paragraph| !known.contains(&words(paragraph))).collect();
    let is_new = !touching.is_empty() && !known.contains(&words(touching)) && !holds(&lines[start..], touching);
    let holds_ours = lines[start..].iter().any(Line::has_words) && holds(touching, &lines[start..]);
    if is_new {
        lines.truncate(if holds_ours { start } else { lines.len() });
        lines.extend_from_slice(touching);
    }
    let new = new.into_iter().flat_map(|paragraph| paragraph.iter().cloned().chain([blank()]));
    lines.splice(start..start, new.collect::<Vec<_>>());
}

/// Adds comments to those that stand over a whole file: a blank line parts what each of them has. Where there were none
/// yet, `is_apart` says whether a blank line parts them from what is below.
pub(super) fn join_heads<'a>(lines: &mut Vec<Line<'a>>, more: &[Line<'a>], is_apart: bool) {
    let is_apart = lines.last().map_or(is_apart, is_blank);
    let close = |lines: &mut Vec<Line<'a>>| lines.extend(lines.last().is_some_and(Line::is_comment).then(blank));
    let mut more = more.to_vec();
    close(&mut more);
    close(lines);
    join(lines, &more);
    if !is_apart && lines.last().is_some_and(is_blank) {
        lines.pop();
    }
}

/// Adds comments to those that stand behind something, as far from these as they were from what is before them.
pub(crate) fn join_behind<'a>(lines: &mut Vec<Line<'a>>, more: &[Line<'a>]) {
    let more = comments(more);
    let known: HashSet<_> = paragraphs(lines).map(words).collect();
    let is_new = |paragraph: &&[Line<'a>]| !known.contains(&words(paragraph));
    let mut new = Vec::new();
    for with_blanks in more.chunk_by(|line, next| is_blank(line) || !is_blank(next)) {
        if paragraphs(with_blanks).any(|paragraph| is_new(&paragraph)) {
            new.extend_from_slice(with_blanks);
        }
    }
    let is_first = lines.is_empty();
    lines.extend(new.into_iter().skip_while(|line| is_first && is_blank(line)));
}

/// The comments and blank lines, as they come into another file.
fn comments<'a>(lines: &[Line<'a>]) -> Vec<Line<'a>> {
    let mut lines: Vec<_> = lines.iter().filter(|line| line.is_comment_or_blank()).cloned().collect();
    lines.iter_mut().for_each(Line::end_as_common);
    lines
}

fn paragraphs<'l, 'a>(lines: &'l [Line<'a>]) -> impl Iterator<Item = &'l [Line<'a>]> {
    lines.split(is_blank).filter(|paragraph| !paragraph.is_empty())
}

/// Where the paragraph starts behind which no blank line is.
fn start_of_touching(lines: &[Line<'_>]) -> usize {
    lines.iter().rposition(is_blank).map_or(0, |at| at + 1)
}

pub(super) fn is_blank(line: &Line<'_>) -> bool {
    line.trimmed().is_empty()
}

fn blank<'a>() -> Line<'a> {
    Line::Blank("", End::Common)
}

fn words<'l>(paragraph: &'l [Line<'_>]) -> Vec<&'l str> {
    paragraph.iter().map(Line::trimmed).collect()
}

/// Whether these lines stand in others one behind the other. Looked for as a text, for that takes no square of time.
fn holds(lines: &[Line<'_>], paragraph: &[Line<'_>]) -> bool {
    let text = |lines: &[Line<'_>]| format!("\n{}\n", words(lines).join("\n"));
    text(lines).contains(&text(paragraph))
}
