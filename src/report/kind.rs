//! What an entry of a report tells: its kind, and the words and rules that go with it.

use serde::Serialize;

/// What happened at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ChangeKind {
    /// Taken out on request; the line is that of the user's file as it was.
    Removed,
    /// Was at another path; the text is that path.
    Moved,
    /// Has a new form, by the migration file.
    Converted,
    /// Stays in its form, for it is not in the old one.
    NotConverted,
    /// Was set at its old and its new path, and differently: the value at the new one stays. The line is that of the old
    /// one in the user's file as it was.
    BothSet,
    /// Stays at its old path, for it cannot stand at its new one.
    NotMoved,
    /// Came in from the new default.
    Added,
    /// The user never touched it, and the release changed its default: it is the new one.
    DefaultChanged,
    /// A rule for this list says that it is the new default's; the user's is gone.
    Replaced,
    /// The user never touched it, and the release dropped it: it is gone. The line is that of the user's file as it was.
    NoLongerUsed,
    /// The user never touched it, and the release commented it out: so it is. The line is that of the comment.
    NowCommentedOut,
    /// The user removed it, and it stays away. The line is that of the new default.
    LeftOut,
    /// The same, where the release changed its default.
    LeftOutChanged,
    /// Commented out in the user's file, and so not brought in. The line is that of the new default.
    CommentedOut,
    /// New, and left out as nothing new was to come in. The line is that of the new default.
    NotBrought,
    /// In a map or list that a migration file says is the user's alone, and so not brought in. The line is that of the
    /// new default.
    NotYours,
    /// The release dropped it, and the user had changed it: it stays.
    KeptDropped,
    /// Both the user and the release changed it; the user's value stayed.
    BothChanged,
    /// Both the user and the release added it, with different values; the user's stayed.
    BothAdded,
    /// Both changed or added it, and the new default's value came in, as was asked for.
    ConflictTaken,
    /// Both changed or added it, and an answer says that the user's value, or another one, is to stand there.
    AnsweredMine,
    /// Both changed or added it, and an answer took the new default's value.
    AnsweredTheirs,
    /// The release may have moved this key: `text` is its path in the new default. Nothing was moved; `--move` does it.
    MoveSuggested,
    /// The same, where the old key stays and the new one came in: some programs refuse to start with both.
    SideBySide,
    /// Keys of the new default that were left out, for they cannot be said in the style of the user's map.
    NotAdded,
    /// The new default has another kind of value here; the user's stayed.
    KindDiffers,
    /// A commented-out key that came in from the new default, with all that is below it.
    AddedCommentedOut,
    /// Comment lines of the user that gave way to the new default's; the line is that of the first in the user's file as it was.
    CommentReplaced,
    /// Comment lines of the user that the new default has at another place, where they stand now; the line is likewise.
    CommentMoved,
    /// An anchor, an alias or the order of keys that had to differ from both files, so that every alias means what it meant.
    Alias,
    /// A list item that gained nothing although the new default has items like it.
    ItemLeftAlone,
    /// A key that the new default does not know, and that may be the user's own, misspelt, or no longer used; told without an
    /// old default.
    OnlyYours,
    /// All lines of the file end in another way, as those of the new default: the user's ended as those of the old default.
    LineEnds,
}

impl ChangeKind {
    pub(super) const ALL: [Self; 33] = [
        Self::Removed,
        Self::Moved,
        Self::Converted,
        Self::NotConverted,
        Self::BothSet,
        Self::NotMoved,
        Self::Added,
        Self::DefaultChanged,
        Self::Replaced,
        Self::NoLongerUsed,
        Self::NowCommentedOut,
        Self::LeftOut,
        Self::LeftOutChanged,
        Self::CommentedOut,
        Self::NotBrought,
        Self::NotYours,
        Self::KeptDropped,
        Self::BothChanged,
        Self::BothAdded,
        Self::ConflictTaken,
        Self::AnsweredMine,
        Self::AnsweredTheirs,
        Self::MoveSuggested,
        Self::SideBySide,
        Self::NotAdded,
        Self::KindDiffers,
        Self::AddedCommentedOut,
        Self::CommentReplaced,
        Self::CommentMoved,
        Self::Alias,
        Self::ItemLeftAlone,
        Self::OnlyYours,
        Self::LineEnds,
    ];

