//! Texts without their secrets, line by line.

use std::borrow::Cow;

use super::rows::Found;
use super::{Secrets, known, rows};
use crate::text::masking::{excerpt, prose};
use crate::text::source::{End, Source};
use crate::yaml::check;
use crate::yaml::outline::Outline;
use crate::yaml::path::Path;

/// Whether anything in a text may look secret: a quick look that few texts without secrets do not pass.
fn may_hold_secrets(text: &str) -> bool {
    // Certificates of Deckhand are secret by their schema.
    prose::may_be_masked(text, &[]) || text.contains("deckhand/") || text.contains("storagePolicy")
}

impl Secrets {
    fn may_hold(&self, text: &str) -> bool {
        !self.paths.is_empty() || (self.by_name && may_hold_secrets(text))
    }

    /// A text with its secrets masked; they are known from now on. One that cannot be read has been refused before.
    pub(crate) fn mask_text<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        self.mask_text_with(text, &[])
    }

    /// The same where values at these paths are secret, too.
    pub(crate) fn mask_text_with<'t>(&mut self, text: &'t str, also: &[Path]) -> Cow<'t, str> {
        let may_hold = !also.is_empty() || self.may_hold(text);
        let masked = if may_hold { self.masked(text, also) } else { None };
        masked.map_or(Cow::Borrowed(text), Cow::Owned)
    }

    fn masked(&mut self, text: &str, also: &[Path]) -> Option<String> {
        let source = Source::new("text", text).ok()?;
        match check::read(&source) {
            Ok(checked) => Some(whole(&source, &self.masked_lines(&source, &checked.outline, also))),
            Err(_) => Some(excerpt::mask_unread(&self.mask_known(text), &self.names)).filter(|_| self.by_name),
        }
    }

    /// Learns the secrets of a text that is not shown itself.
    pub(crate) fn learn(&mut self, text: &str) {
        self.mask_text(text);
    }

    /// The same where the text was read.
    pub(crate) fn learn_read(&mut self, source: &Source<'_>, outline: &Outline<'_>) {
        if self.may_hold(source.text) {
            self.masked_lines(source, outline, &[]);
        }
    }

    /// A text that was read with its secrets masked; they are known from now on.
    pub(crate) fn mask_read(&mut self, source: &Source<'_>, outline: &Outline<'_>) -> String {
        let lines = if self.may_hold(source.text) { self.masked_lines(source, outline, &[]) } else { lines_of(source) };
        whole(source, &lines)
    }

    /// The lines of a text without its secrets, and without the values at these paths.
    fn masked_lines<'a>(&mut self, source: &Source<'a>, outline: &Outline<'_>, also: &[Path]) -> Vec<Cow<'a, str>> {
        let mut lines = lines_of(source);
        let mut masked = vec![false; lines.len()];
        let mut rows = Found::of(self, outline);
        rows.extend(also.iter().filter_map(|path| Some((outline.row_at(path)?, path.clone()))));
        for (row, path) in rows {
            self.learn_row(outline, row, path);
            rows::pieces(&lines, outline, row).for_each(|piece| self.known.learn("", piece));
            rows::mask(&mut lines, &mut masked, outline, row);
        }
        if self.by_name {
            self.mask_prose(source.text, &mut lines, &masked);
        }
        lines
    }

    /// Masks comments in the lines of a text, and what stands in values, and learns it.
    fn mask_prose(&mut self, text: &str, lines: &mut [Cow<'_, str>], masked: &[bool]) {
        let mut commented = prose::Commented::of(text);
        for (line, _) in lines.iter_mut().zip(masked).filter(|(_, masked)| !**masked) {
            if let Cow::Owned(masked) = commented.line(line, &self.names) {
                known::hidden(line, &masked).for_each(|secret| self.known.learn("", secret));
                *line = Cow::Owned(masked);
            }
        }
        self.comments.extend(commented.hidden);
    }
}

fn lines_of<'a>(source: &Source<'a>) -> Vec<Cow<'a, str>> {
    source.lines.all().map(|(text, _)| Cow::Borrowed(text)).collect()
}

/// The text of which these are the lines.
fn whole(source: &Source<'_>, lines: &[Cow<'_, str>]) -> String {
    let ends = source.lines.all().map(|(_, end)| if end == End::Missing { "" } else { end.text("\n") });
    std::iter::once(if source.bom { "\u{feff}" } else { "" })
        .chain(lines.iter().map(AsRef::as_ref).zip(ends).flat_map(|(line, end)| [line, end]))
        .collect()
}
