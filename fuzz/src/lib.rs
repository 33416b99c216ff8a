//! What the targets share: what an error may say, what must be true of an upgrade, and the values of a text as anybody's
//! parser sees them.

use saphyr_parser::{Event, Parser, ScalarStyle};
use yamlift::{ChangeKind, Error, ErrorKind, Options, Upgrade};

mod lines;
pub mod streams;

/// Ends each part of an input. No YAML text holds it, so a part with it would be refused anyway.
pub const SEPARATOR: char = '\0';

/// Upgrades, and does not let an error pass that calls itself a bug of yamlift.
pub fn upgrade(current: &str, update: &str, options: &Options) -> Option<Upgrade> {
    accepted(yamlift::upgrade(current, update, options))
}

/// What was accepted. An error has to be about the input.
pub fn accepted<T>(result: Result<T, Error>) -> Option<T> {
    let error = match result {
        Ok(found) => return Some(found),
        Err(error) => error,
    };
    let shown = error.to_string();
    let ours = error.kind() != ErrorKind::Input || shown.contains("bug in yamlift");
    assert!(!ours, "{shown}");
    None
}

/// Upgrades a file, and holds the result to what must be true of every one: it has all values of the file (law 4), both
/// parsers read it (law 8), a second run changes nothing (law 3), and every path of the report names its line again.
pub fn upgraded_well(current: &str, update: &str) {
    let options = Options::default();
    let Some(first) = upgrade(current, update, &options) else { return };
    keeps_values(current, &first);
    if let Err(error) = yamlift::outline(first.text()) {
        panic!("the result is refused: {error}");
    }
    match upgrade(first.text(), update, &options) {
        Some(second) => {
            assert_eq!(second.text(), first.text(), "a second run changes the result");
            assert!(!second.report().changed());
        }
        None => panic!("a second run is refused"),
    }
    paths_lead_back(&first);
}

fn keeps_values(current: &str, upgrade: &Upgrade) {
    if let (Some(mut before), Some(after)) = (values(current), values(upgrade.text())) {
        // A key that has nothing takes the map of the update.
        before.retain(|(path, told)| !told.is_empty() || after.iter().all(|(other, told)| other != path || told != "{"));
        assert_eq!(missing(&before, &after), None, "a value of the current file is gone");
    }
}

/// What was added is found by the path that the report gives, on the line that it gives.
fn paths_lead_back(upgrade: &Upgrade) {
    let added = upgrade.report().changes().iter().filter(|change| change.kind == ChangeKind::Added);
    // Several empty keys have one path, which names the first of them.
    for change in added.filter(|change| !change.path.is_empty() && !change.path.contains("\"\"")).take(3) {
        let mut options = Options::default();
        options.delete.push(change.path.clone());
        let Some(again) = accepted(yamlift::upgrade(upgrade.text(), upgrade.text(), &options)) else { continue };
        let removed = again.report().changes().iter().find(|change| change.kind == ChangeKind::Removed);
        if removed.is_some_and(|removed| change.path.starts_with(&format!("{}/", removed.path))) {
            // The last of its keys takes a map along.
            continue;
        }
        assert_eq!(removed.map(|removed| removed.line), Some(change.line), "{}", change.path);
    }
}

/// Whether two other parsers read a text to its end.
pub fn is_readable(text: &str) -> bool {
    let third = granit_parser::Parser::new_from_str(text).all(|event| event.is_ok());
    third && Parser::new_from_str(text).all(|event| event.is_ok())
}

/// A collection that is still open: the path to it, and where it stands between key and value.
struct Open {
    path: String,
    map: bool,
    key: Option<String>,
    items: usize,
}

/// Path and text of every scalar and every empty or filled collection, documents left out of the paths. Nothing where
/// the parser alone does not read the text, or where a key is more than a scalar.
pub fn values(text: &str) -> Option<Vec<(String, String)>> {
    if text.rsplit(['\n', '\r']).next().is_some_and(|last| !last.is_empty() && last.trim().is_empty()) {
        // Blanks at the end are a line of a text before them to this parser, which they are not.
        return None;
    }
    let is_unbroken = !text.ends_with(['\n', '\r']);
    let length = text.chars().count();
    let mut open: Vec<Open> = Vec::new();
    let mut found = Vec::new();
    for event in Parser::new_from_str(text) {
        let (mut event, span) = event.ok()?;
        if let Event::Scalar(text, ScalarStyle::Literal | ScalarStyle::Folded, ..) = &mut event
            && is_unbroken
            && span.end.index() >= length
        {
            // A line break that the file does not have is none of the text's (YAML 1.2.2 §8.1.1.2).
            *text = text.strip_suffix('\n').unwrap_or(text).to_owned().into();
        }
        let told = match &event {
            Event::Scalar(text, style, ..) if *style == ScalarStyle::Plain => text.to_string(),
            Event::Scalar(text, ..) => format!("{text:?}"),
            Event::Alias(_) => "*".to_owned(),
            Event::SequenceStart(..) => "[".to_owned(),
            Event::MappingStart(..) => "{".to_owned(),
            Event::SequenceEnd | Event::MappingEnd => {
                open.pop();
                continue;
            }
            _ => continue,
        };
        let starts = matches!(event, Event::SequenceStart(..) | Event::MappingStart(..));
        if let Some(top) = open.last_mut().filter(|top| top.map && top.key.is_none()) {
            let Event::Scalar(name, ..) = event else { return None };
            top.key = Some(name.into_owned());
            continue;
        }
        let path = next_path(open.last_mut());
        if starts {
            let map = matches!(event, Event::MappingStart(..));
            open.push(Open { path: path.clone(), map, key: None, items: 0 });
        }
        if !(path.is_empty() && told.is_empty()) {
            found.push((path, told));
        }
    }
    found.sort();
    Some(found)
}

/// Whether a text has documents, each with a value.
pub fn has_values(text: &str) -> bool {
    let events: Option<Vec<_>> = Parser::new_from_str(text).map(|event| Some(event.ok()?.0)).collect();
    let is_null = |event: &Event<'_>| matches!(event, Event::Scalar(text, ScalarStyle::Plain, ..) if text.is_empty());
    let starts = |event: &Event<'_>| matches!(event, Event::DocumentStart(..));
    events.is_some_and(|events| {
        events.iter().any(starts) && !events.windows(2).any(|two| starts(&two[0]) && is_null(&two[1]))
    })
}

fn next_path(top: Option<&mut Open>) -> String {
    let Some(top) = top else { return String::new() };
    match top.key.take() {
        Some(key) => format!("{}/{key:?}", top.path),
        None => {
            top.items += 1;
            format!("{}[{}]", top.path, top.items - 1)
        }
    }
}

/// The first of `some` that `all`, both sorted, lacks.
pub fn missing<'v>(some: &'v [(String, String)], all: &[(String, String)]) -> Option<&'v (String, String)> {
    let mut rest = all.iter();
    some.iter().find(|value| !rest.by_ref().take_while(|other| other <= value).any(|other| other == *value))
}
