//! How much may be made of files by copying: aliases, JSON Patch, substitutions, variables.
//!
//! What is copied twice, and then twice again, grows with the power of its lines: some hundred bytes would take all memory.
//! So what is copied is counted, by the memory that it takes until it is written, and a run stops where that would be more
//! than `docs/safety.md` promises for its files.

use std::cell::Cell;

/// What copies may take besides a multiple of the files.
const ALWAYS: usize = 64 << 20;
/// How many times the size of the files.
const TIMES: usize = 500;

/// What may still be copied in one run.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    files: usize,
    left: Cell<usize>,
    /// The most that is in use for a while.
    at_once: Cell<usize>,
}

impl Budget {
    /// The budget of a run whose files have so many bytes.
    pub(crate) fn of(files: usize) -> Self {
        let left = Cell::new(ALWAYS.saturating_add(files.saturating_mul(TIMES)));
        Self { files, left, at_once: Cell::new(0) }
    }

    /// What is left in a run of two that were counted one by one.
    pub(crate) fn joined(&self, other: &Self) -> Self {
        let left = self.left().saturating_add(other.left()).saturating_sub(ALWAYS);
        Self { files: self.files.saturating_add(other.files), left: Cell::new(left), at_once: Cell::new(0) }
    }

    pub(crate) fn left(&self) -> usize {
        self.left.get()
    }

    /// Counts a copy that takes so many bytes of memory.
    ///
    /// # Errors
    /// It would be too much, in words.
    pub(crate) fn take(&self, bytes: usize) -> Result<(), String> {
        let left = self.left.get().checked_sub(bytes);
        let what = || {
            let most = ALWAYS.saturating_add(self.files.saturating_mul(TIMES)) >> 20;
            format!("copies would take more than {most} MiB of memory, made of {} bytes", self.files)
        };
        self.left.set(left.ok_or_else(what)?);
        Ok(())
    }

    /// How much memory may be in use for a while.
    pub(crate) fn most_for_a_while(&self) -> usize {
        self.left.get().saturating_add(self.at_once.get())
    }

    /// Counts memory that is given back before the next of its kind is taken: of all only the most counts.
    ///
    /// # Errors
    /// It would be too much, in words.
    pub(crate) fn take_for_a_while(&self, bytes: usize) -> Result<(), String> {
        let known = self.at_once.get();
        self.take(bytes.saturating_sub(known))?;
        self.at_once.set(known.max(bytes));
        Ok(())
    }
}
