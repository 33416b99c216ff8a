//! `yamlift rehearse`: a new default on many configurations in memory, before it ships.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::command_args::Rehearse;
use super::common::ReportFormat;
use super::fleet::{self, Ended};
use super::input::{name, read};
use super::learner::{Learner, Shows};
use super::output;
use crate::comments::Comments;
use crate::files;
use crate::report::fleet::{Told, Upgraded};
use crate::report::formats;
use crate::report::secrets::Secrets;
use crate::text::encoding;
use crate::text::error::Error;
use crate::upgrade::options::{Base, Options};
use crate::upgrade::{self, Upgrade, differences};

/// Upgrades every configuration in memory, and proves what a release promises of it.
pub(super) fn rehearse(args: &Rehearse) -> Result<ExitCode, Error> {
    let update = (name(&args.update), read(&args.update)?);
    let options = args.merge.options(encoding::LIMIT)?;
    let configs = fleet::found(&args.configs, &args.update)?;
    let one = |config: &PathBuf| one(args, config, (&update.0, &update.1), &options);
    let ended = fleet::at_once(&configs, args.jobs, !args.common.quiet, one);
    fleet::tell_errors(&ended);
    if !args.common.quiet {
        fleet::tell(&ended, args.format, args.format != ReportFormat::Text)?;
    }
    Ok(fleet::status(&ended))
}

fn one(args: &Rehearse, config: &Path, update: (&str, &str), options: &Options) -> Ended {
    let name = config.display().to_string();
    let done = files::read(config, encoding::LIMIT).and_then(|current| {
        let current = (name.as_str(), current.as_str());
        let base = options.base.as_ref().map_or("", |base| &base.text);
        let secrets = args.merge.secrets.of_upgrade(options)?;
        let mut secrets = Learner::new(secrets, Shows::Report, [current.1, update.1, base]);
        let upgrade = upgrade::watched(current, update, options, &mut secrets)?;
        prove(current, update, options, &upgrade)?;
        told(args, current, &upgrade, &secrets.learned(&upgrade).secrets)
    });
    match done {
        Ok((told, text)) => Ended {
            upgraded: Upgraded { name, outcome: Ok(told) },
            text: Some(text),
            unfinished: Vec::new(),
            status: 0,
        },
        Err(error) => Ended::refused(name, args.merge.secrets.hide_in(error)),
    }
}

/// What holds of every upgrade: a second run changes nothing, be the old default that of the first run or the new one; and
/// what nobody touched becomes the new default.
fn prove(current: (&str, &str), update: (&str, &str), options: &Options, upgrade: &Upgrade) -> Result<(), Error> {
    let wrong = |what: &str| Err(Error::verification(what).in_file(current.0));
    let untouched = options.base.as_ref().is_some_and(|base| base.text == current.1);
    if untouched && follows_all(options) && upgrade.text != update.1 {
        return wrong("the old default did not become the new one byte for byte");
    }
    let again = |base: Option<Base>| {
        let mut options = Options { base, delete: Vec::new(), ..options.clone() };
        // Who says where a configuration comes from says the next time that it comes from this release.
        if options.from.take().is_some() {
            options.migration.iter_mut().for_each(|migration| migration.steps.clear());
        }
        upgrade::named((current.0, &upgrade.text), update, &options)
    };
    let remembered = Base { name: update.0.to_owned(), text: update.1.to_owned() };
    let runs =
        [(options.base.clone(), "a second run"), (Some(remembered), "a second run with the new default as base")];
    for (base, what) in runs {
        if again(base)?.text != upgrade.text {
            return wrong(&format!("{what} would change the result"));
        }
    }
    Ok(())
}

/// Whether nothing else is asked for, by which a file that nobody touched may differ from the new default.
fn follows_all(options: &Options) -> bool {
    let Options { delete, variables, list_modes, comments, moves, migration, .. } = options;
    let keeps = options.keep_defaults || options.keep_obsolete || options.sparse || *comments == Comments::User;
    let is_edited = !delete.is_empty() || !moves.is_empty() || !list_modes.is_empty() || migration.is_some();
    variables.is_empty() && !keeps && !is_edited
}

/// What is told of an upgrade, without secrets, as data and in the form that was asked for.
fn told(args: &Rehearse, current: (&str, &str), upgrade: &Upgrade, secrets: &Secrets) -> Result<(Told, String), Error> {
    let report = secrets.mask_report(&upgrade.report);
    let compared = differences::compare(current, (current.0, &upgrade.text))?;
    let found = differences::with_reasons(compared.differences, &upgrade.report);
    let status = if report.changed() { "changed" } else { "unchanged" };
    let told = Told { status, report, differences: secrets.mask_differences(found) };
    let text = match args.format {
        // A page shows all files at once.
        ReportFormat::Text | ReportFormat::Html => String::new(),
        ReportFormat::Json => output::Json {
            schema: 1,
            status,
            written: false,
            output: None,
            summary: told.report.summary(),
            report: &told.report,
            backup: None,
            differences: Some(&told.differences),
            layout: Some(compared.lines.layout),
            diff: None,
        }
        .text()?,
        ReportFormat::Markdown => formats::markdown::report(&told.report, &told.differences),
        ReportFormat::Github => formats::github::report(&told.report),
        ReportFormat::Sarif => output::json(&formats::sarif::report(&told.report))?,
    };
    Ok((told, text))
}
