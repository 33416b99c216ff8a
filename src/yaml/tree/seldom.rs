//! A list that is empty in nearly all nodes: it takes one word there, where a vector takes three.
//!
//! A file has a node for each line or so, so what a node takes is what a file takes.

use std::fmt::{Debug, Formatter, Result};
use std::ops::{Deref, DerefMut};

/// A vector that takes more than one word only where something is in it.
#[derive(Clone)]
#[expect(clippy::box_collection, reason = "the box is what makes it small")]
pub(crate) struct Seldom<T>(Option<Box<Vec<T>>>);

impl<T> Seldom<T> {
    /// Its vector, to be changed. Who only changes what is there needs none.
    pub(crate) fn vec(&mut self) -> &mut Vec<T> {
        self.0.get_or_insert_default()
    }

    /// All that is in it, which is empty then.
    pub(crate) fn take(&mut self) -> Vec<T> {
        std::mem::take(self).into()
    }

    /// Lets a function of vectors change it. Nothing takes room that is empty before and after.
    pub(crate) fn change<U>(&mut self, change: impl FnOnce(&mut Vec<T>) -> U) -> U {
        let mut values = self.take();
        let done = change(&mut values);
        *self = values.into();
        done
    }

    /// Adds values at its end.
    pub(crate) fn append(&mut self, mut values: Vec<T>) {
        match &mut self.0 {
            Some(own) => own.append(&mut values),
            None => *self = values.into(),
        }
    }

    pub(crate) fn push(&mut self, value: T) {
        self.vec().push(value);
    }
}

impl<T> Default for Seldom<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Deref for Seldom<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_ref().map_or(&[], |values| values)
    }
}

impl<T> DerefMut for Seldom<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.0.as_mut().map_or(&mut [], |values| values)
    }
}

impl<T> From<Vec<T>> for Seldom<T> {
    fn from(values: Vec<T>) -> Self {
        Self((!values.is_empty()).then(|| Box::new(values)))
    }
}

impl<T> From<Seldom<T>> for Vec<T> {
    fn from(values: Seldom<T>) -> Self {
        values.0.map_or_else(Self::new, |values| *values)
    }
}

impl<T> Extend<T> for Seldom<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        let mut values = values.into_iter().peekable();
        if values.peek().is_some() {
            self.vec().extend(values);
        }
    }
}

impl<T> FromIterator<T> for Seldom<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Vec::from_iter(values).into()
    }
}

impl<T> IntoIterator for Seldom<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        Vec::from(self).into_iter()
    }
}

impl<'s, T> IntoIterator for &'s Seldom<T> {
    type Item = &'s T;
    type IntoIter = std::slice::Iter<'s, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'s, T> IntoIterator for &'s mut Seldom<T> {
    type Item = &'s mut T;
    type IntoIter = std::slice::IterMut<'s, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T: PartialEq> PartialEq for Seldom<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Debug> Debug for Seldom<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_list().entries(self).finish()
    }
}
