//! Two files of several documents, with `...`, byte-order marks, directives, anchors and aliases: the same holds as for the
//! target `upgrade`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use yamlift_fuzz::streams::Pair;
use yamlift_fuzz::upgraded_well;

fuzz_target!(|pair: Pair| upgraded_well(&pair.current, &pair.update));
