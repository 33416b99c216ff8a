//! Conflicts between markers: `--on-conflict markers`, and `yamlift git-merge` with a real git.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

mod common;

use common::{contents, yamlift};

const BASE: &str = "# h\nserver:\n  port: 80 # web\n  log: info\nlist: [a]\nt: |\n  one\n";
const MINE: &str = "# h\nserver:\n  port: 8080 # web\n  log: info\nlist: [a, b]\nt: |\n  mine\n  # no comment\n";
const NEW: &str =
    "# h\nserver:\n    port: 443 # web\n    # level\n    log: debug\nlist: [a]\nt: |\n  new\n\n# end\nlast: 1\n";
const MARKED: &str = "\
# h
server:
<<<<<<< config.yml
    port: 8080 # web
||||||| old.yml
    port: 80 # web
=======
    port: 443 # web
>>>>>>> new.yml
    # level
    log: debug
list: [a, b]
<<<<<<< config.yml
t: |
  mine
  # no comment
||||||| old.yml
t: |
  one
=======
t: |
  new
>>>>>>> new.yml

# end
last: 1
";

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [("config.yml", MINE), ("old.yml", BASE), ("new.yml", NEW)] {
        fs::write(dir.path().join(name), text).unwrap();
    }
    dir
}

fn upgrade(dir: &Path, words: &[&str]) -> Output {
    let call = ["upgrade", "config.yml", "new.yml", "--base", "old.yml", "-b", "--on-conflict", "markers"];
    yamlift(dir).args(call).args(words).output().unwrap()
}

#[test]
fn both_sides_of_a_conflict_stand_between_markers() {
    let dir = folder();
    let output = upgrade(dir.path(), &[]);
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read_to_string(dir.path().join("config.yml")).unwrap(), MARKED);
    let again = upgrade(dir.path(), &[]);
    assert!(String::from_utf8_lossy(&again.stderr).contains("resolve the conflict first"), "{again:?}");
}

