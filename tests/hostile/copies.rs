//! Inputs of some hundred bytes that would be gigabytes, or take hours: patterns of paths, patches, substitutions, parts.

use std::fs;
use std::io::Write as _;

use crate::joined;
use crate::run::{Limits, folder, within};

/// The files of a run, its words, and what it says; nothing where it succeeds.
struct Shape {
    name: &'static str,
    files: Vec<(String, Vec<u8>)>,
    words: &'static str,
    says: &'static str,
}

fn shape(name: &'static str, words: &'static str, files: &[(&'static str, String)], says: &'static str) -> Shape {
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.clone().into_bytes())).collect();
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

/// Presets, and environments whose paths start at a place of their own.
fn presets() -> Vec<Shape> {
    let keys = |count: usize, entry: fn(usize) -> String| joined(0..count, |at| format!("  k{at}: {}\n", entry(at)));
    let registry = |base: usize, paths: usize| {
        let paths = joined(0..paths, |at| format!("  'OS::T{at}': t{at}.yaml\n"));
        format!("resource_registry:\n  base_url: https://example.org/{}\n{paths}", "a/".repeat(base))
    };
    let options = format!("lookup_options:\n{}", keys(20_000, |_| "{merge: deep}".to_owned()));
    let data = joined(0..20_000, |at| format!("k{at}: {{a: [x]}}\n"));
    let reset = || format!("services:\n{}", keys(20_000, |_| "!reset null".to_owned()));
    let environment = || format!("environment:\n{}", joined(0..50_000, |at| format!("- K{at}=1\n")));
    let service = || format!("services:\n  a:\n    {}", environment().replace('\n', "\n    ").trim_end());
    let profile = |at: usize| format!("---\nspring.config.activate.on-profile: p{at}\na: {at}\n");
    let (compose, heat) = ("merge --rules compose one.yml two.yml", "merge --rules heat one.yml");
    vec![
        shape(
            "20,000 keys with options",
            "merge --rules hiera one.yml two.yml",
            &[("one.yml", options + &data), ("two.yml", data.clone())],
            "",
        ),
        shape("20,000 resets", compose, &[("one.yml", reset()), ("two.yml", reset())], ""),
        shape("50,000 variables", compose, &[("one.yml", service()), ("two.yml", service())], ""),
        shape("20,000 profiles", "merge --rules spring one.yml", &[("one.yml", joined(0..20_000, profile))], ""),
        shape(
            "maps in each other",
            "merge --rules overlay one.yml two.yml",
            &[("one.yml", deep(190)), ("two.yml", deep(190))],
            "",
        ),
        shape("many paths", heat, &[("one.yml", registry(100, 5_000))], ""),
        shape(
            "many paths below a long one",
            heat,
            &[("one.yml", registry(50_000, 50_000))],
            "the paths here are too long",
        ),
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
        Shape {
            name: "60 MiB of blank lines, packed",
            files: vec![("all.txt".to_owned(), bomb)],
            words,
            says: "unpacked",
        },
    ]
}

/// A repository of Datum: so many nodes that have this fact, more paths, and a layer that all of them have.
fn repository(nodes: usize, fact: &str, paths: &str, layer: &str) -> Vec<(String, Vec<u8>)> {
    let node = |at: usize| (format!("Nodes/n{at}.yml"), format!("{fact}\n").into_bytes());
    let definition = format!("ResolutionPrecedence:\n- Nodes\\$($Node.Name)\n- Base\\All\n{paths}");
    let other = [("Datum.yml".to_owned(), definition.into_bytes()), ("Base/All.yml".to_owned(), layer.into())];
    (0..nodes).map(node).chain(other).collect()
}

/// Files in a folder.
fn under(folder: &str, files: Vec<(String, Vec<u8>)>) -> Vec<(String, Vec<u8>)> {
    files.into_iter().map(|(name, bytes)| (format!("{folder}/{name}"), bytes)).collect()
}

fn nodes() -> Vec<Shape> {
    let large = joined(0..10_000, |at| format!("k{at}: 1\n"));
    let paths = joined(0..30_000, |at| format!("- Base\\x{at:05}\\$($Node.Role)\n"));
    let repeated = |path: &str, count: usize| joined(0..count, |_| format!("- {path}\n"));
    let deep = format!("{}[{}1]{}\n", "{a: ".repeat(150), "1,".repeat(50_000), "}".repeat(150));
    let all = |name, words, files, says| Shape { name, files, words, says };
    let (layers, many) = ("can be made of files of this size", "paths at each of 300 nodes are more than");
    vec![
        all("a large layer of 3 nodes", "datum . --all", repository(3, "a: 1", "", &large), ""),
        all("a large layer of 5,000 nodes", "datum . --all", repository(5_000, "a: 1", "", &large), layers),
        all("the same, explained", "datum . --all --explain", repository(5_000, "a: 1", "", &large), layers),
        all(
            "one layer 30,000 times",
            "datum . --all",
            repository(1, "a: 1", &repeated("Base\\All", 30_000), &large),
            layers,
        ),
        all("a value deep down, explained", "datum . --all --explain", repository(1, "b: 1", "", &deep), layers),
        Shape {
            name: "a change of 10,000 values at 40 nodes",
            files: [
                under("before", repository(40, "a: 1", "", &large)),
                under("after", repository(40, "a: 1", "", &large.replace(": 1", ": 2"))),
            ]
            .concat(),
            words: "datum after --diff before",
            says: "the nodes differ more than can be told",
        },
        all("many paths", "datum . --all", repository(300, "Role: a", &paths, "a: 1\n"), many),
        all("many missing facts", "datum . --all", repository(300, "Rola: a", &paths, "a: 1\n"), many),
        all(
            "a long fact in many paths",
            "datum . --all",
            repository(
                1,
                &format!("Role: {}", "x".repeat(100_000)),
                &repeated("Base\\$($Node.Role)", 30_000),
                "a: 1\n",
            ),
            "a text of 100000 bytes cannot stand for `Role`",
        ),
    ]
}

/// Lists with many items of one name, each of which is joined with each.
fn twins() -> Vec<Shape> {
    let options = "default_lookup_options:\n  merge_hash: deep\n  merge_basetype_array: Sum\n  \
                   merge_hash_array: DeepTuple\n  merge_options: {tuple_keys: [N]}\n";
    let list = |count: usize| format!("L:\n{}", "- {N: a, x: [1]}\n".repeat(count));
    let words = "merge --rules datum --options Datum.yml one.yml two.yml";
    let merge = |count| [("Datum.yml", options.to_owned()), ("one.yml", list(count)), ("two.yml", list(count))];
    let says = "two.yml:";
    let whole = repository(1, &list(3_000), options, &list(3_000));
    vec![
        shape("30 items of one name", words, &merge(30), ""),
        shape("3,000 items of one name", words, &merge(3_000), says),
        Shape {
            name: "3,000 items of one name at a node",
            files: whole,
            words: "datum . --all",
            says: "too many items of one list are the same as this one",
        },
    ]
}

fn check(shape: &Shape) -> Result<(), String> {
    let dir = folder();
    for (name, bytes) in &shape.files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
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
    let shapes: Vec<_> = [paths(), substitutions(), patches(), presets(), variables(), parts(), nodes(), twins()]
        .into_iter()
        .flatten()
        .collect();
    let broken: Vec<_> = shapes.iter().filter_map(|shape| check(shape).err()).collect();
    println!("figures: inputs that grow\t{}", shapes.len());
    println!("figures: inputs that grow: not bounded\t{}", broken.len());
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
