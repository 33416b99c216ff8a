//! Every kind of neighbourhood that a gap can have.

use super::super::normal::{Place, TextBefore};
use super::super::{After, Before, Neighbourhood};

/// A text with a gap in it, and what is to be said of what stands around that.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    pub(super) above: &'static str,
    pub(super) below: &'static str,
    pub(super) place: Place<'static>,
}

const fn kind(above: &'static str, before: Before, below: &'static str, after: After, closed: &'static [i32]) -> Kind {
    Kind { above, below, place: Place { around: Neighbourhood { before, after, closed }, text: None, barred: &[] } }
}

const fn behind(before: TextBefore, kind: Kind) -> Kind {
    Kind { place: Place { text: Some(before), ..kind.place }, ..kind }
}

const fn scalar(content: i32, cap: i32) -> TextBefore {
    TextBefore::Scalar { content, cap, keeps_blanks: false, is_empty: false }
}

const fn keeping(content: i32, cap: i32) -> TextBefore {
    TextBefore::Scalar { content, cap, keeps_blanks: true, is_empty: false }
}

/// A block scalar without text, of which a comment from `cap` on would be the first line.
const fn empty(content: i32, cap: i32, keeps_blanks: bool) -> TextBefore {
    TextBefore::Scalar { content, cap, keeps_blanks, is_empty: true }
}

const KEY: TextBefore = TextBefore::Key { column: 0 };

use After::{DocumentEnd as ToEnd, DocumentStart as ToStart, FileEnd, Node, Value};
use Before::{Content, Directive, DocumentEnd, DocumentStart, FileStart};

