//! Two texts, a NUL between them: what is accepted keeps every value of the first (law 4), both parsers read the result
//! (law 8), and a second run changes nothing (law 3). Every path of the report names its line again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use yamlift_fuzz::{SEPARATOR, upgraded_well};

fuzz_target!(|input: &str| {
    if let Some((current, update)) = input.split_once(SEPARATOR) {
        upgraded_well(current, update);
    }
});
