//! Conflicts that are answered: `--ask` on a terminal, and `--answers` where nobody is.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

mod common;

use common::{contents, yamlift};

const BASE: &str = "server:\n  port: 80\n  log: warn\n  password: a\nlist: []\n";
const MINE: &str = "server:\n  port: 8080 # web\n  log: info\n  password: mine\nlist: [a]\n";
const NEW: &str = "server:\n    port: 443\n    # level\n    log: debug\n    password: new\nlist: [c]\n";

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [("config.yml", MINE), ("old.yml", BASE), ("new.yml", NEW)] {
        fs::write(dir.path().join(name), text).unwrap();
    }
    dir
}

fn call(dir: &Path, words: &[&str]) -> Command {
    let mut call = yamlift(dir);
    call.args(["upgrade", "config.yml", "new.yml", "--base", "old.yml", "-b"]).args(words);
    call
}

fn upgrade(dir: &Path, words: &[&str]) -> Output {
    call(dir, words).stdin(Stdio::null()).output().unwrap()
}

/// Runs a command on a terminal on which these lines are typed; its exit status, and what the terminal showed.
fn typed(mut command: Command, lines: &str) -> (i32, String) {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    let end = OpenOptions::new().read(true).write(true).open(name).unwrap();
    let (output, errors) = (end.try_clone().unwrap(), end.try_clone().unwrap());
    let mut child = command.stdin(end).stdout(output).stderr(errors).spawn().unwrap();
    drop(command);
    let mut terminal = File::from(terminal);
    terminal.write_all(lines.as_bytes()).unwrap();
    let mut shown = Vec::new();
    // The terminal ends with an error when nobody holds its other end.
    let _ = terminal.read_to_end(&mut shown);
    (child.wait().unwrap().code().unwrap(), String::from_utf8(shown).unwrap())
}

#[test]
fn each_conflict_is_shown_and_answered_and_the_next_host_needs_no_terminal() {
    let dir = folder();
    let (status, shown) = typed(call(dir.path(), &["--ask", "--answers", "answers.yml"]), "m\ne\n[x\ntrace\nt\nl\n");
    assert_eq!(status, 0, "{shown}");
    for words in ["1 of 4", "mine    8080   config.yml:2", "theirs  443   new.yml:2", "was     80   old.yml:2"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(shown.contains("this is not one value of YAML") && !shown.contains("password: new"), "{shown}");
    let upgraded = "server:\n    port: 8080 # web\n    # level\n    log: trace\n    password: new\nlist: [a]\n";
    assert_eq!(fs::read_to_string(dir.path().join("config.yml")).unwrap(), upgraded);
    let answers = "yamlift: 1\nanswers:\n- path: server/port\n  take: mine\n  over: 443\n- path: server/log\n  value: trace\n  \
        over: debug\n- path: server/password\n  take: theirs\n";
    let kept = fs::read_to_string(dir.path().join("answers.yml")).unwrap();
    assert!(kept.ends_with(answers), "{kept}");
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/base.md")).unwrap();
    assert!(page.contains(answers));

    let next = folder();
    fs::write(next.path().join("answers.yml"), kept).unwrap();
    let run = upgrade(next.path(), &["--answers", "answers.yml", "-o", "-"]);
    assert_eq!(String::from_utf8(run.stdout).unwrap(), upgraded);
    let report = String::from_utf8(run.stderr).unwrap();
    assert!(report.contains("answered by you") && report.contains("1 conflict, 3 conflicts answered."), "{report}");
    // What was left for later is all that is refused.
    let refused = upgrade(next.path(), &["--answers", "answers.yml", "--on-conflict", "fail"]);
    let message = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(3), "{message}");
    assert!(
        message.contains("a value was changed by you and by the release") && message.contains(" list"),
        "{message}"
    );
}

#[test]
fn who_quits_keeps_the_answers_and_the_file() {
    let dir = folder();
    let before = contents(dir.path());
    let (status, shown) = typed(call(dir.path(), &["--ask", "--answers", "answers.yml"]), "t\nq\n");
    assert_eq!(status, 2, "{shown}");
    let mut after = contents(dir.path());
    assert!(after.remove("answers.yml").is_some());
    assert_eq!(after, before);
    let mode = |name: &str| fs::metadata(dir.path().join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("answers.yml") & !mode("config.yml"), 0);
    // What was answered is not asked again, and one word answers all that follow.
    let (status, shown) = typed(call(dir.path(), &["--ask", "--answers", "answers.yml"]), "T\n");
    assert_eq!(status, 0, "{shown}");
    assert!(shown.contains("1 of 3") && !shown.contains("2 of 3"), "{shown}");
    let upgraded = "server:\n    port: 443 # web\n    # level\n    log: debug\n    password: new\nlist: [c]\n";
    assert_eq!(fs::read_to_string(dir.path().join("config.yml")).unwrap(), upgraded);
}

#[test]
fn nobody_is_asked_without_a_terminal() {
    let dir = folder();
    let before = contents(dir.path());
    let run = upgrade(dir.path(), &["--ask"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8(run.stderr).unwrap().contains("--ask needs a terminal"));
    let missing = upgrade(dir.path(), &["--answers", "answers.yml"]);
    assert_eq!(missing.status.code(), Some(2));
    assert_eq!(contents(dir.path()), before);
}

#[test]
fn an_answer_over_another_default_is_open_again() {
    let dir = folder();
    let answers =
        "yamlift: 1\nanswers:\n- {path: server/port, take: theirs, over: 8443}\n- {path: list, value: [a, c]}\n";
    fs::write(dir.path().join("answers.yml"), answers).unwrap();
    let run = upgrade(dir.path(), &["--answers", "answers.yml", "-o", "-"]);
    let (text, report) = (String::from_utf8(run.stdout).unwrap(), String::from_utf8(run.stderr).unwrap());
    assert!(text.contains("port: 8080 # web") && text.contains("list: [a, c]"), "{text}");
    assert!(report.contains("your answer was over another new default"), "{report}");
}

#[test]
fn a_value_that_has_no_room_is_refused_with_its_place() {
    let dir = folder();
    fs::write(dir.path().join("config.yml"), "server:\n  port: 80\nx: &x [1]\nlist: *x\n").unwrap();
    fs::write(dir.path().join("answers.yml"), "yamlift: 1\nanswers:\n- {path: list, value: [a, c]}\n").unwrap();
    let before = contents(dir.path());
    let run = upgrade(dir.path(), &["--answers", "answers.yml"]);
    let message = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2), "{message}");
    assert!(message.contains("config.yml:4:7: the answer to `list`"), "{message}");
    assert_eq!(contents(dir.path()), before);
}
