//! How long rendering takes for sets of documents, and how that grows.
//!
//! `cargo bench --bench layer` prints the best time of several runs for 1,000 and for 10,000 documents in five layers, with
//! labels that all share, selectors of two pairs and substitutions, and the exponent between the two: 1.0 is linear. It
//! ends with an error above [`MOST`].

#![expect(clippy::print_stdout, clippy::expect_used, reason = "a benchmark prints, and stops where it cannot go on")]

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// More than this is not linear.
const MOST: f64 = 1.15;

const LAYERS: [&str; 5] = ["global", "type", "region", "zone", "site"];

fn main() -> ExitCode {
    let directory = tempfile::tempdir().expect("there is a place for files");
    println!("{:>10} {:>12} {:>12}", "documents", "time", "a document");
    let times = [1_000, 10_000].map(|documents| {
        let set = directory.path().join(documents.to_string());
        write(&set, documents);
        let runs = if documents < 5_000 { 9 } else { 3 };
        let best = (0..runs).map(|_| rendered(&set)).min().expect("there is a run");
        println!("{documents:>10} {best:>12.3?} {:>12.3?}", best / documents);
        best.as_secs_f64()
    });
    let exponent = (times[1] / times[0]).log10();
    println!("exponent {exponent:.2}, at most {MOST}");
    if exponent > MOST { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn rendered(set: &Path) -> Duration {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yamlift"));
    let start = Instant::now();
    let status = command.arg("layer").arg(set).stdout(Stdio::null()).status().expect("the program runs");
    assert!(status.success(), "the documents are right");
    start.elapsed()
}

/// Families of fifty documents, a file each: one global, then two, four, eight, and 35 of sites.
fn write(set: &Path, documents: u32) {
    std::fs::create_dir_all(set).expect("a directory can be made");
    let policy = format!(
        "schema: deckhand/LayeringPolicy/v1\nmetadata: {{schema: metadata/Control/v1, name: policy}}\n\
         data:\n  layerOrder: [{}]\n",
        LAYERS.join(", ")
    );
    let put = |name: String, text: &str| std::fs::write(set.join(name), text).expect("a file can be written");
    put("policy.yaml".to_owned(), &policy);
    for family in 0..documents / 50 {
        let text: String = (0..50).map(|member| document(family, member)).collect();
        put(format!("family-{family:04}.yaml"), &text);
    }
}

fn document(family: u32, member: u32) -> String {
    let (layer, parent) = match member {
        0 => (0, None),
        1..=2 => (1, Some(0)),
        3..=6 => (2, Some(1 + member % 2)),
        7..=14 => (3, Some(3 + member % 4)),
        _ => (4, Some(7 + member % 8)),
    };
    let kind = family % 7;
    let mut text = format!(
        "---\n# Document {member} of family {family}\nschema: example/Kind{kind}/v1\nmetadata:\n  \
         schema: metadata/Document/v1\n  name: doc-{family}-{member}\n  \
         labels: {{name: doc-{family}-{member}, application: example}}\n  layeringDefinition:\n    \
         abstract: {}\n    layer: {}\n",
        layer < 4,
        LAYERS[layer]
    );
    if let Some(parent) = parent {
        let _ = write!(
            text,
            "    parentSelector: {{name: doc-{family}-{parent}, application: example}}\n    actions:\n      \
             - {{method: merge, path: .}}\n"
        );
    }
    if layer == 4 && member.is_multiple_of(3) && member > 15 {
        let _ = write!(
            text,
            "  substitutions:\n    - src: {{schema: example/Kind{kind}/v1, name: doc-{family}-15, path: .address}}\n      \
             dest:\n        - {{path: .values.peer}}\n        - {{path: .url, pattern: '@HOST@'}}\n"
        );
    }
    let _ = write!(text, "data:\n  # where it listens\n  address: 10.{family}.{member}.1\n");
    if parent.is_none() {
        text += "  url: https://@HOST@:8080/v1\n  # what all have\n  values:\n";
        (0..20).for_each(|at| {
            let _ = writeln!(text, "    key{at}: value {at}  # comment {at}");
        });
    } else {
        let _ = write!(text, "  values:\n    key{}: changed by {member}\n    own{member}: {{x: 1}}\n", member % 20);
    }
    text
}
