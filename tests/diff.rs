//! `yamlift diff`, `yamlift prune`, and the diffs of an upgrade: what is told, and what holds for every file.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;
use std::process::Output;

use yamlift::{Difference, DifferenceKind, Options, differences, prune, upgrade};

mod common;

use common::{contents, yamlift};

/// The differences as lines: sign, path, before, after.
fn told(old: &str, new: &str) -> Vec<String> {
    let line = |difference: &Difference| {
        let sign = match difference.kind {
            DifferenceKind::Added => '+',
            DifferenceKind::Removed => '-',
            DifferenceKind::Changed => '~',
            _ => '>',
        };
        let items = [("+", &difference.gained), ("-", &difference.lost)];
        let items = items.iter().flat_map(|(sign, items)| items.iter().map(move |item| format!("{sign}{item}")));
        let values = [&difference.before, &difference.after].into_iter().flatten().cloned();
        let words: Vec<_> =
            if difference.gained.len() + difference.lost.len() > 0 { items.collect() } else { values.collect() };
        format!("{sign} {} {}", difference.path, words.join(" "))
    };
    differences(old, new).unwrap().iter().map(line).collect()
}

#[test]
fn comments_order_of_keys_quotes_and_layout_are_no_difference() {
    let old = "# head\na: one\nb: {c: 1, d: [x, y]}\ne: |\n  text\n";
    let new = "e: \"text\\n\"\nb:\n    d:\n    - \"x\"\n    - y\n    c: 1 # one\na: 'one'\n";
    assert_eq!(told(old, new), [""; 0]);
}

#[test]
fn one_null_is_any_other() {
    assert_eq!(told("a: ~\nl: [~, 1]\nm: {x: }\nn:\n", "a: null\nl: [NULL, 1]\nm: {x: Null}\nn: ~\n"), [""; 0]);
    assert_eq!(told("a: 'null'\nb: ''\n", "a: null\nb:\n").len(), 2);
    let dir = folder(&[("one.yml", "a: ~\n"), ("two.yml", "a: null\n"), ("three.yml", "a:\n")]);
    for words in [["diff", "--check", "one.yml", "two.yml"], ["diff", "--check", "two.yml", "three.yml"]] {
        assert_eq!(run(&dir, &words).status.code(), Some(0), "{words:?}");
    }
}

#[test]
fn text_and_number_are_a_difference() {
    assert_eq!(told("a: 1\n", "a: '1'\n"), ["~ a 1 \"1\""]);
    assert_eq!(told("a: !x b\n", "a: !y b\n"), ["~ a !x b !y b"]);
    assert_eq!(told("a: {b: 1}\n", "a: [b]\n"), ["~ a {b: 1} [b]"]);
}

#[test]
fn items_are_found_by_what_they_are_called() {
    let old = "jobs:\n- {name: web, port: 1}\n- {name: db, port: 2}\n- {name: old, port: 3}\n";
    let new = "jobs:\n- {name: new, port: 4}\n- {name: web, port: 1}\n- {name: db, port: 9}\n";
    let expected =
        ["+ jobs[name=new] {name: new, port: 4}", "~ jobs[name=db]/port 2 9", "- jobs[name=old] {name: old, port: 3}"];
    assert_eq!(told(old, new), expected);
}

#[test]
fn a_list_tells_what_came_and_what_went_and_its_order() {
    assert_eq!(told("l: [a, b, c]\n", "l: [a, c, d, e]\n"), ["~ l +d +e -b"]);
    assert_eq!(told("l: [a, b]\n", "l: [b, a]\n"), ["> l [b, a]"]);
    assert_eq!(told("l: [a, a]\n", "l: [a]\n"), ["~ l -a"]);
}

#[test]
fn documents_are_found_by_kind_and_name() {
    let (one, two) = ("kind: A\nmetadata: {name: x}\nv: 1\n", "kind: B\nmetadata: {name: y}\nv: 2\n");
    let changed = two.replace("v: 2", "v: 3");
    assert_eq!(told(&format!("{one}---\n{two}"), &format!("{changed}---\n{one}")), ["~ @0/v 2 3"]);
}

