//! Two branches of a file, merged: a conflict is what either side would lose, and whoever solves it by one of the sides has YAML
//! again.
//!
//! Left out: conflicts that have no lines of their own, which are refused. Git marks those as text.

use std::cmp::Reverse;
use std::ops::Range;

use super::{Block, Side, Style};
use crate::text::error::Error;
use crate::text::source::Source;
use crate::upgrade::three_way::unmerged::{Spot, Unmerged, unmerged};
use crate::upgrade::{Named, Upgrade};
use crate::yaml::check::{self, Checked};

/// What came of a merge.
pub(crate) struct Merged {
    pub(crate) text: String,
    /// Whether nothing is left to decide.
    pub(crate) is_clean: bool,
}

/// The result of an upgrade from the base and ours to theirs, with markers around all that must not be decided in silence.
/// The files are the base, ours and theirs.
///
/// # Errors
/// A conflict that cannot stand between markers, or a file that cannot be read.
pub(crate) fn merged(upgrade: &Upgrade, style: Style<'_>, files: [Named<'_>; 3]) -> Result<Merged, Error> {
    let [base, ours, theirs] = files;
    let sources = sources([base, (style.mine, ours.1), theirs, (style.mine, &upgrade.text)])?;
    let checked = read(&sources)?;
    let side = |at: usize| Side::new(sources[at].name, &sources[at], &checked[at].outline);
    let sides = [side(0), side(1), side(2), side(3)];
    let blocks = blocks(&sides, checked.each_ref())?;
    let [base, mine, theirs, result] = &sides;
    let end = result.source.common_end();
    let text = |shown: &dyn Fn(&Block) -> String| {
        if blocks.is_empty() { upgrade.text.clone() } else { result.with(shown_as(&blocks, shown)) }
    };
    for (label, solved) in
        [(mine.label, text(&|block| block.mine.clone())), (theirs.label, text(&|block| block.theirs.clone()))]
    {
        check::read(&Source::new(label, &solved)?).map_err(|_| Error::input("a conflict has no lines of its own"))?;
    }
    let labels = [mine.label, base.label, theirs.label];
    let text = text(&|block| block.between_markers(labels, style.size, end));
    Ok(Merged { text, is_clean: blocks.is_empty() })
}

fn sources(files: [Named<'_>; 4]) -> Result<[Source<'_>; 4], Error> {
    let [base, ours, theirs, result] = files.map(|(name, text)| Source::new(name, text));
    Ok([base?, ours?, theirs?, result?])
}

fn read<'t>(sources: &[Source<'t>; 4]) -> Result<[Checked<'t>; 4], Error> {
    let [base, ours, theirs, result] = sources.each_ref().map(check::read);
    Ok([base?, ours?, theirs?, result?])
}

fn shown_as(blocks: &[Block], shown: &dyn Fn(&Block) -> String) -> Vec<(Range<usize>, String)> {
    blocks.iter().map(|block| (block.lines.clone(), shown(block))).collect()
}

/// What a text that others merged from the three files decides in silence, in words; nothing where that is nothing.
///
/// # Errors
/// A file that cannot be read.
pub(crate) fn lost(files: [Named<'_>; 4]) -> Result<Option<String>, Error> {
    let sources = sources(files)?;
    let checked = read(&sources)?;
    Ok(unmerged(checked.each_ref()).into_iter().next().map(|unmerged| unmerged.words))
}

/// All conflicts in the order of the result, none inside of another. What an upgrade calls a conflict is one of these, or
/// holds what both sides want.
fn blocks(sides: &[Side<'_, '_>; 4], checked: [&Checked<'_>; 4]) -> Result<Vec<Block>, Error> {
    let found = unmerged(checked);
    let one = |unmerged: &Unmerged| block(sides, unmerged).ok_or_else(|| Error::input(&*unmerged.words));
    let mut all = found.iter().map(one).collect::<Result<Vec<_>, _>>()?;
    // What one side removed stands before the next value.
    all.sort_by_key(|block| (block.lines.start, !block.lines.is_empty(), Reverse(block.lines.end)));
    let mut behind = 0;
    all.retain(|block| {
        let is_outermost = block.lines.start >= behind;
        behind = behind.max(block.lines.end);
        is_outermost
    });
    Ok(all)
}

/// The sides of what is unmerged; nothing where it has no line of its own.
fn block([base, ours, theirs, result]: &[Side<'_, '_>; 4], unmerged: &Unmerged) -> Option<Block> {
    let (lines, indent) = match unmerged.spot {
        Spot::At(line) => (result.block(line)?, line - 1),
        Spot::Behind(line) => result.block(line).map(|lines| (lines.end..lines.end, line - 1))?,
        Spot::Before(line) => (line - 1..line - 1, line - 1),
        Spot::Nowhere => return None,
    };
    let (indent, end) = (result.indent(indent), result.source.common_end());
    let shown = |side: &Side<'_, '_>, line: Option<usize>| line.map(|line| side.lines(line, indent, end));
    Some(Block {
        lines,
        mine: shown(ours, unmerged.ours).unwrap_or_default(),
        base: shown(base, unmerged.base),
        theirs: shown(theirs, unmerged.theirs).unwrap_or_default(),
    })
}
