//! Which lines of a comment have moved, where what is said deeper below a line belongs to that.
//!
//! A line alone tells little: `ip: 10.0.0.1` stands below many keys. A sentence holds nothing, however deep the next line
//! is, and neither does a key with a value, but a key without one or an item does. So a block goes whole or not at all,
//! unless most of it, its first line among that, is said elsewhere: the release moved it then and changed some of it. Of
//! such a block those lines stay that are said nowhere else, with the ones that they are said below; where an old default
//! tells that they are not the user's, they go with it.

use std::ops::Range;

use super::pairing::Arrivals;
use crate::text::scan::{self, Start};
use crate::yaml::tree::{Line, Offset};

/// Whose lines may move.
#[derive(Debug, Clone, Copy)]
pub(super) enum May<'m> {
    /// These, which may be the user's.
    Users(&'m [bool]),
    /// These, which the old default says.
    OldDefaults(&'m [bool]),
}

impl May<'_> {
    fn has(self, at: usize) -> bool {
        let (Self::Users(may) | Self::OldDefaults(may)) = self;
        may[at]
    }
}

/// Which lines with words have a counterpart elsewhere, of those that may move.
pub(super) fn moved(lines: &[Line<'_>], may: May<'_>, arrivals: &mut Arrivals<'_>) -> Vec<bool> {
    let said = said(lines);
    let goes = vec![false; said.len()];
    let mut comment = Comment { said, may, goes, arrivals };
    comment.blocks(0..comment.said.len());
    comment.goes
}

/// The block that each line starts, by where it ends: behind itself where nothing is said below it.
pub(super) fn ends(lines: &[Line<'_>]) -> Vec<usize> {
    let said = said(lines);
    let worded: Vec<_> = (0..lines.len()).filter(|&at| lines[at].has_words()).collect();
    let mut ends: Vec<_> = (1..=lines.len()).collect();
    for (number, &at) in worded.iter().enumerate() {
        ends[at] = worded[end_of_block(&said, number..said.len()) - 1] + 1;
    }
    ends
}

/// Lets the sentences of a paragraph go where the first and most of them go, of those that may.
pub(super) fn complete_paragraphs<'l, 'a: 'l>(
    paragraphs: impl Iterator<Item = &'l [Line<'a>]>,
    may: &[bool],
    goes: &mut [bool],
) {
    let mut next = 0;
    for paragraph in paragraphs {
        let first = next;
        let worded: Vec<_> = paragraph.iter().filter(|line| line.has_words()).collect();
        next += worded.len();
        let is_sentence = |at: &usize| may[*at] && is_sentence(worded[*at - first].said());
        let sentences: Vec<_> = (first..next).filter(is_sentence).collect();
        let moved = sentences.iter().filter(|at| goes[**at]).count();
        if sentences.first().is_some_and(|&at| goes[at]) && is_most(moved, sentences.len()) {
            for at in sentences {
                goes[at] = true;
            }
        }
    }
}

/// Whether words are neither a key nor an item that is commented out.
fn is_sentence(words: &str) -> bool {
    !words.starts_with("- ") && scan::key_and_rest(words).is_none()
}

/// Whether some of so many lines are most of them.
fn is_most(some: usize, all: usize) -> bool {
    some * 3 >= all * 2
}

/// A line with words.
struct Said<'l> {
    words: &'l str,
    /// The column at which it starts to say something; that of an item is behind its dash.
    column: i32,
    /// Whether it is an item with a key, which other keys can stand below in the same column.
    is_item: bool,
    /// Whether it can hold what stands deeper below it: a key without a value or with a text that starts below, an item.
    can_hold: bool,
    /// Whether a blank line or nothing stands above it; above a comment inside of what is commented out, `#` is a blank line.
    starts_paragraph: bool,
}

