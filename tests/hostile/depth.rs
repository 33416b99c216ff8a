//! Nesting of every kind, up to where a config may go and far beyond.

use crate::Meant::{Refused, Taken};
use crate::{Row, joined, row};

/// A text that nests so many levels deep.
type Nest = fn(usize) -> String;

/// Around `x`, so many times.
fn around(open: &str, close: &str, levels: usize) -> String {
    format!("root: {}x{}\n", open.repeat(levels), close.repeat(levels))
}

/// Each line is one blank further in than the one above.
fn stairs(line: &str, levels: usize) -> String {
    let lines = joined(0..levels, |level| format!("{:level$}{line}\n", ""));
    format!("{lines}{:levels$}end: 1\n", "")
}

const NESTS: [(&str, Nest); 24] = [
    ("maps below each other", |levels| stairs("key:", levels)),
    ("maps with a tag each", |levels| stairs("key: !mine", levels)),
    ("maps with a comment each", |levels| stairs("key: # of this level", levels)),
    ("lists below each other", |levels| stairs("-", levels)),
    ("lists on one line", |levels| format!("{}x\n", "- ".repeat(levels))),
    ("lists and maps by turns", |levels| {
        let line = |level: usize| format!("{:indent$}- key:\n", "", indent = level * 4);
        joined(0..levels, line) + &format!("{:indent$}- x\n", "", indent = levels * 4)
    }),
    ("lists of a second document", |levels| format!("a: 1\n---\n{}x\n", "- ".repeat(levels))),
    ("brackets", |levels| around("[", "]", levels)),
    ("brackets, one a line", |levels| around("[\n ", "\n ]", levels)),
    ("brackets with blanks", |levels| around("[ ", " ]", levels)),
    ("brackets with an item before each", |levels| around("[1, ", "]", levels)),
    ("brackets with an item behind each", |levels| around("[", ", 1]", levels)),
    ("brackets with an anchor each", |levels| {
        let open = joined(0..levels, |level| format!("&a{level} ["));
        format!("root: {open}x{}\n", "]".repeat(levels))
    }),
    ("brackets with a tag each", |levels| around("!!seq [", "]", levels)),
    ("braces", |levels| around("{key: ", "}", levels)),
    ("braces with a quoted key each", |levels| around("{\"key\":", "}", levels)),
    ("braces with an explicit key each", |levels| around("{? key : ", "}", levels)),
    ("braces in brackets", |levels| around("[{key: ", "}]", levels / 2)),
    ("pairs in brackets", |levels| around("[key: ", "]", levels / 2)),
    ("braces that are keys", |levels| around("{", ": 1}", levels)),
    ("brackets that are keys", |levels| around("{[", "]: 1}", levels / 2)),
    ("question marks on one line", |levels| format!("{}x\n", "? ".repeat(levels))),
    ("question marks and dashes", |levels| format!("{}x\n", "? - ".repeat(levels / 2))),
    ("question marks below each other", |levels| stairs("?", levels)),
];

/// What closes nothing, or is never closed, however deep.
const UNBALANCED: [(&str, &str, &str); 4] = [
    ("brackets that are never closed", "[", ""),
    ("braces that are never closed", "{a: ", ""),
    ("brackets closed by braces", "[", "}"),
    ("brackets and braces that are never closed", "[{a: ", ""),
];

pub(crate) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, nest) in NESTS {
        rows.push(row(format!("90 {name}"), nest(90), Taken));
        rows.push(row(format!("500 {name}"), nest(500), Refused("nested more than 200 levels deep")));
        // What grows with the square of the depth would be over the limit of size.
        let many = if nest(100).len() > 4000 { 1200 } else { 50_000 };
        rows.push(row(format!("{many} {name}"), nest(many), Refused("nested more than 200 levels deep")));
    }
    for (name, open, close) in UNBALANCED {
        for levels in [3, 20_000] {
            rows.push(row(format!("{levels} {name}"), around(open, close, levels), Refused("")));
        }
    }
    // In a plain value a bracket is a character like others (YAML 1.2.2 §7.3.3).
    rows.push(row("brackets that were never opened", around("", "]", 20_000), Taken));
    rows.push(row("braces that were never opened", around("", "}", 20_000), Taken));
    rows.push(row("a key 50,000 blanks further in", format!("a:\n{:50000}b: 1\n", ""), Taken));
    rows.push(row("an item 50,000 blanks behind its dash", format!("- {:50000}b: 1\n", ""), Taken));
    rows
}
