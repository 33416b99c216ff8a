//! Marks: while two files are merged, each anchor and alias of the tree carries which definition it means.
//!
//! A mark is a sign that stands in neither file, and a number, right behind the name. So it goes wherever the text goes.

use foldhash::HashMap;

use super::tokens::{Extent, Sort, Token, tokens};
use crate::text::scan::{self, Start};
use crate::yaml::flow::Text;
use crate::yaml::outline::{Outline, Target};
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node, Opener, Origin};

/// Which definition of which file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Id {
    pub(super) file: Origin,
    pub(super) at: usize,
}

impl Id {
    fn number(self) -> usize {
        2 * self.at + usize::from(self.file == Origin::Update)
    }

    fn of(number: usize) -> Self {
        let file = if number.is_multiple_of(2) { Origin::Current } else { Origin::Update };
        Self { file, at: number / 2 }
    }
}

/// A step down to a node in its own file.
#[derive(Debug, Clone)]
pub(super) enum Way {
    Key(String),
    /// The row of an item.
    Item(Option<RowId>),
}

/// An anchor and what it stands before.
#[derive(Debug)]
pub(super) struct Definition<'a> {
    pub(super) name: String,
    pub(super) target: Target,
    /// Whether it is in the text of a value, and not before it.
    pub(super) inside: bool,
    /// The row of its document.
    pub(super) document: Option<RowId>,
    pub(super) way: Vec<Way>,
    /// Its node with all below as it was, where an alias means it.
    pub(super) node: Option<Node<'a>>,
    place: Vec<usize>,
    used: bool,
}

/// A line of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Its key, or that line of an explicit one.
    Key(usize),
    /// What is behind its key or dash: 0 on the line of the node, else one of its further lines.
    Line(usize),
}

impl Part {
    pub(super) fn is_key(self) -> bool {
        matches!(self, Self::Key(_))
    }
}

/// An anchor, alias or tag in a part of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) part: Part,
    pub(super) token: Token,
    /// Whether it is in the text of the value, and not before or instead of it.
    pub(super) inside: bool,
}

/// The anchors and aliases of a node's own text, in their order.
pub(super) fn found(node: &Node<'_>) -> Vec<Found> {
    all(node).filter(|found| found.token.sort != Sort::Tag).collect()
}

/// The tags of a node's own text, in their order.
pub(super) fn tags(node: &Node<'_>) -> Vec<Found> {
    all(node).filter(|found| found.token.sort == Sort::Tag).collect()
}

fn all(node: &Node<'_>) -> impl Iterator<Item = Found> {
    let (key, of_key) = match &node.opener {
        Opener::Key(key) if scan::value_start(key).0 == Start::Flow => (Text::of_lines(key, &[]), Extent::Flow),
        Opener::Key(key) => (Text::of_lines(key, &[]), Extent::Value),
        Opener::Explicit(key) => (Text::of_lines("", &key.lines), Extent::Block),
        _ => (Text::of_lines("", &[]), Extent::Value),
    };
    let text = Text::of_lines(&node.value_text, &node.continuation);
    let own = tokens(&text.all, Extent::Value);
    let placed = |text: &Text, token: Token| {
        let (line, start) = text.place(token.start);
        (line, Token { start, end: start + token.end - token.start, ..token })
    };
    let in_key = tokens(&key.all, of_key).into_iter().map(move |token| {
        let (line, token) = placed(&key, token);
        Found { part: Part::Key(line), token, inside: false }
    });
    let behind = tokens(&text.all, Extent::of(node)).into_iter().map(move |whole| {
        let (line, token) = placed(&text, whole);
        Found { part: Part::Line(line), token, inside: !own.contains(&whole) }
    });
    in_key.chain(behind)
}

pub(super) fn part<'n>(node: &'n Node<'_>, part: Part) -> &'n str {
    let line = match (part, &node.opener) {
        (Part::Key(_), Opener::Key(text)) => return text,
        (Part::Key(at), Opener::Explicit(key)) => at.checked_sub(1).and_then(|at| key.lines.get(at)),
        (Part::Key(_), _) => None,
        (Part::Line(0), _) => return &node.value_text,
        (Part::Line(at), _) => node.continuation.get(at - 1),
    };
    if let Some(Line::Text(_, text, _)) = line { text } else { "" }
}

pub(super) fn part_mut<'n>(node: &'n mut Node<'_>, part: Part) -> Option<&'n mut String> {
    let line = match (part, &mut node.opener) {
        (Part::Key(_), Opener::Key(text)) => return Some(text.to_mut()),
        (Part::Key(at), Opener::Explicit(key)) => at.checked_sub(1).and_then(|at| key.lines.get_mut(at)),
        (Part::Key(_), _) => None,
        (Part::Line(0), _) => return Some(node.value_text.to_mut()),
        (Part::Line(at), _) => node.continuation.get_mut(at - 1),
    };
    if let Some(Line::Text(_, text, _)) = line { Some(text.to_mut()) } else { None }
}

