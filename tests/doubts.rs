//! What is evidently not meant is told so that it is seen: files that are no pair, a CONFIG that is not there, paths that
//! name nothing.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;
mod folder;

use std::fmt::Write as _;
use std::fs;
use std::process::Output;

use common::{contents, yamlift};
use folder::folder_of;
use serde_json::Value;
use tempfile::TempDir;

fn run(dir: &TempDir, words: &[&str]) -> Output {
    yamlift(dir.path()).args(words).output().unwrap()
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8([&output.stdout[..], &output.stderr].concat()).unwrap()
}

/// A default with so many keys, from a number on; each has a comment over it.
fn keys(from: usize, count: usize) -> String {
    (from..from + count).fold(String::new(), |mut text, key| {
        write!(text, "# about {key}\nkey_{key}: {key}\n").unwrap();
        text
    })
}

#[test]
fn a_mistyped_config_is_told_with_the_file_that_was_meant() {
    let dir = folder_of(&[("config.yml", "port: 8080\n"), ("new.yml", "port: 80\n")]);
    let told = said(&run(&dir, &["upgrade", "confg.yml", "new.yml", "--dry-run"]));
    let warning = "confg.yml did not exist and is installed new, did you mean `config.yml`?";
    let head = told.split_once("\n\n").unwrap();
    assert!(
        head.0.starts_with("Your file:    confg.yml (installed new)\nNew default:  ") && head.0.lines().count() == 2,
        "{told}"
    );
    assert!(head.1.starts_with(&format!("  Warning: {warning}\n")), "{told}");
    let json = said(&run(&dir, &["upgrade", "confg.yml", "new.yml", "--dry-run", "--format", "json"]));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["warnings"][0], warning);
    assert!(json.get("alarms").is_none());
    let quiet = run(&dir, &["upgrade", "confg.yml", "new.yml", "-q"]);
    assert_eq!(String::from_utf8(quiet.stderr).unwrap(), format!("warning: {warning}\n"));
}

#[test]
fn a_config_that_must_exist_is_not_installed() {
    let dir = folder_of(&[("config.yml", "port: 8080\n"), ("new.yml", "port: 80\n")]);
    let before = contents(dir.path());
    for way in [&[][..], &["--dry-run"], &["--check"], &["-o", "out.yml"]] {
        let refused = run(&dir, &[&["upgrade", "confg.yml", "new.yml", "--must-exist"], way].concat());
        assert_eq!(refused.status.code(), Some(2), "{way:?}");
        let told = String::from_utf8(refused.stderr).unwrap();
        let words = "error: confg.yml: no such file, and --must-exist is given\n help: did you mean `config.yml`?\n";
        assert_eq!(told, words);
        assert_eq!(contents(dir.path()), before);
    }
    assert!(run(&dir, &["upgrade", "config.yml", "new.yml", "--must-exist"]).status.success());
}

#[test]
fn a_first_installation_is_told_and_quiet_where_that_is_asked_for() {
    let dir = folder_of(&[("new.yml", "port: 80\n"), ("web2.yml", "port: 1\n")]);
    let told = said(&run(&dir, &["upgrade", "web1.yml", "new.yml"]));
    assert!(told.contains("\n\n  Warning: web1.yml did not exist and is installed new\n"), "{told}");
    assert_eq!(said(&run(&dir, &["upgrade", "other.yml", "new.yml", "-q"])), "");
}

#[test]
fn files_with_almost_nothing_in_common_are_told_before_anything_else() {
    let dir = folder_of(&[("config.yml", &keys(0, 20)), ("new.yml", &keys(19, 30))]);
    let warning = "config.yml and new.yml have 1 of 20 keys in common: is new.yml the new default of config.yml?";
    let told = said(&run(&dir, &["upgrade", "config.yml", "new.yml", "--dry-run"]));
    assert!(told.starts_with(&format!("Warning: {warning}\n\nYour file: ")), "{told}");
    let json = said(&run(&dir, &["upgrade", "config.yml", "new.yml", "--dry-run", "--format", "json"]));
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["warnings"][0], warning);
    let quiet = run(&dir, &["upgrade", "config.yml", "new.yml", "-q"]);
    assert_eq!(String::from_utf8(quiet.stderr).unwrap(), format!("warning: {warning}\n"));
}

