//! The secrets of the texts of an upgrade, learned while they are read.

use crate::report::secrets::Secrets;
use crate::text::source::Source;
use crate::upgrade::Upgrade;
use crate::upgrade::on_read::{OnRead, Which};
use crate::yaml::outline::Outline;

/// What is told of an upgrade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    Nothing,
    /// The report.
    Report,
    /// The report, and lines of the old file and the result.
    Lines,
}

/// Learns the secrets of an upgrade's texts, so that none of them is read once more for that.
pub(super) struct Learner<'t> {
    secrets: Secrets,
    shows: Shows,
    /// The current file, the new default, and the old one.
    given: [&'t str; 3],
    /// The texts that were read just as they were given, and the result; without their secrets where they are shown. One whose
    /// values move, or into which variables are put, may have held other secrets before.
    read: Vec<(Which, Option<String>)>,
}

/// What was learned.
pub(super) struct Learned {
    pub(super) secrets: Secrets,
    pub(super) shows: Shows,
    /// The current file and the result without their secrets, where lines of them are shown.
    pub(super) lines: Option<[String; 2]>,
}

impl<'t> Learner<'t> {
    pub(super) fn new(secrets: Secrets, shows: Shows, given: [&'t str; 3]) -> Self {
        Self { secrets, shows, given, read: Vec::new() }
    }

    /// What was learned, with what was not read as it is.
    pub(super) fn learned(mut self, upgrade: &Upgrade) -> Learned {
        self.secrets.learn_variables(&upgrade.report);
        let [current, update, base] = self.given;
        let before = self.text(Which::Current, current);
        let is_same = upgrade.text == current;
        let after = if is_same { before.clone() } else { self.text(Which::Result, &upgrade.text) };
        self.text(Which::Update, update);
        self.text(Which::Base, base);
        Learned { secrets: self.secrets, shows: self.shows, lines: before.zip(after).map(<[String; 2]>::from) }
    }

    /// A text without its secrets, where it is shown.
    fn text(&mut self, which: Which, text: &str) -> Option<String> {
        if self.shows == Shows::Nothing {
            return None;
        }
        if let Some((_, masked)) = self.read.iter_mut().find(|(read, _)| *read == which) {
            return masked.take();
        }
        let masked = self.secrets.mask_text(text);
        (self.shows == Shows::Lines).then(|| masked.into_owned())
    }

    fn is_as_given(&self, which: Which, text: &str) -> bool {
        let [current, update, base] = self.given;
        let given = match which {
            Which::Current => current,
            Which::Update => update,
            Which::Base => base,
            Which::Result => return true,
        };
        given.strip_prefix('\u{feff}').unwrap_or(given) == text
    }
}

impl OnRead for Learner<'_> {
    fn on_read(&mut self, which: Which, source: &Source<'_>, outline: &Outline<'_>) {
        if which == Which::Current {
            // Whoever is asked about conflicts has the files merged twice.
            self.read.clear();
        }
        let masked = match (self.shows, which) {
            (Shows::Nothing, _) => return,
            (Shows::Lines, Which::Current | Which::Result) => Some(self.secrets.mask_read(source, outline)),
            _ => {
                self.secrets.learn_read(source, outline);
                None
            }
        };
        if self.is_as_given(which, source.text) {
            self.read.push((which, masked));
        }
    }
}
