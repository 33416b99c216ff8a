//! Why an upgrade changed what it changed, put to the differences between the files before and after.

use foldhash::{HashMap, HashSet};

use crate::report::{Change, ChangeKind, Difference, DifferenceKind, Report};
use crate::yaml::path::Path;

/// Tells why each difference is there, where the report says it, and makes one difference of what moved.
pub(crate) fn with_reasons(mut differences: Vec<Difference>, report: &Report) -> Vec<Difference> {
    let mut by_path: HashMap<&str, Vec<&Change>> = HashMap::default();
    let mut commented_out = HashSet::default();
    for change in report.changes().iter().filter(|change| reason(change.kind).is_some()) {
        match change.kind {
            // It tells the path of the comment; what went is known by its line.
            ChangeKind::NowCommentedOut => commented_out.extend(line_before(change)),
            _ => by_path.entry(&change.path).or_default().push(change),
        }
    }
    for difference in &mut differences {
        if difference.kind == DifferenceKind::Removed && commented_out.contains(&difference.line) {
            difference.why = reason(ChangeKind::NowCommentedOut);
            continue;
        }
        difference.why = reasons(&difference.place).find_map(|path| {
            let changes = by_path.get(path.as_str())?;
            changes.iter().find(|change| fits(change.kind, difference.kind)).and_then(|change| reason(change.kind))
        });
    }
    moved(differences, report)
}

/// Tells why a result differs from the new default: these are the differences from that to the result.
pub(crate) fn with_reasons_of_result(mut differences: Vec<Difference>, report: &Report) -> Vec<Difference> {
    let told = report.changes().iter().filter_map(|change| Some((change, reason_to_differ(change.kind)?)));
    let mut by_path: HashMap<&str, &str> = HashMap::default();
    for (change, why) in told {
        by_path.entry(&change.path).or_insert(why);
    }
    for difference in &mut differences {
        let told = reasons(&difference.place).find_map(|path| by_path.get(path.as_str()).copied());
        let why = told.unwrap_or(match difference.kind {
            DifferenceKind::Added => "your own",
            DifferenceKind::Removed => "you do not have it",
            DifferenceKind::Changed | DifferenceKind::Moved | DifferenceKind::Reordered => "yours",
        });
        difference.why = Some(why.to_owned());
    }
    differences
}

fn reason_to_differ(kind: ChangeKind) -> Option<&'static str> {
    Some(match kind {
        ChangeKind::BothChanged | ChangeKind::BothAdded => "conflict, yours stays",
        ChangeKind::AnsweredMine => "as you have answered",
        ChangeKind::KeptDropped => "the release dropped it, and you had changed it",
        ChangeKind::LeftOut | ChangeKind::LeftOutChanged => "you had removed it",
        ChangeKind::CommentedOut => "commented out in your file",
        ChangeKind::NotBrought | ChangeKind::NotYours => "was not to come in",
        ChangeKind::NotAdded => "cannot be said in the style of your map",
        ChangeKind::Moved => "moved",
        ChangeKind::Converted => "as the migration file says",
        ChangeKind::KindDiffers => "of another kind in the new default",
        ChangeKind::OnlyYours => "only in your file",
        _ => return None,
    })
}

/// The line of the user's value in their file.
fn line_before(change: &Change) -> Option<usize> {
    Some(change.values.as_ref()?.current.as_ref()?.line)
}

/// The paths by which the report may tell of a value: its own, and those of all that it is in.
fn reasons(place: &Path) -> impl Iterator<Item = String> {
    (0..=place.0.len()).rev().map(|length| Path(place.0[..length].to_vec()).to_string())
}

/// Whether an entry of this kind can be why there is a difference of that kind.
fn fits(change: ChangeKind, difference: DifferenceKind) -> bool {
    let takes_away = matches!(change, ChangeKind::NoLongerUsed | ChangeKind::Removed | ChangeKind::BothSet);
    takes_away == (difference == DifferenceKind::Removed)
}

fn reason(kind: ChangeKind) -> Option<String> {
    let words = match kind {
        ChangeKind::DefaultChanged => "you had the default",
        ChangeKind::Replaced => "the rule for this list",
        ChangeKind::NoLongerUsed => "no longer used",
        ChangeKind::NowCommentedOut => "commented out by the release",
        ChangeKind::Removed => "as asked",
        ChangeKind::BothSet => "set at its new path as well",
        ChangeKind::Converted => "as the migration file says",
        ChangeKind::AnsweredMine | ChangeKind::AnsweredTheirs => "as you have answered",
        ChangeKind::ConflictTaken => "conflict, you had changed it",
        _ => return None,
    };
    Some(words.to_owned())
}

/// What went from one path and came in at another is one difference. Where a whole section went or came with it, that is
/// told besides.
fn moved(mut differences: Vec<Difference>, report: &Report) -> Vec<Difference> {
    let moves = || report.changes().iter().filter(|change| change.kind == ChangeKind::Moved);
    if moves().next().is_none() {
        return differences;
    }
    let old: HashMap<&str, &Change> = moves().map(|change| (&*change.text, change)).collect();
    let mut new: HashMap<&str, &Change> = moves().map(|change| (&*change.path, change)).collect();
    differences.retain_mut(|difference| {
        let place = difference.place.to_string();
        if difference.kind == DifferenceKind::Removed {
            let is_around = |from: &&str| from.strip_prefix(&*place).is_some_and(|rest| rest.starts_with(['/', '[']));
            if old.keys().any(is_around) {
                difference.why = Some("what is used of it moved".to_owned());
            }
            return !old.contains_key(place.as_str());
        }
        if let Some(change) = new.remove(place.as_str()) {
            difference.kind = DifferenceKind::Moved;
            difference.before = None;
            difference.why = Some(format!("moved from {}", change.text));
        }
        true
    });
    let within = moves().filter(|change| new.contains_key(&*change.path)).map(moved_within);
    differences.splice(0..0, within);
    differences
}

/// A value that moved into a section that is new itself.
fn moved_within(change: &Change) -> Difference {
    Difference {
        kind: DifferenceKind::Moved,
        path: change.path.clone(),
        line: change.line,
        before: None,
        after: change.values.as_ref().and_then(|values| values.current.as_ref()).map(|value| value.text.clone()),
        gained: Vec::new(),
        lost: Vec::new(),
        why: Some(format!("moved from {}", change.text)),
        place: Path::default(),
    }
}
