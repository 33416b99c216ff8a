//! Defaults as products ship them, and their releases: what law 9 is tried on.

use crate::edits::name;
use crate::model::{
    Block, Column, Document, Ends, File, Flow, FlowEntry, FlowValue, Key, Part, Quote, Remark, Text, Value,
};
use crate::tape::Tape;

const NAMES: [&str; 24] = [
    "port", "host", "server", "name", "level", "cache", "size", "path", "user", "tls", "cert", "limits", "backlog",
    "proxy", "timeout", "retries", "db", "pool", "url", "format", "workers", "log", "metrics", "auth",
];
const VALUES: [&str; 10] = ["80", "true", "x", "10s", "'quoted'", "\"two words\"", "info", "0.5", "/var/x", "~"];

/// A default of one document.
pub(crate) fn default(tape: &mut Tape<'_>) -> File {
    let mut head = if tape.chance(40) { comments(tape) } else { Vec::new() };
    if !head.is_empty() {
        head.push(Remark::Blank(0));
    }
    let document = Document {
        directive: false,
        over: Vec::new(),
        marker: tape.chance(10).then(String::new),
        head,
        root: Some(block(tape, 0)),
        tail: if tape.chance(10) { comments(tape) } else { Vec::new() },
        closed: false,
    };
    File { bom: false, ends: Ends::Lf, last_newline: true, documents: vec![document] }
}

fn block(tape: &mut Tape<'_>, depth: usize) -> Block {
    let most = if depth == 0 { 7 } else { 4 };
    let parts = (0..=1 + tape.below(most)).map(|_| part(tape, depth)).collect();
    let mut block = Block { list: false, indent: 2, parts, below: Vec::new() };
    if depth > 0 && tape.chance(10) {
        block.below = options(tape);
    }
    keep_apart(&mut block);
    block
}

/// Leaves out what has a name that another key of the block has, live or commented out, and blocks inside with the name of
/// their key: that is what words about a key look like.
fn keep_apart(block: &mut Block) {
    block.keep_names_apart();
    let mut seen: Vec<_> = block.parts.iter().filter_map(name).map(str::to_owned).collect();
    let mut is_new = |line: &Remark| match line {
        Remark::CommentedOut(_, part) => {
            let name = name(part).unwrap_or_default().to_owned();
            let is_new = !seen.contains(&name);
            seen.push(name);
            is_new
        }
        _ => true,
    };
    block.parts.iter_mut().for_each(|part| part.above.retain(&mut is_new));
    block.below.retain(is_new);
    block.parts.iter_mut().for_each(keep_inside_apart);
}

fn keep_inside_apart(part: &mut Part) {
    let own = name(part).map(str::to_owned);
    let is_own = |line: &Remark| matches!(line, Remark::CommentedOut(_, part) if name(part) == own.as_deref());
    if let Value::Block(inner) = &mut part.value
        && own.is_some()
    {
        inner.parts.retain(|part| name(part) != own.as_deref());
        inner.parts.iter_mut().for_each(|part| part.above.retain(|line| !is_own(line)));
        inner.below.retain(|line| !is_own(line));
        if inner.parts.is_empty() {
            part.value = Value::Word("80".to_owned());
        }
    }
}

fn part(tape: &mut Tape<'_>, depth: usize) -> Part {
    let mut above = if tape.chance(30) { vec![Remark::Blank(0)] } else { Vec::new() };
    if tape.chance(12) {
        above.extend(options(tape));
    }
    if tape.chance(40) {
        above.extend(comments(tape));
    }
    let value = value(tape, depth);
    let name = tape.pick(&NAMES).to_string();
    let note = (matches!(value, Value::Word(_)) && tape.chance(12)).then(|| format!("  # {}", words(tape)));
    plain(above, Some(name), value, note)
}

fn plain(above: Vec<Remark>, name: Option<String>, value: Value, note: Option<String>) -> Part {
    let key = name.map(|name| Key { name, quote: Quote::None, blank: false });
    Part { above, key, joined: true, gap: 1, anchor: None, tag: None, own_line: false, value, note }
}

fn value(tape: &mut Tape<'_>, depth: usize) -> Value {
    match tape.below(16) {
        11 => Value::Null,
        12 => list(tape, depth),
        13 => Value::Flow(Flow {
            map: false,
            broken: None,
            trailing_comma: false,
            closes_left: false,
            entries: tape.some(60, 3, |tape| FlowEntry {
                key: None,
                value: FlowValue::Word(tape.pick(&["1", "x", "y"]).to_string()),
                note: None,
            }),
        }),
        14 => Value::Text(Text {
            style: '|',
            chomp: "",
            explicit: false,
            indent: 2,
            lines: (0..=tape.below(2)).map(|_| words(tape)).collect(),
        }),
        8..11 | 15 if depth < 3 && !tape.is_over() => Value::Block(block(tape, depth + 1)),
        _ => Value::Word(tape.pick(&VALUES).to_string()),
    }
}

