//! Many files that were upgraded, or would be, for whoever looks at all of them.

use super::{Difference, Report, Summary};
use crate::text::error::{Error, visible};

/// What became of one of many files; nothing in it is secret.
#[derive(Debug)]
pub(crate) struct Upgraded {
    /// The file as it was named or found.
    pub(crate) name: String,
    pub(crate) outcome: Result<Told, Error>,
}

/// An upgrade that was done, or would be.
#[derive(Debug)]
pub(crate) struct Told {
    /// `installed`, `changed` or `unchanged`.
    pub(crate) status: &'static str,
    pub(crate) report: Report,
    /// What differs in meaning.
    pub(crate) differences: Vec<Difference>,
}

impl Upgraded {
    /// `installed`, `changed`, `unchanged` or `refused`.
    pub(crate) fn status(&self) -> &'static str {
        self.outcome.as_ref().map_or("refused", |told| told.status)
    }

    fn summary(&self) -> Summary {
        self.outcome.as_ref().map(|told| told.report.summary()).unwrap_or_default()
    }
}

/// The headings of the columns with numbers.
const COLUMNS: [&str; 6] = ["added", "defaults", "dropped", "kept", "conflicts", "to check"];

/// The numbers of a file, one for each column.
fn numbers(summary: &Summary) -> [usize; 6] {
    let to_check = summary.to_check + summary.only_yours;
    [summary.added, summary.defaults_changed, summary.dropped, summary.kept, summary.conflicts, to_check]
}

/// A table of all files, and below it how many of them came to which end.
pub(crate) fn table(files: &[&Upgraded]) -> String {
    let names: Vec<_> = files.iter().map(|file| visible(&file.name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("file".len());
    let line = |name: &str, result: &str, cells: [String; 6]| {
        let cells = cells.map(|cell| format!("  {cell:>9}")).concat();
        format!("{name:width$}  {result:<9}{cells}").trim_end().to_owned() + "\n"
    };
    let cell = |number: usize| if number == 0 { String::new() } else { number.to_string() };
    let mut out = line("file", "result", COLUMNS.map(str::to_owned));
    for (file, name) in files.iter().zip(names) {
        out.push_str(&line(&name, file.status(), numbers(&file.summary()).map(cell)));
    }
    out + "\n" + &ends(files)
}

/// How many files came to which end, on one line.
pub(crate) fn ends(files: &[&Upgraded]) -> String {
    let count = |status: &str| files.iter().filter(|file| file.status() == status).count();
    let ends = ["installed", "changed", "unchanged", "refused"].map(|status| (count(status), status));
    let told: Vec<_> =
        ends.iter().filter(|(count, _)| *count > 0).map(|(count, status)| format!("{count} {status}")).collect();
    let files = if files.len() == 1 { "1 file".to_owned() } else { format!("{} files", files.len()) };
    format!("{files}: {}.\n", told.join(", "))
}
