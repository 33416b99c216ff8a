//! From the merged tree to the text of the result, verified, and to what was done.

use std::sync::{Mutex, PoisonError};

use crate::report::{Change, Moved};
use crate::text::error::{Cause, Error};
use crate::text::source::Source;
use crate::upgrade::changes::{self, CommentedOut, Findings, Found, with_commented_out};
use crate::upgrade::combine::{Facts, Merged, files};
use crate::upgrade::on_read::{OnRead, Which};
use crate::upgrade::options::Options;
use crate::upgrade::verify::{self, Inputs};
use crate::yaml::check::{self, Apart};
use crate::yaml::mistakes;
use crate::yaml::outline::Outline;
use crate::yaml::tree::Node;
use crate::yaml::writer::{self, Written};

/// The text of a result, what was done, and what the release may have moved.
pub(super) struct Done {
    pub(super) text: String,
    pub(super) changes: Vec<Change>,
    pub(super) suggestions: Vec<Moved>,
}

impl Done {
    /// What is done to a file that is the new default already.
    pub(super) fn nothing(current: &str) -> Self {
        Self { text: current.to_owned(), changes: Vec::new(), suggestions: Vec::new() }
    }
}

impl Merged<'_, '_> {
    /// The text of the result, verified, and what was done. `prepared` is the current file after its moves. Of a result that is
    /// both it is known what it means, if nothing was deleted before.
    pub(super) fn finish(
        self,
        (source, prepared): (&Source<'_>, &str),
        options: &Options,
        on_read: &mut dyn OnRead,
    ) -> Result<Done, Error> {
        let Self { stream, facts } = self;
        let Written { text, added, .. } = facts.write(&stream);
        let findings = facts.findings(source, options);
        let told = !options.skip_changes;
        if text == prepared && text == source.text && facts.deleted.removed.is_empty() {
            let found = changes::found(&stream, &added, &findings);
            facts.verify((&findings, &found), options, (source.name, &text, &facts.mine))?;
            let changes = if told { findings.changes(&found.without_news(), &facts.mine) } else { Vec::new() };
            return Ok(Done { text, changes, suggestions: findings.moves() });
        }
        let result = Source::new(source.name, &text)?;
        // With the last that the tree can say it goes; reading the result takes its place in memory.
        let stream = Mutex::new(stream);
        let read = check::read_apart(&result, || {
            let mut stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
            let found = changes::found(&stream, &added, &findings);
            drop(std::mem::take(&mut stream.children));
            found
        });
        let not_readable = |error: Error| not_readable(&error).with_line_of(result.name, result.text);
        let (Apart { mut stream, outline }, found) = read.map_err(not_readable)?;
        let (checked, (changes, suggestions)) = check::both(
            text.len(),
            || {
                check::compare(&result, &mut stream, &outline).map_err(not_readable)?;
                on_read.on_read(Which::Result, &result, &outline);
                facts.verify((&findings, &found), options, (result.name, result.text, &outline))?;
                Ok(if told { facts.commented_out(options).came_in(&stream) } else { Vec::new() })
            },
            || (if told { findings.changes(&found, &outline) } else { Vec::new() }, findings.moves()),
        );
        let changes = with_commented_out(changes, &checked?, &result.lines);
        Ok(Done { text, changes, suggestions })
    }
}

impl<'a> Facts<'_, 'a> {
    fn write(&self, stream: &Node<'a>) -> Written {
        let mut written = writer::write_long(stream, self.length, self.ends.bom, self.ends.common);
        written.finish(self.ends);
        written
    }

    fn findings<'t>(&'t self, source: &'t Source<'a>, options: &'t Options) -> Findings<'t, 'a> {
        let (current, update) = ((source.name, &self.mine), (self.update_name, &self.theirs));
        Findings {
            lines: &source.lines,
            removed: &self.deleted.removed,
            notes: &self.notes,
            plan: &self.plan,
            files: files(current, self.base, update, options),
            switched_off: &self.states.switched_off,
            only_yours: &self.only_yours,
            keys_before: &self.states.before,
            line_ends: self.ends.were.map(|were| [were, self.ends.common]),
        }
    }

    fn commented_out(&self, options: &Options) -> CommentedOut<'_, 'a> {
        CommentedOut {
            restores_deleted: options.restore_deleted,
            known: &self.states.before,
            rows: &self.states.own_rows,
            documents: &self.documents,
            plan: &self.plan,
            current: &self.mine,
        }
    }

    /// Verifies a result, unless that is to be left out: its name, its text, and what that means.
    fn verify(
        &self,
        (findings, found): (&Findings<'_, '_>, &Found),
        options: &Options,
        (name, text, result): (&str, &str, &Outline<'_>),
    ) -> Result<(), Error> {
        if options.skip_validation {
            return Ok(());
        }
        let inputs = Inputs {
            current: &self.mine,
            update: &self.theirs,
            documents: &self.documents,
            plan: &self.plan,
            left: &findings.left_out(),
            commented_out: &findings.commented_out(),
            open_maps: &self.open_maps,
        };
        let verified = verify::verify(&inputs, findings.added_paths(found), result);
        verified.map_err(|error| error.with_line_of(name, text))
    }
}

/// Our result is not readable: an alias without its anchor, or inside of it, is what both files together make of it.
fn not_readable(error: &Error) -> Error {
    match error.place().zip(error.cause()) {
        Some((place, Cause::AliasWithoutAnchor | Cause::AliasInsideItself | Cause::TwoAnchors)) => {
            verify::anchors(place.line)
        }
        _ => mistakes::in_result(error),
    }
}
