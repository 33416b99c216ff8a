//! A program of the operator's that looks at the new content before it is put in place.
//!
//! It is started without a shell: a file name can hold no word for one. Its own words decide nothing, its exit status
//! does.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use super::disk::Disk;
use super::failed;
use super::temporary::Temporary;
use crate::error::{Error, visible};

/// A command with `%s` for the file to look at, such as `promtool check config %s`.
///
/// ```
/// let checker = yamlift::Checker::new("nginx-config --test '%s'")?;
/// assert!(yamlift::Checker::new("nginx-config --test").is_err());
/// # Ok::<(), yamlift::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checker {
    command: String,
    words: Vec<String>,
}

impl Checker {
    /// Reads a command as a shell would part its words; nothing else in it has a meaning, but for `%s`.
    ///
    /// # Errors
    /// Refuses an open quote, no word at all, and a command that names no file.
    pub fn new(command: &str) -> Result<Self, Error> {
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| Error::input("the command has no word, or an open quote"))?;
        if !words.iter().any(|word| word.contains("%s")) {
            return Err(Error::input("the command has no %s, which stands for the file to be checked"));
        }
        Ok(Self { command: command.to_owned(), words })
    }

    /// Refuses what the command refuses, and a file that it has changed.
    pub(super) fn check<D: Disk>(&self, file: &Temporary<D>, content: &[u8]) -> Result<(), Error> {
        let command = visible(&self.command);
        let ended = self.run(&file.guard.path());
        let (status, said) = ended.map_err(|error| failed(&format!("`{command}` cannot be run"), &error))?;
        if !status.success() {
            return Err(Error::input(format!("the result was refused by `{command}`, {status}"))
                .detail(shown(&said))
                .help("nothing was changed; what it looked at was the upgraded content in a temporary file"));
        }
        match file.holds(content) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Error::input(format!("the result was changed by `{command}`"))
                .help("nothing was changed in the configuration; a checker may only read")),
            Err(error) => Err(failed("the result cannot be read again", &error)),
        }
    }

    /// How it ended, and what it printed. Both its streams are one, so that what it says stays in order.
    fn run(&self, file: &Path) -> io::Result<(ExitStatus, Vec<u8>)> {
        let mut words = self.words.iter().map(|word| with_file(word, file));
        let mut command = Command::new(words.next().unwrap_or_default());
        let (mut reader, writer) = io::pipe()?;
        command.args(words).stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
        let mut child = command.spawn()?;
        // With it go the last ends of the pipe that are ours, or reading would never end.
        drop(command);
        let mut said = Vec::new();
        let read = reader.read_to_end(&mut said);
        drop(reader);
        let status = child.wait()?;
        read.map(|_| (status, said))
    }
}

fn with_file(word: &str, file: &Path) -> OsString {
    let mut parts = word.split("%s");
    let mut whole = OsString::from(parts.next().unwrap_or_default());
    for part in parts {
        whole.push(file);
        whole.push(part);
    }
    whole
}

/// The last lines of what it printed: a checker may print a lot, and says at the end what is wrong.
fn shown(said: &[u8]) -> String {
    const LINES: usize = 20;
    let text = String::from_utf8_lossy(said);
    let lines: Vec<_> = text.lines().map(|line| format!(" | {}", visible(line))).collect();
    lines.get(lines.len().saturating_sub(LINES)..).unwrap_or_default().join("\n")
}