#[test]
fn sparse_files_and_files_of_commented_out_options_are_no_strangers() {
    let default = keys(0, 300);
    let options = default.replace("key_", "#key_") + "live: 1\nother: 2\nthird: 3\n";
    let inside = (0..30).fold("services:\n".to_owned(), |text, at| text + &format!("  other_{at}: {at}\n"));
    let theirs = "services:\n  one: 1\n  two: 2\n  three: 3\nversion: 3\n";
    let pairs = [
        (keys(5, 3), default.clone()),
        (keys(5, 4), options),
        ("own: 1\n".to_owned(), default.clone()),
        (String::new(), default.clone()),
        (inside, theirs.to_owned()),
        (keys(0, 9) + &keys(1000, 80).replace("# about", "# own"), default),
    ];
    for (config, new) in pairs {
        let dir = folder_of(&[("config.yml", &config), ("new.yml", &new)]);
        let told = said(&run(&dir, &["upgrade", "config.yml", "new.yml", "--dry-run"]));
        assert!(told.starts_with("Your file: "), "{told}");
    }
}

#[test]
fn an_old_default_that_is_not_the_users_is_told() {
    let dir = folder_of(&[("config.yml", &keys(50, 20)), ("new.yml", &keys(50, 25)), ("old.yml", &keys(0, 52))]);
    let told = said(&run(&dir, &["upgrade", "config.yml", "new.yml", "--base", "old.yml", "--dry-run"]));
    let warning = "Warning: config.yml does not look like it was made from old.yml: it has 2 of its 52 keys, and 20 of 25 of \
                   the new default\n\n";
    assert!(told.starts_with(warning), "{told}");
    let dir = folder_of(&[("config.yml", &keys(0, 5)), ("new.yml", &keys(0, 55)), ("old.yml", &keys(0, 52))]);
    let told = said(&run(&dir, &["upgrade", "config.yml", "new.yml", "--base", "old.yml", "--dry-run"]));
    assert!(told.starts_with("Your file: "), "{told}");
}

/// An old default, what a user made of it, and what the release made of it.
fn three() -> TempDir {
    let user = keys(0, 10).replace("key_3: 3", "key_3: 33").replace("key_4: 4", "key_4: 44");
    let new = keys(0, 13).replace("key_5: 5", "key_5: 55");
    folder_of(&[("config.yml", &user), ("new.yml", &new), ("old.yml", &keys(0, 10))])
}

#[test]
fn config_and_update_exchanged_are_told_where_the_old_default_tells() {
    let dir = three();
    let told = said(&run(&dir, &["upgrade", "new.yml", "config.yml", "--base", "old.yml", "--dry-run"]));
    let warning = "Warning: new.yml looks like a newer default, and config.yml like a configuration made from old.yml: are they \
                   exchanged?\n\n";
    assert!(told.starts_with(warning), "{told}");
    let told = said(&run(&dir, &["upgrade", "config.yml", "new.yml", "--base", "old.yml", "--dry-run"]));
    assert!(told.starts_with("Your file: "), "{told}");
}

#[test]
fn config_and_update_exchanged_are_told_where_their_backups_tell() {
    let dir = three();
    fs::write(dir.path().join("config.yml.20260101120000"), "a: 1\n").unwrap();
    let told = said(&run(&dir, &["upgrade", "new.yml", "config.yml", "--dry-run"]));
    assert!(
        told.starts_with("Warning: config.yml has backups beside it, as a configuration has, and new.yml has none"),
        "{told}"
    );
    let told = said(&run(&dir, &["upgrade", "config.yml", "new.yml", "--dry-run"]));
    assert!(told.starts_with("Your file: "), "{told}");
}

#[test]
fn config_and_update_exchanged_are_told_where_their_variables_tell() {
    let dir = folder_of(&[("config.yml", "host: #{host}\nport: 80\n"), ("new.yml", "host: db1\nport: 81\n")]);
    let told = said(&run(&dir, &["upgrade", "config.yml", "new.yml", "--dry-run"]));
    let warning = "Warning: config.yml has variables where new.yml has values: are they exchanged?\n\n";
    assert!(told.starts_with(warning), "{told}");
}

#[test]
fn a_path_that_names_nothing_is_told_with_the_nearest_key() {
    let files = [("config.yml", "db: {dsn: x}\nhosts:\n- name: a\n"), ("new.yml", "db: {dsn: y}\nhosts:\n- name: b\n")];
    let dir = folder_of(&files);
    for (words, near) in [
        (["--secret", "db/dns"], "--secret `db/dns` names nothing in any of the files, did you mean `db/dsn`?"),
        (["--list-key", "host=name"], "--list-key `host` names nothing in any of the files, did you mean `hosts`?"),
        (
            ["--list-merge", "**/hots=unique"],
            "--list-merge `**/hots` names nothing in any of the files, did you mean `hosts`?",
        ),
    ] {
        let told = said(&run(&dir, &[&["upgrade", "config.yml", "new.yml", "--dry-run"][..], &words].concat()));
        assert!(told.contains(&format!("Warning: {near}\n")), "{told}");
        let fresh = said(&run(&dir, &[&["upgrade", "fresh.yml", "new.yml", "--dry-run"][..], &words].concat()));
        assert!(fresh.contains(&format!("Warning: {near}\n")), "{fresh}");
    }
    for words in
        [["--secret", "db"], ["--secret", "**/dsn"], ["--list-key", "hosts=name"], ["--list-merge", "**/hosts=unique"]]
    {
        let told = said(&run(&dir, &[&["upgrade", "config.yml", "new.yml", "--dry-run"][..], &words].concat()));
        assert!(!told.contains("names nothing"), "{told}");
    }
    for words in [&["outline", "config.yml"][..], &["explain", "config.yml", "new.yml", "db"]] {
        let told = run(&dir, &[words, &["--secret", "db/dns"]].concat());
        assert!(String::from_utf8(told.stderr).unwrap().contains("did you mean `db/dsn`?"), "{words:?}");
    }
}

