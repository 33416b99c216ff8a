//! Every place that a placeholder can stand in, with every value that could do harm there.

use saphyr_parser::{Event, Parser};

use super::*;

fn variables(pairs: &[(&str, &str)]) -> Variables {
    let mut variables = Variables::default();
    for (name, value) in pairs {
        variables.set(*name, *value);
    }
    variables
}

fn applied(text: &str, pairs: &[(&str, &str)]) -> String {
    apply("x.yml", text, &variables(pairs)).unwrap().text.into_owned()
}

fn refused(text: &str, pairs: &[(&str, &str)]) -> Error {
    apply("x.yml", text, &variables(pairs)).unwrap_err()
}

/// The events of a text, one line each; `expand` says what becomes of a scalar's text. Styles are left out.
fn events(text: &str, expand: impl Fn(&str) -> String) -> Vec<String> {
    let show = |event| match event {
        Event::Scalar(text, _, anchor, tag) => format!("{:?} {anchor} {tag:?}", expand(&text)),
        other => format!("{other:?}"),
    };
    Parser::new_from_str(text).map(|event| show(event.unwrap_or_else(|error| panic!("{error} in {text}")).0)).collect()
}

const PLACES: [&str; 50] = [
    "#{v}",
    "--- #{v}\n...\n---\nb\n",
    "--- |\n#{v}\nx\n",
    "a: #{v}\nb: 1\n",
    "a: x#{v}y\nb: 1\n",
    "a: x #{v} y  # note\nb: 1\n",
    "a:   #{v}  # note\nb: 1\n",
    "a:\n  #{v}\nb: 1\n",
    "a: #{v}#{v}\n",
    "a: x\n  #{v}\n  y\nb: 1\n",
    "a: &n #{v}\nb: *n\n",
    "a: !t   #{v}\nb: 1\n",
    "a: &n !!str # note\n  #{v}\nb: 1\n",
    "#{v}: 1\nb: 2\n",
    "a:\n  x#{v}: 1\n  b: 2\n",
    "? #{v}\n: 1\n",
    "? - #{v}\n: 1\n",
    "&n #{v}: 1\n",
    "\"#{v}\": 1\n",
    "'#{v}': 1\n",
    "- #{v}\n- b\n",
    "- - #{v}\n  - b\n",
    "- a: #{v}\n  b: 1\n",
    "- #{v}: 1\n  b: 1\n",
    "a: [#{v}, b]\n",
    "a: [b,\n  #{v}, # note\n  c]\n",
    "a: [b,\n #{v}\n]\nb: 1\n",
    "a: {#{v}: 1, b: #{v}}\n",
    "a: {x: [#{v}], y: \"#{v}\"}\n",
    "a: [x: #{v}, 'y': '#{v}']\n",
    "a: \"#{v}\" # note\nb: 1\n",
    "a: \"x#{v}y\\n\"\n",
    "a: \"x\n  #{v}\n  y\"\n",
    "a: '#{v}'\nb: 1\n",
    "a: 'it''s #{v}'\n",
    "a: 'x\n  #{v}\n\n  y'\n",
    "a: |\n  #{v}\nb: 1\n",
    "a: |  # note > | \n  x\n  y #{v} z\n\n  w\n\nb: 1\n",
    "a: &n |-\n  #{v}\n\n# note\nb: *n\n",
    "a: |+\n  x\n  #{v}\n\n\nb: 1\n",
    "a: |2\n    #{v}\n  x\nb: 1\n",
    "l:\n- a: |2-\n      #{v}\n    #{v}\n  b: 1\n",
    "- - |\n    x\n    #{v}\n  - b\n- c\n",
    "-    |\n  #{v}\n- !t >-\n  #{v}\n",
    "a: >\n  x #{v} y\n  z\n\n  w\nb: 1\n",
    "a: >-\n\n  #{v}\n    more\n\nb: 1\n",
    "a:\n  # > note |\n  >1+\n   #{v}\n\n# end\n",
    "? |\n  #{v}\n: - b\n",
    "a: |\n  #{v}",
    "ü: 'é' # ü\na: #{v}\nb: [é, #{v}] # é\n",
];

