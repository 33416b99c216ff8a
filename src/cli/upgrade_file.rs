//! The upgrade of a file in place: reads, upgrades in memory, and replaces the file with care; or says what that would do.

use std::path::{Path, PathBuf};

use crate::files::{self, Backup, FileOptions};
use crate::text::error::Error;
use crate::upgrade::options::Options;
use crate::upgrade::{self, Upgrade};

/// An upgrade of a file, and where its old content was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileUpgrade {
    upgrade: Upgrade,
    backup: Option<PathBuf>,
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
/// written and no backup is made. Feature `files`.
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

/// What [`upgrade_file`] would do, of which nothing was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePreview {
    upgrade: Upgrade,
    before: Option<String>,
    backup_folder: Option<PathBuf>,
    removed_backups: Vec<PathBuf>,
}

impl FilePreview {
    /// The text that the file would have, and the report.
    #[must_use]
    pub fn upgrade(&self) -> &Upgrade {
        &self.upgrade
    }

    /// What the file holds; nothing where it is not there, and would be installed.
    #[must_use]
    pub fn before(&self) -> Option<&str> {
        self.before.as_deref()
    }

    /// Whether the file would be written at all.
    #[must_use]
    pub fn would_write(&self) -> bool {
        self.upgrade.report.changed
    }

    /// The directory in which what the file holds would be kept; nothing where no backup would be made.
    #[must_use]
    pub fn backup_folder(&self) -> Option<&Path> {
        self.backup_folder.as_deref()
    }

    /// The backups that would be removed, since no more than [`FileOptions::keep_backups`] are kept.
    #[must_use]
    pub fn removed_backups(&self) -> &[PathBuf] {
        &self.removed_backups
    }
}

/// Says all that [`upgrade_file`] would do: nothing is written, locked or cleared, so that a right to read is enough, and a
/// file that changes meanwhile is not noticed. Feature `files`.
///
/// # Errors
/// Those of [`upgrade_file`] that come before it writes. What only shows when a file is written is not among them: a file
/// that cannot be replaced, a full disk, a [`Checker`](crate::Checker) that says no.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (config, update) = (folder.path().join("config.yml"), folder.path().join("new.yml"));
/// std::fs::write(&config, "port: 8080\n")?;
/// std::fs::write(&update, "port: 80\nhost: localhost\n")?;
/// let how = yamlift::FileOptions::default();
/// let preview = yamlift::preview_upgrade_file(&config, &update, &yamlift::Options::default(), &how)?;
/// assert!(preview.would_write() && preview.backup_folder().is_some());
/// assert_eq!(preview.upgrade().text(), "port: 8080\nhost: localhost\n");
/// assert_eq!(std::fs::read_to_string(&config)?, "port: 8080\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn preview_upgrade_file(
    config: &Path,
    update: &Path,
    options: &Options,
    how: &FileOptions,
) -> Result<FilePreview, Error> {
    let names = (config.display().to_string(), update.display().to_string());
    let new_default = files::read(update, how.max_size)?;
    let update = (names.1.as_str(), new_default.as_str());
    let Some(before) = files::read_existing(config, how.max_size)? else {
        let upgrade = upgrade::install_named(&names.0, update, options)?;
        return Ok(FilePreview { upgrade, before: None, backup_folder: None, removed_backups: Vec::new() });
    };
    let upgrade = upgrade::named((&names.0, &before), update, options)?;
    let (backup_folder, removed_backups) =
        if upgrade.report.changed { backups(config, how)? } else { (None, Vec::new()) };
    Ok(FilePreview { upgrade, before: Some(before), backup_folder, removed_backups })
}

/// Where a backup would be made, and which of those that are there would go.
fn backups(config: &Path, how: &FileOptions) -> Result<(Option<PathBuf>, Vec<PathBuf>), Error> {
    let found = files::backups(config, how)?;
    let is_kept = how.backup != Backup::Off;
    let others = how.keep_backups.map_or(usize::MAX, |count| count.get() - usize::from(is_kept));
    let removed = found.kept.into_iter().skip(others).map(|kept| kept.path).collect();
    Ok((is_kept.then_some(found.folder), removed))
}
