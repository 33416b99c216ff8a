//! What is printed: reports, diffs and errors.
//!
//! Each message is made whole and then written by one call, with colours or without: those of runs that share a terminal
//! or a journal do not mix.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Stderr, Stdout, Write};
use std::path::Path;
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use similar::{Algorithm, DiffTag, TextDiff};

use super::common::ReportFormat;
use crate::report::difference::{self, Shown};
use crate::report::line_diff::Layout;
use crate::report::{ChangeKind, Difference, DifferenceKind, Report, Summary, formats};
use crate::text::diff::diff;
use crate::text::error::{Error, ErrorData, visible};
use crate::text::masking::MASK;

/// An error, on standard error.
pub(crate) fn error(error: &Error) {
    let red = AnsiColor::Red.on_default().bold();
    tell(&format!("{red}error{red:#}: {error}\n"));
}

/// An error about one of many files, on standard error.
pub(crate) fn error_of(whose: &str, error: &Error) {
    let red = AnsiColor::Red.on_default().bold();
    tell(&format!("{red}error{red:#}: {whose}{error}\n"));
}

/// An error on standard output, in the place of the document that would tell what was done; as text it is told already.
pub(crate) fn refused(error: &Error, format: ReportFormat) {
    let document = match format {
        ReportFormat::Text => return,
        ReportFormat::Json => return error_data(&error.data()),
        ReportFormat::Markdown => Ok(formats::markdown::error(error)),
        ReportFormat::Github => Ok(formats::github::error(error)),
        ReportFormat::Sarif => json(&formats::sarif::error(error)),
        ReportFormat::Html => Ok(formats::html::error(error)),
    };
    // Where even this cannot be printed the exit status tells.
    let _ = document.and_then(|document| print(&mut io::stdout(), &document));
}

/// The same as JSON.
fn error_data(error: &ErrorData<'_>) {
    // As above.
    let _ = json(&refused_data(error)).and_then(|json| print(&mut io::stdout(), &json));
}

/// The document of a run that was refused.
pub(crate) fn refused_data(error: &ErrorData<'_>) -> serde_json::Value {
    serde_json::json!({"schema": 1, "status": "refused", "written": false, "error": error})
}

/// The same where several things are wrong.
pub(crate) fn all_refused(errors: &[ErrorData<'_>]) -> serde_json::Value {
    serde_json::json!({
        "schema": 1, "status": "refused", "written": false, "error": errors.first(), "errors": errors
    })
}

/// What was passed over, on standard error.
pub(crate) fn warning(what: &str) {
    let yellow = AnsiColor::Yellow.on_default().bold();
    tell(&format!("{yellow}warning{yellow:#}: {}\n", visible(what)));
}

/// A message on standard error.
pub(crate) fn tell(message: &str) {
    // Where even this cannot be printed there is nobody left to tell.
    let _ = anstream::stderr().put(message);
}

/// What is wrong with the arguments, or the help that was asked for.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let message = error.render().ansi().to_string();
    if error.use_stderr() {
        tell(&message);
        if is_json_asked_for() {
            let rendered = error.render().to_string();
            let (what, rest) = rendered.split_once('\n').unwrap_or((&rendered, ""));
            error_data(&ErrorData::of_usage(what.trim_start_matches("error: "), rest.trim()));
        }
        return ExitCode::from(2);
    }
    // As above.
    let _ = print(&mut anstream::stdout(), &message);
    ExitCode::SUCCESS
}

/// Whether a call that could not be read asks for JSON, as far as its words show.
fn is_json_asked_for() -> bool {
    let words: Vec<_> = std::env::args_os().collect();
    let asks = |pair: &[std::ffi::OsString]| pair[0] == "--format" && pair[1] == "json";
    words.windows(2).any(asks) || words.iter().any(|word| word == "--format=json")
}

/// A stream that takes a whole text at once.
pub(crate) trait Stream {
    fn put(&mut self, text: &str) -> io::Result<()>;
}

impl Stream for Stdout {
    fn put(&mut self, text: &str) -> io::Result<()> {
        self.write_all(text.as_bytes()).and_then(|()| self.flush())
    }
}

impl Stream for io::Stderr {
    fn put(&mut self, text: &str) -> io::Result<()> {
        self.write_all(text.as_bytes())
    }
}

impl Stream for File {
    fn put(&mut self, text: &str) -> io::Result<()> {
        self.write_all(text.as_bytes())
    }
}

impl Stream for AutoStream<Stdout> {
    fn put(&mut self, text: &str) -> io::Result<()> {
        self.write_all(plain(text, self.current_choice()).as_bytes()).and_then(|()| self.flush())
    }
}

impl Stream for AutoStream<Stderr> {
    fn put(&mut self, text: &str) -> io::Result<()> {
        self.write_all(plain(text, self.current_choice()).as_bytes())
    }
}

/// A text as it goes to a stream that may want no colours. The stream would leave them out as well, and write a part at a
/// time.
fn plain(text: &str, choice: ColorChoice) -> Cow<'_, str> {
    match choice {
        ColorChoice::Never => Cow::Owned(anstream::adapter::strip_str(text).to_string()),
        _ => Cow::Borrowed(text),
    }
}

/// Data for programs.
pub(crate) fn json(data: &impl Serialize) -> Result<String, Error> {
    let json = serde_json::to_string_pretty(data);
    json.map(|json| json + "\n").map_err(|error| Error::input(format!("cannot write JSON: {error}")))
}