/// Marks all anchors and aliases of a file; its definitions. Nothing where this module does not see what the reference
/// parser saw.
pub(super) fn mark<'a>(
    stream: &mut Node<'a>,
    outline: &mut Outline<'a>,
    sign: char,
    file: Origin,
) -> Option<Vec<Definition<'a>>> {
    let targets: Vec<_> = outline.anchors.iter().map(|anchor| anchor.target).collect();
    let mut marking = Marking {
        sign,
        file,
        targets: targets.into_iter(),
        names: HashMap::default(),
        definitions: Vec::new(),
        aliases: 0,
        document: None,
    };
    for (at, document) in stream.children.iter_mut().enumerate() {
        marking.names.clear();
        marking.document = document.row;
        marking.node(document, &mut vec![at], &mut Vec::new())?;
    }
    let Marking { mut definitions, aliases, .. } = marking;
    if definitions.len() != outline.anchors.len() || aliases != outline.aliases {
        return None;
    }
    for (at, (definition, anchor)) in definitions.iter_mut().zip(&mut outline.anchors).enumerate() {
        anchor.written = marked(&definition.name, sign, Id { file, at });
        let whole = definition.used && definition.target.value().is_some() && !definition.inside;
        definition.node = whole.then(|| super::at(stream, &definition.place).clone());
    }
    Some(definitions)
}

/// A name with its mark.
pub(super) fn marked(name: &str, sign: char, id: Id) -> String {
    format!("{name}{sign}{}", id.number())
}

/// The name and mark of an anchor or alias.
pub(super) fn unmarked(token: &str, sign: char) -> Option<(&str, Id)> {
    let (name, number) = token.get(1..)?.split_once(sign)?;
    Some((name, Id::of(number.parse().ok()?)))
}

/// A text with the final name of each definition instead of its mark; where it has none the one that is written.
pub(super) fn without_marks<'n>(text: &str, sign: char, name: impl Fn(Id) -> Option<&'n str>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(sign) {
        let start = before.bytes().rposition(super::tokens::ends_word).map_or(0, |at| at + 1);
        let start = start + before[start..].find(['&', '*']).unwrap_or(0);
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        let id = behind[..digits].parse().ok().map(Id::of);
        out.push_str(before.get(..=start).unwrap_or(before));
        out.push_str(id.and_then(&name).or(before.get(start + 1..)).unwrap_or(""));
        rest = &behind[digits..];
    }
    out + rest
}

struct Marking<'a> {
    sign: char,
    file: Origin,
    /// What the anchors stand before that are not defined yet.
    targets: std::vec::IntoIter<Target>,
    /// The last definition of each name, in this document.
    names: HashMap<String, usize>,
    definitions: Vec<Definition<'a>>,
    aliases: usize,
    document: Option<RowId>,
}

impl<'a> Marking<'a> {
    fn node(&mut self, node: &mut Node<'a>, place: &mut Vec<usize>, way: &mut Vec<Way>) -> Option<()> {
        let mut marks = Vec::new();
        for found in found(node) {
            let name = &part(node, found.part)[found.token.start + 1..found.token.end];
            let at = if found.token.is_anchor() { self.define(name, found, place, way)? } else { self.refer(name)? };
            marks.push((found.part, found.token.end, Id { file: self.file, at }));
        }
        for (part, end, id) in marks.into_iter().rev() {
            part_mut(node, part)?.insert_str(end, &marked("", self.sign, id));
        }
        for (at, child) in node.children.iter_mut().enumerate() {
            place.push(at);
            way.push(match child.opener {
                Opener::Item { .. } => Way::Item(child.row),
                _ => Way::Key(child.name.to_string()),
            });
            self.node(child, place, way)?;
            place.pop();
            way.pop();
        }
        Some(())
    }

    fn define(&mut self, name: &str, found: Found, place: &[usize], way: &[Way]) -> Option<usize> {
        let (at, target) = (self.definitions.len(), self.targets.next()?);
        self.names.insert(name.to_owned(), at);
        self.definitions.push(Definition {
            name: name.to_owned(),
            target,
            inside: found.inside,
            document: self.document,
            way: way.to_vec(),
            node: None,
            place: place.to_vec(),
            used: false,
        });
        Some(at)
    }

    fn refer(&mut self, name: &str) -> Option<usize> {
        let at = *self.names.get(name)?;
        self.definitions.get_mut(at)?.used = true;
        self.aliases += 1;
        Some(at)
    }
}
