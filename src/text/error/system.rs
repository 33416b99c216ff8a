//! The error of the operating system behind an error of ours, for programs that ask for the source.

use std::io;
use std::sync::Arc;

use super::Error;

/// An error of the system that can be cloned and compared, which [`io::Error`] cannot.
#[derive(Debug, Clone)]
pub(super) struct SystemError(Arc<io::Error>);

impl SystemError {
    /// A copy of an error: with its number where it has one, and else with its kind and its words.
    fn of(error: &io::Error) -> Self {
        let copy = error.raw_os_error().map(io::Error::from_raw_os_error);
        Self(Arc::new(copy.unwrap_or_else(|| io::Error::new(error.kind(), error.to_string()))))
    }

    pub(super) fn as_error(&self) -> &(dyn std::error::Error + 'static) {
        &*self.0
    }
}

impl PartialEq for SystemError {
    fn eq(&self, other: &Self) -> bool {
        self.0.kind() == other.0.kind() && self.0.raw_os_error() == other.0.raw_os_error()
    }
}

impl Eq for SystemError {}

impl Error {
    /// Adds the error of the system that is behind this one.
    pub(crate) fn caused_by(mut self, error: &io::Error) -> Self {
        self.0.system = Some(SystemError::of(error));
        self
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    #[test]
    fn the_source_is_the_error_of_the_system() {
        for cause in [io::Error::from_raw_os_error(13), io::Error::new(io::ErrorKind::NotFound, "gone")] {
            let error = Error::input("cannot be read").caused_by(&cause);
            let source = error.source().and_then(|source| source.downcast_ref::<io::Error>()).unwrap();
            assert_eq!((source.kind(), source.to_string()), (cause.kind(), cause.to_string()));
            assert_eq!(error.clone(), error);
        }
        assert!(Error::input("an option").source().is_none());
    }
}