/// Where something is printed to. A reader that went away is no error of ours.
pub(crate) fn print(to: &mut impl Stream, text: &str) -> Result<(), Error> {
    match to.put(text) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::input(format!("cannot write: {error}"))),
        _ => Ok(()),
    }
}

/// The report as JSON, `schema` 1: see `docs/report.md`.
#[derive(Serialize)]
pub(crate) struct Json<'r> {
    pub(crate) schema: u32,
    /// `installed`, `changed` or `unchanged`; what a dry run says would be so.
    pub(crate) status: &'static str,
    pub(crate) written: bool,
    /// Where the result went instead of to its place, `-` for standard output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<String>,
    pub(crate) summary: Summary,
    #[serde(flatten)]
    pub(crate) report: &'r Report,
    pub(crate) backup: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) differences: Option<&'r [Difference]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) layout: Option<Layout>,
    pub(crate) diff: Option<&'r str>,
}

impl Json<'_> {
    pub(crate) fn text(&self) -> Result<String, Error> {
        json(self)
    }
}

/// The report for people, with a word on the backup; its headings bold. Where changes of values are given they take the
/// place of the entries that say the same.
pub(crate) fn text(report: &Report, values: Option<&[Difference]>, backup: Option<&Path>) -> String {
    let bold = Style::new().bold();
    let is_heading = |line: &str| line.starts_with("  ") && !line.starts_with("   ");
    let styled = |line: &str| if is_heading(line) { format!("{bold}{line}{bold:#}\n") } else { format!("{line}\n") };
    let values = values.map(|values| section("Changes of values:", values));
    let is_shown = if values.is_some() { |kind: ChangeKind| !kind.is_of_values() } else { |_| true };
    let (head, body) = report.parts(is_shown, terminal_width());
    let styled = |text: String| text.lines().map(styled).collect::<String>();
    [styled(head), values.unwrap_or_default(), styled(body), backup.map(self::backup).unwrap_or_default()].concat()
}

/// Differences below a heading.
pub(crate) fn section(title: &str, differences: &[Difference]) -> String {
    let bold = Style::new().bold();
    let lines: String = difference::lines(differences, width()).iter().map(coloured).collect();
    format!("\n  {bold}{title}{bold:#}\n{lines}")
}

/// Where the old content of a file is kept.
pub(crate) fn backup(path: &Path) -> String {
    let bold = Style::new().bold();
    format!("\n  {bold}Backup:{bold:#} {}\n", visible(&path.display().to_string()))
}

/// A change of a value in the colour of its kind.
pub(crate) fn coloured(shown: &Shown) -> String {
    let colour = match shown.kind {
        DifferenceKind::Added => AnsiColor::Green,
        DifferenceKind::Removed => AnsiColor::Red,
        _ => AnsiColor::Yellow,
    };
    let style = colour.on_default();
    format!("{style}{}{style:#}\n", shown.text)
}

/// How wide a line may be: as the terminal is, and some more where there is none.
pub(crate) fn width() -> usize {
    terminal_width().unwrap_or(120)
}

/// How wide the terminal is, where there is one.
fn terminal_width() -> Option<usize> {
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
}

/// A unified diff between two texts with these names, without colours.
pub(crate) fn diff_between(name: &str, other: &str, before: &str, after: &str) -> String {
    TextDiff::from_lines(before, after).unified_diff().context_radius(3).header(name, other).to_string()
}

/// A text before and after, and both with their secrets masked.
pub(crate) struct Masked<'t> {
    pub(crate) texts: [&'t str; 2],
    pub(crate) masked: [&'t str; 2],
}

impl Masked<'_> {
    /// The masked text after, in which lines say so that differ in nothing but a secret.
    pub(crate) fn after(&self) -> String {
        let [[before, after], [old, new]] =
            [self.texts, self.masked].map(|texts| texts.map(|text| text.split_inclusive('\n').collect::<Vec<_>>()));
        let mut lines: Vec<_> = new.iter().map(|line| Cow::Borrowed(*line)).collect();
        for op in diff(Algorithm::Myers, &before, &after) {
            let old = old.get(op.old_range()).unwrap_or_default();
            let differs = |line: &Cow<'_, str>| line.contains(MASK) && old.contains(&&**line);
            let new = lines.get_mut(op.new_range()).unwrap_or_default();
            for line in new.iter_mut().filter(|line| op.tag() == DiffTag::Replace && differs(line)) {
                let text = line.trim_end_matches(['\r', '\n']);
                *line = Cow::Owned(format!("{text} (changed){}", line.get(text.len()..).unwrap_or_default()));
            }
        }
        lines.concat()
    }
}

/// A diff as it is shown: coloured, and with nothing in it that a terminal would obey.
pub(crate) fn shown(diff: &str) -> String {
    let line = |line: &str| {
        let style = match line.as_bytes().first() {
            _ if line.starts_with("--- ") || line.starts_with("+++ ") => Style::new().bold(),
            Some(b'+') => AnsiColor::Green.on_default(),
            Some(b'-') => AnsiColor::Red.on_default(),
            Some(b'~') => AnsiColor::Yellow.on_default(),
            Some(b'@') => AnsiColor::Cyan.on_default(),
            _ => Style::new(),
        };
        format!("{style}{}{style:#}\n", visible(line.trim_end_matches('\r')))
    };
    diff.lines().map(line).collect()
}

/// A report that cannot be printed, on a file that was written.
pub(super) fn unprinted(error: &Error, file: &Path) -> Error {
    let what = format!("was written, but the report on that cannot be printed: {}", error.what());
    Error::input(what)
        .after_the_fact()
        .in_file(&file.display().to_string())
        .help("run again with `--dry-run` to see how it is now")
}
