//! The command from outside: exit statuses, streams, files and options.
//!
//! What an upgrade makes of its two files is the business of `cases.rs`; here it is what the operator's shell sees.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;
mod folder;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Output, Stdio};

use common::{contents, yamlift};
use folder::folder_of;
use tempfile::TempDir;

const CURRENT: &str = "# Name\nname: mine\nport: 8080\n";
const UPDATE: &str = "# Name\nname: app\nport: 80\n# Seconds\ntimeout: 5\n";
const UPGRADED: &str = "# Name\nname: mine\nport: 8080\n# Seconds\ntimeout: 5\n";

/// A folder with a configuration that an update has something for.
fn folder() -> TempDir {
    folder_of(&[("current.yml", CURRENT), ("update.yml", UPDATE)])
}

fn run(dir: &TempDir, words: &[&str]) -> Output {
    yamlift(dir.path()).args(words).output().unwrap()
}

/// `yamlift upgrade current.yml update.yml` and more words.
fn upgrade(dir: &TempDir, words: &[&str]) -> Output {
    yamlift(dir.path()).args(["upgrade", "current.yml", "update.yml"]).args(words).output().unwrap()
}

fn run_with_stdin(dir: &TempDir, words: &[&str], text: &str) -> Output {
    let mut command = yamlift(dir.path());
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn read(dir: &TempDir, name: &str) -> String {
    fs::read_to_string(dir.path().join(name)).unwrap()
}

fn names(dir: &Path) -> Vec<String> {
    contents(dir).into_keys().collect()
}

#[track_caller]
fn assert_done(output: &Output) {
    assert!(output.status.success(), "{}\n{}", output.status, stderr(output));
    assert_eq!(stderr(output), "");
}

/// Refused: exit status 2, a word on standard error, and nothing touched.
#[track_caller]
fn assert_refused(dir: &TempDir, words: &[&str], because: &str) {
    let before = contents(dir.path());
    let output = run(dir, words);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).starts_with("error: ") && stderr(&output).contains(because), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    assert_eq!(before, contents(dir.path()));
}

/// A name that ends in `.YYYYMMDDHHMMSSZ`.
fn is_backup(name: &str, of: &str) -> bool {
    let time = name.strip_prefix(of).and_then(|rest| rest.strip_prefix('.')?.strip_suffix('Z'));
    time.is_some_and(|time| time.len() == 14 && time.bytes().all(|byte| byte.is_ascii_digit()))
}

#[test]
fn an_upgrade_reports_on_stdout_and_keeps_the_old_file_beside() {
    let dir = folder();
    let output = upgrade(&dir, &[]);
    assert_done(&output);
    assert_eq!(read(&dir, "current.yml"), UPGRADED);
    let backup = names(dir.path()).into_iter().find(|name| is_backup(name, "current.yml")).unwrap();
    assert_eq!(read(&dir, &backup), CURRENT);
    assert_eq!(names(dir.path()).len(), 3);
    assert!(stdout(&output).starts_with("Your file:    current.yml (29 bytes, 3 lines)\n"), "{}", stdout(&output));
    assert!(stdout(&output).contains("\n  Backup: "), "{}", stdout(&output));
    assert!(stdout(&output).ends_with(&format!("{backup}\n\n1 added.\n")), "{}", stdout(&output));
}

#[test]
fn nothing_is_written_when_nothing_changes() {
    let dir = folder_of(&[("current.yml", CURRENT), ("update.yml", CURRENT)]);
    let modified = || fs::metadata(dir.path().join("current.yml")).unwrap().modified().unwrap();
    let before = (modified(), contents(dir.path()));
    let output = upgrade(&dir, &[]);
    assert_done(&output);
    assert!(stdout(&output).ends_with("\nNot changed.\n"), "{}", stdout(&output));
    assert_eq!(before, (modified(), contents(dir.path())));
}

