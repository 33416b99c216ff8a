//! Which values of a file are secret, and its lines without them.

use std::borrow::Cow;

use super::{Secrets, documents};
use crate::text::masking::MASK;
use crate::text::masking::excerpt::indent;
use crate::text::masking::names::looks_secret;
use crate::text::masking::tokens;
use crate::text::scan;
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::path::{Path, Step};
use crate::yaml::row::RowId;

/// Keys that call an entry by its name, and keys that hold what is called so: `{name: DB_PASSWORD, value: …}`.
const CALLED: [&str; 3] = ["name", "key", "variable"];
const HELD: [&str; 2] = ["value", "default"];

/// The topmost values of a file that are secret.
pub(super) struct Found<'f, 'a> {
    secrets: &'f Secrets,
    outline: &'f Outline<'a>,
    steps: Vec<Step>,
    pub(super) rows: Vec<(RowId, Path)>,
}

impl<'f, 'a> Found<'f, 'a> {
    pub(super) fn of(secrets: &'f Secrets, outline: &'f Outline<'a>) -> Vec<(RowId, Path)> {
        let mut found = Self { secrets, outline, steps: Vec::new(), rows: Vec::new() };
        for (at, &root) in outline.documents.iter().enumerate() {
            found.steps.extend((outline.documents.len() > 1).then_some(Step::Document(at)));
            found.below(root, &documents::secret_keys(outline, root));
            found.steps.clear();
        }
        found.with_anchors();
        found.rows
    }

    /// Looks at a value; at these keys of it there are secrets.
    fn below(&mut self, row: RowId, keys: &[&str]) {
        let by_name = self.secrets.by_name;
        let beside = if by_name { beside(self.outline, row) } else { Vec::new() };
        for (at, child) in self.outline.children(row).enumerate() {
            let name = self.outline[child].name.as_deref();
            self.steps.push(name.map_or(Step::Item(at), |name| Step::Key(name.to_owned())));
            let is_kept = by_name && name.is_some_and(|name| keys.contains(&name));
            let is_token = || by_name && tokens::is_secret(&self.outline[child].text);
            if is_kept || beside.contains(&child) || self.secrets.is_secret_end(&self.steps) || is_token() {
                self.rows.push((child, Path(self.steps.clone())));
            } else {
                self.below(child, &[]);
            }
            self.steps.pop();
        }
    }

    /// What a secret alias stands for is written elsewhere.
    fn with_anchors(&mut self) {
        let inside = |row: RowId| row.up_to(self.outline[row].end);
        let aliases = self.rows.iter().flat_map(|&(row, _)| inside(row));
        let targets = aliases.filter_map(|row| match self.outline[row].kind {
            RowKind::Alias(target) => target.value().map(|value| (value, self.outline.path(value))),
            _ => None,
        });
        let targets: Vec<_> = targets.collect();
        self.rows.extend(targets);
    }
}

/// The children of a collection that are secret by what stands beside them.
fn beside(outline: &Outline<'_>, row: RowId) -> Vec<RowId> {
    let text = |row: RowId| &*outline[row].text;
    match outline[row].kind {
        RowKind::Map => {
            let called = CALLED.iter().filter_map(|name| outline.get(row, name));
            let is_secret = called.into_iter().any(|called| looks_secret(text(called)));
            HELD.iter().filter(|_| is_secret).filter_map(|name| outline.get(row, name)).collect()
        }
        RowKind::List => {
            let items: Vec<_> = outline.children(row).collect();
            let pairs = items.windows(2).filter_map(|pair| Some((*pair.first()?, *pair.last()?)));
            let is_option = |row| text(row).starts_with('-') && !text(row).contains('=') && looks_secret(text(row));
            pairs.filter(|&(one, next)| is_option(one) && !text(next).starts_with('-')).map(|(_, next)| next).collect()
        }
        RowKind::Scalar(_) | RowKind::Alias(_) => Vec::new(),
    }
}

