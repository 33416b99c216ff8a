//! What an upgrade did, as data and as text.
//!
//! The report is all that an operator sees of a run, so it names every difference and nothing else; the verification
//! holds it to that.
//!
//! Inside: the entries as data, here; their words ([`text`]); the values that nobody may see ([`secrets`]).
//!
//! Promised: each entry has a path and a line that can be found, and no secret is shown.
//!
//! Left out: where the entries come from ([`changes`](crate::upgrade::changes)), and how they are printed
//! ([`cli`](crate::cli)).

pub(crate) mod explanation;
pub(crate) mod note;
pub(crate) mod outline;
pub(crate) mod prepared;
pub(crate) mod secrets;
pub(crate) mod shown;
mod text;

use std::fmt;

use serde::Serialize;

use crate::text::error::visible;

/// What happened at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ChangeKind {
    /// Taken out on request; the line is that of the current file.
    Removed,
    /// Was at another path; the text is that path.
    Moved,
    /// Has a new form, by the migration file.
    Converted,
    /// Stays in its form, for it is not in the old one.
    NotConverted,
    /// Was set at its old and its new path, and differently: the value at the new one stays. The line is that of the old
    /// one in the current file.
    BothSet,
    /// Stays at its old path, for it cannot stand at its new one.
    NotMoved,
    /// Came in from the update.
    Added,
    /// The user never touched it, and the release changed its default: it is the new one.
    DefaultChanged,
    /// A rule for this list says that it is the update's; the user's is gone.
    Replaced,
    /// The user never touched it, and the release dropped it: it is gone. The line is that of the current file.
    NoLongerUsed,
    /// The user never touched it, and the release commented it out: so it is. The line is that of the comment.
    NowCommentedOut,
    /// The user removed it, and it stays away. The line is that of the update.
    LeftOut,
    /// The same, where the release changed its default.
    LeftOutChanged,
    /// Commented out in the current file, and so not brought in. The line is that of the update.
    CommentedOut,
    /// New, and left out as nothing new was to come in. The line is that of the update.
    NotBrought,
    /// In a map or list that a migration file says is the user's alone, and so not brought in. The line is that of the
    /// update.
    NotYours,
    /// The release dropped it, and the user had changed it: it stays.
    KeptDropped,
    /// Both the user and the release changed it; the user's value stayed.
    BothChanged,
    /// Both the user and the release added it, with different values; the user's stayed.
    BothAdded,
    /// Both changed or added it, and the update's value came in, as was asked for.
    ConflictTaken,
    /// The release may have moved this key: `text` is its path in the update. Nothing was moved; `--move` does it.
    MoveSuggested,
    /// The same, where the old key stays and the new one came in: some programs refuse to start with both.
    SideBySide,
    /// Keys of the update that were left out, for they cannot be said in the style of the user's map.
    NotAdded,
    /// The update has another kind of value here; the user's stayed.
    KindDiffers,
    /// A commented-out key that came in from the update, with all that is below it.
    AddedCommentedOut,
    /// Comment lines of the user that gave way to the update's; the line is that of the key in the current file.
    CommentReplaced,
    /// Comment lines of the user that the update has at another place, where they stand now; the line is likewise.
    CommentMoved,
    /// An anchor, an alias or the order of keys that had to differ from both files, so that every alias means what it meant.
    Alias,
    /// A list item that gained nothing although the update has items like it.
    ItemLeftAlone,
    /// A key that the new default does not know, and that may be the user's own, misspelt, or no longer used; told without an
    /// old default.
    OnlyYours,
    /// All lines of the file end in another way, as those of the update: the user's ended as those of the base.
    LineEnds,
}

impl ChangeKind {
    const ALL: [Self; 31] = [
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

    fn title(self) -> &'static str {
        match self {
            Self::Removed => "Removed from old file:",
            Self::Moved => "Moved:",
            Self::Converted => "Converted:",
            Self::NotConverted => "Not converted, it is not in the old form:",
            Self::BothSet => "Set at the old path and at the new one, which stays (lines of the old file):",
            Self::NotMoved => "Not moved:",
            Self::Added => "Added from new file:",
            Self::DefaultChanged => "Default changed, and you had not touched it:",
            Self::Replaced => "Replaced by the new default, as the rule for this list says:",
            Self::NoLongerUsed => "No longer used, and you had not touched it (lines of the old file):",
            Self::NowCommentedOut => "Commented out by the release, and you had not touched it:",
            Self::LeftOut => "Left out, as you did (lines of the new file):",
            Self::LeftOutChanged => "Left out, as you did, though its default changed (lines of the new file):",
            Self::CommentedOut => "Commented out in your file, and left so (lines of the new file):",
            Self::NotBrought => "New, but not brought in:",
            Self::NotYours => "Not brought in, for all there is yours (lines of the new file):",
            Self::KeptDropped => "Kept, although the release dropped it:",
            Self::BothChanged => "Conflicts, changed by you and by the release; yours stays:",
            Self::BothAdded => "Conflicts, added by you and by the release; yours stays:",
            Self::ConflictTaken => "Conflicts, changed by you and by the release; the new default came in:",
            Self::MoveSuggested => "Perhaps moved, which you can say with --move OLD=NEW (lines of the old file):",
            Self::SideBySide => {
                "OLD AND NEW KEY STAND SIDE BY SIDE, perhaps moved: check that your program takes both:"
            }
            Self::NotAdded => "Not added, new keys that cannot be said in the style of your map:",
            Self::KindDiffers => "Of another kind in the new file, yours stays:",
            Self::AddedCommentedOut => "New, commented out:",
            Self::CommentReplaced => "Comments of yours replaced by new ones (lines of the old file):",
            Self::CommentMoved => "Comments that stand elsewhere now, as in the new file (lines of the old file):",
            Self::Alias => "Anchors and order, so that every alias means what it meant:",
            Self::OnlyYours => "Only in your file: your own, misspelt, or no longer used:",
            Self::LineEnds => "Ends of all lines, as in the new file:",
            Self::ItemLeftAlone => "List items left alone, it is unclear which of the new file they are:",
        }
    }

