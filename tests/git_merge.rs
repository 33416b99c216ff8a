//! What `yamlift git-merge` must not decide in silence: each merge as three files, what comes of it, and whether git is told of
//! a conflict.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::process::Command;

mod common;

use common::{contents, yamlift};

/// What came of a merge.
struct Merged {
    status: Option<i32>,
    text: String,
    told: String,
}

fn merge([base, ours, theirs]: [&str; 3]) -> Merged {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] {
        fs::write(dir.path().join(name), text).unwrap();
    }
    let output = yamlift(dir.path()).args(["git-merge", "base", "ours", "theirs", "7", "app.yml"]).output().unwrap();
    let mut after = contents(dir.path());
    assert!(after["base"] == base.as_bytes() && after["theirs"] == theirs.as_bytes(), "only ours is written");
    let text = String::from_utf8(after.remove("ours").unwrap()).unwrap();
    Merged { status: output.status.code(), text, told: String::from_utf8(output.stderr).unwrap() }
}

/// The sides of a conflict between markers.
fn marked([ours, base, theirs]: [&str; 3]) -> String {
    format!("<<<<<<< ours: app.yml\n{ours}||||||| base: app.yml\n{base}=======\n{theirs}>>>>>>> theirs: app.yml\n")
}

#[track_caller]
fn is_conflict(files: [&str; 3], expected: &str) {
    let merged = merge(files);
    assert_eq!((merged.status, &*merged.text, &*merged.told), (Some(1), expected, ""), "{files:?}");
}

#[track_caller]
fn is_clean(files: [&str; 3], expected: &str) {
    let merged = merge(files);
    assert_eq!((merged.status, &*merged.text, &*merged.told), (Some(0), expected, ""), "{files:?}");
}

#[test]
fn what_both_branches_add_is_a_conflict_in_a_new_file_too() {
    let expected = "<<<<<<< ours: app.yml\na: 1\n=======\na: 2\n>>>>>>> theirs: app.yml\n";
    is_conflict(["", "a: 1\n", "a: 2\n"], expected);
    is_conflict(["# nothing yet\n", "a: 1\n", "a: 2\nb: 3\n"], &format!("{expected}b: 3\n"));
    is_clean(["", "a: 1\n", "a: 1\nb: 3\n"], "a: 1\nb: 3\n");
    is_clean(["a:\n", "a:\n  x: 1\n", "a:\n  y: 1\n"], "a:\n  x: 1\n  y: 1\n");
}

#[test]
fn an_item_that_both_replace_is_a_conflict() {
    for [base, ours, theirs] in [
        ["cmd: [run, -p, 80]\n", "cmd: [run, -p, 81]\n", "cmd: [run, -p, 82]\n"],
        ["cmd:\n- run\n- -p\n- 80\n", "cmd:\n- run\n- -p\n- 81\n", "cmd:\n- run\n- -p\n- 82\n"],
        ["ports: [\"80:80\"]\n", "ports: [\"81:80\"]\n", "ports: [\"82:80\"]\n"],
        ["m: [[1, 2]]\n", "m: [[1, 3]]\n", "m: [[1, 4]]\n"],
        ["l: [a, b]\n", "l: [a]\n", "l: [a, c]\n"],
        ["l: []\n", "l: [b]\n", "l: [c]\n"],
    ] {
        is_conflict([base, ours, theirs], &marked([ours, base, theirs]));
    }
}

#[test]
fn items_that_one_side_changes_and_those_that_both_add_are_none() {
    is_clean(["l: [1, 9]\n", "l: [0, 1, 9]\n", "l: [1, 9, 10]\n"], "l: [0, 1, 9, 10]\n");
    is_clean(["l: [1]\n", "l: [1, 2]\n", "l: [1, 3]\n"], "l: [1, 2, 3]\n");
    is_clean(["l: [1, 2]\n", "l: [1, 3]\n", "l: [1, 3]\n"], "l: [1, 3]\n");
    is_clean(["l: [1, 2, 3]\n", "l: [2, 3]\n", "l: [1, 2, 4]\n"], "l: [2, 4]\n");
    let (base, ours, theirs) =
        ("l:\n- n: a\n  v: 1\n- n: b\n", "l:\n- n: a\n  v: 2\n- n: b\n", "l:\n- n: a\n  v: 1\n- n: c\n");
    is_clean([base, ours, theirs], "l:\n- n: a\n  v: 2\n- n: c\n");
}

#[test]
fn an_order_that_both_change_and_one_that_would_get_lost_is_a_conflict() {
    for [base, ours, theirs] in [
        ["l: [a, b, c]\n", "l: [b, a, c]\n", "l: [c, a, b]\n"],
        ["l: [a, b, c]\n", "l: [a, b, c, d]\n", "l: [c, b, a]\n"],
    ] {
        is_conflict([base, ours, theirs], &marked([ours, base, theirs]));
    }
}

