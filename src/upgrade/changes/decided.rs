//! What the old default decided, told with the three values.

use foldhash::HashMap;

use crate::report::secrets::Secrets;
use crate::report::shown::{File, shown};
use crate::report::{Change, ChangeKind, Moved, Value, Values};
use crate::text::error::{Conflict, Error, visible};
use crate::upgrade::answers;
use crate::upgrade::merge::SwitchedOff;
use crate::upgrade::three_way::{Decision, Plan, Row, State, Suggestion};
use crate::yaml::outline::Outline;
use crate::yaml::path::{Path, Step};
use crate::yaml::row::RowId;

/// The files that a report tells of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Files<'f, 'a> {
    pub(crate) current: File<'f, 'a>,
    pub(crate) base: Option<File<'f, 'a>>,
    pub(crate) update: File<'f, 'a>,
}

impl Files<'_, '_> {
    /// What the files have at a path. An item may have another number in each, and the file itself is no value.
    pub(super) fn values(&self, path: &Path) -> Option<Values> {
        let is_key = |step: &Step| matches!(step, Step::Key(_));
        if path.0.is_empty() || !path.0.iter().all(is_key) {
            return None;
        }
        let at = |file: File<'_, '_>| file.1.row_at(path).map(|row| value(file, row));
        Some(Values { current: at(self.current), base: self.base.and_then(at), update: at(self.update) })
    }
}

/// What is known of a result when decisions are told.
#[derive(Clone, Copy)]
pub(super) struct Known<'k, 'a> {
    pub(super) files: &'k Files<'k, 'a>,
    pub(super) plan: &'k Plan<'k, 'a>,
    /// The paths of what is in the result, by rows of the current file.
    pub(super) places: &'k HashMap<RowId, Path>,
    pub(super) result: &'k Outline<'k>,
    /// The keys that one file has live and the other commented out.
    pub(super) switched_off: &'k SwitchedOff,
}

/// Whose value stands where both sides changed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Winner {
    User,
    Update,
}

impl Known<'_, '_> {
    /// The entry of a report for a decision.
    pub(super) fn change(self, decision: &Decision) -> Change {
        let Self { files, result, .. } = self;
        let values = Values {
            current: decision.current.map(|row| value(files.current, row)),
            base: files.base.zip(decision.base).map(|(file, row)| value(file, row)),
            update: decision.update.map(|row| value(files.update, row)),
        };
        let path = self.path(decision);
        let gone = || values.current.as_ref().or(values.update.as_ref()).map_or(1, |value| value.line);
        let line = match decision.row {
            Row::NoLongerUsed | Row::LeftOut | Row::LeftOutChanged | Row::NotBrought | Row::NotYours => gone(),
            _ => result.row_at(&path).map_or_else(gone, |row| result[row].line),
        };
        let came = match decision.through {
            Some(_) => decision.update.is_some_and(|row| self.plan.is_written_out(row)),
            None => decision.current.and_then(|row| self.plan.taken(row)).is_some(),
        };
        let winner = if came { Winner::Update } else { Winner::User };
        let in_default = decision.update.filter(|_| decision.is_conflict());
        let in_default = in_default.map(|row| answers::path(files.update.1, row));
        let is_switched_off = decision.current.is_some_and(|row| self.switched_off.by_release.contains(&row));
        let stays_off = |row| self.switched_off.by_user.contains(&row);
        let stays_off = decision.current.is_none() && decision.update.is_some_and(stays_off);
        let text = match decision.row {
            Row::KeptDropped if is_switched_off => words_of_switched_off(&values),
            Row::DefaultChanged if self.plan.is_commented_on(decision.current) => words_below_comment(&values),
            row => words(row, winner, &values),
        };
        let text = match decision.answer {
            State::OpenAgain => text + "; your answer was over another new default",
            State::Open | State::Answered => text,
        };
        let text = match decision.update.filter(|_| decision.through.is_some()) {
            Some(row) => format!("{}: {text}", files.update.1[row].name.as_deref().unwrap_or_default()),
            None => text,
        };
        let kind = if stays_off { ChangeKind::CommentedOut } else { kind(decision, winner) };
        let path = path.to_string();
        Change { kind, path, line, text, values: Some(values), in_default }
    }

    fn path(self, decision: &Decision) -> Path {
        match (decision.place(), decision.update) {
            (Some(row), _) => self.path_of_current(row),
            (None, Some(row)) => self.files.update.1.path(row),
            (None, None) => Path::default(),
        }
    }

    fn path_of_current(self, row: RowId) -> Path {
        self.places.get(&row).cloned().unwrap_or_else(|| self.files.current.1.path(row))
    }

    /// The entry for a move that the release may have made. The old key stands beside the new one where that came in.
    pub(super) fn suggestion(self, suggestion: &Suggestion) -> Change {
        let Self { files, result, .. } = self;
        let Suggestion { base, update, current, .. } = *suggestion;
        let values = Values {
            current: Some(value(files.current, current)),
            base: files.base.map(|file| value(file, base)),
            update: Some(value(files.update, update)),
        };
        let new = files.update.1.path(update);
        let old = self.path_of_current(current);
        let both = suggestion.stays && result.row_at(&new).is_some();
        let (kind, outline, row) = match result.row_at(&old).filter(|_| both) {
            Some(row) => (ChangeKind::SideBySide, result, row),
            None => (ChangeKind::MoveSuggested, files.current.1, current),
        };
        let line = outline[row].line;
        Change { kind, path: old.to_string(), line, text: new.to_string(), values: Some(values), in_default: None }
    }
}

