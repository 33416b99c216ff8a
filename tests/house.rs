//! Which way the doors of the house open: each folder of `src` imports only those above it in [`FOLDERS`], and no more
//! than two modules know each other. What is read here is the text of the sources, tests left out.
//!
//! A folder's root file (`src/yaml.rs` of `src/yaml/`) and what is inside of it count as one where one imports the other.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The folders, each of which knows those before it.
const FOLDERS: [&str; 8] = ["text", "yaml", "report", "comments", "upgrade", "layers", "files", "cli"];

/// Folders that do not know each other.
const APART: [&str; 3] = ["upgrade", "layers", "files"];

/// How many modules may know each other in a circle.
const LARGEST_CIRCLE: usize = 2;

#[test]
fn src_holds_eight_folders_and_two_roots() {
    let known = |name: &str| FOLDERS.contains(&name) || ["lib", "main"].contains(&name);
    let outside: Vec<_> = House::of_src().imports.into_keys().filter(|module| !known(folder(module))).collect();
    assert!(outside.is_empty(), "move these into one of the eight folders: {outside:#?}");
}

#[test]
fn no_import_points_the_wrong_way() {
    let wrong = House::of_src().wrong_ways();
    assert!(wrong.is_empty(), "each folder imports only those above it, see CONTRIBUTING.md: {wrong:#?}");
}

#[test]
fn no_more_than_two_modules_know_each_other() {
    let house = House::of_src();
    let circles = house.circles(LARGEST_CIRCLE);
    assert!(circles.is_empty(), "move what they share to where all of them may look: {circles:#?}");
}

#[test]
fn wrong_ways_and_circles_are_found() {
    let house = House::of(&[
        ("text::scan", "use crate::yaml::{self, tree::{Node, Line}};"),
        ("yaml", "pub(crate) mod tree; mod path; mod outline;"),
        ("yaml::tree", "// use crate::cli::run;\nuse super::path::Path; fn f() { crate::cli::run::run() }"),
        ("yaml::path", "use crate::yaml::outline::Outline;"),
        ("yaml::outline", "use crate::yaml::tree::Node;\n#[cfg(test)]\nmod tests { use crate::cli::run::run; }"),
        ("upgrade::plan", "use crate::layers::values::Value as Other;"),
        ("layers::values", ""),
        ("cli::run", "use crate::layers::values; use crate::upgrade::plan;"),
    ]);
    let wrong =
        ["text::scan -> yaml", "text::scan -> yaml::tree", "upgrade::plan -> layers::values", "yaml::tree -> cli::run"];
    assert_eq!(house.wrong_ways(), wrong);
    assert_eq!(house.circles(2), [["yaml::outline", "yaml::path", "yaml::tree"]]);
    assert!(house.circles(3).is_empty());
}

/// The modules of a crate, each with those that it imports.
struct House {
    imports: BTreeMap<String, BTreeSet<String>>,
}

impl House {
    fn of_src() -> Self {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut sources = Vec::new();
        collect(&src, "", &mut sources);
        let sources: Vec<_> = sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        Self::of(&sources)
    }

    fn of(sources: &[(&str, &str)]) -> Self {
        let modules: BTreeSet<_> = sources.iter().map(|(name, _)| *name).collect();
        let imports = sources.iter().map(|(name, text)| {
            let paths = paths(&without_tests_and_comments(text)).into_iter();
            let used = paths.filter_map(|path| owner(&absolute(name, path), &modules));
            let one = |other: &String| is_within(other, name) || is_within(name, other);
            ((*name).to_owned(), used.filter(|other| !one(other)).collect())
        });
        Self { imports: imports.collect() }
    }

    /// All imports of one module by another.
    fn edges(&self) -> impl Iterator<Item = (&str, &str)> {
        self.imports.iter().flat_map(|(from, all)| all.iter().map(move |to| (from.as_str(), to.as_str())))
    }

    fn wrong_ways(&self) -> Vec<String> {
        let wrong = self.edges().filter(|(from, to)| is_wrong(folder(from), folder(to)));
        wrong.map(|(from, to)| format!("{from} -> {to}")).collect()
    }

