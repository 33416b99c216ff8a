//! strace: which calls a run makes, how one of them is made to fail, and in which order things became durable.

use std::collections::BTreeMap;
use std::fmt;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A call of a run: the how manieth of its name.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    name: String,
    count: usize,
    /// Whether it comes after the dynamic loader has done its work.
    pub(crate) is_ours: bool,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.count)
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Fault {
    Kill,
    /// This call fails.
    Error(&'static str),
    /// This call and all further ones of its name fail.
    Lasting(&'static str),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kill => f.write_str("kill"),
            Self::Error(error) => f.write_str(error),
            Self::Lasting(error) => write!(f, "{error} from then on"),
        }
    }
}

impl Point {
    /// Memory, signals, threads and waiting for a child do not fail in these ways, and an exit cannot. A `close` that fails closes all the
    /// same, but strace leaves it out, and the next reader of a pipe waits for ever; nor does any end if all are
    /// interrupted.
    pub(crate) fn can_have(&self, fault: &Fault) -> bool {
        const NOT: [&str; 17] = [
            "brk",
            "mmap",
            "munmap",
            "mprotect",
            "mremap",
            "futex",
            "exit_group",
            "rt_sigaction",
            "rt_sigprocmask",
            "sigaltstack",
            "sched_getaffinity",
            "execve",
            "getrandom",
            "close",
            "kill",
            "wait4",
            "waitid",
        ];
        // An `fsync` that is not known is none that failed.
        let is_unknown = matches!(fault, Fault::Error("ENOSYS" | "EINVAL" | "EOPNOTSUPP"));
        if self.name == "fsync" && is_unknown || matches!(fault, Fault::Lasting("EINTR")) {
            return false;
        }
        matches!(fault, Fault::Kill) || (self.is_ours && !NOT.contains(&self.name.as_str()))
    }

    /// The word that makes strace do it.
    pub(crate) fn inject(&self, fault: &Fault) -> String {
        let Self { name, count, .. } = self;
        match fault {
            Fault::Kill => format!("inject={name}:signal=KILL:when={count}"),
            Fault::Error(error) => format!("inject={name}:error={error}:when={count}"),
            Fault::Lasting(error) => format!("inject={name}:error={error}:when={count}+"),
        }
    }
}

/// Runs a command under strace with its calls written to `trace`. The umask takes nothing: no mode comes from it.
pub(crate) fn run(
    command: &[String],
    injected: &[&str],
    trace: &Path,
    dir: &Path,
    user: Option<u32>,
) -> Result<Output, String> {
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 000; exec \"$@\"", "sh", "strace", "-qq", "-y", "-s", "8", "-o"]).arg(trace);
    for inject in injected {
        shell.args(["-e", inject]);
    }
    if let Some(user) = user {
        shell.uid(user).gid(user);
    }
    ended(shell.args(command).current_dir(dir).env_remove("TZ").env_remove("RUST_BACKTRACE"))
}

/// What a command said when it ended, as it must within a minute.
fn ended(command: &mut Command) -> Result<Output, String> {
    let command = command.process_group(0).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let start = Instant::now();
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            let group = format!("-{}", child.id());
            let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
            return child.wait().map_or_else(|error| Err(error.to_string()), |_| Err("it does not end".to_owned()));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    child.wait_with_output().map_err(|error| error.to_string())
}

/// The calls in a trace, from the one behind `execve` on; those from the first that names `config` on are ours.
pub(crate) fn points(trace: &str, config: &str) -> Vec<Point> {
    let mut counts = BTreeMap::new();
    let mut is_ours = false;
    let mut points = Vec::new();
    for line in trace.lines() {
        let Some((name, rest)) = line.split_once('(') else { continue };
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            continue;
        }
        let count: &mut usize = counts.entry(name.to_owned()).or_default();
        *count += 1;
        is_ours |= name != "execve" && rest.contains(config);
        points.push(Point { name: name.to_owned(), count: *count, is_ours });
    }
    points.into_iter().filter(|point| point.name != "execve").collect()
}

/// What is wrong with the order of a run that says it has replaced or installed the config: the new content is written
/// and durable before it takes its place, and the directory is durable behind that.
pub(crate) fn disorder(trace: &str) -> Option<&'static str> {
    let done: Vec<_> = trace.lines().filter(|line| !line.contains(" = -1 ")).collect();
    let last = |is: &dyn Fn(&str) -> bool| done.iter().rposition(|line| is(line));
    let of_new = |line: &str| line.contains("/.yamlift-") && line.contains(".new>");
    let written = last(&|line| line.starts_with("write(") && of_new(line));
    let content = last(&|line| line.starts_with("fsync(") && of_new(line));
    let changed = last(&|line| line.starts_with("fchmod(") && of_new(line));
    let placed = done.iter().position(|line| line.starts_with("renameat") && !line.contains(".new\", "));
    let placed = placed.or_else(|| last(&|line| line.starts_with("renameat") || line.starts_with("linkat")));
    // The names of old backups that are removed come behind all that and are no part of it.
    let is_named = |line: &str| ["renameat", "linkat", "unlinkat"].iter().any(|call| line.starts_with(call));
    let named = last(&|line| is_named(line) && line.contains("\".yamlift-"));
    let folder = last(&|line| line.starts_with("fsync(") && !line.contains("/.yamlift-"));
    match (written, content, placed, named, folder) {
        (Some(written), Some(content), ..) if content < written => Some("written behind its fsync"),
        (_, Some(content), ..) if changed > Some(content) => Some("mode changed behind its fsync"),
        (_, Some(content), Some(placed), ..) if placed < content => Some("in its place before it was durable"),
        (.., Some(named), Some(folder)) if folder < named => Some("the directory was not synced at last"),
        (Some(_), Some(_), Some(_), Some(_), Some(_)) => None,
        _ => Some("not written, not synced, or not placed"),
    }
}