pub(super) const KINDS: &[Kind] = &[
    // Keys in keys, deeper and not.
    kind("a: 1\n", Content, "b: 2\n", Node, &[1]),
    kind("a:\n  b: 1\n", Content, "c: 2\n", Node, &[3, 1]),
    kind("a:\n  b: 1\n", Content, "  c: 2\n", Node, &[3]),
    kind("a:\n  b:\n    c: 1\n", Content, "d: 2\n", Node, &[5, 3, 1]),
    kind("a:\n  b:\n    c: 1\n", Content, "  d: 2\n", Node, &[5, 3]),
    kind("a:\n b: 1\n", Content, "c: 2\n", Node, &[2, 1]),
    kind("a:\n", Content, "  b: 1\n", Node, &[]),
    kind("a: &x\n  !t\n", Content, "  b: 1\n", Node, &[]),
    kind("a:\n", Content, "b: 1\n", Node, &[1]),
    // Lists, deeper than their key and at its column.
    kind("a:\n  - x\n", Content, "b: 2\n", Node, &[3, 1]),
    kind("a:\n- x\n", Content, "b: 2\n", Node, &[1, 1]),
    kind("a:\n- x\n", Content, "- y\n", Node, &[1]),
    kind("a:\n- x: 1\n", Content, "b: 2\n", Node, &[3, 2, 1]),
    kind("- x: 1\n", Content, "- y\n", Node, &[3, 2]),
    kind("- x: 1\n", Content, "  z: 1\n", Node, &[3]),
    kind("-   x: 1\n", Content, "- y\n", Node, &[5, 4]),
    kind("-\n x: 1\n", Content, "- y\n", Node, &[2, 1]),
    kind("- - x\n", Content, "- y\n", Node, &[3, 2]),
    kind("- - x\n", Content, "  - y\n", Node, &[3]),
    kind("-\n", Content, "- y\n", Node, &[1]),
    kind("- x:\n  - y\n", Content, "- z\n", Node, &[3, 3, 2]),
    // Values of several lines.
    kind("a: b\n  c\n", Content, "d: 2\n", Node, &[1]),
    kind("a: [b,\n  c]\n", Content, "d: 2\n", Node, &[1]),
    kind("a:\n", Content, "  value\n", Value, &[]),
    kind("a:\n  b:\n", Content, "    &x\n    c: 1\n", Value, &[]),
    kind("a:\n", Content, "  - 1\n", Node, &[]),
    // Keys behind `?`.
    kind("? a\n: b\n", Content, "c: 1\n", Node, &[1]),
    kind("? a\n: b: 1\n", Content, "c: 1\n", Node, &[3, 1]),
    kind("? a\n:\n  b: 1\n", Content, "c: 1\n", Node, &[3, 1]),
    kind("? a\n: - b\n", Content, "? c\n: 1\n", Node, &[3, 1]),
    behind(KEY, kind("? a\n", Content, "c: 1\n", Node, &[1])),
    behind(KEY, kind("? - a\n", Content, "", FileEnd, &[1])),
    behind(TextBefore::Key { column: 2 }, kind("b:\n  ? a\n", Content, "c: 1\n", Node, &[3, 1])),
    behind(TextBefore::Key { column: 2 }, kind("- ? a\n", Content, "- c\n", Node, &[3, 2])),
    behind(scalar(2, 2), kind("? a\n: |\n  text\n", Content, "c: 1\n", Node, &[1])),
    // Block scalars.
    behind(scalar(2, 2), kind("a: |\n  text\n", Content, "b: 1\n", Node, &[1])),
    behind(scalar(2, 2), kind("a: |-\n  text\n", Content, "b: 1\n", Node, &[1])),
    behind(keeping(2, 2), kind("a: |+\n  text\n", Content, "b: 1\n", Node, &[1])),
    behind(scalar(4, 4), kind("a:\n  b: |\n    text\n", Content, "c: 1\n", Node, &[3, 1])),
    behind(keeping(4, 4), kind("a:\n  b: >+\n    text\n", Content, "c: 1\n", Node, &[3, 1])),
    behind(scalar(3, 3), kind("- x: |\n   text\n", Content, "- y\n", Node, &[3, 2])),
    behind(scalar(2, 2), kind("- |\n  text\n", Content, "- y\n", Node, &[1])),
    behind(empty(1, 1, false), kind("a: |\n", Content, "b: 1\n", Node, &[1])),
    behind(empty(1, 1, true), kind("a: |+\n", Content, "b: 1\n", Node, &[1])),
    behind(empty(3, 3, false), kind("a:\n  b: |\n", Content, "c: 1\n", Node, &[3, 1])),
    behind(empty(2, 1, false), kind("a: |2\n", Content, "b: 1\n", Node, &[1])),
    behind(scalar(2, 2), kind("a: |\n  text\n", Content, "---\nb: 1\n", ToStart, &[1])),
    behind(scalar(0, 0), kind("--- |\ntext\n", Content, "...\n", ToEnd, &[])),
    behind(scalar(2, 2), kind("--- |\n  text\n", Content, "---\nb: 1\n", ToStart, &[])),
    behind(keeping(2, 2), kind("a: |+\n  text\n", Content, "", FileEnd, &[1])),
    behind(scalar(2, 2), kind("a: |\n  text\n", Content, "", FileEnd, &[1])),
    // The first gap of a document.
    kind("", FileStart, "a: 1\n", Node, &[]),
    kind("", FileStart, "- a\n", Node, &[]),
    kind("---\n", DocumentStart, "a: 1\n", Node, &[]),
    kind("--- # c\n", DocumentStart, "  a: 1\n", Node, &[]),
    kind("--- !t\n", DocumentStart, "- 1\n", Node, &[]),
    kind("---\n&x\n", DocumentStart, "a: 1\n", Node, &[]),
    kind("a: 1\n...\n", DocumentEnd, "b: 1\n", Node, &[]),
    kind("a: 1\n---\n", DocumentStart, "b: 1\n", Node, &[]),
    kind("", FileStart, "value\n", Value, &[]),
    kind("---\n", DocumentStart, "&x\na: 1\n", Value, &[]),
    kind("--- &x\n", DocumentStart, "value\n", Value, &[]),
    // Documents without a value.
    kind("", FileStart, "", FileEnd, &[]),
    kind("", FileStart, "...\n", ToEnd, &[]),
    kind("---\n", DocumentStart, "---\na: 1\n", ToStart, &[]),
    kind("---\n", DocumentStart, "...\n", ToEnd, &[]),
    kind("---\n", DocumentStart, "", FileEnd, &[]),
    kind("...\n", DocumentEnd, "...\n", ToEnd, &[]),
    // What stands over `---`.
    kind("", FileStart, "---\na: 1\n", ToStart, &[]),
    kind("", FileStart, "%YAML 1.2\n---\na: 1\n", ToStart, &[]),
    kind("%YAML 1.2\n", Directive, "---\na: 1\n", ToStart, &[]),
    kind("%YAML 1.2\n", Directive, "%TAG !e! tag:e.org,2000:\n---\na: 1\n", ToStart, &[]),
    kind("a: 1\n...\n", DocumentEnd, "---\nb: 1\n", ToStart, &[]),
    kind("a: 1\n...\n", DocumentEnd, "%YAML 1.2\n---\nb: 1\n", ToStart, &[]),
    // The end of a document and of the file.
    kind("a: 1\n", Content, "---\nb: 1\n", ToStart, &[1]),
    kind("a:\n  b: 1\n", Content, "...\n", ToEnd, &[3, 1]),
    kind("a:\n  b: 1\n", Content, "", FileEnd, &[3, 1]),
    kind("a:\n- b: 1\n", Content, "", FileEnd, &[3, 2, 1]),
    kind("- a\n", Content, "", FileEnd, &[1]),
    kind("--- value\n", Content, "", FileEnd, &[]),
    kind("{a: 1}\n", Content, "---\n", ToStart, &[]),
    kind("a: 1\n...\n", DocumentEnd, "", FileEnd, &[]),
];