/// The same as it is told to programs: by the paths in both defaults.
pub(super) fn moved(suggestion: &Suggestion, files: &Files<'_, '_>) -> Option<Moved> {
    let (_, base) = files.base?;
    let (from, to) = (base.path(suggestion.base).to_string(), files.update.1.path(suggestion.update).to_string());
    Some(Moved { from, to, form: suggestion.form.clone() })
}

/// The refusal of `--on-conflict fail`, with all conflicts; nothing where there is none.
pub(crate) fn conflicts(decisions: &[Decision], files: &Files<'_, '_>, secrets: &Secrets) -> Result<(), Error> {
    let conflicts = decisions.iter().filter(|decision| decision.is_conflict() && !decision.is_answered());
    let conflicts: Vec<_> = conflicts.map(|decision| conflict(decision, files, secrets)).collect();
    let what = match conflicts.len() {
        0 => return Ok(()),
        1 => "a value was changed by you and by the release".to_owned(),
        values => format!("{values} values were changed by you and by the release"),
    };
    let told: Vec<_> = conflicts.iter().map(sides).collect();
    Err(Error::conflict(what)
        .in_file(files.current.0)
        .detail(told.join("\n"))
        .about(conflicts)
        .help("answer with --ask, choose with --on-conflict user or update, or change these values first"))
}

/// What each file has where both sides changed a value, without secrets.
fn conflict(decision: &Decision, files: &Files<'_, '_>, secrets: &Secrets) -> Conflict {
    let path = decision.place().map(|row| files.current.1.path(row)).unwrap_or_default();
    let masked = |value: Value| Value::new(value.file, value.line, secrets.shown(&path, &visible(&value.text)));
    let values = Values {
        current: decision.current.map(|row| masked(value(files.current, row))),
        base: files.base.zip(decision.base).map(|(file, row)| masked(value(file, row))),
        update: decision.update.map(|row| masked(value(files.update, row))),
    };
    let in_default = decision.update.map(|row| answers::path(files.update.1, row)).unwrap_or_default();
    Conflict { path: path.to_string(), values, in_default }
}

/// The same in lines: the path, and below it what each file has.
fn sides(conflict: &Conflict) -> String {
    let Values { current, base, update } = &conflict.values;
    let sides = [current, update, base].into_iter().flatten();
    let sides = sides.map(|Value { file, line, text }| format!("\n   {file}:{line}: {text}"));
    format!(" {}{}", visible(&conflict.path), sides.collect::<String>())
}

fn kind(decision: &Decision, winner: Winner) -> ChangeKind {
    match decision.row {
        Row::BothChanged | Row::BothAdded if decision.is_answered() => match winner {
            Winner::User => ChangeKind::AnsweredMine,
            Winner::Update => ChangeKind::AnsweredTheirs,
        },
        Row::BothChanged | Row::BothAdded if winner == Winner::Update => ChangeKind::ConflictTaken,
        Row::DefaultChanged => ChangeKind::DefaultChanged,
        Row::NoLongerUsed => ChangeKind::NoLongerUsed,
        Row::BothChanged => ChangeKind::BothChanged,
        Row::BothAdded => ChangeKind::BothAdded,
        Row::KeptDropped | Row::Needed => ChangeKind::KeptDropped,
        Row::LeftOut => ChangeKind::LeftOut,
        Row::LeftOutChanged => ChangeKind::LeftOutChanged,
        Row::NotBrought => ChangeKind::NotBrought,
        Row::NotYours => ChangeKind::NotYours,
        Row::Ruled => ChangeKind::Replaced,
    }
}

fn words(row: Row, winner: Winner, values: &Values) -> String {
    let text = |value: &Option<Value>| value.as_ref().map_or_else(String::new, |value| value.text.clone());
    let (current, update) = (text(&values.current), text(&values.update));
    let base = if values.base.is_some() { text(&values.base) } else { current.clone() };
    match row {
        // Long values are shown by what they are, which may be the same.
        Row::DefaultChanged | Row::LeftOutChanged if update == base => format!("{update}   (changed inside)"),
        Row::DefaultChanged | Row::LeftOutChanged => format!("{update}   (was {base})"),
        Row::NoLongerUsed => current,
        Row::Ruled => format!("{update}   (yours was {current})"),
        Row::BothChanged | Row::BothAdded if winner == Winner::Update => format!("{update}   (yours was {current})"),
        Row::BothChanged => format!("{current}   (the new default is {update}, it was {base})"),
        Row::BothAdded => format!("{current}   (the new default is {update})"),
        Row::Needed => format!("{current}   (an alias of yours refers to it)"),
        Row::KeptDropped if current == base => current,
        Row::KeptDropped => format!("{current}   (its default was {base})"),
        Row::LeftOut | Row::NotBrought | Row::NotYours => update,
    }
}

/// What follows the release though the user says something on it: whoever wrote that may want another value.
fn words_below_comment(values: &Values) -> String {
    let words = words(Row::DefaultChanged, Winner::Update, values);
    format!("{}; you have a comment on it)", words.strip_suffix(')').unwrap_or(&words))
}

/// What stays although the release commented it out.
fn words_of_switched_off(values: &Values) -> String {
    let text = |value: &Option<Value>| value.as_ref().map_or_else(String::new, |value| value.text.clone());
    match (text(&values.current), text(&values.base)) {
        (current, base) if current == base => format!("{current}   (its default is commented out now)"),
        (current, base) => format!("{current}   (its default was {base}, and is commented out now)"),
    }
}

fn value((file, outline): File<'_, '_>, row: RowId) -> Value {
    Value::new(file.to_owned(), outline[row].line, shown(outline, row))
}
