//! A system that gives no more threads, as a container with a limit of processes does.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output};

use rustix::process::geteuid;

use crate::run::folder;

/// A user who has no process but that of the run: root is not held to the limit.
const NOBODY: u32 = 54_321;

fn without_threads(dir: &Path, words: &str) -> Output {
    let mut command = Command::new("bash");
    command.current_dir(dir).args(["-c", &format!("ulimit -u 1; exec ./yamlift {words}")]);
    if geteuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.output().unwrap()
}

const POLICY: &str = "\
schema: deckhand/LayeringPolicy/v1
metadata: {schema: metadata/Control/v1, name: policy}
data: {layerOrder: [site]}
";

const DOCUMENT: &str = "\
schema: example/Kind/v1
metadata: {schema: metadata/Document/v1, name: a, layeringDefinition: {abstract: false, layer: site}}
data: {port: 80}
";

fn section(number: usize) -> String {
    format!("# About it\nsection_{number}:\n  port: {number}\n  words: [a, b, c]\n")
}

/// Files that are worth two threads, many files, and many documents are handled one after another.
#[test]
fn no_thread_is_needed() {
    let dir = folder();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_yamlift"), dir.path().join("yamlift")).unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let sections = |count: usize| (0..count).map(section).collect::<String>();
    write("mine.yml", &sections(5_000));
    write("new.yml", &sections(5_001));
    write("small.yml", &sections(1));
    write("other.yml", &sections(2));
    let upgraded = without_threads(dir.path(), "upgrade -q -o - mine.yml new.yml");
    assert_eq!(upgraded.status.code(), Some(0), "{}", String::from_utf8_lossy(&upgraded.stderr));
    assert_eq!(String::from_utf8_lossy(&upgraded.stdout), sections(5_001));
    write("policy.yml", POLICY);
    write("document.yml", DOCUMENT);
    for words in ["rehearse new.yml small.yml other.yml", "layer policy.yml document.yml"] {
        let output = without_threads(dir.path(), words);
        assert_eq!(output.status.code(), Some(0), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
