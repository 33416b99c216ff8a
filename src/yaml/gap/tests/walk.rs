//! The gaps of a text as its tree has them: what stands around each of them, and whose each line is there.

use super::super::normal::{Lines, Place, TextBefore};
use super::super::{After, Before, GapLine, Neighbourhood, Owner};
use crate::text::scan::{self, Start};
use crate::text::source::Source;
use crate::yaml::check;
use crate::yaml::reader;
use crate::yaml::tree::{ExplicitValue, Line, Node, Offset, Opener, Shape};

/// A gap of a file, whose lines are owned as the tree says.
#[derive(Debug)]
pub(super) struct Gap<'a> {
    pub(super) before: Before,
    pub(super) after: After,
    pub(super) closed: Vec<i32>,
    pub(super) text: Option<TextBefore>,
    pub(super) owned: Vec<Lines<GapLine<'a>>>,
}

impl Gap<'_> {
    pub(super) fn place(&self) -> Place<'_> {
        let around = Neighbourhood { before: self.before, after: self.after, closed: &self.closed };
        Place { around, text: self.text, barred: &[] }
    }
}

/// Calls for every gap of a text, in their order; whether the text is valid.
pub(super) fn gaps_of(text: &str, mut found: impl FnMut(&Gap<'_>)) -> bool {
    let Ok(source) = Source::new("text", text) else { return false };
    let (Ok(_), Ok(reading)) = (check::read(&source), reader::read(&source)) else { return false };
    let mut walk =
        Walk { before: Before::FileStart, text: None, closed: Vec::new(), owned: Vec::new(), found: Vec::new() };
    for document in &reading.stream.children {
        walk.document(document);
    }
    walk.lines(Owner::Tail, &reading.stream.below, -1);
    walk.solid(After::FileEnd, Before::FileStart);
    walk.found.iter().for_each(&mut found);
    true
}

struct Walk<'t> {
    before: Before,
    text: Option<TextBefore>,
    closed: Vec<i32>,
    owned: Vec<(Owner, GapLine<'t>)>,
    found: Vec<Gap<'t>>,
}

impl<'t> Walk<'t> {
    fn document(&mut self, node: &'t Node<'_>) {
        for line in &node.above {
            // A `...` may be among them, which closes comments alone.
            if line.is_comment_or_blank() || line.ends_document() {
                self.line(Owner::Prefix, line, -1);
            } else {
                self.solid(After::DocumentStart, Before::Directive);
            }
        }
        if node.marker().is_some() {
            let bare = scan::value_start(&node.value_text).0 == Start::Nothing || node.shape == Shape::Open;
            self.solid(After::DocumentStart, if bare { Before::DocumentStart } else { Before::Content });
        }
        if node.shape == Shape::Open {
            self.value(node, -1);
            self.lines(Owner::Header, node.header(), -1);
        } else {
            self.lines(Owner::Header, node.header(), -1);
            self.value(node, -1);
        }
        self.inside(node, -1);
        self.lines(Owner::Footer, &node.below, 0);
        if node.document().is_some_and(|document| document.end.is_some()) {
            self.solid(After::DocumentEnd, Before::DocumentEnd);
        }
    }

    /// All of a node but what stands above it.
    fn node(&mut self, node: &'t Node<'_>, column: i32) {
        self.value(node, column);
        self.inside(node, column);
        self.lines(Owner::End(self.closed.len()), &node.below, column + node.indent);
        self.closed.push(column + node.block_column(!node.children.is_empty()));
    }

    fn inside(&mut self, node: &'t Node<'_>, column: i32) {
        let column = column + node.indent;
        for (at, child) in node.children.iter().enumerate() {
            if at > 0 || !joins(node) {
                self.lines(Owner::Lead, &child.above, column);
                self.solid(After::Node, Before::Content);
            }
            self.node(child, column);
        }
    }

    /// The lines of a value that stand below its node, each anchor and tag with the gap above it.
    fn value(&mut self, node: &'t Node<'_>, column: i32) {
        let is_document = node.document().is_some();
        if scan::value_start(&node.value_text).0 == Start::Nothing {
            for line in &node.continuation {
                if line.is_comment_or_blank() {
                    self.line(Owner::Lead, line, column);
                    continue;
                }
                let bare = is_document && scan::value_start(line.trimmed()).0 == Start::Nothing;
                self.solid(After::Value, if bare { Before::DocumentStart } else { Before::Content });
                if !bare && scan::value_start(line.trimmed()).0 != Start::Nothing {
                    break;
                }
            }
        }
        self.text = TextBefore::of(node, column);
    }

    fn lines(&mut self, owner: Owner, lines: &'t [Line<'_>], beside: i32) {
        for line in lines {
            self.line(owner, line, beside);
        }
    }

    fn line(&mut self, owner: Owner, line: &'t Line<'_>, beside: i32) {
        let line = match line {
            Line::Text(..) if line.ends_document() => return self.solid(After::DocumentEnd, Before::DocumentEnd),
            Line::Blank(text, end) => GapLine { column: None, text, end: *end },
            Line::Text(offset, text, end) => {
                let column = if let Offset::Beside(by) = offset { beside + by } else { 0 };
                GapLine { column: Some(column), text, end: *end }
            }
        };
        self.owned.push((owner, line));
    }

    /// A line that ends a gap.
    fn solid(&mut self, after: After, before: Before) {
        let mut chunks: Vec<Lines<GapLine<'_>>> = Vec::new();
        let mut owner = Owner::Separator;
        for (stored, line) in self.owned.drain(..) {
            // In the tree blank lines lead what is below them.
            owner = match (line.column, stored, after) {
                (None, ..) => owner,
                (_, Owner::Header, After::Value) => Owner::Lead,
                (_, Owner::Header | Owner::Prefix | Owner::Tail, After::DocumentEnd)
                | (_, Owner::Header, After::DocumentStart | After::FileEnd) => Owner::Footer,
                (_, stored, _) => stored,
            };
            match chunks.last_mut().filter(|last| last.owner == owner) {
                Some(last) => last.lines.push(line),
                None => chunks.push(Lines { owner, lines: vec![line] }),
            }
        }
        let (closed, text) = (std::mem::take(&mut self.closed), self.text.take());
        self.found.push(Gap { before: self.before, after, closed, text, owned: chunks });
        self.before = before;
    }
}

/// Whether the first child shares the line of the node.
fn joins(node: &Node<'_>) -> bool {
    match &node.opener {
        Opener::Item { joined } => *joined,
        Opener::Explicit(key) => key.value == ExplicitValue::Joined,
        _ => false,
    }
}
