//! The promise about files, held against the real command on real file systems.
//!
//! strace lets one system call of an upgrade fail, or kills the command before it. Afterwards the config must be the
//! old or the new one, whole, with all that it had; an edit of somebody else must be somewhere; nothing may be open to
//! more people; the next run must do its work and leave nothing of ours behind; and where the exit status is 0 the new
//! content must be there, and the trace must show that it was made durable in the right order.
//!
//! `cargo test` tries one scenario. `tests/faults/run` has the rest: all scenarios with a kill at every call and half
//! of the errors, and with `--hour` and `--long` half and all of them on every file system that can be mounted, and
//! calls that go on failing. `YAMLIFT_SCENARIO=WORD` tries only scenarios with that word in their names.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::print_stdout, reason = "what was tried, and what cannot be, is told")]

#[path = "faults/check.rs"]
mod check;
#[path = "faults/scenario.rs"]
mod scenario;
#[path = "faults/trace.rs"]
mod trace;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use scenario::{Scenario, scenarios};
use trace::{Fault, Point};

/// What was tried, and what came of it.
#[derive(Default)]
struct Figures {
    errors: AtomicUsize,
    kills: AtomicUsize,
    broken: Mutex<Vec<String>>,
}

impl Figures {
    fn count(&self, fault: &Fault) {
        let counter = if matches!(fault, Fault::Kill) { &self.kills } else { &self.errors };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    fn so_far(&self) -> [usize; 3] {
        let count = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        [count(&self.errors), count(&self.kills), self.broken.lock().unwrap().len()]
    }

    /// Prints what came, in a form that `tests/faults/run` gathers.
    fn tell_of(&self, system: &str) {
        let names = ["errors injected", "kill points", "states neither old nor new"];
        for (name, count) in names.into_iter().zip(self.so_far()) {
            println!("figures: {system}: {name}\t{count}");
        }
    }

    /// Fails where anything is broken.
    fn assert_whole(&self) {
        let [errors, kills, _] = self.so_far();
        let broken = self.broken.lock().unwrap();
        let shown: Vec<_> = broken.iter().take(20).map(String::as_str).collect();
        assert!(broken.is_empty(), "{} broken\n{}", broken.len(), shown.join("\n"));
        assert!(errors + kills > 0, "nothing was tried");
    }
}

fn has_strace() -> bool {
    let runs = |words: &[&str]| Command::new("strace").args(words).output().is_ok_and(|output| output.status.success());
    let has = runs(&["-o", "/dev/null", "-e", "inject=getuid:error=EIO", "true"]);
    if !has {
        println!("faults: skipped, strace is not installed or may not trace here");
    }
    has
}

/// Where to try: `NAME=DIRECTORY` words of `YAMLIFT_FAULTS`, or the directory for temporary files.
fn places() -> Vec<(String, PathBuf)> {
    let Ok(words) = std::env::var("YAMLIFT_FAULTS") else {
        return vec![("temporary files".to_owned(), std::env::temp_dir())];
    };
    let place = |word: &str| word.split_once('=').map(|(name, path)| (name.to_owned(), PathBuf::from(path)));
    words.split_whitespace().filter_map(place).collect()
}

/// Tries `scenario` in `place` with each of these, on all processors.
fn try_all(scenario: &Scenario, place: &Path, faults: &[(Point, Fault)], figures: &Figures) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((point, fault)) = faults.get(next.fetch_add(1, Ordering::Relaxed)) {
            figures.count(fault);
            if let Err(what) = check::survives(scenario, place, point, fault) {
                let told = format!("{}, {fault} at {point}: {what}", scenario.name);
                println!("faults: broken: {told}");
                figures.broken.lock().unwrap().push(told);
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
}

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    /// Every fault at every call.
    All,
    /// Every kill at every call, and every second error, each call having another half of them.
    Half,
    /// The same of the calls that are ours.
    HalfOfOurs,
}

impl Share {
    fn has(self, at: usize, point: &Point, fault: &Fault, nth: usize) -> bool {
        let is_in_half = matches!(fault, Fault::Kill) || (at + nth).is_multiple_of(2);
        match self {
            Self::All => true,
            Self::Half => is_in_half,
            Self::HalfOfOurs => is_in_half && point.is_ours,
        }
    }
}

/// One scenario with its errors and kills; how many of each there were.
fn try_scenario(
    scenario: &Scenario,
    (system, place): (&str, &Path),
    (faults, share): (&[Fault], Share),
    figures: &Figures,
) {
    let before = figures.so_far();
    match check::points(scenario, place) {
        Ok(points) => {
            let all = points.iter().enumerate();
            let all =
                all.flat_map(|(at, point)| faults.iter().enumerate().map(move |(nth, fault)| (at, point, nth, fault)));
            let faults =
                all.filter(|(at, point, nth, fault)| point.can_have(fault) && share.has(*at, point, fault, *nth));
            let faults: Vec<_> = faults.map(|(_, point, _, fault)| (point.clone(), fault.clone())).collect();
            try_all(scenario, place, &faults, figures);
            let [errors, kills, _] = figures.so_far();
            let (errors, kills) = (errors - before[0], kills - before[1]);
            println!("faults: {system}: {}: {errors} errors, {kills} kill points", scenario.name);
        }
        Err(why) => println!("faults: {system}: {}: skipped, {why}", scenario.name),
    }
}

const ERRORS: [&str; 6] = ["ENOSPC", "EIO", "EDQUOT", "EINTR", "EPERM", "EBUSY"];

fn try_everything(faults: &[Fault], share: Share) {
    if !has_strace() {
        return;
    }
    let (places, only) = (places(), std::env::var("YAMLIFT_SCENARIO").unwrap_or_default());
    let only = only.as_str();
    let all: Vec<_> = places.iter().map(|place| (place, Figures::default())).collect();
    // All file systems at the same time: one that waits for its disk leaves the processors to the others.
    std::thread::scope(|scope| {
        for ((system, place), figures) in &all {
            scope.spawn(move || {
                for scenario in scenarios().iter().filter(|scenario| scenario.name.contains(only)) {
                    try_scenario(scenario, (system, place), (faults, share), figures);
                }
            });
        }
    });
    for ((system, _), figures) in &all {
        figures.tell_of(system);
    }
    for (_, figures) in &all {
        figures.assert_whole();
    }
}

#[test]
fn a_plain_upgrade_survives_a_full_disk_and_a_kill_at_every_call() {
    if has_strace() {
        let figures = Figures::default();
        let scenario = &scenarios()[0];
        let faults = [Fault::Kill, Fault::Error("ENOSPC")];
        try_scenario(scenario, ("temporary files", &std::env::temp_dir()), (&faults, Share::HalfOfOurs), &figures);
        figures.assert_whole();
    }
}

#[test]
#[ignore = "takes minutes: tests/faults/run"]
fn quick() {
    let errors = ERRORS.map(Fault::Error);
    try_everything(&[&[Fault::Kill], &errors[..]].concat(), Share::HalfOfOurs);
}

/// A kill, every error for one call and for all that follow, and calls that the system does not know.
fn all_faults() -> Vec<Fault> {
    let (errors, lasting) = (ERRORS.map(Fault::Error), ERRORS.map(Fault::Lasting));
    let unknown = ["ENOSYS", "EINVAL", "EOPNOTSUPP"].map(Fault::Error);
    [&[Fault::Kill], &errors[..], &lasting[..], &unknown[..]].concat()
}

#[test]
#[ignore = "takes an hour: tests/faults/run --hour"]
fn hour() {
    try_everything(&all_faults(), Share::Half);
}

#[test]
#[ignore = "takes long: tests/faults/run --long"]
fn long() {
    try_everything(&all_faults(), Share::All);
}
