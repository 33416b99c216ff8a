//! Variables through the command: whatever text is given, the file has exactly that text where the placeholder stood, and
//! all else as before.
//!
//! What is to be read stands in the tables, event by event, and a parser reads it back that yamlift does not use. Where a
//! value cannot stand, the upgrade is refused, and the words of that do not show it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::print_stdout, reason = "what was tried is told")]

mod common;
mod folder;

use std::fs;
use std::process::Output;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{contents, yamlift};
use folder::folder_of;
use granit_parser::{Event, Parser};

/// A name, a new default with `#{v}`, and what it says: `{`, `}`, `[`, `]`, `---`, `*` for an alias, and `=` before each
/// text, in which `V` stands for the value.
type Context = (&'static str, &'static str, &'static [&'static str]);

const CONTEXTS: [Context; 27] = [
    ("a value", "listen: #{v}\nport: 1\n", &["---", "{", "=listen", "=V", "=port", "=1", "}"]),
    ("a part of a value", "url: http://#{v}/path\n", &["---", "{", "=url", "=http://V/path", "}"]),
    ("twice in a value", "pair: #{v} and #{v}\n", &["---", "{", "=pair", "=V and V", "}"]),
    ("a value with a note", "listen: #{v}  # note\nport: 1\n", &["---", "{", "=listen", "=V", "=port", "=1", "}"]),
    ("a value on a line of its own", "listen:\n  #{v}\nport: 1\n", &["---", "{", "=listen", "=V", "=port", "=1", "}"]),
    (
        "a value on many lines",
        "motd: we\n  #{v}\n  you\nport: 1\n",
        &["---", "{", "=motd", "=we V you", "=port", "=1", "}"],
    ),
    ("double quotes", "name: \"#{v}\"\nport: 1\n", &["---", "{", "=name", "=V", "=port", "=1", "}"]),
    ("double quotes with an escape", "name: \"\\t#{v}\\\"\"\n", &["---", "{", "=name", "=\tV\"", "}"]),
    ("single quotes", "name: '#{v}'\nport: 1\n", &["---", "{", "=name", "=V", "=port", "=1", "}"]),
    ("single quotes with a quote", "name: 'it''s #{v}'\n", &["---", "{", "=name", "=it's V", "}"]),
    (
        "a literal",
        "motd: |\n  to\n  #{v}\n  all\nport: 1\n",
        &["---", "{", "=motd", "=to\nV\nall\n", "=port", "=1", "}"],
    ),
    ("a literal without its last line end", "motd: |-\n  to #{v}\n", &["---", "{", "=motd", "=to V", "}"]),
    (
        "a folded text",
        "motd: >-\n  to #{v} and\n  all\nport: 1\n",
        &["---", "{", "=motd", "=to V and all", "=port", "=1", "}"],
    ),
    ("an item", "- #{v}\n- other\n", &["---", "[", "=V", "=other", "]"]),
    ("a value of an item", "- name: #{v}\n  port: 1\n", &["---", "[", "{", "=name", "=V", "=port", "=1", "}", "]"]),
    ("brackets", "all: [#{v}, other]\n", &["---", "{", "=all", "[", "=V", "=other", "]", "}"]),
    ("quotes in brackets", "all: [\"#{v}\", '#{v}']\n", &["---", "{", "=all", "[", "=V", "=V", "]", "}"]),
    ("braces", "all: {name: #{v}, port: 1}\n", &["---", "{", "=all", "{", "=name", "=V", "=port", "=1", "}", "}"]),
    (
        "braces in brackets",
        "all: [{name: [#{v}]}]\n",
        &["---", "{", "=all", "[", "{", "=name", "[", "=V", "]", "}", "]", "}"],
    ),
    ("a key", "#{v}: 1\nport: 2\n", &["---", "{", "=V", "=1", "=port", "=2", "}"]),
    (
        "a part of a key",
        "hosts:\n  at-#{v}: 1\n  port: 2\n",
        &["---", "{", "=hosts", "{", "=at-V", "=1", "=port", "=2", "}", "}"],
    ),
    ("a key in quotes", "\"#{v}\": 1\n'#{v} too': 2\n", &["---", "{", "=V", "=1", "=V too", "=2", "}"]),
    ("a key in braces", "all: {#{v}: 1, port: 2}\n", &["---", "{", "=all", "{", "=V", "=1", "=port", "=2", "}", "}"]),
    ("an explicit key", "? #{v}\n: 1\n", &["---", "{", "=V", "=1", "}"]),
    ("behind an anchor", "a: &n #{v}\nb: *n\n", &["---", "{", "=a", "=V", "=b", "*", "}"]),
    ("behind a tag", "a: !!str #{v}\nb: 1\n", &["---", "{", "=a", "=V", "=b", "=1", "}"]),
    ("a second document", "a: 1\r\n---\r\nb: #{v}\r\n", &["---", "{", "=a", "=1", "}", "---", "{", "=b", "=V", "}"]),
];

