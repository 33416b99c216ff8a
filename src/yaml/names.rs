//! The names of a map and something for each of them, found again by name.
//!
//! Nearly all maps of real configs are small, and there are very many of them: comparing a few names is quicker than
//! hashing one.

use foldhash::HashMap;
use std::borrow::Borrow;
use std::hash::Hash;

/// So many names are compared one by one.
pub(crate) const FEW: usize = 24;

/// A value for each name; of names that are there twice the first counts.
#[derive(Debug, Default)]
pub(crate) struct Names<K, V> {
    entries: Vec<(K, V)>,
    places: HashMap<K, usize>,
}

impl<K: Clone + Hash + Eq, V> FromIterator<(K, V)> for Names<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut all = Vec::with_capacity(FEW / 3);
        all.extend(entries);
        let entries = all;
        let many = if entries.len() > FEW { &entries[..] } else { &[] };
        let places = many.iter().enumerate().rev().map(|(at, (name, _))| (name.clone(), at)).collect();
        Self { entries, places }
    }
}

impl<K: Borrow<str> + Hash + Eq, V> Names<K, V> {
    pub(crate) fn get(&self, name: &str) -> Option<&V> {
        if self.places.is_empty() {
            return self.entries.iter().find(|(other, _)| other.borrow() == name).map(|(_, value)| value);
        }
        self.places.get(name).and_then(|&at| self.entries.get(at)).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_names_are_found_alike() {
        let names: Vec<String> = (0..100).map(|at| format!("n{at}")).collect();
        for count in [3, 100] {
            let found: Names<&str, usize> =
                names[..count].iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
            assert_eq!(found.get("n2"), Some(&2));
            assert_eq!(found.get("x"), None);
        }
    }

    #[test]
    fn the_first_of_two_counts() {
        let names: Names<&str, u8> = [("a", 1), ("a", 2)].into_iter().collect();
        assert_eq!(names.get("a"), Some(&1));
    }
}
