//! Where comments stand.

/// What a comment belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The key that it stands above.
    Key,
    /// A key that is commented out in both files, or in the only one that has it.
    Option,
    /// A live key of the user's that the update has commented out.
    LiveOption,
    /// A key that the user has commented out and the update live: the words over it are the user's.
    SwitchedOff,
    /// None: these are the lines of a key that is commented out. In both files they are the update's, whatever the policy.
    OptionText,
    /// The item that it stands above. Here the user's counts: an item is the user's, and often one of many like it.
    Item,
    /// The header of a document, set off by a blank line.
    Header,
    /// The end of a block or of a file.
    End,
    /// The end of a list, which is the user's like its items.
    ListEnd,
}

impl Place {
    /// Whether it is above a key that one of the files has commented out.
    pub(super) fn is_option(self) -> bool {
        matches!(self, Self::Option | Self::LiveOption | Self::SwitchedOff)
    }

    /// Whether it is no comment on the line below it.
    pub(super) fn is_edge(self) -> bool {
        matches!(self, Self::Header | Self::End | Self::ListEnd)
    }
}

/// Whether the old default has what a comment is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InBase {
    Yes,
    No,
}
