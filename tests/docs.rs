//! What the code cites of `docs/rules.md` stands there.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};

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
