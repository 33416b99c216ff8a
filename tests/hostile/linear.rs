//! Four times as much of anything takes four times as long, and not sixteen times.
//!
//! What counts is processor time of the command and all that it starts, as the shell tells it, so other programs on the
//! machine do not matter.

use std::fs;

use crate::run::{Limits, folder, within};
use crate::{joined, numbered, on_all_processors};

/// A text of so many parts.
type Grow = fn(usize) -> String;

/// How many parts take some tenths of a second in a debug build, and the text.
const GROWING: [(&str, usize, Grow); 29] = [
    ("keys", 2_000, |n| numbered(n, "key_@: value\n")),
    ("keys in braces", 2_000, |n| format!("all: {{{}}}\n", numbered(n, "k@: 1, "))),
    ("keys in quotes", 2_000, |n| numbered(n, "\"k@\": 1\n")),
    ("explicit keys", 1_500, |n| numbered(n, "? k@\n: 1\n")),
    ("sections", 1_000, |n| numbered(n, "# Section @\ns@:\n  k: 1\n\n")),
    ("options that are commented out", 4_000, |n| numbered(n, "#k@: 1\n") + "k: 1\n"),
    ("values of one key that are commented out", 4_000, |n| "k: 0\n".to_owned() + &numbered(n, "#k: @\n") + "l: 1\n"),
    ("items", 3_000, |n| numbered(n, "- item @\n")),
    ("items in brackets", 5_000, |n| format!("all: [{}]\n", numbered(n, "@, "))),
    ("items with a name", 700, |n| numbered(n, "- name: n@\n  port: @\n")),
    ("items without a name", 500, |n| numbered(n, "- {zone: a, job: j@}\n")),
    ("items that are all the same", 700, |n| "- {zone: a, job: b}\n".repeat(n)),
    ("items without a name in an item", 500, |n| format!("- all:\n{}", numbered(n, "  - {zone: a, job: j@}\n"))),
    ("aliases of one anchor", 2_000, |n| format!("a: &a [1, 2]\nall:\n{}", "- *a\n".repeat(n))),
    ("anchors", 1_500, |n| numbered(n, "k@: &a@ x\n")),
    ("anchors with an alias each", 700, |n| numbered(n, "k@: &a@ x\nl@: *a@\n")),
    ("laughs", 300, |n| {
        "a0: &a0 [x]\n".to_owned() + &joined(1..n, |at| format!("a{at}: &a{at} [*a{0}, *a{0}]\n", at - 1))
    }),
    ("documents", 700, |n| numbered(n, "---\nk: @\n")),
    ("documents with a name", 300, |n| numbered(n, "---\nkind: K\nmetadata:\n  name: n@\n")),
    ("ends of documents", 1_500, |n| format!("a: 1\n{}", "...\n".repeat(n))),
    ("directives", 3_000, |n| format!("{}---\na: 1\n", numbered(n, "%X@ y\n"))),
    ("comments", 5_000, |n| numbered(n, "# comment @\n") + "a: 1\n"),
    ("comments and no more", 5_000, |n| numbered(n, "# comment @\n")),
    ("blank lines", 20_000, |n| format!("a: 1\n{}b: 2\n", "\n".repeat(n))),
    ("lines of a block scalar", 10_000, |n| format!("a: |\n{}b: 1\n", "  line\n".repeat(n))),
    ("characters of a value", 100_000, |n| format!("a: {}\nb: 1\n", "v".repeat(n))),
    ("characters of a quoted value", 100_000, |n| format!("a: \"{}\"\nb: 1\n", "v".repeat(n))),
    ("colons", 50_000, |n| ":".repeat(n)),
    ("brackets that are never closed", 50_000, |n| "[".repeat(n)),
];

/// What a shape is of that takes two files: `n` parts of a configuration, and of the new default.
const GROWING_BOTH: [(&str, usize, [Grow; 2]); 2] = [
    (
        "aliases that the new order puts before their anchors",
        700,
        [
            |n| numbered(n, "k@: &a@ x\n") + &numbered(n, "l@: *a@\n"),
            |n| numbered(n, "l@: 1\n") + &numbered(n, "k@: 1\n"),
        ],
    ),
    (
        "aliases that each need another order of a map",
        500,
        [|n| numbered(n, "m@:\n  k: &a@ x\n  l: *a@\n"), |n| numbered(n, "m@:\n  l: 1\n  k: 1\n")],
    ),
];

