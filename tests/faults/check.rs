//! What must be true after a run in which something went wrong.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::lgetxattr;
use tempfile::TempDir;

use crate::scenario::{EDIT, NOTE, OLD, Outcome, Scenario, allowed, upgraded};
use crate::trace::{self, Fault, Point};

type Checked = Result<(), String>;

/// A directory in which a scenario is set up, and which is cleared when it is dropped.
struct Stage<'s> {
    scenario: &'s Scenario,
    dir: TempDir,
    trace: TempDir,
    before: Guise,
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        (self.scenario.clear)(self.dir.path());
    }
}

/// What a config has besides its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Guise {
    owner: (u32, u32),
    mode: u32,
    list: Vec<u8>,
    note: Vec<u8>,
}

impl Guise {
    /// `None` where nothing is there.
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::symlink_metadata(path).ok()?;
        let value = |name| {
            let mut value = [0; 256];
            let length = lgetxattr(path, name, &mut value).unwrap_or_default();
            value[..length].to_vec()
        };
        let (list, note) = (value("system.posix_acl_access"), value("user.note"));
        Some(Self { owner: (metadata.uid(), metadata.gid()), mode: metadata.mode(), list, note })
    }
}

impl<'s> Stage<'s> {
    fn new(scenario: &'s Scenario, place: &Path) -> Result<Self, String> {
        let dir = tempfile::Builder::new().prefix("yamlift").tempdir_in(place).map_err(|error| error.to_string())?;
        let trace = tempfile::tempdir().map_err(|error| error.to_string())?;
        for path in [dir.path(), trace.path()] {
            let mode = std::os::unix::fs::PermissionsExt::from_mode(if path == dir.path() { 0o755 } else { 0o777 });
            fs::set_permissions(path, mode).map_err(|error| error.to_string())?;
        }
        let mut stage = Self { scenario, dir, trace, before: Guise::default() };
        (scenario.set_up)(stage.dir.path())?;
        stage.before = Guise::of(&stage.config()).unwrap_or(Guise { mode: 0o100_644, ..Guise::default() });
        Ok(stage)
    }

    fn config(&self) -> PathBuf {
        self.dir.path().join(self.scenario.config)
    }

    /// Runs the command, and beside it as many more as the scenario wants.
    fn run(&self, inject: Option<&str>, others: usize) -> Result<Output, String> {
        let command = self.scenario.command(self.dir.path());
        let other = |_| {
            let mut other = Command::new(&command[0]);
            other.args(&command[1..]).current_dir(self.dir.path()).stderr(Stdio::null()).spawn().unwrap()
        };
        let mut others: Vec<_> = (0..others).map(other).collect();
        let injected: Vec<_> = self.scenario.lacks.iter().copied().chain(inject).collect();
        let output = trace::run(&command, &injected, &self.trace_path(), self.dir.path(), self.scenario.user);
        for other in &mut others {
            other.wait().unwrap();
        }
        output
    }

    fn trace_path(&self) -> PathBuf {
        self.trace.path().join("trace")
    }

    fn trace(&self) -> String {
        fs::read_to_string(self.trace_path()).unwrap_or_default()
    }