fn said<'l>(lines: &'l [Line<'_>]) -> Vec<Said<'l>> {
    let (mut starts_paragraph, mut is_below_bare) = (true, false);
    let mut said = Vec::with_capacity(lines.len());
    for line in lines {
        if line.has_words() {
            let words = line.said();
            let is_item = words.strip_prefix("- ").is_some_and(|item| scan::key_and_rest(item).is_some());
            let is_open =
                |(_, value): (&str, &str)| matches!(scan::value_start(value).0, Start::Nothing | Start::Block(_));
            let can_hold = words.starts_with("- ") || scan::key_and_rest(words).is_some_and(is_open);
            let starts_paragraph = starts_paragraph || (is_below_bare && is_comment_inside(line));
            said.push(Said { words, column: column(line), is_item, can_hold, starts_paragraph });
        }
        is_below_bare = line.trimmed() == "#";
        starts_paragraph = !line.is_comment() || (starts_paragraph && !line.has_words());
    }
    said
}

/// Whether a comment line is a comment in what is commented out.
fn is_comment_inside(line: &Line<'_>) -> bool {
    line.trimmed().trim_start_matches('#').trim_start().starts_with('#')
}

fn column(line: &Line<'_>) -> i32 {
    let Line::Text(offset, text, _) = line else { return 0 };
    let stands = if let Offset::Beside(by) = offset { *by } else { 0 };
    let hashed = text.trim_start_matches('#');
    let mut said = hashed.trim_start_matches(['#', ' ', '\t']);
    // `-- words` is no item.
    while let Some(item) = said.strip_prefix("- ") {
        said = item.trim_start_matches([' ', '\t']);
    }
    // However many stand there, they are one sign.
    let sign = usize::from(hashed.len() < text.len());
    stands + i32::try_from(sign + hashed.len().saturating_sub(said.len())).unwrap_or(0)
}

/// Whether a line in the column of an item belongs to that.
fn is_of_item(item: &Said<'_>, line: &Said<'_>) -> bool {
    item.is_item && !line.words.starts_with("- ")
}

/// Where the block ends that the first of some lines starts.
fn end_of_block(said: &[Said<'_>], lines: Range<usize>) -> usize {
    let head = &said[lines.start];
    if !head.can_hold {
        return lines.start + 1;
    }
    let mut inside = lines.clone().skip(1);
    // Behind `#port:` the words about the next key stand one column further right.
    let is_below = |line: &Said<'_>| match line.column - head.column {
        0 => is_of_item(head, line),
        1 => !is_sentence(line.words),
        by => by > 1,
    };
    let ends = |line: &Said<'_>| line.starts_paragraph || !is_below(line);
    inside.find(|&at| ends(&said[at])).unwrap_or(lines.end)
}

struct Comment<'c, 'l, 'a> {
    said: Vec<Said<'l>>,
    may: May<'c>,
    goes: Vec<bool>,
    arrivals: &'c mut Arrivals<'a>,
}

impl Comment<'_, '_, '_> {
    /// Decides on lines that are blocks beside each other.
    fn blocks(&mut self, lines: Range<usize>) {
        let mut rest = lines;
        while !rest.is_empty() {
            let end = end_of_block(&self.said, rest.clone());
            self.block(rest.start..end);
            rest.start = end;
        }
    }

    fn block(&mut self, lines: Range<usize>) {
        let words = lines.clone().filter(|&at| self.may.has(at)).map(|at| self.said[at].words);
        if self.arrivals.pair(words.clone()) {
            self.go(lines);
        } else if self.has_moved(lines.clone()) {
            match self.may {
                May::Users(_) => self.blocks(lines.start + 1..lines.end),
                May::OldDefaults(_) => {
                    words.for_each(|words| _ = self.arrivals.pair([words].into_iter()));
                    self.go(lines);
                }
            }
        }
    }

    /// Lets the lines of a block go that may, but for those that lead to a line that stays.
    fn go(&mut self, lines: Range<usize>) {
        for at in lines.clone().rev().filter(|&at| self.may.has(at)) {
            let end = end_of_block(&self.said, at..lines.end);
            self.goes[at] = self.goes[at + 1..end].iter().all(|goes| *goes);
        }
    }

    /// Whether most of a block came in elsewhere, its first line among that.
    fn has_moved(&self, lines: Range<usize>) -> bool {
        let comes = |at: &usize| self.arrivals.has(self.said[*at].words);
        comes(&lines.start) && is_most(lines.clone().filter(comes).count(), lines.len())
    }
}
