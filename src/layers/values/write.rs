//! Values → text: each as it was written, where that still says what it means.
//!
//! A collection in brackets that was changed stays in brackets where all that is in it can be on one line, else its
//! entries get lines of their own. An alias stays where its anchor still stands before it with the same value, else
//! what it stands for is written out; so does a merge key `<<`.

use std::collections::HashMap;
use std::sync::Arc;

use super::anchors;
use super::flow;
use super::scalar::written_tag;
use super::{Content, Label, Layer, Value, difference};
use crate::comments::{self, has_comment};
use crate::text::error::{Error, visible};
use crate::text::source::End;
use crate::yaml::document::{end_document, ends_with_text, has_directive, has_marker, is_ended};
use crate::yaml::mistakes;
use crate::yaml::reference::Duplicates;
use crate::yaml::tree::{Kind, Line, Node, Offset, Opener, Origin, Seldom, Shape};
use crate::yaml::writer;

/// How a text is written as a whole.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    /// Whether a byte-order mark stands before it.
    pub(crate) bom: bool,
    /// How lines end.
    pub(crate) common: &'static str,
}

impl Default for Style {
    fn default() -> Self {
        Self { bom: false, common: "\n" }
    }
}

/// Writes documents, and the comments behind the last of them. The text is read again and has to mean what was meant.
///
/// # Errors
/// A text that means something else, which is a bug of yamlift.
pub(crate) fn write<'a>(documents: &[Value<'a>], below: &[Line<'a>], style: Style) -> Result<String, Error> {
    let mut stream = Node::new(0, Opener::Stream, "", End::Common);
    let steps = Steps::of(documents);
    for (at, document) in anchors::once(documents).iter().enumerate() {
        let mut node = Writing { anchors: HashMap::new(), defined: Vec::new(), steps }.node(document);
        let ended =
            stream.children.last().is_some_and(|last| is_ended(last)) || node.above.iter().any(Line::ends_document);
        if let Some(last) = stream.children.last_mut().filter(|_| !ended && has_directive(&node)) {
            end_document(last);
        }
        if at > 0 && !ended && !has_marker(&node) {
            node.set_marker(Some("---"));
        }
        stream.children.push(Box::new(node));
    }
    let is_open = |last: &Node<'_>| !is_ended(last) && ends_with_text(last);
    if let Some(last) = stream.children.last_mut().filter(|last| is_open(last) && has_comment(below)) {
        end_document(last);
    }
    stream.below = below.to_vec().into();
    stream.children.iter_mut().for_each(|document| join_head(document));
    comments::arrange(&mut stream);
    let text = writer::write(&stream, style.bom, style.common).text;
    verify(documents, &text)?;
    Ok(text)
}

/// Comments over a document that no blank line sets off are read as those of its first node.
fn join_head(document: &mut Node<'_>) {
    if document.children.is_empty() || !document.header().last().is_some_and(Line::is_comment) {
        return;
    }
    let indent = document.indent;
    let header = document.header_mut().map_or_else(Vec::new, std::mem::take);
    if let Some(first) = document.children.first_mut() {
        first.above.splice(0..0, header.into_iter().map(|line| line.moved(-indent)));
    }
}

