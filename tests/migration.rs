//! Migration files from outside: what is accepted, what the schema and the page about them say, and `migration check`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;
mod folder;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use common::{contents, yamlift};
use folder::folder_of;
use serde_json::Value;
use tempfile::TempDir;
use yamlift::Migration;

fn home(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn inside(folder: PathBuf) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path())
}

/// The migration files of the cases that are to pass, and those on the page.
fn examples() -> Vec<(String, String)> {
    let cases = inside(home("testdata/upgrade")).flat_map(inside).map(|case| case.join("migration.yml"));
    let files: Vec<_> = cases
        .filter(|path| path.is_file())
        .map(|path| (path.display().to_string(), fs::read_to_string(path).unwrap()))
        .collect();
    assert!(!files.is_empty(), "no case has a migration file");
    let page = fs::read_to_string(home("docs/migration.md")).unwrap();
    let blocks = page.split("```yaml\n").skip(1).filter_map(|block| Some(block.split_once("```")?.0.to_owned()));
    files.into_iter().chain(blocks.map(|block| ("docs/migration.md".to_owned(), block))).collect()
}

#[test]
fn all_examples_are_read() {
    let examples = examples();
    assert!(examples.len() > 8);
    for (name, text) in examples {
        Migration::read(&name, &text).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// What is refused says which keys are known, and the schema knows the same.
#[test]
fn the_schema_knows_the_keys_that_the_reader_knows() {
    let schema: Value = serde_json::from_str(&fs::read_to_string(home("docs/migration.schema.json")).unwrap()).unwrap();
    let step = "yamlift: 1\nsteps:\n- version: 1\n";
    let places = [
        ("", "yamlift: 1\nzzz: 1\n".to_owned()),
        ("/$defs/step", format!("{step}  zzz: 1\n")),
        ("/$defs/move", format!("{step}  move: {{a: {{zzz: 1}}}}\n")),
        ("/$defs/convert", format!("{step}  convert: {{a: {{zzz: 1}}}}\n")),
        ("/$defs/list", "yamlift: 1\nlists: {a: {zzz: 1}}\n".to_owned()),
    ];
    for (place, text) in places {
        let refused = Migration::read("migration.yml", &text).unwrap_err().to_string();
        let mut known: Vec<_> = refused.split_once("known are ").unwrap().1.split(", ").collect();
        let described = schema.pointer(&format!("{place}/properties")).unwrap().as_object().unwrap();
        let mut described: Vec<_> = described.keys().map(String::as_str).collect();
        known.sort_unstable();
        described.sort_unstable();
        assert_eq!(described, known, "{place}");
    }
}

const OLD: &str = "server:\n  port: 80\n  backlog: 5\nread_in_ms: 100\nlegacy: {mode: old}\nexcludes: [tmp]\n";
const NEW: &str = "http:\n  port: 80\n  read: 100ms\nlegacy: {mode: old}\nexcludes: [tmp]\n";
const MIGRATION: &str = "\
yamlift: 1
steps:
  - version: 1.0
    move: {prot: port}
  - version: 2.0
    move: {server/port: http/prot, read_in_ms: {to: http/read, as: \"{}ms\"}}
    delete: [legacy, cache]
    convert: {excludes: {split: \",\"}}
    reset: [logging]
";

fn folder(migration: &str) -> TempDir {
    folder_of(&[("old.yml", OLD), ("new.yml", NEW), ("migration.yml", migration)])
}

fn check(dir: &TempDir, words: &[&str]) -> Output {
    let before = contents(dir.path());
    let output =
        yamlift(dir.path()).args(["migration", "check", "migration.yml", "new.yml"]).args(words).output().unwrap();
    assert_eq!(before, contents(dir.path()));
    output
}

fn findings(output: &Output) -> Vec<String> {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    text.lines().filter_map(|line| line.strip_prefix("error: ")).map(str::to_owned).collect()
}

#[test]
fn a_check_tells_all_that_is_wrong_with_its_place() {
    let output = check(&folder(MIGRATION), &["--base", "old.yml", "--from", "1.0"]);
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]));
    let expected = [
        "migration.yml:5:14: in old.yml, excludes does not take part: it is a list",
        "migration.yml:6:25: `http/prot` is not in new.yml",
        "migration.yml:7:14: `legacy` is deleted, and new.yml has it still",
        "migration.yml:7:22: `cache` is not in old.yml",
        "migration.yml:9:13: `logging` is not in new.yml",
        "old.yml:3:3: `server/backlog` is not in new.yml, and no step says what becomes of it",
    ];
    assert_eq!(findings(&output), expected);
}

#[test]
fn a_check_without_the_old_default_asks_the_new_one() {
    let output = check(&folder(MIGRATION), &["--from", "1.0"]);
    assert_eq!(output.status.code(), Some(2));
    let expected = [
        "migration.yml:6:25: `http/prot` is not in new.yml",
        "migration.yml:7:14: `legacy` is deleted, and new.yml has it still",
        "migration.yml:9:13: `logging` is not in new.yml",
    ];
    assert_eq!(findings(&output), expected);
}

#[test]
fn a_check_of_a_good_file_says_so() {
    let good = "yamlift: 1\nsteps:\n- version: 1.5\n  move: {server/port: web/port}\n  delete: [server/backlog]\n\
        - version: 2\n  move: {web: http, read_in_ms: {to: http/read, as: \"{}ms\"}}\n";
    let output = check(&folder(good), &["--base", "old.yml"]);
    assert_eq!((output.status.code(), findings(&output)), (Some(0), Vec::new()));
    let said = "migration.yml: nothing is wrong, held against both defaults\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), said);
    let quiet = check(&folder(good), &["-q"]);
    assert_eq!((quiet.status.code(), &quiet.stdout[..]), (Some(0), &b""[..]));
}

#[test]
fn a_conflict_of_old_and_new_key_can_refuse() {
    let dir = folder("yamlift: 1\nsteps:\n- version: 2\n  move: {server/port: http/port}\n");
    fs::write(dir.path().join("app.yml"), "http:\n  port: 8080\nserver:\n  port: 8081\n").unwrap();
    let before = contents(dir.path());
    let words = ["upgrade", "app.yml", "new.yml", "--migration", "migration.yml", "--on-conflict", "fail"];
    let output = yamlift(dir.path()).args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let said = "\
error: app.yml:4:1: old and new keys are both set, or what is there already is no map
 4 |   port: 8081
   | ^
   server/port   4 | port: 8081 (the value at http/port stays)
 help: take one of the two out, or choose with --on-conflict user
";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), said);
    assert_eq!(before, contents(dir.path()));
}

#[test]
fn a_value_that_moved_into_a_map_of_its_own_name_stays_there() {
    let dir = folder("yamlift: 1\nsteps:\n- version: 2\n  move: {log: log/level}\n");
    fs::write(dir.path().join("new.yml"), "log: {level: info}\n").unwrap();
    fs::write(dir.path().join("mine.yml"), "log: debug\n").unwrap();
    for _ in 0..3 {
        let words = ["upgrade", "mine.yml", "new.yml", "--migration", "migration.yml", "-b"];
        assert!(yamlift(dir.path()).args(words).output().unwrap().status.success());
        assert_eq!(fs::read_to_string(dir.path().join("mine.yml")).unwrap(), "log:\n  level: debug\n");
    }
}

#[test]
fn what_a_second_run_would_do_again_is_found_by_a_check_and_by_a_rehearsal() {
    for step in ["move: {a: b, b: a}", "convert: {a: {map: {x: y, y: z}}}"] {
        let dir = folder(&format!("yamlift: 1\nsteps:\n- version: 2\n  {step}\n"));
        fs::write(dir.path().join("new.yml"), "a: 1\nb: 2\n").unwrap();
        fs::write(dir.path().join("mine.yml"), "a: x\nb: 3\n").unwrap();
        let found = findings(&check(&dir, &[]));
        assert!(found.iter().any(|line| line.contains("new") && line.contains("an old one")), "{step}: {found:?}");
        let rehearse = ["rehearse", "new.yml", "mine.yml", "--migration", "migration.yml"];
        let told = yamlift(dir.path()).args(rehearse).output().unwrap();
        assert_eq!(told.status.code(), Some(4), "{step}");
        let told = yamlift(dir.path()).args(rehearse).args(["--from", "1"]).output().unwrap();
        assert_eq!(told.status.code(), Some(0), "{step}: {}", String::from_utf8_lossy(&told.stderr));
    }
}

#[test]
fn a_move_that_goes_nowhere_and_a_list_without_a_separator_are_refused() {
    for (step, what) in
        [("move: {a: a}", "the new path is the old one"), ("convert: {a: {split: ''}}", "`split` needs")]
    {
        let file = format!("yamlift: 1\nsteps:\n- version: 2\n  {step}\n");
        let refused = Migration::read("m.yml", &file).unwrap_err().to_string();
        assert!(refused.contains(what) && refused.contains("m.yml:4:"), "{refused}");
    }
}