#[test]
fn check_tells_by_its_exit_status_alone() {
    let dir = folder();
    let before = contents(dir.path());
    let output = upgrade(&dir, &["--check"]);
    assert_eq!((output.status.code(), stdout(&output), stderr(&output)), (Some(1), "", ""));
    assert_eq!(before, contents(dir.path()));
    fs::write(dir.path().join("current.yml"), UPGRADED).unwrap();
    let output = upgrade(&dir, &["--check"]);
    assert_eq!((output.status.code(), stdout(&output), stderr(&output)), (Some(0), "", ""));
}

#[test]
fn check_of_a_file_that_is_not_there_says_that_there_is_something_to_do() {
    let dir = folder_of(&[("update.yml", UPDATE)]);
    assert_eq!(upgrade(&dir, &["--check"]).status.code(), Some(1));
    assert_eq!(names(dir.path()), ["update.yml"]);
}

const DIFF: &str = "\
--- current.yml
+++ current.yml (upgraded)
@@ -1,3 +1,5 @@
 # Name
 name: mine
 port: 8080
+# Seconds
+timeout: 5
";

#[test]
fn a_dry_run_shows_report_and_diff_and_writes_nothing() {
    let dir = folder();
    let before = contents(dir.path());
    let output = upgrade(&dir, &["--dry-run"]);
    assert_done(&output);
    assert!(
        stdout(&output).contains("  Added from the new default:\n    timeout    5 | timeout: 5\n"),
        "{}",
        stdout(&output)
    );
    let closing = "1 added.\nLayout: 1 line of comments came in.\n\
        Nothing was written; to do it: yamlift upgrade current.yml update.yml\n";
    assert!(stdout(&output).ends_with(&format!("\n{DIFF}\n{closing}")), "{}", stdout(&output));
    assert_eq!(before, contents(dir.path()));
}

#[test]
fn a_dry_run_of_no_change_has_no_diff() {
    let dir = folder_of(&[("current.yml", UPGRADED), ("update.yml", UPDATE)]);
    let output = upgrade(&dir, &["--dry-run"]);
    assert_done(&output);
    assert!(stdout(&output).ends_with("\nNot changed.\n"), "{}", stdout(&output));
}

#[test]
fn a_diff_comes_with_a_real_run_too() {
    let dir = folder();
    let output = upgrade(&dir, &["--diff", "-b"]);
    assert_done(&output);
    let closing = "1 added.\nLayout: 1 line of comments came in.\n";
    assert!(stdout(&output).ends_with(&format!("\n{DIFF}\n{closing}")), "{}", stdout(&output));
    assert_eq!(read(&dir, "current.yml"), UPGRADED);
}

#[test]
fn output_goes_to_a_file_and_leaves_the_configuration() {
    let dir = folder();
    assert_done(&upgrade(&dir, &["-o", "new.yml"]));
    assert_eq!((read(&dir, "current.yml").as_str(), read(&dir, "new.yml").as_str()), (CURRENT, UPGRADED));
    assert_eq!(names(dir.path()), ["current.yml", "new.yml", "update.yml"]);
}

#[test]
fn output_is_written_also_when_nothing_changes() {
    let dir = folder_of(&[("current.yml", UPGRADED), ("update.yml", UPDATE)]);
    assert_done(&upgrade(&dir, &["--output", "new.yml"]));
    assert_eq!(read(&dir, "new.yml"), UPGRADED);
}

#[test]
fn output_to_stdout_sends_the_report_to_stderr() {
    let dir = folder();
    let output = upgrade(&dir, &["-o", "-"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), UPGRADED));
    assert!(stderr(&output).starts_with("Your file:    current.yml ("), "{}", stderr(&output));
    assert_eq!(read(&dir, "current.yml"), CURRENT);
    let quiet = upgrade(&dir, &["-o", "-", "-q"]);
    assert_eq!((stdout(&quiet), stderr(&quiet)), (UPGRADED, ""));
}

