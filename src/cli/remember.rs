//! `--remember DIR`: the default that a configuration was upgraded to is kept, and is its base the next time.
//!
//! As package managers do for their conffiles. Below DIR stands a copy of the default at the path of the configuration,
//! and behind its text a line that says how long it is: what was cut short is noticed, and nobody's hand edit is taken for
//! an old default. A memory that is not there or damaged is no reason to fail: the upgrade goes on without, and says so.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::files::{self, FileOptions, Prepared};
use crate::text::error::Error;
use crate::upgrade::options::Base;

/// What is remembered of one configuration.
pub(super) struct Memory {
    config: PathBuf,
    file: PathBuf,
    /// How large a default may be, and with it what is remembered.
    max_size: u64,
}

impl Memory {
    /// Where the memory of a configuration is: its whole path, below `dir`.
    ///
    /// # Errors
    /// That is the configuration itself.
    pub(super) fn of(dir: &Path, config: &Path, max_size: u64) -> Result<Self, Error> {
        let whole = whole(config)
            .map_err(|error| Error::input(format!("has no whole path: {error}")).in_file(&shown(config)))?;
        let names = whole.components().filter(|part| matches!(part, Component::Normal(_)));
        let file = names.fold(dir.to_owned(), |dir, name| dir.join(name));
        if self::whole(&file).is_ok_and(|file| file == whole) {
            let help = "name a directory of its own, such as /var/lib/yamlift";
            return Err(Error::input("--remember would put the new default over CONFIG").help(help));
        }
        Ok(Self { config: config.to_owned(), file, max_size: max_size.saturating_add(SEAL.len() as u64 + 32) })
    }

    /// The default of the last upgrade, or words on why there is none.
    pub(super) fn recall(&self) -> Result<Base, String> {
        let (config, file) = (shown(&self.config), shown(&self.file));
        let text = match files::read_existing(&self.file, self.max_size) {
            Ok(Some(text)) => text,
            Ok(None) => {
                return Err(format!("{file} does not remember {config} yet"));
            }
            Err(error) => {
                let what = error.what();
                return Err(format!("{file} cannot be read ({what})"));
            }
        };
        let whole = unsealed(&text).map(|text| Base { name: file.clone(), text: text.to_owned() });
        whole.ok_or_else(|| format!("{file} is damaged"))
    }

    /// Writes down a default, to be remembered in the place of the last one as soon as the configuration is replaced.
    pub(super) fn prepare(self, update: &str) -> Result<Remembered, Error> {
        let how = FileOptions { max_size: self.max_size, ..FileOptions::default() };
        let prepared = Prepared::new(&self.file, &sealed(update), &how).map_err(|error| {
            Error::input(format!("the new default cannot be remembered: {}", error.what()))
                .in_file(&shown(&self.file))
                .help("nothing was changed; make room or rights there, or leave out --remember")
        });
        Ok(Remembered { prepared: prepared?, file: self.file })
    }
}

/// A default that is written down, and is not remembered yet.
pub(super) struct Remembered {
    prepared: Prepared,
    file: PathBuf,
}

impl Remembered {
    /// Remembers it. Where that fails nothing is remembered: an older default would be taken for what the configuration
    /// was made from.
    pub(super) fn keep(self) -> Result<(), Error> {
        let file = self.file;
        self.prepared.finish().map_err(|error| {
            let _ = fs::remove_file(&file);
            Error::input(format!("the new default could not be remembered: {}", error.what()))
                .after_the_fact()
                .in_file(&shown(&file))
                .help("the configuration is upgraded; the next upgrade needs --base with the default of this one")
        })
    }
}

/// The whole path of a file, also of one that is still to come: what is not there is no link.
fn whole(path: &Path) -> std::io::Result<PathBuf> {
    let absolute = std::path::absolute(path)?;
    let start = absolute.ancestors().find_map(|dir| Some((dir, fs::canonicalize(dir).ok()?)));
    let (dir, mut whole) = start.unwrap_or_else(|| (Path::new(""), PathBuf::new()));
    for part in absolute.strip_prefix(dir).unwrap_or(&absolute).components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            part => whole.push(part),
        }
    }
    Ok(whole)
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
        let of = |config| Memory::of(Path::new("/var/lib/yamlift"), Path::new(config), 1).map(|memory| memory.file);
        assert_eq!(of("/no/such/app.yml").unwrap(), Path::new("/var/lib/yamlift/no/such/app.yml"));
        // That is where a configuration of this path is installed.
        assert_eq!(of("/no/such/../app.yml").unwrap(), Path::new("/var/lib/yamlift/no/app.yml"));
        assert!(Memory::of(Path::new("/"), Path::new("/no/such/app.yml"), 1).is_err(), "that is the configuration");
    }
}
