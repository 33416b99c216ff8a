//! A comment on a pull request: what changes its meaning as a table, and below it what somebody should look at.

use std::fmt::Write as _;

use super::line;
use crate::report::{Change, ChangeKind, Difference, Report};
use crate::text::error::{Error, visible};

/// A report as Markdown, with the differences that belong to it.
pub(crate) fn report(report: &Report, differences: &[Difference]) -> String {
    let mut out = format!("### {}\n\n", code(&report.result.name));
    for warning in report.warnings() {
        let _ = writeln!(out, "> [!WARNING]\n> {}\n", plain(&visible(warning)));
    }
    let _ = writeln!(out, "{}\n", plain(&report.closing().unwrap_or_else(|| "Installed new.".to_owned())));
    if !differences.is_empty() {
        out.push_str("| | key | value | why |\n|---|---|---|---|\n");
        out.extend(differences.iter().map(row));
        out.push('\n');
    }
    for kind in ChangeKind::ALL.into_iter().filter(|kind| !kind.is_of_values()) {
        section(report, kind, &mut out);
    }
    report.notes().iter().for_each(|note| _ = writeln!(out, "* Note of the release: {}", plain(&visible(note))));
    out.trim_end().to_owned() + "\n"
}

/// An error as Markdown.
pub(crate) fn error(error: &Error) -> String {
    format!("> [!CAUTION]\n> yamlift changed nothing.\n\n{}\n", block(&error.to_string()))
}

fn row(difference: &Difference) -> String {
    let items = [("+", &difference.gained), ("-", &difference.lost)];
    let items: Vec<_> =
        items.iter().flat_map(|(sign, items)| items.iter().map(move |item| format!("{sign} {}", cell(item)))).collect();
    let value = match (&difference.before, &difference.after) {
        _ if !items.is_empty() => items.join("<br>"),
        (Some(before), Some(after)) => format!("{} → {}", cell(before), cell(after)),
        (Some(value), None) | (None, Some(value)) => cell(value),
        (None, None) => String::new(),
    };
    let why = difference.why.as_deref().unwrap_or_default();
    format!("| `{}` | {} | {value} | {} |\n", difference.kind.sign(), cell(&difference.path), plain(&visible(why)))
}

/// The entries of a kind, folded where they are many.
fn section(report: &Report, kind: ChangeKind, out: &mut String) {
    let changes: Vec<_> = report.changes().iter().filter(|change| change.kind == kind).collect();
    if changes.is_empty() {
        return;
    }
    let title = kind.title();
    let entries: String = changes.iter().map(|change| entry(change)).collect();
    let _ = if kind.needs_a_look() {
        writeln!(out, "**{}**\n\n{entries}", plain(title))
    } else {
        let count = changes.len();
        writeln!(out, "<details><summary>{} ({count})</summary>\n\n{entries}\n</details>\n", plain(title))
    };
}

fn entry(change: &Change) -> String {
    let text = line(change);
    let text = if text.is_empty() { text } else { format!(": {}", code(&text)) };
    format!("* {}, line {}{text}\n", code(&change.place()), change.line)
}

/// Code inside of a line, whatever it holds: the fence is longer than any run of backticks in it.
fn code(text: &str) -> String {
    let text = visible(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let gap = if longest > 0 || text.is_empty() { " " } else { "" };
    format!("{fence}{gap}{text}{gap}{fence}")
}

/// Code inside of a cell of a table, in which a bar ends the cell even in code.
fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// Words that are no markup.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '&' | '!') {
            out.push('\\');
        }
        out.push(if c == '\n' { ' ' } else { c });
    }
    out
}

/// A block of text as it is.
fn block(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}text\n{}\n{fence}", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_place() {
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(cell("a|b"), "`a\\|b`");
        assert_eq!(plain("<b>*x*</b>"), "\\<b\\>\\*x\\*\\</b\\>");
        assert_eq!(block("```\nx"), "````text\n```\nx\n````");
    }
}
