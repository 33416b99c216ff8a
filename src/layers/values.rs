//! A layer as a value that carries its writing: what rules of other systems fold, move and cut.
//!
//! The upgrade lays one file out as another has it, line by line. Systems that merge layers speak of values instead: a map
//! gains a key, a list its items, a value takes the place of another. So a layer is read into [`Value`]s. Each knows
//! what it means and how it was written (its node, with comments, anchor and tag), and where. Rules change the meaning;
//! what they leave alone is written as it was, and only what they make anew is written anew ([`write`]).
//!
//! Which comments stay:
//! * a value that takes the place of another brings its own; where it has none over its key, those that were there stay;
//! * a map or list that is joined from several layers has the comments of all of them, each paragraph as a whole and once;
//! * what is removed takes its comments along.

mod anchors;
mod children;
mod comments;
mod compare;
mod copies;
mod document;
mod flow;
mod give_way;
mod json;
mod leaves;
mod merged;
mod opener;
mod paragraphs;
mod read;
mod scalar;
mod shell;
mod tabs;
#[cfg(test)]
mod tests;
mod write;

use std::sync::Arc;

pub(crate) use self::compare::{difference, meaning, same};
pub(crate) use self::leaves::Leaf;
pub use self::merged::Supplied;
pub(crate) use self::merged::{Merged, explained, size_of_suppliers};
pub(crate) use self::paragraphs::{join, join_behind};
pub(crate) use self::read::{Layer, Read};
pub(crate) use self::scalar::{Scalar, Schema, Type};
use self::shell::Shell;
pub(crate) use self::write::{Style, write};
use crate::text::piece::Piece;
use crate::text::source::End;
use crate::yaml::row::RowId;
use crate::yaml::tree::{Line, Node, Opener, Shape};

/// What a value is.
#[derive(Debug, Clone)]
pub(crate) enum Content<'a> {
    Scalar(Scalar<'a>),
    /// Its entries, each with its key.
    Map(Arc<Vec<Value<'a>>>),
    List(Arc<Vec<Value<'a>>>),
}

/// Where a value was read, and what put it where it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Origin {
    /// The layer, by its number; nothing for what no layer has.
    pub(crate) layer: Option<usize>,
    /// Its line there, from 1.
    pub(crate) line: usize,
    /// The rule that decided on it, in words.
    pub(crate) rule: Option<Arc<str>>,
    /// Whether it came out of a document that is secret as a whole, wherever it stands now.
    pub(crate) is_secret: bool,
    /// Which collection it is, of those that several documents share; 0 for one of its own.
    pub(crate) shared: u32,
}

/// An anchor or what an alias refers to: its name, and which of all anchors that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Label<'a> {
    name: Piece<'a>,
    layer: usize,
    /// Which document of its layer it is in, from 0.
    document: usize,
    row: RowId,
}

/// What belongs to a value that has an anchor or that aliases and merge keys give.
#[derive(Debug, Clone, Default)]
struct Links<'a> {
    /// The anchor before its key.
    key_anchor: Option<Label<'a>>,
    anchor: Option<Label<'a>>,
    /// What it is an alias of.
    alias: Option<Label<'a>>,
    /// The full name of the tag of a collection.
    tag: Option<Box<str>>,
    /// Whether its map has it through a merge key `<<` only.
    inherited: bool,
}

/// A value with its writing; in a map with its key, too.
#[derive(Debug, Clone)]
pub(crate) struct Value<'a> {
    /// How it was written, without what stands inside of it.
    shell: Shell<'a>,
    content: Content<'a>,
    links: Option<Box<Links<'a>>>,
    /// The merge key of a map as it was written, and how many entries stand before it.
    merge_key: Option<Arc<(usize, Value<'a>)>>,
    /// Whether something was added to it or removed.
    touched: bool,
    /// Whether it stands elsewhere than it was read.
    moved: bool,
    pub(crate) origin: Origin,
}

impl<'a> Value<'a> {
    /// A value that no layer has.
    pub(crate) fn new(content: Content<'a>) -> Self {
        let mut shell = Node::new(0, Opener::Item { joined: false }, "", End::Common);
        if let Content::Scalar(scalar) = &content {
            let (rest, more, shape) = scalar.written();
            (shell.value_text, shell.continuation, shell.shape) = (rest, more.into(), shape);
        }
        Self {
            shell: shell.into(),
            content,
            links: None,
            merge_key: None,
            touched: true,
            moved: true,
            origin: Origin::default(),
        }
    }

    /// An empty map that no layer has.
    pub(crate) fn map() -> Self {
        Self::new(Content::Map(Arc::default()))
    }

    /// An empty list that no layer has.
    pub(crate) fn list() -> Self {
        Self::new(Content::List(Arc::default()))
    }

