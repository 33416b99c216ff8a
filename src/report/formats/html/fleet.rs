//! The page of a fleet: what changes where, and which files differ from the rest.

use std::collections::BTreeMap;

use maud::{Markup, html};

use self::rare::Rare;
use super::changes::{self, Anchors};
use super::frame::{self, Tile, Weight, counted};
use super::page::{closing, refusal};
use crate::report::fleet::{Told, Upgraded};
use crate::report::{ChangeKind, Difference, Report, Summary};
use crate::text::error::{Error, visible};

mod rare;

/// So many bars are shown; the rest is folded.
const BARS: usize = 25;

/// The page of a fleet.
pub(crate) fn fleet(files: &[&Upgraded]) -> String {
    let refused = refused(files);
    let rare = Rare::of(files);
    let bars = bars(files);
    let parts = [
        ("refused", refused.len(), format!("Refused ({})", refused.len())),
        ("where", bars.len(), "What changes where".to_owned()),
        ("rare", rare.files.len(), format!("Different from the rest ({})", rare.files.len())),
        ("files", files.len(), format!("Files ({})", files.len())),
    ];
    let parts: Vec<_> = parts.into_iter().filter(|part| part.1 > 0).map(|(anchor, _, name)| (anchor, name)).collect();
    let title = counted(files.len(), "file", "files");
    let body = html! {
        h1 { (title) }
        p.lead { (lead(files)) }
        (frame::tiles(&tiles(files)))
        (frame::contents(&parts))
        @if !refused.is_empty() { (errors(&refused)) }
        @if !bars.is_empty() { (what_changes_where(&bars, files.len())) }
        @if !rare.files.is_empty() { (rare.section()) }
        (table(files))
        (each(files))
    };
    frame::document(&format!("{title}: what the upgrade does"), &body)
}

/// How many files there are of each status.
fn statuses(files: &[&Upgraded]) -> [(&'static str, usize); 4] {
    ["refused", "changed", "installed", "unchanged"]
        .map(|name| (name, files.iter().filter(|file| file.status() == name).count()))
}

fn lead(files: &[&Upgraded]) -> String {
    let known = statuses(files).into_iter().filter(|(_, count)| *count > 0);
    let known: Vec<_> = known.map(|(name, count)| format!("{count} {name}")).collect();
    if known.is_empty() { "Nothing to upgrade.".to_owned() } else { known.join(", ") + "." }
}

fn told<'f>(files: &'f [&'f Upgraded]) -> impl Iterator<Item = &'f Told> {
    files.iter().filter_map(|file| file.outcome.as_ref().ok())
}

fn refused<'f>(files: &[&'f Upgraded]) -> Vec<(usize, &'f str, &'f Error)> {
    let errors = (1..).zip(files).filter_map(|(at, file)| Some((at, &*file.name, file.outcome.as_ref().err()?)));
    errors.collect()
}

/// The numbers of all files.
fn tiles(files: &[&Upgraded]) -> Vec<Tile> {
    let sum = |number: fn(&Summary) -> usize| told(files).map(|told| number(&told.report.summary())).sum::<usize>();
    let looks = [("conflicts", sum(|all| all.conflicts)), ("to check", sum(|all| all.to_check))];
    let changes = told(files).map(|told| told.differences.len()).sum::<usize>();
    let states = statuses(files)
        .map(|(name, count)| (name, count, if name == "refused" { Weight::Look } else { Weight::Plain }));
    let numbers = states.into_iter().chain([("changes of meaning", changes, Weight::Plain)]);
    let looks = looks.into_iter().map(|(what, count)| (what, count, Weight::Look));
    let numbers = numbers.chain(looks).filter(|(_, count, _)| *count > 0);
    numbers.map(|(what, count, weight)| Tile { count, what: what.to_owned(), weight }).collect()
}

fn errors(refused: &[(usize, &str, &Error)]) -> Markup {
    html! {
        section #refused {
            h2 { "Refused" }
            @for (at, name, error) in refused {
                div.file #(format!("file-{at}")) { h3 { code { (visible(name)) } } (refusal(error)) }
            }
        }
    }
}

/// A change and in how many files it is made.
struct Bar<'f> {
    /// One of these changes; where the values of others are different, they are not shown.
    one: &'f Difference,
    has_one_value: bool,
    files: usize,
}

