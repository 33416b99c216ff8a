//! What changed its meaning, as a table, and entries of a report, as lists.

use maud::{Markup, html};

use crate::report::{Change, ChangeKind, Difference, DifferenceKind, Report};
use crate::text::error::{Value, Values, visible};

/// How many lines of the old file and of the result stand on the page, so that they can be linked to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Anchors {
    pub(super) old: usize,
    pub(super) result: usize,
}

/// The file that a line is of.
#[derive(Clone, Copy)]
enum Whose {
    Old,
    Result,
    Update,
}

impl Whose {
    fn of(kind: ChangeKind) -> Self {
        match kind {
            kind if kind.is_of_update() => Self::Update,
            kind if kind.is_of_current() => Self::Old,
            _ => Self::Result,
        }
    }

    /// What stands behind the number of a line.
    fn words(self) -> &'static str {
        match self {
            Self::Old => " of your file as it was",
            Self::Result => "",
            Self::Update => " of the new default",
        }
    }
}

impl Anchors {
    /// Where a line stands on the page, if it does.
    fn link(self, whose: Whose, line: usize) -> Option<String> {
        let (letter, lines) = match whose {
            Whose::Old => ('O', self.old),
            Whose::Result => ('L', self.result),
            Whose::Update => return None,
        };
        (1..=lines).contains(&line).then(|| format!("#{letter}{line}"))
    }
}

/// The name of a kind of change, which is its class as well.
pub(super) fn class(kind: DifferenceKind) -> &'static str {
    match kind {
        DifferenceKind::Added => "added",
        DifferenceKind::Removed => "removed",
        DifferenceKind::Changed => "changed",
        DifferenceKind::Moved => "moved",
        DifferenceKind::Reordered => "reordered",
    }
}

/// How many differences there are of each kind.
pub(super) fn kinds(differences: &[Difference]) -> [(&'static str, usize); 5] {
    use DifferenceKind::{Added, Changed, Moved, Removed, Reordered};
    [Added, Removed, Changed, Moved, Reordered]
        .map(|kind| (class(kind), differences.iter().filter(|difference| difference.kind == kind).count()))
}

pub(super) fn table(differences: &[Difference], anchors: Anchors) -> Markup {
    let has_reasons = differences.iter().any(|difference| difference.why.is_some());
    html! {
        table.changes {
            thead { tr { th { "what" } th { "key" } th { "value" } @if has_reasons { th { "why" } } } }
            tbody { @for difference in differences {
                tr.(class(difference.kind)) {
                    td { (kind(difference.kind)) }
                    td { (place(difference, anchors)) }
                    td { (value(difference)) }
                    @if has_reasons { td.why { (visible(difference.why.as_deref().unwrap_or_default())) } }
                }
            } }
        }
    }
}

/// The kind of a change as a sign and a word.
pub(super) fn kind(kind: DifferenceKind) -> Markup {
    html! { span.chip.(class(kind)) { (kind.sign()) " " (class(kind)) } }
}

fn place(difference: &Difference, anchors: Anchors) -> Markup {
    let whose = if difference.kind == DifferenceKind::Removed { Whose::Old } else { Whose::Result };
    named(&difference.path, anchors.link(whose, difference.line))
}

/// A path, which leads to its line where that stands on the page.
fn named(path: &str, link: Option<String>) -> Markup {
    let path = if path.is_empty() { "(file)".to_owned() } else { visible(path) };
    html! {
        @match link {
            Some(link) => a href=(link) { code { (path) } },
            None => code { (path) },
        }
    }
}

/// The values before and after, or what a list gained and lost.
pub(super) fn value(difference: &Difference) -> Markup {
    let Difference { gained, lost, .. } = difference;
    html! {
        @match (&difference.before, &difference.after) {
            _ if gained.len() + lost.len() > 0 => ul.items {
                @for item in lost { li { "− " del { (visible(item)) } } }
                @for item in gained { li { "+ " ins { (visible(item)) } } }
            },
            (Some(before), Some(after)) => { del { (visible(before)) } " → " ins { (visible(after)) } },
            (Some(before), None) => del { (visible(before)) },
            (None, Some(after)) => ins { (visible(after)) },
            (None, None) => {},
        }
    }
}

/// The entries of a kind.
pub(super) fn entries(report: &Report, kind: ChangeKind, anchors: Anchors) -> Markup {
    html! {
        ul.entries { @for change in of_kind(report, kind) {
            li {
                (named(&change.path, anchors.link(Whose::of(kind), change.line)))
                " " span.where { "line " (change.line) (Whose::of(kind).words()) }
                (content(report, change))
            }
        } }
    }
}

/// The entries of a report that are of a kind.
pub(super) fn of_kind(report: &Report, kind: ChangeKind) -> impl Iterator<Item = &Change> {
    report.changes().iter().filter(move |change| change.kind == kind)
}

/// What an entry tells: of a conflict the values, else its text.
fn content(report: &Report, change: &Change) -> Markup {
    let from = match change.kind {
        ChangeKind::Moved => "from ",
        ChangeKind::MoveSuggested | ChangeKind::SideBySide => "→ ",
        _ => "",
    };
    let form = report.form(change).map(|form| format!("as \"{}\" in a migration file", visible(form)));
    html! {
        @match change.values.as_ref().filter(|_| is_conflict(change.kind)) {
            Some(values) => (three(values)),
            None => @for line in change.text.lines() { div.text { (from) code { (visible(line)) } } },
        }
        @if let Some(form) = form { div.text { (form) } }
    }
}

fn is_conflict(kind: ChangeKind) -> bool {
    matches!(kind, ChangeKind::BothChanged | ChangeKind::BothAdded | ChangeKind::ConflictTaken)
}

/// What the files have, side by side.
fn three(values: &Values) -> Markup {
    let files = [("yours", &values.current), ("old default", &values.base), ("new default", &values.update)];
    let known = files.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
    html! {
        dl { @for (name, Value { file, line, text, .. }) in known {
            div { dt { (name) } dd { code { (visible(text)) } " " span.where { (visible(file)) ":" (line) } } }
        } }
    }
}
