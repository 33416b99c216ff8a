//! The cases of `testdata`: folders that a user could have written.
//!
//! ```text
//! testdata/upgrade/<theme>/<case>/  current.yml update.yml expected.yml [base.yml] [args] [report.txt]
//! testdata/refuse/<case>/           current.yml update.yml error.txt [args]
//! testdata/outline/                 <name>.yml <name>.outline
//! testdata/rules/<system>/<case>/   args, what they name, and expected.yml (standard output) with warnings.txt
//!                                   (standard error) where there are any; or error.txt
//! ```
//!
//! The command runs in a copy of the folder, so files are named as an operator would name them there. `args` holds one
//! word a line; whatever else is in a folder (a properties file, say) is there for them. No backup is kept (`-b`).
//! CONTRIBUTING.md says what belongs to which theme.
//!
//! With `YAMLIFT_BLESS=1` the expected files are written anew: those that are there, and those that a case must have.
//! A run that ends with another exit status than its kind of case demands writes nothing and fails.
//! Read the difference before it is committed. A `report.txt` is only written where there is one, empty or not.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use common::{contents, yamlift};
use similar::TextDiff;
use tempfile::TempDir;

#[test]
fn upgrades_as_expected() {
    check(&upgrades(), upgrade);
}

#[test]
fn a_name_belongs_to_one_case_of_an_upgrade() {
    let mut names: Vec<_> = upgrades().iter().map(|case| name(case)).collect();
    names.sort();
    let twice: Vec<_> = names.windows(2).filter(|two| two[0] == two[1]).map(|two| &two[0]).collect();
    assert!(twice.is_empty(), "two themes have a case of this name: {twice:?}");
}

#[test]
fn the_page_about_cases_lists_the_themes() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("CONTRIBUTING.md")).unwrap();
    let (_, table) = page.split_once("\n| theme |").unwrap();
    let rows = table.lines().skip(2).map_while(|row| row.strip_prefix("| `")?.split_once('`'));
    let listed: Vec<_> = rows.map(|(theme, _)| theme.to_owned()).collect();
    let themes: Vec<_> = entries("upgrade").iter().map(|theme| name(theme)).collect();
    assert_eq!(listed, themes, "left: the themes that CONTRIBUTING.md lists, right: the folders of testdata/upgrade");
}

#[test]
fn refuses_with_the_expected_words_and_touches_nothing() {
    check(&folders("refuse"), refuse);
}

#[test]
fn every_refusal_has_a_way_out() {
    let has_none = |case: &PathBuf| !fs::read_to_string(case.join("error.txt")).unwrap().contains("\n help: ");
    let dead_ends: Vec<_> = folders("refuse").into_iter().filter(has_none).collect();
    assert!(dead_ends.is_empty(), "no `help:` in the message of {dead_ends:?}");
}

#[test]
fn outlines_as_expected() {
    check(&outlines(), outline);
}

#[test]
fn layers_become_one_by_the_rules_of_each_system() {
    let cases: Vec<_> = entries("rules").iter().flat_map(|system| sorted(system)).collect();
    check(&cases, rules);
}

/// Each section of the page has three blocks of YAML: the user's, the new default, and the result.
#[test]
fn the_page_about_comments_tells_what_happens() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/comments.md")).unwrap();
    let sections = page.split("\n## ").skip(1);
    let failed: Vec<_> = sections.filter_map(|section| differs(section, &blocks(section))).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The page about the old default has one example, and sections with examples: each is base, current, update and result. The
/// options of a section stand in its title.
#[test]
fn the_page_about_the_old_default_tells_what_happens() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/base.md")).unwrap();
    let (example, sections) = page.split_once("\n## Before and after\n").unwrap();
    with_old_default(example, &[]);
    let sections: Vec<_> = sections.split("\n### ").skip(1).collect();
    assert!(sections.len() > 3, "the page shows next to nothing");
    for section in sections {
        let options = section.lines().next().unwrap().split('`').filter(|word| word.starts_with("--"));
        let example = section.split("\n## ").next().unwrap();
        with_old_default(example, &options.collect::<Vec<_>>());
    }
}

/// The page about the report has two files, a call and what it prints, which is there as JSON, too.
#[test]
fn the_page_about_the_report_tells_what_happens() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/report.md")).unwrap();
    let [config, default, ..] = blocks(&page)[..] else { panic!("not two files") };
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [("config.yml", config), ("default.yml", default)] {
        fs::write(dir.path().join(name), text).unwrap();
    }
    let call = page.split_once("```console\n$ yamlift ").unwrap().1.lines().next().unwrap();
    let printed = yamlift(dir.path()).args(call.split(' ')).args(["--format", "json"]).output().unwrap().stdout;
    let json = |text: &str| {
        let mut document: serde_json::Value = serde_json::from_str(text).unwrap();
        document.as_object_mut().unwrap().remove("backup");
        document
    };
    let shown = page.split_once("```json\n").unwrap().1.split_once("```").unwrap().0;
    assert_eq!(json(&visible(&printed)), json(shown));
}

