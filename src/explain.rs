//! Where the value of one path would come from, and why: the decision of an upgrade that is not made, in three lines.

use std::fmt;

use crate::changes;
use crate::check;
use crate::edit;
use crate::error::{Error, visible};
use crate::options::Options;
use crate::path;
use crate::report::{Change, ChangeKind};
use crate::source::Source;
use crate::upgrade::{self, Named};

/// What a file has at a path.
struct Found {
    path: String,
    file: String,
    line: usize,
    value: String,
}

/// Three lines about a path: its value, its origin, the reason.
pub(crate) struct Explanation {
    value: String,
    origin: String,
    reason: String,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", visible(&self.value))?;
        writeln!(f, "  from     {}", visible(&self.origin))?;
        writeln!(f, "  because  {}", visible(&self.reason))
    }
}

/// Explains what an upgrade would make of a path.
///
/// # Errors
/// Those of an upgrade, and a path that no file has.
pub(crate) fn explain(
    current: Named<'_>,
    update: Named<'_>,
    options: &Options,
    path: &str,
) -> Result<Explanation, Error> {
    let upgrade = upgrade::named(current, update, options)?;
    let find = |file| find(file, path);
    let result = find((current.0, upgrade.text()))?;
    let (mine, new) = (find(current)?, find(update)?);
    let base = options.base.as_ref().map(|base| find((&base.name, &base.text))).transpose()?.flatten();
    let Some(known) = result.as_ref().or(mine.as_ref()).or(new.as_ref()).or(base.as_ref()) else {
        let what = format!("no file has anything at `{}`", visible(path));
        return Err(Error::input(what).help("`yamlift outline FILE` shows what a file has"));
    };
    let change = decided(upgrade.report().changes(), &known.path);
    let from_update = change.is_some_and(|change| comes_from_update(change.kind));
    let origin = if from_update { new.as_ref().or(mine.as_ref()) } else { mine.as_ref().or(new.as_ref()) };
    Ok(Explanation {
        value: match &result {
            Some(found) => format!("{} = {}", found.path, found.value),
            None => format!("{} is not in the result", known.path),
        },
        origin: origin.unwrap_or(known).place(),
        reason: change.map_or_else(|| unchanged(mine.as_ref(), base.as_ref(), new.as_ref()), reason),
    })
}

impl Found {
    fn place(&self) -> String {
        format!("{}:{}: {}", self.file, self.line, self.value)
    }
}

fn find((name, text): Named<'_>, path: &str) -> Result<Option<Found>, Error> {
    let source = Source::new(name, text)?;
    let checked = check::read(&source)?;
    let Some(way) = path::find(&checked.stream, &checked.outline, path)? else { return Ok(None) };
    let found = edit::found(&checked.stream, &checked.outline, &way);
    Ok(found.map(|(path, row)| Found {
        path: path.to_string(),
        file: name.to_owned(),
        line: checked.outline.rows[row].line,
        value: changes::shown(&checked.outline, row),
    }))
}

/// The entry of the report that decided on a path: its own, or that of what it is in.
fn decided<'c>(changes: &'c [Change], path: &str) -> Option<&'c Change> {
    let holds = |change: &&Change| {
        let rest = path.strip_prefix(&*change.path);
        rest.is_some_and(|rest| rest.is_empty() || (!change.path.is_empty() && rest.starts_with(['/', '['])))
    };
    let told = |change: &&Change| !matches!(change.kind, ChangeKind::CommentReplaced | ChangeKind::Alias);
    changes.iter().filter(told).filter(holds).max_by_key(|change| change.path.len())
}

fn comes_from_update(kind: ChangeKind) -> bool {
    matches!(kind, ChangeKind::Added | ChangeKind::DefaultChanged | ChangeKind::Replaced | ChangeKind::ConflictTaken)
}

fn reason(change: &Change) -> String {
    match change.kind {
        ChangeKind::Added => "only the new default has it".to_owned(),
        ChangeKind::Removed => "it was to be removed".to_owned(),
        ChangeKind::DefaultChanged => format!("you never touched it, and the release changed it: {}", change.text),
        ChangeKind::Replaced => format!("the rule for this list takes the new default: {}", change.text),
        ChangeKind::NoLongerUsed => "you never touched it, and the release dropped it".to_owned(),
        ChangeKind::LeftOut | ChangeKind::LeftOutChanged => "you removed it, so it stays away".to_owned(),
        ChangeKind::NotBrought => "what is new here was not to come in".to_owned(),
        ChangeKind::KeptDropped => format!("the release dropped it, and you had changed it: {}", change.text),
        ChangeKind::BothChanged => format!("you and the release changed it, and yours stays: {}", change.text),
        ChangeKind::BothAdded => format!("you and the release added it, and yours stays: {}", change.text),
        ChangeKind::ConflictTaken => format!("you and the release changed it, as asked for: {}", change.text),
        ChangeKind::KindDiffers => format!("your values stay, and {}", change.text),
        ChangeKind::Moved => format!("it was moved from {}", change.text),
        ChangeKind::Converted => format!("the migration file gave it a new form: {}", change.text),
        ChangeKind::MoveSuggested | ChangeKind::SideBySide => format!("perhaps it is now {}", change.text),
        _ => change.text.clone(),
    }
}

/// Why a value is there that no entry of the report is about: it is the user's.
fn unchanged(mine: Option<&Found>, base: Option<&Found>, new: Option<&Found>) -> String {
    match (mine, base, new) {
        (Some(mine), Some(base), Some(new)) if mine.value != base.value && new.value != base.value => {
            "you and the release changed it: it is merged of both".to_owned()
        }
        (Some(mine), Some(base), _) if mine.value != base.value => {
            format!("you changed it, and the release did not: its default is {}", base.value)
        }
        (Some(_), Some(_), _) => "neither you nor the release changed it".to_owned(),
        (Some(mine), None, Some(new)) if mine.value == new.value => "you have what the new default has".to_owned(),
        (Some(_), None, Some(new)) => format!("your values stay: the new default is {}", new.value),
        (Some(_), None, None) => "only your file has it, and keys of your own stay".to_owned(),
        (None, ..) => "you do not have it".to_owned(),
    }
}