#[test]
fn an_alias_is_what_it_stands_for() {
    assert_eq!(told("a: &x 1\nb: *x\n", "a: &y 1\nb: *y\n"), [""; 0]);
    assert_eq!(told("a: &x 1\nb: *x\n", "a: 1\nb: 1\n"), [""; 0]);
    assert_eq!(told("a: &x 1\nb: *x\n", "a: 1\nb: 2\n"), ["~ b *x 2"]);
}

/// Of all cases of upgrades: nothing differs between a file and itself, and an upgrade's differences are those that turn one
/// file into the other: what is gone or changed is in the old file, what is new is in the new one.
#[test]
fn every_difference_of_an_upgrade_is_where_it_says() {
    let mut seen = 0;
    for case in cases() {
        let (current, update) = (read(&case, "current.yml"), read(&case, "update.yml"));
        let Ok(done) = upgrade(&current, &update, &Options::default()) else { continue };
        assert_eq!(differences(&current, &current).unwrap(), [], "{}", case.display());
        let lines = |text: &str| text.split(['\n', '\r']).count();
        let (old, new) = (lines(&current), lines(done.text()));
        for difference in differences(&current, done.text()).unwrap() {
            let lines = if difference.kind == DifferenceKind::Removed { old } else { new };
            assert!(difference.line >= 1 && difference.line <= lines, "{}: {difference:?}", case.display());
            seen += 1;
        }
        let changed = done.report().changes().iter().any(|change| format!("{:?}", change.kind) == "Added");
        let differ = !differences(&current, done.text()).unwrap().is_empty();
        assert!(!changed || differ, "{}: something came in and nothing differs", case.display());
    }
    assert!(seen > 100, "the cases show next to nothing: {seen}");
}

/// What is left and the default have every value of the configuration between them, and what is left is its own again.
#[test]
fn what_is_pruned_comes_back_and_nothing_else_goes() {
    let mut seen = 0;
    for case in cases() {
        let (config, default) = (read(&case, "current.yml"), read(&case, "update.yml"));
        let Ok(pruned) = prune(&config, &default) else { continue };
        let again = prune(pruned.text(), &default).unwrap();
        let left = |text: &str| differences(text, pruned.text()).unwrap();
        assert!(left(&config).iter().all(|gone| gone.kind == DifferenceKind::Removed), "{}", case.display());
        assert_eq!(left(again.text()), [], "{}", case.display());
        seen += usize::from(!pruned.left_out().is_empty());
    }
    assert!(seen > 50, "the cases show next to nothing: {seen}");
}

#[test]
fn my_comments_stay_with_what_is_mine_and_a_list_is_whole() {
    let default = "# port\nport: 80\n# name\nname: web # of the host\nhosts:\n- name: a\n  ip: 1\n- name: b\n  ip: 2\n";
    let config =
        "# port\nport: 80\n# name\n# ours\nname: web # of the host\nhosts:\n- name: a\n  ip: 9\n- name: b\n  ip: 2\n";
    let pruned = prune(config, default).unwrap();
    assert_eq!(
        pruned.text(),
        "# name\n# ours\nname: web # of the host\nhosts:\n- name: a\n  ip: 9\n- name: b\n  ip: 2\n"
    );
    assert_eq!(pruned.left_out().iter().map(|gone| &*gone.path).collect::<Vec<_>>(), ["port"]);
}

#[test]
fn what_equals_the_default_goes_though_its_map_has_a_comment_of_mine() {
    let default = "sec:\n  x: 1\n  y: 2\n";
    let tries = [
        ("sec:\n  x: 1\n  y: 9\n  # mine\n", "sec:\n  y: 9\n  # mine\n"),
        ("# mine\nsec:\n  x: 1\n  y: 9\n", "# mine\nsec:\n  y: 9\n"),
        // Nothing else is left for it to stand on.
        ("sec:\n  x: 1\n  y: 2\n  # mine\n", "sec:\n  x: 1\n  y: 2\n  # mine\n"),
    ];
    for (config, left) in tries {
        assert_eq!(prune(config, default).unwrap().text(), left);
    }
}

