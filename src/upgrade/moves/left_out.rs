//! The steps of a migration file that `--from` leaves out although the user's file still has the keys that they are about:
//! most likely the version is not the one that the file is of.

use super::GivesWay;
use super::files::Files;
use crate::text::error::{Error, visible};
use crate::text::source::Source;
use crate::upgrade::options::Options;
use crate::yaml::check;

/// How many keys the warning names.
const SHOWN: usize = 3;

/// The warning about keys of the user's file, which the new default does not have, that only steps name that are left out.
pub(super) fn warning(
    (name, text): (&str, &str),
    update: &Source<'_>,
    options: &Options,
) -> Result<Option<String>, Error> {
    let Some((from, migration)) = options.from.as_deref().zip(options.migration.as_ref()) else { return Ok(None) };
    let mut steps = migration.steps_up_to(from).peekable();
    if steps.peek().is_none() {
        return Ok(None);
    }
    let source = Source::new(name, text)?;
    let (current, update) = (check::read(&source)?, check::read(update)?);
    let [mine, new] =
        [&current, &update].map(|file| Files { current: file, update: file, gives_way: GivesWay::Defaults(None) });
    let mut keys = Vec::new();
    for step in steps {
        for path in step.moves.iter().map(|one| &one.from).chain(&step.delete) {
            if mine.has(&path.text) && !new.has(&path.text) {
                keys.push(format!("`{}` ({})", visible(&path.text), visible(&step.version)));
            }
        }
    }
    Ok((!keys.is_empty()).then(|| told(from, keys)))
}

fn told(from: &str, mut keys: Vec<String>) -> String {
    let more = if keys.len() > SHOWN { " and others" } else { "" };
    keys.truncate(SHOWN);
    let (from, keys) = (visible(from), keys.join(", "));
    format!(
        "--from {from} leaves out the steps for {keys}{more}, which your file has still: is it of an older version?"
    )
}
