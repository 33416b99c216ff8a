//! Many files: `yamlift upgrade --to` and `yamlift rehearse`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;
use std::process::Output;

mod common;

use common::{contents, yamlift};

const NEW: &str = "# the port\nport: 81\nadded: 1\n";
const OLD: &str = "port: 80\n";

/// A folder with files and the directories that they need.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn fleet() -> tempfile::TempDir {
    folder(&[
        ("new.yml", NEW),
        ("old.yml", OLD),
        ("hosts/a.yml", "port: 8080\n"),
        ("hosts/b.yaml", OLD),
        ("hosts/deep/c.yml", NEW),
        ("hosts/.hidden/d.yml", "port: 1\n"),
        ("hosts/notes.txt", "no YAML\n"),
    ])
}

fn run(dir: &Path, words: &[&str]) -> Output {
    yamlift(dir).args(words).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    str::from_utf8(&output.stdout).unwrap()
}

/// The name and the result of each file in a table.
fn results(output: &Output) -> Vec<(String, String)> {
    let lines = stdout(output).lines().skip(1).take_while(|line| !line.is_empty());
    let mut words = lines.map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    words.by_ref().map(|words| (words[0].clone(), words[1].clone())).collect()
}

fn expected(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files.iter().map(|(name, result)| ((*name).to_owned(), (*result).to_owned())).collect()
}

#[test]
fn all_files_below_a_directory_are_upgraded_each_by_itself() {
    let dir = fleet();
    let output = run(dir.path(), &["upgrade", "--to", "new.yml", "--base", "old.yml", "-b", "hosts"]);
    let files = [("hosts/a.yml", "changed"), ("hosts/b.yaml", "changed"), ("hosts/deep/c.yml", "unchanged")];
    assert_eq!((results(&output), output.status.code()), (expected(&files), Some(0)));
    assert!(stdout(&output).ends_with("\n\n3 files: 2 changed, 1 unchanged.\n"), "{}", stdout(&output));
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(
        (read("hosts/a.yml").as_str(), read("hosts/b.yaml").as_str()),
        ("# the port\nport: 8080\nadded: 1\n", NEW)
    );
    assert_eq!(read("hosts/.hidden/d.yml"), "port: 1\n");
}

#[test]
fn one_that_is_refused_stops_no_other_and_decides_the_exit_status() {
    let dir = fleet();
    fs::write(dir.path().join("hosts/a.yml"), "port: 1\nport: 2\n").unwrap();
    let output = run(dir.path(), &["upgrade", "--to", "new.yml", "-b", "hosts"]);
    let files = [("hosts/a.yml", "refused"), ("hosts/b.yaml", "changed"), ("hosts/deep/c.yml", "unchanged")];
    assert_eq!((results(&output), output.status.code()), (expected(&files), Some(2)));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("error: hosts/a.yml:2:1: key `port` appears twice"), "{told}");
    let fail = ["upgrade", "--to", "new.yml", "--base", "old.yml", "--on-conflict", "fail", "-q"];
    fs::write(dir.path().join("hosts/b.yaml"), "port: 8\n").unwrap();
    assert_eq!(run(dir.path(), &[&fail[..], &["hosts"]].concat()).status.code(), Some(3));
}

#[test]
fn files_may_be_named_by_patterns_and_each_counts_once() {
    let dir = fleet();
    let words = ["upgrade", "--to", "new.yml", "--check", "hosts/*.yml", "hosts/a.yml", "hosts/./a.yml", "new.yml"];
    let output = run(dir.path(), &words);
    assert_eq!((results(&output), output.status.code()), (expected(&[("hosts/a.yml", "changed")]), Some(1)));
    for (path, what) in [("none*.yml", "no file fits this pattern"), ("-", "standard input is one file")] {
        let output = run(dir.path(), &["upgrade", "--to", "new.yml", path]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && told.contains(what), "{path}: {told}");
    }
}

#[test]
fn each_file_remembers_its_default() {
    let dir = fleet();
    let upgrade = |to: &str| run(dir.path(), &["upgrade", "--to", to, "--remember", "memory", "-b", "-q", "hosts"]);
    assert!(upgrade("old.yml").status.success() && upgrade("new.yml").status.success());
    assert_eq!(fs::read_to_string(dir.path().join("hosts/b.yaml")).unwrap(), NEW);
}

#[test]
fn a_diff_is_told_for_each_file() {
    let dir = fleet();
    let output = run(dir.path(), &["upgrade", "--to", "new.yml", "--dry-run", "--diff=values", "hosts"]);
    assert_eq!(stdout(&output).matches("    + added  1\n").count(), 2, "{}", stdout(&output));
}

#[test]
fn a_rehearsal_writes_nothing_and_tells_all() {
    let dir = fleet();
    let before = contents(&dir.path().join("hosts"));
    let output = run(dir.path(), &["rehearse", "new.yml", "hosts", "--base", "old.yml", "--jobs", "2"]);
    let files = [("hosts/a.yml", "changed"), ("hosts/b.yaml", "changed"), ("hosts/deep/c.yml", "unchanged")];
    assert_eq!((results(&output), output.status.code()), (expected(&files), Some(0)));
    assert_eq!(contents(&dir.path().join("hosts")), before);
}

#[test]
fn a_page_shows_all_files_and_loads_nothing() {
    let dir = fleet();
    fs::write(dir.path().join("hosts/a.yml"), "port: '<script>x</script>'\n").unwrap();
    for words in [&["rehearse", "new.yml"][..], &["upgrade", "--dry-run", "--to", "new.yml"]] {
        let output = run(dir.path(), &[words, &["hosts", "--format", "html", "--base", "old.yml"]].concat());
        let page = stdout(&output);
        assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"), "{page}");
        assert!(["hosts/a.yml", "hosts/b.yaml", "hosts/deep/c.yml"].iter().all(|name| page.contains(name)), "{page}");
        assert!(!page.contains("<script>x") && !page.contains("http://") && !page.contains("https://"), "{page}");
    }
}
