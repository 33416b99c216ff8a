//! The secrets of the texts of an upgrade, learned while they are read.

use crate::report::Report;
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

    /// Learns what was not read as it is, and what variables stand for.
    fn learn_rest(&mut self, upgrade: &Upgrade) {
        self.secrets.learn_variables(&upgrade.report);
        if self.shows == Shows::Nothing {
            return;
        }
        let [current, update, base] = self.given;
        let result = Some(&*upgrade.text).filter(|text| *text != current).map(|text| (Which::Result, text));
        let given = [(Which::Current, current), (Which::Update, update), (Which::Base, base)];
        for (which, text) in given.into_iter().chain(result) {
            if self.read.iter().all(|(read, _)| *read != which) {
                let masked = self.secrets.mask_text(text);
                self.read.push((which, self.shows_lines_of(which).then(|| masked.into_owned())));
            }
        }
    }

    /// A report that shows no secret.
    pub(super) fn masked_report(&mut self, upgrade: &Upgrade) -> Report {
        self.learn_rest(upgrade);
        self.secrets.mask_report(&upgrade.report)
    }

    /// All that was learned.
    pub(super) fn learned(mut self, upgrade: &Upgrade) -> Learned {
        self.learn_rest(upgrade);
        let masked = |which: Which| self.read.iter().find(|(read, _)| *read == which)?.1.clone();
        let before = masked(Which::Current);
        // A result that is the current file was not read.
        let after = masked(Which::Result).or_else(|| before.clone());
        Learned { lines: before.zip(after).map(<[String; 2]>::from), secrets: self.secrets, shows: self.shows }
    }

    /// Whether lines of a text are shown.
    fn shows_lines_of(&self, which: Which) -> bool {
        self.shows == Shows::Lines && matches!(which, Which::Current | Which::Result)
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
        if self.shows == Shows::Nothing {
            return;
        }
        let masked = if self.shows_lines_of(which) {
            Some(self.secrets.mask_read(source, outline))
        } else {
            self.secrets.learn_read(source, outline);
            None
        };
        if self.is_as_given(which, source.text) {
            self.read.push((which, masked));
        }
    }
}
