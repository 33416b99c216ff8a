//! The reference parser's complaints in words that a person can act on, at the place where the mistake was made.
//!
//! saphyr says what it had expected next, often a line too late. Each entry here is a mistake that people make.

mod template;

use saphyr_parser::ScanError;

use crate::text::error::{Cause, Error, Place, visible};
use crate::text::scan;
use crate::text::source::Source;
use crate::yaml::limits::MAX_DEPTH;
use crate::yaml::limits::is_too_long;

/// What is wrong with a key that is too long, and a way out.
pub(crate) const LONG_KEY: (&str, &str) =
    ("a key of more than 1024 characters", "put `? ` before it: programs look no further for the colon of a key");

/// A tab as indentation (YAML 1.2.2 §6.1), and a way out.
pub(crate) const TAB: (&str, &str) = ("tab used for indentation", "indent with spaces: YAML allows no tabs there");

/// What to do about nesting that is too deep.
pub(crate) const TOO_DEEP: &str = "no configuration needs that much; is this file what it should be?";

/// Words of saphyr, what they mean, and a way out.
const MISTAKES: [(&str, &str, &str); 35] = [
    (
        "unknown anchor",
        "this alias has no anchor before it",
        "define the anchor, or quote a value that starts with `*`",
    ),
    ("tabs disallowed", TAB.0, TAB.1),
    ("tab cannot be used", TAB.0, TAB.1),
    (
        "invalid indentation in quoted scalar",
        "this quoted value is not closed, or goes on at the column of its key",
        "close the quote, or indent its further lines",
    ),
    ("illegal placement of ':'", "a colon that does not belong here", "is a bracket or quote before it still open?"),
    ("mapping values are not allowed", "a value cannot hold `: `", "quote the value"),
    ("unexpected end of plain scalar", "a value cannot start with this character", "quote the value"),
    (
        "did not find expected ',' or '}'",
        "this flow map is not closed, or lacks a comma",
        "write `}` or `,` before this place",
    ),
    ("expected ',' or ']'", "this flow list is not closed, or lacks a comma", "write `]` or `,` before this place"),
    ("found unexpected end of stream", "a quote is never closed", "close the quote"),
    ("unexpected eof", "the file ends inside of a value", "is a bracket or a quote not closed?"),
    (
        "unknown escape character",
        "no such escape in double quotes",
        "write `\\\\` for a backslash, or use single quotes",
    ),
    (
        "invalid trailing content",
        "text behind a closing quote",
        "inside of single quotes a quote is written twice (''), inside of double quotes as \\\"",
    ),
    ("cannot start with a tab", TAB.0, TAB.1),
    ("found a tab", "the next line is indented with a tab", TAB.1),
    ("followed by a valid YAML whitespace", "a tab cannot stand behind this character", "put a space there"),
    ("comments must be separated", "a comment needs a blank before its `#`", "put one there, or quote the value"),
    ("duplicate version directive", "a second %YAML directive for one document", "keep one of them"),
    ("must only be given at most once per handle", "a second %TAG directive for the same handle", "keep one of them"),
    (
        "handle wasn't declared",
        "the handle of this tag is not declared",
        "declare it with a %TAG directive, above the `---` of each document that it is used in",
    ),
    (
        "explicit document end marker before directive",
        "a line inside of a document cannot start with `%`",
        "quote the key; before a directive the document has to end with `...`",
    ),
    (
        "did not find expected <document start>",
        "a document has to start before this line",
        "write `---` above it, or align it with what stands before it",
    ),
    ("scanning a YAML directive", "this directive does not say which version", "it reads like %YAML 1.2"),
    (
        "did not find expected '-' indicator",
        "this is no item of the list above",
        "start it with `- `, or align it with the key of the list",
    ),
    ("duplicated anchor", "a value can have only one anchor", "take one of them out"),
    (
        "sequence entries are not allowed",
        "a list item where none can stand",
        "give the list a line and a key of its own",
    ),
    ("unexpected character: `%'", "a value cannot start with `%`", "quote the value"),
    ("unexpected character: `@'", "a value cannot start with `@`, which YAML reserves", "quote the value"),
    ("unexpected character: ``'", "a value cannot start with a backtick, which YAML reserves", "quote the value"),
    ("misplaced bracket", "this bracket closes none", "take it out, or quote the value"),
    (
        "invalid Unicode character escape code",
        "an escape in this text stands for no character",
        "write the character itself, or an escape such as `\\u00e9`",
    ),
    (
        "wrongly indented line in block scalar",
        "this line is indented less than the text that it is a part of",
        "indent it as far as the number behind `|` or `>` says, or leave that out",
    ),
    (
        "indentation indicator equal to 0",
        "the indentation of this text cannot be 0",
        "leave the number out, or write the spaces that its lines have more than their key: 1 to 9",
    ),
    (
        "block scalar, did not find expected comment or line break",
        "text behind the `|` or `>` of a text on the lines below",
        "put it on the next line, indented; or quote a value that starts with this character",
    ),
    (
        "did not find expected key",
        "this does not fit with what stands above or before it",
        "align it with the key that it belongs to; is a bracket or a quote before it still open?",
    ),
];

