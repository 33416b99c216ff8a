//! What is upgraded, how, and what may come out of it.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::fs::{XattrFlags, setxattr};
use rustix::process::geteuid;

pub(crate) const OLD: &str = "# Relay\nlisten: 10.0.0.1:25\npassword: hunter2\n";
pub(crate) const EDIT: &str = "# Relay\nlisten: 10.9.9.9:25\npassword: hunter2\n";
const UPDATE: &str = "# Relay\nlisten: 0.0.0.0:25\npassword: changeme\n# Seconds\nretry: 60\n";
const ADDED: &str = "# Seconds\nretry: 60\n";

pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// The words behind `yamlift upgrade relay.yml new/relay.yml`, or all of them.
    words: &'static [&'static str],
    verb: Verb,
    /// Puts things in their place; an error says why that cannot be done here.
    pub(crate) set_up: fn(&Path) -> Result<(), String>,
    /// Puts away what a temporary directory does not.
    pub(crate) clear: fn(&Path),
    /// The file that is replaced, behind any links.
    pub(crate) config: &'static str,
    pub(crate) user: Option<u32>,
    /// How many more upgrades run at the same time.
    pub(crate) others: usize,
    /// Calls that this system does not know, in the words of strace.
    pub(crate) lacks: &'static [&'static str],
    pub(crate) outcome: Outcome,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Upgrade,
    Restore,
    /// What the upgrade of another file comes to is put there.
    Output,
}

/// What may come out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The old config or the new one.
    Replaced,
    /// Always the old one, for this is refused.
    Refused,
    /// The config was up to date.
    Same,
    /// Somebody's edit, as soon as it was made.
    Edited,
    /// The old config with somebody's attribute, as soon as that was set.
    Tagged,
    /// The new one, or none.
    Installed,
    /// The old or the new one after an error. After a kill perhaps neither, but then there is a backup.
    Overwritten,
}

pub(crate) fn upgraded(text: &str) -> String {
    format!("{text}{ADDED}")
}

/// All that may stand in the config after a run.
pub(crate) fn allowed(outcome: Outcome) -> Vec<String> {
    let texts: &[String] = &match outcome {
        Outcome::Replaced | Outcome::Overwritten => vec![OLD.to_owned(), upgraded(OLD)],
        Outcome::Refused | Outcome::Tagged => vec![OLD.to_owned()],
        Outcome::Same => vec![upgraded(OLD)],
        Outcome::Edited => vec![OLD.to_owned(), EDIT.to_owned(), upgraded(OLD)],
        Outcome::Installed => vec![UPDATE.to_owned()],
    };
    texts.to_vec()
}

impl Scenario {
    /// The command in `dir`.
    pub(crate) fn command(&self, dir: &Path) -> Vec<String> {
        let words = match self.verb {
            Verb::Upgrade => &["upgrade", "-q", "relay.yml", "new/relay.yml"][..],
            Verb::Restore => &["restore", "-q", "relay.yml"],
            Verb::Output => &["upgrade", "-q", "source.yml", "new/relay.yml", "-o", "relay.yml", "--force"],
        };
        let beside = dir.with_extension("beside");
        let word = |word: &&str| word.replace("{beside}", &beside.to_string_lossy());
        let bin = if self.user.is_some() { dir.join("new/yamlift") } else { env!("CARGO_BIN_EXE_yamlift").into() };
        let bin = [bin.to_string_lossy().into_owned()];
        bin.into_iter().chain(words.iter().map(word)).chain(self.words.iter().map(word)).collect()
    }

    /// The same without the hands of others in it.
    pub(crate) fn next_command(&self, dir: &Path) -> Vec<String> {
        let mut words = self.command(dir);
        if let Some(at) = words.iter().position(|word| word == "--validate") {
            words.drain(at..at + 2);
        }
        words
    }
}

const PLAIN: Scenario = Scenario {
    name: "plain",
    words: &[],
    verb: Verb::Upgrade,
    set_up: |dir| files(dir, OLD, 0o640),
    clear: |_| {},
    config: "relay.yml",
    user: None,
    others: 0,
    lacks: &[],
    outcome: Outcome::Replaced,
};

/// As over FUSE.
const ONLY_RENAMES: &[&str] = &["inject=renameat2:error=EINVAL", "inject=linkat:error=EPERM"];

/// By another file, and into the file itself.
const BY_RENAME: &str =
    "sh -c 'umask 077; cp -p relay.yml x; sed s/10.0.0.1/10.9.9.9/ x >y; cat y >x; rm y; mv x relay.yml; >made' %s";
const BY_WRITING: &str = "sh -c 'umask 077; sed s/10.0.0.1/10.9.9.9/ relay.yml >y; cat y >relay.yml; rm y; >made' %s";