fn verify(documents: &[Value<'_>], text: &str) -> Result<(), Error> {
    let layer = Layer { name: "result".to_owned(), text: text.to_owned() };
    let read = layer.read(0, Duplicates::Refused);
    let read = read.map_err(|error| mistakes::in_result(&error).in_file(&layer.name))?;
    if read.documents.len() != documents.len() {
        let (there, meant) = (read.documents.len(), documents.len());
        return Err(Error::verification(format!("the result has {there} documents instead of {meant}")));
    }
    for (meant, there) in documents.iter().zip(&read.documents) {
        let Some(path) = difference(meant, there) else { continue };
        if meant.shell.above.iter().any(|line| line.trimmed().starts_with("%TAG")) {
            let what =
                format!("the %TAG directives of the first file change what `{}` means", visible(&path.to_string()));
            return Err(
                Error::input(what).help("write the tags of the other files in full: !<tag:example.org,2026:name>")
            );
        }
        let what = format!("the value at `{}` is not what was to be written", visible(&path.to_string()));
        return Err(Error::verification(what));
    }
    Ok(())
}

/// How far blocks are indented that were none before: as those of the first layer.
#[derive(Clone, Copy)]
struct Steps {
    map: i32,
    list: i32,
}

impl Steps {
    fn of(documents: &[Value<'_>]) -> Self {
        let first = |kind| documents.iter().find_map(|document| first_indent(document, kind));
        Self { map: first(Kind::Map).unwrap_or(2), list: first(Kind::List).unwrap_or(2) }
    }

    fn below(self, opener: &Opener<'_>, kind: Kind) -> i32 {
        match (opener, kind) {
            (Opener::Document(_), _) => 1,
            (Opener::Key(_), Kind::List) => self.list,
            (Opener::Key(_), _) => self.map,
            _ => 2,
        }
    }
}

/// How far the first block of a kind stands right of its key, in what was read from a layer.
fn first_indent(value: &Value<'_>, kind: Kind) -> Option<i32> {
    let shell = &value.shell;
    let block = shell.shape == Shape::Open && !value.children().is_empty() && value.origin.layer.is_some();
    let own = block && matches!(shell.opener, Opener::Key(_)) && value.is_list() == (kind == Kind::List);
    if own { Some(shell.indent) } else { value.children().iter().find_map(|child| first_indent(child, kind)) }
}

pub(super) struct Writing<'a> {
    /// The last anchor of each name that was written, where its value is as it was.
    anchors: HashMap<String, Label<'a>>,
    /// The names of anchors in the order in which they became known, each with what it was before.
    defined: Vec<(String, Option<Label<'a>>)>,
    steps: Steps,
}

impl<'a> Writing<'a> {
    /// A value as a node with all that is inside of it.
    fn node(&mut self, value: &Value<'a>) -> Node<'a> {
        let mut node = Node::clone(&value.shell);
        if value.origin.layer != Some(0) {
            node.adopt(Origin::Current);
        }
        self.define_key(value);
        if let Some(links) = &value.links {
            match &links.alias {
                Some(label) if value.is_intact() && self.holds(label) => return node,
                Some(_) => {
                    written_out(&mut node, value);
                    let mut copy = value.clone();
                    anchors::copies_inside(&mut copy);
                    return self.content(node, &copy);
                }
                None => {}
            }
        }
        self.define_value(value);
        self.content(node, value)
    }

    /// The node of a value with what is inside of it.
    fn content(&mut self, mut node: Node<'a>, value: &Value<'a>) -> Node<'a> {
        match &value.content {
            Content::Scalar(_) => {}
            Content::Map(_) => self.collection(&mut node, value, Kind::Map),
            Content::List(_) => self.collection(&mut node, value, Kind::List),
        }
        node
    }

    fn collection(&mut self, node: &mut Node<'a>, value: &Value<'a>, kind: Kind) {
        let flow = matches!(node.shape, Shape::Flow { .. });
        let children = self.children(value);
        let still_empty = children.is_empty() && node.shape == Shape::Flow { empty: true };
        if still_empty || flow && value.is_intact() && self.links_hold(value) {
            return;
        }
        let is_document = node.document().is_some();
        let before = self.defined.len();
        if flow
            && !is_document
            && let Some(text) = flow::text(self, value, &children)
        {
            return flow::put(node, &text);
        }
        self.undefine(before);
        if flow {
            flow::open(node);
        }
        if children.is_empty() {
            return set_empty(node, kind);
        }
        let links = value.links.as_ref();
        let was_block = !flow && value.shell.line() > 0 && links.is_none_or(|links| links.alias.is_none());
        if !was_block {
            node.indent = self.steps.below(&node.opener, kind);
        }
        node.children = children.iter().map(|child| Box::new(self.node(child))).collect();
        if !was_block {
            join_first_child(node);
        }
    }

    /// What is to be written inside of a collection: a merge key instead of all that it gives, where it still does.
    pub(super) fn children(&mut self, value: &Value<'a>) -> Vec<Value<'a>> {
        let Some(merge) = &value.merge_key else { return value.children().to_vec() };
        let (at, merge_key) = &**merge;
        let inherited = |entry: &&Value<'_>| entry.links.as_ref().is_some_and(|links| links.inherited);
        let gives = provided(merge_key);
        let all = gives.iter().all(|name| value.position(name).is_some());
        let as_given = value.children().iter().filter(inherited).all(|entry| !entry.moved && entry.is_intact());
        if !all || !as_given || !self.links_hold(merge_key) {
            let as_copy = |entry| if inherited(&entry) { anchors::copy_of(entry) } else { entry.clone() };
            return value.children().iter().map(as_copy).collect();
        }
        let mut own: Vec<_> = value.children().iter().filter(|entry| !inherited(entry)).cloned().collect();
        own.insert((*at).min(own.len()), merge_key.clone());
        own
    }

    /// Whether the anchor of an alias stands before it, with the value that it had.
    pub(super) fn holds(&self, label: &Label<'a>) -> bool {
        self.anchors.get(&*label.name) == Some(label)
    }

    /// Knows the anchors before a key and its value from here on.
    pub(super) fn define(&mut self, value: &Value<'a>) {
        self.define_key(value);
        self.define_value(value);
    }

    /// The anchor before a key comes first: the value may be an alias of it.
    fn define_key(&mut self, value: &Value<'a>) {
        if let Some(label) = value.links.as_ref().and_then(|links| links.key_anchor.as_ref()) {
            self.anchor(&label.name, Some(label.clone()));
        }
    }

    fn define_value(&mut self, value: &Value<'a>) {
        if let Some(label) = value.links.as_ref().and_then(|links| links.anchor.as_ref()) {
            self.anchor(&label.name, value.is_intact().then(|| label.clone()));
        }
    }

    fn anchor(&mut self, name: &str, label: Option<Label<'a>>) {
        let before = match label {
            Some(label) => self.anchors.insert(name.to_owned(), label),
            None => self.anchors.remove(name),
        };
        self.defined.push((name.to_owned(), before));
    }

    /// Forgets the anchors that became known since there were so many: what has them is written another way.
    fn undefine(&mut self, since: usize) {
        for (name, before) in self.defined.drain(since.min(self.defined.len())..).rev() {
            match before {
                Some(label) => self.anchors.insert(name, label),
                None => self.anchors.remove(&name),
            };
        }
    }

    /// Whether all aliases in a value that is written as it was still mean the same; its anchors are known then.
    pub(super) fn links_hold(&mut self, value: &Value<'a>) -> bool {
        let before = self.defined.len();
        let hold = self.all_hold(value);
        if !hold {
            self.undefine(before);
        }
        hold
    }

    fn all_hold(&mut self, value: &Value<'a>) -> bool {
        self.define_key(value);
        if let Some(alias) = value.links.as_ref().and_then(|links| links.alias.as_ref()) {
            return self.holds(alias);
        }
        self.define_value(value);
        if let Some(merge) = &value.merge_key {
            let merge = Arc::clone(merge);
            if !self.all_hold(&merge.1) {
                return false;
            }
        }
        let inherited = |entry: &&Value<'_>| entry.links.as_ref().is_some_and(|links| links.inherited);
        value.children().iter().filter(|child| !inherited(child)).all(|child| self.all_hold(child))
    }
}

/// Writes an empty collection; as a document without a marker on a line of its own.
fn set_empty(node: &mut Node<'_>, kind: Kind) {
    if node.document().is_none_or(|document| document.marker.is_some()) {
        return node.set_empty(kind);
    }
    let brackets = if kind == Kind::List { "[]" } else { "{}" };
    node.continuation.push(Line::Text(Offset::Beside(1), brackets.into(), End::Common));
    node.shape = Shape::Flow { empty: true };
}

/// The names that a merge key gives.
fn provided<'v>(merge_key: &'v Value<'_>) -> Vec<&'v str> {
    let names = |map: &'v Value<'_>| map.children().iter().map(Value::name);
    match merge_key.content() {
        Content::List(items) => items.iter().flat_map(names).collect(),
        _ => names(merge_key).collect(),
    }
}

/// What an alias stands for takes its place, with the comment behind it.
fn written_out(node: &mut Node<'_>, value: &Value<'_>) {
    let comment = crate::yaml::flow::inline(node);
    node.continuation = Seldom::default();
    match &value.content {
        Content::Scalar(scalar) => {
            let (rest, _, shape) = scalar.written();
            (node.value_text, node.shape) = (format!("{rest}{comment}").into(), shape);
        }
        Content::Map(_) | Content::List(_) => {
            let tag = value.tag().map_or_else(String::new, |tag| format!(" {}", written_tag(tag)));
            (node.value_text, node.shape) = (format!("{tag}{comment}").into(), Shape::Open);
        }
    }
}

/// The first line of what is in an item shares the line of its dash, unless something else stands there or over it.
fn join_first_child(node: &mut Node<'_>) {
    let Opener::Item { joined } = &mut node.opener else { return };
    // An anchor or a tag of its own would be that of the first key.
    let own = node.value_text.trim_ascii().is_empty();
    let above = node.children.first().is_some_and(|child| child.above.iter().any(Line::is_comment));
    *joined = own && !above;
    if *joined {
        node.value_text = "".into();
    }
}