#[test]
fn configuration_from_stdin_is_answered_on_stdout() {
    let dir = folder();
    let output = run_with_stdin(&dir, &["upgrade", "-", "update.yml"], CURRENT);
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), UPGRADED));
    assert!(stderr(&output).starts_with("Your file:    standard input (29 bytes"), "{}", stderr(&output));
    let same = run_with_stdin(&dir, &["upgrade", "-", "update.yml", "-q"], UPGRADED);
    assert_eq!((stdout(&same), stderr(&same)), (UPGRADED, ""));
}

#[test]
fn update_from_stdin() {
    let dir = folder();
    let output = run_with_stdin(&dir, &["upgrade", "current.yml", "-", "-b"], UPDATE);
    assert_done(&output);
    assert!(stdout(&output).contains("\nNew default:  standard input ("), "{}", stdout(&output));
    assert_eq!(read(&dir, "current.yml"), UPGRADED);
}

#[test]
fn stdin_cannot_be_both_files() {
    assert_refused(&folder(), &["upgrade", "-", "-"], "standard input");
}

#[test]
fn a_mistake_on_stdin_is_named_so() {
    let dir = folder();
    let output = run_with_stdin(&dir, &["upgrade", "-", "update.yml"], "a: 1\n\tb: 2\n");
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""));
    assert!(stderr(&output).starts_with("error: standard input:2:1: "), "{}", stderr(&output));
}

#[test]
fn json_has_every_field_of_schema_1() {
    let dir = folder();
    let output = upgrade(&dir, &["--format", "json", "--diff", "--delete", "port", "nowhere", "--env", "x=1"]);
    assert_done(&output);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let fields = "backup changed changes configuration diff differences layout notes result schema status summary update variables warnings written";
    let mut names: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names.join(" "), fields);
    assert_eq!((&json["schema"], &json["status"]), (&1.into(), &"changed".into()));
    assert_eq!((&json["changed"], &json["written"]), (&true.into(), &true.into()));
    let size =
        |name: &str, bytes: usize, lines: usize| serde_json::json!({"name": name, "bytes": bytes, "lines": lines});
    assert_eq!(json["configuration"], size("current.yml", CURRENT.len(), 3));
    assert_eq!(json["update"], size("update.yml", UPDATE.len(), 5));
    assert_eq!(json["result"], size("current.yml", read(&dir, "current.yml").len(), 5));
    assert_eq!(
        json["changes"],
        serde_json::json!([
            {"kind": "removed", "path": "port", "line": 3, "text": "port: 8080",
             "values": {"current": {"file": "current.yml", "line": 3, "text": "port: 8080"}}},
            {"kind": "added", "path": "port", "line": 3, "text": "port: 80",
             "values": {"update": {"file": "update.yml", "line": 3, "text": "port: 80"}}},
            {"kind": "added", "path": "timeout", "line": 5, "text": "timeout: 5",
             "values": {"update": {"file": "update.yml", "line": 5, "text": "timeout: 5"}}},
        ])
    );
    assert_eq!(json["warnings"], serde_json::json!(["nothing to delete at `nowhere`", "the new default has no #{x}"]));
    let backup = Path::new(json["backup"].as_str().unwrap());
    assert!(is_backup(&backup.file_name().unwrap().to_string_lossy(), "current.yml"), "{}", backup.display());
    assert!(json["diff"].as_str().unwrap().contains("\n-port: 8080\n+port: 80\n"));
}

#[test]
fn json_of_a_run_that_writes_nothing_says_so() {
    let dir = folder();
    for (words, status, written) in
        [(&["--dry-run"][..], "changed", false), (&["-b"], "changed", true), (&["-b"], "unchanged", false)]
    {
        let output = upgrade(&dir, &[words, &["--format", "json"]].concat());
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&json["status"], &json["written"]), (&status.into(), &written.into()), "{words:?}");
        assert_eq!((&json["backup"], json["diff"].is_string()), (&serde_json::Value::Null, words == ["--dry-run"]));
    }
}

