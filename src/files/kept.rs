//! The backups of a configuration, and the way back.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::files::{self, FileOptions, Restored};
use crate::text::error::Error;

/// A backup of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeptBackup {
    /// Where it is.
    pub path: PathBuf,
    /// When it became a backup, in whole seconds.
    pub time: SystemTime,
    /// How many bytes it has.
    pub size: u64,
}

impl From<files::Kept> for KeptBackup {
    fn from(kept: files::Kept) -> Self {
        let seconds = Duration::from_secs(kept.time.unsigned_abs());
        let epoch = SystemTime::UNIX_EPOCH;
        let time = if kept.time < 0 { epoch.checked_sub(seconds) } else { epoch.checked_add(seconds) };
        Self { path: kept.path, time: time.unwrap_or(epoch), size: kept.size }
    }
}

/// Lists the backups of a configuration, the newest first. Nothing is written, locked or cleared. Feature `files`.
///
/// # Errors
/// A configuration or a directory of backups that cannot be read.
pub fn backups(config: &Path, how: &FileOptions) -> Result<Vec<KeptBackup>, Error> {
    files::backups(config, how).map(|found| found.kept.into_iter().map(KeptBackup::from).collect())
}

/// Brings a backup back, the newest where none is named, with the same care as an upgrade: what the configuration holds
/// becomes a backup itself. Where both are the same nothing is written. Feature `files`.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (config, update) = (folder.path().join("config.yml"), folder.path().join("new.yml"));
/// # let how = yamlift::FileOptions::default();
/// std::fs::write(&config, "port: 8080\n")?;
/// std::fs::write(&update, "port: 80\nhost: localhost\n")?;
/// yamlift::upgrade_file(&config, &update, &yamlift::Options::default(), &how)?;
/// assert_eq!(yamlift::backups(&config, &how)?.len(), 1);
/// let restored = yamlift::restore(&config, None, &how)?;
/// assert!(restored.changed());
/// assert_eq!(std::fs::read_to_string(&config)?, "port: 8080\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A configuration without a backup, one that is not there, and files that cannot be read or written.
pub fn restore(config: &Path, backup: Option<&Path>, how: &FileOptions) -> Result<Restored, Error> {
    files::restore(config, backup, how)
}

/// Says what [`restore`] would do: nothing is written, locked or cleared. Feature `files`.
///
/// # Errors
/// Those of [`restore`] that come before it writes.
pub fn preview_restore(config: &Path, backup: Option<&Path>, how: &FileOptions) -> Result<Restored, Error> {
    files::preview(config, backup, how)
}
