//! What the pages and the code cite is there: rules of `docs/rules.md`, files, headings, options.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The rules that a source names, be it over the end of a line: `docs/rules.md` rule 3a.
fn cited(source: &str) -> Vec<String> {
    let words: Vec<_> = source.split_whitespace().filter(|word| !matches!(*word, "//!" | "///" | "//")).collect();
    let named = words.windows(3).filter(|three| three[0].contains("docs/rules.md`") && three[1] == "rule");
    named.map(|three| three[2].trim_matches(|c: char| !c.is_alphanumeric()).to_owned()).collect()
}

#[test]
fn every_rule_that_the_code_cites_is_in_the_page() {
    let page = fs::read_to_string(home().join("docs/rules.md")).unwrap();
    let headings = page.lines().filter_map(|line| line.strip_prefix("## Rule ")?.split_once(':'));
    let rules: Vec<_> = headings.map(|(number, _)| number).collect();
    let mut files = Vec::new();
    for folder in ["src", "tests"] {
        sources(&home().join(folder), &mut files);
    }
    let cited: Vec<_> = files.iter().flat_map(|file| cited(&fs::read_to_string(file).unwrap())).collect();
    assert!(cited.len() > 10, "the sources cite next to nothing: {cited:?}");
    let unknown: Vec<_> = cited.iter().filter(|rule| !rules.contains(&rule.as_str())).collect();
    assert!(unknown.is_empty(), "docs/rules.md has no rule {unknown:?}");
}

#[test]
fn a_citation_over_two_lines_is_found() {
    assert_eq!(cited("/// As (`docs/rules.md`\n/// rule 3a), and\n//! (`docs/rules.md` rule 7)."), ["3a", "7"]);
}

/// The pages, each with its text.
fn pages() -> Vec<(PathBuf, String)> {
    let docs = walkdir::WalkDir::new(home().join("docs")).into_iter().map(|entry| entry.unwrap().into_path());
    let top = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| home().join(name));
    let pages = top.into_iter().chain(docs.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    pages.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The lines of a page outside of fenced blocks and of comments.
fn prose(page: &str) -> String {
    let parts = page.split("\n```");
    let text: String = parts.step_by(2).flat_map(|part| [part, "\n"]).collect();
    text.split("<!--")
        .enumerate()
        .map(|(at, part)| if at == 0 { part } else { part.split_once("-->").unwrap().1 })
        .collect()
}

/// The names by which a page's headings are linked to.
fn headings(page: &str) -> Vec<String> {
    let titles = prose(page);
    let titles = titles.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let name = |title: &str| {
        let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    titles.map(name).collect()
}

/// What is wrong with a link of a page, if anything is.
fn broken(page: &Path, link: &str) -> Option<String> {
    let (path, heading) = link.split_once('#').map_or((link, None), |(path, heading)| (path, Some(heading)));
    let file = if path.is_empty() { page.to_owned() } else { page.parent().unwrap().join(path) };
    let shown = format!("{}: {link}", page.display());
    if !file.exists() {
        return Some(shown);
    }
    let heading = heading?;
    let is_there = headings(&fs::read_to_string(file).unwrap()).iter().any(|known| known == heading);
    (!is_there).then_some(shown)
}

#[test]
fn every_link_of_the_pages_leads_to_a_file_and_a_heading_that_are_there() {
    let mut links = 0;
    let mut wrong = Vec::new();
    for (page, text) in pages() {
        let text = prose(&text);
        let targets = text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
        for link in targets.filter(|link| !link.contains("://")) {
            links += 1;
            wrong.extend(broken(&page, link));
        }
    }
    assert!(links > 30, "the pages have next to no links: {links}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What is in backticks and is a page, or starts with a folder of the repository; `NAME` and `*` stand for something.
fn cited_files(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split('`').filter(|word| !word.contains([' ', '\n', '*']));
    let folders = ["docs/", "examples/", "fuzz/", "src/", "testdata/", "tests/"];
    let is_page = |word: &str| word.strip_suffix(".md").is_some_and(|name| name.ends_with(char::is_alphanumeric));
    let paths = words.filter(move |word| is_page(word) || folders.iter().any(|folder| word.starts_with(folder)));
    paths.filter(|path| !path.split(['/', '.']).any(|part| part.len() > 1 && part == part.to_uppercase()))
}

#[test]
fn every_file_that_pages_and_code_cite_is_there() {
    let mut files = Vec::new();
    for folder in ["src", "tests", "benches"] {
        sources(&home().join(folder), &mut files);
    }
    let sources = files.into_iter().map(|file| (file.clone(), fs::read_to_string(file).unwrap()));
    let mut cited = 0;
    for (page, text) in pages().into_iter().chain(sources) {
        let text = if page.extension().is_some_and(|extension| extension == "md") { prose(&text) } else { text };
        for path in cited_files(&text) {
            cited += 1;
            // What is fetched or written only when it is needed is not in the repository: see CONTRIBUTING.md.
            let is_made = path.starts_with("fuzz/artifacts/");
            assert!(is_made || home().join(path).exists(), "{} cites `{path}`", page.display());
        }
    }
    assert!(cited > 20, "next to nothing is cited: {cited}");
}

#[test]
fn the_page_about_options_has_every_option_of_an_upgrade() {
    let help = Command::new(env!("CARGO_BIN_EXE_yamlift")).args(["upgrade", "--help"]).output().unwrap().stdout;
    let help = String::from_utf8(help).unwrap();
    let options = help.lines().filter_map(|line| line.trim_start().split(", ").last()?.strip_prefix("--"));
    let names: Vec<_> = options.map(|rest| rest.split([' ', '=', '[']).next().unwrap()).collect();
    assert!(names.len() > 30, "{names:?}");
    let page = fs::read_to_string(home().join("docs/options.md")).unwrap();
    let (_, section) = page.split_once("\n## Options in short\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let words: Vec<_> = section.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
    let lacking: Vec<_> = names.iter().filter(|name| !words.contains(&format!("--{name}").as_str())).collect();
    assert!(lacking.is_empty(), "docs/options.md does not have {lacking:?}");
}
