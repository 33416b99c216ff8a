//! The two readings of a system's rules: what its document says, and what it does where that is something else.
//!
//! A user who asks for the second gets what the system makes of the same files today, its mistakes included.

use crate::yaml::reference::Duplicates;

/// Which reading of its rules a system is held to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Reading {
    /// What its document says.
    #[default]
    Documented,
    /// What it does as it is shipped.
    Shipped,
}

impl Reading {
    pub(crate) fn is_documented(self) -> bool {
        self == Self::Documented
    }

    pub(crate) fn is_shipped(self) -> bool {
        self == Self::Shipped
    }

    /// What is made of a key that appears twice: no document allows one, and all systems let the last one count.
    pub(crate) fn duplicates(self) -> Duplicates {
        match self {
            Self::Documented => Duplicates::Refused,
            Self::Shipped => Duplicates::LastCounts,
        }
    }
}
