//! What `restore` tells before and after it brings a backup back: the list of backups, a dry run, a diff, and JSON.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;
mod folder;

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Output;
use std::time::{Duration, UNIX_EPOCH};

use common::{contents, yamlift};
use folder::folder_of;
use rustix::fs::{FlockOperation, flock};
use serde_json::{Value, json};
use tempfile::TempDir;

const CONFIG: &str = "# Relay\nlisten: 80\nqueue: 200\npassword: mine\n";
const OLDER: &str = "# Relay\nlisten: 80\n";
const NEWER: &str = "# Relay\nlisten: 443\nqueue: 200\npassword: theirs\n";

/// A directory with a configuration and two backups of it, the first of which is a second older.
fn host() -> TempDir {
    let kept = [("relay.yml.20260101000000Z", OLDER), ("relay.yml.20260101000001Z", NEWER)];
    let dir = folder_of(&[("relay.yml", CONFIG), kept[0], kept[1]]);
    for ((name, _), second) in kept.into_iter().zip(0..) {
        let time = UNIX_EPOCH + Duration::from_secs(1_767_225_600 + second);
        File::options().write(true).open(dir.path().join(name)).unwrap().set_modified(time).unwrap();
    }
    dir
}

fn run(dir: &TempDir, words: &[&str]) -> Output {
    yamlift(dir.path()).args(words).output().unwrap()
}

fn told(dir: &TempDir, words: &[&str]) -> String {
    let output = run(dir, words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(dir: &TempDir, words: &[&str]) -> Value {
    serde_json::from_str(&told(dir, &[words, &["--format", "json"]].concat())).unwrap()
}

/// The path of the directory as reports name it.
fn home(dir: &TempDir) -> String {
    dir.path().canonicalize().unwrap().display().to_string()
}

#[test]
fn the_backups_are_listed_with_what_differs_the_newest_first() {
    let dir = host();
    fs::write(dir.path().join("relay.yml"), OLDER).unwrap();
    let before = contents(dir.path());
    let list = format!(
        "Your file:    relay.yml (19 bytes, 2 lines)\nBackups in {}, the newest first:\n\n  \
         2026-01-01T00:00:01Z  48 bytes  3 values differ  relay.yml.20260101000001Z\n  \
         2026-01-01T00:00:00Z  19 bytes         the same  relay.yml.20260101000000Z\n",
        home(&dir)
    );
    assert_eq!(told(&dir, &["restore", "--list", "relay.yml"]), list);
    assert_eq!(before, contents(dir.path()));
}

#[test]
fn the_backups_are_listed_as_json() {
    let dir = host();
    let name = "relay.yml.20260101000001Z";
    let list = json(&dir, &["restore", "--list", "relay.yml"]);
    assert_eq!(list["configuration"], json!({"name": "relay.yml", "bytes": 45, "lines": 4}));
    assert_eq!(list["folder"], home(&dir));
    let path = format!("{}/{name}", home(&dir));
    let newest = json!({"name": name, "path": path, "time": "2026-01-01T00:00:01Z", "bytes": 48, "differing_lines": 2,
                        "differing_values": 2, "error": null});
    assert_eq!((&list["schema"], &list["backups"][0]), (&json!(1), &newest));
    assert_eq!(list["backups"].as_array().unwrap().len(), 2);
}

#[test]
fn a_list_without_backups_or_without_a_configuration_is_no_error() {
    let dir = host();
    fs::create_dir(dir.path().join("old")).unwrap();
    fs::rename(dir.path().join("relay.yml.20260101000001Z"), dir.path().join("old/relay.yml.20260101000001Z")).unwrap();
    let list = told(&dir, &["restore", "--list", "relay.yml", "--backup-dir", "none"]);
    assert!(list.contains("\nNo backups in "), "{list}");
    let list = told(&dir, &["restore", "--list", "relay.yml", "--backup-dir", "old"]);
    assert!(list.contains("  2 values differ  relay.yml.20260101000001Z\n") && list.lines().count() == 4, "{list}");
    fs::write(dir.path().join("relay.yml"), "# of ours\n{listen: 443, password: theirs, queue: 200}\n").unwrap();
    let list = told(&dir, &["restore", "--list", "relay.yml", "--backup-dir", "old"]);
    assert!(list.contains("  the same values  relay.yml.20260101000001Z\n"), "{list}");
    fs::write(dir.path().join("relay.yml"), "a: [1\n").unwrap();
    let list = told(&dir, &["restore", "--list", "relay.yml", "--backup-dir", "old"]);
    assert!(list.contains("  4 lines differ  relay.yml.20260101000001Z\n"), "{list}");
    fs::remove_file(dir.path().join("relay.yml")).unwrap();
    let list = told(&dir, &["restore", "--list", "relay.yml"]);
    assert!(list.starts_with("Your file:    relay.yml (does not exist)\n"), "{list}");
    assert!(list.contains("  2 lines differ  relay.yml.20260101000000Z\n"), "{list}");
    assert_eq!(json(&dir, &["restore", "--list", "relay.yml"])["configuration"], Value::Null);
}

#[test]
fn a_dry_run_tells_what_would_be_restored_and_changes_nothing() {
    let dir = host();
    let before = contents(dir.path());
    let would = told(&dir, &["restore", "relay.yml", "--dry-run"]);
    let wanted = format!(
        "Your file:    relay.yml\nWould be restored from {}/relay.yml.20260101000001Z\n\
         What it holds now would be kept as a backup\n\n--- relay.yml\n\
         +++ relay.yml (restored)\n@@ -1,4 +1,4 @@\n # Relay\n-listen: 80\n+listen: 443\n queue: 200\n\
         -password: ***\n+password: *** (changed)\n",
        home(&dir)
    );
    assert_eq!(would, wanted);
    assert_eq!(before, contents(dir.path()));
    assert!(!told(&dir, &["restore", "relay.yml", "--dry-run", "--no-backup"]).contains("would be kept"));
    // A name in the list can be given, whatever the directory of the backups is.
    let named = yamlift(std::path::Path::new("/"))
        .args(["restore", "--dry-run"])
        .arg(dir.path().join("relay.yml"))
        .arg("relay.yml.20260101000000Z")
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&named.stdout).contains("/relay.yml.20260101000000Z\n"), "{named:?}");
    assert!(!told(&dir, &["restore", "relay.yml", "--diff"]).contains("Would"));
    assert_eq!(fs::read_to_string(dir.path().join("relay.yml")).unwrap(), NEWER);
}