    /// The groups of more than `most` modules of which each reaches each.
    fn circles(&self, most: usize) -> Vec<Vec<&str>> {
        let reached: BTreeMap<_, _> = self.imports.keys().map(|module| (module.as_str(), self.reach(module))).collect();
        let mut circles = BTreeSet::new();
        for (&module, others) in &reached {
            let circle: Vec<_> = others.iter().copied().filter(|other| reached[other].contains(module)).collect();
            if circle.len() > most {
                circles.insert(circle);
            }
        }
        circles.into_iter().collect()
    }

    /// All modules that a module imports, and that these import.
    fn reach<'h>(&'h self, module: &'h str) -> BTreeSet<&'h str> {
        let mut found = BTreeSet::new();
        let mut open = vec![module];
        while let Some(module) = open.pop() {
            let new = self.imports[module].iter().map(String::as_str).filter(|other| found.insert(*other));
            open.extend(new.collect::<Vec<_>>());
        }
        found
    }
}

/// All modules below a folder with their texts.
fn collect(dir: &Path, above: &str, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let name = if above.is_empty() { stem.to_owned() } else { format!("{above}::{stem}") };
        if ["tests", "trials"].contains(&stem) {
            continue;
        }
        if path.is_dir() {
            collect(&path, &name, found);
        } else {
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

fn folder(module: &str) -> &str {
    module.split("::").next().unwrap_or(module)
}

fn is_wrong(from: &str, to: &str) -> bool {
    let place = |folder: &str| FOLDERS.iter().position(|known| *known == folder);
    let apart = from != to && APART.contains(&from) && APART.contains(&to);
    apart || place(from).zip(place(to)).is_some_and(|(from, to)| to > from)
}

fn is_within(module: &str, other: &str) -> bool {
    module == other || module.strip_prefix(other).is_some_and(|rest| rest.starts_with("::"))
}

fn without_tests_and_comments(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let lines = code.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    lines.collect::<Vec<_>>().join("\n")
}

/// All paths of a text that start with `crate`, `super` or `self`.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for root in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(root) {
            // What stands behind `crate::` is found with that.
            if !code[..at].ends_with(|before: char| before.is_alphanumeric() || matches!(before, '_' | ':')) {
                path(&code[at..], &[], &mut found);
            }
        }
    }
    found
}

/// Reads one path, or a group of them in braces, and hands back what stands behind it.
fn path<'c>(code: &'c str, above: &[String], found: &mut Vec<Vec<String>>) -> &'c str {
    let code = code.trim_start();
    if let Some(mut group) = code.strip_prefix('{') {
        loop {
            group = path(group, above, found).trim_start();
            match group.strip_prefix(',') {
                Some(next) => group = next,
                None => return group.strip_prefix('}').unwrap_or(group),
            }
        }
    }
    let end = code.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(code.len());
    let (word, rest) = code.split_at(end);
    let steps = [above, &[word.to_owned()]].concat();
    if let Some(below) = rest.strip_prefix("::") {
        return path(below, &steps, found);
    }
    found.push(steps);
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    rest.strip_prefix(" as ").map_or(rest, |name| name.trim_start_matches(is_name))
}

/// A path from the root of the crate on, as a module means it.
fn absolute(module: &str, mut path: Vec<String>) -> Vec<String> {
    let mut steps: Vec<_> = module.split("::").map(str::to_owned).collect();
    if path[0] == "crate" {
        steps.clear();
    }
    let root = path.iter().take_while(|step| ["crate", "super", "self"].contains(&step.as_str())).count();
    for step in path.drain(..root) {
        if step == "super" {
            steps.pop();
        }
    }
    steps.extend(path.into_iter().filter(|step| step != "self"));
    steps
}

/// The module that a path leads to, or that has what it leads to.
fn owner(path: &[String], modules: &BTreeSet<&str>) -> Option<String> {
    let starts = (1..=path.len()).rev().map(|length| path[..length].join("::"));
    starts.into_iter().find(|name| modules.contains(name.as_str()))
}
