//! OpenStack Heat: environment files become one (`heat.md`).

use crate::error::Error;
use crate::values::{Layer, Merged};

/// What is to be known besides the environments.
pub(crate) struct Options {
    pub(crate) as_shipped: bool,
    /// A map from parameter to type.
    pub(crate) types: Option<Layer>,
    /// Templates that declare parameters, the root template last.
    pub(crate) templates: Vec<Layer>,
    /// What the request itself carries.
    pub(crate) params: Option<Layer>,
}

/// Merges environments in their order.
pub(crate) fn merge(layers: &[Layer], options: &Options) -> Result<Merged, Error> {
    let _ = (layers, options.as_shipped, &options.types, &options.templates, &options.params);
    Err(Error::input("Heat's rules are not here yet"))
}
