//! Upgrades a text, and decides its conflicts by data: no message is read.
//!
//! `cargo run --example conflicts`, also with `--no-default-features`.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use yamlift::{Answer, Base, Conflict, Error, ErrorKind, NamedText, OnConflict, Options, Take};

const CURRENT: &str = "workers: 4\ntimeout: 90  # slow disks\nlevel: debug\n";
const BASE: &str = "workers: 2\ntimeout: 30\nlevel: info\n";
const UPDATE: &str = "# How many at once\nworkers: 8\ntimeout: 60\nlevel: info\nmetrics: true\n";

fn main() -> Result<(), Error> {
    let (current, update) = (NamedText::new("app.yml", CURRENT), NamedText::new("app-2.0.yml", UPDATE));
    let mut options = Options::default();
    options.base = Some(Base::new("app-1.0.yml", BASE));
    options.on_conflict = OnConflict::Fail;
    let upgrade = match yamlift::upgrade(current, update, &options) {
        Err(refused) if refused.kind() == ErrorKind::Conflict => {
            options.answers = refused.conflicts().iter().map(decided).collect::<Result<_, Error>>()?;
            yamlift::upgrade(current, update, &options)?
        }
        done => done?,
    };
    print!("{}", upgrade.text());
    assert_eq!(
        upgrade.text(),
        "# How many at once\nworkers: 8\ntimeout: 90  # slow disks\nlevel: debug\nmetrics: true\n"
    );
    Ok(())
}

/// The bigger number wins, and else what the user has.
fn decided(conflict: &Conflict) -> Result<Answer, Error> {
    let mine = number_at(CURRENT, &conflict.path)?;
    let theirs = number_at(UPDATE, &conflict.in_default)?;
    let place = conflict.mine().map(|value| (value.file.as_str(), value.line));
    let take = if theirs > mine { Take::Theirs } else { Take::Mine };
    println!("{} at {place:?}: {mine:?} or {theirs:?}: {take:?}", conflict.path);
    Ok(Answer::to(conflict, take))
}

fn number_at(text: &str, path: &str) -> Result<Option<u64>, Error> {
    Ok(yamlift::value_at(text, path)?.and_then(|value| value.parse().ok()))
}
