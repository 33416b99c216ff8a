//! `yamlift datum`: the whole configuration of a node, or of all nodes of a repository.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use super::common::{Common, Format, ReadingArgs};
use super::datum_files;
use super::datum_output::{self, Form, Site};
use super::destination::{self, OutputArgs};
use super::input::read_layer;
use super::output;
use super::secret_args::SecretArgs;
use crate::layers::datum::{Answer, Asked, Definition, Node, Repository, Resolved, Supplied};
use crate::layers::values::Layer;
use crate::report::secrets::Secrets;
use crate::text::error::{Error, visible};

const EXAMPLES: &str = "\
Examples:
  The whole configuration of a node:
      yamlift datum DscConfigData --node web01
  Where each of its values comes from, and which layers it has:
      yamlift datum DscConfigData --node web01 --explain
  One lookup at all nodes:
      yamlift datum DscConfigData --all --key 'NetworkSettings\\Gateway'
  What a change does to every node:
      yamlift datum changed/ --diff before/
  With what expressions and encrypted texts come to:
      yamlift datum DscConfigData --node web01 --values known.yml

Exit status:
  0  done
  2  usage, input, or the system: nothing was written
  4  the result did not pass verification: nothing was written, please report it
  5  FILE was written, but the disk does not say that all is on it";

#[derive(Debug, ClapArgs)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Datum {
    /// The directory with Datum.yml, or such a file
    #[arg(value_name = "ROOT")]
    pub(crate) root: PathBuf,

    /// Take the node with this name; where several have it, with its folders, as in north/web01
    #[arg(long, value_name = "NAME")]
    pub(crate) node: Vec<String>,

    /// Take all nodes; --diff does that where no node is named
    #[arg(long, conflicts_with = "node")]
    pub(crate) all: bool,

    /// Look up PATH; without one the whole configuration is shown
    #[arg(long, value_name = "PATH")]
    pub(crate) key: Option<String>,

    /// Read what expressions and encrypted texts come to from FILE, a map from them to their values
    #[arg(long, value_name = "FILE")]
    pub(crate) values: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) held_to: ReadingArgs,

    #[command(flatten)]
    pub(crate) out: OutputArgs,

    /// Write which layers each node has, and who supplied each value, instead of the configurations
    #[arg(long, help_heading = "What to write", conflicts_with = "diff")]
    pub(crate) explain: bool,

    /// Write how the configurations differ from those of another directory, which is the state before
    #[arg(long, value_name = "OTHER_ROOT", help_heading = "What to write")]
    pub(crate) diff: Option<PathBuf>,

    /// Choose the form of what is printed
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "What to write")]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) secrets: SecretArgs,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// Resolves the nodes, tells what was passed over, and writes what was asked for.
pub(crate) fn datum(args: &Datum) -> Result<(), Error> {
    let values = args.values.as_deref().map(read_layer).transpose()?;
    let before = args.diff.as_ref().map(|root| site(args, root, values.as_ref())).transpose()?;
    let after = site(args, &args.root, values.as_ref())?;
    refuse_nothing(args, before.as_ref(), &after)?;
    let sites = || before.iter().chain([&after]);
    let inputs: Vec<_> = sites().flat_map(|site| &site.inputs).chain(&args.values).map(PathBuf::as_path).collect();
    let to = args.out.destination(&inputs)?.map(|to| to.no_wider_than(&inputs)).transpose()?;
    let mut secrets = args.secrets.secrets()?;
    sites().for_each(|site| site.teach(&mut secrets));
    let warnings = warnings(args, sites(), &secrets);
    let form = Form { format: args.format, explain: args.explain, is_coloured: args.out.output.is_none() };
    let text = match &before {
        Some(before) => datum_output::differences(form, [before, &after], &secrets, &warnings)?,
        None => datum_output::configurations(form, &after, &secrets, &warnings)?,
    };
    destination::put(to.as_ref(), &text)
}

/// Tells what was passed over, each once, and gives it back.
fn warnings<'s>(args: &Datum, sites: impl Iterator<Item = &'s Site>, secrets: &Secrets) -> Vec<String> {
    let mut told = HashSet::new();
    let all = sites.flat_map(|site| &site.warnings).filter(|warning| told.insert(*warning));
    let warnings: Vec<_> = all.map(|warning| secrets.mask_words(warning)).collect();
    if !args.common.quiet {
        for warning in &warnings {
            output::warning(warning);
        }
    }
    warnings
}

/// A lookup that no node answers.
fn refuse_nothing(args: &Datum, before: Option<&Site>, after: &Site) -> Result<(), Error> {
    let is_empty = |site: &Site| site.nodes.is_empty();
    match &after.absent {
        Some(absent) if is_empty(after) && before.is_none_or(is_empty) => Err(absent.clone()),
        _ if before.is_some() || !is_empty(after) => Ok(()),
        _ => Err(Error::input(format!("there is no node below `{}`", visible(&args.root.display().to_string())))),
    }
}

/// The nodes of a repository that are asked for, resolved.
fn site(args: &Datum, root: &Path, values: Option<&Layer>) -> Result<Site, Error> {
    let (root, file) = datum_files::definition(root)?;
    let definition = Definition::read(&file, args.held_to.reading())?;
    let (files, mut inputs) = datum_files::files(&root, &definition)?;
    inputs.push(PathBuf::from(&file.name));
    let mut repository = Repository::new(&definition, &files);
    let nodes = repository.nodes()?;
    let mut site = Site { inputs, ..Site::default() };
    if let Some(values) = values {
        let names: Vec<_> = nodes.iter().map(|node| node.name.as_str()).collect();
        let supplied = Supplied::read(values, &names)?;
        site.secrets = supplied.secrets();
        repository.supply(supplied);
    }
    let asked = Asked { key: args.key.as_deref(), with_suppliers: args.explain };
    for planned in repository.plan(wanted(args, &repository, nodes)?, &asked)? {
        let node = planned.node.clone();
        match repository.resolve(planned, &asked)? {
            Answer::Resolved(resolved) => site.add(&node, repository.file(&node), *resolved),
            Answer::Absent(error) => site.add_absent(&node, error),
        }
    }
    site.warnings.splice(0..0, repository.warnings());
    site.budget = repository.into_budget();
    Ok(site)
}

/// The nodes that are named, or all; of two repositories one may lack a node that the other has.
fn wanted(args: &Datum, repository: &Repository<'_>, nodes: Vec<Node>) -> Result<Vec<Node>, Error> {
    if args.all || args.diff.is_some() && args.node.is_empty() {
        return Ok(nodes);
    }
    if args.node.is_empty() {
        let names: Vec<_> = nodes.iter().take(10).map(|node| visible(&node.name)).collect();
        let more = if nodes.len() > names.len() { ", …" } else { "" };
        let help = format!("name one with --node, or take --all; there are {}{more}", names.join(", "));
        return Err(Error::input("no node is named").help(help));
    }
    args.node.iter().map(|name| repository.node(name)).collect()
}

impl Site {
    fn add(&mut self, node: &Node, file: &Layer, resolved: Resolved) {
        let Resolved { mut merged, layers } = resolved;
        self.warnings.append(&mut merged.warnings);
        self.nodes.push(datum_output::Shown {
            node: node.name.clone(),
            id: node.id.clone(),
            file: file.name.clone(),
            layers,
            merged,
        });
    }

    fn add_absent(&mut self, node: &Node, error: Error) {
        self.warnings.push(format!("{}: {}", visible(&node.name), error.what()));
        self.absent.get_or_insert(error);
    }
}
