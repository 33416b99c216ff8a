//! The options about the file itself, which every command that writes one has.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;

use super::common::{at_least_one, seconds};
use crate::files::{Backup, Checker, FileOptions};

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "How the file is replaced")]
pub(crate) struct FileArgs {
    /// Keep no copy of the old file
    #[arg(short = 'b', long, conflicts_with_all = ["backup_dir", "keep_backups"])]
    pub(crate) no_backup: bool,

    /// Keep the old file in DIR instead of beside the new one
    #[arg(long, value_name = "DIR")]
    pub(crate) backup_dir: Option<PathBuf>,

    /// Remove the oldest backups of CONFIG until N are left, after success
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroUsize>)]
    pub(crate) keep_backups: Option<NonZeroUsize>,

    /// Run COMMAND on the result, %s standing for its file; unless it ends with 0, change nothing. No shell is used
    #[arg(long, value_name = "COMMAND", value_parser = checker)]
    pub(crate) validate: Option<Checker>,

    /// End COMMAND and change nothing where it takes longer
    #[arg(long, value_name = "SECONDS", default_value = "60", requires = "validate", value_parser = at_least_one::<NonZeroU32>)]
    pub(crate) validate_timeout: NonZeroU32,

    /// Write into the file itself where it cannot be replaced: several hard links, a mount point, a directory that
    /// cannot be written. This is not one step: it needs a backup
    #[arg(long, conflicts_with = "no_backup")]
    pub(crate) in_place: bool,

    /// Go on where owner, mode or attributes cannot be kept; nobody gets more rights
    #[arg(long)]
    pub(crate) allow_metadata_loss: bool,

    /// Wait so long where another upgrade is at work on CONFIG; without it this one is refused at once
    #[arg(long, value_name = "SECONDS", default_value_t = 0, hide_default_value = true, value_parser = seconds)]
    pub(crate) wait: u32,

    /// Refuse files larger than SIZE: bytes, or with K, M or G behind
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "64M")]
    pub(crate) max_size: u64,
}

impl FileArgs {
    pub(crate) fn options(&self) -> FileOptions {
        FileOptions {
            backup: match &self.backup_dir {
                Some(dir) => Backup::In(dir.clone()),
                None if self.no_backup => Backup::Off,
                None => Backup::Beside,
            },
            keep_backups: self.keep_backups,
            in_place: self.in_place,
            allow_metadata_loss: self.allow_metadata_loss,
            checker: self.checker(),
            max_size: self.max_size,
            wait: Duration::from_secs(self.wait.into()),
        }
    }

    fn checker(&self) -> Option<Checker> {
        let limit = Duration::from_secs(self.validate_timeout.get().into());
        self.validate.clone().map(|checker| checker.within(limit))
    }
}

fn checker(command: &str) -> Result<Checker, String> {
    Checker::new(command).map_err(|error| error.what().to_owned())
}

/// A number of bytes, with a power of 1024 behind it.
fn size(word: &str) -> Result<u64, String> {
    let (number, power) = match word.char_indices().last() {
        Some((at, 'K' | 'k')) => (word.get(..at), 1),
        Some((at, 'M' | 'm')) => (word.get(..at), 2),
        Some((at, 'G' | 'g')) => (word.get(..at), 3),
        _ => (Some(word), 0),
    };
    let bytes = number.and_then(|number| number.parse::<u64>().ok()?.checked_mul(1024_u64.checked_pow(power)?));
    bytes.filter(|&bytes| bytes > 0).ok_or_else(|| "a number of bytes is needed, such as 500K or 64M".to_owned())
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_may_have_a_letter() {
        let sizes = ["1", "500K", "64M", "2g"].map(|word| size(word).unwrap());
        assert_eq!(sizes, [1, 500 << 10, 64 << 20, 2 << 30]);
        for wrong in ["", "0", "M", "-1", "1.5M", "64 M", "99999999999G", "1T"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