#[test]
fn what_restore_did_is_told_as_json() {
    let dir = host();
    let would = json(&dir, &["restore", "relay.yml", "--dry-run"]);
    assert_eq!(
        (&would["status"], &would["written"], &would["backup"]),
        (&json!("restored"), &json!(false), &Value::Null)
    );
    assert!(would["diff"].as_str().unwrap().contains("\n-listen: 80\n+listen: 443\n"));
    let done = json(&dir, &["restore", "relay.yml"]);
    assert_eq!((&done["schema"], &done["written"], &done["diff"]), (&json!(1), &json!(true), &Value::Null));
    assert_eq!(done["configuration"], json!({"name": "relay.yml", "bytes": 45, "lines": 4}));
    let from = format!("{}/relay.yml.20260101000001Z", home(&dir));
    assert_eq!(done["from"], json!({"name": from, "bytes": 48, "lines": 4}));
    assert_eq!(fs::read_to_string(done["backup"].as_str().unwrap()).unwrap(), CONFIG);
    let same = json(&dir, &["restore", "relay.yml", "relay.yml.20260101000001Z"]);
    assert_eq!((&same["status"], &same["written"]), (&json!("unchanged"), &json!(false)));
}

#[test]
fn a_diff_shows_no_secret_also_where_the_configuration_is_broken() {
    for broken in
        ["a: [\npassword: hunter2\ntoken: |\n  hunter2\n", "\u{1b}: 1\npassword: hunter2\n", "password: hunter2\n"]
    {
        let dir = host();
        fs::write(dir.path().join("relay.yml"), broken).unwrap();
        for words in [&["--dry-run"][..], &["--dry-run", "--format", "json"], &["--diff"]] {
            let told = told(&dir, &[&["restore", "relay.yml"], words].concat());
            assert!(told.contains("***") && !told.contains("hunter2") && !told.contains("theirs"), "{told}");
        }
        let back = told(&dir, &["restore", "relay.yml", "--dry-run", "--secret", "listen"]);
        assert!(!back.contains("listen: 443") && !back.contains("hunter2"), "{back}");
        assert!(told(&dir, &["restore", "relay.yml", "--dry-run", "--show-secrets"]).contains("hunter2"));
    }
}

#[test]
fn a_secret_path_that_names_nothing_is_told() {
    let output = run(&host(), &["restore", "relay.yml", "--dry-run", "--secret", "lisen"]);
    let told = String::from_utf8_lossy(&output.stderr);
    let words = "warning: --secret `lisen` names nothing in any of the files, did you mean `listen`?\n";
    assert!(output.status.success() && told == words, "{told}");
}

#[test]
fn who_may_only_read_there_can_look() {
    let dir = host();
    let lock = File::open(dir.path().join("relay.yml")).unwrap();
    flock(&lock, FlockOperation::NonBlockingLockExclusive).unwrap();
    fs::set_permissions(dir.path(), Permissions::from_mode(0o555)).unwrap();
    let looked = [&["--list"][..], &["--dry-run"], &["--list", "--format", "json"]]
        .map(|words| run(&dir, &[&["restore", "relay.yml"], words].concat()));
    fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
    for output in looked {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(contents(dir.path()).len(), 3);
}
