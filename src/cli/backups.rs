//! `yamlift restore --list`: the backups of a configuration, the newest first, and how much each differs from it.

use std::process::ExitCode;

use jiff::Timestamp;
use serde::Serialize;
use similar::{Algorithm, DiffTag};

use super::command_args::Restore as RestoreArgs;
use super::common::Format;
use super::output;
use crate::files::{self, Kept};
use crate::report::Size;
use crate::text::diff::diff;
use crate::text::error::{Error, visible};
use crate::text::source;
use crate::upgrade::differences;

/// Prints the backups of a configuration. It writes nothing and takes no lock.
pub(super) fn list(args: &RestoreArgs) -> Result<ExitCode, Error> {
    let how = args.file.options();
    let found = files::backups(&args.config, &how)?;
    let current = found.content.as_deref().map(String::from_utf8_lossy);
    let name = args.config.display().to_string();
    let row = |kept: &Kept| Row::of(kept, kept.content(&how), found.content.as_deref());
    let list = List {
        schema: 1,
        configuration: current.map(|text| Size::of(&name, &text)),
        folder: found.folder.display().to_string(),
        backups: found.kept.iter().map(row).collect(),
        name,
    };
    let text = match args.format {
        Format::Json => output::json(&list)?,
        Format::Text => list.words(),
    };
    output::print(&mut anstream::stdout(), &text)?;
    Ok(ExitCode::SUCCESS)
}

/// The backups of a configuration; as JSON, `schema` 1, see `docs/files.md`.
#[derive(Serialize)]
struct List {
    schema: u32,
    configuration: Option<Size>,
    /// The directory of the backups.
    folder: String,
    backups: Vec<Row>,
    /// How CONFIG is named.
    #[serde(skip)]
    name: String,
}

impl List {
    fn words(&self) -> String {
        let size = self.configuration.as_ref().map_or_else(|| "does not exist".to_owned(), Size::to_string);
        let head = format!("Your file:    {} ({size})\n", visible(&self.name));
        if self.backups.is_empty() {
            return format!("{head}No backups in {}\n", visible(&self.folder));
        }
        let sizes: Vec<_> = self.backups.iter().map(|row| format!("{} bytes", row.bytes)).collect();
        let differences: Vec<_> = self.backups.iter().map(Row::difference).collect();
        let width = |words: &[String]| words.iter().map(String::len).max().unwrap_or_default();
        let (wide, far) = (width(&sizes), width(&differences));
        let rows = self.backups.iter().zip(sizes.iter().zip(&differences));
        let rows = rows.map(|(row, (size, difference))| {
            format!("  {}  {size:>wide$}  {difference:>far$}  {}\n", row.time, visible(&row.name))
        });
        format!("{head}Backups in {}, the newest first:\n\n", visible(&self.folder)) + &rows.collect::<String>()
    }
}

/// A backup in the list.
#[derive(Serialize)]
struct Row {
    name: String,
    path: String,
    /// When it became a backup, in UTC.
    time: String,
    bytes: u64,
    /// How many lines differ from those of the configuration: none where the two are the same. Nothing where the backup
    /// cannot be read.
    differing_lines: Option<usize>,
    /// How many values do, lists counted as one each. Nothing where one of the two is no YAML.
    differing_values: Option<usize>,
    /// Why it cannot be read.
    error: Option<String>,
}

impl Row {
    fn of(kept: &Kept, content: Result<Vec<u8>, Error>, current: Option<&[u8]>) -> Self {
        let name = kept.path.file_name().unwrap_or_default();
        let differing = content.as_ref().ok().map(|content| differing_lines(current, content));
        Self {
            name: name.display().to_string(),
            path: kept.path.display().to_string(),
            time: Timestamp::from_second(kept.time).map_or_else(|_| String::new(), |time| time.to_string()),
            bytes: kept.size,
            differing_lines: differing,
            differing_values: content.as_ref().ok().and_then(|content| differing_values(current, content)),
            error: content.err().map(|error| error.what().to_owned()),
        }
    }

    fn difference(&self) -> String {
        let differ = |count: usize, what: &str| match count {
            1 => format!("1 {what} differs"),
            count => format!("{count} {what}s differ"),
        };
        match (self.differing_lines, self.differing_values) {
            (None, _) => "unreadable".to_owned(),
            (Some(0), _) => "the same".to_owned(),
            (Some(_), Some(0)) => "the same values".to_owned(),
            (Some(_), Some(values)) => differ(values, "value"),
            (Some(lines), None) => differ(lines, "line"),
        }
    }
}

/// In how many values a backup differs from the configuration.
fn differing_values(current: Option<&[u8]>, backup: &[u8]) -> Option<usize> {
    let text = |bytes| str::from_utf8(bytes).ok();
    let (current, backup) = (text(current?)?, text(backup)?);
    differences::compare(("current", current), ("backup", backup)).ok().map(|compared| compared.differences.len())
}

/// In how many lines a backup differs from the configuration; a line that was changed counts once.
fn differing_lines(current: Option<&[u8]>, backup: &[u8]) -> usize {
    if current == Some(backup) {
        return 0;
    }
    let (current, backup) = (String::from_utf8_lossy(current.unwrap_or_default()), String::from_utf8_lossy(backup));
    let [old, new] = [&current, &backup].map(|text| source::lines(text).collect::<Vec<_>>());
    let ops = diff(Algorithm::Myers, &old, &new);
    let changed = ops.iter().filter(|op| op.tag() != DiffTag::Equal);
    let lines: usize = changed.map(|op| op.old_range().len().max(op.new_range().len())).sum();
    // Bytes that are no text may differ where the lines that are compared do not.
    lines.max(1)
}
