//! Commented-out options: `#port: 80` in the update is the place of a `port` that the user has live.
//!
//! In real users' files nearly half of the keys that a default does not have are such options made live
//! (`upgrade.md` rule 3). The option's line goes, with the lines that are its block: commented out at the same column,
//! with deeper text. What explains it stays above it; comments that stand deeper themselves end its block.
//!
//! An option is at the path of the comment it stands in: its `#` stands where the keys of that map do (or at the
//! margin), and no other commented-out key above it opens a block that it is part of.

use std::collections::HashMap;

use crate::scan;
use crate::tree::{Line, Offset};

/// The keys of the options in a comment.
pub(crate) fn names<'l>(lines: &'l [Line<'_>]) -> impl Iterator<Item = &'l str> {
    let mut nesting = Nesting::default();
    lines.iter().filter_map(move |line| nesting.option(line)).map(|option| option.name)
}

/// The place of an option that the user has live.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Placed<'a> {
    pub(crate) name: String,
    /// What stands above it.
    pub(crate) above: Vec<Line<'a>>,
    /// Comments behind its block that stand deeper than the option: with a live key above them they end its block.
    pub(crate) below: Vec<Line<'a>>,
}

/// Cuts comment lines at the options named in `live`; what is left behind the last.
pub(crate) fn split<'a>(lines: Vec<Line<'a>>, live: &HashMap<String, usize>) -> (Vec<Placed<'a>>, Vec<Line<'a>>) {
    if live.is_empty() {
        return (Vec::new(), lines);
    }
    let (mut placed, mut rest): (Vec<Placed<'a>>, Vec<Line<'a>>) = (Vec::new(), Vec::new());
    let mut nesting = Nesting::default();
    let mut block: Option<Block> = None;
    for line in lines {
        let found = nesting.option(&line);
        if block.as_mut().is_some_and(|block| block.takes(&line)) {
            continue;
        }
        block = None;
        match found.filter(|found| live.contains_key(found.name) && placed.iter().all(|had| had.name != found.name)) {
            Some(Found { name, column, opens }) => {
                block = opens.then(|| Block { hash: offset(&line), column, inner: None });
                let (name, above) = (name.to_owned(), std::mem::take(&mut rest));
                placed.push(Placed { name, above, below: Vec::new() });
            }
            None => rest.push(line),
        }
        if let Some(last) = placed.last_mut()
            && rest.iter().all(|line| is_deeper(line) || !line.is_comment())
            && rest.last().is_some_and(is_deeper)
        {
            last.below.append(&mut rest);
        }
    }
    (placed, rest)
}

/// Cuts the head of a document where the paragraph of the first option starts that is live; nothing behind where none is.
/// What is behind stands beside the keys, and no longer beside the document, which is one column to their left.
pub(crate) fn cut_head<'a>(mut head: Vec<Line<'a>>, live: &HashMap<String, usize>) -> (Vec<Line<'a>>, Vec<Line<'a>>) {
    let beside_keys: Vec<_> = head.iter().map(|line| line.clone().moved(-1)).collect();
    let mut nesting = Nesting::default();
    let is_live = |line: &Line<'_>| nesting.option(line).is_some_and(|option| live.contains_key(option.name));
    let Some(first) = beside_keys.iter().position(is_live) else { return (head, Vec::new()) };
    let paragraph = head[..first].iter().rposition(|line| line.trimmed().is_empty()).map_or(0, |blank| blank + 1);
    head.truncate(paragraph);
    (head, beside_keys.into_iter().skip(paragraph).collect())
}

fn offset(line: &Line<'_>) -> Option<Offset> {
    match line {
        Line::Text(offset, ..) => Some(*offset),
        Line::Blank(..) => None,
    }
}

fn is_deeper(line: &Line<'_>) -> bool {
    matches!(line, Line::Text(Offset::Beside(by), ..) if *by > 0)
}

/// A commented-out option: its key, the column of its text, and whether what is deeper below is its value.
struct Found<'l> {
    name: &'l str,
    column: isize,
    opens: bool,
}

