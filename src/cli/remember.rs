//! `--remember DIR`: the default that a configuration was upgraded to is kept, and is its base the next time.
//!
//! As package managers do for their conffiles. Below DIR stands a copy of the default at the path of the configuration,
//! and behind its text a line that says how long it is: what was cut short is noticed, and nobody's hand edit is taken for
//! an old default. A memory that is not there or damaged is no reason to fail: the upgrade goes on without, and says so.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::error::Error;
use crate::file::{self, FileOptions};
use crate::options::Base;

/// What is remembered of one configuration.
pub(super) struct Memory {
    config: PathBuf,
    file: PathBuf,
}

impl Memory {
    /// Where the memory of a configuration is: its whole path, below `dir`.
    pub(super) fn of(dir: &Path, config: &Path) -> Result<Self, Error> {
        let whole = fs::canonicalize(config).or_else(|_| std::path::absolute(config));
        let whole =
            whole.map_err(|error| Error::input(format!("has no whole path: {error}")).in_file(&shown(config)))?;
        let names = whole.components().filter(|part| matches!(part, Component::Normal(_)));
        Ok(Self { config: config.to_owned(), file: names.fold(dir.to_owned(), |dir, name| dir.join(name)) })
    }

    /// The default of the last upgrade, or words on why there is none.
    pub(super) fn recall(&self) -> Result<Base, String> {
        let (config, file) = (shown(&self.config), shown(&self.file));
        let text = match fs::read_to_string(&self.file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(format!("{file} does not remember {config} yet: upgraded without its old default"));
            }
            Err(error) => return Err(format!("{file} cannot be read ({error}): upgraded without the old default")),
        };
        let whole = unsealed(&text).map(|text| Base { name: file.clone(), text: text.to_owned() });
        whole.ok_or_else(|| format!("{file} is damaged: upgraded without the old default"))
    }

    /// Remembers a default in the place of the last one. Where that fails nothing is remembered: an older default would
    /// be taken for what the configuration was made from.
    pub(super) fn keep(&self, update: &str) -> Result<(), Error> {
        file::put(&self.file, &sealed(update), &FileOptions::default()).map_err(|error| {
            let _ = fs::remove_file(&self.file);
            Error::input(format!("the new default could not be remembered: {}", error.what()))
                .in_file(&shown(&self.file))
                .help("the configuration is upgraded; the next upgrade needs --base with the default of this one")
        })
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

const SEAL: &str = "# remembered by yamlift, bytes above: ";

fn sealed(text: &str) -> String {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{end}{SEAL}{}\n", text.len())
}

/// The text without the line behind it; nothing where it is not as long as that says.
fn unsealed(sealed: &str) -> Option<&str> {
    let (before, length) = sealed.strip_suffix('\n')?.rsplit_once(SEAL)?;
    let text = before.get(..length.parse().ok()?)?;
    (before == text || (before.strip_suffix('\n') == Some(text) && !text.ends_with('\n'))).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back_as_it_was_and_a_damaged_one_does_not() {
        for text in ["", "a: 1\n", "a: 1", "a: 1\r\n", "# remembered by yamlift, bytes above: 3\n"] {
            assert_eq!(unsealed(&sealed(text)), Some(text));
        }
        for damaged in ["", "a: 1\n", "a: 1\n# remembered by yamlift, bytes above: 3\n", &sealed("a: 1\nb: 2\n")[5..]] {
            assert_eq!(unsealed(damaged), None, "{damaged:?}");
        }
    }

    #[test]
    fn each_configuration_has_its_own_memory() {
        let memory = Memory::of(Path::new("/var/lib/yamlift"), Path::new("/no/such/../app.yml")).unwrap();
        assert!(memory.file.starts_with("/var/lib/yamlift/no/such"), "{}", memory.file.display());
    }
}
