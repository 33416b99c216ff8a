//! The arguments that every command has, and the forms in which one tells what it did.

use std::str::FromStr;

use clap::{Args as ClapArgs, ValueEnum};

use crate::layers::reading::Reading;

#[derive(Debug, ClapArgs)]
pub(crate) struct Common {
    /// Print nothing but errors
    #[arg(short, long, help_heading = "Messages")]
    pub(crate) quiet: bool,

    /// Tell on standard error what is decided and why: of an upgrade, each value that is not the new default's
    #[arg(short, long, help_heading = "Messages", conflicts_with = "quiet")]
    pub(crate) verbose: bool,

    /// Choose when to use colour
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = "Messages")]
    pub(crate) color: Color,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ReadingArgs {
    /// Do what the system really does, also where its document says otherwise
    #[arg(long)]
    pub(crate) as_shipped: bool,
}

impl ReadingArgs {
    /// What a system is held to.
    pub(crate) fn reading(&self) -> Reading {
        if self.as_shipped { Reading::Shipped } else { Reading::Documented }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// How a diff is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffForm {
    /// By lines where they are few, else by values
    Auto,
    /// What changed its meaning, one line for each value
    Values,
    /// The lines that changed; those that only moved or were indented otherwise are counted
    Lines,
    /// The same, with the words that changed inside of their line
    Words,
    /// No diff
    None,
}

/// The form of the report of an upgrade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// For a comment on a pull request
    Markdown,
    /// Annotations of GitHub Actions
    Github,
    /// A log of findings, SARIF 2.1.0
    Sarif,
    /// A page to look at in a browser
    Html,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    Always,
    Never,
}

impl Color {
    pub(crate) fn write_global(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// How many there are to be, at least one.
pub(crate) fn at_least_one<T: FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| "a whole number from 1 on is needed".to_owned())
}

/// A number of seconds.
pub(crate) fn seconds(word: &str) -> Result<u32, String> {
    word.parse().map_err(|_| "a whole number of seconds is needed".to_owned())
}