/// The commented-out lines below an option that are its value.
struct Block {
    /// Where their `#` stands.
    hash: Option<Offset>,
    /// The column of the option.
    column: isize,
    /// The column of the first of them.
    inner: Option<isize>,
}

impl Block {
    /// Whether a line is part of the block: as deep as its first, or an item of its list. With `#tls:` above it, a
    /// `# word` is deeper by one column only because it is written with a blank: as the first it has to be a node.
    fn takes(&mut self, line: &Line<'_>) -> bool {
        let Some((inner, text)) = uncommented(line).filter(|_| self.hash == offset(line)) else { return false };
        let item = text.starts_with("- ");
        let deeper = match self.inner {
            Some(first) => inner > self.column && inner >= first,
            None => inner > self.column + 1 || (inner > self.column && scan::key_and_rest(text).is_some()),
        };
        let takes = deeper || (item && inner >= self.column);
        self.inner = self.inner.or(takes.then_some(inner));
        takes
    }
}

/// Follows the lines of a comment and knows which commented-out key is open.
#[derive(Default)]
struct Nesting {
    open: Option<isize>,
}

impl Nesting {
    /// The option that a line is, unless it is inside of another.
    fn option<'l>(&mut self, line: &'l Line<'_>) -> Option<Found<'l>> {
        if line.trimmed().is_empty() {
            self.open = None;
        }
        let (column, text) = uncommented(line)?;
        if self.open.is_some_and(|open| column > open) {
            return None;
        }
        self.open = None;
        let (key, rest) = scan::key_and_rest(text)?;
        let name = bare(key.trim_end())?;
        let opens = matches!(scan::value_start(rest).0, scan::Start::Nothing | scan::Start::Block(_));
        if opens {
            self.open = Some(column);
        }
        let aligned = matches!(line, Line::Text(Offset::Beside(0) | Offset::Margin, ..));
        aligned.then_some(Found { name, column, opens })
    }
}

/// A key without its quotes, if it looks like one and not like prose.
fn bare(key: &str) -> Option<&str> {
    let bare = key.strip_prefix(['"', '\'']).and_then(|inner| inner.strip_suffix(['"', '\''])).unwrap_or(key);
    let is_word = bare.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && bare.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'));
    is_word.then_some(bare)
}

/// The text of a comment behind its `#`, and the column it would stand at.
fn uncommented<'l>(line: &'l Line<'_>) -> Option<(isize, &'l str)> {
    let Line::Text(offset, text, _) = line else { return None };
    let start = match offset {
        Offset::Beside(by) => *by,
        Offset::Margin => 0,
    };
    let inner = text.trim_start_matches('#');
    let content = inner.trim_start_matches([' ', '\t']);
    let width = isize::try_from(text.len() - content.len()).unwrap_or(0);
    (inner.len() < text.len() && !content.is_empty()).then_some((start + width, content))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::End;

    fn lines(text: &str) -> Vec<Line<'_>> {
        let line = |line: &'static str| Line::Text(Offset::Beside(0), line.into(), End::Lf);
        text.to_owned()
            .leak()
            .lines()
            .map(|text| if text.is_empty() { Line::Blank("", End::Lf) } else { line(text) })
            .collect()
    }

    #[test]
    fn a_word_before_a_colon_is_an_option_unless_it_is_inside_of_one() {
        let comment = lines("# The port to listen on: any\n#port: 80\n# tls:\n#   cert: a\n#\n# host: b");
        assert_eq!(names(&comment).collect::<Vec<_>>(), ["port", "tls", "host"]);
    }

    #[test]
    fn an_option_goes_with_its_block_and_leaves_what_explains_it() {
        let live = HashMap::from([("tls".to_owned(), 0)]);
        let (placed, rest) = split(lines("# about tls\n# tls:\n#   cert: a\n\n# about host"), &live);
        let tls = Placed { name: "tls".to_owned(), above: lines("# about tls"), below: Vec::new() };
        assert_eq!(placed, [tls]);
        assert_eq!(rest, lines("\n# about host"));
    }
}
