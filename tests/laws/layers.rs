//! Layers full of anchors come to the same as layers without any, whatever the rules, and no anchor is there twice.
//!
//! Each layer is also written out without aliases and merge keys, by what the tests' own parser makes of it. The rules speak
//! of values only, so both ways must give one value. Anchors are in maps, lists and brackets, before keys, and inside of each
//! other; layers have names in common, but none has one twice.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use granit_parser::{Event, Parser, ScalarStyle};
use proptest::prelude::*;

use crate::tape::Tape;

/// What is merged: its layers, and by which rules.
#[derive(Debug)]
pub(crate) struct Layers {
    texts: Vec<String>,
    rules: &'static [&'static str],
}

/// Words of the command line, and the text of a rules file for the last of them where that is one.
const RULES: [&[&str]; 8] = [
    &["yamlift: 1\n"],
    &["yamlift: 1\nlists: append\n"],
    &["yamlift: 1\nlists: prepend\nmaps: {'**/b': replace}\n"],
    &["yamlift: 1\nlists: unique\nnulls: delete\n"],
    &["yamlift: 1\nlists: index\nother kind: keep\n"],
    &["cloud-init"],
    &["cloud-init", "--header", "2:Merge-Type=list(append)+dict(replace,recurse_list)+str()"],
    &["datum"],
];

pub(crate) fn layers() -> impl Strategy<Value = Layers> {
    let tape = || proptest::collection::vec(any::<u8>(), 0..120);
    (tape(), tape(), 0..RULES.len()).prop_map(|(a, b, rules)| {
        let text = |tape: &[u8]| Layer::default().draw(&mut Tape::new(tape));
        Layers { texts: vec![text(&a), text(&b)], rules: RULES[rules] }
    })
}

/// Documents of Deckhand with one parent, and values of one document put into another.
pub(crate) fn documents() -> impl Strategy<Value = String> {
    let tape = || proptest::collection::vec(any::<u8>(), 0..120);
    (tape(), tape(), 0..3_usize).prop_map(|(a, b, path)| {
        // Both documents are of one file, which has no name twice.
        let data = |tape: &[u8], names| Layer { column: 2, names, ..Layer::default() }.draw(&mut Tape::new(tape));
        let path = ["", "a", "b"][path];
        let order = "---\nschema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\n\
             data: {layerOrder: [global, site]}\n";
        let head = |name: &str, rest: &str| {
            format!("---\nschema: app/Thing/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: {name}\n{rest}")
        };
        let parent = head(
            "parent",
            "  labels: {of: parent}\n  layeringDefinition: {abstract: false, layer: global}\n  storagePolicy: cleartext\n",
        );
        let child = format!(
            "  layeringDefinition:\n    abstract: false\n    layer: site\n    parentSelector: {{of: parent}}\n    \
             actions: [{{method: merge, path: .}}]\n  storagePolicy: cleartext\n  substitutions:\n  - src: {{schema: \
             app/Thing/v1, name: parent, path: .{path}}}\n    dest: {{path: .new}}\n"
        );
        format!("{order}{parent}data:\n{}{}data:\n{}", data(&a, 0), head("child", &child), data(&b, 1000))
    })
}

const KEYS: [&str; 4] = ["a", "b", "c", "d"];

/// A layer in the making.
#[derive(Default)]
struct Layer {
    text: String,
    column: usize,
    names: usize,
    /// The anchors whose values are complete, and whether these are maps.
    defined: Vec<(String, bool)>,
}

impl Layer {
    fn draw(mut self, tape: &mut Tape<'_>) -> String {
        self.map(tape, self.column);
        self.text
    }

    fn map(&mut self, tape: &mut Tape<'_>, column: usize) {
        let start = if self.text.ends_with('\n') || self.text.is_empty() { " ".repeat(column) } else { String::new() };
        let mut keys = KEYS.to_vec();
        let merged = self.merged(tape);
        for at in 0..=tape.below(if column < 3 { 4 } else { 2 }) {
            let start = if at == 0 { start.clone() } else { " ".repeat(column) };
            let key = keys.remove(tape.below(keys.len()));
            if let Some(merged) = merged.as_ref().filter(|_| at == 1) {
                let _ = writeln!(self.text, "{start}<<: {merged}");
                continue;
            }
            let key = self.key(tape, key);
            let _ = write!(self.text, "{start}{key}:");
            self.value(tape, column);
        }
    }

    /// A key, sometimes with an anchor that nothing refers to.
    fn key(&mut self, tape: &mut Tape<'_>, key: &str) -> String {
        if !tape.chance(6) {
            return key.to_owned();
        }
        format!("&{} {key}", self.name())
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("x{}", self.names)
    }

