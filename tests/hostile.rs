//! Files that mean harm, or that something has spoilt: each is the configuration, the new default, the old default and
//! both of the first at once.
//!
//! A file is either handled as the table says, or refused with its place; then no file has changed and none has come. A
//! run has 2 MiB of stack, so much processor time that only an endless loop runs out of it, and for its data 64 MiB and
//! 500 times what it was given. A child process has these limits: where it breaks one, the system ends it and the test
//! says which file it was. `YAMLIFT_HOSTILE=WORD` tries only files with that word in their names.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::print_stdout, reason = "what was tried is told")]

#[path = "hostile/aliases.rs"]
mod aliases;
#[path = "hostile/bytes.rs"]
mod bytes;
mod common;
#[path = "hostile/copies.rs"]
mod copies;
#[path = "hostile/depth.rs"]
mod depth;
#[path = "hostile/linear.rs"]
mod linear;
#[path = "hostile/memory.rs"]
mod memory;
#[path = "hostile/mistakes.rs"]
mod mistakes;
#[path = "hostile/run.rs"]
mod run;
#[path = "hostile/size.rs"]
mod size;
#[path = "hostile/threads.rs"]
mod threads;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use run::{ROLES, Role};

/// What is to become of a file.
#[derive(Clone, Copy, Debug)]
enum Meant {
    /// It is valid, and is upgraded.
    Taken,
    /// Refused with these words, and the place in it.
    Refused(&'static str),
    /// Valid, but not a config: nobody's present one or new default. An old default that says nothing may be so.
    Bare,
    /// A config may be so, but not a new default: refused as a whole with these words.
    NoDefault(&'static str),
    /// One or the other.
    Either,
}

/// A file and what is to become of it.
#[derive(Clone)]
struct Row {
    name: String,
    bytes: Vec<u8>,
    meant: Meant,
}

fn row(name: impl Into<String>, bytes: impl Into<Vec<u8>>, meant: Meant) -> Row {
    Row { name: name.into(), bytes: bytes.into(), meant }
}

fn rows() -> Vec<Row> {
    [depth::rows(), aliases::rows(), bytes::rows(), size::rows(), mistakes::rows()].into_iter().flatten().collect()
}

fn joined(numbers: Range<usize>, part: impl Fn(usize) -> String) -> String {
    numbers.map(part).collect::<Vec<_>>().concat()
}

/// So many lines with their number in place of `@`.
fn numbered(count: usize, line: &str) -> String {
    joined(0..count, |at| line.replace('@', &at.to_string()))
}

/// Does `work` with each number below `count`, on all processors.
fn on_all_processors(count: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let one = || {
        while let Some(at) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|at| *at < count) {
            work(at);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(one);
        }
    });
}

/// What is wrong with these as each of what a file can be in an upgrade.
fn tried(rows: &[Row]) -> Vec<String> {
    let broken = Mutex::new(Vec::new());
    on_all_processors(rows.len() * ROLES.len(), |at| {
        let (row, role): (&Row, Role) = (&rows[at / ROLES.len()], ROLES[at % ROLES.len()]);
        if let Err(what) = run::check(row, role) {
            broken.lock().unwrap().push(format!("{} as {role:?}: {what}", row.name));
        }
    });
    broken.into_inner().unwrap()
}

#[test]
fn hostile_files_are_handled_or_refused_with_their_place() {
    let only = std::env::var("YAMLIFT_HOSTILE").unwrap_or_default();
    let rows: Vec<_> = rows().into_iter().filter(|row| row.name.contains(&only)).collect();
    let names: BTreeSet<_> = rows.iter().map(|row| &row.name).collect();
    assert_eq!(names.len(), rows.len(), "two files have one name");
    let broken = tried(&rows);
    let panics = broken.iter().filter(|what| what.contains("panicked")).count();
    println!("figures: hostile files\t{}", rows.len());
    println!("figures: hostile files: runs\t{}", rows.len() * ROLES.len());
    println!("figures: hostile files: not as they should be\t{}", broken.len());
    println!("figures: hostile files: panics\t{panics}");
    assert!(broken.is_empty(), "{} broken\n{}", broken.len(), broken.join("\n"));
    assert!(rows.len() >= 200 || !only.is_empty());
}
