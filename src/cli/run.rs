//! What each command does: reads its files, asks the library, writes and prints.

use std::path::Path;
use std::process::ExitCode;

use super::args::{Args, Command, Explain, Migration as MigrationCommand, MigrationCheck, Outline};
use super::input::{read, read_migration};
use super::secret_args::SecretArgs;
use super::{backups, layer, merge, output, restore, upgrade};
use crate::report::secrets;
use crate::text::encoding;
use crate::text::error::Error;
use crate::upgrade::explain;

/// Runs one command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Error> {
    match args.command {
        Command::Upgrade(args) => upgrade::upgrade(&args).map_err(|error| hiding(error, &args.merge.secrets)),
        Command::Restore(args) if args.list => backups::list(&args),
        Command::Restore(args) => restore::restore(&args).map_err(|error| hiding(error, &args.secrets)),
        Command::Outline(args) => outline(&args).map_err(|error| hiding(error, &args.secrets)),
        Command::Explain(args) => explain(&args).map_err(|error| hiding(error, &args.merge.secrets)),
        Command::Merge(args) => {
            merge::merge(&args).map(|()| ExitCode::SUCCESS).map_err(|error| hiding(error, &args.secrets))
        }
        Command::Layer(args) => layer::layer(&args).map_err(|error| hiding(error, &args.secrets)),
        Command::Migration(MigrationCommand::Check(args)) => check_migration(&args),
    }
}

/// A file may be refused before it is known to be YAML.
fn hiding(error: Error, args: &SecretArgs) -> Error {
    error.hiding(&secrets::last_keys(&args.secret, &[]))
}

fn outline(args: &Outline) -> Result<ExitCode, Error> {
    let mut secrets = args.secrets.secrets(None)?;
    let text = read(&args.file)?;
    let told = crate::report::outline::outline_of(&args.file.display().to_string(), &text, &mut secrets)?;
    if !args.common.quiet {
        args.secrets.warn_of_unmatched([text.as_str()].into_iter());
    }
    output::print(&mut anstream::stdout(), &told)?;
    Ok(ExitCode::SUCCESS)
}

/// Tells where the value of a path would come from.
fn explain(args: &Explain) -> Result<ExitCode, Error> {
    let (config, update) = (args.config.display().to_string(), args.update.display().to_string());
    let (current, new) = (read(&args.config)?, read(&args.update)?);
    let options = args.merge.options(encoding::LIMIT)?;
    let told = explain::explain((&config, &current), (&update, &new), &options, &args.path)?;
    let mut secrets = args.merge.secrets.secrets(options.migration.as_ref())?;
    let base = options.base.as_ref().map(|base| &base.text);
    let texts: Vec<_> = [&current, &new].into_iter().chain(base).collect();
    for text in &texts {
        secrets.learn(text);
    }
    if !args.common.quiet {
        args.merge.secrets.warn_of_unmatched(texts.into_iter().map(String::as_str));
    }
    output::print(&mut anstream::stdout(), &secrets.mask_explanation(told).to_string())?;
    Ok(ExitCode::SUCCESS)
}

/// Tells all that is wrong with a migration file.
fn check_migration(args: &MigrationCheck) -> Result<ExitCode, Error> {
    let named = |path: &Path| Ok::<_, Error>((path.display().to_string(), read(path)?));
    let migration = read_migration(&args.file)?;
    let (update, base) = (named(&args.update)?, args.base.as_deref().map(named).transpose()?);
    let base = base.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    let findings = migration.prove(args.from.as_deref(), base, (&update.0, &update.1))?;
    findings.iter().for_each(output::error);
    if !findings.is_empty() {
        return Ok(ExitCode::from(2));
    }
    if !args.common.quiet {
        let (file, against) = (args.file.display(), if base.is_some() { "both defaults" } else { "the new default" });
        output::print(&mut anstream::stdout(), &format!("{file}: nothing is wrong, held against {against}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
