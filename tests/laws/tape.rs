//! Where the generator takes its decisions from.
//!
//! Every choice of the generator is a byte of a tape, and a tape that has run out says zero, which is always the
//! plainest choice. So a shorter tape with smaller bytes makes a smaller and plainer file, and proptest, which knows
//! how to shrink bytes, shrinks files.

/// A tape of choices.
#[derive(Debug)]
pub(crate) struct Tape<'t> {
    bytes: &'t [u8],
}

impl<'t> Tape<'t> {
    pub(crate) fn new(bytes: &'t [u8]) -> Self {
        Self { bytes }
    }

    fn next(&mut self) -> u8 {
        let Some((&first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        first
    }

    /// Whether anything but zeros is left to come.
    pub(crate) fn is_over(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::from(self.next()) % limit.max(1)
    }

    /// Happens about so many times in a hundred.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        usize::from(self.next()) * 100 >= (100 - percent) * 256
    }

    /// One of several.
    pub(crate) fn pick<'p, T>(&mut self, from: &'p [T]) -> &'p T {
        &from[self.below(from.len())]
    }

    /// As many as `max`, each less likely than the one before.
    pub(crate) fn some<T>(&mut self, percent: usize, max: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let mut some = Vec::new();
        while some.len() < max && self.chance(percent) {
            some.push(make(self));
        }
        some
    }
}
