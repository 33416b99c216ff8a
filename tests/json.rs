//! What is printed for programs: every end of every command is one document that its schema describes.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use jaq_core::data::JustLut;
use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Vars, unwrap_valr};
use jsonschema::Validator;
use serde_json::{Value, json};

mod common;

use common::{contents, yamlift};

fn home(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The schema of the page, in which nothing may stand besides what it names: programs may, this one must not.
fn strict() -> Validator {
    let mut schema: Value =
        serde_json::from_str(&fs::read_to_string(home("docs/report.schema.json")).unwrap()).unwrap();
    close(&mut schema);
    jsonschema::validator_for(&schema).unwrap()
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            if fields.get("type") == Some(&json!("object")) && fields.contains_key("properties") {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(dir.path().join(name), text).unwrap();
    }
    dir
}

/// A small repository of Datum in the folder.
fn add_datum(dir: &Path) {
    fs::create_dir(dir.join("Nodes")).unwrap();
    fs::write(dir.join("Datum.yml"), "ResolutionPrecedence: ['Nodes\\$($Node.Name)', 'Roles\\$($Node.Role)']\n")
        .unwrap();
    fs::write(dir.join("Nodes/web.yml"), "Role: gate\ntoken: s3cr3t\n").unwrap();
}

const FILES: [(&str, &str); 6] = [
    ("config.yml", "# mine\nport: 8080\nlist: [a, c]\ngone: 1\nold: 5\ntoken: s3cr3t\n"),
    ("old.yml", "port: 80\nlist: [a]\ngone: 1\nold: 5\n"),
    ("new.yml", "port: 81\nlist: [a, b]\nadded: {x: 1}\nnew: 5ms\n"),
    ("migration.yml", "yamlift: 1\nsteps:\n- version: 2\n  note: read this\n  move: {old: new}\n"),
    ("bad.yml", "a: [1\n"),
    (
        "site.yml",
        "schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\n\
        data: {layerOrder: [site]}\n---\nschema: a/b/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: x\n  \
        layeringDefinition: {layer: site}\ndata: {port: 1}\n",
    ),
];

fn run(dir: &Path, words: &[&str]) -> Output {
    yamlift(dir).args(words).args(["--format", "json"]).output().unwrap()
}

/// The document on standard output.
fn document(output: &Output) -> Value {
    let text = str::from_utf8(&output.stdout).unwrap();
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn every_end_of_every_command_is_what_the_schema_says() {
    let schema = strict();
    let base = ["--base", "old.yml"];
    let calls: Vec<(Vec<&str>, i32)> = vec![
        (["upgrade", "--dry-run", "config.yml", "new.yml"].to_vec(), 0),
        ([&["upgrade", "--dry-run", "config.yml", "new.yml"][..], &base].concat(), 0),
        (["upgrade", "--dry-run", "config.yml", "new.yml", "--migration", "migration.yml"].to_vec(), 0),
        ([&["upgrade", "--check", "--diff", "config.yml", "new.yml"][..], &base].concat(), 1),
        (["upgrade", "--dry-run", "missing.yml", "new.yml"].to_vec(), 0),
        (["upgrade", "config.yml", "bad.yml"].to_vec(), 2),
        ([&["upgrade", "config.yml", "new.yml", "--on-conflict", "fail"][..], &base].concat(), 3),
        (["upgrade", "config.yml", "nowhere.yml"].to_vec(), 2),
        (["upgrade", "--no-such-option"].to_vec(), 2),
        (["diff", "old.yml", "new.yml"].to_vec(), 0),
        (["diff", "old.yml", "bad.yml"].to_vec(), 2),
        (["prune", "--dry-run", "config.yml", "old.yml"].to_vec(), 0),
        (["prune", "bad.yml", "old.yml"].to_vec(), 2),
        ([&["explain", "config.yml", "new.yml", "port"][..], &base].concat(), 0),
        ([&["explain", "config.yml", "new.yml"][..], &base].concat(), 0),
        (["explain", "config.yml", "new.yml", "nowhere"].to_vec(), 2),
        (["outline", "config.yml"].to_vec(), 0),
        (["outline", "bad.yml"].to_vec(), 2),
        (["migration", "check", "migration.yml", "new.yml"].to_vec(), 0),
        (["migration", "check", "migration.yml", "old.yml"].to_vec(), 2),
        (["merge", "--rules", "datum", "old.yml", "new.yml"].to_vec(), 0),
        (["merge", "--rules", "datum", "old.yml", "new.yml", "--diff"].to_vec(), 0),
        (["merge", "--rules", "datum", "old.yml", "new.yml", "-o", "merged.yml"].to_vec(), 0),
        (["merge", "--rules", "datum", "old.yml", "new.yml", "--explain"].to_vec(), 0),
        (["merge", "--rules", "datum", "old.yml", "bad.yml"].to_vec(), 2),
        (["layer", "site.yml"].to_vec(), 0),
        (["layer", "site.yml", "--explain"].to_vec(), 0),
        (["layer", "site.yml", "--tree"].to_vec(), 0),
        (["layer", "site.yml", "--diff", "site.yml"].to_vec(), 0),
        (["datum", ".", "--all", "--key", "Role"].to_vec(), 0),
        (["datum", ".", "--all", "--explain"].to_vec(), 0),
        (["datum", ".", "--diff", "."].to_vec(), 0),
        (["datum", ".", "--node", "mail"].to_vec(), 2),
        (["cloud-init", "--cloud-cfg", "new.yml"].to_vec(), 0),
        (["cloud-init", "--cloud-cfg", "config.yml", "--explain"].to_vec(), 0),
        (["cloud-init", "--cloud-cfg", "config.yml", "--diff", "machine"].to_vec(), 0),
        (["cloud-init", "--cloud-cfg", "config.yml", "--schema", "bad.yml"].to_vec(), 2),
        (["layer", "new.yml"].to_vec(), 2),
        (["layer", "nowhere.yml"].to_vec(), 2),
        (["upgrade", "config.yml", "new.yml"].to_vec(), 0),
        (["restore", "config.yml", "--list"].to_vec(), 0),
        (["restore", "config.yml", "--dry-run"].to_vec(), 0),
        (["restore", "config.yml"].to_vec(), 0),
        (["restore", "old.yml"].to_vec(), 2),
    ];
    let dir = folder(&FILES);
    add_datum(dir.path());
    fs::create_dir(dir.path().join("machine")).unwrap();
    fs::write(dir.path().join("machine/cloud.cfg"), "port: 1\ntoken: s3cr3t\n").unwrap();
    for (words, status) in calls {
        let output = run(dir.path(), &words);
        assert_eq!(output.status.code(), Some(status), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        let document = document(&output);
        let wrong: Vec<_> = schema.iter_errors(&document).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{words:?}: {wrong:?}\n{document:#}");
        assert!(!document.to_string().contains("s3cr3t"), "{words:?} tells a secret");
        assert_eq!(status == 2 && document.is_object(), document["status"] == "refused" && status == 2, "{words:?}");
    }
}

#[test]
fn a_conflict_has_all_three_places() {
    let dir = folder(&FILES);
    let words = ["upgrade", "config.yml", "new.yml", "--base", "old.yml", "--on-conflict", "fail"];
    let conflicts = &document(&run(dir.path(), &words))["error"]["conflicts"];
    let value = |file: &str, line: usize, text: &str| json!({"file": file, "line": line, "text": text});
    let expected = json!({"path": "port", "values": {
        "current": value("config.yml", 2, "8080"), "base": value("old.yml", 1, "80"), "update": value("new.yml", 1, "81"),
    }, "in_default": "port"});
    assert_eq!(conflicts[0], expected);
}

/// The report goes to standard error where the result goes to standard output.
#[test]
fn it_is_told_where_the_result_went() {
    let dir = folder(&FILES);
    for (output, written) in [("result.yml", true), ("-", false)] {
        let run = run(dir.path(), &["upgrade", "config.yml", "new.yml", "-o", output]);
        let text = if output == "-" { &run.stderr } else { &run.stdout };
        let document: Value = serde_json::from_slice(text).unwrap();
        assert_eq!((&document["output"], &document["written"]), (&json!(output), &json!(written)), "{document:#}");
        assert!(strict().is_valid(&document));
    }
}

/// Each line is the document of one file, with its name.
#[test]
fn many_files_are_lines_of_json() {
    let (schema, dir) = (strict(), folder(&FILES));
    for words in [&["upgrade", "--to", "new.yml", "--dry-run"][..], &["rehearse", "new.yml"]] {
        let output = run(dir.path(), &[words, &["config.yml", "bad.yml", "old.yml"]].concat());
        let lines: Vec<Value> =
            str::from_utf8(&output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let told: Vec<_> = lines.iter().map(|line| (line["file"].as_str(), line["status"].as_str())).collect();
        let expected = [("config.yml", "changed"), ("bad.yml", "refused"), ("old.yml", "changed")];
        assert_eq!(told, expected.map(|(file, status)| (Some(file), Some(status))), "{words:?}");
        assert!(lines.iter().all(|line| schema.is_valid(line)), "{words:?}: {lines:#?}");
        assert_eq!(output.status.code(), Some(2));
    }
}

/// Whatever is refused says so in both forms, and what to do.
#[test]
fn every_refusal_is_data_with_a_way_out() {
    let schema = strict();
    let cases: Vec<_> = fs::read_dir(home("testdata/refuse")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(cases.len() > 50);
    for case in cases {
        let dir = tempfile::tempdir().unwrap();
        for file in fs::read_dir(&case).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
            fs::copy(&file, dir.path().join(file.file_name().unwrap())).unwrap();
        }
        let args = fs::read_to_string(case.join("args")).unwrap_or_default();
        let words = ["upgrade", "current.yml", "update.yml"];
        let words: Vec<_> = words.into_iter().chain(args.lines()).collect();
        let before = contents(dir.path());
        let output = run(dir.path(), &words);
        assert_eq!(contents(dir.path()), before, "{}", case.display());
        let document = document(&output);
        assert!(schema.is_valid(&document), "{}: {document:#}", case.display());
        let (error, told) = (&document["error"], String::from_utf8_lossy(&output.stderr));
        assert_eq!(document["status"], "refused", "{}", case.display());
        assert!(error["help"].is_string(), "{} has no way out: {told}", case.display());
        assert!(told.contains(error["message"].as_str().unwrap().lines().next().unwrap()), "{}", case.display());
    }
}

#[test]
fn schemas_are_printed_as_they_are_shipped() {
    for (name, page) in [("report", "report"), ("migration", "migration"), ("rules", "merge-rules")] {
        let output = yamlift(Path::new(".")).args(["schema", name]).output().unwrap();
        let shipped = fs::read(home(&format!("docs/{page}.schema.json"))).unwrap();
        assert!(output.status.success() && output.stdout == shipped, "{name}");
        assert!(jsonschema::meta::is_valid(&serde_json::from_slice(&output.stdout).unwrap()), "{name}");
    }
}

/// What a run prints in one of the forms that other tools show.
fn printed(dir: &Path, format: &str, words: &[&str]) -> String {
    let output = yamlift(dir).args(words).args(["--format", format]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("s3cr3t"), "{format} tells a secret");
    text
}

const DRY_RUN: [&str; 6] = ["upgrade", "--dry-run", "--base", "old.yml", "config.yml", "new.yml"];

#[test]
fn a_pull_request_can_show_the_report() {
    let dir = folder(&FILES);
    let text = printed(dir.path(), "markdown", &DRY_RUN);
    assert!(text.starts_with("### `config.yml`\n\n"), "{text}");
    assert!(text.contains("| | key | value | why |\n|---|---|---|---|\n"), "{text}");
    assert!(text.contains("| `+` | `added` | `{x: 1}` |  |\n"), "{text}");
    assert!(
        text.contains("**Conflicts, changed by you and by the release; yours stays**\n\n* `port`, line 2: `8080"),
        "{text}"
    );
    let refused = printed(dir.path(), "markdown", &["upgrade", "config.yml", "bad.yml"]);
    assert!(refused.starts_with("> [!CAUTION]\n> yamlift changed nothing.\n\n```text\nbad.yml:"), "{refused}");
}

#[test]
fn a_browser_can_show_the_report() {
    let dir = folder(&FILES);
    let text = printed(dir.path(), "html", &DRY_RUN);
    assert!(text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n"), "{text}");
    let parts = ["What needs a look", "What changes its meaning", "<a href=\"#L2\">2</a>", "Old and new side by side"];
    for part in parts {
        assert!(text.contains(part), "{part}: {text}");
    }
    let written = printed(dir.path(), "html", &["upgrade", "config.yml", "new.yml", "--base", "old.yml"]);
    assert!(written.contains("What changes its meaning"), "{written}");
    let refused = printed(dir.path(), "html", &["upgrade", "config.yml", "bad.yml"]);
    assert!(refused.contains("<h1>Refused</h1>") && refused.contains("bad.yml:2:1: "), "{refused}");
}

/// Each annotation is one line: `::warning file=config.yml,line=2,title=yamlift::what`.
#[test]
fn a_workflow_can_show_annotations() {
    let dir = folder(&FILES);
    let text = printed(dir.path(), "github", &DRY_RUN);
    for line in text.lines() {
        let (head, message) = line.strip_prefix("::").and_then(|line| line.split_once("::")).unwrap();
        let (command, properties) = head.split_once(' ').unwrap();
        assert!(["notice", "warning"].contains(&command) && !message.is_empty(), "{line}");
        assert!(properties.split(',').all(|property| property.contains('=')), "{line}");
    }
    let conflict = "::warning file=config.yml,line=2,title=yamlift::Conflicts, changed by you and by the release";
    assert!(text.contains(conflict), "{text}");
    let refused = printed(dir.path(), "github", &["upgrade", "config.yml", "bad.yml"]);
    assert!(refused.starts_with("::error file=bad.yml,line=2,col="), "{refused}");
}

#[test]
fn a_code_scanner_can_show_the_findings() {
    let dir = folder(&FILES);
    let read = |words: &[&str]| serde_json::from_str::<Value>(&printed(dir.path(), "sarif", words)).unwrap();
    let log = read(&DRY_RUN);
    let run = &log["runs"][0];
    let rules: Vec<_> = run["tool"]["driver"]["rules"].as_array().unwrap().iter().map(|rule| &rule["id"]).collect();
    let results = run["results"].as_array().unwrap();
    assert_eq!((&log["version"], &run["invocations"][0]["executionSuccessful"]), (&json!("2.1.0"), &json!(true)));
    assert!(results.len() > 3 && results.iter().all(|result| rules.contains(&&result["ruleId"])), "{log:#}");
    for result in results {
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["region"]["startLine"].as_u64().is_some_and(|line| line > 0), "{result}");
        assert!(["config.yml", "new.yml"].contains(&place["artifactLocation"]["uri"].as_str().unwrap()), "{result}");
    }
    let refused = read(&["upgrade", "config.yml", "bad.yml"]);
    let invocation = &refused["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], json!(false));
    assert_eq!(invocation["toolExecutionNotifications"][0]["level"], json!("error"));
}

/// What a filter of jq prints of these documents, texts without their quotes.
fn jq(filter: &str, documents: &[Value]) -> String {
    let loader = Loader::new(jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs()));
    let arena = Arena::default();
    let modules = loader.load(&arena, File { code: filter, path: () }).unwrap();
    let functions = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
    let compiled = Compiler::default().with_funs(functions).compile(modules).unwrap();
    let mut printed = String::new();
    for document in documents {
        let input = jaq_json::read::parse_single(document.to_string().as_bytes()).unwrap();
        let context = Ctx::<JustLut<jaq_json::Val>>::new(&compiled.lut, Vars::new([]));
        for found in compiled.id.run((context, input)).map(unwrap_valr) {
            let found: Value = serde_json::from_str(&found.unwrap().to_string()).unwrap();
            printed += found.as_str().unwrap_or(&found.to_string());
            printed.push('\n');
        }
    }
    printed
}

/// Each line with `| jq` is run, and prints what follows.
#[test]
fn the_one_liners_for_jq_print_what_the_page_says() {
    let page = fs::read_to_string(home("docs/report.md")).unwrap();
    let examples: Vec<_> = page.split("```").collect();
    let yaml: Vec<_> = examples.iter().filter_map(|block| block.strip_prefix("yaml\n")).collect();
    let (wrong, old) = ("port: 80\nport: 81\n", "listen: {timeout: 20}\n");
    let dir = folder(&[("config.yml", yaml[0]), ("default.yml", yaml[1]), ("wrong.yml", wrong), ("old.yml", old)]);
    let mut ran = 0;
    for block in examples.iter().filter_map(|block| block.strip_prefix("console,ignore\n$ yamlift ")) {
        let Some((command, printed)) = block.split_once('\n') else { continue };
        let Some((call, filter)) = command.split_once(" | jq ") else { continue };
        let words: Vec<_> = call.split(' ').collect();
        let output = yamlift(dir.path()).args(&words).output().unwrap();
        let text = str::from_utf8(&output.stdout).unwrap();
        let documents = serde_json::Deserializer::from_str(text).into_iter::<Value>().map(Result::unwrap);
        let filter = filter.trim_start_matches("-r ").trim_matches('\'');
        assert_eq!(jq(filter, &documents.collect::<Vec<_>>()), printed, "{command}");
        ran += 1;
    }
    assert!(ran == 5, "{ran} were run");
}