/// A list of plain values, or of maps that a name tells apart.
fn list(tape: &mut Tape<'_>, depth: usize) -> Value {
    let maps = tape.chance(40);
    let item = |(at, tape): (usize, &mut Tape<'_>)| {
        let name = Value::Word(format!("{}{at}", tape.pick(&["a", "b"])));
        if !maps {
            return plain(Vec::new(), None, name, None);
        }
        let mut inner = block(tape, depth + 2);
        inner.parts.insert(0, plain(Vec::new(), Some("id".to_owned()), name, None));
        plain(Vec::new(), None, Value::Block(inner), None)
    };
    let length = 1 + tape.below(3);
    let parts = (0..length).map(|at| item((at, tape))).collect();
    Value::Block(Block { list: true, indent: 2, parts, below: Vec::new() })
}

/// Words that hardly stand twice in a file.
fn words(tape: &mut Tape<'_>) -> String {
    format!("c{}{} explains", tape.below(200), tape.pick(&["", " it", " more"]))
}

fn comments(tape: &mut Tape<'_>) -> Vec<Remark> {
    let line = |text: String| Remark::Comment(Column::Aligned, text);
    let mut lines: Vec<_> = (0..=tape.below(2)).map(|_| line(format!("# {}", words(tape)))).collect();
    if tape.chance(8) {
        lines.insert(0, line("# ------".to_owned()));
        lines.push(line("# ------".to_owned()));
    }
    lines
}

/// A commented-out key, with words of its own or not.
fn options(tape: &mut Tape<'_>) -> Vec<Remark> {
    let mut lines = if tape.chance(40) { comments(tape) } else { Vec::new() };
    let name = tape.pick(&NAMES).to_string();
    let inner = |tape: &mut Tape<'_>| {
        let value = Value::Word(tape.pick(&VALUES).to_string());
        plain(Vec::new(), Some(tape.pick(&NAMES).to_string()), value, None)
    };
    let value = if tape.chance(30) {
        let mut block = Block { list: false, indent: 2, parts: vec![inner(tape)], below: Vec::new() };
        block.parts.extend(tape.some(50, 2, inner));
        block.keep_names_apart();
        Value::Block(block)
    } else {
        Value::Word(tape.pick(&VALUES).to_string())
    };
    lines.push(Remark::CommentedOut("# ", Box::new(plain(Vec::new(), Some(name), value, None))));
    lines
}

/// The next release of a default.
pub(crate) fn release(old: &File, tape: &mut Tape<'_>) -> File {
    let mut new = old.clone();
    let busy = [0, 5, 12, 25][tape.below(4)];
    for document in &mut new.documents {
        // Words that are not set off by a blank line would be the first key's.
        if !document.head.is_empty() && tape.chance(busy) {
            reword(&mut document.head, tape);
        }
        if let Some(root) = &mut document.root {
            change(root, busy, tape);
        }
    }
    new
}

fn change(block: &mut Block, busy: usize, tape: &mut Tape<'_>) {
    for part in &mut block.parts {
        if tape.chance(busy) {
            reword(&mut part.above, tape);
        }
        match &mut part.value {
            Value::Block(inner) => change(inner, busy, tape),
            Value::Word(word) if tape.chance(busy) => *word = tape.pick(&VALUES).to_string(),
            Value::Text(text) if tape.chance(busy) => text.lines.push(words(tape)),
            _ => {}
        }
        if tape.chance(busy / 3) && matches!(part.value, Value::Word(_)) {
            part.note = if part.note.is_some() { None } else { Some(format!("  # {}", words(tape))) };
        }
    }
    if block.list {
        return;
    }
    if tape.chance(busy) && block.parts.len() > 2 {
        let first = usize::from(block.parts[0].key.as_ref().is_some_and(|key| key.name == "id"));
        block.parts.remove(first + tape.below(block.parts.len() - first));
    }
    if tape.chance(busy) {
        let at = 1 + tape.below(block.parts.len());
        block.parts.insert(at, part(tape, 2));
        keep_apart(block);
    }
}

/// Other words, one line more, or none.
fn reword(lines: &mut Vec<Remark>, tape: &mut Tape<'_>) {
    let is_comment = |line: &Remark| matches!(line, Remark::Comment(_, text) if text.contains("explains"));
    let found: Vec<_> = (0..lines.len()).filter(|at| is_comment(&lines[*at])).collect();
    let new = Remark::Comment(Column::Aligned, format!("# {}", words(tape)));
    match (found.is_empty(), tape.below(3)) {
        (true, _) => lines.push(new),
        (false, 0) => lines[*tape.pick(&found)] = new,
        (false, 1) => lines.insert(*tape.pick(&found), new),
        (false, _) => drop(lines.remove(*tape.pick(&found))),
    }
}
