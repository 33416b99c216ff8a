//! What is secret is in no report, diff or error, and always in the file.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::print_stdout, reason = "what was tried is told")]

mod common;
mod folder;

use std::fs;
use std::process::Output;

use common::{contents, yamlift};
use folder::folder_of;
use tempfile::TempDir;

const OLD: &str = "db:\n  user: app\n  password: changeme0\n  dsn: pg://old-secret-dsn\nport: 80\n";
const MINE: &str = "db:\n  user: app\n  password: hunter2-mine\n  dsn: pg://my-secret-dsn\nport: 80\n";
const NEW: &str = "db:\n  user: app\n  password: changeme1\n  dsn: pg://new-secret-dsn\n  api_key: |\n    line-of-key\n    # other-line\nport: 81\noauth: {client: me, token: tok}\n";
const SECRETS: [&str; 9] = [
    "changeme0",
    "changeme1",
    "hunter2-mine",
    "line-of-key",
    "other-line",
    "tok}",
    "old-secret-dsn",
    "my-secret-dsn",
    "new-secret-dsn",
];

fn folder() -> TempDir {
    folder_of(&[("config.yml", MINE), ("new.yml", NEW), ("old.yml", OLD)])
}

fn run(dir: &TempDir, words: &[&str]) -> Output {
    yamlift(dir.path()).env("CI", "true").args(words).output().unwrap()
}

fn leaked(output: &Output) -> Vec<&'static str> {
    let said = String::from_utf8([&output.stdout[..], &output.stderr].concat()).unwrap();
    SECRETS.into_iter().filter(|secret| said.contains(secret)).collect()
}

#[test]
fn nothing_that_is_printed_shows_a_secret_and_the_file_has_all_of_them() {
    let base = ["upgrade", "config.yml", "new.yml", "-b", "--secret", "db/dsn", "--base", "old.yml"];
    let ways: [&[&str]; 7] = [
        &["--dry-run"],
        &["--dry-run", "-v"],
        &["--dry-run", "--format", "json"],
        &["--on-conflict", "fail"],
        &["--diff"],
        &["--diff", "--on-conflict", "update"],
        &["--sparse", "--diff", "--format", "json"],
    ];
    for way in ways {
        let dir = folder();
        let output = run(&dir, &[&base[..], way].concat());
        assert_eq!(leaked(&output), [""; 0], "{way:?}\n{}", String::from_utf8_lossy(&output.stdout));
        let written = &contents(dir.path())["config.yml"];
        assert!(!String::from_utf8_lossy(written).contains("***"), "{way:?}");
    }
}

/// A value in every form; `@` stands for the secret.
const FORMS: [&str; 16] = [
    "password: @\n",
    "password: \"@\"  # note\n",
    "password: '@'\n",
    "password: |\n  one @\n\n  two @\n",
    "password: >-\n  one @\n  two @\n",
    "password:\n  @\n",
    "password: one\n  @\n",
    "password: \"one\n  @\"\n",
    "password: &p @\ncopy: *p\n",
    "password: !!str @\n",
    "passwords: [@, {one: @}]\n",
    "passwords:\n- @\n- one: @\n",
    "db: {name: app, password: @}\n",
    "db: {name: app,\n  password: \"@\"}\n",
    "secrets:\n  db:\n    main: @\n    # not @ any more\n  other: [\n    @,\n  ]\n",
    "users:\n- name: ann\n  api-key: @\n- name: bob\n  api-key: @\n",
];

