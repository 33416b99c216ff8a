//! Every key of every file of `testdata`, and of the folder in `YAMLIFT_MOVES` where that is set, moves to many places: under another
//! name, to a new map, into another map of the file. Nothing may call itself a bug, and no comment may get lost.

use std::collections::BTreeMap;

use super::*;
use crate::text::error::ErrorKind;
use crate::text::testdata::yaml_files_and;
use crate::yaml::outline::{Outline, RowKind};
use crate::yaml::path::{Path, Step};
use crate::yaml::row::RowId;

const UPDATE: &str = "port: 80\n";

fn moved<'t>(text: &'t str, moves: &[(&str, &str)]) -> Result<Prepared<'t>, Error> {
    let moves = moves.iter().map(|(from, to)| by_hand(from, to)).collect::<Result<_, _>>()?;
    let source = Source::new("update", UPDATE)?;
    prepare(("current", text.into()), &[Release::of(moves)], (&check::read(&source)?, GivesWay::Defaults(None)))
}

#[track_caller]
fn becomes(text: &str, moves: &[(&str, &str)], expected: &str) {
    assert_eq!(moved(text, moves).unwrap().text, expected);
}

#[test]
fn a_key_changes_its_name_where_it_stands() {
    becomes(
        "a: 1 # one\n\"b\": {c: 2,\n  \"d\": 3} # two\n",
        &[("a", "x"), ("b/c", "w/y"), ("b/d", "w/z z"), ("b", "w")],
        "x: 1 # one\n\"w\": {y: 2,\n  \"z z\": 3} # two\n",
    );
    becomes("a: 1\nb: 2\n", &[("a", "b"), ("b", "a")], "b: 1\na: 2\n");
    becomes(
        "l:\n- port: 1\n- host: b\n  port: 2\n",
        &[("l[*]/port", "l[*]/http/port")],
        "l:\n- http:\n    port: 1\n- host: b\n  http:\n    port: 2\n",
    );
}

#[test]
fn a_key_moves_with_its_comments() {
    becomes(
        "# head\n\na:\n  # about b\n  b: |  # inline\n    text\n\n  # about c\n  c: 1\nd:\n    e: 1\n",
        &[("a/b", "d/f/b")],
        "# head\n\na:\n\n  # about c\n  c: 1\nd:\n    e: 1\n    f:\n      # about b\n      b: |  # inline\n        text\n",
    );
}

#[test]
fn a_key_moves_into_braces_and_out_of_them() {
    becomes("a: {b: 1, c: [x, 'y']}\n", &[("a/c", "d/e")], "a: {b: 1}\nd:\n  e: [x, 'y']\n");
    becomes("a: {b: 1}\nc: 'it'\n", &[("c", "a/c")], "a: {b: 1, c: 'it'}\n");
    becomes("a: {b: {c: 1}}\nd:\n  e: 2\n", &[("d/e", "a/b/e")], "a: {b: {c: 1, e: 2}}\n");
    becomes("{\"a\": {\"b\": 1}, \"c\": 2}\n", &[("c", "a/c")], "{\"a\": {\"b\": 1, \"c\": 2}}\n");
}

#[test]
fn a_map_moves_into_another_key_by_key() {
    becomes("a:\n  b: 1\n  c: 2\nd:\n  c: 2\n  e: 3\n", &[("a", "d")], "d:\n  c: 2\n  e: 3\n  b: 1\n");
    becomes("a:\n  b: 1\n", &[("a", "a/x")], "a:\n  x:\n    b: 1\n");
    becomes("a:\n  x:\n    b: 1\n  c: 2\n", &[("a/x", "a")], "a:\n  c: 2\n  b: 1\n");
}

#[test]
fn a_list_gets_another_name_together_with_keys_of_its_items() {
    becomes("a:\n- x: 1\n  y: 2\n- x: 3\n", &[("a", "b"), ("a[*]/y", "b[*]/z")], "b:\n- x: 1\n  z: 2\n- x: 3\n");
    becomes("a: {b: 1} # why\n", &[("a/b", "c")], "# why\nc: 1\n");
}

