//! Both parsers agree: the reader's tree and the reference parser's outline say the same about a text.
//!
//! The reader knows where things stand, the reference what they mean. Where they differ the reader is wrong, which is a
//! bug of ours: the file is refused, and the error shows both understandings side by side. Where they agree, each node
//! learns its exact name and the row of its value.

use saphyr_parser::ScalarStyle;

use crate::text::at_once;
use crate::text::error::{Error, Place};
use crate::text::scan::{self, Start, Unbroken};
use crate::text::source::Source;
use crate::yaml::document::is_comments_alone;
use crate::yaml::outline::{Outline, RowKind, side_by_side};
use crate::yaml::reader::{self, Reading};
use crate::yaml::reference::{self, Duplicates};
use crate::yaml::row::RowId;
use crate::yaml::tree::{Kind, Line, Node, Opener, Shape};
use crate::yaml::view::View;

/// A text that both parsers understand in the same way.
#[derive(Debug, Clone)]
pub(crate) struct Checked<'a> {
    /// The stream node; its children are the documents.
    pub(crate) stream: Node<'a>,
    pub(crate) outline: Outline<'a>,
}

/// Reads a text with both parsers and compares what they understood.
pub(crate) fn read<'a>(source: &Source<'a>) -> Result<Checked<'a>, Error> {
    read_with(source, Duplicates::Refused)
}

/// The same for a text in which keys may appear twice.
pub(crate) fn read_with<'a>(source: &Source<'a>, duplicates: Duplicates) -> Result<Checked<'a>, Error> {
    let Reading { mut stream, view, unbroken } = reader::read(source)?;
    let outline = reference::outline_with(source, &view, duplicates)?;
    agree_on_end(source, &stream, unbroken, &outline)?;
    compare(source, &mut stream, &outline)?;
    Ok(Checked { stream, outline })
}

/// What both parsers made of a text, not compared yet.
pub(crate) struct Apart<'a> {
    pub(crate) stream: Node<'a>,
    pub(crate) outline: Outline<'a>,
}

/// Reads a text with both parsers at the same time, where that is worth a thread, and does something else meanwhile. Few
/// texts need a view of their own, so the reference parser can start before the reader knows of one.
pub(crate) fn read_apart<'a, T: Send>(
    source: &Source<'a>,
    meanwhile: impl Fn() -> T + Sync,
) -> Result<(Apart<'a>, T), Error> {
    if source.text.len() < WORTH_A_THREAD {
        let done = meanwhile();
        let Reading { stream, view, unbroken } = reader::read(source)?;
        let outline = reference::outline(source, &view)?;
        agree_on_end(source, &stream, unbroken, &outline)?;
        return Ok((Apart { stream, outline }, done));
    }
    let (plain, (done, reading)) =
        at_once::both(|| reference::outline(source, &View::default()), || (meanwhile(), reader::read(source)));
    let Reading { stream, view, unbroken } = reading?;
    let outline = if view.is_plain() { plain? } else { reference::outline(source, &view)? };
    agree_on_end(source, &stream, unbroken, &outline)?;
    Ok((Apart { stream, outline }, done))
}

/// Does two things, at the same time where a text is so long that this is worth a thread.
pub(crate) fn both<T, U: Send>(length: usize, here: impl FnOnce() -> T, there: impl Fn() -> U + Sync) -> (T, U) {
    if length < WORTH_A_THREAD { (here(), there()) } else { at_once::both(here, there) }
}

/// Above this many bytes two parsers work at the same time; below, starting a thread takes longer than reading.
const WORTH_A_THREAD: usize = 128 << 10;

/// Maps with several empty keys are YAML (2JQS of the public test suite), but which of them is which nobody can tell.
pub(crate) fn twin_empty_keys(source: &Source<'_>) -> Error {
    Error::input("a map with several empty keys cannot be merged").in_file(source.name).help("give the keys names")
}

/// Where the two part: the node, and the row that should be it.
struct Parting {
    line: usize,
    row: RowId,
}

/// Whether both parsers say that the file ends with a text that has no line break for that reason.
fn agree_on_end(
    source: &Source<'_>,
    stream: &Node<'_>,
    unbroken: Option<Unbroken>,
    outline: &Outline<'_>,
) -> Result<(), Error> {
    if unbroken.is_some() == outline.unbroken {
        return Ok(());
    }
    let parting = Parting { line: source.lines.len(), row: outline.end() };
    Err(disagreement(source, stream, outline, &parting))
}

/// Compares what both parsers understood, and tells each node its name and row.
pub(crate) fn compare<'a>(source: &Source<'a>, stream: &mut Node<'a>, outline: &Outline<'a>) -> Result<(), Error> {
    let mut rows = outline.documents.iter();
    for document in &mut stream.children {
        if is_comments_alone(document) {
            document.row = None;
            continue;
        }
        let parted = match rows.next() {
            Some(&row) => agree(document, row, outline),
            None => Err(Parting { line: document.line(), row: outline.end() }),
        };
        parted.map_err(|at| disagreement(source, document, outline, &at))?;
    }
    if let Some(&row) = rows.next() {
        return Err(disagreement(source, stream, outline, &Parting { line: outline[row].line, row }));
    }
    Ok(())
}

