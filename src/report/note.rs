//! What the stages of an upgrade note for the report, before all paths and lines of the result are known.
//!
//! Left out: what the result itself shows, such as the keys that came in. That is read from the result.

use crate::report::prepared::PreparedChange;
use crate::yaml::path::Path;
use crate::yaml::row::RowId;

/// Something that a reader of the report should know besides what was added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) path: Path,
    pub(crate) what: Noted,
}

impl From<&PreparedChange> for Note {
    fn from(told: &PreparedChange) -> Self {
        Self { path: told.path.clone(), what: Noted::Prepared(told.clone()) }
    }
}

/// What is noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Noted {
    /// A key arrived inside of a flow map; block keys are seen in the merged tree.
    AddedInFlow(String),
    /// Keys of the update cannot be said in the style that the user's map has.
    NotInFlow,
    /// The update has another kind of value here.
    KindDiffers { update: &'static str },
    /// Comment lines of the user gave way; the line of the first in the current file, or of its node where that is not known.
    CommentReplaced { line: usize, comment: Vec<String> },
    /// Comment lines of the user that the update has at another place, where they stand now; the line likewise.
    CommentMoved { line: usize, comment: Vec<String> },
    /// An item was left alone although the update has so many candidates.
    ItemLeft { candidates: usize },
    /// What was done so that an alias keeps its meaning.
    AliasRepaired(Repair),
    /// What was done before the merge.
    Prepared(PreparedChange),
    /// A key of the update, by its row, is commented out in the current file and stays so.
    CommentedOut { update: RowId },
}

/// What was done so that aliases keep their meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Repair {
    /// This anchor was put before a value of the user's.
    Put(String),
    /// A definition has another name than in its file.
    Renamed { from: String, to: String },
    /// An alias has another name than in its file, for that is the name of its anchor here.
    Called { from: String, to: String },
    /// The value of this anchor stands here, where it is used first.
    Written(String),
    /// A key stands before this one, which refers to it, and not where the update has it.
    Before(String),
    /// A key stands behind this one, which it refers to.
    Behind(String),
}

impl Noted {
    /// The first of the comment lines that it tells of.
    pub(crate) fn comment(&self) -> Option<&String> {
        match self {
            Self::CommentReplaced { comment, .. } | Self::CommentMoved { comment, .. } => comment.first(),
            _ => None,
        }
    }
}
