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

/// The messages of the cases, without file, place and kind.
fn of_the_cases() -> Vec<String> {
    let cases = fs::read_dir(home().join("testdata/refuse")).unwrap().map(|entry| entry.unwrap().path());
    let errors = cases.map(|case| fs::read_to_string(case.join("error.txt")).unwrap());
    errors.map(|error| without_place(error.lines().next().unwrap()).to_owned()).collect()
}

/// `error: config.yml:2:1: not valid YAML: this` is `this`.
fn without_place(line: &str) -> &str {
    let line = line.strip_prefix("error: ").unwrap();
    let is_place = |word: &str| [".yml", ".txt", ".properties"].iter().any(|kind| word.contains(kind));
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
    let cases = of_the_cases();
    assert!(cases.len() > 100, "there are next to no cases");
    let lacking: Vec<_> = cases.iter().filter(|message| !page.iter().any(|shown| is_one(message, shown))).collect();
    assert!(lacking.is_empty(), "docs/troubleshooting.md does not have {lacking:#?}");
}

#[test]
fn no_message_of_the_page_is_one_that_nobody_prints() {
    let cases = of_the_cases();
    let sources: Vec<_> = sources(&home().join("src")).iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let is_printed = |shown: &String| {
        cases.iter().any(|message| is_one(message, shown))
            || sources.iter().any(|source| source.contains(shown.as_str()))
    };
    let unknown: Vec<_> = of_the_page().into_iter().filter(|shown| !is_printed(shown)).collect();
    assert!(unknown.is_empty(), "nobody prints {unknown:#?}");
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let all = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.unwrap().into_path());
    all.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

#[test]
fn a_message_is_found_by_its_words() {
    assert!(is_one("key `port` appears twice, first on line 2", "key … appears twice"));
    assert!(!is_one("key `port` appears once", "key … appears twice"));
    assert_eq!(without_place("error: a.yml:2:1: not valid YAML: a quote: x"), "a quote: x");
    assert_eq!(without_place("error: bad path `a: b`"), "bad path `a: b`");
}
