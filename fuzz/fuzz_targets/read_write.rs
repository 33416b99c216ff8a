//! Any text: reading it never panics, and a text that is accepted comes out as it went in (laws 1, 2 and 8).

#![no_main]

use libfuzzer_sys::fuzz_target;
use yamlift::Options;
use yamlift_fuzz::{accepted, upgrade};

fuzz_target!(|text: &str| {
    let _ = accepted(yamlift::outline(text));
    if let Some(upgrade) = upgrade(text, text, &Options::default()) {
        assert_eq!(upgrade.text(), text);
        assert!(upgrade.report().changes().is_empty(), "{}", upgrade.report());
    }
});
