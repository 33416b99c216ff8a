//! `yamlift layer`: the documents of Deckhand, rendered.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args as ClapArgs;

use super::common::{Common, Format, ReadingArgs};
use super::destination::{self, OutputArgs};
use super::input::is_stdin;
use super::layer_files::{self, Input};
use super::output::{self, Masked};
use super::progress::Progress;
use super::secret_args::SecretArgs;
use crate::layers::deckhand::{self, Options, Outcome, Schemas, Set, Shown};
use crate::layers::values::Layer;
use crate::text::error::Error;
use crate::upgrade::unmatched;

const EXAMPLES: &str = "\
Examples:
  All documents that a site finally gets:
      yamlift layer site/
  One of them, and where each of its values comes from:
      yamlift layer site/ --only pegleg/Chart/v1/nova
      yamlift layer site/ --only pegleg/Chart/v1/nova --explain
  Who inherits from whom:
      yamlift layer site/ --tree
  What a change in a parent does to every site:
      yamlift layer changed/ --diff before/
  A site of a repository as pegleg has it: of global, of its type, and its own:
      yamlift layer repository/ --site east --explain

Exit status:
  0  done
  2  something is wrong with the documents, the options or the system: nothing was written
  4  the result did not pass verification: nothing was written, please report it
  5  FILE was written, but the disk does not say that all is on it";

#[derive(Debug, ClapArgs)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct LayerArgs {
    /// Files with documents, and directories: every .yml and .yaml below; `-` reads standard input
    #[arg(value_name = "FILE|DIRECTORY", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Take the documents of this site: those below global, type/TYPE and site/NAME, as its site-definition.yaml says.
    /// DIRECTORY is the repository that has it; others behind it are repositories that it takes from, too
    #[arg(long, value_name = "NAME")]
    pub(crate) site: Option<String>,

    #[command(flatten)]
    pub(crate) rendering: RenderingArgs,

    /// Write only the documents with this schema; with a name, only the one that has it
    #[arg(long, value_name = "SCHEMA[/NAME]", help_heading = "What to write")]
    pub(crate) only: Vec<String>,

    #[command(flatten)]
    pub(crate) out: OutputArgs,

    /// Write where each value comes from, and what put it there, instead of the documents
    #[arg(long, help_heading = "What to write", conflicts_with_all = ["tree", "diff"])]
    pub(crate) explain: bool,

    /// Write who inherits from whom instead of the documents
    #[arg(long, help_heading = "What to write", conflicts_with = "diff")]
    pub(crate) tree: bool,

    /// Write how the documents differ from those of another directory, which is the state before
    #[arg(long, value_name = "OTHER_DIR", help_heading = "What to write")]
    pub(crate) diff: Option<PathBuf>,

    /// Write the documents without their secrets: a hash stands for the data of each that is encrypted, or holds a value
    /// of one that is
    #[arg(long, help_heading = "What to write", conflicts_with_all = ["explain", "tree", "diff"])]
    pub(crate) redact: bool,

    /// Choose the form of what is printed; as JSON the documents are a text in it, unless -o names a file
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "What to write")]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) secrets: SecretArgs,

    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RenderingArgs {
    #[command(flatten)]
    pub(crate) held_to: ReadingArgs,

    /// Pass over substitutions whose source is not there
    #[arg(long)]
    pub(crate) allow_missing_substitutions: bool,

    /// Do not hold the data of documents to the schemas in `deckhand/DataSchema` documents
    #[arg(long)]
    pub(crate) ignore_schemas: bool,
}

impl RenderingArgs {
    fn options<'o>(&self, progress: &'o dyn Fn(usize, usize)) -> Options<'o> {
        Options {
            reading: self.held_to.reading(),
            allow_missing: self.allow_missing_substitutions,
            schemas: if self.ignore_schemas { Schemas::Ignore } else { Schemas::Hold },
            progress,
        }
    }
}

