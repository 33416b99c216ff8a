//! A page as it is shown, and as trycmd runs it: folders of this run, any time, a blank line behind what is printed.

use std::path::Path;

use regex::Regex;

/// Folders of an operator's machine, as the pages name them; each is a folder below the one that a piece is run in.
const FOLDERS: [(&str, &str); 3] =
    [("/etc/relay", "[CWD]"), ("/usr/share/relay", "[CWD]/share"), ("/var/lib/relay", "[CWD]/state")];

/// When all backups of the pages were made, as the name of a file and a list have it; `[..]` is any text to trycmd.
const TIMES: [(&str, &str); 2] = [("20260314031500Z", "2[..]"), ("2026-03-14T03:15:00Z", "2[..]-[..]T[..]Z")];

/// The same times as a run prints them.
const PRINTED: [&str; 2] = [r"\b2\d{13}Z(-\d+)?", r"\b2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\dZ"];

/// trycmd takes a backslash for the `/` of Windows, which here starts the escape of a character.
const ESCAPE: (&str, &str) = (r"\u{", "/u{");

/// What trycmd has to be told of a command that prints an error; pages say it where the status is another one.
const FAILED: &str = "? 2\n";

/// How an error begins.
const ERROR: &str = "error: ";

/// A path of a page, or a command with paths, in the folder of this run.
pub(crate) fn in_folder(text: &str, cwd: &Path) -> String {
    let cwd = cwd.display().to_string();
    FOLDERS.iter().fold(text.to_owned(), |text, (shown, run)| text.replace(shown, &run.replace("[CWD]", &cwd)))
}

/// A page as trycmd is to run it.
pub(crate) fn as_run(page: &str, cwd: &Path) -> String {
    let mut run = String::new();
    let mut printed = None; // how many lines stand below the last command, inside of a block
    for line in page.split_inclusive('\n') {
        let is_command = printed.is_some() && line.starts_with("$ ");
        if printed.is_some_and(|lines| lines > 0) && (is_command || line.starts_with("```")) {
            run.push('\n');
        }
        if printed == Some(0) && line.starts_with(ERROR) {
            run.push_str(FAILED);
        }
        printed = match printed {
            None if line == "```console\n" => Some(0),
            Some(_) if line.starts_with("```") => None,
            Some(_) if is_command => Some(0),
            other => other.map(|lines| lines + 1),
        };
        run.push_str(&if is_command { in_folder(line, cwd) } else { with_variables(line) });
    }
    run
}

fn with_variables(line: &str) -> String {
    let pairs = FOLDERS.iter().chain(&TIMES).chain([&ESCAPE]);
    pairs.fold(line.to_owned(), |line, (shown, variable)| line.replace(shown, variable))
}

/// The reverse of [`as_run`].
pub(crate) fn as_shown(run: &str, cwd: &Path) -> String {
    let mut text = run.replace(&cwd.display().to_string(), "[CWD]").replace(&[FAILED, ERROR].concat(), ERROR);
    for (printed, (shown, _)) in PRINTED.iter().zip(TIMES) {
        text = Regex::new(printed).unwrap().replace_all(&text, shown).into_owned();
    }
    let text = FOLDERS
        .iter()
        .chain(&TIMES)
        .chain([&ESCAPE])
        .rev()
        .fold(text, |text, (shown, variable)| text.replace(variable, shown));
    without_last_blanks(&text)
}

/// Takes out the blank line at the end of what each command prints.
fn without_last_blanks(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut is_inside = false;
    for line in text.split_inclusive('\n') {
        let ends = is_inside && (line.starts_with("$ ") || line.starts_with("```"));
        lines.pop_if(|last| ends && *last == "\n");
        is_inside = if line.starts_with("```") { line == "```console\n" } else { is_inside };
        lines.push(line);
    }
    lines.concat()
}
