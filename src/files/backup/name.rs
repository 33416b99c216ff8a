//! The names of backups: how they are made, and what they are known by.

use std::ffi::{OsStr, OsString};

use jiff::Timestamp;

use crate::files::site::hash;

/// What a name tells of when it was made. It counts only between backups of the same time: those of earlier releases, in
/// local time, come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Dated {
    is_utc: bool,
    date: u64,
    number: u32,
}

/// What the name of a backup of the file `of` tells, and nothing where it is none.
pub(super) fn date(name: &OsStr, of: &OsStr) -> Option<Dated> {
    let name = name.as_encoded_bytes();
    let date = name.strip_prefix(of.as_encoded_bytes()).and_then(|rest| rest.strip_prefix(b"."));
    let date = date.or_else(|| name.strip_prefix(short(of).as_encoded_bytes())?.strip_prefix(b"."))?;
    let date = str::from_utf8(date).ok()?;
    let (date, number) = date.split_once('-').unwrap_or((date, "0"));
    let (date, is_utc) = date.strip_suffix('Z').map_or((date, false), |date| (date, true));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if date.len() != 14 || !is_number(date) || !is_number(number) {
        return None;
    }
    Some(Dated { is_utc, date: date.parse().ok()?, number: number.parse().ok()? })
}

/// The names that a backup made now may have, in the order of preference.
pub(super) fn free(of: &OsStr) -> impl Iterator<Item = OsString> + use<> {
    let mut first = of.to_owned();
    first.push(Timestamp::now().strftime(".%Y%m%d%H%M%SZ").to_string());
    let further = first.clone();
    let numbered = (1..10_000).map(move |number| {
        let mut name = further.clone();
        name.push(format!("-{number}"));
        name
    });
    std::iter::once(first).chain(numbered)
}

/// For a file whose name leaves no room for a date: the start of the name, and a number made of all of it.
pub(super) fn short(of: &OsStr) -> OsString {
    const BYTES: usize = 80;
    let text = of.to_string_lossy();
    let end = text.char_indices().map(|(at, _)| at).take_while(|&at| at <= BYTES).last().unwrap_or_default();
    format!("{}~{:08x}", text.get(..end).unwrap_or_default(), hash(of.as_encoded_bytes().iter().copied())).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(name: &str, of: &str) -> bool {
        date(OsStr::new(name), OsStr::new(of)).is_some()
    }

    #[test]
    fn a_backup_is_known_by_its_name_and_a_date() {
        for name in
            ["c.yml.20260101000000Z", "c.yml.20260101000000Z-7", "c.yml.20260101000000", "c.yml.20260101000000-12"]
        {
            assert!(known(name, "c.yml"), "{name}");
        }
        for name in
            ["c.yml", "c.yml.2026", "c.yml.20260101000000z", "c.yml.20260101000000Z.gz", "d.yml.20260101000000Z"]
        {
            assert!(!known(name, "c.yml"), "{name}");
        }
    }

    #[test]
    fn a_long_name_is_cut_and_found_again_and_no_other_is_taken_for_it() {
        let names = ["a".repeat(255), "ü".repeat(127), "a".repeat(254) + "b"];
        for of in &names {
            let short = short(OsStr::new(of)).into_string().unwrap();
            assert!(short.len() < 100, "{short}");
            let known: Vec<_> = names.iter().filter(|of| known(&format!("{short}.20260101000000Z"), of)).collect();
            assert_eq!(known, [of]);
        }
    }
}
