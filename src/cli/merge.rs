//! `yamlift merge`: layers joined by the rules of a system.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use clap::builder::{OsStringValueParser, TypedValueParser as _};

use super::common::{Common, Format, ReadingArgs};
use super::destination::{self, Destination, OutputArgs};
use super::input::{Input, is_stdin, name, read_layer};
use super::merge_heat::{self, Compared};
use super::output::{self, Masked};
use super::secret_args::SecretArgs;
use crate::files;
use crate::layers::values::{Layer, Merged, explained as explained_text};
use crate::layers::{cloud_init, datum, heat, own};
use crate::report::secrets::Secrets;
use crate::text::encoding;
use crate::text::error::{Error, nearest};

const EXAMPLES: &str = "\
Examples:
  What cloud-init makes of the parts of a user-data:
      yamlift merge --rules cloud-init base.yml site.yml
  What its configuration directory comes to:
      yamlift merge --rules cloud-init --entry conf-d cloud.cfg cloud.cfg.d/*.cfg
  Heat environments, with the types that the templates declare:
      yamlift merge --rules heat --template stack.yml one.yml two.yml
  What a change in a directory of Heat environments does:
      yamlift merge --rules heat environments/ --diff=before/
  One key of Datum's layers, the most specific first:
      yamlift merge --rules datum --options Datum.yml --key Packages node.yml role.yml baseline.yml
  Helm values, Compose files, Spring profiles, Hiera data, or any files of which later ones are on top:
      yamlift merge --rules helm chart/values.yaml site.yaml
      yamlift merge --rules compose compose.yaml compose.override.yaml
      yamlift merge --rules overlay defaults.yml site.yml --lists append
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
    /// The layers, in the order in which the rules take them; `-` reads standard input, and for heat a directory stands for
    /// the .yaml files in it
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Merge by the rules of cloud-init, heat or datum, by the preset overlay, helm, compose, spring or hiera, or by those
    /// in a file of your own
    #[arg(long, value_name = "NAME|FILE")]
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

    /// Read the parameters that the template FILE declares, or all templates below a directory; of several the last one
    /// counts
    #[arg(long, value_name = "FILE|DIR", help_heading = "Heat")]
    pub(crate) template: Vec<PathBuf>,

    /// Merge the others into FILE, the environment that the request itself carries
    #[arg(long, value_name = "FILE", help_heading = "Heat")]
    pub(crate) params: Option<PathBuf>,

    /// Write file:// URLs in the registry, in the place of paths seen from where the result is
    #[arg(long, help_heading = "Heat")]
    pub(crate) absolute: bool,

    /// Read `lookup_options` and `default_lookup_options` from FILE
    #[arg(long, value_name = "FILE", help_heading = "Datum")]
    pub(crate) options: Option<PathBuf>,

    /// Look up PATH; without one every key at the top is looked up
    #[arg(long, value_name = "PATH", help_heading = "Datum")]
    pub(crate) key: Option<String>,

    /// Let this be done with lists, whatever the preset or file says: a word such as append, unique or replace, or
    /// PATH=WORD
    #[arg(long, value_name = "[PATH=]WORD", help_heading = "Presets and rules of your own")]
    pub(crate) lists: Vec<String>,

    /// Let the documents for the profile NAME count; ONE,TWO names two
    #[arg(long, value_name = "NAME", help_heading = "Presets and rules of your own")]
    pub(crate) profile: Vec<String>,

    #[command(flatten)]
    pub(crate) out: OutputArgs,

    /// Write who supplied each value, and by which rule, instead of the result
    #[arg(long, help_heading = "What to write", conflicts_with = "diff")]
    pub(crate) explain: bool,

    /// Write how the result differs from the first file instead of the result; for heat also from what another FILE or
    /// directory of environments comes to, which is the state before
    #[arg(
        long,
        value_name = "OTHER",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        value_parser = OsStringValueParser::new().map(Compared::read),
        help_heading = "What to write"
    )]
    pub(crate) diff: Option<Compared>,

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
    refuse_what_means_nothing(args)?;
    let named = Named::of(args)?;
    let paths = named.all(args);
    let to = destination(args, &paths)?;
    let state = State::of(args, &named, [&named.files; 2])?;
    let before = args.diff.as_ref().map(|other| before(args, &named, &state, other)).transpose()?;
    let to = match &state.included[..] {
        [] => to,
        included => destination(args, &[&paths, included].concat())?,
    };
    let mut secrets = args.secrets.secrets()?;
    let warnings = warnings(args, &state, &mut secrets);
    let text = match &before {
        _ if args.explain => explained(args, &state.merged, secrets)?,
        Some((name, before)) => difference(name, [before, &state.merged.text], secrets),
        None => state.merged.text,
    };
    if args.format == Format::Json && !args.explain {
        let status = if before.is_some() { "compared" } else { "merged" };
        destination::put_as_data(to.as_ref(), status, &text, &warnings)
    } else if before.is_some() && !args.explain {
        destination::put_diff(to.as_ref(), &text)
    } else {
        destination::put(to.as_ref(), &text)
    }
}

/// The files that are read, those of directories among them.
struct Named {
    files: Vec<PathBuf>,
    /// The state before that the result is compared with.
    before: Vec<PathBuf>,
    templates: Vec<(PathBuf, Layer)>,
}

impl Named {
    fn of(args: &Merge) -> Result<Self, Error> {
        let other: Vec<_> = args.diff.iter().filter_map(Compared::other).cloned().collect();
        if args.rules != "heat" {
            return Ok(Self { files: args.files.clone(), before: other, templates: Vec::new() });
        }
        Ok(Self {
            files: merge_heat::environments(&args.files)?,
            before: merge_heat::environments(&other)?,
            templates: merge_heat::templates(&args.template)?,
        })
    }

    /// All files that are read because they are named, or in a directory that is.
    fn all(&self, args: &Merge) -> Vec<PathBuf> {
        let templates: Vec<_> = self.templates.iter().map(|(path, _)| path.clone()).collect();
        [&self.files[..], &self.before, &templates, &others(args)].concat()
    }
}

/// What files come to.
struct State {
    files: Vec<Input>,
    merged: Merged,
    /// What the files include besides.
    included: Vec<PathBuf>,
}

impl State {
    /// `places` are the paths that the files are taken to be at.
    fn of(args: &Merge, named: &Named, [paths, places]: [&[PathBuf]; 2]) -> Result<Self, Error> {
        let files = paths.iter().map(|path| Input::read(path)).collect::<Result<Vec<_>, _>>()?;
        let included = RefCell::default();
        let merged = merged(args, (named, places), &files, &included)?;
        Ok(Self { files, merged, included: included.into_inner() })
    }
}

/// What the result is compared with, and its name: the first file, or what the state before comes to.
fn before(args: &Merge, named: &Named, state: &State, other: &Compared) -> Result<(String, String), Error> {
    match other {
        Compared::FirstFile => {
            Ok(state.files.first().map_or_else(Default::default, |file| (file.name.clone(), file.text().to_owned())))
        }
        Compared::Other(other) => {
            // It stands where the files do, so that a path differs only where it leads elsewhere.
            let place = args.files.first().map(|file| if file.is_dir() { file.join("-") } else { file.clone() });
            let places: Vec<_> = place.into_iter().cycle().take(named.before.len()).collect();
            Ok((name(other), State::of(args, named, [&named.before, &places])?.merged.text))
        }
    }
}

/// Tells what was passed over, and gives it back.
fn warnings(args: &Merge, state: &State, secrets: &mut Secrets) -> Vec<String> {
    if args.common.quiet {
        return Vec::new();
    }
    secrets.learn(&state.merged.text);
    let texts = state.files.iter().map(Input::text).chain([state.merged.text.as_str()]);
    args.secrets.warn_of_unmatched(texts);
    let warnings: Vec<_> = state.merged.warnings.iter().map(|warning| secrets.mask_words(warning)).collect();
    for warning in &warnings {
        output::warning(warning);
    }
    warnings
}

/// Where the result goes, which is none of these files and is readable to nobody who cannot read them all.
fn destination(args: &Merge, inputs: &[PathBuf]) -> Result<Option<Destination>, Error> {
    let inputs: Vec<_> = inputs.iter().map(PathBuf::as_path).collect();
    args.out.destination(&inputs)?.map(|to| to.no_wider_than(&inputs)).transpose()
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
        ("--absolute", "heat", args.absolute),
        ("--diff=OTHER", "heat", args.diff.as_ref().and_then(Compared::other).is_some()),
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
    let is_system = SYSTEMS.contains(&args.rules.as_str());
    if is_system && !(args.lists.is_empty() && args.profile.is_empty()) {
        let option = if args.lists.is_empty() { "--profile" } else { "--lists" };
        return Err(Error::input(format!("{option} means nothing with --rules {}", args.rules)));
    }
    if args.held_to.as_shipped && !is_system {
        return Err(Error::input("--as-shipped means something with the rules of a system only"));
    }
    let others = others(args);
    let other: Vec<_> = args.diff.iter().filter_map(Compared::other).cloned().collect();
    // For a comparison these are read twice.
    let read_once = if other.is_empty() { &[][..] } else { &others };
    let named = [&args.files[..], &args.template, &other, &others, read_once].concat();
    if named.iter().filter(|path| is_stdin(path)).count() > 1 {
        return Err(Error::input("only one file can be standard input, and it is read once"));
    }
    Ok(())
}

/// The files that are named besides layers and templates.
fn others(args: &Merge) -> Vec<PathBuf> {
    let is_file = !SYSTEMS.contains(&args.rules.as_str()) && own::preset(&args.rules).is_none();
    let rules = is_file.then(|| PathBuf::from(&args.rules));
    [&args.types, &args.params, &args.options, &rules].into_iter().flatten().cloned().collect()
}

/// Merges the files; what they include besides is added to `included`.
fn merged(
    args: &Merge,
    (named, places): (&Named, &[PathBuf]),
    files: &[Input],
    included: &RefCell<Vec<PathBuf>>,
) -> Result<Merged, Error> {
    let layers = || files.iter().map(Input::layer).collect::<Result<Vec<_>, _>>();
    match args.rules.as_str() {
        "cloud-init" => cloud_init(args, files, included),
        "heat" => heat::merge(&layers()?, &heat_options(args, named, places)?),
        "datum" => {
            let options = datum::Options {
                reading: args.held_to.reading(),
                strategies: args.options.as_deref().map(read_layer).transpose()?,
                key: args.key.clone(),
            };
            datum::merge(&layers()?, &options)
        }
        rules => {
            let given = own::Given { lists: args.lists.clone(), profiles: args.profile.clone() };
            own::merge(&layers()?, &own_rules(rules)?, &given)
        }
    }
}

/// What Heat is told besides the environments.
fn heat_options(args: &Merge, named: &Named, places: &[PathBuf]) -> Result<heat::Options, Error> {
    let environments: Vec<_> = args.params.iter().chain(places).cloned().collect();
    Ok(heat::Options {
        reading: args.held_to.reading(),
        types: args.types.as_deref().map(read_layer).transpose()?,
        templates: named.templates.iter().map(|(_, template)| template.clone()).collect(),
        params: args.params.as_deref().map(read_layer).transpose()?,
        places: Some(heat::Places {
            are_urls: args.absolute,
            ..merge_heat::places(&environments, args.out.output.as_deref())?
        }),
    })
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

/// What is no system is a preset or a file.
fn own_rules(rules: &str) -> Result<Layer, Error> {
    if let Some(text) = own::preset(rules) {
        return Ok(Layer { name: rules.to_owned(), text: text.to_owned() });
    }
    read_layer(Path::new(rules)).map_err(|error| {
        let names: Vec<_> = SYSTEMS.into_iter().chain(own::presets()).collect();
        let known = nearest(rules, &names);
        error.help(format!("--rules names a system, a preset or a file with rules of your own; {known}"))
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

fn difference(name: &str, texts: [&str; 2], mut secrets: Secrets) -> String {
    for text in texts {
        secrets.learn(text);
    }
    let [before, after] = texts.map(|text| secrets.mask_text(text));
    let marked = Masked { texts, masked: [&before, &after] }.after();
    secrets.mask_known(&output::diff_between(name, "merged", &before, &marked))
}
