//! How a configuration is replaced: what stays, what is refused and with which way out, and what a killed run leaves.
//!
//! Errors and kills in the middle are the business of `faults.rs`.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::print_stdout, reason = "what cannot be tried here is told")]

#[path = "files/backups.rs"]
mod backups;
#[path = "files/checkers.rs"]
mod checkers;
#[path = "files/clocks.rs"]
mod clocks;
mod common;
#[path = "files/figures.rs"]
mod figures;
#[path = "files/inputs.rs"]
mod inputs;
#[path = "files/kept.rs"]
mod kept;
#[path = "files/locks.rs"]
mod locks;
#[path = "files/meanwhile.rs"]
mod meanwhile;
#[path = "files/outputs.rs"]
mod outputs;
#[path = "files/refused.rs"]
mod refused;

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{contents, yamlift};
use figures::Runs;
use rustix::fs::{FlockOperation, XattrFlags, flock, getxattr, setxattr};
use rustix::process::geteuid;
use tempfile::TempDir;

const CURRENT: &str = "# Relay\nlisten: 10.0.0.1:25\nqueue: 200\n";
const UPDATE: &str = "# Relay\nlisten: 0.0.0.0:25\nqueue: 100\n# Seconds\nretry: 60\n";
const UPGRADED: &str = "# Relay\nlisten: 10.0.0.1:25\nqueue: 200\n# Seconds\nretry: 60\n";

/// A directory with `relay.yml` and its new default in `new/relay.yml`, and what is run there.
struct Host(TempDir, Runs);

impl Host {
    #[track_caller]
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("new")).unwrap();
        fs::write(dir.path().join("new/relay.yml"), UPDATE).unwrap();
        fs::write(dir.path().join("relay.yml"), CURRENT).unwrap();
        Self(dir, Runs::of_caller())
    }

    /// The command in the directory.
    fn command(&self) -> Command {
        self.1.count();
        yamlift(self.0.path())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command().args(words).output().unwrap()
    }

    fn upgrade(&self, words: &[&str]) -> Output {
        self.run(&[&["upgrade", "relay.yml", "new/relay.yml"], words].concat())
    }

    fn set_mode(&self, name: &str, mode: u32) {
        fs::set_permissions(self.path(name), Permissions::from_mode(mode)).unwrap();
    }

    /// Everything in the directory but the new default.
    fn names(&self) -> Vec<String> {
        contents(self.0.path()).into_keys().filter(|name| name != "new").collect()
    }

    fn backups(&self) -> Vec<String> {
        self.names().into_iter().filter(|name| name.starts_with("relay.yml.")).collect()
    }

    #[track_caller]
    fn assert_upgraded(&self, words: &[&str]) -> Output {
        let output = self.upgrade(words);
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(self.read("relay.yml"), UPGRADED);
        assert!(!self.names().iter().any(|name| name.starts_with('.')), "{:?}", self.names());
        output
    }

    /// Refused with these words, and nothing has changed.
    #[track_caller]
    fn assert_refused(&self, words: &[&str], because: &[&str]) {
        let before = contents(self.0.path());
        let output = self.upgrade(words);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        for words in because {
            assert!(stderr(&output).contains(words), "{words} in {}", stderr(&output));
        }
        assert_eq!(before, contents(self.0.path()));
    }
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

/// Most of what follows needs nothing but a user; for the rest, says what was left out.
fn is_root(what: &str) -> bool {
    let root = geteuid().is_root();
    if !root {
        println!("skipped, for it takes root: {what}");
    }
    root
}

/// An attribute that the file system may not know.
fn tag(path: &Path, name: &str, value: &[u8]) -> bool {
    setxattr(path, name, value, XattrFlags::empty())
        .inspect_err(|error| println!("skipped, for {name} cannot be set here: {error}"))
        .is_ok()
}

fn tag_of(path: &Path, name: &str) -> Vec<u8> {
    let mut value = [0; 256];
    let length = getxattr(path, name, &mut value).unwrap_or_default();
    value[..length].to_vec()
}

/// An access control list in the form of `linux/posix_acl_xattr.h`: tag, permissions and id of each entry.
fn list(entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let entry = |(tag, rights, id): &(u16, u16, u32)| {
        [&tag.to_le_bytes()[..], &rights.to_le_bytes(), &id.to_le_bytes()].concat()
    };
    [2_u32.to_le_bytes().to_vec(), entries.iter().flat_map(entry).collect()].concat()
}

const ACL: &str = "system.posix_acl_access";
const NOBODY: u32 = u32::MAX;

/// The owner reads and writes, user 1234 reads, the group has nothing of its own.
fn acl() -> Vec<u8> {
    list(&[(1, 6, NOBODY), (2, 4, 1234), (4, 0, NOBODY), (16, 4, NOBODY), (32, 0, NOBODY)])
}

/// Runs a tool of the system; whether it could.
fn tool(words: &[&str], paths: &[&Path]) -> bool {
    let done = Command::new(words[0]).args(&words[1..]).args(paths).output();
    let done = done.is_ok_and(|output| output.status.success());
    if !done {
        println!("skipped, for it cannot be done here: {}", words.join(" "));
    }
    done
}

/// Runs the command as another user, who may not write in the directory.
fn as_other(host: &Host, words: &[&str]) -> Option<Output> {
    use std::os::unix::process::CommandExt as _;
    if !is_root("another user") {
        return None;
    }
    let bin = Path::new(env!("CARGO_BIN_EXE_yamlift"));
    let own = host.path("new/yamlift");
    // By another process: where this one has it open for writing while a test beside it forks, it cannot be run.
    assert!(tool(&["cp"], &[bin, &own]));
    fs::set_permissions(&own, Permissions::from_mode(0o755)).unwrap();
    host.1.count();
    let mut command = Command::new(own);
    command.current_dir(host.0.path()).args(["upgrade", "relay.yml", "new/relay.yml"]).args(words);
    let output = command.uid(4321).gid(4321).output().unwrap();
    fs::remove_file(host.path("new/yamlift")).unwrap();
    Some(output)
}

/// Runs the command with these words for strace, or says that it cannot.
fn traced(host: &Host, strace: &[&str], words: &[&str]) -> Option<Output> {
    host.1.count();
    let mut command = Command::new("strace");
    command.args(["-qq", "-f", "-o"]).arg(host.path("new/trace")).args(strace).current_dir(host.0.path());
    let output = command.arg(env!("CARGO_BIN_EXE_yamlift")).args(words).output();
    let output = output.ok().filter(|_| host.path("new/trace").exists());
    if output.is_none() {
        println!("skipped, for strace is not installed or may not trace here");
    }
    output
}

fn wait_for(path: &Path) {
    let start = std::time::Instant::now();
    while !path.exists() {
        assert!(start.elapsed() < std::time::Duration::from_secs(20), "{} does not appear", path.display());
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}
