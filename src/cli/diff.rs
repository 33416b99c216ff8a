//! `yamlift diff`: what two files mean differently.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args as ClapArgs, ValueEnum};
use serde::Serialize;

use super::common::{Common, DiffForm};
use super::input::{is_stdin, name, read};
use super::output::{self, Masked};
use super::secret_args::SecretArgs;
use crate::report::line_diff::{Detail, Layout};
use crate::report::{Difference, Size, difference};
use crate::text::error::{Error, visible};
use crate::upgrade::differences::{self, Comparison};
use crate::upgrade::prune;

#[derive(Debug, ClapArgs)]
pub(crate) struct Diff {
    /// The first file: your file, or the old default; `-` reads standard input
    pub(crate) first: PathBuf,
    /// The second file: the default that your file is to be compared with, or the new one
    pub(crate) second: PathBuf,

    /// How to show what differs
    #[arg(long = "diff", value_enum, value_name = "FORM", default_value_t = DiffForm::Values)]
    pub(crate) form: DiffForm,

    /// Exit with 1 if the files differ in what they mean
    #[arg(long)]
    pub(crate) check: bool,

    /// What to print: text for people, json for programs, or yaml: FIRST without what SECOND has as well
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub(crate) format: DiffFormat,

    #[command(flatten)]
    pub(crate) secrets: SecretArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What `yamlift diff` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// The first file without all that equals the second
    Yaml,
}

/// Two files that are compared, by name and text.
struct Two<'f> {
    names: [&'f str; 2],
    texts: [&'f str; 2],
}

/// A difference as programs read it.
#[derive(Serialize)]
struct Json<'d> {
    schema: u32,
    first: Size,
    second: Size,
    differences: &'d [Difference],
    layout: Layout,
}

/// Tells what two files mean differently.
pub(super) fn diff(args: &Diff) -> Result<ExitCode, Error> {
    if is_stdin(&args.first) && is_stdin(&args.second) {
        return Err(Error::input("only one of the two files can be standard input"));
    }
    let (first, second) = (read(&args.first)?, read(&args.second)?);
    let names = [name(&args.first), name(&args.second)];
    let two = Two { names: [&names[0], &names[1]], texts: [&first, &second] };
    if args.format == DiffFormat::Yaml {
        let pruned = prune::named((two.names[0], two.texts[0]), (two.names[1], two.texts[1]))?;
        output::print(&mut std::io::stdout(), &pruned.text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let compared = differences::by_meaning((two.names[0], two.texts[0]), (two.names[1], two.texts[1]))?;
    let differ = !compared.differences.is_empty();
    let text = two.told(compared, args)?;
    if !args.common.quiet {
        args.secrets.warn_of_unmatched(two.texts.into_iter());
        output::print(&mut anstream::stdout(), &text)?;
    }
    Ok(ExitCode::from(u8::from(args.check && differ)))
}

impl Two<'_> {
    /// What is told of a comparison, without secrets.
    fn told(&self, compared: Comparison, args: &Diff) -> Result<String, Error> {
        let mut secrets = args.secrets.secrets()?;
        let hidden = self.texts.map(|text| secrets.mask_text(text));
        let Comparison { differences, lines } = compared;
        let differences = secrets.mask_differences(differences);
        Ok(match (args.format, args.form) {
            (DiffFormat::Json, _) => json(self, &differences, lines.layout)?,
            (_, DiffForm::Lines | DiffForm::Words) => {
                let after = Masked { texts: self.texts, masked: [&hidden[0], &hidden[1]] }.after();
                let detail = if args.form == DiffForm::Words { Detail::Words } else { Detail::Lines };
                output::shown(&secrets.mask_known(&lines.text(self.names, [&hidden[0], &after], detail)))
            }
            (_, DiffForm::None) => String::new(),
            (_, DiffForm::Auto | DiffForm::Values) => values(self, &differences, lines.layout),
        })
    }
}

fn json(two: &Two<'_>, differences: &[Difference], layout: Layout) -> Result<String, Error> {
    let [first, second] = [0, 1].map(|at: usize| Size::of(two.names[at], two.texts[at]));
    output::json(&Json { schema: 1, first, second, differences, layout })
}

/// What differs by its values, with the names of both files.
fn values(two: &Two<'_>, differences: &[Difference], layout: Layout) -> String {
    let [first, second] = two.names.map(visible);
    if differences.is_empty() {
        return format!("{first} and {second} mean the same.\n{layout}");
    }
    let lines: String = difference::lines(differences, output::width()).iter().map(output::coloured).collect();
    let count =
        if differences.len() == 1 { "1 difference".to_owned() } else { format!("{} differences", differences.len()) };
    format!("From {first} to {second}:\n{lines}\n{count}.\n{layout}")
}
