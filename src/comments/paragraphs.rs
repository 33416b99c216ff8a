//! The paragraphs of a comment, and what is left of one where lines of them go.

use super::place::Place;
use crate::yaml::tree::Line;

/// The paragraphs of a comment, each with the blank lines below it.
pub(super) fn paragraphs<'l, 'a>(lines: &'l [Line<'a>]) -> impl Iterator<Item = &'l [Line<'a>]> {
    lines.chunk_by(|line, next| line.is_comment() || !next.is_comment())
}

/// The blank lines above any comment.
pub(crate) fn leading_blanks<'l, 'a>(lines: &'l [Line<'a>]) -> &'l [Line<'a>] {
    &lines[..lines.iter().take_while(|line| matches!(line, Line::Blank(..))).count()]
}

/// A comment without the lines with words that go. Ornaments go with the line above them, blank lines with the paragraph,
/// and where no words stay, ornaments have nothing to adorn.
pub(super) fn without<'a>(lines: Vec<Line<'a>>, place: Place, goes: &[bool]) -> Vec<Line<'a>> {
    let blank = leading_blanks(&lines).len();
    let mut stays = stays(&lines, goes).into_iter();
    let (mut lines, gone): (Vec<_>, Vec<_>) = lines.into_iter().partition(|_| stays.next() == Some(true));
    if gone.is_empty() {
        return lines;
    }
    if !has_words(&lines) {
        lines.retain(|line| !line.is_ornament());
    }
    let end = lines.iter().rposition(Line::is_comment).map_or(0, |last| last + 1);
    match place {
        Place::Header if end == 0 => lines.truncate(blank),
        // Blank lines below it set off what went.
        Place::End | Place::ListEnd | Place::OptionText => lines.truncate(end),
        _ => {}
    }
    lines
}

/// Which of some lines stay where some of those with words go.
fn stays(lines: &[Line<'_>], goes: &[bool]) -> Vec<bool> {
    let (mut goes, mut went, mut all_went) = (goes.iter(), false, false);
    let mut stays = Vec::with_capacity(lines.len());
    for paragraph in paragraphs(lines) {
        let (comment, blanks) = paragraph.split_at(paragraph.iter().take_while(|line| line.is_comment()).count());
        let first = stays.len();
        if has_words(comment) {
            // A rule above them frames them, and goes with none of another paragraph.
            went = goes.clone().next() == Some(&true);
        }
        stays.extend(comment.iter().map(|line| {
            went = if line.has_words() { goes.next() == Some(&true) } else { went };
            !went
        }));
        if has_words(comment) {
            all_went = comment.iter().zip(&stays[first..]).all(|(line, stays)| !line.has_words() || !stays);
        }
        stays.extend(blanks.iter().map(|_| !all_went));
    }
    stays
}

/// Whether lines say anything.
pub(crate) fn has_words(lines: &[Line<'_>]) -> bool {
    lines.iter().any(Line::has_words)
}