#[test]
fn an_alias_stays_behind_its_anchor() {
    becomes("a: &x 1\nb:\n  c: *x\n", &[("a", "b/a")], "b:\n  a: &x 1\n  c: *x\n");
}

#[test]
fn lines_are_those_of_the_text_before() {
    let prepared = moved("# head\n\na: 1\n# about b\nb:\n  c: 1\nd: 1\n", &[("b", "e/b")]).unwrap();
    let lines: Vec<_> =
        prepared.text.lines().enumerate().map(|(at, line)| (line.trim(), prepared.lines.original(at + 1))).collect();
    assert_eq!(lines[2..], [("a: 1", 3), ("d: 1", 7), ("e:", 8), ("# about b", 4), ("b:", 5), ("c: 1", 6)]);
}

#[test]
fn any_key_may_move_anywhere() {
    let (mut tried, all) = (0, std::env::var_os("YAMLIFT_MOVES").is_some());
    for file in yaml_files_and("testdata", "YAMLIFT_MOVES") {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let Ok(source) = Source::new("current", &text) else { continue };
        let Ok(checked) = check::read(&source) else { continue };
        let paths = paths(&checked.outline);
        let step = (paths.len() / 8).max(1);
        for (at, from) in paths.iter().enumerate().step_by(step) {
            let map = &paths[(at * 7 + 3) % paths.len()];
            let targets = [renamed(from), "new/leaf".to_owned(), "leaf".to_owned(), format!("{map}/leaf"), map.clone()];
            let wanted =
                targets.iter().enumerate().filter(|(number, _)| all || (tried + at) % targets.len() == *number);
            wanted.for_each(|(_, to)| check_move(&file, &text, from, to));
            tried += 1;
        }
    }
    assert!(tried > 1000, "{tried}");
}

fn check_move(file: &std::path::Path, text: &str, from: &str, to: &str) {
    match moved(text, &[(from, to)]) {
        Err(error) => assert_eq!(error.kind(), ErrorKind::Input, "{}: {from} -> {to}: {error}", file.display()),
        Ok(prepared)
            if prepared.warnings.is_empty()
                && prepared.changes.iter().all(|change| matches!(change.what, What::Moved { .. })) =>
        {
            let (before, after) = (comments(text), comments(&prepared.text));
            let lost: Vec<_> = before.iter().filter(|(line, count)| after.get(*line).unwrap_or(&0) < count).collect();
            assert!(lost.is_empty(), "{}: {from} -> {to}: {lost:?}\n{}", file.display(), prepared.text);
        }
        Ok(_) => {}
    }
}

/// How often each comment line stands in a text.
fn comments(text: &str) -> BTreeMap<&str, usize> {
    let mut found = BTreeMap::new();
    for line in text.lines().map(str::trim).filter(|line| line.starts_with('#')) {
        *found.entry(line).or_default() += 1;
    }
    found
}

fn renamed(path: &str) -> String {
    match path.rfind(['/', ']']) {
        Some(at) if path[at..].starts_with('/') => format!("{}/renamed", &path[..at]),
        _ => "renamed".to_owned(),
    }
}

fn paths(outline: &Outline<'_>) -> Vec<String> {
    fn inside(outline: &Outline<'_>, row: RowId, path: &Path, found: &mut Vec<String>) {
        for (at, child) in outline.children(row).enumerate() {
            let step = match outline[child].name.as_deref() {
                Some(name) => Step::Key(name.to_owned()),
                None => Step::Item(at),
            };
            let path = Path([&path.0[..], &[step]].concat());
            if outline[row].kind == RowKind::Map {
                found.push(path.to_string());
            }
            inside(outline, child, &path, found);
        }
    }
    let mut found = Vec::new();
    if let [root] = outline.documents[..] {
        inside(outline, root, &Path::default(), &mut found);
    }
    found.retain(|path| !path.contains(['*', '"']));
    found
}