    fn merged(&self, tape: &mut Tape<'_>) -> Option<String> {
        let maps: Vec<_> = self.defined.iter().filter(|(_, is_map)| *is_map).collect();
        if maps.is_empty() || !tape.chance(30) {
            return None;
        }
        let first = &tape.pick(&maps).0;
        Some(if tape.chance(30) { format!("[*{first}, *{}]", tape.pick(&maps).0) } else { format!("*{first}") })
    }

    /// What stands behind a colon or a dash, with the end of the line.
    fn value(&mut self, tape: &mut Tape<'_>, column: usize) {
        let anchor = tape.chance(40).then(|| self.name());
        if let Some(name) = &anchor {
            let _ = write!(self.text, " &{name}");
        }
        let deep = column > 7;
        let is_map = match tape.below(6) {
            1 if anchor.is_none() && !self.defined.is_empty() => {
                let name = &tape.pick(&self.defined).0;
                let _ = writeln!(self.text, " *{name}");
                false
            }
            2 if !deep => {
                self.text.push('\n');
                self.map(tape, column + 2);
                true
            }
            3 if !deep => {
                self.text.push('\n');
                self.list(tape, column);
                false
            }
            4 | 5 => {
                self.text.push(' ');
                let is_map = self.flow(tape, 0);
                self.text.push('\n');
                is_map
            }
            _ => {
                let scalar = tape.pick(&["1", "v", "w"]);
                let _ = writeln!(self.text, " {scalar}");
                false
            }
        };
        self.defined.extend(anchor.map(|name| (name, is_map)));
    }

    fn list(&mut self, tape: &mut Tape<'_>, column: usize) {
        for _ in 0..=tape.below(3) {
            let _ = write!(self.text, "{}-", " ".repeat(column));
            self.value(tape, column + 1);
        }
    }

    /// Brackets, or what is in them; whether it is a map.
    fn flow(&mut self, tape: &mut Tape<'_>, depth: usize) -> bool {
        let is_map = tape.chance(50);
        self.text.push(if is_map { '{' } else { '[' });
        for (at, key) in KEYS.iter().take(tape.below(3)).enumerate() {
            self.text.push_str(if at > 0 { ", " } else { "" });
            if is_map {
                let key = self.key(tape, key);
                let _ = write!(self.text, "{key}: ");
            }
            let name = tape.chance(40).then(|| self.name());
            if let Some(name) = &name {
                let _ = write!(self.text, "&{name} ");
            }
            let mut inner = false;
            match tape.below(4) {
                1 if name.is_none() && !self.defined.is_empty() => {
                    let _ = write!(self.text, "*{}", tape.pick(&self.defined).0);
                }
                2 | 3 if depth < 2 => inner = self.flow(tape, depth + 1),
                _ => self.text.push_str(tape.pick::<&str>(&["1", "v"])),
            }
            self.defined.extend(name.map(|name| (name, inner)));
        }
        self.text.push(if is_map { '}' } else { ']' });
        is_map
    }
}

/// The merge of layers means what the merge of the same without anchors means.
pub(crate) fn merge_keeps_meanings(layers: &Layers) -> Result<(), String> {
    let plain: Vec<_> = layers.texts.iter().map(|text| read(text).map(|documents| written(&documents))).collect();
    let plain = plain.into_iter().collect::<Option<Vec<_>>>().ok_or("a layer is not valid")?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (meant, there) =
        (merged(folder.path(), &plain, layers.rules), merged(folder.path(), &layers.texts, layers.rules));
    agree(meant, there).map_err(|what| format!("{what}\nlayers\n{}", layers.texts.join("----\n")))
}

/// The documents of Deckhand come to what those without anchors come to.
pub(crate) fn layer_keeps_meanings(text: &String) -> Result<(), String> {
    let plain = written(&read(text).ok_or("it is not valid")?);
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let rendered = |text: &str| ran(folder.path(), &[text.to_owned()], &["layer"]);
    agree(rendered(&plain), rendered(text)).map_err(|what| format!("{what}\ndocuments\n{text}"))
}

/// Both were refused, or both have the same values, and no anchor is there twice.
fn agree(meant: Result<String, String>, there: Result<String, String>) -> Result<(), String> {
    let (meant, there) = match (meant, there) {
        (Ok(meant), Ok(there)) => (meant, there),
        (Err(_), Err(error)) if !error.contains("verification") => return Ok(()),
        (Err(error), _) | (_, Err(error)) => return Err(format!("refused: {error}")),
    };
    let told = |what: &str| Err(format!("{what}\n---- result\n{there}\n---- meant\n{meant}"));
    let (Some(values), Some(result)) = (read(&meant), read(&there)) else { return told("the parser refuses it") };
    if values != result {
        return told("a value is another");
    }
    let mut anchors = HashSet::new();
    for document in there.split("---\n") {
        anchors.clear();
        for word in document.split([' ', '\n', '[', '{', ',']).filter(|word| word.starts_with('&')) {
            if !anchors.insert(word) {
                return told(&format!("the anchor {word} is there twice"));
            }
        }
    }
    Ok(())
}