#[test]
fn json_names_variables_and_a_first_installation() {
    let dir = folder_of(&[("update.yml", "host: #{host}\n")]);
    let output = upgrade(&dir, &["--format", "json", "--env", "host=db1"]);
    assert_done(&output);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["variables"], serde_json::json!([{"name": "host", "value": "db1"}]));
    assert_eq!((&json["status"], &json["configuration"]), (&"installed".into(), &serde_json::Value::Null));
    assert_eq!(json["changes"], serde_json::json!([]));
}

#[test]
fn quiet_prints_nothing_but_errors() {
    let dir = folder();
    let output = upgrade(&dir, &["-q"]);
    assert_done(&output);
    assert_eq!((stdout(&output), read(&dir, "current.yml").as_str()), ("", UPGRADED));
    assert_refused(&dir, &["upgrade", "-q", "current.yml", "nowhere.yml"], "nowhere.yml: no such file");
}

#[test]
fn verbose_tells_decisions_on_stderr_and_leaves_stdout_alone() {
    let update = "users:\n  - name: ann\n    uid: 0\n    shell: sh\n#port: 80\n";
    let dir = folder_of(&[("current.yml", "users:\n  - name: ann\n    uid: 1\nport: 1\n"), ("update.yml", update)]);
    let plain = upgrade(&dir, &["--dry-run"]);
    let verbose = upgrade(&dir, &["--dry-run", "-v"]);
    assert_eq!(stdout(&plain), stdout(&verbose).replace(" -v\n", "\n"));
    assert_eq!(stderr(&plain), "");
    assert!(stderr(&verbose).contains("port"), "{}", stderr(&verbose));
    assert_refused(&dir, &["upgrade", "current.yml", "update.yml", "-q", "-v"], "--quiet");
}

#[test]
fn backups_go_to_a_directory_that_is_made() {
    let dir = folder();
    let output = upgrade(&dir, &["--backup-dir", "old/kept"]);
    assert_done(&output);
    let kept = names(&dir.path().join("old/kept"));
    assert!(kept.len() == 1 && is_backup(&kept[0], "current.yml"), "{kept:?}");
    assert_eq!(fs::read_to_string(dir.path().join("old/kept").join(&kept[0])).unwrap(), CURRENT);
    assert_eq!(names(dir.path()), ["current.yml", "old", "update.yml"]);
    assert!(stdout(&output).contains(&format!("old/kept/{}\n", kept[0])), "{}", stdout(&output));
}

#[test]
fn no_backup_on_request() {
    let dir = folder();
    assert_done(&upgrade(&dir, &["-b"]));
    assert_eq!(names(dir.path()), ["current.yml", "update.yml"]);
    assert_refused(&dir, &["upgrade", "-b", "--backup-dir", "old", "current.yml", "update.yml"], "--backup-dir");
}

#[test]
fn two_upgrades_in_one_second_keep_two_backups() {
    let dir = folder();
    assert_done(&upgrade(&dir, &[]));
    fs::write(dir.path().join("update.yml"), format!("{UPDATE}more: 1\n")).unwrap();
    assert_done(&upgrade(&dir, &[]));
    assert_eq!(names(dir.path()).len(), 4);
}

