//! The upgrade of a file in place: reads, upgrades in memory, and replaces the file with care.

use std::path::{Path, PathBuf};

use crate::files::{self, FileOptions};
use crate::text::error::Error;
use crate::upgrade::options::Options;
use crate::upgrade::{self, Upgrade};

/// An upgrade of a file, and where its old content was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileUpgrade {
    pub(crate) upgrade: Upgrade,
    pub(crate) backup: Option<PathBuf>,
}

impl FileUpgrade {
    /// The new text and the report.
    #[must_use]
    pub fn upgrade(&self) -> &Upgrade {
        &self.upgrade
    }

    /// The copy of the old file, where one was made.
    #[must_use]
    pub fn backup(&self) -> Option<&Path> {
        self.backup.as_deref()
    }
}

/// Upgrades the file `config` to the new default in `update`, and replaces it in one step with all that it has besides its bytes.
/// A `config` that does not exist is installed, with the directories that it needs. Where nothing changes nothing is
/// written and no backup is made.
///
/// # Errors
/// Those of [`upgrade`](crate::upgrade()), and files that cannot be read, are not UTF-8, or cannot be written.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (config, update) = (folder.path().join("config.yml"), folder.path().join("new.yml"));
/// std::fs::write(&config, "port: 8080\n")?;
/// std::fs::write(&update, "port: 80\nhost: localhost\n")?;
/// let done = yamlift::upgrade_file(&config, &update, &yamlift::Options::default(), &yamlift::FileOptions::default())?;
/// assert_eq!(std::fs::read_to_string(&config)?, "port: 8080\nhost: localhost\n");
/// assert!(done.upgrade().report().changed());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn upgrade_file(config: &Path, update: &Path, options: &Options, how: &FileOptions) -> Result<FileUpgrade, Error> {
    let names = (config.display().to_string(), update.display().to_string());
    // Read first: who takes long to write it must not hold the lock.
    let new_default = files::read(update, how.max_size)?;
    let original = files::take(config, how)?;
    let (source, update) = (update, (names.1.as_str(), new_default.as_str()));
    let Some(original) = original else {
        let upgrade = upgrade::install_named(&names.0, update, options)?;
        files::create(config, &upgrade.text, source, how)?;
        return Ok(FileUpgrade { upgrade, backup: None });
    };
    let upgrade = upgrade::named((&names.0, &original.text), update, options)?;
    let backup = if upgrade.report.changed { files::replace(&original, &upgrade.text, how)? } else { None };
    Ok(FileUpgrade { upgrade, backup })
}
