//! Two files of several documents, with `...`, byte-order marks, directives, anchors and aliases: the same holds as for the
//! target `upgrade`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use yamlift_fuzz::{streams, upgraded_well};

fuzz_target!(|bytes: &[u8]| {
    let (current, update) = streams::pair(bytes);
    upgraded_well(&current, &update);
});
