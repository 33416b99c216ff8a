//! The documents of a set as trees of inheritance.

use std::collections::BTreeMap;

use termtree::Tree;

use super::Set;
use crate::text::error::visible;

impl Set<'_> {
    /// Who inherits from whom, a tree for each document without a parent, by schema.
    pub(crate) fn tree(&self, only: &[String]) -> String {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.documents.len()];
        let mut roots: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for at in (0..self.documents.len()).filter(|&at| self.family.firsts[at] == at) {
            match self.family.parents[at] {
                Some(parent) => children[parent].push(at),
                None => roots.entry(&self.documents[at].schema).or_default().push(at),
            }
        }
        let wanted = |schema: &&str| only.is_empty() || only.iter().any(|name| name.starts_with(*schema));
        let mut out = String::new();
        for (schema, roots) in roots.into_iter().filter(|(schema, _)| wanted(schema)) {
            let trees = roots.into_iter().map(|at| self.branch(at, &children));
            out += &Tree::new(visible(schema)).with_leaves(trees).to_string();
        }
        out
    }

    /// As deep as there are layers.
    fn branch(&self, at: usize, children: &[Vec<usize>]) -> Tree<String> {
        let inside = children[at].iter().map(|&child| self.branch(child, children));
        Tree::new(self.leaf(at)).with_leaves(inside)
    }

    fn leaf(&self, at: usize) -> String {
        let document = &self.documents[at];
        let mut words = vec![visible(document.layer_name())];
        words.extend(document.is_abstract.then(|| "abstract".to_owned()));
        words.extend(document.is_replacement.then(|| "replacement".to_owned()));
        words.extend(self.family.replaced_by[at].is_some().then(|| "replaced".to_owned()));
        words.retain(|word| !word.is_empty());
        let words = if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) };
        format!("{}{words}  {}", visible(&document.name), self.place(document.start()))
    }
}
