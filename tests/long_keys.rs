//! A key of more than 1,024 characters stands behind `?`, or programs do not find its colon (YAML 1.2.2 §7.4.2).
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;
mod folder;

use common::{contents, yamlift};
use folder::folder_of;
use yamlift::{ErrorKind, Options};

/// One character more than a key has that no `?` stands before.
fn long() -> String {
    "k".repeat(1025)
}

/// `K` in a text stands for a long key.
fn with_key(text: &str) -> String {
    text.replace('K', &long())
}

#[test]
fn what_moves_under_a_long_key_stands_behind_a_question_mark() {
    let table = [
        ("a: 1 # one\nb: 2\n", "a=K", "? K\n: 1 # one\nb: 2\n"),
        ("a:\n  x: 1\nb: 2\n", "a=K", "? K\n:\n  x: 1\nb: 2\n"),
        ("a:\n- x\nb: 2\n", "a=K", "? K\n:\n- x\nb: 2\n"),
        ("b: 2\na: |\n  x", "a=K", "b: 2\n? K\n: |\n  x"),
        ("a: 1\nb: 2\n", "a=c/K", "b: 2\nc:\n  ? K\n  : 1\n"),
        ("a: 1\nb: 2\n", "a=K/c", "b: 2\n? K\n:\n  c: 1\n"),
        ("a:\r\n  x: 1\r\nb: 2\r\n", "a/x=a/K", "a:\r\n  ? K\r\n  : 1\r\nb: 2\r\n"),
        ("a: {x: 1, y: 2}\nb: 2\n", "a/x=a/K", "a: {? K: 1, y: 2}\nb: 2\n"),
        ("a: {? &n \"x\" : 1, y: *n}\nb: 2\n", "a/x=a/K", "a: {? &n \"K\" : 1, y: *n}\nb: 2\n"),
    ];
    for (current, way, expected) in table {
        let (from, to) = way.split_once('=').unwrap();
        let mut options = Options::default();
        options.moves = vec![(from.to_owned(), with_key(to))];
        let done = yamlift::upgrade(current, "b: 2\n", &options).unwrap();
        assert_eq!(done.text(), with_key(expected), "{current}");
        let again = yamlift::upgrade(done.text(), "b: 2\n", &Options::default()).unwrap();
        assert_eq!(again.text(), done.text(), "{current}: a second run");
    }
}

#[test]
fn what_cannot_move_under_a_long_key_is_refused_with_words() {
    let mut options = Options::default();
    options.moves = vec![("b".to_owned(), with_key("a/K"))];
    let refused = yamlift::upgrade("a: {x: 1}\nb: 2\n", "c: 1\n", &options).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Input);
    assert!(refused.what().contains("cannot be written there"), "{refused}");
}

#[test]
fn braces_with_a_long_key_become_lines() {
    let update = with_key("a: {? K : 1, x: {y: 1}}\n");
    let done = yamlift::upgrade("a:\n  b: 1\n", &update, &Options::default()).unwrap();
    assert_eq!(done.text(), with_key("a:\n  b: 1\n  ? K\n  : 1\n  x: {y: 1}\n"));
    let own = "yamlift: 1\nlists: {\"**\": append}\n";
    for (first, second, expected) in [
        ("a: {? K : 1}\n", "a: {b: 2}\n", "a:\n  ? K\n  : 1\n  b: 2\n"),
        ("a: {b: 2}\n", "a: {? K : 1}\n", "a:\n  b: 2\n  ? K\n  : 1\n"),
        ("a: {b: 2}\n", "a: {? [K] : 1}\n", "a:\n  b: 2\n  ? [K]\n  : 1\n"),
        ("a: {b: 2}\n", "a: {? &x K : *x}\n", "a:\n  b: 2\n  ? &x K\n  : *x\n"),
        ("a: {b: 2}\n", "a: {? &x 'K' : [*x]}\n", "a:\n  b: 2\n  ? &x 'K'\n  : [*x]\n"),
    ] {
        let dir = folder_of(&[("rules.yml", own), ("1.yml", &with_key(first)), ("2.yml", &with_key(second))]);
        let output = yamlift(dir.path()).args(["merge", "--rules", "rules.yml", "1.yml", "2.yml"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(contents(dir.path()).len(), 3, "no file is written");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), with_key(expected), "{first}");
    }
}

#[test]
fn a_long_key_is_refused_in_words_that_say_so() {
    for (text, column) in [
        ("K: 1\n", 1),
        ("a: 1\nK: 1\n", 1),
        ("- \"K\": 1\n", 3),
        ("a:\n  &x K: 1\n", 3),
        ("[K]: 1\n", 1),
        ("{[K]: 1}\n", 2),
        ("a: {b, {c: K}: 1}\n", 8),
        ("{[K,\n  a]: 1}\n", 2),
    ] {
        let refused = yamlift::outline(&with_key(text)).unwrap_err();
        assert!(refused.what().contains("a key of more than 1024 characters"), "{text}: {refused}");
        assert_eq!(refused.place().map(|place| place.column), Some(column), "{text}");
    }
}
