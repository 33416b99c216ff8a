//! Draws a model from a tape.

use crate::model::{
    Block, Column, Document, Ends, File, Flow, FlowEntry, FlowValue, Key, Part, Quote, Remark, Text, Value,
};
use crate::tape::Tape;
use crate::words::{COMMENTS, FLOW_NAMES, FLOW_WORDS, NAMES, NOTES, OPTION_NAMES, QUOTED, QUOTED_NAMES, TEXTS, WORDS};

/// How often of a hundred times something about documents happens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Habits {
    another_document: usize,
    closed: usize,
    byte_order_mark: usize,
    line_ends: usize,
    /// Comments and blank lines over `---`.
    over: usize,
}

impl Habits {
    /// As configurations are: hardly one has several documents.
    const CONFIGURATION: Self = Self { another_document: 6, closed: 5, byte_order_mark: 4, line_ends: 34, over: 20 };
    /// Where most are short and one follows another.
    const STREAM: Self = Self { another_document: 60, closed: 40, byte_order_mark: 15, line_ends: 40, over: 50 };
}

impl File {
    pub(crate) fn draw(tape: &mut Tape<'_>) -> Self {
        Self::draw_with(Habits::CONFIGURATION, tape)
    }

    /// One to three documents, with all that can stand between them.
    pub(crate) fn draw_stream(tape: &mut Tape<'_>) -> Self {
        Self::draw_with(Habits::STREAM, tape)
    }

    fn draw_with(habits: Habits, tape: &mut Tape<'_>) -> Self {
        let documents = 1 + tape.some(habits.another_document, 2, |_| ()).len();
        let mut documents: Vec<_> = (0..documents).map(|at| Document::draw(tape, at, habits)).collect();
        let last_newline = !tape.chance(10);
        if let Some(last) = documents.last_mut().filter(|_| !last_newline && tape.chance(60)) {
            last.end_with_text(tape);
        }
        Self {
            bom: tape.chance(habits.byte_order_mark),
            ends: if tape.chance(habits.line_ends) { *tape.pick(&[Ends::CrLf, Ends::Mixed]) } else { Ends::Lf },
            last_newline,
            documents,
        }
    }
}

impl Document {
    fn draw(tape: &mut Tape<'_>, at: usize, habits: Habits) -> Self {
        let marker = (at > 0 || tape.chance(12)).then(|| tape.pick(&["", "", "", " # doc", "  "]).to_string());
        Self {
            directive: at == 0 && marker.is_some() && tape.chance(8),
            over: if marker.is_some() { remarks(tape, habits.over) } else { Vec::new() },
            marker,
            head: head(tape),
            root: (!tape.chance(2)).then(|| Block::draw(tape, 0, true)),
            tail: remarks(tape, 12),
            closed: tape.chance(habits.closed),
        }
    }
}

impl Document {
    /// Lets a block scalar end it.
    fn end_with_text(&mut self, tape: &mut Tape<'_>) {
        self.tail.clear();
        self.closed = false;
        if let Some(root) = &mut self.root {
            root.end_with_text(tape);
        }
    }
}

fn head(tape: &mut Tape<'_>) -> Vec<Remark> {
    let mut head = remarks(tape, 15);
    if !head.is_empty() && tape.chance(70) {
        head.push(Remark::Blank(0));
    }
    head
}

/// Comments and blank lines, in so many of a hundred cases.
pub(crate) fn remarks(tape: &mut Tape<'_>, percent: usize) -> Vec<Remark> {
    if tape.chance(percent) { tape.some(70, 4, paragraph).into_iter().flatten().collect() } else { Vec::new() }
}

/// Mostly one line; else a title between two ornaments, or a part that is commented out.
fn paragraph(tape: &mut Tape<'_>) -> Vec<Remark> {
    if tape.chance(8) {
        let rule = *tape.pick(&["# ----", "#", "# ====", "##"]);
        let line = |text: &str| Remark::Comment(Column::Aligned, text.to_owned());
        let title = format!("# c{}", tape.below(200));
        return vec![line(rule), line(&title), line(rule)];
    }
    vec![if tape.chance(8) { commented_out(tape) } else { Remark::draw(tape) }]
}

/// A key or an item with a block below it in which blocks and comments may stand.
fn commented_out(tape: &mut Tape<'_>) -> Remark {
    let list = tape.chance(15);
    let key = Key { name: tape.pick(&OPTION_NAMES).to_string(), quote: Quote::None, blank: false };
    let part = Part { key: (!list).then_some(key), ..option(tape, 0) };
    Remark::CommentedOut(sign(tape), Box::new(part))
}

