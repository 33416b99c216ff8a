//! Layers, NULs between them, behind a byte that says whose rules they are merged by: what comes out is YAML to two other
//! parsers.

#![no_main]

use libfuzzer_sys::fuzz_target;
use yamlift::Error;
use yamlift::fuzzing::{Rules, System, layer, merge};
use yamlift_fuzz::{SEPARATOR, accepted, is_readable};

fuzz_target!(|input: &[u8]| {
    let Some((&rules, texts)) = input.split_first() else { return };
    let Ok(texts) = std::str::from_utf8(texts) else { return };
    let texts: Vec<_> = texts.split(SEPARATOR).map(str::to_owned).collect();
    // Some parsers refuse what is valid, such as a tab inside of a key.
    let all_read = texts.iter().all(|text| is_readable(text));
    let Some(text) = accepted(joined(rules, texts)) else { return };
    assert!(!all_read || is_readable(&text), "other parsers refuse the result\n{text}");
});

fn joined(rules: u8, texts: Vec<String>) -> Result<String, Error> {
    let held_to = if rules & 8 == 0 { Rules::Documented } else { Rules::Shipped };
    let system = match rules & 7 {
        0 => System::CloudInitParts,
        1 => System::CloudInitLevels,
        2 => System::Heat,
        3 => System::Datum,
        4 => System::Own,
        5 => return layer(texts, held_to),
        6 => System::Preset,
        _ => System::Machine,
    };
    merge(system, texts, held_to)
}