    /// All regular files in the directories where anything may be, but for the new default.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let beside = self.dir.path().with_extension("beside");
        let dirs = [self.dir.path(), &self.dir.path().join("etc"), &beside].map(fs::read_dir);
        let entries = dirs.into_iter().flatten().flatten().flatten().map(|entry| entry.path());
        let files = entries.filter(|path| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file()));
        files.map(|path| (path.clone(), fs::read(path).unwrap_or_default())).collect()
    }

    fn content(&self) -> Option<String> {
        fs::read(self.config()).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The config is one of those that may be, whole, with all that it had.
    fn check_config(&self, allowed: &[String], was_killed: bool) -> Checked {
        let Some(content) = self.content() else {
            let may_be_missing = self.scenario.outcome == Outcome::Installed;
            return if may_be_missing { Ok(()) } else { Err("the config is gone".to_owned()) };
        };
        let guise = Guise::of(&self.config());
        if guise.as_ref() != Some(&self.wanted()) {
            return Err(format!("the config was to be {:?}, is {guise:?}", self.wanted()));
        }
        let may_be = allowed.contains(&content) || (was_killed && self.is_kept());
        if !may_be {
            return Err(format!("the config holds {content:?}"));
        }
        match fs::symlink_metadata(self.dir.path().join("relay.yml")) {
            Ok(metadata) if metadata.is_symlink() == (self.scenario.config != "relay.yml") => Ok(()),
            _ => Err("the link is gone".to_owned()),
        }
    }

    /// What the config has to have besides its bytes.
    fn wanted(&self) -> Guise {
        let is_tagged = self.scenario.outcome == Outcome::Tagged && self.dir.path().join("made").exists();
        let note = if is_tagged { NOTE.to_vec() } else { self.before.note.clone() };
        Guise { note, ..self.before.clone() }
    }

    /// Whether a half-written config may be: only where it is written over, and only with a backup.
    fn is_kept(&self) -> bool {
        let is_backup = |path: &Path| path.to_string_lossy().contains("relay.yml.2");
        let mut files = self.files().into_iter();
        self.scenario.outcome == Outcome::Overwritten
            && files.any(|(path, text)| is_backup(&path) && text == OLD.as_bytes())
    }

    /// Nothing with a byte in it is open to more people than the config was.
    fn check_rights(&self) -> Checked {
        for (path, text) in self.files() {
            let Some(guise) = Guise::of(&path).filter(|_| !text.is_empty()) else { continue };
            if guise.mode & 0o077 & !self.before.mode != 0 {
                return Err(format!("{} has mode {:o}", path.display(), guise.mode));
            }
        }
        Ok(())
    }

    /// Somebody's edit is somewhere, once it was made.
    fn check_edit(&self) -> Checked {
        let was_made = self.scenario.outcome == Outcome::Edited && self.dir.path().join("made").exists();
        if was_made && !self.is_edited() { Err("the edit is lost".to_owned()) } else { Ok(()) }
    }

    /// Whether the run came to start a program.
    fn has_started_a_program(&self) -> bool {
        let is_start = |line: &str| line.starts_with("clone") || line.starts_with("vfork");
        self.trace().lines().any(|line| is_start(line) && !line.contains(" = -1 ") && !line.contains(" = ?"))
    }

    /// Who edits outlives a command that was killed, or that would not wait.
    fn wait_for_edit(&self) {
        if [Outcome::Edited, Outcome::Tagged].contains(&self.scenario.outcome) && self.has_started_a_program() {
            let start = Instant::now();
            while !self.dir.path().join("made").exists() && start.elapsed() < Duration::from_secs(2) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    fn is_edited(&self) -> bool {
        self.files().values().any(|text| text.starts_with(EDIT.as_bytes()))
    }

    /// Status 0 is only for new content that was made durable.
    fn check_status(&self, output: &Output) -> Checked {
        if !output.status.success() {
            return Ok(());
        }
        match self.scenario.outcome {
            Outcome::Refused | Outcome::Edited | Outcome::Tagged => {
                Err("status 0 for what is to be refused".to_owned())
            }
            _ if self.content().is_none_or(|content| content == OLD) => Err("status 0 with the old content".to_owned()),
            Outcome::Replaced | Outcome::Installed if self.scenario.others == 0 => {
                trace::disorder(&self.trace()).map_or(Ok(()), |what| Err(format!("status 0, but {what}")))
            }
            _ => Ok(()),
        }
    }

    /// The next run. Linux lets the parent of a program go on before the program has closed the files of the parent in
    /// its `execve`: where the parent is killed at that moment, its lock lives on until then.
    fn run_next(&self) -> Result<Output, String> {
        let command = self.scenario.next_command(self.dir.path());
        let mut next = Command::new(&command[0]);
        next.args(&command[1..]).current_dir(self.dir.path());
        let start = Instant::now();
        loop {
            let output = next.output().map_err(|error| error.to_string())?;
            let is_busy = String::from_utf8_lossy(&output.stderr).contains("another upgrade is at work");
            if !is_busy || !self.has_started_a_program() || start.elapsed() > Duration::from_secs(2) {
                return Ok(output);
            }
        }
    }

    /// The next run does its work and leaves nothing of ours.
    fn check_next(&self) -> Checked {
        let edited = self.is_edited();
        let output = self.run_next()?;
        let refused =
            [Outcome::Refused, Outcome::Overwritten].contains(&self.scenario.outcome) || self.scenario.user.is_some();
        if !output.status.success() && !refused {
            return Err(format!("the next run: {}", String::from_utf8_lossy(&output.stderr)));
        }
        let mut allowed = allowed(self.scenario.outcome);
        allowed.extend([upgraded(OLD), upgraded(EDIT)]);
        self.check_config(&allowed, true).map_err(|what| format!("after the next run, {what}"))?;
        let is_ours = |path: &&PathBuf| path.to_string_lossy().contains("/.yamlift-");
        let files = self.files();
        if let Some(left) = files.keys().find(is_ours) {
            return Err(format!("the next run leaves {}", left.display()));
        }
        if edited && !self.is_edited() {
            return Err("the next run loses the edit".to_owned());
        }
        Ok(())
    }
}

/// The calls of a run in which nothing goes wrong.
pub(crate) fn points(scenario: &Scenario, place: &Path) -> Result<Vec<Point>, String> {
    let stage = Stage::new(scenario, place)?;
    let output = stage.run(None, 0)?;
    let wanted = !matches!(scenario.outcome, Outcome::Refused | Outcome::Edited | Outcome::Tagged);
    if output.status.success() != wanted {
        return Err(format!("it does not run: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(trace::points(&stage.trace(), "relay.yml"))
}

/// One run with one fault, and what must be true behind it.
pub(crate) fn survives(scenario: &Scenario, place: &Path, point: &Point, fault: &Fault) -> Checked {
    let stage = Stage::new(scenario, place)?;
    let output = stage.run(Some(&point.inject(fault)), scenario.others)?;
    stage.wait_for_edit();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if said.contains("panicked") {
        return Err(said);
    }
    let checks = || {
        stage.check_config(&allowed(scenario.outcome), matches!(fault, Fault::Kill))?;
        stage.check_rights()?;
        stage.check_edit()?;
        stage.check_status(&output)?;
        stage.check_next()
    };
    checks().map_err(|what| format!("{what} (it said: {})", said.trim()))
}
