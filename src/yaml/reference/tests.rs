//! The reference parser understands a text as its own input has it, errors and places included.

use proptest::prelude::*;
use saphyr_parser::{Input, Parser};

use super::input::Bytes;
use crate::text::testdata::yaml_files_and;

/// What texts are made of here: all that means something to a parser, characters of one to four bytes, and what is none. Not a
/// `%` alone: in directives that nobody knows the parser's own input counts bytes, where places are characters.
const PARTS: [&str; 36] = [
    "a",
    "key",
    "é",
    "→",
    "😀",
    "\u{feff}",
    "\0",
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\n  ",
    ":",
    ": ",
    "- ",
    "? ",
    "#",
    " # c é",
    ",",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "|",
    ">-\n",
    "&a ",
    "*a",
    "!t ",
    "%TAG !t tag:x:\n",
    "---",
    "...",
    "\\x41",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_understood_as_by_the_parsers_own_input(parts in prop::collection::vec(prop::sample::select(&PARTS[..]), 0..24)) {
        assert_same(&parts.concat());
    }
}

#[test]
fn real_files_are_understood_as_by_the_parsers_own_input() {
    for file in yaml_files_and("testdata", "YAMLIFT_CORPUS") {
        // Some are no UTF-8, and are refused before they are read.
        if let Ok(text) = std::fs::read_to_string(&file) {
            assert_same(&text);
        }
    }
}

fn assert_same(text: &str) {
    assert_eq!(events(Parser::new(Bytes::of(text))), events(Parser::new_from_str(text)), "{text:?}");
}

/// What a parser finds, up to its first error.
fn events<I: Input>(parser: Parser<'_, I>) -> Vec<String> {
    let mut events = Vec::new();
    for event in parser {
        let is_error = event.is_err();
        events.push(format!("{event:?}"));
        if is_error {
            break;
        }
    }
    events
}
