//! The rules on the page about rules of one's own, and the schema of rules files.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;
mod folder;

use std::fs;
use std::path::Path;

use common::{contents, yamlift};
use folder::folder_of;
use serde_json::Value;

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)).unwrap()
}

/// The blocks of a page: the line before each, its language and its text.
fn blocks(section: &str) -> Vec<(&str, &str, &str)> {
    let parts: Vec<&str> = section.split("```").collect();
    let pairs = parts.chunks_exact(2);
    pairs
        .filter_map(|pair| {
            let (language, text) = pair[1].split_once('\n')?;
            Some((pair[0].trim_end().lines().last().unwrap_or_default(), language, text))
        })
        .collect()
}

#[test]
fn the_rules_on_the_page_are_rules() {
    let page = page("merge-rules.md");
    let rules: Vec<_> = blocks(&page).into_iter().filter(|(.., text)| text.contains("yamlift: 1\n")).collect();
    assert!(rules.len() > 2);
    for (.., text) in rules {
        let dir = folder_of(&[("rules.yml", text), ("a.yml", "a: 1\n")]);
        let there = contents(dir.path());
        let output = yamlift(dir.path()).args(["merge", "--rules", "rules.yml", "a.yml"]).output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        assert_eq!(contents(dir.path()), there, "a file was written");
    }
}

/// The words that a refusal names as known.
fn known(rules: &str) -> Vec<String> {
    let dir = folder_of(&[("rules.yml", rules), ("a.yml", "a: 1\n")]);
    let output = yamlift(dir.path()).args(["merge", "--rules", "rules.yml", "a.yml"]).output().unwrap();
    let refused = String::from_utf8(output.stderr).unwrap();
    let known = refused.split_once("nown are ").unwrap_or_else(|| panic!("{refused}")).1;
    sorted(known.trim_end().split(", "))
}

fn sorted<'w>(words: impl Iterator<Item = &'w str>) -> Vec<String> {
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    words.sort_unstable();
    words
}

/// What is refused says which words are known, and the schema knows the same.
#[test]
fn the_schema_of_rules_knows_the_words_that_the_reader_knows() {
    let schema: Value = serde_json::from_str(&page("merge-rules.schema.json")).unwrap();
    let keys = |place: &str| sorted(schema.pointer(place).unwrap().as_object().unwrap().keys().map(String::as_str));
    assert_eq!(known("yamlift: 1\nzzz: 1\n"), keys("/properties"));
    assert_eq!(known("yamlift: 1\nlists: {a: {zzz: 1}}\n"), keys("/$defs/list/properties"));
    let places = [("maps", "maps"), ("lists", "lists"), ("texts", "texts"), ("scalars", "scalars"), ("nulls", "nulls")];
    for (key, place) in places.into_iter().chain([("other kind", "clash")]) {
        let words = schema.pointer(&format!("/$defs/{place}/enum")).unwrap().as_array().unwrap();
        let words = sorted(words.iter().filter_map(Value::as_str));
        for rule in ["zzz", "{a/b: zzz}"] {
            assert_eq!(known(&format!("yamlift: 1\n{key}: {rule}\n")), words, "{key}");
        }
    }
}