/// What a block is commented out with.
pub(crate) fn sign(tape: &mut Tape<'_>) -> &'static str {
    if tape.chance(50) { "#" } else { "# " }
}

/// A part of a block that is commented out.
fn option(tape: &mut Tape<'_>, depth: usize) -> Part {
    let mut part = Part::draw(&mut Tape::new(&[]), 4, false, false);
    part.key = Some(Key { name: tape.pick(&NAMES[..11]).to_string(), quote: Quote::None, blank: false });
    part.value = match tape.below(6) {
        0..3 => Value::Word(tape.pick(&["1", "80", "x", "true", "'own'"]).to_string()),
        3 => Value::Null,
        _ if depth > 2 => Value::Null,
        _ => {
            let list = tape.chance(30);
            let mut parts: Vec<_> = (0..=tape.below(3)).map(|_| option(tape, depth + 1)).collect();
            parts.iter_mut().filter(|_| list).for_each(|part| part.key = None);
            let mut block = Block { list, indent: 2, parts, below: Vec::new() };
            block.keep_names_apart();
            Value::Block(block)
        }
    };
    if depth > 0 && tape.chance(20) {
        part.above = vec![Remark::Comment(Column::Aligned, comment(tape))];
    }
    part
}

impl Remark {
    fn draw(tape: &mut Tape<'_>) -> Self {
        if tape.chance(25) {
            return Self::Blank(if tape.chance(15) { tape.below(7) } else { 0 });
        }
        let column = match tape.below(16) {
            0..12 => Column::Aligned,
            12 => Column::Margin,
            13 => Column::Left(1 + tape.below(3)),
            _ => Column::Right(1 + tape.below(3)),
        };
        Self::Comment(column, comment(tape))
    }
}

/// Mostly a comment that stands nowhere else, for a file rarely says the same twice.
fn comment(tape: &mut Tape<'_>) -> String {
    if tape.chance(50) { tape.pick(&COMMENTS).to_string() } else { format!("# c{}", tape.below(200)) }
}

impl Block {
    fn end_with_text(&mut self, tape: &mut Tape<'_>) {
        self.below.clear();
        let Some(part) = self.parts.last_mut() else { return };
        if let Value::Block(inner) = &mut part.value
            && !inner.parts.is_empty()
        {
            return inner.end_with_text(tape);
        }
        let mut text = Text::draw(tape);
        text.lines.push("the end".to_owned());
        part.value = Value::Text(text);
    }

    pub(crate) fn draw(tape: &mut Tape<'_>, depth: usize, root: bool) -> Self {
        let list = tape.chance(if root { 8 } else { 40 });
        let objects = list && tape.chance(60);
        let most = if root { 9 } else { 4 };
        let parts = (0..=tape.below(most)).map(|_| Part::draw(tape, depth, list, objects)).collect();
        let mut block = Self { list, indent: indent(tape, list, root), parts, below: Vec::new() };
        if !root {
            block.below = remarks(tape, 8);
        }
        block.keep_names_apart();
        block
    }
}

pub(crate) fn indent(tape: &mut Tape<'_>, list: bool, root: bool) -> usize {
    match tape.below(10) {
        _ if root => 0,
        5 | 6 if list => 0,
        5 | 6 => 4,
        7 => 1,
        8 => 3,
        _ => 2,
    }
}

impl Part {
    pub(crate) fn draw(tape: &mut Tape<'_>, depth: usize, list: bool, object: bool) -> Self {
        let value = if object { Value::Block(object_block(tape, depth + 1)) } else { Value::draw(tape, depth) };
        Self {
            above: remarks(tape, 30),
            key: (!list).then(|| Key::draw(tape)),
            joined: !tape.chance(15),
            gap: if tape.chance(8) { 1 + tape.below(4) } else { 1 },
            anchor: tape.chance(5).then(|| format!("x{}", tape.below(4))),
            tag: tape.chance(3).then(|| *tape.pick(&["!t", "!!str", "!<tag:x>", "!a/b"])),
            own_line: tape.chance(4),
            value,
            note: tape.chance(12).then(|| tape.pick(&NOTES).to_string()),
        }
    }
}

/// A map that an object list would hold: its first key tells it from others.
fn object_block(tape: &mut Tape<'_>, depth: usize) -> Block {
    let mut block = Block::draw(tape, depth, false);
    let name = tape.pick(&["name", "id", "a"]);
    let mut first = Part::draw(&mut Tape::new(&[]), depth, false, false);
    first.value = Value::Word(tape.pick(&["x", "y", "1", "z"]).to_string());
    first.key = Some(Key { name: name.to_string(), quote: Quote::None, blank: false });
    if block.list {
        block = Block { list: false, indent: 2, parts: Vec::new(), below: block.below };
    }
    block.parts.insert(0, first);
    block.keep_names_apart();
    block
}

impl Key {
    fn draw(tape: &mut Tape<'_>) -> Self {
        let blank = tape.chance(2);
        if tape.chance(6) {
            return Self { name: tape.pick(&QUOTED_NAMES).to_string(), quote: Quote::Double, blank };
        }
        let quote = if tape.chance(12) { *tape.pick(&[Quote::Single, Quote::Double]) } else { Quote::None };
        let quote = if tape.chance(1) { Quote::Complex } else { quote };
        Self { name: tape.pick(&NAMES).to_string(), quote, blank }
    }
}

impl Value {
    pub(crate) fn draw(tape: &mut Tape<'_>, depth: usize) -> Self {
        let deep = depth < 4 && !tape.is_over();
        match tape.below(32) {
            0..12 => Self::Word(tape.pick(&WORDS).to_string()),
            12..14 => Self::Word(tape.pick(&QUOTED).to_string()),
            14..16 => Self::Null,
            16 => folded(tape),
            17..19 => Self::Text(Text::draw(tape)),
            19..22 => Self::Flow(Flow::draw(tape, 0)),
            22 => Self::Alias(format!("x{}", tape.below(4))),
            _ if deep => Self::Block(Block::draw(tape, depth + 1, false)),
            _ => Self::Word(tape.pick(&WORDS).to_string()),
        }
    }
}

/// A plain or quoted scalar over several lines.
fn folded(tape: &mut Tape<'_>) -> Value {
    let quote = *tape.pick(&["", "\"", "'"]);
    let words: &[&str] = if quote.is_empty() {
        &["one", "two words", "- x", "x:y"]
    } else {
        &["one", "# no comment", "a: b", "- x", "{ ["]
    };
    let mut lines: Vec<(usize, String)> = vec![(0, "first".to_owned())];
    for _ in 0..=tape.below(3) {
        if tape.chance(15) {
            lines.push((0, String::new()));
        }
        lines.push((tape.below(4), tape.pick(words).to_string()));
    }
    if let Some((_, first)) = lines.first_mut() {
        first.insert_str(0, quote);
    }
    if let Some((_, last)) = lines.last_mut() {
        last.push_str(quote);
    }
    Value::Folded(lines)
}

impl Text {
    fn draw(tape: &mut Tape<'_>) -> Self {
        let explicit = tape.chance(20);
        let mut lines: Vec<_> = (0..=tape.below(4)).map(|_| tape.pick(&TEXTS).to_string()).collect();
        let blank = |line: &String| line.trim_matches(' ').is_empty();
        if let Some(first) = lines.iter().position(|line| !blank(line))
            && !explicit
        {
            lines[first] = lines[first].trim_start().into();
            lines[..first].iter_mut().for_each(String::clear);
        }
        if lines.iter().all(blank) && !explicit {
            lines.iter_mut().for_each(String::clear);
        }
        Self {
            style: *tape.pick(&['|', '|', '>']),
            chomp: *tape.pick(&["", "", "-", "+"]),
            explicit,
            indent: if tape.chance(25) { 1 + tape.below(4) } else { 2 },
            lines,
        }
    }
}

impl Flow {
    fn draw(tape: &mut Tape<'_>, depth: usize) -> Self {
        let map = tape.chance(60);
        let broken = tape.chance(25).then(|| tape.below(4));
        let length = tape.below(4);
        let mut entries: Vec<_> = (0..length).map(|_| FlowEntry::draw(tape, map, depth)).collect();
        let mut seen = Vec::new();
        entries.retain(|entry| {
            let new = entry.key.is_none() || !seen.contains(&entry.key);
            seen.push(entry.key.clone());
            new
        });
        let trailing_comma = !entries.is_empty() && tape.chance(15);
        Self { map, broken, trailing_comma, closes_left: tape.chance(20), entries }
    }
}

impl FlowEntry {
    fn draw(tape: &mut Tape<'_>, map: bool, depth: usize) -> Self {
        let value = match tape.below(12) {
            0..9 => FlowValue::Word(tape.pick(&FLOW_WORDS).to_string()),
            9 if map => FlowValue::Null,
            _ if depth < 2 => FlowValue::Flow(Flow::draw(tape, depth + 1)),
            _ => FlowValue::Word("x".to_owned()),
        };
        Self {
            key: map.then(|| tape.pick(&FLOW_NAMES).to_string()),
            value,
            note: tape.chance(12).then(|| tape.pick(&[" # in flow", "  # ] }", " # it's"]).to_string()),
        }
    }
}
