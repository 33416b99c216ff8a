//! The page about messages has all that the cases know, and none that nobody prints.

use std::fs;
use std::path::{Path, PathBuf};

use crate::home;

/// What stands for words of the user's in a message of the page.
const ANY: char = '…';

/// The messages of the page: the first cells of its tables.
fn of_the_page() -> Vec<String> {
    let page = fs::read_to_string(home().join("docs/troubleshooting.md")).unwrap();
    let cells = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
    cells.map(|(message, _)| message.to_owned()).collect()
}

/// The messages of the cases in a folder, without file, place and kind.
fn of_the_cases(folder: &str) -> Vec<String> {
    let files = below(&home().join(folder), "error.txt");
    let errors = files.iter().map(|file| fs::read_to_string(file).unwrap());
    let lines =
        errors.map(|error| error.lines().find(|line| line.starts_with("error: ")).unwrap_or_default().to_owned());
    lines.map(|line| without_place(&line).to_owned()).collect()
}

/// All files of a folder and its folders whose names end so.
fn below(folder: &Path, end: &str) -> Vec<PathBuf> {
    let all = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.unwrap().into_path());
    all.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(end))).collect()
}

/// `error: config.yml:2:1: not valid YAML: this` is `this`.
fn without_place(line: &str) -> &str {
    let line = line.strip_prefix("error: ").unwrap_or(line);
    let is_place = |word: &str| [".yml", ".yaml", ".txt", ".properties"].iter().any(|kind| word.contains(kind));
    let line = line.split_once(": ").filter(|(place, _)| is_place(place)).map_or(line, |(_, rest)| rest);
    line.strip_prefix("not valid YAML: ").unwrap_or(line)
}

/// Whether a message begins as the page has it.
fn is_one(message: &str, shown: &str) -> bool {
    let mut pieces = shown.split(ANY);
    let start = message.strip_prefix(pieces.next().unwrap());
    start.is_some_and(|rest| pieces.try_fold(rest, |rest, piece| Some(rest.split_once(piece)?.1)).is_some())
}

#[test]
fn every_message_of_the_cases_is_on_the_page() {
    let page = of_the_page();
    let cases = of_the_cases("testdata/refuse");
    assert!(cases.len() > 100, "there are next to no cases");
    let lacking: Vec<_> = cases.iter().filter(|message| !page.iter().any(|shown| is_one(message, shown))).collect();
    assert!(lacking.is_empty(), "docs/troubleshooting.md does not have {lacking:#?}");
}

#[test]
fn no_message_of_the_page_is_one_that_nobody_prints() {
    let cases = of_the_cases("testdata");
    let sources: Vec<_> =
        below(&home().join("src"), ".rs").iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let is_printed = |shown: &String| {
        cases.iter().any(|message| is_one(message, shown))
            || sources.iter().any(|source| source.contains(shown.as_str()))
    };
    let unknown: Vec<_> = of_the_page().into_iter().filter(|shown| !is_printed(shown)).collect();
    assert!(unknown.is_empty(), "nobody prints {unknown:#?}");
}

#[test]
fn a_message_is_found_by_its_words() {
    assert!(is_one("key `port` appears twice, first on line 2", "key … appears twice"));
    assert!(!is_one("key `port` appears once", "key … appears twice"));
    assert_eq!(without_place("error: a.yml:2:1: not valid YAML: a quote: x"), "a quote: x");
    assert_eq!(without_place("error: bad path `a: b`"), "bad path `a: b`");
}
