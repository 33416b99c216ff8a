//! One run of another program, bounded: in time, in what it says, and in whom it leaves behind.
//!
//! It is a group of processes of its own, which ends with it. What has left that group (a daemon) cannot be ended by the
//! means of the system, but nobody waits for it: not the end of what is printed counts, but the end of the program. It
//! sees little of the environment, for a secret in a variable is none of its business.

use std::ffi::{OsStr, OsString};
use std::io::{self, PipeReader, Read as _};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};
use std::{env, mem};

/// How a program ended, and what it said: both its streams are one, so that its words stay in order.
pub(super) struct Ended {
    /// `None` where its time ran out.
    pub(super) status: Option<ExitStatus>,
    pub(super) said: String,
}

/// Runs the program that the first word names, no longer than `limit`.
pub(super) fn run(mut words: impl Iterator<Item = OsString>, limit: Duration) -> io::Result<Ended> {
    let mut command = Command::new(words.next().unwrap_or_default());
    let (reader, writer) = io::pipe()?;
    // What is left is taken over as it is: to clear all of it first takes another, more fragile way to start a program.
    for (name, _) in env::vars_os().filter(|(name, _)| !is_handed_down(name)) {
        command.env_remove(name);
    }
    command.args(words).stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let listener = Listener::start(reader)?;
    let mut child = group::start(&mut command)?;
    // With it go the last ends of the pipe that are ours.
    drop(command);
    let in_time = group::ends_within(&mut child, limit);
    // It has not been waited for yet, so that its number is nobody else's.
    group::end(&mut child);
    let status = child.wait()?;
    Ok(Ended { status: in_time?.then_some(status), said: listener.said() })
}

/// Where programs are, where settings are, the language, and the time zone.
fn is_handed_down(name: &OsStr) -> bool {
    const NAMES: [&str; 4] = ["PATH", "HOME", "LANG", "TZ"];
    /// Without these no program starts on Windows.
    const OF_WINDOWS: [&str; 5] = ["SYSTEMROOT", "PATHEXT", "COMSPEC", "TEMP", "TMP"];
    let Some(name) = name.to_str() else { return false };
    let is = |known: &[&str]| known.iter().any(|known| name.eq_ignore_ascii_case(known));
    NAMES.contains(&name) || name.starts_with("LC_") || (cfg!(windows) && (is(&OF_WINDOWS) || is(&NAMES)))
}

/// Keeps the last words that come through a pipe, and reads on: who writes there must not have to wait.
struct Listener {
    words: Arc<Mutex<Words>>,
    end: Receiver<()>,
}

#[derive(Default)]
struct Words {
    kept: Vec<u8>,
    is_cut: bool,
    is_done: bool,
}

impl Listener {
    fn start(mut reader: PipeReader) -> io::Result<Self> {
        let words = Arc::new(Mutex::new(Words::default()));
        let (at_end, end) = mpsc::channel();
        let (heard, waiting) = (Arc::clone(&words), thread::current());
        let listen = move || {
            listen(&mut reader, &heard, &waiting);
            drop(at_end);
        };
        thread::Builder::new().name("words of a program".to_owned()).spawn(listen)?;
        Ok(Self { words, end })
    }

    /// What was said. A program that has ended has written all of it into the pipe; who still holds the other end of
    /// that is a daemon.
    fn said(&self) -> String {
        const PATIENCE: Duration = Duration::from_millis(300);
        let _ = self.end.recv_timeout(PATIENCE);
        let mut words = lock(&self.words);
        words.is_done = true;
        let kept = mem::take(&mut words.kept);
        // Half a line may be half a secret, which nobody would know again.
        let start = match kept.iter().position(|&byte| byte == b'\n') {
            _ if !words.is_cut => 0,
            Some(end) => end + 1,
            None => kept.len(),
        };
        String::from_utf8_lossy(kept.get(start..).unwrap_or_default()).into_owned()
    }
}

fn lock(words: &Mutex<Words>) -> MutexGuard<'_, Words> {
    words.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listen(reader: &mut PipeReader, words: &Mutex<Words>, waiting: &Thread) {
    const MOST: usize = 64 << 10;
    let mut part = vec![0; MOST];
    loop {
        let length = match reader.read(&mut part) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) | Ok(0) => break,
            Ok(length) => length,
        };
        let mut words = lock(words);
        if words.is_done {
            break;
        }
        words.kept.extend(part.iter().take(length));
        let excess = words.kept.len().saturating_sub(MOST);
        words.kept.drain(..excess);
        words.is_cut |= excess > 0;
    }
    waiting.unpark();
}

/// Waits until `has_ended` says so, no longer than `limit`; whether it did. Parking is woken when nothing is said any more.
fn wait_for(limit: Duration, mut has_ended: impl FnMut() -> io::Result<bool>) -> io::Result<bool> {
    const LONGEST: Duration = Duration::from_millis(50);
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    while !has_ended()? {
        let left = limit.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Ok(false);
        }
        thread::park_timeout(pause.min(left));
        pause = LONGEST.min(pause * 2);
    }
    Ok(true)
}

#[cfg(all(unix, not(any(target_os = "openbsd", target_os = "redox"))))]
mod group {
    use std::io;
    use std::os::unix::process::CommandExt as _;
    use std::process::{Child, Command};
    use std::time::Duration;

    use rustix::io::retry_on_intr;
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

    pub(super) fn start(command: &mut Command) -> io::Result<Child> {
        command.process_group(0).spawn()
    }

    /// Does not take the status yet: as long as nobody has, the number of the group cannot be given to another one.
    pub(super) fn ends_within(child: &mut Child, limit: Duration) -> io::Result<bool> {
        let how = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let pid = Pid::from_child(child);
        super::wait_for(limit, || Ok(retry_on_intr(|| waitid(WaitId::Pid(pid), how))?.is_some()))
    }

    /// Where all of it has ended there is nobody to tell.
    pub(super) fn end(child: &mut Child) {
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
        let _ = child.kill();
    }
}

#[cfg(not(all(unix, not(any(target_os = "openbsd", target_os = "redox")))))]
mod group {
    use std::io;
    use std::process::{Child, Command};
    use std::time::Duration;

    pub(super) fn start(command: &mut Command) -> io::Result<Child> {
        command.spawn()
    }

    pub(super) fn ends_within(child: &mut Child, limit: Duration) -> io::Result<bool> {
        super::wait_for(limit, || Ok(child.try_wait()?.is_some()))
    }

    /// The standard library ends the program alone, and no program of its own.
    pub(super) fn end(child: &mut Child) {
        let _ = child.kill();
    }
}