/// The attribute is another one behind that.
const BY_TAGGING: &str = "sh -c 'setfattr -n user.note -v later relay.yml; >made' %s";
pub(crate) const NOTE: &[u8] = b"later";

pub(crate) fn scenarios() -> Vec<Scenario> {
    let edited = Scenario { outcome: Outcome::Edited, ..PLAIN };
    let tagged = Scenario { outcome: Outcome::Tagged, ..PLAIN };
    vec![
        PLAIN,
        Scenario { name: "symbolic links", set_up: links, config: "etc/real.yml", ..PLAIN },
        Scenario { name: "access list and attributes", set_up: attributes, ..PLAIN },
        Scenario { name: "another owner", set_up: owner, ..PLAIN },
        Scenario { name: "0600, umask 000", set_up: |dir| files(dir, OLD, 0o600), ..PLAIN },
        Scenario { name: "no backup", words: &["--no-backup"], ..PLAIN },
        Scenario {
            name: "backups on another disk",
            words: &["--backup-dir", "{beside}"],
            set_up: beside,
            clear,
            ..PLAIN
        },
        Scenario { name: "full disk", set_up: full, clear, outcome: Outcome::Refused, ..PLAIN },
        Scenario { name: "mount point", set_up: mounted, clear, outcome: Outcome::Refused, ..PLAIN },
        Scenario {
            name: "mount point, in place",
            words: &["--in-place"],
            set_up: mounted,
            clear,
            outcome: Outcome::Overwritten,
            ..PLAIN
        },
        Scenario { name: "read-only directory", set_up: foreign, user: Some(4321), outcome: Outcome::Refused, ..PLAIN },
        Scenario { name: "four at once", others: 3, ..PLAIN },
        Scenario { name: "four at once that wait", words: &["--wait", "20"], others: 3, ..PLAIN },
        Scenario {
            name: "two installations at once",
            set_up: nothing,
            others: 1,
            outcome: Outcome::Installed,
            ..PLAIN
        },
        Scenario { name: "only renames", lacks: ONLY_RENAMES, ..PLAIN },
        Scenario {
            name: "attributes changed meanwhile",
            words: &["--validate", BY_TAGGING],
            set_up: attributes,
            ..tagged
        },
        Scenario { name: "edited meanwhile by a rename", words: &["--validate", BY_RENAME], ..edited },
        Scenario { name: "edited meanwhile, no backup", words: &["--validate", BY_RENAME, "-b"], ..edited },
        Scenario { name: "edited meanwhile in the file", words: &["--validate", BY_WRITING, "-b"], ..edited },
        Scenario {
            name: "nothing to do",
            set_up: |dir| files(dir, &upgraded(OLD), 0o640),
            outcome: Outcome::Same,
            ..PLAIN
        },
        Scenario { name: "first installation", set_up: nothing, outcome: Outcome::Installed, ..PLAIN },
        Scenario { name: "old backups removed", words: &["--keep-backups", "2"], set_up: old_backups, ..PLAIN },
        Scenario { name: "restore", verb: Verb::Restore, set_up: to_restore, ..PLAIN },
        Scenario { name: "a checker that agrees", words: &["--validate", "grep -q retry %s"], ..PLAIN },
        Scenario {
            name: "a checker that refuses",
            words: &["--validate", "grep -q none %s"],
            outcome: Outcome::Refused,
            ..PLAIN
        },
        Scenario { name: "the default remembered", words: &["--remember", "memory"], ..PLAIN },
        Scenario { name: "an output that is there", verb: Verb::Output, set_up: output, ..PLAIN },
        Scenario { name: "a new output", verb: Verb::Output, set_up: new_output, outcome: Outcome::Installed, ..PLAIN },
    ]
}

type SetUp = Result<(), String>;

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn root() -> SetUp {
    if geteuid().is_root() { Ok(()) } else { Err("it takes root".to_owned()) }
}

fn files(dir: &Path, text: &str, mode: u32) -> SetUp {
    fs::create_dir(dir.join("new")).map_err(told)?;
    fs::write(dir.join("new/relay.yml"), UPDATE).map_err(told)?;
    fs::write(dir.join("relay.yml"), text).map_err(told)?;
    fs::set_permissions(dir.join("relay.yml"), Permissions::from_mode(mode)).map_err(told)
}

fn links(dir: &Path) -> SetUp {
    files(dir, OLD, 0o640)?;
    fs::create_dir(dir.join("etc")).map_err(told)?;
    fs::rename(dir.join("relay.yml"), dir.join("etc/real.yml")).map_err(told)?;
    symlink("etc/real.yml", dir.join("second.yml")).map_err(told)?;
    symlink("second.yml", dir.join("relay.yml")).map_err(told)
}

