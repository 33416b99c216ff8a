//! What happens to a file from one version to the next, or in the hands of a user.

use crate::draw::{indent, remarks, sign};
use crate::model::{Block, Column, Document, File, Key, Part, Quote, Remark, Value};
use crate::tape::Tape;

/// Another version of a file.
pub(crate) fn mutate(file: &File, tape: &mut Tape<'_>) -> File {
    let mut file = file.clone();
    // A tape without bytes makes the same file again.
    let busy = [0, 3, 8, 20, 40][tape.below(5)];
    for document in &mut file.documents {
        one(document, busy, tape);
    }
    if tape.chance(busy / 4) {
        let other = File::draw(tape);
        (file.bom, file.ends, file.last_newline) = (other.bom, other.ends, other.last_newline);
        if tape.chance(30) {
            let at = if tape.chance(30) { tape.below(file.documents.len()) } else { file.documents.len() };
            file.documents.splice(at..at, other.documents.into_iter().take(1));
        }
    }
    if tape.chance(busy / 8) && file.documents.len() > 1 {
        let gone = tape.below(file.documents.len());
        file.documents.remove(gone);
    }
    file
}

fn one(document: &mut Document, busy: usize, tape: &mut Tape<'_>) {
    lines(&mut document.head, busy, tape);
    lines(&mut document.tail, busy, tape);
    if !document.over.is_empty() {
        lines(&mut document.over, busy, tape);
    }
    if tape.chance(busy / 4) {
        document.closed = !document.closed;
    }
    if tape.chance(busy / 4) {
        document.marker = if document.marker.is_some() { None } else { Some(String::new()) };
    }
    match &mut document.root {
        Some(_) if tape.chance(busy / 20) => document.root = None,
        Some(root) => block(root, busy, tape, 0),
        None => document.root = tape.chance(busy).then(|| Block::draw(tape, 0, true)),
    }
}

/// Changes comments: new ones, none, or one line more or less.
fn lines(lines: &mut Vec<Remark>, busy: usize, tape: &mut Tape<'_>) {
    if !tape.chance(busy) {
        return;
    }
    match tape.below(6) {
        0 => *lines = remarks(tape, 100),
        1 => lines.clear(),
        2 => lines.truncate(1),
        3 => lines.insert(0, Remark::Comment(Column::Aligned, "# added by hand".to_owned())),
        4 => lines.push(Remark::Blank(0)),
        _ if lines.is_empty() => {}
        _ => drop(lines.remove(tape.below(lines.len()))),
    }
}

fn block(block: &mut Block, busy: usize, tape: &mut Tape<'_>, depth: usize) {
    if tape.chance(busy / 2) {
        block.indent = indent(tape, block.list, depth == 0);
    }
    lines(&mut block.below, busy, tape);
    for part in &mut block.parts {
        self::part(part, busy, tape, depth);
    }
    add_and_remove(block, busy, tape, depth);
    if tape.chance(busy / 2) && block.parts.len() > 1 {
        let (a, b) = (tape.below(block.parts.len()), tape.below(block.parts.len()));
        block.parts.swap(a, b);
    }
    options(block, busy, tape);
    block.keep_names_apart();
}

fn add_and_remove(block: &mut Block, busy: usize, tape: &mut Tape<'_>, depth: usize) {
    if tape.chance(busy) && block.parts.len() > 1 {
        let gone = tape.below(block.parts.len());
        block.parts.remove(gone);
    }
    for _ in 0..2 {
        if tape.chance(busy) {
            let at = tape.below(block.parts.len() + 1);
            let object = block.list && tape.chance(50);
            block.parts.insert(at, Part::draw(tape, depth, block.list, object));
        }
    }
}

