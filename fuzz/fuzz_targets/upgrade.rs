//! Two texts, a NUL between them: what is accepted keeps every value of the first (law 4), both parsers read the result
//! (law 8), and a second run changes nothing (law 3). Every path of the report names its line again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use yamlift::{ChangeKind, Options, Upgrade};
use yamlift_fuzz::{SEPARATOR, accepted, missing, upgrade, values};

fuzz_target!(|input: &str| {
    let Some((current, update)) = input.split_once(SEPARATOR) else { return };
    let options = Options::default();
    let Some(first) = upgrade(current, update, &options) else { return };
    keeps_values(current, &first);
    if let Err(error) = yamlift::outline(first.text()) {
        panic!("the result is refused: {error}");
    }
    match upgrade(first.text(), update, &options) {
        Some(second) => {
            assert_eq!(second.text(), first.text(), "a second run changes the result");
            assert!(!second.report().changed());
        }
        None => panic!("a second run is refused"),
    }
    paths_lead_back(&first);
});

fn keeps_values(current: &str, upgrade: &Upgrade) {
    if let (Some(before), Some(after)) = (values(current), values(upgrade.text())) {
        assert_eq!(missing(&before, &after), None, "a value of the current file is gone");
    }
}

/// What was added is found by the path that the report gives, on the line that it gives.
fn paths_lead_back(upgrade: &Upgrade) {
    let added = upgrade.report().changes().iter().filter(|change| change.kind == ChangeKind::Added);
    for change in added.filter(|change| !change.path.is_empty()).take(3) {
        let options = Options { delete: vec![change.path.clone()], ..Options::default() };
        let Some(again) = accepted(yamlift::upgrade(upgrade.text(), upgrade.text(), &options)) else { continue };
        let removed = again.report().changes().iter().find(|change| change.kind == ChangeKind::Removed);
        assert_eq!(removed.map(|removed| removed.line), Some(change.line), "{}", change.path);
    }
}