/// A way out of a mistake that is not in the table.
const UNKNOWN: &str = "quote the value, or look whether a bracket or a quote before this place is still open";

/// The error for something that is not valid YAML.
pub(crate) fn explain(source: &Source<'_>, error: &ScanError, place: Place) -> Error {
    let info = error.info();
    if let Some(error) = template::explain(source, place) {
        return error;
    }
    if ["simple key expect", "mapping values are not allowed"].iter().any(|words| info.contains(words))
        && let Some(place) = long_key(source, place)
    {
        let what = format!("not valid YAML: {}", LONG_KEY.0);
        return source.error(&what, place).help("write `? ` before it, and `: ` with its value on the line below");
    }
    if let Some(number) = line_before_key(source, info, place) {
        return no_key(source, number);
    }
    if info.contains("mapping values are not allowed") && is_first_key(source, place) {
        return deeper_than_a_key(source, place.line);
    }
    if info.contains("did not find expected key")
        && let Some((at, key, braces)) = braces_above(source, place.line)
    {
        return below_braces(source, place.line, (at, key, braces));
    }
    if info.contains("did not find expected key") && is_second_anchor(source, place) {
        return source.error("not valid YAML: a value can have only one anchor", place).help("take one of them out");
    }
    if info.contains("recursion limit") {
        return too_deep(source, place);
    }
    if info.contains("wrongly indented line in block scalar") && is_marker(line(source, place.line)) {
        return scalar_before_document(source, place.line);
    }
    match MISTAKES.iter().find(|(words, ..)| info.contains(words)) {
        Some((words, what, help)) => {
            source.error(&format!("not valid YAML: {what}"), place).help(*help).because(cause(words))
        }
        None => source.error(&format!("not valid YAML: {info}"), place).help(UNKNOWN),
    }
}

/// The error for a key below a key that has a value already.
fn deeper_than_a_key(source: &Source<'_>, number: usize) -> Error {
    let column = indent(line(source, number));
    let above = (1..number).rev().find_map(|at| Some((at, key_before(line(source, at), column)?)));
    let place = Place { line: number, column: column + 1 };
    let Some((at, key)) = above else {
        let what = "not valid YAML: this key is indented deeper than a key that has a value already";
        return source.error(what, place).help("align it with its neighbours, or quote the value if it goes on here");
    };
    let key = visible(key);
    let what =
        format!("not valid YAML: this key is indented deeper than `{key}` in line {at}, which has a value already");
    source.error(&what, place).help(format!("align it with `{key}`, or quote the value of `{key}` if it goes on here"))
}

/// The number of the line right above a deeper one, its key and the empty braces or brackets behind that, if these are all
/// that it has.
fn braces_above<'a>(source: &Source<'a>, number: usize) -> Option<(usize, &'a str, &'static str)> {
    let is_content = |at: &usize| {
        let text = line(source, *at);
        !text.trim_ascii().is_empty() && !scan::is_comment(text)
    };
    let at = (1..number).rev().find(is_content)?;
    let key = key_before(line(source, at), indent(line(source, number)))?;
    let (_, value) = scan::key_and_rest(strip_openers(line(source, at)))?;
    let value = scan::comment_behind(value).map_or(value, |comment| &value[..comment]).trim_ascii();
    let braces = ["{}", "[]"].into_iter().find(|braces| value == *braces)?;
    Some((at, key, braces))
}

/// The error for a line below empty braces: who uncomments an example of a chart forgets them.
fn below_braces(source: &Source<'_>, number: usize, (at, key, braces): (usize, &str, &str)) -> Error {
    let (key, column) = (visible(key), indent(line(source, number)) + 1);
    let what = format!("not valid YAML: nothing can stand below `{key}: {braces}` in line {at}");
    source.error(&what, Place { line: number, column }).help(format!("take the `{braces}` in line {at} out"))
}

/// Whether an anchor starts at a place, right behind another.
fn is_second_anchor(source: &Source<'_>, place: Place) -> bool {
    let line = line(source, place.line);
    let at = line.char_indices().nth(place.column.saturating_sub(1)).map_or(line.len(), |(at, _)| at);
    let (before, behind) = line.split_at(at);
    behind.starts_with('&') && before.split_whitespace().last().is_some_and(|word| word.starts_with('&'))
}

/// The key that a line opens before this column.
fn key_before(line: &str, column: usize) -> Option<&str> {
    let text = strip_openers(line);
    let is_before = line.chars().count() - text.chars().count() < column;
    scan::key_and_rest(text).map(|(key, _)| key).filter(|_| is_before && !scan::is_comment(line))
}