const VALUES: [&str; 41] = [
    "2",
    "true",
    "null",
    "0755",
    "foo bar",
    "",
    " ",
    " first",
    "last ",
    "\ttab\t",
    "a\ttab",
    "a: b",
    "a:",
    ": a",
    "a #b",
    "#",
    "- a",
    "-",
    "? a",
    "[a",
    "a]",
    "a, b",
    "{a: b}",
    "&a",
    "*a",
    "!a b",
    "| a",
    "> a",
    "it's",
    "say \"so\"",
    "back\\slash\\n",
    "two\nlines",
    "two\n\nkeys: 1\n",
    "cr\r\nlf",
    "--- a",
    "...",
    "%a",
    "@a`",
    "\u{1b}[31mred\u{7}",
    "<<",
    "Grüße\u{a0}😀\u{2028}\u{feff}#{v} $1 %s",
];

/// What a text says, in the words of the table.
fn said(text: &str) -> Option<Vec<String>> {
    let word = |event: Event<'_>| match event {
        Event::DocumentStart(..) => Some("---".to_owned()),
        Event::Scalar(text, ..) => Some(format!("={text}")),
        Event::Alias(_) => Some("*".to_owned()),
        Event::SequenceStart(..) => Some("[".to_owned()),
        Event::SequenceEnd => Some("]".to_owned()),
        Event::MappingStart(..) => Some("{".to_owned()),
        Event::MappingEnd => Some("}".to_owned()),
        _ => None,
    };
    let events: Vec<_> = Parser::new_from_str(text).collect::<Result<_, _>>().ok()?;
    Some(events.into_iter().filter_map(|(event, _)| word(event)).collect())
}

