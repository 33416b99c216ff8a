//! One run of the command with one file, within limits, and what must be true of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::common::{contents, yamlift};
use crate::{Meant, Row};

/// What a file is in an upgrade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Current,
    Update,
    Base,
    /// The configuration and its new default.
    Both,
}

pub(crate) const ROLES: [Role; 4] = [Role::Current, Role::Update, Role::Base, Role::Both];

const CURRENT: &[u8] = b"# Relay\nlisten: 10.0.0.1:25\nqueue: 200\n";
const UPDATE: &[u8] = b"# Relay\nlisten: 0.0.0.0:25\nqueue: 100\n# Seconds\nretry: 60\n";

impl Role {
    /// The three files of a run with `bytes`.
    fn files(self, bytes: &[u8]) -> [(&'static str, &[u8]); 3] {
        let is = |roles: &[Self]| roles.contains(&self);
        let pick = |hostile: bool, else_: &'static [u8]| if hostile { bytes } else { else_ };
        [
            ("relay.yml", pick(is(&[Self::Current, Self::Both]), CURRENT)),
            ("new.yml", pick(is(&[Self::Update, Self::Both]), UPDATE)),
            ("old.yml", pick(is(&[Self::Base]), UPDATE)),
        ]
    }

    /// Which files an error may name.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Current => &["relay.yml"],
            Self::Update => &["new.yml"],
            Self::Base => &["old.yml"],
            Self::Both => &["relay.yml", "new.yml"],
        }
    }
}

/// In memory where that can be: a disk would have to sync each of these files.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// Upgrades with `row` in `role`.
pub(crate) fn check(row: &Row, role: Role) -> Result<(), String> {
    let dir = folder();
    let files = role.files(&row.bytes);
    for (name, bytes) in files {
        fs::write(dir.path().join(name), bytes).map_err(|error| error.to_string())?;
    }
    let before = contents(dir.path());
    let size = files.iter().map(|(_, bytes)| bytes.len()).sum();
    let base: &[&str] = if role == Role::Base { &["--base", "old.yml"] } else { &[] };
    let words = [&["upgrade", "relay.yml", "new.yml", "-b"], base].concat();
    let output = within_limits(dir.path(), size, &words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    check_words(&output)?;
    let refused = |because, placed| check_refused(dir.path(), role, &before, &said, (because, placed));
    match (output.status.code(), meant(row, role)) {
        (Some(0), Meant::Taken | Meant::Either) => check_taken(dir.path(), role, size, &before, &words),
        (Some(2), Meant::Refused(because)) => refused(because, true),
        (Some(2), Meant::NoDefault(because)) => refused(because, false),
        (Some(2), Meant::Either) => refused("", true),
        (_, meant) => Err(format!("{}, meant was {meant:?}: {}", output.status, start(&said))),
    }
}

/// What is meant for a row in this role.
fn meant(row: &Row, role: Role) -> Meant {
    match (row.meant, role) {
        (Meant::Bare, Role::Base) | (Meant::NoDefault(_), Role::Base | Role::Current) => Meant::Taken,
        (Meant::Bare, _) => Meant::Refused("this is one bare value, not a map or a list"),
        (meant, _) => meant,
    }
}

fn start(text: &str) -> String {
    text.chars().take(400).collect()
}

/// What the shell that sets the limits does besides.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limits {
    Silent,
    /// It prints at last how much time the command took.
    Told,
}

fn within_limits(dir: &Path, size: usize, words: &[&str]) -> Output {
    within(Limits::Silent, dir, size, words)
}

/// How much room a run has for its data: 64 MiB, and so many times its input (`docs/safety.md`).
const TIMES: usize = 500;

/// The command with 2 MiB of stack, that room, and 20 seconds of processor time.
pub(crate) fn within(limits: Limits, dir: &Path, size: usize, words: &[&str]) -> Output {
    let room = (64 << 10) + size * TIMES / 1024;
    let run = if limits == Limits::Told { "\"$0\" \"$@\"; times" } else { "exec \"$0\" \"$@\"" };
    let limits = format!("ulimit -c 0; ulimit -s 2048; ulimit -t 20; ulimit -d {room}; {run}");
    let command = yamlift(dir);
    let mut shell = Command::new("sh");
    shell.current_dir(dir).args(["-c", &limits]).arg(command.get_program()).args(words);
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.output().unwrap()
}

type Checked = Result<(), String>;

/// What is printed is short where it is an error, and holds nothing that a terminal would obey.
fn check_words(output: &Output) -> Checked {
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("panicked") || said.contains("overflowed") || said.contains("memory allocation") {
        return Err(start(&said));
    }
    if said.len() > 8192 {
        return Err(format!("an error of {} bytes: {}", said.len(), start(&said)));
    }
    let obeyed =
        |c: &char| (c.is_control() && *c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let printed = String::from_utf8_lossy(&output.stdout);
    let found = said.chars().chain(printed.chars()).find(obeyed);
    found.map_or(Ok(()), |c| Err(format!("it prints {c:?}")))
}

/// Only the configuration may have changed, and a second run has nothing to do.
fn check_taken(dir: &Path, role: Role, size: usize, before: &BTreeMap<String, Vec<u8>>, words: &[&str]) -> Checked {
    let after = contents(dir);
    if before.keys().ne(after.keys()) {
        return Err(format!("it leaves {:?}", after.keys()));
    }
    if let Some((name, _)) = before.iter().find(|(name, bytes)| *name != "relay.yml" && after[*name] != **bytes) {
        return Err(format!("it changes {name}"));
    }
    if role == Role::Both && after != *before {
        return Err("upgraded with itself it is another".to_owned());
    }
    if matches!(role, Role::Both | Role::Base) {
        return Ok(());
    }
    let mut again = words.to_vec();
    again.push("--check");
    let output = within_limits(dir, size + after["relay.yml"].len(), &again);
    if output.status.code() == Some(0) {
        return Ok(());
    }
    Err(format!("a second run: {} {}", output.status, start(&String::from_utf8_lossy(&output.stderr))))
}

/// Nothing has changed, and the error names the file, the place if there is one, and why.
fn check_refused(
    dir: &Path,
    role: Role,
    before: &BTreeMap<String, Vec<u8>>,
    said: &str,
    (because, placed): (&str, bool),
) -> Checked {
    if contents(dir) != *before {
        return Err("it is refused, but a file has changed".to_owned());
    }
    let names_file = |name: &str| {
        let behind = said.strip_prefix("error: ").and_then(|said| said.strip_prefix(name)?.strip_prefix(':'));
        behind.is_some_and(|behind| !placed || is_placed(behind))
    };
    if !role.names().iter().any(|name| names_file(name)) {
        return Err(format!("the place is missing: {}", start(said)));
    }
    if said.contains(because) { Ok(()) } else { Err(format!("not {because:?}, but {}", start(said))) }
}

/// Whether a text starts with `LINE:COLUMN: `.
fn is_placed(text: &str) -> bool {
    let mut parts = text.splitn(3, ':');
    let mut number = || parts.next().is_some_and(|part| part.parse::<usize>().is_ok_and(|number| number > 0));
    number() && number() && parts.next().is_some_and(|rest| rest.starts_with(' '))
}