#[test]
fn no_form_of_a_secret_is_printed() {
    let ways: [&[&str]; 6] = [
        &["--diff"],
        &["--diff", "-v"],
        &["--format", "json", "--diff"],
        &["--base", "old.yml", "--diff"],
        &["--base", "old.yml", "--on-conflict", "fail"],
        &["--base", "old.yml", "--on-conflict", "update", "--format", "json"],
    ];
    let (mut runs, mut leaks) = (0, Vec::new());
    for form in FORMS {
        let text = |secret: &str| format!("port: 80\n{}", form.replace('@', secret));
        for (mine, new) in [(text("my-own-hunter2"), text("hunter2-new")), ("port: 1\n".into(), text("hunter2-new"))] {
            for way in ways {
                let dir = folder_of(&[("config.yml", &mine), ("new.yml", &new), ("old.yml", &text("hunter2-old"))]);
                let output = run(&dir, &[&["upgrade", "config.yml", "new.yml"], way].concat());
                let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
                assert!(matches!(output.status.code(), Some(0 | 3)), "{form}: {said}");
                runs += 1;
                leaks.extend(said.contains("hunter2").then(|| format!("{form} with {way:?}:\n{said}")));
            }
        }
    }
    println!("figures: runs with secrets\t{runs}");
    println!("figures: secrets leaked\t{}", leaks.len());
    assert!(leaks.is_empty(), "{}", leaks.join("\n"));
}

#[test]
fn an_explanation_shows_no_secret() {
    let dir = folder();
    for path in ["db/password", "db/dsn", "db", "oauth/token", "db/api_key"] {
        let words = ["explain", "config.yml", "new.yml", path, "--base", "old.yml", "--secret", "db/dsn"];
        assert_eq!(leaked(&run(&dir, &words)), [""; 0], "{path}");
    }
}

#[test]
fn what_a_migration_file_calls_secret_is_not_shown_anywhere() {
    let dir = folder();
    fs::write(dir.path().join("migration.yml"), "yamlift: 1\nsecret: [\"**/dsn\"]\n").unwrap();
    let words = ["upgrade", "config.yml", "new.yml", "--base", "old.yml", "--migration", "migration.yml", "--dry-run"];
    let output = yamlift(dir.path()).args(words).output().unwrap();
    let leaked = leaked(&output);
    assert!(!leaked.iter().any(|secret| secret.ends_with("dsn")), "{leaked:?}");
    assert!(leaked.contains(&"hunter2-mine"), "a name alone hides nothing where nobody looks on");
}

#[test]
fn an_error_shows_no_secret() {
    let dir = folder();
    for line in ["password: \"hunter2-mine", "api_key: {hunter2-mine", "token: *hunter2-mine"] {
        fs::write(dir.path().join("config.yml"), format!("port: 80\n{line}\n")).unwrap();
        let refused = run(&dir, &["upgrade", "config.yml", "new.yml"]);
        assert_eq!(refused.status.code(), Some(2), "{line}");
        assert_eq!(leaked(&refused), [""; 0], "{line}: {}", String::from_utf8_lossy(&refused.stderr));
    }
}

#[test]
fn no_error_shows_what_stands_at_a_secret_path() {
    let texts: [&[u8]; 5] = [
        b"db:\n  dsn: \"hunter2\nport: 80\n",
        b"db:\n  dsn: hunter2\n  dsn: hunter2\n",
        b"db: {user: app, 'dsn': hunter2\n",
        b"db:\n  dsn: |\n    hunter2\n    hunter2\x07\n",
        b"db:\n  dsn: hunter2\xff\n",
    ];
    for text in texts {
        for name in ["config.yml", "new.yml", "old.yml"] {
            let dir = folder();
            fs::write(dir.path().join(name), text).unwrap();
            let words = ["upgrade", "config.yml", "new.yml", "--base", "old.yml", "--secret", "db/dsn"];
            let output = yamlift(dir.path()).args(words).output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.code() == Some(2) && said.starts_with(&format!("error: {name}:")), "{said}");
            assert!(!said.contains("hunter2"), "{said}");
        }
    }
}

#[test]
fn variables_with_such_names_are_not_shown() {
    let dir = folder();
    fs::write(dir.path().join("new.yml"), "db: {dsn: #{db_password}\n}\nport: 80\n").unwrap();
    let output = run(&dir, &["upgrade", "fresh.yml", "new.yml", "-e", "db_password=hunter2-mine", "--diff"]);
    assert_eq!(leaked(&output), [""; 0], "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn who_asks_for_it_sees_what_only_a_name_made_secret() {
    let dir = folder();
    let output = run(&dir, &["upgrade", "config.yml", "new.yml", "--base", "old.yml", "--dry-run", "--show-secrets"]);
    assert!(leaked(&output).contains(&"hunter2-mine"));
}
