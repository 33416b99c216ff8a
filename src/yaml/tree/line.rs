//! The lines that open nothing: blank lines, comments, continuations of values.

use crate::text::piece::Piece;
use crate::text::scan;
use crate::text::source::End;

/// Where a comment or continuation line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Offset {
    /// So many columns right (or left) of what it belongs to.
    Beside(i32),
    /// At the margin, whatever it belongs to: `#  port: 80`, commented out at column 0, does not move along.
    Margin,
    /// At the margin, too, but what is commented out there moves behind the `#` with what it belongs to; only while two
    /// files are merged, see [`Line::align`].
    CommentedOut(BehindHash),
}

/// What is commented out at the margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BehindHash {
    /// The column of what the line belongs to.
    column: i32,
    /// The column at which the key would stand if its `#` were not there; how many blanks are behind that.
    blanks: i32,
}

impl BehindHash {
    pub(crate) fn new(column: i32, blanks: i32) -> Self {
        Self { column, blanks }
    }
}

/// A large file has many lines between its nodes.
const _: () = assert!(size_of::<Line<'_>>() <= 32);

/// A line that opens nothing: blank, a comment, or the continuation of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// Nothing but white space, kept as it is.
    Blank(&'a str, End),
    /// Text from its first character that is not a space.
    Text(Offset, Piece<'a>, End),
}

impl<'a> Line<'a> {
    /// Whether this is a comment; only asked of lines that stand between nodes.
    pub(crate) fn is_comment(&self) -> bool {
        matches!(self, Self::Text(_, text, _) if scan::is_comment(text))
    }

    /// Whether this is no directive, no `...` and no part of a value; only asked of lines that stand between nodes.
    pub(crate) fn is_comment_or_blank(&self) -> bool {
        self.is_comment() || self.trimmed().is_empty()
    }

    /// Whether this is a `...` that ends a document; only asked of lines that stand between nodes.
    pub(crate) fn ends_document(&self) -> bool {
        scan::behind_marker(self.trimmed(), "...").is_some()
    }

    /// The comment or text without the blanks around it; nothing for a blank line.
    pub(crate) fn trimmed(&self) -> &str {
        match self {
            Self::Blank(..) => "",
            Self::Text(_, text, _) => text.trim_ascii(),
        }
    }

    /// Whether this stands right of a column, given as how far that is right of what the line belongs to.
    pub(crate) fn is_right_of(&self, column: i32) -> bool {
        matches!(self, Self::Text(Offset::Beside(at), ..) if *at > column)
    }

    /// Whether this stands right beside what it belongs to.
    fn is_beside(&self) -> bool {
        matches!(self, Self::Text(Offset::Beside(0), ..))
    }

    /// The same line beside something that stands elsewhere.
    pub(crate) fn moved(self, by: i32) -> Self {
        match self {
            Self::Text(Offset::Beside(at), text, end) => Self::Text(Offset::Beside(at + by), text, end),
            Self::Text(Offset::CommentedOut(was), text, end) => {
                let hash = BehindHash::new(was.column - by, was.blanks - by);
                Self::Text(Offset::CommentedOut(hash), text, end)
            }
            other => other,
        }
    }

    /// Lets what is commented out at the margin follow what it belongs to, which stands at this column now. Where that is
    /// not a column at which it may be meant to stand, the blanks behind its `#` follow, but one of them stays.
    pub(crate) fn align(&mut self, column: i32) {
        let Self::Text(offset @ Offset::CommentedOut(_), text, _) = self else { return };
        let Offset::CommentedOut(was) = std::mem::replace(offset, Offset::Margin) else { return };
        let moves = (column - was.blanks).abs() > 1;
        let Some(behind) = text.strip_prefix('#').filter(|_| moves) else { return };
        let inner = behind.trim_start_matches(' ');
        let blanks = behind.len() - inner.len();
        let by = isize::try_from(column - was.column).unwrap_or(0);
        let blanks = blanks.saturating_add_signed(by).max(blanks.min(1));
        *text = format!("#{:blanks$}{inner}", "").into();
    }

    /// The column at which a key stands that is commented out at the margin, if its `#` were not there.
    pub(crate) fn column_behind_hash(&self) -> Option<i32> {
        match self {
            Self::Text(Offset::CommentedOut(behind), ..) => Some(behind.blanks),
            _ => None,
        }
    }

    /// Lets the words of a comment stand so many blanks behind its `#`.
    pub(crate) fn set_blanks_behind_hash(&mut self, blanks: usize) {
        let said = format!("#{:blanks$}{}", "", self.said());
        if let Self::Text(_, text, _) = self
            && text.trim_ascii() != said
        {
            *text = said.into();
        }
    }

    /// Moves what is commented out at the margin to what it belongs to, with its `#`, which takes the place of so many of the
    /// blanks behind it.
    pub(crate) fn indent_with_hash(&mut self, blanks: usize) {
        let Self::Text(offset @ Offset::CommentedOut(_), text, _) = self else { return };
        *offset = Offset::Beside(0);
        let Some(behind) = text.strip_prefix('#') else { return };
        let all = behind.len() - behind.trim_start_matches(' ').len();
        *text = format!("#{}", &behind[blanks.min(all.saturating_sub(1))..]).into();
    }

    /// What stands in column 0 stays there, wherever `column` goes: the end of a file does not move with its root.
    pub(crate) fn at_margin(&mut self, column: i32) {
        if let Self::Text(offset, ..) = self
            && *offset == Offset::Beside(-column)
        {
            *offset = Offset::Margin;
        }
    }

    /// A comment as it stands beside the entries of its block.
    pub(crate) fn beside(self) -> Self {
        match self {
            Self::Text(_, text, end) => Self::Text(Offset::Beside(0), text, end),
            blank @ Self::Blank(..) => blank,
        }
    }

    /// Whether this is a comment that says something.
    pub(crate) fn has_words(&self) -> bool {
        self.is_comment() && scan::has_words(self.trimmed())
    }

    /// Whether this is a comment that says nothing: `#`, `# -----`.
    pub(crate) fn is_ornament(&self) -> bool {
        self.is_comment() && !self.has_words()
    }

    /// What a comment says, however far from its `#`: `#tags: x` says what `# tags: x` does. The trimmed text of a line
    /// without words.
    pub(crate) fn said(&self) -> &str {
        if self.has_words() { behind_hash(self.trimmed()) } else { self.trimmed() }
    }

    /// How many characters stand before what a comment says: its `#`, and the blanks behind that.
    pub(crate) fn before_said(&self) -> usize {
        self.trimmed().len() - self.said().len()
    }

    /// Whether this reads like an item of a list that is commented out.
    pub(crate) fn comments_out_item(&self) -> bool {
        self.is_comment() && self.said().starts_with("- ")
    }

    /// Whether this reads like the first line of a key that is commented out.
    pub(crate) fn comments_out(&self, key: &str) -> bool {
        self.is_comment() && self.said().strip_prefix(key).is_some_and(|behind| behind.starts_with(':'))
    }

    /// The names, of at most so many bytes, of which this reads like the first line of a key that is commented out.
    pub(crate) fn names_commented_out(&self, longest: usize) -> impl Iterator<Item = &str> {
        let said = if self.is_comment() { self.said() } else { "" };
        said.match_indices(':').map(|(at, _)| &said[..at]).take_while(move |name| name.len() <= longest)
    }

    /// What a comment with words says, as long as the source lives.
    pub(crate) fn shared_words(&self) -> Option<Piece<'a>> {
        match self {
            Self::Text(_, text, _) if self.has_words() => Some(match text {
                Piece::Borrowed(text) => Piece::Borrowed(behind_hash(text.trim_ascii())),
                Piece::Owned(text) => Piece::from(behind_hash(text.trim_ascii()).to_owned()),
            }),
            _ => None,
        }
    }

    /// How it ends.
    pub(crate) fn end(&self) -> End {
        let (Self::Blank(_, end) | Self::Text(_, _, end)) = self;
        *end
    }

    /// The same line with the end of another, if that has one.
    pub(crate) fn end_like(&mut self, other: &Self) {
        let (Self::Blank(_, own) | Self::Text(_, _, own)) = self;
        let (Self::Blank(_, end) | Self::Text(_, _, end)) = other;
        if *end != End::Missing {
            *own = *end;
        }
    }

    /// The same line as it comes into another file: its end is that file's.
    pub(crate) fn end_as_common(&mut self) {
        let (Self::Blank(_, end) | Self::Text(_, _, end)) = self;
        *end = End::Common;
    }
}

fn behind_hash(comment: &str) -> &str {
    comment.trim_start_matches('#').trim_ascii_start()
}

/// Lets the lines that end a block follow it, which stood so far right of its key and stands elsewhere now. They stay right of
/// the key, and at the key's column where they stood there. Commented-out items beside the items of a list stay beside them,
/// with what stands between.
pub(crate) fn follow_block(lines: &mut [Line<'_>], [was, is]: [i32; 2]) {
    let (items, behind) = lines.split_at_mut(end_of_items(lines));
    for line in items.iter_mut().filter(|line| !line.is_beside()).chain(behind) {
        if let Line::Text(Offset::Beside(at), ..) = line {
            *at = if *at + was > 0 { (*at).max(1 - is) } else { *at + was - is };
        }
    }
}

/// Behind which line the commented-out items beside those of a list end.
fn end_of_items(lines: &[Line<'_>]) -> usize {
    let is_item = |line: &Line<'_>| line.is_beside() && line.comments_out_item();
    let Some(last) = lines.iter().rposition(is_item) else { return 0 };
    let is_inside = |line: &&Line<'_>| line.has_words() && line.before_said() > lines[last].before_said();
    last + 1 + lines[last + 1..].iter().take_while(is_inside).count()
}
