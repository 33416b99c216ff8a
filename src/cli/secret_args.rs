//! The arguments that say which values are never shown.

use clap::Args as ClapArgs;

use super::output;
use crate::report::secrets::{self, LooksSecret, Secrets};
use crate::text::error::Error;
use crate::upgrade::options::Options;
use crate::upgrade::unmatched;

#[derive(Debug, ClapArgs)]
pub(crate) struct SecretArgs {
    /// Show *** for the value at PATH in everything that is printed; * and ** stand for steps: **/dsn
    #[arg(long, value_name = "PATH", help_heading = "Messages")]
    pub(crate) secret: Vec<String>,

    /// Show what only looks secret, such as values of keys like `password` and passwords in URLs: *** stands for them else
    #[arg(long, help_heading = "Messages")]
    pub(crate) show_secrets: bool,
}

impl SecretArgs {
    /// What is not to be shown. Nobody knows who reads what is printed: journals and mails of cron keep it for long.
    ///
    /// # Errors
    /// A path that is not well formed.
    pub(crate) fn secrets(&self) -> Result<Secrets, Error> {
        Secrets::new(&self.secret, &[], self.alike())
    }

    /// The same for an upgrade: also what the release ships as secret, and what moves to or from a secret path.
    ///
    /// # Errors
    /// A path that is not well formed.
    pub(crate) fn of_upgrade(&self, options: &Options) -> Result<Secrets, Error> {
        options.secrets(self.alike())
    }

    fn alike(&self) -> LooksSecret {
        if self.show_secrets { LooksSecret::Shown } else { LooksSecret::Hidden }
    }

    /// Warns of paths that name nothing in any of these texts.
    pub(crate) fn warn_of_unmatched<'t>(&self, texts: impl Iterator<Item = &'t str>) {
        for warning in unmatched::of_secrets(&self.secret, texts) {
            output::warning(&warning);
        }
    }

    /// An error without the values of these paths: a file may be refused before it is known to be YAML.
    pub(crate) fn hide_in(&self, error: Error) -> Error {
        error.hiding(&secrets::last_keys(&self.secret, &[]))
    }
}
