//! A piece of a file, or a text of its own.
//!
//! Nearly every text in a tree or an outline is a piece of the file it was read from, and there are several for each line.
//! So a piece takes two words, where a `Cow` takes three; what is seldom, a text of its own, is in a box.

use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt::{Debug, Display, Formatter, Result};
use std::hash::{Hash, Hasher};
use std::ops::Deref;

/// A text that is borrowed where that is possible.
#[derive(Clone)]
#[expect(clippy::box_collection, reason = "the box is what makes it small")]
pub(crate) enum Piece<'a> {
    Borrowed(&'a str),
    Owned(Box<String>),
}

const _: () = assert!(size_of::<Piece<'_>>() == size_of::<&str>());

impl Piece<'_> {
    /// The same as a part of it, as long as the file lives where this does.
    pub(crate) fn part(&self, part: &str) -> Self {
        let found = match *self {
            Self::Borrowed(text) => text.find(part).map(|at| &text[at..at + part.len()]),
            Self::Owned(_) => None,
        };
        found.map_or_else(|| Self::from(part.to_owned()), Self::Borrowed)
    }

    pub(crate) fn into_owned(self) -> String {
        match self {
            Self::Borrowed(text) => text.to_owned(),
            Self::Owned(text) => *text,
        }
    }

    /// The same as a text of its own, to be changed.
    pub(crate) fn to_mut(&mut self) -> &mut String {
        match *self {
            Self::Borrowed(text) => {
                *self = text.to_owned().into();
                self.to_mut()
            }
            Self::Owned(ref mut text) => text,
        }
    }
}

impl Default for Piece<'_> {
    fn default() -> Self {
        Self::Borrowed("")
    }
}

impl Deref for Piece<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Owned(text) => text,
        }
    }
}

impl AsRef<str> for Piece<'_> {
    fn as_ref(&self) -> &str {
        self
    }
}

impl Borrow<str> for Piece<'_> {
    fn borrow(&self) -> &str {
        self
    }
}

impl<'a> From<&'a str> for Piece<'a> {
    fn from(text: &'a str) -> Self {
        Self::Borrowed(text)
    }
}

impl From<String> for Piece<'_> {
    fn from(text: String) -> Self {
        Self::Owned(Box::new(text))
    }
}

impl<'a> From<Cow<'a, str>> for Piece<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        match text {
            Cow::Borrowed(text) => Self::Borrowed(text),
            Cow::Owned(text) => text.into(),
        }
    }
}

impl<T: AsRef<str> + ?Sized> PartialEq<T> for Piece<'_> {
    fn eq(&self, other: &T) -> bool {
        **self == *other.as_ref()
    }
}

impl Eq for Piece<'_> {}

impl PartialOrd for Piece<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Piece<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(other)
    }
}

/// As the text itself, by which it is looked up.
impl Hash for Piece<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl Debug for Piece<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Debug::fmt(&**self, f)
    }
}

impl Display for Piece<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        Display::fmt(&**self, f)
    }
}