/// Runs an example with an old default and looks at the result.
fn with_old_default(example: &str, options: &[&str]) {
    let [base, current, update, after] = blocks(example)[..] else { panic!("not four blocks: {example}") };
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [("old.yml", base), ("config.yml", current), ("new.yml", update)] {
        fs::write(dir.path().join(name), text).unwrap();
    }
    let words = ["upgrade", "config.yml", "new.yml", "--base", "old.yml", "-b"];
    let output = yamlift(dir.path()).args(words).args(options).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fs::read_to_string(dir.path().join("config.yml")).unwrap(), after, "{example}");
}

fn blocks(section: &str) -> Vec<&str> {
    section.split("```yaml\n").skip(1).filter_map(|block| Some(block.split_once("```")?.0)).collect()
}

fn differs(section: &str, blocks: &[&str]) -> Option<String> {
    let title = section.lines().next().unwrap_or_default();
    let &[current, update, after] = blocks else { return Some(format!("{title}: not three blocks")) };
    let result = yamlift::upgrade(current, update, &yamlift::Options::default()).unwrap();
    difference(title, after, result.text())
}

/// What is wrong with a case, each as it is to be shown.
type Failures = Vec<String>;

fn check(cases: &[PathBuf], check: fn(&Path) -> Failures) {
    assert!(!cases.is_empty(), "there are no cases: nothing was tested");
    let shown = |case: &PathBuf| {
        let failures = check(case);
        (!failures.is_empty()).then(|| format!("==== {}\n{}", title(case), failures.join("\n")))
    };
    let failed: Vec<_> = cases.iter().filter_map(shown).collect();
    assert!(failed.is_empty(), "{} of {} cases failed\n\n{}", failed.len(), cases.len(), failed.join("\n"));
}

fn upgrade(case: &Path) -> Failures {
    let dir = copy(case);
    let mut failures = missing(case, &["current.yml", "update.yml"]);
    let before = contents(dir.path());
    let output = run_upgrade(dir.path(), &args(case));
    if !output.status.success() || !output.stderr.is_empty() {
        failures.push(format!("{}\n{}", output.status, visible(&output.stderr)));
        return failures;
    }
    let after = contents(dir.path());
    failures.extend(compare(&case.join("expected.yml"), &after["current.yml"]));
    if case.join("report.txt").exists() {
        failures.extend(compare(&case.join("report.txt"), &output.stdout));
    }
    if before.keys().ne(after.keys()) {
        failures.push(format!("the folder held {:?}, and now {:?}", before.keys(), after.keys()));
    }
    failures.extend(second_run(case, dir.path(), &after["current.yml"]));
    failures
}

/// What a second run changes: with the same old default, and with the update as the old default. With paths to delete it
/// has more to do: what came back goes again, and indices count anew.
fn second_run(case: &Path, dir: &Path, first: &[u8]) -> Failures {
    let args = args(case);
    if args.iter().any(|word| word.starts_with("-d") || word.starts_with("--delete")) {
        return Failures::new();
    }
    let changed = |base: &str| {
        let args: Vec<_> = args.iter().map(|word| word.replace("base.yml", base)).collect();
        fs::write(dir.join("current.yml"), first).unwrap();
        run_upgrade(dir, &args);
        let second = fs::read(dir.join("current.yml")).unwrap();
        let what = format!("a second run (base: {base}) changed current.yml");
        difference(&what, &visible(first), &visible(&second))
    };
    ["base.yml", "update.yml"].into_iter().filter_map(changed).collect()
}

fn refuse(case: &Path) -> Failures {
    let dir = copy(case);
    let mut failures = missing(case, &["current.yml", "update.yml"]);
    let before = contents(dir.path());
    let output = run_upgrade(dir.path(), &args(case));
    if output.status.code() != Some(2) || !output.stdout.is_empty() {
        failures.push(format!("{}, not 2\n{}{}", output.status, visible(&output.stdout), visible(&output.stderr)));
        return failures;
    }
    failures.extend(compare(&case.join("error.txt"), &output.stderr));
    if before != contents(dir.path()) {
        failures.push("the folder is no longer as it was".to_owned());
    }
    failures
}

