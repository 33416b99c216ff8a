//! Texts line by line: the result with where each line comes from, and the old text beside the new one.

use foldhash::HashMap;
use maud::{Markup, html};

use crate::report::Change;
use crate::report::explanation::{ExplainedLine, LineOrigin};
use crate::report::line_diff::{LineState, Row, Side};
use crate::text::error::visible;

/// So many rows that are the same stand before and behind what differs; a run that is longer than both is folded.
const AROUND: usize = 3;

/// The result, each line with its number as an anchor, and why it is there where it is not the default's alone.
pub(super) fn explained(lines: &[ExplainedLine], changes: &[Change]) -> Markup {
    let is_of_result = |change: &&Change| !change.kind.is_of_current() && !change.kind.is_of_update();
    let mut told: HashMap<usize, Vec<&Change>> = HashMap::default();
    for change in changes.iter().filter(is_of_result) {
        told.entry(change.line).or_default().push(change);
    }
    html! {
        div.lines { @for ExplainedLine { line, origin, text } in lines {
            div #(format!("L{line}")) .(class(*origin)) {
                a href=(format!("#L{line}")) { (line) }
                i { @if matches!(origin, Some(LineOrigin::Yours | LineOrigin::New)) { (class(*origin)) } }
                code { (visible(text)) }
                @match told.get(line) {
                    Some(changes) => { small { @for change in changes { (reason(change)) " " } } }
                    None => { @if let Some(rule) = rule(*origin, text) { small.rule { "rule " (rule) } } }
                }
            }
        } }
    }
}

/// Why a line is there: what happened, where the new default has it or the old one had, and the rule.
fn reason(change: &Change) -> Markup {
    let found = change.values.as_ref().and_then(|values| values.update.as_ref().or(values.base.as_ref()));
    html! {
        span {
            (change.kind.title())
            @if let Some(found) = found { ", " (visible(&found.file)) ":" (found.line) }
            ", rule " (change.kind.rule())
        }
    }
}

/// The rule for a line that no entry of the report is about.
fn rule(origin: Option<LineOrigin>, text: &str) -> Option<&'static str> {
    match origin? {
        LineOrigin::Default => None,
        _ if text.trim_start().starts_with('#') => Some("4"),
        LineOrigin::Yours => Some("1"),
        LineOrigin::New => Some("2"),
    }
}

/// The class of a line; a blank one has none of those that are filtered.
fn class(origin: Option<LineOrigin>) -> &'static str {
    match origin {
        None => "blank",
        Some(LineOrigin::Yours) => "yours",
        Some(LineOrigin::Default) => "default",
        Some(LineOrigin::New) => "new",
    }
}

/// How many lines come from where.
pub(super) fn origins(lines: &[ExplainedLine]) -> [(&'static str, usize); 3] {
    [LineOrigin::Yours, LineOrigin::New, LineOrigin::Default].map(|origin| {
        let origin = Some(origin);
        (class(origin), lines.iter().filter(|line| line.origin == origin).count())
    })
}

/// Two texts side by side; what is the same on both sides is folded where it is long.
pub(super) fn side_by_side(rows: &[Row]) -> Markup {
    let parts: Vec<_> = rows.chunk_by(|one, other| is_same(one) == is_same(other)).collect();
    let last = parts.len().saturating_sub(1);
    html! {
        div.rows { @for (at, part) in parts.iter().enumerate() {
            @if part.first().is_some_and(is_same) {
                (same(part, if at == 0 { 0 } else { AROUND }, if at == last { 0 } else { AROUND }))
            } @else {
                @for row in *part { (row_of(row)) }
            }
        } }
    }
}

/// How many rows differ.
pub(super) fn differing(rows: &[Row]) -> usize {
    rows.iter().filter(|row| !is_same(row)).count()
}

fn is_same(row: &Row) -> bool {
    let is_same = |side: &Option<Side>| side.as_ref().is_none_or(|side| side.state == LineState::Same);
    is_same(&row.old) && is_same(&row.new)
}

/// Rows that are the same on both sides, but for so many at the start and at the end folded.
fn same(rows: &[Row], start: usize, end: usize) -> Markup {
    let middle = rows.get(start..rows.len().saturating_sub(end)).unwrap_or_default();
    let (start, end) = if middle.len() > 1 { (start, end) } else { (rows.len(), 0) };
    html! {
        @for row in rows.iter().take(start) { (row_of(row)) }
        @if middle.len() > 1 {
            details.same {
                summary { (middle.len()) " lines that are the same" }
                @for row in middle { (row_of(row)) }
            }
        }
        @for row in rows.iter().skip(rows.len() - end) { (row_of(row)) }
    }
}

fn row_of(row: &Row) -> Markup {
    let is_one = is_same(row) && row.old.is_some() && row.new.is_some();
    html! {
        div.row.one[is_one] { (side(row.old.as_ref(), 'O')) (side(row.new.as_ref(), 'N')) }
    }
}

fn side(side: Option<&Side>, letter: char) -> Markup {
    let Some(Side { line, text, state }) = side else { return html! { div.none {} } };
    let (class, sign) = match (state, letter) {
        (LineState::Same, _) => ("same", ""),
        (LineState::Moved, _) => ("moved", "↕"),
        (LineState::Changed, 'O') => ("removed", "−"),
        (LineState::Changed, _) => ("added", "+"),
    };
    html! {
        div #(format!("{letter}{line}")) .(class) {
            a href=(format!("#{letter}{line}")) { (line) }
            i { (sign) }
            code { (visible(text)) }
        }
    }
}