/// Renders the documents, tells all that is wrong with them, and writes what was asked for.
pub(crate) fn layer(args: &LayerArgs) -> Result<ExitCode, Error> {
    let progress = Progress::new(!args.common.quiet);
    let before = args.diff.as_ref().map(|other| before(args, other));
    let read = |paths: &[PathBuf]| layer_files::read(paths, args.site.as_deref());
    let (files, others) = (read(&args.files), before.as_deref().map(read).transpose());
    let (files, others) = match (files, others) {
        (Ok(files), Ok(others)) => (told(args, files), others.map(|others| told(args, others))),
        (files, others) => {
            let errors = files.err().into_iter().chain(others.err()).flatten().collect::<Vec<_>>();
            return refused(args, &errors);
        }
    };
    let layers = files.iter().chain(others.iter().flatten()).map(|layer| Path::new(&layer.name));
    let inputs: Vec<_> = layers.chain(args.files.iter().map(PathBuf::as_path).filter(|file| is_stdin(file))).collect();
    let to = args.out.destination(&inputs)?.map(|to| to.no_wider_than(&inputs)).transpose()?;
    if !args.common.quiet {
        warn_of_unmatched(args, || files.iter().chain(others.iter().flatten()).map(|file| file.text.as_str()));
    }
    let before = others.as_ref().map(|others| outcome(args, &progress, others)).transpose()?;
    let Rendered { set, warnings, errors } = outcome(args, &progress, &files)?;
    let (before, wrong) = match before {
        None => (None, errors),
        Some(before) => (before.set, before.errors.into_iter().chain(errors).collect()),
    };
    let Some(set) = set.filter(|_| wrong.is_empty()) else { return refused(args, &wrong) };
    let set = if args.redact { set.redacted() } else { set };
    let text = progress.writing(|| match &before {
        Some(before) => difference(args, before, &set),
        None => wanted(args, &set),
    })?;
    let is_data = args.format == Format::Json && !args.explain;
    match &before {
        Some(_) if is_data => destination::put_as_data(to.as_ref(), "compared", &text, &warnings)?,
        None if is_data => destination::put_as_data(to.as_ref(), "rendered", &text, &warnings)?,
        Some(_) => destination::put_diff(to.as_ref(), &text)?,
        None => destination::put(to.as_ref(), &text)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What is read for the state before: of a site the repositories that it takes from besides its own are the same.
fn before(args: &LayerArgs, other: &Path) -> Vec<PathBuf> {
    let others = args.files.iter().skip(1).filter(|_| args.site.is_some());
    std::iter::once(other.to_owned()).chain(others.cloned()).collect()
}

/// The files that were read, when it was told what was left out.
fn told(args: &LayerArgs, input: Input) -> Vec<Layer> {
    if !args.common.quiet {
        input.warnings.iter().for_each(|warning| output::warning(warning));
    }
    input.layers
}

/// Warns of secret paths that name nothing in any of these texts.
fn warn_of_unmatched<'t, T: Iterator<Item = &'t str>>(args: &LayerArgs, texts: impl Fn() -> T) {
    for warning in &unmatched::of_secrets_of_documents(&args.secrets.secret, texts) {
        output::warning(warning);
    }
}

/// Tells all that is wrong.
fn refused(args: &LayerArgs, errors: &[Error]) -> Result<ExitCode, Error> {
    errors.iter().for_each(output::error);
    if args.format == Format::Json {
        let all: Vec<_> = errors.iter().map(Error::data).collect();
        output::print(&mut std::io::stdout(), &output::json(&output::all_refused(&all))?)?;
    }
    Ok(ExitCode::from(2))
}

/// Documents, and what is said about them without secrets.
struct Rendered<'a> {
    /// Nothing where something is wrong.
    set: Option<Set<'a>>,
    warnings: Vec<String>,
    errors: Vec<Error>,
}

fn outcome<'a>(args: &LayerArgs, progress: &Progress, files: &'a [Layer]) -> Result<Rendered<'a>, Error> {
    let step = |done, all| progress.step(done, all);
    let options = args.rendering.options(&step);
    let Outcome { result, errors, warnings, secrets: texts } =
        if args.tree { deckhand::related(files, &options) } else { deckhand::render(files, &options) };
    progress.clear();
    let mut secrets = args.secrets.secrets()?;
    if secrets.by_name() {
        for text in &texts {
            secrets.learn_value(text);
        }
    }
    result.iter().filter(|_| !warnings.is_empty()).for_each(|set| set.teach(&mut secrets));
    let warnings: Vec<_> = warnings.iter().map(|warning| secrets.mask_words(warning)).collect();
    if !args.common.quiet {
        for warning in &warnings {
            output::warning(warning);
        }
    }
    let errors =
        errors.into_iter().map(|error| args.secrets.hide_in(error.with_words(|text| secrets.mask_known(text))));
    Ok(Rendered { set: result, warnings, errors: errors.collect() })
}

fn wanted(args: &LayerArgs, set: &Set<'_>) -> Result<String, Error> {
    if args.tree {
        return Ok(set.tree(&args.only));
    }
    let chosen = set.chosen(&args.only)?;
    if !args.explain {
        return set.text(&chosen);
    }
    let mut secrets = args.secrets.secrets()?;
    set.teach(&mut secrets);
    let told = set.explained(&chosen, &secrets);
    match args.format {
        Format::Text => Ok(deckhand::lines(&told)),
        Format::Json => output::json(&told),
    }
}

/// How the documents of two sets differ, one after the other.
fn difference(args: &LayerArgs, before: &Set<'_>, after: &Set<'_>) -> Result<String, Error> {
    let mut secrets = args.secrets.secrets()?;
    for set in [before, after] {
        set.teach(&mut secrets);
    }
    let mut texts = |set: &Set<'_>| set.texts(&set.chosen(&args.only).unwrap_or_default(), &mut secrets);
    if let (Err(error), Err(_)) = (before.chosen(&args.only), after.chosen(&args.only)) {
        return Err(error);
    }
    let (old, new) = (texts(before)?, texts(after)?);
    let [olds, news] = [&old, &new].map(|all| all.iter().map(|shown| (&shown.title, shown)).collect::<HashMap<_, _>>());
    let (mut told, none) = (BTreeSet::new(), Shown::default());
    let mut out = String::new();
    for title in new.iter().chain(&old).map(|shown| &shown.title).filter(|title| told.insert(*title)) {
        let [before, after] = [&olds, &news].map(|all| all.get(title).copied().unwrap_or(&none));
        let both = Masked { texts: [&before.text, &after.text], masked: [&before.masked, &after.masked] };
        if before.text != after.text {
            out += &secrets.mask_known(&output::diff_between(title, title, &before.masked, &both.after()));
        }
    }
    Ok(out)
}
