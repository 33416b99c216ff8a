//! `yamlift layer` as its users call it: directories, standard input, two sets side by side.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Output, Stdio};

use common::{contents, yamlift};
use tempfile::TempDir;

const POLICY: &str = "\
schema: deckhand/LayeringPolicy/v1
metadata: {schema: metadata/Control/v1, name: policy}
data: {layerOrder: [global, site]}
";

/// A document that all sites inherit from.
fn relay(timeout: u32) -> String {
    format!(
        "schema: example/Relay/v1\nmetadata:\n  name: relay\n  labels: {{name: relay}}\n  \
         layeringDefinition: {{abstract: true, layer: global}}\ndata:\n  # in seconds\n  timeout: {timeout}\n"
    )
}

fn site(name: &str) -> String {
    format!(
        "schema: example/Relay/v1\nmetadata:\n  name: {name}\n  layeringDefinition:\n    layer: site\n    \
         parentSelector: {{name: relay}}\n    actions: [{{method: merge, path: .}}]\ndata:\n  name: {name}\n"
    )
}

fn set(timeout: u32) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for below in ["global", "sites/west", "sites/east"] {
        fs::create_dir_all(dir.path().join(below)).unwrap();
    }
    let put = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    put("global/policy.yml", POLICY);
    put("global/relay.yaml", &relay(timeout));
    put("sites/east/relay.yaml", &site("east"));
    put("sites/west/relay.yaml", &site("west"));
    put("sites/west/notes.txt", "not: [yaml\n");
    dir
}

fn layer(dir: &Path, words: &[&str]) -> Output {
    yamlift(dir).arg("layer").args(words).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn a_directory_is_read_as_a_whole_in_the_order_of_names() {
    let dir = set(30);
    let output = layer(dir.path(), &[".", "--only", "example/Relay/v1"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    let names: Vec<_> = text(&output.stdout).lines().filter_map(|line| line.strip_prefix("  name: ")).collect();
    assert_eq!(names, ["east", "east", "west", "west"]);
    assert_eq!(text(&output.stdout).matches("  # in seconds\n  timeout: 30\n").count(), 2);
}

#[test]
fn a_change_in_a_parent_is_shown_for_every_site() {
    let (before, after) = (set(30), set(60));
    fs::remove_file(after.path().join("sites/west/relay.yaml")).unwrap();
    let output = layer(after.path(), &[".", "--diff", before.path().to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let diff = text(&output.stdout);
    assert!(diff.contains("+++ [example/Relay/v1] east (site)\n@@ -7,5 +7,5 @@\n"), "{diff}");
    assert!(diff.contains("-  timeout: 30\n+  timeout: 60\n"), "{diff}");
    assert!(diff.contains("+++ [example/Relay/v1] west (site)\n@@ -1,11 +0,0 @@\n"), "{diff}");
    assert!(!diff.contains("LayeringPolicy"), "{diff}");
}

#[test]
fn what_is_wrong_in_both_sets_is_told_at_once() {
    let (before, after) = (set(30), set(60));
    fs::write(before.path().join("sites/east/relay.yaml"), site("east").replace("merge", "marge")).unwrap();
    fs::write(after.path().join("sites/west/relay.yaml"), "name: [west\n").unwrap();
    let sites = after.path().join("sites/west");
    let there = contents(&sites);
    let output = layer(after.path(), &["sites", "global", "--diff", before.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(contents(&sites), there);
    assert!(output.stdout.is_empty());
    let told = text(&output.stderr);
    assert!(told.contains("did you mean `merge`?"), "{told}");
    assert!(told.contains("error: sites/west/relay.yaml:"), "{told}");
}

#[test]
fn files_that_cannot_be_read_are_told_all() {
    let dir = set(30);
    fs::create_dir(dir.path().join("empty")).unwrap();
    let output = layer(dir.path(), &["one.yml", "empty", "global", "two.yml"]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(told.matches("error: ").count(), 3, "{told}");
}

#[test]
fn standard_input_is_a_file_like_any_other() {
    let dir = set(30);
    let mut command = yamlift(dir.path());
    let command = command.args(["layer", "global", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(site("north").replace("site", "sight").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(
        text(&output.stderr).starts_with("error: standard input:5:5: the layer `sight`"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn the_result_goes_to_a_file_where_one_is_named() {
    let dir = set(30);
    let output = layer(dir.path(), &["global", "sites/east", "-o", "rendered.txt", "-q"]);
    assert!(output.status.success() && output.stdout.is_empty(), "{}", text(&output.stderr));
    assert!(fs::read_to_string(dir.path().join("rendered.txt")).unwrap().ends_with("  timeout: 30\n  name: east\n"));
}
