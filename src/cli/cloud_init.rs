//! `yamlift cloud-init`: the configuration that a machine ends up with.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args as ClapArgs;

use super::cloud_init_files::{self, FileArgs, Found};
use super::cloud_init_output::{self, Form};
use super::common::{Common, Format};
use super::destination::{self, OutputArgs};
use super::input::{is_stdin, read_layer};
use super::merge::below;
use super::output;
use super::secret_args::SecretArgs;
use crate::layers::cloud_init::{self, Open, Resolved};
use crate::report::secrets::Secrets;
use crate::text::error::Error;

const EXAMPLES: &str = "\
Examples:
  The configuration that a seed and the files of an image come to:
      yamlift cloud-init --user-data user-data --vendor-data vendor-data --cloud-cfg cloud.cfg --conf-d cloud.cfg.d
  The same from a directory with files of these names:
      yamlift cloud-init seed
  Where each of its values comes from:
      yamlift cloud-init seed --explain
  What another user-data does to the machine:
      yamlift cloud-init seed --user-data new.yml --diff seed
  Held to the schema of cloud-init:
      yamlift cloud-init seed --schema schema-cloud-config-v1.json

Exit status:
  0  done
  2  usage, input, or the system: nothing was written
  4  the result did not pass verification: nothing was written, please report it
  5  FILE was written, but the disk does not say that all is on it";

#[derive(Debug, ClapArgs)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct CloudInit {
    /// A directory with user-data, vendor-data, vendor-data2, cloud.cfg, cloud.cfg.d, built-in.yml and instance-data.json, or some of
    /// them
    #[arg(value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,

    /// Let `#include` read local files below DIR; without this it reads none
    #[arg(long, value_name = "DIR")]
    pub(crate) include_root: Option<PathBuf>,

    /// Refuse a configuration that is not as the JSON Schema in FILE has it
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) files: FileArgs,

    #[command(flatten)]
    pub(crate) out: OutputArgs,

    /// Write which levels there are, and where each value comes from, instead of the configuration
    #[arg(long, help_heading = "What to write", conflicts_with = "diff")]
    pub(crate) explain: bool,

    /// Write how the configuration differs from that of another directory, which is the state before
    #[arg(long, value_name = "OTHER_DIR", help_heading = "What to write")]
    pub(crate) diff: Option<PathBuf>,

    /// Choose the form of what is printed
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "What to write")]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) secrets: SecretArgs,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// Resolves the machine, tells what is passed over, and writes what was asked for.
pub(crate) fn cloud_init(args: &CloudInit) -> Result<ExitCode, Error> {
    let before = args.diff.as_deref().map(|dir| read_before(args, dir)).transpose()?;
    let after = read(args, args.dir.as_deref(), &args.files)?;
    let included = RefCell::default();
    let resolved = |found: &Found| {
        let open = args.include_root.as_deref().map(|root| below(root, &included));
        cloud_init::resolve(&found.machine, open.as_ref().map(|open| open as &Open<'_>))
    };
    let (old, new) = (before.as_ref().map(resolved).transpose()?, resolved(&after)?);
    if !new.wrong.is_empty() {
        return refused(args, &new.wrong);
    }
    let included = included.into_inner();
    let inputs = before.iter().chain([&after]).flat_map(|found| &found.inputs).chain(&args.schema).chain(&included);
    let inputs: Vec<_> = inputs.map(PathBuf::as_path).collect();
    let to = args.out.destination(&inputs)?.map(|to| to.no_wider_than(&inputs)).transpose()?;
    let mut secrets = args.secrets.secrets()?;
    old.iter().chain([&new]).for_each(|resolved| secrets.learn(&resolved.merged.text));
    let warnings = warnings(args, &new, &secrets);
    let form = Form { format: args.format, explain: args.explain, is_coloured: args.out.output.is_none() };
    let text = match &old {
        Some(old) => cloud_init_output::differences(form, [old, &new], &secrets, &warnings)?,
        None => cloud_init_output::configuration(form, &new, &secrets, &warnings)?,
    };
    destination::put(to.as_ref(), &text)?;
    Ok(ExitCode::SUCCESS)
}

/// The machine before a change; what is known of the instance holds for both where that has no data of its own.
fn read_before(args: &CloudInit, dir: &Path) -> Result<Found, Error> {
    let given =
        args.files.instance_data.clone().or_else(|| args.dir.as_ref().map(|dir| dir.join(cloud_init_files::INSTANCE)));
    let given = given.filter(|file| !dir.join(cloud_init_files::INSTANCE).exists() && file.exists());
    cloud_init_files::read(Some(dir), &FileArgs { instance_data: given, ..FileArgs::default() })
}

fn read(args: &CloudInit, dir: Option<&Path>, files: &FileArgs) -> Result<Found, Error> {
    let all = [&files.user_data, &files.vendor_data, &files.vendor_data2, &files.cloud_cfg, &files.built_in];
    let all = all.into_iter().chain([&files.instance_data, &args.schema]).flatten();
    if all.filter(|path| is_stdin(path)).count() > 1 {
        return Err(Error::input("only one file can be standard input").help("name the others"));
    }
    let mut found = cloud_init_files::read(dir, files)?;
    found.machine.schema = args.schema.as_deref().map(read_layer).transpose()?;
    Ok(found)
}

fn warnings(args: &CloudInit, resolved: &Resolved, secrets: &Secrets) -> Vec<String> {
    let warnings: Vec<_> = resolved.merged.warnings.iter().map(|warning| secrets.mask_words(warning)).collect();
    if !args.common.quiet {
        args.secrets.warn_of_unmatched([resolved.merged.text.as_str()].into_iter());
        for warning in &warnings {
            output::warning(warning);
        }
    }
    warnings
}

/// Tells all that the schema says against the configuration.
fn refused(args: &CloudInit, errors: &[Error]) -> Result<ExitCode, Error> {
    let errors: Vec<_> = errors.iter().map(|error| args.secrets.hide_in(error.clone())).collect();
    errors.iter().for_each(output::error);
    if args.format == Format::Json {
        let all: Vec<_> = errors.iter().map(Error::data).collect();
        output::print(&mut std::io::stdout(), &output::json(&output::all_refused(&all))?)?;
    }
    Ok(ExitCode::from(2))
}