fn merged(folder: &Path, texts: &[String], rules: &[&str]) -> Result<String, String> {
    match rules {
        [system, words @ ..] if !system.contains(':') => {
            let head = if *system == "cloud-init" { "#cloud-config\n" } else { "" };
            let texts: Vec<_> = texts.iter().map(|text| format!("{head}{text}")).collect();
            ran(folder, &texts, &[&["merge", "--rules", system], words].concat())
        }
        rules => {
            std::fs::write(folder.join("rules"), rules.concat()).map_err(|error| error.to_string())?;
            ran(folder, texts, &["merge", "--rules", "rules"])
        }
    }
}

/// What the command prints.
fn ran(folder: &Path, texts: &[String], words: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yamlift"));
    command.current_dir(folder).args(words).arg("-q");
    for (at, text) in texts.iter().enumerate() {
        let name = format!("{at}.yml");
        std::fs::write(folder.join(&name), text).map_err(|error| error.to_string())?;
        command.arg(name);
    }
    let output = command.output().map_err(|error| error.to_string())?;
    let [out, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if output.status.success() { Ok(out) } else { Err(errors) }
}

/// A value without aliases and merge keys; the entries of a map in the order of their keys.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Scalar(String, bool),
    Map(Vec<(String, Value)>),
    List(Vec<Value>),
}

/// The documents of a text; nothing where the parser refuses it.
fn read(text: &str) -> Option<Vec<Value>> {
    let events = Parser::new_from_str(text).collect::<Result<Vec<_>, _>>().ok()?;
    let (mut events, mut documents) = (events.into_iter().map(|(event, _)| event), Vec::new());
    while let Some(event) = events.next() {
        if let Event::DocumentStart(..) = event {
            let first = events.next()?;
            documents.push(value(first, &mut events, &mut HashMap::new())?);
        }
    }
    Some(documents)
}

type Anchors = HashMap<usize, Value>;

fn value<'e>(event: Event<'e>, events: &mut impl Iterator<Item = Event<'e>>, known: &mut Anchors) -> Option<Value> {
    let (value, anchor) = match event {
        Event::Alias(anchor) => return known.get(&anchor).cloned(),
        Event::Scalar(text, style, anchor, _) => {
            (Value::Scalar(text.into_owned(), style == ScalarStyle::Plain), anchor)
        }
        Event::SequenceStart(_, anchor, _) => {
            let mut items = Vec::new();
            loop {
                match events.next()? {
                    Event::SequenceEnd => break (Value::List(items), anchor),
                    event => items.push(value(event, events, known)?),
                }
            }
        }
        Event::MappingStart(_, anchor, _) => {
            let mut entries = Vec::new();
            loop {
                match events.next()? {
                    Event::MappingEnd => break (Value::Map(with_merge_keys(entries)), anchor),
                    event => {
                        let Value::Scalar(key, _) = value(event, events, known)? else { return None };
                        let next = events.next()?;
                        entries.push((key, value(next, events, known)?));
                    }
                }
            }
        }
        _ => return None,
    };
    known.insert(anchor, value.clone());
    Some(value)
}

fn with_merge_keys(entries: Vec<(String, Value)>) -> Vec<(String, Value)> {
    let (merged, mut all): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(key, _)| key == "<<");
    for (_, source) in merged {
        let sources = if let Value::List(items) = source { items } else { vec![source] };
        for source in sources {
            let Value::Map(entries) = source else { continue };
            let new: Vec<_> = entries.into_iter().filter(|(key, _)| all.iter().all(|(own, _)| own != key)).collect();
            all.extend(new);
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

/// Documents as text, in brackets.
fn written(documents: &[Value]) -> String {
    let texts: Vec<_> = documents.iter().map(|document| format!("---\n{}\n", inline(document))).collect();
    texts.concat()
}

fn inline(value: &Value) -> String {
    match value {
        Value::Scalar(text, true) => text.clone(),
        Value::Scalar(text, false) => format!("{text:?}"),
        Value::Map(entries) => {
            let entries: Vec<_> = entries.iter().map(|(key, value)| format!("{key}: {}", inline(value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::List(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
    }
}
