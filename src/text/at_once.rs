//! Work that may be done at the same time: on threads where the system gives some, and one after another where it does not,
//! as in a container that may start no more of them.
//!
//! Left out: what is worth a thread. Who asks knows how much there is to do.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// Does one thing here, and the other on a thread of its own meanwhile. Gives what came of both.
pub(crate) fn both<T, U: Send>(here: impl FnOnce() -> T, there: impl Fn() -> U + Sync) -> (T, U) {
    scope(|scope| {
        let thread = Builder::new().spawn_scoped(scope, &there).ok();
        let here = here();
        let there = thread.map_or_else(&there, |thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        (here, there)
    })
}

/// Does the same with each of many, in any order, on so many threads, or one for each core. Gives what came of each, in
/// their order.
#[cfg(feature = "layers")]
pub(crate) fn each<'t, T: Sync, U: Send>(
    all: &'t [T],
    threads: Option<std::num::NonZeroUsize>,
    one: impl Fn(usize, &'t T) -> U + Sync,
) -> Vec<U> {
    use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};

    let in_turn = || all.iter().enumerate().map(|(at, item)| one(at, item)).collect();
    if all.len() < 2 {
        return in_turn();
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.map_or(0, std::num::NonZeroUsize::get)).build();
    match pool {
        Ok(pool) => pool.install(|| all.par_iter().enumerate().map(|(at, item)| one(at, item)).collect()),
        Err(_) => in_turn(),
    }
}
