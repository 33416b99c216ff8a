//! The first installation, where there is no configuration yet.

use super::read::{refuse_empty, refuse_scalars};
use super::remarks::of_unknown;
use super::{Named, Upgrade};
use crate::report::{Applied, Report, Size};
use crate::text::error::Error;
use crate::text::named::NamedText;
use crate::text::source::Source;
use crate::upgrade::options::Options;
use crate::upgrade::unmatched;
use crate::upgrade::variables;
use crate::yaml::check;

/// The first installation: the update as it is, with its variables applied.
///
/// # Errors
/// Refuses an update that is empty, not valid YAML or a bare scalar.
///
/// ```
/// let installed = yamlift::install("port: 80 # default\n", &yamlift::Options::default())?;
/// assert_eq!(installed.text(), "port: 80 # default\n");
/// # Ok::<(), yamlift::Error>(())
/// ```
pub fn install<'t>(update: impl Into<NamedText<'t>>, options: &Options) -> Result<Upgrade, Error> {
    install_named("configuration", update.into().or("update"), options)
}

pub(crate) fn install_named(config: &str, update: Named<'_>, options: &Options) -> Result<Upgrade, Error> {
    installed(config, update, options).map_err(|error| error.hiding(&options.secret_names()))
}

fn installed(config: &str, update: Named<'_>, options: &Options) -> Result<Upgrade, Error> {
    let applied = variables::apply(update.0, update.1, &options.variables)?;
    let source = Source::new(update.0, &applied.text)?;
    refuse_empty(&source)?;
    let checked = check::read(&source)?;
    refuse_scalars(&source, &checked.outline)?;
    let unmatched = unmatched::of_options(options, &[&checked.outline]);
    let report = Report {
        configuration: None,
        update: Size::of(update.0, update.1),
        result: Size::of(config, &applied.text),
        changed: true,
        changes: Vec::new(),
        alarms: 0,
        warnings: [of_unknown(&[], &applied.unknown), unmatched].concat(),
        notes: Vec::new(),
        suggestions: Vec::new(),
        base: None,
        variables: applied.used.into_iter().map(|(name, value)| Applied { name, value }).collect(),
    };
    Ok(Upgrade { text: applied.text.into_owned(), report })
}