#[cfg(unix)]
#[test]
fn the_mode_stays_that_of_the_old_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = folder();
    let path = dir.path().join("current.yml");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    assert_done(&upgrade(&dir, &[]));
    for name in names(dir.path()).iter().filter(|name| name.starts_with("current.yml")) {
        assert_eq!(fs::metadata(dir.path().join(name)).unwrap().permissions().mode() & 0o7777, 0o640, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_stays_and_its_target_is_upgraded() {
    let dir = folder_of(&[("update.yml", UPDATE)]);
    fs::create_dir(dir.path().join("real")).unwrap();
    fs::write(dir.path().join("real/app.yml"), CURRENT).unwrap();
    std::os::unix::fs::symlink("real/app.yml", dir.path().join("current.yml")).unwrap();
    assert_done(&upgrade(&dir, &[]));
    assert!(dir.path().join("current.yml").is_symlink());
    assert_eq!(read(&dir, "real/app.yml"), UPGRADED);
    assert!(names(&dir.path().join("real")).iter().any(|name| is_backup(name, "app.yml")));
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_refused() {
    let dir = folder_of(&[("update.yml", UPDATE)]);
    std::os::unix::fs::symlink("gone.yml", dir.path().join("current.yml")).unwrap();
    let output = upgrade(&dir, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("error: current.yml: is a symbolic link to `gone.yml`"), "{}", stderr(&output));
}

#[test]
fn a_first_installation_makes_its_directories() {
    let dir = folder_of(&[("update.yml", UPDATE)]);
    let output = run(&dir, &["upgrade", "etc/app/config.yml", "update.yml"]);
    assert_done(&output);
    assert_eq!(read(&dir, "etc/app/config.yml"), UPDATE);
    assert_eq!(names(&dir.path().join("etc/app")), ["config.yml"]);
    assert!(
        stdout(&output).starts_with("Your file:    etc/app/config.yml (installed new)\nNew default:  update.yml (")
    );
}

#[test]
fn a_first_installation_keeps_every_byte_but_its_variables() {
    let update = "\u{feff}# on #{host}\r\nhost: #{host}\r\nother: #{other}\r\n...";
    let dir = folder_of(&[("update.yml", update)]);
    let output = upgrade(&dir, &["-e", "host=db1"]);
    assert_done(&output);
    assert_eq!(read(&dir, "current.yml"), update.replace("#{host}", "db1"));
    assert!(stdout(&output).contains("  Warning: no value for the variable #{other}\n"), "{}", stdout(&output));
}

#[test]
fn a_dry_run_of_a_first_installation_writes_nothing() {
    let dir = folder_of(&[("update.yml", UPDATE)]);
    assert_done(&run(&dir, &["upgrade", "etc/config.yml", "update.yml", "--dry-run"]));
    assert_eq!(names(dir.path()), ["update.yml"]);
}

#[test]
fn options_that_take_several_words_may_stand_in_front() {
    let update = format!("{UPDATE}host: #{{host}}\n");
    for words in [
        &["upgrade", "-b", "-e", "host=db1", "-d", "port", "name", "current.yml", "update.yml"][..],
        &["upgrade", "-b", "-d", "port", "name", "-e", "host=db1", "current.yml", "update.yml"],
        &["upgrade", "-b", "current.yml", "update.yml", "-d", "port", "-e", "host=db1", "-d", "name"],
        &["upgrade", "current.yml", "-d", "port", "name", "-e", "host=db1", "-b", "--", "update.yml"],
    ] {
        let dir = folder_of(&[("current.yml", CURRENT), ("update.yml", &update)]);
        assert_done(&run(&dir, words));
        assert_eq!(read(&dir, "current.yml"), format!("{UPDATE}host: db1\n"), "{words:?}");
    }
}

#[test]
fn variables_come_from_the_environment_only_by_name() {
    let dir = folder_of(&[("update.yml", "a: #{YAMLIFT_A}\nb: #{YAMLIFT_B}\n")]);
    let mut command = yamlift(dir.path());
    command.env("YAMLIFT_A", "one").env("YAMLIFT_B", "two");
    let output = command.args(["upgrade", "current.yml", "update.yml", "-e", "YAMLIFT_A"]).output().unwrap();
    assert_done(&output);
    assert_eq!(read(&dir, "current.yml"), "a: one\nb: #{YAMLIFT_B}\n");
}

#[test]
fn what_is_not_there_is_a_warning_if_the_operator_says_so() {
    let dir = folder();
    let output = upgrade(&dir, &["-b", "-s", "-e", "none.properties", "YAMLIFT_NOT_SET"]);
    assert!(output.status.success());
    assert!(stderr(&output).contains("none.properties") && stderr(&output).contains("YAMLIFT_NOT_SET"));
    assert_eq!(read(&dir, "current.yml"), UPGRADED);
}

#[test]
fn colour_is_only_there_when_it_is_asked_for() {
    let dir = folder();
    let escapes = |words: &[&str], no_color: bool| {
        let mut command = yamlift(dir.path());
        if no_color {
            command.env("NO_COLOR", "1");
        }
        let output = command.args(["upgrade", "current.yml", "update.yml", "--dry-run"]).args(words).output().unwrap();
        stdout(&output).contains('\u{1b}')
    };
    assert!(escapes(&["--color", "always"], false));
    assert!(!escapes(&["--color", "never"], false));
    assert!(!escapes(&[], false), "standard output is no terminal");
    assert!(!escapes(&[], true));
}

#[test]
fn errors_have_colour_only_when_it_is_asked_for() {
    let dir = folder();
    let escapes = |when| stderr(&run(&dir, &["upgrade", "none", "none", "--color", when])).contains('\u{1b}');
    assert!(escapes("always"));
    assert!(!escapes("never") && !escapes("auto"));
}

#[test]
fn help_is_short_or_long_with_examples() {
    let dir = folder();
    let (short, long) = (run(&dir, &["upgrade", "-h"]), run(&dir, &["upgrade", "--help"]));
    assert_done(&short);
    assert_done(&long);
    assert!(stdout(&short).contains("CONFIG") && !stdout(&short).contains("Examples:"));
    assert!(stdout(&long).contains("Examples:") && stdout(&long).contains("Exit status:"));
    assert!(stdout(&short).len() < stdout(&long).len());
    for option in ["--delete", "--env", "--pairing", "--comments", "--dry-run", "--check", "--output", "--format"] {
        assert!(stdout(&short).contains(option), "{option}");
    }
    assert_done(&run(&dir, &["--help"]));
}

#[test]
fn version_is_that_of_the_package() {
    let output = run(&folder(), &["--version"]);
    assert_done(&output);
    assert_eq!(stdout(&output), concat!("yamlift ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn wrong_usage_is_refused() {
    let dir = folder();
    for (words, because) in [
        (&["upgrade"][..], "CONFIG"),
        (&["upgrade", "current.yml"], "CONFIG and DEFAULT"),
        (&["upgrade", "current.yml", "update.yml", "third.yml"], "--to DEFAULT"),
        (&["upgrade", "base.yml", "current.yml", "update.yml", "-o", "new.yml"], "--base OLD_DEFAULT"),
        (&["upgrade", "current.yml", "update.yml", "--nonsense"], "--nonsense"),
        (&["nonsense"], "nonsense"),
        (&["upgrade", "current.yml", "update.yml", "--format", "xml"], "xml"),
        (&["upgrade", "current.yml", "update.yml", "--pairing", "luck"], "luck"),
        (&["upgrade", "current.yml", "update.yml", "--comments", "none"], "none"),
        (&["upgrade", "current.yml", "update.yml", "--color", "blue"], "blue"),
        (&["upgrade", "current.yml", "update.yml", "--list-key", "users"], "PATH=NAME"),
        (&["upgrade", "current.yml", "update.yml", "--list-key", "=name"], "PATH=NAME"),
        (&["upgrade", "current.yml", "update.yml", "--check", "-o", "new.yml"], "--output"),
        (&["upgrade", "current.yml", "update.yml", "--check", "--dry-run"], "--check"),
        (&["upgrade", "current.yml", "update.yml", "--dry-run", "-o", "new.yml"], "--output"),
        (&["upgrade", "current.yml", "update.yml", "--delete"], "--delete"),
        (&["outline"], "<FILE>"),
    ] {
        let before = contents(dir.path());
        let output = run(&dir, words);
        let told = format!("{words:?}: {}", stderr(&output));
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""), "{told}");
        assert!(stderr(&output).contains(because), "{told}");
        assert_eq!(before, contents(dir.path()), "{told}");
    }
}

#[test]
fn an_empty_path_is_refused() {
    assert_refused(&folder(), &["upgrade", "current.yml", "update.yml", "-d", ""], "path");
}

#[test]
fn what_is_no_file_is_refused() {
    let dir = folder();
    fs::create_dir(dir.path().join("folder")).unwrap();
    assert_refused(
        &dir,
        &["upgrade", "current.yml", "nowhere.yml"],
        "nowhere.yml: no such file\n help: check the path",
    );
    assert_refused(&dir, &["upgrade", "current.yml", "folder"], "folder: is a directory, not a file\n");
    assert_refused(&dir, &["upgrade", "folder", "update.yml"], "folder: is a directory, not a file\n");
    assert_refused(&dir, &["outline", "nowhere.yml"], "nowhere.yml: no such file\n help: check the path");
    assert_refused(&dir, &["upgrade", "current.yml", "update.yml", "-o", "folder"], "folder: is a directory");
}

#[test]
fn a_file_above_the_configuration_is_refused() {
    let dir = folder();
    assert_refused(&dir, &["upgrade", "update.yml/app.yml", "update.yml"], "update.yml/app.yml: ");
}

#[test]
fn what_is_not_utf8_is_refused_with_a_way_out() {
    let dir = folder();
    let wide: Vec<u8> = "a: 1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, because) in [
        ([&b"\xff\xfe"[..], &wide].concat(), "bad.yml:1:1: UTF-16LE, not UTF-8\n help: "),
        (b"a: 1\nb: \xe4\n".to_vec(), "bad.yml:2:4: not UTF-8: byte 0xE4"),
        (b"\x7fELF\x02\x01\x01\0\0\0".to_vec(), "bad.yml:1:"),
        (vec![0; 64], "bad.yml:1:1: "),
    ] {
        fs::write(dir.path().join("bad.yml"), bytes).unwrap();
        assert_refused(&dir, &["upgrade", "bad.yml", "update.yml"], because);
        assert_refused(&dir, &["upgrade", "current.yml", "bad.yml"], because);
        assert_refused(&dir, &["outline", "bad.yml"], because);
    }
}

#[test]
fn nesting_that_is_too_deep_is_refused_with_its_place() {
    let dir = folder();
    let deep: Vec<_> = (0..5000).map(|depth| format!("{:depth$}a:\n", "")).collect();
    for (text, place) in [
        (deep.concat(), "deep.yml:"),
        (format!("a: {}{}\n", "[".repeat(100_000), "]".repeat(100_000)), "deep.yml:1:"),
        (format!("a: {}{}\n", "{a: ".repeat(10_000), "}".repeat(10_000)), "deep.yml:1:"),
        (format!("{}a\n", "- ".repeat(10_000)), "deep.yml:1:"),
        (format!("{}a\n", "? ".repeat(10_000)), "deep.yml:1:"),
    ] {
        fs::write(dir.path().join("deep.yml"), text).unwrap();
        assert_refused(&dir, &["upgrade", "deep.yml", "update.yml"], place);
        assert_refused(&dir, &["upgrade", "current.yml", "deep.yml"], "deep");
    }
}

#[test]
fn an_alias_bomb_is_read_without_expanding_it() {
    let lists: Vec<_> = (1..60).map(|at| format!("a{at}: &a{at} [*a{0}, *a{0}, *a{0}]\n", at - 1)).collect();
    let bomb = format!("a0: &a0 [x, x]\n{}", lists.concat());
    let dir = folder_of(&[("current.yml", &bomb), ("update.yml", &format!("{bomb}new: 1\n"))]);
    assert_done(&upgrade(&dir, &["-b"]));
    assert_eq!(read(&dir, "current.yml"), format!("{bomb}new: 1\n"));
}

#[cfg(unix)]
#[test]
fn a_reader_that_went_away_is_no_panic() {
    let dir = folder();
    for words in [&["upgrade", "current.yml", "update.yml", "-o", "-"][..], &["outline", "update.yml"], &["--help"]] {
        let mut child = yamlift(dir.path()).args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(!stderr(&output).contains("panicked"), "{words:?}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stderr(&output));
    }
}

#[cfg(unix)]
#[test]
fn a_configuration_that_a_broken_pipe_reports_on_is_upgraded() {
    let dir = folder();
    let mut command = yamlift(dir.path());
    let mut child =
        command.args(["upgrade", "current.yml", "update.yml", "-b"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    assert_eq!(read(&dir, "current.yml"), UPGRADED);
}

#[test]
fn outline_reads_stdin() {
    let output = run_with_stdin(&folder(), &["outline", "-"], "a: 1\n");
    assert_done(&output);
    assert_eq!(stdout(&output), "1| a: 1\n");
}

#[test]
fn a_tag_whose_handle_only_the_new_default_declares_comes_in_written_in_full() {
    let update = "%TAG !relay! tag:relay.example,2026:\n---\nfilter: !relay!greylist 300\n";
    let dir = folder_of(&[("current.yml", "listen: 10.0.0.1:25\n"), ("update.yml", update)]);
    assert_done(&run(&dir, &["upgrade", "current.yml", "update.yml"]));
    let expected = "listen: 10.0.0.1:25\nfilter: !<tag:relay.example,2026:greylist> 300\n";
    assert_eq!(read(&dir, "current.yml"), expected);
}

#[test]
fn an_option_of_another_system_means_nothing() {
    let dir = folder_of(&[("a.yml", "a: 1\n"), ("t.yml", "a: json\n"), ("rules.yml", "yamlift: 1\n")]);
    for words in [
        &["--rules", "cloud-init", "--types", "t.yml", "a.yml"][..],
        &["--rules", "heat", "--key", "a", "a.yml"],
        &["--rules", "datum", "--header", "1:Merge-Type=list(append)", "a.yml"],
        &["--rules", "rules.yml", "--as-shipped", "a.yml"],
        &["--rules", "heat", "-", "-"],
    ] {
        let output = yamlift(dir.path()).arg("merge").args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{words:?}");
    }
}

#[test]
fn help_says_that_an_upgrade_needs_two_files() {
    let help = run(&folder(), &["upgrade", "-h"]);
    let (usage, arguments) = stdout(&help).split_once("\nArguments:\n").unwrap();
    let calls =
        "yamlift upgrade [OPTIONS] <CONFIG> <DEFAULT>\n       yamlift upgrade [OPTIONS] --to <DEFAULT> <CONFIG>...\n";
    assert!(usage.ends_with(&format!("\nUsage: {calls}")), "{usage}");
    let names: Vec<_> = arguments.lines().filter_map(|line| line.strip_prefix("  <")?.split_once('>')).collect();
    assert_eq!(names.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["CONFIG", "DEFAULT"]);
    assert_refused(&folder(), &["upgrade", "current.yml"], "CONFIG and DEFAULT are needed\n");
}

#[test]
fn shells_and_manuals_know_every_command() {
    let dir = folder();
    let commands = [
        "upgrade",
        "rehearse",
        "explain",
        "diff",
        "prune",
        "merge",
        "datum",
        "layer",
        "restore",
        "outline",
        "git-merge",
    ];
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(&dir, &["completions", shell]);
        assert!(commands.iter().all(|command| stdout(&output).contains(command)), "{shell}");
        assert!(stdout(&output).contains("on-conflict"), "{shell} knows no options");
    }
    fs::create_dir(dir.path().join("man")).unwrap();
    assert_done(&run(&dir, &["man", "man"]));
    for command in commands {
        let page = fs::read_to_string(dir.path().join(format!("man/yamlift-{command}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS") && page.contains(".SH OPTIONS"), "{command}: {page}");
    }
}