    /// What its entries have in common, in words for people.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Removed => "Removed from your file, as asked",
            Self::Moved => "Moved",
            Self::Converted => "Converted",
            Self::NotConverted => "Not converted, it is not in the old form",
            Self::BothSet => "Set at the old path and at the new one, which stays",
            Self::NotMoved => "Not moved",
            Self::Added => "Added from the new default",
            Self::DefaultChanged => "Default changed, and you had not touched it",
            Self::Replaced => "Replaced by the new default, as the rule for this list says",
            Self::NoLongerUsed => "No longer used, and you had not touched it",
            Self::NowCommentedOut => "Commented out by the release, and you had not touched it",
            Self::LeftOut => "Not brought back, for you had removed it",
            Self::LeftOutChanged => "Not in your file, and left out, though its default changed",
            Self::CommentedOut => "Commented out in your file, and left so",
            Self::NotBrought => "New, but not brought in",
            Self::NotYours => "Not brought in, for all there is yours",
            Self::KeptDropped => "Kept, although the release dropped it",
            Self::BothChanged => "Conflicts, changed by you and by the release; yours stays",
            Self::BothAdded => "Conflicts, added by you and by the release; yours stays",
            Self::ConflictTaken => "Conflicts, changed by you and by the release; the new default came in",
            Self::AnsweredMine => "Conflicts, answered by you; yours stays",
            Self::AnsweredTheirs => "Conflicts, answered by you; the new default came in",
            Self::MoveSuggested => "Perhaps moved, which you can say with --move OLD=NEW",
            Self::SideBySide => "OLD AND NEW KEY STAND SIDE BY SIDE, perhaps moved: check that your program takes both",
            Self::NotAdded => "Not added, new keys that cannot be said in the style of your map",
            Self::KindDiffers => "Of another kind in the new default, yours stays",
            Self::AddedCommentedOut => "New, commented out",
            Self::CommentReplaced => "Comments of yours replaced or gone",
            Self::CommentMoved => "Comments that stand elsewhere now, as in the new default",
            Self::Alias => "Anchors and order, so that every alias means what it meant",
            Self::OnlyYours => "Only in your file: your own, misspelt, or no longer used",
            Self::LineEnds => "Ends of all lines, as in the new default",
            Self::ItemLeftAlone => "List items left alone, it is unclear which of the new default they are",
        }
    }

    /// The rule of `docs/rules.md` by which it happened.
    pub(crate) fn rule(self) -> &'static str {
        match self {
            Self::KindDiffers | Self::OnlyYours => "1",
            Self::Added | Self::NotAdded => "2",
            Self::AddedCommentedOut | Self::CommentedOut | Self::NowCommentedOut => "3a",
            Self::CommentReplaced | Self::CommentMoved => "4",
            Self::LineEnds => "5",
            Self::Replaced | Self::NotYours | Self::ItemLeftAlone => "6",
            Self::Removed => "7",
            Self::Alias => "9",
            Self::DefaultChanged
            | Self::NoLongerUsed
            | Self::LeftOut
            | Self::LeftOutChanged
            | Self::NotBrought
            | Self::KeptDropped
            | Self::BothChanged
            | Self::BothAdded
            | Self::ConflictTaken
            | Self::AnsweredMine
            | Self::AnsweredTheirs => "10",
            Self::Moved
            | Self::Converted
            | Self::NotConverted
            | Self::BothSet
            | Self::NotMoved
            | Self::MoveSuggested
            | Self::SideBySide => "11",
        }
    }

    /// Whose lines its entries tell, where they are not those of the result.
    fn lines(self) -> &'static str {
        match self {
            kind if kind.is_of_current() => " (lines of your file as it was)",
            kind if kind.is_of_update() => " (lines of the new default)",
            _ => "",
        }
    }

    /// The title of its section.
    pub(super) fn heading(self) -> String {
        format!("{}{}:", self.title(), self.lines())
    }

    /// How many entries the text has. A default may hold hundreds of keys that do nothing, and a user may have removed as many.
    pub(super) fn most(self) -> usize {
        match self {
            Self::AddedCommentedOut | Self::CommentMoved | Self::OnlyYours | Self::LeftOut => 20,
            _ => usize::MAX,
        }
    }

    /// Whether the text has one line for all of them: what a sparse file leaves to the default may be most of that.
    pub(super) fn is_counted(self) -> bool {
        self == Self::NotBrought
    }

    /// Whether somebody should look at it: values that are at odds, and what could not be done or decided.
    pub(crate) fn needs_a_look(self) -> bool {
        matches!(
            self,
            Self::BothChanged
                | Self::BothAdded
                | Self::ConflictTaken
                | Self::BothSet
                | Self::NotConverted
                | Self::NotMoved
                | Self::MoveSuggested
                | Self::SideBySide
                | Self::NotAdded
                | Self::KindDiffers
                | Self::ItemLeftAlone
                | Self::OnlyYours
        )
    }

    /// Whether its text is comments, whose words may stand nowhere else.
    pub(super) fn is_of_comments(self) -> bool {
        matches!(self, Self::CommentReplaced | Self::CommentMoved)
    }

    /// Whether its line is one of the new default.
    pub(crate) fn is_of_update(self) -> bool {
        matches!(self, Self::LeftOut | Self::LeftOutChanged | Self::CommentedOut | Self::NotBrought | Self::NotYours)
    }

    /// Whether its line is one of the user's file as it was.
    pub(crate) fn is_of_current(self) -> bool {
        matches!(
            self,
            Self::Removed
                | Self::BothSet
                | Self::NoLongerUsed
                | Self::MoveSuggested
                | Self::CommentReplaced
                | Self::CommentMoved
        )
    }

    /// Whether changes of values, where they are shown, say all that these entries say; where comments stand is layout.
    pub(crate) fn is_of_values(self) -> bool {
        matches!(
            self,
            Self::Removed
                | Self::Moved
                | Self::Converted
                | Self::Added
                | Self::DefaultChanged
                | Self::Replaced
                | Self::NoLongerUsed
                | Self::AnsweredTheirs
                | Self::CommentMoved
        )
    }

    /// Whether this is a difference between the old and the new content, and not just a remark or a comment that moved.
    pub(super) fn is_difference(self) -> bool {
        matches!(
            self,
            Self::Removed
                | Self::Moved
                | Self::Converted
                | Self::BothSet
                | Self::Added
                | Self::DefaultChanged
                | Self::Replaced
                | Self::AnsweredTheirs
                | Self::NoLongerUsed
                | Self::NowCommentedOut
                | Self::AddedCommentedOut
                | Self::CommentReplaced
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_names_a_rule_that_is_there() {
        let rules = include_str!("../../docs/rules.md");
        let missing = ChangeKind::ALL.into_iter().find(|kind| !rules.contains(&format!("## Rule {}: ", kind.rule())));
        assert_eq!(missing, None);
    }
}