    /// How many entries the text has. A default may hold hundreds of keys that do nothing.
    fn most(self) -> usize {
        if matches!(self, Self::AddedCommentedOut | Self::CommentMoved | Self::OnlyYours) { 20 } else { usize::MAX }
    }

    /// Whether the text has one line for all of them: what a sparse file leaves to the default may be most of that.
    fn is_counted(self) -> bool {
        self == Self::NotBrought
    }

    /// Whether this is a difference between the old and the new content, and not just a remark.
    fn is_difference(self) -> bool {
        matches!(
            self,
            Self::Removed
                | Self::Moved
                | Self::Converted
                | Self::BothSet
                | Self::Added
                | Self::DefaultChanged
                | Self::Replaced
                | Self::NoLongerUsed
                | Self::NowCommentedOut
                | Self::AddedCommentedOut
                | Self::CommentReplaced
                | Self::CommentMoved
        )
    }
}

/// One entry of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// Where, in the form that the tool reads again; empty for the file itself.
    pub path: String,
    /// The line, from 1: in the result, or in the current file for what is gone.
    pub line: usize,
    /// The first line of the value, the lines of the comment, or what the update has instead.
    pub text: String,
    /// The values that were compared, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Values>,
}

/// What the files have at a path; nothing where a file has nothing there or was not asked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Values {
    /// In the current file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<Value>,
    /// In the old default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<Value>,
    /// In the update.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update: Option<Value>,
}

/// A value of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Value {
    /// The name of the file.
    pub file: String,
    /// Its line there, from 1.
    pub line: usize,
    /// The value on one line, shortened where it is long.
    pub text: String,
}

impl Change {
    /// The path as it is shown; the file itself has none.
    fn place(&self) -> String {
        if self.path.is_empty() { "(file)".to_owned() } else { visible(&self.path) }
    }
}

/// How big a file is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Size {
    /// Its name, as given.
    pub name: String,
    /// Bytes.
    pub bytes: usize,
    /// Lines, the last one counted also where it has no end.
    pub lines: usize,
}

impl Size {
    pub(crate) fn of(name: &str, text: &str) -> Self {
        let bytes = text.as_bytes();
        let returns = memchr::memchr_iter(b'\r', bytes).filter(|at| bytes.get(at + 1) != Some(&b'\n')).count();
        let ended = memchr::memchr_iter(b'\n', bytes).count() + returns;
        let lines = ended + usize::from(!text.is_empty() && !text.ends_with(['\n', '\r']));
        Self { name: name.to_owned(), bytes: text.len(), lines }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = if self.lines == 1 { "" } else { "s" };
        write!(f, "{} bytes, {} line{s}", self.bytes, self.lines)
    }
}

/// A move that the release may have made, found by what reappears in the new default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Moved {
    /// The path in the old default.
    pub from: String,
    /// The path in the new one.
    pub to: String,
    /// What became of the text of the value: `{}ms` puts a unit behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
}

/// A variable of the update and what was written for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Applied {
    /// Its name.
    pub name: String,
    /// The text that it stands for.
    pub value: String,
}

/// What an upgrade did and what it saw.
///
/// ```
/// let upgrade = yamlift::upgrade("a: 1\n", "a: 2\nb: 3\n", &yamlift::Options::default())?;
/// let added = &upgrade.report().changes()[0];
/// assert_eq!((added.path.as_str(), added.line, added.text.as_str()), ("b", 2, "b: 3"));
/// # Ok::<(), yamlift::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    pub(crate) configuration: Option<Size>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) base: Option<Size>,
    pub(crate) update: Size,
    pub(crate) result: Size,
    pub(crate) changed: bool,
    pub(crate) changes: Vec<Change>,
    /// How many of the warnings, from the first on, are told before anything else.
    #[serde(skip)]
    pub(crate) alarms: usize,
    pub(crate) variables: Vec<Applied>,
    pub(crate) warnings: Vec<String>,
    pub(crate) notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) suggestions: Vec<Moved>,
}

impl Report {
    /// Everything that was changed or left alone for a reason, in the order of the file.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Whether the result differs from the current file at all.
    #[must_use]
    pub fn changed(&self) -> bool {
        self.changed
    }

    /// What deserves attention: files that are not what they are taken for, paths that name nothing, variables without a
    /// value.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Moves that the release may have made. None of them was made.
    #[must_use]
    pub fn suggestions(&self) -> &[Moved] {
        &self.suggestions
    }

    /// What the release says about the steps of its migration file that applied.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The variables of the update that were given a value.
    #[must_use]
    pub fn variables(&self) -> &[Applied] {
        &self.variables
    }

    /// The warnings that are told before anything else.
    pub(crate) fn alarms(&self) -> &[String] {
        self.warnings.get(..self.alarms).unwrap_or_default()
    }

    /// Adds a warning that is told before anything else.
    pub(crate) fn alarm(&mut self, what: String) {
        self.warnings.insert(self.alarms.min(self.warnings.len()), what);
        self.alarms += 1;
    }
}