#[test]
fn a_file_that_is_no_map_is_not_pruned() {
    for (config, what) in [("- a\n", "this is not a map"), ("a: 1\n---\nb: 1\n", "the file has several documents")] {
        assert_eq!(prune(config, "a: 1\n").unwrap_err().what(), what);
    }
    assert_eq!(prune("# nothing\n", "a: 1\n").unwrap().text(), "# nothing\n");
}

const OLD: &str = "server:\n  # the port\n  port: 80\n  token: s3cr3t\nlog: info\n";
const NEW: &str = "log: debug\nserver:\n    # the port\n    port: 80\n    token: other\n";

#[test]
fn the_command_tells_differences_and_masks_secrets() {
    let dir = folder(&[("old.yml", OLD), ("new.yml", NEW)]);
    let output = run(&dir, &["diff", "old.yml", "new.yml"]);
    let expected = "From old.yml to new.yml:\n    ~ log           info → debug\n    ~ server/token  *** → ***\n\n\
        2 differences.\nLayout: 2 lines only moved or indented otherwise.\n";
    assert_eq!((stdout(&output), output.status.code()), (expected, Some(0)));
    assert_eq!(run(&dir, &["diff", "--check", "-q", "old.yml", "new.yml"]).status.code(), Some(1));
    assert_eq!(run(&dir, &["diff", "--check", "-q", "old.yml", "old.yml"]).status.code(), Some(0));
    let words = run(&dir, &["diff", "--diff=words", "old.yml", "new.yml"]);
    assert!(!stdout(&words).contains("s3cr3t") && stdout(&words).starts_with("--- old.yml\n"), "{}", stdout(&words));
}

