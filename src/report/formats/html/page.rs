//! The page of one upgrade.

use maud::{Markup, html};

use super::changes::{self, Anchors};
use super::frame::{self, Tile, counted};
use super::lines;
use crate::report::explanation::ExplainedLine;
use crate::report::line_diff::{Row, Side};
use crate::report::{Applied, ChangeKind, Difference, Report};
use crate::text::error::{Error, visible};

/// What is known of an upgrade; nothing in it is secret.
#[derive(Clone, Copy)]
pub(crate) struct Page<'p> {
    pub(crate) report: &'p Report,
    pub(crate) differences: &'p [Difference],
    /// The result.
    pub(crate) lines: &'p [ExplainedLine],
    /// The old file beside the result.
    pub(crate) rows: &'p [Row],
}

/// The page of an upgrade.
pub(crate) fn page(page: Page<'_>) -> String {
    let Page { report, differences, lines, rows } = page;
    let [looks, others] = page.kinds();
    let looks_count = page.count(&looks) + report.warnings().len();
    let others_count = page.count(&others) + report.notes().len() + report.variables().len();
    let parts = [
        ("look", looks_count, format!("Needs a look ({looks_count})")),
        ("changes", differences.len(), format!("Changes ({})", differences.len())),
        ("others", others_count, format!("Also ({others_count})")),
        ("file", lines.len(), "The file".to_owned()),
        ("sides", rows.len(), "Old and new".to_owned()),
    ];
    let parts: Vec<_> = parts.into_iter().filter(|part| part.1 > 0).map(|(anchor, _, name)| (anchor, name)).collect();
    let body = html! {
        (head(report))
        (frame::tiles(&Tile::of(report)))
        (frame::contents(&parts))
        @if looks_count > 0 { (page.looks(&looks)) }
        @if !differences.is_empty() { (page.changes()) }
        @if others_count > 0 { (page.others(&others)) }
        @if !lines.is_empty() { (page.file()) }
        @if !rows.is_empty() { (page.sides()) }
    };
    frame::document(&format!("{}: what the upgrade does", report.result.name), &body)
}

/// The page of an upgrade that was refused.
pub(crate) fn error(error: &Error) -> String {
    let body = html! {
        h1 { "Refused" }
        p.lead { "yamlift changed nothing." }
        (refusal(error))
    };
    frame::document("yamlift changed nothing", &body)
}

/// The words of an error, line by line.
pub(super) fn refusal(error: &Error) -> Markup {
    let words: Vec<_> = error.to_string().lines().map(visible).collect();
    html! { pre.error { (words.join("\n")) } }
}

fn head(report: &Report) -> Markup {
    let files = [
        ("your file", report.configuration.as_ref()),
        ("old default", report.base.as_ref()),
        ("new default", Some(&report.update)),
    ];
    let files = files.into_iter().filter_map(|(what, size)| Some((what, size?)));
    html! {
        h1 { (visible(&report.result.name)) }
        p.lead { (closing(report)) }
        p.files {
            @for (what, size) in files { span { (what) " " code { (visible(&size.name)) } " " (size) } " " }
            @if report.changed() { span { "result " (report.result) } }
        }
    }
}

/// What became of the file, in one sentence.
pub(super) fn closing(report: &Report) -> String {
    report.closing().unwrap_or_else(|| "Installed new.".to_owned())
}

impl Page<'_> {
    /// The kinds of entries that somebody should look at, and those of all others that the table does not tell already.
    fn kinds(&self) -> [Vec<ChangeKind>; 2] {
        let is_told =
            |kind: ChangeKind| !self.differences.is_empty() && kind.is_of_values() && kind != ChangeKind::CommentMoved;
        let has_entries = |kind: &ChangeKind| changes::of_kind(self.report, *kind).next().is_some() && !is_told(*kind);
        let (looks, others) = ChangeKind::ALL.into_iter().filter(has_entries).partition(|kind| kind.needs_a_look());
        [looks, others]
    }

    fn count(&self, kinds: &[ChangeKind]) -> usize {
        kinds.iter().map(|kind| changes::of_kind(self.report, *kind).count()).sum()
    }

    /// The lines that the page has.
    fn anchors(&self) -> Anchors {
        let old = self.rows.iter().filter_map(|row| row.old.as_ref()).map(|Side { line, .. }| *line).max();
        Anchors { old: old.unwrap_or(0), result: self.lines.len() }
    }

    fn looks(&self, kinds: &[ChangeKind]) -> Markup {
        html! {
            section #look {
                h2 { "What needs a look" }
                @for warning in self.report.warnings() { p.warning { b { "Warning: " } (visible(warning)) } }
                @for kind in kinds {
                    h3 { (kind.title().trim_end_matches(':')) }
                    (changes::entries(self.report, *kind, self.anchors()))
                }
            }
        }
    }

    fn changes(&self) -> Markup {
        html! {
            section #changes {
                h2 { "What changes its meaning" }
                (frame::filters("Show", &changes::kinds(self.differences)))
                (changes::table(self.differences, self.anchors()))
            }
        }
    }

    fn others(&self, kinds: &[ChangeKind]) -> Markup {
        let (notes, variables) = (self.report.notes(), self.report.variables());
        html! {
            section #others {
                h2 { "What else there is to know" }
                @if !notes.is_empty() {
                    h3 { "Notes of the release" }
                    ul { @for note in notes { li { (visible(note)) } } }
                }
                @for kind in kinds {
                    details {
                        summary {
                            (kind.title().trim_end_matches(':'))
                            " (" (changes::of_kind(self.report, *kind).count()) ")"
                        }
                        (changes::entries(self.report, *kind, self.anchors()))
                    }
                }
                @if !variables.is_empty() {
                    details {
                        summary { "Applied variables (" (variables.len()) ")" }
                        ul.entries { @for Applied { name, value } in variables {
                            li { code { (visible(name)) } " = " code { (visible(value)) } }
                        } }
                    }
                }
            }
        }
    }

    /// The result; of one that was installed there is nothing to tell by line.
    fn file(&self) -> Markup {
        let is_upgraded = self.report.configuration.is_some();
        html! {
            section #file {
                h2 { "The file" @if self.report.changed() { " as it is then" } }
                @if is_upgraded {
                    p { "Lines are yours alone, new, or in the default as well." }
                    (frame::filters("Show lines", &lines::origins(self.lines)))
                }
                div .plain[!is_upgraded] { (lines::explained(self.lines, &self.report.changes)) }
            }
        }
    }

    fn sides(&self) -> Markup {
        let differing = lines::differing(self.rows);
        html! {
            section #sides {
                h2 { "Old and new side by side" }
                details {
                    summary { (counted(differing, "row differs", "rows differ")) }
                    p.where { "− is not in the new file, + not in the old one, ↕ stands elsewhere in the other." }
                    (lines::side_by_side(self.rows))
                }
            }
        }
    }
}
