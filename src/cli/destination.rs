//! `-o`: where a result goes that takes no configuration's place.
//!
//! A file, or what is open already: standard output, another open file of the shell's (`/dev/fd/3`, `>(…)`), a device such
//! as `/dev/null`. What is open is written to and nothing else; there is nothing to replace.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use serde::Serialize;

use super::output::{self, print, shown};
use crate::files::{self, Existing, FileOptions, Output};
use crate::text::error::{Error, visible};

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "What to write")]
pub(crate) struct OutputArgs {
    /// Write the result to FILE, or to standard output for `-`, and leave all that is read as it is. Nobody can read FILE
    /// who cannot read CONFIG, or all the files that are merged
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Replace the FILE of -o where it is there already, after a backup
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
}

/// Where a result goes.
#[derive(Debug)]
pub(super) enum Destination {
    Stdout,
    Stderr,
    /// What is only written to.
    Stream(PathBuf),
    File(Output),
}

impl OutputArgs {
    /// Where the result goes, if that was said, and is possible as far as can be known yet. What is read is none of it.
    pub(super) fn destination(&self, inputs: &[&Path]) -> Result<Option<Destination>, Error> {
        let Some(path) = &self.output else { return Ok(None) };
        Ok(Some(match files::descriptor(path) {
            _ if path == Path::new("-") => Destination::Stdout,
            Some(1) => Destination::Stdout,
            Some(2) => Destination::Stderr,
            Some(_) => Destination::Stream(path.clone()),
            None if files::is_device(path) => Destination::Stream(path.clone()),
            None => {
                let existing = if self.force { Existing::Replaced } else { Existing::Refused };
                Destination::File(Output::new(path, existing, inputs)?)
            }
        }))
    }
}

impl Destination {
    /// Nobody is to read the result who cannot read all of these.
    pub(super) fn no_wider_than(self, sources: &[&Path]) -> Result<Self, Error> {
        Ok(if let Self::File(output) = self { Self::File(output.no_wider_than(sources)?) } else { self })
    }

    /// Where that is, `-` for standard output.
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Stdout => Path::new("-"),
            Self::Stderr => Path::new("/dev/stderr"),
            Self::Stream(path) => path,
            Self::File(output) => output.path(),
        }
    }

    /// Writes the result. Returns where the old content of a file is kept.
    pub(super) fn put(&self, text: &str, how: &FileOptions) -> Result<Option<PathBuf>, Error> {
        match self {
            Self::Stdout => print(&mut std::io::stdout(), text).map(|()| None),
            Self::Stderr => print(&mut std::io::stderr(), text).map(|()| None),
            Self::Stream(path) => stream(path, text).map_err(|error| error.in_file(&name(path))).map(|()| None),
            Self::File(output) => output.put(text, how),
        }
    }
}

fn stream(path: &Path, text: &str) -> Result<(), Error> {
    let file = OpenOptions::new().append(true).open(path);
    print(&mut file.map_err(|error| Error::input(format!("cannot be written: {error}")))?, text)
}

fn name(path: &Path) -> String {
    visible(&path.display().to_string())
}

/// What became of a command that makes a text, for programs.
#[derive(Serialize)]
struct Made<'m> {
    schema: u8,
    /// What was made: `merged`, `rendered`, or `compared` where it is a diff.
    status: &'m str,
    written: bool,
    /// The file that it is in.
    output: Option<String>,
    warnings: &'m [String],
    /// The text itself, where it is in no file.
    text: Option<&'m str>,
}

/// Writes what a command makes into a file where it was told to, and prints as data what it is.
pub(super) fn put_as_data(
    to: Option<&Destination>,
    status: &str,
    text: &str,
    warnings: &[String],
) -> Result<(), Error> {
    let file = to.filter(|to| !matches!(to, Destination::Stdout));
    if let Some(file) = file {
        file.put(text, &FileOptions::default())?;
    }
    let (written, output) = (file.is_some(), file.map(|file| file.path().display().to_string()));
    let made = Made { schema: 1, status, written, output, warnings, text: file.is_none().then_some(text) };
    let printed = print(&mut std::io::stdout(), &output::json(&made)?);
    printed.map_err(|error| file.map_or(error.clone(), |file| output::unprinted(&error, file.path())))
}

/// Writes what a command makes where it was told to, or on standard output.
pub(super) fn put(to: Option<&Destination>, text: &str) -> Result<(), Error> {
    match to {
        None => print(&mut anstream::stdout(), text),
        Some(destination) => destination.put(text, &FileOptions::default()).map(|_| ()),
    }
}

/// Writes a diff where a command was told to, or with colours on standard output.
pub(super) fn put_diff(to: Option<&Destination>, diff: &str) -> Result<(), Error> {
    match to {
        None | Some(Destination::Stdout) => print(&mut anstream::stdout(), &shown(diff)),
        other => put(other, diff),
    }
}
