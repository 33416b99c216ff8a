//! A message is one write: those of runs that share a terminal or a journal do not mix.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::print_stdout, reason = "what cannot be tried here is told")]

mod common;

use std::fs;
use std::process::Command;

use common::{contents, yamlift};

/// What the command wrote, one text a write, on the stream of this number.
fn writes(words: &[&str], stream: u32) -> Option<Vec<String>> {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("relay.yml"), "# Relay\nlisten: 1\nqueue: 200\n").unwrap();
    fs::write(dir.path().join("new.yml"), "# Relay\nlisten: 2\n# Seconds\nretry: 60\n").unwrap();
    fs::write(dir.path().join("broken.yml"), "# Relay\nlisten: [1\n").unwrap();
    let trace = dir.path().join("trace");
    let mut command = Command::new("strace");
    command.args(["-qq", "-f", "-s", "9999", "-e", "trace=write", "-o"]).arg(&trace);
    let program = yamlift(dir.path());
    command.arg(program.get_program()).args(words).current_dir(dir.path()).env_remove("NO_COLOR");
    if command.output().is_err() || !contents(dir.path()).contains_key("trace") {
        println!("skipped, for strace is not installed or may not trace here");
        return None;
    }
    let start = format!("write({stream}, ");
    let trace = fs::read_to_string(trace).unwrap();
    Some(trace.lines().filter_map(|line| Some(line.split_once(&start)?.1.to_owned())).collect())
}

#[test]
fn a_message_is_written_at_once_with_colours_and_without() {
    let commands: [(&[&str], u32, &str); 9] = [
        (&["upgrade", "none/relay.yml", "none.yml"], 2, "error"),
        (&["upgrade", "relay.yml", "broken.yml"], 2, "error"),
        (&["upgrade", "relay.yml"], 2, "error"),
        (&["upgrade", "relay.yml", "new.yml", "--no-such-option"], 2, "error"),
        (&["upgrade", "relay.yml", "new.yml"], 1, "Your file"),
        (&["upgrade", "relay.yml", "new.yml", "--dry-run"], 1, "Your file"),
        (&["upgrade", "relay.yml", "new.yml", "--format", "json"], 1, "schema"),
        (&["outline", "relay.yml"], 1, "listen"),
        (&["--help"], 1, "Usage"),
    ];
    for (words, stream, start) in commands {
        for colour in [&[][..], &["--color", "always"], &["--color", "never"]] {
            let colour = if words[0] == "--help" { &[] } else { colour };
            let Some(written) = writes(&[words, colour].concat(), stream) else { return };
            assert!(written.len() == 1 && written[0].contains(start), "{words:?} {colour:?}: {written:#?}");
        }
    }
}
