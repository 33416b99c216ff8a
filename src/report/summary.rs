//! A report in numbers: what a reader of a long one wants to know last, and a program first.

use std::fmt;

use serde::Serialize;

use super::{ChangeKind, Report};

/// How many entries of each sort a report has.
///
/// ```
/// let upgrade = yamlift::upgrade("a: 1\n", "a: 2\nb: 3\n", &yamlift::Options::default())?;
/// assert_eq!(upgrade.report().summary().to_string(), "1 added");
/// # Ok::<(), yamlift::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// Keys and items that came in, those in new sections not counted.
    pub added: usize,
    /// Commented-out keys that came in by themselves.
    pub added_commented_out: usize,
    /// Values that were the old default and are the new one.
    pub defaults_changed: usize,
    /// Keys that the user had not touched, and that the release dropped or commented out.
    pub dropped: usize,
    /// Values that were removed because the caller or the migration file said so.
    pub removed: usize,
    /// Values that were moved for the same reason.
    pub moved: usize,
    /// Values that have a new form for the same reason.
    pub converted: usize,
    /// Keys of the new default that stay away, because the user removed them or wants nothing new.
    pub left_out: usize,
    /// Keys of the user's that the release dropped, and that stay.
    pub kept: usize,
    /// Comments of the user's that gave way to new ones.
    pub comments_replaced: usize,
    /// Values that the user and the release set differently, whichever of them stands now.
    pub conflicts: usize,
    /// Conflicts that an answer has decided.
    pub answered: usize,
    /// Keys that the new default does not know; told without an old default.
    pub only_yours: usize,
    /// What somebody should look at besides conflicts: moves that the release may have made, items and keys that could not be
    /// paired or added, and warnings.
    pub to_check: usize,
}

impl Summary {
    pub(crate) fn of(report: &Report) -> Self {
        let mut summary = Self { to_check: report.warnings().len(), ..Self::default() };
        for change in report.changes() {
            if let Some(count) = summary.count(change.kind) {
                *count += 1;
            }
        }
        summary
    }

    /// The number that entries of a kind count for, if they count.
    fn count(&mut self, kind: ChangeKind) -> Option<&mut usize> {
        use ChangeKind as Kind;
        Some(match kind {
            Kind::Added => &mut self.added,
            Kind::AddedCommentedOut => &mut self.added_commented_out,
            Kind::DefaultChanged | Kind::Replaced => &mut self.defaults_changed,
            Kind::NoLongerUsed | Kind::NowCommentedOut => &mut self.dropped,
            Kind::Removed => &mut self.removed,
            Kind::Moved => &mut self.moved,
            Kind::Converted => &mut self.converted,
            Kind::LeftOut | Kind::LeftOutChanged | Kind::CommentedOut | Kind::NotBrought | Kind::NotYours => {
                &mut self.left_out
            }
            Kind::KeptDropped => &mut self.kept,
            Kind::CommentReplaced => &mut self.comments_replaced,
            Kind::BothChanged | Kind::BothAdded | Kind::ConflictTaken | Kind::BothSet => &mut self.conflicts,
            Kind::AnsweredMine | Kind::AnsweredTheirs => &mut self.answered,
            Kind::OnlyYours => &mut self.only_yours,
            kind if kind.needs_a_look() => &mut self.to_check,
            _ => return None,
        })
    }
}

impl Summary {
    /// The numbers that are not zero, each with what it counts.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (usize, &'static str)> {
        let counts = [
            (self.added, "added", "added"),
            (self.added_commented_out, "commented-out key added", "commented-out keys added"),
            (self.defaults_changed, "default changed", "defaults changed"),
            (self.dropped, "dropped", "dropped"),
            (self.removed, "removed", "removed"),
            (self.moved, "moved", "moved"),
            (self.converted, "converted", "converted"),
            (self.left_out, "left out", "left out"),
            (self.kept, "kept though dropped", "kept though dropped"),
            (self.comments_replaced, "comment of yours replaced or gone", "comments of yours replaced or gone"),
            (self.only_yours, "only in your file", "only in your file"),
            (self.conflicts, "conflict", "conflicts"),
            (self.answered, "conflict answered", "conflicts answered"),
            (self.to_check, "to check", "to check"),
        ];
        let counts = counts.into_iter().filter(|(count, ..)| *count > 0);
        counts.map(|(count, one, several)| (count, if count == 1 { one } else { several }))
    }
}

impl fmt::Display for Summary {
    /// The numbers that are not zero, on one line; nothing where all are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = "";
        for (count, what) in self.counts() {
            write!(f, "{before}{count} {what}")?;
            before = ", ";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_counted() {
        let is_uncounted = |kind: &ChangeKind| kind.is_difference() && Summary::default().count(*kind).is_none();
        assert_eq!(ChangeKind::ALL.into_iter().find(is_uncounted), None);
    }
}
