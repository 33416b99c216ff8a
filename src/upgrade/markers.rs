//! `--on-conflict markers`: both values of a conflict, as `git` and `diff3` write them. The file is no YAML until somebody has
//! decided.
//!
//! What is marked is whole lines: the value of the outermost key or item that starts on the line of the conflict. For two
//! branches [`branches`] finds more of them.

pub(crate) mod branches;

use std::ops::Range;

use foldhash::HashMap;
use saphyr_parser::ScalarStyle;

use crate::report::ChangeKind;
use crate::text::error::{Error, Value};
use crate::text::source::{End, Source, lines as text_lines};
use crate::upgrade::{Named, Upgrade};
use crate::yaml::check;
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::row::RowId;

/// How conflicts are marked: what the user's file is called, and how long a marker is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style<'l> {
    pub(crate) mine: &'l str,
    pub(crate) size: usize,
}

/// How long a marker is where nobody says.
pub(crate) const USUAL_SIZE: usize = 7;

/// A file of which conflicts are shown, read.
struct Side<'s, 'a> {
    label: &'s str,
    source: &'s Source<'a>,
    outline: &'s Outline<'a>,
    /// What starts on each line, from 1: the outermost key or item.
    starts: HashMap<usize, RowId>,
}

/// A result with its conflicts marked.
pub(crate) struct Marked {
    pub(crate) text: String,
    /// What was marked, in the order of the lines.
    blocks: Vec<Grown>,
}

impl Marked {
    /// Where a line of the result, from 1, stands now.
    pub(crate) fn line(&self, line: usize) -> usize {
        let before = self.blocks.partition_point(|block| block.lines.start < line);
        let Some(block) = before.checked_sub(1).and_then(|last| self.blocks.get(last)) else { return line };
        line + block.before + if block.lines.end < line { block.added } else { 1 }
    }
}

/// Lines, from 0, that were marked.
struct Grown {
    lines: Range<usize>,
    /// How many more lines stand in their place.
    added: usize,
    /// How many more there are before these.
    before: usize,
}

/// Marked lines, with how many stand in their place now.
fn grown(blocks: &[(Range<usize>, String)]) -> Vec<Grown> {
    let mut before = 0;
    let one = |(lines, block): &(Range<usize>, String)| {
        let added = text_lines(block).count() - lines.len();
        let grown = Grown { lines: lines.clone(), added, before };
        before += added;
        grown
    };
    blocks.iter().map(one).collect()
}

/// Lines, from 0, and what stands in their place: the sides of a conflict. What a side has not is empty; nothing is shown of a
/// side that was not asked.
struct Block {
    lines: Range<usize>,
    mine: String,
    base: Option<String>,
    theirs: String,
}

/// The result of an upgrade in which the user's values stayed, with its conflicts marked; nothing where there are none. The
/// files are the user's, by what it is called, the old default and the new one with its variables applied.
///
/// # Errors
/// A file that cannot be read, which the upgrade would have refused.
pub(crate) fn marked(
    upgrade: &Upgrade,
    style: Style<'_>,
    base: Option<Named<'_>>,
    update: Named<'_>,
) -> Result<Option<Marked>, Error> {
    let (result, new) = (Source::new(style.mine, &upgrade.text)?, Source::new(update.0, update.1)?);
    let old = base.map(|base| Source::new(base.0, base.1)).transpose()?;
    let (own, theirs) = (check::read(&result)?.outline, check::read(&new)?.outline);
    let known = old.as_ref().map(check::read).transpose()?.map(|old| old.outline);
    let mine = Side::new(style.mine, &result, &own);
    let theirs = Side::new(update.0, &new, &theirs);
    let known = old.as_ref().zip(known.as_ref());
    let known = known.map(|(source, outline)| Side::new(source.name, source, outline));
    let blocks = mine.conflicts(upgrade, known.as_ref(), &theirs);
    if blocks.is_empty() {
        return Ok(None);
    }
    let labels = [mine.label, known.as_ref().map_or("", |known| known.label), theirs.label];
    let end = result.common_end();
    let blocks: Vec<_> =
        blocks.iter().map(|block| (block.lines.clone(), block.between_markers(labels, style.size, end))).collect();
    Ok(Some(Marked { blocks: grown(&blocks), text: mine.with(blocks) }))
}

impl Block {
    /// The sides between markers of this length.
    fn between_markers(&self, [mine, base, theirs]: [&str; 3], size: usize, end: &str) -> String {
        let marker = |of: &str, label: &str| format!("{} {label}", of.repeat(size)).trim_end().to_owned() + end;
        let old = self.base.as_ref().map(|old| marker("|", base) + old).unwrap_or_default();
        [marker("<", mine), self.mine.clone(), old, marker("=", ""), self.theirs.clone(), marker(">", theirs)].concat()
    }
}