const VALUES: [&str; 46] = [
    "2",
    "true",
    "foo bar",
    "",
    " ",
    " x",
    "x ",
    "\tx",
    "a: b",
    "a:",
    ":a",
    "a #b",
    "a#b",
    "#a",
    "- a",
    "-a",
    "? a",
    "?",
    "[a",
    "a, b",
    "{}",
    "]",
    "&a",
    "*a",
    "!a b",
    "|",
    "> a",
    "'",
    "it's",
    "\"",
    "\\n",
    "a\nb",
    "a\n\nb: c\n",
    "\n",
    "a\r\nb",
    "a\u{1}b",
    "\u{85}",
    "a\u{2028}b",
    "\u{feff}a",
    "%a",
    "@a",
    "---",
    "--- a",
    "...",
    "<<",
    "ü 😀 $1 #{v}",
];

#[test]
fn no_value_changes_the_structure_and_each_reads_back_exactly() {
    for place in PLACES {
        for value in VALUES {
            let wanted = events(&place.replace("#{v}", "Token"), |text| text.replace("Token", value));
            let text = applied(place, &[("v", value)]);
            assert_eq!(events(&text, str::to_owned), wanted, "{place} with {value:?} is\n{text}");
            assert_eq!(text.contains("note"), place.contains("note"), "{text}");
        }
    }
}

#[test]
fn crlf_stays_crlf() {
    for place in PLACES {
        for value in VALUES {
            let place = place.replace('\n', "\r\n");
            let wanted = events(&place.replace("#{v}", "Token"), |text| text.replace("Token", value));
            let text = applied(&place, &[("v", value)]);
            assert_eq!(events(&text, str::to_owned), wanted, "{place} with {value:?} is\n{text}");
            assert!(!text.replace("\r\n", "").contains(['\n', '\r']), "{text:?}");
        }
    }
}

/// Text, value of `v`, result.
const EXAMPLES: [(&str, &str, &str); 30] = [
    ("text: >\n  sample #{v} or\n  another #{v}", "11", "text: >\n  sample 11 or\n  another 11"),
    ("a: \"#{v}\"", "$1\\n", "a: \"$1\\\\n\""),
    ("#{v}: 1", "key", "key: 1"),
    ("#{v}: 1", "a: b", "\"a: b\": 1"),
    ("a: #{v}", "foo bar", "a: foo bar"),
    ("a: #{v}", "a: b", "a: \"a: b\""),
    ("a: #{v}", "2", "a: 2"),
    ("a: #{v}", "", "a: \"\""),
    ("a: x-#{v}  # note #{v}", "y", "a: x-y  # note y"),
    ("a: x-#{v}  # note #{v}", "y #z", "a: \"x-y #z\"  # note y #z"),
    ("[#{v}, b]", "x, y", "[\"x, y\", b]"),
    ("- #{v}", "- x", "- \"- x\""),
    ("a: #{v}", "x, y", "a: x, y"),
    ("a: x\n  #{v}\n  y # n\n", "z", "a: x\n  z\n  y # n\n"),
    ("a: x\n  #{v}\n  y # n\n", "#", "a: \"x # y\" # n\n"),
    ("a: '#{v}'", "it's", "a: 'it''s'"),
    ("a: '#{v}'", "x\ny", "a: \"x\\ny\""),
    ("a: \"#{v}\"", "x\ny", "a: \"x\\ny\""),
    ("a: |  # n\n  x #{v}\n\n# c\nb: 1\n", "1\n2", "a: |  # n\n  x 1\n  2\n\n# c\nb: 1\n"),
    ("a: |  # n #{v}\n  #{v}\n\n# c\nb: 1\n", " 1", "a: \" 1\\n\"  # n  1\n\n# c\nb: 1\n"),
    ("a: >-  # n\r\n  #{v}\r\nb: 1\r\n", "1\n2", "a: \"1\\n2\"  # n\r\nb: 1\r\n"),
    ("a: |\r\n  #{v}\r\nb: 1\r\n", "1\n2", "a: |\r\n  1\r\n  2\r\nb: 1\r\n"),
    ("\u{feff}a: #{v}", "1", "\u{feff}a: 1"),
    ("a: &n !!str #{v}", "#", "a: &n !!str \"#\""),
    ("a: #{v} #{other} b", "1", "a: 1 #{other} b"),
    ("a: #{v} ##{v} #{ v } #{} #{v", "1", "a: 1 #1 #{ v } #{} #{v"),
    ("# #{v}: #{v}\n", "'\"", "# '\": '\"\n"),
    ("#{v}: 1", "<<", "\"<<\": 1"),
    ("a: #{v}", "#{v}", "a: \"#{v}\""),
    ("a:\n  b: [\n    #{v},\n  ] # #{v}\n  c: #{v}", "#", "a:\n  b: [\n    \"#\",\n  ] # #\n  c: \"#\""),
];

