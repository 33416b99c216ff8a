//! What `yamlift datum` writes: configurations, where their values come from, and what a change does to them.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Serialize;

use super::common::Format;
use super::output;
use crate::layers::datum::Tried;
use crate::layers::values::{Merged, Supplied, explained};
use crate::report::Difference;
use crate::report::difference;
use crate::report::secrets::Secrets;
use crate::text::budget::Budget;
use crate::text::error::{Error, visible};
use crate::upgrade::differences;

/// How many copies of a difference there are until it is written: its own, one without secrets, and what is printed.
const COPIES: usize = 4;

/// How long the start of a document is besides the name of its node.
const OF_A_START: usize = 16;

/// In which form something is written.
#[derive(Clone, Copy)]
pub(super) struct Form {
    pub(super) format: Format,
    /// Whether it is told who supplied each value, in the place of the configurations.
    pub(super) explain: bool,
    pub(super) is_coloured: bool,
}

/// The nodes of a repository that were asked for.
#[derive(Default)]
pub(super) struct Site {
    pub(super) nodes: Vec<Shown>,
    pub(super) warnings: Vec<String>,
    /// Why a node has not what was looked up.
    pub(super) absent: Option<Error>,
    /// Texts that are never shown but in a configuration itself.
    pub(super) secrets: Vec<String>,
    /// All files that were read.
    pub(super) inputs: Vec<PathBuf>,
    /// What may still be made of them.
    pub(super) budget: Budget,
}

/// A node with its configuration.
pub(super) struct Shown {
    pub(super) node: String,
    /// Its name with the folders of its file.
    pub(super) id: String,
    /// The file of the node.
    pub(super) file: String,
    pub(super) layers: Vec<Tried>,
    pub(super) merged: Merged,
}

impl Site {
    /// Tells what is secret in these configurations.
    pub(super) fn teach(&self, secrets: &mut Secrets) {
        self.secrets.iter().for_each(|text| secrets.learn_value(text));
        self.nodes.iter().for_each(|shown| secrets.learn(&shown.merged.text));
    }
}

/// What is printed for programs.
#[derive(Serialize)]
struct Data<'d, N> {
    schema: u8,
    /// `resolved`, or `compared` where it is told what a change does.
    status: &'d str,
    nodes: Vec<N>,
    warnings: &'d [String],
}

#[derive(Serialize)]
struct NodeData<'d> {
    node: &'d str,
    file: &'d str,
    layers: &'d [Tried],
    /// The configuration, or what was looked up.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'d str>,
    /// Who supplied each value, with `--explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<Supplied>>,
}

/// The configurations, or with `--explain` where their values come from.
pub(super) fn configurations(form: Form, site: &Site, secrets: &Secrets, warnings: &[String]) -> Result<String, Error> {
    match (form.format, form.explain) {
        (Format::Json, _) => {
            let nodes = site.nodes.iter().map(|shown| data(form, shown, secrets)).collect();
            output::json(&Data { schema: 1, status: "resolved", nodes, warnings })
        }
        (Format::Text, true) => {
            Ok(site.nodes.iter().map(|shown| provenance(shown, secrets)).collect::<Vec<_>>().join("\n"))
        }
        (Format::Text, false) => Ok(documents(&site.nodes)),
    }
}

fn data<'s>(form: Form, shown: &'s Shown, secrets: &Secrets) -> NodeData<'s> {
    let values = form.explain.then(|| supplied(shown, secrets));
    let text = (!form.explain).then_some(shown.merged.text.as_str());
    NodeData { node: &shown.node, file: &shown.file, layers: &shown.layers, text, values }
}

/// One configuration as it is; several as documents, each with the name of its node.
fn documents(nodes: &[Shown]) -> String {
    if let [only] = nodes {
        return only.merged.text.clone();
    }
    let of_one = |shown: &Shown| shown.merged.text.len() + shown.node.len() + OF_A_START;
    let mut out = String::with_capacity(nodes.iter().map(of_one).sum());
    for shown in nodes {
        let (text, name) = (&shown.merged.text, visible(&shown.node));
        let starts = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
        let start = match starts {
            Some(line) if line.starts_with('%') && !out.is_empty() => format!("...\n# {name}\n"),
            Some(line) if line.starts_with('%') || line.starts_with("---") => format!("# {name}\n"),
            _ => format!("--- # {name}\n"),
        };
        out += &start;
        out += text;
        if !out.ends_with('\n') {
            out.push('\n');
        }
    }
    out
}

/// Who supplied each value of a node, without secrets.
fn supplied(shown: &Shown, secrets: &Secrets) -> Vec<Supplied> {
    let mut all = shown.merged.supplied(secrets);
    for one in &mut all {
        one.value = secrets.mask_known(&one.value);
    }
    all
}

