//! A model as text.

use std::collections::HashSet;

use crate::model::{Block, Column, Document, Ends, File, Flow, FlowValue, Key, Part, Quote, Remark, Text, Value};
use crate::words::QUOTED_NAMES;

/// The text of a file.
pub(crate) fn render(file: &File) -> String {
    let mut page = Page::default();
    for document in &file.documents {
        page.document(document);
    }
    let mut text = if file.bom { "\u{feff}".to_owned() } else { String::new() };
    let last = page.lines.len();
    for (at, line) in page.lines.iter().enumerate() {
        text.push_str(line);
        if at + 1 < last || file.last_newline {
            text.push_str(end(file.ends, at));
        }
    }
    text
}

fn end(ends: Ends, at: usize) -> &'static str {
    match ends {
        Ends::Lf => "\n",
        Ends::CrLf => "\r\n",
        Ends::Mixed => ["\n", "\r\n", "\r\n"][at * 7 % 3],
    }
}

#[derive(Default)]
struct Page {
    lines: Vec<String>,
    /// Behind a block scalar: a line that starts further right would be more of it.
    limit: Option<usize>,
    /// The anchors of this document, once the value that they stand before is complete.
    anchors: HashSet<String>,
    /// All that an alias may stand for; an anchor is used once in a file.
    used: HashSet<String>,
    closed: bool,
}

impl Page {
    fn document(&mut self, document: &Document) {
        self.anchors.clear();
        let directive = document.directive && (self.lines.is_empty() || self.closed);
        if directive {
            self.line("%YAML 1.2".to_owned());
        }
        self.remarks(&document.over, 0);
        let marker =
            document.marker.clone().or_else(|| (directive || !self.lines.is_empty() && !self.closed).then(String::new));
        if let Some(behind) = marker {
            self.line(format!("---{behind}"));
        }
        self.remarks(&document.head, 0);
        if let Some(root) = &document.root {
            self.block(root, 0, None);
        }
        self.remarks(&document.tail, 0);
        self.closed = document.closed;
        if document.closed {
            self.line("...".to_owned());
        }
    }

    fn line(&mut self, line: String) {
        self.limit = None;
        self.lines.push(line);
    }

    fn remarks(&mut self, remarks: &[Remark], column: usize) {
        for remark in remarks {
            let limit = self.limit.unwrap_or(usize::MAX);
            match remark {
                Remark::Blank(width) => self.lines.push(" ".repeat((*width).min(limit))),
                Remark::CommentedOut(sign, part) => self.commented_out(part, sign, column.min(limit)),
                Remark::Comment(at, text) => {
                    let column = match at {
                        Column::Aligned => column,
                        Column::Margin => 0,
                        Column::Right(by) => column + by,
                        Column::Left(by) => column.saturating_sub(*by),
                    };
                    self.line(format!("{}{text}", " ".repeat(column.min(limit))));
                }
            }
        }
    }

    fn commented_out(&mut self, part: &Part, sign: &str, column: usize) {
        let mut page = Self::default();
        page.part(part, 0, "");
        for line in page.lines {
            self.line(format!("{}{sign}{line}", " ".repeat(column)).trim_end().to_owned());
        }
    }

    /// The parts of a block at `column`. The first may share the line that is given, and then nothing stands above it.
    fn block(&mut self, block: &Block, column: usize, mut shared: Option<String>) {
        for part in &block.parts {
            let start = shared.take().unwrap_or_else(|| {
                self.remarks(&part.above, column);
                " ".repeat(column)
            });
            self.part(part, column, &start);
        }
        self.remarks(&block.below, column);
    }

    fn part(&mut self, part: &Part, column: usize, start: &str) {
        let complex = part.key.as_ref().is_some_and(|key| key.quote == Quote::Complex);
        let anchor = part.anchor.clone().filter(|name| !complex && self.used.insert(name.clone()));
        let tag = part.tag.filter(|_| !complex);
        let has_properties = anchor.is_some() || tag.is_some();
        if let (None, Value::Block(block)) = (&part.key, &part.value)
            && part.joined
            && !has_properties
            && !block.parts.is_empty()
        {
            let line = format!("{start}-{}", " ".repeat(part.gap));
            return self.block(block, column + 1 + part.gap, Some(line));
        }
        let opener = part.key.as_ref().map_or_else(|| "-".to_owned(), Key::written);
        let mut line = format!("{start}{opener}");
        let is_alias = matches!(&part.value, Value::Alias(name) if self.anchors.contains(name));
        if !is_alias {
            line.extend(anchor.iter().flat_map(|name| [" &", name]));
            line.extend(tag.iter().flat_map(|tag| [" ", tag]));
        }
        self.value(part, column, line);
        self.anchors.extend(anchor.filter(|_| !is_alias));
    }

