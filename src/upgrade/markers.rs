//! `--on-conflict markers`: both values of a conflict, as `git` and `diff3` write them. The file is no YAML until somebody has
//! decided.
//!
//! What is marked is whole lines: the value of the outermost key or item that starts on the line of the conflict.

use std::ops::Range;

use saphyr_parser::ScalarStyle;

use crate::report::ChangeKind;
use crate::text::error::{Error, Value};
use crate::text::source::{End, Source, lines as text_lines};
use crate::upgrade::{Named, Upgrade};
use crate::yaml::check;
use crate::yaml::outline::{Outline, RowKind};

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
}

/// A result with its conflicts marked.
pub(crate) struct Marked {
    pub(crate) text: String,
    /// The lines, from 0, that were marked, and how many stand in their place.
    blocks: Vec<(Range<usize>, usize)>,
}

impl Marked {
    /// Where a line of the result, from 1, stands now.
    pub(crate) fn line(&self, line: usize) -> usize {
        let before = self.blocks.iter().take_while(|(lines, _)| lines.start < line);
        let added = before.map(|(lines, now)| if lines.end < line { now - lines.len() } else { 1 });
        line + added.sum::<usize>()
    }
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
    let mine = Side { label: style.mine, source: &result, outline: &own };
    let theirs = Side { label: update.0, source: &new, outline: &theirs };
    let known = old.as_ref().zip(known.as_ref());
    let known = known.map(|(source, outline)| Side { label: source.name, source, outline });
    let is_conflict = |kind: ChangeKind| matches!(kind, ChangeKind::BothChanged | ChangeKind::BothAdded);
    let mut blocks: Vec<(Range<usize>, String)> = Vec::new();
    for change in upgrade.report.changes.iter().filter(|change| is_conflict(change.kind)) {
        let Some((range, values)) = mine.block(change.line).zip(change.values.as_ref()) else { continue };
        if blocks.last().is_some_and(|(last, _)| range.start < last.end) {
            continue;
        }
        let sides = [(known.as_ref(), &values.base), (Some(&theirs), &values.update)];
        blocks.push((range.clone(), mine.both(&range, sides, style.size)));
    }
    if blocks.is_empty() {
        return Ok(None);
    }
    let counted = blocks.iter().map(|(lines, block)| (lines.clone(), text_lines(block).count()));
    Ok(Some(Marked { blocks: counted.collect(), text: mine.with(blocks) }))
}

impl Side<'_, '_> {
    /// The lines, from 0, of what starts on a line, which is counted from 1.
    fn block(&self, line: usize) -> Option<Range<usize>> {
        let (first, row) = self.outline.all().find(|(_, row)| row.line == line && row.depth > 0)?;
        let behind = self.outline.rows[row.end.index()..].iter().find(|next| next.line > line);
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

    /// The user's lines and those of the other files, between markers of this length.
    fn both(&self, range: &Range<usize>, sides: [(Option<&Self>, &Option<Value>); 2], size: usize) -> String {
        let end = self.source.common_end();
        let marker = |of: &str, label: &str| format!("{} {label}", of.repeat(size)).trim_end().to_owned() + end;
        let [(base, old), (update, new)] = sides;
        let mut out = marker("<", self.label);
        range.clone().for_each(|line| out.extend([self.text(line), end]));
        if let Some((base, value)) = base.zip(old.as_ref()) {
            out += &marker("|", base.label);
            out += &base.lines(value, self.indent(range.start), end);
        }
        out += &marker("=", "");
        if let Some((update, value)) = update.zip(new.as_ref()) {
            out += &update.lines(value, self.indent(range.start), end);
        }
        out + &marker(">", update.map_or("", |side| side.label))
    }

    /// The lines of a value, as deep as they would stand in the result.
    fn lines(&self, value: &Value, indent: usize, end: &str) -> String {
        let lines = self.block(value.line).unwrap_or_default();
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
            out.push_str(&block);
            next = range.end;
        }
        ended(&mut out, next..self.source.lines.len());
        out
    }
}