#[test]
fn a_path_that_names_nothing_is_told_with_the_nearest_one() {
    let files = [("config.yml", "server:\n  port: 8080\n  host: a\n"), ("new.yml", "server:\n  port: 80\n  host: b\n")];
    let dir = folder_of(&files);
    for (words, warning) in [
        (["-d", "server/prt"], "nothing to delete at `server/prt`, did you mean `server/port`?"),
        (["-d", "servr.host"], "nothing to delete at `servr.host`, did you mean `server/host`?"),
        (["--move", "server/prt=http/port"], "nothing to move at `server/prt`, did you mean `server/port`?"),
    ] {
        let told = said(&run(&dir, &[&["upgrade", "config.yml", "new.yml", "--dry-run"], &words[..]].concat()));
        assert!(told.contains(&format!("  Warning: {warning}\n")), "{told}");
    }
    // A second run has nothing to move, and nothing is misspelt.
    let words = ["upgrade", "config.yml", "new.yml", "--dry-run", "--move", "port=server/port"];
    assert!(said(&run(&dir, &words)).contains("  Warning: nothing to move at `port`\n"));
    let refused = run(&dir, &["explain", "config.yml", "new.yml", "server/prt"]);
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(told.contains(" help: did you mean `server/port`? `yamlift outline FILE` shows"), "{told}");
}

#[test]
fn a_key_that_a_default_without_any_live_key_does_not_know_is_told() {
    let default = "#window:\n#  title: app\n\n# Spaces: eight of them.\n#tabs: 8\n";
    let dir = folder_of(&[("config.yml", "window:\n  title: mine\ntab: 4\nlog: yes\n"), ("new.yml", default)]);
    let told = said(&run(&dir, &["upgrade", "config.yml", "new.yml", "--dry-run"]));
    let unknown = "Only in your file: your own, misspelt, or no longer used:\n    tab    3 | 4   (did you mean `tabs`?)\n    \
                   log    4 | yes\n\n";
    assert!(told.contains(unknown), "{told}");
    let refused = run(&dir, &["upgrade", "config.yml", "new.yml", "--fail-on", "unknown"]);
    assert_eq!(refused.status.code(), Some(3), "{refused:?}");
}

#[test]
fn a_variable_that_no_default_has_is_told_with_the_nearest_one() {
    let dir = folder_of(&[
        ("config.yml", "host: a\n"),
        ("new.yml", "host: '#{hostname}'\n"),
        ("old.yml", "host: '#{old_name}'\n"),
        ("all.properties", "other=1\n"),
    ]);
    let upgrade = ["upgrade", "config.yml", "new.yml", "--dry-run", "--base", "old.yml"];
    let words = ["-e", "hostnam=x", "-e", "PATH", "-e", "hostname=y", "-e", "old_name=z", "-e", "all.properties"];
    let told = said(&run(&dir, &[&upgrade[..], &words].concat()));
    let warnings: Vec<_> = told.lines().filter_map(|line| line.strip_prefix("  Warning: ")).collect();
    let known = ["the new default has no #{hostnam}, did you mean `hostname`?", "the new default has no #{PATH}"];
    assert_eq!(warnings, known, "{told}");
}

#[test]
fn a_version_that_leaves_out_steps_for_keys_that_are_there_is_told() {
    let dir = folder_of(&[
        ("config.yml", "old_port: 8080\n"),
        ("new.yml", "http: {port: 80}\n"),
        (
            "migration.yml",
            "yamlift: 1\nsteps:\n- {version: 2.0, move: {old_port: port}}\n- {version: 3.0, move: {port: http/port}}\n",
        ),
    ]);
    let warning =
        "--from 20 leaves out the steps for `old_port` (2.0), which your file has still: is it of an older version?";
    for (from, is_told) in [("1.4", false), ("2.0-rc1", false), ("20", true)] {
        let words = ["upgrade", "config.yml", "new.yml", "--dry-run", "--migration", "migration.yml", "--from", from];
        let told = said(&run(&dir, &words));
        assert_eq!(told.contains(warning), is_told, "{from}: {told}");
    }
}
