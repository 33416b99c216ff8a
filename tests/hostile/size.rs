//! Much of one thing: long keys, values, lines and comments, and thousands of keys, items, documents and directives.

use crate::Meant::{self, Bare, Refused, Taken};
use crate::{Row, joined, numbered, row};

const MEGABYTE: usize = 1 << 20;

fn much(c: &str) -> String {
    c.repeat(200_000 / c.len())
}

fn long(c: &str) -> String {
    c.repeat(MEGABYTE / c.len())
}

/// A key may have 1024 characters (YAML 1.2.2 §7.4.2), one behind a question mark any number. The rule is for pairs in
/// brackets and for lines; libyaml and `PyYAML` hold those in braces to it, too.
fn keys() -> Vec<Row> {
    vec![
        row("a plain key of a megabyte", format!("{}: 1\n", long("k")), Refused("")),
        row("a quoted key of a megabyte", format!("\"{}\": 1\n", long("k")), Refused("")),
        row(
            "a key of a megabyte in braces",
            format!("a: {{{}: 1}}\n", long("k")),
            Refused("a key of more than 1024 characters"),
        ),
        row("a key of a megabyte behind a question mark", format!("? {}\n: 1\n", long("k")), Taken),
        row("a key of 1000 characters", format!("{}: 1\n", "k".repeat(1000)), Taken),
        row("a key of 1000 characters of four bytes", format!("{}: 1\n", "😀".repeat(1000)), Taken),
        row("a key of 2000 characters", format!("{}: 1\n", "k".repeat(2000)), Refused("")),
        row("a long key on many lines", format!("? |\n{}: 1\n", "  line\n".repeat(5_000)), Taken),
        row("3,000 keys", numbered(3_000, "key_@: value\n"), Taken),
        row("3,000 keys in braces", format!("all: {{{}}}\n", numbered(3_000, "k@: 1, ")), Taken),
        row("3,000 keys in quotes", numbered(3_000, "\"key @\": 'value @'\n"), Taken),
        row("3,000 empty sections", numbered(3_000, "s@:\n"), Taken),
        row("1,000 sections with a comment each", numbered(1_000, "# Section @\ns@:\n  k: 1\n\n"), Taken),
        row("3,000 explicit keys", numbered(3_000, "? k@\n: 1\n"), Taken),
        row("5,000 keys, the last one twice", numbered(5_000, "k@: 1\n") + "k4999: 2\n", Refused("appears twice")),
        row("10,000 times one key", "k: 1\n".repeat(10_000), Refused("appears twice")),
        row("5,000 options that are commented out", numbered(5_000, "#k@: 1\n") + "k: 1\n", Taken),
    ]
}

fn values() -> Vec<Row> {
    let key = |value: &str| format!("a: {value}\nb: 1\n");
    vec![
        row("a plain value of 200 KB", key(&much("v")), Taken),
        row("a plain value of 200 KB in words", key(&much("v w ")), Taken),
        row("a value of 200 KB in single quotes", key(&format!("'{}'", much("''"))), Taken),
        row("a value of 200 KB in double quotes", key(&format!("\"{}\"", much("v"))), Taken),
        row("50,000 escapes", key(&format!("\"{}\"", "\\x41".repeat(50_000))), Taken),
        row("200 KB of backslashes", key(&format!("\"{}\"", much("\\\\"))), Taken),
        row("a plain value on 20,000 lines", format!("a:\n{}b: 1\n", "  word\n".repeat(20_000)), Taken),
        row("single quotes on 20,000 lines", format!("a: '\n{}  '\nb: 1\n", "  word\n".repeat(20_000)), Taken),
        row("double quotes on 20,000 lines", format!("a: \"\n{}  \"\nb: 1\n", "  word \\\n".repeat(20_000)), Taken),
        row("a block scalar of 10,000 lines", format!("a: |\n{}b: 1\n", "  line\n".repeat(10_000)), Taken),
        row("a folded scalar of 10,000 lines", format!("a: >\n{}b: 1\n", "  line\n".repeat(10_000)), Taken),
        row("a block scalar with a line of 200 KB", format!("a: |\n  {}\nb: 1\n", much("v")), Taken),
        row("a block scalar of 20,000 blank lines", format!("a: |+\n{}b: 1\n", "\n".repeat(20_000)), Taken),
        row("a block scalar that looks like YAML", format!("a: |\n{}b: 1\n", "  k: [\n".repeat(20_000)), Taken),
        row("a number of 200 KB", key(&much("9")), Taken),
        row(
            "numbers out of all bounds",
            "a: 1e999999999\nb: -9999999999999999999999999\nc: 0x7fffffffffffffffffff\n",
            Taken,
        ),
        row("base64 of 200 KB", key(&format!("!!binary {}", much("QUJD"))), Taken),
        row("a tag of 100,000 characters", key(&format!("!{} x", "t".repeat(100_000))), Taken),
        row("2,000 tags", numbered(2_000, "k@: !t@ x\n"), Taken),
        row("200,000 blanks behind a value", key(&format!("1{}", " ".repeat(200_000))), Taken),
        row("200,000 blanks before a value", key(&format!("{}1", " ".repeat(200_000))), Taken),
        row("a comment of 200 KB behind a value", key(&format!("1 # {}", much("c"))), Taken),
    ]
}

