//! A bar on standard error, where a person looks on and it takes longer than a second.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How far something has come that has many steps, on any number of threads.
pub(super) struct Progress {
    wanted: bool,
    start: Instant,
    done: AtomicUsize,
    bar: Mutex<Option<ProgressBar>>,
}

const PATIENCE: Duration = Duration::from_secs(1);

impl Progress {
    /// One that is shown where that is wanted and standard error is a terminal.
    pub(super) fn new(wanted: bool) -> Self {
        let wanted = std::io::stderr().is_terminal() && wanted;
        Self { wanted, start: Instant::now(), done: AtomicUsize::new(0), bar: Mutex::new(None) }
    }

    /// So many of all steps are done.
    pub(super) fn step(&self, done: usize, all: usize) {
        if !self.wanted || self.start.elapsed() < PATIENCE {
            return;
        }
        let [done, all] = [done, all].map(|count| u64::try_from(count).unwrap_or(u64::MAX));
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        let bar = bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {elapsed}");
            ProgressBar::new(all).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_length(all);
        bar.set_position(done);
    }

    /// One more of all steps is done.
    pub(super) fn advance(&self, all: usize) {
        self.step(self.done.fetch_add(1, Ordering::Relaxed) + 1, all);
    }

    /// What is left has no steps that could be counted.
    pub(super) fn writing<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.wanted && self.start.elapsed() >= PATIENCE {
            let spinner = ProgressBar::new_spinner().with_message("writing");
            spinner.enable_steady_tick(PATIENCE / 10);
            *self.bar.lock().unwrap_or_else(PoisonError::into_inner) = Some(spinner);
        }
        let done = work();
        self.clear();
        done
    }

    /// Takes the bar away, so that messages stand alone.
    pub(super) fn clear(&self) {
        if let Some(bar) = self.bar.lock().unwrap_or_else(PoisonError::into_inner).take() {
            bar.finish_and_clear();
        }
    }
}
