//! Where the value of one path would come from, and why: the decision of an upgrade that is not made, in three lines. And
//! where every line would come from ([`lines`](mod@lines)).

mod lines;

pub(crate) use self::lines::{Explained, explain_lines, lines_of};
use crate::report::explanation::Explanation;
use crate::report::shown::shown;
use crate::report::{Change, ChangeKind};
use crate::text::error::{Error, visible};
use crate::text::source::Source;
use crate::upgrade::edit;
use crate::upgrade::options::Options;
use crate::upgrade::unmatched;
use crate::upgrade::{self, Named};
use crate::yaml::check;
use crate::yaml::find;

/// What a file has at a path.
struct Found {
    path: String,
    file: String,
    line: usize,
    value: String,
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
        let base = options.base.as_ref().map(|base| base.text.as_str());
        return Err(unknown(path, [current.1, update.1].into_iter().chain(base)));
    };
    let change = decided(upgrade.report().changes(), &known.path);
    let from_update = change.is_some_and(|change| comes_from_update(change.kind));
    let origin = if from_update { new.as_ref().or(mine.as_ref()) } else { mine.as_ref().or(new.as_ref()) };
    let origin = origin.unwrap_or(known);
    let (why, detail) = change.map_or_else(|| unchanged(mine.as_ref(), base.as_ref(), new.as_ref()), reason);
    Ok(Explanation {
        path: known.path.clone(),
        value: result.as_ref().map(|found| found.value.clone()),
        file: origin.file.clone(),
        line: origin.line,
        origin: origin.value.clone(),
        why,
        detail,
        change: change.map(|change| change.kind),
    })
}

/// The error about a path that none of these texts has.
fn unknown<'t>(path: &str, texts: impl Iterator<Item = &'t str>) -> Error {
    let what = format!("no file has anything at `{}`", visible(path));
    let shows = "`yamlift outline FILE` shows what a file has";
    Error::input(what).help(match unmatched::nearest_in(path, texts) {
        Some(near) => format!("did you mean `{}`? {shows}", visible(&near)),
        None => shows.to_owned(),
    })
}

fn find((name, text): Named<'_>, path: &str) -> Result<Option<Found>, Error> {
    let source = Source::new(name, text)?;
    let checked = check::read(&source)?;
    let Some(way) = find::find(&checked.stream, &checked.outline, path)? else { return Ok(None) };
    let found = edit::found(&checked.stream, &checked.outline, &way);
    Ok(found.map(|(path, row)| Found {
        path: path.to_string(),
        file: name.to_owned(),
        line: checked.outline[row].line,
        value: shown(&checked.outline, row),
    }))
}

/// The entry of the report that decided on a path: its own, or that of what it is in.
fn decided<'c>(changes: &'c [Change], path: &str) -> Option<&'c Change> {
    let holds = |change: &&Change| {
        let rest = path.strip_prefix(&*change.path);
        rest.is_some_and(|rest| rest.is_empty() || (!change.path.is_empty() && rest.starts_with(['/', '['])))
    };
    let told = |change: &&Change| {
        use ChangeKind::{Alias, CommentMoved, CommentReplaced, LineEnds};
        !matches!(change.kind, CommentReplaced | CommentMoved | Alias | LineEnds)
    };
    changes.iter().filter(told).filter(holds).max_by_key(|change| change.path.len())
}

fn comes_from_update(kind: ChangeKind) -> bool {
    use ChangeKind::{Added, AnsweredTheirs, ConflictTaken, DefaultChanged, Replaced};
    matches!(kind, Added | DefaultChanged | Replaced | ConflictTaken | AnsweredTheirs)
}

fn reason(change: &Change) -> (&'static str, String) {
    let (why, tells) = match change.kind {
        ChangeKind::Added => ("only the new default has it", false),
        ChangeKind::Removed => ("it was to be removed", false),
        ChangeKind::DefaultChanged => ("you never touched it, and the release changed it", true),
        ChangeKind::Replaced => ("the rule for this list takes the new default", true),
        ChangeKind::NoLongerUsed => ("you never touched it, and the release dropped it", false),
        ChangeKind::NowCommentedOut => ("you never touched it, and the release commented it out", true),
        ChangeKind::LeftOut | ChangeKind::LeftOutChanged => ("you removed it, so it stays away", false),
        ChangeKind::CommentedOut => ("it is commented out in your file; --restore-deleted brings it in", false),
        ChangeKind::NotYours => ("all there is yours", false),
        ChangeKind::NotBrought => ("what is new here was not to come in", false),
        ChangeKind::KeptDropped => ("the release dropped it, and you had changed it", true),
        ChangeKind::BothChanged => ("you and the release changed it, and yours stays", true),
        ChangeKind::BothAdded => ("you and the release added it, and yours stays", true),
        ChangeKind::ConflictTaken => ("you and the release changed it, and the new default was asked for", true),
        ChangeKind::AnsweredMine => ("you and the release changed it, and you have answered that yours stays", true),
        ChangeKind::AnsweredTheirs => {
            ("you and the release changed it, and you have answered that the new default comes in", true)
        }
        ChangeKind::KindDiffers => ("your values stay", true),
        ChangeKind::Moved => ("it was moved here from another path", true),
        ChangeKind::Converted => ("the migration file gave it a new form", true),
        ChangeKind::OnlyYours => ("only your file has it: your own, misspelt, or no longer used", false),
        ChangeKind::MoveSuggested | ChangeKind::SideBySide => ("perhaps it has moved", true),
        _ => ("the report says", true),
    };
    (why, if tells { change.text.clone() } else { String::new() })
}

/// Why a value is there that no entry of the report is about: it is the user's.
fn unchanged(mine: Option<&Found>, base: Option<&Found>, new: Option<&Found>) -> (&'static str, String) {
    let plain = |why| (why, String::new());
    match (mine, base, new) {
        (Some(mine), Some(base), Some(new)) if mine.value != base.value && new.value != base.value => {
            plain("you and the release changed it, and it is merged of both")
        }
        (Some(mine), Some(base), _) if mine.value != base.value => {
            ("you changed it, and the release did not; its default", base.value.clone())
        }
        (Some(_), Some(_), _) => plain("neither you nor the release changed it"),
        (Some(mine), None, Some(new)) if mine.value == new.value => plain("you have what the new default has"),
        (Some(_), None, Some(new)) => ("your values stay; the new default", new.value.clone()),
        (Some(_), None, None) => plain("only your file has it, and keys of your own stay"),
        (None, ..) => plain("you do not have it"),
    }
}
