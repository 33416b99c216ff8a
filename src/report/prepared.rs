//! What is told of a preparation.

use foldhash::{HashMap, HashSet};

use crate::report::ChangeKind;
use crate::yaml::path::Path;
use crate::yaml::pattern::Pattern;

/// Something that happened to a value before the merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PreparedChange {
    /// Where it is in the prepared text; where it was, of what is gone.
    pub(crate) path: Path,
    /// Its line in the user's file.
    pub(crate) line: usize,
    pub(crate) what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    Moved {
        from: Path,
    },
    Converted {
        before: String,
        after: String,
    },
    /// It stays in the form that it has.
    NotConverted {
        why: String,
    },
    Removed {
        text: String,
    },
    /// The new path has a value already, which stays; this one was at `from`.
    BothSet {
        from: Path,
        text: String,
    },
    NotMoved {
        to: Pattern,
        why: String,
    },
}

impl PreparedChange {
    /// Whether it is still to be told after other moves; then it names the new path.
    pub(crate) fn follow(&mut self, moved: &HashMap<Path, Path>, gone: &HashSet<Path>) -> bool {
        if !matches!(self.what, What::Moved { .. } | What::Converted { .. } | What::NotConverted { .. }) {
            return true;
        }
        let mut above = (0..=self.path.0.len()).rev().map(|length| Path(self.path.0[..length].to_vec()));
        let Some((old, new)) = above.clone().find_map(|path| moved.get_key_value(&path)) else {
            return !above.any(|path| gone.contains(&path));
        };
        self.path.0 = [&new.0[..], &self.path.0[old.0.len()..]].concat();
        true
    }

    /// What the report calls this.
    pub(crate) fn kind(&self) -> ChangeKind {
        match self.what {
            What::Moved { .. } => ChangeKind::Moved,
            What::Converted { .. } => ChangeKind::Converted,
            What::NotConverted { .. } => ChangeKind::NotConverted,
            What::Removed { .. } => ChangeKind::Removed,
            What::BothSet { .. } => ChangeKind::BothSet,
            What::NotMoved { .. } => ChangeKind::NotMoved,
        }
    }

    /// The path that the report names: where it is, or where it was.
    pub(crate) fn shown(&self) -> &Path {
        match &self.what {
            What::BothSet { from, .. } => from,
            _ => &self.path,
        }
    }

    /// Whether the report tells the line of the user's file, for in the result there is none.
    pub(crate) fn is_gone(&self) -> bool {
        matches!(self.what, What::Removed { .. } | What::BothSet { .. })
    }

    /// Whether what the user has is at odds with where it should go.
    pub(crate) fn is_conflict(&self) -> bool {
        matches!(self.what, What::BothSet { .. } | What::NotMoved { .. })
    }

    /// What the report says behind the path.
    pub(crate) fn text(&self) -> String {
        match &self.what {
            What::Moved { from } => from.to_string(),
            What::Converted { before, after } => format!("{before} -> {after}"),
            What::NotConverted { why } => why.clone(),
            What::Removed { text } => text.clone(),
            What::BothSet { text, .. } => format!("{text} (the value at {} stays)", self.path),
            What::NotMoved { to, why } => format!("to {to}: {why}"),
        }
    }
}
