//! One try after the other, until another run is done.

use std::thread;
use std::time::{Duration, Instant};

use crate::text::error::Error;

/// What came of one try.
pub(super) enum Attempt<T> {
    Done(T),
    /// Another run has the lock.
    Busy,
}

/// Tries until another run is done, and for so long at most.
pub(super) fn within<T>(limit: Duration, mut attempt: impl FnMut() -> Result<Attempt<T>, Error>) -> Result<T, Error> {
    const PAUSE: Duration = Duration::from_millis(20);
    let start = Instant::now();
    loop {
        if let Attempt::Done(done) = attempt()? {
            return Ok(done);
        }
        let left = limit.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Err(busy());
        }
        thread::sleep(PAUSE.min(left));
    }
}

pub(super) fn busy() -> Error {
    Error::input("another upgrade is at work on it")
        .help("run again when it is done, or let this one wait for it: `--wait SECONDS`")
}