#[test]
fn the_report_names_the_lines_of_the_marked_file() {
    let dir = folder();
    let output = upgrade(dir.path(), &["--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let lines: Vec<&str> = MARKED.lines().collect();
    for change in report["changes"].as_array().unwrap() {
        let line = usize::try_from(change["line"].as_u64().unwrap()).unwrap();
        let key = change["path"].as_str().unwrap().rsplit('/').next().unwrap();
        assert!(lines[line - 1].trim_start().starts_with(&format!("{key}:")), "{change} is not: {}", lines[line - 1]);
    }
    assert!(report["changes"].as_array().unwrap().len() >= 4, "{report}");
}

#[test]
fn without_a_conflict_nothing_is_marked_and_a_dry_run_writes_nothing() {
    let dir = folder();
    let before = contents(dir.path());
    assert_eq!(upgrade(dir.path(), &["--dry-run"]).status.code(), Some(3));
    assert_eq!(contents(dir.path()), before);
    fs::write(dir.path().join("config.yml"), BASE).unwrap();
    assert_eq!(upgrade(dir.path(), &[]).status.code(), Some(0));
    assert_eq!(fs::read_to_string(dir.path().join("config.yml")).unwrap(), NEW);
}

/// A repository in which a branch has the user's side and another one the release's; nothing where there is no git, for which there is nothing to test then.
fn repository(ours: &str, theirs: &str) -> Option<tempfile::TempDir> {
    let dir = tempfile::tempdir().unwrap();
    if Command::new("git").arg("--version").output().is_err() {
        return None;
    }
    let driver = format!("'{}' git-merge %O %A %B %L %P", env!("CARGO_BIN_EXE_yamlift"));
    git(&dir, &["init", "-q", "-b", "main"]);
    for (name, value) in [("user.name", "a"), ("user.email", "a@example.org"), ("merge.yamlift.driver", &driver)] {
        git(&dir, &["config", name, value]);
    }
    fs::write(dir.path().join(".gitattributes"), "*.yml merge=yamlift\n").unwrap();
    commit(&dir, BASE);
    git(&dir, &["checkout", "-q", "-b", "release"]);
    commit(&dir, theirs);
    git(&dir, &["checkout", "-q", "main"]);
    commit(&dir, ours);
    Some(dir)
}

fn git(dir: &tempfile::TempDir, words: &[&str]) -> Output {
    let output = Command::new("git").current_dir(dir.path()).args(words).output().unwrap();
    assert!(output.status.success() || words[0] == "merge", "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn commit(dir: &tempfile::TempDir, text: &str) {
    fs::write(dir.path().join("app.yml"), text).unwrap();
    git(dir, &["add", "-A"]);
    git(dir, &["commit", "-q", "--allow-empty", "-m", "x"]);
}

fn merged(dir: &tempfile::TempDir) -> (Option<i32>, String) {
    let output = git(dir, &["merge", "-q", "release", "-m", "m"]);
    (output.status.code(), fs::read_to_string(dir.path().join("app.yml")).unwrap())
}

#[test]
fn git_merges_what_is_no_conflict_of_values() {
    let (ours, theirs) = (
        BASE.replace("port: 80 ", "port: 8080 "),
        BASE.replace("  port: 80 # web\n  log: info", "    log: debug\n    # the port\n    port: 80"),
    );
    let Some(dir) = repository(&ours, &theirs) else { return };
    let expected = "# h\nserver:\n    log: debug\n    # the port\n    port: 8080\nlist: [a]\nt: |\n  one\n";
    assert_eq!(merged(&dir), (Some(0), expected.to_owned()));
}

#[test]
fn git_is_left_with_markers_where_values_conflict() {
    let Some(dir) = repository(&BASE.replace("log: info", "log: warn"), &BASE.replace("log: info", "log: debug"))
    else {
        return;
    };
    let (status, text) = merged(&dir);
    let block = "<<<<<<< ours: app.yml\n  log: warn\n||||||| base: app.yml\n  log: info\n=======\n  log: debug\n>>>>>>> theirs: app.yml\n";
    assert!(status == Some(1) && text.contains(block), "{status:?} {text}");
}

#[test]
fn git_merges_by_lines_what_is_no_yaml() {
    let Some(dir) = repository(&format!("a: [1\n{BASE}"), &format!("{BASE}last: 1\n")) else { return };
    assert_eq!(merged(&dir), (Some(0), format!("a: [1\n{BASE}last: 1\n")));
}

/// Runs yamlift in a repository with a home of its own.
fn in_repository(dir: &Path, words: &[&str]) -> Output {
    let home = dir.join("home");
    fs::create_dir_all(&home).unwrap();
    let output = yamlift(dir).args(words).env("HOME", &home).env_remove("XDG_CONFIG_HOME").output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

#[test]
fn git_is_told_once_and_shows_what_changes_the_meaning() {
    let Some(dir) = repository(MINE, NEW) else { return };
    let first = in_repository(dir.path(), &["git-install", "*.yml", "*.cfg"]);
    let told = String::from_utf8(first.stdout).unwrap();
    assert!(told.contains("diff.yamlift.textconv") && told.contains(".gitattributes: *.cfg merge=yamlift"), "{told}");
    let before = contents(dir.path());
    let again = in_repository(dir.path(), &["git-install", "*.yml", "*.cfg"]);
    assert_eq!(String::from_utf8(again.stdout).unwrap(), "Nothing to do: git knows yamlift.\n");
    assert_eq!(contents(dir.path()), before);

    let new = format!("{}password: s3cret\n", NEW.replace("log: debug", "log: trace"));
    fs::write(dir.path().join("app.yml"), new).unwrap();
    let shown = String::from_utf8(git(&dir, &["diff", "--no-ext-diff", "-U0", "app.yml"]).stdout).unwrap();
    let lines: Vec<_> = shown.lines().filter(|line| line.starts_with(['+', '-'])).skip(2).collect();
    let changes = [
        "+last: 1",
        "-list[]: b",
        "+password: ***",
        "-server/log: info",
        "-server/port: 8080",
        "+server/log: trace",
        "+server/port: 443",
        "-t: mine",
        "-t: # no comment",
        "+t: new",
    ];
    assert_eq!(lines.len(), changes.len(), "{shown}");
    assert!(changes.iter().all(|change| lines.contains(change)), "{shown}");
}

#[test]
fn git_is_told_for_all_repositories() {
    let Some(dir) = repository(MINE, NEW) else { return };
    let told = String::from_utf8(in_repository(dir.path(), &["git-install", "--global"]).stdout).unwrap();
    assert!(told.contains("git config --global merge.yamlift.driver"), "{told}");
    let attributes = fs::read_to_string(dir.path().join("home/.config/git/attributes")).unwrap();
    assert_eq!(attributes, "*.yml merge=yamlift diff=yamlift\n*.yaml merge=yamlift diff=yamlift\n");
    let outside = tempfile::tempdir().unwrap();
    let refused = yamlift(outside.path()).args(["git-install"]).output().unwrap();
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(2) && message.contains("inside of a repository"), "{message}");
}

#[test]
fn what_is_no_yaml_is_compared_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    for (text, shown) in
        [(&b"a: [1\n"[..], &b"a: [1\n"[..]), (b"\xff\xfe\x00", b"\xff\xfe\x00"), (b"b: 1\na: 2\n", b"a: 2\nb: 1\n")]
    {
        fs::write(dir.path().join("a.yml"), text).unwrap();
        let output = yamlift(dir.path()).args(["git-textconv", "a.yml"]).output().unwrap();
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(0), shown));
    }
}
