//! What a text says, as the events of a parser tell it that yamlift itself does not use: the laws are held to this, and
//! to nothing of yamlift's. It reads what the reference parser gets to see only with other white space.

use std::collections::HashMap;

use granit_parser::{Event, Parser, ScalarStyle, Span, StructureStyle};

/// A file: its documents, and which of its lines are no comments although they may look so.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) documents: Vec<Node>,
    /// Lines that continue a scalar or a flow collection, first and last, from 1.
    inside: Vec<(usize, usize)>,
}

#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// The line of its key, or where its value starts.
    pub(crate) line: usize,
    /// Whether it is a collection in flow style.
    pub(crate) flow: bool,
    pub(crate) tag: Option<String>,
    pub(crate) value: Value,
}

#[derive(Debug, Clone)]
pub(crate) enum Value {
    Scalar { text: String, plain: bool },
    Alias { target: Path, kind: Kind },
    Map(Vec<(String, Node)>),
    List(Vec<Node>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Scalar,
    Map,
    List,
}

/// One step down: into a key or into an item.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Step {
    Key(String),
    Item(usize),
}

/// The way to a value from the root of its document.
pub(crate) type Path = Vec<Step>;

impl Tree {
    /// Reads a text; nothing where the parser refuses it.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let events = Parser::new_from_str(text).collect::<Result<Vec<_>, _>>().ok()?;
        let mut builder = Builder {
            text,
            events: events.into_iter(),
            closed: Span::default(),
            anchors: HashMap::new(),
            tree: Self::default(),
        };
        builder.stream()?;
        Some(builder.tree)
    }

    /// Whether a line is inside of a scalar or a flow collection.
    pub(crate) fn is_inside(&self, line: usize) -> bool {
        self.inside.iter().any(|(first, last)| (*first..=*last).contains(&line))
    }

    /// All nodes with their document and path, in the order of the file.
    pub(crate) fn nodes(&self) -> Vec<(usize, Path, &Node)> {
        let mut found = Vec::new();
        for (at, root) in self.documents.iter().enumerate() {
            root.collect(at, &mut Vec::new(), &mut found);
        }
        found
    }
}

/// Whether a text is valid YAML: two parsers say so, for each of them lets something pass that is not.
pub(crate) fn is_valid(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Parser::new_from_str(text).all(|event| event.is_ok())
        && saphyr_parser::Parser::new_from_str(text).all(|event| event.is_ok())
}

impl Node {
    pub(crate) fn kind(&self) -> Kind {
        match &self.value {
            Value::Scalar { .. } => Kind::Scalar,
            Value::Alias { kind, .. } => *kind,
            Value::Map(_) => Kind::Map,
            Value::List(_) => Kind::List,
        }
    }

    /// Whether nothing is written.
    pub(crate) fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar { text, plain: true } if text.is_empty())
    }

    /// Its text as a key.
    fn as_key(&self) -> String {
        let joined = |parts: Vec<String>| parts.join(", ");
        match &self.value {
            Value::Scalar { text, .. } => text.clone(),
            Value::Alias { target, .. } => format!("*{}", print(None, target)),
            Value::List(items) => format!("[{}]", joined(items.iter().map(Self::as_key).collect())),
            Value::Map(entries) => {
                let entry = |(name, value): &(String, Self)| format!("{name}: {}", value.as_key());
                format!("{{{}}}", joined(entries.iter().map(entry).collect()))
            }
        }
    }

    /// The value under a key.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        match &self.value {
            Value::Map(entries) => entries.iter().find(|(key, _)| key == name).map(|(_, node)| node),
            _ => None,
        }
    }

    /// The value at a path.
    pub(crate) fn find(&self, path: &[Step]) -> Option<&Self> {
        path.iter().try_fold(self, Self::step)
    }

    fn step(&self, step: &Step) -> Option<&Self> {
        match (step, &self.value) {
            (Step::Key(name), _) => self.get(name),
            (Step::Item(at), Value::List(items)) => items.get(*at),
            _ => None,
        }
    }

    /// Whether any value on the way to a path, the last one included, is one that passes.
    pub(crate) fn any_on_the_way(&self, path: &[Step], passes: impl Fn(&Self) -> bool) -> bool {
        (0..=path.len()).any(|length| self.find(&path[..length]).is_some_and(&passes))
    }

    /// The values inside, with the steps to them.
    pub(crate) fn children(&self) -> Vec<(Step, &Self)> {
        match &self.value {
            Value::Map(entries) => entries.iter().map(|(name, node)| (Step::Key(name.clone()), node)).collect(),
            Value::List(items) => items.iter().enumerate().map(|(at, node)| (Step::Item(at), node)).collect(),
            _ => Vec::new(),
        }
    }

    fn collect<'n>(&'n self, document: usize, path: &mut Path, found: &mut Vec<(usize, Path, &'n Self)>) {
        found.push((document, path.clone(), self));
        for (step, child) in self.children() {
            path.push(step);
            child.collect(document, path, found);
            path.pop();
        }
    }
}

struct Builder<'t> {
    text: &'t str,
    events: std::vec::IntoIter<(Event<'t>, Span)>,
    /// Where the last collection ended.
    closed: Span,
    /// Where each anchor of a document stands, and what it stands before.
    anchors: HashMap<usize, (Path, Kind)>,
    tree: Tree,
}

