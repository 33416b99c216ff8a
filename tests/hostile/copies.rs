//! Inputs of some hundred bytes that would be gigabytes, or take hours: patterns of paths, patches, substitutions, parts.

use std::fs;
use std::io::Write as _;

use crate::joined;
use crate::run::{Limits, folder, within};

/// The files of a run, its words, and what it says; nothing where it succeeds.
struct Shape {
    name: &'static str,
    files: Vec<(&'static str, Vec<u8>)>,
    words: &'static str,
    says: &'static str,
}

fn shape(name: &'static str, words: &'static str, files: &[(&'static str, String)], says: &'static str) -> Shape {
    let files = files.iter().map(|(name, text)| (*name, text.clone().into_bytes())).collect();
    Shape { name, files, words, says }
}

/// A map in a map in a map, so many times.
fn deep(levels: usize) -> String {
    joined(0..levels, |at| format!("{:at$}a:\n", "")) + &format!("{:levels$}b: [1]\n", "")
}

fn stars() -> String {
    "**/a/".repeat(50) + "**/*/c"
}

fn paths() -> Vec<Shape> {
    let files = [("relay.yml", deep(190)), ("new.yml", deep(190))];
    let migration = |text: String| [&files[..], &[("m.yml", text)]].concat();
    let stars = stars();
    vec![
        shape("a key of lists", "upgrade relay.yml new.yml -b --list-key @=name", &files, ""),
        shape("what becomes of lists", "upgrade relay.yml new.yml -b --list-merge @=append", &files, ""),
        shape("secrets", "upgrade relay.yml new.yml -b --dry-run --secret @", &files, ""),
        shape(
            "a migration",
            "upgrade relay.yml new.yml -b --migration m.yml",
            &migration(format!(
                "yamlift: 1\nown: ['{stars}']\nsecret: ['{stars}']\nlists:\n  '{stars}': {{key: name, merge: append}}\n"
            )),
            "",
        ),
        shape(
            "paths of Deckhand",
            "layer all.yml",
            &[("all.yml", deckhand(1, |_| substitution("d0", &"..a".repeat(40), ".t"), &nested(100)))],
            "",
        ),
        shape(
            "a path of 20,000 steps",
            "layer all.yml",
            &[("all.yml", deckhand(1, |_| substitution("d0", ".", &".a".repeat(20_000)), "{x: 1}"))],
            "more than 200 steps",
        ),
    ]
}

fn nested(levels: usize) -> String {
    format!("{}x{}", "{a: ".repeat(levels), "}".repeat(levels))
}

/// A policy, a first document with these data, and so many that take values from others.
fn deckhand(count: usize, substitutions: impl Fn(usize) -> String, data: &str) -> String {
    let head = |name: usize| {
        format!(
            "---\nschema: e/S/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: d{name}\n  \
             layeringDefinition: {{abstract: false, layer: site}}\n"
        )
    };
    let next = |at: usize| format!("{}  substitutions:\n{}data: {{t: aaa}}\n", head(at), substitutions(at));
    format!(
        "schema: deckhand/LayeringPolicy/v1\nmetadata: {{schema: metadata/Control/v1, name: p}}\n\
         data: {{layerOrder: [site]}}\n{}data: {data}\n{}",
        head(0),
        joined(1..count + 1, next)
    )
}

fn substitution(from: &str, path: &str, to: &str) -> String {
    format!("  - src: {{schema: e/S/v1, name: {from}, path: '{path}'}}\n    dest: {{path: '{to}'}}\n")
}

fn substitutions() -> Vec<Shape> {
    let before = |at: usize| format!("d{}", at - 1);
    let twice = |at| substitution(&before(at), ".", ".a") + &substitution(&before(at), ".", ".b");
    let once = |at| substitution(&before(at), ".", ".a");
    let pattern = |pattern: &'static str| {
        move |_: usize| substitution("d0", ".x", ".t").replace("'.t'", &format!("'.t', pattern: '{pattern}'"))
    };
    let text = |text: &str| format!("{{x: '{text}'}}");
    let large = text(&"x".repeat(20_000));
    let file = |text: String| [("all.yml", text)];
    let matches = |at| pattern(r"(a+)+\1b")(at).replace("d0, path: '.x'}", "d0, path: '.x', pattern: '(a+)+\\1b'}");
    vec![
        shape("12 times twice the document before", "layer all.yml", &file(deckhand(12, twice, "{x: 1}")), ""),
        shape(
            "40 times twice the document before",
            "layer all.yml",
            &file(deckhand(40, twice, "{x: 1}")),
            "copies would take more than",
        ),
        shape("1,000 documents in each other", "layer all.yml", &file(deckhand(1_000, once, "{x: 1}")), "levels deep"),
        shape(
            "a pattern that goes back",
            "layer all.yml",
            &file(deckhand(1, matches, &text(&"a".repeat(5_000)))),
            "limit",
        ),
        shape(
            "a pattern that repeats a lot",
            "layer all.yml",
            &file(deckhand(1, pattern(r"\w{1000}{1000}"), &large)),
            "NFA",
        ),
        shape("a long text in a long text", "layer all.yml", &file(deckhand(1, pattern("a"), &large)), ""),
    ]
}

fn patches() -> Vec<Shape> {
    let copies = |count: usize| {
        let copies: Vec<_> =
            (0..count).map(|at| format!(r#"{{"op": "copy", "from": "", "path": "/k{at}"}}"#)).collect();
        format!("#cloud-config-jsonp\n[{}]\n", copies.join(",\n"))
    };
    let stairs = r#"{"op": "add", "path": "/n", "value": {}}, {"op": "move", "from": "/a", "path": "/n/a"},
        {"op": "move", "from": "/n", "path": "/a"}, "#
        .repeat(2_000);
    let stairs = format!("#cloud-config-jsonp\n[{stairs}{{\"op\": \"test\", \"path\": \"/z\", \"value\": 1}}]\n");
    let base = || ("base.yml", "#cloud-config\na: {x: 1}\n".to_owned());
    let words = "merge --rules cloud-init base.yml patch.yml";
    let laughs = |levels: usize| {
        let list = |at: usize| format!("a{at}: &a{at} [*a{0}, *a{0}, *a{0}, *a{0}]\n", at - 1);
        format!("a0: &a0 [x, x]\n{}", joined(1..levels, list))
    };
    vec![
        shape("12 copies of the whole", words, &[base(), ("patch.yml", copies(12))], ""),
        shape("30 copies of the whole", words, &[base(), ("patch.yml", copies(30))], "copies would take more than"),
        shape("2,000 moves, each one level down", words, &[base(), ("patch.yml", stairs)], "levels deep"),
        shape("laughs in a layer", "merge --rules datum one.yml", &[("one.yml", laughs(20))], "stand for too much"),
    ]
}

fn variables() -> Vec<Shape> {
    let (long, words) =
        ("x=".to_owned() + &"y".repeat(100_000) + "\n", "upgrade relay.yml new.yml -b --env x.properties");
    let relay = || ("relay.yml", "a: 1\n".to_owned());
    let places = |count: usize| joined(0..count, |at| format!("k{at}: '#{{x}}'\n"));
    let files = |count| [relay(), ("new.yml", places(count)), ("x.properties", long.clone())];
    vec![
        shape("a long text in 20 places", words, &files(20), ""),
        shape("a long text in 50,000 places", words, &files(50_000), "stands in too many places"),
    ]
}

fn message(count: usize, part: impl Fn(usize) -> String) -> String {
    let parts = joined(0..count, |at| format!("--B\nContent-Type: {}\n", part(at)));
    format!("MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"B\"\n\n{parts}--B--\n")
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(text).unwrap();
    packed.finish().unwrap()
}

fn parts() -> Vec<Shape> {
    let config = |at: usize| format!("text/cloud-config\n\nk{at}: 1\n");
    let words = "merge --rules cloud-init all.txt";
    let archive = |count| format!("#cloud-config-archive\n{}", joined(0..count, |at| format!("- 'k{at}: 1'\n")));
    let bomb = gzip(&[&b"#cloud-config\na: 1\n"[..], &vec![b'\n'; 60 << 20]].concat());
    vec![
        shape("300 parts", words, &[("all.txt", message(300, config))], ""),
        shape("20,000 parts", words, &[("all.txt", message(20_000, config))], "1000 parts"),
        shape("300 members of an archive", words, &[("all.txt", archive(300))], ""),
        shape("5,000 members of an archive", words, &[("all.txt", archive(5_000))], "1000 parts"),
        Shape { name: "60 MiB of blank lines, packed", files: vec![("all.txt", bomb)], words, says: "unpacked" },
    ]
}

fn check(shape: &Shape) -> Result<(), String> {
    let dir = folder();
    for (name, bytes) in &shape.files {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    let size = shape.files.iter().map(|(_, bytes)| bytes.len()).sum();
    let stars = stars();
    let words: Vec<_> = shape.words.split(' ').map(|word| word.replace('@', &stars)).collect();
    let output = within(Limits::Silent, dir.path(), size, &words.iter().map(String::as_str).collect::<Vec<_>>());
    let said = String::from_utf8_lossy(&output.stderr);
    let wanted = if shape.says.is_empty() { 0 } else { 2 };
    if output.status.code() == Some(wanted) && said.contains(shape.says) {
        return Ok(());
    }
    Err(format!("{}: {}: {}", shape.name, output.status, said.chars().take(400).collect::<String>()))
}

#[test]
fn small_inputs_do_not_become_large_ones() {
    let shapes: Vec<_> = [paths(), substitutions(), patches(), variables(), parts()].into_iter().flatten().collect();
    let broken: Vec<_> = shapes.iter().filter_map(|shape| check(shape).err()).collect();
    println!("figures: inputs that grow\t{}", shapes.len());
    println!("figures: inputs that grow: not bounded\t{}", broken.len());
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
