//! How a value is written, shared by all copies of it.
//!
//! Layers that inherit from each other hold most values many times, and hardly ever change how one is written. So a copy
//! shares the writing, and has its own from its first change on.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use crate::yaml::tree::Node;

/// The writing of a value, without what stands inside of it.
#[derive(Debug, Clone)]
pub(super) struct Shell<'a>(Arc<Node<'a>>);

impl<'a> From<Node<'a>> for Shell<'a> {
    fn from(node: Node<'a>) -> Self {
        Self(Arc::new(node))
    }
}

impl<'a> Deref for Shell<'a> {
    type Target = Node<'a>;

    fn deref(&self) -> &Node<'a> {
        &self.0
    }
}

impl DerefMut for Shell<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        Arc::make_mut(&mut self.0)
    }
}
