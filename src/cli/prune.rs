//! `yamlift prune`: a configuration without what equals the default.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args as ClapArgs;
use serde::Serialize;

use super::common::{Common, Format};
use super::destination::{Destination, OutputArgs};
use super::file_args::FileArgs;
use super::input::{is_stdin, name, read_within};
use super::output;
use super::secret_args::SecretArgs;
use crate::files;
use crate::report::{Difference, Size};
use crate::text::error::{Error, visible};
use crate::upgrade::prune::{self, Pruned};

#[derive(Debug, ClapArgs)]
pub(crate) struct Prune {
    /// Your file; `-` reads standard input, and the result goes to standard output then
    pub(crate) config: PathBuf,
    /// The default that your program takes where your file says nothing
    pub(crate) default: PathBuf,

    /// Show what would go, and change nothing
    #[arg(long, help_heading = "What to write", conflicts_with = "output")]
    pub(crate) dry_run: bool,

    /// The form of the report
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "What to write")]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) out: OutputArgs,
    #[command(flatten)]
    pub(crate) file: FileArgs,
    #[command(flatten)]
    pub(crate) secrets: SecretArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Takes out of a configuration what equals its default.
pub(super) fn prune(args: &Prune) -> Result<ExitCode, Error> {
    if is_stdin(&args.config) && is_stdin(&args.default) {
        return Err(Error::input("only one of the two files can be standard input"));
    }
    let how = args.file.options();
    let to = args.out.destination(&[&args.config, &args.default])?;
    let to = to.map(|to| to.no_wider_than(&[&args.config])).transpose()?;
    // Read first: who takes long to write it must not hold the lock.
    let default = read_within(&args.default, how.max_size)?;
    let is_replaced = !args.dry_run && to.is_none() && !is_stdin(&args.config);
    let original = if is_replaced { files::take(&args.config, &how)? } else { None };
    let taken = original.as_ref().map(|original| Ok(original.text.clone()));
    let config = taken.unwrap_or_else(|| read_within(&args.config, how.max_size))?;
    let names = [name(&args.config), name(&args.default)];
    let pruned = prune::named((&names[0], &config), (&names[1], &default))?;
    let told = Told { names: [&names[0], &names[1]], before: &config, default: &default, pruned: &pruned };
    let text = if args.common.quiet { None } else { Some(told.text(args)?) };
    let to = to.or((is_stdin(&args.config) && !args.dry_run).then_some(Destination::Stdout));
    let backup = match (&to, &original) {
        (Some(to), _) => to.put(&pruned.text, &how)?,
        (None, Some(original)) if pruned.text != config => files::replace(original, &pruned.text, &how)?,
        (None, _) => None,
    };
    let Some(text) = text else { return Ok(ExitCode::SUCCESS) };
    let backup = backup.filter(|_| args.format == Format::Text);
    let text = text + &backup.map_or_else(String::new, |backup| output::backup(&backup));
    if matches!(to, Some(Destination::Stdout)) {
        output::print(&mut anstream::stderr(), &text)?;
    } else {
        output::print(&mut anstream::stdout(), &text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What is told of a file that was pruned.
struct Told<'p> {
    names: [&'p str; 2],
    before: &'p str,
    default: &'p str,
    pruned: &'p Pruned,
}

/// The same as programs read it.
#[derive(Serialize)]
struct PrunedJson<'p> {
    schema: u32,
    status: &'static str,
    configuration: Size,
    default: Size,
    result: Size,
    left_out: &'p [Difference],
    missing: &'p [Difference],
}

impl Told<'_> {
    fn text(&self, args: &Prune) -> Result<String, Error> {
        let mut secrets = args.secrets.secrets()?;
        for text in [self.before, self.default] {
            secrets.learn(text);
        }
        let [left_out, missing] =
            [&self.pruned.left_out, &self.pruned.missing].map(|all| secrets.mask_differences(all.clone()));
        let [configuration, default] = [Size::of(self.names[0], self.before), Size::of(self.names[1], self.default)];
        let result = Size::of(self.names[0], &self.pruned.text);
        let status = if self.pruned.text == self.before { "unchanged" } else { "changed" };
        let (left_out, missing) = (&left_out[..], &missing[..]);
        let told = PrunedJson { schema: 1, status, configuration, default, result, left_out, missing };
        if args.format == Format::Json { output::json(&told) } else { Ok(told.words(args)) }
    }
}

impl PrunedJson<'_> {
    /// The same for people.
    fn words(&self, args: &Prune) -> String {
        let Self { configuration, default, result, .. } = self;
        let [name, other] = [configuration, default].map(|size| visible(&size.name));
        let head = format!(
            "Your file:    {name} ({configuration})\nDefault:      {other} ({default})\nResult:       {result}\n"
        );
        let sections = [
            ("Left out, for the default says the same:", self.left_out),
            ("Only in the default, which counts where your program lays your file over it:", self.missing),
        ];
        let sections = sections.into_iter().filter(|(_, differences)| !differences.is_empty());
        let sections: String = sections.map(|(title, differences)| output::section(title, differences)).collect();
        let closing = match self.left_out.len() {
            0 => "Not changed.".to_owned(),
            count => format!("{count} left out."),
        };
        let end = if args.dry_run { "Nothing was written.\n" } else { "" };
        format!("{head}{sections}\n{closing}\n{end}")
    }
}