    fn value(&mut self, part: &Part, column: usize, mut line: String) {
        let note = part.note.as_deref().unwrap_or_default();
        let complex = part.key.as_ref().is_some_and(|key| key.quote == Quote::Complex);
        if complex {
            self.line(line);
            line = format!("{}:", " ".repeat(column));
        }
        let gap = " ".repeat(part.gap);
        match &part.value {
            Value::Null => self.line(line + note),
            Value::Word(word) if part.own_line => {
                self.line(line + note);
                self.line(format!("{}{word}", " ".repeat(column + 1 + part.gap)));
            }
            Value::Word(word) => self.line(format!("{line}{gap}{word}{note}")),
            Value::Alias(name) if self.anchors.contains(name) => self.line(format!("{line}{gap}*{name}{note}")),
            Value::Alias(name) => self.line(format!("{line}{gap}{name}{note}")),
            Value::Folded(lines) => self.folded(lines, column, &format!("{line}{gap}"), note),
            Value::Text(text) => self.text(text, column, &format!("{line}{gap}"), note),
            Value::Flow(flow) => self.flow(flow, column, part, line),
            Value::Block(block) if block.parts.is_empty() => self.line(format!("{line}{gap}{{}}{note}")),
            Value::Block(block) => {
                let least = usize::from(part.key.is_none() || !block.list || complex);
                self.line(line + note);
                self.block(block, column + block.indent.max(least), None);
            }
        }
    }

    fn folded(&mut self, lines: &[(usize, String)], column: usize, start: &str, note: &str) {
        let last = lines.len() - 1;
        for (at, (extra, text)) in lines.iter().enumerate() {
            let start = if at == 0 { start.to_owned() } else { " ".repeat(column + 1 + extra) };
            let note = if at == last { note } else { "" };
            self.line(if text.is_empty() { String::new() } else { format!("{start}{text}{note}") });
        }
    }

    fn text(&mut self, text: &Text, column: usize, start: &str, note: &str) {
        let digit = if text.explicit { text.indent.to_string() } else { String::new() };
        self.line(format!("{start}{}{digit}{}{note}", text.style, text.chomp));
        for line in &text.lines {
            let blank = line.is_empty();
            self.line(if blank { String::new() } else { format!("{}{line}", " ".repeat(column + text.indent)) });
        }
        // YAML lets a comment stand right of its key behind a scalar of blank lines only; the reference parser does not.
        let sure = text.has_text();
        self.limit = Some(if sure { column + text.indent - 1 } else { column });
    }

    /// A flow collection is one text first, with `\n` where a line of it ends.
    fn flow(&mut self, flow: &Flow, column: usize, part: &Part, line: String) {
        let note = part.note.as_deref().unwrap_or_default();
        let mut written = String::new();
        write_flow(flow, true, &mut written);
        let mut start = if part.own_line {
            self.line(line + note);
            " ".repeat(column + 1 + part.gap)
        } else {
            format!("{line}{}", " ".repeat(part.gap))
        };
        let note = if part.own_line { "" } else { note };
        let lines: Vec<_> = written.split('\n').collect();
        for (at, text) in lines.iter().enumerate() {
            let last = at + 1 == lines.len();
            self.line(format!("{start}{text}{}", if last { note } else { "" }));
            let left = flow.closes_left && at + 2 == lines.len() && part.key.is_some();
            start = " ".repeat(if left { column } else { column + 1 + flow.broken.unwrap_or(0) });
        }
    }
}

fn write_flow(flow: &Flow, outermost: bool, out: &mut String) {
    let broken = outermost && flow.broken.is_some() && !flow.entries.is_empty();
    out.push(if flow.map { '{' } else { '[' });
    for (at, entry) in flow.entries.iter().enumerate() {
        out.push_str(if broken {
            "\n"
        } else if at > 0 {
            " "
        } else {
            ""
        });
        if let Some(key) = &entry.key {
            out.push_str(key);
        }
        let gap = if entry.key.is_some() { ": " } else { "" };
        match &entry.value {
            FlowValue::Null => {}
            FlowValue::Word(word) => out.extend([gap, word]),
            FlowValue::Flow(inner) => {
                out.push_str(gap);
                write_flow(inner, false, out);
            }
        }
        if at + 1 < flow.entries.len() || flow.trailing_comma {
            out.push(',');
        }
        if broken {
            out.push_str(entry.note.as_deref().unwrap_or_default());
        }
    }
    out.push_str(if broken { "\n" } else { "" });
    out.push(if flow.map { '}' } else { ']' });
}

impl Key {
    fn written(&self) -> String {
        let blank = if self.blank { " " } else { "" };
        match self.quote {
            Quote::Complex => format!(
                "? {}",
                Self { quote: Quote::Double, blank: false, name: self.name.clone() }.written().trim_end_matches(':')
            ),
            Quote::None if QUOTED_NAMES.contains(&self.name.as_str()) => {
                Self { quote: Quote::Double, ..self.clone() }.written()
            }
            Quote::None => format!("{}{blank}:", self.name),
            Quote::Single => format!("'{}'{blank}:", self.name.replace('\'', "''")),
            Quote::Double => format!("\"{}\"{blank}:", self.name.replace('"', "\\\"")),
        }
    }
}