/// Whether a line is a marker. A byte-order mark can stand before one (YAML 1.2.2 §9.1.1).
fn is_marker(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}');
    ["---", "..."].iter().any(|marker| scan::behind_marker(line, marker).is_some())
}

/// The error for what the reference parser does not read, and so nothing that comes about may be; at the marker of the
/// document behind it.
pub(crate) fn scalar_before_document(source: &Source<'_>, line: usize) -> Error {
    let what = "a document that is one block scalar, at column 0 or empty, and goes before another is not supported";
    let error = source.error(what, Place { line, column: 1 });
    error.help("indent the text of the scalar").because(Cause::ScalarBeforeDocument)
}

/// What it means that a result is not readable: what the reference parser does not read is what the files make of it, all
/// else our bug.
pub(crate) fn in_result(error: &Error) -> Error {
    match error.place().zip(error.cause()) {
        Some((place, Cause::ScalarBeforeDocument)) => {
            let what = format!("in the result, {}", error.what());
            Error::input(what).placed(place).help("give that document a key, or indent the text of the scalar")
        }
        _ => Error::verification("the result is not readable").detail(error.to_string()),
    }
}

/// What a complaint of the parser, which has no kinds, is about.
fn cause(words: &str) -> Option<Cause> {
    match words {
        "unknown anchor" => Some(Cause::AliasWithoutAnchor),
        "duplicated anchor" => Some(Cause::TwoAnchors),
        _ => None,
    }
}

/// Deeper than [`MAX_DEPTH`]. The parser has a limit of its own, which a deep line reaches before its first event comes.
pub(crate) fn too_deep(source: &Source<'_>, place: Place) -> Error {
    source.error(&format!("nested more than {MAX_DEPTH} levels deep"), place).help(TOO_DEEP)
}

/// The line that is no key among lines that are. The parser notices at the next one.
fn line_without_key(source: &Source<'_>, place: Place) -> Option<usize> {
    let text = |at: usize| line(source, at).trim_start();
    let is_content = |at: &usize| !matches!(text(*at).bytes().next(), None | Some(b'#'));
    let last = (1..place.line).rev().find(is_content);
    let lines = [Some(place.line).filter(is_content), last];
    lines.into_iter().flatten().find(|&at| scan::key_and_rest(text(at)).is_none())
}

/// The line that lacks a key, by what the parser says at the next one.
fn line_before_key(source: &Source<'_>, info: &str, place: Place) -> Option<usize> {
    let number = line_without_key(source, place)?;
    let has_said_so = ["simple key expect", "did not find expected key"].iter().any(|words| info.contains(words));
    let is_beside = || number < place.line && indent(line(source, number)) == indent(line(source, place.line));
    let is_below = info.contains("mapping values are not allowed") && is_first_key(source, place) && is_beside();
    (has_said_so || is_below).then_some(number)
}

fn no_key(source: &Source<'_>, number: usize) -> Error {
    let text = line(source, number).trim();
    let (what, help) = if ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|marker| text.starts_with(marker)) {
        ("this is a conflict marker of a version control system", "resolve the conflict first")
    } else if text.contains(':') {
        (
            "this line has no key: a colon needs a blank behind it",
            "write `key: value`, or indent the line if it goes on with the value above",
        )
    } else {
        (
            "this line does not fit: a key, deeper text or a list item is due",
            "add `: ` behind a key, or align the line with its neighbours",
        )
    };
    let place = Place { line: number, column: indent(line(source, number)) + 1 };
    source.error(&format!("not valid YAML: {what}"), place).help(help)
}

/// Where the key of a line starts whose colon is too far away for programs to find it.
fn long_key(source: &Source<'_>, place: Place) -> Option<Place> {
    let text = line(source, place.line);
    let inner = strip_openers(text);
    let key = scan::key_and_rest(inner).map_or(inner, |(key, _)| key);
    let column = text.len() - inner.len() + 1;
    (is_too_long(key) && key.len() < inner.len()).then_some(Place { column, ..place })
}

/// A line without its indentation, and without what opens items and explicit keys before its text.
fn strip_openers(line: &str) -> &str {
    let mut inner = line.trim_start();
    while let Some(behind) = ["- ", "? ", ": "].iter().find_map(|opener| inner.strip_prefix(opener)) {
        inner = behind.trim_start();
    }
    inner
}

/// Whether the colon at a place belongs to the first key of its line, and not to a value behind one.
fn is_first_key(source: &Source<'_>, place: Place) -> bool {
    let text = line(source, place.line);
    let key = scan::key_and_rest(text.trim_start()).map(|(key, _)| key.chars().count());
    key.is_some_and(|length| indent(text) + length + 1 >= place.column)
}

fn line<'a>(source: &Source<'a>, number: usize) -> &'a str {
    source.lines.numbered(number)
}

fn indent(text: &str) -> usize {
    text.chars().take_while(|c| *c == ' ').count()
}