    /// `null`, as no layer has it.
    pub(crate) fn null() -> Self {
        Self::new(Content::Scalar(Scalar::plain("null")))
    }

    /// A text that no layer has: in quotes or as a block where it needs to be.
    pub(crate) fn text(text: impl Into<Piece<'a>>) -> Self {
        Self::new(Content::Scalar(Scalar::text(text)))
    }

    /// A text made of this value's and more, written as this one is where that can be.
    pub(crate) fn with_text(&self, text: String) -> Self {
        let is_block = matches!(self.shell.shape, Shape::Block { .. }) || text.contains('\n');
        let scalar = Scalar::text(text);
        let mut value = Self::new(Content::Scalar(scalar.clone()));
        if let Some((rest, more, shape)) = scalar.as_block().filter(|_| is_block) {
            (value.shell.value_text, value.shell.continuation, value.shell.shape) = (rest, more.into(), shape);
        }
        value.origin = self.origin.clone();
        value.set_inline(&self.inline());
        value
    }

    /// Whether its content stands on lines of its own.
    fn is_block(&self) -> bool {
        self.shell.shape == Shape::Open && !self.children().is_empty()
    }

    pub(crate) fn content(&self) -> &Content<'a> {
        &self.content
    }

    pub(crate) fn is_map(&self) -> bool {
        matches!(self.content, Content::Map(_))
    }

    pub(crate) fn is_list(&self) -> bool {
        matches!(self.content, Content::List(_))
    }

    /// The full name of its tag.
    pub(crate) fn tag(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar(scalar) => scalar.tag.as_deref(),
            Content::Map(_) | Content::List(_) => self.links.as_ref().and_then(|links| links.tag.as_deref()),
        }
    }

    /// Takes its tag away. A document that is a scalar keeps it: without, there might be no document.
    pub(crate) fn without_tag(&mut self) {
        if self.shell.document().is_some() && self.scalar().is_some() {
            return;
        }
        if let Some(text) = scalar::untagged(&self.shell.value_text) {
            self.shell.value_text = text.into();
        } else {
            self.take_tag_line();
        }
        match &mut self.content {
            Content::Scalar(scalar) => scalar.tag = None,
            Content::Map(_) | Content::List(_) => {
                if let Some(links) = &mut self.links {
                    links.tag = None;
                }
            }
        }
        self.touched = true;
    }

    /// Takes its tag away, which stands on a line of its own or before a value that starts there, behind an anchor perhaps.
    fn take_tag_line(&mut self) {
        let untagged = |(at, line): (usize, &Line<'a>)| match line {
            Line::Text(offset, text, end) if !line.is_comment() => {
                let rest = scalar::untagged(text)?;
                let rest = rest.trim_start();
                Some((at, (!rest.is_empty()).then(|| Line::Text(*offset, rest.to_owned().into(), *end))))
            }
            _ => None,
        };
        if let Some((at, line)) = self.shell.continuation.iter().enumerate().find_map(untagged) {
            self.shell.continuation.vec().splice(at..=at, line);
        }
    }

    /// What it is as a scalar.
    pub(crate) fn scalar(&self) -> Option<&Scalar<'a>> {
        match &self.content {
            Content::Scalar(scalar) => Some(scalar),
            Content::Map(_) | Content::List(_) => None,
        }
    }

    /// What it is as a scalar by a schema; nothing for a collection.
    pub(crate) fn kind(&self, schema: Schema) -> Option<Type> {
        self.scalar().map(|scalar| scalar.kind(schema))
    }

    /// Its text, where it is a scalar that is text by a schema.
    pub(crate) fn as_text(&self, schema: Schema) -> Option<&str> {
        self.scalar().filter(|scalar| scalar.kind(schema) == Type::Text).map(|scalar| &*scalar.text)
    }

    /// Whether it is null by any schema: nothing at all, `~`, or a form of `null`.
    pub(crate) fn is_null(&self) -> bool {
        self.kind(Schema::Core) == Some(Type::Null)
    }

    /// What kind of collection it is, in words.
    pub(crate) fn kind_name(&self, schema: Schema) -> &'static str {
        match &self.content {
            Content::Map(_) => "a map",
            Content::List(_) => "a list",
            Content::Scalar(scalar) => scalar.kind(schema).name(),
        }
    }

    /// Its key; empty for an item.
    pub(crate) fn name(&self) -> &str {
        &self.shell.name
    }

    /// Its key as a scalar, which tells `1` from `"1"`.
    pub(crate) fn key(&self) -> Scalar<'a> {
        Scalar { text: self.shell.name.clone(), plain: read::has_plain_key(&self.shell), tag: None }
    }

    /// The line of its key or dash in its file, from 1.
    pub(crate) fn line(&self) -> usize {
        self.origin.line
    }

    /// The entries of a map or the items of a list.
    pub(crate) fn children(&self) -> &[Value<'a>] {
        match &self.content {
            Content::Map(children) | Content::List(children) => children,
            Content::Scalar(_) => &[],
        }
    }

    /// The same, to be changed; nothing for a scalar.
    pub(crate) fn children_mut(&mut self) -> Option<&mut Vec<Value<'a>>> {
        self.touched = true;
        match &mut self.content {
            Content::Map(children) | Content::List(children) => Some(Arc::make_mut(children)),
            Content::Scalar(_) => None,
        }
    }

    /// One child, to be changed inside; the collection itself stays as it is.
    pub(crate) fn child_mut(&mut self, at: usize) -> Option<&mut Value<'a>> {
        match &mut self.content {
            Content::Map(children) | Content::List(children) => Arc::make_mut(children).get_mut(at),
            Content::Scalar(_) => None,
        }
    }

    /// The entries or items, without their collection.
    pub(crate) fn into_children(self) -> Vec<Value<'a>> {
        match self.content {
            Content::Map(children) | Content::List(children) => {
                Arc::try_unwrap(children).unwrap_or_else(|shared| (*shared).clone())
            }
            Content::Scalar(_) => Vec::new(),
        }
    }

    /// The value of a key of this map.
    pub(crate) fn get(&self, name: &str) -> Option<&Value<'a>> {
        self.position(name).and_then(|at| self.children().get(at))
    }

    /// The same, to be changed.
    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Value<'a>> {
        let at = self.position(name)?;
        self.child_mut(at)
    }

    /// Where a key of this map stands.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        if !self.is_map() {
            return None;
        }
        self.children().iter().position(|entry| entry.name() == name)
    }

    /// Adds an entry (with its key) or an item at the end.
    pub(crate) fn push(&mut self, mut child: Value<'a>) {
        let is_list = self.is_list();
        child.moved();
        if let Some(children) = self.children_mut() {
            children.push(if is_list { child.item_as_it_was() } else { child });
        }
    }

    /// Puts an item before the one at a position.
    pub(crate) fn insert(&mut self, at: usize, mut child: Value<'a>) {
        let is_list = self.is_list();
        child.moved();
        if let Some(children) = self.children_mut() {
            children.insert(at.min(children.len()), if is_list { child.item_as_it_was() } else { child });
        }
    }

    fn item_as_it_was(self) -> Self {
        if matches!(self.shell.opener, Opener::Item { .. }) { self } else { self.item() }
    }

    /// Whether it and all that is inside of it is as it was read.
    fn is_intact(&self) -> bool {
        !self.touched && self.children().iter().all(|child| !child.moved && child.is_intact())
    }

    /// Gives an entry of a map this value: in the place of the one that it has, else at the end.
    pub(crate) fn set(&mut self, name: &str, value: Value<'a>) {
        match self.get_mut(name) {
            Some(old) => old.replace(value),
            None => self.push(value.under(name.to_owned())),
        }
    }

    /// Another value in the place of this one, under the same key. Its comments come with it; where it has none above,
    /// those over the key stay, and so does the one behind a scalar where both are the same.
    pub(crate) fn replace(&mut self, new: Value<'a>) {
        let mut new = new.in_place_of(self);
        if self.scalar().is_some() && same(self, &new) {
            new.set_inline(&self.inline());
        }
        let own = std::mem::take(&mut self.shell.above);
        let directives = own.iter().filter(|line| line.trimmed().starts_with('%')).cloned().collect();
        if !new.shell.above.iter().any(Line::is_comment) {
            new.shell.above = own;
        } else if !new.shell.above.iter().any(|line| !line.is_comment()) {
            // The blank line that parts it from what is before it is of the layout that stays.
            let blanks = own.iter().take_while(|line| !line.is_comment()).cloned();
            new.shell.above.splice(0..0, blanks.collect::<Vec<_>>());
        }
        new.keep_parts_of_document(self, directives);
        *self = new;
    }

    /// A document has its marker with the directives over it and its head, whatever its value becomes.
    fn keep_parts_of_document(&mut self, old: &Self, directives: Vec<Line<'a>>) {
        if self.shell.document().is_some() {
            let mut head = std::mem::replace(&mut self.shell.above, directives);
            head.retain(|line| !line.trimmed().starts_with('%'));
            if let Some(header) = self.shell.header_mut() {
                *header = head;
            }
            self.shell.end = old.shell.end;
        }
    }

    /// Says which rule decided on this value.
    pub(crate) fn by(&mut self, rule: &str) {
        self.origin.rule = Some(rule.into());
    }
}
