//! Datum: layers of PowerShell DSC configuration, the most specific first (`datum.md`).

use crate::error::Error;
use crate::values::{Layer, Merged};

/// What is to be known besides the layers.
pub(crate) struct Options {
    pub(crate) as_shipped: bool,
    /// The file with `lookup_options` and `default_lookup_options`.
    pub(crate) options: Option<Layer>,
    /// The path to look up; every key at the top without one.
    pub(crate) key: Option<String>,
}

/// Looks up one path, or every key, in all layers.
pub(crate) fn merge(layers: &[Layer], options: &Options) -> Result<Merged, Error> {
    let _ = (layers, options.as_shipped, &options.options, &options.key);
    Err(Error::input("Datum's rules are not here yet"))
}
