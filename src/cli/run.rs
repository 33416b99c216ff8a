//! What each command does: reads its files, asks the library, writes and prints.

use std::path::Path;
use std::process::ExitCode;

use clap_complete::Shell;

use super::args::{Args, Command};
use super::command_args::{Explain, Migration as MigrationCommand, MigrationCheck, Outline};
use super::common::Format;
use super::input::{name, read, read_migration};
use super::{
    backups, cloud_init, datum, diff, fleet, git_install, git_merge, git_textconv, layer, merge, output, prune,
    rehearse, restore, upgrade,
};
use crate::report::explanation::in_lines;
use crate::report::outline;
use crate::report::secrets::Secrets;
use crate::text::error::Error;
use crate::text::named::NamedText;
use crate::text::{encoding, source};
use crate::upgrade::Named;
use crate::upgrade::explain::{self, Explained};
use crate::upgrade::options::Options;

/// Runs one command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Error> {
    match args.command {
        Command::Upgrade(mut args) => {
            args.set_new_answers_aside();
            let done = match (&args.manifest, &args.to) {
                (Some(manifest), _) => fleet::upgrade_listed(&args, manifest),
                (None, Some(to)) => fleet::upgrade(&args, to),
                (None, None) => upgrade::upgrade(&args),
            };
            done.map_err(|error| args.merge.secrets.hide_in(error))
        }
        Command::Rehearse(args) => rehearse::rehearse(&args).map_err(|error| args.merge.secrets.hide_in(error)),
        Command::Restore(args) if args.list => backups::list(&args),
        Command::Restore(args) => restore::restore(&args).map_err(|error| args.secrets.hide_in(error)),
        Command::Outline(args) => print_outline(&args).map_err(|error| args.secrets.hide_in(error)),
        Command::Explain(args) => explain(&args).map_err(|error| args.merge.secrets.hide_in(error)),
        Command::Diff(args) => diff::diff(&args).map_err(|error| args.secrets.hide_in(error)),
        Command::Prune(args) => prune::prune(&args).map_err(|error| args.secrets.hide_in(error)),
        Command::Merge(args) => {
            merge::merge(&args).map(|()| ExitCode::SUCCESS).map_err(|error| args.secrets.hide_in(error))
        }
        Command::CloudInit(args) => cloud_init::cloud_init(&args).map_err(|error| args.secrets.hide_in(error)),
        Command::Datum(args) => {
            datum::datum(&args).map(|()| ExitCode::SUCCESS).map_err(|error| args.secrets.hide_in(error))
        }
        Command::Layer(args) => layer::layer(&args).map_err(|error| args.secrets.hide_in(error)),
        Command::Migration(MigrationCommand::Check(args)) => check_migration(&args),
        Command::GitMerge(args) => git_merge::git_merge(&args),
        Command::GitTextconv(args) => git_textconv::git_textconv(&args),
        Command::GitInstall(args) => git_install::git_install(&args),
        Command::Completions(args) => completions(args.shell),
        Command::Man(args) => manual(&args.directory),
        Command::Schema(args) => output::print(&mut std::io::stdout(), args.of.text()).map(|()| ExitCode::SUCCESS),
    }
}

/// Prints completions for a shell.
fn completions(shell: Shell) -> Result<ExitCode, Error> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Args::with_required_files(), "yamlift", &mut text);
    output::print(&mut std::io::stdout(), &String::from_utf8_lossy(&text))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a manual page for each command.
fn manual(directory: &Path) -> Result<ExitCode, Error> {
    let written = clap_mangen::generate_to(Args::with_required_files(), directory);
    written.map_err(|error| Error::input(format!("cannot be written: {error}")).in_file(&name(directory)))?;
    Ok(ExitCode::SUCCESS)
}

fn print_outline(args: &Outline) -> Result<ExitCode, Error> {
    let mut secrets = args.secrets.secrets()?;
    let text = read(&args.file)?;
    let lines = outline::lines_of(&args.file.display().to_string(), &text, &mut secrets)?;
    let told = if args.format == Format::Json { output::json(&lines)? } else { outline::text_of(&lines) };
    if !args.common.quiet {
        args.secrets.warn_of_unmatched([text.as_str()].into_iter());
    }
    output::print(&mut anstream::stdout(), &told)?;
    Ok(ExitCode::SUCCESS)
}

/// Tells where the value of a path, or every line, would come from.
fn explain(args: &Explain) -> Result<ExitCode, Error> {
    let (config, update) = (args.config.display().to_string(), args.update.display().to_string());
    let (current, new) = (read(&args.config)?, read(&args.update)?);
    let files = ((config.as_str(), current.as_str()), (update.as_str(), new.as_str()));
    let options = args.merge.options(encoding::LIMIT)?;
    let mut secrets = args.merge.secrets.of_upgrade(&options)?;
    let base = options.base.as_ref().map(|base| &base.text);
    let texts: Vec<_> = [&current, &new].into_iter().chain(base).collect();
    for text in &texts {
        secrets.learn(text);
    }
    let told = match &args.path {
        Some(path) => explained_path(files, &options, &secrets, (path, args.format))?,
        None => explained_lines(files, &options, &mut secrets, args.format)?,
    };
    if !args.common.quiet {
        args.merge.secrets.warn_of_unmatched(texts.into_iter().map(String::as_str));
    }
    output::print(&mut anstream::stdout(), &told)?;
    Ok(ExitCode::SUCCESS)
}

fn explained_path(
    (current, new): (Named<'_>, Named<'_>),
    options: &Options,
    secrets: &Secrets,
    (path, format): (&str, Format),
) -> Result<String, Error> {
    let told = secrets.mask_explanation(explain::explain(current, new, options, path)?);
    if format == Format::Json { output::json(&told) } else { Ok(told.to_string()) }
}

fn explained_lines(
    (current, new): (Named<'_>, Named<'_>),
    options: &Options,
    secrets: &mut Secrets,
    format: Format,
) -> Result<String, Error> {
    let Explained { upgrade, mut lines } = explain::explain_lines(current, new, options)?;
    let masked = secrets.mask_text(upgrade.text()).into_owned();
    for (line, text) in lines.iter_mut().zip(source::lines(&masked)) {
        text.clone_into(&mut line.text);
    }
    if format == Format::Json { output::json(&lines) } else { Ok(in_lines(&lines)) }
}

/// Tells all that is wrong with a migration file.
fn check_migration(args: &MigrationCheck) -> Result<ExitCode, Error> {
    let named = |path: &Path| Ok::<_, Error>((path.display().to_string(), read(path)?));
    let migration = read_migration(&args.file)?;
    let (update, base) = (named(&args.update)?, args.base.as_deref().map(named).transpose()?);
    let base = base.as_ref().map(|(name, text)| NamedText::new(name, text));
    let findings = migration.check(NamedText::new(&update.0, &update.1), base, args.from.as_deref())?;
    findings.iter().for_each(output::error);
    if args.format == Format::Json {
        let errors: Vec<_> = findings.iter().map(Error::data).collect();
        output::print(&mut std::io::stdout(), &output::json(&errors)?)?;
    }
    if !findings.is_empty() {
        return Ok(ExitCode::from(2));
    }
    if !args.common.quiet && args.format == Format::Text {
        let (file, against) = (args.file.display(), if base.is_some() { "both defaults" } else { "the new default" });
        output::print(&mut anstream::stdout(), &format!("{file}: nothing is wrong, held against {against}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