/// Masks the lines of a value. Where it stands on the line of its key, no other is its, and what ends its lines, blank or a
/// comment no deeper than the key, is the next one's.
pub(super) fn mask(lines: &mut [Cow<'_, str>], masked: &mut [bool], outline: &Outline<'_>, row: RowId) {
    let first = outline[row].line - 1;
    let Some(line) = lines.get(first) else { return };
    let last = last_line(lines, outline, row).max(first + 1);
    let is_explicit = is_explicit(line);
    for at in first..last.min(lines.len()) {
        let new = if at > first {
            without_value(&lines[at], is_explicit)
        } else if is_explicit {
            continue;
        } else {
            first_line(&lines[at])
        };
        if let (Some(line), Some(masked)) = (lines.get_mut(at), masked.get_mut(at)) {
            (*line, *masked) = (Cow::Owned(new), true);
        }
    }
}

/// The lines that a value of several lines is written in, which others may show as they are written.
pub(super) fn pieces<'l>(
    lines: &'l [Cow<'_, str>],
    outline: &Outline<'_>,
    row: RowId,
) -> impl Iterator<Item = &'l str> {
    let of_scalar = |row: RowId| {
        let first = outline[row].line - 1;
        let last = last_line(lines, outline, row).min(lines.len());
        let is_long = matches!(outline[row].kind, RowKind::Scalar(_)) && last > first + 1;
        lines.get(first..last).filter(|_| is_long).into_iter().flatten().enumerate()
    };
    let piece = |(at, line): (usize, &'l Cow<'_, str>)| {
        let text = line.trim();
        let text = if at == 0 { scan::key_and_rest(text).map_or(text, |(_, value)| value) } else { text };
        text.trim().trim_matches(['"', '\'', '\\'])
    };
    let is_written = |piece: &&str| !piece.contains(MASK);
    row.up_to(outline[row].end).flat_map(of_scalar).map(piece).filter(is_written).collect::<Vec<_>>().into_iter()
}

/// The line of a key with nothing behind it.
fn first_line(line: &str) -> String {
    let text = line.trim_start();
    match scan::key_and_rest(text) {
        Some((key, _)) => format!("{}{key}: {MASK}", &line[..line.len() - text.len()]),
        None => without_value(line, false),
    }
}

/// A line inside of a secret value.
fn without_value(line: &str, is_explicit: bool) -> String {
    let text = line.trim_start();
    let sign = match text.chars().next() {
        None => return line.to_owned(),
        Some('-') if text.starts_with("- ") => "- ",
        Some(':') if is_explicit => ": ",
        Some(_) => "",
    };
    format!("{}{sign}{MASK}", &line[..line.len() - text.len()])
}

/// Whether a line starts a key with `?`, maybe behind the dashes of items.
fn is_explicit(line: &str) -> bool {
    line.trim_start_matches([' ', '\t', '-']).starts_with("? ")
}

/// How many lines there are up to the last one of a value.
fn last_line(lines: &[Cow<'_, str>], outline: &Outline<'_>, row: RowId) -> usize {
    let (value, first) = (&outline[row], outline[row].line - 1);
    let line = lines.get(first).map_or("", AsRef::as_ref);
    let rest = scan::key_and_rest(line.trim_start()).map_or(line, |(_, rest)| rest);
    if !is_explicit(line) && !value.text.is_empty() && rest.contains(&*value.text) {
        return first + 1;
    }
    let next = outline.row(value.end);
    let mut last = next.map_or(lines.len(), |next| next.line - 1);
    if next.is_some_and(|next| next.line > first + 1 && !starts(lines, next.line, next.name.as_deref())) {
        // In braces the next value stands on the line on which this one ends.
        return last + 1;
    }
    let column = indent(line);
    let is_next = |line: &Cow<'_, str>| {
        line.trim().is_empty() || is_marker(line) || (indent(line) <= column && line.trim().starts_with('#'))
    };
    while last > first + 1 && lines.get(last - 1).is_none_or(is_next) {
        last -= 1;
    }
    last
}

/// Whether a value starts its line, which has this number.
fn starts(lines: &[Cow<'_, str>], number: usize, name: Option<&str>) -> bool {
    let line = lines.get(number - 1).map_or("", |line| line.trim_start());
    let text = line.trim_start_matches(['-', '?', ' ', '"', '\'']);
    let is_property = text.starts_with(['&', '!', '*']);
    is_property
        || line.starts_with("- ")
        || line == "-"
        || is_marker(line)
        || name.is_none_or(|name| text.starts_with(name))
}

fn is_marker(line: &str) -> bool {
    ["---", "..."].iter().any(|marker| scan::behind_marker(line, marker).is_some())
}