/// What a shape is of that takes a third file: what that is given for, and `n` parts of each.
const GROWING_WITH: [(&str, usize, &str, [Grow; 3]); 2] = [
    (
        "items that are deleted",
        700,
        "--delete-from",
        [|n| "all:\n".to_owned() + &numbered(n, "- @\n"), |_| "all: []\n".to_owned(), |n| numbered(n, "all[@]\n")],
    ),
    (
        "values that move into another map",
        400,
        "--migration",
        [
            |n| "old:\n".to_owned() + &numbered(n, "  k@:\n    v: 1\n"),
            |_| "new: {}\n".to_owned(),
            |_| "yamlift: 1\nsteps:\n- version: 2.0\n  move:\n    old/*/v: new/*/v\n".to_owned(),
        ],
    ),
];

/// The seconds that a text takes as configuration, as new default and as both.
fn seconds(text: &str, other: &str) -> f64 {
    let dir = folder();
    fs::write(dir.path().join("hostile.yml"), text).unwrap();
    fs::write(dir.path().join("relay.yml"), other).unwrap();
    let pairs = [["hostile.yml", "relay.yml"], ["relay.yml", "hostile.yml"], ["hostile.yml", "hostile.yml"]];
    let run = |pair: [&str; 2]| {
        within(Limits::Told, dir.path(), (text.len() + other.len()) * 2, &["upgrade", "--check", pair[0], pair[1]])
    };
    pairs.into_iter().map(|pair| told(&String::from_utf8_lossy(&run(pair).stdout))).sum()
}

/// The seconds that an upgrade of the first text to the second takes, with the third for this option.
fn seconds_with(option: &str, texts: &[String; 3]) -> f64 {
    let dir = folder();
    for (name, text) in ["relay.yml", "new.yml", "third"].into_iter().zip(texts) {
        fs::write(dir.path().join(name), text).unwrap();
    }
    let words = ["upgrade", "--dry-run", option, "third", "relay.yml", "new.yml"];
    let run = within(Limits::Told, dir.path(), texts.iter().map(String::len).sum(), &words);
    assert!(!String::from_utf8_lossy(&run.stderr).contains("error:"), "{run:?}");
    told(&String::from_utf8_lossy(&run.stdout))
}

/// What `times` of a shell says of its children, on its last line: `0m0.120s 0m0.010s`.
fn told(times: &str) -> f64 {
    let second = |word: &str| {
        let (minutes, seconds) = word.trim_end_matches('s').split_once('m').unwrap();
        minutes.parse::<f64>().unwrap() * 60.0 + seconds.parse::<f64>().unwrap()
    };
    times.lines().last().unwrap().split_whitespace().map(second).sum()
}

/// Sixteen would be the square. The clock ticks a hundred times a second, and the start of the command counts as well.
const TOO_MUCH: f64 = 8.0;

/// How many times as long four times as much takes, where that is too much again and again.
fn too_long(n: usize, took: impl Fn(usize) -> f64) -> Option<f64> {
    let ratio = || took(4 * n) / took(n).max(0.05);
    (0..3).all(|_| ratio() >= TOO_MUCH).then(ratio)
}

#[test]
fn four_times_as_much_takes_four_times_as_long() {
    let broken = std::sync::Mutex::new(Vec::new());
    let one: Grow = |_| "listen: 10.0.0.1:25\n".to_owned();
    let shapes: Vec<_> = GROWING.iter().map(|&(name, n, grow)| (name, n, [grow, one])).chain(GROWING_BOTH).collect();
    let told = |name: &str, ratio: Option<f64>| {
        broken.lock().unwrap().extend(ratio.map(|ratio| format!("{name}: {ratio:.1} times as long")));
    };
    on_all_processors(shapes.len(), |at| {
        let (name, n, [text, other]) = shapes[at];
        told(name, too_long(n, |n| seconds(&text(n), &other(n))));
    });
    on_all_processors(GROWING_WITH.len(), |at| {
        let (name, n, option, texts) = GROWING_WITH[at];
        told(name, too_long(n, |n| seconds_with(option, &texts.map(|text| text(n)))));
    });
    let broken = broken.into_inner().unwrap();
    println!("figures: kinds of growth\t{}", shapes.len() + GROWING_WITH.len());
    println!("figures: kinds of growth: not in proportion\t{}", broken.len());
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