/// Installs the default with the value given, and reads what came out.
fn check((_, text, wanted): Context, value: &str) -> Result<(), String> {
    let dir = folder_of(&[("new.yml", text)]);
    let output = yamlift(dir.path()).args(["upgrade", "relay.yml", "new.yml", "-e", &format!("v={value}")]).output();
    let output = output.map_err(|error| error.to_string())?;
    if output.status.code() != Some(0) {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let obeyed = |c: &char| c.is_control() && *c != '\n';
    if let Some(c) = String::from_utf8_lossy(&output.stdout).chars().find(obeyed) {
        return Err(format!("it prints {c:?}"));
    }
    let written = fs::read_to_string(dir.path().join("relay.yml")).map_err(|error| error.to_string())?;
    let wanted: Vec<_> = wanted
        .iter()
        .map(|word| word.strip_prefix('=').map_or((*word).to_owned(), |text| format!("={}", text.replace('V', value))))
        .collect();
    let kept = text.contains("# note") == written.contains("# note");
    if said(&written).as_ref() == Some(&wanted) && kept { Ok(()) } else { Err(format!("it reads\n{written}")) }
}

#[test]
fn each_value_reads_back_exactly_wherever_it_stands() {
    let (next, broken) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let count = CONTEXTS.len() * VALUES.len();
    let work = || {
        while let Some(at) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|at| *at < count) {
            let (context, value) = (CONTEXTS[at / VALUES.len()], VALUES[at % VALUES.len()]);
            if let Err(what) = check(context, value) {
                broken.lock().unwrap().push(format!("{value:?} as {}: {what}", context.0));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    let broken = broken.into_inner().unwrap();
    println!("figures: variable combinations\t{count}");
    println!("figures: variable combinations: not as given\t{}", broken.len());
    assert!(broken.is_empty(), "{} broken\n{}", broken.len(), broken.join("\n"));
}

/// Upgrades with these words behind; CONFIG is `relay.yml`, UPDATE is `new.yml`.
fn upgrade(files: &[(&str, &str)], words: &[&str]) -> (Output, String) {
    let dir = folder_of(files);
    let before = contents(dir.path());
    let mut command = yamlift(dir.path());
    let output =
        command.env("YAMLIFT_V", "from: here").args(["upgrade", "relay.yml", "new.yml"]).args(words).output().unwrap();
    let refused = !output.status.success();
    assert!(!refused || contents(dir.path()) == before, "refused, but a file has changed");
    (output, fs::read_to_string(dir.path().join("relay.yml")).unwrap_or_default())
}

#[test]
fn a_comment_takes_any_line_and_no_more_than_one() {
    for value in VALUES {
        let (output, written) =
            upgrade(&[("new.yml", "# on #{v}\nport: 1  # of #{v}\n")], &["-e", &format!("v={value}")]);
        // YAML has no way to write these in a comment.
        let fits = value.chars().all(|c| c == '\t' || !(c.is_control() || matches!(c, '\u{2028}' | '\u{feff}')));
        assert_eq!(output.status.code(), Some(if fits { 0 } else { 2 }), "{value:?}");
        assert_eq!(written, if fits { format!("# on {value}\nport: 1  # of {value}\n") } else { String::new() });
    }
}

#[test]
fn no_value_becomes_a_name_and_no_error_shows_one() {
    for text in [
        "a: &#{v} 1\n",
        "a: !#{v} 1\n",
        "a: !<#{v}> 1\n",
        "a: &x 1\nb: *#{v}\n",
        "%TAG !#{v}! x\n---\na: 1\n",
        "# c\n%X #{v}\n---\na: 1\n",
    ] {
        for value in ["hunter2", "x y", "#hunter2", "hunter2\n"] {
            let (output, written) = upgrade(&[("new.yml", text)], &["-e", &format!("v={value}")]);
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!((output.status.code(), written.as_str()), (Some(2), ""), "{text}");
            assert!(said.contains("a variable cannot stand in an anchor, a tag or a directive"), "{said}");
            assert!(said.starts_with("error: new.yml:") && !said.contains("hunter2"), "{said}");
        }
    }
}

#[test]
fn all_sources_give_the_same_text() {
    let files = [("new.yml", "a: #{YAMLIFT_V}\nb: 1\n"), ("v.properties", "YAMLIFT_V = from\\: here\n")];
    for word in ["YAMLIFT_V=from: here", "YAMLIFT_V", "v.properties"] {
        let (output, written) = upgrade(&files, &["-e", word]);
        assert_eq!((output.status.code(), written.as_str()), (Some(0), "a: \"from: here\"\nb: 1\n"), "{word}");
    }
}

#[test]
fn nothing_is_put_in_twice_or_into_the_file_of_the_user() {
    let files = [("relay.yml", "own: \"#{v}\" # #{w}\n"), ("new.yml", "own: 1\nnew: '#{v}'\nold: 2 # #{x}\n")];
    let (output, written) = upgrade(&files, &["-b", "-e", "v=#{w}", "w=#{v}"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(written, "own: \"#{v}\" # #{w}\nnew: '#{w}'\nold: 2 # #{x}\n");
    assert!(String::from_utf8_lossy(&output.stdout).contains("no value for the variable #{x}"));
}

#[test]
fn a_name_without_a_value_is_refused_on_request() {
    let files = [("relay.yml", "own: 1\n"), ("new.yml", "own: #{own}\nnew: 1 # #{x}\n")];
    let (output, written) = upgrade(&files, &["-e", "own=2", "--strict-vars"]);
    assert_eq!((output.status.code(), written.as_str()), (Some(2), "own: 1\n"));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("error: new.yml:2:10: no value for the variable #{x}\n"), "{said}");
    assert_eq!(upgrade(&files, &["-e", "own=2", "x=3", "--strict-vars"]).0.status.code(), Some(0));
}
