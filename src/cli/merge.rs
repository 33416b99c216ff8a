//! `yamlift merge`: layers joined by the rules of a system.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use super::common::{Common, Format, ReadingArgs};
use super::destination::{self, Destination, OutputArgs};
use super::input::{is_stdin, name, read_bytes, read_layer};
use super::output::{self, Masked};
use super::secret_args::SecretArgs;
use crate::files;
use crate::layers::values::{Layer, Merged, explained as explained_text};
use crate::layers::{cloud_init, datum, heat, own};
use crate::report::secrets::Secrets;
use crate::text::encoding;
use crate::text::error::{Error, nearest, visible};

const EXAMPLES: &str = "\
Examples:
  What cloud-init makes of the parts of a user-data:
      yamlift merge --rules cloud-init base.yml site.yml
  What its configuration directory comes to:
      yamlift merge --rules cloud-init --entry conf-d cloud.cfg cloud.cfg.d/*.cfg
  Heat environments, with the types that the templates declare:
      yamlift merge --rules heat --template stack.yml one.yml two.yml
  One key of Datum's layers, the most specific first:
      yamlift merge --rules datum --options Datum.yml --key Packages node.yml role.yml baseline.yml
  Rules of your own:
      yamlift merge --rules rules.yml defaults.yml site.yml
  Where each value comes from:
      yamlift merge --rules datum --options Datum.yml node.yml role.yml --explain

Exit status:
  0  done
  2  usage, input, or the system: nothing was written
  4  the result did not pass verification: nothing was written, please report it
  5  FILE was written, but the disk does not say that all is on it";

const SYSTEMS: [&str; 3] = ["cloud-init", "heat", "datum"];

#[derive(Debug, ClapArgs)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Merge {
    /// The layers, in the order in which the rules take them; `-` reads standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Merge by the rules of cloud-init, heat or datum, or by those in a file of your own
    #[arg(long, value_name = "SYSTEM|FILE")]
    pub(crate) rules: String,

    #[command(flatten)]
    pub(crate) held_to: ReadingArgs,

    /// Say how the files reach cloud-init
    #[arg(long, value_enum, default_value_t = cloud_init::Entry::Parts, help_heading = "cloud-init")]
    pub(crate) entry: cloud_init::Entry,

    /// Give the Nth part a header, as in `2:Merge-Type=list(append)`
    #[arg(long, value_name = "N:NAME=VALUE", help_heading = "cloud-init")]
    pub(crate) header: Vec<String>,

    /// Let `#include` read local files below DIR; without this it reads none
    #[arg(long, value_name = "DIR", help_heading = "cloud-init")]
    pub(crate) include_root: Option<PathBuf>,

    /// Read the types of the parameters from FILE, a map from name to type
    #[arg(long, value_name = "FILE", help_heading = "Heat")]
    pub(crate) types: Option<PathBuf>,

    /// Read the parameters that the template FILE declares; of several the last one counts
    #[arg(long, value_name = "FILE", help_heading = "Heat")]
    pub(crate) template: Vec<PathBuf>,

    /// Merge the others into FILE, the environment that the request itself carries
    #[arg(long, value_name = "FILE", help_heading = "Heat")]
    pub(crate) params: Option<PathBuf>,

    /// Read `lookup_options` and `default_lookup_options` from FILE
    #[arg(long, value_name = "FILE", help_heading = "Datum")]
    pub(crate) options: Option<PathBuf>,

    /// Look up PATH; without one every key at the top is looked up
    #[arg(long, value_name = "PATH", help_heading = "Datum")]
    pub(crate) key: Option<String>,

    #[command(flatten)]
    pub(crate) out: OutputArgs,

    /// Write who supplied each value, and by which rule, instead of the result
    #[arg(long, help_heading = "What to write", conflicts_with = "diff")]
    pub(crate) explain: bool,

    /// Write how the result differs from the first file instead of the result
    #[arg(long, help_heading = "What to write")]
    pub(crate) diff: bool,

    /// Choose the form of what is printed; as JSON the result is a text in it, unless -o names a file
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "What to write")]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) secrets: SecretArgs,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// Merges the layers, tells what was passed over, and writes what was asked for.
pub(crate) fn merge(args: &Merge) -> Result<(), Error> {
    let named = inputs(args);
    let to = destination(args, &named)?;
    refuse_what_means_nothing(args)?;
    let files = read_all(args)?;
    let included = RefCell::default();
    let merged = merged(args, &files, &included)?;
    let included = included.into_inner();
    let to = if included.is_empty() { to } else { destination(args, &[named, included].concat())? };
    let mut secrets = args.secrets.secrets(None)?;
    let mut warnings = Vec::new();
    if !args.common.quiet {
        secrets.learn(&merged.text);
        let texts = files.iter().map(Input::text).chain([merged.text.as_str()]);
        args.secrets.warn_of_unmatched(texts);
        warnings = merged.warnings.iter().map(|warning| secrets.mask_words(warning)).collect();
        for warning in &warnings {
            output::warning(warning);
        }
    }
    let text = match (args.explain, args.diff) {
        (true, _) => explained(args, &merged, secrets)?,
        (_, true) => difference(files.first(), &merged, secrets),
        _ => merged.text,
    };
    if args.format == Format::Json && !args.explain {
        let status = if args.diff { "compared" } else { "merged" };
        destination::put_as_data(to.as_ref(), status, &text, &warnings)
    } else if args.diff && !args.explain {
        destination::put_diff(to.as_ref(), &text)
    } else {
        destination::put(to.as_ref(), &text)
    }
}

/// Where the result goes, which is none of these files and is readable to nobody who cannot read them all.
fn destination(args: &Merge, inputs: &[PathBuf]) -> Result<Option<Destination>, Error> {
    let inputs: Vec<_> = inputs.iter().map(PathBuf::as_path).collect();
    args.out.destination(&inputs)?.map(|to| to.no_wider_than(&inputs)).transpose()
}

/// One of the files that are merged, read once: a pipe gives nothing the second time.
struct Input {
    name: String,
    bytes: Vec<u8>,
}

impl Input {
    /// What it holds, and nothing where that is no text: a user-data may be packed.
    fn text(&self) -> &str {
        str::from_utf8(&self.bytes).unwrap_or_default()
    }

    fn layer(&self) -> Result<Layer, Error> {
        let text = encoding::decode(&visible(&self.name), self.bytes.clone(), encoding::LIMIT)?;
        Ok(Layer { name: self.name.clone(), text })
    }
}

fn read_all(args: &Merge) -> Result<Vec<Input>, Error> {
    args.files.iter().map(|path| Ok(Input { name: name(path), bytes: read_bytes(path)? })).collect()
}

/// Options that mean something to one system only, and whether they are given.
fn foreign(args: &Merge) -> Option<(&'static str, &'static str)> {
    let all = [
        ("--entry", "cloud-init", args.entry != cloud_init::Entry::Parts),
        ("--header", "cloud-init", !args.header.is_empty()),
        ("--include-root", "cloud-init", args.include_root.is_some()),
        ("--types", "heat", args.types.is_some()),
        ("--template", "heat", !args.template.is_empty()),
        ("--params", "heat", args.params.is_some()),
        ("--options", "datum", args.options.is_some()),
        ("--key", "datum", args.key.is_some()),
    ];
    all.into_iter()
        .find(|&(_, system, given)| given && args.rules != system)
        .map(|(option, system, _)| (option, system))
}

fn refuse_what_means_nothing(args: &Merge) -> Result<(), Error> {
    if let Some((option, system)) = foreign(args) {
        return Err(Error::input(format!("{option} means something with --rules {system} only")));
    }
    if args.held_to.as_shipped && !SYSTEMS.contains(&args.rules.as_str()) {
        return Err(Error::input("--as-shipped means something with the rules of a system only"));
    }
    if inputs(args).iter().filter(|path| is_stdin(path)).count() > 1 {
        return Err(Error::input("only one file can be standard input"));
    }
    Ok(())
}

/// All files that are read because they are named.
fn inputs(args: &Merge) -> Vec<PathBuf> {
    let rules = (!SYSTEMS.contains(&args.rules.as_str())).then(|| PathBuf::from(&args.rules));
    let others = [&args.types, &args.params, &args.options, &rules].into_iter().flatten().cloned();
    [&args.files[..], &args.template[..]].concat().into_iter().chain(others).collect()
}

/// Merges the files; what they include besides is added to `included`.
fn merged(args: &Merge, files: &[Input], included: &RefCell<Vec<PathBuf>>) -> Result<Merged, Error> {
    let layers = || files.iter().map(Input::layer).collect::<Result<Vec<_>, _>>();
    match args.rules.as_str() {
        "cloud-init" => cloud_init(args, files, included),
        "heat" => {
            let options = heat::Options {
                reading: args.held_to.reading(),
                types: args.types.as_deref().map(read_layer).transpose()?,
                templates: args.template.iter().map(|path| read_layer(path)).collect::<Result<_, _>>()?,
                params: args.params.as_deref().map(read_layer).transpose()?,
            };
            heat::merge(&layers()?, &options)
        }
        "datum" => {
            let options = datum::Options {
                reading: args.held_to.reading(),
                strategies: args.options.as_deref().map(read_layer).transpose()?,
                key: args.key.clone(),
            };
            datum::merge(&layers()?, &options)
        }
        rules => own::merge(&layers()?, &own_rules(rules)?),
    }
}

fn cloud_init(args: &Merge, files: &[Input], included: &RefCell<Vec<PathBuf>>) -> Result<Merged, Error> {
    let open = args.include_root.as_deref().map(|root| below(root, included));
    let options = cloud_init::Options {
        reading: args.held_to.reading(),
        entry: args.entry,
        headers: args.header.iter().map(|header| cloud_init::Header::read(header)).collect::<Result<_, _>>()?,
        open: open.as_ref().map(|open| open as &cloud_init::Open<'_>),
        purpose: cloud_init::Purpose::Merge,
    };
    cloud_init::merge(files.iter().map(|file| (file.name.clone(), file.bytes.clone())).collect(), &options)
}

/// Reads files below a directory only, and remembers which.
pub(super) fn below(root: &Path, included: &RefCell<Vec<PathBuf>>) -> impl Fn(&Path) -> Result<Vec<u8>, Error> {
    move |path| {
        included.borrow_mut().push(path.to_owned());
        files::read_beneath(root, path, encoding::LIMIT)
    }
}

/// What is no system is a file.
fn own_rules(rules: &str) -> Result<Layer, Error> {
    read_layer(Path::new(rules)).map_err(|error| {
        let known = nearest(rules, &SYSTEMS);
        error.help(format!("--rules names a system or a file with rules of your own; {known}"))
    })
}

fn explained(args: &Merge, merged: &Merged, mut secrets: Secrets) -> Result<String, Error> {
    secrets.learn(&merged.text);
    let supplied = merged.supplied(&secrets);
    match args.format {
        Format::Text => Ok(explained_text(&supplied)),
        Format::Json => output::json(&supplied),
    }
}

fn difference(first: Option<&Input>, merged: &Merged, mut secrets: Secrets) -> String {
    let Some(first) = first else { return String::new() };
    let texts = [first.text(), &merged.text];
    let [before, after] = texts.map(|text| secrets.mask_text(text));
    let marked = Masked { texts, masked: [&before, &after] }.after();
    secrets.mask_known(&output::diff_between(&first.name, "merged", &before, &marked))
}
