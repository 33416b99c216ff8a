//! Three texts, NULs between them: a user's file, a new default and the old one. Who changed nothing gets the new default,
//! and with that as the next old default a second run changes no value.

#![no_main]

use libfuzzer_sys::fuzz_target;
use yamlift::{Base, Options, Upgrade};
use yamlift_fuzz::{SEPARATOR, has_values, upgrade, values};

fuzz_target!(|input: &str| {
    let mut texts = input.splitn(3, SEPARATOR);
    let (Some(current), Some(update), Some(base)) = (texts.next(), texts.next(), texts.next()) else { return };
    let Some(first) = with_base(current, update, base) else { return };
    let Some(second) = with_base(first.text(), update, update) else { panic!("a second run is refused") };
    assert_eq!(values(second.text()), values(first.text()), "a second run changes a value");
    // A document without a value has none to take the place of another.
    if let Some(untouched) = with_base(base, update, base).filter(|_| has_values(base) && has_values(update)) {
        let plain = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
        assert_eq!(plain(untouched.text()), plain(update), "who changed nothing does not get the new default");
    }
});

fn with_base(current: &str, update: &str, base: &str) -> Option<Upgrade> {
    let mut options = Options::default();
    options.base = Some(Base::from(base));
    upgrade(current, update, &options)
}