impl<'s, 'a> Side<'s, 'a> {
    fn new(label: &'s str, source: &'s Source<'a>, outline: &'s Outline<'a>) -> Self {
        let inside = outline.all().filter(|(_, row)| row.depth > 0);
        let starts = inside.rev().map(|(at, row)| (row.line, at)).collect();
        Self { label, source, outline, starts }
    }

    /// The lines, from 0, of what starts on a line, which is counted from 1.
    fn block(&self, line: usize) -> Option<Range<usize>> {
        let first = *self.starts.get(&line)?;
        let behind = self.outline.rows[self.outline[first].end.index()..].iter().find(|next| next.line > line);
        let mut end = behind.map_or(self.source.lines.len(), |next| next.line - 1);
        let last = self.outline.subtree(first).last()?;
        let is_block = matches!(last.kind, RowKind::Scalar(ScalarStyle::Literal | ScalarStyle::Folded));
        let inside = is_block.then(|| self.indent(line - 1) + 1);
        while end > line && self.is_apart(end - 1, inside) {
            end -= 1;
        }
        Some(line - 1..end)
    }

    /// Whether a line belongs to what follows: a blank one, a marker or a comment, which is text inside of a block scalar, so
    /// deep that it may be of that.
    fn is_apart(&self, line: usize, inside: Option<usize>) -> bool {
        let text = self.text(line);
        let words = text.trim();
        let is_text = inside.is_some_and(|indent| self.indent(line) >= indent);
        words.is_empty() || (!is_text && words.starts_with('#')) || text.starts_with("---") || text.starts_with("...")
    }

    fn text(&self, line: usize) -> &str {
        self.source.lines.numbered(line + 1)
    }

    fn indent(&self, line: usize) -> usize {
        let text = self.text(line);
        text.len() - text.trim_start_matches(' ').len()
    }

    /// What the report of an upgrade calls a conflict, in the order of the result.
    fn conflicts(&self, upgrade: &Upgrade, base: Option<&Side<'_, '_>>, theirs: &Side<'_, '_>) -> Vec<Block> {
        let is_conflict = |kind: ChangeKind| matches!(kind, ChangeKind::BothChanged | ChangeKind::BothAdded);
        let end = self.source.common_end();
        let mut blocks: Vec<Block> = Vec::new();
        for change in upgrade.report.changes.iter().filter(|change| is_conflict(change.kind)) {
            let Some((lines, values)) = self.block(change.line).zip(change.values.as_ref()) else { continue };
            if blocks.last().is_some_and(|last| lines.start < last.lines.end) {
                continue;
            }
            let indent = self.indent(lines.start);
            let shown = |side: &Side<'_, '_>, value: &Value| side.lines(value.line, indent, end);
            let base = base.zip(values.base.as_ref()).map(|(base, old)| shown(base, old));
            let new = values.update.as_ref().map(|new| shown(theirs, new)).unwrap_or_default();
            let mine = lines.clone().flat_map(|line| [self.text(line), end]).collect();
            blocks.push(Block { lines, mine, base, theirs: new });
        }
        blocks
    }

    /// The lines of a value that starts on this one, as deep as they would stand in the result.
    fn lines(&self, line: usize, indent: usize, end: &str) -> String {
        let lines = self.block(line).unwrap_or_default();
        let from = self.indent(lines.start);
        lines.flat_map(|line| [self.moved(line, from, indent), end.to_owned()]).collect()
    }

    /// A line as deep as it would stand in the result, where its block starts at one column and is to start at another.
    fn moved(&self, line: usize, from: usize, to: usize) -> String {
        let text = self.text(line);
        let own = self.indent(line);
        let blanks = (own + to).saturating_sub(from);
        if text.trim().is_empty() { String::new() } else { " ".repeat(blanks) + &text[own..] }
    }

    /// The whole text with these lines in the place of its own.
    fn with(&self, blocks: Vec<(Range<usize>, String)>) -> String {
        let mut out = String::from(if self.source.bom { "\u{feff}" } else { "" });
        let mut next = 0;
        let ended = |out: &mut String, lines: Range<usize>| {
            for (text, end) in self.source.lines.within(lines) {
                out.extend([text, if end == End::Missing { "" } else { end.text("\n") }]);
            }
        };
        for (range, block) in blocks {
            ended(&mut out, next..range.start);
            let is_inside_of_line = !out.is_empty() && !out.ends_with(['\n', '\r', '\u{feff}']);
            out.push_str(if is_inside_of_line { self.source.common_end() } else { "" });
            out.push_str(&block);
            next = range.end;
        }
        ended(&mut out, next..self.source.lines.len());
        out
    }
}