#[test]
fn what_one_side_removes_and_the_other_changes_is_a_conflict() {
    let [base, gone, changed] = ["a: 1\nb: {x: 1}\n", "a: 1\n", "a: 1\nb: {x: 2}\n"];
    let shown = marked(["", "b: {x: 1}\n", "b: {x: 2}\n"]);
    is_conflict([base, gone, changed], &format!("a: 1\n{shown}"));
    let shown = marked(["b: {x: 2}\n", "b: {x: 1}\n", ""]);
    is_conflict([base, changed, gone], &format!("a: 1\n{shown}"));
    let [base, gone, changed] = ["m:\n  b: 1\n  c: 1\nd: 1", "m:\n  c: 1\nd: 1", "m:\n    b: 2\n    c: 1\nd: 2"];
    let shown = marked(["", "    b: 1\n", "    b: 2\n"]);
    is_conflict([base, gone, changed], &format!("m:\n{shown}    c: 1\nd: 2"));
    let shown = marked(["", "e: 1\n", "e: 2\n"]);
    is_conflict(["a: 1\ne: 1\n", "a: 1", "a: 1\ne: 2"], &format!("a: 1\n{shown}"));
    let shown = marked(["", "b: 1\n", "b: 2\n"]) + &marked(["c: 2\n", "c: 1\n", "c: 3\n"]);
    is_conflict(["a: 1\nb: 1\nc: 1\n", "a: 1\nc: 2\n", "a: 1\nb: 2\nc: 3\n"], &format!("a: 1\n{shown}"));
    is_clean([base, gone, base], gone);
    is_clean([base, base, gone], gone);
}

#[test]
fn what_stands_in_braces_is_shown_with_them() {
    let [base, gone, changed] = ["m: {a: 1, b: 1}\n", "m: {b: 1}\n", "m: {a: 2, b: 1}\n"];
    is_conflict([base, gone, changed], &marked([gone, base, changed]));
    is_conflict([base, changed, gone], &marked([changed, base, gone]));
    let [base, gone, changed] = ["{\n\"a\": 1,\n\"b\": 1\n}\n", "{\n\"b\": 1\n}\n", "{\n\"a\": 2,\n\"b\": 1\n}\n"];
    if Command::new("git").arg("--version").output().is_ok() {
        let merged = merge([base, gone, changed]);
        assert_eq!(merged.told, "warning: app.yml: merged by lines, for a: removed by us, changed by them\n");
        assert!(merged.status == Some(1) && merged.text.contains("<<<<<<< ours\n"), "{}", merged.text);
    }
}

#[test]
fn items_that_both_sides_remove_are_gone() {
    let [base, ours, theirs] = ["l: [1, 2]\n", "l: [1]\n", "l: [2]\n"];
    is_conflict([base, ours, theirs], &marked([ours, base, theirs]));
    is_clean(["l:\n- 1\n- 2\n", "l:\n- 1\n", "l:\n- 2\n"], "l: []\n");
    is_clean(["l: [1, 2, 3]\n", "l: [1, 3]\n", "l: [2, 3]\n"], "l: [3]\n");
}

#[test]
fn words_behind_a_value_that_both_change_are_a_conflict() {
    let [base, ours, theirs] = ["a: 1 # x\n", "a: 1 # y\n", "a: 1 # z\n"];
    is_conflict([base, ours, theirs], &marked([ours, base, theirs]));
    is_clean([base, "a: 2 # x\n", "a: 1   # z\n"], "a: 2   # z\n");
}

#[test]
fn a_file_that_one_side_empties_and_the_other_changes_is_a_conflict() {
    if Command::new("git").arg("--version").output().is_err() {
        return;
    }
    let merged = merge(["a: 1\n", "", "a: 2\n"]);
    assert_eq!(merged.status, Some(1), "{}", merged.text);
    assert_eq!(merged.told, "warning: app.yml: merged by lines, for (file): removed by us, changed by them\n");
}

#[test]
fn documents_are_merged_each_for_itself() {
    let merged = marked(["b: 2\n", "b: 1\n", "b: 3\n"]);
    is_conflict(["a: 1\n---\nb: 1\n", "a: 1\n---\nb: 2\n", "a: 1\n---\nb: 3\n"], &format!("a: 1\n---\n{merged}"));
    is_clean(
        ["a: 1\n---\nb: 1\n", "a: 1\n---\nb: 2\n", "a: 3\n---\nb: 1\n---\nc: 1\n"],
        "a: 3\n---\nb: 2\n---\nc: 1\n",
    );
}