impl Builder<'_> {
    fn stream(&mut self) -> Option<()> {
        while let Some((event, _)) = self.events.next() {
            if let Event::DocumentStart(..) = event {
                self.anchors.clear();
                let first = self.events.next()?;
                let root = self.node(first, &mut Vec::new())?;
                self.tree.documents.push(root);
            }
        }
        Some(())
    }

    fn node(&mut self, (event, span): (Event<'_>, Span), path: &mut Path) -> Option<Node> {
        let mut line = span.start.line();
        let mut flow = false;
        let (value, tag, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain;
                match style {
                    ScalarStyle::Literal | ScalarStyle::Folded => {
                        self.skip(line, last_of_block(&span));
                        // The text starts below its header, but where nothing at all comes behind that.
                        let starts = span.start.byte_offset().and_then(|at| self.text.get(at..)).unwrap_or_default();
                        line -= usize::from(!text.is_empty() || !starts.starts_with(['|', '>']));
                    }
                    _ => self.skip(line + 1, last_line(&span)),
                }
                // What is not written is `~` to this parser.
                let written = span.start.index() < span.end.index() || !plain;
                let mut text = if written { text.into_owned() } else { String::new() };
                if matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) && self.ends_in(&text, &span) {
                    text.truncate(text.trim_end_matches('\n').len().max(text.len().saturating_sub(1)));
                }
                (Value::Scalar { text, plain }, tag, anchor)
            }
            Event::Alias(anchor) => {
                let (target, kind) = self.anchors.get(&anchor)?.clone();
                (Value::Alias { target, kind }, None, 0)
            }
            Event::SequenceStart(style, anchor, tag) => {
                flow = style == StructureStyle::Flow;
                (self.list(path)?, tag, anchor)
            }
            Event::MappingStart(style, anchor, tag) => {
                flow = style == StructureStyle::Flow;
                (self.map(path)?, tag, anchor)
            }
            _ => return None,
        };
        let node = Node { line, flow, tag: tag.map(|tag| tag.to_string()), value };
        if flow {
            self.skip(line + 1, last_line(&self.closed));
        }
        if anchor > 0 {
            self.anchors.insert(anchor, (path.clone(), node.kind()));
        }
        Some(node)
    }

    /// Whether a block scalar ends the file without a line break, so that it has none (YAML 1.2.2 §8.1.1.2): libyaml and
    /// `PyYAML` say so, this parser does not.
    fn ends_in(&self, text: &str, span: &Span) -> bool {
        let last = self.text.rsplit(['\n', '\r']).next().unwrap_or_default();
        let stands = last.len() - last.trim_start_matches(' ').len();
        let is_text = if stands < last.len() { stands >= span.start.col() } else { stands > span.start.col() };
        let ends_file = span.end.byte_offset() == Some(self.text.len()) && !last.is_empty();
        ends_file && (is_text || text.trim_matches('\n').is_empty()) && !last.starts_with("...")
    }

    fn list(&mut self, path: &mut Path) -> Option<Value> {
        let mut items = Vec::new();
        loop {
            let next = self.events.next()?;
            if next.0 == Event::SequenceEnd {
                self.closed = next.1;
                return Some(Value::List(items));
            }
            path.push(Step::Item(items.len()));
            items.push(self.node(next, path)?);
            path.pop();
        }
    }

    fn map(&mut self, path: &mut Path) -> Option<Value> {
        let mut entries = Vec::new();
        loop {
            let next = self.events.next()?;
            if next.0 == Event::MappingEnd {
                self.closed = next.1;
                return Some(Value::Map(entries));
            }
            let line = next.1.start.line();
            let name = self.name(next, path)?;
            path.push(Step::Key(name.clone()));
            let value = self.events.next()?;
            let node = Node { line, ..self.node(value, path)? };
            path.pop();
            entries.push((name, node));
        }
    }

    /// A key as text, also where it is a collection.
    fn name(&mut self, key: (Event<'_>, Span), path: &mut Path) -> Option<String> {
        Some(self.node(key, path)?.as_key())
    }

    fn skip(&mut self, first: usize, last: usize) {
        if first <= last {
            self.tree.inside.push((first, last));
        }
    }
}

/// The last line that a span has any character of.
fn last_line(span: &Span) -> usize {
    if span.end.col() == 0 { span.end.line() - 1 } else { span.end.line() }
}

/// The span of a block scalar starts at its content, and ends where the next thing starts or at the end of the file.
fn last_of_block(span: &Span) -> usize {
    if span.end.col() > span.start.col() { span.end.line() } else { span.end.line() - 1 }
}

/// A path in the form that reports print: `a/b[2]`, with quotes around what could be read otherwise.
pub(crate) fn print(document: Option<usize>, path: &[Step]) -> String {
    let mut out = document.map_or_else(String::new, |at| format!("@{at}"));
    for step in path {
        match step {
            Step::Item(at) => out.extend(["[", &at.to_string(), "]"]),
            Step::Key(name) => {
                out.push_str(if out.is_empty() { "" } else { "/" });
                out.push_str(&printed_name(name));
            }
        }
    }
    out
}

fn printed_name(name: &str) -> String {
    let plain = !name.is_empty() && !name.starts_with(['"', '\'']) && !name.contains(['/', '[']);
    if plain && !name.chars().any(char::is_control) {
        return name.to_owned();
    }
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    format!("\"{}\"", name.chars().map(escape).collect::<String>())
}
