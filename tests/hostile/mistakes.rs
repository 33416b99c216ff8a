//! What is no YAML, or no config: quotes and brackets left open, tabs, duplicate keys, bad indentation, escapes and
//! headers, and files of other kinds.

use crate::Meant::{self, Bare, Either, Refused, Taken};
use crate::{Row, row};

const TWICE: Meant = Refused("appears twice");
const TAB: Meant = Refused("tab");
const ANY: Meant = Refused("");

const QUOTES: [(&str, &str, Meant); 20] = [
    ("a double quote left open", "a: \"b\nc: 1\n", ANY),
    ("a single quote left open", "a: 'b\nc: 1\n", ANY),
    ("a quoted key left open", "\"a: 1\n", ANY),
    ("a quote left open at the end", "a: 1\nb: \"", ANY),
    ("a quote left open behind a backslash", "a: \"b\\\"\n", ANY),
    ("a quote left open in brackets", "a: [\"b, c]\n", ANY),
    ("a text behind a quote", "a: \"b\" c\n", ANY),
    ("a quote in a quote", "a: 'it's'\n", ANY),
    ("a document end in a quote", "a: \"b\n---\nc\"\n", ANY),
    ("an unknown escape", "a: \"\\q\"\n", ANY),
    ("an escape of one digit", "a: \"\\x4\"\n", ANY),
    ("an escape that ends", "a: \"\\u12\"\n", ANY),
    ("an escape that is no number", "a: \"\\uzzzz\"\n", ANY),
    ("an escape of half a pair", "a: \"\\uD800\"\n", ANY),
    ("an escape above Unicode", "a: \"\\UFFFFFFFF\"\n", ANY),
    ("a bracket left open", "a: [b\nc: 1\n", ANY),
    ("a brace left open", "a: {b: 1\nc: 1\n", ANY),
    ("a bracket too many", "a: [b]]\n", ANY),
    ("a brace closed by a bracket", "a: {b: 1]\n", ANY),
    ("two commas in brackets", "a: [b,, c]\n", ANY),
];

const INDENTATION: [(&str, &str, Meant); 24] = [
    ("a tab before a key", "a:\n\tb: 1\n", TAB),
    ("a tab before the first key", "\ta: 1\n", TAB),
    ("a tab behind blanks", "a:\n  \tb: 1\n", TAB),
    ("a tab before an item", "a:\n\t- b\n", TAB),
    ("a tab behind a dash", "-\ta: 1\n", TAB),
    ("a tab behind a question mark", "?\ta: 1\n", Either),
    ("a tab behind a colon", "a:\tb\n", Taken),
    ("tabs in a value", "a: b\tc\t\td\n", Taken),
    ("tabs behind a value", "a: b\t\t\nc: 1\t# note\n", Taken),
    ("a tab in brackets", "a: [\n\tb,\n\tc\n  ]\n", Either),
    ("a tab on a blank line", "a: 1\n\t\nb: 2\n", Taken),
    ("a tab before a comment", "a: 1\n\t# c\nb: 2\n", Taken),
    ("a tab in a block scalar", "a: |\n  b\n\tc\n", ANY),
    ("a key too far to the right", "a: 1\n  b: 2\n", ANY),
    ("a key too far to the left", "a:\n    b: 1\n  c: 2\n", ANY),
    ("a key between two columns", "a:\n  b:\n      c: 1\n    d: 2\n", ANY),
    ("an item among keys", "a: 1\n- b\n", ANY),
    ("a key among items", "- a\nb: 1\n", ANY),
    ("a key and an item on one line", "a: - b\n", ANY),
    ("two keys on one line", "a: b: c\n", ANY),
    ("no colon", "a: 1\nb\nc: 2\n", ANY),
    ("no blank behind the colon", "a:1\nb: 2\n", ANY),
    ("no key", ": a: 1\n", ANY),
    ("a comment without a blank", "a: \"b\"#c\n", ANY),
];

const KEYS: [(&str, &str, Meant); 18] = [
    ("a key twice", "a: 1\na: 2\n", TWICE),
    ("a key twice with the same value", "a: 1\na: 1\n", TWICE),
    ("a key twice, once in quotes", "a: 1\n\"a\": 2\n", TWICE),
    ("a key twice, once with an escape", "a: 1\n\"\\x61\": 2\n", TWICE),
    ("a key twice, once behind a question mark", "a: 1\n? a\n: 2\n", TWICE),
    ("a key twice in braces", "m: {a: 1, a: 2}\n", TWICE),
    ("a key twice in braces on two lines", "m: {a: 1,\n  'a': 2}\n", TWICE),
    ("a key twice in an item", "- a: 1\n  a: 2\n", TWICE),
    ("a key twice in the second document", "a: 1\n---\na: 1\na: 2\n", TWICE),
    ("a key twice deep inside", "a: {b: [{c: {d: 1, d: 2}}]}\n", TWICE),
    ("a key twice below an anchor", "a: &x\n  b: 1\n  b: 2\nc: *x\n", TWICE),
    ("a list twice as key", "[a, b]: 1\n[a, b]: 2\n", TWICE),
    ("a key in two documents", "a: 1\n---\na: 1\n", Taken),
    ("keys that differ in case", "a: 1\nA: 2\n", Taken),
    ("keys that look like one number", "1: a\n01: b\n1.0: c\n0x1: d\n", Taken),
    ("keys that are said to be nothing", "null: 1\n~: 2\n", Taken),
    ("keys that mean yes and no", "yes: 1\nno: 2\non: 3\noff: 4\ny: 5\nn: 6\n", Taken),
    ("keys of other languages", "__proto__: 1\nconstructor: 2\n$ref: 3\n", Taken),
];

