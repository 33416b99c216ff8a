//! A panic is a bug of ours, and told like one.
//!
//! What a panic says can hold a part of a configuration, and so a secret: only where it happened is told, and more on demand.
//! Files need nothing: each is replaced in one step, and what is left beside it goes with the next run, as after a kill.

use std::panic::{self, Location};
use std::process;

use super::output;
use crate::text::error::Error;

/// The exit status of errors that are ours.
pub(super) const STATUS: u8 = 4;

/// Lets a panic, on whichever thread, end the process with what a user needs to know.
pub(super) fn end_at_panic() {
    let details = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if std::env::var_os("RUST_BACKTRACE").is_some() {
            details(panic);
        }
        output::error(&told(panic.location()));
        process::exit(STATUS.into());
    }));
}

fn told(place: Option<&Location<'_>>) -> Error {
    let place = place.map_or_else(|| "an unknown place".to_owned(), Location::to_string);
    Error::verification(format!("yamlift panicked at {place}")).help(
        "this is a bug in yamlift: each file is as it was, or has all of its new content; please report it with the files \
         that show it (RUST_BACKTRACE=1 tells more, maybe with parts of them)",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_by_its_place_and_with_what_became_of_the_files() {
        let place = Location::caller();
        let told = told(Some(place)).to_string();
        assert!(told.starts_with(&format!("yamlift panicked at {place}\n")), "{told}");
        assert!(told.contains("each file is as it was"), "{told}");
    }
}