#[test]
fn differences_are_data_too() {
    let dir = folder(&[("old.yml", "l: [a]\nb: 1\n"), ("new.yml", "l: [c]\n")]);
    let output = run(&dir, &["diff", "--format", "json", "old.yml", "new.yml"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let expected = serde_json::json!([
        {"kind": "changed", "path": "l", "line": 1, "before": "[a]", "after": "[c]", "gained": ["c"], "lost": ["a"]},
        {"kind": "removed", "path": "b", "line": 2, "before": "1"},
    ]);
    assert_eq!((&json["differences"], &json["schema"]), (&expected, &1.into()));
}

#[test]
fn an_overlay_is_what_differs_as_it_is_written() {
    let dir =
        folder(&[("mine.yml", "a: 1 # one\nb: {c: 2, d: 3}\n"), ("default.yml", "a: 1 # one\nb: {c: 2, d: 4}\n")]);
    let output = run(&dir, &["diff", "--format", "yaml", "mine.yml", "default.yml"]);
    assert_eq!(stdout(&output), "b: {d: 3}\n");
}

#[test]
fn prune_replaces_the_file_keeps_a_backup_and_tells() {
    let dir = folder(&[("mine.yml", "a: 1\nb: 2\n"), ("default.yml", "a: 1\nb: 3\nc: 4\n")]);
    let before = contents(dir.path());
    let output = run(&dir, &["prune", "--dry-run", "mine.yml", "default.yml"]);
    assert!(stdout(&output).ends_with("\n1 left out.\nNothing was written.\n"), "{}", stdout(&output));
    assert_eq!(contents(dir.path()), before);
    let output = run(&dir, &["prune", "mine.yml", "default.yml"]);
    assert!(
        stdout(&output).contains("    - a  1\n") && stdout(&output).contains("    + c  4\n"),
        "{}",
        stdout(&output)
    );
    assert!(stdout(&output).contains("\n  Backup: "), "{}", stdout(&output));
    assert_eq!(fs::read_to_string(dir.path().join("mine.yml")).unwrap(), "b: 2\n");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3);
}

#[test]
fn a_long_diff_of_an_upgrade_is_told_by_its_values_and_says_why() {
    let key = |value: usize, at: usize| format!("# key {at} of {value}\nkey{at}: {value}\n");
    let keys = |value: usize| (0..60).map(|at| key(value, at)).collect::<Vec<_>>().concat();
    let (old, new) = (keys(1) + "gone: 1\n", keys(2) + "new: {a: 1}\n");
    let dir = folder(&[("config.yml", &old), ("old.yml", &old), ("new.yml", &new)]);
    let output = run(&dir, &["upgrade", "--dry-run", "--base", "old.yml", "config.yml", "new.yml"]);
    let text = stdout(&output);
    assert!(text.contains("\n  Changes of values:\n    ~ key0   1 → 2   you had the default\n"), "{text}");
    assert!(text.contains("    - gone   1   no longer used\n") && text.contains("    + new    {a: 1}\n"), "{text}");
    assert!(!text.contains("Added from the new default"), "{text}");
    assert!(text.contains("\n1 added, 60 defaults changed, 1 dropped.\n"), "{text}");
    let none = run(&dir, &["upgrade", "--dry-run", "--diff=none", "--base", "old.yml", "config.yml", "new.yml"]);
    assert!(stdout(&none).contains("Added from the new default:\n    new"), "{}", stdout(&none));
}

#[test]
fn a_moved_value_is_one_difference() {
    let dir = folder(&[("config.yml", "server:\n  port: 8080\n"), ("new.yml", "http:\n  port: 80\n")]);
    let words = ["upgrade", "--dry-run", "--diff=values", "--move", "server/port=http/port", "config.yml", "new.yml"];
    let output = run(&dir, &words);
    assert!(stdout(&output).contains("moved from server/port"), "{}", stdout(&output));
}

/// The item of which a key was commented out has another number in the result.
#[test]
fn what_the_release_commented_out_says_so_in_whichever_item_it_is() {
    let old = "l:\n- name: gone\n  port: 0\n- name: a\n  port: 1\n  url: x\n- name: b\n  port: 2\n";
    let new = "l:\n- name: a\n  port: 1\n  # url: y\n- name: b\n  port: 2\n";
    let dir = folder(&[("config.yml", old), ("old.yml", old), ("new.yml", new)]);
    let words = ["upgrade", "--dry-run", "--diff=values", "--base", "old.yml", "config.yml", "new.yml"];
    let output = run(&dir, &words);
    let expected = "    - l[name=gone]   {name: gone, port: 0}   no longer used\n";
    let commented_out = "    - l[name=a]/url  x   commented out by the release\n";
    assert!(stdout(&output).contains(expected) && stdout(&output).contains(commented_out), "{}", stdout(&output));
}

#[test]
fn check_with_a_diff_shows_what_it_would_do_and_changes_nothing() {
    let dir = folder(&[("config.yml", "a: 1\n"), ("new.yml", "a: 1\nb: 2\n")]);
    let before = contents(dir.path());
    let output = run(&dir, &["upgrade", "--check", "--diff", "config.yml", "new.yml"]);
    assert!(stdout(&output).contains("+b: 2\n") && output.status.code() == Some(1), "{}", stdout(&output));
    assert!(stdout(&output).ends_with("Nothing was written.\n"), "{}", stdout(&output));
    assert_eq!(contents(dir.path()), before);
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(dir.path().join(name), text).unwrap();
    }
    dir
}

fn run(dir: &tempfile::TempDir, words: &[&str]) -> Output {
    let output = yamlift(dir.path()).args(words).output().unwrap();
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn stdout(output: &Output) -> &str {
    str::from_utf8(&output.stdout).unwrap()
}

fn cases() -> Vec<std::path::PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/upgrade");
    let entries = |dir: &Path| fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    let all = entries(&root).iter().flat_map(|theme| entries(theme)).collect::<Vec<_>>();
    all.into_iter().filter(|case| case.join("update.yml").exists()).collect()
}

fn read(case: &Path, name: &str) -> String {
    fs::read_to_string(case.join(name)).unwrap_or_default()
}