/// User 1234 may read; the entries are those of `linux/posix_acl_xattr.h`.
fn attributes(dir: &Path) -> SetUp {
    files(dir, OLD, 0o600)?;
    let entries = [(1_u16, 6_u16, u32::MAX), (2, 4, 1234), (4, 0, u32::MAX), (16, 4, u32::MAX), (32, 0, u32::MAX)];
    let entry = |(tag, rights, id): &(u16, u16, u32)| {
        [&tag.to_le_bytes()[..], &rights.to_le_bytes(), &id.to_le_bytes()].concat()
    };
    let list = [2_u32.to_le_bytes().to_vec(), entries.iter().flat_map(entry).collect()].concat();
    let set = |name, value: &[u8]| setxattr(dir.join("relay.yml"), name, value, XattrFlags::empty()).map_err(told);
    set("system.posix_acl_access", &list)?;
    set("user.note", b"kept by hand")
}

fn owner(dir: &Path) -> SetUp {
    root()?;
    files(dir, OLD, 0o640)?;
    chown(dir.join("relay.yml"), Some(1234), Some(2345)).map_err(told)
}

fn beside(dir: &Path) -> SetUp {
    files(dir, OLD, 0o640)?;
    fs::create_dir(dir.with_extension("beside")).map_err(told)?;
    tool(&["mount", "-t", "tmpfs", "-o", "size=256k,mode=0700", "tmpfs"], &dir.with_extension("beside"))
}

/// A disk of its own for the directory, with no block left for a second file.
fn full(dir: &Path) -> SetUp {
    tool(&["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs"], dir)?;
    files(dir, OLD, 0o640)?;
    let filled = fs::write(dir.join("new/filler"), vec![b'#'; 1 << 20]);
    if filled.is_err() { Ok(()) } else { Err("the disk does not get full".to_owned()) }
}

fn mounted(dir: &Path) -> SetUp {
    files(dir, OLD, 0o640)?;
    let own = dir.with_extension("beside");
    fs::create_dir(&own).map_err(told)?;
    fs::rename(dir.join("relay.yml"), own.join("own.yml")).map_err(told)?;
    fs::write(dir.join("relay.yml"), "").map_err(told)?;
    tool(&["mount", "--bind", &own.join("own.yml").to_string_lossy()], &dir.join("relay.yml"))
}

fn foreign(dir: &Path) -> SetUp {
    root()?;
    files(dir, OLD, 0o640)?;
    command_for_all(&dir.join("new/yamlift"))?;
    chown(dir.join("relay.yml"), Some(4321), Some(4321)).map_err(told)
}

/// The command where another user can run it: a link to it, or a copy.
fn command_for_all(path: &Path) -> SetUp {
    let bin = Path::new(env!("CARGO_BIN_EXE_yamlift"));
    let is_open = |path: &Path| fs::metadata(path).is_ok_and(|metadata| metadata.mode() & 0o001 != 0);
    if bin.ancestors().all(is_open) {
        return symlink(bin, path).map_err(told);
    }
    // By another process: a file that this one has open for writing cannot be run by a thread beside it.
    tool(&["install", "-m", "755", env!("CARGO_BIN_EXE_yamlift")], path)
}

fn nothing(dir: &Path) -> SetUp {
    files(dir, OLD, 0o640)?;
    fs::remove_file(dir.join("relay.yml")).map_err(told)
}

fn old_backups(dir: &Path) -> SetUp {
    files(dir, OLD, 0o640)?;
    (10..14).try_for_each(|day| backup(dir, &format!("202001{day}000000"), "# Relay\nolder: 1\n"))
}

fn to_restore(dir: &Path) -> SetUp {
    files(dir, OLD, 0o640)?;
    backup(dir, "20200101000000", &upgraded(OLD))
}

fn output(dir: &Path) -> SetUp {
    files(dir, OLD, 0o640)?;
    fs::copy(dir.join("relay.yml"), dir.join("source.yml")).map(drop).map_err(told)
}

fn new_output(dir: &Path) -> SetUp {
    files(dir, UPDATE, 0o644)?;
    fs::rename(dir.join("relay.yml"), dir.join("source.yml")).map_err(told)
}

fn backup(dir: &Path, time: &str, text: &str) -> SetUp {
    let path = dir.join(format!("relay.yml.{time}"));
    fs::write(&path, text).map_err(told)?;
    fs::set_permissions(path, Permissions::from_mode(0o640)).map_err(told)
}

fn tool(words: &[&str], path: &Path) -> SetUp {
    let output = Command::new(words[0]).args(&words[1..]).arg(path).output().map_err(told)?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(format!("{}: {}", words[0], said.trim())) }
}

fn clear(dir: &Path) {
    let beside: PathBuf = dir.with_extension("beside");
    for path in [&dir.join("relay.yml"), dir, &beside] {
        // Most of these are no mount points.
        let _ = Command::new("umount").arg("-q").arg(path).output();
    }
    let _ = fs::remove_dir_all(beside);
}