fn lists() -> Vec<Row> {
    vec![
        row("5,000 items", numbered(5_000, "- item @\n"), Taken),
        row("5,000 items below a key", format!("all:\n{}", numbered(5_000, "  - item @\n")), Taken),
        row("10,000 items in brackets", format!("all: [{}]\n", numbered(10_000, "@, ")), Taken),
        row("1,000 items with a name", numbered(1_000, "- name: n@\n  port: @\n"), Taken),
        row("300 items with one name", "- name: n\n  port: 1\n".repeat(300), Taken),
        row("300 items that are all the same", format!("all:\n{}", "- {a: 1, b: 2}\n".repeat(300)), Taken),
        row("300 items with nothing to tell them apart", numbered(300, "- x: @\n  y: 1\n"), Taken),
        row("5,000 empty lists in a list", "- []\n".repeat(5_000), Taken),
        row("5,000 pairs of brackets", format!("a: [{}]\n", "[], ".repeat(5_000)), Taken),
        row("5,000 pairs of braces", format!("a: [{}]\n", "{}, ".repeat(5_000)), Taken),
        row("5,000 items of nothing", "-\n".repeat(5_000), Taken),
    ]
}

fn documents() -> Vec<Row> {
    vec![
        row("1,000 documents", numbered(1_000, "---\nk: @\n"), Taken),
        row("1,000 documents with an end each", numbered(1_000, "---\nk: @\n...\n"), Taken),
        row("1,000 documents of nothing", "---\n".repeat(1_000), Taken),
        row("5,000 ends of documents", format!("a: 1\n{}", "...\n".repeat(5_000)), Taken),
        row("1,000 documents of a word", "--- x\n".repeat(1_000), Bare),
        row("2,000 directives", format!("{}---\na: 1\n", numbered(2_000, "%X@ y\n")), Taken),
        row("2,000 handles of tags", format!("{}---\na: 1\n", numbered(2_000, "%TAG !h@! tag:x,@:\n")), Taken),
        row("one handle 2,000 times", format!("{}---\na: 1\n", "%TAG !h! tag:x:\n".repeat(2_000)), Refused("%TAG")),
        row("a directive of 200 KB", format!("%X {}\n---\na: 1\n", much("d")), Taken),
        row("2,000 directives and no document", numbered(2_000, "%X@ y\n"), Refused("")),
        row("YAML 1.2 said twice", "%YAML 1.2\n%YAML 1.2\n---\na: 1\n", Refused("%YAML")),
        row("YAML 9.9", "%YAML 9.9\n---\na: 1\n", Refused("")),
        row("a YAML version of 100 digits", format!("%YAML 1.{}\n---\na: 1\n", "2".repeat(100)), Refused("")),
    ]
}

fn comments() -> Vec<Row> {
    vec![
        row("10,000 comments", format!("{}a: 1\n", numbered(10_000, "# comment @\n")), Taken),
        row("10,000 comments and no more", numbered(10_000, "# comment @\n"), Taken),
        row("10,000 comments behind it all", format!("a: 1\n{}", numbered(10_000, "# comment @\n")), Taken),
        row("a comment of 200 KB", format!("# {}\na: 1\n", much("c")), Taken),
        row("100,000 blank lines", format!("a: 1\n{}b: 2\n", "\n".repeat(100_000)), Taken),
        row("100,000 blank lines and no more", "\n".repeat(100_000), Taken),
        row("20,000 lines of blanks and tabs", format!("a: 1\n{}b: 2\n", " \t\n".repeat(20_000)), Taken),
        row("comments as stairs", joined(0..700, |at| format!("{:at$}# c\n", "")) + "a: 1\n", Taken),
    ]
}

/// What takes the most memory for a byte: the shortest values and lines that there are, for half a megabyte.
fn small_values() -> Vec<Row> {
    let repeat = |word: &str| word.repeat((MEGABYTE / 2) / word.len());
    vec![
        row("half a megabyte of items", repeat("- a\n"), Taken),
        row("half a megabyte of blank lines", format!("a: 1\n{}b: 2\n", repeat("\n")), Taken),
        row("a quarter of a megabyte of documents", repeat("---\n")[..MEGABYTE / 4].to_owned(), Taken),
        row("half a megabyte of items in brackets", format!("a: [{}1]\n", repeat("1,")), Taken),
        row("half a megabyte of items in brackets of an item", format!("a:\n- [{}1]\n", repeat("1,")), Taken),
        row("half a megabyte of lists in brackets", format!("a: [{}]\n", repeat("[],")), Taken),
        row("half a megabyte of comments", format!("{}a: 1\n", repeat("#\n")), Taken),
        row("half a megabyte of keys in braces", format!("a: {{{}}}\n", numbered(MEGABYTE / 20, "k@,")), Taken),
        row("half a megabyte of pairs in brackets", format!("a: [{}]\n", repeat("a: b,")), Taken),
        row("half a megabyte of aliases", format!("a: &a 1\nb: [{}]\n", repeat("*a,")), Taken),
        row("half a megabyte of lines of a block", format!("a: |\n{}b: 1\n", repeat(" x\n")), Taken),
    ]
}

/// One character or word for 100 KB: nothing of this is a config.
const REPEATED: [&str; 27] = [
    "a", "-", "?", ":", ",", "[", "]", "{", "}", "&", "*", "!", "|", ">", "%", "@", "`", "'", "\"", "\\", "~", "1",
    "- ", ": ", "? ", "a b ", "\t",
];

fn repeated() -> Vec<Row> {
    let meant = |word: &str| -> Meant {
        match word {
            // A name of an anchor may have more of these (YAML 1.2.2 §6.9.2).
            "\t" | "&" => Taken,
            "a" | "-" | "?" | "'" | "1" | "\\" | "~" | "a b " => Bare,
            _ => Refused(""),
        }
    };
    REPEATED
        .iter()
        .map(|word| row(format!("100 KB of {word:?}"), word.repeat(100_000 / word.len()), meant(word)))
        .collect()
}

pub(crate) fn rows() -> Vec<Row> {
    [keys(), values(), lists(), documents(), comments(), small_values(), repeated()].into_iter().flatten().collect()
}
