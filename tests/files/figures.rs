//! What the tests of files try, counted by topic, in the form that `tests/faults/run` gathers.

use std::cell::Cell;
use std::panic::Location;
use std::path::Path;

/// The file of the tests, what is counted there, and what must be zero.
const TOPICS: [(&str, &str, &str); 9] = [
    ("backups", "backups: runs", "backups: wrong"),
    ("checkers", "checkers: runs", "checkers: wrong"),
    ("clocks", "clocks and time zones: runs", "clocks and time zones: wrong"),
    ("inputs", "inputs and status: runs", "inputs and status: wrong"),
    ("kept", "owners, modes and lists: runs", "owners, modes and lists: wrong"),
    ("locks", "locks: runs at once", "locks: wrong"),
    ("meanwhile", "changes meanwhile: runs", "changes meanwhile: wrong"),
    ("outputs", "results elsewhere (-o): runs", "results elsewhere (-o): wrong"),
    ("refused", "refusals: runs", "refusals: wrong"),
];

/// How often the command was run in one place, told when that place is left. A test that fails there is wrong.
pub(crate) struct Runs {
    tried: &'static str,
    wrong: &'static str,
    count: Cell<usize>,
}

impl Runs {
    /// Those of the file of tests that calls this.
    #[track_caller]
    pub(crate) fn of_caller() -> Self {
        let file = Path::new(Location::caller().file()).file_stem().unwrap();
        let (_, tried, wrong) = TOPICS.into_iter().find(|(name, ..)| file == *name).unwrap();
        Self { tried, wrong, count: Cell::new(0) }
    }

    pub(crate) fn count(&self) {
        self.count.set(self.count.get() + 1);
    }
}

impl Drop for Runs {
    fn drop(&mut self) {
        println!("figures: {}\t{}", self.tried, self.count.get());
        println!("figures: {}\t{}", self.wrong, usize::from(std::thread::panicking()));
    }
}