/// Which layers a node has, and who supplied each value.
fn provenance(shown: &Shown, secrets: &Secrets) -> String {
    let mut out = format!("[{}] {}\n", visible(&shown.node), visible(&shown.file));
    for tried in &shown.layers {
        let path = tried.path.as_ref().unwrap_or(&tried.precedence);
        let found = match (&tried.path, &tried.found) {
            (_, Some(found)) => visible(found),
            (Some(_), None) => "nothing is there".to_owned(),
            (None, None) => "the node lacks this fact".to_owned(),
        };
        let _ = writeln!(out, "    {}: {found}", visible(path));
    }
    out + "\n" + &explained(&supplied(shown, secrets))
}

/// What became of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Became {
    Added,
    Removed,
    Changed,
    Unchanged,
}

#[derive(Serialize)]
struct Compared<'d> {
    node: &'d str,
    status: Became,
    differences: Vec<Difference>,
}

/// What a change does to every node, by values.
pub(super) fn differences(
    form: Form,
    sites: [&Site; 2],
    secrets: &Secrets,
    warnings: &[String],
) -> Result<String, Error> {
    let budget = sites[0].budget.joined(&sites[1].budget);
    let [before, after] = sites.map(|site| by_key(site, sites));
    let keys: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let one = |key: &&String| {
        let (old, new) = (before.get(*key).copied(), after.get(*key).copied());
        let shown = new.or(old).map_or("", |shown| &shown.node);
        let (status, differences) = compared(old, new)?;
        let size: usize = differences.iter().map(Difference::size).sum();
        budget.take(COPIES * size).map_err(|_| {
            let what = "up to this node the nodes differ more than can be told of files of this size";
            let file = new.or(old).map_or("", |shown| &shown.file);
            Error::input(what).in_file(file).help("--node NAME compares one node at a time")
        })?;
        Ok(Compared { node: shown, status, differences: secrets.mask_differences(differences) })
    };
    let nodes = keys.iter().map(one).collect::<Result<Vec<_>, Error>>()?;
    match form.format {
        Format::Json => output::json(&Data { schema: 1, status: "compared", nodes, warnings }),
        Format::Text => Ok(secrets.mask_known(&told(&nodes, form.is_coloured))),
    }
}

/// Nodes by what they are known by on both sides: their names, or with their folders where several have one name.
fn by_key<'s>(site: &'s Site, sites: [&Site; 2]) -> BTreeMap<String, &'s Shown> {
    let twins: HashSet<String> = sites.iter().flat_map(|site| twins(site)).collect();
    let key = |shown: &'s Shown| {
        let name = shown.node.to_lowercase();
        (if twins.contains(&name) { shown.id.to_lowercase() } else { name }, shown)
    };
    site.nodes.iter().map(key).collect()
}

/// The names that several nodes have.
fn twins(site: &Site) -> Vec<String> {
    let mut known = HashSet::new();
    let names = site.nodes.iter().map(|shown| shown.node.to_lowercase());
    names.filter(|name| !known.insert(name.clone())).collect()
}

fn compared(old: Option<&Shown>, new: Option<&Shown>) -> Result<(Became, Vec<Difference>), Error> {
    Ok(match (old, new) {
        (Some(old), Some(new)) if old.merged.text != new.merged.text => {
            let named = |shown: &'_ Shown| (shown.file.clone(), shown.merged.text.clone());
            let (old, new) = (named(old), named(new));
            let found = differences::by_meaning((&old.0, &old.1), (&new.0, &new.1))?.differences;
            (if found.is_empty() { Became::Unchanged } else { Became::Changed }, found)
        }
        (Some(_), Some(_)) => (Became::Unchanged, Vec::new()),
        (None, _) => (Became::Added, Vec::new()),
        (_, None) => (Became::Removed, Vec::new()),
    })
}

/// Differences for people, one line each.
pub(super) fn difference_lines(differences: &[Difference], is_coloured: bool) -> String {
    let lines = difference::lines(differences, output::width()).into_iter();
    lines.map(|line| if is_coloured { output::coloured(&line) } else { line.text + "\n" }).collect()
}

/// The same for people: each node that changes with what changes, and how many there are.
fn told(nodes: &[Compared<'_>], is_coloured: bool) -> String {
    let mut out = String::new();
    let changed: Vec<_> = nodes.iter().filter(|node| node.status != Became::Unchanged).collect();
    for node in &changed {
        let name = visible(node.node);
        let what = match node.status {
            Became::Added => " is new",
            Became::Removed => " is gone",
            Became::Changed | Became::Unchanged => "",
        };
        let _ = writeln!(out, "[{name}]{what}");
        out += &difference_lines(&node.differences, is_coloured);
        out.push('\n');
    }
    let all = if nodes.len() == 1 { "1 node".to_owned() } else { format!("{} nodes", nodes.len()) };
    let verb = if changed.len() == 1 { "changes" } else { "change" };
    let _ = writeln!(out, "{} of {all} {verb}.", changed.len());
    out
}