/// Turns a key into a commented-out option above the next one, or such an option into a key.
fn options(block: &mut Block, busy: usize, tape: &mut Tape<'_>) {
    if block.list || !tape.chance(busy) {
        return;
    }
    let at = tape.below(block.parts.len());
    if tape.chance(50) {
        return blocks(block, at, tape);
    }
    let found = block.parts[at].above.iter().position(|line| option(line).is_some());
    if let Some(line) = found {
        let name = option(&block.parts[at].above[line]).unwrap_or_default();
        let value = Value::Word(tape.pick(&["8080", "'own'"]).to_string());
        let key = Some(Key { name, quote: Quote::None, blank: false });
        let mut live =
            Part { key, value, above: block.parts[at].above.drain(..=line).collect(), ..block.parts[at].clone() };
        live.above.truncate(line + usize::from(tape.chance(30)));
        block.parts.insert(at, live);
    } else if let (Some(Key { name, quote: Quote::None, .. }), Value::Word(word)) =
        (&block.parts[at].key, &block.parts[at].value)
        && block.parts.len() > at + 1
    {
        let line =
            Remark::Comment(Column::Aligned, format!("#{}{name}: {word}", if tape.chance(50) { " " } else { "" }));
        let mut above = block.parts.remove(at).above;
        above.push(line);
        above.append(&mut block.parts[at].above);
        block.parts[at].above = above;
    }
}

/// Comments out a key with all that is below it, or makes such a block live.
fn blocks(block: &mut Block, at: usize, tape: &mut Tape<'_>) {
    let is_key = |line: &Remark| matches!(line, Remark::CommentedOut(_, part) if part.key.is_some());
    let found = block.parts[at].above.iter().position(is_key);
    if let Some(line) = found {
        let Remark::CommentedOut(_, live) = block.parts[at].above.remove(line) else { return };
        let above = block.parts[at].above.drain(..line).collect();
        block.parts.insert(at, Part { above, ..*live });
    } else if is_plain(&block.parts[at]) && block.parts.len() > at + 1 {
        let part = block.parts.remove(at);
        let mut above = part.above.clone();
        above.push(Remark::CommentedOut(sign(tape), Box::new(Part { above: Vec::new(), ..part })));
        above.append(&mut block.parts[at].above);
        block.parts[at].above = above;
    }
}

/// Whether a part is of one-line values only, as commented-out blocks are.
fn is_plain(part: &Part) -> bool {
    part.anchor.is_none()
        && match &part.value {
            Value::Word(_) | Value::Null => true,
            Value::Block(block) => block.parts.iter().all(is_plain),
            _ => false,
        }
}

/// The key that a comment comments out.
fn option(line: &Remark) -> Option<String> {
    let Remark::Comment(_, text) = line else { return None };
    let (key, _) = text.trim_start_matches(['#', ' ']).split_once(':')?;
    key.bytes().all(|byte| byte.is_ascii_alphabetic()).then(|| key.to_owned()).filter(|key| !key.is_empty())
}

fn part(part: &mut Part, busy: usize, tape: &mut Tape<'_>, depth: usize) {
    lines(&mut part.above, busy, tape);
    if tape.chance(busy) {
        restyle(part, tape);
    }
    match &mut part.value {
        Value::Block(inner) if !tape.chance(busy / 8) => block(inner, busy, tape, depth + 1),
        Value::Flow(flow) if tape.chance(busy) && !flow.entries.is_empty() => {
            let gone = tape.below(flow.entries.len());
            flow.entries.remove(gone);
        }
        _ if tape.chance(busy) => part.value = Value::draw(tape, depth + 2),
        _ => {}
    }
}

fn restyle(part: &mut Part, tape: &mut Tape<'_>) {
    let other = Part::draw(tape, 4, part.key.is_none(), false);
    match tape.below(6) {
        0 => part.note = other.note,
        1 => part.joined = !part.joined,
        2 => part.gap = 1 + tape.below(4),
        3 => (part.anchor, part.tag) = (other.anchor, other.tag),
        4 => part.own_line = !part.own_line,
        _ => {
            if let Some(key) = &mut part.key {
                key.quote = *tape.pick(&[Quote::None, Quote::Single, Quote::Double]);
            }
        }
    }
}
