//! The arguments that say which values are never shown.

use std::io::IsTerminal as _;

use clap::Args as ClapArgs;

use crate::error::Error;
use crate::migration::Migration;
use crate::secrets::Secrets;

#[derive(Debug, ClapArgs)]
pub(crate) struct SecretArgs {
    /// Show *** for the value at PATH in everything that is printed; * and ** stand for steps: **/dsn
    #[arg(long, value_name = "PATH", help_heading = "Messages")]
    pub(crate) secret: Vec<String>,

    /// Show values of keys like `password` also on a terminal and in CI, where *** stands for them
    #[arg(long, help_heading = "Messages")]
    pub(crate) show_secrets: bool,
}

impl SecretArgs {
    /// What is not to be shown. Names decide where people look on, or their screens are kept.
    ///
    /// # Errors
    /// A path that is not well formed.
    pub(crate) fn secrets(&self, migration: Option<&Migration>) -> Result<Secrets, Error> {
        let watched = std::io::stdout().is_terminal() || std::env::var_os("CI").is_some_and(|ci| !ci.is_empty());
        Secrets::new(&self.secret, migration, watched && !self.show_secrets)
    }
}