/// Compares a node with the row of its value, and everything below.
fn agree<'a>(node: &mut Node<'a>, row: RowId, outline: &Outline<'a>) -> Result<(), Parting> {
    node.row = Some(row);
    let kind = outline[row].kind;
    let same = match node.kind() {
        Kind::Map => kind == RowKind::Map,
        Kind::List => kind == RowKind::List,
        Kind::Leaf => return agree_on_leaf(node, row, outline),
    };
    if !same {
        return Err(Parting { line: node.line(), row });
    }
    let mut rows = outline.children(row);
    for child in &mut node.children {
        let row = rows.next().ok_or(Parting { line: child.line(), row })?;
        agree_on_child(child, row, outline)?;
    }
    rows.next().map_or(Ok(()), |row| Err(Parting { line: outline[row].line, row }))
}

fn agree_on_child<'a>(node: &mut Node<'a>, at: RowId, outline: &Outline<'a>) -> Result<(), Parting> {
    let row = &outline[at];
    let parting = Parting { line: node.line(), row: at };
    match (&node.opener, &row.name) {
        (Opener::Key(text), Some(name)) if row.line == node.line() && is_name(text, name) => {
            node.name = name.clone();
            agree(node, at, outline)
        }
        (Opener::Item { .. }, None) => agree(node, at, outline),
        // A key without words is, for the reference parser, where the next thing would start.
        (Opener::Explicit(key), Some(name))
            if name.bytes().all(|byte| byte == b'\n')
                || (node.line()..node.line() + key.lines.len()).contains(&row.line) =>
        {
            node.name = name.clone();
            agree(node, at, outline)
        }
        _ => Err(parting),
    }
}

/// Whether the reference parser may call a key `name` that stands in the file as `text`. A plain key has no other name
/// than its text; what quotes, escapes, aliases and collections make of a key is the reference parser's to say.
fn is_name(text: &str, name: &str) -> bool {
    let text = text.trim_ascii_end();
    text == name || text.starts_with(['"', '\'', '[', '{', '*', '&', '!'])
}

fn agree_on_leaf(node: &mut Node<'_>, at: RowId, outline: &Outline<'_>) -> Result<(), Parting> {
    let row = &outline[at];
    let last = node.line() + node.lines_of_key() + node.header().len() + node.continuation.len();
    // An empty block scalar starts, for the reference parser, behind its blank lines.
    let anywhere = row.text.is_empty() || row.name.as_deref() == Some("") || matches!(node.shape, Shape::Block { .. });
    let within = anywhere || (node.line()..=last).contains(&row.line);
    let fits = match (node.shape, row.kind) {
        (Shape::Open, RowKind::Scalar(ScalarStyle::Plain)) => row.text.is_empty(),
        (Shape::Plain, RowKind::Scalar(ScalarStyle::Plain)) => holds_plain(&node.value_text, &row.text),
        (Shape::Plain, RowKind::Alias(_))
        | (Shape::Quoted, RowKind::Scalar(ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted))
        | (Shape::Block { .. }, RowKind::Scalar(ScalarStyle::Literal | ScalarStyle::Folded))
        | (Shape::Flow { .. }, RowKind::Map | RowKind::List) => true,
        _ => false,
    };
    if within && fits { Ok(()) } else { Err(Parting { line: node.line(), row: at }) }
}

/// Whether a plain scalar can have this value: its first word stands where the scalar starts, unless that is on a line
/// of its own.
fn holds_plain(rest: &str, value: &str) -> bool {
    let (start, at) = scan::value_start(rest);
    let first_word = value.bytes().take_while(|byte| !byte.is_ascii_whitespace()).count();
    start != Start::Plain || rest.as_bytes()[at..].starts_with(&value.as_bytes()[..first_word])
}

/// How many rows an error shows around the place where the parsers part.
const AROUND: usize = 4;

fn disagreement(source: &Source<'_>, node: &Node<'_>, outline: &Outline<'_>, at: &Parting) -> Error {
    let ours = ours(node);
    let close = ours.iter().position(|(line, _)| *line >= at.line).unwrap_or(ours.len());
    let shown = &ours[close.saturating_sub(AROUND)..(close + AROUND).min(ours.len())];
    let left: Vec<_> = shown.iter().map(|(line, text)| format!("{line}| {text}")).collect();
    let first = RowId::at(at.row.index().saturating_sub(AROUND));
    let right = outline.print(first..(at.row + AROUND).min(outline.end()));
    source
        .error("yamlift reads this otherwise than the reference parser does", Place { line: at.line, column: 1 })
        .detail(side_by_side(("yamlift", &left.join("\n")), ("reference parser", &right)))
        .help("the file is valid YAML and this is a bug in yamlift: please report the lines above")
}

/// The reader's tree as lines, in the form of an outline.
fn ours(node: &Node<'_>) -> Vec<(usize, String)> {
    fn add(node: &Node<'_>, depth: usize, out: &mut Vec<(usize, String)>) {
        for child in &node.children {
            let label = match &child.opener {
                Opener::Key(text) => format!("{}:{}", text.trim_end(), child.value_text),
                Opener::Item { .. } => format!("-{}", child.value_text),
                Opener::Explicit(key) => {
                    format!("{} :{}", key.lines.first().map_or("", Line::trimmed), child.value_text)
                }
                _ => child.value_text.to_string(),
            };
            out.push((child.line(), format!("{}{}", "  ".repeat(depth + 1), crate::text::error::visible(&label))));
            add(child, depth + 1, out);
        }
    }
    let mut out = Vec::new();
    add(node, 0, &mut out);
    out
}
