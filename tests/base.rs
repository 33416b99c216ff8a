//! The command with the old default: conflicts that are refused, what is remembered, what is explained, and chains of
//! releases.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;
mod folder;

use std::fs;
use std::path::Path;
use std::process::Output;

use common::{contents, yamlift};
use folder::folder_of;
use tempfile::TempDir;
use yamlift::{Base, Options};

const OLD: &str = "# Relay\nlisten: 80\ntimeout: 10\nlegacy: true\n";
const MINE: &str = "# Relay\nlisten: 8080\ntimeout: 10\nlegacy: true\nrack: b7\n";
const NEW: &str = "# Relay\nlisten: 443\ntimeout: 30\n";
const UPGRADED: &str = "# Relay\nlisten: 8080\ntimeout: 30\nrack: b7\n";

fn run(dir: &TempDir, words: &[&str]) -> Output {
    yamlift(dir.path()).args(words).output().unwrap()
}

fn read(dir: &TempDir, name: &str) -> String {
    fs::read_to_string(dir.path().join(name)).unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn conflicts_that_are_to_be_refused_are_all_named_and_nothing_is_touched() {
    let dir = folder_of(&[("config.yml", MINE), ("new.yml", NEW), ("old.yml", OLD)]);
    let before = contents(dir.path());
    let refused = run(&dir, &["upgrade", "config.yml", "new.yml", "--base", "old.yml", "--on-conflict", "fail"]);
    assert_eq!(refused.status.code(), Some(3));
    let told = "error: config.yml: a value was changed by you and by the release\n listen\n   config.yml:2: 8080\n   \
                new.yml:2: 443\n   old.yml:2: 80\n help: answer with --ask, choose with --on-conflict user or update, or change these \
                values first\n";
    assert_eq!(text(&refused.stderr), told);
    assert_eq!(contents(dir.path()), before);
}

#[test]
fn keys_that_no_default_knows_are_refused_where_that_is_asked_for() {
    let dir = folder_of(&[
        ("config.yml", "server:\n  prot: 1\nold: 2\nlabels: {team: x}\nown: 3\n"),
        ("new.yml", "server:\n  port: 1\nlabels: {}\n"),
        ("old.yml", "server:\n  port: 1\nold: 1\nlabels: {}\n"),
    ]);
    let before = contents(dir.path());
    let words = ["upgrade", "config.yml", "new.yml", "--fail-on", "unknown"];
    let refused = run(&dir, &words);
    assert_eq!(refused.status.code(), Some(3));
    let told = "error: config.yml:2:3: 3 keys that the new default does not know\n 2 |   prot: 1\n   |   ^\n   line 2: \
                server/prot, did you mean `port`?\n   line 3: old\n   line 5: own\n help: correct them or take them out, \
                or leave out --fail-on unknown if they are your own\n";
    assert_eq!(text(&refused.stderr), told);
    assert_eq!(contents(dir.path()), before);
    // The old default knows one of them; another is to go.
    let refused = run(&dir, &[&words[..], &["--base", "old.yml", "--delete", "own"]].concat());
    assert!(text(&refused.stderr).contains("config.yml:2:3: a key that the new default does not know\n"));
    assert_eq!(contents(dir.path()), before);
}

#[test]
fn what_is_remembered_is_the_old_default_of_the_next_upgrade() {
    let dir = folder_of(&[("old.yml", OLD), ("new.yml", NEW)]);
    let remember = |update| ["upgrade", "config.yml", update, "-b", "--remember", "memory"];
    assert_eq!(run(&dir, &remember("old.yml")).status.code(), Some(0), "the first installation");
    fs::write(dir.path().join("config.yml"), MINE).unwrap();
    let second = run(&dir, &remember("new.yml"));
    assert_eq!(read(&dir, "config.yml"), UPGRADED);
    assert!(text(&second.stdout).contains("\nOld default:  memory/"), "{}", text(&second.stdout));
    let third = run(&dir, &remember("new.yml"));
    assert!(text(&third.stdout).contains("Not changed"), "{}", text(&third.stdout));
}

#[test]
fn without_a_memory_or_with_a_damaged_one_two_files_decide_and_the_report_says_so() {
    let dir = folder_of(&[("config.yml", MINE), ("new.yml", NEW)]);
    let words = ["upgrade", "config.yml", "new.yml", "-b", "--remember", "memory"];
    let first = run(&dir, &words);
    assert_eq!(read(&dir, "config.yml"), "# Relay\nlisten: 8080\ntimeout: 10\nlegacy: true\nrack: b7\n");
    assert!(text(&first.stdout).contains("does not remember config.yml yet"), "{}", text(&first.stdout));
    let memory = find(&dir.path().join("memory"));
    let whole = fs::read_to_string(&memory).unwrap();
    fs::write(&memory, &whole[4..]).unwrap();
    let second = run(&dir, &words);
    assert_eq!(second.status.code(), Some(0));
    assert!(text(&second.stdout).contains("is damaged: upgraded without the old default"), "{}", text(&second.stdout));
    assert_eq!(fs::read_to_string(&memory).unwrap(), whole, "it is whole again");
}

#[test]
fn what_is_remembered_is_the_old_default_for_all_options_that_need_one() {
    let mine = "# Relay\nlisten: 80\ntimeout: 10\nlegacy: true\n";
    for (option, kept) in [("--keep-obsolete", "legacy: true"), ("--keep-defaults", "timeout: 10")] {
        let dir = folder_of(&[("config.yml", mine), ("old.yml", OLD), ("new.yml", NEW)]);
        let upgrade = |update| run(&dir, &["upgrade", "config.yml", update, "-b", "--remember", "memory", option]);
        let first = upgrade("old.yml");
        assert!(text(&first.stdout).contains("does not remember config.yml yet"), "{}", text(&first.stderr));
        assert_eq!(upgrade("new.yml").status.code(), Some(0));
        assert!(read(&dir, "config.yml").contains(kept), "{option}: {}", read(&dir, "config.yml"));
    }
}

#[test]
fn moves_are_suggested_only_where_an_old_default_is_remembered() {
    let dir = folder_of(&[("config.yml", OLD), ("old.yml", OLD), ("new.yml", NEW)]);
    let print = ["upgrade", "config.yml", "new.yml", "--remember", "memory", "--print-migration"];
    let refused = run(&dir, &print);
    assert_eq!(refused.status.code(), Some(2));
    let words =
        "does not remember config.yml yet\n help: --print-migration needs the default that CONFIG was made from";
    assert!(text(&refused.stderr).contains(words), "{}", text(&refused.stderr));
    run(&dir, &["upgrade", "config.yml", "old.yml", "-b", "--remember", "memory"]);
    assert!(text(&run(&dir, &print).stdout).contains("\nyamlift: 1\n"));
}

/// The only file below a folder.
fn find(dir: &Path) -> std::path::PathBuf {
    let inside = fs::read_dir(dir).unwrap().next().unwrap().unwrap().path();
    if inside.is_dir() { find(&inside) } else { inside }
}

#[test]
fn a_run_that_writes_nothing_remembers_nothing() {
    let dir = folder_of(&[("config.yml", MINE), ("new.yml", NEW)]);
    for word in ["--dry-run", "--check", "-ocopy.yml"] {
        run(&dir, &["upgrade", "config.yml", "new.yml", "--remember", "memory", word]);
        assert!(!dir.path().join("memory").exists(), "{word}");
    }
}

#[test]
fn what_the_release_commented_out_is_explained() {
    let new = "port: 80\n# retry: 5\n";
    let dir =
        folder_of(&[("config.yml", "port: 80\nretry: 10\n"), ("new.yml", new), ("old.yml", "port: 80\nretry: 10\n")]);
    let told = text(&run(&dir, &["explain", "config.yml", "new.yml", "retry", "--base", "old.yml"]).stdout);
    let because = "you never touched it, and the release commented it out: # retry: 5   (was 10)";
    assert_eq!(told, format!("retry is not in the result\n  from     config.yml:2: 10\n  because  {because}\n"));
}

#[test]
fn each_path_is_explained_in_three_lines() {
    let dir = folder_of(&[("config.yml", MINE), ("new.yml", NEW), ("old.yml", OLD)]);
    let table = [
        (
            "timeout",
            "timeout = 30\n  from     new.yml:3: 30\n  because  you never touched it, and the release changed it: 30   (was 10)\n",
        ),
        (
            "legacy",
            "legacy is not in the result\n  from     config.yml:4: true\n  because  you never touched it, and the release dropped it\n",
        ),
        (
            "rack",
            "rack = b7\n  from     config.yml:5: b7\n  because  only your file has it, and keys of your own stay\n",
        ),
    ];
    for (path, told) in table {
        let explained = run(&dir, &["explain", "config.yml", "new.yml", path, "--base", "old.yml"]);
        assert_eq!(text(&explained.stdout), told);
    }
    let unknown = run(&dir, &["explain", "config.yml", "new.yml", "port"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert_eq!(read(&dir, "config.yml"), MINE);
}

#[test]
fn suggested_moves_are_a_migration_file_that_can_be_given_back() {
    let (old, new) = ("read_timeout_in_ms: 5000\n", "read_timeout: 5000ms\n");
    let dir = folder_of(&[("config.yml", "read_timeout_in_ms: 9000\n"), ("new.yml", new), ("old.yml", old)]);
    let printed = run(&dir, &["upgrade", "config.yml", "new.yml", "--base", "old.yml", "--print-migration"]);
    assert_eq!(read(&dir, "config.yml"), "read_timeout_in_ms: 9000\n");
    fs::write(dir.path().join("migration.yml"), &printed.stdout).unwrap();
    let done = run(&dir, &["upgrade", "config.yml", "new.yml", "--base", "old.yml", "--migration", "migration.yml"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert_eq!(read(&dir, "config.yml"), "read_timeout: 9000ms\n");
}

/// Version by version gives the values of one step, for who had the first default and changed a value of it.
#[test]
fn a_chain_of_upgrades_gives_what_one_gives() {
    let one = "listen: 80\nlimits: {cpu: 1}\nplugins:\n  - auth\n  - log\n";
    let two = "listen: 80\nlimits: {cpu: 1, memory: 1Gi}\nplugins:\n  - auth\n  - gzip\n  - log\ncache: 10\n";
    let three = "listen: 8080\nlimits: {cpu: 2, memory: 1Gi}\nplugins:\n  - gzip\n  - log\ncache: 20\n";
    let four =
        "listen: 8080\nlimits: {cpu: 2, memory: 2Gi, swap: 0}\nplugins:\n  - gzip\n  - log\n  - trace\ncache: 20\n";
    let mine = "listen: 81\nlimits: {cpu: 1}\nplugins:\n  - auth\n  - ours\n  - log\n";
    let upgrade = |current: &str, base: &str, update: &str| {
        let mut options = Options::default();
        options.base = Some(Base::from(base));
        yamlift::upgrade(current, update, &options).unwrap().text().to_owned()
    };
    let chained = upgrade(&upgrade(&upgrade(mine, one, two), two, three), three, four);
    assert_eq!(chained, upgrade(mine, one, four));
}
