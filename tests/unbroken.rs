//! Files that end with a text and no line break: that text has no final line break either (YAML 1.2.2 §8.1.1.2), and has
//! none when a line follows.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;
mod folder;
mod printed;

use printed::printed;
use yamlift::{Base, Options};

fn upgraded(current: &str, update: &str) -> String {
    yamlift::upgrade(current, update, &Options::default()).unwrap().text().to_owned()
}

fn with_base(current: &str, base: &str, update: &str) -> String {
    let mut options = Options::default();
    options.base = Some(Base::from(base));
    yamlift::upgrade(current, update, &options).unwrap().text().to_owned()
}

#[test]
fn the_header_says_so_as_soon_as_a_line_follows() {
    let table = [
        ("a: |\n  x", "a: |\n  y\nb: 1\n", "a: |-\n  x\nb: 1\n"),
        ("a: |+ # note\n  x", "a: q\nb: 1\n", "a: |- # note\n  x\nb: 1\n"),
        ("a: >2\n  x\n\n   y", "a: q\nb: 1\n", "a: >2-\n  x\n\n   y\nb: 1\n"),
        ("a: !t &x |+2\n  x", "a: q\nb: 1\n", "a: !t &x |-2\n  x\nb: 1\n"),
        ("a: |-\n  x", "a: q\nb: 1\n", "a: |-\n  x\nb: 1\n"),
        ("a: |\n  x\n   ", "a: q\nb: 1\n", "a: |-\n  x\n   \nb: 1\n"),
        ("a:\n  |\n  x", "a: q\nb: 1\n", "a:\n  |-\n  x\nb: 1\n"),
        ("m:\n  l:\n  - 1\n  - |\n   x", "m:\n  l: []\n# end\nn: 1\n", "m:\n  l:\n  - 1\n  - |-\n   x\n# end\nn: 1\n"),
        ("? k\n: |\n  x", "? k\n: q\nb: 1\n", "? k\n: |-\n  x\nb: 1\n"),
        ("? |\n  x", "a: 1\n", "? |-\n  x\na: 1\n"),
        ("? - 1\n  - b: |+\n      x", "a: 1\n", "? - 1\n  - b: |-\n      x\na: 1\n"),
        ("? ? >\n   x", "a: 1\n", "? ? >-\n   x\na: 1\n"),
        ("a: 1\n---\nb: |\n  x", "a: 1\n---\nb: q\n---\nc: 1\n", "a: 1\n---\nb: |-\n  x\n---\nc: 1\n"),
        ("a: 1\n--- |\n x", "a: 1\n--- |\n y\n---\nc: 1\n", "a: 1\n--- |-\n x\n---\nc: 1\n"),
        ("a: |\r\n  x", "a: q\nb: 1\n", "a: |-\r\n  x\r\nb: 1\r\n"),
        ("z: 1\na: |\n  x", "a: q\nz: 1\n", "a: |-\n  x\nz: 1\n"),
    ];
    for (current, update, expected) in table {
        assert_eq!(upgraded(current, update), expected, "{current}");
        assert_eq!(upgraded(expected, update), expected, "{current}: a second run");
    }
}

#[test]
fn where_no_line_follows_it_stays_as_it_is() {
    for text in ["a: |\n  x", "a: |+2\n  x", "- >\n x\n- |\n  y\n  ", "? - |+\n   x", "a:\n  &b |\n  x", "a: |\n   "] {
        assert_eq!(upgraded(text, text), text);
    }
    assert_eq!(upgraded("b: 1\na: |\n  x", "a: q\n"), "b: 1\na: |\n  x");
}

#[test]
fn a_text_of_the_new_default_comes_in_without_a_line_break() {
    assert_eq!(upgraded("a: 1\n", "a: 1\nb: |\n  x"), "a: 1\nb: |-\n  x\n");
    assert_eq!(upgraded("a: 1", "b: |+\n  x"), "a: 1\nb: |-\n  x\n");
    assert_eq!(with_base("a: q\nb: 1\n", "a: q\nb: 1\n", "b: 1\na: |\n  x"), "b: 1\na: |\n  x");
}

#[test]
fn a_line_break_that_a_text_has_stays() {
    assert_eq!(upgraded("a: 1", "a: 1\nb: |\n  x\n"), "a: 1\nb: |\n  x\n");
    assert_eq!(upgraded("a: |\n  x\nb: 1", "b: 1\na: q"), "b: 1\na: |\n  x\n");
    // The update's last line is the same, and has none.
    let (current, base) = ("a: |\n  x\nb: 1", "a: |\n  y\nb: 1");
    assert_eq!(with_base(current, base, "b: 1\na: |\n  x"), "b: 1\na: |\n  x\n");
    assert_eq!(with_base("b: 1\na: |\n  x", "b: 1\na: |\n  y", "b: 1\na: |\n  x\n"), "b: 1\na: |-\n  x\n");
}

#[test]
fn what_the_user_changed_is_told_by_what_programs_read() {
    // The user's text has a line break, the old default's has none: it was changed.
    assert_eq!(with_base("b: 1\na: |\n  x\n", "b: 1\na: |\n  x", "b: 2\na: |\n  y\n"), "b: 2\na: |\n  x\n");
    // Both have none, however that is written.
    assert_eq!(with_base("b: 1\na: |-\n  x\n", "b: 1\na: |\n  x", "b: 2\na: |\n  y\n"), "b: 2\na: |\n  y\n");
}

#[test]
fn a_text_that_moves_keeps_its_end() {
    let moves = vec![("a".to_owned(), "m/a".to_owned())];
    let mut options = Options::default();
    options.moves = moves;
    let done = yamlift::upgrade("b: 1\na: |\n  x", "m:\n  a: q\nb: 1\n", &options).unwrap();
    assert_eq!(done.text(), "m:\n  a: |-\n    x\nb: 1\n");
    let mut deleted = Options::default();
    deleted.delete = vec!["b".to_owned()];
    let done = yamlift::upgrade("a: |\n  x\nb: |\n  y", "a: q\n", &deleted).unwrap();
    assert_eq!(done.text(), "a: |\n  x\n");
}

#[test]
fn layers_are_merged_by_what_programs_read() {
    let own = ("rules.yml", "yamlift: 1\nlists: {\"**\": append}\n");
    let files = [own, ("a.yml", "#cloud-config\na: |\n  x"), ("b.yml", "#cloud-config\nb: |+\n  y")];
    for rules in ["cloud-init", "rules.yml"] {
        let merged = printed(&files, &["merge", "--rules", rules, "a.yml", "b.yml"]);
        assert!(merged.contains("a: |-\n  x\n") && merged.ends_with("b: |-\n  y\n"), "{rules}: {merged}");
    }
}