#[test]
fn values_are_written_as_a_person_would() {
    for (text, value, wanted) in EXAMPLES {
        assert_eq!(applied(text, &[("v", value)]), wanted);
    }
}

#[test]
fn names_are_told_apart_and_reported_once() {
    let text = "a: #{b}#{a}#{a.b-c_9}#{b}\nd: #{x}\ne: '#{w} #{x}'\n";
    let given = variables(&[("a", "1"), ("b", "2"), ("a.b-c_9", "3"), ("unused", "4")]);
    let done = apply("x.yml", text, &given).unwrap();
    assert_eq!(done.text, "a: 2132\nd: #{x}\ne: '#{w} #{x}'\n");
    let used = [("a", "1"), ("a.b-c_9", "3"), ("b", "2")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(done.used, used);
    assert_eq!(done.unknown, ["w", "x"]);
}

#[test]
fn a_text_without_known_placeholders_is_not_even_parsed() {
    let done = apply("x.yml", "a: [#{x}\n\t:", &Variables::default()).unwrap();
    assert!(matches!(done.text, Cow::Borrowed("a: [#{x}\n\t:")));
    assert_eq!(done.unknown, ["x"]);
}

#[test]
fn the_last_definition_counts() {
    assert_eq!(applied("a: #{v}", &[("v", "1"), ("v", "2")]), "a: 2");
}

#[test]
fn no_name_can_come_from_a_variable() {
    let texts = [
        "a: &#{v} 1",
        "a: !#{v} 1",
        "a: !x!#{v} 1",
        "a: 1\nb:\n - *#{v}",
        "%X #{v}\n---\na",
        "%YAML #{v}\n---\na",
        "a: !<#{v}> 1",
    ];
    for text in texts {
        let error = refused(text, &[("v", "secret")]);
        assert_eq!(error.what(), "a variable cannot stand in an anchor, a tag or a directive", "{text}");
        let at = text.find("#{").unwrap();
        assert_eq!(error.place(), Some(place(text, at)), "{text}");
        assert!(!error.to_string().contains("secret"));
    }
}

#[test]
fn a_comment_takes_one_line_only() {
    let error = refused("a: 1\nb: 2 # é #{v}\n", &[("v", "secret\nc: 3")]);
    assert_eq!(error.place(), Some(Place { line: 2, column: 10 }));
    assert!(error.what().starts_with("the value of `v` has a line break"));
    assert!(!error.to_string().contains("secret"));
}

#[test]
fn an_error_shows_the_place_in_the_file_and_no_value() {
    let error = refused("é: #{name}\nb: [é, '#{name}\n", &[("name", "secret")]);
    assert_eq!(error.place(), Some(Place { line: 2, column: 8 }));
    assert!(error.to_string().contains("b: [é, '#{name}"), "{error}");
    assert!(!error.to_string().contains("secret"));
}

#[test]
fn a_key_that_yaml_cannot_hold_is_refused() {
    let error = refused("a: 1\n#{v}: 1\n", &[("v", &"secret".repeat(200))]);
    assert_eq!(error.what(), "the value of `v` cannot be written here");
    assert_eq!(error.place(), Some(Place { line: 2, column: 1 }));
    assert!(!error.to_string().contains("secret"));
}

#[test]
fn a_key_in_braces_that_programs_do_not_find_is_refused() {
    let error = refused("a: {b: 1, #{v}: 1}\n", &[("v", &"secret".repeat(200))]);
    assert_eq!(error.what(), "the value of `v` cannot be written here");
    assert!(!error.to_string().contains("secret"));
}

#[test]
fn a_tab_is_never_plain() {
    let tab = [("v", "a\tb")];
    assert_eq!(applied("k: #{v}\n", &tab), "k: \"a\\tb\"\n");
    assert_eq!(applied("k: [x #{v}]\n", &tab), "k: [\"x a\\tb\"]\n");
    assert_eq!(applied("#{v}: 1\n", &tab), "\"a\\tb\": 1\n");
    assert_eq!(applied("k: >-\n  #{v}\n", &tab), "k: \"a\\tb\"\n");
    assert_eq!(applied("k: |\n  x\n  #{v}\n", &tab), "k: |\n  x\n  a\tb\n");
    assert_eq!(applied("k: |\n  #{v}\n", &[("v", "\ta")]), "k: \"\\ta\\n\"\n");
}

#[test]
fn words_of_the_text_are_no_placeholders() {
    assert_eq!(applied("Zggg: #{v}\nZgggZ: ZggZ#{v}ggh", &[("v", "Zggg")]), "Zggg: Zggg\nZgggZ: ZggZZgggggh");
}
