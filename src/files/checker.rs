//! A program of the operator's that looks at the new content before it is put in place.
//!
//! It is started without a shell: a file name can hold no word for one. Its own words decide nothing, its exit status
//! does, and what it leaves must be what it got: it may look, and nothing else. A formatter that puts another file under
//! the name would otherwise decide what the configuration says.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::disk::Disk;
use super::failed;
use super::program::{self, Ended};
use super::temporary::Temporary;
use crate::report::secrets::Secrets;
use crate::text::error::{Error, visible};

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
    time_limit: Duration,
}

impl Checker {
    const TIME_LIMIT: Duration = Duration::from_secs(60);

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
        Ok(Self { command: command.to_owned(), words, time_limit: Self::TIME_LIMIT })
    }

    /// Gives the command another time than a minute to look at the file. Where it takes longer, it is ended and the file
    /// is not replaced.
    #[must_use]
    pub fn within(self, time_limit: Duration) -> Self {
        Self { time_limit, ..self }
    }

    /// Refuses what the command refuses, and a file that it has changed. The error shows no secret of the file.
    pub(super) fn check<D: Disk>(&self, file: &Temporary<D>, content: &[u8]) -> Result<(), Error> {
        self.look(file, content).map_err(|error| {
            file.clear_name();
            let mut secrets = Secrets::told_by_names();
            secrets.mask_text(&String::from_utf8_lossy(content));
            secrets.mask_error(error)
        })
    }

    fn look<D: Disk>(&self, file: &Temporary<D>, content: &[u8]) -> Result<(), Error> {
        let command = visible(&self.command);
        let unreadable = |error| failed("the result cannot be read again", &error);
        let before = file.state().map_err(unreadable)?;
        let words = self.words.iter().map(|word| with_file(word, &file.guard.path()));
        let ended = program::run(words, self.time_limit);
        let ended = ended.map_err(|error| failed(&format!("`{command}` cannot be run"), &error))?;
        self.verdict(&ended)?;
        if let Some(what) = file.change_since(&before, content).map_err(unreadable)? {
            return Err(Error::input(format!("the result was changed by `{command}`: {what} is not what it was"))
                .help("nothing was changed in the configuration; a checker may only read"));
        }
        // Even the same bytes may have been written anew.
        file.sync()
    }

    fn verdict(&self, ended: &Ended) -> Result<(), Error> {
        let command = visible(&self.command);
        let refused = |what: String, help: &str| {
            let error = Error::input(what).help(help);
            Err(if ended.said.is_empty() { error } else { error.detail(shown(&ended.said)) })
        };
        match ended.status {
            Some(status) if status.success() => Ok(()),
            Some(status) => refused(
                format!("the result was refused by `{command}`, {status}"),
                "nothing was changed; what it looked at was the upgraded content in a temporary file",
            ),
            None => refused(
                format!("`{command}` did not end within {} s, and was ended", self.time_limit.as_secs_f64()),
                "nothing was changed; `--validate-timeout` gives it more time",
            ),
        }
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
fn shown(said: &str) -> String {
    const LINES: usize = 20;
    let lines: Vec<_> = said.lines().map(|line| format!(" | {}", visible(line))).collect();
    lines.get(lines.len().saturating_sub(LINES)..).unwrap_or_default().join("\n")
}