fn rules(case: &Path) -> Failures {
    let dir = copy(case);
    let mut failures = missing(case, &["args"]);
    let before = contents(dir.path());
    let output = yamlift(dir.path()).args(args(case)).output().unwrap();
    let refused = case.join("error.txt").exists();
    let status = if refused { 2 } else { 0 };
    if output.status.code() != Some(status) || (refused && !output.stdout.is_empty()) {
        failures.push(format!("{}, not {status}\n{}", output.status, visible(&output.stderr)));
        return failures;
    }
    if refused {
        failures.extend(compare(&case.join("error.txt"), &output.stderr));
    } else {
        failures.extend(compare(&case.join("expected.yml"), &output.stdout));
        let told = case.join("warnings.txt");
        if told.exists() || !output.stderr.is_empty() {
            failures.extend(compare(&told, &output.stderr));
        }
    }
    if before != contents(dir.path()) {
        failures.push("the folder is no longer as it was".to_owned());
    }
    failures
}

fn outline(yml: &Path) -> Failures {
    let output = yamlift(yml.parent().unwrap()).arg("outline").arg(yml.file_name().unwrap()).output().unwrap();
    let mut failures = missing(yml.parent().unwrap(), &[&name(yml)]);
    if !output.status.success() || !output.stderr.is_empty() {
        failures.push(format!("{}\n{}", output.status, visible(&output.stderr)));
        return failures;
    }
    failures.extend(compare(&yml.with_extension("outline"), &output.stdout));
    failures
}

fn run_upgrade(dir: &Path, args: &[String]) -> Output {
    yamlift(dir).args(["upgrade", "current.yml", "update.yml", "-b"]).args(args).output().unwrap()
}

/// The words of `args`, one a line.
fn args(case: &Path) -> Vec<String> {
    let words = fs::read_to_string(case.join("args")).unwrap_or_default();
    words.lines().map(str::to_owned).collect()
}

/// A copy of a case without what is expected of it.
fn copy(case: &Path) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, content) in contents(case) {
        if !["args", "expected.yml", "report.txt", "warnings.txt", "error.txt"].contains(&name.as_str()) {
            fs::write(dir.path().join(name), content).unwrap();
        }
    }
    dir
}

/// The cases of all themes.
fn upgrades() -> Vec<PathBuf> {
    entries("upgrade").iter().flat_map(|theme| cases_of(theme)).collect()
}

/// The cases of a theme, which must hold some and nothing else: a case at the wrong depth would never be run.
fn cases_of(theme: &Path) -> Vec<PathBuf> {
    let (cases, at) = (sorted(theme), format!("testdata/upgrade/{}", name(theme)));
    assert!(!cases.is_empty(), "{at} is a theme without a case");
    if let Some(file) = cases.iter().find(|case| !case.is_dir()) {
        panic!("{at}/{} is a file, not a case; a case belongs in testdata/upgrade/<theme>/", name(file));
    }
    cases
}

fn folders(kind: &str) -> Vec<PathBuf> {
    entries(kind).into_iter().filter(|path| path.is_dir()).collect()
}

/// The `.yml` of each outline; where only the `.outline` is left, it is missed when the case runs.
fn outlines() -> Vec<PathBuf> {
    let mut files: Vec<_> = entries("outline").into_iter().map(|path| path.with_extension("yml")).collect();
    files.dedup();
    files
}

fn entries(kind: &str) -> Vec<PathBuf> {
    sorted(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(kind))
}

fn sorted(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn missing(case: &Path, files: &[&str]) -> Failures {
    let gone = files.iter().filter(|file| !case.join(file).is_file());
    gone.map(|file| format!("{file} is missing")).collect()
}

/// Compares with an expected file, or writes it where `YAMLIFT_BLESS` asks for that.
fn compare(expected: &Path, actual: &[u8]) -> Option<String> {
    if std::env::var_os("YAMLIFT_BLESS").is_some_and(|bless| bless == "1") {
        fs::write(expected, actual).unwrap();
        return None;
    }
    match fs::read(expected) {
        Ok(content) if content == actual => None,
        Ok(content) => difference(&name(expected), &visible(&content), &visible(actual)),
        Err(error) => Some(format!("{}: {error}", name(expected))),
    }
}

fn difference(what: &str, expected: &str, actual: &str) -> Option<String> {
    let diff = TextDiff::from_lines(expected, actual);
    (expected != actual).then(|| diff.unified_diff().header(what, "as it is").to_string())
}

/// Line ends and byte-order marks are part of what is compared, so they are shown.
fn visible(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\r', "\\r").replace('\u{feff}', "\\u{feff}")
}

/// A case with the folder that it is in: `comments/banner-moves-to-a-new-key`.
fn title(case: &Path) -> String {
    format!("{}/{}", case.parent().map(name).unwrap_or_default(), name(case))
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