const HEADERS: [(&str, &str, Meant); 16] = [
    ("a header of zero blanks", "a: |0\n  b\n", ANY),
    ("a header of ten blanks", "a: |10\n  b\n", ANY),
    ("a header with two signs", "a: |+-\n  b\n", ANY),
    ("a header with a word", "a: |x\n  b\n", ANY),
    ("a text behind a header", "a: | b\n  c\n", ANY),
    ("a header with more blanks than there are", "a: |9\n  b\n", ANY),
    ("a block scalar with a deeper blank line", "a: |\n      \n  b\n", ANY),
    ("a block scalar at the margin", "--- |\nb\nc\n", Bare),
    ("a block scalar without a line", "a: |\nb: 1\n", Taken),
    ("a block scalar at the very end", "a: |", Taken),
    ("a tag that is not closed", "a: !<b c\n", ANY),
    ("an empty tag", "a: !<> b\n", Either),
    ("a tag of a handle that is not there", "a: !e!x b\n", Refused("handle")),
    ("a tag with a bad escape", "a: !%zz b\n", ANY),
    ("two tags", "a: !x !y b\n", ANY),
    ("a tag that runs code elsewhere", "a: !!python/object/apply:os.system ['id']\n", Taken),
];

const OTHERS: [(&str, &str, Meant); 24] = [
    ("a word", "hello\n", Bare),
    ("a number", "42", Bare),
    ("a sentence with a colon in it", "Sorry: the page is not here\n", Taken),
    ("an error page", "<!DOCTYPE html>\n<html><body>404: Not Found</body></html>\n", ANY),
    ("XML", "<?xml version=\"1.0\"?>\n<a b=\"c\">d</a>\n", Bare),
    ("JSON", "{\"a\": [1, {\"b\": null}], \"c\": \"d\"}\n", Taken),
    ("JSON that is cut off", "{\"a\": [1, {\"b\": nul", ANY),
    ("JSON with comments", "{\n  \"a\": 1, // one\n  \"b\": 2\n}\n", Either),
    ("TOML", "[section]\nkey = \"value\"\n", ANY),
    ("INI", "[section]\n; note\nkey=value\n", ANY),
    ("properties", "a.b=c\nd=e\n", Bare),
    ("a shell script", "#!/bin/sh\nset -e\necho \"a: $1\"\n", ANY),
    ("marks of a merge", "<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> branch\n", ANY),
    ("a template", "a: {{ name }}\nb: {% if x %}\n", ANY),
    ("a diff", "--- a.yml\n+++ b.yml\n@@ -1 +1 @@\n-a: 1\n+a: 2\n", ANY),
    ("a private key", "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n", Bare),
    ("a log", "12:00:01 started\n12:00:02 stopped: why\n", ANY),
    ("a table", "a,b,c\n1,2,3\n", Bare),
    ("blanks", "   \n\n  \n", Taken),
    ("a start of a document", "---\n", Taken),
    ("an end of a document", "...\n", Taken),
    ("nothing, said so", "null\n", Bare),
    ("an empty list", "[]\n", Taken),
    ("a reserved character", "a: @b\n", ANY),
];

/// A config with something of everything, cut off after so many bytes.
const WHOLE: &str = "# Relay\n%_: \"x\\u0041\"\nserver: &s\n  host: 'it''s'\n  ports: [80, {a: 1}]\n  note: |+\n    two\n    lines\n\n\
                     list:\n- name: a # note\n  more: *s\n- ? k\n  : v\n---\nkind: Two\nfold: >-\n  a\n  b\n...\n";

fn cut_off() -> Vec<Row> {
    let whole = WHOLE.replace("%_", "plain");
    (1..whole.len()).step_by(5).map(|end| row(format!("cut off behind {end} bytes"), &whole[..end], Either)).collect()
}

pub(crate) fn rows() -> Vec<Row> {
    let tables = [&QUOTES[..], &INDENTATION, &KEYS, &HEADERS, &OTHERS];
    let rows = tables.into_iter().flatten().map(|(name, text, meant)| row(*name, *text, *meant));
    rows.chain(cut_off()).collect()
}
