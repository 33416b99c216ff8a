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
#[derive(Debug)]
pub(crate) struct Budget {
    files: usize,
    left: Cell<usize>,
}

impl Budget {
    /// The budget of a run whose files have so many bytes.
    pub(crate) fn of(files: usize) -> Self {
        Self { files, left: Cell::new(ALWAYS.saturating_add(files.saturating_mul(TIMES))) }
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
}