/// Every change that is made in some file, the most frequent first.
fn bars<'f>(files: &'f [&'f Upgraded]) -> Vec<Bar<'f>> {
    let mut bars: BTreeMap<_, Bar<'_>> = BTreeMap::new();
    for one in told(files).flat_map(|told| &told.differences) {
        let bar = bars.entry((&*one.path, one.kind.sign())).or_insert(Bar { one, has_one_value: true, files: 0 });
        bar.files += 1;
        let values = |one: &Difference| (one.before.clone(), one.after.clone());
        bar.has_one_value &= values(bar.one) == values(one);
    }
    let mut bars: Vec<_> = bars.into_values().collect();
    bars.sort_by_key(|bar| std::cmp::Reverse(bar.files));
    bars
}

fn what_changes_where(bars: &[Bar<'_>], files: usize) -> Markup {
    let (shown, others) = bars.split_at(bars.len().min(BARS));
    html! {
        section #where {
            h2 { "What changes where" }
            p { "Each change of meaning, and in how many of " (files) " files." }
            (rows_of_bars(shown, files))
            @if !others.is_empty() {
                details { summary { (others.len()) " more" } (rows_of_bars(others, files)) }
            }
        }
    }
}

fn rows_of_bars(bars: &[Bar<'_>], files: usize) -> Markup {
    html! {
        ul.bars { @for Bar { one, has_one_value, files: count } in bars {
            li {
                div.of { (changes::kind(one.kind)) " " code { (visible(&one.path)) } " "
                    @if *has_one_value { (changes::value(one)) } @else { span.where { "different values" } }
                }
                div.bar { div.(changes::class(one.kind)) style=(format!("width:{}%", count * 100 / files.max(1))) {} }
                div.count { (count) }
            }
        } }
    }
}

/// Files by what somebody should look at, refused ones first; each with its number in the order as given.
fn by_urgency<'f>(files: &[&'f Upgraded]) -> Vec<(usize, &'f Upgraded)> {
    let mut files: Vec<_> = (1..).zip(files.iter().copied()).collect();
    let urgency = |file: &Upgraded| {
        file.outcome.as_ref().map_or(usize::MAX, |told| told.report.summary().conflicts * 2 + looks(&told.report))
    };
    files.sort_by_key(|(_, file)| std::cmp::Reverse(urgency(file)));
    files
}

/// How many entries and warnings somebody should look at.
fn looks(report: &Report) -> usize {
    report.warnings().len() + report.changes().iter().filter(|change| change.kind.needs_a_look()).count()
}

fn table(files: &[&Upgraded]) -> Markup {
    html! {
        section #files {
            h2 { "Files" }
            (frame::filters("Show", &statuses(files)))
            table.files {
                thead { tr { th { "file" } th { "status" } th { "changes" } th { "conflicts" } th { "needs a look" } } }
                tbody { @for (at, file) in by_urgency(files) { (row(at, file)) } }
            }
        }
    }
}

fn row(at: usize, file: &Upgraded) -> Markup {
    let told = file.outcome.as_ref().ok();
    let numbers = told.map(|told| {
        let looks = looks(&told.report);
        [("changes", told.differences.len()), ("conflicts", told.report.summary().conflicts), ("needs a look", looks)]
    });
    html! {
        tr.(file.status()) {
            td { a href=(format!("#file-{at}")) { code { (visible(&file.name)) } } }
            td { span.chip.(file.status()) { (file.status()) } }
            @for (what, count) in numbers.into_iter().flatten() {
                td.number { (count) span.unit { " " (what) } }
            }
            @if numbers.is_none() { td colspan="3" {} }
        }
    }
}

/// Every file by itself; what was refused stands above.
fn each(files: &[&Upgraded]) -> Markup {
    let done = by_urgency(files).into_iter();
    let done = done.filter_map(|(at, file)| Some((at, &file.name, file.outcome.as_ref().ok()?)));
    html! {
        section #each {
            h2 { "Each file" }
            @for (at, name, told) in done {
                details.file #(format!("file-{at}")) {
                    summary { code { (visible(name)) } " " span.where { (closing(&told.report)) } }
                    @for warning in told.report.warnings() { p.warning { b { "Warning: " } (visible(warning)) } }
                    (looks_of(&told.report))
                    @if !told.differences.is_empty() {
                        h3 { "What changes its meaning" }
                        (changes::table(&told.differences, Anchors::default()))
                    }
                }
            }
        }
    }
}

fn looks_of(report: &Report) -> Markup {
    let kinds = ChangeKind::ALL.into_iter().filter(|kind| kind.needs_a_look());
    html! {
        @for kind in kinds.filter(|kind| changes::of_kind(report, *kind).next().is_some()) {
            h3 { (kind.title().trim_end_matches(':')) }
            (changes::entries(report, kind, Anchors::default()))
        }
    }
}
