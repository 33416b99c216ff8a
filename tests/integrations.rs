//! What yamlift ships for other tools: the hooks for pre-commit and the action for GitHub. Git itself is in `conflicts.rs`.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

mod common;

use common::{contents, yamlift};

fn home(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The value of a key in an outline.
fn value<'o>(line: &'o str, key: &str) -> Option<&'o str> {
    let rest = line.split_once("| ")?.1.trim_start().strip_prefix(key)?.strip_prefix(": ")?;
    Some(rest.trim_matches('"'))
}

#[test]
fn hooks_call_commands_that_are_there() {
    let hooks = yamlift::outline(&fs::read_to_string(home(".pre-commit-hooks.yaml")).unwrap()).unwrap();
    let entries: Vec<_> = hooks.lines().filter_map(|line| value(line, "entry")).collect();
    assert_eq!(entries, ["yamlift rehearse", "yamlift migration check"]);
    for entry in entries {
        let words = entry.strip_prefix("yamlift ").unwrap().split(' ').chain(["--help"]);
        assert!(yamlift(Path::new(".")).args(words).output().unwrap().status.success(), "{entry}");
    }
    let page = fs::read_to_string(home("docs/git.md")).unwrap();
    for id in hooks.lines().filter_map(|line| value(line, "id")) {
        assert!(page.contains(&format!("- id: {id}\n")), "{id}");
    }
}

/// What the action does with these inputs: what it printed, its outputs and its summary.
fn action(dir: &Path, inputs: &[(&str, &str)]) -> (Output, String, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_yamlift")).parent().unwrap();
    let path = std::env::join_paths(
        [program.to_owned()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let (outputs, summary) = (dir.join("outputs"), dir.join("summary"));
    let _ = (fs::remove_file(&outputs), fs::remove_file(&summary));
    let run = Command::new(home("integrations/github/run"))
        .current_dir(dir)
        .env("PATH", path.unwrap())
        .envs([("GITHUB_OUTPUT", &outputs), ("GITHUB_STEP_SUMMARY", &summary)])
        .envs([("CONFIG", "config.yml"), ("DEFAULT", "default.yml"), ("BASE", ""), ("OPTIONS", ""), ("WRITE", "false")])
        .envs(inputs.iter().copied())
        .output()
        .unwrap();
    let text = |file| fs::read_to_string(file).unwrap_or_default();
    (run, text(outputs), text(summary))
}

#[test]
fn the_action_tells_what_a_default_would_do_and_writes_only_where_it_is_asked_to() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    let config = || fs::read_to_string(dir.path().join("config.yml")).unwrap();
    write("config.yml", "port: 8080\n");
    write("default.yml", "port: 443\nhost: a\n");
    write("old default.yml", "port: 80\n");

    let before = contents(dir.path());
    let (run, outputs, summary) = action(dir.path(), &[]);
    assert!(before.iter().all(|(name, content)| contents(dir.path())[name] == *content));
    let printed = String::from_utf8(run.stdout).unwrap();
    assert!(run.status.success() && printed.contains("::notice file=config.yml"), "{printed}");
    assert_eq!((outputs.as_str(), config().as_str()), ("status=changed\n", "port: 8080\n"));
    assert!(summary.contains("1 added"), "{summary}");

    let fails = [("BASE", "old default.yml"), ("OPTIONS", "--on-conflict 'fail' --secret '**/a b'"), ("WRITE", "true")];
    let (run, outputs, _) = action(dir.path(), &fails);
    assert_eq!((run.status.code(), outputs.as_str(), config().as_str()), (Some(3), "status=refused\n", "port: 8080\n"));
    assert!(String::from_utf8(run.stdout).unwrap().contains("::error "));

    let (run, outputs, _) = action(dir.path(), &[("WRITE", "true")]);
    assert_eq!((run.status.code(), outputs.as_str()), (Some(0), "status=changed\n"));
    assert_eq!(config(), "port: 8080\nhost: a\n");
    let (_, outputs, _) = action(dir.path(), &[("WRITE", "true")]);
    assert_eq!(outputs, "status=unchanged\n");
}

/// Every input that the action passes on is one that it has, and the script reads no other.
#[test]
fn the_action_and_its_script_know_the_same_inputs() {
    let action = fs::read_to_string(home("action.yml")).unwrap();
    let script = fs::read_to_string(home("integrations/github/run")).unwrap();
    let inputs = ["config", "default", "base", "options", "write"];
    for input in inputs {
        let name = input.to_uppercase();
        assert!(action.contains(&format!("        {name}: ${{{{ inputs.{input} }}}}\n")), "{input}");
        assert!(script.contains(&format!("${name}")) || script.contains(&format!("${{{name}:-")), "{input}");
    }
    assert_eq!(action.matches("${{ inputs.").count(), inputs.len());
    let rows = yamlift::outline(&action).unwrap();
    assert!(rows.lines().any(|line| value(line, "using") == Some("composite")), "{rows}");
}
